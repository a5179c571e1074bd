//! Inference from the plays since the last reshuffle about which cards are old ones.

use super::super::rules::{Cards, DECK, MAX_PLAYERS, SYMBOLS, Symbol};
use super::binomial::choose;
use super::walk::Event;

/// The most hypotheses kept; beyond that the least likely are dropped, given the hand in the end of
/// the seat that reads the game.
pub(super) const MAX_HYPOTHESES: usize = 256;

/// One way in which the plays since the last reshuffle may have come about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hypothesis {
    /// Cards that were in hands at the reshuffle and have not been seen since.
    pub(super) old: Cards,
    /// Cards that were shuffled into the pile and have not been seen since.
    pub(super) new: Cards,
    /// Slots of each hand that hold an old card; the others hold a new one.
    pub(super) old_slots: [u8; MAX_PLAYERS],
    pub(super) weight: f64,
}

/// The cards that pass through one seat's slots from now on: those it will play and those it
/// holds in the end.
#[derive(Clone, Debug)]
struct Through {
    seat: usize,
    counts: [u8; SYMBOLS],
}

impl Through {
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

    fn played(&mut self, symbol: Symbol) {
        let count = &mut self.counts[symbol.index()];
        *count = count.saturating_sub(1);
    }

    /// The chance under a hypothesis that the seat's old slots, and what else passes through its
    /// hand from the new pool, hold these cards.
    fn chance(&self, hypothesis: &Hypothesis) -> f64 {
        let from_old = hypothesis.old_slots[self.seat];
        let most = usize::from(from_old).min(DECK);
        // ways[k]: ways in which k of the cards of the symbols so far lie in old slots.
        let mut ways = [0.0; DECK + 1];
        ways[0] = 1.0;
        for (symbol, &count) in Symbol::ALL.into_iter().zip(&self.counts) {
            let (old, new) = (hypothesis.old.count(symbol), hypothesis.new.count(symbol));
            for k in (0..=most).rev() {
                let here = count.saturating_sub(new)..=count.min(old).min(k as u8);
                ways[k] = here
                    .map(|j| ways[k - usize::from(j)] * choose(old, j) * choose(new, count - j))
                    .sum();
            }
        }
        let all: usize = self.counts.iter().copied().map(usize::from).sum();
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
/// Before the first reshuffle the old pool is empty. After it, a play of symbol *s* by a hand with
/// *a* old and *b* new slots came from an old one with probability proportional to
/// *a* · *O(s)* / |*O*|, from a new one to *b* · *N(s)* / |*N*|: a slot played is any of the
/// hand's, and what it holds any of its pool's unseen cards. That is the exact posterior of a
/// deal that is uniform and of players whose choice of slot is independent of what it holds.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    /// Sorted, no two alike, weights summing to 1. Empty if no deal leads to what was observed.
    pub(super) hypotheses: Vec<Hypothesis>,
    /// Hidden slots in each hand.
    pub(super) slots: [u8; MAX_PLAYERS],
    /// Hidden slots in the pile, which are all new.
    pub(super) pile: u8,
    /// What is known of one seat in advance, to tell which hypotheses to keep.
    through: Option<Through>,
}

impl Pools {
    /// One pool: `cards` spread over hands and pile.
    pub(super) fn single(cards: Cards, slots: [u8; MAX_PLAYERS], pile: u8) -> Pools {
        Pools::split(Cards::NONE, cards, slots, pile)
    }

    /// Just after a reshuffle, or before any with no old cards: `old` is in the hands, `new` in
    /// the pile.
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

    /// What a game leaves possible in which `dealt` cards were dealt and then `events` happened.
    ///
    /// The `hand` that `seat` holds in the end decides which hypotheses are kept where they are too
    /// many; it does not change the weights of those that are.
    pub(super) fn follow(
        dealt: [u8; MAX_PLAYERS],
        events: &[Event],
        seat: usize,
        hand: Cards,
    ) -> Pools {
        let last = events
            .iter()
            .rposition(|event| matches!(event, Event::Reshuffle { .. }));
        let mut slots = dealt;
        // Up to the last reshuffle only the hand sizes matter.
        for event in &events[..last.unwrap_or(0)] {
            match *event {
                Event::Draw { seat } => slots[seat] += 1,
                Event::Play { seat, .. } => slots[seat] -= 1,
                Event::Reshuffle { .. } => (),
            }
        }
        let mut pools = match last.map(|i| events[i]) {
            Some(Event::Reshuffle { discards }) => {
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

    /// A card in some slot of a hand became known, and the slot is hidden no more: it was played
    /// or shown.
    pub(super) fn reveal(&mut self, seat: usize, symbol: Symbol) {
        let size = self.slots[seat];
        self.slots[seat] = size.saturating_sub(1);
        if let Some(through) = self.through.as_mut().filter(|own| own.seat == seat) {
            through.played(symbol);
        }
        let mut next = Vec::with_capacity(2 * self.hypotheses.len());
        for hypothesis in &self.hypotheses {
            let old_slots = hypothesis.old_slots[seat];
            let new_slots = size - old_slots;
            let part = |slots: u8, pool: Cards| {
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

    /// Merges equal hypotheses, drops the least likely beyond the limit.
    fn tidy(&mut self) {
        let list = &mut self.hypotheses;
        // What is new follows from what is old: together they are what has not been seen.
        let key = |h: &Hypothesis| (h.old.bits(), h.old_slots);
        list.sort_by_key(key);
        list.dedup_by(|later, kept| {
            let same = key(later) == key(kept);
            if same {
                kept.weight += later.weight;
            }
            same
        });
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
