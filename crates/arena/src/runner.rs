//! Runs many units of work, such as deal blocks or games, on several threads, with an early end.
//!
//! [`run`] hands results over as they come. [`run_in_order`] hands them over in the order of the units, so that what is
//! written does not depend on the number of threads.

use engine::sync::lock;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// Calls `play` for every unit, at most `jobs` at a time (one if `jobs` is 0). Units start in order, and `sink` gets
/// each result as soon as it is there. If `sink` breaks off or a unit fails, no further unit starts; the units under
/// way are finished, and `sink` gets their results too.
///
/// The threads belong to a pool of rayon. So `rayon::current_thread_index` gives `play` the number of its thread, from
/// 0 to `jobs - 1`, for example to choose processor cores that no other thread uses.
///
/// # Errors
/// If units failed, the error of the first of them in the order of the units.
pub fn run<U: Send, T, E: Send>(
    units: impl Iterator<Item = U> + Send,
    jobs: usize,
    play: impl Fn(&U) -> Result<T, E> + Sync,
    sink: impl FnMut(U, T) -> ControlFlow<()> + Send,
) -> Result<(), E> {
    // No thread holds two of these locks at once, and none holds a lock while it plays. `None` in place of the units
    // means that no further unit starts.
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
                    // Later units may fail earlier in time. The smallest number is kept, so that the error reported
                    // depends as little as possible on the speed of threads.
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
        // Each thread has its own call from the start. One that waits for parallel work within `sink` could otherwise
        // take up another call meanwhile, which would wait for `sink`.
        Ok(pool) => drop(pool.broadcast(|_| worker())),
        // If the system gives no threads, the calling one does all the work.
        Err(_) => worker(),
    }
    let failure = failure.into_inner();
    match failure.unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// As [`run`], but `sink` gets the results in the order of the units, with any number of threads.
///
/// # Errors
/// As [`run`]. `sink` gets no result of a unit after the failed one.
pub fn run_in_order<U: Send, T: Send, E: Send>(
    units: impl Iterator<Item = U> + Send,
    jobs: usize,
    play: impl Fn(&U) -> Result<T, E> + Sync,
    mut sink: impl FnMut(U, T) -> ControlFlow<()> + Send,
) -> Result<(), E> {
    // Results that came before those of earlier units. There are few, as units start in order. `due` is the number of
    // the unit whose result comes next.
    let mut waiting = BTreeMap::new();
    let mut due = 0;
    run(
        units.enumerate(),
        jobs,
        |(_, unit)| play(unit),
        |(number, unit), result| {
            waiting.insert(number, (unit, result));
            let mut flow = ControlFlow::Continue(());
            // All that waited for this one, even if the sink breaks off at the first: they are finished.
            while let Some((unit, result)) = waiting.remove(&due) {
                due += 1;
                if sink(unit, result).is_break() {
                    flow = ControlFlow::Break(());
                }
            }
            flow
        },
    )
}

/// A sink for [`run`] and [`run_in_order`] that ends the run at its first error, which it leaves in `failed`. The results
/// of units under way come after that too, and are dropped: a later success must not hide the error.
pub fn until_failed<T, E>(
    failed: &mut Result<(), E>,
    mut sink: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> impl FnMut(T) -> ControlFlow<()> {
    move |result| {
        if failed.is_ok() {
            match sink(result) {
                Ok(flow) => return flow,
                Err(error) => *failed = Err(error),
            }
        }
        ControlFlow::Break(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// Work that fails at one unit.
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

    /// Units that were finished while they waited for an earlier one are handed over after the end as well.
    #[test]
    fn what_waited_is_not_lost() {
        let (done, others) = channel();
        let (done, others) = (Mutex::new(done), Mutex::new(others));
        let play = |&number: &u64| {
            match number {
                // The first unit ends after three others, which the other thread finishes.
                0 => (0..3).for_each(|_| lock(&others).recv().unwrap()),
                _ => lock(&done).send(()).unwrap(),
            }
            Ok::<_, ()>(number)
        };
        let mut seen = Vec::new();
        let outcome = run_in_order(0..1000, 2, play, |unit, _| {
            seen.push(unit);
            ControlFlow::Break(())
        });
        assert!(outcome.is_ok() && seen.len() >= 4, "{seen:?}");
        assert!(seen.iter().zip(0..).all(|(&unit, place)| unit == place));
    }

    /// Results still come after an error; the error stays, and nothing more is taken.
    #[test]
    fn no_success_hides_an_error() {
        let (mut failed, mut taken) = (Ok(()), Vec::new());
        let mut sink = until_failed(&mut failed, |number| {
            taken.push(number);
            if number == 2 {
                Err("full")
            } else {
                Ok(ControlFlow::Continue(()))
            }
        });
        let flows = [1, 2, 3].map(|number| sink(number).is_break());
        drop(sink);
        assert_eq!(
            (flows, failed, taken),
            ([false, true, true], Err("full"), vec![1, 2])
        );
    }
}
