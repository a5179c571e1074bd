//! The support folder: where the networks are, and the turn cache kept between calls.

use super::config::Support;
use crate::evaluation::NetworkFile;
use crate::player::searcher::{TurnCache, game_id};
use crate::record::GameRecord;
use engine::store::{Key, Kind, Store, StoreError, support_folder};
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// What is stored of a turn; the version changes with [`TurnCache`] and with the search.
const TURN: Kind = Kind::new("turn", 2);
/// How long the process waits for the turn cache to be saved.
const SAVING: Duration = Duration::from_millis(90);

/// The support folder of a call.
pub(super) struct SupportFiles {
    support: PathBuf,
    store: Option<Store>,
    /// Whether the usual place may be out of reach without a word: in a checkout that can only be
    /// read every call would say so, of which nobody learns anything new.
    tolerant: bool,
    /// Whether a problem with the caches has been reported: a folder that can neither be read nor
    /// written is worth one line, not two.
    reported: Cell<bool>,
}

impl SupportFiles {
    /// The files at the place named; caches only where they are wanted. That the usual place cannot
    /// be read or written is told only to somebody who wants to know (`verbose`).
    pub(super) fn at(support: &Support, verbose: bool) -> SupportFiles {
        let folder = match support {
            Support::Folder(folder) => folder.clone(),
            Support::Usual | Support::NoCaches => support_folder(),
        };
        let caches = *support != Support::NoCaches;
        SupportFiles {
            store: caches.then(|| Store::open(&folder)),
            support: folder,
            tolerant: *support == Support::Usual && !verbose,
            reported: Cell::new(false),
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

    /// The turn cache that an earlier call left for this game and seat.
    pub(super) fn load_turn(
        &self,
        record: &GameRecord,
        fingerprint: u64,
        report_line: fn(&str),
    ) -> TurnCache {
        let Some(store) = &self.store else {
            return TurnCache::default();
        };
        match store.load(&key(record, fingerprint)) {
            Ok(cache) => cache.unwrap_or_default(),
            Err(error) => {
                self.report_trouble(&error, report_line);
                TurnCache::default()
            }
        }
    }

    /// Saves the turn cache for the next call. The process does not wait long for it: a slow disk
    /// costs the cache, not the time.
    pub(super) fn save_turn(
        &self,
        record: &GameRecord,
        fingerprint: u64,
        cache: TurnCache,
        report_line: fn(&str),
    ) {
        let Some(store) = self.store.clone() else {
            return;
        };
        // After the turn's last action the cache is empty, and the stored one is of no more use.
        let key = key(record, fingerprint);
        let (send, receive) = channel();
        let save = move || {
            let saved = if cache.is_empty() {
                store.remove(&key).map(|_| ())
            } else {
                store.save(&key, &cache)
            };
            let _ = send.send(saved);
        };
        if thread::Builder::new()
            .name("save".into())
            .spawn(save)
            .is_err()
        {
            return self.report_once("not saved: no thread to save with", report_line);
        }
        match receive.recv_timeout(SAVING) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.report_trouble(&error, report_line),
            Err(_) => self.report_once("not saved: the disk is too slow", report_line),
        }
    }

    fn report_trouble(&self, error: &StoreError, report_line: fn(&str)) {
        match error {
            StoreError::Io { .. } if self.tolerant => {}
            _ => self.report_once(&error.to_string(), report_line),
        }
    }

    fn report_once(&self, line: &str, report_line: fn(&str)) {
        if !self.reported.replace(true) {
            report_line(line);
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
