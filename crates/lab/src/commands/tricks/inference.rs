//! `lab eights inference` and `lab hearts inference`: print how well the search infers hidden cards in recorded
//! rounds. `crate::tricks::inference` computes the losses.

use crate::tricks::Contest;
use crate::tricks::inference::{Inference, PHASES, Viewed};
use crate::tricks::record::Record;
use anyhow::ensure;
use arena::records::Reader;
use arena::stats::Blocks;
use arena::text_table::number;
use clap::Args as ClapArgs;
use seats::cli::Once;
use seats::tricks::network_of;
use std::collections::BTreeMap;
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

/// Log-losses of all viewers of a deal: with inference, how much they exceed those without, and the number of viewers,
/// each counted once in a round.
type DealLosses = [f64; 3];

/// Log-losses by phase, last those of whole rounds. A deal is one block: its viewers infer the same cards, and in a
/// match each rotation of the players has the same hands.
#[derive(Default)]
struct Losses([BTreeMap<String, DealLosses>; PHASES.len() + 1]);

impl Args {
    pub(crate) fn run<C: Contest>(self, contest: &C) -> anyhow::Result<()> {
        let mut reader = Reader::<_, Record>::open(&self.file)?.of_contest(C::NAME);
        let (mut records, mut once) = (Vec::new(), Once::default());
        while let Some(record) = reader.next().transpose()? {
            // A record that was appended twice counts once.
            if once.is_new(reader.line(), &record.id, record.seed, &record.players) {
                records.push(record);
            }
        }
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
        let mut losses = Losses::default();
        for viewed in inference.of(contest, records)? {
            losses.push(viewed);
        }
        losses.print()
    }
}

/// The mean losses with inference, and how much they exceed those without.
fn means(deals: &BTreeMap<String, DealLosses>) -> (Blocks, Blocks) {
    let (mut inferred, mut gained) = <(Blocks, Blocks)>::default();
    for &[loss, gain, viewers] in deals.values() {
        inferred.push(loss, viewers);
        gained.push(gain, viewers);
    }
    (inferred, gained)
}

impl Losses {
    /// Adds a viewer's losses in a round, to each phase and to whole rounds.
    fn push(&mut self, viewed: Viewed) {
        let round = viewed.by_phase;
        let all = round.iter().fold([0.0; 3], |all, phase| {
            std::array::from_fn(|i| all[i] + phase[i])
        });
        for (place, &[inferred, plain, cards]) in round.iter().chain([&all]).enumerate() {
            if cards > 0.0 {
                let sums = self.0[place].entry(viewed.deal.clone()).or_default();
                // The mean over the cards. Early in a round there are more of them.
                let more = [inferred / cards, (inferred - plain) / cards, 1.0];
                *sums = std::array::from_fn(|i| sums[i] + more[i]);
            }
        }
    }

    /// Prints the table, a line for each phase.
    fn print(&self) -> anyhow::Result<()> {
        let mut out = seats::cli::out();
        writeln!(
            out,
            "{:<12} {:>8} {:>10} {:>10} {:>9}",
            "cards left", "deals", "inferred", "less none", "± 95 %"
        )?;
        for (place, deals) in self.0.iter().enumerate() {
            let name = match PHASES.get(place) {
                Some((least, most)) => format!("{least} to {most}"),
                None => "all".to_owned(),
            };
            let (inferred, gained) = means(deals);
            let some = |mean: f64| (!deals.is_empty()).then_some(mean);
            writeln!(
                out,
                "{name:<12} {:>8} {:>10} {:>10} {:>9}",
                deals.len(),
                number(some(inferred.mean()), 4),
                some(gained.mean()).map_or("-".to_owned(), |gain| format!("{gain:+.4}")),
                number(gained.margin(), 4)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tricks::inference::RoundLosses;

    /// The viewers of a deal are one sample, however many they are: they infer the same cards.
    #[test]
    fn a_deal_is_a_block() {
        let margin = |viewers: usize| {
            let mut losses = Losses::default();
            for (deal, loss) in [("one", 1.0), ("two", 2.0), ("three", 6.0)] {
                for seat in 0..viewers {
                    let mut by_phase = RoundLosses::default();
                    by_phase[0] = [4.0 * loss, 12.0, 4.0];
                    losses.push(Viewed {
                        round: (0, seat),
                        deal: deal.to_owned(),
                        players: Vec::new(),
                        by_phase,
                        by_holder: Default::default(),
                    });
                }
            }
            let (inferred, gained) = means(&losses.0[0]);
            assert_eq!(
                (inferred.mean(), gained.mean(), gained.count()),
                (3.0, 0.0, 3)
            );
            gained.margin()
        };
        assert!(margin(1).is_some_and(|margin| margin > 1.0));
        assert_eq!(margin(1), margin(4));
    }
}
