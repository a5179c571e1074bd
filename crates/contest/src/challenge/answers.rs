//! Which answers are for which requests.

use std::collections::BTreeSet;

/// Requests of a game that have numbers of their own.
const A_GAME: i64 = 1000;
/// Games whose requests have different numbers: all fit 31 bits.
const GAMES: u64 = 2_000_000;

/// The number before that of a game's first request: no answer to a request of one game can be taken for
/// one of the next.
pub(super) fn before_first(game_id: u64) -> i64 {
    (game_id % GAMES) as i64 * A_GAME
}

/// Requests of a player that were settled without its answer, or that may have been answered twice because
/// it lost its connection: one answer to each is nobody's fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    requests: BTreeSet<i64>,
    answered: Option<i64>,
}

impl Settled {
    /// A request was settled otherwise: by the clock, say.
    pub(super) fn otherwise(&mut self, request: i64) {
        self.requests.insert(request);
    }

    /// A request was answered.
    pub(super) fn answered(&mut self, request: i64) {
        self.answered = Some(request);
    }

    /// The player has a new connection, and a request is open if it is given. What it sent last may have
    /// arrived or not.
    pub(super) fn reconnected(&mut self, open: Option<i64>) {
        self.requests.extend(open.into_iter().chain(self.answered));
    }

    /// Whether an answer to a request is to be dropped without a word. Another one to it is not.
    pub(super) fn excuses(&mut self, request: i64) -> bool {
        self.requests.remove(&request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_answer_to_each_request_is_excused() {
        let mut settled = Settled::default();
        assert!(!settled.excuses(1));
        settled.otherwise(7);
        assert!(settled.excuses(7) && !settled.excuses(7));
        settled.answered(8);
        assert!(!settled.excuses(8), "there was no reason to answer twice");
        settled.reconnected(Some(9));
        assert!(settled.excuses(8) && settled.excuses(9) && !settled.excuses(9));
    }

    #[test]
    fn requests_of_games_have_numbers_of_their_own() {
        assert!(
            before_first(1) >= 1,
            "the number of the rules' example is none"
        );
        assert!(before_first(2) - before_first(1) >= A_GAME);
        assert!(before_first(u64::MAX) + 10 * A_GAME < i64::from(i32::MAX));
    }
}
