//! What people do at tables besides playing, the clocks that limit their time, and the results that are kept.

use super::{House, HouseError, Place, lock};
use crate::game::Eyes;
use crate::table::{Table, TableError};
use crate::thinking::AGAIN;
use arena::records::RecordError;
use serde_json::Value;
use std::fs;
use std::sync::{Arc, Mutex};

/// The most games that the host's page lists.
const LISTED: usize = 200;

impl House {
    /// Removes a table and its file. The result of a game that is over stays.
    pub(crate) fn remove(&self, id: &str) -> Result<(), HouseError> {
        let table = lock(&self.tables).get(id).cloned();
        let table = table.ok_or_else(|| HouseError::Table(id.to_owned()))?;
        let path = self.folder.join(format!("{id}.jsonl"));
        fs::remove_file(&path).map_err(RecordError::io("remove", &path))?;
        lock(&table).remove();
        lock(&self.tables).remove(id);
        Ok(())
    }

    /// Keeps the result of the host's own game, if it is over.
    pub(crate) fn keep_result(&self, table: &Arc<Mutex<Table>>) {
        let own = {
            let table = lock(table);
            // The last line of the file was written at the end of the game.
            table.own_game(table.written())
        };
        if let Some(own) = own
            && let Err(error) = lock(&self.own_games).keep(own)
        {
            engine::note!("contest: the result of a game is not kept: {error}");
        }
    }

    /// The host's own games that are over, and the ratings from them.
    pub(crate) fn own_games(&self) -> Value {
        lock(&self.own_games).shown(&self.kinds, LISTED)
    }

    /// Ends the time of the person whose clock runs at a table, when it is up. One task waits for that, however often
    /// this is called.
    pub(crate) fn watch_clock(self: &Arc<House>, watched: &Arc<Mutex<Table>>) {
        let (house, table) = (Arc::clone(self), Arc::clone(watched));
        let mut watched = lock(watched);
        let Some(deadline) = watched.deadline() else {
            return;
        };
        if watched
            .watched
            .as_ref()
            .is_some_and(|(at, _)| *at == deadline)
        {
            return;
        }
        let task = tokio::spawn(async move {
            tokio::time::sleep_until(deadline.1.into()).await;
            loop {
                // If the person has acted meanwhile, another task watches the next clock.
                let ended = lock(&table).end_time(deadline);
                match ended {
                    Ok(true) => return house.drive(&table),
                    Ok(false) => return,
                    // On a full disk, for example, the time is up once that can be written down.
                    Err(error) => engine::note!("contest: {error}"),
                }
                tokio::time::sleep(AGAIN).await;
            }
        });
        let former = watched.watched.replace((deadline, task.abort_handle()));
        if let Some((_, former)) = former {
            former.abort();
        }
    }

    /// Notes that the page of a seat is open.
    pub(crate) fn come(self: &Arc<House>, place: &Place) {
        if let Eyes::Seat(seat) = place.eyes {
            lock(&place.table).come(seat);
            self.watch_clock(&place.table);
        }
    }

    /// The person at a seat writes a line to the others.
    pub(crate) fn say(&self, place: &Place, line: &str) -> Result<(), TableError> {
        let seat = place.seat()?;
        lock(&place.table).say(seat, line)
    }
}
