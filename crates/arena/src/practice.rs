//! [`Practice`], the mark of a practice game in its record. A *practice game* is a game at a table that continues
//! another game, was opened from a file, or in which a player undid an action after seeing something new.
//!
//! In such a game somebody may have known hidden cards, so its result counts nowhere.

use crate::plain_text::counted;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The reasons why a game is a practice game. Without any, the default value, it is an ordinary game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Practice {
    /// The number of actions that were taken over from another game, if the game went on from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// How many undos came after something new had been seen, such as a drawn card.
    #[serde(default, skip_serializing_if = "crate::records::is_zero")]
    pub taken_back: usize,
    /// Whether the game was opened from a file. Whoever played it before may know its cards.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opened: bool,
}

impl Practice {
    /// Whether it is an ordinary game, with no reason to count as practice.
    pub fn is_none(&self) -> bool {
        *self == Practice::default()
    }

    /// The end of a page's title: ` (for practice)`, or nothing.
    pub fn of_title(&self) -> &'static str {
        match self.is_none() {
            true => "",
            false => " (for practice)",
        }
    }

    /// The beginning of the id under which a table stores its record: `table` or `practice`.
    pub fn stem(&self) -> &'static str {
        match self.is_none() {
            true => "table",
            false => "practice",
        }
    }
}

impl fmt::Display for Practice {
    /// The reasons in words: `for practice: went on after 3 actions of another game`. Empty for an ordinary game.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let from = self
            .from
            .map(|from| format!("went on after {} of another game", counted(from, "action")));
        let back = match self.taken_back {
            0 => None,
            1 => Some("once taken back after something new was seen".to_owned()),
            count => Some(format!(
                "{count} times taken back after something new was seen"
            )),
        };
        let opened = self.opened.then(|| "opened from a file".to_owned());
        let all: Vec<String> = from.into_iter().chain(back).chain(opened).collect();
        match all.is_empty() {
            true => Ok(()),
            false => write!(f, "for practice: {}", all.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_in_words_and_in_json() {
        let plain = Practice::default();
        assert!(plain.is_none() && plain.to_string().is_empty());
        assert_eq!(serde_json::to_string(&plain).unwrap(), "{}");
        let practice = Practice {
            from: Some(3),
            taken_back: 2,
            opened: false,
        };
        assert_eq!(
            practice.to_string(),
            "for practice: went on after 3 actions of another game, 2 times taken back after something new was seen"
        );
        let text = serde_json::to_string(&practice).unwrap();
        assert_eq!(text, r#"{"from":3,"taken_back":2}"#);
        assert_eq!(serde_json::from_str::<Practice>(&text).unwrap(), practice);
        assert_eq!((plain.stem(), practice.stem()), ("table", "practice"));
    }
}
