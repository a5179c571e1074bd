//! Blueprints as files: `support/challenge.values` and `support/challenge-00.hand` onwards.

use super::super::{Stakes, Values};
use super::strategy::Strategy;
use super::sweep::nearest;
use engine::store::{Kind, StoreError, read_table, write_table};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The version is that of the abstraction and of both files.
pub const KIND: Kind = Kind::new("challenge", 2);

/// Why a blueprint cannot be read.
#[derive(Debug, Error)]
pub enum BookError {
    /// A file is missing, damaged or of another version.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A strategy has another length than this program's.
    #[error("cannot use {0}: its strategy has another length than expected")]
    Length(PathBuf),
}

/// The values of all scores, and the hand games that were solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Games {
    /// The command that computed them.
    pub command: String,
    /// The values of all scores.
    pub values: Values,
    /// The hand games that stand for all.
    pub centres: Vec<Stakes>,
}

impl Games {
    /// The file in a `support` folder.
    pub fn path(support: &Path) -> PathBuf {
        support.join("challenge.values")
    }

    /// Reads the file of a `support` folder.
    ///
    /// # Errors
    /// If it is missing or does not fit.
    pub fn read(support: &Path) -> Result<Games, StoreError> {
        read_table(&Games::path(support), KIND)
    }

    /// Writes the file of a `support` folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, support: &Path) -> Result<(), StoreError> {
        write_table(&Games::path(support), KIND, self)
    }

    /// Which hand game stands for one with these stakes.
    pub fn number(&self, stakes: &Stakes) -> usize {
        nearest(&self.centres, stakes).0
    }
}

/// A whole blueprint.
#[derive(Clone, Debug)]
pub struct Book {
    games: Games,
    strategies: Vec<Strategy>,
}

impl Book {
    /// The file of a hand game's strategy.
    pub fn path(support: &Path, number: usize) -> PathBuf {
        support.join(format!("challenge-{number:02}.hand"))
    }

    /// A blueprint of strategies in the order of the games' centres.
    pub fn new(games: Games, strategies: Vec<Strategy>) -> Book {
        debug_assert_eq!(games.centres.len(), strategies.len());
        Book { games, strategies }
    }

    /// Reads all files of a `support` folder.
    ///
    /// # Errors
    /// The first file that is missing or does not fit.
    pub fn read(support: &Path) -> Result<Book, BookError> {
        let games = Games::read(support)?;
        let strategies = (0..games.centres.len())
            .map(|number| Book::read_strategy(support, number))
            .collect::<Result<_, _>>()?;
        Ok(Book { games, strategies })
    }

    /// Reads one strategy.
    ///
    /// # Errors
    /// If the file is missing or does not fit.
    pub fn read_strategy(support: &Path, number: usize) -> Result<Strategy, BookError> {
        let path = Book::path(support, number);
        let strategy: Strategy = read_table(&path, KIND)?;
        if strategy.fits() {
            Ok(strategy)
        } else {
            Err(BookError::Length(path))
        }
    }

    /// Writes one strategy.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_strategy(
        support: &Path,
        number: usize,
        strategy: &Strategy,
    ) -> Result<(), StoreError> {
        write_table(&Book::path(support, number), KIND, strategy)
    }

    /// The values of all scores.
    pub fn values(&self) -> &Values {
        &self.games.values
    }

    /// The values and hand games.
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// The strategy for a hand with these stakes.
    pub fn strategy(&self, stakes: &Stakes) -> &Strategy {
        &self.strategies[self.games.number(stakes)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Public, deals};
    use super::*;
    use engine::rng::stream;

    fn support() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../support")
    }

    #[test]
    fn the_committed_tables_load_and_match() {
        let book = Book::read(&support()).unwrap();
        let mut random = stream(4, 0);
        for (own, theirs) in Values::order() {
            let stakes = book.values().stakes(own, theirs);
            assert!((0.0..=1.0).contains(&stakes.tied));
            let hand = deals::fresh(&mut random)[0];
            let shares = book.strategy(&stakes).distribution(&Public::new(0), hand);
            let sum: f32 = shares.iter().map(|&(_, share)| share).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{own} {theirs}: {shares:?}");
        }
        for (number, centre) in book.games().centres.iter().enumerate() {
            assert_eq!(book.games().number(centre), number);
        }
    }

    #[test]
    fn a_file_of_another_length_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = Book::path(folder.path(), 3);
        write_table(&path, KIND, &vec![1u8; 10]).unwrap();
        let error = Book::read_strategy(folder.path(), 3).unwrap_err();
        assert!(matches!(error, BookError::Length(p) if p == path));
    }
}
