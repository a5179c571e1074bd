//! Exact best responses over a whole hand, on the public tree (Johanson et al. 2011).
//!
//! A player's cards are hidden, and there are no suits, so a hand is a multiset of ranks. A node of the tree is
//! a public state. It has a value for each of the responder's hands, and a reach for each of the other
//! player's: the probability that it has played as it did. The weights of the deal come in where a
//! hand ends, by [`HandTables`]. Nothing is sampled or abstracted, so the result is the
//! exploitability itself, not a bound.
//!
//! The number of ways in which both players can hold their cards is a product of falling factorials.
//! [`HandTables`] sums it over all hands of the other without a matrix of pairs, by Newton's expansion.
//! A [`HandStrategy`] is a player whose decisions are a function of the public state and its cards. It numbers
//! the situations that it distinguishes, so that it is asked once for each. `lab challenge exploit --exact`
//! prints the result. The player that solves endgames is no such function; `ResolvingPlayer` samples its
//! histories.

mod last_trick;
mod sampled;
mod strategy;

pub use challenge::equilibrium::HandTables;
pub use strategy::{HandStrategy, RuleStrategy, strategy_of};

use challenge::equilibrium::Stakes;
use challenge::rules::{Card, Cards, Decision, HAND_SIZE, PACKS, PublicState, RANKS, Seat, other};
use rayon::prelude::*;
use std::sync::OnceLock;
use strategy::{DecisionTable, Step};

/// With at least this many tricks left, the branches of a node are walked in parallel.
const PARALLEL: usize = 4;

/// The best response to a known strategy in one hand.
pub struct BestResponse<'a> {
    strategy: &'a dyn HandStrategy,
    stakes: Stakes,
    deck: Cards,
    tables: HandTables,
    /// The strategy's decisions in each situation, filled in when it is first met.
    known: Vec<OnceLock<DecisionTable>>,
}

/// The seat of the responder, and the tricks in which it is free to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Responder {
    /// Whether it opens the hand.
    pub opens: bool,
    /// Number of last tricks in which it plays a best response; before them it plays the strategy
    /// itself.
    pub last_tricks: usize,
}

/// The chances of best responses to a strategy in one hand game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exploitability {
    /// The responder's chance to win the game as opener.
    pub opener: f64,
    /// The responder's chance to win the game as follower.
    pub follower: f64,
}

impl Exploitability {
    /// The loss of the strategy, the mean over both seats, in chances to win the game.
    pub fn chances(&self) -> f64 {
        // Against itself the strategy's chances in both seats sum to 1.
        (self.opener + self.follower - 1.0) / 2.0
    }

    /// The loss in points of a hand game.
    pub fn points(&self, stakes: &Stakes) -> f64 {
        self.chances() / f64::from(stakes.point())
    }
}

impl<'a> BestResponse<'a> {
    /// For a hand game dealt from two whole packs.
    pub fn new(strategy: &'a dyn HandStrategy, stakes: Stakes) -> BestResponse<'a> {
        BestResponse::with_deck(strategy, stakes, PACKS)
    }

    /// For a hand game dealt from other cards.
    pub fn with_deck(
        strategy: &'a dyn HandStrategy,
        stakes: Stakes,
        deck: Cards,
    ) -> BestResponse<'a> {
        BestResponse {
            strategy,
            stakes,
            deck,
            tables: HandTables::new(),
            // Each entry is filled by whichever thread needs it first; all would compute the same.
            known: std::iter::repeat_with(OnceLock::new)
                .take(strategy.situations())
                .collect(),
        }
    }

    /// The chances of both responders. Calls `walked` at most [`STEPS`](BestResponse::STEPS)
    /// times for each: branches that no hand takes are not walked.
    pub fn exploitability(&self, last_tricks: usize, walked: &(dyn Fn() + Sync)) -> Exploitability {
        let [opener, follower] = [true, false].map(|opens| {
            let responder = Responder { opens, last_tricks };
            self.value(responder, walked)
        });
        Exploitability { opener, follower }
    }

    /// The most calls of `walked` in a walk, one for every way to play the first trick.
    pub const STEPS: u64 = (RANKS * RANKS) as u64;

    /// The responder's chance to win the game.
    pub fn value(&self, responder: Responder, walked: &(dyn Fn() + Sync)) -> f64 {
        let walk = Walk {
            game: self,
            best: Seat::from(!responder.opens),
            last_tricks: responder.last_tricks,
            walked,
        };
        // The weights of pairs count equal cards in order, so each hand starts with `1 / Π count!`.
        let dealt = self
            .tables
            .factorials(HAND_SIZE)
            .iter()
            .map(|ways| 1.0 / ways);
        let dealt: Reach = (0..).zip(dealt).collect();
        let hands = self.tables.all(HAND_SIZE);
        let held = dealt
            .iter()
            .filter(|(hand, _)| hands[usize::from(*hand)].is_within(self.deck));
        let reach: Reach = held.copied().collect();
        let values = walk.values(&Node::new(PublicState::new(0), self.deck), &reach);
        let own = |&(hand, ways): &(u16, f64)| values[usize::from(hand)] * ways;
        let sum: f64 = reach.iter().map(own).sum();
        let cards = self.deck.len();
        // Divide by the number of pairs of hands that can be dealt: ordered draws of ten cards,
        // where the order within each hand does not matter. From 104 cards that is 104 · 103 … 95 /
        // (5! · 5!).
        let orders: f64 = (0..2 * HAND_SIZE).map(|i| (cards - i) as f64).product();
        let within: f64 = (1..=HAND_SIZE).map(|i| i as f64).product();
        sum * within * within / orders
    }

    /// The strategy's decisions for all hands of the player to act.
    fn table(&self, public: &PublicState) -> &DecisionTable {
        let hands = self.tables.all(public.cards_held(public.to_act()));
        // Many public states share a situation, so a strategy is asked once for each.
        let known = &self.known[self.strategy.situation(public)];
        known.get_or_init(|| DecisionTable::new(self.strategy, public, hands, self.deck))
    }
}

/// The other's possible hands by their numbers, each with its reach: the probability that a player with this
/// hand has made the decisions so far.
type Reach = Vec<(u16, f64)>;

/// A walk of the public tree for the responder in seat `best`. Player 0 opens.
struct Walk<'a> {
    game: &'a BestResponse<'a>,
    best: Seat,
    last_tricks: usize,
    walked: &'a (dyn Fn() + Sync),
}

/// A public state, with the cards that are left.
#[derive(Clone)]
struct Node {
    public: PublicState,
    /// By rank, the cards that nobody has played.
    counts: [f64; RANKS],
    /// The number of ways to draw the cards that were played.
    ways: f64,
}

impl Node {
    /// The node of a public state in a hand that is dealt from `deck`.
    fn new(public: PublicState, deck: Cards) -> Node {
        let mut node = Node {
            public,
            counts: [0.0; RANKS],
            ways: 1.0,
        };
        // Cards of finished tricks and on the table are gone; the rest may be in a hand or not
        // dealt.
        for (card, left) in Card::all().zip(&mut node.counts) {
            *left = f64::from(deck.count(card));
        }
        let on_table = public.table.into_iter();
        for card in public
            .played
            .iter()
            .flat_map(|cards| cards.iter())
            .chain(on_table)
        {
            node.take(card);
        }
        node
    }

    /// Removes a card that was played.
    fn take(&mut self, card: Card) {
        let left = &mut self.counts[usize::from(card.rank()) - 1];
        self.ways *= *left;
        *left = (*left - 1.0).max(0.0);
    }

    /// The node after a decision of the player to act.
    fn after(&self, decision: Decision) -> Node {
        let mut after = Node {
            public: self.public.after(decision),
            ..*self
        };
        if let Decision::Play(card) = decision {
            after.take(card);
        }
        after
    }
}

impl Walk<'_> {
    /// The responder's values: for each of its hands, the chance to win the game times the weight
    /// of the other's hands, summed over them with their reach.
    fn values(&self, node: &Node, reach: &[(u16, f64)]) -> Vec<f64> {
        let public = &node.public;
        let values = match self.payoff(public) {
            Some(payoff) => self.ended(node, reach, payoff),
            None if public.tricks_left() == 1 => self.last_trick(node, reach),
            None if public.to_act() == self.best => self.own(node, reach),
            None => self.theirs(node, reach),
        };
        // After the first trick, without a challenge: one step of the progress.
        if public.tricks_left() == HAND_SIZE - 1 && public.table.is_none() && public.can_challenge()
        {
            (self.walked)();
        }
        values
    }

    /// The responder's chance to win the game if the hand's result is certain.
    fn payoff(&self, public: &PublicState) -> Option<f64> {
        // A strategy that stops when the winner is certain ends the hand there. Others play on, and
        // may still offer or take a challenge.
        let settled = public.settled().is_some()
            && !public.must_answer()
            && (self.game.strategy.settles() || !public.can_challenge());
        (public.is_over() || settled).then(|| self.worth(public))
    }

    /// The responder's chance to win the game after this result.
    fn worth(&self, public: &PublicState) -> f64 {
        f64::from(self.game.stakes.of(public, self.best))
    }

    /// Values where the result does not depend on the hands.
    fn ended(&self, node: &Node, reach: &[(u16, f64)], payoff: f64) -> Vec<f64> {
        let cards = |seat| node.public.cards_held(seat);
        // A player whose card is on the table holds one less.
        let (own, theirs) = (cards(self.best), cards(other(self.best)));
        let factor = payoff * node.ways;
        let tables = &self.game.tables;
        tables.weigh(&node.counts, own, theirs, reach, factor)
    }

    /// Whether the responder is free to choose here; otherwise it plays the strategy itself.
    fn responds(&self, public: &PublicState) -> bool {
        public.tricks_left() <= self.last_tricks
    }

    /// Values where the responder acts.
    fn own(&self, node: &Node, reach: &[(u16, f64)]) -> Vec<f64> {
        let public = &node.public;
        let cards = public.cards_held(self.best);
        let hands = self.game.tables.all(cards).len();
        let mut decisions: Vec<Decision> = if public.must_answer() {
            vec![Decision::Accept, Decision::Reject]
        } else {
            let offer = public.can_challenge().then_some(Decision::Offer);
            // Cards that are all played need no branch.
            let left = |card: &Card| node.counts[usize::from(card.rank()) - 1] > 0.0;
            let cards = Card::all().filter(left);
            cards.map(Decision::Play).chain(offer).collect()
        };
        // Branches that the strategy never takes need no walk.
        if !self.responds(public) {
            let table = self.game.table(public);
            decisions.retain(|&decision| table.names(decision));
        }
        let after = self.each(public, &decisions, |&decision| {
            self.values(&node.after(decision), reach)
        });
        if !self.responds(public) {
            let table = self.game.table(public);
            // As the strategy: the mean of the values after its decisions.
            let value = |hand| {
                let steps = table.of(hand).iter();
                let part = |step: &Step| {
                    let place = decisions.iter().position(|&own| own == step.decision);
                    // A card that is used up has no branch, and no hand can hold it.
                    place.map_or(0.0, |place| {
                        step.probability * after[place][usize::from(step.to)]
                    })
                };
                steps.map(part).sum()
            };
            return (0..hands).map(value).collect();
        }
        // As a best response: the maximum over the decisions, for each hand by itself.
        let mut values = vec![f64::MIN; hands];
        for (&decision, after) in decisions.iter().zip(&after) {
            match decision {
                Decision::Play(card) => {
                    // After a card the values are those of the kept sets; `plus` leads to the hand
                    // that played it.
                    let plus = self.game.tables.plus(cards - 1, card);
                    for (&hand, &after) in plus.iter().zip(after) {
                        let value = &mut values[usize::from(hand)];
                        *value = value.max(after);
                    }
                }
                _ => {
                    for (value, &after) in values.iter_mut().zip(after) {
                        *value = value.max(after);
                    }
                }
            }
        }
        // Hands that nobody can hold, since all their cards are gone, have no decision.
        for value in values.iter_mut().filter(|value| **value == f64::MIN) {
            *value = 0.0;
        }
        values
    }

    /// Values where the other player acts. Each of its decisions gets its own reach, and the values after all
    /// decisions add up.
    fn theirs(&self, node: &Node, reach: &[(u16, f64)]) -> Vec<f64> {
        let public = &node.public;
        let table = self.game.table(public);
        // A reach for each decision: 0 is the offer, 1 to 13 are ranks, 14 accepts, 15 rejects.
        let mut ways: [Reach; 16] = Default::default();
        let mut decisions = [None; 16];
        for &(hand, part) in reach {
            for step in table.of(usize::from(hand)) {
                let place = match step.decision {
                    Decision::Play(card) => usize::from(card.rank()),
                    Decision::Offer => 0,
                    Decision::Accept => 14,
                    Decision::Reject => 15,
                };
                decisions[place] = Some(step.decision);
                match ways[place].last_mut() {
                    // The decision was named before for this hand.
                    Some((last, sum)) if *last == step.to => *sum += part * step.probability,
                    _ => ways[place].push((step.to, part * step.probability)),
                }
            }
        }
        // Only decisions that some hand takes are walked.
        let branches: Vec<(Decision, Reach)> = decisions
            .into_iter()
            .zip(ways)
            .filter_map(|(decision, reach)| Some((decision?, reach)))
            .collect();
        let after = self.each(public, &branches, |(decision, reach)| {
            self.values(&node.after(*decision), reach)
        });
        let cards = public.cards_held(self.best);
        let mut values = vec![0.0; self.game.tables.all(cards).len()];
        for after in after {
            for (value, after) in values.iter_mut().zip(after) {
                *value += after;
            }
        }
        values
    }

    /// Values after each decision, in parallel near the root.
    fn each<T: Sync>(
        &self,
        public: &PublicState,
        decisions: &[T],
        values: impl Fn(&T) -> Vec<f64> + Sync + Send,
    ) -> Vec<Vec<f64>> {
        if public.tricks_left() >= PARALLEL {
            decisions.par_iter().map(values).collect()
        } else {
            decisions.iter().map(values).collect()
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
