//! Inference from the plays since the last reshuffle about which cards are old ones. The replay feeds it the events of
//! the history; `sample` then weighs the hypotheses by the own hand.
//!
//! At a reshuffle every card is either *old*, in a hand, or *new*, a discard that goes into the pile.
//! Both sets are known exactly: the discards are public, and the hands hold the rest of the deck. A hand
//! is a row of hidden *slots*, each with an old or a new card. Later a played card shows its symbol but
//! not whether it was old, so each play splits every [`Hypothesis`] in two and weighs the parts:
//!
//! - P(an old card of symbol *s* was played) ∝ *a* · *O(s)* / |*O*|,
//! - P(a new one was) ∝ *b* · *N(s)* / |*N*|,
//!
//! with *a* old and *b* new slots in the hand, and *O* and *N* the unseen old and new cards. The reason
//! is exchangeability: the played slot is any of the hand's *a* + *b*, and holds any of the unseen cards
//! of its age. The factor 1 / (*a* + *b*) is the same for all hypotheses and is left out.
//!
//! For example, a hand has two old slots and one new one. One of 4 old cards and 3 of 6 new ones are
//! hats. When the hand plays a hat, the parts weigh 2 · 1/4 and 1 · 3/6: old and new are equally likely.

use super::super::rules::{Cards, DECK, MAX_PLAYERS, SYMBOLS, Symbol};
use super::binomial::choose;
use super::walk::Event;

/// The most hypotheses kept. Beyond that the least likely are dropped, given the cards that pass through
/// the hand of the seat that reads the game (see [`Through`]).
pub(super) const MAX_HYPOTHESES: usize = 256;

/// One way in which the plays since the last reshuffle may have come about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hypothesis {
    /// Cards that were in hands at the reshuffle and have not been revealed since.
    pub(super) old: Cards,
    /// Cards that were shuffled into the pile and have not been revealed since.
    pub(super) new: Cards,
    /// Slots of each hand that hold an old card; the others hold a new one.
    pub(super) old_slots: [u8; MAX_PLAYERS],
    /// The chance of this hypothesis given the plays; the own hand is not taken into account yet.
    pub(super) weight: f64,
}

/// The cards that pass through one seat's slots from now on: those it will play and those it
/// holds in the end.
///
/// A replay knows them in advance for the seat that reads the game, as the record shows its plays and its
/// final hand. They decide which hypotheses are worth keeping: by the plays alone the likeliest ones may
/// all be impossible with the hand in the end.
#[derive(Clone, Debug)]
struct Through {
    seat: usize,
    counts: [u8; SYMBOLS],
}

impl Through {
    /// The cards of the final hand, and those that the seat plays in `events`.
    fn new(seat: usize, hand: Cards, events: &[Event]) -> Through {
        let mut counts = hand.counts();
        for event in events {
            match *event {
                Event::Play { seat: who, symbol } if who == seat => {
                    let count = &mut counts[symbol.index()];
                    *count = count.saturating_add(1);
                }
                _ => (),
            }
        }
        Through { seat, counts }
    }

    /// One of these cards has left the hand.
    fn played(&mut self, symbol: Symbol) {
        let count = &mut self.counts[symbol.index()];
        *count = count.saturating_sub(1);
    }

    /// The chance under a hypothesis that exactly these cards pass through the seat's slots.
    ///
    /// The seat's *a* old slots hold *a* of the old cards, and all other cards that pass through come from
    /// the new ones. Of *n(s)* cards of symbol *s* let *j(s)* be old. Summed over all choices of *j* with
    /// Σ *j(s)* = *a*, the product over the symbols of C(*O(s)*, *j*) · C(*N(s)*, *n(s)* - *j*) counts the
    /// layouts that agree, out of C(|*O*|, *a*) · C(|*N*|, Σ *n(s)* - *a*) in all: a hypergeometric
    /// distribution in several colours. [`Layout`](super::layout::Layout) counts the same for the hand in
    /// the end.
    ///
    /// For example, *O* is two hats and two guns, *N* is a hat and three guns, and a hat and a gun pass through the
    /// seat's slots, one of which is old. The hat is old in 2 · 3 ways, the gun in 2 · 1, of C(4, 1) · C(4, 1) = 16: the
    /// chance is 1/2.
    fn chance(&self, hypothesis: &Hypothesis) -> f64 {
        let from_old = hypothesis.old_slots[self.seat];
        let most = usize::from(from_old).min(DECK);
        // ways[k]: in how many ways k of the cards of the symbols so far lie in old slots. Taken as a polynomial
        // Σ ways[k] x^k, it is multiplied by the polynomial of each further symbol.
        let mut ways = [0.0; DECK + 1];
        ways[0] = 1.0;
        for (symbol, &count) in Symbol::ALL.into_iter().zip(&self.counts) {
            let (old, new) = (hypothesis.old.count(symbol), hypothesis.new.count(symbol));
            // From the top, in place: `ways[k]` is made of entries at or below `k`, which are still the old ones.
            for k in (0..=most).rev() {
                // Only `new` cards of the symbol are new, so at least `count - new` are old.
                let here = count.saturating_sub(new)..=count.min(old).min(k as u8);
                ways[k] = here
                    .map(|j| ways[k - usize::from(j)] * choose(old, j) * choose(new, count - j))
                    .sum();
            }
        }
        let all: usize = self.counts.iter().copied().map(usize::from).sum();
        // A hypothesis with more old slots than cards that pass through is impossible.
        let Some(from_new) = all.checked_sub(most).filter(|&n| n <= DECK) else {
            return 0.0;
        };
        let deals = choose(hypothesis.old.total(), from_old)
            * choose(hypothesis.new.total(), from_new as u8);
        if deals > 0.0 { ways[most] / deals } else { 0.0 }
    }
}

/// Two pools of exchangeable cards and how they may be spread over hands and pile, before
/// anybody's hand is looked at.
///
/// Before the first reshuffle the old pool is empty. Between the first and the second, the weights are the exact
/// posterior (see the module) if the deal was uniform and no player's choice of a slot depends on its card. Beyond
/// [`MAX_HYPOTHESES`] they are an approximation.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    /// Sorted, no two alike, weights summing to 1. Empty if no deal leads to the observed plays.
    pub(super) hypotheses: Vec<Hypothesis>,
    /// Hidden slots in each hand.
    pub(super) slots: [u8; MAX_PLAYERS],
    /// Hidden slots in the pile, which are all new.
    pub(super) pile: u8,
    /// The plays and the final hand of one seat, which decide which hypotheses to keep.
    through: Option<Through>,
}

impl Pools {
    /// One pool: `cards` spread over hands and pile.
    pub(super) fn single(cards: Cards, slots: [u8; MAX_PLAYERS], pile: u8) -> Pools {
        Pools::split(Cards::NONE, cards, slots, pile)
    }

    /// Just after a reshuffle: `old` is in the hands, `new` in the pile. If `old` is empty, as before the
    /// first reshuffle, `new` is spread over hands and pile.
    ///
    /// There is no hypothesis if the cards are not as many as their slots.
    pub(super) fn split(old: Cards, new: Cards, slots: [u8; MAX_PLAYERS], pile: u8) -> Pools {
        let old_slots = if old.is_empty() {
            [0; MAX_PLAYERS]
        } else {
            slots
        };
        let mut pools = Pools {
            hypotheses: Vec::new(),
            slots,
            pile,
            through: None,
        };
        let hidden = |slots: [u8; MAX_PLAYERS]| slots.iter().map(|&n| u32::from(n)).sum::<u32>();
        // Each age must have as many cards as slots. If not, no deal leads here.
        let fits = u32::from(old.total()) == hidden(old_slots)
            && u32::from(new.total()) == hidden(slots) - hidden(old_slots) + u32::from(pile);
        if fits {
            pools.hypotheses.push(Hypothesis {
                old,
                new,
                old_slots,
                weight: 1.0,
            });
        }
        pools
    }

    /// The hypotheses after a game in which `dealt` cards were dealt and then `events` happened.
    ///
    /// If there are too many, the `hand` that `seat` holds in the end decides which are kept. It does not
    /// change the weights of those that are.
    pub(super) fn follow(
        dealt: [u8; MAX_PLAYERS],
        events: &[Event],
        seat: usize,
        hand: Cards,
    ) -> Pools {
        // A reshuffle finds every card in a hand or among the discards, and the discards are known. Earlier inference
        // could only say how the other cards are divided among the hands; it is dropped (see the module `belief`).
        let last = events
            .iter()
            .rposition(|event| matches!(event, Event::Reshuffle { .. }));
        let mut slots = dealt;
        // Before the last reshuffle only the hand sizes matter.
        for event in &events[..last.unwrap_or(0)] {
            match *event {
                Event::Draw { seat } => slots[seat] += 1,
                Event::Play { seat, .. } => slots[seat] -= 1,
                Event::Reshuffle { .. } => (),
            }
        }
        let mut pools = match last.map(|i| events[i]) {
            Some(Event::Reshuffle { discards }) => {
                // The pile was empty: all cards outside the discards are in hands.
                let old = Cards::deck().saturating_minus(discards);
                Pools::split(old, discards, slots, discards.total())
            }
            _ => {
                let deck = Cards::deck();
                let pile = deck.total() - slots.iter().sum::<u8>();
                Pools::single(deck, slots, pile)
            }
        };
        let events = &events[last.map_or(0, |i| i + 1)..];
        pools.through = Some(Through::new(seat, hand, events));
        for event in events {
            match *event {
                Event::Draw { seat } => pools.draw(seat),
                Event::Play { seat, symbol } => pools.reveal(seat, symbol),
                Event::Reshuffle { .. } => unreachable!("the last reshuffle lies behind"),
            }
        }
        pools
    }

    /// A hidden card went from the pile into a hand.
    pub(super) fn draw(&mut self, seat: usize) {
        self.pile -= 1;
        self.slots[seat] += 1;
    }

    /// A card in some slot of a hand became known, as it was played or shown. The slot is gone, and every
    /// hypothesis splits by the age of the card; see the module.
    pub(super) fn reveal(&mut self, seat: usize, symbol: Symbol) {
        let size = self.slots[seat];
        self.slots[seat] = size.saturating_sub(1);
        // The card has passed through the hand; only the later ones still count for the rank of a hypothesis.
        if let Some(through) = self.through.as_mut().filter(|own| own.seat == seat) {
            through.played(symbol);
        }
        // A part of weight 0 is impossible and left out. If no part is left, no deal leads to these plays.
        let mut next = Vec::with_capacity(2 * self.hypotheses.len());
        for hypothesis in &self.hypotheses {
            let old_slots = hypothesis.old_slots[seat];
            let new_slots = size - old_slots;
            let part = |slots: u8, pool: Cards| {
                // Slots of this age, times the share of the symbol among the unseen cards of this age.
                let chance = f64::from(slots) * f64::from(pool.count(symbol));
                hypothesis.weight * chance / f64::from(pool.total().max(1))
            };
            let from_old = part(old_slots, hypothesis.old);
            if from_old > 0.0 {
                let mut branch = *hypothesis;
                branch.old = hypothesis.old.without(symbol);
                branch.old_slots[seat] -= 1;
                branch.weight = from_old;
                next.push(branch);
            }
            let from_new = part(new_slots, hypothesis.new);
            if from_new > 0.0 {
                let mut branch = *hypothesis;
                branch.new = hypothesis.new.without(symbol);
                branch.weight = from_new;
                next.push(branch);
            }
        }
        self.hypotheses = next;
        self.tidy();
    }

    /// Merges equal hypotheses, drops the least likely beyond the limit, and scales the weights to sum to 1.
    ///
    /// Two plays that differ only in their order of old and new lead to the same hypothesis, so merging
    /// keeps the number of hypotheses far below 2 to the power of the plays.
    fn tidy(&mut self) {
        let list = &mut self.hypotheses;
        // `new` need not be compared: old and new cards together are the unseen cards.
        let key = |h: &Hypothesis| (h.old.bits(), h.old_slots);
        list.sort_by_key(key);
        list.dedup_by(|later, kept| {
            let same = key(later) == key(kept);
            if same {
                kept.weight += later.weight;
            }
            same
        });
        // Rank by weight times the chance of the cards that pass through the own hand. Ties, such as several
        // chances of 0, go by the weight.
        if list.len() > MAX_HYPOTHESES {
            let rank = |h: &Hypothesis| {
                let fits = self.through.as_ref().map_or(1.0, |own| own.chance(h));
                (h.weight * fits, h.weight)
            };
            let mut ranked: Vec<_> = list.drain(..).map(|h| (rank(&h), h)).collect();
            ranked.sort_by(|(a, _), (b, _)| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
            ranked.truncate(MAX_HYPOTHESES);
            list.extend(ranked.into_iter().map(|(_, h)| h));
            list.sort_by_key(key);
        }
        let total: f64 = list.iter().map(|h| h.weight).sum();
        for hypothesis in list {
            hypothesis.weight /= total;
        }
    }
}
