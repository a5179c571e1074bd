//! The bracket of the single-elimination final: one [`Bracket`] for each stage.
//!
//! The `Contest` keeps the stages and their results. The lobby plays the open matches, then begins the next stage
//! with the teams of [`Bracket::next`].

use super::teams::{Pair, pair};
use arena::bracket::spread;
use serde::Serialize;

/// A match of the final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    pub teams: Pair,
    /// Games that each has won so far.
    pub games: [u32; 2],
    /// The winner, when the match is decided.
    pub winner: Option<u64>,
}

/// A stage of the final: the best seed meets the worst. With an odd number of teams the best seed goes on
/// without a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    seeds: Vec<u64>,
    matches: Vec<Match>,
}

impl Bracket {
    /// A stage between these teams, the best first.
    pub fn new(seeds: Vec<u64>) -> Bracket {
        // An odd number leaves out the best seed (index 0). The others are paired from both ends.
        let rest = &seeds[seeds.len() % 2..];
        let between = |teams: Vec<u64>| Match {
            teams: pair(teams[0], teams[1]),
            games: [0, 0],
            winner: None,
        };
        let matches = spread(rest, rest.len() / 2);
        Bracket {
            matches: matches.into_iter().map(between).collect(),
            seeds,
        }
    }

    /// Its teams, the best first.
    pub fn seeds(&self) -> &[u64] {
        &self.seeds
    }

    /// Its matches, that of the best seed first.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// The team that goes on without a match. A single team has no bye: it is the champion.
    pub fn bye(&self) -> Option<u64> {
        let odd = self.seeds.len() > 1 && self.seeds.len() % 2 == 1;
        self.seeds.first().copied().filter(|_| odd)
    }

    /// The matches that are not decided.
    pub fn open(&self) -> impl Iterator<Item = Pair> {
        let open = self.matches.iter().filter(|one| one.winner.is_none());
        open.map(|one| one.teams)
    }

    /// Sets the score of a match, and its winner if it is decided. Does nothing if no open match of this stage has
    /// these teams.
    pub fn score(&mut self, teams: Pair, games: [u32; 2], winner: Option<u64>) {
        let mut open = self.matches.iter_mut().filter(|one| one.winner.is_none());
        if let Some(one) = open.find(|one| one.teams == teams) {
            (one.games, one.winner) = (games, winner);
        }
    }

    /// The teams of the next stage, the best first; none if a match is open or the final is over.
    pub fn next(&self) -> Option<Vec<u64>> {
        let winners: Option<Vec<u64>> = self.matches.iter().map(|one| one.winner).collect();
        let winners = winners.filter(|_| !self.is_over())?;
        // Filtering the seeds, rather than collecting the winners, keeps the order of strength.
        let is_through = |team: &u64| winners.contains(team) || self.bye() == Some(*team);
        Some(self.seeds.iter().copied().filter(is_through).collect())
    }

    /// Whether no further stage follows.
    pub fn is_over(&self) -> bool {
        self.seeds.len() <= 1
    }

    /// The winner of the final.
    pub fn champion(&self) -> Option<u64> {
        match self.seeds[..] {
            [team] => Some(team),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_seed_meets_the_worst() {
        let open = |stage: &Bracket| stage.open().collect::<Vec<_>>();
        let four = Bracket::new(vec![7, 5, 3, 1]);
        assert_eq!((open(&four), four.bye()), (vec![[1, 7], [3, 5]], None));
        let three = Bracket::new(vec![7, 5, 3]);
        assert_eq!((open(&three), three.bye()), (vec![[3, 5]], Some(7)));
        assert_eq!(Bracket::new(vec![7]).bye(), None, "it is the champion");
    }

    #[test]
    fn winners_go_on_in_the_order_of_their_seeds() {
        let mut stage = Bracket::new(vec![7, 5, 3, 1]);
        stage.score([3, 5], [4, 0], None);
        assert_eq!(stage.open().count(), 2);
        stage.score([3, 5], [5, 0], Some(3));
        assert_eq!(stage.next(), None);
        stage.score([3, 7], [5, 0], Some(3));
        stage.score([1, 7], [3, 8], Some(7));
        assert_eq!(stage.matches()[1].games, [5, 0]);
        let last = Bracket::new(stage.next().unwrap());
        assert_eq!(last.seeds(), [7, 3]);
        let mut done = last.clone();
        done.score([3, 7], [5, 0], Some(3));
        let end = Bracket::new(done.next().unwrap());
        assert_eq!(
            (end.is_over(), end.champion(), end.next()),
            (true, Some(3), None)
        );
    }

    #[test]
    fn a_final_without_teams_has_no_champion() {
        let empty = Bracket::new(vec![]);
        assert_eq!((empty.is_over(), empty.champion()), (true, None));
    }
}
