//! The endgames of two cards inside one of three.

use super::accepted::Accepted;
use super::lanes::place;
use super::three::AcceptedThree;
use super::two::TwoTricks;
use super::{Endgame, Root, Solver};
use crate::rules::{Card, Decision, RANKS};

use Decision::{Accept, Offer, Play};

/// What is known of an endgame of two cards inside one of three.
enum Below<'a> {
    Two(&'a mut TwoTricks),
    Accepted(&'a mut Accepted),
}

impl Solver {
    /// All decisions with which the first of three tricks can be played to its end.
    pub fn first_tricks(&self) -> Vec<Vec<Decision>> {
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
        match &self.root {
            Root::Three(_) => before(&[], &[])
                .chain(before(&[Offer, Accept], &[]))
                .chain(before(&[], &[Offer, Accept]))
                .collect(),
            Root::AcceptedThree(_) => before(&[], &[]).collect(),
            _ => Vec::new(),
        }
    }

    /// The endgame after the first of three tricks, as far as this solver has solved it; its ranges are those that
    /// are given.
    pub fn below(&self, log: &[Decision], endgame: &Endgame) -> Option<Solver> {
        let mut copy = Solver::new(endgame, self.variant)?;
        // A solver of two cards has a table of the same kind as that below.
        match (&self.root, log, &mut copy.root) {
            (Root::Three(three), &[Play(led), Play(followed)], Root::Two(to)) => {
                (**to).clone_from(&three.two[place(led) * RANKS + place(followed)]);
            }
            (
                Root::Three(three),
                &[Offer, Accept, Play(led), Play(followed)],
                Root::AcceptedTwo(to),
            ) => {
                (**to).clone_from(&three.accepted.follow[place(led)].two[place(followed)]);
            }
            (
                Root::Three(three),
                &[Play(led), Offer, Accept, Play(followed)],
                Root::AcceptedTwo(to),
            ) => {
                (**to).clone_from(&three.called[place(led)].two[place(followed)]);
            }
            (Root::AcceptedThree(three), &[Play(led), Play(followed)], Root::AcceptedTwo(to)) => {
                (**to).clone_from(&three.follow[place(led)].two[place(followed)]);
            }
            _ => return None,
        }
        Some(copy)
    }

    /// Plays another solution after the first of three tricks.
    pub fn replace(&mut self, log: &[Decision], with: Solver) {
        match (find(&mut self.root, log), with.root) {
            (Some(Below::Two(to)), Root::Two(from)) => *to = *from,
            (Some(Below::Accepted(to)), Root::AcceptedTwo(from)) => *to = *from,
            _ => {}
        }
    }
}

fn find<'a>(root: &'a mut Root, log: &[Decision]) -> Option<Below<'a>> {
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
