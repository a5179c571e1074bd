//! The records of a match, checked against its games and taken for them: see [`crate::resume`].

use super::Match;
use super::game::Conduct;
use super::record::Record;
use crate::resume::{RecordedMatch, same_line_up, same_value};
use crate::tournament::{Penalty, game_id};
use arena::plain_text::counted;
use arena::schedule::{GameResult, ScheduledGame, SeatResult};

impl RecordedMatch for Match {
    type Record = Record;

    const CONTEST: &'static str = "cartagena";

    fn game_id(&self, scheduled: &ScheduledGame) -> String {
        game_id(&self.line_ups[scheduled.line_up], scheduled)
    }

    fn id(record: &Record) -> String {
        record.id.clone()
    }

    fn verify(&self, scheduled: &ScheduledGame, record: &Record) -> Result<(), String> {
        let participants = scheduled.seats.iter().map(|&seat| &self.participants[seat]);
        let labels = participants.clone().map(|participant| &participant.label);
        same_line_up(record.players.iter(), labels)?;
        same_value("seed", record.seed, self.block_seed(scheduled))?;
        // A record of an earlier version has no fingerprints, and built-in players have none.
        for (participant, then) in participants.zip(&record.programs) {
            let now = &participant.fingerprint;
            if !now.is_empty() && !then.is_empty() && now != then {
                return Err(format!(
                    "the program of {} has changed since (fingerprint {now}, it was {then})",
                    participant.label
                ));
            }
        }
        // The deal is computed anew: a forged record could have the right seed and other cards.
        let (game, world) = self.deal(scheduled);
        let opening = super::record::Opening::of(&world);
        let is_same = record.pirates == game.pirates
            && record.boat_retreat == game.boat_retreat
            && record.opens(&game, &opening);
        if !is_same {
            return Err(
                "its deal or board is not the one of the seed and these settings".to_owned(),
            );
        }
        // Later code relies on one rank for each player.
        same_value(
            "number of ranks",
            record.result.ranks.len(),
            record.players.len(),
        )?;
        let replayed = record.replay(|_, _, _, _| ());
        let (game, state) = replayed.map_err(|error| error.to_string())?;
        if record.resigned.is_some() {
            return Err("a player resigned, which no match allows".to_owned());
        }
        let Conduct { max_turns, penalty } = self.options.conduct;
        let forfeits = penalty == Penalty::Forfeit;
        if record.faults.iter().any(|fault| fault.forfeit != forfeits) {
            return Err("a fault has another penalty than here".to_owned());
        }
        // A game that was cut short would count as a draw.
        let turns = record.result.turns;
        let is_undecided = record.result.winner.is_none() && !game.is_dead(&state);
        if turns > max_turns || is_undecided && turns < max_turns {
            return Err(format!(
                "it ends after {}: expected a winner, or {}",
                counted(turns, "turn"),
                counted(max_turns, "turn")
            ));
        }
        Ok(())
    }

    fn remembered(record: &Record) -> GameResult {
        let mut seats = SeatResult::of_ranks(&record.result.ranks);
        for step in &record.actions {
            if let Some(seat) = seats.get_mut(step.player.wrapping_sub(1)) {
                // Records have milliseconds, statistics nanoseconds.
                seat.nanos.push((step.ms * 1e6) as u64);
            }
        }
        for fault in &record.faults {
            if let Some(seat) = seats.get_mut(fault.player.wrapping_sub(1)) {
                seat.faults.push(fault.kind.name());
            }
        }
        GameResult {
            seats,
            stopped: record.result.winner.is_none(),
            line: Vec::new(),
        }
    }
}
