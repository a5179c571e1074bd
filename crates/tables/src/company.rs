//! The people at a table: who has come, what they have written to each other, and how much time they have left.

use super::setup::TimeLimit;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Lines of the chat that are kept.
const LINES: usize = 100;
/// The longest line of the chat, in characters.
pub(super) const LINE: usize = 200;

/// The people at a table. Only the time used in a game is in the table's file.
#[derive(Debug)]
pub(super) struct Company {
    /// By seat, whether the page of its link was opened since the server started.
    came: Vec<bool>,
    chat: VecDeque<(usize, String)>,
    limit: Option<TimeLimit>,
    /// By seat, the time used for actions of this game that are over.
    used: Vec<Duration>,
    /// The seat whose clock runs, and the moment since which it does.
    running: Option<(usize, Instant)>,
}

impl Company {
    pub(super) fn new(seats: usize, limit: Option<TimeLimit>) -> Company {
        Company {
            came: vec![false; seats],
            chat: VecDeque::new(),
            limit,
            used: vec![Duration::ZERO; seats],
            running: None,
        }
    }

    /// Notes that the page of a seat is open; returns whether that is new.
    pub(super) fn come(&mut self, seat: usize) -> bool {
        self.came
            .get_mut(seat)
            .is_some_and(|came| !std::mem::replace(came, true))
    }

    pub(super) fn has_come(&self, seat: usize) -> bool {
        self.came.get(seat) == Some(&true)
    }

    /// Adds a line to the chat.
    ///
    /// # Errors
    /// The expected input, if it is no line.
    pub(super) fn say(&mut self, seat: usize, line: &str) -> Result<(), String> {
        let line = line.trim();
        let long = line.chars().count();
        if long == 0 || long > LINE {
            return Err(format!(
                "expected a line of 1 to {LINE} characters, not one of {long}"
            ));
        }
        if let Some(wild) = line.chars().find(|c| c.is_control()) {
            return Err(format!("expected a line without {wild:?}"));
        }
        if self.chat.len() == LINES {
            self.chat.pop_front();
        }
        self.chat.push_back((seat, line.to_owned()));
        Ok(())
    }

    /// Counts time that a seat has used for earlier actions.
    pub(super) fn use_up(&mut self, seat: usize, time: Duration) {
        if let Some(used) = self.used.get_mut(seat) {
            *used += time;
        }
    }

    /// Stops the clock that runs; returns its seat and the time it ran, if that counts for the whole game.
    pub(super) fn stop(&mut self) -> Option<(usize, Duration)> {
        let (seat, since) = self.running.take()?;
        let time = since.elapsed();
        self.use_up(seat, time);
        matches!(self.limit, Some(TimeLimit::Game(_))).then_some((seat, time))
    }

    /// Starts the clock of a seat, if people have clocks here.
    pub(super) fn start(&mut self, seat: usize) {
        self.running = self.limit.map(|_| (seat, Instant::now()));
    }

    /// The seat whose clock runs, and the moment at which its time is up.
    pub(super) fn deadline(&self) -> Option<(usize, Instant)> {
        let (seat, since) = self.running?;
        Some((seat, since + self.left(seat)?))
    }

    /// The time that a seat had left when its clock last stood.
    fn left(&self, seat: usize) -> Option<Duration> {
        let all = |seconds: u32| Duration::from_secs(seconds.into());
        match self.limit? {
            TimeLimit::Action(seconds) => Some(all(seconds)),
            TimeLimit::Game(seconds) => Some(all(seconds).saturating_sub(*self.used.get(seat)?)),
        }
    }

    /// The clocks for the page: milliseconds that each seat has left, and the seat whose clock runs.
    pub(super) fn clocks(&self) -> Value {
        let left = |seat: usize| {
            let since = self.running.filter(|&(own, _)| own == seat);
            let gone = since.map_or(Duration::ZERO, |(_, since)| since.elapsed());
            let left = self.left(seat).unwrap_or_default().saturating_sub(gone);
            left.as_millis() as u64
        };
        match self.limit {
            None => Value::Null,
            Some(limit) => json!({
                "limit": limit,
                "left": (0..self.used.len()).map(left).collect::<Vec<_>>(),
                "running": self.running.map(|(seat, _)| seat),
            }),
        }
    }

    /// The chat for the page.
    pub(super) fn chat(&self) -> Value {
        let line = |(seat, text): &(usize, String)| json!({ "seat": seat, "text": text });
        self.chat.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_for_the_action_or_for_the_game() {
        for (limit, is_counted) in [
            (Some(TimeLimit::Action(60)), false),
            (Some(TimeLimit::Game(60)), true),
            (None, false),
        ] {
            let mut company = Company::new(2, limit);
            company.start(1);
            assert_eq!(company.deadline().is_some(), limit.is_some());
            let stopped = company.stop();
            assert_eq!(stopped.is_some(), is_counted);
            assert!(stopped.is_none_or(|(seat, _)| seat == 1));
            // A minute that was used up before leaves nothing of a game's limit.
            company.use_up(1, Duration::from_secs(61));
            company.start(1);
            let left = company.clocks()["left"][1].as_u64();
            assert_eq!(left.map(|left| left == 0), limit.map(|_| is_counted));
        }
    }

    #[test]
    fn the_chat_takes_lines_and_keeps_the_latest() {
        let mut company = Company::new(2, None);
        for wrong in ["", "  ", "a\nb", &"x".repeat(LINE + 1)] {
            assert!(company.say(0, wrong).is_err(), "{wrong:?}");
        }
        for number in 0..=LINES {
            company.say(1, &format!(" line {number} ")).unwrap();
        }
        let chat = company.chat();
        assert_eq!(chat.as_array().unwrap().len(), LINES);
        assert_eq!(chat[0], json!({ "seat": 1, "text": "line 1" }));
        assert!(company.come(1) && !company.come(1) && !company.has_come(0));
        assert!(!company.come(7), "there is no such seat");
    }
}
