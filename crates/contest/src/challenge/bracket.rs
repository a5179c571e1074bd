//! The bracket of the single-elimination final, stage by stage.

use super::teams::{Pair, pair};

/// A stage of the final: the best seed meets the worst. With an odd number the best goes on without
/// a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    seeds: Vec<u64>,
    open: Vec<Pair>,
    through: Vec<u64>,
}

impl Bracket {
    /// A stage between these teams, the best first.
    pub fn new(seeds: Vec<u64>) -> Bracket {
        let byes = seeds.len() % 2;
        let (through, rest) = seeds.split_at(byes);
        let half = rest.len() / 2;
        let open = (0..half)
            .map(|i| pair(rest[i], rest[rest.len() - 1 - i]))
            .collect();
        Bracket {
            open,
            through: through.to_vec(),
            seeds,
        }
    }

    /// Its teams, the best first.
    pub fn seeds(&self) -> &[u64] {
        &self.seeds
    }

    /// The matches that are not decided.
    pub fn open(&self) -> &[Pair] {
        &self.open
    }

    /// Takes a match as decided, if it is one of this stage's.
    pub fn decide(&mut self, teams: Pair, winner: u64) {
        if let Some(i) = self.open.iter().position(|&other| other == teams) {
            self.open.remove(i);
            self.through.push(winner);
        }
    }

    /// The teams of the next stage, the best first, when all matches are decided and it takes another
    /// stage.
    pub fn next(&self) -> Option<Vec<u64>> {
        let is_through = |team: &u64| self.through.contains(team);
        (self.open.is_empty() && self.seeds.len() > 1)
            .then(|| self.seeds.iter().copied().filter(is_through).collect())
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
        assert_eq!(Bracket::new(vec![7, 5, 3, 1]).open(), [[1, 7], [3, 5]]);
        let three = Bracket::new(vec![7, 5, 3]);
        assert_eq!(
            (three.open(), &three.through[..]),
            (&[[3, 5]][..], &[7][..])
        );
    }

    #[test]
    fn winners_go_on_in_the_order_of_their_seeds() {
        let mut stage = Bracket::new(vec![7, 5, 3, 1]);
        stage.decide([3, 5], 3);
        assert_eq!(stage.next(), None);
        stage.decide([3, 7], 3);
        stage.decide([1, 7], 7);
        let last = Bracket::new(stage.next().unwrap());
        assert_eq!(last.seeds(), [7, 3]);
        let mut done = last.clone();
        done.decide([3, 7], 3);
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
