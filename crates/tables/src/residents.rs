//! Participants' programs at tables, which stay alive between their decisions. A game keeps one [`Residents`], and
//! each of its tables gets one by [`Residents::for_a_table`]; all share the programs and the limit on running ones.

use engine::sync::lock;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;
use std::{mem, thread};

/// The most programs of a game that run at a time, at all its tables together. If one more starts, the program
/// that has not been asked for the longest time is ended; its table starts it again on its next turn.
const MOST: usize = 32;

/// The threads on which programs end.
static LEAVING: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// A program's place, whether it runs or not.
type Place<T> = Arc<Mutex<Option<T>>>;

/// The places of all programs of a game, in the order in which they were last asked.
type Running<T> = Arc<Mutex<Vec<Weak<Mutex<Option<T>>>>>>;

/// The programs of a table, by seat and label.
type Seated<T> = Arc<Mutex<BTreeMap<(usize, String), Place<T>>>>;

/// Programs at a table, by seat and label. `P` is a program that can sit there. `T` is a running program together with
/// all that it has received; dropping it ends the program.
pub struct Residents<P, T> {
    /// The programs that can sit at the tables, which all of these share.
    known: Arc<Vec<(String, P)>>,
    running: Running<T>,
    seated: Seated<T>,
}

impl<P, T> Default for Residents<P, T> {
    fn default() -> Residents<P, T> {
        Residents::new(Vec::new())
    }
}

impl<P, T> Clone for Residents<P, T> {
    fn clone(&self) -> Residents<P, T> {
        Residents {
            seated: Arc::clone(&self.seated),
            ..self.for_a_table()
        }
    }
}

impl<P, T> Residents<P, T> {
    /// The programs that can sit at a game's tables, by label.
    pub fn new(known: Vec<(String, P)>) -> Residents<P, T> {
        Residents {
            known: Arc::new(known),
            running: Arc::default(),
            seated: Arc::default(),
        }
    }

    /// The same for another table of the game, at which no program sits yet.
    #[must_use]
    pub fn for_a_table(&self) -> Residents<P, T> {
        Residents {
            known: Arc::clone(&self.known),
            running: Arc::clone(&self.running),
            seated: Arc::default(),
        }
    }

    /// The labels of the programs, in their order.
    pub fn labels(&self) -> Vec<String> {
        self.known.iter().map(|(label, _)| label.clone()).collect()
    }

    /// The program with a label. `prefix` stands before labels of the game on the command line, such as `hearts:`.
    ///
    /// # Errors
    /// If there is none: a sentence that says how to name one.
    pub fn known(&self, label: &str, prefix: &str) -> Result<&P, String> {
        let found = self.known.iter().find(|(known, _)| known == label);
        found.map(|(_, program)| program).ok_or_else(|| {
            format!("no program is called {label}: start again with --program {prefix}{label}=PATH")
        })
    }

    /// Calls `work` with the program of a seat, or with `None` if it does not run.
    pub fn with<A>(&self, seat: usize, label: &str, work: impl FnOnce(&mut Option<T>) -> A) -> A {
        let place = {
            let mut seated = lock(&self.seated);
            Arc::clone(seated.entry((seat, label.to_owned())).or_default())
        };
        // The list of the table is free again: other seats need not wait while a program thinks.
        self.make_room(&place);
        work(&mut lock(&place))
    }

    /// Moves a place to the end of the list, and ends the first idle program if too many run.
    fn make_room(&self, place: &Place<T>) {
        let mut ended = Vec::new();
        let mut running = lock(&self.running);
        let own = Arc::downgrade(place);
        running.retain(|other| other.strong_count() > 0 && !other.ptr_eq(&own));
        let mut excess = (running.len() + 1).saturating_sub(MOST);
        running.retain(|other| {
            let other = other.upgrade();
            // One that is asked at this moment is in use.
            let idle = other.as_ref().and_then(|other| other.try_lock().ok());
            match idle {
                Some(mut idle) if excess > 0 => {
                    ended.extend(idle.take());
                    excess -= 1;
                    false
                }
                _ => true,
            }
        });
        running.push(own);
        // A program may take seconds to end. No other table waits for that.
        drop(running);
        drop(ended);
    }

    /// Takes all running programs from this table, whose game goes no further. On another thread `farewell` gets each of
    /// them, and `game`: programs may be slow to end, and nobody waits for them. A program that is asked at this moment
    /// is not among them; it ends after its answer.
    pub fn leave<G>(&self, game: impl FnOnce() -> G, farewell: fn(usize, T, &G))
    where
        T: Send + 'static,
        G: Send + 'static,
    {
        let seated = mem::take(&mut *lock(&self.seated));
        let running = seated.into_iter().filter_map(|((seat, _), place)| {
            let program = place.try_lock().ok()?.take()?;
            Some((seat, program))
        });
        let leaving: Vec<(usize, T)> = running.collect();
        if leaving.is_empty() {
            return;
        }
        let game = game();
        let ending = thread::spawn(move || {
            for (seat, program) in leaving {
                farewell(seat, program, &game);
            }
        });
        let mut all = lock(&LEAVING);
        all.retain(|one| !one.is_finished());
        all.push(ending);
    }
}

/// Waits for the ends of all programs whose games go no further: for a process that is about to end.
pub fn wait_for_leaving() {
    let all = mem::take(&mut *lock(&LEAVING));
    for ending in all {
        // A thread that panicked has said so.
        let _ = ending.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that notes its number when it is ended.
    struct Program(usize, Arc<Mutex<Vec<usize>>>);

    impl Drop for Program {
        fn drop(&mut self) {
            lock(&self.1).push(self.0);
        }
    }

    #[test]
    fn who_was_not_asked_for_the_longest_time_is_ended() {
        let ended: Arc<Mutex<Vec<usize>>> = Arc::default();
        let game: Residents<(), Program> = Residents::default();
        let tables: Vec<Residents<(), Program>> =
            (0..MOST + 2).map(|_| game.for_a_table()).collect();
        let ask = |number: usize| {
            tables[number].with(0, "x", |place| {
                let was_there = place.is_some();
                place.get_or_insert_with(|| Program(number, Arc::clone(&ended)));
                was_there
            })
        };
        assert!((0..MOST).all(|number| !ask(number)));
        assert!(ask(0), "it runs still");
        assert!(!ask(MOST) && !ask(MOST + 1));
        assert_eq!(*lock(&ended), [1, 2]);
        assert!(!ask(1), "it is started again");
        assert_eq!(*lock(&ended), [1, 2, 3]);
        let leave = || tables[0].leave(|| 7, |seat, _, &game| assert_eq!((seat, game), (0, 7)));
        leave();
        wait_for_leaving();
        assert_eq!(*lock(&ended), [1, 2, 3, 0]);
        // Nobody is left.
        leave();
        wait_for_leaving();
        assert_eq!(lock(&ended).len(), 4);
    }
}
