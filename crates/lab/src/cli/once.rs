//! Records that were appended twice.

use std::collections::HashSet;
use std::path::Path;

/// Counts games of a file once each, whatever was appended to it.
///
/// Ids are those of a match: games of another seed or of other players may have the same ones.
#[derive(Default)]
pub struct Once {
    met: HashSet<(String, u64, Vec<String>)>,
    again: u64,
}

impl Once {
    /// Whether this game was not met before.
    pub fn is_new(&mut self, id: &str, seed: u64, players: &[String]) -> bool {
        let key = (id.to_owned(), seed, players.to_owned());
        let is_new = self.met.insert(key);
        self.again += u64::from(!is_new);
        is_new
    }

    /// Says how many were met before, if any.
    pub fn report(&self, path: &Path) {
        if self.again > 0 {
            super::complain(&format!(
                "{}: {} of the lines repeat a game, which counts once",
                path.display(),
                self.again
            ));
        }
    }
}
