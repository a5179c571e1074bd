//! Skips records that a file has more than once.

use std::collections::HashSet;
use std::path::Path;

/// Recognises games that come up again in a file, as when the same records were appended twice.
///
/// Ids are unique within a match only, so a game is identified by its id, seed and players.
#[derive(Default)]
pub struct Once {
    met: HashSet<(String, u64, Vec<String>)>,
    again: u64,
}

impl Once {
    /// Whether this game has not been seen before.
    pub fn is_new(&mut self, id: &str, seed: u64, players: &[String]) -> bool {
        let key = (id.to_owned(), seed, players.to_owned());
        let is_new = self.met.insert(key);
        self.again += u64::from(!is_new);
        is_new
    }

    /// Reports the number of repeated games, if there are any.
    pub fn report(&self, path: &Path) {
        repeated(path, self.again);
    }
}

/// Reports the number of repeated games of a file, if there are any.
pub fn repeated(path: &Path, again: u64) {
    if again > 0 {
        let path = path.display();
        super::complain(&format!(
            "{path}: {again} of the lines repeat a game, which counts once"
        ));
    }
}
