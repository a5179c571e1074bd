//! Pictures as SVG.

use std::fmt::Write;

/// A colour a player, told apart in print and by the colour-blind (Okabe and Ito 2008).
pub(crate) const COLOURS: [&str; 6] = [
    "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];

/// A picture that is drawn.
pub(crate) struct Picture(String);

impl Picture {
    pub(crate) fn new(width: usize, height: usize) -> Picture {
        Picture(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        ))
    }

    pub(crate) fn rectangle(
        &mut self,
        x: usize,
        y: usize,
        width: usize,
        height: usize,
        fill: &str,
    ) {
        let _ = writeln!(
            self.0,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\" \
             fill=\"{fill}\" stroke=\"#555\"/>"
        );
    }

    pub(crate) fn circle(&mut self, x: usize, y: usize, radius: usize, fill: &str) {
        let _ = writeln!(
            self.0,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>"
        );
    }

    /// Words, which must not hold what SVG reads as more than words.
    pub(crate) fn text(&mut self, x: usize, y: usize, size: usize, anchor: &str, words: &str) {
        debug_assert!(!words.contains(['<', '&']));
        let _ = writeln!(
            self.0,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{words}</text>"
        );
    }

    /// A playing card, its name in the colour of its suit.
    pub(crate) fn card(&mut self, x: usize, y: usize, name: &str) {
        self.rectangle(x, y, 30, 40, "#fffdf5");
        let red = name.contains(['♥', '♦']);
        let colour = if red { "#b00020" } else { "#111" };
        let _ = writeln!(
            self.0,
            "<text x=\"{}\" y=\"{}\" font-size=\"14\" text-anchor=\"middle\" fill=\"{colour}\">{name}</text>",
            x + 15,
            y + 26
        );
    }

    pub(crate) fn end(mut self) -> String {
        self.0 += "</svg>\n";
        self.0
    }
}
