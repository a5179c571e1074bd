//! Detects tampering: a [`Guard`] compares a program's copy before and after each call, and names the programs that may
//! have changed it.

use super::integrity::{Differences, Listing};
use super::suspects::{Running, Watch};
use engine::sync::lock;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use thiserror::Error;

/// Changes that a message lists.
const LISTED: usize = 3;

/// Somebody has changed the files of a program that takes part. Its answers are not its own from now on.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}", self.describe())]
pub struct Tampered {
    /// The program whose files they are.
    pub program: String,
    pub changes: Vec<String>,
    /// The programs that have run since the files were as they should be.
    pub suspects: Vec<String>,
}

impl Tampered {
    /// The cause of an error, if it is tampering.
    pub fn of(error: &io::Error) -> Option<&Tampered> {
        error.get_ref()?.downcast_ref()
    }

    /// The message of the error, with changes and suspects.
    fn describe(&self) -> String {
        let who = match &self.suspects[..] {
            [] => "no program of this contest has run since they were last correct".to_owned(),
            [one] => format!("since they were last correct {one} has run"),
            [most @ .., last] => {
                let most = most.join(", ");
                format!("since they were last correct {most} and {last} have run")
            }
        };
        let (program, changes) = (&self.program, list(&self.changes));
        format!("somebody has changed the files of {program}: {changes}; {who}")
    }
}

/// Some changes in words.
fn list(changes: &[String]) -> String {
    let mut text = changes[..changes.len().min(LISTED)].join(", ");
    if changes.len() > LISTED {
        let _ = write!(text, " and {} more", changes.len() - LISTED);
    }
    text
}

/// The differences of all listings, as far as `of` selects them.
fn changes(listings: &mut [Listing], of: fn(Differences) -> Vec<String>) -> Vec<String> {
    let found = listings.iter_mut().map(Listing::compare);
    found.flat_map(of).collect()
}

/// The guard of one copy's files.
#[derive(Debug)]
pub(super) struct Guard {
    program: String,
    listings: Mutex<Vec<Listing>>,
    watch: Watch,
}

impl Guard {
    /// Guards a folder, or some files, as they are now.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn new(program: String, places: &[&Path]) -> io::Result<Guard> {
        // The watch comes first: a program that runs while the files are read is a suspect too.
        let watch = Watch::new();
        Ok(Guard {
            program,
            listings: Mutex::new(
                places
                    .iter()
                    .map(|place| Listing::of(place))
                    .collect::<Result<_, _>>()?,
            ),
            watch,
        })
    }

    fn listings(&self) -> MutexGuard<'_, Vec<Listing>> {
        lock(&self.listings)
    }

    /// Notes that the program runs until the result is dropped. Changes by the program itself are allowed: a
    /// file may be its data.
    ///
    /// # Errors
    /// Of the kind [`Tampered`] if somebody else may have changed its files.
    pub(super) fn enter(&self) -> io::Result<Running> {
        let mut listings = self.listings();
        let seen = self.watch.seen();
        let changes = changes(&mut listings, Differences::all);
        // From here on the listings have the present state, so the watch begins anew with them.
        self.watch.restart();
        match changes.is_empty() || self.is_alone(&seen) {
            true => Ok(Running::new(&self.program)),
            false => Err(self.tampered(changes, seen)),
        }
    }

    /// Makes a call, during which the program may change its files. Returns the call's result, and the changes
    /// in words.
    ///
    /// # Errors
    /// Of the kind [`Tampered`] if somebody else may have changed them; what `call` fails with.
    pub(super) fn during<T>(
        &self,
        call: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<(T, Option<String>)> {
        let early = self.before()?;
        // Listed while it runs: it is a suspect for the copies of all other programs meanwhile.
        let running = Running::new(&self.program);
        let outcome = call();
        drop(running);
        // Tampering comes before an error of the call: it may be the error's cause.
        let late = self.after()?;
        Ok((outcome?, early.or(late)))
    }

    /// Compares the files before a call. A change is allowed only if no program but this one has run since the last
    /// comparison: then it was made by another call of the program, which may be under way.
    fn before(&self) -> io::Result<Option<String>> {
        let mut listings = self.listings();
        let seen = self.watch.seen();
        let changes = changes(&mut listings, Differences::all);
        self.watch.restart();
        self.own(changes, seen)
    }

    /// Compares the files after a call. New files are the program's own.
    fn after(&self) -> io::Result<Option<String>> {
        let mut listings = self.listings();
        let changes = changes(&mut listings, |found| found.changed);
        let seen = self.watch.seen();
        self.watch.restart();
        self.own(changes, seen)
    }

    /// These changes in words, if only this program can have made them.
    fn own(&self, changes: Vec<String>, seen: Vec<String>) -> io::Result<Option<String>> {
        match changes.is_empty() {
            true => Ok(None),
            false if self.is_alone(&seen) => Ok(Some(list(&changes))),
            false => Err(self.tampered(changes, seen)),
        }
    }

    /// Whether this program has run, and no other.
    fn is_alone(&self, seen: &[String]) -> bool {
        matches!(seen, [one] if *one == self.program)
    }

    /// The error for these changes, with the programs that may have made them.
    fn tampered(&self, changes: Vec<String>, suspects: Vec<String>) -> io::Error {
        io::Error::other(Tampered {
            program: self.program.clone(),
            changes,
            suspects,
        })
    }

    /// Fails unless another copy holds the same as this one did at first.
    ///
    /// # Errors
    /// Of the kind [`Tampered`].
    pub(super) fn expect_same(&self, other: &Guard) -> io::Result<()> {
        let contents = |guard: &Guard| -> Vec<u64> {
            let listings = guard.listings();
            listings.iter().map(Listing::contents).collect()
        };
        match contents(self) == contents(other) {
            true => Ok(()),
            false => {
                let changes = vec!["what they are copied from".to_owned()];
                Err(self.tampered(changes, self.watch.seen()))
            }
        }
    }
}
