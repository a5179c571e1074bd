//! The hidden command `contest pages`, which writes the manual pages and shell completions of all programs. The
//! release script calls it.

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::{Shell, generate_to};
use std::fs;
use std::path::PathBuf;

/// The shells that completions are written for.
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

/// Where the pages are written.
#[derive(Debug, Args)]
pub(crate) struct PagesArgs {
    /// Gets `man`, a page for each program and each of its subcommands, and `completions`, a file for each
    /// program and shell
    folder: PathBuf,
}

impl PagesArgs {
    /// Writes pages and completions of this program (its command line is `this`), of `lab` and of the players.
    pub(crate) fn run(self, this: Command) -> anyhow::Result<()> {
        let (man, completions) = (self.folder.join("man"), self.folder.join("completions"));
        let cannot = || format!("cannot write to {}", self.folder.display());
        fs::create_dir_all(&man).with_context(cannot)?;
        fs::create_dir_all(&completions).with_context(cannot)?;
        for command in [
            this,
            lab::command(),
            cartagena::program::command(),
            challenge::program::command(),
            eights::program::command(),
            hearts::program::command(),
        ] {
            let name = command.get_name().to_owned();
            for shell in SHELLS {
                generate_to(shell, &mut command.clone(), &name, &completions)
                    .with_context(cannot)?;
            }
            clap_mangen::generate_to(without_help(command), &man).with_context(cannot)?;
        }
        Ok(())
    }
}

/// The same command without its subcommands `help`: they would get empty pages.
fn without_help(command: Command) -> Command {
    let subcommands = command.get_subcommands();
    let names: Vec<String> = subcommands.map(|c| c.get_name().to_owned()).collect();
    // Recursive: `help` exists below each command with subcommands.
    let command = command.disable_help_subcommand(true);
    let each = |command: Command, name| command.mut_subcommand(name, without_help);
    names.into_iter().fold(command, each)
}
