//! Decisions of built-in players and programs at tables. The house calls `drive` after every change of a table;
//! one task for each table then makes the decisions that are due, each with a permit of the house.

use super::house::{House, lock};
use super::table::{Stuck, Table, TableError};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinError;

/// The pause before something that could not be written is tried again.
pub(crate) const AGAIN: Duration = Duration::from_secs(2);

impl House {
    /// Called after every change: starts the built-in player whose decision is due at a table, and those due after
    /// it, or watches the clock of the person who is to act.
    pub(super) fn drive(self: &Arc<House>, table: &Arc<Mutex<Table>>) {
        self.keep_result(table);
        self.watch_clock(table);
        {
            let mut table = lock(table);
            if table.is_thinking || !table.is_due() {
                return;
            }
            table.is_thinking = true;
        }
        let (house, table) = (Arc::clone(self), Arc::clone(table));
        tokio::spawn(async move {
            while house.decide(&table).await {}
            house.keep_result(&table);
            house.watch_clock(&table);
        });
    }

    /// Makes one decision; returns whether another one of a built-in player is due.
    async fn decide(&self, table: &Arc<Mutex<Table>>) -> bool {
        // The permit comes first: the position may change while this waits for it.
        let permit = Arc::clone(&self.thinkers).acquire_owned().await;
        let (version, seat, thought) = {
            let mut table = lock(table);
            match table.thought() {
                // The version shows later whether an action was taken back meanwhile.
                Some((seat, thought)) => (table.version(), seat, thought),
                None => {
                    table.is_thinking = false;
                    return false;
                }
            }
        };
        let decision = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            thought()
        });
        let decision = decision.await;
        let settled = settle(&mut lock(table), seat, version, decision);
        match settled {
            Settled::Over => return false,
            Settled::NextIsDue => {}
            // On a full disk, for example, the player decides again until its action can be written down.
            Settled::Unwritten => tokio::time::sleep(AGAIN).await,
        }
        true
    }
}

/// The outcome of a decision.
enum Settled {
    /// No further decision is due, or none can be made.
    Over,
    /// The next one of a built-in player is due, or this one again, if an action was taken back meanwhile.
    NextIsDue,
    /// It could not be written down.
    Unwritten,
}

/// Takes a decision to its table: plays the action, or shows the people there why there is none.
fn settle(
    table: &mut Table,
    seat: usize,
    version: u64,
    decision: Result<Result<String, String>, JoinError>,
) -> Settled {
    let trouble = match decision {
        // A position that was taken back meanwhile needs no decision.
        Ok(Err(_)) if table.version() != version => None,
        Ok(Err(reason)) => Some(reason),
        Ok(Ok(action)) => match table.act(seat, version, &action) {
            Ok(()) | Err(TableError::Stale | TableError::NotYourTurn) => None,
            Err(error @ TableError::Unwritten(_)) => {
                let reason = error.to_string();
                engine::note!("contest: {reason}");
                table.set_stuck(Some(Stuck::Unwritten(reason)));
                return Settled::Unwritten;
            }
            Err(error) => Some(format!("it decided {action:?}: {error}")),
        },
        Err(error) => Some(format!("it failed: {error}")),
    };
    if let Some(trouble) = &trouble {
        engine::note!("contest: a player has not decided: {trouble}");
    }
    table.is_thinking = trouble.is_none() && table.is_due();
    table.set_stuck(trouble.map(Stuck::Undecided));
    match table.is_thinking {
        true => Settled::NextIsDue,
        false => Settled::Over,
    }
}
