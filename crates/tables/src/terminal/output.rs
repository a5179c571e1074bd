//! Writes to a terminal: in place and with colours where it has them, else plain lines.

use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// The width of the screen in columns.
const WIDE: usize = 80;

/// A terminal, or a file or pipe in its place.
pub struct Output {
    out: Box<dyn Write>,
    in_place: bool,
    coloured: bool,
    /// Whether a screen has begun. What stood in the terminal before, such as a warning, stays above the first.
    is_begun: bool,
}

impl Output {
    /// Writes there; `in_place` draws from the top every time, `coloured` uses colours.
    pub fn new(out: Box<dyn Write>, in_place: bool, coloured: bool) -> Output {
        Output {
            out,
            in_place,
            coloured,
            is_begun: false,
        }
    }

    /// Begins a new screen, where there is one.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.is_begun, true) && self.in_place {
            true => write!(self.out, "\x1b[2J\x1b[H"),
            false => writeln!(self.out),
        }
    }

    fn styled(&mut self, style: Style, text: &str) -> io::Result<()> {
        match self.coloured {
            true => writeln!(self.out, "{}{text}{}", style.render(), style.render_reset()),
            false => writeln!(self.out, "{text}"),
        }
    }

    pub(super) fn line(&mut self, text: &str) -> io::Result<()> {
        self.styled(Style::new(), text)
    }

    /// Writes a text that is to be read first, broken into lines that fit. A no-break space is written as a blank.
    pub(super) fn heading(&mut self, text: &str) -> io::Result<()> {
        for line in wrapped(text) {
            self.styled(Style::new().bold(), &line.replace('\u{a0}', " "))?;
        }
        Ok(())
    }

    /// Writes an event since the last screen.
    pub(super) fn news(&mut self, text: &str) -> io::Result<()> {
        self.styled(AnsiColor::Cyan.on_default(), text)
    }

    /// Writes an answer to a typed line, broken into lines that fit.
    pub(super) fn notice(&mut self, text: &str) -> io::Result<()> {
        for line in wrapped(text) {
            self.styled(AnsiColor::Yellow.on_default(), &line)?;
        }
        Ok(())
    }

    /// Writes a line that matters least, dimmed.
    pub(super) fn quiet(&mut self, text: &str) -> io::Result<()> {
        self.styled(Style::new().dimmed(), text)
    }

    /// Short texts in as many columns as there is room for, down each column.
    pub(super) fn columns(&mut self, texts: &[String]) -> io::Result<()> {
        for row in columns(texts, WIDE) {
            self.styled(AnsiColor::Green.on_default(), &row)?;
        }
        Ok(())
    }

    pub(super) fn prompt(&mut self) -> io::Result<()> {
        write!(self.out, "> ")?;
        self.out.flush()
    }
}

/// The rows of a table of short texts that is at most `wide` columns wide.
fn columns(texts: &[String], wide: usize) -> Vec<String> {
    // The longest text and two blanks make a cell. With 3 rows, row 0 has the texts 0, 3, 6, …: numbers go down
    // each column.
    let cell = texts.iter().map(|text| text.chars().count()).max();
    let cell = cell.unwrap_or(0) + 2;
    let across = (wide / cell).max(1);
    let rows = texts.len().div_ceil(across);
    let row = |n: usize| {
        let cells = texts.iter().skip(n).step_by(rows.max(1));
        let cells = cells.map(|text| format!("{text:cell$}"));
        cells.collect::<String>().trim_end().to_owned()
    };
    (0..rows).map(row).collect()
}

/// A text in lines that fit, broken at blanks. A shorter one stays as it is.
fn wrapped(text: &str) -> impl Iterator<Item = String> {
    let mut lines = vec![String::new()];
    let mut long = 0;
    for word in text.split(' ') {
        let wide = word.chars().count();
        // A word that is longer than a line stands alone on one.
        if long > 0 && long + 1 + wide > WIDE {
            lines.push(String::new());
            long = 0;
        }
        if let Some(line) = lines.last_mut() {
            if long > 0 {
                line.push(' ');
                long += 1;
            }
            line.push_str(word);
            long += wide;
        }
    }
    lines.into_iter()
}

/// A page's text without its markup, in lines that fit.
pub(super) fn plain(html: &str) -> Vec<String> {
    let mut lines = Vec::new();
    // A script draws the figures of a page, and a caption says nothing without its figure.
    let parts = html.split("<figure");
    let rest = |part| str::split_once(part, "</figure>").map_or(part, |(_, rest)| rest);
    let text: String = parts.map(rest).collect();
    // Paragraphs and items begin a line; all other marks are inside one.
    let text = text.replace("<li>", "<p>- ");
    for paragraph in text.split("<p>") {
        let mut words = String::new();
        let mut in_mark = false;
        for letter in paragraph.chars() {
            match letter {
                '<' => in_mark = true,
                '>' => in_mark = false,
                _ if in_mark => {}
                letter => words.push(letter),
            }
        }
        let words: Vec<&str> = words.split_whitespace().collect();
        lines.extend(wrapped(&words.join(" ")).filter(|line| !line.is_empty()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};

    struct Sent(Sender<Vec<u8>>);

    impl Write for Sent {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The text that is written for a cleared screen with a heading.
    fn written(in_place: bool, coloured: bool) -> String {
        let (sender, receiver) = channel();
        let mut output = Output::new(Box::new(Sent(sender)), in_place, coloured);
        output.clear().unwrap();
        output.clear().unwrap();
        output.heading("Hand 1").unwrap();
        drop(output);
        String::from_utf8(receiver.into_iter().flatten().collect()).unwrap()
    }

    #[test]
    fn a_screen_begins_at_the_top_where_it_can() {
        assert_eq!(written(false, false), "\n\nHand 1\n");
        assert_eq!(written(true, false), "\n\x1b[2J\x1b[HHand 1\n");
        assert_eq!(written(false, true), "\n\n\x1b[1mHand 1\x1b[0m\n");
    }

    #[test]
    fn columns_read_down() {
        let texts = ["1 a", "2 bb", "3 c", "4 d", "5 e"].map(str::to_owned);
        assert_eq!(columns(&texts, 13), ["1 a   4 d", "2 bb  5 e", "3 c"]);
        assert_eq!(columns(&texts, 3).len(), 5);
        assert!(columns(&[], 80).is_empty());
    }

    #[test]
    fn rules_are_plain_lines() {
        let html = "<p>One <b>bold</b> word.</p>\n<ul>\n<li>An item</li>\n</ul>";
        assert_eq!(plain(html), ["One bold word.", "- An item"]);
        let figures = "<p>One.</p>\n<figure data-example='{}'><figcaption>A picture.</figcaption></figure>\n<p>Two.</p>";
        assert_eq!(plain(figures), ["One.", "Two."]);
        let long = format!("<p>{}</p>", "word ".repeat(40));
        assert!(plain(&long).iter().all(|line| line.chars().count() <= WIDE));
    }
}
