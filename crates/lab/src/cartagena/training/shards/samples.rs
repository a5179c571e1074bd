//! The file with the samples of a shard: an actor writes it, and the learner reads and checks it.

use super::super::game::Played;
use super::super::optimiser::{Contrast, MOST_ACTIONS, Sample};
use super::{Folder, Plan, SAMPLES, ShardError};
use cartagena::evaluation::features::{self, FeatureSet};
use cartagena::rules::MAX_PLAYERS;
use engine::store::{StoreError, read_table, write_table};
use serde::{Deserialize, Serialize};

/// The contents of the file: the games of a shard, in order.
#[derive(Serialize, Deserialize)]
struct Stored {
    seed: u64,
    games: Vec<StoredGame>,
}

/// A game with its number in the run.
#[derive(Serialize, Deserialize)]
struct StoredGame {
    number: u64,
    actions: u64,
    stopped: bool,
    samples: StoredSamples,
    contrasts: StoredSamples,
    /// The number of samples of each contrast.
    lengths: Vec<u8>,
}

/// Samples in two flat lists: the features of each, as 64-bit words, and the chances of each, one for a player.
#[derive(Default, Serialize, Deserialize)]
struct StoredSamples {
    words: Vec<u64>,
    chances: Vec<f32>,
}

impl StoredSamples {
    fn of<'a>(samples: impl IntoIterator<Item = &'a Sample>, players: usize) -> StoredSamples {
        let mut stored = StoredSamples::default();
        for sample in samples {
            stored
                .words
                .extend(&sample.set.words()[..features::words(players)]);
            stored.chances.extend(&sample.target[..players]);
        }
        stored
    }

    /// The samples again; none if the lengths do not fit each other or a number is no chance.
    fn samples(&self, players: usize) -> Option<Vec<Sample>> {
        let words = self.words.chunks(features::words(players));
        let chances = self.chances.chunks_exact(players);
        // The file was written by another process. Chances are checked with a margin for rounding;
        // a NaN is in no range.
        let fits = words.len() == chances.len()
            && self.words.len() == words.len() * features::words(players)
            && self.chances.len() == chances.len() * players
            && self.chances.iter().all(|c| (-0.01..1.01).contains(c));
        let sample = |(words, chances): (&[u64], &[f32])| {
            let mut target = [0.0; MAX_PLAYERS];
            // Players that the game does not have keep the chance 0.
            target[..players].copy_from_slice(chances);
            Sample {
                set: FeatureSet::from_words(words),
                target,
            }
        };
        fits.then(|| words.zip(chances).map(sample).collect())
    }
}

impl StoredGame {
    fn of(number: u64, played: &Played, players: usize) -> StoredGame {
        StoredGame {
            number,
            actions: played.actions as u64,
            stopped: played.stopped,
            samples: StoredSamples::of(&played.samples, players),
            contrasts: StoredSamples::of(played.contrasts.iter().flatten(), players),
            lengths: played.contrasts.iter().map(|c| c.len() as u8).collect(),
        }
    }

    /// The game again; none if its numbers do not fit each other.
    fn played(&self, players: usize) -> Option<Played> {
        let compared = self.contrasts.samples(players)?;
        let lengths = self.lengths.iter().map(|&length| usize::from(length));
        // Contrasts are cut from one list by their lengths, which must fit the capacity and add up
        // to the list.
        let fits = lengths.clone().all(|length| length <= MOST_ACTIONS)
            && lengths.clone().sum::<usize>() == compared.len();
        if !fits {
            return None;
        }
        // Contrasts follow one another in the list, each as long as `lengths` says.
        let mut rest = compared.into_iter();
        Some(Played {
            samples: self.samples.samples(players)?,
            contrasts: lengths
                .map(|length| rest.by_ref().take(length).collect::<Contrast>())
                .collect(),
            actions: self.actions as usize,
            stopped: self.stopped,
        })
    }
}

/// Writes the samples of a shard, whole or not at all.
pub(super) fn write(
    folder: &Folder,
    plan: &Plan,
    (wave, shard): (u64, u16),
    played: &[Played],
) -> Result<(), ShardError> {
    let players = plan.config.setups.players;
    let numbers = plan.games_of_shard(wave, shard);
    let stored = Stored {
        seed: plan.config.seed,
        games: numbers
            .zip(played)
            .map(|(number, played)| StoredGame::of(number, played, players))
            .collect(),
    };
    // The file appears whole or not at all, so the learner never reads a part of it.
    let path = folder.samples_path(wave, shard);
    match write_table(&path, SAMPLES, &stored) {
        // The store limits the size of a file. A smaller wave or more shards make smaller files.
        Err(StoreError::Unstorable { path, reason }) => {
            let reason = format!("{reason}; start again with a smaller --wave or more --shards");
            Err(ShardError::unusable(&path, reason))
        }
        written => Ok(written?),
    }
}

/// Reads the games of a shard with their numbers, which must be those of the plan.
pub(super) fn read(
    folder: &Folder,
    plan: &Plan,
    (wave, shard): (u64, u16),
) -> Result<Vec<(u64, Played)>, ShardError> {
    let path = folder.samples_path(wave, shard);
    let unusable = |reason: &str| {
        let reason = format!("{reason}; once it is removed, its actor plays the shard again");
        ShardError::unusable(&path, reason)
    };
    let stored: Stored = read_table(&path, SAMPLES).map_err(|error| match error {
        StoreError::Unusable { reason, .. } => unusable(&reason.to_string()),
        error => error.into(),
    })?;
    // A file of another run may lie under the same name: it has another seed or other numbers.
    let numbers = stored.games.iter().map(|game| game.number);
    if stored.seed != plan.config.seed || !numbers.eq(plan.games_of_shard(wave, shard)) {
        return Err(unusable("its games are not those of the shard"));
    }
    let players = plan.config.setups.players;
    let games = stored.games.iter();
    let played = games.map(|game| Some((game.number, game.played(players)?)));
    played
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| unusable("a game in it is damaged"))
}
