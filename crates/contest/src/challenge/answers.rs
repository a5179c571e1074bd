//! Which answers are for which requests.

/// Requests of a game that have numbers of their own.
const A_GAME: i64 = 1000;
/// Games whose requests have different numbers: all fit 31 bits.
const GAMES: u64 = 2_000_000;

/// The number before that of a game's first request: no answer to a request of one game can be taken for
/// one of the next.
pub(super) fn before_first(game_id: u64) -> i64 {
    (game_id % GAMES) as i64 * A_GAME
}

/// The requests that a game has made so far. They are counted up, so two numbers are all that is kept of
/// them, however long the game goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    before: i64,
    last: i64,
}

impl Requests {
    pub(super) fn of_game(game_id: u64) -> Requests {
        let before = before_first(game_id);
        Requests {
            before,
            last: before,
        }
    }

    /// The number of another request.
    pub(super) fn next(&mut self) -> i64 {
        self.last += 1;
        self.last
    }

    /// Whether there was a request of this number.
    pub(super) fn contains(&self, request: i64) -> bool {
        (self.before + 1..=self.last).contains(&request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_is_known_and_nothing_else() {
        assert!(!Requests::default().contains(0));
        let mut requests = Requests::of_game(7);
        let (first, second) = (requests.next(), requests.next());
        let asked: Vec<i64> = (first - 3..second + 3)
            .filter(|&request| requests.contains(request))
            .collect();
        assert_eq!(asked, [first, second]);
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
