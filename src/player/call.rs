//! One call of the contest: from the text on standard input to an action. `program` makes a [`Call`] of the text, asks
//! for the [`Choice`], and if there is one lets [`Call::decide`] search.
//!
//! An answer comes whatever happens. The search runs on another thread and publishes the best action so
//! far in a [`Best`]; the thread that has to answer only waits, and takes that action if the search is
//! late or dies.

use super::searcher::{TurnCache, TurnRoot};
use crate::belief::{Replay, ReplayOptions, replay};
use crate::evaluation::Evaluator;
use crate::notation::{ParseError, lines_of_moves, parse};
use crate::opponents::infer;
use crate::record::GameRecord;
use crate::rules::{Action, ActionList};
use crate::search::{Best, OwnTurn, Report, Search, Settings};
use engine::budget::{Budget, Clock, Limits};
use engine::watched::{Job, Unfinished};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

/// A game that has been read and replayed.
#[derive(Clone, Debug)]
pub struct Call {
    /// The game as received.
    pub record: GameRecord,
    /// The game as replayed.
    pub replay: Replay,
}

/// How to search for an action.
#[derive(Clone)]
pub struct SearchOptions {
    pub evaluator: Arc<dyn Evaluator>,
    /// The clock by which the search measures its time.
    pub clock: Clock,
    /// Time and nodes from the start of the search.
    pub limits: Limits,
    /// The moment at which the best action known is taken, whatever the search does.
    pub hard_stop: Instant,
    pub threads: usize,
    pub settings: Settings,
    /// The thread that watches the hard stop calls this before it waits. The search's thread has been started by
    /// then, and so does not inherit a change of priority that is made here.
    pub before_waiting: fn(),
}

/// A decision, and how it was found.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The action; a pass is no answer at all.
    pub action: Action,
    /// The search that found it; none if there was nothing to search or it did not finish.
    pub report: Option<Report>,
    /// The cache for the turn's next action; none if the search did not end.
    pub cache: Option<TurnCache>,
    /// The reason why there is no report, if a search was begun.
    pub trouble: Option<Trouble>,
}

/// The reason why a search gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The hard stop came first.
    Late,
    /// The search has panicked.
    Failed,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Trouble::Late => "the search did not stop in time",
            Trouble::Failed => "the search failed",
        })
    }
}

/// The choice that the rules leave.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// The game is over; the winner, from 0.
    Over(usize),
    /// There is only this action; a pass if none is legal.
    Forced(Action),
    /// There are several choices: these actions, and a pass if the caller allowed one.
    Open(ActionList),
}

impl Call {
    /// Reads the contest's text.
    ///
    /// # Errors
    /// If the text cannot be read. Moves that break the rules are no error; they are in
    /// `replay.inconsistencies`.
    pub fn read(input: &[u8], options: &ReplayOptions) -> Result<Call, ParseError> {
        let record = parse(input)?;
        let mut replay = replay(&record, options);
        if !replay.inconsistencies.is_empty() || !replay.left.is_empty() {
            let lines = lines_of_moves(input, &record);
            for inconsistency in replay.inconsistencies.iter_mut().chain(&mut replay.left) {
                inconsistency.line = inconsistency.index.map(|index| lines[index]);
            }
        }
        Ok(Call { record, replay })
    }

    /// The choice that the rules leave. `allow_pass` says whether the player considers ending its turn early.
    pub fn choice(&self, allow_pass: bool) -> Choice {
        if let Some(winner) = self.replay.winner {
            return Choice::Over(winner);
        }
        let view = &self.replay.view;
        let mut list = ActionList::new();
        self.replay
            .game
            .actions(&view.track, view.seat, view.hand, &mut list);
        match list[..] {
            [] => Choice::Forced(Action::Pass),
            // After the first action of a turn a pass is legal, so that one action still leaves a choice.
            [only] if !(allow_pass && view.taken > 0) => Choice::Forced(only),
            _ => Choice::Open(list),
        }
    }

    /// Finds an action among several. `cache` is from an earlier call of the same turn, or empty.
    ///
    /// The search runs on other threads. If it has no answer at the hard stop, or panics, the best action known
    /// by then is taken: the search's leader, else the first legal action that goes farthest forward. If the
    /// system grants no further thread, the search runs on this one, and only its own limits end it.
    pub fn decide(
        &self,
        legal: &ActionList,
        options: &SearchOptions,
        cache: TurnCache,
    ) -> Decision {
        let best = Arc::new(Best::default());
        // A late search is left behind and goes on, so it must own everything it reads.
        let job = Arc::new((self.clone(), options.clone(), cache));
        let spawned = {
            let (job, best) = (Arc::clone(&job), Arc::clone(&best));
            Job::spawn("search", move || job.0.search(&job.1, &job.2, &best))
        };
        let found = match spawned {
            Ok(search) => {
                (options.before_waiting)();
                search.wait_until(options.hard_stop)
            }
            // No thread was granted. A panic is caught here, as a job on a thread would catch it.
            Err(_) => catch_unwind(AssertUnwindSafe(|| self.search(options, &job.2, &best)))
                .map_err(|_| Unfinished::Died),
        };
        match found {
            Ok((report, cache)) => Decision {
                action: report.action,
                report: Some(report),
                cache: Some(cache),
                trouble: None,
            },
            Err(unfinished) => Decision {
                action: best.get().unwrap_or_else(|| farthest(legal)),
                report: None,
                // The search was cut off or has failed: what earlier ones have kept stays for the next action.
                cache: None,
                trouble: Some(match unfinished {
                    Unfinished::Late => Trouble::Late,
                    Unfinished::Died => Trouble::Failed,
                }),
            },
        }
    }

    /// Searches on the calling thread, with further threads if `options` asks for them.
    fn search(
        &self,
        options: &SearchOptions,
        cache: &TurnCache,
        best: &Best,
    ) -> (Report, TurnCache) {
        let Replay {
            game, view, belief, ..
        } = &self.replay;
        // Without a pool the search goes on alone.
        let pool = (options.threads > 1)
            .then(|| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(options.threads)
                    .build()
                    .ok()
            })
            .flatten();
        let budget = Budget::with_clock(options.clock.clone(), options.limits);
        // The search calls this only if it needs rollouts. The inference spends from the search's budget.
        let opponents = || {
            let mut probe = options.evaluator.probe();
            let seed = options.settings.seed;
            infer(&self.record, &self.replay, &mut *probe, seed, &budget)
        };
        let search = Search {
            game,
            view,
            belief,
            opponents: &opponents,
            evaluator: &*options.evaluator,
            budget: &budget,
            settings: options.settings,
            pool: pool.as_ref(),
        };
        let root = TurnRoot {
            own: OwnTurn {
                view: *view,
                pool: belief.draw_pool(),
            },
            boat_retreat: game.boat_retreat,
            allow_pass: options.settings.allow_pass,
        };
        let report = search.run(cache.turn_for(&self.record, &root), best);
        let cache = TurnCache::after(&self.record, &root, &report);
        (report, cache)
    }
}

/// The action that carries a pirate farthest forward, the first among equals; a pass if there is none. Retreats go
/// forward by a negative number of places.
fn farthest(legal: &ActionList) -> Action {
    let gain = |action: &Action| {
        action
            .places()
            .map_or(i16::MIN, |(from, to)| i16::from(to) - i16::from(from))
    };
    let mut best = Action::Pass;
    for action in legal {
        if best == Action::Pass || gain(action) > gain(&best) {
            best = *action;
        }
    }
    best
}

#[cfg(test)]
mod tests;
