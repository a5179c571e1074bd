//! Command lines of programs: clap reads them, and whoever names a wrong value is told what was expected.

use clap::Parser;
use std::error::Error;
use std::io::{self, Write};
use std::net::AddrParseError;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::process;

/// Reads this program's arguments. Prints the help, or what is wrong, and exits if there is nothing to run.
pub fn parse<T: Parser>() -> T {
    T::try_parse().unwrap_or_else(|error| exit(&error))
}

/// Prints an error of clap, or the help that was asked for, and exits with clap's status.
pub fn exit(error: &clap::Error) -> ! {
    let Some(text) = told(error) else {
        error.exit()
    };
    // Without standard error there is nobody to tell.
    let _ = write!(io::stderr(), "{text}");
    process::exit(error.exit_code())
}

/// The text of an error about a value that a parser of the standard library has refused: these parsers do not say what
/// they expect.
fn told(error: &clap::Error) -> Option<String> {
    let source = error.source()?;
    let text = error.render().to_string();
    Some(text.replacen(&source.to_string(), expected(source)?, 1))
}

/// The input that this parser expects; none for other parsers, and where it says enough.
fn expected(error: &(dyn Error + 'static)) -> Option<&'static str> {
    if let Some(error) = error.downcast_ref::<ParseIntError>() {
        return match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => None,
            IntErrorKind::Zero => Some("expected a whole number from 1"),
            _ => Some("expected a whole number"),
        };
    }
    if error.is::<ParseFloatError>() {
        return Some("expected a number");
    }
    error
        .is::<AddrParseError>()
        .then_some("expected an IP address, such as 127.0.0.1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;
    use std::num::NonZero;

    #[derive(Debug, Parser)]
    struct Args {
        #[arg(long)]
        _nodes: Option<u64>,
        #[arg(long)]
        _threads: Option<NonZero<usize>>,
        #[arg(long)]
        _time: Option<f64>,
        #[arg(long)]
        _bind: Option<IpAddr>,
        #[arg(long, value_parser = clap::value_parser!(u8).range(1..=6))]
        _level: Option<u8>,
    }

    #[test]
    fn a_wrong_value_is_told_with_what_was_expected() {
        for (name, value, text) in [
            ("--nodes", "x", "expected a whole number"),
            ("--nodes", "", "expected a whole number"),
            ("--threads", "0", "expected a whole number from 1"),
            ("--time", "soon", "expected a number"),
            (
                "--bind",
                "here",
                "expected an IP address, such as 127.0.0.1",
            ),
            ("--level", "x", "expected a whole number"),
        ] {
            let wrong = Args::try_parse_from(["program", name, value]).unwrap_err();
            let told = told(&wrong).unwrap();
            let first = told.lines().next().unwrap();
            assert!(
                first.starts_with(&format!("error: invalid value '{value}'")) || value.is_empty(),
                "{told}"
            );
            assert!(first.ends_with(text), "{told}");
            assert!(told.contains(name), "{told}");
        }
        for wrong in [
            ["program", "--level=7"],
            ["program", "--nodes=99999999999999999999"],
            ["program", "--no"],
        ] {
            let wrong = Args::try_parse_from(wrong).unwrap_err();
            assert_eq!(told(&wrong), None);
        }
    }
}
