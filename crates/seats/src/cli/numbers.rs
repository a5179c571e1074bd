//! Numbers as values of options, within a range.

use std::fmt::Display;
use std::str::FromStr;

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
    }
}
