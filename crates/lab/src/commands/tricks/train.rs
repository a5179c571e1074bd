//! `lab eights train` and `lab hearts train`: read recorded rounds, train a network on the choices in them, and print
//! how well it predicts choices that were kept apart. `crate::tricks::training` does the work.

use crate::tricks::record::Record;
use crate::tricks::training::{Accuracy, Choice, Training, accuracy};
use crate::tricks::{Contest, deal_of};
use anyhow::Context as _;
use arena::records::{Reader, RecordError};
use clap::Args as ClapArgs;
use engine::rng::stream;
use seats::cli::numbers::number;
use seats::cli::output::{check_writable, refuse_inputs};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tricks::Round as _;
use tricks::network::{Network, NetworkFile, TrainingRecord};

/// Trains the network by which a search expects thinking opponents to play, on recorded rounds.
///
/// It learns which card was chosen wherever there was a choice. One deal in ten is kept apart with all its rounds, and
/// tests the predictions: the *loss* is the mean of minus the logarithm of the chance of the chosen
/// card.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Records of `match --record`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the network
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Learn from the players with this in their label
    #[arg(long, value_name = "TEXT", default_value = "search")]
    of: String,
    /// Passes over all choices
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// The rate of the first step
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = number(0.0f32, 1.0))]
    rate: f32,
    /// Seed of the first weights and of the order of the choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// One deal of this many is kept apart, to test predictions on.
const APART: usize = 10;

/// The deals so far, with their numbers from 0. All rounds of a deal are on one side: they are too similar to test on
/// some of them what was learnt from the others.
#[derive(Default)]
struct Deals(HashMap<String, usize>);

impl Deals {
    /// Whether a round of this deal is kept apart.
    fn are_apart(&mut self, deal: String) -> bool {
        let next = self.0.len();
        // The first deal is apart, so that few deals are enough.
        self.0.entry(deal).or_insert(next).is_multiple_of(APART)
    }
}

impl Args {
    pub(crate) fn run<C: Contest>(self, contest: &C) -> anyhow::Result<()> {
        let inputs: Vec<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        refuse_inputs("--out", &self.out, &inputs)?;
        check_writable("--out", &self.out)?;
        let mut taught = Vec::new();
        let mut apart = Vec::new();
        let (mut rounds, mut deals) = (0_usize, Deals::default());
        for path in &self.files {
            let records: Result<Vec<Record>, RecordError> =
                Reader::open(path)?.of_contest(C::NAME).collect();
            for record in records? {
                rounds += 1;
                let named = || format!("{}, round {}", path.display(), record.id);
                let start = record.start(contest).with_context(named)?;
                let choices = match deals.are_apart(deal_of(&start)) {
                    true => &mut apart,
                    false => &mut taught,
                };
                record
                    .replay(contest, |_, round, card| {
                        let player = round.to_act().map_or("", |seat| &record.players[seat]);
                        // A forced card teaches nothing.
                        if player.contains(&self.of) && round.legal().len() > 1 {
                            let round = round.clone();
                            choices.push(Choice { round, card });
                        }
                    })
                    .with_context(named)?;
            }
        }
        if taught.is_empty() || apart.is_empty() {
            refuse!(
                "no choices of {:?} in {rounds} rounds: expected some in at least two deals",
                self.of
            );
        }
        let training = Training {
            epochs: self.epochs,
            rate: self.rate,
            seed: self.seed,
        };
        // Always from random weights: the same records give the same network.
        let mut network = Network::random(&mut stream(self.seed, 0));
        line!(
            "{} choices of {rounds} rounds, {} deals",
            taught.len(),
            deals.0.len()
        )?;
        // The callback cannot return an error, so the result of printing waits here.
        let mut told = Ok(());
        training.run::<C::Policy>(&mut network, &taught, |epoch, network| {
            if told.is_ok() {
                told = print(
                    &format!("epoch {epoch}"),
                    accuracy::<C::Policy>(network, &apart, false),
                );
            }
        });
        told?;
        print(
            "distilled scorer",
            accuracy::<C::Policy>(&network, &apart, true),
        )?;
        let file = NetworkFile {
            network,
            training: TrainingRecord {
                command: std::env::args().skip(1).collect::<Vec<_>>().join(" "),
                choices: taught.len() as u64,
                epochs: self.epochs,
            },
        };
        file.write(&self.out, C::NAME)?;
        Ok(())
    }
}

/// Prints a line about the accuracy of predictions.
fn print(name: &str, found: Accuracy) -> std::io::Result<()> {
    line!(
        "{name}: loss {:.4} of {:.4}, agreement {:.2} % of {} choices apart",
        found.loss,
        found.even_loss,
        100.0 * found.agreement,
        found.choices
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tricks::Hearts;
    use crate::tricks::record::words;

    /// The rounds of a deal in which the players change seats are all learnt from, or all kept apart.
    #[test]
    fn rounds_of_one_deal_are_on_one_side() {
        let (contest, mut deals) = (Hearts::default(), Deals::default());
        let mut apart = 0;
        for number in 0..40 {
            let round = contest.deal(4, 0, &mut stream(number, 0));
            let mut hands: Vec<String> = (0..4).map(|seat| words(round.hand(seat))).collect();
            let sides = [(); 4].map(|()| {
                hands.rotate_left(1);
                let mut record = Record::of_deal::<Hearts>(0, hands.clone(), String::new());
                record.players = vec![String::new(); 4];
                deals.are_apart(deal_of(&record.start(&contest).unwrap()))
            });
            assert_eq!(sides, [sides[0]; 4]);
            apart += u32::from(sides[0]);
        }
        assert_eq!(apart, 4);
    }
}
