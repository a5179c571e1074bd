//! Hidden hands that fit what hoarders did.
//!
//! The belief takes choices to be independent of hands. Those of a hoarder are not: a world from the belief is
//! changed card by card, two hidden cards for each other, so that after many changes each world is as likely as it
//! is by the belief times the likelihood of what the hoarders did with the hands it gave them (Metropolis,
//! Rosenbluth, Rosenbluth, Teller and Teller 1953).
//! When each card was drawn is part of it.

use super::evidence::{Evidence, LATEST};
use crate::belief::Dealt;
use crate::rules::{Action, Cards, DECK, Game, MAX_PLAYERS, Symbol};
use arrayvec::ArrayVec;
use engine::numerics::ln;
use engine::rng::{self, Random};

/// How much less likely a hand is, in nats, for each decision that a hoarder would not have taken with it.
pub(super) const UNLIKELY: f32 = 4.0;
/// One in so many changes is one of times.
const TIMES: usize = 3;

/// A card that a player holds or has held.
#[derive(Clone, Copy, Debug)]
struct Slot {
    symbol: Symbol,
    /// The first decision at which it was held.
    from: u8,
    /// The decision after the last one at which it was.
    until: u8,
    kind: Kind,
}

impl Slot {
    /// Whether it was held at a decision, of those before `now` the last but so many.
    fn covers(&self, now: u8, before: usize) -> bool {
        let number = usize::from(now).checked_sub(before + 1);
        number.is_some_and(|number| (self.from..self.until).contains(&(number as u8)))
    }
}

/// Where a card is, and where it was at the last reshuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// In the hand, and already then.
    Old,
    /// In the hand, drawn since.
    New,
    /// Played.
    Played,
}

/// The cards of one player.
#[derive(Clone, Debug)]
struct Held<'a> {
    seat: usize,
    evidence: &'a Evidence,
    /// The style of hoarder that it plays in; none if its choices say nothing.
    style: Option<usize>,
    slots: Vec<Slot>,
    /// What it held at its latest decisions, the last one's first.
    latest: [Cards; LATEST],
    /// Those of them that are not its style's.
    unlike: u32,
}

impl<'a> Held<'a> {
    /// A hand, and as a history of it any that leads there, each as likely.
    fn new(
        seat: usize,
        evidence: &'a Evidence,
        old: Cards,
        new: Cards,
        rng: &mut Random,
    ) -> Held<'a> {
        let now = evidence.decisions.len() as u8;
        let present = |kind| {
            move |symbol| Slot {
                symbol,
                from: 0,
                until: now,
                kind,
            }
        };
        let mut slots: Vec<Slot> = old.iter().map(present(Kind::Old)).collect();
        slots.extend(new.iter().map(present(Kind::New)));
        // Cards whose draw has not been met, going backwards.
        let mut open: Vec<usize> = (0..slots.len()).collect();
        for (number, decision) in evidence.decisions.iter().enumerate().rev() {
            if let Action::Advance { symbol, .. } = decision.action {
                open.push(slots.len());
                slots.push(Slot {
                    symbol,
                    from: 0,
                    until: number as u8 + 1,
                    kind: Kind::Played,
                });
            }
            for _ in 0..decision.drawn {
                // Old cards were there before what came after the reshuffle.
                let may = |&at: &usize| number < evidence.old || slots[open[at]].kind != Kind::Old;
                let places: ArrayVec<usize, DECK> = (0..open.len()).filter(may).collect();
                if places.is_empty() {
                    break;
                }
                let place = places[rng::below(rng, places.len())];
                slots[open.swap_remove(place)].from = number as u8 + 1;
            }
        }
        let latest = std::array::from_fn(|before| {
            let there = slots.iter().filter(|slot| slot.covers(now, before));
            there.map(|slot| slot.symbol).collect()
        });
        Held {
            seat,
            evidence,
            style: None,
            slots,
            latest,
            unlike: 0,
        }
    }

    fn cost(&self, slot: &Slot) -> u32 {
        self.style.map_or(0, |style| {
            self.evidence
                .cost(style, slot.symbol, slot.from, slot.until)
        })
    }

    fn count_unlike(&self, game: &Game, latest: &[Cards; LATEST]) -> u32 {
        self.style
            .map_or(0, |style| self.evidence.unlike(style, game, latest))
    }

    /// How many more decisions are unlikely with another slot.
    fn added(&self, at: &Slot, next: &Slot) -> i32 {
        self.cost(next) as i32 - self.cost(at) as i32
    }

    /// What it held at its latest decisions if some slots are others.
    fn latest_with(&self, changes: &[(Slot, Slot)]) -> [Cards; LATEST] {
        let now = self.evidence.decisions.len() as u8;
        std::array::from_fn(|before| {
            let mut held = self.latest[before];
            for (_, next) in changes {
                if next.covers(now, before) {
                    held = held.with(next.symbol);
                }
            }
            for (at, _) in changes {
                if at.covers(now, before) {
                    held = held.without(at.symbol);
                }
            }
            held
        })
    }

    fn hand(&self) -> Cards {
        let present = self.slots.iter().filter(|slot| slot.kind != Kind::Played);
        present.map(|slot| slot.symbol).collect()
    }
}

/// Hidden cards of all players, and the draw pile.
#[derive(Clone, Debug)]
pub(super) struct Chain<'a> {
    game: &'a Game,
    players: Vec<Held<'a>>,
    pile: ArrayVec<Symbol, DECK>,
    /// The cards in hands: the place of a player, and of a slot.
    present: Vec<(u8, u8)>,
}

impl<'a> Chain<'a> {
    /// From a world of the belief; `evidence` is by seat.
    pub fn new(
        game: &'a Game,
        evidence: &'a [Option<Evidence>],
        dealt: &Dealt,
        rng: &mut Random,
    ) -> Chain<'a> {
        let hands = dealt.world.state().hands;
        let players: Vec<Held> = evidence
            .iter()
            .enumerate()
            .filter_map(|(seat, evidence)| {
                let (hand, old) = (hands[seat], dealt.old[seat]);
                Some(Held::new(
                    seat,
                    evidence.as_ref()?,
                    old,
                    hand.minus(old),
                    rng,
                ))
            })
            .collect();
        let present = players.iter().enumerate().flat_map(|(player, held)| {
            let slots = held.slots.iter().enumerate();
            let there = slots.filter(|(_, slot)| slot.kind != Kind::Played);
            there.map(move |(slot, _)| (player as u8, slot as u8))
        });
        Chain {
            game,
            present: present.collect(),
            players,
            pile: dealt.world.pile().iter().copied().collect(),
        }
    }

    /// Takes players to play in these styles, by seat.
    pub fn set_styles(&mut self, styles: &[Option<usize>; MAX_PLAYERS]) {
        for player in &mut self.players {
            if player.style != styles[player.seat] {
                player.style = styles[player.seat];
                player.unlike = player.count_unlike(self.game, &player.latest);
            }
        }
    }

    /// Tries so many changes for each hidden card in a hand; returns how many that were.
    pub fn run(&mut self, times: usize, rng: &mut Random) -> u64 {
        let changes = times * self.present.len();
        for _ in 0..changes {
            let (player, slot) = self.present[rng::below(rng, self.present.len())];
            let one = (usize::from(player), usize::from(slot));
            if rng::below(rng, TIMES) == 0 {
                self.exchange_times(one, rng);
                continue;
            }
            let other = rng::below(rng, self.present.len() + self.pile.len());
            match self.present.get(other) {
                Some(&(player, slot)) => {
                    self.exchange(one, (usize::from(player), usize::from(slot)), rng);
                }
                None => self.redraw(one, other - self.present.len(), rng),
            }
        }
        changes as u64
    }

    /// The hands, of those who have hidden cards.
    pub fn hands(&self) -> impl Iterator<Item = (usize, Cards)> {
        self.players.iter().map(|held| (held.seat, held.hand()))
    }

    /// Two cards in hands.
    fn exchange(&mut self, one: (usize, usize), other: (usize, usize), rng: &mut Random) {
        let (a, b) = (
            self.players[one.0].slots[one.1],
            self.players[other.0].slots[other.1],
        );
        if a.symbol == b.symbol || a.kind != b.kind {
            return;
        }
        if one.0 == other.0 {
            return self.change(
                one.0,
                &[(one.1, b.symbol, a.from), (other.1, a.symbol, b.from)],
                rng,
            );
        }
        let room = room(rng);
        let next_a = Slot {
            symbol: b.symbol,
            ..a
        };
        let next_b = Slot {
            symbol: a.symbol,
            ..b
        };
        let changes = [(one, a, next_a), (other, b, next_b)];
        let added: i32 = changes
            .iter()
            .map(|((player, _), at, next)| self.players[*player].added(at, next))
            .sum();
        let known = [one.0, other.0].map(|player| self.players[player].unlike);
        let most = (known[0] + known[1]) as i32;
        if added - most > room {
            return;
        }
        let found = changes.map(|((player, _), at, next)| {
            let held = &self.players[player];
            let latest = held.latest_with(&[(at, next)]);
            (latest, held.count_unlike(self.game, &latest))
        });
        if added + (found[0].1 + found[1].1) as i32 - most > room {
            return;
        }
        for (((player, slot), _, next), (latest, unlike)) in changes.into_iter().zip(found) {
            let held = &mut self.players[player];
            held.slots[slot] = next;
            (held.latest, held.unlike) = (latest, unlike);
        }
    }

    /// A card in a hand and one in the pile.
    fn redraw(&mut self, (player, slot): (usize, usize), place: usize, rng: &mut Random) {
        let at = self.players[player].slots[slot];
        let symbol = self.pile[place];
        if at.symbol == symbol || at.kind != Kind::New {
            return;
        }
        self.change(player, &[(slot, symbol, at.from)], rng);
        if self.players[player].slots[slot].symbol == symbol {
            self.pile[place] = at.symbol;
        }
    }

    /// The draws of two cards of a player, each of which may have been played.
    fn exchange_times(&mut self, (player, slot): (usize, usize), rng: &mut Random) {
        let held = &self.players[player];
        if held.style.is_none() {
            return;
        }
        let other = rng::below(rng, held.slots.len());
        let (a, b) = (held.slots[slot], held.slots[other]);
        let old = held.evidence.old;
        let is_old = |slot: &Slot| old > 0 && usize::from(slot.from) <= old;
        if a.from == b.from
            || a.symbol == b.symbol
            || b.from >= a.until
            || a.from >= b.until
            || is_old(&a) != is_old(&b)
        {
            return;
        }
        self.change(
            player,
            &[(slot, a.symbol, b.from), (other, b.symbol, a.from)],
            rng,
        );
    }

    /// Changes symbols and draws of a player's slots, if chance says so.
    fn change(&mut self, player: usize, changes: &[(usize, Symbol, u8)], rng: &mut Random) {
        let room = room(rng);
        let held = &mut self.players[player];
        let changed: ArrayVec<(Slot, Slot), 2> = changes
            .iter()
            .map(|&(slot, symbol, from)| {
                let at = held.slots[slot];
                (at, Slot { symbol, from, ..at })
            })
            .collect();
        let added: i32 = changed.iter().map(|(at, next)| held.added(at, next)).sum();
        let most = held.unlike as i32;
        if added - most > room {
            return;
        }
        let latest = held.latest_with(&changed);
        let unlike = match latest == held.latest {
            true => held.unlike,
            false => held.count_unlike(self.game, &latest),
        };
        if added + unlike as i32 - most > room {
            return;
        }
        (held.latest, held.unlike) = (latest, unlike);
        for (&(slot, ..), (_, next)) in changes.iter().zip(changed) {
            held.slots[slot] = next;
        }
    }
}

/// How many more unlikely decisions are accepted.
fn room(rng: &mut Random) -> i32 {
    (-ln(rng::unit(rng).max(1e-12)) as f32 / UNLIKELY) as i32
}
