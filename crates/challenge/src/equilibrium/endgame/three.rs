//! The last three tricks. The first of them is solved here, on numbered hands of three cards (see `triple`); the
//! tricks after it are those of [`TwoTricks`] and [`Accepted`].
//!
//! The decisions of the first trick are the same as with two cards: an offer and its answer, a card led, an offer
//! on it and its answer, a card that follows. Each of the 13 cards that can be led has separate tables and is
//! walked in parallel. Their values are added up in the order of the cards, so the result does not depend on the
//! threads.

use super::accepted::{Accepted, Situation, TwoCards, Walk};
use super::answer::Answers;
use super::lanes::{Matrix, NOTHING, Row, counts, is_nothing};
use super::removal::without;
use super::terms::{after_trick, result};
use super::triple::{PAIRS, Plays, Sets, TRIPLES, TripleChoice, TripleStrategy, Triples};
use super::two::TwoTricks;
use crate::rules::RANKS;
use rayon::prelude::*;

/// Regrets and cumulative strategies of three tricks.
#[derive(Clone, Debug)]
pub(super) struct ThreeTricks {
    /// The leader's card or offer.
    pub lead: TripleChoice,
    /// The other's answer to that offer, by the number of its hand.
    pub answer: Vec<Answers<1>>,
    /// Indexed by the card led: the follower's card or offer.
    pub follow: Vec<TripleChoice>,
    /// Indexed by the card led, then by the pair kept: the leader's answer to the follower's offer.
    pub wait: Vec<Answers<PAIRS>>,
    /// After the leader's offer was accepted.
    pub accepted: AcceptedThree,
    /// Indexed by the card led, after the follower's offer was accepted.
    pub called: Vec<FollowThree>,
    /// Indexed by `13 · led + followed`: the last two tricks.
    pub two: Vec<TwoTricks>,
}

/// Regrets and cumulative strategies of three tricks after an accepted challenge.
#[derive(Clone, Debug)]
pub(super) struct AcceptedThree {
    pub lead: TripleChoice,
    /// Indexed by the card led.
    pub follow: Vec<FollowThree>,
}

/// How a card is followed in an accepted challenge, and the two tricks after it.
#[derive(Clone, Debug)]
pub(super) struct FollowThree {
    pub follow: TripleChoice,
    /// Indexed by the card that followed.
    pub two: Vec<Accepted>,
}

impl FollowThree {
    fn new() -> FollowThree {
        FollowThree {
            follow: TripleChoice::new(false),
            two: vec![Accepted::new(); RANKS],
        }
    }
}

/// The values of the learner's hands below one card that was led.
enum Values {
    /// The learner has led: values of the pairs that it kept.
    Kept(Box<[f32; PAIRS]>),
    /// The learner follows: values of its hands of three.
    All(Triples),
}

/// Collects the values below each card that can be led. A leader chooses between the cards, so it needs the values
/// of each; a follower needs their sum. None if a walk was stopped.
fn gathered(each: impl IntoIterator<Item = Option<Values>>) -> Option<(Plays, Triples)> {
    let mut plays = vec![[0.0; PAIRS]; RANKS];
    let mut values = vec![0.0; TRIPLES];
    for (to, found) in plays.iter_mut().zip(each) {
        match found? {
            Values::Kept(kept) => *to = *kept,
            Values::All(all) => add(&mut values, &all),
        }
    }
    Some((plays, values))
}

impl AcceptedThree {
    /// Tables before the first iteration: all zeros, so that strategies are uniform.
    pub fn new() -> AcceptedThree {
        AcceptedThree {
            lead: TripleChoice::new(false),
            follow: vec![FollowThree::new(); RANKS],
        }
    }

    /// The counterfactual values of the learner's hands. None if the walk was stopped. `reach` is indexed by
    /// player.
    pub fn visit(
        &mut self,
        walk: &Walk,
        sets: &Sets,
        at: &Situation,
        reach: [&Triples; 2],
    ) -> Option<Triples> {
        // One strategy for the whole walk: the tables change only after it has been used.
        let chosen = self.lead.strategy(sets, &walk.pass);
        // By the card led, the leader's reach with each pair that it keeps.
        let led = chosen.played(sets, reach[at.lead]);
        let of_card = |(card, follow): (usize, &mut FollowThree)| {
            let behind = Behind {
                at,
                card,
                leader: &led[card],
                follower: reach[1 - at.lead],
            };
            // A card that is under way is finished; the next one is not begun.
            let stopped = walk.is_stopped();
            (!stopped).then(|| behind.visit(walk, sets, follow, at.left[card]))
        };
        // In parallel, but collected in the order of the cards: sums of floats depend on their order.
        let each: Vec<_> = self
            .follow
            .par_iter_mut()
            .enumerate()
            .map(of_card)
            .collect();
        let (plays, values) = gathered(each)?;
        if walk.learner != at.lead {
            return Some(values);
        }
        // The leader chooses between the cards. No offers: a challenge was accepted.
        let both = (&plays, &Triples::new());
        let own = reach[at.lead];
        Some(self.lead.decide(sets, &chosen, both, own, &walk.pass))
    }
}

/// A card that was led in an accepted challenge, with the reach of both players' hands.
struct Behind<'a> {
    /// The state before it was led.
    at: &'a Situation,
    card: usize,
    leader: &'a [f32; PAIRS],
    follower: &'a Triples,
}

impl Behind<'_> {
    /// The values of the learner's hands, times `weight`: the number of ways to have drawn the card led.
    fn visit(&self, walk: &Walk, sets: &Sets, below: &mut FollowThree, weight: f32) -> Values {
        let lead = self.at.lead;
        let leads = walk.learner == lead;
        // The follower sees the card led, so its tables are those of this card.
        let chosen = below.follow.strategy(sets, &walk.pass);
        let followed = chosen.played(sets, self.follower);
        // Two cards each are left from here on: matrices.
        let leader = sets.matrix(self.leader);
        let mut own = [0.0; PAIRS];
        let mut plays = vec![[0.0; PAIRS]; RANKS];
        for card in 0..RANKS {
            let (at, ways) = after(self.at, self.card, card);
            let follower = sets.matrix(&followed[card]);
            let mut reach = [&leader; 2];
            reach[1 - lead] = &follower;
            // A leader's values add up over the cards that follow; a follower chooses between them.
            let values = met(&mut below.two[card], walk, &at, reach);
            let to = if leads { &mut own } else { &mut plays[card] };
            sets.add(to, weight * ways, &values);
        }
        if leads {
            return Values::Kept(Box::new(own));
        }
        // No offers: a challenge was accepted.
        let both = (&plays, &Triples::new());
        let own = self.follower;
        Values::All(below.follow.decide(sets, &chosen, both, own, &walk.pass))
    }
}

/// The values of the learner's hands in the last two tricks. While learning, the walk is skipped if no hand of the
/// other comes to this state: all values are 0, and an iteration would only discount the regrets. This spares an
/// eighth to a quarter of all walks. The averages at a skipped state stay as they are. They are seldom played,
/// because endgames of two cards are solved anew unless there is no time for it.
fn met(tables: &mut impl TwoCards, walk: &Walk, at: &Situation, reach: [&Matrix; 2]) -> Matrix {
    match walk.pass.learns() && is_nothing(reach[1 - walk.learner]) {
        true => NOTHING,
        false => tables.visit(walk, at, reach),
    }
}

/// Adds `more` to `to`, element by element.
fn add(to: &mut [f32], more: &[f32]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to += more;
    }
}

/// The state after a trick, and in how many ways its second card can have been drawn after the first.
pub(super) fn after(at: &Situation, led: usize, followed: usize) -> (Situation, f32) {
    // The first card leaves its rank one short, which counts if the second is equal.
    let left: Row = without(&at.left, led);
    let ways = left[followed];
    let (ahead, lead) = after_trick(at.ahead, at.lead, result(led, followed));
    let left = without(&left, followed);
    (Situation { left, ahead, lead }, ways)
}

impl ThreeTricks {
    /// Tables before the first iteration: all zeros, so that strategies are uniform. After it they take 39 MB
    /// at a level score, 43 one trick ahead and 32 two ahead.
    pub fn new() -> ThreeTricks {
        ThreeTricks {
            lead: TripleChoice::new(true),
            answer: vec![Answers::NEW; TRIPLES],
            follow: vec![TripleChoice::new(true); RANKS],
            wait: vec![Answers::NEW; RANKS],
            accepted: AcceptedThree::new(),
            called: vec![FollowThree::new(); RANKS],
            two: vec![TwoTricks::new(); RANKS * RANKS],
        }
    }

    /// The counterfactual values of the learner's hands. None if the walk was stopped. `reach` is indexed by
    /// player.
    pub fn visit(
        &mut self,
        walk: &Walk,
        sets: &Sets,
        at: &Situation,
        reach: [&Triples; 2],
    ) -> Option<Triples> {
        // The leader's strategy, and its reach after each card, once for the walk.
        let chosen = self.lead.strategy(sets, &walk.pass);
        let first = First {
            led: chosen.played(sets, reach[at.lead]),
            chosen,
            walk,
            sets,
            at,
            reach,
        };
        // All tables below one card lie in one task: the follower's choice, the leader's answer, and the two tricks
        // after them.
        let choices = self.follow.par_iter_mut().zip(&mut self.wait);
        let tricks = self.called.par_iter_mut();
        let tables = choices.zip(tricks.zip(self.two.par_chunks_mut(RANKS))).map(
            |((follow, wait), (called, two))| OfCard {
                follow,
                wait,
                called,
                two,
            },
        );
        let of_card = |(card, tables): (usize, OfCard)| {
            (!walk.is_stopped()).then(|| first.behind(card, tables))
        };
        let each: Vec<_> = tables.enumerate().map(of_card).collect();
        let found = gathered(each)?;
        // The leader's accepted offer is walked after the cards; it uses all threads itself.
        let (offering, accepting) = first.accepting(&self.answer);
        let mut accepted_reach = [&offering; 2];
        // Indexed by player: the leader offers, the other accepts.
        accepted_reach[1 - at.lead] = &accepting;
        let accepted = self.accepted.visit(walk, sets, at, accepted_reach)?;
        Some(first.decide(&mut self.lead, &mut self.answer, found, accepted))
    }
}

/// The first of three tricks, in which a challenge can still be offered, with the leader's strategy.
struct First<'a> {
    walk: &'a Walk<'a>,
    sets: &'a Sets,
    at: &'a Situation,
    reach: [&'a Triples; 2],
    chosen: TripleStrategy,
    led: Plays,
}

/// The tables of the decisions below one card that was led there.
struct OfCard<'a> {
    follow: &'a mut TripleChoice,
    wait: &'a mut Answers<PAIRS>,
    /// After the follower's offer was accepted.
    called: &'a mut FollowThree,
    /// By the card that follows: the last two tricks without a challenge.
    two: &'a mut [TwoTricks],
}

impl First<'_> {
    /// The values of the learner's hands below one card that is led.
    fn behind(&self, card: usize, tables: OfCard) -> Values {
        let First {
            walk,
            sets,
            at,
            reach,
            ..
        } = *self;
        let (lead, led) = (at.lead, &self.led[card]);
        let leads = walk.learner == lead;
        // The leader's payoff if it rejects the follower's offer.
        let to_other = walk.payoffs.of(lead).lost();
        // The ways to have drawn the card led, and the cards left without it.
        let weight = at.left[card];
        let left = without(&at.left, card);
        let follow = tables.follow.strategy(sets, &walk.pass);
        let followed = follow.played(sets, reach[1 - lead]);
        let offering = follow.offering(reach[1 - lead]);
        // The follower plays a card: the last two tricks, with matrices.
        let leader = sets.matrix(led);
        let mut kept = [0.0; PAIRS];
        // Only a follower needs the values card by card.
        let mut plays: Plays = vec![[0.0; PAIRS]; if leads { 0 } else { RANKS }];
        for second in 0..RANKS {
            let (at, ways) = after(at, card, second);
            let follower = sets.matrix(&followed[second]);
            let mut both = [&leader; 2];
            both[1 - lead] = &follower;
            let of_two = met(&mut tables.two[second], walk, &at, both);
            let to = if leads { &mut kept } else { &mut plays[second] };
            sets.add(to, weight * ways, &of_two);
        }
        // The follower offers. The leader's kept pairs divide into those that accept and those that reject. `call` is
        // the probability of accepting, by the pair that the leader kept.
        let call = tables.wait.first(&walk.pass);
        let mut accepting = *led;
        let mut rejecting = *led;
        for (pair, call) in call.iter().enumerate() {
            accepting[pair] *= call;
            rejecting[pair] *= 1.0 - call;
        }
        let behind = Behind {
            at,
            card,
            leader: &accepting,
            follower: &offering,
        };
        match behind.visit(walk, sets, tables.called, weight) {
            Values::Kept(accepted) => {
                let mut rejected = [0.0; PAIRS];
                // The leader holds two cards, the offering follower three.
                weigh(sets, &left, 3, &offering, weight * to_other, &mut rejected);
                // The leader's answer, added to the values of the hands to which the follower plays a card.
                let both = [&accepted, &rejected];
                let value = tables.wait.decide(&call, both, led, &walk.pass);
                add(&mut kept, &value);
                Values::Kept(Box::new(kept))
            }
            Values::All(mut offered) => {
                let mut rejected = vec![0.0; TRIPLES];
                // The rejecting leader holds two cards, the follower three. Its payoff is the leader's with the
                // sign turned.
                weigh(
                    sets,
                    &left,
                    2,
                    &rejecting,
                    -weight * to_other,
                    &mut rejected,
                );
                add(&mut offered, &rejected);
                // The follower's choice between its cards and the offer.
                let both = (&plays, &offered);
                let own = reach[1 - lead];
                Values::All(tables.follow.decide(sets, &follow, both, own, &walk.pass))
            }
        }
    }

    /// The reach of the leader's hands that offer, and of the follower's that accept.
    fn accepting(&self, answer: &[Answers<1>]) -> (Triples, Triples) {
        let other = self.reach[1 - self.at.lead];
        // The probability of accepting, hand by hand.
        let both = answer.iter().zip(other);
        let accepting = both.map(|(answer, reach)| answer.first(&self.walk.pass)[0] * reach);
        (
            self.chosen.offering(self.reach[self.at.lead]),
            accepting.collect(),
        )
    }

    /// The values of the learner's hands, from those below each card and below the leader's accepted offer.
    fn decide(
        &self,
        lead: &mut TripleChoice,
        answer: &mut [Answers<1>],
        (plays, mut values): (Plays, Triples),
        mut accepted: Triples,
    ) -> Triples {
        let (pass, at, sets) = (&self.walk.pass, self.at, self.sets);
        let to_leader = self.walk.payoffs.of(at.lead).won();
        let own = self.reach[self.walk.learner];
        // The answers have not changed since they were walked, so this is the reach that the values belong to.
        let (offering, accepting) = self.accepting(answer);
        let mut rejected = vec![0.0; TRIPLES];
        // The leader's offer: hands of the follower that do not accept give it a point.
        if self.walk.learner == at.lead {
            let both = self.reach[1 - at.lead].iter().zip(&accepting);
            let rejecting: Triples = both.map(|(reach, accepting)| reach - accepting).collect();
            weigh(sets, &at.left, 3, &rejecting, to_leader, &mut rejected);
            add(&mut accepted, &rejected);
            return lead.decide(sets, &self.chosen, (&plays, &accepted), own, pass);
        }
        // The follower answers with every hand: to reject costs it the point that the leader wins.
        weigh(sets, &at.left, 3, &offering, -to_leader, &mut rejected);
        for (set, answer) in answer.iter_mut().enumerate() {
            let both = [&[accepted[set]], &[rejected[set]]];
            // `values` has the sum over the cards led; the leader's offer is one more way in which the hand goes
            // on.
            values[set] += answer.decide(&answer.first(pass), both, &[own[set]], pass)[0];
        }
        values
    }
}

/// For each own hand, the sum over the other's hands of `theirs` cards of reach, ways and `payoff`. Own hands have
/// three cards if `to` is that long, else two.
fn weigh(sets: &Sets, left: &Row, theirs: usize, reach: &[f32], payoff: f32, to: &mut [f32]) {
    let own = if to.len() == TRIPLES { 3 } else { 2 };
    // The payoff is a common factor of the whole sum.
    let sums = sets
        .tables
        .weigh_all(&counts(left), (own, theirs), reach, payoff.into());
    for (to, sum) in to.iter_mut().zip(sums) {
        *to = sum;
    }
}
