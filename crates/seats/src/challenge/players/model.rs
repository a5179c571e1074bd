//! The strategies of built-in players as functions of the public state and the cards. Best responses are
//! computed against them.

use challenge::equilibrium::blueprint::{Blueprint, probability_of};
use challenge::player::blueprint::distribution;
use challenge::player::response::{DecisionPoint, Opponent};
use challenge::player::{Bully, Counter, Doge, NeedTricks, RandomCards, Rule};
use challenge::rules::{Cards, Decision};
use challenge::view::View;
use engine::rng::Random;
use std::sync::Arc;

/// A built-in player's strategy, which a best responder asks for the probabilities of decisions.
pub enum Model {
    /// A rule that plays a random card unless it offers or answers a challenge.
    Random(Box<dyn Rule>),
    /// A rule that draws no random numbers.
    Rule(Box<dyn Rule>),
    /// Card counting by samples; the probability is that of one draw, so 0 or 1.
    Counter(Box<Counter>),
    Blueprint(Arc<Blueprint>),
}

impl Model {
    pub fn random() -> Model {
        Model::Random(Box::new(RandomCards))
    }

    pub fn bully() -> Model {
        Model::Random(Box::new(Bully))
    }

    pub fn doge() -> Model {
        Model::Rule(Box::new(Doge))
    }

    pub fn need() -> Model {
        Model::Rule(Box::new(NeedTricks))
    }
}

impl Opponent for Model {
    fn probability(
        &mut self,
        point: &DecisionPoint,
        cards: Cards,
        decision: Decision,
        rng: &mut Random,
    ) -> f32 {
        let view = View::of_hand(&point.public, cards, point.points);
        if !view.allows(decision) {
            return 0.0;
        }
        // A rule without chance gives its decision the probability 1 and all others 0.
        let same = |chosen: Decision| f32::from(u8::from(chosen == decision));
        match self {
            Model::Rule(rule) => same(rule.choose(&view, rng)),
            Model::Random(rule) => match (rule.choose(&view, rng), decision) {
                // The rule draws one card of the hand: the probability of a rank is its share.
                (Decision::Play(_), Decision::Play(card)) => {
                    f32::from(cards.count(card)) / cards.len() as f32
                }
                (chosen, _) => same(chosen),
            },
            Model::Counter(counter) => same(counter.choose(&view, &point.public, point.deck)),
            // A distribution may name a decision more than once; the probabilities are summed.
            Model::Blueprint(blueprint) => {
                probability_of(&distribution(blueprint, &point.public, &view), decision)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use challenge::deals;
    use challenge::rules::{Hand, PACKS};
    use engine::rng::{below, stream};

    /// The probabilities of everything legal sum to 1 for players without samples.
    #[test]
    fn probabilities_sum_to_one() {
        let mut rng = stream(8, 0);
        let models = [
            Model::random(),
            Model::bully(),
            Model::doge(),
            Model::need(),
        ];
        for mut model in models {
            for round in 0..50 {
                let mut hand = Hand::new(deals::fresh(&mut rng), round % 2);
                while let Some(seat) = hand.to_act() {
                    let point = DecisionPoint {
                        public: *hand.public(),
                        points: [3, 5],
                        deck: PACKS,
                    };
                    let cards = hand.cards(seat);
                    let legal: Vec<Decision> = hand.legal().collect();
                    let view = View::of_hand(hand.public(), cards, point.points);
                    assert_eq!(view.legal().collect::<Vec<_>>(), legal);
                    let probability = |&decision: &Decision| {
                        model.probability(&point, cards, decision, &mut rng.clone())
                    };
                    let sum: f32 = legal.iter().map(probability).sum();
                    assert!((sum - 1.0).abs() < 1e-5, "{sum} at {point:?} with {cards}");
                    hand.decide(legal[below(&mut rng, legal.len())]).unwrap();
                }
            }
        }
    }
}
