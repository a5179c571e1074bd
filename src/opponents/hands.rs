//! Hidden hands that fit what hoarders did.
//!
//! The belief takes choices to be independent of hands. Those of a hoarder are not: a world from the belief is
//! changed card by card, two hidden cards for each other, so that after many changes each world is as likely as it
//! is by the belief times the likelihood of what the hoarders did with the hands it gave them (Metropolis,
//! Rosenbluth, Rosenbluth, Teller and Teller 1953). When each card was drawn is part of it; which cards are old
//! ones, that were in hands at the last reshuffle, stays as it is in the world it starts from.

use super::evidence::{Evidence, LATEST};
use crate::belief::Dealt;
use crate::rules::{Action, Cards, DECK, Game, MAX_PLAYERS, Symbol};
use arrayvec::ArrayVec;
use engine::numerics::ln;
use engine::rng::{self, Random};

/// How much less likely hands are, in nats, for each card that a hoarder held at a decision without playing it as it
/// would have, and for each of its latest decisions that it would not have taken.
pub(super) const UNLIKELY: f32 = 4.0;
/// One in so many changes is one of draws.
const DRAWS: usize = 3;

/// A card that a player holds or has held.
#[derive(Clone, Copy, Debug)]
struct Slot {
    symbol: Symbol,
    /// The first decision at which it was held.
    from: u8,
    /// The decision after the last one at which it was.
    until: u8,
    /// Whether it is in the hand still.
    held: bool,
    /// Whether it was not in a hand yet at the last reshuffle, or there was none.
    new: bool,
}

impl Slot {
    /// Whether it was held at a decision, of those before `now` the last but so many.
    fn covers(&self, now: u8, before: usize) -> bool {
        let number = usize::from(now).checked_sub(before + 1);
        number.is_some_and(|number| (self.from..self.until).contains(&(number as u8)))
    }
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
    /// A hand, with a history drawn at random from those that lead there.
    fn new(
        seat: usize,
        evidence: &'a Evidence,
        old: Cards,
        new: Cards,
        rng: &mut Random,
    ) -> Held<'a> {
        let now = evidence.decisions.len() as u8;
        let slot = |symbol, until, held, new| Slot {
            symbol,
            from: 0,
            until,
            held,
            new,
        };
        let mut slots: Vec<Slot> = old
            .iter()
            .map(|card| slot(card, now, true, false))
            .collect();
        slots.extend(new.iter().map(|card| slot(card, now, true, true)));
        // Cards whose draw has not been met, going backwards, and draws since the reshuffle that are to be met.
        let mut open: Vec<usize> = (0..slots.len()).collect();
        let draws = evidence.decisions.iter().map(|d| usize::from(d.new));
        let mut left: usize = draws.sum();
        for (number, decision) in evidence.decisions.iter().enumerate().rev() {
            if let Action::Advance { symbol, .. } = decision.action {
                open.push(slots.len());
                let is_new = !evidence.reshuffled;
                slots.push(slot(symbol, number as u8 + 1, false, is_new));
            }
            for draw in 0..decision.drawn {
                let since = draw < decision.new;
                // A new card in the hand was drawn since, and an old one before.
                let must = |at: &usize| slots[*at].held && slots[*at].new;
                let is_due = open.iter().filter(|&at| must(at)).count() >= left;
                let may = |&place: &usize| {
                    let at = &open[place];
                    match (evidence.reshuffled, since) {
                        (false, _) => true,
                        (_, true) if is_due => must(at),
                        (_, true) => must(at) || !slots[*at].held,
                        (_, false) => !must(at),
                    }
                };
                left -= usize::from(since);
                let places: ArrayVec<usize, DECK> = (0..open.len()).filter(may).collect();
                if places.is_empty() {
                    continue;
                }
                let place = places[rng::below(rng, places.len())];
                let drawn = &mut slots[open.swap_remove(place)];
                drawn.from = number as u8 + 1;
                drawn.new |= since;
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

    /// How much more is unlikely with another slot.
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
        let present = self.slots.iter().filter(|slot| slot.held);
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
            let there = slots.filter(|(_, slot)| slot.held);
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
    pub fn run(&mut self, sweeps: usize, rng: &mut Random) -> u64 {
        let changes = sweeps * self.present.len();
        for _ in 0..changes {
            let (player, slot) = self.present[rng::below(rng, self.present.len())];
            let one = (usize::from(player), usize::from(slot));
            if rng::below(rng, DRAWS) == 0 {
                self.exchange_draws(one, rng);
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
        let (a, b) = (self.slot(one), self.slot(other));
        if a.symbol == b.symbol || a.new != b.new {
            return;
        }
        let with = |slot, symbol| Slot { symbol, ..slot };
        self.change(&[(one, with(a, b.symbol)), (other, with(b, a.symbol))], rng);
    }

    /// A card in a hand and one in the pile.
    fn redraw(&mut self, one: (usize, usize), place: usize, rng: &mut Random) {
        let (at, symbol) = (self.slot(one), self.pile[place]);
        if at.symbol != symbol && at.new && self.change(&[(one, Slot { symbol, ..at })], rng) {
            self.pile[place] = at.symbol;
        }
    }

    /// The draws of two cards of a player, each of which may have been played.
    fn exchange_draws(&mut self, one: (usize, usize), rng: &mut Random) {
        let held = &self.players[one.0];
        if held.style.is_none() {
            return;
        }
        let other = (one.0, rng::below(rng, held.slots.len()));
        let (a, b) = (self.slot(one), self.slot(other));
        let possible = b.from < a.until && a.from < b.until && a.new == b.new;
        if possible && a.from != b.from && a.symbol != b.symbol {
            let with = |slot, from| Slot { from, ..slot };
            self.change(&[(one, with(a, b.from)), (other, with(b, a.from))], rng);
        }
    }

    fn slot(&self, (player, slot): (usize, usize)) -> Slot {
        self.players[player].slots[slot]
    }

    /// Changes slots if chance says so; returns whether it does. Each is given by its player and place.
    fn change(&mut self, changes: &[((usize, usize), Slot)], rng: &mut Random) -> bool {
        let room = room(rng);
        let mut players: ArrayVec<usize, 2> =
            changes.iter().map(|&((player, _), _)| player).collect();
        if let [one, other] = players[..]
            && one == other
        {
            players.pop();
        }
        let of = |player: usize| -> ArrayVec<(Slot, Slot), 2> {
            let of_player = changes.iter().filter(|((of, _), _)| *of == player);
            of_player.map(|&(at, next)| (self.slot(at), next)).collect()
        };
        let (mut added, mut unlike) = (0, 0);
        for &player in &players {
            let held = &self.players[player];
            added += of(player)
                .iter()
                .map(|(at, next)| held.added(at, next))
                .sum::<i32>();
            unlike += held.unlike as i32;
        }
        if added - unlike > room {
            return false;
        }
        let found: ArrayVec<([Cards; LATEST], u32), 2> = players
            .iter()
            .map(|&player| {
                let held = &self.players[player];
                let latest = held.latest_with(&of(player));
                let unlike = match latest == held.latest {
                    true => held.unlike,
                    false => held.count_unlike(self.game, &latest),
                };
                (latest, unlike)
            })
            .collect();
        added += found.iter().map(|&(_, unlike)| unlike as i32).sum::<i32>();
        if added - unlike > room {
            return false;
        }
        for (&player, (latest, unlike)) in players.iter().zip(found) {
            let held = &mut self.players[player];
            (held.latest, held.unlike) = (latest, unlike);
        }
        for &((player, slot), next) in changes {
            self.players[player].slots[slot] = next;
        }
        true
    }

    /// What a seat held at one of its decisions, and how much of that was drawn since the last reshuffle.
    #[cfg(test)]
    pub fn held(&self, seat: usize, number: usize) -> (Cards, Cards) {
        let of_seat = self.players.iter().find(|held| held.seat == seat);
        let there = |slot: &&Slot| (slot.from..slot.until).contains(&(number as u8));
        let slots = || {
            of_seat
                .into_iter()
                .flat_map(|held| &held.slots)
                .filter(there)
        };
        let new = slots().filter(|slot| slot.new).map(|slot| slot.symbol);
        (slots().map(|slot| slot.symbol).collect(), new.collect())
    }
}

/// How much more that is unlikely chance accepts, in multiples of [`UNLIKELY`].
fn room(rng: &mut Random) -> i32 {
    (-ln(rng::unit(rng).max(1e-12)) as f32 / UNLIKELY) as i32
}
