//! Endgames as they come about in play.

use super::blueprint::{Book, Play};
use super::endgame::Endgame;
use super::{History, Multisets, Public, deals};
use crate::rules::{Challenge, DEFAULT_GOAL, Decision, PACKS, Seat, other};
use engine::rng::Random;

/// Plays games by the blueprint and stops at endgames.
pub struct Reached<'a> {
    book: &'a Book,
    cards: usize,
    hands: Multisets,
    random: Random,
    points: [u8; 2],
    opener: Seat,
}

impl<'a> Reached<'a> {
    /// Endgames in which both hold so many cards.
    pub fn new(book: &'a Book, cards: usize, random: Random) -> Reached<'a> {
        Reached {
            book,
            cards,
            hands: Multisets::new(cards),
            random,
            points: [0, 0],
            opener: 0,
        }
    }

    /// Plays on to the next endgame in which something is still to be decided. Every hand is dealt
    /// from a full deck.
    pub fn next_endgame(&mut self) -> Endgame {
        loop {
            let (book, cards) = (self.book, self.cards);
            let stakes = book.values().stakes_for(self.points, self.opener);
            let dealt = deals::fresh(&mut self.random);
            let mut play = Play::new(book.strategy(&stakes), Public::new(self.opener), dealt);
            let mut log = Vec::new();
            while play.public().left() > cards
                && let Some(decision) = play.step(&mut self.random)
            {
                log.push(decision);
            }
            let endgame = (!play.is_decided()).then(|| self.endgame(&log)).flatten();
            while play.step(&mut self.random).is_some() {}
            self.score(play.public());
            if let Some(endgame) = endgame {
                return endgame;
            }
        }
    }

    fn endgame(&self, log: &[Decision]) -> Option<Endgame> {
        let history = History::of(self.opener, log, self.cards)?;
        let stakes = self.book.values().stakes_for(self.points, self.opener);
        let strategy = self.book.strategy(&stakes);
        let policy = |public: &_, own, decision| strategy.share(public, own, decision);
        Some(history.endgame(&self.hands, &policy, stakes, PACKS))
    }

    /// Goes on with the score after a hand, or with a new game.
    fn score(&mut self, public: &Public) {
        let (winner, ends) = match (public.challenge, public.ahead(0)) {
            (Challenge::Rejected(by), _) => (Some(by), false),
            (_, 0) => (None, false),
            (challenge, ahead) => {
                let by = if ahead > 0 { 0 } else { 1 };
                (Some(by), matches!(challenge, Challenge::Accepted(_)))
            }
        };
        let Some(winner) = winner else { return };
        self.points[winner] += 1;
        self.opener = winner;
        if ends || self.points[winner] == DEFAULT_GOAL {
            self.points = [0, 0];
            self.opener = other(winner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equilibrium::endgame::{Solver, gap};
    use engine::rng::stream;
    use std::path::Path;

    /// What the issue asks of two-card endgames, on a few of them.
    #[test]
    fn endgames_of_two_cards_are_solved() {
        let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../support");
        let book = Book::read(&support).unwrap();
        let mut reached = Reached::new(&book, 2, stream(3, 0));
        for _ in 0..3 {
            let endgame = reached.next_endgame();
            assert_eq!(endgame.public.left(), 2);
            let point = endgame.stakes.point();
            let mut solver = Solver::new(endgame.tree());
            let before = gap(&solver).exploitability();
            for _ in 0..150 {
                solver.step();
            }
            let after = gap(&solver).exploitability();
            assert!(after < 0.02 * point && after <= before, "{before} {after}");
        }
    }
}
