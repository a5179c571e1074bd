//! The last trick while a challenge can still be offered, for many public histories side by side.
//!
//! It is reduced without loss. A follower knows how the hand ends: where it wins or ties the hand it offers, which
//! costs nothing, and its losing cards are all alike, so they bluff with one probability. What is decided: whether a
//! leader offers, and how the other answers; how a leader whose card is on the table answers; and with which part
//! of its losing cards a follower bluffs.

use super::answer::Answers;
use super::lanes::row;
use super::step::Pass;
use super::terms::{Terms, by_tricks};
use crate::rules::RANKS;

/// Public histories side by side.
pub(super) const LANES: usize = 8;

/// A number for each of them.
pub(super) type Lane = [f32; LANES];

/// For each card a number for each of them.
pub(super) type Cards = [Lane; RANKS];

/// What is known of the decisions in some public histories.
#[derive(Clone, Debug)]
pub(super) struct LastTrick {
    /// By the leader's card: to offer, or to play it.
    pub offer: [Answers<LANES>; RANKS],
    /// By the follower's card: to accept that, or not.
    pub answer: [Answers<LANES>; RANKS],
    /// By the leader's card on the table: to accept an offer, or not.
    pub call: [Answers<LANES>; RANKS],
    /// By the same: whether a follower that loses the hand offers.
    pub bluff: [Answers<LANES>; RANKS],
}

/// What both bring along.
pub(super) struct Holding<'a> {
    /// Cards left of each rank.
    pub left: &'a Cards,
    /// The reach of the leader's cards.
    pub leader: &'a Cards,
    /// That of the follower's.
    pub follower: &'a Cards,
}

/// The leader's payoffs where its card is lower, equal, higher.
pub(super) struct Ends {
    plain: [f32; 3],
    challenged: [f32; 3],
    /// Whether the follower wins or ties the hand then.
    strong: [f32; 3],
    won: f32,
    lost: f32,
    bluffed: [f32; 2],
}

impl Ends {
    /// By the leader's payoffs, and how many tricks it is ahead before this one; none if that is certain.
    pub fn new(leader: &Terms, ahead: i8) -> Option<Ends> {
        let each = |payoffs: &[f32; 3]| [-1, 0, 1].map(|last| by_tricks(payoffs, ahead + last));
        (ahead.abs() < 2).then(|| Ends {
            plain: each(&leader.plain),
            challenged: each(&leader.challenged),
            strong: [-1, 0, 1].map(|last| if ahead + last > 0 { 0.0 } else { 1.0 }),
            won: leader.won(),
            lost: leader.lost(),
            bluffed: [leader.challenged[2], leader.plain[2]],
        })
    }

    /// Whether the follower's offer with a losing card is a decision at all.
    pub fn can_bluff(&self) -> bool {
        self.strong.contains(&0.0)
    }

    /// Whether the follower offers for sure where the leader's card compares so.
    pub fn offers(&self, result: i8) -> bool {
        self.strong[(result + 1) as usize] > 0.0
    }
}

const ZERO: Lane = [0.0; LANES];

impl LastTrick {
    /// Before the first iteration.
    pub fn new() -> LastTrick {
        LastTrick {
            offer: [const { Answers::NEW }; RANKS],
            answer: [const { Answers::NEW }; RANKS],
            call: [const { Answers::NEW }; RANKS],
            bluff: [const { Answers::NEW }; RANKS],
        }
    }

    /// The values of the leader's cards.
    #[inline(always)]
    pub fn leader(&mut self, ends: &Ends, holding: &Holding, pass: &Pass) -> Cards {
        let [lower, equal, higher] = ends.plain;
        let [lower_called, equal_called, higher_called] = ends.challenged;
        let [lower_strong, equal_strong, higher_strong] = ends.strong;
        let mut accepts = [ZERO; RANKS];
        let (mut all, mut all_accept) = (ZERO, ZERO);
        for (card, accepts) in accepts.iter_mut().enumerate() {
            *accepts = self.answer[card].first(pass);
            for i in 0..LANES {
                let weight = holding.follower[card][i] * holding.left[card][i];
                all[i] += weight;
                all_accept[i] += weight * accepts[i];
            }
        }
        let (mut below, mut below_accept) = (ZERO, ZERO);
        let mut values = [ZERO; RANKS];
        for card in 0..RANKS {
            let (left, reach) = (&holding.left[card], &holding.leader[card]);
            let theirs = &holding.follower[card];
            let bluff = self.bluff[card].first(pass);
            let offer = self.offer[card].first(pass);
            let call = self.call[card].first(pass);
            let (mut offered, mut accepted, mut rejected, mut rest) = (ZERO, ZERO, ZERO, ZERO);
            for i in 0..LANES {
                let here = theirs[i] * left[i];
                let same = theirs[i] * (left[i] - 1.0).max(0.0);
                let chosen = accepts[card][i];
                let wins = below[i];
                let loses = all[i] - below[i] - here;
                // The leader offers.
                let (win, tie) = (below_accept[i], same * chosen);
                let lose = all_accept[i] - below_accept[i] - here * chosen;
                let answered = win + tie + lose;
                offered[i] = higher_called * win
                    + equal_called * tie
                    + lower_called * lose
                    + ends.won * (wins + same + loses - answered);
                below[i] += here;
                below_accept[i] += here * chosen;
                // It plays, and the other offers or not.
                let part = |strong: f32| strong + (1.0 - strong) * bluff[i];
                let win = wins * part(higher_strong);
                let tie = same * part(equal_strong);
                let lose = loses * part(lower_strong);
                accepted[i] = higher_called * win + equal_called * tie + lower_called * lose;
                rejected[i] = ends.lost * (win + tie + lose);
                rest[i] = higher * (wins - win) + equal * (same - tie) + lower * (loses - lose);
            }
            let played_reach = row(|i| reach[i] * (1.0 - offer[i]));
            let called = self.call[card].decide(&call, [&accepted, &rejected], &played_reach, pass);
            let played = row(|i| called[i] + rest[i]);
            let value = self.offer[card].decide(&offer, [&offered, &played], reach, pass);
            values[card] = row(|i| left[i] * value[i]);
        }
        values
    }

    /// The values of the follower's cards.
    #[inline(always)]
    pub fn follower(&mut self, ends: &Ends, holding: &Holding, pass: &Pass) -> Cards {
        let [lower, equal, higher] = ends.plain;
        let [lower_called, equal_called, higher_called] = ends.challenged;
        let [lower_strong, equal_strong, higher_strong] = ends.strong;
        // The parts of the leader's cards that offer and that are played, and what the latter are worth to the
        // leader where the follower's card is higher, equal, lower.
        let mut offers = [ZERO; RANKS];
        let mut worth = [[ZERO; RANKS]; 3];
        let (mut all_offer, mut all_higher) = (ZERO, ZERO);
        let mut weak = ZERO;
        for card in 0..RANKS {
            let (left, reach) = (&holding.left[card], &holding.leader[card]);
            let theirs = &holding.follower[card];
            let offer = self.offer[card].first(pass);
            let call = self.call[card].first(pass);
            let played: Lane = row(|i| reach[i] * (1.0 - offer[i]));
            let mut bluff = self.bluff[card].first(pass);
            if ends.can_bluff() {
                let [called, quiet] = ends.bluffed;
                let bluffs = row(|i| {
                    -played[i] * left[i] * (call[i] * called + (1.0 - call[i]) * ends.lost)
                });
                let quiet = row(|i| -played[i] * left[i] * quiet);
                let mass: Lane = row(|i| {
                    let same = theirs[i] * (left[i] - 1.0).max(0.0);
                    (1.0 - higher_strong) * weak[i] + (1.0 - equal_strong) * same
                });
                if let Pass::Respond = pass {
                    bluff = row(|i| if bluffs[i] > quiet[i] { 1.0 } else { 0.0 });
                }
                self.bluff[card].decide(&bluff, [&bluffs, &quiet], &mass, pass);
            }
            for i in 0..LANES {
                offers[card][i] = reach[i] * offer[i];
                let worth_of = |strong: f32, called: f32, plain: f32| {
                    let part = strong + (1.0 - strong) * bluff[i];
                    let offered = call[i] * called + (1.0 - call[i]) * ends.lost;
                    played[i] * (part * offered + (1.0 - part) * plain)
                };
                worth[0][card][i] = worth_of(lower_strong, lower_called, lower);
                worth[1][card][i] = worth_of(equal_strong, equal_called, equal);
                worth[2][card][i] = worth_of(higher_strong, higher_called, higher);
                all_offer[i] += offers[card][i] * left[i];
                all_higher[i] += worth[2][card][i] * left[i];
                weak[i] += theirs[i] * left[i];
            }
        }
        let (mut below, mut below_offer, mut below_higher) = (ZERO, ZERO, ZERO);
        let mut values = [ZERO; RANKS];
        for card in 0..RANKS {
            let (left, reach) = (&holding.left[card], &holding.follower[card]);
            let (mut accepted, mut rejected, mut played) = (ZERO, ZERO, ZERO);
            for i in 0..LANES {
                let rest = (left[i] - 1.0).max(0.0);
                let here = offers[card][i] * left[i];
                let same = offers[card][i] * rest;
                let above = all_offer[i] - below_offer[i] - here;
                accepted[i] =
                    -(lower_called * below_offer[i] + equal_called * same + higher_called * above);
                rejected[i] = -ends.won * (below_offer[i] + same + above);
                below_offer[i] += here;
                let above = all_higher[i] - below_higher[i] - worth[2][card][i] * left[i];
                played[i] = -(below[i] + worth[1][card][i] * rest + above);
                below[i] += worth[0][card][i] * left[i];
                below_higher[i] += worth[2][card][i] * left[i];
            }
            let chosen = self.answer[card].first(pass);
            let value = self.answer[card].decide(&chosen, [&accepted, &rejected], reach, pass);
            values[card] = row(|i| left[i] * (value[i] + played[i]));
        }
        values
    }
}

/// Values of either player's cards where the hand ends with one payoff.
#[inline(always)]
pub(super) fn folded(left: &Cards, theirs: &Cards, payoff: f32) -> Cards {
    let mut all = ZERO;
    for (left, theirs) in left.iter().zip(theirs) {
        for i in 0..LANES {
            all[i] += left[i] * theirs[i];
        }
    }
    let mut values = [ZERO; RANKS];
    for (card, value) in values.iter_mut().enumerate() {
        *value = row(|i| payoff * left[card][i] * (all[i] - theirs[card][i]).max(0.0));
    }
    values
}
