//! The languages in which people play, and the catalogues of their texts, in the syntax of Project Fluent,
//! <https://projectfluent.org>. All texts are in the folder `texts` of this crate, a folder for each language.
//!
//! The server mostly sends a [`Text`], a message's name with its values. The page's script puts it into words,
//! with the catalogues that come with the page; a terminal does the same here, in English.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock};
use unic_langid::LanguageIdentifier;

/// A language of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// English, which has every text.
    English,
    German,
}

/// A text of a file, in each language; [`translated!`](crate::translated) reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Translated {
    pub english: &'static str,
    pub german: &'static str,
}

impl Translated {
    pub fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::German => self.german,
        }
    }
}

/// The file of this name in every language's folder of `crates/tables/texts`, from any crate of the workspace.
#[macro_export]
macro_rules! translated {
    ($file:literal) => {
        $crate::Translated {
            english: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../tables/texts/en/",
                $file
            )),
            german: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../tables/texts/de/",
                $file
            )),
        }
    };
}

/// The texts that all tables have, in Fluent's syntax.
const HOUSE: Translated = translated!("house.ftl");

impl Language {
    /// All languages. Readers of other languages get the first.
    pub const ALL: [Language; 2] = [Language::English, Language::German];

    /// The code of BCP 47.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
        }
    }

    /// The language for a reader who has chosen one, or whose browser prefers some: an `Accept-Language`
    /// header, RFC 9110, section 12.5.4.
    pub(super) fn of(chosen: Option<&str>, accepted: &str) -> Language {
        let named = |code: &str| {
            Language::ALL
                .into_iter()
                .find(|language| language.code() == code)
        };
        if let Some(language) = chosen.and_then(named) {
            return language;
        }
        // The known language with the highest weight; among equals the first. `de-AT;q=0.8, en;q=0.5` gives
        // German. A weight of 0 means "not this one", and never wins.
        let mut best = (0.0, Language::English);
        for range in accepted.split(',') {
            let (range, weight) = range.split_once(';').unwrap_or((range, "q=1"));
            let primary = range.trim().split('-').next().unwrap_or_default();
            let weight = weight.trim().strip_prefix("q=").unwrap_or_default();
            let weight: f64 = weight.parse().unwrap_or(0.0);
            if let Some(language) = named(&primary.to_ascii_lowercase())
                && weight > best.0
            {
                best = (weight, language);
            }
        }
        best.1
    }
}

/// A text that is not in a language yet: a message's name with its values, or a text that is the same in all
/// languages, such as a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(Said);

/// The two forms of a [`Text`]: a message with its values, or words for all languages.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Message(Cow<'static, str>, BTreeMap<&'static str, Argument>),
    Plain(String),
}

/// A value in a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Argument {
    /// A number, which may choose between forms of a word.
    Number(i64),
    Text(Text),
}

impl Text {
    /// A message of the catalogues.
    pub fn of(id: impl Into<Cow<'static, str>>) -> Text {
        Text(Said::Message(id.into(), BTreeMap::new()))
    }

    /// A text that is the same in all languages.
    pub fn plain(text: impl Into<String>) -> Text {
        Text(Said::Plain(text.into()))
    }

    /// The same message with a value in it.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Argument>) -> Text {
        if let Said::Message(_, arguments) = &mut self.0 {
            arguments.insert(name, value.into());
        }
        self
    }
}

/// A name that the start page gives to a seat, such as "Player 2" or "Freund 3", as a text in every language: who set
/// up the table may read another language than who sits there. None if somebody chose the name.
pub(super) fn neutral_name(name: &str) -> Option<Text> {
    static HOUSES: LazyLock<Vec<Catalogue>> = LazyLock::new(|| {
        let houses = Language::ALL.map(|language| Catalogue::new(language, &[]));
        houses.into_iter().filter_map(Result::ok).collect()
    });
    let number: usize = name.rsplit(' ').next()?.parse().ok()?;
    let names = ["start-player-n", "start-friend-n"].map(|id| Text::of(id).with("n", number));
    let is_said = |text: &Text| HOUSES.iter().any(|house| house.say(text) == name);
    names.into_iter().find(is_said)
}

impl From<Text> for Argument {
    fn from(text: Text) -> Argument {
        Argument::Text(text)
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Argument {
        Argument::Text(Text::plain(text))
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Argument {
        Argument::Text(Text::plain(text))
    }
}

impl From<usize> for Argument {
    fn from(number: usize) -> Argument {
        Argument::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Argument {
    fn from(number: u32) -> Argument {
        Argument::Number(number.into())
    }
}

/// `{"id": …, "args": {…}}`, or the text itself.
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Said::Message(id, args) => json!({ "id": id, "args": args }).serialize(serializer),
            Said::Plain(text) => serializer.serialize_str(text),
        }
    }
}

/// The texts of the house and its games in one language.
pub struct Catalogue {
    language: Language,
    sources: Vec<&'static str>,
    bundle: FluentBundle<FluentResource>,
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogue")
            .field("language", &self.language)
            .finish_non_exhaustive()
    }
}

/// An error in a catalogue.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("texts in {language}: {reason}")]
pub struct CatalogueError {
    pub language: &'static str,
    pub reason: String,
}

impl Catalogue {
    /// The catalogue of the house and of these texts of games.
    ///
    /// # Errors
    /// If a text is not valid Fluent, or two messages have the same name.
    pub fn new(language: Language, games: &[&'static str]) -> Result<Catalogue, CatalogueError> {
        let fault = |reason: String| CatalogueError {
            language: language.code(),
            reason,
        };
        let id: LanguageIdentifier = language
            .code()
            .parse()
            .map_err(|error| fault(format!("{error:?}")))?;
        let mut bundle = FluentBundle::new_concurrent(vec![id]);
        // Fluent would put marks of writing direction around values. Both languages here are written from left
        // to right.
        bundle.set_use_isolating(false);
        let mut sources = vec![HOUSE.in_language(language)];
        // Games may share texts, and a message may be defined only once.
        for &game in games {
            if !sources.contains(&game) {
                sources.push(game);
            }
        }
        for source in &sources {
            let resource = FluentResource::try_new((*source).to_owned())
                .map_err(|(_, errors)| fault(format!("{errors:?}")))?;
            bundle
                .add_resource(resource)
                .map_err(|errors| fault(format!("{errors:?}")))?;
        }
        Ok(Catalogue {
            language,
            sources,
            bundle,
        })
    }

    /// A text in this language; where there is no such message, its name.
    pub fn say(&self, text: &Text) -> String {
        match &text.0 {
            Said::Plain(text) => text.clone(),
            Said::Message(id, arguments) => {
                let mut args = FluentArgs::new();
                for (name, value) in arguments {
                    args.set(*name, self.value(value));
                }
                let message = self.bundle.get_message(id);
                let Some(pattern) = message.and_then(|message| message.value()) else {
                    return id.clone().into_owned();
                };
                // A value that is missing shows as its name; the text is shown all the same.
                let mut errors = Vec::new();
                let said = self
                    .bundle
                    .format_pattern(pattern, Some(&args), &mut errors);
                said.into_owned()
            }
        }
    }

    fn value(&self, value: &Argument) -> FluentValue<'static> {
        match value {
            Argument::Number(number) => FluentValue::from(*number),
            Argument::Text(text) => FluentValue::from(self.say(text)),
        }
    }
}

/// The catalogues of all languages.
#[derive(Clone, Debug)]
pub struct Catalogues(Arc<Vec<Catalogue>>);

impl Catalogues {
    /// The catalogues of a house. `games` gives the texts of its games in a language.
    ///
    /// # Errors
    /// See [`Catalogue::new`].
    pub fn of(games: impl Fn(Language) -> Vec<&'static str>) -> Result<Catalogues, CatalogueError> {
        let catalogue = |language| Catalogue::new(language, &games(language));
        let all: Result<_, _> = Language::ALL.into_iter().map(catalogue).collect();
        Ok(Catalogues(Arc::new(all?)))
    }

    /// The one in this language.
    pub fn get(&self, language: Language) -> &Catalogue {
        let own = self
            .0
            .iter()
            .find(|catalogue| catalogue.language == language);
        own.unwrap_or(&self.0[0])
    }

    /// The English one, which has every text.
    pub fn english(&self) -> &Catalogue {
        self.get(Language::English)
    }

    /// The data from which a page builds its texts: `{language, catalogues: [[code, [source…]]…]}`, with
    /// English behind it.
    pub(super) fn for_page(&self, language: Language) -> Value {
        // English follows for messages that the language does not have.
        let mut catalogues = vec![self.get(language)];
        if language != Language::English {
            catalogues.push(self.english());
        }
        let each = |catalogue: &&Catalogue| json!([catalogue.language.code(), catalogue.sources]);
        json!({
            "language": language.code(),
            "catalogues": catalogues.iter().map(each).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests;
