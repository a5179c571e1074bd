//! Skips records that a file has more than once.

use std::collections::HashSet;
use std::path::Path;

/// Recognises games that come up again in a file, as when the same records were appended twice.
///
/// Ids are unique within a match only, so a game is identified by its id, seed and players.
#[derive(Default)]
pub struct Once {
    met: HashSet<(String, u64, Vec<String>)>,
    again: Repeated,
}

impl Once {
    /// Whether this game, which stands in that line, has not been seen before.
    pub fn is_new(&mut self, line: usize, id: &str, seed: u64, players: &[String]) -> bool {
        let key = (id.to_owned(), seed, players.to_owned());
        let is_new = self.met.insert(key);
        if !is_new {
            self.again.push(line);
        }
        is_new
    }

    /// Names the lines that repeat a game, if there are any.
    pub fn report(&self, path: &Path) {
        self.again.report(path);
    }
}

/// The most lines that a message names.
const NAMED: usize = 10;

/// The lines of a file that repeat a game, in their order.
#[derive(Default)]
pub struct Repeated(Vec<usize>);

impl Repeated {
    /// Adds a line, once even if all rounds in it are repeated.
    pub fn push(&mut self, line: usize) {
        if self.0.last() != Some(&line) {
            self.0.push(line);
        }
    }

    /// Names the lines, if there are any.
    pub fn report(&self, path: &Path) {
        if let Some(text) = self.in_words() {
            super::complain(&format!("{}: {text}", path.display()));
        }
    }

    fn in_words(&self) -> Option<String> {
        let (last, before) = self.0.split_last()?;
        let named: Vec<String> = before.iter().take(NAMED).map(usize::to_string).collect();
        let named = named.join(", ");
        Some(match before.len() {
            0 => format!("line {last} repeats a game, which counts once"),
            1..=NAMED => format!("lines {named} and {last} repeat games, which count once"),
            n => {
                let more = n + 1 - NAMED;
                format!("lines {named} and {more} more repeat games, which count once")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_lines_are_named() {
        let told = |lines: &[usize]| {
            let mut repeated = Repeated::default();
            lines.iter().for_each(|&line| repeated.push(line));
            repeated.in_words()
        };
        assert_eq!(told(&[]), None);
        let one = "line 5 repeats a game, which counts once";
        // All rounds of a game stand in one line.
        assert_eq!(told(&[5, 5, 5]).unwrap(), one);
        let three = "lines 5, 6 and 9 repeat games, which count once";
        assert_eq!(told(&[5, 6, 9]).unwrap(), three);
        let many: Vec<usize> = (5..=500).collect();
        let text =
            "lines 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 and 486 more repeat games, which count once";
        assert_eq!(told(&many).unwrap(), text);
    }
}
