//! `contest cartagena show [FILE]`: draws the last position of a game in the contest's format.

use super::position::Source;
use arena::plain_text::counted;
use cartagena::picture;
use clap::Args as ClapArgs;
use std::io::Write;

/// Draws the last position of a game, with all that the player to move may know.
///
/// It shows the track, where numbers of players stand for their pirates, the hands, the piles, and the
/// expected number of cards of each symbol in the other hands and the draw pile.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let replay = self.source.read()?.replay;
        let mut out = seats::cli::out();
        let board = &replay.game.board;
        write!(out, "{}", picture::track(board, &replay.view.track))?;
        write!(out, "{}", picture::view(&replay.view))?;
        writeln!(out, "deal: {} each", counted(replay.deal, "card"))?;
        if let Some(winner) = replay.winner {
            writeln!(out, "the game is over: player {} has won", winner + 1)?;
        }
        writeln!(out, "\n{}", replay.belief.unseen().to_string().trim_end())?;
        Ok(())
    }
}
