//! The people at a table: they come, write, ask for hints, run out of time, and have a result at the end.

use super::{Remarkable, Table, TableError};
use crate::journal::Line;
use crate::own_games::{Holder, OwnGame};
use crate::setup::TimeLimit;
use arena::ranking;
use std::time::Instant;

impl Table {
    /// Notes that the page of a seat is open. The first clock starts when everybody has come. After a restart of the
    /// server it starts when one of them comes again: otherwise a player that is losing could stay away.
    pub(crate) fn come(&mut self, seat: usize) {
        let is_new = self.company.come(seat);
        if is_new && self.setup.limit.is_some() && self.to_move().is_some() {
            // Without this line the clocks only wait for this person again after a restart.
            let _ = self.journal.write(&Line::Came(seat));
        }
        let stood = self.company.deadline().is_none();
        if stood {
            self.run_clock();
        }
        if is_new || stood && self.company.deadline().is_some() {
            self.version.send_modify(|version| version.news += 1);
        }
    }

    /// The person at a seat writes a line to the others.
    pub(crate) fn say(&mut self, seat: usize, line: &str) -> Result<(), TableError> {
        if !self.setup.chat {
            return Err(TableError::NoChat);
        }
        self.company.say(seat, line).map_err(TableError::Illegal)?;
        self.version.send_modify(|version| version.news += 1);
        Ok(())
    }

    /// Notes that the person at a seat is given hints, after which the game is not rated.
    pub(crate) fn note_hint(&mut self, seat: usize) -> Result<(), TableError> {
        if !self.hinted.contains(&seat) {
            self.journal.write(&Line::Hint(seat))?;
            self.hinted.insert(seat);
        }
        Ok(())
    }

    /// The seat whose clock runs, and the moment at which its time is up.
    pub(crate) fn deadline(&self) -> Option<(usize, Instant)> {
        self.company.deadline().filter(|_| !self.is_removed)
    }

    /// Ends the time of a seat; returns false if its clock has been stopped since this deadline was asked for.
    pub(crate) fn end_time(&mut self, deadline: (usize, Instant)) -> Result<bool, TableError> {
        let (seat, _) = deadline;
        if self.deadline() != Some(deadline) {
            return Ok(false);
        }
        let is_lost = matches!(self.setup.limit, Some(TimeLimit::Game(_)));
        let lines = [Line::TimeUp(seat), Line::Resign(seat)];
        // Both or none: after a write that failed, all of this is tried again.
        self.journal.write_all(&lines[..1 + usize::from(is_lost)])?;
        self.time_up(seat);
        if is_lost {
            self.resigned(seat);
            self.happened();
        } else {
            // The clock stands until the built-in player has acted.
            self.company.stop();
            self.version.send_modify(|version| version.news += 1);
        }
        Ok(true)
    }

    /// Notes that the time of a seat was up. With a limit for each action a built-in player takes this one.
    pub(super) fn time_up(&mut self, seat: usize) {
        self.remark(Remarkable::TimeUp, seat);
        if let Some(TimeLimit::Action(_)) = self.setup.limit {
            self.stand_in = Some(seat);
        }
    }

    /// Stops the clock that runs.
    pub(super) fn stop_clock(&mut self) {
        if let Some((seat, time)) = self.company.stop() {
            // Without this line the person only gets the time back after a restart.
            let _ = self
                .journal
                .write(&Line::Used(seat, time.as_millis() as u64));
        }
    }

    /// Stops the clock that runs, and starts that of the person who is to act, if everybody has come.
    pub(super) fn run_clock(&mut self) {
        self.stop_clock();
        // A player that has resigned will not come back.
        let is_here = |seat| self.has_resigned(seat) || self.company.has_come(seat);
        let all_are_here = self.company.is_attended() && self.setup.people().all(is_here);
        if let Some(seat) = self.to_move().filter(|_| all_are_here && !self.is_due()) {
            self.company.start(seat, self.game.actions());
        }
    }

    /// The host's own game, once it is over; none if the host does not sit here, or has opened it from elsewhere.
    /// `at` is the time of its end, in seconds from 1970.
    pub(crate) fn own_game(&self, at: u64) -> Option<OwnGame> {
        let id = self.path.file_stem()?.to_str()?;
        let own = self.setup.own_seat()?;
        let places = self.places().filter(|_| self.setup.start.is_none())?;
        // A seat that has resigned is the last, however well the built-in player does there.
        let standing = |(seat, place): (usize, &f64)| (!self.has_resigned(seat), -place);
        let standings: Vec<(bool, f64)> = places.iter().enumerate().map(standing).collect();
        let is_practice = self.setup.from.is_some() || self.taken_back > 0;
        Some(OwnGame {
            table: id.to_owned(),
            game: self.setup.game.clone(),
            at,
            seats: self.setup.seats.iter().map(Holder::of).collect(),
            own,
            places: ranking::places(&standings),
            rated: !is_practice && !self.hinted.contains(&own),
        })
    }

    /// Ends everything at a table that is removed.
    pub(crate) fn remove(&mut self) {
        self.is_removed = true;
        if let Some((_, task)) = self.watched.take() {
            task.abort();
        }
        self.game.close();
        self.version.send_modify(|version| version.game += 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::resumed;
    use crate::kind::Kind;
    use crate::plain;
    use crate::setup::{Occupant, Setup};
    use serde_json::json;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;
    use tempfile::TempDir;

    /// A table of three people at which everybody has come, with a minute for each action.
    fn timed() -> (TempDir, Arc<Kind>, Table) {
        let folder = tempfile::tempdir().unwrap();
        let kind = hearts();
        let seats = ["Ann", "Bob", "Cleo"].map(|name| Occupant::Person {
            name: name.to_owned(),
            secret: name.to_owned(),
        });
        let setup = Setup {
            limit: Some(TimeLimit::Action(60)),
            ..Setup::new("hearts", 1, seats.to_vec(), "2".to_owned())
        };
        let mut table = begun(&kind, setup, folder.path());
        (0..3).for_each(|seat| table.come(seat));
        (folder, kind, table)
    }

    fn hearts() -> Arc<Kind> {
        let game = games::game("hearts", json!({ "players": 3 })).unwrap();
        Arc::new(plain(game, "Hearts", "…"))
    }

    /// A table whose id is its seed.
    fn begun(kind: &Arc<Kind>, setup: Setup, folder: &Path) -> Table {
        let game = setup.game(kind).unwrap();
        let path = folder.join(format!("{}.jsonl", setup.seed));
        Table::begin(Arc::clone(kind), setup, game, &path, &[]).unwrap()
    }

    /// The same table after a restart of the server.
    fn restarted(kind: &Arc<Kind>, table: Table) -> Table {
        let path = table.path.clone();
        drop(table);
        resumed(&[Arc::clone(kind)], &path).unwrap()
    }

    /// Takes the first action that is possible for the seat that acts next; returns that seat.
    fn act(table: &mut Table) -> usize {
        let (seat, version) = (table.to_move().unwrap(), table.version());
        let choice = table.game.choices().swap_remove(0);
        table.act(seat, version, &choice.action).unwrap();
        seat
    }

    /// Lets the built-in player that acts next decide; returns its seat.
    fn think(table: &mut Table) -> Option<usize> {
        let (seat, thought) = table.thought()?;
        let decision = thought().unwrap();
        table.act(seat, table.version(), &decision).unwrap();
        Some(seat)
    }

    /// Whoever runs out of time takes back neither the built-in player's action nor an earlier one, not even where
    /// everything can be taken back, and not after a restart.
    #[test]
    fn an_action_after_the_time_is_final() {
        let (_folder, kind, mut table) = timed();
        let first = act(&mut table);
        assert_eq!(table.back(first), Some(0));
        let late = table.deadline().unwrap();
        assert!(table.end_time(late).unwrap());
        assert_eq!(table.back(first), None, "a built-in player is at work");
        // It goes on after a restart.
        let mut table = restarted(&kind, table);
        assert_eq!(think(&mut table), Some(late.0));
        for _ in 0..2 {
            for seat in [first, late.0] {
                let refused = table.take_back(seat, table.version());
                assert!(matches!(refused, Err(TableError::NothingToTakeBack)));
            }
            table = restarted(&kind, table);
        }
        let next = act(&mut table);
        assert_eq!(table.back(next), Some(2), "later actions are not final");
    }

    #[test]
    fn a_take_back_returns_no_time() {
        let (_folder, _, mut table) = timed();
        let seat = table.to_move().unwrap();
        table.company.use_up(seat, 0, Duration::from_secs(60));
        act(&mut table);
        table.take_back(seat, table.version()).unwrap();
        let clocks = table.company.clocks();
        assert_eq!(clocks["running"], seat, "{clocks}");
        assert_eq!(clocks["left"][seat], 0, "{clocks}");
    }

    /// A player that is losing gains nothing by staying away after a restart.
    #[test]
    fn clocks_go_on_when_somebody_comes_again() {
        let (_folder, kind, table) = timed();
        let seat = table.to_move().unwrap();
        let mut table = restarted(&kind, table);
        assert_eq!(table.deadline(), None);
        let before = table.version.borrow().news;
        table.come((seat + 1) % 3);
        assert_eq!(table.deadline().map(|(own, _)| own), Some(seat));
        assert!(table.version.borrow().news > before, "the others are told");
    }

    /// Built-in players finish a game of three that a person has resigned. The person's result is the last place.
    #[test]
    fn whoever_resigns_is_last() {
        let kind = hearts();
        let person = Occupant::Person {
            name: "Ann".to_owned(),
            secret: "1".to_owned(),
        };
        let seats = vec![Occupant::Player(0), person, Occupant::Player(0)];
        let folder = tempfile::tempdir().unwrap();
        for seed in 0..3 {
            let setup = Setup::new("hearts", seed, seats.clone(), "2".to_owned());
            let mut table = begun(&kind, setup, folder.path());
            table.resign(1).unwrap();
            while think(&mut table).is_some() {}
            let own = table.own_game(7).unwrap();
            assert_eq!((own.own, own.at, own.places[1]), (1, 7, 3.0), "{own:?}");
            assert!(own.rated && own.table == seed.to_string(), "{own:?}");
        }
    }
}
