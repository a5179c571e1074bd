//! Knowledge that players have gained about each other in finished rounds of a game.
//!
//! A player is created for every decision, and learning takes longer than deciding. So the learnt state is
//! kept, and extended when another round is over.

use super::deal::{Cards, Deal};
use engine::sync::lock;
use std::sync::{Arc, Mutex};
use tricks::{Agent, Player, PolicySet};

/// Players that have learnt. Copies of a game share them.
pub(super) type Learnt<P> = Arc<Mutex<Vec<Known<P>>>>;

#[derive(Clone)]
pub(super) struct Known<P> {
    seat: usize,
    /// The rounds that it has learnt from. Copies of a game may have continued differently, so they are
    /// compared.
    rounds: Vec<Cards>,
    player: Player<P>,
}

/// An agent at a seat after these rounds. All learning agents of a seat use the same network, so they
/// share what was learnt.
pub(super) fn player<P: PolicySet>(
    learnt: &Learnt<P>,
    seat: usize,
    rounds: &[&Deal<P::Round>],
    agent: Agent<P>,
) -> Player<P> {
    if !agent.learns() {
        return Player::new(agent);
    }
    // Learnt from a beginning of these rounds: the rest can be added. Anything else is useless here.
    let is_before = |known: &Known<P>| {
        let same = |(cards, deal): (&Cards, &&Deal<P::Round>)| *cards == deal.cards;
        known.rounds.len() <= rounds.len() && known.rounds.iter().zip(rounds).all(same)
    };
    // A copy, so that the lock is not held while learning.
    let before = {
        let all = lock(learnt);
        let mut of_seat = all.iter().filter(|known| known.seat == seat);
        of_seat.find(|known| is_before(known)).cloned()
    };
    let mut known = before.unwrap_or_else(|| Known {
        seat,
        rounds: vec![],
        player: Player::new(agent),
    });
    if known.rounds.len() < rounds.len() {
        for deal in &rounds[known.rounds.len()..] {
            known.player.learn(&deal.view(seat));
            known.rounds.push(deal.cards.clone());
        }
        let mut all = lock(learnt);
        // One entry a seat: the latest is the most useful.
        all.retain(|known| known.seat != seat);
        all.push(known.clone());
    }
    known.player.with_agent(agent)
}
