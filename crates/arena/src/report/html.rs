//! Text, numbers and data that are safe inside HTML.

use crate::plain_text::counted;
use serde::Serialize;
use std::fmt::{self, Write};

/// Text as HTML shows it, in elements and in quoted attributes. Control characters, which programs
/// may print, become their pictures.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(c)?,
                // Unicode has a picture for each control character: that of 0 is U+2400, and so on.
                '\0'..='\x1f' => {
                    f.write_char(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'))?;
                }
                '\x7f' => f.write_char('\u{2421}')?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Data as JSON that may stand in a script element: no text in it can end the element.
///
/// # Errors
/// If the value cannot be written as JSON.
pub fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    // In JSON a `<` can only stand in a string, and there this escape means the same.
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

/// A whole number with its thousands apart: `12,345`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share as a number of per cent with one digit after the point, or a dash.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1}", 100.0 * share))
}

/// `1 game`, `2 games`.
pub fn plural(number: u64, noun: &str) -> String {
    counted(count(number), noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_text_holds_no_markup() {
        let text = "<b a=\"1\" c='2'>&\0\x1b\n";
        let shown = "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\u{2400}\u{241b}\n";
        assert_eq!(Escaped(text).to_string(), shown);
    }

    #[test]
    fn json_cannot_end_its_element() {
        let text = "</script><!-- \u{2028}";
        let written = json(&text).unwrap();
        assert!(!written.contains('<'), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }

    #[test]
    fn numbers() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(percent(Some(0.6125)), "61.3");
        assert_eq!(percent(None), "–");
        assert_eq!(plural(1, "game"), "1 game");
        assert_eq!(plural(2000, "game"), "2,000 games");
    }
}
