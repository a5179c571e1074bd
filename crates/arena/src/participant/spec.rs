//! Built-in players with settings: `NAME[,KEY=VALUE…]`. A contest parses the text to a [`Spec`], checks its settings
//! against those that the player has, and makes the player.

use std::any::TypeId;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// A built-in player as it is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub name: String,
    pub settings: Settings,
}

/// Settings in the order in which they were given: `KEY=VALUE`, or single words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(Vec<(String, Option<String>)>);

/// The reasons why a built-in player cannot be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BuiltinError {
    #[error("there is no built-in player {name:?}; there are {expected}")]
    Unknown { name: String, expected: String },
    /// A setting without a value.
    #[error("expected key=value, not {0:?}")]
    Malformed(String),
    /// A setting given twice.
    #[error("{0} is set twice")]
    Twice(String),
    /// The player has no such setting.
    #[error("{name} has no setting {key:?}; it has {known}")]
    UnknownKey {
        name: String,
        key: String,
        known: String,
    },
    /// A value that cannot be read.
    #[error("{key}={value}: {reason}")]
    Value {
        key: String,
        value: String,
        /// The error of the value's parser, in words.
        reason: String,
    },
    /// Something that the player needs, such as a file, is missing.
    #[error("{0}")]
    Unavailable(String),
}

impl FromStr for Spec {
    type Err = BuiltinError;

    fn from_str(text: &str) -> Result<Spec, BuiltinError> {
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default().to_owned();
        let mut settings = Settings::default();
        for part in parts {
            // A single word is kept as a setting without a value; `check` refuses it.
            let (key, value) = match part.split_once('=') {
                Some((key, value)) => (key, Some(value.to_owned())),
                None => (part, None),
            };
            if key.is_empty() {
                return Err(BuiltinError::Malformed(part.to_owned()));
            }
            settings.add(key, value)?;
        }
        Ok(Spec { name, settings })
    }
}

impl Spec {
    /// Checks that all settings have values and are among those that the player knows.
    ///
    /// # Errors
    /// If one is not.
    pub fn check(&self, known: &[&str]) -> Result<(), BuiltinError> {
        for (key, value) in &self.settings.0 {
            if value.is_none() {
                return Err(BuiltinError::Malformed(key.clone()));
            }
            if !known.contains(&key.as_str()) {
                return Err(self.unknown_key(key, known));
            }
        }
        Ok(())
    }

    /// The error for a name that is not among those `expected`.
    pub fn unknown(&self, expected: impl Into<String>) -> BuiltinError {
        BuiltinError::Unknown {
            name: self.name.clone(),
            expected: expected.into(),
        }
    }

    /// The error for a setting that is not among those `known`.
    pub fn unknown_key(&self, key: &str, known: &[&str]) -> BuiltinError {
        BuiltinError::UnknownKey {
            name: self.name.clone(),
            key: key.to_owned(),
            known: match known {
                [] => "none".to_owned(),
                known => known.join(", "),
            },
        }
    }
}

impl Settings {
    /// Adds a setting, or a single word.
    ///
    /// # Errors
    /// If the key has a value already.
    pub fn add(&mut self, key: &str, value: Option<String>) -> Result<(), BuiltinError> {
        // The second value would otherwise be ignored without a word.
        if value.is_some() && self.value(key).is_some() {
            return Err(BuiltinError::Twice(key.to_owned()));
        }
        self.0.push((key.to_owned(), value));
        Ok(())
    }

    /// The value of a key; none if it is not set, or is a single word.
    fn value(&self, key: &str) -> Option<&str> {
        let found = self.0.iter().find(|(other, _)| other == key);
        found?.1.as_deref()
    }

    /// All settings in their order; single words have no value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.0
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_deref()))
    }

    /// The value of a key, if it is set.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn get<T>(&self, key: &str) -> Result<Option<T>, BuiltinError>
    where
        T: FromStr<Err: fmt::Display> + 'static,
    {
        let value = self.value(key);
        // A missing key is no error; a value that cannot be read is one, with the parser's reason.
        let parsed = value.map(|value| {
            value.parse().map_err(|error: T::Err| BuiltinError::Value {
                key: key.to_owned(),
                value: value.to_owned(),
                reason: expected::<T>().map_or_else(|| error.to_string(), str::to_owned),
            })
        });
        parsed.transpose()
    }

    /// The number that a key has, or `usual` if it is not set.
    ///
    /// # Errors
    /// If it is no number of this range.
    pub fn number<T>(
        &self,
        key: &str,
        usual: T,
        range: RangeInclusive<T>,
    ) -> Result<T, BuiltinError>
    where
        T: FromStr + fmt::Display + PartialOrd + 'static,
    {
        let Some(value) = self.value(key) else {
            return Ok(usual);
        };
        // NaN parses as a number too, and lies in no range.
        let number = value.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let kind = if is_fraction::<T>() { "" } else { "whole " };
            let (low, high) = (range.start(), range.end());
            BuiltinError::Value {
                key: key.to_owned(),
                value: value.to_owned(),
                reason: format!("expected a {kind}number from {low} to {high}"),
            }
        })
    }

    /// The value of a key as a time in seconds, if it is set.
    ///
    /// # Errors
    /// If it is no number, or none that a time can have.
    pub fn seconds(&self, key: &str) -> Result<Option<Duration>, BuiltinError> {
        let Some(seconds) = self.get::<f64>(key)? else {
            return Ok(None);
        };
        // Negative numbers, infinity and NaN are refused here.
        let time = Duration::try_from_secs_f64(seconds);
        time.map(Some).map_err(|_| BuiltinError::Value {
            key: key.to_owned(),
            value: seconds.to_string(),
            reason: "expected a number of seconds, such as 0.5".to_owned(),
        })
    }

    /// Whether a key is set, or a single word is there.
    pub fn has(&self, key: &str) -> bool {
        self.iter().any(|(other, _)| other == key)
    }

    /// Sets a key that is not set.
    pub fn set(&mut self, key: &str, value: impl fmt::Display) {
        self.0.push((key.to_owned(), Some(value.to_string())));
    }
}

/// The numbers that a setting can be, in words; none if the type's own error says it. The standard library's errors of
/// numbers do not.
fn expected<T: 'static>() -> Option<&'static str> {
    let kind = TypeId::of::<T>();
    let one_of = |kinds: &[TypeId]| kinds.contains(&kind);
    if is_fraction::<T>() {
        Some("expected a number")
    } else if one_of(&[TypeId::of::<u8>()]) {
        Some("expected a whole number from 0 to 255")
    } else if one_of(&[TypeId::of::<u32>()]) {
        Some("expected a whole number from 0 to 4294967295")
    } else if one_of(&[TypeId::of::<u64>(), TypeId::of::<usize>()]) {
        Some("expected a whole number, 0 or more")
    } else {
        None
    }
}

/// Whether a number of this type may have a fraction.
fn is_fraction<T: 'static>() -> bool {
    [TypeId::of::<f32>(), TypeId::of::<f64>()].contains(&TypeId::of::<T>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_set_where_they_are_missing() {
        let mut spec: Spec = "hoarder,card=5,plain".parse().unwrap();
        assert_eq!(
            ["card", "plain", "enough"].map(|key| spec.settings.has(key)),
            [true, true, false]
        );
        spec.settings.set("enough", 9);
        assert_eq!(spec.settings.get("card"), Ok(Some(5.0f32)));
        assert_eq!(spec.settings.get("enough"), Ok(Some(9u8)));
    }

    #[test]
    fn errors_say_what_is_expected() {
        let error = |text: &str| {
            let checked = text.parse().and_then(|spec: Spec| {
                spec.check(&["card", "speed"])?;
                spec.settings.get::<f32>("card")
            });
            checked.unwrap_err().to_string()
        };
        assert_eq!(error("a,card=x"), "card=x: expected a number");
        let whole = "a,card=2.0".parse::<Spec>().unwrap();
        assert_eq!(
            whole.settings.get::<u8>("card").unwrap_err().to_string(),
            "card=2.0: expected a whole number from 0 to 255"
        );
        let share = |text: &str| {
            let spec: Spec = text.parse().unwrap();
            let number = spec.settings.number("card", 0.5, 0.0..=1.0);
            number.map_err(|error| error.to_string())
        };
        assert_eq!((share("a"), share("a,card=1")), (Ok(0.5), Ok(1.0)));
        for value in ["1.5", "NaN", "x"] {
            let expected = format!("card={value}: expected a number from 0 to 1");
            assert_eq!(share(&format!("a,card={value}")), Err(expected));
        }
        let count = "a,card=0".parse::<Spec>().unwrap();
        assert_eq!(
            count
                .settings
                .number("card", 5u8, 1..=9)
                .unwrap_err()
                .to_string(),
            "card=0: expected a whole number from 1 to 9"
        );
        assert_eq!(error("a,x=2"), "a has no setting \"x\"; it has card, speed");
        assert_eq!(error("a,card"), "expected key=value, not \"card\"");
        assert_eq!(error("a,=1"), "expected key=value, not \"=1\"");
        assert_eq!(error("a,card=1,card=2"), "card is set twice");
    }
}
