//! The habits of one opponent, learnt over a series of games: how it offers, how it answers, and which cards it
//! plays.
//!
//! Three preferences (see [`choice`]) start as the blueprint decides and are fitted to the opponent's decisions. A
//! *bet* is an offer or an acceptance. The opponent's cards at a decision are known only as far as the hand was
//! played. Its other cards are drawn from the possible hands by what has been learnt so far (Monte Carlo expectation
//! maximisation; Wei and Tanner 1990). `exploiter` uses these habits.

pub mod choice;
mod features;

use super::blueprint::distribution;
use super::response::{DecisionPoint, Opponent, drawn_evenly};
use crate::equilibrium::blueprint::{Blueprint, Distribution, probability_of};
use crate::rules::{Cards, Decision, HAND_SIZE, Seat, other};
use crate::view::View;
use choice::{Example, Features, MOST_EXAMPLES, Options, Preference};
use engine::rng::{Random, stream, unit};
use features::{BET, CARD, of_bet, of_card};
use std::sync::Arc;

/// If a hand was not seen to its end, how many possible ones are drawn in its place.
const DRAWN: usize = 4;
/// The probability that a decision follows no habit. It is spread evenly over the options.
const STRAY: f32 = 0.02;
/// The index of the feature with the blueprint's own probability: of a bet, of a card.
const TABLES: [usize; 2] = [1, 0];

/// A hand that is over, as one player saw it.
#[derive(Clone, Debug)]
pub struct SeenHand {
    /// The seat of the player that learns.
    pub seat: Seat,
    /// The decision point at the start of the hand.
    pub start: DecisionPoint,
    /// All decisions of the hand, in order.
    pub log: Vec<Decision>,
    /// The cards that the other may hold at the end, with likelihoods.
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
    /// The memory of one example of each habit, in bytes.
    const EXAMPLE_BYTES: usize =
        2 * size_of::<Example<BET, 2>>() + size_of::<Example<CARD, HAND_SIZE>>();

    /// How many examples of a habit can be kept for each opponent, so that those of all opponents fit into `bytes`.
    pub fn most_examples(bytes: usize, opponents: usize) -> usize {
        let most = bytes / (Habits::EXAMPLE_BYTES * opponents.max(1));
        match most < MOST_EXAMPLES {
            // A list has room for a power of two.
            true => 1 << most.max(1).ilog2(),
            false => MOST_EXAMPLES,
        }
    }

    /// Keeps at most this many examples of each habit from now on, the latest ones.
    pub fn keep(&mut self, most: usize) {
        self.offers.keep(most);
        self.answers.keep(most);
        self.cards.keep(most);
    }

    /// The habits of an opponent that plays by the blueprint, as far as is known.
    pub fn new(blueprint: Arc<Blueprint>) -> Habits {
        // With weight 1 on the blueprint's log-odds (of a bet) or log-probability (of a card) and 0 on all else,
        // the model's probability is the blueprint's, apart from `STRAY` and the limits of the features' logarithms.
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

    /// The same habits without their examples: for predicting, not for learning.
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

    /// Fresh habits, for an opponent that has changed.
    #[must_use]
    pub fn forgotten(&self) -> Habits {
        Habits::new(Arc::clone(&self.blueprint))
    }

    /// How many hands were learnt from.
    pub fn hands(&self) -> u32 {
        self.hands
    }

    /// Learns from hands that are over.
    pub fn learn(&mut self, hands: &[SeenHand]) {
        // A stream that depends on the hands seen alone: the same games teach the same habits.
        let mut rng = stream(0x4AB1_7500, self.hands.into());
        // The expectation step: all examples are drawn by the habits as they were, and only then are the weights
        // fitted.
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

    /// The opponent's decisions in a hand as examples, each with cards that may have been behind it.
    fn examples(&self, hand: &SeenHand, rng: &mut Random) -> Vec<Sorted> {
        let them = other(hand.seat);
        let points = decision_points(hand);
        let played = points.iter().filter_map(|(point, decision)| {
            match (point.public.to_act() == them, decision) {
                (true, Decision::Play(card)) => Some(*card),
                _ => None,
            }
        });
        // A hand at the start is the cards still held at the end and those that were played.
        let played: Cards = played.collect();
        // A hand that was seen to its end has one possibility; else a few are drawn by their likelihoods.
        let drawn = drawn_evenly(&hand.range, hand.range.len().min(DRAWN), unit(rng) as f32);
        // All drawn hands together count as one.
        let weight = 1.0 / drawn.len() as f32;
        let mut examples = Vec::new();
        for (cards, _) in drawn {
            self.sort(&points, them, cards.plus(played), weight, &mut examples);
        }
        examples
    }

    /// Adds the decisions of the player on `seat` to the examples, assuming that it was dealt these cards.
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
            // The result of a settled hand is certain, so decisions in it show no habit.
            let open = point.public.settled().is_none();
            let tables = self.tables(point, held);
            if open && point.public.must_answer() {
                examples.push(Sorted::Answer(Example {
                    options: bet(point, held, tables.bet),
                    // Option 1 is to bet, option 0 not to.
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
                // A player with one rank has no choice of cards.
                if let Some(chosen) = chosen.filter(|_| open && held.ranks().count() > 1) {
                    // One option for each rank held.
                    let options = self.options(point, held, &tables);
                    examples.push(Sorted::Card(Example {
                        options,
                        chosen,
                        weight,
                    }));
                }
                // For the player's next decision in the hand.
                held.remove(*card);
            }
        }
    }

    /// The cards that can be played, with their features.
    fn options(
        &self,
        point: &DecisionPoint,
        cards: Cards,
        tables: &Tabled,
    ) -> Options<CARD, HAND_SIZE> {
        // The blueprint's probability of the card, given that it does not offer.
        let chance = |card| match tables.bet < 1.0 {
            true => probability_of(&tables.chosen, Decision::Play(card)) / (1.0 - tables.bet),
            false => 1.0,
        };
        let ranks = cards.ranks();
        ranks
            .map(|card| of_card(point, cards, card, chance(card)))
            .collect()
    }

    /// The blueprint's strategy at a decision, for a player with these cards.
    fn tables(&self, point: &DecisionPoint, cards: Cards) -> Tabled {
        // The view of the player to act, as the blueprint would see it with these cards.
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
        rng: &mut Random,
    ) -> f32 {
        probability_of(&self.distribution(point, cards, rng), decision)
    }

    fn distribution(
        &mut self,
        point: &DecisionPoint,
        cards: Cards,
        _: &mut Random,
    ) -> Distribution {
        let tables = self.tables(point, cards);
        // Index 1 is the bet.
        let likely = |preference: &Preference<BET, 2>| {
            spread(preference.chances(&bet(point, cards, tables.bet))[1], 2)
        };
        let mut chosen = Distribution::new();
        if point.public.must_answer() {
            let accept = likely(&self.answers);
            chosen.push((Decision::Accept, accept));
            chosen.push((Decision::Reject, 1.0 - accept));
            return chosen;
        }
        // A card is played if no offer is made, where one is allowed.
        let mut plays = 1.0;
        if point.public.can_challenge() {
            let offer = likely(&self.offers);
            chosen.push((Decision::Offer, offer));
            plays -= offer;
        }
        let options = self.options(point, cards, &tables);
        for (card, chance) in cards.ranks().zip(self.cards.chances(&options)) {
            chosen.push((Decision::Play(card), plays * spread(chance, options.len())));
        }
        chosen
    }
}

/// An example of one of the three habits.
enum Sorted {
    Offer(Example<BET, 2>),
    Answer(Example<BET, 2>),
    Card(Example<CARD, HAND_SIZE>),
}

/// The blueprint's strategy at one decision.
struct Tabled {
    chosen: Distribution,
    /// The probability of an offer or an acceptance.
    bet: f32,
}

/// Mixes a probability with a uniform choice between `options` options, of weight `STRAY`.
fn spread(chance: f32, options: usize) -> f32 {
    STRAY / options as f32 + (1.0 - STRAY) * chance
}

/// The two options of a bet: not to bet, with features 0, and to bet.
fn bet(point: &DecisionPoint, cards: Cards, chance: f32) -> Options<BET, 2> {
    let none: Features<BET> = [0.0; BET];
    [none, of_bet(point, cards, chance)].into_iter().collect()
}

/// All decisions of a hand, each with its decision point.
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
    use crate::tests::{Table, next};
    use std::time::Duration;

    const LEARNER: Seat = 0;

    /// Hands between *need*, which learns, and a rule, as *need* sees them. Each comes with the hand that was dealt
    /// to the other player.
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
            let mut table = Table::new(game_id, 1, Duration::MAX);
            let mut deck = deals::shuffled(&mut rng);
            let mut tracker = Tracker::default();
            let mut response = Response::new(Hands::Every);
            let mut dealt = [Cards::EMPTY; 2];
            while let Some(view) = table.view(|| {
                dealt = next(&mut deck, &mut rng);
                dealt
            }) {
                let seat = view.player_number;
                if seat == LEARNER {
                    tracker.observe(&view);
                    response.observe(&view, &tracker, habits, &mut rng);
                }
                let decision = players[seat].decide(&view);
                if seat == LEARNER {
                    tracker.decided(decision);
                }
                let events = table.decide(decision);
                for &(_, event) in events.iter().filter(|heard| heard.0 == LEARNER) {
                    tracker.event(event);
                }
                let over = events
                    .iter()
                    .any(|(_, event)| matches!(event, crate::rules::Event::HandDone { .. }));
                // Only hands in which the learner was asked for a decision are followed.
                if over && response.hand() == (game_id, view.hand_id) {
                    let mut log = tracker.log().unwrap().to_vec();
                    // The log lacks a rejection by the other player: no event names it, the hand just ends.
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

    /// The mean log-probability of the other player's decisions, given its true cards.
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

    /// Whether the range at the end of the hand contains the other player's true hand.
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

    /// After some games a player's decisions are predicted far better than by the blueprint, also in new games, and
    /// its true hand is hardly ever excluded.
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

    /// All examples of all opponents fit in the memory for them.
    #[test]
    fn examples_fit_in_their_memory() {
        assert_eq!(Habits::most_examples(8 << 20, 1), MOST_EXAMPLES);
        for opponents in [0, 1, 7, 20, 128, 100_000] {
            let most = Habits::most_examples(8 << 20, opponents);
            let bytes = opponents * most.next_power_of_two() * Habits::EXAMPLE_BYTES;
            assert!(most >= 1 && (bytes <= 8 << 20 || most == 1), "{opponents}");
        }
    }

    /// The probabilities of all legal decisions sum to 1, before and after learning.
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
