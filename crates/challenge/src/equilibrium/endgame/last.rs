//! The last trick while a challenge can still be offered, for eight public histories side by side.
//!
//! Each player holds one card. Let `m[d]` cards of rank `d` be left and `r[d]` be the other's reach with one. The
//! counterfactual value of the leader's card `c` is
//!
//! ```text
//! v(c) = m[c] · Σ_d r[d] · (m[d] − [c = d]) · u(c, d)
//! ```
//!
//! where `[c = d]` is 1 for equal ranks: the leader holds one of them. The payoff `u` depends on the two ranks only
//! by which is higher. So a prefix sum `B(c) = Σ_{d<c} r[d] · m[d]` and the total `A` give every value in one pass
//! over the 13 ranks in place of 169 pairs: the leader's card beats hands of weight `B(c)`, ties with
//! `r[c] · (m[c] − 1)` and loses to `A − B(c) − r[c] · m[c]`. With `m = 2, 1, 3` for three ranks and `r = 1`, the
//! highest card beats 3, ties with 2 and loses to none.
//!
//! The game is reduced without loss. The follower sees the leader's card, so it knows how the hand ends. If it wins
//! or ties the hand it offers a challenge: a rejection wins a point, and an accepted challenge pays at least as
//! much as playing on. All its losing cards have the same payoffs, so one probability of bluffing serves them all.
//! The decisions left are: whether the leader offers, and how the follower answers; how a leader whose card is on
//! the table answers; and with which part of its losing cards the follower bluffs.

use super::answer::Answers;
use super::lanes::row;
use super::step::Pass;
use super::terms::{Terms, by_tricks};
use crate::rules::RANKS;

/// How many public histories are worked on side by side: eight floats fill a vector register of 256 bits.
pub(super) const LANES: usize = 8;

/// A number for each public history.
pub(super) type Lane = [f32; LANES];

/// A number for each rank and public history.
pub(super) type Cards = [Lane; RANKS];

/// Regrets and cumulative strategies of all decisions in eight public histories.
#[derive(Clone, Debug)]
pub(super) struct LastTrick {
    /// Indexed by the leader's card: to offer (first) or to play it.
    pub offer: [Answers<LANES>; RANKS],
    /// Indexed by the follower's card: to accept that offer (first) or to reject it.
    pub answer: [Answers<LANES>; RANKS],
    /// Indexed by the leader's card on the table: to accept the follower's offer (first) or to reject it.
    pub call: [Answers<LANES>; RANKS],
    /// Indexed by the leader's card on the table: a follower that loses the hand offers (first) or plays.
    pub bluff: [Answers<LANES>; RANKS],
}

/// The cards left and both players' ranges.
pub(super) struct Holding<'a> {
    /// How many cards of each rank nobody has played.
    pub left: &'a Cards,
    /// The leader's reach with each card.
    pub leader: &'a Cards,
    /// The follower's reach with each card.
    pub follower: &'a Cards,
}

/// The leader's payoffs. Arrays of three are indexed by whether its card is lower than the follower's, equal, or
/// higher.
pub(super) struct Ends {
    /// If the cards decide without a challenge.
    plain: [f32; 3],
    /// If the cards decide an accepted challenge.
    challenged: [f32; 3],
    /// 1 where the follower wins or ties the hand, 0 where it loses it. Numbers, so that loops need no branch.
    strong: [f32; 3],
    /// If the follower rejects the leader's offer.
    won: f32,
    /// If the leader rejects the follower's offer.
    lost: f32,
    /// Against a card that loses the hand: if the leader accepts a bluff with it, and if no challenge is offered.
    bluffed: [f32; 2],
}

impl Ends {
    /// From the leader's payoffs and how many tricks it is ahead before this one. None if it is two or more ahead
    /// or behind: this trick cannot change the result then.
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

    /// Whether a follower can lose the hand, so that bluffing is a decision. It cannot where the leader is a trick
    /// behind.
    pub fn can_bluff(&self) -> bool {
        self.strong.contains(&0.0)
    }

    /// Whether the follower offers for sure at a result of the trick: −1 if the leader's card is lower, 0 if equal,
    /// 1 if higher.
    pub fn offers(&self, result: i8) -> bool {
        self.strong[(result + 1) as usize] > 0.0
    }
}

const ZERO: Lane = [0.0; LANES];

impl LastTrick {
    /// Tables before the first iteration: all zeros, so that both actions of each decision are equally likely.
    pub const NEW: LastTrick = LastTrick {
        offer: [const { Answers::NEW }; RANKS],
        answer: [const { Answers::NEW }; RANKS],
        call: [const { Answers::NEW }; RANKS],
        bluff: [const { Answers::NEW }; RANKS],
    };

    /// The same on the heap. Not inlined: it is seldom called.
    #[cold]
    pub fn new() -> Box<LastTrick> {
        Box::new(LastTrick::NEW)
    }

    /// The counterfactual values of the leader's cards, in one pass over the ranks; see the module's formula.
    #[inline(always)]
    pub fn leader(&mut self, ends: &Ends, holding: &Holding, pass: &Pass) -> Cards {
        let [lower, equal, higher] = ends.plain;
        let [lower_called, equal_called, higher_called] = ends.challenged;
        let [lower_strong, equal_strong, higher_strong] = ends.strong;
        // The total weight `A` of the follower's hands, and of the part that accepts the leader's offer.
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
        // The prefix sums `B(c)` of the same two weights over the lower ranks.
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
                // With the leader holding one card of this rank, one fewer is left for the follower. All other
                // ranks keep their counts, so the sums over them hold for every card of the leader's.
                let here = theirs[i] * left[i];
                let same = theirs[i] * (left[i] - 1.0).max(0.0);
                let chosen = accepts[card][i];
                let wins = below[i];
                let loses = all[i] - below[i] - here;
                // The leader offers: the same three weights, of the hands that accept.
                let (win, tie) = (below_accept[i], same * chosen);
                let lose = all_accept[i] - below_accept[i] - here * chosen;
                let answered = win + tie + lose;
                // Hands that accept pay by the cards. The rest rejects and gives the leader a point.
                offered[i] = higher_called * win
                    + equal_called * tie
                    + lower_called * lose
                    + ends.won * (wins + same + loses - answered);
                // Only now: the sums above are over strictly lower ranks.
                below[i] += here;
                below_accept[i] += here * chosen;
                // The leader plays its card. All of the follower's winning and tying hands offer, and `bluff` of
                // the losing ones.
                let part = |strong: f32| strong + (1.0 - strong) * bluff[i];
                let win = wins * part(higher_strong);
                let tie = same * part(equal_strong);
                let lose = loses * part(lower_strong);
                accepted[i] = higher_called * win + equal_called * tie + lower_called * lose;
                rejected[i] = ends.lost * (win + tie + lose);
                rest[i] = higher * (wins - win) + equal * (same - tie) + lower * (loses - lose);
            }
            // The leader answers that offer only with the hands that did not offer themselves.
            let played_reach = row(|i| reach[i] * (1.0 - offer[i]));
            let called = self.call[card].decide(&call, [&accepted, &rejected], &played_reach, pass);
            let played = row(|i| called[i] + rest[i]);
            let value = self.offer[card].decide(&offer, [&offered, &played], reach, pass);
            // The factor `m[c]` is left out of all values above: regret matching does not change if the regrets of
            // a decision have a common factor.
            values[card] = row(|i| left[i] * value[i]);
        }
        values
    }

    /// The counterfactual values of the follower's cards: a first pass over the leader's cards works out what each
    /// is worth, a second pass over the follower's cards sums that up.
    #[inline(always)]
    pub fn follower(&mut self, ends: &Ends, holding: &Holding, pass: &Pass) -> Cards {
        let [lower, equal, higher] = ends.plain;
        let [lower_called, equal_called, higher_called] = ends.challenged;
        let [lower_strong, equal_strong, higher_strong] = ends.strong;
        // The reach of the leader's cards that offer, and what its played cards are worth to the leader (times
        // their reach) where the leader's card is lower than the follower's, equal, higher.
        let mut offers = [ZERO; RANKS];
        let mut worth = [[ZERO; RANKS]; 3];
        let (mut all_offer, mut all_higher) = (ZERO, ZERO);
        // The weight of the follower's cards below the leader's: in a lost hand these are the ones to bluff with.
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
                // A losing card that bluffs pays by the leader's answer, and one that is played pays the loss of
                // the hand. No rank of the follower's occurs here: they are all alike.
                let bluffs = row(|i| {
                    -played[i] * left[i] * (call[i] * called + (1.0 - call[i]) * ends.lost)
                });
                let quiet = row(|i| -played[i] * left[i] * quiet);
                // The reach of the follower's losing cards: the lower ones where the leader wins by a higher card,
                // and equal ones where it wins with a tied trick. A higher card of the follower never loses: `Ends`
                // excludes a leader who is two ahead.
                let mass: Lane = row(|i| {
                    let same = theirs[i] * (left[i] - 1.0).max(0.0);
                    (1.0 - higher_strong) * weak[i] + (1.0 - equal_strong) * same
                });
                // A best response bluffs always or never, whichever is worth more.
                if let Pass::Respond = pass {
                    bluff = row(|i| if bluffs[i] > quiet[i] { 1.0 } else { 0.0 });
                }
                self.bluff[card].decide(&bluff, [&bluffs, &quiet], &mass, pass);
            }
            for i in 0..LANES {
                offers[card][i] = reach[i] * offer[i];
                // `part` of the follower's hands offers; the leader then accepts with probability `call`.
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
        // The same prefix sums as for the leader, now over the leader's cards. Signs turn: payoffs sum to 0.
        let (mut below, mut below_offer, mut below_higher) = (ZERO, ZERO, ZERO);
        let mut values = [ZERO; RANKS];
        for card in 0..RANKS {
            let (left, reach) = (&holding.left[card], &holding.follower[card]);
            let (mut accepted, mut rejected, mut played) = (ZERO, ZERO, ZERO);
            for i in 0..LANES {
                let rest = (left[i] - 1.0).max(0.0);
                // The leader has offered: its lower, equal and higher cards by weight.
                let here = offers[card][i] * left[i];
                let same = offers[card][i] * rest;
                let above = all_offer[i] - below_offer[i] - here;
                accepted[i] =
                    -(lower_called * below_offer[i] + equal_called * same + higher_called * above);
                rejected[i] = -ends.won * (below_offer[i] + same + above);
                below_offer[i] += here;
                // The leader has played: its lower cards have `worth[0]`, equal ones `worth[1]`, higher ones
                // `worth[2]`. The last sum is the total less what was passed.
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

/// Values of one player's cards where every pair of cards has the same payoff:
/// `payoff · m[c] · Σ_d r[d] · (m[d] − [c = d])`.
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
