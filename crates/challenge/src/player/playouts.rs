//! Values decisions against an opponent for which there is a model, by playing the hand out.
//!
//! A decision is worth the mean chance to win the game over some hands that the opponent may hold. With each of them
//! the hand is played on: the player decides by its tables, the opponent by the model. So later offers of both players
//! count.
//!
//! A value that ends with the decision misses them. For example, with 13 and 1 against 7 and 7 at level tricks the hand
//! is tied whichever card is led. But an opponent that offers once it leads by a trick wins a point after the 1, and
//! not after the 13.

use super::baseline::play_cheaply;
use super::response::{DecisionPoint, Opponent};
use crate::equilibrium::Stakes;
use crate::equilibrium::blueprint::{Distribution, Opened, probability_of, sample};
use crate::rules::{Cards, Decision, PublicState, other};
use crate::view::View;
use engine::rng::{Random, split, unit};

/// How a hand goes on after a decision that is tried.
pub struct Playouts<'a> {
    /// The decision point of the player.
    pub point: DecisionPoint,
    /// The player's strategy from then on.
    pub own: Opened<'a>,
    pub stakes: &'a Stakes,
}

impl Playouts<'_> {
    /// Each legal decision in the view of the decision point, with the mean chance to win the game after it. `hands` are
    /// equally likely hands of the other. Their number determines the time: a decision takes one playout for each hand,
    /// of at most ten cards. All values are 0 if there is no hand.
    pub fn values(
        &self,
        view: &View,
        hands: &[(Cards, f32)],
        opponent: &mut dyn Opponent,
        rng: &mut Random,
    ) -> Vec<(Decision, f32)> {
        let seat = view.player_number;
        let mut values: Vec<_> = view.legal().map(|decision| (decision, 0.0)).collect();
        for &(theirs, _) in hands {
            // All decisions meet the same hand and the same luck, so their differences vary less (common random numbers).
            let luck = split(rng);
            for (decision, value) in &mut values {
                let mut cards = [view.cards; 2];
                cards[other(seat)] = theirs;
                if let Decision::Play(card) = *decision {
                    cards[seat].remove(card);
                }
                let after = self.point.public.after(*decision);
                *value += self.value(after, cards, opponent, luck.clone()) / hands.len() as f32;
            }
        }
        values
    }

    /// The chance to win the game if both play on with these cards.
    ///
    /// Cards are drawn. Offers are not: an offer of probability `p` adds `p` times its value, and the playout goes on
    /// with what is left of its weight. Offers are rare and decide games, so draws would make the mean vary much more.
    /// For example, 0.3 · 0.9 after an offer and 0.7 · 0.5 without one make 0.62.
    fn value(
        &self,
        mut public: PublicState,
        mut cards: [Cards; 2],
        opponent: &mut dyn Opponent,
        mut rng: Random,
    ) -> f32 {
        let seat = self.point.public.to_act();
        // Of all ways on, those that were left have the value `sum`; the others have the probability `weight`.
        let (mut sum, mut weight) = (0.0, 1.0);
        // An open offer ends the playout by the value of its answer, and so does a hand whose end is certain.
        while weight > 0.0 && !public.must_answer() && !public.is_over() {
            // After an accepted challenge only cards are left, which the models know little about.
            if public.in_challenge() || public.settled().is_some() {
                break;
            }
            let mut chosen = self.chosen(&public, &cards, opponent, &mut rng);
            let offer = probability_of(&chosen, Decision::Offer);
            if offer > 0.0 {
                let offered = public.after(Decision::Offer);
                sum += weight * offer * self.answered(&offered, &cards, opponent, &mut rng);
                weight *= 1.0 - offer;
            }
            chosen.retain(|entry| entry.0 != Decision::Offer);
            let plays: f32 = chosen.iter().map(|entry| entry.1).sum();
            // No card has a probability after an offer that is certain.
            let Some(Decision::Play(card)) = sample(&chosen, unit(&mut rng) as f32 * plays) else {
                break;
            };
            cards[public.to_act()].remove(card);
            public = public.after(Decision::Play(card));
        }
        let rest = match public.must_answer() {
            true => self.answered(&public, &cards, opponent, &mut rng),
            false => self.stakes.of(&play_cheaply(public, cards), seat),
        };
        sum + weight * rest
    }

    /// The chance to win the game while an offer waits for its answer. Accepted, the hand is played cheaply.
    fn answered(
        &self,
        public: &PublicState,
        cards: &[Cards; 2],
        opponent: &mut dyn Opponent,
        rng: &mut Random,
    ) -> f32 {
        let seat = self.point.public.to_act();
        let chosen = self.chosen(public, cards, opponent, rng);
        let accept = probability_of(&chosen, Decision::Accept);
        let accepted = play_cheaply(public.after(Decision::Accept), *cards);
        let rejected = public.after(Decision::Reject);
        accept * self.stakes.of(&accepted, seat) + (1.0 - accept) * self.stakes.of(&rejected, seat)
    }

    /// The strategy of the player to act.
    fn chosen(
        &self,
        public: &PublicState,
        cards: &[Cards; 2],
        opponent: &mut dyn Opponent,
        rng: &mut Random,
    ) -> Distribution {
        let mover = public.to_act();
        match mover == self.point.public.to_act() {
            true => self.own.played(public, cards[mover]),
            false => opponent.distribution(&self.point.at(*public), cards[mover], rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equilibrium::blueprint::Blueprint;
    use crate::rules::PACKS;
    use crate::rules::testing::{card, cards};
    use engine::rng::stream;

    /// Offers once it leads by a trick, accepts then only, and plays any card.
    struct Leads;

    impl Opponent for Leads {
        fn probability(
            &mut self,
            point: &DecisionPoint,
            cards: Cards,
            decision: Decision,
            _: &mut Random,
        ) -> f32 {
            let leads = point.public.ahead(point.public.to_act()) > 0;
            let offers = leads && point.public.can_challenge();
            match decision {
                Decision::Offer | Decision::Accept => f32::from(u8::from(leads)),
                Decision::Reject => f32::from(u8::from(!leads)),
                Decision::Play(_) if offers => 0.0,
                Decision::Play(_) => 1.0 / cards.ranks().count() as f32,
            }
        }
    }

    /// The values of the decisions with `own` on the lead after these cards; the other holds one of `hands`.
    fn values(played: &[u8], own: &[u8], hands: &[&[u8]], seed: u64) -> Vec<(Decision, f32)> {
        let blueprint = Blueprint::embedded();
        let start = PublicState::new(0);
        let plays = played.iter().map(|&rank| Decision::Play(card(rank)));
        let point = DecisionPoint {
            public: plays.fold(start, PublicState::after),
            points: [4, 4],
            deck: PACKS,
        };
        let stakes = blueprint.values().stakes_for(point.points, 0);
        let playouts = Playouts {
            point,
            own: blueprint.opened(&stakes),
            stakes: &stakes,
        };
        let view = View::of_hand(&point.public, cards(own), point.points);
        let hands: Vec<_> = hands.iter().map(|hand| (cards(hand), 1.0)).collect();
        playouts.values(&view, &hands, &mut Leads, &mut stream(seed, 0))
    }

    /// Three tied tricks, then 13 and 1 against 7 and 7: cheaply played, both leads tie the hand. But after the 1 the
    /// other leads by a trick and offers, and after the 13 it gives up.
    #[test]
    fn later_offers_count() {
        let tied = [5, 5, 6, 6, 4, 4];
        let public = tied.iter().map(|&rank| Decision::Play(card(rank)));
        let public = public.fold(PublicState::new(0), PublicState::after);
        for led in [1, 13] {
            let after = public.after(Decision::Play(card(led)));
            let own = cards(&[14 - led]);
            let end = play_cheaply(after, [own, cards(&[7, 7])]);
            assert_eq!(end.leader(), None, "{led}");
        }
        let values = values(&tied, &[1, 13], &[[7, 7].as_slice(); 8], 1);
        let value = |rank| probability_of(&values, Decision::Play(card(rank)));
        assert!(value(13) > value(1) + 0.05, "{values:?}");
    }

    #[test]
    fn equal_seeds_give_equal_values() {
        let hands: [&[u8]; 3] = [&[2, 6, 7, 9, 12], &[1, 3, 8, 8, 10], &[4, 5, 6, 11, 13]];
        let of_seed = |seed| values(&[], &[2, 5, 7, 9, 12], &hands, seed);
        let first = of_seed(1);
        assert_eq!(first, of_seed(1));
        assert_ne!(first, of_seed(2), "cards are drawn");
        assert!(first.iter().all(|&(_, value)| value > 0.0 && value < 1.0));
    }
}
