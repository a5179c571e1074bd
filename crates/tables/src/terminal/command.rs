//! The commands that can be typed besides an action.

/// The help on all commands.
pub(super) const COMMANDS: [&str; 8] = [
    "a number   takes the action of that number; the contest's notation does, too",
    "hint       shows the built-in player's value of each action",
    "undo       takes your last action back, and all after it",
    "log        lists all that has happened",
    "rules      explains the game in short",
    "help       prints this",
    "quit       leaves; the game is kept, and `--resume` continues it",
    "? h u l r q are short for hint, help, undo, log, rules, quit",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Nothing,
    Help,
    Undo,
    Hint,
    Rules,
    Log,
    Quit,
    /// The number of a choice.
    Number(usize),
    /// Anything else is an action.
    Action,
}

impl Command {
    pub(super) fn read(typed: &str) -> Command {
        match typed.to_ascii_lowercase().as_str() {
            "" => Command::Nothing,
            "help" | "h" => Command::Help,
            "undo" | "u" => Command::Undo,
            "hint" | "?" => Command::Hint,
            "rules" | "r" => Command::Rules,
            "log" | "l" => Command::Log,
            "quit" | "q" | "exit" => Command::Quit,
            text => text.parse().map_or(Command::Action, Command::Number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_actions() {
        assert_eq!(Command::read("UNDO"), Command::Undo);
        assert_eq!(Command::read("12"), Command::Number(12));
        assert_eq!(Command::read("1 0 4 hat"), Command::Action);
        assert_eq!(Command::read("99999999999999999999999"), Command::Action);
        assert!(COMMANDS.iter().all(|line| line.chars().count() <= 80));
    }
}
