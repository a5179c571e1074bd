//! The games of a match (line-ups, blocks, rotations), and how they are played in a fixed order.

use super::line_up::LineUp;
use super::ranking::shares;
use super::runner;
use std::ops::ControlFlow;

/// A game of a schedule, to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Index of the line-up in the plan.
    pub line_up: usize,
    /// Number of the deal, which fixes everything that chance decides before the first action.
    pub block: u64,
    /// Index of the seating in the block.
    pub rotation: usize,
    /// The program on each seat.
    pub seats: Vec<usize>,
}

/// The result of one seat.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatResult {
    /// The share of the win: 1 for the winner, equal parts of a draw.
    pub share: f64,
    /// Place in the ranking, from 1; equals share the mean of their places.
    pub rank: f64,
    /// How long each of its decisions took, in nanoseconds.
    pub nanos: Vec<u64>,
    /// The names of the kinds of its faults.
    pub faults: Vec<&'static str>,
}

impl SeatResult {
    /// The results of seats with these places, without times and faults.
    pub fn of_ranks(ranks: &[f64]) -> Vec<SeatResult> {
        let seats = shares(ranks).into_iter().zip(ranks);
        let seat = |(share, &rank)| SeatResult {
            share,
            rank,
            nanos: Vec::new(),
            faults: Vec::new(),
        };
        seats.map(seat).collect()
    }
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameResult {
    pub seats: Vec<SeatResult>,
    /// Whether it was stopped undecided.
    pub stopped: bool,
    /// The record of the game, one line with its end; empty if nothing is recorded.
    pub line: Vec<u8>,
}

/// Plays single games of a contest; [`Plan::run`] calls it.
pub trait Referee: Sync {
    /// The reason why a game could not be finished.
    type Error: Send;

    /// Plays the game. The result depends on the place in the schedule alone, times excepted.
    ///
    /// # Errors
    /// If it could not be finished; the match ends there.
    fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, Self::Error>;
}

/// The settings of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub line_ups: Vec<LineUp>,
    /// Games of each line-up, rounded up to whole blocks.
    pub games: u64,
    /// The number of threads; each plays one block at a time.
    pub jobs: usize,
}

/// A block that was played: the games in the order of the rotations.
pub type Block = Vec<(ScheduledGame, GameResult)>;

impl Plan {
    /// The number of blocks of a line-up.
    pub fn blocks(&self, line_up: usize) -> u64 {
        let seatings = self.line_ups[line_up].seatings().len() as u64;
        // A block is never cut: its luck cancels only if every seating is played.
        self.games.div_ceil(seatings)
    }

    pub fn total_games(&self) -> u64 {
        (0..self.line_ups.len())
            .map(|i| self.blocks(i) * self.line_ups[i].seatings().len() as u64)
            .sum()
    }

    /// Every game, in order.
    pub fn scheduled_games(&self) -> impl Iterator<Item = ScheduledGame> + '_ {
        (0..self.line_ups.len()).flat_map(|line_up| {
            let seatings = self.line_ups[line_up].seatings();
            (0..self.blocks(line_up)).flat_map(move |block| {
                let seatings = seatings.clone();
                seatings
                    .into_iter()
                    .enumerate()
                    .map(move |(rotation, seats)| ScheduledGame {
                        line_up,
                        block,
                        rotation,
                        seats,
                    })
            })
        })
    }

    /// Plays everything and hands each block to `sink`, in the order of the line-ups and blocks,
    /// with any number of threads. The sink may break off.
    ///
    /// `finished` is called for each game as soon as it ends, in no fixed order.
    ///
    /// # Errors
    /// The first error, in the order of the blocks, of those that happened.
    pub fn run<T: Referee>(
        &self,
        referee: &T,
        finished: impl Fn(&ScheduledGame, &GameResult) + Sync,
        mut sink: impl FnMut(Block) -> ControlFlow<()> + Send,
    ) -> Result<(), T::Error> {
        let seatings: Vec<_> = self.line_ups.iter().map(LineUp::seatings).collect();
        // A block is the unit of work, so that one thread plays all its games and hands them over
        // together.
        let units = (0..self.line_ups.len())
            .flat_map(|line_up| (0..self.blocks(line_up)).map(move |block| (line_up, block)));
        let play_block = |&(line_up, block): &(usize, u64)| -> Result<Block, T::Error> {
            let games = seatings[line_up].iter().enumerate();
            games
                .map(|(rotation, seats)| {
                    let scheduled = ScheduledGame {
                        line_up,
                        block,
                        rotation,
                        seats: seats.clone(),
                    };
                    let played = referee.play(&scheduled)?;
                    finished(&scheduled, &played);
                    Ok((scheduled, played))
                })
                .collect()
        };
        runner::run_in_order(units, self.jobs, play_block, |_, block| sink(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A referee whose games are won by seat 0 in even blocks and by seat 1 in odd ones. Block 77 fails.
    struct Parity;

    impl Referee for Parity {
        type Error = u64;

        fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, u64> {
            if scheduled.block == 77 {
                return Err(scheduled.block);
            }
            let winner = (scheduled.block % 2) as usize;
            let rank = |seat| if seat == winner { 1.0 } else { 2.0 };
            let ranks: Vec<f64> = (0..scheduled.seats.len()).map(rank).collect();
            Ok(GameResult {
                seats: SeatResult::of_ranks(&ranks),
                stopped: false,
                line: format!("{scheduled:?}\n").into_bytes(),
            })
        }
    }

    fn lines(jobs: usize, games: u64) -> (Vec<u8>, Result<(), u64>) {
        let plan = Plan {
            line_ups: LineUp::all(3, 2),
            games,
            jobs,
        };
        let mut lines = Vec::new();
        let outcome = plan.run(
            &Parity,
            |_, _| (),
            |block| {
                for (_, played) in block {
                    lines.extend(played.line);
                }
                ControlFlow::Continue(())
            },
        );
        (lines, outcome)
    }

    #[test]
    fn the_order_does_not_depend_on_the_threads() {
        let (one, outcome) = lines(1, 101);
        assert_eq!(outcome, Ok(()));
        assert_eq!(one.iter().filter(|&&b| b == b'\n').count(), 3 * 102);
        assert_eq!(lines(4, 101).0, one);
    }

    #[test]
    fn an_error_ends_the_match() {
        let (one, outcome) = lines(1, 200);
        assert_eq!(outcome, Err(77));
        assert_eq!(one.iter().filter(|&&b| b == b'\n').count(), 2 * 77);
        assert_eq!(lines(3, 200).1, Err(77));
    }
}
