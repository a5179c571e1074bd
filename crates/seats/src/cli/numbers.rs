//! Numbers as values of options, within a range, and times.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

/// A parser of the numbers from `least` to `most`, both included.
pub fn number<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display,
    T: Copy + Send + Sync + 'static,
{
    move |text| {
        // NaN is in no range.
        let read = text.parse().ok();
        let read = read.filter(|number| (least..=most).contains(number));
        read.ok_or_else(|| format!("expected a number from {least} to {most}"))
    }
}

/// The longest time: 366 days, in seconds. Sums of such times do not overflow.
const LONGEST: f64 = 31_622_400.0;

/// Reads a number of seconds above 0, at most a year.
///
/// # Errors
/// In words, what was expected.
pub fn seconds_above_none(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|&seconds: &f64| seconds > 0.0 && seconds <= LONGEST);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| format!("expected a number of seconds above 0, at most {LONGEST}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_of_the_range_are_read() {
        let share = number(0.0, 1.0);
        assert_eq!(
            (share("0"), share("0.25"), share("1")),
            (Ok(0.0), Ok(0.25), Ok(1.0))
        );
        for wrong in ["-1", "1.5", "nan", "inf", "", "x"] {
            assert!(share(wrong).unwrap_err().contains("from 0 to 1"), "{wrong}");
        }
        let told = seconds_above_none("1e308").unwrap_err();
        assert!(told.ends_with("above 0, at most 31622400"), "{told}");
    }
}
