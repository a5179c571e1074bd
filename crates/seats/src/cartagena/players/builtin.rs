//! The players that a match can name, as `NAME` or `NAME,key=value,…`: reads such a specification and makes players
//! of it.
//!
//! A new player needs an entry in [`ALL`].

use super::cheat::Cheat;
use super::greedy::Greedy;
use super::hoarder::{self, Weights};
use super::mcts::{self, Mcts};
use super::random::RandomPlayer;
use super::rearmost::Rearmost;
use super::strangers::{Distilled, Flat, Forest, LinearPlayer, Population};
use arena::participant::{BuiltinError, Settings, Spec};
use cartagena::evaluation::{Evaluators, NetworkFile};
use cartagena::opponents::Hoarder;
use cartagena::player::Player;
use cartagena::player::searcher::{Noise, Searcher};
use cartagena::rules::MAX_PLAYERS;
use cartagena::search::{self, TURNS};
use engine::budget::Limits;
use engine::racing::Rule;
use engine::rng;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Makes a fresh player for one seat of one game; its random numbers follow from the seed.
///
/// Whatever is costly to load is loaded once, when the recipe is made.
pub type Recipe = Arc<dyn Fn(u64) -> Box<dyn Player> + Send + Sync>;

/// A [`Recipe`] of a player that sees all hands.
pub type CheatRecipe = Arc<dyn Fn(u64) -> Cheat + Send + Sync>;

/// A recipe, by what its players need to see.
#[derive(Clone)]
pub enum Mind {
    /// A player that sees what its seat may see.
    Player(Recipe),
    /// A player that sees all hands, which a referee must show it.
    Cheat(CheatRecipe),
}

impl From<Recipe> for Mind {
    fn from(recipe: Recipe) -> Mind {
        Mind::Player(recipe)
    }
}

/// A kind of player that can be named.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    pub name: &'static str,
    /// One line of description.
    pub summary: &'static str,
    /// The settings that the player knows.
    pub keys: &'static [&'static str],
    make: fn(&Settings) -> Result<Mind, BuiltinError>,
}

/// The settings of a search.
const SEARCHING: &[&str] = &[
    "time",
    "nodes",
    "candidates",
    "memory",
    "models",
    "confidence",
    "worlds",
    "evaluator",
    "margin",
    "exploration",
    "levels",
    "enough",
    "width",
    "inner",
    "part",
    "network",
    "noise",
];

/// The weights that a hoarder may have.
const WEIGHTS: RangeInclusive<f32> = -1000.0..=1000.0;

/// All players that see only what their seat may see.
pub const ALL: &[Builtin] = &[
    Builtin {
        name: "runme",
        summary: "this package's player, on one thread; 0.05 s an action by default",
        keys: SEARCHING,
        make: |settings| {
            let searching = Searching::new(settings)?;
            // The recipe owns the loaded networks and shares them among the players it makes.
            player(move |seed| Box::new(searching.player(seed)))
        },
    },
    Builtin {
        name: "random",
        summary: "any legal action",
        keys: &[],
        make: |_| player(|seed| Box::new(RandomPlayer::new(rng::stream(seed, 0)))),
    },
    Builtin {
        name: "greedy",
        summary: "the longest jump",
        keys: &[],
        make: |_| player(|_| Box::new(Greedy)),
    },
    Builtin {
        name: "rearmost",
        summary: "the rearmost pirate first, as far as it goes",
        keys: &[],
        make: |_| player(|_| Box::new(Rearmost)),
    },
    Builtin {
        name: "hoarder",
        summary: "collects cards until they bring every pirate home, then sprints",
        keys: &["card", "freed", "option", "enough"],
        make: |settings| {
            let base = Hoarder::TUNED.weights();
            let weights = Weights {
                card: settings.number("card", base.card, WEIGHTS)?,
                freed: settings.number("freed", base.freed, WEIGHTS)?,
                option: settings.number("option", base.option, WEIGHTS)?,
                enough: settings.number("enough", base.enough, 0..=u8::MAX)?,
            };
            player(move |_| Box::new(hoarder::Hoarder::new(weights)))
        },
    },
    Builtin {
        name: "mcts",
        summary: "information-set Monte Carlo tree search, 2000 iterations an action by default",
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
                iterations: settings.number("iterations", base.iterations, 0..=u32::MAX)?,
                exploration: settings.number("exploration", base.exploration, 0.0..=1000.0)?,
                temperature: settings.number("temperature", base.temperature, 0.001..=1000.0)?,
                reduction: settings.number("reduction", base.reduction, 0.0..=1.0)?,
                playout: settings.number("playout", base.playout, 0..=u32::MAX)?,
                random: settings.number("random", base.random, 0.0..=1.0)?,
            };
            player(move |seed| Box::new(Mcts::new(options, rng::stream(seed, 0))))
        },
    },
    Builtin {
        name: "population",
        summary: "a stranger: hoarder, sprinter or blocker with weights that each game draws",
        keys: &[],
        make: |_| player(|seed| Box::new(Population::new(rng::stream(seed, 0)))),
    },
    Builtin {
        name: "flat",
        summary: "a stranger: plays games to their end by a rule of thumb, 600 an action by default",
        keys: &["games"],
        make: |settings| {
            let games = settings.number("games", 600, 1..=1_000_000)?;
            player(move |seed| Box::new(Flat::new(games, rng::stream(seed, 0))))
        },
    },
    Builtin {
        name: "forest",
        summary: "a stranger: a search tree for each of 20 worlds, 60 positions expanded in each",
        keys: &["worlds", "expansions"],
        make: |settings| {
            let worlds = settings.number("worlds", 20, 1..=100_000)?;
            let expansions = settings.number("expansions", 60, 0..=1_000_000)?;
            player(move |seed| Box::new(Forest::new(worlds, expansions, rng::stream(seed, 0))))
        },
    },
    Builtin {
        name: "linear",
        summary: "a stranger: a weighted sum of features of the position after the action",
        keys: &[],
        make: |_| player(|_| Box::new(LinearPlayer::default())),
    },
    Builtin {
        name: "distilled",
        summary: "a stranger: imitates the choices of mcts without a search",
        keys: &[],
        make: |_| player(|_| Box::new(Distilled::default())),
    },
];

/// The player that has to see all hands.
pub const CHEAT: Builtin = Builtin {
    name: "cheat",
    summary: "as runme, but sees all hands, to measure what that is worth; only in games of programs",
    keys: SEARCHING,
    make: |settings| {
        let searching = Searching::new(settings)?;
        Ok(Mind::Cheat(Arc::new(move |seed| {
            Cheat::new(searching.player(seed))
        })))
    },
};

/// Every player that a match can name.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    ALL.iter().chain([&CHEAT])
}

/// A recipe as the [`Mind`] of a player that sees what its seat may see.
fn player(
    recipe: impl Fn(u64) -> Box<dyn Player> + Send + Sync + 'static,
) -> Result<Mind, BuiltinError> {
    Ok(Mind::Player(Arc::new(recipe)))
}

/// The search of `runme` with some settings.
#[derive(Clone)]
pub struct Searching {
    pub evaluators: Arc<Evaluators>,
    pub limits: Limits,
    /// The settings of the search without its seed.
    pub settings: search::Settings,
    noise: f64,
    memory: bool,
    models: bool,
}

impl Searching {
    /// Reads the settings of `runme`, and loads its networks. Whatever is not set has the search's default.
    ///
    /// # Errors
    /// If a setting cannot be read, or a network that it names is missing.
    pub fn new(settings: &Settings) -> Result<Searching, BuiltinError> {
        let nodes = settings.get("nodes")?;
        let mut time = settings.seconds("time")?;
        // Without nodes and time a search would never end.
        if nodes.is_none() && time.is_none() {
            time = Some(Duration::from_millis(50));
        }
        let base = search::Settings::default();
        let candidates = settings.number("candidates", base.candidates, 1..=1000)?;
        let rule = Rule {
            confidence: settings.number("confidence", base.rule.confidence, 0.0..=1000.0)?,
            at_least: settings.number("worlds", base.rule.at_least, 1..=u32::MAX)?,
            ..base.rule
        };
        let margin = settings.number("margin", base.margin, 0.0..=1.0)?;
        let exploration = settings.number("exploration", base.exploration, 0.0..=1000.0)?;
        let levels = settings.number("levels", base.levels, 1..=TURNS.len() + 1)?;
        let enough = settings.number("enough", base.enough, 0.0..=1.0)?;
        let width = search::Width {
            root: settings.number("width", base.width.root, 1..=usize::MAX)?,
            inner: settings.number("inner", base.width.inner, 1..=usize::MAX)?,
            part: settings.number("part", base.width.part, 0.0..=1.0)?,
        };
        // Noise in the values makes a weaker player; 0 adds none.
        let noise = settings.number("noise", 0.0, 0.0..=10.0)?;
        // Switched off to measure what the cache of a turn and the models of opponents are worth.
        let memory = settings.get("memory")?.unwrap_or(true);
        let models = settings.get("models")?.unwrap_or(true);
        // Loaded here, once for all games of the recipe.
        let evaluators = match settings.get::<String>("evaluator")?.as_deref() {
            None | Some("network") => networks(settings)?,
            Some("handmade") => Evaluators::handmade(),
            Some(other) => {
                return Err(BuiltinError::Value {
                    key: "evaluator".to_owned(),
                    value: other.to_owned(),
                    reason: "expected network or handmade".to_owned(),
                });
            }
        };
        Ok(Searching {
            evaluators: Arc::new(evaluators),
            limits: Limits { time, nodes },
            settings: search::Settings {
                candidates,
                margin,
                exploration,
                levels,
                enough,
                width,
                rule,
                ..base
            },
            noise,
            memory,
            models,
        })
    }

    /// A player with this search.
    pub fn player(&self, seed: u64) -> Searcher {
        let settings = search::Settings {
            seed,
            ..self.settings
        };
        let noise = Noise::new(self.noise, rng::stream(seed, 1));
        // Noise has its own stream, so that a player with noise searches as one without.
        let evaluators = Arc::clone(&self.evaluators);
        let mut player = Searcher::new(evaluators, self.limits, settings).with_noise(noise);
        if !self.memory {
            player = player.without_cache();
        }
        if !self.models {
            player = player.without_models();
        }
        player
    }
}

/// The networks of the folder `network`, or the installed ones.
fn networks(settings: &Settings) -> Result<Evaluators, BuiltinError> {
    let report = |line: &str| engine::note!("builtin:runme: {line}");
    let Some(folder) = settings.get::<PathBuf>("network")? else {
        return Ok(Evaluators::installed(report));
    };
    // If one network is missing another one stands in; a folder without any is a mistake.
    let any = (2..=MAX_PLAYERS).any(|players| folder.join(NetworkFile::name(players)).is_file());
    if any {
        Ok(Evaluators::of_folder(folder, report))
    } else {
        Err(BuiltinError::Unavailable(format!(
            "network={}: expected a folder with files such as {}",
            folder.display(),
            NetworkFile::name(2)
        )))
    }
}

/// The names of all players, for messages.
fn names() -> String {
    let names: Vec<&str> = all().map(|b| b.name).collect();
    names.join(", ")
}

/// The kind of player that is named.
///
/// # Errors
/// If there is none.
pub fn kind(spec: &Spec) -> Result<&'static Builtin, BuiltinError> {
    let kind = all().find(|builtin| builtin.name == spec.name);
    kind.ok_or_else(|| spec.unknown(names()))
}

/// Loads a player.
///
/// # Errors
/// If there is no such player, a setting is unknown or unreadable, or something needed is missing.
pub fn mind(spec: &Spec) -> Result<Mind, BuiltinError> {
    let kind = kind(spec)?;
    spec.check(kind.keys)?;
    (kind.make)(&spec.settings)
}

/// Loads a player for a place where hands cannot be shown.
///
/// # Errors
/// As for [`mind`], or if the player has to see all hands.
pub fn recipe(spec: &Spec) -> Result<Recipe, BuiltinError> {
    match mind(spec)? {
        Mind::Player(recipe) => Ok(recipe),
        Mind::Cheat(_) => Err(BuiltinError::Unavailable(format!(
            "{} sees all hands, so it plays only in games of programs alone",
            spec.name
        ))),
    }
}

/// Loads a player from its specification as typed: `NAME[,KEY=VALUE…]`.
///
/// # Errors
/// As for [`recipe`], or if it cannot be read.
pub fn recipe_of(text: &str) -> Result<Recipe, BuiltinError> {
    recipe(&text.parse()?)
}

#[cfg(test)]
mod tests;
