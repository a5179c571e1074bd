//! Times as they are given on the command line.

use std::time::Duration;

/// Reads the value of an option: a number of seconds above 0.
pub(crate) fn seconds_above_none(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a number of seconds above 0".to_owned())
}
