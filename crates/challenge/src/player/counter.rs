//! *counter*: a rule that counts cards. It plays out its decisions against the hands that the opponent may hold.

use super::Player;
use super::baseline::{answer, at_match_point, play_cheaply};
use super::tracker::Tracker;
use crate::deals;
use crate::equilibrium::Multisets;
use crate::rules::{Cards, Decision, Event, PublicState, Seat, other};
use crate::view::{Asked, View};
use engine::rng::{Random, below};
use std::array;

/// Hands of the opponent are enumerated up to this size and sampled above.
const ENUMERATED: usize = 2;
/// How many hands are sampled if they are not enumerated.
const SAMPLES: usize = 60;

/// Plays the card that wins the hand against the largest part of the hands the opponent may hold, if both sides
/// play the smallest winner or the lowest card from there on. It offers and accepts by the size of
/// that part.
pub struct Counter {
    tracker: Tracker,
    rng: Random,
    hands: [Multisets; ENUMERATED + 1],
}

impl Counter {
    /// A player with the generator of its samples.
    pub fn new(rng: Random) -> Counter {
        Counter {
            tracker: Tracker::default(),
            rng,
            hands: array::from_fn(Multisets::new),
        }
    }

    /// The opponent's possible hands with their weights.
    fn possible(&mut self, view: &View, public: &PublicState, deck: Cards) -> Vec<(Cards, f64)> {
        let known = public.played[0].plus(public.played[1]);
        let mut deck = deck.minus(known).minus(view.cards);
        for card in view.own_card.into_iter().chain(view.their_card) {
            deck.remove(card);
        }
        let size = public.cards_held(other(view.player_number));
        // Few cards: all hands, each with the number of ways to deal it.
        if let Some(hands) = self.hands.get(size) {
            let weighted = hands
                .all()
                .iter()
                .map(|&hand| (hand, deals::ways(deck, hand)));
            return weighted.filter(|&(_, ways)| ways > 0.0).collect();
        }
        (0..SAMPLES)
            .map(|_| (draw_hand(deck, size, &mut self.rng), 1.0))
            .collect()
    }

    /// The best card to play and how often it wins the hand; at an answer no card, and how often an accepted
    /// challenge is won.
    fn best(&mut self, view: &View, public: &PublicState, deck: Cards) -> (Option<Decision>, f64) {
        let hands = self.possible(view, public, deck);
        let total: f64 = hands.iter().map(|&(_, weight)| weight).sum();
        let win_rate = |public: &PublicState, own: Cards| {
            let won = hands.iter().filter(|&&(theirs, _)| {
                let mut cards = [own; 2];
                cards[other(view.player_number)] = theirs;
                // Both hands are open in this playout.
                play_cheaply(*public, cards).ahead(view.player_number) > 0
            });
            won.map(|&(_, weight)| weight).sum::<f64>() / total.max(1e-9)
        };
        if view.asked == Asked::Answer {
            return (None, win_rate(&public.after(Decision::Accept), view.cards));
        }
        // The first of several equally good cards is kept: the lowest.
        let tries = view.cards.ranks().filter_map(|card| {
            let decision = Decision::Play(card);
            let won = win_rate(&public.after(decision), view.cards.without(card)?);
            Some((Some(decision), won))
        });
        tries.fold(
            (None, -1.0),
            |best, new| if new.1 > best.1 { new } else { best },
        )
    }

    /// The decision, given the public state and the deck that both were dealt from.
    pub fn choose(&mut self, view: &View, public: &PublicState, deck: Cards) -> Decision {
        let (card, chance) = self.best(view, public, deck);
        // A leader in points has more to lose by a challenge.
        let bar = if view.own_points > view.their_points {
            0.8
        } else {
            0.7
        };
        match (view.asked, card) {
            (Asked::Answer, _) => answer(at_match_point(view.their_points) || chance > 0.85),
            (Asked::Card, _) if view.can_challenge && chance > bar => Decision::Offer,
            (Asked::Card, Some(card)) => card,
            (Asked::Card, None) => view.safe().unwrap_or(Decision::Offer),
        }
    }
}

impl Player for Counter {
    fn decide(&mut self, view: &View) -> Decision {
        self.tracker.observe(view);
        let (public, deck) = (*self.tracker.public(), self.tracker.deck());
        let decision = self.choose(view, &public, deck);
        self.tracker.decided(decision);
        decision
    }

    fn event(&mut self, _: Seat, event: Event) {
        self.tracker.event(event);
    }
}

/// Draws a random hand of `size` cards from a deck.
pub fn draw_hand(mut deck: Cards, size: usize, rng: &mut Random) -> Cards {
    let mut hand = Cards::EMPTY;
    for _ in 0..size.min(deck.len()) {
        if let Some(card) = deck.iter().nth(below(rng, deck.len())) {
            deck.remove(card);
            hand.insert(card);
        }
    }
    hand
}
