//! Command lines of the trick-taking games.

mod games;
mod inference;
mod matches;
mod replay;
mod report;
mod train;

pub(crate) use games::Args as GamesArgs;
pub(crate) use inference::Args as InferenceArgs;
pub(crate) use matches::Args as MatchArgs;
pub(crate) use replay::Args as ReplayArgs;
pub(crate) use report::Args as ReportArgs;
pub(crate) use train::Args as TrainArgs;

use std::time::Duration;

/// A time in seconds, more than none.
pub(crate) fn seconds_above_none(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds above 0".to_owned())
}
