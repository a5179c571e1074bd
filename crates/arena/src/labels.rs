//! Checks that nobody can mistake the label of one participant for that of another, by Unicode Technical Standard #39,
//! "Unicode security mechanisms". Contests call [`check`] with the labels that users gave.
//!
//! ```
//! use arena::labels::check;
//!
//! assert!(check(["ada", "grace", "ада", "エイダ"]).is_ok());
//! let alike = check(["ada1", "adal"]).unwrap_err();
//! assert!(alike.to_string().starts_with("\"ada1\" and \"adal\" look alike"));
//! ```

use thiserror::Error;
use unicode_security::MixedScript;
use unicode_security::confusable_detection::skeleton;

/// The reasons why labels are refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LabelError {
    /// A character that nobody sees.
    #[error("the label {:?} has the invisible character U+{:04X} in it: give the program another label, as \
             in LABEL=PROGRAM", .label, u32::from(*.character))]
    Invisible {
        label: String,
        /// The first such character.
        character: char,
    },
    /// Letters of several scripts in one label.
    #[error(
        "the label {0:?} mixes letters of several scripts, some of which look alike: give the program \
         another label, as in LABEL=PROGRAM"
    )]
    Mixed(String),
    /// Two different labels that look the same.
    #[error(
        "{first:?} and {second:?} look alike: give one program another label, as in LABEL=PROGRAM"
    )]
    Alike { first: String, second: String },
}

/// Checks that no label has invisible characters or mixes scripts, and that no two different labels look alike. Equal
/// labels are allowed: a participant may have several seats.
///
/// # Errors
/// The first label, or pair, that is refused.
pub fn check<'a>(labels: impl IntoIterator<Item = &'a str>) -> Result<(), LabelError> {
    let mut known: Vec<(String, &str)> = Vec::new();
    for label in labels {
        if let Some(character) = label.chars().find(|&c| is_invisible(c)) {
            let label = label.to_owned();
            return Err(LabelError::Invisible { label, character });
        }
        if !label.is_single_script() {
            return Err(LabelError::Mixed(label.to_owned()));
        }
        // By the standard, texts look alike if they have the same skeleton, in which each character is replaced by
        // a representative of those that look like it.
        // In a browser blanks in a row are one, and those at the ends are none.
        let shape: String = skeleton(label).collect();
        let shape = shape.split_whitespace().collect::<Vec<_>>().join(" ");
        let twin = known
            .iter()
            .find(|(other, name)| *other == shape && *name != label);
        if let Some((_, first)) = twin {
            return Err(LabelError::Alike {
                first: (*first).to_owned(),
                second: label.to_owned(),
            });
        }
        known.push((shape, label));
    }
    Ok(())
}

/// Whether a character cannot be seen: it has the property Default_Ignorable_Code_Point of Unicode 16, separates lines,
/// or is a control character.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_one_script_are_taken() {
        let usual = [
            "ada",
            "ada2",
            "Ädä",
            "search,nodes=20",
            "бот",
            "ボット漢字",
            "봇 1",
            "νους",
            "a_b-c.d",
        ];
        assert_eq!(check(usual), Ok(()));
        assert_eq!(
            check(["me", "me"]),
            Ok(()),
            "several seats of one participant"
        );
    }

    #[test]
    fn what_looks_like_another_is_refused() {
        let refused = |labels: &[&str]| check(labels.iter().copied()).unwrap_err().to_string();
        // A Cyrillic а in a Latin word, and a whole Cyrillic word that looks Latin.
        assert!(refused(&["ad\u{430}"]).contains("mixes letters of several scripts"));
        assert!(refused(&["ace", "\u{430}\u{441}\u{435}"]).contains("look alike"));
        assert!(refused(&["ada", "a\u{200b}da"]).contains("the invisible character U+200B"));
        assert!(refused(&["x\u{e0041}"]).contains("U+E0041"));
        assert!(refused(&["Ada0", "AdaO"]).contains("look alike"));
        for other in [" x y", "x  y", "x\u{a0}y "] {
            assert!(refused(&["x y", other]).contains("look alike"));
        }
        assert!(refused(&["a b", "a\u{a0}b"]).contains("look alike"));
    }
}
