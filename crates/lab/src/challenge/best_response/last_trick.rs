//! The last trick of a walk for an exact best response, where most of the walk's nodes would be.
//!
//! Both players hold one card, so only offers and answers are left to decide. They are computed here for all
//! cards at once, without nodes. The number of a hand of one card is its rank, counted from 0: 0 to 12.
//!
//! The other's offers and answers come from its decision table: `offers[g]` is the probability that it offers
//! with card `g`, `answers[g]` that it accepts. A player whose card is on the table holds the empty
//! set, number 0.

use super::{Node, Walk};
use challenge::rules::{Card, Decision, PublicState, RANKS, other};

/// The responder's chances if its card is lower than the other's, equal, higher.
type Payoffs = [f64; 3];

impl Walk<'_> {
    /// Values at the lead of the last trick, for each of the responder's cards.
    pub(super) fn last_trick(&self, node: &Node, reach: &[(u16, f64)]) -> Vec<f64> {
        let public = &node.public;
        // If no challenge can be offered any more, nothing is left to decide: compare the cards.
        if !public.can_challenge() {
            let payoffs = self.compared(public);
            return self.sum(node, reach, |own, their| payoffs[comparison(own, their)]);
        }
        // The four results of the betting: the sums below weigh them by the cards.
        let won = self.worth_after(public, self.best, Decision::Reject);
        let lost = self.worth_after(public, other(self.best), Decision::Reject);
        let plain = self.compared(public);
        let challenged = self.compared(&accepted(public));
        let bets = Bets {
            won,
            lost,
            plain,
            challenged,
        };
        if public.lead == self.best {
            self.leads(node, reach, &bets)
        } else {
            self.follows(node, reach, &bets)
        }
    }

    /// Values if the responder leads. It offers at once, or plays its card; then the other may
    /// offer, knowing the card, and the responder answers.
    fn leads(&self, node: &Node, reach: &[(u16, f64)], bets: &Bets) -> Vec<f64> {
        let public = &node.public;
        let answers = &self.game.table(&public.after(Decision::Offer)).bets;
        // Offer: the other accepts by its card, and its rejection wins the hand.
        let offered = self.sum(node, reach, |own, their| {
            let accepts = answers[their];
            accepts * bets.challenged[comparison(own, their)] + (1.0 - accepts) * bets.won
        });
        let played = Card::all().enumerate().map(|(own, card)| {
            let after = public.after(Decision::Play(card));
            let offers = &self.game.table(&after).bets;
            let of_card = |value: &dyn Fn(usize) -> f64| self.sum_of(node, reach, own, value);
            // Play. Three sums over the other's cards: cards that do not offer, and cards that offer, once with the value
            // of accepting and once with that of rejecting.
            let plain =
                of_card(&|their| (1.0 - offers[their]) * bets.plain[comparison(own, their)]);
            let accepted =
                of_card(&|their| offers[their] * bets.challenged[comparison(own, their)]);
            let rejected = of_card(&|their| offers[their] * bets.lost);
            // The responder answers without knowing the other's card: it compares sums over all
            // cards that offer.
            let answered = || self.game.table(&after.after(Decision::Offer)).bets[0];
            plain + self.choose(public, accepted, rejected, answered)
        });
        let played: Vec<f64> = played.collect();
        // Finally the better of offering and playing, for each own card.
        let own = (!self.responds(public)).then(|| &self.game.table(public).bets);
        let both = offered.iter().zip(&played).enumerate();
        both.map(|(card, (&offered, &played))| {
            self.choose(public, offered, played, || {
                own.map_or(0.0, |bets| bets[card])
            })
        })
        .collect()
    }

    /// Values if the other leads. It offers, and the responder answers; or it plays its card, and
    /// the responder, knowing it, may offer.
    fn follows(&self, node: &Node, reach: &[(u16, f64)], bets: &Bets) -> Vec<f64> {
        let public = &node.public;
        let offers = &self.game.table(public).bets;
        // The answer to an offer at the lead, against all cards that offer.
        let accepted = self.sum(node, reach, |own, their| {
            offers[their] * bets.challenged[comparison(own, their)]
        });
        let rejected = self.sum(node, reach, |_, their| offers[their] * bets.lost);
        let after_offer = public.after(Decision::Offer);
        let own = (!self.responds(public)).then(|| &self.game.table(&after_offer).bets);
        let both = accepted.iter().zip(&rejected).enumerate();
        let mut values: Vec<f64> = both
            .map(|(card, (&accepted, &rejected))| {
                self.choose(public, accepted, rejected, || {
                    own.map_or(0.0, |bets| bets[card])
                })
            })
            .collect();
        // If the other plays instead, the responder sees its card: each card is a separate case.
        for &(their, part) in reach {
            let led = usize::from(their);
            let plays = part * (1.0 - offers[led]);
            if plays <= 0.0 {
                continue;
            }
            let Some(card) = Card::new(led as u8 + 1) else {
                continue;
            };
            let after = public.after(Decision::Play(card));
            // The other then holds no card, so its answer depends on the public state alone.
            let accepts = self.game.table(&after.after(Decision::Offer)).bets[0];
            let own = (!self.responds(public)).then(|| &self.game.table(&after).bets);
            for (card, value) in values.iter_mut().enumerate() {
                let outcome = comparison(card, led);
                let offered = accepts * bets.challenged[outcome] + (1.0 - accepts) * bets.won;
                let plain = bets.plain[outcome];
                let best = self.choose(public, offered, plain, || own.map_or(0.0, |b| b[card]));
                // The responder chooses by its own card and the led one; the pair's weight and the
                // reach multiply the choice.
                *value += plays * node.pair(card, led) * best;
            }
        }
        values
    }

    /// The value of a choice between a bet, an offer or an acceptance, and its alternative. If the responder is free to
    /// choose here, it is the greater of both values, otherwise their mean by the strategy's probability of the bet.
    fn choose(
        &self,
        public: &PublicState,
        bet: f64,
        other: f64,
        probability: impl Fn() -> f64,
    ) -> f64 {
        if self.responds(public) {
            return bet.max(other);
        }
        let probability = probability();
        probability * bet + (1.0 - probability) * other
    }

    /// For each of the responder's cards, the sum over the other's of weight, reach and value.
    fn sum(
        &self,
        node: &Node,
        reach: &[(u16, f64)],
        value: impl Fn(usize, usize) -> f64,
    ) -> Vec<f64> {
        let of_card = |own| self.sum_of(node, reach, own, &|their| value(own, their));
        (0..RANKS).map(of_card).collect()
    }

    /// The same sum for one own card.
    fn sum_of(
        &self,
        node: &Node,
        reach: &[(u16, f64)],
        own: usize,
        value: &dyn Fn(usize) -> f64,
    ) -> f64 {
        let weighted = reach.iter().map(|&(their, part)| {
            let their = usize::from(their);
            part * node.pair(own, their) * value(their)
        });
        weighted.sum()
    }

    /// The responder's chances if the cards are compared now.
    fn compared(&self, public: &PublicState) -> Payoffs {
        let mut after = *public;
        after.total_tricks += 1;
        // The result if one player wins the last trick; with equal cards neither does.
        let lost = |seat: usize| {
            let mut after = after;
            after.tricks[seat] += 1;
            self.worth(&after)
        };
        [lost(other(self.best)), self.worth(&after), lost(self.best)]
    }

    /// The responder's chance after an offer of `by` and its answer.
    fn worth_after(&self, public: &PublicState, by: usize, answer: Decision) -> f64 {
        let mut offered = *public;
        offered.challenge = challenge::rules::Challenge::Offered(by);
        self.worth(&offered.after(answer))
    }
}

/// The responder's chances after each way that the betting of the last trick can end.
struct Bets {
    /// The responder's offer is rejected.
    won: f64,
    /// The other's offer is rejected.
    lost: f64,
    /// The cards are compared without a challenge.
    plain: Payoffs,
    /// The cards are compared in a challenge.
    challenged: Payoffs,
}

impl Node {
    /// The number of ways to draw these two cards, times those of the cards played before. If both have the same
    /// rank, one card less of it is left for the second: of eight cards, 8 · 7 ways.
    fn pair(&self, own: usize, their: usize) -> f64 {
        let same = f64::from(u8::from(own == their));
        self.ways * self.counts[own] * (self.counts[their] - same).max(0.0)
    }
}

/// Index into [`Payoffs`]: 0 for a lower own card, 1 for an equal one, 2 for a higher one.
fn comparison(own: usize, their: usize) -> usize {
    (own.cmp(&their) as i8 + 1) as usize
}

/// The state with an accepted challenge; its offerer does not matter to the payoffs.
fn accepted(public: &PublicState) -> PublicState {
    let mut accepted = *public;
    accepted.challenge = challenge::rules::Challenge::Accepted(0);
    accepted
}
