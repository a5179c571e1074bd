//! A tournament of any contest: many programs, several numbers of players, and a folder that keeps all games.
//!
//! [`Settings`] describe the games to play. Once a tournament has begun, programs, numbers of players and games may
//! be added to them, but nothing that the games depend on may change. [`Schedule`] follows from the settings alone,
//! so any machine can play any part of it. [`Folder`] keeps settings and games, [`Tournament`] plays the missing ones,
//! and [`Standings`] rates the programs.
//!
//! A *line-up* is a multiset of programs that play together. A *block* is one deal (board and deck) that a line-up
//! plays in every *seating*: all permutations of the seats for two and three players, all rotations for more. So
//! the luck of a deal is the same for all its programs.

pub(crate) mod commands;
mod conflict;
mod contest;
mod estimate;
mod folder;
mod format;
mod merge;
mod page;
mod request;
mod results;
mod run;
mod settings;
mod shard;
mod standings;
mod swiss;
mod watch;

pub use arena::penalty::Penalty;
pub use conflict::Conflict;
pub use contest::{Answered, TournamentGame};
pub use estimate::{Estimate, Pace};
pub use folder::{Folder, FolderError, GAMES, SETTINGS, records, settings};
pub(crate) use folder::{games_file, is_new, report_file};
pub use format::{Format, Pairing};
pub use merge::{MergeError, Merged, merge};
pub use page::told;
pub use request::Request;
pub use run::{Ending, Finished, Tournament, TournamentError, sequential_test};
pub use settings::Settings;
pub(crate) use settings::same;
pub use shard::{Shard, ShardError};
pub use standings::{Standings, SwissRow};
pub use watch::{LiveGames, WatchedGame};

use self::swiss::Swiss;
use arena::line_up::LineUp;
use arena::schedule::ScheduledGame;
use engine::rng;
use std::collections::HashSet;

/// The id of a game: its line-up's name, then block and rotation from 1.
pub fn game_id(line_up: &str, scheduled: &ScheduledGame) -> String {
    format!(
        "{line_up}-{}-{}",
        scheduled.block + 1,
        scheduled.rotation + 1
    )
}

/// The seed of a block, which all of its deals and players follow from. With the name of a line-up its deals are its
/// own; without, all line-ups are compared on the same cards.
pub fn block_seed(seed: u64, line_up: Option<&str>, block: u64) -> u64 {
    let bytes = line_up.map(str::bytes);
    let salt = bytes.map_or(0, |bytes| {
        bytes.fold(1, |salt, byte| rng::mix(salt ^ u64::from(byte)))
    });
    rng::mix(seed ^ salt ^ rng::mix(block.wrapping_add(1)))
}

/// The games of a tournament: every line-up of every number of players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    line_ups: Vec<LineUp>,
    /// The names of the line-ups, in the same order; the next two vectors are in this order, too.
    names: Vec<String>,
    /// For each seating of a line-up the program on each seat.
    seatings: Vec<Vec<Vec<usize>>>,
    /// The number of blocks of each line-up.
    blocks: Vec<u64>,
    shard: Shard,
    swiss: Option<Swiss>,
}

impl Schedule {
    /// The schedule of a tournament.
    ///
    /// A line-up is named by its number of players and its programs, from 1 in the order in which
    /// they joined, such as `4p1.1.2.3`: the name stays when programs are added.
    ///
    /// A Swiss tournament decides its pairings round by round. Its schedule has all games that may be
    /// played.
    pub fn new<C: TournamentGame>(settings: &Settings<C>) -> Schedule {
        let programs = settings.programs.len();
        let line_ups: Vec<LineUp> = settings
            .players
            .iter()
            .flat_map(|&players| settings.format.line_ups(programs, players.into()))
            .collect();
        let seatings: Vec<_> = line_ups.iter().map(LineUp::seatings).collect();
        let swiss = Swiss::of(settings);
        Schedule {
            names: line_ups.iter().map(name).collect(),
            blocks: seatings
                .iter()
                .map(|seatings| match &swiss {
                    Some(swiss) => swiss.most_blocks(),
                    // Rounded up: a block is complete only with all its seatings.
                    None => settings.games.div_ceil(seatings.len() as u64),
                })
                .collect(),
            line_ups,
            seatings,
            shard: settings.shard,
            swiss,
        }
    }

    /// The size of the Swiss tournament, if it is one.
    fn swiss(&self) -> Option<&Swiss> {
        self.swiss.as_ref()
    }

    pub fn line_ups(&self) -> &[LineUp] {
        &self.line_ups
    }

    /// The names of the line-ups in the ids of games.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of games of this shard.
    pub fn games(&self) -> u64 {
        if let Some(swiss) = &self.swiss {
            return swiss.games();
        }
        self.units()
            .map(|(line_up, _)| self.seatings[line_up].len() as u64)
            .sum()
    }

    /// The number of games of all shards together.
    pub fn all_games(&self) -> u64 {
        let line_ups = 0..self.line_ups.len();
        match &self.swiss {
            Some(swiss) => swiss.games(),
            None => line_ups.map(|line_up| self.games_of(line_up)).sum(),
        }
    }

    /// The number of games of a line-up in all shards. In a Swiss tournament it depends on the results, so this is the
    /// mean over the line-ups, rounded up.
    pub fn games_of(&self, line_up: usize) -> u64 {
        match &self.swiss {
            Some(swiss) => swiss.games().div_ceil(self.line_ups.len().max(1) as u64),
            None => self.blocks[line_up] * self.seatings[line_up].len() as u64,
        }
    }

    /// The games of a block, one for each seating.
    fn games_of_block(
        &self,
        line_up: usize,
        block: u64,
    ) -> impl Iterator<Item = ScheduledGame> + '_ {
        let seatings = self.seatings[line_up].iter().enumerate();
        seatings.map(move |(rotation, seats)| ScheduledGame {
            line_up,
            block,
            rotation,
            seats: seats.clone(),
        })
    }

    /// The seatings of a line-up: for each the program on each seat. A block has one game for each seating.
    pub fn seatings(&self, line_up: usize) -> &[Vec<usize>] {
        &self.seatings[line_up]
    }

    /// The blocks of this shard, as pairs of line-up and block. All line-ups play their first block before any plays
    /// its second, and so on. So at any time all have played about equally many games.
    pub fn units(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        // The outer loop runs over blocks, the inner one over the line-ups that have such a block.
        let most = self.blocks.iter().copied().max().unwrap_or(0);
        (0..most)
            .flat_map(move |block| {
                (0..self.blocks.len())
                    .filter(move |&line_up| block < self.blocks[line_up])
                    .map(move |line_up| (line_up, block))
            })
            .filter(|&(line_up, block)| self.shard.has(&self.names[line_up], block))
    }

    /// The games of this shard, in the order of [`units`](Schedule::units).
    pub fn scheduled_games(&self) -> impl Iterator<Item = ScheduledGame> + '_ {
        self.units()
            .flat_map(|(line_up, block)| self.games_of_block(line_up, block))
    }

    /// The games of this shard that are not among the ids `played`.
    pub fn open<'a>(
        &'a self,
        played: &'a HashSet<String>,
    ) -> impl Iterator<Item = ScheduledGame> + 'a {
        self.scheduled_games()
            .filter(|scheduled| !played.contains(&self.id(scheduled)))
    }

    /// The id of a game.
    pub fn id(&self, scheduled: &ScheduledGame) -> String {
        game_id(&self.names[scheduled.line_up], scheduled)
    }

    /// The game with this id, if it belongs to any shard of the tournament.
    pub fn scheduled(&self, id: &str) -> Option<ScheduledGame> {
        let scheduled = self.of_any_block(id)?;
        (scheduled.block < self.blocks[scheduled.line_up]).then_some(scheduled)
    }

    /// For the id of a game in a block after the line-up's last one: the number of games of the line-up up to and with
    /// that block. None for any other id.
    fn games_beyond(&self, id: &str) -> Option<u64> {
        let scheduled = self.of_any_block(id)?;
        let ScheduledGame { line_up, block, .. } = scheduled;
        let games = self.seatings[line_up].len() as u64;
        // The number of the block may be anything, since ids come from files: hence the saturating arithmetic.
        (block >= self.blocks[line_up]).then(|| block.saturating_add(1).saturating_mul(games))
    }

    /// Reads an id. The block need not be scheduled; line-up and rotation must exist.
    fn of_any_block(&self, id: &str) -> Option<ScheduledGame> {
        // From the right, as in `4p1.1.2.3-7-2`: line-up, block and rotation, the last two from 1.
        let mut parts = id.rsplitn(3, '-');
        let rotation = parts.next()?.parse::<usize>().ok()?.checked_sub(1)?;
        let block = parts.next()?.parse::<u64>().ok()?.checked_sub(1)?;
        let name = parts.next()?;
        let line_up = self.names.iter().position(|n| n == name)?;
        let seats = self.seatings[line_up].get(rotation)?.clone();
        let scheduled = ScheduledGame {
            line_up,
            block,
            rotation,
            seats,
        };
        // `parse` also reads `07` and `+7`. An id counts only as this program writes it, or one game would have many.
        (self.id(&scheduled) == id).then_some(scheduled)
    }
}

/// The name of a line-up, such as `4p1.1.2.3` (see [`Schedule::new`]).
fn name(line_up: &LineUp) -> String {
    let programs: Vec<String> = line_up.0.iter().map(|p| (p + 1).to_string()).collect();
    format!("{}p{}", line_up.0.len(), programs.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cartagena::tournament::Rules;

    fn settings(programs: usize, players: &[u8], games: u64, shard: Shard) -> Settings<Rules> {
        let request = Request {
            players: Some(players.to_vec()),
            games: Some(games),
            shard: Some(shard),
            ..Request::of_random(programs)
        };
        Settings::new(request).unwrap()
    }

    fn ids(schedule: &Schedule) -> Vec<String> {
        schedule
            .scheduled_games()
            .map(|f| schedule.id(&f))
            .collect()
    }

    #[test]
    fn shards_are_a_partition() {
        let whole = Schedule::new(&settings(3, &[2, 3, 4], 30, Shard::WHOLE));
        let mut parts = Vec::new();
        for index in 1..=4 {
            let shard = Shard { index, of: 4 };
            let part = Schedule::new(&settings(3, &[2, 3, 4], 30, shard));
            let ids = ids(&part);
            assert_eq!(ids.len() as u64, part.games());
            assert!(ids.len() as u64 * 5 > whole.games(), "{} games", ids.len());
            parts.extend(ids);
        }
        let mut all = ids(&whole);
        assert_eq!(all.len() as u64, whole.games());
        parts.sort_unstable();
        all.sort_unstable();
        assert_eq!(parts, all);
        all.dedup();
        assert_eq!(parts.len(), all.len(), "ids are unique");
    }

    #[test]
    fn a_shard_keeps_its_games_when_programs_join() {
        for index in 1..=3 {
            let shard = Shard { index, of: 3 };
            let before = ids(&Schedule::new(&settings(2, &[2, 4], 30, shard)));
            let after = ids(&Schedule::new(&settings(3, &[2, 3, 4], 60, shard)));
            assert!(before.iter().all(|id| after.contains(id)), "shard {index}");
        }
    }

    #[test]
    fn ids_survive_new_programs_and_name_their_game() {
        let before = Schedule::new(&settings(2, &[2, 4], 8, Shard::WHOLE));
        let after = Schedule::new(&settings(4, &[2, 3, 4], 12, Shard::WHOLE));
        for scheduled in before.scheduled_games() {
            let id = before.id(&scheduled);
            let same = after.scheduled(&id).unwrap();
            assert_eq!(same.seats, scheduled.seats);
            assert_eq!(before.scheduled(&id), Some(scheduled));
        }
        for id in [
            "",
            "2p1.2",
            "2p1.2-0-1",
            "2p1.2-1-3",
            "2p1.2-01-1",
            "2p1.2-99-1",
            "2p2.1-1-1",
        ] {
            assert_eq!(before.scheduled(id), None, "{id}");
        }
        assert_eq!(ids(&before)[0], "2p1.2-1-1");
    }

    #[test]
    fn what_was_played_is_not_open() {
        let schedule = Schedule::new(&settings(2, &[2], 10, Shard::WHOLE));
        let all = ids(&schedule);
        let played: HashSet<String> = all[3..7].iter().cloned().collect();
        let open: Vec<String> = schedule.open(&played).map(|f| schedule.id(&f)).collect();
        assert_eq!(open, [&all[..3], &all[7..]].concat());
    }

    #[test]
    fn line_ups_take_turns() {
        let schedule = Schedule::new(&settings(3, &[2], 8, Shard::WHOLE));
        let units: Vec<_> = schedule.units().take(4).collect();
        assert_eq!(units, [(0, 0), (1, 0), (2, 0), (0, 1)]);
    }
}
