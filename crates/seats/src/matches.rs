//! Matches and tournaments of any game inside this process, for the Python package. Games come in blocks with the
//! same deal, in which every participant has every seat in turn.

use crate::{Failure, Maker, Seat};
use arena::ranking::places;
use arena::rating::{Games, Outcome};
use arena::runner::until_failed;
use arena::schedule::Block;
use arena::stats::{Mean, Tally};
use arena::{GameResult, Plan, Referee, ScheduledGame, SeatResult};
use engine::rng::mix;
use games::{AnyGame, AnyHistory, Turn};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Makes the line of a game's record from the game, its place in the schedule, and the labels by seat. The line is
/// empty if the game has no record.
pub type Line = Box<dyn Fn(&dyn AnyHistory, &ScheduledGame, &[String]) -> Vec<u8> + Send + Sync>;

/// A match or tournament.
pub struct Match {
    pub game: Arc<AnyGame>,
    /// The names of the participants.
    pub labels: Vec<String>,
    /// The makers of the participants' players, in the order of the labels.
    pub makers: Vec<Maker>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Writes the records, if games are recorded.
    pub line: Option<Line>,
    /// Ends the match at the next action of every game under way. Whole blocks count, the others are dropped.
    pub stop: AtomicBool,
    /// The returns of finished games, until their block is counted.
    returns: Mutex<HashMap<(usize, u64, usize), Vec<f64>>>,
}

/// The results of a match.
#[derive(Debug)]
pub struct Played {
    /// For each line-up its summary: rows by participant, with mean returns.
    pub line_ups: Vec<Value>,
    /// All games, to be rated.
    pub games: Games,
}

impl Match {
    /// A match of these participants: their labels and the makers of their players.
    pub fn new(game: Arc<AnyGame>, participants: Vec<(String, Maker)>, seed: u64) -> Match {
        let (labels, makers) = participants.into_iter().unzip();
        Match {
            game,
            labels,
            makers,
            seed,
            line: None,
            stop: AtomicBool::new(false),
            returns: Mutex::default(),
        }
    }

    /// Plays a plan, or what can be played of it before it is stopped. `on_block` sees every block and may break
    /// off.
    ///
    /// # Errors
    /// If a player has no legal answer, or games cannot be rated.
    pub fn play(
        &self,
        plan: &Plan,
        mut on_block: impl FnMut(&Block) -> ControlFlow<()> + Send,
    ) -> Result<Played, Failure> {
        let mut counts = MatchCounts::new(self, plan);
        let mut counted: Result<(), Failure> = Ok(());
        // A block that cannot be counted ends the match; its error is returned after it.
        let sink = until_failed(&mut counted, |block| {
            counts.push(self, &block)?;
            Ok(on_block(&block))
        });
        self.run(plan, sink)?;
        counted?;
        counts.played(self)
    }

    /// Plays the blocks of a plan and passes each to `on_block`, in their order. Nothing is counted.
    ///
    /// # Errors
    /// If a player has no legal answer.
    pub fn run(
        &self,
        plan: &Plan,
        on_block: impl FnMut(Block) -> ControlFlow<()> + Send,
    ) -> Result<(), Failure> {
        match plan.run(self, |_, _| (), on_block) {
            Err(Failure::Stopped) => Ok(()),
            ended => ended,
        }
    }
}

/// A game's id in its match: line-up, block and rotation, from 1.
pub fn id(scheduled: &ScheduledGame) -> String {
    let ScheduledGame {
        line_up,
        block,
        rotation,
        ..
    } = scheduled;
    format!("{}-{}-{}", line_up + 1, block + 1, rotation + 1)
}

impl Referee for Match {
    type Error = Failure;

    /// Plays one game. All rotations of a block have the same random draws; each player has its own random numbers.
    fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, Failure> {
        let seed = mix(self.seed ^ mix(scheduled.block.wrapping_add(1)));
        let players = scheduled.seats.len();
        let mut history = self.game.start(Some(seed));
        let mut seats: Vec<Box<dyn Seat>> = (0..players)
            .map(|seat| {
                // Another stream for every seat of every rotation: copies of a player do not play
                // in step.
                let part = 2 + (scheduled.rotation * players + seat) as u64;
                self.makers[scheduled.seats[seat]](mix(seed ^ mix(part)))
            })
            .collect();
        let mut nanos = vec![Vec::new(); players];
        while let Turn::Seat(seat) = history.turn() {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            let start = Instant::now();
            let chosen = seats[seat].choose(&*history);
            nanos[seat].push(start.elapsed().as_nanos() as u64);
            let illegal = |told: String| {
                let label = &self.labels[scheduled.seats[seat]];
                Failure::Illegal(format!("{label}, game {}: {told}", id(scheduled)))
            };
            let chosen = chosen.map_err(|failure| match failure {
                Failure::Illegal(told) => illegal(told),
                other => other,
            })?;
            let applied = history.apply(chosen);
            applied.map_err(|refused| illegal(refused.to_string()))?;
        }
        let ranks = places(&history.standing()[..players]);
        let labels = scheduled.seats.iter().map(|&one| self.labels[one].clone());
        let line = self.line.as_ref().map_or_else(Vec::new, |line| {
            line(&*history, scheduled, &labels.collect::<Vec<_>>())
        });
        let mut seats = SeatResult::of_ranks(&ranks);
        for (seat, nanos) in seats.iter_mut().zip(nanos) {
            seat.nanos = nanos;
        }
        let key = (scheduled.line_up, scheduled.block, scheduled.rotation);
        let mut kept = self.returns.lock().unwrap_or_else(PoisonError::into_inner);
        // `GameResult` knows shares and ranks; returns wait here until their block is counted.
        kept.insert(key, history.returns()[..players].to_vec());
        Ok(GameResult {
            seats,
            stopped: history.stopped(),
            line,
        })
    }
}

/// The results of a match so far.
pub struct MatchCounts {
    /// Line-ups are counted apart, ratings over all games.
    counted: Vec<Counted>,
    games: Games,
}

impl MatchCounts {
    /// Before the first block.
    pub fn new(of: &Match, plan: &Plan) -> MatchCounts {
        let counted = |line_up| Counted {
            tally: Tally::new(line_up),
            returns: vec![Mean::default(); of.labels.len()],
        };
        MatchCounts {
            counted: plan.line_ups.iter().map(counted).collect(),
            games: Games::new(of.labels.clone()),
        }
    }

    /// Adds the games of a block to the results.
    ///
    /// # Errors
    /// If its games cannot be rated.
    pub fn push(&mut self, of: &Match, block: &Block) -> Result<(), Failure> {
        let line_up = block.first().map_or(0, |played| played.0.line_up);
        self.counted[line_up].push(of, block);
        let outcome = |(game, played): &(ScheduledGame, GameResult)| Outcome {
            seats: game.seats.clone(),
            ranks: played.seats.iter().map(|seat| seat.rank).collect(),
        };
        let outcomes: Vec<Outcome> = block.iter().map(outcome).collect();
        let rated = self.games.push(&outcomes);
        rated.map_err(|error| Failure::Other(error.into()))
    }

    /// The results.
    ///
    /// # Errors
    /// If they cannot be written as values.
    pub fn played(self, of: &Match) -> Result<Played, Failure> {
        let line_ups = self.counted.iter().map(|counted| counted.value(&of.labels));
        Ok(Played {
            line_ups: line_ups
                .collect::<Result<_, _>>()
                .map_err(|error| Failure::Other(error.into()))?,
            games: self.games,
        })
    }
}

/// The results of a line-up so far.
struct Counted {
    tally: Tally,
    /// By participant, the mean return over blocks.
    returns: Vec<Mean>,
}

impl Counted {
    /// Counts a block, and takes its returns out of the match.
    fn push(&mut self, played: &Match, block: &Block) {
        self.tally.push(block);
        let mut kept = played
            .returns
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut sums = vec![(0.0, 0u32); self.returns.len()];
        for (scheduled, _) in block {
            let key = (scheduled.line_up, scheduled.block, scheduled.rotation);
            let returns = kept.remove(&key).unwrap_or_default();
            for (&participant, value) in scheduled.seats.iter().zip(returns) {
                let (sum, count) = &mut sums[participant];
                *sum += value;
                *count += 1;
            }
        }
        for (mean, (sum, count)) in self.returns.iter_mut().zip(sums) {
            if count > 0 {
                // One number a block, as games of a block share their deal.
                mean.push(sum / f64::from(count));
            }
        }
    }

    /// The summary of the line-up, with the mean return and its margin in each row.
    fn value(&self, labels: &[String]) -> serde_json::Result<Value> {
        let mut value = serde_json::to_value(self.tally.summary(labels))?;
        // Rows are found by their label, which the summary shares with this list.
        for row in value["rows"].as_array_mut().into_iter().flatten() {
            let at = labels.iter().position(|label| row["label"] == json!(label));
            if let Some(mean) = at.map(|at| &self.returns[at]) {
                row["returns"] = json!(mean.mean());
                row["returns_margin"] = json!(mean.margin());
            }
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maker;
    use arena::LineUp;

    /// A player with rollouts beats a random one in every game, with the same result on any number of threads.
    #[test]
    fn rollouts_beat_random_play_in_every_game() {
        let games = [
            (
                "cartagena",
                json!({"board": "hgkbds", "pirates": 2, "max_turns": 60}),
            ),
            ("challenge", json!({"goal": 1})),
            ("eights", json!({})),
            ("hearts", json!({"players": 3})),
        ];
        for (name, options) in games {
            let game = games::game(name, options).unwrap();
            let named = |text: &str| maker(&text.parse().unwrap()).unwrap();
            let seats = game.players;
            let mut participants = vec![("rollouts".to_owned(), named("rollouts,worlds=20"))];
            for number in 1..seats {
                participants.push((format!("random {number}"), named("random")));
            }
            let played = |jobs| {
                let plan = Plan {
                    line_ups: vec![LineUp((0..seats).collect())],
                    games: 16,
                    jobs,
                };
                let of = Match::new(Arc::clone(&game), participants.clone(), 7);
                let played = of.play(&plan, |_| ControlFlow::Continue(())).unwrap();
                let rows = played.line_ups[0]["rows"].as_array().unwrap().clone();
                rows.iter()
                    .map(|row| row["returns"].as_f64().unwrap())
                    .collect::<Vec<_>>()
            };
            let returns = played(1);
            assert!(returns[0] > 0.0, "{name}: {returns:?}");
            assert_eq!(played(2), returns, "{name}");
        }
    }
}
