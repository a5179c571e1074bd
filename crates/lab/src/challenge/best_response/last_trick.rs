//! The last trick of a walk: both hold one card, so that cards leave nothing to decide and offers and
//! answers are worked out card by card. Most of a walk's nodes are here.

use super::{Node, Walk};
use challenge::rules::{Card, Decision, PublicState, RANKS, other};

/// The chances of the responder where its card is lower than the other's, equal, higher.
type Payoffs = [f64; 3];

impl Walk<'_> {
    /// Values at the lead of the last trick, for each of the responder's cards.
    pub(super) fn last_trick(&self, node: &Node, reach: &[(u16, f64)]) -> Vec<f64> {
        let public = &node.public;
        if !public.can_challenge() {
            let payoffs = self.compared(public);
            return self.sum(node, reach, |own, their| payoffs[comparison(own, their)]);
        }
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

    fn leads(&self, node: &Node, reach: &[(u16, f64)], bets: &Bets) -> Vec<f64> {
        let public = &node.public;
        let answers = &self.game.table(&public.after(Decision::Offer)).bets;
        let offered = self.sum(node, reach, |own, their| {
            let accepts = answers[their];
            accepts * bets.challenged[comparison(own, their)] + (1.0 - accepts) * bets.won
        });
        let played = Card::all().enumerate().map(|(own, card)| {
            let after = public.after(Decision::Play(card));
            let offers = &self.game.table(&after).bets;
            let of_card = |value: &dyn Fn(usize) -> f64| self.sum_of(node, reach, own, value);
            let plain =
                of_card(&|their| (1.0 - offers[their]) * bets.plain[comparison(own, their)]);
            let accepted =
                of_card(&|their| offers[their] * bets.challenged[comparison(own, their)]);
            let rejected = of_card(&|their| offers[their] * bets.lost);
            let answered = || self.game.table(&after.after(Decision::Offer)).bets[0];
            plain + self.choose(public, accepted, rejected, answered)
        });
        let played: Vec<f64> = played.collect();
        let own = (!self.responds(public)).then(|| &self.game.table(public).bets);
        let both = offered.iter().zip(&played).enumerate();
        both.map(|(card, (&offered, &played))| {
            self.choose(public, offered, played, || {
                own.map_or(0.0, |bets| bets[card])
            })
        })
        .collect()
    }

    fn follows(&self, node: &Node, reach: &[(u16, f64)], bets: &Bets) -> Vec<f64> {
        let public = &node.public;
        let offers = &self.game.table(public).bets;
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
            let accepts = self.game.table(&after.after(Decision::Offer)).bets[0];
            let own = (!self.responds(public)).then(|| &self.game.table(&after).bets);
            for (card, value) in values.iter_mut().enumerate() {
                let outcome = comparison(card, led);
                let offered = accepts * bets.challenged[outcome] + (1.0 - accepts) * bets.won;
                let plain = bets.plain[outcome];
                let best = self.choose(public, offered, plain, || own.map_or(0.0, |b| b[card]));
                *value += plays * node.pair(card, led) * best;
            }
        }
        values
    }

    /// The better of two values, or their mean where the responder plays the strategy.
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

    /// For each of the responder's cards the sum over the other's of the pair's weight and value.
    fn sum(
        &self,
        node: &Node,
        reach: &[(u16, f64)],
        value: impl Fn(usize, usize) -> f64,
    ) -> Vec<f64> {
        let of_card = |own| self.sum_of(node, reach, own, &|their| value(own, their));
        (0..RANKS).map(of_card).collect()
    }

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

    /// The responder's chances by how its card compares with the other's.
    fn compared(&self, public: &PublicState) -> Payoffs {
        let mut after = *public;
        after.total_tricks += 1;
        let lost = |seat: usize| {
            let mut after = after;
            after.tricks[seat] += 1;
            self.worth(&after)
        };
        [lost(other(self.best)), self.worth(&after), lost(self.best)]
    }

    /// The responder's chance after an offer of a player and its answer.
    fn worth_after(&self, public: &PublicState, by: usize, answer: Decision) -> f64 {
        let mut offered = *public;
        offered.challenge = challenge::rules::Challenge::Offered(by);
        self.worth(&offered.after(answer))
    }
}

/// What the last trick can come to.
struct Bets {
    /// An offer of the responder is rejected.
    won: f64,
    /// An offer of the other is rejected.
    lost: f64,
    /// The cards are compared without a challenge.
    plain: Payoffs,
    /// The same with one.
    challenged: Payoffs,
}

impl Node {
    /// In how many ways both can hold a card each, by their ranks' places.
    fn pair(&self, own: usize, their: usize) -> f64 {
        let same = f64::from(u8::from(own == their));
        self.ways * self.counts[own] * (self.counts[their] - same).max(0.0)
    }
}

fn comparison(own: usize, their: usize) -> usize {
    (own.cmp(&their) as i8 + 1) as usize
}

/// The same state with an accepted challenge; who offered it does not matter to the payoffs.
fn accepted(public: &PublicState) -> PublicState {
    let mut accepted = *public;
    accepted.challenge = challenge::rules::Challenge::Accepted(0);
    accepted
}
