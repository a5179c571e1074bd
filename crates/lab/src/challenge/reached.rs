//! The endgames that games of the blueprint's tables against themselves reach, without solved openings. `lab challenge
//! exploit` solves them and prints how well.

use super::self_play::step;
use challenge::deals;
use challenge::equilibrium::History;
use challenge::equilibrium::blueprint::{Blueprint, probability_of};
use challenge::equilibrium::endgame::Endgame;
use challenge::rules::{DEFAULT_GOAL, Decision, Hand, PACKS, PublicState, Seat, other};
use engine::rng::Random;

/// Plays games by the blueprint and returns the endgames on the way.
pub struct ReachedEndgames<'a> {
    blueprint: &'a Blueprint,
    cards: usize,
    rng: Random,
    points: [u8; 2],
    opener: Seat,
}

impl<'a> ReachedEndgames<'a> {
    /// Endgames in which both hold `cards` cards.
    pub fn new(blueprint: &'a Blueprint, cards: usize, rng: Random) -> ReachedEndgames<'a> {
        ReachedEndgames {
            blueprint,
            cards,
            rng,
            points: [0, 0],
            opener: 0,
        }
    }

    /// Plays on to the next endgame in which something is left to decide. Every hand is dealt from
    /// a full deck.
    pub fn next_endgame(&mut self) -> Endgame {
        loop {
            let (blueprint, cards) = (self.blueprint, self.cards);
            let stakes = blueprint.values().stakes_for(self.points, self.opener);
            let strategy = blueprint.strategy(&stakes);
            let mut hand = Hand::new(deals::fresh(&mut self.rng), self.opener);
            let mut play = |hand: &mut Hand| {
                let chosen = |public: &PublicState, own| strategy.played(public, own);
                match hand.public().is_decided() {
                    true => None,
                    false => step(hand, &mut self.rng, chosen),
                }
            };
            let mut log = Vec::new();
            // Plays until both hold `cards` cards, and remembers the decisions: the ranges follow from them.
            while hand.public().tricks_left() > cards
                && let Some(decision) = play(&mut hand)
            {
                log.push(decision);
            }
            let is_decided = hand.public().is_decided();
            // The hand is played to its end, so that the games go on with the scores that the
            // blueprint brings about.
            while play(&mut hand).is_some() {}
            let endgame = (!is_decided).then(|| self.endgame(&log)).flatten();
            self.score(hand.public());
            if let Some(endgame) = endgame {
                return endgame;
            }
        }
    }

    /// The endgame after the decisions of a hand, with both players' ranges.
    fn endgame(&self, log: &[Decision]) -> Option<Endgame> {
        let history = History::of(self.opener, log, self.cards)?;
        let stakes = self.blueprint.values().stakes_for(self.points, self.opener);
        let strategy = self.blueprint.strategy(&stakes);
        let policy =
            |public: &_, own, decision| probability_of(&strategy.played(public, own), decision);
        // The ranges by Bayes' rule, if both players follow the strategy and never stray.
        Some(history.endgame(&policy, [0.0; 2], stakes, PACKS))
    }

    /// Counts a hand, and begins a new game if this one is over.
    fn score(&mut self, public: &PublicState) {
        // A tie gives no point, and the same player opens again.
        let Some(winner) = public.leader() else {
            return;
        };
        self.points[winner] += 1;
        self.opener = winner;
        // A challenge or the goal ends the game, and the loser opens the next one.
        if public.in_challenge() || self.points[winner] == DEFAULT_GOAL {
            self.points = [0, 0];
            self.opener = other(winner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use challenge::equilibrium::endgame::Solver;
    use engine::rng::stream;

    /// Endgames met in play come near equilibrium: within 0.001 of a point for two cards, within 0.25 for three.
    #[test]
    fn endgames_that_are_met_are_solved() {
        let blueprint = Blueprint::embedded();
        for (cards, count, iterations, points) in
            [(1, 5, 1000, 0.002), (2, 5, 1000, 0.001), (3, 1, 30, 0.25)]
        {
            let mut reached = ReachedEndgames::new(&blueprint, cards, stream(3, 0));
            for _ in 0..count {
                let endgame = reached.next_endgame();
                assert_eq!(endgame.public.tricks_left(), cards);
                let point = f64::from(endgame.stakes.point());
                let Some(mut solver) = Solver::new(&endgame) else {
                    continue;
                };
                let before = solver.exploitability();
                for _ in 0..iterations {
                    solver.step();
                }
                let after = solver.exploitability();
                assert!(
                    after < points * point && after <= before,
                    "{cards}: {before} {after}"
                );
            }
        }
    }
}
