//! The blueprint's tables. A program contains them; the files of a `support` folder replace those inside it. The files
//! are `challenge.values`, `challenge-00.hand` and so on, and `challenge-00.opening` for hand games whose first two
//! tricks are solved without abstraction.

use super::super::{Stakes, Values};
use super::opening::{Opened, Opening};
use super::stored::Stored;
use super::strategy::Strategy;
use engine::store::{Kind, StoreError, decode_table, read_table};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// The kind of the file with values and hand games.
pub const KIND: Kind = Kind::new("challenge", 2);

macro_rules! support_file {
    ($name:literal) => {
        include_bytes!(concat!("../../../../../support/", $name))
    };
}

/// The tables of `support/` as they were when the program was built.
const EMBEDDED_VALUES: &[u8] = support_file!("challenge.values");
const EMBEDDED_STRATEGIES: [&[u8]; 8] = [
    support_file!("challenge-00.hand"),
    support_file!("challenge-01.hand"),
    support_file!("challenge-02.hand"),
    support_file!("challenge-03.hand"),
    support_file!("challenge-04.hand"),
    support_file!("challenge-05.hand"),
    support_file!("challenge-06.hand"),
    support_file!("challenge-07.hand"),
];

/// The openings of `support/`, by the numbers of their hand games.
const EMBEDDED_OPENINGS: [&[u8]; 8] = [
    support_file!("challenge-00.opening"),
    support_file!("challenge-01.opening"),
    support_file!("challenge-02.opening"),
    support_file!("challenge-03.opening"),
    support_file!("challenge-04.opening"),
    support_file!("challenge-05.opening"),
    support_file!("challenge-06.opening"),
    support_file!("challenge-07.opening"),
];

/// Why a blueprint cannot be read.
#[derive(Debug, Error)]
pub enum BlueprintError {
    /// A file is missing, damaged or of another version.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A strategy does not have this program's length.
    #[error("cannot use {0}: its strategy has the wrong length")]
    Length(PathBuf),
}

/// The values of all scores, and the hand games for which there is a strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandGames {
    /// The command that computed them.
    pub command: String,
    /// The values of all scores.
    pub values: Values,
    /// The solved hand games. Each score is played by the nearest one.
    pub centres: Vec<Stakes>,
}

impl HandGames {
    /// The path of the file in a `support` folder.
    pub fn path(support: &Path) -> PathBuf {
        support.join("challenge.values")
    }

    /// Reads the file of a `support` folder.
    ///
    /// # Errors
    /// If it is missing or does not fit.
    pub fn read(support: &Path) -> Result<HandGames, StoreError> {
        read_table(&HandGames::path(support), KIND)
    }

    /// The number of the hand game nearest to one with these stakes.
    pub fn number(&self, stakes: &Stakes) -> usize {
        stakes.nearest(&self.centres).0
    }
}

/// A whole blueprint: values, and a strategy for each of the hand games.
#[derive(Clone, Debug)]
pub struct Blueprint {
    games: HandGames,
    /// All have this program's length.
    strategies: Vec<Stored<Strategy>>,
    openings: Vec<Option<Stored<Opening>>>,
}

impl Blueprint {
    /// The path of a hand game's strategy.
    pub fn path(support: &Path, number: usize) -> PathBuf {
        support.join(format!("challenge-{number:02}.hand"))
    }

    /// The path of a hand game's opening.
    pub fn opening_path(support: &Path, number: usize) -> PathBuf {
        support.join(format!("challenge-{number:02}.opening"))
    }

    /// The tables inside the program.
    pub fn embedded() -> Blueprint {
        Blueprint {
            games: decode_table(EMBEDDED_VALUES, KIND).expect("a test reads the embedded values"),
            strategies: EMBEDDED_STRATEGIES.map(Stored::embedded).into(),
            openings: EMBEDDED_OPENINGS
                .map(|bytes| Some(Stored::embedded(bytes)))
                .into(),
        }
    }

    /// Reads all files of a `support` folder.
    ///
    /// # Errors
    /// The first file that is missing or does not fit.
    pub fn read(support: &Path) -> Result<Blueprint, BlueprintError> {
        let games = HandGames::read(support)?;
        // Inflated here, so that a strategy of the wrong length is an error at once and not during a game.
        let strategy = |number| {
            let path = Blueprint::path(support, number);
            let stored: Stored<Strategy> = Stored::read(&path)?;
            match stored.get() {
                Some(_) => Ok(stored),
                None => Err(BlueprintError::Length(path)),
            }
        };
        let strategies = (0..games.centres.len())
            .map(strategy)
            .collect::<Result<_, BlueprintError>>()?;
        // A hand game without this file is played by its strategy from the first trick.
        let opening = |number| {
            let path = Blueprint::opening_path(support, number);
            path.exists().then(|| Stored::read(&path)).transpose()
        };
        Ok(Blueprint {
            openings: (0..games.centres.len())
                .map(opening)
                .collect::<Result<_, _>>()?,
            games,
            strategies,
        })
    }

    /// Reads one strategy.
    ///
    /// # Errors
    /// If the file is missing or does not fit.
    pub fn read_strategy(support: &Path, number: usize) -> Result<Strategy, BlueprintError> {
        let path = Blueprint::path(support, number);
        let stored = Stored::read(&path)?;
        stored.get().cloned().ok_or(BlueprintError::Length(path))
    }

    /// The values of all scores.
    pub fn values(&self) -> &Values {
        &self.games.values
    }

    /// The strategy for a hand with these stakes.
    pub fn strategy(&self, stakes: &Stakes) -> &Strategy {
        self.numbered(self.games.number(stakes))
    }

    /// Inflates every table. Without this each is inflated by the first decision that needs it.
    pub fn inflate(&self) {
        for number in 0..self.strategies.len() {
            self.numbered(number);
        }
        for stored in self.openings.iter().flatten() {
            stored.get();
        }
    }

    /// The strategy of the hand game with this number.
    fn numbered(&self, number: usize) -> &Strategy {
        // There is a strategy for each centre, and the number is that of one.
        let stored = self.strategies[number].get();
        stored.expect("strategies of another length are refused")
    }

    /// The strategy for hands with these stakes before the endgames. The first two tricks are without abstraction
    /// if they are solved.
    pub fn opened(&self, stakes: &Stakes) -> Opened<'_> {
        let number = self.games.number(stakes);
        // A folder may have openings for some hand games only.
        let stored = self.openings.get(number).and_then(Option::as_ref);
        Opened {
            opening: stored.and_then(Stored::get),
            strategy: self.numbered(number),
        }
    }
}

/// A blueprint that is loaded when the first player asks for it. Clones share it.
#[derive(Clone)]
pub struct Tables {
    load: Arc<dyn Fn() -> Arc<Blueprint> + Send + Sync>,
    blueprint: Arc<OnceLock<Arc<Blueprint>>>,
}

impl Tables {
    /// The tables of a `support` folder, or those inside the program if it has none. `warn` gets one line if the
    /// folder's tables cannot be used.
    pub fn new(support: PathBuf, warn: fn(&str)) -> Tables {
        Tables::loaded_by(move || Arc::new(own_or_embedded(&support, warn)))
    }

    /// The tables of a `support` folder, read now. The linker leaves out the embedded tables if a library gets all its
    /// tables from here and from [`Tables::none`]: then nothing refers to them.
    ///
    /// # Errors
    /// The first file that is missing or does not fit.
    pub fn read(support: &Path) -> Result<Tables, BlueprintError> {
        let blueprint = Arc::new(Blueprint::read(support)?);
        Ok(Tables::loaded_by(move || Arc::clone(&blueprint)))
    }

    /// No tables, for players that play without any. It panics if a player asks for the blueprint.
    pub fn none() -> Tables {
        Tables::loaded_by(|| panic!("a player that plays from tables was made without any"))
    }

    fn loaded_by(load: impl Fn() -> Arc<Blueprint> + Send + Sync + 'static) -> Tables {
        Tables {
            load: Arc::new(load),
            blueprint: Arc::default(),
        }
    }

    /// Whether a folder has tables, complete or not.
    pub fn are_in(folder: &Path) -> bool {
        HandGames::path(folder).exists() || Blueprint::path(folder, 0).exists()
    }

    /// Inflates the tables if a player has asked for them.
    pub fn inflate(&self) {
        if let Some(blueprint) = self.blueprint.get() {
            blueprint.inflate();
        }
    }

    /// The blueprint, loaded at the first call.
    pub fn blueprint(&self) -> Arc<Blueprint> {
        // Players on several threads may ask at once: one loads, the others wait.
        Arc::clone(self.blueprint.get_or_init(|| (self.load)()))
    }
}

/// A folder's tables, or those inside the program. Values and strategies belong together, so either all files of the
/// folder are used or none.
fn own_or_embedded(support: &Path, warn: fn(&str)) -> Blueprint {
    // A folder with only some of the tables gets a warning; it does not count as a folder without tables.
    let own = Tables::are_in(support).then(|| Blueprint::read(support));
    match own {
        Some(Ok(blueprint)) => blueprint,
        Some(Err(error)) => {
            warn(&format!("{error}; the tables inside the program play"));
            Blueprint::embedded()
        }
        None => Blueprint::embedded(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::stored::Bytes;
    use super::*;
    use crate::deals;
    use crate::rules::PublicState;
    use engine::rng::stream;
    use engine::store::write_table;

    #[test]
    fn the_embedded_tables_load_and_match() {
        // A program does not check its own tables.
        let checked = |bytes, kind| decode_table::<Vec<u8>>(bytes, kind).map(drop);
        for bytes in EMBEDDED_STRATEGIES {
            assert_eq!(checked(bytes, Strategy::KIND), Ok(()));
        }
        for bytes in EMBEDDED_OPENINGS {
            assert_eq!(checked(bytes, Opening::KIND), Ok(()));
        }
        let blueprint = Blueprint::embedded();
        let mut rng = stream(4, 0);
        for (own, theirs) in Values::order() {
            let stakes = blueprint.values().stakes(own, theirs);
            assert!((0.0..=1.0).contains(&stakes.tied));
            let hand = deals::fresh(&mut rng)[0];
            let strategy = blueprint.strategy(&stakes);
            let chosen = strategy.distribution(&PublicState::new(0), hand);
            let sum: f32 = chosen.iter().map(|&(_, probability)| probability).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{own} {theirs}: {chosen:?}");
        }
        assert_eq!(blueprint.strategies.len(), blueprint.games.centres.len());
        let all = blueprint.strategies.iter();
        assert!(all.map(Stored::get).all(|strategy| strategy.is_some()));
        for opening in blueprint.openings.iter().flatten() {
            let opening = opening.get().unwrap();
            let hand = deals::fresh(&mut rng)[0];
            assert!(opening.distribution(&PublicState::new(0), hand).is_some());
        }
        for (number, centre) in blueprint.games.centres.iter().enumerate() {
            assert_eq!(blueprint.games.number(centre), number);
        }
    }

    #[test]
    fn a_strategy_of_another_length_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = Blueprint::path(folder.path(), 3);
        // Deflated: a block that is stored as it is, of no bytes.
        write_table(&path, Strategy::KIND, &vec![1u8, 0, 0, 255, 255]).unwrap();
        let error = Blueprint::read_strategy(folder.path(), 3).unwrap_err();
        assert!(matches!(error, BlueprintError::Length(p) if p == path));
    }

    /// A folder's tables replace the embedded ones; with none or damaged ones the embedded ones are used.
    #[test]
    fn files_override_the_embedded_tables() {
        fn silent(text: &str) {
            panic!("{text}");
        }
        let folder = tempfile::tempdir().unwrap();
        let tables = Tables::new(folder.path().to_owned(), silent);
        assert_eq!(tables.blueprint().games, Blueprint::embedded().games);
        let own = HandGames {
            command: "another one".to_owned(),
            values: Values::default(),
            centres: Vec::new(),
        };
        write_table(&HandGames::path(folder.path()), KIND, &own).unwrap();
        let tables = Tables::new(folder.path().to_owned(), silent);
        assert_eq!(tables.blueprint().games, own);
        std::fs::write(HandGames::path(folder.path()), "damaged").unwrap();
        let tables = Tables::new(folder.path().to_owned(), |_| ());
        assert_eq!(tables.blueprint().games, Blueprint::embedded().games);
    }
}
