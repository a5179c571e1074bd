//! Games as rankings, reduced to the counts that the ratings need.
//!
//! A ranking is a sequence of choices (Luce 1959, Plackett 1975): the best of all seats, then the
//! best of the rest, and so on. The likelihood needs only how often each *set to choose from*
//! occurred; the number of choices that a program won follows from its seats. Equals count as the
//! mean over all orders in which they could stand, as an Elo rating counts a draw as half a win and
//! half a loss (Elo 1978): if `d` are equal, each set of `k` of them that are left has the weight
//! `1 / C(d, k)`. All counts are whole [`PARTS`] of a game, so sums do not depend on the order of
//! addition.

use super::super::line_up::LineUp;
use arrayvec::ArrayVec;
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// The most players a game may have.
pub const MAX_PLAYERS: usize = 6;

/// The parts that a game is counted in: the least multiple of every `C(d, k)` and every `d` up to
/// six.
pub(super) const PARTS: u64 = 60;

/// A program, as its index in the list of programs.
pub(super) type Program = u16;

/// The seats that a choice was made from, as their programs, sorted.
pub(super) type ChoiceSet = ArrayVec<Program, MAX_PLAYERS>;

/// How one game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The program on each seat; a program may hold several.
    pub seats: Vec<usize>,
    /// The place of each seat, from 1; equals share the mean of their places. A game stopped
    /// undecided is a tie of all.
    pub ranks: Vec<f64>,
}

impl Outcome {
    /// A whole win, in parts: the sum of [`win_parts`](Self::win_parts) over the programs of a game.
    pub const WHOLE: u64 = PARTS;

    /// The seats in groups of equals, the best group first. Fails unless the ranks are a ranking.
    fn groups(&self) -> Result<Vec<Vec<usize>>, OutcomeError> {
        let players = self.seats.len();
        if !(2..=MAX_PLAYERS).contains(&players) {
            return Err(OutcomeError::Players(players));
        }
        // Outcomes come from records, so everything about them is checked here, once for all that
        // is counted from them.
        let wrong = || OutcomeError::Ranks {
            ranks: self.ranks.clone(),
            players,
        };
        if self.ranks.len() != players {
            return Err(wrong());
        }
        // Seats by rank; neighbours with equal ranks form a group.
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by(|&a, &b| self.ranks[a].total_cmp(&self.ranks[b]));
        let groups: Vec<Vec<usize>> = order
            .chunk_by(|&a, &b| self.ranks[a] == self.ranks[b])
            .map(<[usize]>::to_vec)
            .collect();
        // Equals at the places `ahead + 1` to `ahead + d` must have the mean of these as their
        // rank: `ahead + (d + 1) / 2`.
        let mut ahead = 0;
        for group in &groups {
            if self.ranks[group[0]] != ahead as f64 + (group.len() + 1) as f64 / 2.0 {
                return Err(wrong());
            }
            ahead += group.len();
        }
        Ok(groups)
    }

    /// The share of the win that fell to a program's seats, in parts: the best share it equally.
    ///
    /// # Errors
    /// If this is no ranking of 2 to 6 players.
    pub fn win_parts(&self, program: usize) -> Result<u64, OutcomeError> {
        let groups = self.groups()?;
        let best = &groups[0];
        let own = best.iter().filter(|&&seat| self.seats[seat] == program);
        // Exact: `PARTS` is a multiple of every number of equals. Two of three winners get 2 · 60 / 3 = 40 parts.
        Ok(own.count() as u64 * PARTS / best.len() as u64)
    }
}

/// The reasons why games cannot be rated.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum OutcomeError {
    /// Too few players or too many.
    #[error("a game of {0} players, expected 2 to 6")]
    Players(usize),
    #[error(
        "ranks {ranks:?} of {players} players: expected places from 1 on, and equals to share the \
         mean of their places"
    )]
    Ranks {
        ranks: Vec<f64>,
        /// How many seats there are.
        players: usize,
    },
    /// A program that does not exist.
    #[error("program {program} of a list of {programs}")]
    Program {
        /// As given, from 0.
        program: usize,
        /// Length of the list.
        programs: usize,
    },
    /// Games of different line-ups in a block.
    #[error(
        "line-ups {first:?} and {other:?} in one block, expected the same programs in all games"
    )]
    Mixed {
        /// The programs of the first game.
        first: Vec<usize>,
        other: Vec<usize>,
    },
    /// A block without games.
    #[error("a block without games")]
    Empty,
}

/// The counts of one block. Blocks with the same counts are equal, whatever the order of their
/// games.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockCounts {
    pub(super) games: u64,
    /// How often each set was to choose from, in parts.
    pub(super) sets: BTreeMap<ChoiceSet, u64>,
}

/// The blocks of a line-up.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stratum {
    /// The different blocks, and how many of each there are.
    pub(super) blocks: BTreeMap<BlockCounts, u64>,
    pub(super) games: u64,
    /// Each program's share of the wins, in parts.
    pub(super) wins: BTreeMap<Program, u64>,
    /// Pairs (a, b) of programs: at least once a was placed ahead of b, or equal to it.
    pub(super) ahead: BTreeSet<(Program, Program)>,
}

/// Games to be rated. The same blocks give the same value, in whatever order they came.
#[derive(Clone, Debug, PartialEq)]
pub struct Games {
    labels: Vec<String>,
    /// By line-up: its programs in order, each as often as it has seats.
    pub(super) strata: BTreeMap<Vec<Program>, Stratum>,
}

impl Games {
    /// No games yet of these programs, at most 65,536.
    pub fn new(labels: Vec<String>) -> Games {
        Games {
            labels,
            strata: BTreeMap::new(),
        }
    }

    /// The names of the programs, whether or not they have played.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The numbers of players that occur, in order.
    pub fn player_counts(&self) -> Vec<usize> {
        let counts: BTreeSet<usize> = self.strata.keys().map(Vec::len).collect();
        counts.into_iter().collect()
    }

    /// The games of this number of players alone.
    pub fn with_players(&self, players: usize) -> Games {
        let mut games = self.clone();
        games.strata.retain(|line_up, _| line_up.len() == players);
        games
    }

    /// Adds a block: games that share their luck, normally one deal in every rotation of the seats.
    /// All games of a block must come in one call, for different blocks are taken to be
    /// independent.
    ///
    /// # Errors
    /// If a game is not one of 2 to 6 known programs with a ranking of its seats, or the block has
    /// no games or not the same programs in all of them; nothing is added then.
    pub fn push(&mut self, block: &[Outcome]) -> Result<(), OutcomeError> {
        let first = block.first().ok_or(OutcomeError::Empty)?;
        let line_up = self.line_up(first)?;
        // Everything is counted aside first, so that a faulty game leaves the totals untouched.
        let mut stratum = Stratum::default();
        let mut counts = BlockCounts::default();
        for outcome in block {
            if self.line_up(outcome)? != line_up {
                return Err(OutcomeError::Mixed {
                    first: first.seats.clone(),
                    other: outcome.seats.clone(),
                });
            }
            counts.add(outcome)?;
            stratum.add(outcome)?;
        }
        // No error is possible any more, so the totals change now.
        let own = self.strata.entry(line_up).or_default();
        own.games += stratum.games;
        for (program, wins) in stratum.wins {
            *own.wins.entry(program).or_default() += wins;
        }
        own.ahead.extend(stratum.ahead);
        *own.blocks.entry(counts).or_default() += 1;
        Ok(())
    }

    /// The programs of a game in order, each as often as it sits there.
    fn line_up(&self, outcome: &Outcome) -> Result<Vec<Program>, OutcomeError> {
        let programs = self.labels.len().min(usize::from(Program::MAX) + 1);
        if let Some(&program) = outcome.seats.iter().find(|&&p| p >= programs) {
            return Err(OutcomeError::Program { program, programs });
        }
        let mut line_up: Vec<Program> = outcome.seats.iter().map(|&p| p as Program).collect();
        // Sorted, so that games in other seatings belong to the same line-up.
        line_up.sort_unstable();
        Ok(line_up)
    }
}

impl Stratum {
    /// Adds one game: the shares of its win, and the programs placed ahead of each other.
    fn add(&mut self, outcome: &Outcome) -> Result<(), OutcomeError> {
        self.games += 1;
        for program in LineUp(outcome.seats.clone()).programs() {
            *self.wins.entry(program as Program).or_default() += outcome.win_parts(program)?;
        }
        for (&own, &place) in outcome.seats.iter().zip(&outcome.ranks) {
            for (&other, &others) in outcome.seats.iter().zip(&outcome.ranks) {
                // Equals are ahead of each other: a draw bounds both strengths from both sides.
                if own != other && place <= others {
                    self.ahead.insert((own as Program, other as Program));
                }
            }
        }
        Ok(())
    }
}

impl BlockCounts {
    /// Adds the choices of one game, with ties as the mean over their orders.
    fn add(&mut self, outcome: &Outcome) -> Result<(), OutcomeError> {
        self.games += 1;
        let groups = outcome.groups()?;
        for (i, group) in groups.iter().enumerate() {
            // In a random order of the `d` equals of a group, the `k` that are left at some moment
            // are any `k` of them, each set with probability `1 / C(d, k)`. If a and b tie before
            // c, the sets are abc once, ac and bc half a time each, and c once.
            let behind = groups[i + 1..].concat();
            // Every non-empty subset of the group, as the bits of `chosen`, together with all seats behind the group.
            for chosen in 1u32..1 << group.len() {
                let left = (0..group.len()).filter(|&k| chosen >> k & 1 == 1);
                let mut set: ChoiceSet = left
                    .map(|k| group[k])
                    .chain(behind.iter().copied())
                    .map(|seat| outcome.seats[seat] as Program)
                    .collect();
                set.sort_unstable();
                let orders = binomial(group.len() as u64, u64::from(chosen.count_ones()));
                *self.sets.entry(set).or_default() += PARTS / orders;
            }
        }
        Ok(())
    }
}

/// The number of ways to choose `k` of `n`.
fn binomial(n: u64, k: u64) -> u64 {
    // After each step `ways` is C(n, i + 1), so the division leaves no rest.
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(seats: &[usize], ranks: &[f64]) -> Outcome {
        Outcome {
            seats: seats.into(),
            ranks: ranks.into(),
        }
    }

    fn three() -> Vec<String> {
        ["a", "b", "c"].map(String::from).into()
    }

    fn sets(outcome: &Outcome) -> Vec<(Vec<Program>, u64)> {
        let mut counts = BlockCounts::default();
        counts.add(outcome).unwrap();
        let sets = counts.sets.into_iter();
        sets.map(|(set, n)| (set.to_vec(), n)).collect()
    }

    #[test]
    fn choices_of_a_ranking() {
        assert_eq!(
            sets(&outcome(&[3, 1, 2], &[1.0, 3.0, 2.0])),
            [(vec![1], 60), (vec![1, 2], 60), (vec![1, 2, 3], 60)]
        );
    }

    #[test]
    fn a_tie_is_the_mean_of_its_orders() {
        // Second and third are equal: the choices are half those of 0 > 1 > 2 and half those of 0 > 2 > 1.
        let tied = sets(&outcome(&[0, 1, 2], &[1.0, 2.5, 2.5]));
        assert_eq!(
            tied,
            [
                (vec![0, 1, 2], 60),
                (vec![1], 30),
                (vec![1, 2], 60),
                (vec![2], 30)
            ]
        );
        // However many seats are equal, a game has as many choices as seats.
        for players in 2..=MAX_PLAYERS {
            let seats: Vec<usize> = (0..players).collect();
            let ranks = vec![(players + 1) as f64 / 2.0; players];
            let total: u64 = sets(&outcome(&seats, &ranks)).iter().map(|s| s.1).sum();
            assert_eq!(total, PARTS * players as u64);
        }
    }

    #[test]
    fn wins_are_shared_by_the_best() {
        let tied = outcome(&[0, 1, 1, 2], &[2.0, 2.0, 2.0, 4.0]);
        assert_eq!(tied.win_parts(0).unwrap(), 20);
        assert_eq!(tied.win_parts(1).unwrap(), 40);
        assert_eq!(tied.win_parts(2).unwrap(), 0);
    }

    #[test]
    fn what_is_no_ranking_is_refused() {
        let mut games = Games::new(three());
        let message = |games: &mut Games, block: &[Outcome]| {
            let before = games.clone();
            let error = games.push(block).unwrap_err().to_string();
            assert_eq!(*games, before);
            error
        };
        let game = |seats: &[usize], ranks: &[f64]| [outcome(seats, ranks)];
        insta::assert_snapshot!(message(&mut games, &game(&[0, 1], &[1.0, 1.0])), @"ranks [1.0, 1.0] of 2 players: expected places from 1 on, and equals to share the mean of their places");
        insta::assert_snapshot!(message(&mut games, &game(&[0, 1], &[1.0, f64::NAN])), @"ranks [1.0, NaN] of 2 players: expected places from 1 on, and equals to share the mean of their places");
        insta::assert_snapshot!(message(&mut games, &game(&[0, 1], &[1.0])), @"ranks [1.0] of 2 players: expected places from 1 on, and equals to share the mean of their places");
        insta::assert_snapshot!(message(&mut games, &game(&[0], &[1.0])), @"a game of 1 players, expected 2 to 6");
        insta::assert_snapshot!(message(&mut games, &game(&[0, 3], &[1.0, 2.0])), @"program 3 of a list of 3");
        insta::assert_snapshot!(message(&mut games, &[]), @"a block without games");
        let mixed = [outcome(&[0, 1], &[1.0, 2.0]), outcome(&[0, 2], &[1.0, 2.0])];
        insta::assert_snapshot!(message(&mut games, &mixed), @"line-ups [0, 1] and [0, 2] in one block, expected the same programs in all games");
    }

    #[test]
    fn blocks_merge_in_any_order() {
        let a = [outcome(&[0, 1], &[1.0, 2.0]), outcome(&[1, 0], &[1.0, 2.0])];
        let b = [outcome(&[1, 0], &[1.0, 2.0]), outcome(&[0, 1], &[1.0, 2.0])];
        let c = [outcome(&[0, 1, 2], &[2.0, 2.0, 2.0])];
        let all = |blocks: &[&[Outcome]]| {
            let mut games = Games::new(three());
            for block in blocks {
                games.push(block).unwrap();
            }
            games
        };
        let games = all(&[&a, &b, &c]);
        assert_eq!(games, all(&[&c, &b, &a]));
        assert_eq!(games.strata[&vec![0, 1]].blocks.len(), 1);
        assert_eq!(games.player_counts(), [2, 3]);
        assert_eq!(games.with_players(3), all(&[&c]));
    }
}
