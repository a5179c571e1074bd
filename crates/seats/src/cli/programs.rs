//! Options that a command line gives to one of the programs that it names.

use super::Usage;
use arena::participant::ParticipantRecord;

/// A duration, rounded for people to read: `1 s`, `2 min`, `1 h 00 min`.
pub fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match minutes {
        0 => format!("{:.0} s", seconds.ceil()),
        1..60 => format!("{minutes} min"),
        _ => format!("{} h {:02} min", minutes / 60, minutes % 60),
    }
}

/// Sets the variables of `--env` for the programs that it names.
pub fn set_variables(
    programs: &mut [ParticipantRecord],
    variables: &[String],
) -> anyhow::Result<()> {
    for text in variables {
        let (label, name, value) = variable(text)?;
        let Some(program) = programs.iter_mut().find(|p| p.label == label) else {
            refuse!("--env {text}: no program named here is called {label}");
        };
        program.variables.insert(name.to_owned(), value.to_owned());
    }
    Ok(())
}

/// Sets the times of `--time-of` for the programs that it names.
pub fn set_times(programs: &mut [ParticipantRecord], times: &[String]) -> anyhow::Result<()> {
    for text in times {
        let read = || {
            let (label, seconds) = text.rsplit_once('=')?;
            let seconds: f64 = seconds.parse().ok()?;
            (!label.is_empty() && seconds > 0.0 && seconds < 1e6).then_some((label, seconds))
        };
        let Some((label, seconds)) = read() else {
            refuse!("--time-of {text}: expected LABEL=SECONDS, with more than 0 seconds");
        };
        let Some(program) = programs.iter_mut().find(|p| p.label == label) else {
            refuse!("--time-of {text}: no program named here is called {label}");
        };
        program.seconds = Some(seconds);
    }
    Ok(())
}

/// Splits `LABEL:NAME=VALUE` into its three parts.
pub fn variable(text: &str) -> anyhow::Result<(&str, &str, &str)> {
    let parts = || {
        let (name, value) = text.split_once('=')?;
        let (label, name) = name.rsplit_once(':')?;
        (!label.is_empty() && !name.is_empty()).then_some((label, name, value))
    };
    parts().ok_or_else(|| {
        let text = format!("--env {text}: expected LABEL:NAME=VALUE");
        Usage::new(text).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_read() {
        assert_eq!(variable("me:A=b=c").unwrap(), ("me", "A", "b=c"));
        assert!(variable("A=b").is_err());
        assert!(variable(":A=b").is_err());
    }

    #[test]
    fn durations_are_round() {
        let told = [0.2, 59.0, 90.0, 3599.0, 3600.0, 90_000.0].map(duration);
        assert_eq!(
            told,
            [
                "1 s",
                "1 min",
                "2 min",
                "1 h 00 min",
                "1 h 00 min",
                "25 h 00 min"
            ]
        );
    }
}
