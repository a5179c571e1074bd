//! `contest cartagena replay FILE GAME`: prints a recorded game as a list of its actions, or draws its positions.

use super::games;
use crate::cartagena::record::{FaultRecord, Past, Positions, Record};
use crate::records::Selector;
use cartagena::picture;
use cartagena::rules::{Cards, State};
use cartagena::view::View;
use clap::Args as ClapArgs;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

/// Prints a recorded game: its players, every action with what it drew, and the last position.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file of records, or the folder of a tournament
    file: PathBuf,
    /// The game: its number in the file, from 1, or its id such as `1-20-2`
    game: Selector,
    /// Draw only the position before this action, with every hand open, and print the action
    #[arg(long = "move", value_name = "ACTION")]
    action: Option<usize>,
    /// Draw the position before every action
    #[arg(long, conflicts_with = "action")]
    draw: bool,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (record, history) = games::load(&self.file, &self.game)?;
        let text = match self.action {
            Some(number) => {
                let step = games::step(&history, number)?;
                format!("{}\n\n{}", games::heading(&record), drawn(&history, step))
            }
            None => whole(&record, &history, self.draw),
        };
        seats::cli::out().write_all(text.as_bytes())?;
        Ok(())
    }
}

/// The whole game: players, board, hands as dealt, actions and faults, and the last position.
fn whole(record: &Record, history: &Positions, draw: bool) -> String {
    let mut text = games::heading(record);
    if !record.practice.is_none() {
        let _ = write!(text, "\n{}", record.practice);
    }
    let board = history.game.board.spaces().iter().map(|s| s.name());
    let board: Vec<&str> = board.collect();
    let _ = writeln!(text, "\nboard: {}", board.join(" "));
    // If faults ended the game before its first action, there are no steps to take the dealt hands from.
    if let Some(first) = history.steps.first() {
        text.push_str(&hands("dealt", &first.state));
    }
    text.push('\n');
    if draw {
        // A picture for each action instead of the list. All faults come after the pictures.
        for step in 0..history.steps.len() {
            let _ = writeln!(text, "{}", drawn(history, step));
        }
        record
            .faults
            .iter()
            .for_each(|fault| failed(&mut text, fault));
    } else {
        list(&mut text, record, history);
    }
    let _ = writeln!(text, "\nthe last position:");
    text.push_str(&position(history, &history.last));
    text
}

/// Writes a row for each action, with the faults in between.
fn list(text: &mut String, record: &Record, history: &Positions) {
    let _ = writeln!(text, "action  turn  player  {:<14} draws", "played");
    let mut faults = record.faults.iter().peekable();
    for (i, (past, step)) in history.steps.iter().zip(&record.actions).enumerate() {
        // A fault has the number of the action that the player was asked for, and comes before it.
        while let Some(fault) = faults.next_if(|fault| fault.action <= i + 1) {
            failed(text, fault);
        }
        let row = format!(
            "{:>6}  {:>4}  {:>6}  {:<14} {}",
            i + 1,
            past.turn,
            step.player,
            past.action.to_string(),
            cards(past.drawn, ""),
        );
        let _ = writeln!(text, "{}", row.trim_end());
    }
    // Faults after the last action.
    faults.for_each(|fault| failed(text, fault));
}

/// Writes a row for a fault.
fn failed(text: &mut String, fault: &FaultRecord) {
    let penalty = match fault.forfeit {
        true => "out of the game",
        false => "a random action instead",
    };
    let _ = writeln!(
        text,
        "{:>6}  player {} {}: {}; {penalty}",
        fault.action, fault.player, fault.kind, fault.detail
    );
}

/// The position before an action, and the action.
fn drawn(history: &Positions, step: usize) -> String {
    let past = &history.steps[step];
    let mut text = format!("action {}, turn {}:\n", step + 1, past.turn);
    text.push_str(&position(history, &past.state));
    let Past { action, drawn, .. } = past;
    let _ = write!(text, "player {} plays {action}", past.seat() + 1);
    let _ = writeln!(text, "{}", cards(*drawn, ", draws "));
    text
}

/// A position with all hands, and what the player to move sees.
fn position(history: &Positions, state: &State) -> String {
    let mut text = picture::track(&history.game.board, &state.track);
    let view = View::of(state, state.to_move as usize);
    text.push_str(&picture::view(&view));
    text.push_str(&hands("holds", state));
    if let Some(winner) = state.winner() {
        let _ = writeln!(text, "the game is over: player {} has won", winner + 1);
    }
    text
}

/// A line for each player's hand, such as `player 1 holds: …`, with another verb in place of `holds`.
fn hands(verb: &str, state: &State) -> String {
    let players = state.hands.iter().take(state.track.players()).enumerate();
    players.fold(String::new(), |mut text, (seat, &hand)| {
        let held = cards(hand, "");
        let held = if held.is_empty() { "nothing" } else { &held };
        let _ = writeln!(text, "player {} {verb}: {held}", seat + 1);
        text
    })
}

/// The cards with the text `before` in front; empty if there are no cards.
fn cards(cards: Cards, before: &str) -> String {
    if cards.is_empty() {
        return String::new();
    }
    format!("{before}{cards}")
}
