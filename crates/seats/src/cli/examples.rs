//! Adds examples to the help of commands. A program has one text with all its examples, one a line; each command's
//! help ends with those lines of it that call this command.

use clap::{Command, FromArgMatches};
use engine::arguments;
use std::ffi::OsString;

/// Reads a program's arguments, with `examples` in the help of its commands. Prints help or an error and exits if
/// there is nothing to run.
pub fn parse<T: FromArgMatches>(
    command: Command,
    examples: &str,
    arguments: impl IntoIterator<Item = OsString>,
) -> T {
    arguments::parse_from(with_examples(command, examples), arguments)
}

/// Adds to the help of each command those lines of `examples` that begin with the command's words.
pub fn with_examples(command: Command, examples: &str) -> Command {
    let path = command.get_name().to_owned();
    at(command, &path, examples)
}

/// As [`with_examples`] for a command that is called by the words `path`, such as `lab cartagena bench`.
fn at(command: Command, path: &str, examples: &str) -> Command {
    let subcommands = command.get_subcommands();
    let names: Vec<String> = subcommands.map(|one| one.get_name().to_owned()).collect();
    // Examples belong to the commands that do something, not to the groups above them.
    if !names.is_empty() {
        let each = |command: Command, name: String| {
            let path = format!("{path} {name}");
            command.mut_subcommand(name, |inner| at(inner, &path, examples))
        };
        return names.into_iter().fold(command, each);
    }
    // A space or the end must follow, or `lab eights` would get the examples of a command `lab eights2`.
    let is_own = |line: &&str| {
        let rest = line.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let own: Vec<&str> = examples.lines().filter(is_own).collect();
    if own.is_empty() {
        return command;
    }
    let before = command.get_after_help().map(|text| format!("{text}\n\n"));
    let text = format!(
        "{}Examples:\n  {}",
        before.unwrap_or_default(),
        own.join("\n  ")
    );
    command.after_help(text)
}
