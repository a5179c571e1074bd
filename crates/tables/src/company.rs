//! The people at a table: who has come, what they have written to each other, and how much time they have left.

use super::setup::TimeLimit;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// Lines of the chat that are kept.
const LINES: usize = 100;
/// The longest line of the chat, in characters.
pub(super) const LINE: usize = 200;

/// The people at a table. The table's file has the time used in a game, and at a table with a limit also whether
/// somebody has come.
#[derive(Debug)]
pub(super) struct Company {
    /// By seat, whether the page of its link was opened; without a limit, since the server started.
    came: Vec<bool>,
    /// Whether somebody has come since the server started.
    is_attended: bool,
    chat: VecDeque<(usize, String)>,
    limit: Option<TimeLimit>,
    /// The time used until the clocks last stood, by seat and by the number of the action for which it counts. Time
    /// that counts for the whole game has the number 0.
    used: BTreeMap<(usize, usize), Duration>,
    /// The clock that runs.
    running: Option<RunningClock>,
}

/// A clock that runs.
#[derive(Clone, Copy, Debug)]
struct RunningClock {
    seat: usize,
    /// The number of the action that is due, from 0.
    action: usize,
    /// The moment since which it runs.
    since: Instant,
}

impl Company {
    pub(super) fn new(seats: usize, limit: Option<TimeLimit>) -> Company {
        Company {
            came: vec![false; seats],
            is_attended: false,
            chat: VecDeque::new(),
            limit,
            used: BTreeMap::new(),
            running: None,
        }
    }

    /// Notes that the page of a seat is open; returns whether that is new.
    pub(super) fn come(&mut self, seat: usize) -> bool {
        self.is_attended = true;
        self.has_been(seat)
    }

    /// Notes that the page of a seat was open once; returns whether that is new.
    pub(super) fn has_been(&mut self, seat: usize) -> bool {
        self.came
            .get_mut(seat)
            .is_some_and(|came| !std::mem::replace(came, true))
    }

    pub(super) fn is_attended(&self) -> bool {
        self.is_attended
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

    /// Counts time that a seat has used for the action with this number.
    pub(super) fn use_up(&mut self, seat: usize, action: usize, time: Duration) {
        *self.used.entry(self.counted(seat, action)).or_default() += time;
    }

    /// The seat, and the number of the action for which its time counts.
    fn counted(&self, seat: usize, action: usize) -> (usize, usize) {
        match self.limit {
            Some(TimeLimit::Action(_)) => (seat, action),
            _ => (seat, 0),
        }
    }

    /// Notes that a seat went back to its action with this number. The time that it has used for this action and later
    /// ones stays used: otherwise it could think without a limit by going back again and again. Others begin those
    /// actions with all their time.
    pub(super) fn gone_back(&mut self, seat: Option<usize>, action: usize) {
        self.used
            .retain(|&(other, number), _| number <= action || Some(other) == seat);
    }

    /// Stops the clock that runs; returns its seat and the time it ran, if that counts for the whole game.
    pub(super) fn stop(&mut self) -> Option<(usize, Duration)> {
        let RunningClock {
            seat,
            action,
            since,
        } = self.running.take()?;
        let time = since.elapsed();
        self.use_up(seat, action, time);
        matches!(self.limit, Some(TimeLimit::Game(_))).then_some((seat, time))
    }

    /// Starts the clock of a seat for the action with this number, if people have clocks here.
    pub(super) fn start(&mut self, seat: usize, action: usize) {
        self.running = self.limit.map(|_| RunningClock {
            seat,
            action,
            since: Instant::now(),
        });
    }

    /// The seat whose clock runs, and the moment at which its time is up.
    pub(super) fn deadline(&self) -> Option<(usize, Instant)> {
        let RunningClock {
            seat,
            action,
            since,
        } = self.running?;
        Some((seat, since + self.left(seat, action)?))
    }

    /// The time that a seat had left for the action with this number when its clock last stood.
    fn left(&self, seat: usize, action: usize) -> Option<Duration> {
        let (TimeLimit::Action(seconds) | TimeLimit::Game(seconds)) = self.limit?;
        let used = self.used.get(&self.counted(seat, action));
        let all = Duration::from_secs(seconds.into());
        Some(all.saturating_sub(used.copied().unwrap_or_default()))
    }

    /// The clocks for the page: milliseconds that each seat has left, and the seat whose clock runs.
    pub(super) fn clocks(&self) -> Value {
        let left = |seat: usize| {
            let running = self.running.filter(|running| running.seat == seat);
            let gone = running.map_or(Duration::ZERO, |running| running.since.elapsed());
            // A clock that stands shows the whole limit for an action: no time was used for one that never comes.
            let action = running.map_or(usize::MAX, |running| running.action);
            let left = self.left(seat, action).unwrap_or_default();
            left.saturating_sub(gone).as_millis() as u64
        };
        match self.limit {
            None => Value::Null,
            Some(limit) => json!({
                "limit": limit,
                "left": (0..self.came.len()).map(left).collect::<Vec<_>>(),
                "running": self.running.map(|running| running.seat),
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
            company.start(1, 0);
            assert_eq!(company.deadline().is_some(), limit.is_some());
            let stopped = company.stop();
            assert_eq!(stopped.is_some(), is_counted);
            assert!(stopped.is_none_or(|(seat, _)| seat == 1));
            // A minute that was used up before leaves nothing of a game's limit.
            company.use_up(1, 0, Duration::from_secs(61));
            company.start(1, 1);
            let left = company.clocks()["left"][1].as_u64();
            assert_eq!(left.map(|left| left == 0), limit.map(|_| is_counted));
        }
    }

    /// Going back returns no time: a minute that was used for an action and for the one after it stays used. Another
    /// player has all of its time again.
    #[test]
    fn the_time_for_an_action_goes_on_after_a_take_back() {
        let left = |company: &mut Company, seat: usize, action: usize| {
            company.start(seat, action);
            let left = company.clocks()["left"][seat].as_u64().unwrap();
            company.stop();
            left
        };
        let minute = Duration::from_secs(60);
        let mut company = Company::new(2, Some(TimeLimit::Action(60)));
        for (seat, action) in [(0, 3), (0, 4), (1, 4)] {
            assert!(left(&mut company, seat, action) > 0);
            company.use_up(seat, action, minute);
        }
        company.gone_back(Some(0), 3);
        for (seat, action, is_used_up) in [(0, 3, true), (0, 4, true), (0, 5, false), (1, 4, false)]
        {
            let left = left(&mut company, seat, action);
            assert_eq!(left == 0, is_used_up, "{seat}, {action}: {left}");
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
