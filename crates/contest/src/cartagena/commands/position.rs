//! A game in the contest's format from a file or standard input, for the commands `legal` and `show`.

use crate::Usage;
use arena::input::{self, STDIN};
use cartagena::belief::ReplayOptions;
use cartagena::player::call::Call;
use clap::Args as ClapArgs;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// The most bytes of a game that are read. No game is so long.
const MAX_BYTES: u64 = 16 << 20;

#[derive(Debug, ClapArgs)]
pub(super) struct Source {
    /// A file with the game in the contest's format; without one, or with `-`, the game is read from standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Cards dealt to each player [default: what fits the hand, 3 if nothing does]
    #[arg(long, value_name = "N")]
    deal: Option<usize>,
    /// A pirate on the boat may not retreat
    #[arg(long)]
    no_boat_retreat: bool,
}

impl Source {
    /// Reads the game and replays it. Inconsistencies in it are printed on standard error.
    ///
    /// # Errors
    /// Wrong usage if the file cannot be read, or has no game.
    pub(super) fn read(&self) -> anyhow::Result<Call> {
        let path = self.file.as_deref().unwrap_or(Path::new(STDIN));
        let is_stdin = path == Path::new(STDIN);
        let name = match is_stdin {
            false => path.display().to_string(),
            true => "standard input".to_owned(),
        };
        if is_stdin && io::stdin().is_terminal() {
            engine::note!("contest: reading a game from the terminal; end it with Ctrl-D");
        }
        let mut text = Vec::new();
        // The one byte more shows that the text is too long.
        input::lines(path)
            .and_then(|lines| lines.take(MAX_BYTES + 1).read_to_end(&mut text))
            .map_err(|error| Usage::new(format!("cannot read {name}: {error}")))?;
        if text.len() as u64 > MAX_BYTES {
            refuse!("{name} is longer than any game: more than {MAX_BYTES} bytes");
        }
        let options = ReplayOptions {
            deal: self.deal,
            boat_retreat: !self.no_boat_retreat,
        };
        let call = Call::read(&text, &options)
            .map_err(|error| Usage::new(format!("cannot read the game in {name}: {error}")))?;
        for inconsistency in &call.replay.inconsistencies {
            engine::note!("contest: inconsistency: {inconsistency}");
        }
        for left in &call.replay.left {
            engine::note!("contest: {left}");
        }
        Ok(call)
    }
}
