//! The numbers of requests. An answer repeats the number of its request, so a `ClockedGame` can distinguish a
//! late answer to an earlier request from an answer with a number that was never used.

/// How many numbers are reserved for the requests of one game.
const A_GAME: i64 = 1000;
/// After this many games the numbers repeat. The highest are about 2,000,000 · 1000, which fits 31 bits.
const GAMES: u64 = 2_000_000;

/// One less than the number of a game's first request: game 7 has the numbers 7001, 7002 and so on. Games have
/// disjoint ranges, so an answer to a request of one game cannot pass for an answer in the next game.
pub(super) fn before_first(game_id: u64) -> i64 {
    (game_id % GAMES) as i64 * A_GAME
}

/// The requests that a game has made so far: the numbers from `before` + 1 to `last`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    before: i64,
    last: i64,
}

impl Requests {
    /// The requests of a game that has made none yet.
    pub(super) fn of_game(game_id: u64) -> Requests {
        let before = before_first(game_id);
        Requests {
            before,
            last: before,
        }
    }

    /// Counts another request and returns its number.
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
