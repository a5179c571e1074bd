//! When the contest's clock began to run.

use std::time::{Duration, Instant};

/// No call is older than this when it begins: the contest would have ended it. What looks older was
/// built first, or was something else before it became this program.
const OLDEST: Duration = Duration::from_secs(15);

/// When this process was started.
///
/// That is before `main`: the driver script has run in the same process by then, and on a starved
/// machine loading the program takes long.
pub(super) fn process_start() -> Instant {
    let now = Instant::now();
    age()
        .filter(|&age| age < OLDEST)
        .and_then(|age| now.checked_sub(age))
        .unwrap_or(now)
}

/// The time since the process was started, to a hundredth of a second; none where the system does
/// not tell.
#[cfg(target_os = "linux")]
fn age() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let started = started(&stat, rustix::param::clock_ticks_per_second())?;
    let now = Duration::try_from(clock_gettime(ClockId::Boottime)).ok()?;
    now.checked_sub(started)
}

#[cfg(not(target_os = "linux"))]
fn age() -> Option<Duration> {
    None
}

/// The time from the start of the system to that of a process, of which this is the text in
/// `/proc/PID/stat`: its field 22, in ticks (proc_pid_stat(5)).
#[cfg(any(target_os = "linux", test))]
fn started(stat: &str, ticks_per_second: u64) -> Option<Duration> {
    // The program's name may hold anything; the fields after it are numbers, from the third on.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: u64 = fields.split_ascii_whitespace().nth(22 - 3)?.parse().ok()?;
    let seconds = ticks as f64 / ticks_per_second.max(1) as f64;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_read_past_any_name() {
        let stat = "17 (a) b (c) R 1 17 17 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 2550 4 5";
        assert_eq!(started(stat, 100), Some(Duration::from_millis(25_500)));
        for odd in ["", "17", "17 (a) R 1 17", &stat.replace("2550", "x")] {
            assert_eq!(started(odd, 100), None, "{odd}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_began_before_its_test() {
        let age = age().expect("this system tells");
        assert!(age < Duration::from_secs(24 * 60 * 60), "{age:?}");
        assert!(process_start() <= Instant::now());
    }
}
