//! `contest cartagena legal [FILE]`: lists the legal actions in a game in the contest's format, as text or JSON.

use super::position::Source;
use cartagena::belief::Replay;
use cartagena::notation::print_action;
use cartagena::rules::{Action, ActionList};
use clap::Args as ClapArgs;
use seats::cartagena::legal;
use serde::Serialize;
use std::io::Write;

/// Lists the legal actions of the player to move, in their fixed order: by the pirate's place
/// from the rear, then by card, the retreat last. Pirates on one place are one choice.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// Prints them as JSON
    #[arg(long)]
    json: bool,
}

/// The output with `--json`. Players count from 1.
#[derive(Debug, Serialize)]
struct Report {
    /// The player to move.
    player: usize,
    /// Actions this player may still take in this turn; 0 once the game is over.
    actions_left: u8,
    /// Whether the turn may be ended here, by an empty answer.
    pass: bool,
    winner: Option<usize>,
    actions: Vec<Entry>,
}

/// An entry of the list: a legal action.
#[derive(Debug, Serialize)]
struct Entry {
    /// Its number in the list, from 1.
    number: usize,
    /// As the contest writes it.
    action: String,
    from: u8,
    to: u8,
    /// The card played; none for a retreat.
    card: Option<&'static str>,
    /// The number of cards that it draws.
    draws: u8,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let report = Report::of(&self.source.read()?.replay);
        let mut out = seats::cli::out();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
            return Ok(());
        }
        for entry in &report.actions {
            let line = format!(
                "{:>2}  {:<14}  {}",
                entry.number,
                entry.action,
                entry.gain()
            );
            writeln!(out, "{}", line.trim_end())?;
        }
        match (report.winner, report.actions.is_empty()) {
            (Some(winner), _) => writeln!(out, "the game is over: player {winner} has won")?,
            (None, true) => writeln!(out, "no action is legal: the turn ends")?,
            (None, false) if report.pass => writeln!(out, " -  (nothing)       ends the turn")?,
            (None, false) => {}
        }
        Ok(())
    }
}

impl Report {
    /// The legal actions in the last position of a game.
    fn of(replay: &Replay) -> Report {
        let view = &replay.view;
        let over = replay.winner.is_some();
        // `legal` looks only at board and hand, so the end of the game is checked here.
        let list = match over {
            true => ActionList::new(),
            false => legal(&replay.game, view),
        };
        Report {
            player: view.seat + 1,
            actions_left: if over { 0 } else { view.actions_left() },
            // The first action of a turn must be taken if one is legal; later ones are optional.
            pass: !over && (view.taken > 0 || list.is_empty()),
            winner: replay.winner.map(|seat| seat + 1),
            actions: list
                .iter()
                .enumerate()
                .filter_map(|(i, &action)| Entry::of(i + 1, replay, action))
                .collect(),
        }
    }
}

impl Entry {
    /// The entry of an action; none for a pass.
    fn of(number: usize, replay: &Replay, action: Action) -> Option<Entry> {
        let view = &replay.view;
        // A pass has no places; `Report::pass` says whether it is allowed.
        let (from, to) = action.places()?;
        let draws = match action {
            Action::Retreat { to, .. } => view.draws(to),
            _ => 0,
        };
        Some(Entry {
            number,
            action: print_action(view.seat, action),
            from,
            to,
            card: action.card().map(|card| card.name()),
            draws,
        })
    }

    /// The draw of a retreat, in words.
    fn gain(&self) -> String {
        match (self.card, self.draws) {
            (Some(_), _) => String::new(),
            (None, 0) => "draws nothing: no card is left".to_owned(),
            (None, 1) => "draws 1 card".to_owned(),
            (None, n) => format!("draws {n} cards"),
        }
    }
}
