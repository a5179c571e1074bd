//! Samples hidden hands that fit the actions of hoarders: players that collect cards and then sprint home.
//! `inference` starts a [`Chain`] from a world of the belief, runs it, and keeps the hands that it reaches.
//!
//! The belief (`belief`) ignores what a player's choices say about its hand. A hoarder's choices say much: while it
//! collected, it held no card that it would rather have played. So hands are sampled from the product
//!
//! P(world) ∝ P(world by the belief) · exp(-[`UNLIKELY`] · *k*),
//!
//! with *k* the number of misfits. There are two kinds: a card that a hoarder held at a decision although it would
//! have played it (one misfit for each such decision), and one of its latest decisions that a hoarder with that
//! hand does not take. The hand at a decision depends on when each card was drawn. So the state of the sampler
//! holds the hands, the pile, and the time of the draw of each card that a player holds or has played: a [`Slot`].
//!
//! The sampler is Metropolis' (Metropolis, Rosenbluth, Rosenbluth, Teller and Teller 1953). It starts from a
//! world of the belief and tries small changes, each as likely to be tried as its reverse: exchange two
//! hidden cards, or the draws of two cards of one player. All worlds that such changes connect are equally
//! likely by the belief. So a change that adds *d* misfits is accepted with probability
//! min(1, exp(-`UNLIKELY` · *d*)): always if *d* ≤ 0, and with 1.8 % if *d* = 1.
//!
//! A card is *old* if its player held it at the last reshuffle, and *new* if it was drawn later. The world from which
//! the sampler starts decides which cards are old; no change alters that.

use super::evidence::{Evidence, LATEST};
use crate::belief::Dealt;
use crate::rules::{Action, Cards, DECK, Game, MAX_PLAYERS, Symbol};
use arrayvec::ArrayVec;
use engine::numerics::ln;
use engine::rng::{self, Random};

/// The weight of a misfit, in nats: each divides the probability of hands by e⁴, about 55. The weight is finite for
/// two reasons: a player may resemble a hoarder without being one, and the sampler must be able to pass through
/// unlikely hands.
pub(super) const UNLIKELY: f32 = 4.0;
/// One change in this many exchanges the draws of two cards; the others exchange the cards themselves.
const DRAWS: usize = 3;

/// A card that a player holds or has held. Decisions are numbered from 0.
///
/// A card drawn by decision 1 and played by decision 4 was in the hand at decisions 2, 3 and 4: `from` is
/// 2 and `until` 5.
#[derive(Clone, Copy, Debug)]
struct Slot {
    symbol: Symbol,
    /// The first decision at which it was held; 0 for the cards held before the first decision.
    from: u8,
    /// One more than the last decision at which it was held.
    until: u8,
    /// Whether it is still in the hand.
    held: bool,
    /// Whether it was drawn after the last reshuffle. True for every card if there was none.
    new: bool,
}

impl Slot {
    /// Whether the card was held `before` decisions before the latest one (0: at the latest). `now` is the
    /// number of decisions.
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
    /// The kind of hoarder that this player is supposed to be, as an index into `HOARDERS`. `None`: it plays as the
    /// evaluator, and its choices are taken to say nothing about its hand.
    style: Option<usize>,
    slots: Vec<Slot>,
    /// The hands at its latest decisions, the last decision first.
    latest: [Cards; LATEST],
    /// How many of its latest decisions its style would not have taken with the hands in `latest`.
    unlike: u32,
}

impl<'a> Held<'a> {
    /// A hand of `old` and `new` cards, with a random history that leads to it.
    ///
    /// The history is built backwards in time from the present hand: undoing an advance puts the played card back into
    /// the hand, and undoing a draw takes one card out of it. Each fitting card is taken with the same probability.
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
        // At first every card counts as held from the beginning (`from` 0). The loop below gives some of them a draw,
        // and so a later `from`.
        let mut slots: Vec<Slot> = old
            .iter()
            .map(|card| slot(card, now, true, false))
            .collect();
        slots.extend(new.iter().map(|card| slot(card, now, true, true)));
        // The loop goes back in time. `open`: slots of cards in the hand at this point, whose draws are still to be
        // found. `left`: how many draws since the reshuffle the loop has not reached yet.
        let mut open: Vec<usize> = (0..slots.len()).collect();
        let draws = evidence.decisions.iter().map(|d| usize::from(d.new));
        let mut left: usize = draws.sum();
        for (number, decision) in evidence.decisions.iter().enumerate().rev() {
            // Just before an advance, the card that it plays was in the hand. In a game with a reshuffle, a played
            // card counts as old until a draw since the reshuffle is found to have brought it.
            if let Action::Advance { symbol, .. } = decision.action {
                open.push(slots.len());
                let is_new = !evidence.reshuffled;
                slots.push(slot(symbol, number as u8 + 1, false, is_new));
            }
            for draw in 0..decision.drawn {
                // The retreat that reshuffles draws on both sides: `new` of its cards come from the new pile.
                let since = draw < decision.new;
                // The age of a card still in the hand is given: a new one was drawn since the reshuffle, an
                // old one before. A played card may have been drawn on either side. `must`: the card is still held
                // now and is new, so its draw must be one of those since the reshuffle.
                let must = |at: &usize| slots[*at].held && slots[*at].new;
                // If as many such cards wait for their draw as there are draws since the reshuffle left, each of these
                // draws must take one of them. For example, two cards were drawn since the reshuffle; one new card is
                // held, and one card was played. The later draw may have brought either. If it brought the played card,
                // the earlier draw must have brought the one that is held.
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
                // If no card fits, the draw is left out: the hand before it then has one card too many.
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

    /// The misfits of one card: the number of decisions at which the hoarder would have played it instead; 0 without a
    /// style.
    fn cost(&self, slot: &Slot) -> u32 {
        self.style.map_or(0, |style| {
            self.evidence
                .cost(style, slot.symbol, slot.from, slot.until)
        })
    }

    /// The misfits of whole hands: how many of the latest decisions its style would not have taken with these hands.
    fn count_unlike(&self, game: &Game, latest: &[Cards; LATEST]) -> u32 {
        self.style
            .map_or(0, |style| self.evidence.unlike(style, game, latest))
    }

    /// The change in [`cost`](Held::cost) if `next` replaces `at`; negative if it fits better.
    fn added(&self, at: &Slot, next: &Slot) -> i32 {
        self.cost(next) as i32 - self.cost(at) as i32
    }

    /// The hands at its latest decisions if each first slot of `changes` is replaced by the second.
    fn latest_with(&self, changes: &[(Slot, Slot)]) -> [Cards; LATEST] {
        let now = self.evidence.decisions.len() as u8;
        std::array::from_fn(|before| {
            let mut held = self.latest[before];
            // A slot changes the hand only at the decisions that it covers, before the change or after it.
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

    /// The cards that the player holds now.
    fn hand(&self) -> Cards {
        let present = self.slots.iter().filter(|slot| slot.held);
        present.map(|slot| slot.symbol).collect()
    }
}

/// The state of the sampler: the hidden cards of all players, and the draw pile.
#[derive(Clone, Debug)]
pub(super) struct Chain<'a> {
    game: &'a Game,
    players: Vec<Held<'a>>,
    pile: ArrayVec<Symbol, DECK>,
    /// The hidden cards that are in a hand now, each as an index into `players` and one into the `slots` of that
    /// player.
    present: Vec<(u8, u8)>,
}

impl<'a> Chain<'a> {
    /// Starts from a world of the belief. `evidence` has an entry for each seat, `None` for the own seat.
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

    /// Sets the style of each seat: an index into `HOARDERS`, or `None` for a player that plays as the evaluator.
    pub fn set_styles(&mut self, styles: &[Option<usize>; MAX_PLAYERS]) {
        for player in &mut self.players {
            if player.style != styles[player.seat] {
                player.style = styles[player.seat];
                player.unlike = player.count_unlike(self.game, &player.latest);
            }
        }
    }

    /// Tries `sweeps` changes for each hidden card in a hand; returns the number of changes tried.
    pub fn run(&mut self, sweeps: usize, rng: &mut Random) -> u64 {
        let changes = sweeps * self.present.len();
        for _ in 0..changes {
            // By Metropolis' rule a change must be tried as often as its reverse. It is: both cards are chosen
            // uniformly, whatever their symbols.
            let (player, slot) = self.present[rng::below(rng, self.present.len())];
            let one = (usize::from(player), usize::from(slot));
            if rng::below(rng, DRAWS) == 0 {
                self.exchange_draws(one, rng);
                continue;
            }
            // The other card is in a hand, perhaps the same one, or in the pile.
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

    /// The seats with hidden cards, and their hands.
    pub fn hands(&self) -> impl Iterator<Item = (usize, Cards)> {
        self.players.iter().map(|held| (held.seat, held.hand()))
    }

    /// Tries to exchange two cards in hands. Each card takes over the draw of the other, so an exchange within one hand
    /// leaves the hand as it is and changes its history.
    fn exchange(&mut self, one: (usize, usize), other: (usize, usize), rng: &mut Random) {
        let (a, b) = (self.slot(one), self.slot(other));
        // Exchanging equal cards changes nothing. Exchanging an old card for a new one would change which cards are
        // old.
        if a.symbol == b.symbol || a.new != b.new {
            return;
        }
        let with = |slot, symbol| Slot { symbol, ..slot };
        self.change(&[(one, with(a, b.symbol)), (other, with(b, a.symbol))], rng);
    }

    /// Tries to exchange a card in a hand with one in the pile.
    fn redraw(&mut self, one: (usize, usize), place: usize, rng: &mut Random) {
        // An old card was held at the last reshuffle, so it cannot have come from the pile.
        let (at, symbol) = (self.slot(one), self.pile[place]);
        if at.symbol != symbol && at.new && self.change(&[(one, Slot { symbol, ..at })], rng) {
            self.pile[place] = at.symbol;
        }
    }

    /// Tries to exchange the draws of a card in a hand and of another card of the same player, which may have
    /// been played.
    fn exchange_draws(&mut self, one: (usize, usize), rng: &mut Random) {
        let held = &self.players[one.0];
        // Without a style all histories of a hand are equally likely.
        if held.style.is_none() {
            return;
        }
        let other = (one.0, rng::below(rng, held.slots.len()));
        let (a, b) = (self.slot(one), self.slot(other));
        // Each card must be drawn before it is played, and on its own side of the reshuffle.
        let possible = b.from < a.until && a.from < b.until && a.new == b.new;
        if possible && a.from != b.from && a.symbol != b.symbol {
            let with = |slot, from| Slot { from, ..slot };
            self.change(&[(one, with(a, b.from)), (other, with(b, a.from))], rng);
        }
    }

    /// The slot with these indices: of its player, and among the slots of that player.
    fn slot(&self, (player, slot): (usize, usize)) -> Slot {
        self.players[player].slots[slot]
    }

    /// Replaces slots by Metropolis' rule; returns whether the change was accepted. A slot is named by the index of its
    /// player and its index among the slots of that player.
    fn change(&mut self, changes: &[((usize, usize), Slot)], rng: &mut Random) -> bool {
        // The random number is drawn first. It gives the most misfits that the change may add, so that a bad change is
        // refused before the costly count below.
        let room = room(rng);
        let mut players: ArrayVec<usize, 2> =
            changes.iter().map(|&((player, _), _)| player).collect();
        // Two cards of one player are counted together: its latest hands depend on both.
        if let [one, other] = players[..]
            && one == other
        {
            players.pop();
        }
        let of = |player: usize| -> ArrayVec<(Slot, Slot), 2> {
            let of_player = changes.iter().filter(|((of, _), _)| *of == player);
            of_player.map(|&(at, next)| (self.slot(at), next)).collect()
        };
        // `added` becomes the change in the misfits of cards. `unlike` is the number of latest decisions that do
        // not fit before the change.
        let (mut added, mut unlike) = (0, 0);
        for &player in &players {
            let held = &self.players[player];
            added += of(player)
                .iter()
                .map(|(at, next)| held.added(at, next))
                .sum::<i32>();
            unlike += held.unlike as i32;
        }
        // At best all latest decisions fit after the change. If even that adds too much, it is refused.
        if added - unlike > room {
            return false;
        }
        // Whole hands are checked only if they changed, as each check simulates a sprint.
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

    /// The hand of a seat at one of its decisions, and the part of it drawn since the last reshuffle.
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

/// The most misfits that a change may add and still be accepted.
///
/// Metropolis accepts *d* more misfits if u < exp(-`UNLIKELY` · *d*) for a uniform u between 0 and 1, that is if
/// *d* < -ln u / `UNLIKELY`. As *d* is whole, the quotient is rounded down: u = 0.01 gives 4.6 / 4, so 1.
fn room(rng: &mut Random) -> i32 {
    (-ln(rng::unit(rng).max(1e-12)) as f32 / UNLIKELY) as i32
}
