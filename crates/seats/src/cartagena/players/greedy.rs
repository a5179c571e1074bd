//! A baseline that always makes the longest jump.

use crate::cartagena::legal;
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, ActionList};

/// Makes the longest jump; without a card, the retreat that draws most.
///
/// Among equal jumps it takes the rearmost pirate's, among equal draws the shortest way back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Player for Greedy {
    fn choose(&mut self, question: &Question) -> Action {
        let list = legal(question.game, question.view);
        let longest = list
            .iter()
            .filter_map(|&action| match action {
                // The list starts at the rear: the first of equals is the rearmost.
                Action::Advance { from, to, .. } => Some((to - from, action)),
                _ => None,
            })
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        match longest {
            Some((_, action)) => action,
            None => best_draw(question, &list),
        }
    }
}

/// The retreat that draws most cards, among equals the shortest, among these the rearmost; a pass
/// if there is none.
pub(super) fn best_draw(question: &Question, list: &ActionList) -> Action {
    let mut best = (Action::Pass, (0, i16::MIN));
    for &action in list {
        if let Action::Retreat { from, to } = action {
            let rank = (question.view.draws(to), -i16::from(from - to));
            if best.0 == Action::Pass || rank > best.1 {
                best = (action, rank);
            }
        }
    }
    best.0
}
