//! Examples at the end of each command's help.

use clap::{Command, FromArgMatches};

/// Reads a program's arguments; the help of its commands ends with those of the examples, one a line, that are theirs.
pub fn parse<T: FromArgMatches>(command: Command, examples: &str) -> T {
    let matches = with_examples(command, examples).get_matches();
    T::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// A command line whose commands end their help with those of the examples that are theirs: an example belongs to the
/// command whose words it begins with.
pub fn with_examples(command: Command, examples: &str) -> Command {
    let path = command.get_name().to_owned();
    at(command, &path, examples)
}

fn at(command: Command, path: &str, examples: &str) -> Command {
    let subcommands = command.get_subcommands();
    let names: Vec<String> = subcommands.map(|one| one.get_name().to_owned()).collect();
    if !names.is_empty() {
        let each = |command: Command, name: String| {
            let path = format!("{path} {name}");
            command.mut_subcommand(name, |inner| at(inner, &path, examples))
        };
        return names.into_iter().fold(command, each);
    }
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
