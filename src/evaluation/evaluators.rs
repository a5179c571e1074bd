//! The evaluator for each number of players: a trained network, or the hand-made evaluation. `runme` loads one by
//! [`load`] for its game; programs whose games differ in the number of players keep an [`Evaluators`].

use super::handmade::Handmade;
use super::{Evaluator, NetworkEvaluator, NetworkFile};
use crate::rules::MAX_PLAYERS;
use engine::store::support_folder;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The evaluator for games of `players` players: the network in a folder, else the one in the program.
///
/// The text, if there is one, names the fault of a network, and the evaluator used in its place. A folder without a
/// network is not an error.
pub fn load(folder: &Path, players: usize) -> (Arc<dyn Evaluator>, Option<String>) {
    read(folder, players, false)
}

/// The evaluator in the program, which no disk can delay. `error` is the reason for not using one from a folder. The
/// text is as with [`load`], and begins with that reason.
pub fn load_embedded(players: usize, error: &str) -> (Arc<dyn Evaluator>, Option<String>) {
    embedded(players, Some(error.to_owned()))
}

/// As [`load`], but with `required` a missing file is an error.
fn read(folder: &Path, players: usize, required: bool) -> (Arc<dyn Evaluator>, Option<String>) {
    // A broken network is no reason not to play: the program contains another one. The text says that it is used.
    let path = folder.join(NetworkFile::name(players));
    match NetworkFile::read(&path, players) {
        Ok(file) => (Arc::new(NetworkEvaluator::new(&file.network)), None),
        Err(error) if error.is_missing() && !required => embedded(players, None),
        Err(error) => embedded(players, Some(error.to_string())),
    }
}

/// The network in the program, in place of one with an error.
fn embedded(players: usize, error: Option<String>) -> (Arc<dyn Evaluator>, Option<String>) {
    match NetworkFile::embedded(players) {
        Ok(file) => {
            let instead = "playing with the network in the program";
            let trouble = error.map(|error| format!("{error}; {instead}"));
            (Arc::new(NetworkEvaluator::new(&file.network)), trouble)
        }
        // The program's own file does not fit: it was made for other features when the program was built.
        Err(embedded) => {
            let error =
                error.unwrap_or(format!("cannot use the network in the program: {embedded}"));
            let trouble = format!("{error}; playing with the hand-made evaluation");
            (Arc::new(Handmade::default()), Some(trouble))
        }
    }
}

/// The evaluators for every number of players, each loaded when it is first used.
pub struct Evaluators {
    source: Source,
    /// Receives a text for each network that cannot be used, once.
    report: fn(&str),
    loaded: [OnceLock<Arc<dyn Evaluator>>; MAX_PLAYERS + 1],
}

/// The place from which the networks are loaded.
enum Source {
    Handmade,
    Embedded,
    Support,
    Folder(PathBuf),
}

impl Evaluators {
    /// The networks of the support folder and of the program, as [`load`] finds them.
    pub fn installed(report: fn(&str)) -> Evaluators {
        Evaluators::new(Source::Support, report)
    }

    /// The networks in the program, whatever a support folder holds.
    pub fn embedded(report: fn(&str)) -> Evaluators {
        Evaluators::new(Source::Embedded, report)
    }

    /// The networks in a folder. A missing one is reported, too.
    pub fn of_folder(folder: PathBuf, report: fn(&str)) -> Evaluators {
        Evaluators::new(Source::Folder(folder), report)
    }

    /// The hand-made evaluation for every number of players.
    pub fn handmade() -> Evaluators {
        Evaluators::new(Source::Handmade, |_| ())
    }

    fn new(source: Source, report: fn(&str)) -> Evaluators {
        Evaluators {
            source,
            report,
            loaded: Default::default(),
        }
    }

    /// The evaluator for a number of players from 2 to [`MAX_PLAYERS`], loaded at the first call.
    pub fn for_players(&self, players: usize) -> &Arc<dyn Evaluator> {
        // Threads that ask at the same time get the same evaluator: one of them loads it, the others wait.
        self.loaded[players].get_or_init(|| {
            let (evaluator, trouble) = match &self.source {
                Source::Handmade => (Arc::new(Handmade::default()) as _, None),
                Source::Embedded => embedded(players, None),
                Source::Support => read(&support_folder(), players, false),
                Source::Folder(folder) => read(folder, players, true),
            };
            if let Some(trouble) = trouble {
                (self.report)(&trouble);
            }
            evaluator
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_overrides_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let (embedded, trouble) = load(folder.path(), 2);
        assert_eq!(trouble, None, "none is nothing wrong");
        let mut file = NetworkFile::embedded(2).unwrap();
        file.network.weights_mut()[0] += 1.0;
        file.write(&folder.path().join("cartagena-2.net")).unwrap();
        let (other, trouble) = load(folder.path(), 2);
        assert_eq!(trouble, None);
        assert_ne!(other.fingerprint(), embedded.fingerprint());
    }

    #[test]
    fn a_broken_network_is_named_once_and_the_program_has_another() {
        static REPORTS: OnceLock<String> = OnceLock::new();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cartagena-3.net");
        let embedded = load(folder.path(), 3).0.fingerprint();
        let report = |line: &str| assert_eq!(REPORTS.set(line.to_owned()), Ok(()), "twice");
        let evaluators = Evaluators::of_folder(folder.path().to_owned(), report);
        for _ in 0..2 {
            assert_eq!(evaluators.for_players(3).fingerprint(), embedded);
        }
        let line = format!(
            "cannot read {}: there is no such file; playing with the network in the program",
            path.display()
        );
        assert_eq!(REPORTS.get(), Some(&line));
        fs::write(&path, "no network").unwrap();
        let (evaluator, trouble) = load(folder.path(), 3);
        assert_eq!(evaluator.fingerprint(), embedded);
        let line = format!(
            "cannot use {}: it is not a file of this program; playing with the network in the program",
            path.display()
        );
        assert_eq!(trouble, Some(line));
    }
}
