//! The state of a contest: standings, undecided rounds, and the stages of the final. It follows from the lines of
//! the journal alone. When a server starts, the journal counts its games into a [`Contest`]; afterwards the lobby
//! counts every game that ends.

mod state;

pub use state::ContestState;

use super::bracket::Bracket;
use super::glicko::{Rating, after_win};
use super::teams::{Pair, pair};
use challenge::rules::{Round, Seat};
use std::collections::BTreeMap;

/// A team's record so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    pub rating: Rating,
    pub won: u64,
    pub lost: u64,
    pub rounds_won: u64,
    pub rounds_lost: u64,
}

impl Standing {
    /// Whether a game of the team has counted. Without one it has no rank in the standings.
    pub fn has_played(&self) -> bool {
        self.won + self.lost > 0
    }
}

/// The state of a contest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contest {
    standings: BTreeMap<u64, Standing>,
    /// The rounds that are not decided yet.
    rounds: BTreeMap<Pair, Round>,
    /// Games that each of two teams has won against the other, without those of the final.
    wins: BTreeMap<Pair, [u64; 2]>,
    games: u64,
    /// The stages of the final that have begun. The last one is being played.
    stages: Vec<Bracket>,
}

impl Contest {
    /// A contest of these teams before its first game.
    pub fn new(teams: impl IntoIterator<Item = u64>) -> Contest {
        Contest {
            standings: teams
                .into_iter()
                .map(|id| (id, Standing::default()))
                .collect(),
            ..Contest::default()
        }
    }

    /// Games that were counted, those of the final among them.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The open round of two teams, in the order of the pair.
    pub fn round(&self, teams: Pair) -> Round {
        self.rounds.get(&teams).copied().unwrap_or_default()
    }

    /// Games that the ratings count: all but those of the final.
    pub fn rated_games(&self) -> u64 {
        self.standings.values().map(|one| one.won).sum()
    }

    /// Whether two teams are in the middle of a round.
    pub fn has_open_round(&self, teams: Pair) -> bool {
        self.rounds.contains_key(&teams)
    }

    /// Games that two teams have played against each other before the final.
    pub fn met(&self, teams: Pair) -> u64 {
        self.wins(teams).iter().sum()
    }

    /// Games that each of two teams has won against the other before the final, in the order of the pair.
    pub fn wins(&self, teams: Pair) -> [u64; 2] {
        self.wins.get(&teams).copied().unwrap_or_default()
    }

    /// All pairs that have met before the final, with the games that each of the two has won.
    pub fn head_to_head(&self) -> impl Iterator<Item = (Pair, [u64; 2])> {
        self.wins.iter().map(|(&teams, &wins)| (teams, wins))
    }

    pub fn standing(&self, team: u64) -> Standing {
        self.standings.get(&team).copied().unwrap_or_default()
    }

    /// All teams, the best rated first; those that have not played come last. The final changes nothing in it:
    /// [`Contest::placing`] has its result.
    pub fn standings(&self) -> Vec<(u64, Standing)> {
        let mut all: Vec<_> = self
            .standings
            .iter()
            .map(|(&id, &standing)| (id, standing))
            .collect();
        all.sort_by(|(_, a), (_, b)| {
            // `total_cmp` orders all floats, so the sort cannot panic; it is stable, and equal ratings stay in the
            // order of the teams' numbers.
            let idle = |standing: &Standing| !standing.has_played();
            let by_rating = b.rating.value.total_cmp(&a.rating.value);
            idle(a).cmp(&idle(b)).then(by_rating)
        });
        all
    }

    /// The stage of the final, once it has begun.
    pub fn bracket(&self) -> Option<&Bracket> {
        self.stages.last()
    }

    /// All stages of the final that have begun, in order.
    pub fn stages(&self) -> &[Bracket] {
        &self.stages
    }

    /// The result of the final, once it is over: its teams, the champion first, then by the last stage that they
    /// reached and by their seeds. A team that was not there when the final began has no place.
    pub fn placing(&self) -> Vec<u64> {
        let mut placing = Vec::new();
        if self.bracket().is_some_and(Bracket::is_over) {
            // Each stage has its teams in the order of their seeds, also those that go on to the next.
            for &team in self.stages.iter().rev().flat_map(Bracket::seeds) {
                if !placing.contains(&team) {
                    placing.push(team);
                }
            }
        }
        placing
    }

    /// Begins a stage of the final between these teams, the best first. The first stage drops the undecided rounds
    /// of open play: the final has its own rounds.
    pub fn begin_stage(&mut self, seeds: Vec<u64>) {
        if self.stages.is_empty() {
            self.rounds.clear();
        }
        self.stages.push(Bracket::new(seeds));
    }

    /// Gives an open match of the stage to one of its teams, without another game.
    pub fn forfeit(&mut self, teams: Pair, winner: u64) {
        if let Some(stage) = self.stages.last_mut() {
            let games = self.rounds.remove(&teams).unwrap_or_default().games;
            stage.score(teams, games, Some(winner));
        }
    }

    /// Counts a game. Returns the winner of the round if this game decides it.
    pub fn count(&mut self, teams: [u64; 2], winner: Seat, is_final: bool) -> Option<u64> {
        self.games += 1;
        let (won, lost) = (teams[winner], teams[1 - winner]);
        // A pair is in the order of the teams' numbers, not of the seats. `key[0] != won`, as a number, is the winner's
        // index in the pair.
        let key = pair(won, lost);
        if !is_final {
            self.wins.entry(key).or_default()[usize::from(key[0] != won)] += 1;
            // Both ratings are computed from the values before the game.
            let (up, down) = after_win(&self.standing(won).rating, &self.standing(lost).rating);
            let winner = self.standings.entry(won).or_default();
            (winner.rating, winner.won) = (up, winner.won + 1);
            let loser = self.standings.entry(lost).or_default();
            (loser.rating, loser.lost) = (down, loser.lost + 1);
        }
        let round = self.rounds.entry(key).or_default();
        round.win(usize::from(key[0] != won));
        let (games, winner) = (round.games, round.winner().map(|seat| key[seat]));
        // The bracket takes the score before a decided round is removed below.
        if let Some(bracket) = self.stages.last_mut().filter(|_| is_final) {
            bracket.score(key, games, winner);
        }
        // The next game of these two begins a new round.
        if winner.is_some() {
            self.rounds.remove(&key);
        }
        if winner.is_some() && !is_final {
            self.standings.entry(won).or_default().rounds_won += 1;
            self.standings.entry(lost).or_default().rounds_lost += 1;
        }
        winner
    }

    /// A key for choosing opponents, the lowest first: pairs in the middle of a round before all others, then pairs
    /// with close ratings before pairs with distant ones.
    pub fn preference(&self, teams: Pair) -> (bool, f64) {
        let [one, other] = teams.map(|team| self.standing(team).rating.value);
        (!self.has_open_round(teams), (one - other).abs())
    }

    /// The seats of the next game of two teams: the leader first.
    pub fn seats(&self, teams: Pair) -> [u64; 2] {
        let lead = self.round(teams).next_lead();
        [teams[lead], teams[1 - lead]]
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::GameLine;
    use super::*;

    #[test]
    fn a_round_is_five_games_ahead() {
        let mut contest = Contest::new([1, 2, 3]);
        for game in 0..4 {
            assert_eq!(
                contest.seats([1, 2]),
                if game % 2 == 0 { [1, 2] } else { [2, 1] }
            );
            assert_eq!(contest.count([2, 1], 0, false), None);
        }
        assert!(contest.has_open_round([1, 2]));
        assert_eq!(contest.count([1, 2], 1, false), Some(2));
        assert!(!contest.has_open_round([1, 2]));
        let best = contest.standings()[0];
        assert_eq!((best.0, best.1.won, best.1.rounds_won), (2, 5, 1));
        let other = contest.standing(1);
        assert_eq!((other.lost, other.rounds_lost, other.won), (5, 1, 0));
        assert_eq!((best.1.lost, best.1.rounds_lost), (0, 0));
        assert_eq!(contest.games(), 5);
        assert_eq!((contest.met([1, 2]), contest.wins([1, 2])), (5, [0, 5]));
        assert_eq!(
            contest.head_to_head().collect::<Vec<_>>(),
            [([1, 2], [0, 5])]
        );
        let order: Vec<u64> = contest.standings().iter().map(|(team, _)| *team).collect();
        assert_eq!(order, [2, 1, 3], "who has not played is last");
    }

    #[test]
    fn a_line_has_the_time_if_it_is_known() {
        for (at, text) in [(0, None), (90_000, Some("\"at\":90000"))] {
            let line = GameLine {
                id: 7,
                at,
                ..GameLine::default()
            };
            let written = serde_json::to_string(&line).unwrap();
            assert_eq!(written.contains("\"at\""), text.is_some(), "{written}");
            assert!(text.is_none_or(|text| written.contains(text)), "{written}");
            let read: GameLine = serde_json::from_str(&written).unwrap();
            assert_eq!(read, line);
        }
    }

    /// The losers of the final stand by the stage in which they lost, and a team that was not in it has no place.
    #[test]
    fn a_final_that_is_over_has_a_result() {
        let mut contest = Contest::new([1, 2, 3, 4, 5, 6]);
        contest.count([6, 1], 0, false);
        contest.begin_stage(vec![3, 1, 2, 5, 4]);
        for winners in [&[4, 2][..], &[4], &[4]] {
            assert_eq!(contest.placing(), [0; 0]);
            let open: Vec<Pair> = contest.bracket().unwrap().open().collect();
            for (teams, &winner) in open.into_iter().zip(winners) {
                contest.forfeit(teams, winner);
            }
            let next = contest.bracket().unwrap().next();
            contest.begin_stage(next.unwrap());
        }
        assert_eq!(contest.placing(), [4, 3, 2, 1, 5]);
        contest.count([3, 4], 0, true);
        assert_eq!((contest.games(), contest.rated_games()), (2, 1));
    }

    /// Pairs with an open round come first, then pairs whose ratings are near.
    #[test]
    fn open_rounds_are_preferred_then_teams_that_are_near() {
        let mut contest = Contest::new([1, 2, 3]);
        contest.count([3, 1], 0, false);
        let order = |a: Pair, b: Pair| contest.preference(a) < contest.preference(b);
        assert!(order([1, 3], [1, 2]) && order([1, 3], [2, 3]));
        for _ in 0..6 {
            contest.count([3, 1], 0, false);
        }
        contest.rounds.clear();
        let order = |a: Pair, b: Pair| contest.preference(a) < contest.preference(b);
        assert!(order([1, 2], [1, 3]) && order([2, 3], [1, 3]));
    }
}
