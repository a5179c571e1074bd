//! The support folder: the networks, and the turn cache that is kept between calls.
//!
//! Separate threads read and write the files, each with a deadline. If a disk does not answer in time, the search does
//! without the files: with the network in the program, and without a cache.

use super::config::Support;
use crate::evaluation::{Evaluator, NetworkFile, load, load_embedded};
use crate::player::searcher::{TurnCache, game_id};
use crate::record::GameRecord;
use engine::store::{Key, Kind, Store, StoreError, support_folder};
use engine::watched::Job;
use std::cell::Cell;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The kind of file of a turn cache. Its version changes with [`TurnCache`] and with the search.
const TURN: Kind = Kind::new("turn", 4);
/// How long the process waits for the turn cache to be saved.
const SAVING: Duration = Duration::from_millis(90);

/// The support folder of a call.
pub(super) struct SupportFiles {
    place: Place,
    /// Whether failures to read or write the caches stay unreported. They do for the usual folder without
    /// `--explain`: in a read-only checkout every call would report the same failure.
    tolerant: bool,
    /// Whether a problem with the caches has been reported. A folder that can neither be read nor
    /// written is worth one line, not two.
    reported: Cell<bool>,
    /// Whether the disk answered in time when the files were read.
    answers: Cell<bool>,
}

/// The folder to use, and whether caches are wanted.
#[derive(Clone)]
struct Place {
    /// The folder that the user named; none for the usual one.
    folder: Option<PathBuf>,
    /// Whether the turn cache is read and written.
    caches: bool,
}

/// The evaluator and the cache with which a search begins.
pub(super) struct TurnFiles {
    /// The evaluator for the game's number of players.
    pub evaluator: Arc<dyn Evaluator>,
    /// The cache that an earlier call left for this game and seat; empty without one.
    pub cache: TurnCache,
}

impl SupportFiles {
    /// The files of the given folder. Nothing is read yet. A failure to read or write the caches of the usual folder is
    /// reported only if `verbose`.
    pub(super) fn at(support: &Support, verbose: bool) -> SupportFiles {
        let folder = match support {
            Support::Folder(folder) => Some(folder.clone()),
            Support::Usual | Support::NoCaches => None,
        };
        let caches = *support != Support::NoCaches;
        SupportFiles {
            place: Place { folder, caches },
            tolerant: *support == Support::Usual && !verbose,
            reported: Cell::new(false),
            answers: Cell::new(true),
        }
    }

    /// Reads the network and the turn cache for a game. If the disk does not answer before the deadline, the result is
    /// the network in the program, and no cache.
    pub(super) fn read(
        &self,
        record: &GameRecord,
        deadline: Instant,
        report_line: fn(&str),
    ) -> TurnFiles {
        self.read_by(Place::read, record, deadline, report_line)
    }

    /// As [`SupportFiles::read`]. `read` reads the files; tests pass one that hangs.
    fn read_by(
        &self,
        read: impl FnOnce(&Place, &GameRecord) -> Found + Send + 'static,
        record: &GameRecord,
        deadline: Instant,
        report_line: fn(&str),
    ) -> TurnFiles {
        let (place, game) = (self.place.clone(), record.clone());
        let reading = Job::spawn("files", move || read(&place, &game));
        let no_thread = "networks and caches not read: cannot start a thread";
        let late = "networks and caches not read: the disk is too slow";
        let (evaluator, network_trouble, cache) = match reading.map(|job| job.wait_until(deadline))
        {
            Ok(Ok(found)) => found,
            unread => {
                self.answers.set(false);
                let why = if unread.is_ok() { late } else { no_thread };
                let (evaluator, trouble) = load_embedded(record.players, why);
                (evaluator, trouble, Ok(None))
            }
        };
        if let Some(trouble) = network_trouble {
            report_line(&trouble);
        }
        // An unreadable cache costs a line, and the search begins without one.
        let cache = cache.unwrap_or_else(|error| {
            self.report_trouble(&error, report_line);
            None
        });
        TurnFiles {
            evaluator,
            cache: cache.unwrap_or_default(),
        }
    }

    /// Saves the turn cache for the next call, and waits at most [`SAVING`] for that: a slow disk costs the cache, not
    /// the time.
    pub(super) fn save_turn(
        &self,
        record: &GameRecord,
        fingerprint: u64,
        cache: TurnCache,
        report_line: fn(&str),
    ) {
        // A process cannot end while one of its threads is inside a write, before the disk answers. So nothing is
        // written to a disk that was too slow in this call.
        if !self.place.caches || !self.answers.get() {
            return;
        }
        let place = self.place.clone();
        let key = key(record, fingerprint);
        let saving = Job::spawn("save", move || {
            let store = place.store()?;
            // After the turn's last action the cache is empty, and the stored one has become useless.
            if cache.is_empty() {
                store.remove(&key).map(|_| ())
            } else {
                store.save(&key, &cache)
            }
        });
        match saving.map(|job| job.wait_until(Instant::now() + SAVING)) {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => self.report_trouble(&error, report_line),
            Ok(Err(_)) => self.report_once("not saved: the disk is too slow", report_line),
            Err(_) => self.report_once("not saved: cannot start a thread", report_line),
        }
    }

    /// Reports an error of the caches, unless it is a failure that is to stay unreported.
    fn report_trouble(&self, error: &StoreError, report_line: fn(&str)) {
        match error {
            StoreError::Io { .. } if self.tolerant => {}
            _ => self.report_once(&error.to_string(), report_line),
        }
    }

    /// Reports a problem with the caches if it is the first one of this call.
    fn report_once(&self, line: &str, report_line: fn(&str)) {
        if !self.reported.replace(true) {
            report_line(line);
        }
    }
}

/// The evaluator, the problem with its network if there is one, and the turn cache.
type Found = (
    Arc<dyn Evaluator>,
    Option<String>,
    Result<Option<TurnCache>, StoreError>,
);

impl Place {
    /// The support folder: the named one, or the usual one.
    fn support(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(support_folder)
    }

    /// The store of the caches.
    ///
    /// # Errors
    /// If the folder of the caches is a symbolic link: files would be written and removed wherever it leads.
    fn store(&self) -> Result<Store, StoreError> {
        let support = self.support();
        let cache = support.join("cache");
        match cache.is_symlink() {
            false => Ok(Store::open(&support)),
            true => Err(StoreError::Io {
                doing: "use",
                path: cache,
                error: io::Error::other("it is a symbolic link"),
            }),
        }
    }

    /// The folder with the network for a number of players: the named folder, or the usual one if the named one has no
    /// such network.
    fn networks(&self, players: usize) -> PathBuf {
        let named = self.folder.as_ref();
        named
            .filter(|folder| folder.join(NetworkFile::name(players)).exists())
            .cloned()
            .unwrap_or_else(support_folder)
    }

    /// Reads the network, and then the cache.
    fn read(&self, record: &GameRecord) -> Found {
        // The network comes first, as the cache holds values by one network: the store discards a cache with another
        // fingerprint.
        let (evaluator, trouble) = load(&self.networks(record.players), record.players);
        let fingerprint = evaluator.fingerprint();
        let load_turn = || self.store()?.load(&key(record, fingerprint));
        let cache = self.caches.then(load_turn).unwrap_or(Ok(None));
        (evaluator, trouble, cache)
    }
}

/// The key of the turn cache of a game and seat, with values by the network that has this fingerprint.
fn key(record: &GameRecord, fingerprint: u64) -> Key {
    Key {
        kind: TURN,
        fingerprint,
        id: game_id(record),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse;
    use std::sync::OnceLock;
    use std::sync::mpsc::channel;

    /// If the disk hangs, the program goes on with its embedded network and without a cache.
    #[test]
    fn a_disk_that_does_not_answer_costs_only_what_is_on_it() {
        static TOLD: OnceLock<String> = OnceLock::new();
        let report_line = |line: &str| assert_eq!(TOLD.set(line.to_owned()), Ok(()), "{line}");
        let example = include_bytes!("../../tests/data/cartagena/interface-example.txt");
        let record = parse(example).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let files = SupportFiles::at(&Support::Folder(folder.path().to_owned()), false);
        let (open, gate) = channel::<()>();
        let hang = move |place: &Place, game: &GameRecord| {
            let _ = gate.recv();
            place.read(game)
        };
        let TurnFiles { evaluator, cache } =
            files.read_by(hang, &record, Instant::now(), report_line);
        let (embedded, _) = load_embedded(record.players, "");
        assert_eq!(evaluator.fingerprint(), embedded.fingerprint());
        assert!(cache.is_empty());
        let line = "networks and caches not read: the disk is too slow; playing with the network in the program";
        assert_eq!(TOLD.get().map(String::as_str), Some(line));
        // Nothing is written there either: the process could not end before the disk is done.
        files.save_turn(&record, evaluator.fingerprint(), cache, report_line);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        drop(open);
    }

    /// Files in the folder to which a linked cache folder leads are neither read nor written nor removed.
    #[test]
    fn a_cache_folder_that_is_a_link_is_left_alone() {
        static TOLD: OnceLock<String> = OnceLock::new();
        let report_line = |line: &str| assert_eq!(TOLD.set(line.to_owned()), Ok(()), "{line}");
        let example = include_bytes!("../../tests/data/cartagena/interface-example.txt");
        let record = parse(example).unwrap();
        let [folder, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("cache")).unwrap();
        let files = SupportFiles::at(&Support::Folder(folder.path().to_owned()), false);
        let evaluator = load_embedded(record.players, "").0;
        let key = key(&record, evaluator.fingerprint());
        let foreign = elsewhere.path().join(key.file_name());
        std::fs::write(&foreign, "not a cache").unwrap();
        let later = Instant::now() + Duration::from_secs(3600);
        let TurnFiles { cache, .. } = files.read(&record, later, report_line);
        assert!(cache.is_empty());
        files.save_turn(&record, evaluator.fingerprint(), cache, report_line);
        let expected = format!(
            "cannot use {}: it is a symbolic link",
            folder.path().join("cache").display()
        );
        assert_eq!(TOLD.get(), Some(&expected));
        assert_eq!(std::fs::read_to_string(&foreign).unwrap(), "not a cache");
        assert_eq!(elsewhere.path().read_dir().unwrap().count(), 1);
    }
}
