//! The player's files: where they are, and what it remembers from one action to the next.

use super::config::Support;
use crate::evaluation::NetworkFile;
use crate::player::searcher::{Memory, game_id};
use crate::record::GameRecord;
use engine::store::{Key, Kind, Store, support_folder};
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// What is stored of a turn; the version changes with [`Memory`] and with the search.
const TURN: Kind = Kind::new("turn", 2);
/// How long the process may live on to save what it learnt.
const SAVING: Duration = Duration::from_millis(90);

/// The player's files.
pub(super) struct Files {
    support: PathBuf,
    store: Option<Store>,
    /// Whether something about the caches has been said: a folder that can neither be read nor
    /// written is worth one line, not two.
    complained: Cell<bool>,
}

impl Files {
    /// The files at the place named; caches only where they are wanted.
    pub(super) fn at(support: &Support) -> Files {
        let folder = match support {
            Support::Folder(folder) => folder.clone(),
            Support::Usual | Support::NoCaches => support_folder(),
        };
        let caches = *support != Support::NoCaches;
        Files {
            store: caches.then(|| Store::open(&folder)),
            support: folder,
            complained: Cell::new(false),
        }
    }

    /// The folder with the network for so many players: the one named, or the usual one if that
    /// has none.
    pub(super) fn networks(&self, players: usize) -> PathBuf {
        if self.support.join(NetworkFile::name(players)).exists() {
            self.support.clone()
        } else {
            support_folder()
        }
    }

    /// What an earlier call left for this game and seat.
    pub(super) fn recall(&self, record: &GameRecord, fingerprint: u64, say: fn(&str)) -> Memory {
        let Some(store) = &self.store else {
            return Memory::default();
        };
        match store.load(&key(record, fingerprint)) {
            Ok(memory) => memory.unwrap_or_default(),
            Err(error) => {
                self.complain(&error.to_string(), say);
                Memory::default()
            }
        }
    }

    /// Leaves something for the next call. The process does not wait long for it: a slow disk
    /// costs the memory, not the time.
    pub(super) fn remember(
        &self,
        record: &GameRecord,
        fingerprint: u64,
        memory: Memory,
        say: fn(&str),
    ) {
        let Some(store) = self.store.clone() else {
            return;
        };
        // The turn's last action leaves nothing, and what is there then is of no more use.
        let key = key(record, fingerprint);
        let (send, receive) = channel();
        let save = move || {
            let saved = if memory.is_empty() {
                store.remove(&key).map(|_| ())
            } else {
                store.save(&key, &memory)
            };
            let _ = send.send(saved);
        };
        if thread::Builder::new()
            .name("save".into())
            .spawn(save)
            .is_err()
        {
            return self.complain("not saved: no thread to save with", say);
        }
        match receive.recv_timeout(SAVING) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.complain(&error.to_string(), say),
            Err(_) => self.complain("not saved: the disk is too slow", say),
        }
    }

    fn complain(&self, line: &str, say: fn(&str)) {
        if !self.complained.replace(true) {
            say(line);
        }
    }
}

fn key(record: &GameRecord, fingerprint: u64) -> Key {
    Key {
        kind: TURN,
        fingerprint,
        id: game_id(record),
    }
}
