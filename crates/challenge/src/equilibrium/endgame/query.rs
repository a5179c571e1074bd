//! Looks up how a solved endgame decides after some decisions.
//!
//! The log of decisions is matched against patterns, and each pattern leads to one table. For example,
//! `[Play(led), Offer, _]` is a card, an offer on it and the answer; `rest` are the decisions after the pattern.

use super::super::Multisets;
use super::super::blueprint::Distribution;
use super::accepted::{Accepted, Situation};
use super::answer::Answers;
use super::lanes::place;
use super::last::{Ends, LastTrick};
use super::packed;
use super::pair::PairChoice;
use super::step::Pass;
use super::terms::{Payoffs, result, seen_by};
use super::three::{AcceptedThree, FollowThree, ThreeTricks, after};
use super::triple::{Sets, TripleChoice};
use super::two::TwoTricks;
use crate::rules::{Card, Cards, Decision};

use Decision::{Accept, Offer, Play, Reject};

/// The parts of a question that are the same at every depth.
pub(super) struct Question<'a> {
    pub payoffs: &'a Payoffs,
    pub sets: &'a Sets,
    /// The hand of the player to act.
    pub own: Cards,
}

/// The indices of the ranks of two cards, ascending. None for any other number of cards.
fn pair(own: Cards) -> Option<[usize; 2]> {
    match (own.len(), own.lowest(), own.highest()) {
        (2, Some(low), Some(high)) => Some([place(low), place(high)]),
        _ => None,
    }
}

/// The distribution over two decisions, from the probability of the first.
fn either(first: Decision, second: Decision, probability: f32) -> Distribution {
    let both = [(first, probability), (second, 1.0 - probability)];
    both.into_iter().collect()
}

/// The distribution over the answers to an offer.
fn answered<const N: usize>(
    answers: &[Answers<N>],
    row: usize,
    place: usize,
) -> Option<Distribution> {
    Some(either(Accept, Reject, answers[row].average(place)))
}

/// The only card that is left, with probability 1.
fn forced(own: Cards) -> Option<Distribution> {
    let card = own.lowest()?;
    Some([(Play(card), 1.0)].into_iter().collect())
}

/// The average strategy of a player with two cards.
fn of_pair(choice: &PairChoice, own: Cards, may_offer: bool) -> Option<Distribution> {
    let [low, high] = pair(own)?;
    let chosen = choice.strategy(&Pass::Average);
    let mut decisions = Distribution::new();
    // A square of the matrix: the row is the card that is kept, the column the card that is played.
    let play =
        |kept: usize, card: Option<Card>| Some((Play(card?), chosen.plays[kept][place(card?)]));
    decisions.extend(play(high, own.lowest()));
    // Two equal cards are one decision.
    if low != high {
        decisions.extend(play(low, own.highest()));
    }
    if may_offer {
        decisions.push((Offer, chosen.offers[low][high]));
    }
    Some(decisions)
}

/// The average strategy of a player with three cards.
fn of_triple(choice: &TripleChoice, question: &Question, may_offer: bool) -> Option<Distribution> {
    let own = question.own;
    if own.len() != 3 {
        return None;
    }
    let chosen = choice.strategy(question.sets, &Pass::Average);
    let mut decisions = Distribution::new();
    for card in own.ranks() {
        let kept = Multisets::index(own.without(card)?);
        decisions.push((Play(card), chosen.plays[place(card)][kept]));
    }
    if may_offer {
        decisions.push((Offer, chosen.offers[Multisets::index(own)]));
    }
    Some(decisions)
}

impl LastTrick {
    /// The strategy in one lane. `at` is the state before the last trick. None if the hand is decided.
    pub fn strategy(
        &self,
        question: &Question,
        at: &Situation,
        lane: usize,
        log: &[Decision],
    ) -> Option<Distribution> {
        let own = question.own;
        let ends = Ends::new(question.payoffs.of(at.lead), seen_by(at.lead, at.ahead))?;
        match *log {
            [] => {
                let card = own.lowest()?;
                let offer = self.offer[place(card)].average(lane);
                Some(either(Offer, Play(card), offer))
            }
            // The follower answers: by its own card. The leader has its card still in hand.
            [Offer] => answered(&self.answer, place(own.lowest()?), lane),
            [Play(led)] => {
                let card = own.lowest()?;
                // The follower sees how the hand ends: it offers unless it loses, and bluffs then.
                let offer = match ends.offers(result(place(led), place(card))) {
                    true => 1.0,
                    false => self.bluff[place(led)].average(lane),
                };
                Some(either(Offer, Play(card), offer))
            }
            // The leader answers with its card on the table.
            [Play(led), Offer] => answered(&self.call, place(led), lane),
            // After an accepted challenge only cards are left.
            _ => forced(own),
        }
    }
}

impl Accepted {
    /// The strategy of the player to act with the cards `own`, after the decisions `log` of these two tricks.
    pub fn strategy(&self, own: Cards, log: &[Decision]) -> Option<Distribution> {
        match *log {
            [] => of_pair(&self.lead, own, false),
            [Play(led)] => of_pair(&self.follow[place(led)], own, false),
            _ => forced(own),
        }
    }
}

impl TwoTricks {
    /// The strategy after some decisions; `at` is the state before them. None where the hand's result is certain.
    pub fn strategy(
        &self,
        question: &Question,
        at: &Situation,
        log: &[Decision],
    ) -> Option<Distribution> {
        let own = question.own;
        match *log {
            [] => of_pair(&self.lead, own, true),
            [Offer] => {
                let [low, high] = pair(own)?;
                // Either square of the pair would do: both hold the same numbers.
                answered(&self.answer, low, high)
            }
            // The hand goes on after an answer only if the offer was accepted.
            [Offer, _, ref rest @ ..] => self.accepted.strategy(own, rest),
            [Play(led)] => of_pair(&self.follow[place(led)], own, true),
            [Play(led), Offer] => answered(&self.wait, place(led), place(own.lowest()?)),
            // The follower's offer was accepted: it has two cards to choose from. After its card all are forced.
            [Play(led), Offer, _] => of_pair(&self.called[place(led)], own, false),
            [Play(_), Offer, ..] => forced(own),
            [Play(led), Play(followed), ref rest @ ..] => {
                // Without a challenge the last trick follows, in the lane of this way to play the first.
                let (pack, lane) = packed::place(place(led), place(followed));
                let (at, _) = after(at, place(led), place(followed));
                let last = self.last[pack].as_deref().unwrap_or(&LastTrick::NEW);
                last.strategy(question, &at, lane, rest)
            }
            _ => None,
        }
    }
}

impl FollowThree {
    /// The strategy from the follower's card on.
    fn strategy(&self, question: &Question, log: &[Decision]) -> Option<Distribution> {
        match *log {
            [] => of_triple(&self.follow, question, false),
            [Play(followed), ref rest @ ..] => {
                self.two[place(followed)].strategy(question.own, rest)
            }
            _ => None,
        }
    }
}

impl AcceptedThree {
    /// The strategy after the decisions `log` of these three tricks.
    pub fn strategy(&self, question: &Question, log: &[Decision]) -> Option<Distribution> {
        match *log {
            [] => of_triple(&self.lead, question, false),
            [Play(led), ref rest @ ..] => self.follow[place(led)].strategy(question, rest),
            _ => None,
        }
    }
}

impl ThreeTricks {
    /// The strategy after some decisions; `at` is the state before them.
    pub fn strategy(
        &self,
        question: &Question,
        at: &Situation,
        log: &[Decision],
    ) -> Option<Distribution> {
        let own = question.own;
        match *log {
            [] => of_triple(&self.lead, question, true),
            // Answers to the leader's offer are indexed by the hand of three, those to the follower's by the pair
            // that the leader kept.
            [Offer] => answered(&self.answer, Multisets::index(own), 0),
            // The hand goes on after an answer only if the offer was accepted.
            [Offer, _, ref rest @ ..] => self.accepted.strategy(question, rest),
            [Play(led)] => of_triple(&self.follow[place(led)], question, true),
            [Play(led), Offer] => answered(&self.wait, place(led), Multisets::index(own)),
            // In an accepted challenge the log after the answer begins with the card that follows.
            [Play(led), Offer, _, ref rest @ ..] => {
                self.called[place(led)].strategy(question, rest)
            }
            [Play(led), Play(followed), ref rest @ ..] => {
                // Without a challenge an endgame of two cards follows.
                let (led, followed) = (place(led), place(followed));
                let (at, _) = after(at, led, followed);
                self.two[led * crate::rules::RANKS + followed].strategy(question, &at, rest)
            }
            _ => None,
        }
    }
}
