//! The endgames of two cards inside a solved endgame of three cards, which other solutions can replace.
//!
//! A player solves two cards anew after the first of three tricks. To measure such a player, `lab::challenge` puts
//! its solutions in place of those below every first trick, and computes a best response to the whole.

use super::accepted::Accepted;
use super::lanes::place;
use super::three::AcceptedThree;
use super::two::TwoTricks;
use super::{Root, Solver};
use crate::rules::{Card, Decision, RANKS};

use Decision::{Accept, Offer, Play};

/// The tables of an endgame of two cards inside one of three.
enum Below<'a> {
    Two(&'a mut TwoTricks),
    Accepted(&'a mut Accepted),
}

impl Solver {
    /// All sequences of decisions that lead from three cards to two, offers and answers included.
    pub fn first_tricks(&self) -> Vec<Vec<Decision>> {
        // `challenge` comes before the first card, `between` between the two cards.
        let before = |challenge: &'static [Decision], between: &'static [Decision]| {
            Card::all().flat_map(move |led| {
                Card::all().map(move |followed| {
                    let mut log = challenge.to_vec();
                    log.push(Play(led));
                    log.extend(between);
                    log.push(Play(followed));
                    log
                })
            })
        };
        // Endgames of fewer cards have no first trick of three, and so no sequences.
        match &self.root {
            Root::Three(_) => before(&[], &[])
                // An offer can come before the first card or from the follower; a rejected one ends the hand.
                .chain(before(&[Offer, Accept], &[]))
                .chain(before(&[], &[Offer, Accept]))
                .collect(),
            Root::AcceptedThree(_) => before(&[], &[]).collect(),
            _ => Vec::new(),
        }
    }

    /// Replaces the tables after the first of three tricks, which `log` holds, by those of another solver. Changes
    /// nothing if the two do not fit.
    pub fn replace(&mut self, log: &[Decision], with: Solver) {
        // The root of the other solver is the node of this one, without the ranges.
        match (find(&mut self.root, log), with.root) {
            (Some(Below::Two(to)), Root::Two(from)) => *to = *from,
            (Some(Below::Accepted(to)), Root::AcceptedTwo(from)) => *to = *from,
            _ => {}
        }
    }
}

/// The tables that the decisions of a first trick lead to. None for rejected offers, unfinished tricks and endgames
/// without three cards.
fn find<'a>(root: &'a mut Root, log: &[Decision]) -> Option<Below<'a>> {
    // Below an accepted challenge there are no offers, so the tables are of the other type.
    let accepted = |three: &'a mut AcceptedThree, led, followed| {
        Below::Accepted(&mut three.follow[place(led)].two[place(followed)])
    };
    match (root, log) {
        (Root::Three(three), &[Play(led), Play(followed)]) => Some(Below::Two(
            &mut three.two[place(led) * RANKS + place(followed)],
        )),
        (Root::Three(three), &[Offer, Accept, Play(led), Play(followed)]) => {
            Some(accepted(&mut three.accepted, led, followed))
        }
        (Root::Three(three), &[Play(led), Offer, Accept, Play(followed)]) => Some(Below::Accepted(
            &mut three.called[place(led)].two[place(followed)],
        )),
        (Root::AcceptedThree(three), &[Play(led), Play(followed)]) => {
            Some(accepted(three, led, followed))
        }
        _ => None,
    }
}
