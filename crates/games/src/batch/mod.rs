//! Many games of one kind, stepped by one call, for learning: the Python package's environments are batches.
//!
//! A game that ends starts anew within the same step: observation, mask and seat are the new game's, rewards
//! and flags the old one's (*autoreset in the same step*, in the words of Gymnasium). Game `i` draws from stream `i` of
//! the batch's seed. So the results depend neither on the number of threads nor on how the games are divided among them.
//!
//! A batch is stored without positions. Each game is stored as its generator at the start and the actions since:
//! chance draws from that generator, so the same actions lead to the same position. Loading replays the actions and
//! refuses those that break the rules.

mod log;
mod rows;

pub use self::log::SavedBatch;
pub use self::rows::{Row, Rows, Sizes};
pub use crate::game::Observation;

use self::log::{ActionLog, SavedGame};
use self::rows::{cut, spread};
use crate::game::{Game, Id, Turn, ids};
use engine::rng::{Random, below, stream};
use rayon::prelude::*;
use thiserror::Error;

/// Why a step was refused. No game has changed, unless a player has failed.
#[derive(Debug, Error)]
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
    /// An opponent in a batch has failed. Its game is as before the call, and so is its row; other games have gone on.
    #[error("game {game}: {error}")]
    Player {
        /// The number of the game, from 0.
        game: usize,
        error: Box<dyn std::error::Error + Send + Sync>,
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

/// Many games of one kind, as [`AnyBatch`] describes them.
pub struct Batch<G: Game> {
    game: G,
    slots: Vec<Slot<G::State>>,
    observation: Observation,
    sizes: Sizes,
    rng: Random,
    log: ActionLog,
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
    /// no game has changed. Also if a player fails.
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
        let log = ActionLog::of_stored(&saved.games);
        let shared = Shared {
            game: &self.game,
            observation: self.observation,
            steps: log.next(),
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
        self.log = log;
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
                let out = cut(&mut observations, size);
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
                (number * CHUNK, outcomes, cut(&mut observations, bytes))
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
