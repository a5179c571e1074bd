//! Measures bouts block by block, and keeps their results in a file, so that a long measurement goes on where it was
//! interrupted.

use super::bout::{Bout, BoutBlock};
use arena::runner::run_in_order;
use arena::stats::Mean;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use thiserror::Error;

/// Reasons why a file of results cannot be used.
#[derive(Debug, Error)]
pub enum LedgerError {
    #[error("{path}, line {line}: expected the result of a block: {reason}")]
    Line {
        path: String,
        line: usize,
        reason: serde_json::Error,
    },
    #[error("{path}: {reason}")]
    File { path: String, reason: io::Error },
}

/// A line of the file: the result of a block.
#[derive(Debug, Serialize, Deserialize)]
struct BlockEntry {
    /// The participants with all settings, the number of players and the seed.
    bout: String,
    block: u64,
    result: BoutBlock,
}

/// The beginning of every line.
const BEGIN: &str = "{\"bout\":";

/// The results of blocks, by bout and number.
#[derive(Debug, Default)]
pub struct BlockLedger {
    known: HashMap<(String, u64), BoutBlock>,
    /// The file, with its name for messages; none if nothing is kept.
    file: Option<(File, String)>,
}

impl BlockLedger {
    /// Reads the results of a file, to which further ones will be added. It is made if it is missing.
    ///
    /// # Errors
    /// If it cannot be read or written, or has other lines. A last line that was cut off is taken out.
    pub fn open(path: &Path) -> Result<BlockLedger, LedgerError> {
        let name = path.display().to_string();
        let failed = |reason| LedgerError::File {
            path: name.clone(),
            reason,
        };
        let mut options = OpenOptions::new();
        let options = options.create(true).append(true).read(true);
        let file = options.open(path).map_err(failed)?;
        let text = std::fs::read_to_string(path).map_err(failed)?;
        // A process that was killed may have written a part of a line.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        // Any other end is somebody else's, and stays.
        if !text[whole..]
            .bytes()
            .zip(BEGIN.bytes())
            .all(|(a, b)| a == b)
        {
            let text = "its last line is not whole, and no result of a block";
            return Err(failed(io::Error::new(io::ErrorKind::InvalidData, text)));
        }
        let mut known = HashMap::new();
        for (number, line) in text[..whole].lines().enumerate() {
            let entry: BlockEntry =
                serde_json::from_str(line).map_err(|reason| LedgerError::Line {
                    path: name.clone(),
                    line: number + 1,
                    reason,
                })?;
            known.insert((entry.bout, entry.block), entry.result);
        }
        // Only now: nothing is taken from a file with other lines.
        file.set_len(whole as u64).map_err(failed)?;
        Ok(BlockLedger {
            known,
            file: Some((file, name)),
        })
    }

    /// Adds the result of a block.
    fn add(&mut self, bout: &str, block: u64, result: BoutBlock) -> Result<(), LedgerError> {
        let Some((file, name)) = &mut self.file else {
            return Ok(());
        };
        let entry = BlockEntry {
            bout: bout.to_owned(),
            block,
            result,
        };
        let failed = |reason| LedgerError::File {
            path: name.clone(),
            reason,
        };
        let line = serde_json::to_string(&entry).map_err(|error| failed(error.into()))?;
        writeln!(file, "{line}").map_err(failed)
    }

    /// Plays the blocks of a bout that are not known yet, and returns the results of all. `bout_name` names everything
    /// that the results depend on. `told` is called after each block.
    ///
    /// # Errors
    /// If a result cannot be written.
    pub fn measure(
        &mut self,
        bout_name: &str,
        bout: &Bout,
        blocks: u64,
        jobs: usize,
        told: impl Fn() + Sync,
    ) -> Result<Measured, LedgerError> {
        let known: Vec<Option<BoutBlock>> = (0..blocks)
            .map(|block| self.known.get(&(bout_name.to_owned(), block)).copied())
            .collect();
        let mut measured = Measured::default();
        let mut failed = Ok(());
        let play = |&block: &u64| {
            let known = known[block as usize];
            let result = known.unwrap_or_else(|| bout.block(block));
            Ok::<_, std::convert::Infallible>((known.is_some(), result))
        };
        let Ok(()) = run_in_order(0..blocks, jobs, play, |block, (known, result)| {
            measured.push(&result);
            if !known {
                failed = self.add(bout_name, block, result);
            }
            told();
            match failed {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        failed.map(|()| measured)
    }
}

/// The results of a bout.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// By block, the share of games that the participant won.
    pub share: Mean,
    /// Actions and seconds: of the participant, and of the others.
    cost: [(u64, f64); 2],
}

impl Measured {
    fn push(&mut self, block: &BoutBlock) {
        self.share.push(block.share);
        for (sum, part) in self.cost.iter_mut().zip(block.cost) {
            sum.0 += part.0;
            sum.1 += part.1;
        }
    }

    /// The mean time of an action, in milliseconds: the participant's and the others'.
    pub fn millis(&self) -> [f64; 2] {
        self.cost
            .map(|(actions, seconds)| 1e3 * seconds / actions.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seats::cartagena::players::builtin::recipe_of;

    /// What was played is read again, also after a line that was cut off, and only the rest is played.
    #[test]
    fn a_measurement_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        let player = recipe_of("greedy").unwrap();
        let others = [recipe_of("random").unwrap()];
        let bout = Bout {
            player: &player,
            others: &others,
            players: 2,
            seed: 1,
        };
        let measure = |blocks| {
            let mut ledger = BlockLedger::open(&path).unwrap();
            let measured = ledger.measure("greedy", &bout, blocks, 2, || ()).unwrap();
            (ledger.known.len(), measured.share)
        };
        let (before, six) = measure(6);
        assert_eq!((before, six.count()), (0, 6));
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6);
        std::fs::write(&path, lines[..4].join("\n") + "\n" + &lines[4][..10]).unwrap();
        let (before, again) = measure(6);
        assert_eq!(before, 4);
        assert_eq!(again, six);
        std::fs::write(&path, "{}\n").unwrap();
        let error = BlockLedger::open(&path).unwrap_err().to_string();
        assert!(error.contains("line 1: expected the result"), "{error}");
    }
}
