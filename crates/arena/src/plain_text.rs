//! Makes untrusted text, such as a program's output or a label, safe to show: a terminal must not obey control
//! characters in it, and a spreadsheet must not evaluate it as a formula.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// A whole number with its noun: `1 game`, `2 games`.
pub fn counted(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    let end = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{end}")
}

/// A range in words: `3 to 6`, or `4` if both ends are that.
pub fn span(ends: &RangeInclusive<impl Display + PartialEq>) -> String {
    match (ends.start(), ends.end()) {
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}

/// The text with `\u{fffd}` for each control character (the escape character among them), each mark that
/// changes the direction of text, and each invisible separator of lines. Ends of lines and tabs become
/// blanks, so one line stays one line.
pub fn printable(text: &str) -> Cow<'_, str> {
    cleaned(text, |c| match c {
        '\n' | '\r' | '\t' => Some(' '),
        _ => None,
    })
}

/// As [`printable`], but line feeds and tabs stay.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    cleaned(text, |c| match c {
        '\n' | '\t' => Some(c),
        '\r' => Some(' '),
        _ => None,
    })
}

/// The text as it was written, with an escape (`\t`, `\u{1b}`) for each character that [`printable`] would replace.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_wild(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// Whether a terminal might obey this character: control characters, direction marks and overrides (Unicode Standard
/// Annex #9), and invisible separators of lines.
fn is_wild(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Replaces each character that a terminal might obey: the result of `known` takes its place, or `\u{fffd}` if there
/// is none.
fn cleaned(text: &str, known: impl Fn(char) -> Option<char>) -> Cow<'_, str> {
    if !text.contains(|c| is_wild(c) && known(c) != Some(c)) {
        return Cow::Borrowed(text);
    }
    let clean = |c| match is_wild(c) {
        true => known(c).unwrap_or(char::REPLACEMENT_CHARACTER),
        false => c,
    };
    Cow::Owned(text.chars().map(clean).collect())
}

/// Makes a text [`printable`].
pub fn clean(text: &mut String) {
    if let Cow::Owned(clean) = printable(text) {
        *text = clean;
    }
}

/// Makes a text of several lines [printable](printable_lines).
pub fn clean_lines(text: &mut String) {
    if let Cow::Owned(clean) = printable_lines(text) {
        *text = clean;
    }
}

/// The text as a cell of a CSV file. If a spreadsheet would take it for a formula, it gets an apostrophe in
/// front (OWASP, "CSV injection"). Characters are replaced as by [`printable`]. Do not pass numbers: a
/// negative one begins like a formula.
pub fn cell(text: &str) -> Cow<'_, str> {
    // Decided on the text as given: cleaning turns a tab at the beginning into a blank.
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = printable(text);
    match is_formula {
        true => Cow::Owned(format!("\'{text}")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_told_nothing() {
        assert_eq!(printable("a bot, ü 漢"), "a bot, ü 漢");
        assert!(matches!(printable("a bot"), Cow::Borrowed(_)));
        assert_eq!(
            printable("\x1b[2Jx\x07\u{9b}1m"),
            "\u{fffd}[2Jx\u{fffd}\u{fffd}1m"
        );
        assert_eq!(printable("one\r\ntwo\tx"), "one  two x");
        assert_eq!(printable("a\u{202e}b"), "a\u{fffd}b");
        assert_eq!(printable_lines("one\r\n\ttwo\x1b"), "one \n\ttwo\u{fffd}");
        assert_eq!(
            escaped("ü\x1b[2J\t\r\u{202e}\u{9b}"),
            r"ü\u{1b}[2J\t\r\u{202e}\u{9b}"
        );
    }

    #[test]
    fn a_cell_is_no_formula() {
        for text in ["=1+1", "+1", "-2+3", "@SUM(A1)"] {
            assert_eq!(cell(text), format!("\'{text}"));
        }
        assert_eq!(cell("\t=1"), "\' =1");
        assert_eq!(cell("\r=1"), "\' =1");
        assert_eq!(cell("a=1"), "a=1");
        assert_eq!(cell(""), "");
    }
}
