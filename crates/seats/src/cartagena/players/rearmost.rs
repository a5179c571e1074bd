//! A baseline that never leaves a pirate behind.

use super::greedy::best_draw;
use crate::cartagena::legal;
use cartagena::player::{Player, Question};
use cartagena::rules::Action;

/// Advances its rearmost pirate with the card that takes it farthest; without a card it makes the
/// retreat that draws most.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rearmost;

impl Player for Rearmost {
    fn choose(&mut self, question: &Question) -> Action {
        let list = legal(question.game, question.view);
        let mut best: Option<Action> = None;
        for &action in &list {
            let Action::Advance { from, to, .. } = action else {
                continue;
            };
            match best.and_then(Action::places) {
                // Later in the list are only pirates farther ahead.
                Some((rear, _)) if from > rear => break,
                Some((_, farthest)) if to <= farthest => {}
                _ => best = Some(action),
            }
        }
        best.unwrap_or_else(|| best_draw(question, &list))
    }
}
