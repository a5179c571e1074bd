//! The referee of a match, and its records, checked against its games and taken for them: see [`crate::resume`].

use super::{Pairing, PairingError, faults};
use crate::challenge::record::GameLine;
use crate::challenge::record::{Entry, descending};
use crate::resume::{OTHER_DEAL, RecordedMatch, same_line_up};
use arena::ranking::places;
use arena::schedule::{GameResult, Referee, ScheduledGame, SeatResult};
use challenge::deals;
use challenge::rules::Cards;
use engine::rng::stream;
use seats::challenge::duplicate::{Duplicate, number};

/// A match of two participants.
pub(crate) enum ChallengeMatch {
    /// Built-in players, who need no connections, and their labels.
    Builtin {
        duplicate: Duplicate,
        labels: [String; 2],
    },
    Programs(Box<Pairing>),
}

impl Referee for ChallengeMatch {
    type Error = PairingError;

    fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, PairingError> {
        match self {
            ChallengeMatch::Builtin { duplicate, .. } => Ok(duplicate.play(scheduled)?),
            ChallengeMatch::Programs(pairing) => pairing.play(scheduled),
        }
    }
}

impl RecordedMatch for ChallengeMatch {
    type Record = GameLine;

    const CONTEST: &'static str = "challenge";

    fn game_id(&self, scheduled: &ScheduledGame) -> String {
        number(scheduled).to_string()
    }

    fn id(record: &GameLine) -> String {
        record.id.to_string()
    }

    fn verify(&self, scheduled: &ScheduledGame, record: &GameLine) -> Result<(), String> {
        let (labels, hands) = match self {
            ChallengeMatch::Builtin { duplicate, labels } => {
                (labels.each_ref(), Some(duplicate.opening(scheduled)))
            }
            ChallengeMatch::Programs(pairing) => {
                let mut rng = stream(pairing.settings.seed, scheduled.block);
                let labels = pairing.participants.each_ref().map(|one| &one.label);
                (labels, deals::shuffled(&mut rng).deal())
            }
        };
        let labels = scheduled.seats.iter().map(|&one| labels[one]);
        verify(labels, hands, record)
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
    // Win or loss: a recorded game has a winner.
    let mut seats = SeatResult::of_ranks(&places(&[0, 1].map(|seat| seat == game.winner)));
    for (number, seat) in seats.iter_mut().enumerate() {
        let ms = game.ms.iter().flat_map(|ms| &ms[number]);
        // Records have milliseconds, statistics nanoseconds.
        seat.nanos = ms.map(|ms| (ms * 1e6) as u64).collect();
        seat.faults = faults(&game.entries, number);
    }
    GameResult {
        seats,
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
