//! Measures bouts block by block, and keeps their results in a file, so that a long measurement goes on where it was
//! interrupted.

use super::bout::{Bout, BoutBlock};
use arena::records::{Appender, Opening, Reader, Record, RecordError};
use arena::runner::{run_in_order, until_failed};
use arena::stats::Mean;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

/// A line of the file: the result of a block.
#[derive(Debug, Serialize, Deserialize)]
struct BlockEntry {
    /// Everything that the result depends on: the participants with all settings and networks, the number of players,
    /// the seed, and the program that played.
    bout: String,
    block: u64,
    result: BoutBlock,
}

impl Record for BlockEntry {
    const NOUN: &'static str = "block";

    fn parse(line: &[u8]) -> serde_json::Result<BlockEntry> {
        serde_json::from_slice(line)
    }
}

/// Nobody else may add results meanwhile: two calls would play the same blocks twice.
const OPENING: Opening = Opening::Exclusive {
    // A process that was killed may have written a part of a line.
    is_ours: |tail| tail.iter().zip(b"{\"bout\":").all(|(a, b)| a == b),
    durable: false,
};

/// The results of blocks, by bout and number.
#[derive(Debug, Default)]
pub struct BlockLedger {
    known: HashMap<(String, u64), BoutBlock>,
    /// None if nothing is kept.
    file: Option<Appender>,
    /// The fingerprint of the program that plays, a part of every bout's name.
    program: String,
}

impl BlockLedger {
    /// Reads the results of a file, to which further ones will be added. It is made if it is missing. `program` is the
    /// fingerprint of the program that plays: results of another one stay in the file and are not used.
    ///
    /// # Errors
    /// If another process uses it, it cannot be read or written, or it has other lines. A last line that was cut off is
    /// taken out with the first new result.
    pub fn open(path: &Path, program: &str) -> Result<BlockLedger, RecordError> {
        // Locked before it is read: another process could still add to it.
        let file = Appender::open(path, OPENING)?;
        let entries = Reader::<_, BlockEntry>::open(path)?.whole_lines();
        let known =
            entries.map(|entry| entry.map(|entry| ((entry.bout, entry.block), entry.result)));
        Ok(BlockLedger {
            known: known.collect::<Result<_, _>>()?,
            file: Some(file),
            program: program.to_owned(),
        })
    }

    /// Adds the result of a block.
    fn add(&mut self, bout: &str, block: u64, result: BoutBlock) -> Result<(), RecordError> {
        let entry = BlockEntry {
            bout: bout.to_owned(),
            block,
            result,
        };
        if let Some(file) = &mut self.file {
            file.append_record(&entry)?;
        }
        self.known.insert((entry.bout, block), result);
        Ok(())
    }

    /// Plays the blocks of a bout that are not known yet, and returns the results of all. `bout_name` names everything
    /// that the results depend on beside the program. `finished` is called after each block.
    ///
    /// # Errors
    /// If a result cannot be written.
    pub fn measure(
        &mut self,
        bout_name: &str,
        bout: &Bout,
        blocks: u64,
        jobs: usize,
        finished: impl Fn() + Sync,
    ) -> Result<Measured, RecordError> {
        let bout_name = format!("{bout_name}, lab {}", self.program);
        let known: Vec<Option<BoutBlock>> = (0..blocks)
            .map(|block| self.known.get(&(bout_name.clone(), block)).copied())
            .collect();
        let mut measured = Measured::default();
        let mut failed = Ok(());
        let play = |&block: &u64| {
            let known = known[block as usize];
            let result = known.unwrap_or_else(|| bout.block(block));
            Ok::<_, std::convert::Infallible>((known.is_some(), result))
        };
        let mut sink = until_failed(
            &mut failed,
            |(block, (is_known, result)): (u64, (bool, BoutBlock))| {
                measured.push(&result);
                if !is_known {
                    self.add(&bout_name, block, result)?;
                }
                finished();
                Ok(ControlFlow::Continue(()))
            },
        );
        let Ok(()) = run_in_order(0..blocks, jobs, play, |block, played| sink((block, played)));
        drop(sink);
        failed.map(|()| measured)
    }
}

/// The results of a bout.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// By block, the share of games that the participant won.
    pub shares: Vec<f64>,
    /// Actions and seconds: of the participant, and of the others.
    cost: [(u64, f64); 2],
}

impl Measured {
    fn push(&mut self, block: &BoutBlock) {
        self.shares.push(block.share);
        for (sum, part) in self.cost.iter_mut().zip(block.cost) {
            sum.0 += part.0;
            sum.1 += part.1;
        }
    }

    /// The mean share over the blocks.
    pub fn share(&self) -> Mean {
        self.shares.iter().copied().collect()
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
    use arena::process::testing::scratch;
    use seats::cartagena::players::builtin::recipe_of;

    /// Blocks of another version of the program are played again: its search may choose other actions.
    #[test]
    fn results_of_another_program_are_not_used_again() {
        let (_folder, path) = scratch("results");
        let player = recipe_of("greedy").unwrap();
        let bout = Bout {
            player: &player,
            others: &[recipe_of("random").unwrap()],
            players: 2,
            seed: 1,
        };
        let lines = |program| {
            let mut ledger = BlockLedger::open(&path, program).unwrap();
            ledger.measure("greedy", &bout, 2, 1, || ()).unwrap();
            std::fs::read_to_string(&path).unwrap().lines().count()
        };
        assert_eq!(["one", "one", "two", "one"].map(lines), [2, 2, 4, 4]);
    }

    /// What was played is read again, also after a line that was cut off, and only the rest is played.
    #[test]
    fn a_measurement_goes_on() {
        let (_folder, path) = scratch("results");
        let player = recipe_of("greedy").unwrap();
        let others = [recipe_of("random").unwrap()];
        let bout = Bout {
            player: &player,
            others: &others,
            players: 2,
            seed: 1,
        };
        let measure = |blocks| {
            let mut ledger = BlockLedger::open(&path, "one").unwrap();
            let before = ledger.known.len();
            let measured = ledger.measure("greedy", &bout, blocks, 2, || ()).unwrap();
            // The same again plays nothing and writes nothing.
            let again = ledger.measure("greedy", &bout, blocks, 2, || ()).unwrap();
            assert_eq!(again.share(), measured.share());
            (before, measured.share())
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
        // Another process would mix its lines with ours.
        let used = BlockLedger::open(&path, "one").unwrap();
        let error = BlockLedger::open(&path, "one").unwrap_err().to_string();
        assert!(error.contains("another process uses"), "{error}");
        drop(used);
        std::fs::write(&path, "{}\n").unwrap();
        let error = BlockLedger::open(&path, "one").unwrap_err().to_string();
        assert!(error.contains("line 1 is no block record"), "{error}");
    }
}
