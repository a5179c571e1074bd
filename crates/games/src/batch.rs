//! Many games of one kind, stepped by one call, for learning: the Python package's environments are batches.
//!
//! A game that ends starts anew within the same step: observation, mask and seat are the new game's, rewards
//! and flags the old one's (*autoreset in the same step*, in the words of Gymnasium).
//! Game `i` draws from stream `i` of the batch's seed. So the results depend neither on
//! the number of threads nor on how the games are divided among them.
//!
//! A batch is stored without positions. Each game is stored as its generator at the start and the actions since:
//! chance draws from that generator, so the same actions lead to the same position. Loading replays the actions and
//! refuses those that break the rules.

pub use crate::game::Observation;

use crate::game::{Game, Id, Turn, ids};
use engine::rng::{Random, below, stream};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a step was refused. No game has changed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BatchError {
    /// An action that is not legal.
    #[error("game {game}: action {id} is not legal, only {legal:?}")]
    Illegal {
        /// The number of the game, from 0.
        game: usize,
        id: i64,
        legal: Vec<Id>,
    },
    /// The number of actions differs from the number of games.
    #[error("{actions} actions for {games} games")]
    Count {
        /// The number of actions given.
        actions: usize,
        /// The number of games, each of which needs one action.
        games: usize,
    },
    /// An array that the batch writes to no longer has the length that it was made with.
    #[error("the array {array} has {found} values, not {expected}: was it resized?")]
    Resized {
        array: &'static str,
        found: usize,
        expected: usize,
    },
    /// An opponent in a batch has failed. Its game is at that player's turn; a reset starts all games anew.
    #[error("game {game}: {reason}")]
    Player {
        /// The number of the game, from 0.
        game: usize,
        reason: String,
    },
    /// Opponents may keep any memory, which cannot be stored.
    #[error("a batch with opponents cannot be stored")]
    Opponents,
    /// A stored batch that does not follow the rules.
    #[error("stored game {game}: {reason}")]
    Stored {
        /// The number of the game, from 0.
        game: usize,
        reason: String,
    },
}

/// The slices that a batch writes to, a row for each game; [`Sizes`] has the lengths of rows.
#[derive(Debug)]
pub struct Rows<'a> {
    /// The observation of the player to move.
    pub observations: &'a mut [u8],
    /// For each id, whether it is legal.
    pub masks: &'a mut [bool],
    /// The player to move.
    pub seats: &'a mut [i8],
    /// Each player's return, if the game ended in this step; else 0.
    pub rewards: &'a mut [f32],
    /// Whether the game ended by its rules.
    pub terminated: &'a mut [bool],
    /// Whether the game ended undecided, at the limit of its length.
    pub truncated: &'a mut [bool],
    /// For a game that ended in this step, the last observation of each seat, in order; other rows stay as they
    /// are. Empty if the batch was made without them.
    pub finals: &'a mut [u8],
}

/// The afterstates of all games: a row for every legal action of every game, with the observation of the player to
/// move just after it, before chance has its turn. Games are in order, and ids ascend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Afterstates {
    /// The number of the game, from 0.
    pub games: Vec<i64>,
    pub ids: Vec<i64>,
    /// The observations, `size` bytes a row.
    pub observations: Vec<u8>,
    /// Bytes of an observation.
    pub size: usize,
    /// The return of the player who acts, if the action ends the game; else NaN.
    pub outcomes: Vec<f32>,
}

/// One game of a batch.
#[derive(Clone)]
struct Slot<S> {
    state: S,
    /// The legal actions as bits, for the check of the next step.
    legal: u64,
    /// The generator that chance draws from.
    rng: Random,
    /// The generator as it was when the present game began.
    began: Random,
    /// The number of the batch's steps before the present game began.
    since: u64,
}

/// The actions that are needed to store the games: one row for each step since the oldest present game began, with
/// the id of each game's action. All rows are one list: with a list for each game, every step would have to fetch one
/// more line of memory for each game.
struct ActionLog {
    ids: Vec<Id>,
    /// Number of ids in a row.
    games: usize,
    /// The number of the first row's step.
    first: u64,
    /// With at least this number of rows, the next step first removes rows that are not needed any more.
    limit: usize,
}

impl ActionLog {
    /// The least limit: so few rows are kept even if they are not needed.
    const LEAST: usize = 64;

    /// An empty log, whose next step has the number `first`.
    fn new(games: usize, first: u64) -> ActionLog {
        ActionLog {
            ids: Vec::new(),
            games,
            first,
            limit: ActionLog::LEAST,
        }
    }

    fn rows(&self) -> usize {
        self.ids.len() / self.games.max(1)
    }

    /// The number of the next step.
    fn next(&self) -> u64 {
        self.first + self.rows() as u64
    }

    /// Adds a step. `oldest` gives the first step that is still needed.
    fn push(&mut self, actions: &[i64], oldest: impl FnOnce() -> u64) {
        if self.rows() >= self.limit {
            let old = (oldest() - self.first) as usize;
            self.ids.drain(..old * self.games);
            self.first += old as u64;
            // Twice the rows that are left: at least as many rows are added as were moved, so each row is moved
            // about once.
            self.limit = ActionLog::LEAST.max(2 * self.rows());
        }
        self.ids.extend(actions.iter().map(|&id| id as Id));
    }

    /// A game's actions from a step on.
    fn of(&self, game: usize, since: u64) -> Vec<Id> {
        let from = (since - self.first) as usize;
        let own = self.ids.iter().skip(from * self.games + game);
        own.step_by(self.games).copied().collect()
    }
}

/// A batch as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedBatch {
    /// The generator of random actions.
    rng: Random,
    games: Vec<SavedGame>,
}

/// A game of a batch as it is stored: its generator at the start, and the actions since.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedGame {
    began: Random,
    actions: Vec<Id>,
}

/// Many games of one kind, as [`AnyBatch`] describes them.
pub struct Batch<G: Game> {
    game: G,
    slots: Vec<Slot<G::State>>,
    observation: Observation,
    sizes: Sizes,
    rng: Random,
    log: ActionLog,
}

/// The lengths of one game's row in each slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of an observation.
    pub observation: usize,
    pub actions: usize,
    pub players: usize,
    /// Bytes of the last observations of all seats; 0 if the batch is made without them.
    pub finals: usize,
}

/// A batch of any game.
pub trait AnyBatch: Send + Sync {
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The lengths of rows.
    fn sizes(&self) -> Sizes;
    /// Starts every game anew. With a seed, the batch is as one made with that seed.
    ///
    /// # Errors
    /// If the length of a slice is not that of all its rows.
    fn reset(&mut self, seed: Option<u64>, rows: Rows) -> Result<(), BatchError>;
    /// Takes an action in every game, on the threads of the pool if there is one; the results are the same.
    ///
    /// # Errors
    /// If an action is not legal, there is not one for each game, or the length of a slice is wrong. Then
    /// no game has changed.
    fn step(
        &mut self,
        actions: &[i64],
        rows: Rows,
        pool: Option<&rayon::ThreadPool>,
    ) -> Result<(), BatchError>;
    /// Draws a legal action for every game, all equally likely.
    fn random_actions(&mut self, actions: &mut [i64]);
    /// Looks one action ahead in every game and changes none. Observations are empty if the game has no such
    /// observation.
    fn afterstates(
        &self,
        observation: Observation,
        pool: Option<&rayon::ThreadPool>,
    ) -> Afterstates;
    /// The games as they are stored.
    ///
    /// # Errors
    /// If they cannot be stored.
    fn saved(&self) -> Result<SavedBatch, BatchError>;
    /// Replaces the games by stored ones, and writes their observations, masks and seats. Rewards, flags and last
    /// observations stay as they are.
    ///
    /// # Errors
    /// If the number of games differs, or the rules refuse one. Then no game has changed.
    fn restore(&mut self, saved: &SavedBatch, rows: &mut Rows) -> Result<(), BatchError>;
}

impl<G: Game> Batch<G> {
    /// A batch of this number of games. The same seed and the same actions give the same games. If `finals`,
    /// the plain observations of all seats are written when a game ends.
    pub fn new(
        game: G,
        games: usize,
        seed: u64,
        observation: Observation,
        finals: bool,
    ) -> Batch<G> {
        let sizes = Sizes {
            observation: observation
                .size(game.observation(), game.features())
                .unwrap_or(0),
            actions: game.actions(),
            players: game.players(),
            finals: match finals {
                true => game.players() * game.observation(),
                false => 0,
            },
        };
        let slots = (0..games).map(|number| {
            let rng = stream(seed, number as u64);
            Slot {
                // A placeholder until the first reset, drawn from a copy of the generator: the reset reads the
                // same stream from its start.
                state: game.start(&mut rng.clone()),
                legal: 0,
                began: rng.clone(),
                rng,
                since: 0,
            }
        });
        Batch {
            slots: slots.collect(),
            game,
            observation,
            sizes,
            rng: stream(seed, u64::MAX),
            log: ActionLog::new(games, 0),
        }
    }

    /// The position of a game.
    pub fn state(&self, game: usize) -> &G::State {
        &self.slots[game].state
    }
}

/// One game's row in each slice of [`Rows`].
#[derive(Debug)]
pub struct Row<'a> {
    pub observation: &'a mut [u8],
    pub mask: &'a mut [bool],
    pub seat: &'a mut i8,
    pub rewards: &'a mut [f32],
    pub terminated: &'a mut bool,
    pub truncated: &'a mut bool,
    pub finals: &'a mut [u8],
}

/// The rules and the observation, common to all games of a batch.
struct Shared<'a, G> {
    game: &'a G,
    observation: Observation,
    /// The number of the batch's steps, the present one included.
    steps: u64,
}

impl<G: Game> Shared<'_, G> {
    /// Draws outcomes of chance until it is not chance's turn; returns whose turn it is then.
    #[inline]
    fn settle(&self, slot: &mut Slot<G::State>) -> Turn {
        loop {
            match self.game.turn(&slot.state) {
                Turn::Chance => {
                    let id = self.game.draw(&slot.state, &mut slot.rng);
                    self.game.apply(&mut slot.state, id);
                }
                turn => return turn,
            }
        }
    }

    /// Starts new games until there is one in which a player can act; returns its seat. A game that chance alone
    /// ends would have no observation to show.
    fn renew(&self, slot: &mut Slot<G::State>) -> usize {
        slot.since = self.steps;
        loop {
            slot.began = slot.rng.clone();
            slot.state = self.game.start(&mut slot.rng);
            if let Turn::Seat(seat) = self.settle(slot) {
                return seat;
            }
        }
    }

    /// Writes what the player to move sees, and keeps the legal actions for the next step's check.
    #[inline]
    fn show(&self, slot: &mut Slot<G::State>, seat: usize, row: &mut Row) {
        slot.legal = self.game.legal(&slot.state);
        *row.seat = seat as i8;
        spread(slot.legal, row.mask);
        match self.observation {
            Observation::Plain => self.game.observe(&slot.state, seat, row.observation),
            Observation::Network => self.game.observe_features(&slot.state, row.observation),
            Observation::Nothing => {}
        }
    }

    /// Starts a new game and writes its first row.
    fn begin(&self, slot: &mut Slot<G::State>, mut row: Row) {
        let seat = self.renew(slot);
        row.rewards.fill(0.0);
        (*row.terminated, *row.truncated) = (false, false);
        self.show(slot, seat, &mut row);
    }

    /// Takes an action and writes the row. If the game ends, rewards, flags and last observations are those of this
    /// game, and the rest is that of a new one.
    #[inline]
    fn step(&self, slot: &mut Slot<G::State>, action: i64, mut row: Row) {
        self.game.apply(&mut slot.state, action as Id);
        let seat = match self.settle(slot) {
            Turn::Seat(seat) => {
                row.rewards.fill(0.0);
                (*row.terminated, *row.truncated) = (false, false);
                seat
            }
            _ => {
                let returns = self.game.returns(&slot.state);
                for (reward, value) in row.rewards.iter_mut().zip(returns) {
                    *reward = value as f32;
                }
                if !row.finals.is_empty() {
                    let size = row.finals.len() / row.rewards.len();
                    for (seat, out) in row.finals.chunks_exact_mut(size).enumerate() {
                        self.game.observe(&slot.state, seat, out);
                    }
                }
                *row.truncated = self.game.stopped(&slot.state);
                *row.terminated = !*row.truncated;
                self.renew(slot)
            }
        };
        self.show(slot, seat, &mut row);
    }

    /// Replays a stored game to the position at which it was stored. Returns its slot with the seat to move.
    fn replay(&self, saved: &SavedGame) -> Result<(Slot<G::State>, usize), String> {
        let mut rng = saved.began.clone();
        let mut slot = Slot {
            state: self.game.start(&mut rng),
            legal: 0,
            rng,
            began: saved.began.clone(),
            since: self.steps - saved.actions.len() as u64,
        };
        let mut turn = self.settle(&mut slot);
        for &id in &saved.actions {
            let legal = self.game.legal(&slot.state);
            if id >= 64 || legal >> id & 1 == 0 {
                return Err(format!(
                    "action {id} is not legal, only {:?}",
                    ids(legal).collect::<Vec<_>>()
                ));
            }
            self.game.apply(&mut slot.state, id);
            turn = self.settle(&mut slot);
        }
        // A batch starts a new game in the step that ends one, so a game that is over was never stored.
        match turn {
            Turn::Seat(seat) => Ok((slot, seat)),
            _ => Err("the game is over".to_owned()),
        }
    }
}

/// Writes the bits of a set as bools, eight at a time.
///
/// The product has the eight bits in every byte, and the mask leaves bit k in byte k alone. Adding 127 carries any bit
/// that is left to the top of its byte. For the bits 0b101: bytes 1, 0, 4, then 0x80, 0x7F, 0x83, and so 1, 0, 1.
#[inline]
fn spread(set: u64, mask: &mut [bool]) {
    for (part, flags) in mask.chunks_mut(8).enumerate() {
        let bits = set >> (8 * part) & 0xFF;
        let apart = bits.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        let carried = (apart + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101;
        let bools = carried.to_le_bytes().map(|byte| byte == 1);
        flags.copy_from_slice(&bools[..flags.len()]);
    }
}

/// Checks that there is an action for each game, and that each is legal: `legal` has the sets of ids, by game.
///
/// # Errors
/// The first game without a legal action, or another number of actions than games.
#[inline]
pub fn check_actions(
    legal: impl ExactSizeIterator<Item = u64>,
    actions: &[i64],
) -> Result<(), BatchError> {
    if actions.len() != legal.len() {
        return Err(BatchError::Count {
            actions: actions.len(),
            games: legal.len(),
        });
    }
    for (game, (legal, &id)) in legal.zip(actions).enumerate() {
        if !(0..64).contains(&id) || legal >> id & 1 == 0 {
            return Err(BatchError::Illegal {
                game,
                id,
                legal: ids(legal).collect(),
            });
        }
    }
    Ok(())
}

/// An id drawn from a set, all equally likely. The empty set gives 64, an id that no step accepts.
#[inline]
pub fn random_action(mut legal: u64, rng: &mut Random) -> i64 {
    // The legal id with a random number of legal ids below it. `x & (x - 1)` clears the lowest bit: of 0b10110 (ids 1,
    // 2 and 4), `skip` 1 leaves 0b10100, and id 2 is drawn.
    let skip = below(rng, legal.count_ones().max(1) as usize);
    for _ in 0..skip {
        legal &= legal - 1;
    }
    legal.trailing_zeros().into()
}

/// Number of games, or of rows of afterstates, in a thread's unit of work.
const CHUNK: usize = 256;

impl Rows<'_> {
    /// Splits the rows into parts of `chunk` games.
    pub fn chunks(&mut self, sizes: Sizes, games: usize, chunk: usize) -> Vec<Rows<'_>> {
        let Sizes {
            observation,
            actions,
            players,
            finals,
        } = sizes;
        let mut parts = Vec::with_capacity(games.div_ceil(chunk));
        let mut observations = &mut *self.observations;
        let mut all_finals = &mut *self.finals;
        let mut masks = self.masks.chunks_mut(chunk * actions);
        let mut seats = self.seats.chunks_mut(chunk);
        let mut rewards = self.rewards.chunks_mut(chunk * players);
        let mut terminated = self.terminated.chunks_mut(chunk);
        let mut truncated = self.truncated.chunks_mut(chunk);
        while let (Some(masks), Some(seats), Some(rewards), Some(terminated), Some(truncated)) = (
            masks.next(),
            seats.next(),
            rewards.next(),
            terminated.next(),
            truncated.next(),
        ) {
            // `chunks_mut` panics on chunks of 0 bytes, and rows without an observation have 0: so these are
            // split by hand.
            let (part, rest) = observations.split_at_mut(seats.len() * observation);
            observations = rest;
            let (part_finals, rest) = all_finals.split_at_mut(seats.len() * finals);
            all_finals = rest;
            parts.push(Rows {
                finals: part_finals,
                observations: part,
                masks,
                seats,
                rewards,
                terminated,
                truncated,
            });
        }
        parts
    }

    /// Checks the length of every slice: callers can resize their arrays between two calls.
    ///
    /// # Errors
    /// The first slice whose length is wrong.
    pub fn check(&self, sizes: Sizes, games: usize) -> Result<(), BatchError> {
        let lengths = [
            ("observations", self.observations.len(), sizes.observation),
            ("masks", self.masks.len(), sizes.actions),
            ("seats", self.seats.len(), 1),
            ("rewards", self.rewards.len(), sizes.players),
            ("terminated", self.terminated.len(), 1),
            ("truncated", self.truncated.len(), 1),
            ("final_observations", self.finals.len(), sizes.finals),
        ];
        for (array, found, row) in lengths {
            let expected = games * row;
            if found != expected {
                return Err(BatchError::Resized {
                    array,
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }

    /// Calls a function with every game's row.
    #[inline]
    pub fn each<'a>(&'a mut self, sizes: Sizes, mut call: impl FnMut(usize, Row<'a>)) {
        let mut observations = &mut *self.observations;
        let mut finals = &mut *self.finals;
        let masks = self.masks.chunks_exact_mut(sizes.actions);
        let rewards = self.rewards.chunks_exact_mut(sizes.players);
        let flags = self.terminated.iter_mut().zip(self.truncated.iter_mut());
        let rows = masks.zip(rewards).zip(self.seats.iter_mut()).zip(flags);
        for (game, (((mask, rewards), seat), (terminated, truncated))) in rows.enumerate() {
            // By hand, as in `chunks`: an observation may have 0 bytes.
            let (observation, rest) =
                std::mem::take(&mut observations).split_at_mut(sizes.observation);
            observations = rest;
            let mut last: &mut [u8] = &mut [];
            if sizes.finals > 0 {
                (last, finals) = std::mem::take(&mut finals).split_at_mut(sizes.finals);
            }
            call(
                game,
                Row {
                    finals: last,
                    observation,
                    mask,
                    seat,
                    rewards,
                    terminated,
                    truncated,
                },
            );
        }
    }
}

impl<G: Game> AnyBatch for Batch<G> {
    fn len(&self) -> usize {
        self.slots.len()
    }

    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn reset(&mut self, seed: Option<u64>, mut rows: Rows) -> Result<(), BatchError> {
        rows.check(self.sizes, self.slots.len())?;
        if let Some(seed) = seed {
            for (number, slot) in self.slots.iter_mut().enumerate() {
                slot.rng = stream(seed, number as u64);
            }
            self.rng = stream(seed, u64::MAX);
        }
        // Nothing of the old games is needed any more.
        self.log = ActionLog::new(self.slots.len(), self.log.next());
        let shared = Shared {
            game: &self.game,
            observation: self.observation,
            steps: self.log.next(),
        };
        let slots = &mut self.slots;
        rows.each(self.sizes, |game, row| shared.begin(&mut slots[game], row));
        Ok(())
    }

    fn saved(&self) -> Result<SavedBatch, BatchError> {
        let saved = |(game, slot): (usize, &Slot<G::State>)| SavedGame {
            began: slot.began.clone(),
            actions: self.log.of(game, slot.since),
        };
        Ok(SavedBatch {
            rng: self.rng.clone(),
            games: self.slots.iter().enumerate().map(saved).collect(),
        })
    }

    fn restore(&mut self, saved: &SavedBatch, rows: &mut Rows) -> Result<(), BatchError> {
        rows.check(self.sizes, self.slots.len())?;
        if saved.games.len() != self.slots.len() {
            return Err(BatchError::Stored {
                game: saved.games.len().min(self.slots.len()),
                reason: format!(
                    "{} games are stored, not {}",
                    saved.games.len(),
                    self.slots.len()
                ),
            });
        }
        // All stored games end with the same step, so the one with the most actions began first: with step 0 of the
        // new log.
        let steps = saved.games.iter().map(|game| game.actions.len()).max();
        let steps = steps.unwrap_or(0);
        let shared = Shared {
            game: &self.game,
            observation: self.observation,
            steps: steps as u64,
        };
        let replayed = saved.games.iter().enumerate().map(|(game, saved)| {
            let replayed = shared.replay(saved);
            replayed.map_err(|reason| BatchError::Stored { game, reason })
        });
        let (mut slots, seats): (Vec<_>, Vec<usize>) =
            replayed.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        rows.each(self.sizes, |game, mut row| {
            shared.show(&mut slots[game], seats[game], &mut row);
        });
        self.slots = slots;
        self.rng = saved.rng.clone();
        self.log = ActionLog::new(self.slots.len(), 0);
        self.log.ids.resize(steps * self.log.games, 0);
        for (game, saved) in saved.games.iter().enumerate() {
            let from = steps - saved.actions.len();
            for (step, &id) in saved.actions.iter().enumerate() {
                self.log.ids[(from + step) * self.log.games + game] = id;
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        actions: &[i64],
        mut rows: Rows,
        pool: Option<&rayon::ThreadPool>,
    ) -> Result<(), BatchError> {
        rows.check(self.sizes, self.slots.len())?;
        // All actions are checked before the first is taken: an error leaves every game as it was. Before the
        // first reset no action is legal.
        check_actions(self.slots.iter().map(|slot| slot.legal), actions)?;
        let sizes = self.sizes;
        let slots = &self.slots;
        let oldest = || slots.iter().map(|slot| slot.since).min().unwrap_or(0);
        self.log.push(actions, oldest);
        let shared = Shared {
            game: &self.game,
            observation: self.observation,
            steps: self.log.next(),
        };
        let chunk = |slots: &mut [Slot<G::State>], actions: &[i64], mut rows: Rows| {
            rows.each(sizes, |game, row| {
                shared.step(&mut slots[game], actions[game], row);
            });
        };
        let Some(pool) = pool else {
            chunk(&mut self.slots, actions, rows);
            return Ok(());
        };
        // Slots, actions and rows are cut at the same games, so a thread has a part of the batch for itself and
        // needs no lock.
        let parts = rows.chunks(sizes, actions.len(), CHUNK);
        let slots = &mut self.slots;
        pool.install(|| {
            slots
                .par_chunks_mut(CHUNK)
                .zip(actions.par_chunks(CHUNK))
                .zip(parts)
                .for_each(|((slots, actions), rows)| chunk(slots, actions, rows));
        });
        Ok(())
    }

    fn random_actions(&mut self, actions: &mut [i64]) {
        for (slot, action) in self.slots.iter().zip(actions) {
            *action = random_action(slot.legal, &mut self.rng);
        }
    }

    fn afterstates(
        &self,
        observation: Observation,
        pool: Option<&rayon::ThreadPool>,
    ) -> Afterstates {
        let game = &self.game;
        let size = observation
            .size(game.observation(), game.features())
            .unwrap_or(0);
        let mut after = Afterstates {
            size,
            ..Afterstates::default()
        };
        // First the list of all rows: it fixes where each row is written, so that threads can fill different parts.
        for (number, slot) in self.slots.iter().enumerate() {
            let mut legal = slot.legal;
            while legal != 0 {
                after.games.push(number as i64);
                after.ids.push(legal.trailing_zeros().into());
                legal &= legal - 1;
            }
        }
        let rows = after.ids.len();
        after.observations.resize(rows * size, 0);
        after.outcomes.resize(rows, f32::NAN);
        // Fills the rows from number `from` on, as many as there are outcomes.
        let chunk = |from: usize, outcomes: &mut [f32], mut observations: &mut [u8]| {
            for (row, outcome) in outcomes.iter_mut().enumerate() {
                // Split by hand, as an observation may have 0 bytes.
                let (out, rest) = std::mem::take(&mut observations).split_at_mut(size);
                observations = rest;
                let state = &self.slots[after.games[from + row] as usize].state;
                let id = after.ids[from + row] as Id;
                if let Some(value) = game.observe_after(state, id, observation, out) {
                    *outcome = value as f32;
                }
            }
        };
        let Some(pool) = pool else {
            chunk(0, &mut after.outcomes, &mut after.observations);
            return after;
        };
        let mut observations = &mut *after.observations;
        let parts: Vec<_> = after
            .outcomes
            .chunks_mut(CHUNK)
            .enumerate()
            .map(|(number, outcomes)| {
                let bytes = outcomes.len() * size;
                let (part, rest) = std::mem::take(&mut observations).split_at_mut(bytes);
                observations = rest;
                (number * CHUNK, outcomes, part)
            })
            .collect();
        pool.install(|| {
            parts
                .into_par_iter()
                .for_each(|(from, outcomes, part)| chunk(from, outcomes, part));
        });
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread_in_order() {
        let mut set: u64 = 0x9E37_79B9_7F4A_7C15;
        for length in 1..=64 {
            set = set.rotate_left(7) ^ length;
            let mut mask = vec![true; length as usize];
            spread(set, &mut mask);
            let expected = (0..length).map(|id| set >> id & 1 == 1);
            assert!(expected.eq(mask.iter().copied()), "{length}");
        }
    }
}
