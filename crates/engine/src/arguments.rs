//! Command lines of programs: clap reads them, and whoever names a wrong value is told what was expected.

use clap::{Arg, Command, FromArgMatches, Parser};
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::net::AddrParseError;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::{env, process};

/// Reads this program's arguments. Prints the help, or what is wrong, and exits if there is nothing to run.
pub fn parse<T: Parser>() -> T {
    parse_from(T::command(), env::args_os())
}

/// As [`parse`], for a command that more was added to.
pub fn parse_from<T: FromArgMatches>(
    command: Command,
    arguments: impl IntoIterator<Item = OsString>,
) -> T {
    try_parse(command, arguments).unwrap_or_else(|error| exit(&error))
}

fn try_parse<T: FromArgMatches>(
    command: Command,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<T, clap::Error> {
    let matches = with_negative_numbers(command).try_get_matches_from(arguments)?;
    T::from_arg_matches(&matches)
}

/// Lets options have values such as `-1`. Otherwise clap takes `-1` for an option of that name, and the parser of
/// the value, which knows what is expected, is never asked.
fn with_negative_numbers(command: Command) -> Command {
    let each = |arg: Arg| match arg.get_action().takes_values() && !arg.is_positional() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command
        .mut_args(each)
        .mut_subcommands(with_negative_numbers)
}

/// Prints an error of clap, or the help that was asked for, and exits with clap's status.
pub fn exit(error: &clap::Error) -> ! {
    let printed = match told(error) {
        Some(text) => write!(io::stderr(), "{text}"),
        None => error.print().and_then(|()| io::stdout().flush()),
    };
    match printed {
        // A reader of the help may have read enough; without standard error there is nobody to tell.
        Err(lost) if !error.use_stderr() && lost.kind() != ErrorKind::BrokenPipe => {
            crate::note!("cannot write to standard output: {lost}");
            process::exit(1)
        }
        _ => process::exit(error.exit_code()),
    }
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
    use clap::CommandFactory;
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

    fn read(arguments: &[&str]) -> Result<Args, clap::Error> {
        try_parse(Args::command(), arguments.iter().map(OsString::from))
    }

    #[test]
    fn a_wrong_value_is_told_with_what_was_expected() {
        for (name, value, text) in [
            ("--nodes", "x", "expected a whole number"),
            ("--nodes", "-1", "expected a whole number"),
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
            let wrong = read(&["program", name, value]).unwrap_err();
            let told = told(&wrong).unwrap();
            let first = told.lines().next().unwrap();
            let begin = format!("error: invalid value '{value}'");
            assert!(first.starts_with(&begin), "{told}");
            assert!(first.ends_with(text), "{told}");
            assert!(told.contains(name), "{told}");
        }
        for wrong in [
            ["program", "--level=7"],
            ["program", "--nodes=99999999999999999999"],
            ["program", "--no"],
        ] {
            let wrong = read(&wrong).unwrap_err();
            assert_eq!(told(&wrong), None);
        }
    }
}
