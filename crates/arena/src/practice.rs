//! Games for practice: what a table allows beyond the rules, as records say it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The facts that make a game one for practice. It counts nowhere, as somebody may have known cards to come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Practice {
    /// After how many actions it went on from another game, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// How often something was taken back after its player had seen something new.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub taken_back: usize,
    /// Whether it was opened from a file: it was played before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opened: bool,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Practice {
    /// Whether it is a plain game.
    pub fn is_none(&self) -> bool {
        *self == Practice::default()
    }

    /// The addition to a page's title: ` (for practice)`, or nothing.
    pub fn of_title(&self) -> &'static str {
        match self.is_none() {
            true => "",
            false => " (for practice)",
        }
    }

    /// The beginning of the id of a table's record.
    pub fn stem(&self) -> &'static str {
        match self.is_none() {
            true => "table",
            false => "practice",
        }
    }
}

impl fmt::Display for Practice {
    /// In words: `for practice: went on from action 3 of another game`. Empty for a plain game.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let from = self
            .from
            .map(|from| format!("went on after {from} actions of another game"));
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
