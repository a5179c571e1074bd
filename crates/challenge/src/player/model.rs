//! What a built-in player is known to do, as a function of what is public and of its cards.

use super::baseline::{Bully, RandomCards, Rule};
use super::blueprint::shares;
use super::{Counter, Doge, NeedTricks};
use crate::equilibrium::Public;
use crate::equilibrium::blueprint::Book;
use crate::rules::{Cards, Challenge, Decision, Seat, other};
use crate::view::{Asked, View};
use engine::rng::Random;
use std::sync::Arc;
use std::time::Duration;

/// A situation of a player, but for its cards.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// What is public.
    pub public: Public,
    /// Points of both players.
    pub points: [u8; 2],
    /// What both were dealt from, as far as everybody knows.
    pub deck: Cards,
}

impl Situation {
    /// What the player to act sees if it holds these cards (without one on the table).
    pub fn view(&self, cards: Cards) -> View {
        let public = &self.public;
        let seat: Seat = public.to_act();
        let own_lead = public.lead == seat;
        View {
            asked: if public.must_answer() {
                Asked::Answer
            } else {
                Asked::Card
            },
            cards,
            own_card: public.table.filter(|_| own_lead),
            their_card: public.table.filter(|_| !own_lead),
            own_tricks: public.tricks[seat],
            their_tricks: public.tricks[other(seat)],
            total_tricks: public.total,
            own_points: self.points[seat],
            their_points: self.points[other(seat)],
            can_challenge: public.can_challenge(),
            in_challenge: matches!(public.challenge, Challenge::Accepted(_)),
            hand_id: 1,
            player_number: seat,
            opponent_id: 0,
            game_id: 1,
            remaining: Duration::from_secs(2),
        }
    }
}

/// A known player.
pub enum Model {
    /// Random cards; its challenges are those of the rule.
    Random(Box<dyn Rule>),
    /// A rule without chance.
    Rule(Box<dyn Rule>),
    /// Card counting by samples: one draw stands for all.
    Counter(Box<Counter>),
    /// A blueprint.
    Book(Arc<Book>),
}

impl Model {
    /// *random*.
    pub fn random() -> Model {
        Model::Random(Box::new(RandomCards))
    }

    /// *bully*.
    pub fn bully() -> Model {
        Model::Random(Box::new(Bully))
    }

    /// *doge*.
    pub fn doge() -> Model {
        Model::Rule(Box::new(Doge))
    }

    /// *need*.
    pub fn need() -> Model {
        Model::Rule(Box::new(NeedTricks))
    }

    /// How likely the player to act takes a decision if it holds these cards.
    pub fn share(
        &mut self,
        situation: &Situation,
        cards: Cards,
        decision: Decision,
        random: &mut Random,
    ) -> f32 {
        let view = situation.view(cards);
        if !view.allows(decision) {
            return 0.0;
        }
        let same = |chosen: Decision| f32::from(u8::from(chosen == decision));
        match self {
            Model::Rule(rule) => same(rule.choose(&view, random)),
            Model::Random(rule) => match (rule.choose(&view, random), decision) {
                (Decision::Play(_), Decision::Play(card)) => {
                    f32::from(cards.count(card)) / cards.len() as f32
                }
                (chosen, _) => same(chosen),
            },
            Model::Counter(counter) => {
                same(counter.choose(&view, &situation.public, situation.deck))
            }
            Model::Book(book) => {
                let shares = shares(book, &situation.public, &view);
                let found = shares.iter().filter(|(choice, _)| *choice == decision);
                found.map(|&(_, share)| share).sum()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equilibrium::deals;
    use crate::rules::{Hand, PACKS};
    use engine::rng::{below, stream};

    /// The shares of everything legal sum to 1 for players without samples.
    #[test]
    fn shares_are_distributions() {
        let mut random = stream(8, 0);
        let models = [
            Model::random(),
            Model::bully(),
            Model::doge(),
            Model::need(),
        ];
        for mut model in models {
            for round in 0..50 {
                let hands = deals::fresh(&mut random);
                let mut hand = Hand::new(hands, round % 2);
                let mut public = Public::new(round % 2);
                while let Some(seat) = hand.to_act() {
                    let situation = Situation {
                        public,
                        points: [3, 5],
                        deck: PACKS,
                    };
                    let cards = hand.cards(seat);
                    let legal: Vec<Decision> = hand.legal().collect();
                    assert_eq!(situation.view(cards).legal().collect::<Vec<_>>(), legal);
                    let share = |&decision: &Decision| {
                        model.share(&situation, cards, decision, &mut random.clone())
                    };
                    let sum: f32 = legal.iter().map(share).sum();
                    assert!((sum - 1.0).abs() < 1e-5, "{sum} at {public:?} with {cards}");
                    let decision = legal[below(&mut random, legal.len())];
                    hand.decide(decision).unwrap();
                    public = public.after(decision);
                }
            }
        }
    }
}
