//! `lab eights inference` and `lab hearts inference`: print how well the search infers hidden cards in recorded
//! rounds. `crate::tricks::inference` computes the losses.

use crate::tricks::Contest;
use crate::tricks::inference::{Inference, PHASES, RoundLosses};
use crate::tricks::record::Record;
use anyhow::ensure;
use arena::records::{Reader, RecordError};
use arena::stats::Mean;
use clap::Args as ClapArgs;
use seats::cli::Once;
use seats::tricks::network_of;
use std::io::Write as _;
use std::path::PathBuf;

/// Measures on recorded rounds how well the search infers hidden cards from the play.
///
/// Every seat is a viewer in turn and learns about the others from round to round, as in a match. Before
/// each of its cards, worlds are drawn. The *log-loss* of a hidden card is minus the logarithm of the share
/// of the worlds in which its true holder has it. The table also has the log-loss of worlds drawn without
/// regard to the play. The difference is the value of inference: negative if it helps.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Records of `match --record`
    file: PathBuf,
    /// Worlds drawn before each card
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    worlds: u32,
    /// Rounds in a row that the viewers learn from before they start anew
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sitting: u64,
    /// The network of thinking players [default: the program's]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Seed of the worlds
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

/// Log-losses by phase, last those of whole rounds: with inference, and how much they exceed those without. Each
/// round counts once, so margins are over rounds.
struct Losses {
    inferred: Vec<Mean>,
    gained: Vec<Mean>,
}

impl Args {
    pub(crate) fn run<C: Contest>(self, contest: &C) -> anyhow::Result<()> {
        let records: Result<Vec<Record>, RecordError> = Reader::open(&self.file)?.collect();
        let (mut records, mut once) = (records?, Once::default());
        // A record that was appended twice counts once.
        records.retain(|record| once.is_new(&record.id, record.seed, &record.players));
        once.report(&self.file);
        ensure!(!records.is_empty(), "no round in {}", self.file.display());
        let network = match &self.network {
            Some(path) => Some(network_of::<C>(path)?),
            None => None,
        };
        let inference = Inference {
            worlds: self.worlds,
            sitting: self.sitting,
            network,
            seed: self.seed,
        };
        // A mean for each phase, and a last one for whole rounds.
        let mut losses = Losses {
            inferred: vec![Mean::default(); PHASES.len() + 1],
            gained: vec![Mean::default(); PHASES.len() + 1],
        };
        for viewed in inference.of(contest, records)? {
            losses.push(&viewed.by_phase);
        }
        losses.print()
    }
}

impl Losses {
    /// Adds a viewer's losses in a round, to each phase and to whole rounds.
    fn push(&mut self, round: &RoundLosses) {
        let all = round.iter().fold([0.0; 3], |all, phase| {
            std::array::from_fn(|i| all[i] + phase[i])
        });
        for (place, &[inferred, plain, cards]) in round.iter().chain([&all]).enumerate() {
            // A round gives one sample, the mean over its cards, since cards of one round are not independent.
            if cards > 0.0 {
                self.inferred[place].push(inferred / cards);
                self.gained[place].push((inferred - plain) / cards);
            }
        }
    }

    /// Prints the table, a line for each phase.
    fn print(&self) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{:<12} {:>8} {:>10} {:>10} {:>9}",
            "cards left", "rounds", "inferred", "less none", "± 95 %"
        )?;
        for (place, gained) in self.gained.iter().enumerate() {
            let name = match PHASES.get(place) {
                Some((least, most)) => format!("{least} to {most}"),
                None => "all".to_owned(),
            };
            let margin = gained.margin().unwrap_or(f64::NAN);
            let inferred = self.inferred[place].mean();
            writeln!(
                out,
                "{name:<12} {:>8} {inferred:>10.4} {:>+10.4} {margin:>9.4}",
                gained.count(),
                gained.mean()
            )?;
        }
        Ok(())
    }
}
