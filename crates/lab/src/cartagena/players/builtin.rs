//! The players that a match can name: `NAME` or `NAME,key=value,…`.
//!
//! To add one, add an entry to [`ALL`].

use super::greedy::Greedy;
use super::hoarder::{Hoarder, Weights};
use super::mcts::{self, Mcts};
use super::random::RandomPlayer;
use super::rearmost::Rearmost;
use cartagena::evaluation::{Judges, NetworkFile};
use cartagena::player::Player;
use cartagena::player::searcher::Searcher;
use cartagena::rules::MAX_PLAYERS;
use cartagena::search;
use engine::budget::Limits;
use engine::racing::Rule;
use engine::rng;
use engine::store::support_folder;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Makes a fresh player for one seat of one game, whose chance follows from the seed.
///
/// What is costly to load is loaded once, when the recipe is made.
pub type Recipe = Arc<dyn Fn(u64) -> Box<dyn Player> + Send + Sync>;

/// A kind of player that can be named.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// The settings it knows.
    pub keys: &'static [&'static str],
    /// Reads the settings.
    make: fn(&Settings) -> Result<Recipe, BuiltinError>,
}

/// Every player that can be named.
pub const ALL: &[Builtin] = &[
    Builtin {
        name: "runme",
        summary: "this package's player, on one thread; 0.05 s an action unless told",
        keys: &[
            "time",
            "nodes",
            "candidates",
            "memory",
            "confidence",
            "worlds",
            "judge",
            "margin",
            "exploration",
            "width",
            "inner",
            "part",
            "network",
        ],
        make: searcher,
    },
    Builtin {
        name: "random",
        summary: "any legal action",
        keys: &[],
        make: |_| {
            Ok(Arc::new(|seed| {
                Box::new(RandomPlayer::new(rng::stream(seed, 0)))
            }))
        },
    },
    Builtin {
        name: "greedy",
        summary: "the longest jump",
        keys: &[],
        make: |_| Ok(Arc::new(|_| Box::new(Greedy))),
    },
    Builtin {
        name: "rearmost",
        summary: "the rearmost pirate first, as far as it goes",
        keys: &[],
        make: |_| Ok(Arc::new(|_| Box::new(Rearmost))),
    },
    Builtin {
        name: "hoarder",
        summary: "collects cards until they bring every pirate home, then sprints",
        keys: &["card", "freed", "option", "enough"],
        make: |settings| {
            let base = Weights::default();
            let weights = Weights {
                card: settings.get("card")?.unwrap_or(base.card),
                freed: settings.get("freed")?.unwrap_or(base.freed),
                option: settings.get("option")?.unwrap_or(base.option),
                enough: settings.get("enough")?.unwrap_or(base.enough),
            };
            Ok(Arc::new(move |_| Box::new(Hoarder::new(weights))))
        },
    },
    Builtin {
        name: "mcts",
        summary: "information-set Monte Carlo tree search, 2000 iterations an action unless told",
        keys: &[
            "iterations",
            "exploration",
            "temperature",
            "reduction",
            "playout",
            "random",
        ],
        make: |settings| {
            let base = mcts::Options::default();
            let options = mcts::Options {
                iterations: settings.get("iterations")?.unwrap_or(base.iterations),
                exploration: settings.get("exploration")?.unwrap_or(base.exploration),
                temperature: settings.get("temperature")?.unwrap_or(base.temperature),
                reduction: settings.get("reduction")?.unwrap_or(base.reduction),
                playout: settings.get("playout")?.unwrap_or(base.playout),
                random: settings.get("random")?.unwrap_or(base.random),
            };
            Ok(Arc::new(move |seed| {
                Box::new(Mcts::new(options, rng::stream(seed, 0)))
            }))
        },
    },
];

fn searcher(settings: &Settings) -> Result<Recipe, BuiltinError> {
    let nodes = settings.get("nodes")?;
    let mut seconds = settings.get::<f64>("time")?;
    if nodes.is_none() && seconds.is_none() {
        seconds = Some(0.05);
    }
    let time = seconds
        .map(Duration::try_from_secs_f64)
        .transpose()
        .map_err(|error| BuiltinError::Value {
            key: "time".to_owned(),
            value: seconds.unwrap_or_default().to_string(),
            reason: error.to_string(),
        })?;
    let base = search::Settings::default();
    let candidates = settings.get("candidates")?.unwrap_or(base.candidates);
    let rule = Rule {
        confidence: settings.get("confidence")?.unwrap_or(base.rule.confidence),
        at_least: settings.get("worlds")?.unwrap_or(base.rule.at_least),
        ..base.rule
    };
    let margin = settings.get("margin")?.unwrap_or(base.margin);
    let exploration = settings.get("exploration")?.unwrap_or(base.exploration);
    let width = search::Width {
        root: settings.get("width")?.unwrap_or(base.width.root),
        inner: settings.get("inner")?.unwrap_or(base.width.inner),
        part: settings.get("part")?.unwrap_or(base.width.part),
    };
    let memory = settings.get("memory")?.unwrap_or(true);
    let judges = match settings.get::<String>("judge")?.as_deref() {
        None | Some("network") => Judges::of_folder(networks(settings)?),
        Some("handmade") => Judges::handmade(),
        Some(other) => {
            return Err(BuiltinError::Value {
                key: "judge".to_owned(),
                value: other.to_owned(),
                reason: "expected network or handmade".to_owned(),
            });
        }
    };
    let judges = Arc::new(judges);
    Ok(Arc::new(move |seed| {
        let settings = search::Settings {
            seed,
            candidates,
            margin,
            exploration,
            width,
            rule,
            ..base
        };
        let limits = Limits { time, nodes };
        let player = Searcher::new(Arc::clone(&judges), limits, settings);
        if memory {
            Box::new(player)
        } else {
            Box::new(player.forgetful())
        }
    }))
}

/// The folder with the networks: the package's, unless `network` names one.
fn networks(settings: &Settings) -> Result<PathBuf, BuiltinError> {
    let Some(folder) = settings.get::<PathBuf>("network")? else {
        return Ok(support_folder());
    };
    // The hand-made evaluation stands in for a missing network; nobody who names one wants that.
    let any = (2..=MAX_PLAYERS).any(|players| folder.join(NetworkFile::name(players)).is_file());
    if any {
        Ok(folder)
    } else {
        Err(BuiltinError::Unavailable(format!(
            "network={}: a folder with files such as {} was expected",
            folder.display(),
            NetworkFile::name(2)
        )))
    }
}

/// A player's name with its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The name of a [`Builtin`].
    pub name: String,
    /// Its settings.
    pub settings: Settings,
}

/// Settings by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(BTreeMap<String, String>);

/// Why a player cannot be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BuiltinError {
    /// No such player.
    #[error("there is no built-in player {name:?}; there are {}", names())]
    Unknown {
        /// The name given.
        name: String,
    },
    /// A setting without a value.
    #[error("expected key=value, not {0:?}")]
    Malformed(String),
    /// A setting given twice.
    #[error("{0} is set twice")]
    Twice(String),
    /// The player has no such setting.
    #[error("{name} has no setting {key:?}; it has {known}")]
    UnknownKey {
        /// The player.
        name: &'static str,
        /// The key given.
        key: String,
        /// Those there are.
        known: String,
    },
    /// A value that cannot be read.
    #[error("{key}={value}: {reason}")]
    Value {
        /// The key.
        key: String,
        /// The value given.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
    /// What the player needs cannot be had.
    #[error("{0}")]
    Unavailable(String),
}

fn names() -> String {
    let names: Vec<&str> = ALL.iter().map(|b| b.name).collect();
    names.join(", ")
}

impl Settings {
    /// The value of a key, if it is set.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn get<T>(&self, key: &str) -> Result<Option<T>, BuiltinError>
    where
        T: FromStr<Err: fmt::Display>,
    {
        self.0
            .get(key)
            .map(|value| {
                value.parse().map_err(|error: T::Err| BuiltinError::Value {
                    key: key.to_owned(),
                    value: value.clone(),
                    reason: error.to_string(),
                })
            })
            .transpose()
    }

    /// Sets a key unless it is set.
    pub fn set_default(&mut self, key: &str, value: impl fmt::Display) {
        self.0
            .entry(key.to_owned())
            .or_insert_with(|| value.to_string());
    }
}

impl FromStr for Spec {
    type Err = BuiltinError;

    /// Reads `NAME[,key=value…]`.
    fn from_str(text: &str) -> Result<Spec, BuiltinError> {
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default().to_owned();
        let mut settings = BTreeMap::new();
        for part in parts {
            let (key, value) = part
                .split_once('=')
                .filter(|(key, _)| !key.is_empty())
                .ok_or_else(|| BuiltinError::Malformed(part.to_owned()))?;
            if settings.insert(key.to_owned(), value.to_owned()).is_some() {
                return Err(BuiltinError::Twice(key.to_owned()));
            }
        }
        let spec = Spec {
            name,
            settings: Settings(settings),
        };
        spec.kind()?;
        Ok(spec)
    }
}

impl Spec {
    /// The kind of player that is named.
    ///
    /// # Errors
    /// If there is none.
    pub fn kind(&self) -> Result<&'static Builtin, BuiltinError> {
        ALL.iter()
            .find(|b| b.name == self.name)
            .ok_or_else(|| BuiltinError::Unknown {
                name: self.name.clone(),
            })
    }

    /// Loads what the player needs.
    ///
    /// # Errors
    /// If a setting is unknown or unreadable, or something needed is missing.
    pub fn recipe(&self) -> Result<Recipe, BuiltinError> {
        let kind = self.kind()?;
        if let Some(key) = self
            .settings
            .0
            .keys()
            .find(|k| !kind.keys.contains(&k.as_str()))
        {
            return Err(BuiltinError::UnknownKey {
                name: kind.name,
                key: key.clone(),
                known: match kind.keys {
                    [] => "none".to_owned(),
                    keys => keys.join(", "),
                },
            });
        }
        (kind.make)(&self.settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let made = text.parse::<Spec>().and_then(|spec| spec.recipe());
        made.err().expect("an error").to_string()
    }

    #[test]
    fn every_entry_can_be_made() {
        for kind in ALL {
            let spec: Spec = kind.name.parse().unwrap();
            assert!(spec.recipe().is_ok(), "{}", kind.name);
        }
    }

    #[test]
    fn errors_say_what_is_expected() {
        assert_eq!(error("hoarder,card=x"), "card=x: invalid float literal");
        assert!(
            error("nobody").starts_with("there is no built-in player \"nobody\"; there are runme")
        );
        assert_eq!(
            error("greedy,speed=2"),
            "greedy has no setting \"speed\"; it has none"
        );
        assert_eq!(error("hoarder,card"), "expected key=value, not \"card\"");
        assert!(error("runme,network=nowhere").starts_with("network=nowhere: a folder"));
        assert_eq!(error("hoarder,card=1,card=2"), "card is set twice");
    }

    #[test]
    fn a_default_does_not_override() {
        let mut spec: Spec = "hoarder,card=5".parse().unwrap();
        spec.settings.set_default("card", 9);
        spec.settings.set_default("enough", 9);
        assert_eq!(spec.settings.get("card"), Ok(Some(5.0f32)));
        assert_eq!(spec.settings.get("enough"), Ok(Some(9u8)));
    }
}
