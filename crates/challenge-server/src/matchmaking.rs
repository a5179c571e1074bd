//! Matchmaking: every two teams meet about equally often, even if teams come and go and are slow.
//!
//! The lobby reports the teams that connect and the games that begin and end, and asks `next` for two teams to play.

use super::teams::{Pair, pair};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a team waits for an opponent that it has met less often, before it meets a frequent one
/// again.
const PATIENCE: Duration = Duration::from_secs(1);

/// A team that is in no game.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    team: u64,
    since: Duration,
}

/// The teams that wait for a game, and how often each two have met.
#[derive(Clone, Debug, Default)]
pub(super) struct Matchmaking {
    /// In the order in which teams became free. A team that connects keeps its position and waits anew.
    waiting: Vec<Waiting>,
    /// Games of each pair. For a team that joined late, games that it missed are included (see `join`).
    met: BTreeMap<Pair, u64>,
}

impl Matchmaking {
    /// All teams wait. `met` returns how often a pair met before.
    pub fn new(teams: &[u64], met: impl Fn(Pair) -> u64) -> Matchmaking {
        let since = Duration::ZERO;
        let mut matchmaking = Matchmaking::default();
        for (i, &team) in teams.iter().enumerate() {
            matchmaking.waiting.push(Waiting { team, since });
            for &other in &teams[..i] {
                let teams = pair(team, other);
                matchmaking.met.insert(teams, met(teams));
            }
        }
        matchmaking
    }

    /// Whether a team is in no game.
    pub fn is_free(&self, team: u64) -> bool {
        self.waiting.iter().any(|waiting| waiting.team == team)
    }

    fn met(&self, one: u64, other: u64) -> u64 {
        self.met.get(&pair(one, other)).copied().unwrap_or(0)
    }

    /// A team joins others that play already. The games that it missed count as played: its counts are raised to
    /// those of the other teams. Otherwise everybody would wait for it until it has caught up. If it is in no
    /// game, its wait for an opponent starts now.
    pub fn join(&mut self, team: u64, others: &[u64], now: Duration) {
        // The level of an opponent: the fewest games that it has played against any third team. Example: if A
        // has met B 5 times and C 7 times, a new team D counts 5 games against A.
        let level = |other: u64| {
            let third = others
                .iter()
                .filter(|&&third| third != other && third != team);
            third.map(|&third| self.met(other, third)).min()
        };
        // Collected before any count changes, so the levels do not depend on the order of `others`.
        let levels: Vec<(u64, u64)> = others
            .iter()
            .filter(|&&other| other != team)
            .filter_map(|&other| Some((other, level(other)?)))
            .collect();
        for (other, level) in levels {
            let met = self.met.entry(pair(team, other)).or_default();
            // Never lowered: games that were really played still count.
            *met = level.max(*met);
        }
        let waiting = self.waiting.iter_mut().find(|one| one.team == team);
        if let Some(waiting) = waiting {
            waiting.since = now;
        }
    }

    /// Two teams begin a game.
    pub fn begin(&mut self, teams: Pair) {
        // A team in a game is not in `waiting`; its counts remain.
        self.waiting.retain(|one| !teams.contains(&one.team));
    }

    /// Two teams have finished a game.
    pub fn finish(&mut self, teams: Pair, now: Duration) {
        *self.met.entry(teams).or_default() += 1;
        let waiting = teams.map(|team| Waiting { team, since: now });
        self.waiting.extend(waiting);
    }

    /// When the next team's patience ends.
    pub fn wake(&self, now: Duration) -> Option<Duration> {
        let ends = self.waiting.iter().map(|one| one.since + PATIENCE);
        // Ends that have passed were already considered by `next`.
        ends.filter(|&end| end > now).min()
    }

    /// The next two teams to play, both from the list `eligible`, which includes teams that are in a game. At least one
    /// of the two is `present` (connected). The team that has waited longest chooses first. It takes the opponent
    /// that it has met least often; among several, the one with the lowest `key`.
    pub fn next(
        &self,
        now: Duration,
        eligible: &[u64],
        present: impl Fn(u64) -> bool,
        key: impl Fn(Pair) -> (bool, f64),
    ) -> Option<Pair> {
        let waiting = self
            .waiting
            .iter()
            .filter(|one| eligible.contains(&one.team));
        // Each waiting team with its limit: it accepts opponents that it has met at most this often. A patient
        // team accepts only a least-met opponent, and waits even for one that is in a game. Example: A met B 3
        // times and C twice, and C is playing: A waits up to `PATIENCE` for C, then takes B if B accepts.
        let ready: Vec<(Waiting, u64)> = waiting
            .map(|&one| {
                let others = eligible.iter().filter(|&&other| other != one.team);
                let least = others.map(|&other| self.met(one.team, other)).min();
                let patient = present(one.team) && now < one.since + PATIENCE;
                // An impatient team takes any opponent, and so does an absent one.
                (
                    one,
                    if patient {
                        least.unwrap_or(0)
                    } else {
                        u64::MAX
                    },
                )
            })
            .collect();
        ready.iter().find_map(|&(first, most)| {
            if !present(first.team) {
                return None;
            }
            // Both must accept, so the lower of the two limits counts.
            let fits = |&&(other, others_most): &&(Waiting, u64)| {
                other.team != first.team
                    && self.met(first.team, other.team) <= most.min(others_most)
            };
            // Fewest meetings first, then the caller's key.
            let order = |&(other, _): &(Waiting, u64)| {
                let teams = pair(first.team, other.team);
                (self.met(first.team, other.team), key(teams), teams)
            };
            let fitting = ready.iter().filter(fits).map(order);
            let best = fitting.min_by(|a, b| {
                let first = a.0.cmp(&b.0).then(a.1.0.cmp(&b.1.0));
                first.then(a.1.1.total_cmp(&b.1.1))
            });
            best.map(|(_, _, teams)| teams)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng::{below, stream};

    const SECOND: Duration = Duration::from_secs(1);

    fn any(_: Pair) -> (bool, f64) {
        (false, 0.0)
    }

    /// Simulates matchmaking until `end`. A game takes as long as the slower of its teams, and `joins` says
    /// when late teams come. Returns how often each pair met.
    fn simulate(speeds: &[(u64, u64)], joins: &[(u64, Duration)], end: Duration) -> Vec<u64> {
        let teams: Vec<u64> = (1..=speeds.len() as u64).collect();
        let mut matchmaking = Matchmaking::new(&teams, |_| 0);
        let mut rng = stream(1, 0);
        let mut games: Vec<(Duration, Pair)> = Vec::new();
        let mut met = BTreeMap::new();
        let joined = |team: u64, now: Duration| {
            let at = joins.iter().find(|(other, _)| *other == team);
            at.is_none_or(|&(_, at)| at <= now)
        };
        let mut now = Duration::ZERO;
        let mut came: Vec<u64> = Vec::new();
        while now < end {
            let here: Vec<u64> = teams.iter().copied().filter(|&t| joined(t, now)).collect();
            for &team in &here {
                if !came.contains(&team) {
                    matchmaking.join(team, &came, now);
                    came.push(team);
                }
            }
            while let Some(teams) = matchmaking.next(now, &here, |_| true, any) {
                matchmaking.begin(teams);
                let longest = teams.map(|team| {
                    let (least, most) = speeds[team as usize - 1];
                    least + below(&mut rng, (most - least + 1) as usize) as u64
                });
                let length = Duration::from_millis(longest[0].max(longest[1]));
                games.push((now + length, teams));
            }
            let over = games.iter().map(|game| game.0).min();
            let next = joins.iter().map(|&(_, at)| at).filter(|&at| at > now);
            let wakes = [over, matchmaking.wake(now), next.min()];
            now = wakes.into_iter().flatten().min().unwrap_or(end);
            let (done, left) = games.into_iter().partition(|game| game.0 <= now);
            games = left;
            for (_, teams) in done as Vec<(Duration, Pair)> {
                *met.entry(teams).or_insert(0) += 1;
                matchmaking.finish(teams, now);
            }
        }
        let pairs = teams
            .iter()
            .flat_map(|&a| teams.iter().map(move |&b| (a, b)));
        pairs
            .filter(|(a, b)| a < b)
            .map(|(a, b)| met.get(&pair(a, b)).copied().unwrap_or(0))
            .collect()
    }

    fn assert_even(met: &[u64]) {
        let (least, most) = (met.iter().min().unwrap(), met.iter().max().unwrap());
        assert!(*most as f64 <= 1.5 * *least as f64, "{met:?}");
        assert!(*least > 10, "{met:?}");
    }

    #[test]
    fn every_two_meet_about_equally_often() {
        for count in [3, 4, 5, 6, 9] {
            let same = vec![(40, 60); count];
            assert_even(&simulate(&same, &[], 120 * SECOND));
        }
        let unequal = [
            (5, 10),
            (5, 10),
            (20, 40),
            (100, 200),
            (300, 500),
            (400, 900),
        ];
        assert_even(&simulate(&unequal, &[], 120 * SECOND));
        assert_even(&simulate(&unequal[..4], &[], 60 * SECOND));
    }

    /// A team that comes late does not first catch up on the games that it missed, for which all others would
    /// have to wait.
    #[test]
    fn a_team_that_comes_late_starts_level() {
        let met = simulate(&[(50, 50); 4], &[(4, 60 * SECOND)], 120 * SECOND);
        let [
            one_two,
            one_three,
            one_four,
            two_three,
            two_four,
            three_four,
        ] = met[..]
        else {
            panic!("{met:?}");
        };
        assert_even(&[one_two, one_three, two_three]);
        assert_even(&[one_four, two_four, three_four]);
        assert!(one_two > one_four, "{met:?}");
    }

    /// An absent team can meet a team that is there, but two absent teams never meet each other.
    #[test]
    fn who_is_not_there_is_met_and_never_by_another_such() {
        let matchmaking = Matchmaking::new(&[1, 2, 3], |_| 0);
        let alone = |team| team == 3;
        let next = |met: &[u64]| matchmaking.next(Duration::ZERO, met, alone, any);
        assert_eq!(next(&[1, 2]), None);
        assert_eq!(next(&[1, 2, 3]), Some([1, 3]));
    }

    /// Pairs that met least often come first. Among these the preference decides.
    #[test]
    fn among_equals_the_key_decides() {
        let mut matchmaking = Matchmaking::new(&[1, 2, 3], |_| 0);
        let near = |teams: Pair| (false, if teams == [1, 3] { 1.0 } else { 2.0 });
        let next = |m: &Matchmaking, now| m.next(now, &[1, 2, 3], |_| true, near);
        assert_eq!(next(&matchmaking, Duration::ZERO), Some([1, 3]));
        matchmaking.begin([1, 3]);
        matchmaking.finish([1, 3], SECOND);
        assert_eq!(next(&matchmaking, SECOND), Some([1, 2]), "met least");
        matchmaking.begin([1, 2]);
        assert_eq!(next(&matchmaking, SECOND), None);
    }
}
