//! The information sets that a blueprint distinguishes, and its actions there.
//!
//! A player remembers the cards it holds, how many tricks it is ahead, who offered a challenge, and the sum of the
//! ranks that the opponent has played. It forgets the order of all plays and its own played cards. A card to be
//! followed counts by how many of its cards beat it and whether one equals it.
//!
//! A follower has three ways to play: the smallest winner, an equal card, or the lowest card. Any other card gives
//! the same result of the trick and leaves a worse hand.
//!
//! A strategy is one flat array. An information set is a range in it: it begins at an offset and has a slot for each
//! action. Two situations that the abstraction does not distinguish must have the same offset and give each slot the
//! same meaning. The ranges of two different information sets must never overlap. The module `level` computes the
//! offsets.

use super::super::multisets::{ascending, index};
use super::level::{LEVELS, Level};
use crate::rules::{Card, Cards, Challenge, Decision, HAND_SIZE, PublicState, other};
use arrayvec::ArrayVec;
use std::cmp::Ordering;

/// An information set: the start of its slots, and the decisions with the slot of each.
#[derive(Clone, Debug)]
pub struct InformationSet {
    /// The index of its first slot in a strategy.
    pub offset: usize,
    /// Each possible decision with its slot, counted from the offset.
    pub decisions: ArrayVec<(usize, Decision), 6>,
}

/// An action; a card is named by its position in the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The card at this position in the hand.
    Play(u8),
    Offer,
    Accept,
    Reject,
}

/// Actions with their slots.
pub type Actions = ArrayVec<(u8, Action), 6>;

/// A player's cards, ascending, and which of them it still holds.
#[derive(Clone, Copy, Debug)]
pub struct HeldCards<'a> {
    /// The cards of the deal by rank, ascending.
    pub ranks: &'a [u8; HAND_SIZE],
    /// The cards still held: bit `i` for `ranks[i]`.
    pub mask: u8,
    /// The [number](hand_number) of the cards still held.
    pub number: usize,
}

/// Everything that a decision depends on apart from the mover's cards.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Tricks left, the current one included.
    pub tricks_left: usize,
    /// 0 if no challenge was accepted, 1 if the mover offered it, 2 if the other did.
    pub challenge: usize,
    /// How many tricks the mover is ahead.
    pub ahead: i8,
    /// The sum of the ranks the other has played in finished tricks.
    pub their_ranks: u8,
    /// The rank on the table, or 0.
    pub table: u8,
    /// Whether an offer waits for an answer.
    pub must_answer: bool,
    /// Whether an offer may be made.
    pub can_offer: bool,
}

/// One more than the highest number of a [`situation`].
pub const SITUATIONS: usize = HAND_SIZE * MOST_BUCKETS * 3 * 14 * 2;

/// An upper bound on the buckets of any level.
const MOST_BUCKETS: usize = 64;

/// The number of a public situation. In situations with the same number every hand has the same information set.
pub fn situation(public: &PublicState) -> usize {
    let context = Context::of(public);
    let level = &LEVELS[context.tricks_left - 1];
    let parts = [
        (context.tricks_left - 1, HAND_SIZE),
        (
            level.bucket(context.ahead, context.their_ranks),
            MOST_BUCKETS,
        ),
        (context.challenge, 3),
        (usize::from(context.table), 14),
        (usize::from(context.must_answer), 2),
    ];
    // A number in a mixed radix: each part with the count of its values.
    parts
        .iter()
        .fold(0, |number, (part, of)| number * of + part)
}

/// The length of a strategy.
pub const SIZE: usize = LEVELS[0].end();

/// All information sets, each as its offset and its number of slots.
pub fn information_sets() -> impl Iterator<Item = (usize, usize)> {
    LEVELS.iter().rev().flat_map(Level::rows)
}

/// The number of a hand among those of its size that the abstraction distinguishes. `ranks` are ascending.
pub fn hand_number(ranks: impl ExactSizeIterator<Item = u8>) -> usize {
    let level = &LEVELS[ranks.len().clamp(1, HAND_SIZE) - 1];
    // Classes ascend with the ranks, as the number of a multiset demands.
    index(ranks.map(|rank| level.class(rank)))
}

/// The offset and the actions of a player's information set. `held` is without a card on the table.
pub fn locate(context: &Context, held: HeldCards) -> (usize, Actions) {
    let level = &LEVELS[context.tricks_left - 1];
    let bucket = level.bucket(context.ahead, context.their_ranks);
    if context.must_answer {
        let actions = [(0, Action::Accept), (1, Action::Reject)];
        let offset = level.answer(bucket, context.table, held.number);
        return (offset, actions.into_iter().collect());
    }
    // Leads and follows are distinguished by the state of the challenge as well. At an answer the state is always the
    // same: an offer waits.
    let bucket = context.challenge * level.buckets() + bucket;
    if context.table == 0 {
        (level.lead(bucket, held.number), leads(context, held))
    } else {
        follows(context, held, level, bucket)
    }
}

/// A leader's actions: slot `i` for the card at position `i` among those held, and behind them one for an offer.
fn leads(context: &Context, held: HeldCards) -> Actions {
    let mut actions = Actions::new();
    let mut before = 0;
    // The slot is the number among the cards held, the action names the position in the dealt hand.
    for (number, place) in places(held.mask).enumerate() {
        let rank = held.ranks[usize::from(place)];
        // Equal cards are one decision.
        if rank != before {
            actions.push((number as u8, Action::Play(place)));
        }
        before = rank;
    }
    if context.can_offer {
        // Behind the slots of the cards: a leader holds as many as tricks are left.
        actions.push((context.tricks_left as u8, Action::Offer));
    }
    actions
}

/// A follower's offset and actions: slots 0 to 3 for the lowest card, an equal one, the smallest winner, an offer.
fn follows(context: &Context, held: HeldCards, level: &Level, bucket: usize) -> (usize, Actions) {
    let (mut higher, mut winner, mut equal, mut lowest) = (0, None, None, None);
    // Cards come in ascending order: the first one below the led card is the lowest, the first one above the
    // smallest winner.
    for place in places(held.mask) {
        match held.ranks[usize::from(place)].cmp(&context.table) {
            Ordering::Less => lowest = lowest.or(Some(place)),
            Ordering::Equal => equal = Some(place),
            Ordering::Greater => {
                winner = winner.or(Some(place));
                higher += 1;
            }
        }
    }
    // How many cards of the hand beat the one led, and whether one equals it.
    let relation = 2 * higher + usize::from(equal.is_some());
    let mut actions = Actions::new();
    for (number, place) in [lowest, equal, winner].into_iter().enumerate() {
        if let Some(place) = place {
            actions.push((number as u8, Action::Play(place)));
        }
    }
    if context.can_offer {
        actions.push((3, Action::Offer));
    }
    (level.follow(bucket, relation, held.number), actions)
}

/// The positions of the bits of a mask, ascending.
fn places(mask: u8) -> impl Iterator<Item = u8> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let place = left.trailing_zeros() as u8;
        // Clears the lowest bit; at 0 the subtraction ends the iteration.
        left &= left.checked_sub(1)?;
        Some(place)
    })
}

/// The information set of the player to act with the cards `own` (without one on the table).
pub fn information_set(public: &PublicState, own: Cards) -> InformationSet {
    let mut ranks = [0; HAND_SIZE];
    for (place, card) in ascending(own).take(HAND_SIZE).enumerate() {
        ranks[place] = card.rank();
    }
    let size = own.len().min(HAND_SIZE);
    let held = HeldCards {
        ranks: &ranks,
        // All cards of `own` are held, so every bit is set.
        mask: (1 << size) - 1,
        number: hand_number(ranks[..size].iter().copied()),
    };
    let (offset, actions) = locate(&Context::of(public), held);
    // Positions in the hand back to cards.
    let decision = |action| match action {
        Action::Play(place) => Card::new(ranks[usize::from(place)]).map(Decision::Play),
        Action::Offer => Some(Decision::Offer),
        Action::Accept => Some(Decision::Accept),
        Action::Reject => Some(Decision::Reject),
    };
    let decisions = actions
        .into_iter()
        .filter_map(|(slot, action)| Some((usize::from(slot), decision(action)?)))
        .collect();
    InformationSet { offset, decisions }
}

/// The value of [`Context::challenge`] from the mover's side.
pub fn accepted_by(challenge: Challenge, mover: crate::rules::Seat) -> usize {
    match challenge {
        Challenge::Accepted(by) if by == mover => 1,
        Challenge::Accepted(_) => 2,
        _ => 0,
    }
}

impl Context {
    /// The context of the player to act.
    pub fn of(public: &PublicState) -> Context {
        let seat = public.to_act();
        let theirs = public.played[other(seat)];
        Context {
            tricks_left: public.tricks_left(),
            challenge: accepted_by(public.challenge, seat),
            ahead: public.ahead(seat),
            // Finished tricks only; a card on the table counts in `table`.
            their_ranks: ascending(theirs).map(Card::rank).sum(),
            table: public.table.map_or(0, Card::rank),
            must_answer: public.must_answer(),
            can_offer: public.can_challenge(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::random_hands;
    use engine::rng::stream;
    use std::collections::HashMap;

    /// Slots are shared only between situations of the same information set.
    #[test]
    fn information_sets_lie_apart_and_within_the_strategy() {
        let mut owners: HashMap<usize, (usize, usize, bool, bool)> = HashMap::new();
        random_hands(20_000, &mut stream(9, 0), |hand, _| {
            let Some(seat) = hand.to_act() else {
                return;
            };
            let public = hand.public();
            let set = information_set(public, hand.cards(seat));
            let owner = (
                set.offset,
                public.tricks_left(),
                public.table.is_some(),
                public.must_answer(),
            );
            let level = &LEVELS[public.tricks_left() - 1];
            for &(slot, decision) in &set.decisions {
                let place = set.offset + slot;
                assert!(place < level.end() && place >= level.start());
                assert_eq!(*owners.entry(place).or_insert(owner), owner);
                assert!(hand.legal().any(|legal| legal == decision));
            }
        });
    }

    /// The ranges of all information sets follow one another without gaps and fill the strategy.
    #[test]
    fn information_sets_fill_the_strategy() {
        let mut end = 0;
        for (offset, len) in information_sets() {
            assert_eq!(offset, end);
            end += len;
        }
        assert_eq!(end, SIZE);
        assert_eq!(LEVELS.map(|level| level.start())[HAND_SIZE - 1], 0);
    }
}
