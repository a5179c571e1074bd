//! The weakest baseline: any legal action.

use super::{Player, Question};
use crate::cartagena::rules::{Action, ActionList};
use crate::random::{self, Random};

/// Plays uniformly at random among the legal actions; passes only when there is none.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    random: Random,
}

impl RandomPlayer {
    /// A player whose choices follow from the generator.
    pub fn new(random: Random) -> RandomPlayer {
        RandomPlayer { random }
    }
}

impl Player for RandomPlayer {
    fn choose(&mut self, question: &Question) -> Action {
        let view = question.view;
        let mut list = ActionList::new();
        question
            .game
            .actions(&view.track, view.seat, view.hand, &mut list);
        match list.len() {
            0 => Action::Pass,
            n => list[random::below(&mut self.random, n)],
        }
    }
}
