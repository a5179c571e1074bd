//! Playing games one by one on many threads: for games that take long, and may be broken off.

use super::play::{Fixture, Played, Table};
use std::ops::ControlFlow;
use std::sync::Mutex;

/// Plays the games that `fixtures` names, as many at a time as `jobs` says, until they end or `sink`
/// breaks off. Games are taken in order and handed to `sink` as they finish; those under way when it
/// breaks off are finished and handed over too.
///
/// The threads are those of a pool of rayon's, so that a table can tell by
/// `rayon::current_thread_index` which of the `jobs` it is asked by.
///
/// # Errors
/// The first error of a table; games under way are still handed over.
pub fn play<T: Table>(
    table: &T,
    fixtures: impl Iterator<Item = Fixture> + Send,
    jobs: usize,
    sink: impl FnMut(Fixture, Played) -> ControlFlow<()> + Send,
) -> Result<(), T::Error> {
    let fixtures = Mutex::new(Some(fixtures));
    let sink = Mutex::new(sink);
    let failure = Mutex::new(None);
    let end = || *lock(&fixtures) = None;
    let worker = || {
        loop {
            let next = lock(&fixtures).as_mut().and_then(Iterator::next);
            let Some(fixture) = next else {
                return;
            };
            match table.play(&fixture) {
                Ok(played) => {
                    if (lock(&sink))(fixture, played).is_break() {
                        end();
                    }
                }
                Err(error) => {
                    end();
                    lock(&failure).get_or_insert(error);
                }
            }
        }
    };
    match rayon::ThreadPoolBuilder::new().num_threads(jobs).build() {
        Ok(pool) => pool.scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|_| worker());
            }
        }),
        // Without threads of our own the caller's does all the work.
        Err(_) => worker(),
    }
    match failure.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Fails at one block.
    struct Fragile(u64);

    impl Table for Fragile {
        type Error = u64;

        fn play(&self, fixture: &Fixture) -> Result<Played, u64> {
            if fixture.block == self.0 {
                return Err(fixture.block);
            }
            Ok(Played {
                seats: Vec::new(),
                stopped: false,
                line: Vec::new(),
            })
        }
    }

    fn fixtures(games: u64) -> impl Iterator<Item = Fixture> + Send {
        (0..games).map(|block| Fixture {
            line_up: 0,
            block,
            rotation: 0,
            seats: vec![0, 1],
        })
    }

    #[test]
    fn every_game_is_played_once() {
        for jobs in [1, 3] {
            let mut seen = Vec::new();
            let outcome = play(&Fragile(u64::MAX), fixtures(50), jobs, |fixture, _| {
                seen.push(fixture.block);
                ControlFlow::Continue(())
            });
            assert_eq!(outcome, Ok(()));
            seen.sort_unstable();
            assert_eq!(seen, (0..50).collect::<Vec<_>>());
        }
    }

    #[test]
    fn breaking_off_ends_it() {
        for jobs in [1, 3] {
            let seen = AtomicU64::new(0);
            let outcome = play(&Fragile(u64::MAX), fixtures(1000), jobs, |_, _| match seen
                .fetch_add(1, Ordering::Relaxed)
            {
                0..9 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            });
            assert_eq!(outcome, Ok(()));
            let seen = seen.into_inner();
            assert!((10..10 + jobs as u64).contains(&seen), "{seen}");
        }
    }

    #[test]
    fn an_error_ends_it() {
        let mut seen = 0;
        let outcome = play(&Fragile(7), fixtures(1000), 1, |_, _| {
            seen += 1;
            ControlFlow::Continue(())
        });
        assert_eq!((outcome, seen), (Err(7), 7));
    }
}
