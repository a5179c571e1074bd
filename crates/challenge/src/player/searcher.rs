//! *search*: looks one decision ahead and plays out the rest by the blueprint.
//!
//! The opponent's *range*, the hands that it may hold with their weights, follows from its decisions by Bayes' rule.
//! The opponent is assumed to play by the blueprint most of the time. Every legal decision is tried in the same
//! worlds drawn from that range, and both sides play by the blueprint from there on: a step of policy improvement by
//! rollouts (Tesauro and Galperin 1996). All decisions get the same worlds and random numbers, and so the same luck:
//! their differences are less noisy (common random numbers).

use super::Player;
use super::baseline::{RandomCards, Rule};
use super::blueprint::distribution;
use super::tracker::Tracker;
use crate::deals;
use crate::equilibrium::blueprint::{Blueprint, Strategy, probability_of, sample};
use crate::equilibrium::{Multisets, Stakes};
use crate::rules::{Cards, Decision, Event, HAND_SIZE, PublicState, Seat, other};
use crate::view::View;
use engine::rng::{Random, stream, unit};
use rand::Rng;
use std::sync::{Arc, OnceLock};

/// The assumed probability that a decision of the opponent does not follow the blueprint.
const STRAY: f32 = 0.05;

/// The settings of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// How many worlds every decision is tried in. With 0 the blueprint decides.
    pub worlds: u32,
    /// The part of its decisions that are made by *random*, which plays any card and neither offers nor accepts.
    pub mistakes: f64,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            worlds: 400,
            mistakes: 0.0,
        }
    }
}

/// A decision to be made, with all that the player to act may know.
#[derive(Clone, Debug)]
pub struct Position {
    /// The public state of the hand.
    pub public: PublicState,
    /// All decisions of the hand, in order; none if some were missed.
    pub log: Option<Vec<Decision>>,
    /// The cards of the player to act, without one on the table.
    pub cards: Cards,
    /// Points of both players.
    pub points: [u8; 2],
    /// The deck that both hands were dealt from, without the cards seen in earlier hands.
    pub deck: Cards,
}

/// All multisets of `size` cards, at the index of their numbers; built once.
fn multisets(size: usize) -> &'static Multisets {
    static ALL: [OnceLock<Multisets>; HAND_SIZE + 1] = [const { OnceLock::new() }; HAND_SIZE + 1];
    ALL[size.min(HAND_SIZE)].get_or_init(|| Multisets::new(size.min(HAND_SIZE)))
}

impl Position {
    fn seat(&self) -> Seat {
        self.public.to_act()
    }

    /// The cards that a player has played in this hand, one on the table included.
    fn shown(&self, seat: Seat) -> Cards {
        let table = self.public.table.filter(|_| self.public.lead == seat);
        let finished = self.public.played[seat];
        table.map_or(finished, |card| finished.with(card))
    }

    /// All legal decisions: cards ascending, each rank once, then an offer; or the two answers.
    pub fn legal(&self) -> Vec<Decision> {
        let view = View::of_hand(&self.public, self.cards, self.points);
        view.legal().collect()
    }

    /// The hands that the opponent may hold now, each with its weight: the ways to deal the whole hand times the
    /// probabilities of its decisions.
    fn range(&self, blueprint: &Blueprint) -> Vec<(Cards, f64)> {
        let them = other(self.seat());
        let deck = self.deck.minus(self.cards).minus(self.shown(self.seat()));
        let shown = self.shown(them);
        // The other's hand is dealt from the cards that are neither held nor shown by the player to act.
        let held = multisets(self.public.cards_held(them));
        let weighted = held.all().iter().map(|&left| {
            let ways = deals::ways(deck, left.plus(shown));
            // Hands that the deck cannot deal need no look at their decisions.
            let reach = if ways > 0.0 {
                self.reach(blueprint, them, left.plus(shown))
            } else {
                0.0
            };
            (left, ways * f64::from(reach))
        });
        weighted.filter(|&(_, weight)| weight > 0.0).collect()
    }

    /// The probability that a player who was dealt these cards has decided as it did. 1 if the log is missing.
    fn reach(&self, blueprint: &Blueprint, seat: Seat, dealt: Cards) -> f32 {
        let mut held = dealt;
        let mut public = PublicState::new(self.public.opener);
        let mut reach = 1.0;
        for &decision in self.log.iter().flatten() {
            if public.to_act() == seat {
                let view = View::of_hand(&public, held, self.points);
                let chosen = distribution(blueprint, &public, &view);
                // A decision against the blueprint lowers a hand's weight and never excludes it.
                reach *= STRAY + (1.0 - STRAY) * probability_of(&chosen, decision);
                if let Decision::Play(card) = decision {
                    held.remove(card);
                }
            }
            public = public.after(decision);
        }
        reach
    }

    /// Tries each legal decision; the best comes first. The same seed gives the same answer.
    pub fn search(&self, blueprint: &Blueprint, worlds: u32, seed: u64) -> Vec<Tried> {
        let worlds = worlds.max(1);
        let range = self.range(blueprint);
        let stakes = blueprint
            .values()
            .stakes_for(self.points, self.public.opener);
        let strategy = blueprint.strategy(&stakes);
        // Cumulative weights, so that a world is drawn by a binary search.
        let mut sum = 0.0;
        let ends = range.iter().map(|&(_, weight)| {
            sum += weight;
            sum
        });
        let ends: Vec<f64> = ends.collect();
        let mut tried: Vec<Tried> = self.legal().into_iter().map(Tried::new).collect();
        for world in 0..worlds {
            // Each world has its own stream, and each decision a copy of it.
            let mut rng = stream(seed, world.into());
            let drawn = unit(&mut rng) * sum;
            // The first world whose cumulative weight exceeds the drawn number; rounding may pass the last one.
            let place = ends.partition_point(|&end| end <= drawn);
            let Some(&(theirs, _)) = range.get(place.min(range.len().saturating_sub(1))) else {
                break;
            };
            let mut cards = [theirs; 2];
            cards[self.seat()] = self.cards;
            for one in &mut tried {
                let end = played_out(strategy, self.public, cards, one.decision, rng.clone());
                one.count(&end, self.seat(), &stakes, 1.0 / f64::from(worlds));
            }
        }
        tried.sort_by(|one, two| two.chance.total_cmp(&one.chance));
        tried
    }

    /// The decision of a player with these settings.
    pub fn decide(
        &self,
        blueprint: &Blueprint,
        settings: SearchSettings,
        rng: &mut Random,
    ) -> Option<Decision> {
        let view = View::of_hand(&self.public, self.cards, self.points);
        if unit(rng) < settings.mistakes {
            return Some(RandomCards.choose(&view, rng));
        }
        // If the hand's winner is certain there is nothing to try.
        if settings.worlds == 0 || self.public.settled().is_some() {
            let chosen = distribution(blueprint, &self.public, &view);
            return sample(&chosen, unit(rng) as f32);
        }
        let tried = self.search(blueprint, settings.worlds, rng.next_u64());
        tried.first().map(|best| best.decision)
    }
}

/// The results of a decision if both play by the blueprint after it, as means over the worlds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried {
    pub decision: Decision,
    /// The chance to win the game.
    pub chance: f64,
    /// The chance to win the hand.
    pub won: f64,
    /// The chance that the hand is tied.
    pub tied: f64,
    /// The chance that the hand ends by a challenge that is rejected.
    pub rejected: f64,
}

impl Tried {
    fn new(decision: Decision) -> Tried {
        Tried {
            decision,
            chance: 0.0,
            won: 0.0,
            tied: 0.0,
            rejected: 0.0,
        }
    }

    /// Counts one playout. `end` is the end of the hand, or a state in which its winner is certain.
    fn count(&mut self, end: &PublicState, seat: Seat, stakes: &Stakes, weight: f64) {
        let share = |holds: bool| if holds { weight } else { 0.0 };
        self.chance += f64::from(stakes.of(end, seat)) * weight;
        self.won += share(end.leader() == Some(seat));
        self.tied += share(end.leader().is_none());
        self.rejected += share(end.is_rejected());
    }
}

/// Both players' chances to win the game if both play by the blueprint: the mean over `playouts` playouts. The hands
/// `cards` have just been dealt at the score `points`, and `opener` leads. The same seed gives the same answer.
pub fn chances(
    blueprint: &Blueprint,
    cards: [Cards; 2],
    points: [u8; 2],
    opener: Seat,
    playouts: u32,
    seed: u64,
) -> [f64; 2] {
    let stakes = blueprint.values().stakes_for(points, opener);
    let strategy = blueprint.strategy(&stakes);
    let public = PublicState::new(opener);
    let chosen = strategy.played(&public, cards[opener]);
    let mut sums = [0.0; 2];
    for playout in 0..playouts {
        let mut rng = stream(seed, playout.into());
        let Some(decision) = sample(&chosen, unit(&mut rng) as f32) else {
            break;
        };
        let end = played_out(strategy, public, cards, decision, rng);
        for (seat, sum) in sums.iter_mut().enumerate() {
            *sum += f64::from(stakes.of(&end, seat));
        }
    }
    sums.map(|sum| sum / f64::from(playouts.max(1)))
}

/// Plays the rest of a hand by the blueprint, after `decision` and in the world of these cards.
fn played_out(
    strategy: &Strategy,
    mut public: PublicState,
    mut cards: [Cards; 2],
    decision: Decision,
    mut rng: Random,
) -> PublicState {
    let mut next = Some(decision);
    while let Some(decision) = next {
        if let Decision::Play(card) = decision {
            cards[public.to_act()].remove(card);
        }
        public = public.after(decision);
        // A settled hand has one value, so the playout ends here.
        if public.is_over() || public.settled().is_some() {
            break;
        }
        let chosen = strategy.played(&public, cards[public.to_act()]);
        next = sample(&chosen, unit(&mut rng) as f32);
    }
    public
}

/// The player that looks one decision ahead.
pub struct Searcher {
    blueprint: Arc<Blueprint>,
    settings: SearchSettings,
    tracker: Tracker,
    rng: Random,
}

impl Searcher {
    /// A player with the tables of its playouts and the generator of its worlds and mistakes.
    pub fn new(blueprint: Arc<Blueprint>, settings: SearchSettings, rng: Random) -> Searcher {
        Searcher {
            blueprint,
            settings,
            tracker: Tracker::default(),
            rng,
        }
    }
}

impl Player for Searcher {
    fn decide(&mut self, view: &View) -> Decision {
        self.tracker.observe(view);
        let position = Position {
            public: *self.tracker.public(),
            log: self.tracker.log().map(<[Decision]>::to_vec),
            cards: view.cards,
            points: view.points(),
            deck: self.tracker.deck(),
        };
        let chosen = position.decide(&self.blueprint, self.settings, &mut self.rng);
        let legal = chosen.filter(|&decision| view.allows(decision));
        let decision = legal.or_else(|| view.safe()).unwrap_or(Decision::Offer);
        self.tracker.decided(decision);
        decision
    }

    fn event(&mut self, _: Seat, event: Event) {
        self.tracker.event(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{card, cards};
    use crate::rules::{Hand, PACKS};
    use crate::tests::random_hands;

    fn position(hand: &Hand, log: &[Decision]) -> Position {
        Position {
            public: *hand.public(),
            log: Some(log.to_vec()),
            cards: hand.cards(hand.public().to_act()),
            points: [3, 5],
            deck: PACKS,
        }
    }

    /// In random hands every legal decision is tried, and chances lie between 0 and 1.
    #[test]
    fn every_legal_decision_is_tried() {
        let blueprint = Blueprint::embedded();
        random_hands(40, &mut stream(1, 0), |hand, log| {
            if hand.to_act().is_none() {
                return;
            }
            let legal: Vec<Decision> = hand.legal().collect();
            let position = position(hand, log);
            let tried = position.search(&blueprint, 20, 7);
            assert_eq!(tried, position.search(&blueprint, 20, 7));
            let mut decisions: Vec<Decision> = tried.iter().map(|one| one.decision).collect();
            decisions.sort_unstable();
            assert_eq!(decisions, legal);
            for one in &tried {
                assert!((0.0..=1.0 + 1e-6).contains(&one.chance), "{one:?}");
                assert!(one.won + one.tied <= 1.0 + 1e-9 && one.rejected <= 1.0 + 1e-9);
            }
            assert!(tried.is_sorted_by(|one, two| one.chance >= two.chance));
        });
    }

    /// The opponent's true hand is always in the range, without the cards it has shown.
    #[test]
    fn the_range_holds_the_true_hand() {
        let blueprint = Blueprint::embedded();
        random_hands(20, &mut stream(2, 0), |hand, log| {
            let Some(seat) = hand.to_act() else {
                return;
            };
            let theirs = hand.cards(other(seat));
            let mut position = position(hand, log);
            for log in [Some(log.to_vec()), None] {
                position.log = log;
                let range = position.range(&blueprint);
                assert!(range.iter().any(|&(cards, _)| cards == theirs));
                assert!(range.iter().all(|(cards, _)| cards.len() == theirs.len()));
            }
        });
    }

    /// In an accepted challenge at two tricks each, the player with the highest last card wins.
    #[test]
    fn a_certain_win_is_worth_1() {
        let blueprint = Blueprint::embedded();
        let mut hand = Hand::new([cards(&[13, 9, 2, 2, 2]), cards(&[12, 12, 11, 1, 1])], 0);
        let play = |rank| Decision::Play(card(rank));
        let mut log = vec![Decision::Offer, Decision::Accept];
        log.extend([2, 11, 1, 2, 9, 1, 2, 12, 12].map(play));
        for &decision in &log {
            hand.decide(decision).unwrap();
        }
        assert_eq!(hand.public().tricks, [2, 2]);
        let tried = position(&hand, &log).search(&blueprint, 10, 1);
        assert_eq!(tried[0].decision, play(13));
        assert!(
            (tried[0].chance - 1.0).abs() < 1e-9 && (tried[0].won - 1.0).abs() < 1e-9,
            "{tried:?}"
        );
    }

    /// Without worlds it plays the blueprint; if all its decisions are mistakes, it plays as *random*.
    #[test]
    fn settings_say_who_decides() {
        let blueprint = Blueprint::embedded();
        let hand = Hand::new([cards(&[13, 13, 12, 12, 12]), cards(&[1, 2, 3, 4, 5])], 0);
        let position = position(&hand, &[]);
        let view = View::of_hand(&position.public, position.cards, position.points);
        let mut rng = stream(3, 0);
        let mut decide = |worlds, mistakes| {
            let settings = SearchSettings { worlds, mistakes };
            position.decide(&blueprint, settings, &mut rng).unwrap()
        };
        let planned = distribution(&blueprint, &position.public, &view);
        for _ in 0..50 {
            let chosen = decide(0, 0.0);
            assert!(probability_of(&planned, chosen) > 0.0, "{chosen:?}");
            assert!(matches!(decide(0, 1.0), Decision::Play(_)));
        }
    }
}
