//! Many games of one kind, stepped by one call.
//!
//! A game that is over begins anew in the same step: what is observed then is the new game, and the
//! rewards are those of the old one (*autoreset in the same step*, in the words of Gymnasium).

pub use crate::game::Observation;

use crate::game::{Game, Id, Turn, ids};
use engine::rng::{Random, below, stream};
use rayon::prelude::*;
use thiserror::Error;

/// Why a step was refused. No game has changed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BatchError {
    /// An action that is not legal.
    #[error("game {game}: action {id} is not legal, only {legal:?}")]
    Illegal {
        /// Which game, from 0.
        game: usize,
        id: i64,
        legal: Vec<Id>,
    },
    /// Not one action a game.
    #[error("{actions} actions for {games} games")]
    Count {
        /// How many there were.
        actions: usize,
        /// How many there should be.
        games: usize,
    },
}

/// Where a batch writes, a row for each game.
#[derive(Debug)]
pub struct Rows<'a> {
    /// What the player to move sees.
    pub observations: &'a mut [u8],
    /// For each id whether it is legal.
    pub masks: &'a mut [bool],
    /// The player to move.
    pub seats: &'a mut [i8],
    /// What the step has brought to each player.
    pub rewards: &'a mut [f32],
    /// Whether the game ended by its rules.
    pub terminated: &'a mut [bool],
    /// Whether it was stopped.
    pub truncated: &'a mut [bool],
}

/// Every legal action of every game, and what the player to move sees just after it, before chance has its
/// turn: a row for each, games in order and ids ascending.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Afterstates {
    /// Which game, from 0.
    pub games: Vec<i64>,
    pub ids: Vec<i64>,
    /// What is seen, `size` bytes a row.
    pub observations: Vec<u8>,
    /// Bytes of an observation.
    pub size: usize,
    /// What the game has brought the player if the action ends it, else not a number.
    pub outcomes: Vec<f32>,
}

#[derive(Clone)]
struct Slot<S> {
    state: S,
    legal: u64,
    rng: Random,
}

pub struct Batch<G: Game> {
    game: G,
    slots: Vec<Slot<G::State>>,
    observation: Observation,
    sizes: Sizes,
    rng: Random,
}

/// The lengths of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of an observation.
    pub observation: usize,
    pub actions: usize,
    pub players: usize,
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
    /// New games everywhere; as if the batch had been made with this seed, if there is one.
    fn reset(&mut self, seed: Option<u64>, rows: Rows);
    /// Takes an action in every game. With a pool the games are shared out among its threads; what comes
    /// of it is the same.
    ///
    /// # Errors
    /// If an action is not legal.
    fn step(
        &mut self,
        actions: &[i64],
        rows: Rows,
        pool: Option<&rayon::ThreadPool>,
    ) -> Result<(), BatchError>;
    /// A legal action for every game, all equally likely.
    fn random_actions(&mut self, actions: &mut [i64]);
    /// What would be seen after each legal action of every game; no game changes. An observation that the
    /// game has not is empty.
    fn afterstates(
        &self,
        observation: Observation,
        pool: Option<&rayon::ThreadPool>,
    ) -> Afterstates;
}

impl<G: Game> Batch<G> {
    /// So many games; the same seed gives the same games for the same actions.
    pub fn new(game: G, games: usize, seed: u64, observation: Observation) -> Batch<G> {
        let sizes = Sizes {
            observation: game.size_of(observation).unwrap_or(0),
            actions: game.actions(),
            players: game.players(),
        };
        let slots = (0..games).map(|number| {
            let rng = stream(seed, number as u64);
            Slot {
                // Until the first reset, which begins a game from the same seed.
                state: game.start(&mut rng.clone()),
                legal: 0,
                rng,
            }
        });
        Batch {
            slots: slots.collect(),
            game,
            observation,
            sizes,
            rng: stream(seed, u64::MAX),
        }
    }

    /// The position of a game.
    pub fn state(&self, game: usize) -> &G::State {
        &self.slots[game].state
    }
}

/// The rows of one game.
struct Row<'a> {
    observation: &'a mut [u8],
    mask: &'a mut [bool],
    seat: &'a mut i8,
    rewards: &'a mut [f32],
    terminated: &'a mut bool,
    truncated: &'a mut bool,
}

/// What all games share.
struct Shared<'a, G> {
    game: &'a G,
    observation: Observation,
}

impl<G: Game> Shared<'_, G> {
    /// Gives chance its turns, and says whose turn it is then.
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

    /// A new game, in which somebody can act.
    fn renew(&self, slot: &mut Slot<G::State>) -> usize {
        loop {
            slot.state = self.game.start(&mut slot.rng);
            if let Turn::Seat(seat) = self.settle(slot) {
                return seat;
            }
        }
    }

    /// Shows a game to the player to move.
    #[inline]
    fn show(&self, slot: &mut Slot<G::State>, seat: usize, row: &mut Row) {
        slot.legal = self.game.legal(&slot.state);
        *row.seat = seat as i8;
        for (id, legal) in row.mask.iter_mut().enumerate() {
            *legal = slot.legal >> id & 1 == 1;
        }
        match self.observation {
            Observation::Plain => self.game.observe(&slot.state, seat, row.observation),
            Observation::Network => self.game.observe_features(&slot.state, row.observation),
            Observation::Nothing => {}
        }
    }

    fn begin(&self, slot: &mut Slot<G::State>, mut row: Row) {
        let seat = self.renew(slot);
        row.rewards.fill(0.0);
        (*row.terminated, *row.truncated) = (false, false);
        self.show(slot, seat, &mut row);
    }

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
                row.rewards.copy_from_slice(&returns[..row.rewards.len()]);
                *row.truncated = self.game.stopped(&slot.state);
                *row.terminated = !*row.truncated;
                self.renew(slot)
            }
        };
        self.show(slot, seat, &mut row);
    }
}

/// Games, or rows, that one thread takes at a time.
const CHUNK: usize = 256;

impl Rows<'_> {
    /// A part of the rows a chunk of games.
    fn chunks(&mut self, sizes: Sizes, games: usize) -> Vec<Rows<'_>> {
        let Sizes {
            observation,
            actions,
            players,
        } = sizes;
        let mut parts = Vec::with_capacity(games.div_ceil(CHUNK));
        let mut observations = &mut *self.observations;
        let mut masks = self.masks.chunks_mut(CHUNK * actions);
        let mut seats = self.seats.chunks_mut(CHUNK);
        let mut rewards = self.rewards.chunks_mut(CHUNK * players);
        let mut terminated = self.terminated.chunks_mut(CHUNK);
        let mut truncated = self.truncated.chunks_mut(CHUNK);
        while let (Some(masks), Some(seats), Some(rewards), Some(terminated), Some(truncated)) = (
            masks.next(),
            seats.next(),
            rewards.next(),
            terminated.next(),
            truncated.next(),
        ) {
            let (part, rest) = observations.split_at_mut(seats.len() * observation);
            observations = rest;
            parts.push(Rows {
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

    /// Calls a function with every game's row.
    #[inline]
    fn each<'a>(&'a mut self, sizes: Sizes, mut call: impl FnMut(usize, Row<'a>)) {
        let mut observations = &mut *self.observations;
        let masks = self.masks.chunks_exact_mut(sizes.actions);
        let rewards = self.rewards.chunks_exact_mut(sizes.players);
        let flags = self.terminated.iter_mut().zip(self.truncated.iter_mut());
        let rows = masks.zip(rewards).zip(self.seats.iter_mut()).zip(flags);
        for (game, (((mask, rewards), seat), (terminated, truncated))) in rows.enumerate() {
            let (observation, rest) =
                std::mem::take(&mut observations).split_at_mut(sizes.observation);
            observations = rest;
            call(
                game,
                Row {
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

    fn reset(&mut self, seed: Option<u64>, mut rows: Rows) {
        if let Some(seed) = seed {
            for (number, slot) in self.slots.iter_mut().enumerate() {
                slot.rng = stream(seed, number as u64);
            }
            self.rng = stream(seed, u64::MAX);
        }
        let shared = Shared {
            game: &self.game,
            observation: self.observation,
        };
        let slots = &mut self.slots;
        rows.each(self.sizes, |game, row| shared.begin(&mut slots[game], row));
    }

    fn step(
        &mut self,
        actions: &[i64],
        mut rows: Rows,
        pool: Option<&rayon::ThreadPool>,
    ) -> Result<(), BatchError> {
        if actions.len() != self.slots.len() {
            return Err(BatchError::Count {
                actions: actions.len(),
                games: self.slots.len(),
            });
        }
        for (game, (slot, &id)) in self.slots.iter().zip(actions).enumerate() {
            if !(0..64).contains(&id) || slot.legal >> id & 1 == 0 {
                return Err(BatchError::Illegal {
                    game,
                    id,
                    legal: ids(slot.legal).collect(),
                });
            }
        }
        let sizes = self.sizes;
        let shared = Shared {
            game: &self.game,
            observation: self.observation,
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
        let parts = rows.chunks(sizes, actions.len());
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
            let mut legal = slot.legal;
            let skip = below(&mut self.rng, legal.count_ones().max(1) as usize);
            for _ in 0..skip {
                legal &= legal - 1;
            }
            *action = legal.trailing_zeros().into();
        }
    }

    fn afterstates(
        &self,
        observation: Observation,
        pool: Option<&rayon::ThreadPool>,
    ) -> Afterstates {
        let game = &self.game;
        let size = game.size_of(observation).unwrap_or(0);
        let mut after = Afterstates {
            size,
            ..Afterstates::default()
        };
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
        let chunk = |from: usize, outcomes: &mut [f32], mut observations: &mut [u8]| {
            for (row, outcome) in outcomes.iter_mut().enumerate() {
                let (out, rest) = std::mem::take(&mut observations).split_at_mut(size);
                observations = rest;
                let state = &self.slots[after.games[from + row] as usize].state;
                let id = after.ids[from + row] as Id;
                if let Some(value) = game.observe_after(state, id, observation, out) {
                    *outcome = value;
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
