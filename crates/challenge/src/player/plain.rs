//! A player without bluffs: the opponent at the test port.

use super::Player;
use crate::rules::Decision;
use crate::view::View;

/// Follows with the smallest card that wins, else plays its lowest; never offers a challenge, and
/// accepts one only when a rejection would lose the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Player for Plain {
    fn decide(&mut self, view: &View) -> Decision {
        view.safe().unwrap_or(Decision::Reject)
    }
}
