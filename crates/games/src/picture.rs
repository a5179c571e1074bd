//! Writes SVG pictures of positions from a few shapes. The games' `picture` functions draw with it. Coordinates are
//! pixels from the upper left corner.

use std::fmt::Write;

/// A colour for each player, distinguishable in print and for the colour-blind (Okabe and Ito 2008).
pub(crate) const COLOURS: [&str; 6] = [
    "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];

/// The colour in which an action is drawn.
const MARK: &str = "#7b3fa0";

/// An SVG document that is being written.
pub(crate) struct Picture(String);

impl Picture {
    /// A white picture of this size.
    pub(crate) fn new(width: usize, height: usize) -> Picture {
        Picture(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        ))
    }

    /// A picture of lines of text, for games that draw nothing themselves.
    pub(crate) fn of_text(text: &str) -> String {
        let longest = text.lines().map(|line| line.chars().count()).max();
        let mut out = Picture::new(
            24 + 9 * longest.unwrap_or(0),
            24 + 20 * text.lines().count(),
        );
        for (number, line) in text.lines().enumerate() {
            let words = line.replace('&', "&amp;").replace('<', "&lt;");
            let _ = writeln!(
                out.0,
                "<text x=\"12\" y=\"{}\" font-size=\"14\">{words}</text>",
                26 + 20 * number
            );
        }
        out.end()
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

    /// Writes words. They must hold no `<` or `&`, which SVG would read as markup.
    pub(crate) fn text(&mut self, x: usize, y: usize, size: usize, anchor: &str, words: &str) {
        debug_assert!(!words.contains(['<', '&']));
        let _ = writeln!(
            self.0,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{words}</text>"
        );
    }

    /// An arrow, for an action.
    pub(crate) fn arrow(&mut self, from: (usize, usize), to: (usize, usize)) {
        let [x, y, end_x, end_y] = [from.0, from.1, to.0, to.1].map(|at| at as f64);
        let (across, down) = (end_x - x, end_y - y);
        // A quadratic Bézier curve. Its control point lies above the middle, and higher if the ends are farther
        // apart, so that the arrow passes above the pieces between them.
        let length = across.hypot(down);
        let (bend_x, bend_y) = (
            (x + end_x) / 2.0 - 0.1 * down,
            (y + end_y) / 2.0 - (0.22 * length).min(45.0),
        );
        // At its end the curve points away from the control point. The head's base is 9 pixels back in that
        // direction, its corners half as far to either side.
        let (back_x, back_y) = (bend_x - end_x, bend_y - end_y);
        let scale = 9.0 / back_x.hypot(back_y).max(1.0);
        let (back_x, back_y) = (back_x * scale, back_y * scale);
        let corner = |side: f64| {
            let (x, y) = (
                end_x + back_x - side * back_y,
                end_y + back_y + side * back_x,
            );
            format!("{x:.1} {y:.1}")
        };
        let (one, two) = (corner(0.5), corner(-0.5));
        let _ = writeln!(
            self.0,
            "<path d=\"M{x} {y}Q{bend_x:.1} {bend_y:.1} {end_x} {end_y}\" fill=\"none\" \
             stroke=\"{MARK}\" stroke-width=\"2\"/>\n\
             <path d=\"M{end_x} {end_y}L{one}L{two}Z\" fill=\"{MARK}\"/>"
        );
    }

    /// A frame around a card, for an action.
    pub(crate) fn mark(&mut self, x: usize, y: usize) {
        let _ = writeln!(
            self.0,
            "<rect x=\"{}\" y=\"{}\" width=\"36\" height=\"46\" rx=\"6\" fill=\"none\" \
             stroke=\"{MARK}\" stroke-width=\"3\"/>",
            x - 3,
            y - 3
        );
    }

    /// A playing card with its name, in red for hearts and diamonds.
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

    /// Closes the document and returns its text.
    pub(crate) fn end(mut self) -> String {
        self.0 += "</svg>\n";
        self.0
    }
}
