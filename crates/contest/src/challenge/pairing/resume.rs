//! The records of a match, checked against its games and taken for them: see [`crate::resume`].

use super::{Pairing, faults};
use crate::challenge::record::GameLine;
use crate::challenge::record::{Entry, descending};
use crate::resume::{OTHER_DEAL, RecordedMatch, same_line_up};
use arena::schedule::{GameResult, Referee, ScheduledGame, SeatResult};
use challenge::deals;
use challenge::rules::Cards;
use engine::rng::stream;
use seats::challenge::duplicate::{Duplicate, GameError, number};

/// A match of built-in players, who need no connections, and their labels.
pub(crate) struct BuiltinMatch {
    pub(crate) duplicate: Duplicate,
    pub(crate) labels: [String; 2],
}

impl Referee for BuiltinMatch {
    type Error = GameError;

    fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, GameError> {
        self.duplicate.play(scheduled)
    }
}

impl RecordedMatch for BuiltinMatch {
    type Record = GameLine;

    const CONTEST: &'static str = "challenge";

    fn game_id(&self, scheduled: &ScheduledGame) -> String {
        number(scheduled).to_string()
    }

    fn id(record: &GameLine) -> String {
        record.id.to_string()
    }

    fn verify(&self, scheduled: &ScheduledGame, record: &GameLine) -> Result<(), String> {
        let labels = scheduled.seats.iter().map(|&one| &self.labels[one]);
        verify(labels, Some(self.duplicate.opening(scheduled)), record)
    }

    fn remembered(record: &GameLine) -> GameResult {
        result(record)
    }
}

impl RecordedMatch for Pairing {
    type Record = GameLine;

    const CONTEST: &'static str = "challenge";

    fn game_id(&self, scheduled: &ScheduledGame) -> String {
        number(scheduled).to_string()
    }

    fn id(record: &GameLine) -> String {
        record.id.to_string()
    }

    fn verify(&self, scheduled: &ScheduledGame, record: &GameLine) -> Result<(), String> {
        let seats = scheduled.seats.iter();
        let labels = seats.map(|&one| &self.participants[one].label);
        let mut rng = stream(self.settings.seed, scheduled.block);
        verify(labels, deals::shuffled(&mut rng).deal(), record)
    }

    fn remembered(record: &GameLine) -> GameResult {
        result(record)
    }
}

/// Checks the record of a game between these two, by seat, that begins with these hands.
fn verify<'a>(
    labels: impl Iterator<Item = &'a String>,
    hands: Option<[Cards; 2]>,
    record: &'a GameLine,
) -> Result<(), String> {
    same_line_up(record.names.iter().flatten(), labels)?;
    // A record has no seed, but each seed has other cards.
    let dealt = hands
        .zip(record.entries.first())
        .is_some_and(|(hands, first)| {
            let Entry::NewHand {
                player0_hand,
                player1_hand,
                ..
            } = first
            else {
                return false;
            };
            [descending(hands[0]), descending(hands[1])] == [&player0_hand[..], &player1_hand[..]]
        });
    if !dealt {
        return Err(OTHER_DEAL.to_owned());
    }
    // Later code relies on a winner.
    if record.winner > 1 {
        return Err("it has no winner".to_owned());
    }
    record.verify()
}

/// The result of a recorded game, without its line.
pub(super) fn result(game: &GameLine) -> GameResult {
    let seat = |seat: usize| {
        let ms = game.ms.as_ref().map(|ms| &ms[seat]);
        SeatResult {
            // Win or loss: a recorded game has a winner.
            share: f64::from(u8::from(game.winner == seat)),
            rank: if game.winner == seat { 1.0 } else { 2.0 },
            // Records have milliseconds, statistics nanoseconds.
            nanos: ms
                .into_iter()
                .flatten()
                .map(|ms| (ms * 1e6) as u64)
                .collect(),
            faults: faults(&game.entries, seat),
        }
    };
    GameResult {
        seats: vec![seat(0), seat(1)],
        stopped: false,
        line: Vec::new(),
    }
}

/// The milliseconds of decisions, as records have them, from nanoseconds.
pub(crate) fn millis(nanos: &[Vec<u64>; 2]) -> [Vec<f64>; 2] {
    // Whole microseconds, so that lines stay short.
    let ms = |nanos: &u64| (nanos / 1000) as f64 / 1e3;
    nanos.each_ref().map(|nanos| nanos.iter().map(ms).collect())
}
