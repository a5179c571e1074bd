//! The first two tricks of a hand without abstraction, as long as no challenge was accepted.
//!
//! All hands and all plays are distinguished: 447,720 weights for the first trick and 116,025 for the second after
//! each of the 169 ways to play the first, 20 million in all. Each takes half a byte, and most are 0.
//!
//! The slots of a trick, in this order: the leader's cards and offers, the answers to that offer, and for each card
//! led the follower's cards and offers and the leader's answers. A card has a slot for each rank that is played and
//! each set of cards that is kept; an offer or an answer has a slot for each set of cards that is held. Sets are
//! numbered by [`Multisets`].

use super::super::Multisets;
use super::super::multisets::count;
use super::nibbles::Nibbles;
use super::stored::Bytes;
use super::strategy::{Distribution, Strategy};
use crate::rules::{Card, Cards, Decision, HAND_SIZE, PublicState, RANKS, other};
use engine::store::Kind;
use std::io::{self, Read};

/// The tricks that an opening covers.
pub const OPENING_TRICKS: usize = 2;

/// The probabilities that a weight of four bits can stand for. Small ones lie close together, because a strategy
/// depends on its rare bluffs.
const LEVELS: [f32; 16] = [
    0.0, 0.005, 0.01, 0.02, 0.035, 0.055, 0.08, 0.12, 0.17, 0.24, 0.33, 0.45, 0.6, 0.75, 0.9, 1.0,
];

/// The strategy of one hand game in the first two tricks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening(Nibbles);

/// The strategy before the endgames: the opening, and the abstract strategy where the opening has no answer.
#[derive(Clone, Copy)]
pub struct Opened<'a> {
    /// None if the hand game's first tricks were not solved.
    pub opening: Option<&'a Opening>,
    pub strategy: &'a Strategy,
}

impl Opened<'_> {
    /// The strategy of the player to act with the cards `own` (without one on the table).
    pub fn played(&self, public: &PublicState, own: Cards) -> Distribution {
        let opened = self
            .opening
            .and_then(|opening| opening.distribution(public, own));
        opened.unwrap_or_else(|| self.strategy.played(public, own))
    }
}

/// One hand's strategy at one decision, as weights that need not sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights {
    /// By rank: index 0 is the card 1.
    pub plays: [f32; RANKS],
    pub offer: f32,
    /// The probability of accepting an offer, if one waits.
    pub accept: f32,
}

/// The number of slots of one trick with `cards` cards; see the module for their order.
const fn trick_len(cards: usize) -> usize {
    // There are 6,188 hands of five cards and 1,820 of four. Five cards: leads and offers 13 · 1,820 + 6,188 = 29,848,
    // answers 6,188, and for each of 13 cards led 29,848 + 1,820: together 447,720.
    choice_len(cards) + count(RANKS, cards) + RANKS * led_len(cards)
}

/// The number of slots of a card or an offer: by rank and cards kept, then by cards held.
const fn choice_len(cards: usize) -> usize {
    RANKS * count(RANKS, cards - 1) + count(RANKS, cards)
}

/// The number of slots after one card was led: the follower's choice and the leader's answers.
const fn led_len(cards: usize) -> usize {
    choice_len(cards) + count(RANKS, cards - 1)
}

/// The start of a decision's slots.
enum Slots {
    /// The decision is to play a card or to offer.
    Choice(usize),
    /// The decision is to answer an offer.
    Answer(usize),
}

fn place(card: Card) -> usize {
    usize::from(card.rank()) - 1
}

impl Slots {
    /// The slots at a public state. None after the opening and in an accepted challenge.
    fn of(public: &PublicState) -> Option<Slots> {
        let cards = public.tricks_left();
        let open = public.can_challenge() || public.must_answer();
        // `open`: a challenge may still be offered, or an offer waits. After an accepted one neither holds.
        if cards + OPENING_TRICKS <= HAND_SIZE || !open {
            return None;
        }
        let start = match cards {
            HAND_SIZE => 0,
            _ => {
                // Each player has played one card, so `lowest` gives it.
                let [led, followed] =
                    [public.opener, other(public.opener)].map(|seat| public.played[seat].lowest());
                // The second trick is distinguished by the two cards of the first. Its leader follows from them.
                let number = place(led?) * RANKS + place(followed?);
                trick_len(HAND_SIZE) + number * trick_len(cards)
            }
        };
        // Within the trick, in the order of the module's list.
        let answers = start + choice_len(cards);
        Some(match (public.table, public.must_answer()) {
            (None, false) => Slots::Choice(start),
            (None, true) => Slots::Answer(answers),
            (Some(led), waits) => {
                // The blocks of the cards led stand behind the answers to the leader's offer.
                let led = answers + count(RANKS, cards) + place(led) * led_len(cards);
                match waits {
                    false => Slots::Choice(led),
                    true => Slots::Answer(led + choice_len(cards)),
                }
            }
        })
    }
}

/// The decisions of a player with the cards `own` and the slot of each: its cards, and last the offer. `start` is
/// where the slots of a card or an offer begin.
fn slots(start: usize, own: Cards) -> impl Iterator<Item = (Decision, usize)> {
    let kept = count(RANKS, own.len() - 1);
    let card = move |card: Card| {
        let rest = Multisets::index(own.without(card).unwrap_or_default());
        (Decision::Play(card), start + place(card) * kept + rest)
    };
    // An offer keeps the whole hand, so its slots are numbered by it.
    let offer = start + RANKS * kept + Multisets::index(own);
    own.ranks().map(card).chain([(Decision::Offer, offer)])
}

/// The index in `LEVELS` of the nearest probability, measured between square roots: small probabilities are kept
/// apart.
fn level(probability: f32) -> u8 {
    // 0.002 becomes 0.005 and not 0: the roots are 0.045, 0.071 and 0.
    let root = probability.max(0.0).sqrt();
    let distance = |level: &u8| (LEVELS[usize::from(*level)].sqrt() - root).abs();
    (0..LEVELS.len() as u8)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .unwrap_or(0)
}

impl Opening {
    /// The opening with these weights, rounded. `weights` is called for every hand at every decision.
    pub fn new(weights: impl Fn(&PublicState, Cards) -> Weights) -> Opening {
        let mut all = Filling(vec![0; Opening::LEN]);
        let ranks = || Card::all().map(Decision::Play);
        // The seat does not matter: slots depend on who opens, not on its number.
        let opened = PublicState::new(0);
        all.add_trick(&opened, &weights);
        for led in ranks() {
            for followed in ranks() {
                all.add_trick(&opened.after(led).after(followed), &weights);
            }
        }
        Opening(Nibbles::of(&all.0))
    }

    /// The probability that is stored in a slot.
    fn get(&self, slot: usize) -> f32 {
        LEVELS[usize::from(self.0.get(slot))]
    }

    /// The strategy of the player to act with the cards `own` (without one on the table), with probabilities that
    /// sum to 1. None after the opening, in an accepted challenge, and where all weights of a choice are 0.
    pub fn distribution(&self, public: &PublicState, own: Cards) -> Option<Distribution> {
        match Slots::of(public)? {
            Slots::Choice(start) => {
                let mut chosen: Distribution = slots(start, own)
                    .map(|(decision, slot)| (decision, self.get(slot)))
                    .collect();
                // Rounded probabilities do not sum to 1.
                let sum: f32 = chosen.iter().map(|(_, weight)| weight).sum();
                chosen.iter_mut().for_each(|(_, weight)| *weight /= sum);
                (sum > 0.0).then_some(chosen)
            }
            Slots::Answer(start) => {
                // One slot: the probability of accepting. The rest rejects.
                let accept = self.get(start + Multisets::index(own));
                let both = [(Decision::Accept, accept), (Decision::Reject, 1.0 - accept)];
                Some(both.into_iter().collect())
            }
        }
    }
}

/// The slots of an opening that is being made, two to a byte.
struct Filling(Vec<u8>);

impl Filling {
    /// Adds the decisions of the trick that begins at `public`.
    fn add_trick(
        &mut self,
        public: &PublicState,
        weights: impl Fn(&PublicState, Cards) -> Weights,
    ) {
        // Four kinds of decision: leads, answers to the leader's offer, follows, answers to the follower's offer.
        let led = Card::all().map(|card| public.after(Decision::Play(card)));
        for public in std::iter::once(*public).chain(led) {
            self.add(&public, &weights);
            self.add(&public.after(Decision::Offer), &weights);
        }
    }

    /// Stores the weights of every hand at the decision of `public`.
    fn add(&mut self, public: &PublicState, weights: impl Fn(&PublicState, Cards) -> Weights) {
        let held = Multisets::new(public.cards_held(public.to_act()));
        for &own in held.all() {
            let weights = weights(public, own);
            match Slots::of(public) {
                Some(Slots::Choice(start)) => {
                    let weight = |decision| match decision {
                        Decision::Play(card) => weights.plays[place(card)],
                        _ => weights.offer,
                    };
                    let sum: f32 = slots(start, own)
                        .map(|(decision, _)| weight(decision))
                        .sum();
                    // Without weight all slots stay 0, which reads as unknown.
                    if sum > 0.0 {
                        for (decision, slot) in slots(start, own) {
                            self.set(slot, level(weight(decision) / sum));
                        }
                    }
                }
                Some(Slots::Answer(start)) => {
                    let accept = level(weights.accept);
                    self.set(start + Multisets::index(own), accept);
                }
                None => {}
            }
        }
    }

    /// Stores a level, an index in `LEVELS`, in an empty slot.
    fn set(&mut self, slot: usize, level: u8) {
        // Two slots share a byte: the even one has the lower four bits. Each slot is set once, from 0, so an or
        // will do.
        self.0[slot / 2] |= level << (4 * (slot % 2));
    }
}

impl Bytes for Opening {
    const KIND: Kind = Kind::new("opening", 1);
    const LEN: usize =
        (trick_len(HAND_SIZE) + RANKS * RANKS * trick_len(HAND_SIZE - 1)).div_ceil(2);

    fn bytes(&self) -> Vec<u8> {
        self.0.bytes()
    }

    fn from_bytes(from: &mut impl Read) -> io::Result<Opening> {
        Nibbles::read(from, Opening::LEN).map(Opening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deals::fresh;
    use crate::tests::random_hands;
    use engine::rng::stream;

    /// Weights that differ from decision to decision, so that a slot shared by two of them is noticed.
    fn marked(public: &PublicState, own: Cards) -> Weights {
        let mut mark = Multisets::index(own) * 31 + usize::from(public.table.map_or(7, Card::rank));
        for seat in [public.opener, other(public.opener)] {
            let played = public.played[seat].lowest().map_or(0, Card::rank);
            mark = mark * 17 + usize::from(played);
        }
        let accept = LEVELS[mark % LEVELS.len()];
        let mut weights = Weights {
            accept,
            ..Weights::default()
        };
        // All the weight on one decision; another state or hand hardly chooses the same.
        let ways = own.ranks().count() + 1;
        match own.ranks().nth(mark / 16 % ways) {
            Some(card) => weights.plays[place(card)] = 1.0,
            None => weights.offer = 1.0,
        }
        weights
    }

    /// Every decision of the first two tricks has slots of its own, is read as it was stored, and is legal. Later
    /// decisions have no answer.
    #[test]
    fn what_is_stored_is_what_was_given() {
        let opening = Opening::new(marked);
        assert_eq!(opening.bytes().len(), Opening::LEN);
        let mut seen = [0; 4];
        random_hands(3_000, &mut stream(3, 0), |hand, _| {
            let Some(seat) = hand.to_act() else {
                return;
            };
            let (public, own) = (*hand.public(), hand.cards(seat));
            let found = opening.distribution(&public, own);
            let covered = public.tricks_left() > 3 && !public.in_challenge();
            assert_eq!(found.is_some(), covered, "{public:?}");
            let Some(found) = found else {
                return;
            };
            let sum: f32 = found.iter().map(|(_, probability)| probability).sum();
            assert!((sum - 1.0).abs() < 1e-6);
            let given = marked(&public, own);
            for (decision, probability) in found {
                assert!(hand.legal().any(|legal| legal == decision));
                let expected = match decision {
                    Decision::Play(card) => given.plays[place(card)],
                    Decision::Offer => given.offer,
                    Decision::Accept => given.accept,
                    Decision::Reject => 1.0 - given.accept,
                };
                assert!((probability - expected).abs() < 1e-6, "{public:?} {own}");
            }
            let kind = 2 * usize::from(public.must_answer()) + usize::from(public.table.is_some());
            seen[kind] += 1;
        });
        assert!(seen.iter().all(|&seen| seen > 100), "{seen:?}");
    }

    /// Small probabilities are kept apart, and without weights there is no answer.
    #[test]
    fn small_probabilities_are_kept() {
        for (number, &probability) in (0..).zip(&LEVELS) {
            assert_eq!(level(probability), number);
        }
        assert_eq!((level(0.002), level(0.004), level(0.076)), (1, 1, 6));
        let nothing = Opening::new(|_, _| Weights::default());
        let own = fresh(&mut stream(4, 0))[0];
        assert_eq!(nothing.distribution(&PublicState::new(0), own), None);
    }
}
