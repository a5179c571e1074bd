//! One seat of many games, for a learner, as the Python package's environments; players have the other seats.
//!
//! [`Solo`] is a batch as in [`games::batch`], but its rows are the learner's alone: after the learner's action the
//! others act until it is the learner's turn again, or the game is over. A game that ends starts anew in the same
//! step. The learner then has a seat drawn at random, unless one is chosen.

use crate::{Failure, Maker, Seat};
use engine::rng::{Random, below, stream};
use games::batch::{
    Afterstates, AnyBatch, BatchError, Row, Rows, SavedBatch, Sizes, check_actions, random_action,
};
use games::{AnyGame, AnyHistory, Id, Observation, Turn, ids};
use rand::Rng;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Number of games in a thread's unit of work: few, as opponents may think for long.
const CHUNK: usize = 4;

/// Many games in which a learner has one seat.
pub struct Solo {
    common: Common,
    episodes: Vec<Episode>,
    sizes: Sizes,
    /// The generator of random actions.
    rng: Random,
}

/// A game with its players and the generator of its deals.
struct Episode {
    history: Box<dyn AnyHistory>,
    /// The players by seat; none at the learner's. Never locked: the mutex lets a batch be shared between threads,
    /// though a player cannot.
    seats: Vec<Option<Mutex<Box<dyn Seat>>>>,
    learner: usize,
    /// The learner's legal actions.
    legal: u64,
    rng: Random,
}

impl Solo {
    /// Many games of a learner against as many opponents as the game has other seats. `finals`: whether the learner's
    /// last plain observation is written when a game ends.
    ///
    /// # Panics
    /// If the number of opponents, or the seat, is not one of the game's.
    pub fn new(
        game: Arc<AnyGame>,
        opponents: Vec<Maker>,
        seat: Option<usize>,
        games: usize,
        seed: u64,
        observation: Observation,
        finals: bool,
    ) -> Solo {
        let players = game.players;
        assert_eq!(
            opponents.len() + 1,
            players,
            "an opponent for each other seat"
        );
        assert!(seat.is_none_or(|seat| seat < players), "a seat of the game");
        let episodes = (0..games).map(|number| Episode {
            // A placeholder until the first reset.
            history: game.start(Some(0)),
            seats: Vec::new(),
            learner: 0,
            legal: 0,
            rng: stream(seed, number as u64),
        });
        Solo {
            episodes: episodes.collect(),
            sizes: Sizes {
                observation: game.size_of(observation).unwrap_or(0),
                actions: game.actions,
                players: 1,
                finals: if finals { game.observation } else { 0 },
            },
            // A number that no game has, so that random actions do not use a game's stream.
            rng: stream(seed, u64::MAX),
            common: Common {
                game,
                opponents,
                seat,
                observation,
            },
        }
    }
}

/// The number of games without a turn of the learner after which its seat is taken to have none in any game.
const MOST_WITHOUT_TURN: u32 = 100;

/// The parts of a batch that all its games share.
struct Common {
    game: Arc<AnyGame>,
    /// The makers of the other players, in the order of the seats after the learner's.
    opponents: Vec<Maker>,
    /// The learner's seat; drawn anew for every game if none.
    seat: Option<usize>,
    observation: Observation,
}

impl Common {
    /// Lets the others act until the learner's turn or the end of the game. Returns whether it is the learner's turn.
    fn advance(&self, episode: &mut Episode) -> Result<bool, Failure> {
        loop {
            match episode.history.turn() {
                Turn::Seat(seat) => match &mut episode.seats[seat] {
                    None => return Ok(true),
                    Some(player) => {
                        let player = player.get_mut().unwrap_or_else(PoisonError::into_inner);
                        let id = player.choose(&*episode.history)?;
                        let applied = episode.history.apply(id);
                        applied.map_err(|refused| Failure::Illegal(refused.to_string()))?;
                    }
                },
                // Chance has its turns within `apply`, by the seed.
                Turn::Chance | Turn::Over => return Ok(false),
            }
        }
    }

    /// A new game in which the learner has a turn: the first such one that is drawn.
    ///
    /// # Errors
    /// If there is none, as for the second player of a game of one turn.
    fn fresh(&self, mut rng: Random) -> Result<Episode, Failure> {
        let players = self.game.players;
        for _ in 0..MOST_WITHOUT_TURN {
            let learner = self.seat.unwrap_or_else(|| below(&mut rng, players));
            let history = self.game.start(Some(rng.next_u64()));
            // Opponents are made anew for each game, on the seats after the learner's in turn order.
            let mut seats: Vec<_> = (0..players).map(|_| None).collect();
            for (ahead, maker) in self.opponents.iter().enumerate() {
                let seat = (learner + 1 + ahead) % players;
                seats[seat] = Some(Mutex::new(maker(rng.next_u64())));
            }
            let mut episode = Episode {
                history,
                seats,
                learner,
                legal: 0,
                rng,
            };
            if self.advance(&mut episode)? {
                return Ok(episode);
            }
            rng = episode.rng;
        }
        Err(Failure::Illegal(format!(
            "the learner has no turn in {MOST_WITHOUT_TURN} games in a row"
        )))
    }

    /// Takes the learner's action, and plays on to its next turn. If the game ends before, the next game is returned.
    fn play(&self, episode: &mut Episode, action: i64) -> Result<Option<Episode>, Failure> {
        let applied = episode.history.apply(action as Id);
        applied.map_err(|refused| Failure::Illegal(refused.to_string()))?;
        match self.advance(episode)? {
            true => Ok(None),
            false => self.fresh(episode.rng.clone()).map(Some),
        }
    }

    /// Writes the seat, the legal actions and the observation of the learner's turn.
    fn show(&self, episode: &mut Episode, row: &mut Row) {
        episode.legal = episode.history.legal();
        *row.seat = episode.learner as i8;
        row.mask.fill(false);
        for id in ids(episode.legal) {
            row.mask[usize::from(id)] = true;
        }
        match self.observation {
            Observation::Plain => episode.history.observe(episode.learner, row.observation),
            Observation::Network => episode.history.observe_features(row.observation),
            Observation::Nothing => {}
        }
    }

    /// Starts an episode anew and writes its first row.
    fn begin(&self, episode: &mut Episode, mut row: Row) -> Result<(), Failure> {
        *episode = self.fresh(episode.rng.clone())?;
        row.rewards.fill(0.0);
        (*row.terminated, *row.truncated) = (false, false);
        self.show(episode, &mut row);
        Ok(())
    }

    /// Takes the learner's action, plays on to its next turn, and writes the row. If the game ends, reward and end
    /// are those of this game, and the rest of the row is that of a new one. If a player fails, nothing has changed.
    fn step(&self, episode: &mut Episode, action: i64, mut row: Row) -> Result<(), Failure> {
        let before = episode.history.events().len();
        let played = self.play(episode, action);
        if played.is_err() {
            while episode.history.events().len() > before && episode.history.undo() {}
        }
        let next = played?;
        row.rewards.fill(0.0);
        (*row.terminated, *row.truncated) = (false, false);
        // The game is over: its result is written before a new game takes its place.
        if let Some(next) = next {
            row.rewards[0] = episode.history.returns()[episode.learner] as f32;
            *row.truncated = episode.history.stopped();
            *row.terminated = !*row.truncated;
            if !row.finals.is_empty() {
                episode.history.observe(episode.learner, row.finals);
            }
            *episode = next;
        }
        self.show(episode, &mut row);
        Ok(())
    }
}

/// Calls `call` for every episode with its number, counted from `from`, and its row. A failure does not end the
/// calls; the first one is returned, with the number of its game.
fn at_each<'a>(
    episodes: &mut [Episode],
    mut rows: Rows<'a>,
    sizes: Sizes,
    from: usize,
    call: impl Fn(usize, &mut Episode, Row) -> Result<(), Failure>,
) -> Result<(), BatchError> {
    let mut failed = Ok(());
    rows.each(sizes, |number, row| {
        let done = call(from + number, &mut episodes[number], row);
        if let (Err(failure), Ok(())) = (done, &failed) {
            failed = Err(BatchError::Player {
                game: from + number,
                // The error itself, so that a caller can raise what its own player has raised.
                error: match failure {
                    Failure::Other(error) => error,
                    failure => failure.into(),
                },
            });
        }
    });
    failed
}

impl AnyBatch for Solo {
    fn len(&self) -> usize {
        self.episodes.len()
    }

    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn reset(&mut self, seed: Option<u64>, rows: Rows) -> Result<(), BatchError> {
        rows.check(self.sizes, self.episodes.len())?;
        if let Some(seed) = seed {
            for (number, episode) in self.episodes.iter_mut().enumerate() {
                episode.rng = stream(seed, number as u64);
            }
            self.rng = stream(seed, u64::MAX);
        }
        let begin = |_, episode: &mut Episode, row: Row| self.common.begin(episode, row);
        at_each(&mut self.episodes, rows, self.sizes, 0, begin)
    }

    fn step(
        &mut self,
        actions: &[i64],
        mut rows: Rows,
        pool: Option<&rayon::ThreadPool>,
    ) -> Result<(), BatchError> {
        rows.check(self.sizes, self.episodes.len())?;
        // All actions are checked before the first is taken: an illegal one leaves every game as it was.
        check_actions(self.episodes.iter().map(|episode| episode.legal), actions)?;
        let (sizes, common) = (self.sizes, &self.common);
        let chunk = |from: usize, episodes: &mut [Episode], rows: Rows| {
            at_each(episodes, rows, sizes, from, |number, episode, row| {
                common.step(episode, actions[number], row)
            })
        };
        let Some(pool) = pool else {
            return chunk(0, &mut self.episodes, rows);
        };
        let parts = rows.chunks(sizes, actions.len(), CHUNK);
        let episodes = &mut self.episodes;
        pool.install(|| {
            // Each part has its own games, so that results do not depend on the threads.
            let done = episodes.par_chunks_mut(CHUNK).zip(parts).enumerate();
            done.map(|(part, (episodes, rows))| chunk(part * CHUNK, episodes, rows))
                .collect::<Vec<_>>()
                .into_iter()
                .collect()
        })
    }

    fn random_actions(&mut self, actions: &mut [i64]) {
        for (episode, action) in self.episodes.iter().zip(actions) {
            *action = random_action(episode.legal, &mut self.rng);
        }
    }

    fn afterstates(
        &self,
        observation: Observation,
        _pool: Option<&rayon::ThreadPool>,
    ) -> Afterstates {
        let size = self.common.game.size_of(observation).unwrap_or(0);
        let mut after = Afterstates {
            size,
            ..Afterstates::default()
        };
        for (number, episode) in self.episodes.iter().enumerate() {
            for id in ids(episode.legal) {
                let from = after.observations.len();
                after.observations.resize(from + size, 0);
                let out = &mut after.observations[from..];
                let ended = episode.history.observe_after(id, observation, out);
                after.games.push(number as i64);
                after.ids.push(id.into());
                after
                    .outcomes
                    .push(ended.map_or(f32::NAN, |value| value as f32));
            }
        }
        after
    }

    fn saved(&self) -> Result<SavedBatch, BatchError> {
        Err(BatchError::Opponents)
    }

    fn restore(&mut self, _saved: &SavedBatch, _rows: &mut Rows) -> Result<(), BatchError> {
        Err(BatchError::Opponents)
    }
}
