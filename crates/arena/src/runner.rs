//! Doing many things on many threads, with an early end.

use engine::sync::lock;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// Does `play` for every unit, `jobs` at a time, until they end or `sink` breaks off. Units are taken
/// in order and handed to `sink` as they finish; those under way when it breaks off, or when one
/// fails, are finished and handed over too.
///
/// The threads are those of a pool of rayon's, so that `play` can tell by
/// `rayon::current_thread_index` which of the `jobs` it is asked by.
///
/// # Errors
/// The first error, in the order of the units, of those that happened.
pub fn run<U: Send, T, E: Send>(
    units: impl Iterator<Item = U> + Send,
    jobs: usize,
    play: impl Fn(&U) -> Result<T, E> + Sync,
    sink: impl FnMut(U, T) -> ControlFlow<()> + Send,
) -> Result<(), E> {
    let units = Mutex::new(Some(units.enumerate()));
    let sink = Mutex::new(sink);
    let failure: Mutex<Option<(usize, E)>> = Mutex::new(None);
    let end = || *lock(&units) = None;
    let worker = || {
        loop {
            let next = lock(&units).as_mut().and_then(Iterator::next);
            let Some((number, unit)) = next else {
                return;
            };
            match play(&unit) {
                Ok(result) => {
                    if (lock(&sink))(unit, result).is_break() {
                        end();
                    }
                }
                Err(error) => {
                    end();
                    let mut failure = lock(&failure);
                    if failure.as_ref().is_none_or(|(first, _)| number < *first) {
                        *failure = Some((number, error));
                    }
                }
            }
        }
    };
    let jobs = jobs.max(1);
    match rayon::ThreadPoolBuilder::new().num_threads(jobs).build() {
        Ok(pool) => pool.scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|_| worker());
            }
        }),
        // Without threads of our own the caller's does all the work.
        Err(_) => worker(),
    }
    let failure = failure.into_inner();
    match failure.unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// As [`run`], but results are handed over in the order of the units, whatever the number of threads.
/// Units are taken in order, so that few results wait for earlier ones.
///
/// # Errors
/// As of [`run`]. Results of units after one that failed are dropped.
pub fn run_in_order<U: Send, T: Send, E: Send>(
    units: impl Iterator<Item = U> + Send,
    jobs: usize,
    play: impl Fn(&U) -> Result<T, E> + Sync,
    mut sink: impl FnMut(U, T) -> ControlFlow<()> + Send,
) -> Result<(), E> {
    let mut waiting = BTreeMap::new();
    let mut due = 0;
    run(
        units.enumerate(),
        jobs,
        |(_, unit)| play(unit),
        |(number, unit), result| {
            waiting.insert(number, (unit, result));
            while let Some((unit, result)) = waiting.remove(&due) {
                due += 1;
                sink(unit, result)?;
            }
            ControlFlow::Continue(())
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails at one unit.
    fn fragile(unit: u64) -> impl Fn(&u64) -> Result<u64, u64> + Sync {
        move |&number| {
            if number == unit {
                Err(number)
            } else {
                Ok(number)
            }
        }
    }

    #[test]
    fn every_unit_is_done_once() {
        for jobs in [0, 1, 3] {
            let mut seen = Vec::new();
            let outcome = run(0..50, jobs, fragile(u64::MAX), |unit, result| {
                assert_eq!(unit, result);
                seen.push(unit);
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
            let mut seen = 0;
            let outcome = run(0..1000, jobs, fragile(u64::MAX), |_, _| {
                seen += 1;
                match seen {
                    ..10 => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            });
            assert_eq!(outcome, Ok(()));
            assert!((10..10 + jobs).contains(&seen), "{seen}");
        }
    }

    #[test]
    fn an_error_ends_it() {
        for jobs in [1, 3] {
            let mut seen = Vec::new();
            let outcome = run_in_order(0..1000, jobs, fragile(7), |unit, _| {
                seen.push(unit);
                ControlFlow::Continue(())
            });
            assert_eq!((outcome, seen), (Err(7), (0..7).collect()), "{jobs} jobs");
        }
    }
}
