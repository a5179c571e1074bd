//! Endgames that the blueprint reaches in play.

use super::self_play::SelfPlay;
use challenge::deals;
use challenge::equilibrium::blueprint::Blueprint;
use challenge::equilibrium::endgame::Endgame;
use challenge::equilibrium::{History, Multisets};
use challenge::rules::{DEFAULT_GOAL, Decision, PACKS, PublicState, Seat, other};
use engine::rng::Random;

/// Plays games by the blueprint and stops at endgames.
pub struct ReachedEndgames<'a> {
    blueprint: &'a Blueprint,
    cards: usize,
    hands: Multisets,
    rng: Random,
    points: [u8; 2],
    opener: Seat,
}

impl<'a> ReachedEndgames<'a> {
    /// Endgames in which both hold so many cards.
    pub fn new(blueprint: &'a Blueprint, cards: usize, rng: Random) -> ReachedEndgames<'a> {
        ReachedEndgames {
            blueprint,
            cards,
            hands: Multisets::new(cards),
            rng,
            points: [0, 0],
            opener: 0,
        }
    }

    /// Plays on to the next endgame in which something is still to be decided. Every hand is dealt
    /// from a full deck.
    pub fn next_endgame(&mut self) -> Endgame {
        loop {
            let (blueprint, cards) = (self.blueprint, self.cards);
            let stakes = blueprint.values().stakes_for(self.points, self.opener);
            let dealt = deals::fresh(&mut self.rng);
            let mut play = SelfPlay::new(
                blueprint.strategy(&stakes),
                PublicState::new(self.opener),
                dealt,
            );
            let mut log = Vec::new();
            while play.public().tricks_left() > cards
                && let Some(decision) = play.step(&mut self.rng)
            {
                log.push(decision);
            }
            let endgame = (!play.is_decided()).then(|| self.endgame(&log)).flatten();
            while play.step(&mut self.rng).is_some() {}
            self.score(play.public());
            if let Some(endgame) = endgame {
                return endgame;
            }
        }
    }

    fn endgame(&self, log: &[Decision]) -> Option<Endgame> {
        let history = History::of(self.opener, log, self.cards)?;
        let stakes = self.blueprint.values().stakes_for(self.points, self.opener);
        let strategy = self.blueprint.strategy(&stakes);
        let policy = |public: &_, own, decision| strategy.probability(public, own, decision);
        Some(history.endgame(&self.hands, &policy, stakes, PACKS))
    }

    /// Goes on with the score after a hand, or with a new game.
    fn score(&mut self, public: &PublicState) {
        let Some(winner) = public.leader() else {
            return;
        };
        self.points[winner] += 1;
        self.opener = winner;
        if public.in_challenge() || self.points[winner] == DEFAULT_GOAL {
            self.points = [0, 0];
            self.opener = other(winner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::challenge::exploitability::exploitability;
    use challenge::equilibrium::endgame::Solver;
    use engine::rng::stream;

    /// Two-card endgames come near their equilibrium.
    #[test]
    fn endgames_of_two_cards_are_solved() {
        let blueprint = Blueprint::embedded();
        let mut reached = ReachedEndgames::new(&blueprint, 2, stream(3, 0));
        for _ in 0..3 {
            let endgame = reached.next_endgame();
            assert_eq!(endgame.public.tricks_left(), 2);
            let point = endgame.stakes.point();
            let mut solver = Solver::new(endgame.tree());
            let before = exploitability(&solver);
            for _ in 0..150 {
                solver.step();
            }
            let after = exploitability(&solver);
            assert!(after < 0.02 * point && after <= before, "{before} {after}");
        }
    }
}
