//! What is learnt of one opponent over a series of games: how it offers, how it answers, and which cards it plays.
//!
//! Three preferences (see [`choice`]) start as the tables of the equilibrium decide, and are fitted to what was seen. The
//! cards behind a decision are known only as far as the hand was played; the others are drawn from what is possible, by
//! what has been learnt so far (Monte Carlo expectation maximisation; Wei and Tanner 1990).

pub mod choice;
mod features;

use super::blueprint::distribution;
use super::response::{DecisionPoint, Opponent, drawn_evenly};
use crate::equilibrium::blueprint::{Blueprint, probability_of};
use crate::rules::{Cards, Decision, HAND_SIZE, Seat, other};
use crate::view::View;
use choice::{Example, Features, Options, Preference};
use engine::rng::{Random, stream, unit};
use features::{BET, CARD, of_bet, of_card};
use std::sync::Arc;

/// Hands drawn for a hand that was not seen to the end.
const DRAWN: usize = 4;
/// The part of every decision that follows no habit.
const STRAY: f32 = 0.02;
/// Where the feature of the tables' own chance stands, of a bet and of a card.
const TABLES: [usize; 2] = [1, 0];

/// A hand that is over, as one player saw it.
#[derive(Clone, Debug)]
pub struct SeenHand {
    /// The player that learns.
    pub seat: Seat,
    /// What was known when the hand began.
    pub start: DecisionPoint,
    /// Every decision in order.
    pub log: Vec<Decision>,
    /// What the other may have been left with, with likelihoods.
    pub range: Vec<(Cards, f32)>,
}

/// The habits of one opponent.
#[derive(Clone)]
pub struct Habits {
    blueprint: Arc<Blueprint>,
    offers: Preference<BET, 2>,
    answers: Preference<BET, 2>,
    cards: Preference<CARD, HAND_SIZE>,
    hands: u32,
}

impl Habits {
    /// What the examples of one opponent take at most, in bytes.
    pub const MOST_BYTES: usize =
        2 * Preference::<BET, 2>::MOST_BYTES + Preference::<CARD, HAND_SIZE>::MOST_BYTES;

    /// Of an opponent that plays by the tables as far as is known.
    pub fn new(blueprint: Arc<Blueprint>) -> Habits {
        let mut bet = [0.0; BET];
        bet[TABLES[0]] = 1.0;
        let mut card = [0.0; CARD];
        card[TABLES[1]] = 1.0;
        Habits {
            blueprint,
            offers: Preference::new(bet),
            answers: Preference::new(bet),
            cards: Preference::new(card),
            hands: 0,
        }
    }

    /// The same habits, to foretell by and not to learn from.
    #[must_use]
    pub fn without_examples(&self) -> Habits {
        Habits {
            blueprint: Arc::clone(&self.blueprint),
            offers: self.offers.without_examples(),
            answers: self.answers.without_examples(),
            cards: self.cards.without_examples(),
            hands: self.hands,
        }
    }

    /// Of an opponent that has changed: nothing is known of it any more.
    #[must_use]
    pub fn forgotten(&self) -> Habits {
        Habits::new(Arc::clone(&self.blueprint))
    }

    /// Hands that were learnt from.
    pub fn hands(&self) -> u32 {
        self.hands
    }

    /// Takes in hands that are over.
    pub fn learn(&mut self, hands: &[SeenHand]) {
        let mut rng = stream(0x4AB1_7500, self.hands.into());
        let examples: Vec<Sorted> = hands
            .iter()
            .flat_map(|hand| self.examples(hand, &mut rng))
            .collect();
        for example in examples {
            match example {
                Sorted::Offer(example) => self.offers.add(example),
                Sorted::Answer(example) => self.answers.add(example),
                Sorted::Card(example) => self.cards.add(example),
            }
        }
        self.hands += hands.len() as u32;
        self.offers.fit();
        self.answers.fit();
        self.cards.fit();
    }

    /// The opponent's decisions in a hand, with cards that may have been behind them.
    fn examples(&self, hand: &SeenHand, rng: &mut Random) -> Vec<Sorted> {
        let them = other(hand.seat);
        let points = decision_points(hand);
        let played = points.iter().filter_map(|(point, decision)| {
            match (point.public.to_act() == them, decision) {
                (true, Decision::Play(card)) => Some(*card),
                _ => None,
            }
        });
        let played: Cards = played.collect();
        let drawn = drawn_evenly(&hand.range, hand.range.len().min(DRAWN), unit(rng) as f32);
        let weight = 1.0 / drawn.len() as f32;
        let mut examples = Vec::new();
        for (cards, _) in drawn {
            self.sort(&points, them, cards.plus(played), weight, &mut examples);
        }
        examples
    }

    /// The decisions of a player that was dealt these cards, as examples.
    fn sort(
        &self,
        points: &[(DecisionPoint, Decision)],
        seat: Seat,
        dealt: Cards,
        weight: f32,
        examples: &mut Vec<Sorted>,
    ) {
        let mut held = dealt;
        for (point, decision) in points {
            if point.public.to_act() != seat {
                continue;
            }
            // What is certain tells nothing.
            let open = point.public.settled().is_none();
            let tables = self.tables(point, held);
            if open && point.public.must_answer() {
                examples.push(Sorted::Answer(Example {
                    options: bet(point, held, tables.bet),
                    chosen: usize::from(*decision == Decision::Accept),
                    weight,
                }));
            } else if open && point.public.can_challenge() {
                examples.push(Sorted::Offer(Example {
                    options: bet(point, held, tables.bet),
                    chosen: usize::from(*decision == Decision::Offer),
                    weight,
                }));
            }
            if let Decision::Play(card) = decision {
                let chosen = held.ranks().position(|other| other == *card);
                if let Some(chosen) = chosen.filter(|_| open && held.ranks().count() > 1) {
                    let options = self.options(point, held, &tables);
                    examples.push(Sorted::Card(Example {
                        options,
                        chosen,
                        weight,
                    }));
                }
                held.remove(*card);
            }
        }
    }

    fn options(
        &self,
        point: &DecisionPoint,
        cards: Cards,
        tables: &Tabled,
    ) -> Options<CARD, HAND_SIZE> {
        let chance = |card| match tables.bet < 1.0 {
            true => probability_of(&tables.chosen, Decision::Play(card)) / (1.0 - tables.bet),
            false => 1.0,
        };
        let ranks = cards.ranks();
        ranks
            .map(|card| of_card(point, cards, card, chance(card)))
            .collect()
    }

    fn tables(&self, point: &DecisionPoint, cards: Cards) -> Tabled {
        let view = View::of_hand(&point.public, cards, point.points);
        let chosen = distribution(&self.blueprint, &point.public, &view);
        let bet = match point.public.must_answer() {
            true => Decision::Accept,
            false => Decision::Offer,
        };
        Tabled {
            bet: probability_of(&chosen, bet),
            chosen,
        }
    }
}

impl Opponent for Habits {
    fn probability(
        &mut self,
        point: &DecisionPoint,
        cards: Cards,
        decision: Decision,
        _: &mut Random,
    ) -> f32 {
        let tables = self.tables(point, cards);
        let likely =
            |preference: &Preference<BET, 2>| preference.chances(&bet(point, cards, tables.bet))[1];
        match decision {
            Decision::Accept => spread(likely(&self.answers), 2),
            Decision::Reject => spread(1.0 - likely(&self.answers), 2),
            Decision::Offer => spread(likely(&self.offers), 2),
            Decision::Play(card) => {
                let Some(place) = cards.ranks().position(|other| other == card) else {
                    return 0.0;
                };
                let plays = match point.public.can_challenge() {
                    true => spread(1.0 - likely(&self.offers), 2),
                    false => 1.0,
                };
                let options = self.options(point, cards, &tables);
                plays * spread(self.cards.chances(&options)[place], options.len())
            }
        }
    }
}

/// An example of one of the three habits.
enum Sorted {
    Offer(Example<BET, 2>),
    Answer(Example<BET, 2>),
    Card(Example<CARD, HAND_SIZE>),
}

/// What the tables decide.
struct Tabled {
    chosen: crate::equilibrium::blueprint::Distribution,
    /// The chance of an offer or an acceptance.
    bet: f32,
}

/// A part of the chance spread evenly over so many options.
fn spread(chance: f32, options: usize) -> f32 {
    STRAY / options as f32 + (1.0 - STRAY) * chance
}

/// Not to bet, which nothing speaks for, and to bet.
fn bet(point: &DecisionPoint, cards: Cards, chance: f32) -> Options<BET, 2> {
    let none: Features<BET> = [0.0; BET];
    [none, of_bet(point, cards, chance)].into_iter().collect()
}

/// Every decision of a hand with what was public before it.
fn decision_points(hand: &SeenHand) -> Vec<(DecisionPoint, Decision)> {
    let mut point = hand.start;
    let mut points = Vec::with_capacity(hand.log.len());
    for &decision in &hand.log {
        points.push((point, decision));
        point.public = point.public.after(decision);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deals;
    use crate::player::response::{Hands, Response};
    use crate::player::{Baseline, Doge, NeedTricks, Player, Rule, Tracker};
    use crate::rules::{Game, GameOptions};
    use crate::view::ViewContext;
    use std::time::Duration;

    const LEARNER: Seat = 0;

    /// Hands of games between *need*, who learns, and another, as *need* sees them; and what the other really held.
    fn hands(
        rule: impl Rule,
        games: u64,
        seed: u64,
        habits: &mut Habits,
    ) -> Vec<(SeenHand, Cards)> {
        let mut rng = stream(seed, 0);
        let mut players: [Box<dyn Player>; 2] = [
            Box::new(Baseline::new(NeedTricks, stream(6, 0))),
            Box::new(Baseline::new(rule, stream(7, 0))),
        ];
        let mut seen = Vec::new();
        for game_id in 0..games {
            let mut game = Game::new(GameOptions::default());
            let mut deck = deals::shuffled(&mut rng);
            let mut tracker = Tracker::default();
            let mut response = Response::new(Hands::Every);
            let mut dealt = [Cards::EMPTY; 2];
            while game.winner().is_none() {
                if game.needs_deal() {
                    dealt = deck.deal().unwrap_or_else(|| {
                        deck = deals::shuffled(&mut rng);
                        deck.deal().unwrap()
                    });
                    game.deal(dealt);
                }
                let context = ViewContext {
                    game_id,
                    opponent_id: 1,
                    remaining: Duration::MAX,
                };
                let view = View::of(&game, &context).unwrap();
                let seat = view.player_number;
                if seat == LEARNER {
                    tracker.observe(&view);
                    response.observe(&view, &tracker, habits, &mut rng);
                }
                let decision = players[seat].decide(&view);
                if seat == LEARNER {
                    tracker.decided(decision);
                }
                let events = game.decide(decision).unwrap();
                for &event in &events {
                    tracker.event(event);
                }
                let over = events
                    .iter()
                    .any(|event| matches!(event, crate::rules::Event::HandDone { .. }));
                if over && response.hand() == (game_id, view.hand_id) {
                    let mut log = tracker.log().unwrap().to_vec();
                    if decision == Decision::Reject && seat != LEARNER {
                        log.push(decision);
                    }
                    response.take_in(&log, habits, &mut rng);
                    let hand = SeenHand {
                        seat: LEARNER,
                        start: *response.start(),
                        log,
                        range: response.range().to_vec(),
                    };
                    seen.push((hand, dealt[other(LEARNER)]));
                }
            }
        }
        seen
    }

    /// The mean logarithm of the probability of what a player did with the cards that it held.
    fn foretold(habits: &mut Habits, hands: &[(SeenHand, Cards)]) -> f64 {
        let mut rng = stream(1, 0);
        let (mut sum, mut count) = (0.0, 0);
        for (hand, dealt) in hands {
            let mut held = *dealt;
            for (point, decision) in decision_points(hand) {
                if point.public.to_act() == LEARNER {
                    continue;
                }
                let chance = habits.probability(&point, held, decision, &mut rng);
                sum += engine::numerics::ln(f64::from(chance));
                count += 1;
                if let Decision::Play(card) = decision {
                    held.remove(card);
                }
            }
        }
        sum / f64::from(count)
    }

    /// Whether what the other was left with is among what it may have been left with.
    fn holds_true_hand(hand: &SeenHand, dealt: Cards) -> bool {
        let points = decision_points(hand);
        let theirs = points
            .iter()
            .filter(|(point, _)| point.public.to_act() != LEARNER);
        let played: Cards = theirs
            .filter_map(|(_, decision)| match decision {
                Decision::Play(card) => Some(*card),
                _ => None,
            })
            .collect();
        let left = dealt.minus(played);
        let same = |&(cards, weight): &(Cards, f32)| cards == left && weight > 0.0;
        hand.range.iter().any(same)
    }

    /// After some games a player's decisions are foretold far better than by the tables, also in games that were not
    /// learnt from, and then its true hand is hardly ever ruled out.
    #[test]
    fn habits_are_learnt() {
        let mut habits = Habits::new(Arc::new(Blueprint::embedded()));
        let known = hands(Doge, 25, 5, &mut habits);
        let new = hands(Doge, 10, 6, &mut habits);
        let before = foretold(&mut habits, &new);
        let known: Vec<SeenHand> = known.into_iter().map(|(hand, _)| hand).collect();
        for part in known.chunks(20) {
            habits.learn(part);
        }
        assert_eq!(habits.hands() as usize, known.len());
        let after = foretold(&mut habits, &new);
        assert!(after > before + 0.3 && after > -0.5, "{before} {after}");
        let new = hands(Doge, 10, 6, &mut habits);
        let held = new
            .iter()
            .filter(|(hand, dealt)| holds_true_hand(hand, *dealt));
        let held = held.count();
        assert!(held * 50 >= new.len() * 49, "{held} of {}", new.len());
    }

    /// The probabilities of everything legal sum to 1, before and after learning.
    #[test]
    fn probabilities_sum_to_one() {
        let mut habits = Habits::new(Arc::new(Blueprint::embedded()));
        let hands = hands(NeedTricks, 3, 5, &mut habits);
        let learnt: Vec<SeenHand> = hands.iter().map(|(hand, _)| hand.clone()).collect();
        let mut rng = stream(2, 0);
        for _ in 0..2 {
            for (hand, dealt) in &hands {
                let mut held = *dealt;
                for (point, decision) in decision_points(hand) {
                    if point.public.to_act() == LEARNER {
                        continue;
                    }
                    let view = View::of_hand(&point.public, held, point.points);
                    let legal = view.legal();
                    let sum: f32 = legal
                        .map(|decision| habits.probability(&point, held, decision, &mut rng))
                        .sum();
                    assert!((sum - 1.0).abs() < 1e-4, "{sum} {point:?} {held}");
                    if let Decision::Play(card) = decision {
                        held.remove(card);
                    }
                }
            }
            habits.learn(&learnt);
        }
    }
}
