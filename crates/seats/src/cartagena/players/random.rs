//! The weakest baseline: any legal action.

use crate::cartagena::legal;
use cartagena::player::{Player, Question};
use cartagena::rules::Action;
use engine::rng::{self, Random};

/// Plays uniformly at random among the legal actions; passes only when there is none.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    rng: Random,
}

impl RandomPlayer {
    /// A player that draws its choices from `rng`.
    pub fn new(rng: Random) -> RandomPlayer {
        RandomPlayer { rng }
    }
}

impl Player for RandomPlayer {
    fn choose(&mut self, question: &Question) -> Action {
        let list = legal(question.game, question.view);
        match list.len() {
            0 => Action::Pass,
            n => list[rng::below(&mut self.rng, n)],
        }
    }
}
