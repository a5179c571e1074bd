//! The commands that hold tournaments, `contest … tournament`, `rate` and `merge`, and what they share. A contest adds the
//! options of its rules by [`RulesArgs`].

mod announcement;
mod live;
mod merge;
mod play;
mod rate;

pub(crate) use merge::Args as MergeArgs;
pub(crate) use play::{Args as TournamentArgs, RulesArgs};
pub(crate) use rate::Args as RateArgs;

use super::TournamentError;
use crate::Usage;
use arena::rating::Anchor;

/// Reads the value of `--anchor`: `LABEL` or `LABEL=ELO`. A label may contain an equals sign itself, so the whole text
/// is tried as a label first.
pub(crate) fn anchor(text: Option<&str>, labels: &[String]) -> anyhow::Result<Anchor> {
    let Some(text) = text else {
        return Ok(Anchor::Mean);
    };
    let whole = labels.iter().any(|label| label == text);
    let (label, rating) = match text.rsplit_once('=').filter(|_| !whole) {
        Some((label, rating)) => match rating.parse::<f64>() {
            Ok(rating) if rating.is_finite() => (label, rating),
            _ => {
                refuse!("--anchor {text}: expected LABEL or LABEL=ELO");
            }
        },
        None => (text, 0.0),
    };
    if !labels.iter().any(|known| known == label) {
        refuse!("--anchor {text}: the programs are {}", labels.join(", "));
    }
    Ok(Anchor::Program {
        label: label.to_owned(),
        rating,
    })
}

/// Makes errors that follow from the request wrong usage, which ends with exit status 2. Errors of games stay as they
/// are.
pub(crate) fn usage(error: TournamentError) -> anyhow::Error {
    match error {
        TournamentError::Match(_) => error.into(),
        other => Usage::new(other.to_string()).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_read() {
        let labels = ["h,card=3".to_owned(), "me".to_owned()];
        let label = |text| match anchor(Some(text), &labels).unwrap() {
            Anchor::Program { label, rating } => (label, rating),
            Anchor::Mean => panic!("{text}"),
        };
        assert_eq!(label("me"), ("me".to_owned(), 0.0));
        assert_eq!(label("me=-20.5"), ("me".to_owned(), -20.5));
        assert_eq!(label("h,card=3"), ("h,card=3".to_owned(), 0.0));
        assert_eq!(label("h,card=3=5"), ("h,card=3".to_owned(), 5.0));
        assert!(anchor(Some("me=x"), &labels).is_err());
        assert!(anchor(Some("you"), &labels).is_err());
    }
}
