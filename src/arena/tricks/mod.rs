//! Matches of the trick-taking games: duplicate deals, points a round.

mod eights;
mod hearts;

pub use eights::Eights;
pub use hearts::Hearts;

use super::stats::Mean;
use crate::random::{Random, stream};
use crate::search::budget::Limits;
use crate::tricks::{Agent, MAX_PLAYERS, Policy, Round as _, View};
use rayon::prelude::*;
use std::time::Duration;
use thiserror::Error;

/// A game of the family, as a match needs it.
pub trait Contest: Sync {
    /// What a seat sees.
    type View: View;
    /// The built-in policies.
    type Policy: Policy<<Self::View as View>::Round> + Copy + Send + Sync;

    /// A fresh deal as every seat sees it, and with all hands open. The seats' luck is the deal's
    /// alone: who acts first follows from it, or from its number.
    fn deal(
        &self,
        players: usize,
        number: u64,
        random: &mut Random,
    ) -> (<Self::View as View>::Round, Vec<Self::View>);

    /// What the round comes to for each seat.
    fn scores(&self, round: &<Self::View as View>::Round) -> [u8; MAX_PLAYERS];

    /// The policy with a name.
    ///
    /// # Errors
    /// If there is none: what was expected.
    fn policy(&self, name: &str) -> Result<Self::Policy, String>;

    /// What the search plays out by.
    fn playout(&self) -> Self::Policy;

    /// Names of all built-in players.
    fn names(&self) -> &'static str;
}

/// A description of a player that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// No such player.
    #[error("no player {name:?}: expected {expected}")]
    Name {
        /// What was given.
        name: String,
        /// Which there are.
        expected: &'static str,
    },
    /// A setting that is none.
    #[error("{0:?} is no setting: expected time=SECONDS or nodes=N")]
    Setting(String),
}

/// Reads `NAME` or `search,time=SECONDS`, `search,nodes=N`, `search,POLICY,…`.
///
/// # Errors
/// If the name or a setting is unknown.
pub fn agent<C: Contest>(contest: &C, text: &str) -> Result<Agent<C::Policy>, Unreadable> {
    let unknown = |name: &str| Unreadable::Name {
        name: name.to_owned(),
        expected: contest.names(),
    };
    let mut words = text.split(',');
    let name = words.next().unwrap_or("");
    if name != "search" {
        return match words.next() {
            Some(setting) => Err(Unreadable::Setting(setting.to_owned())),
            None => contest
                .policy(name)
                .map(Agent::Policy)
                .map_err(|_| unknown(name)),
        };
    }
    let mut limits = Limits {
        time: Some(Duration::from_millis(50)),
        nodes: None,
    };
    let mut policy = contest.playout();
    for word in words {
        let wrong = || Unreadable::Setting(word.to_owned());
        match word.split_once('=') {
            Some(("time", value)) => {
                let seconds: f64 = value.parse().map_err(|_| wrong())?;
                let time = Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
                limits = Limits {
                    time: Some(time),
                    nodes: None,
                };
            }
            Some(("nodes", value)) => {
                limits = Limits {
                    time: None,
                    nodes: Some(value.parse().map_err(|_| wrong())?),
                };
            }
            Some(_) => return Err(wrong()),
            None => policy = contest.policy(word).map_err(|_| unknown(word))?,
        }
    }
    Ok(Agent::Search(policy, limits))
}

/// Points a round of the programs of a line-up.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// By the place in the line-up; each number is the mean over the seatings of one deal.
    pub points: Vec<Mean>,
    /// The longest decision of each.
    pub longest: Vec<Duration>,
}

/// Plays each deal once for every rotation of the players over the seats. The results do not
/// depend on the number of threads, as long as no player has a clock.
pub fn play<C: Contest>(
    contest: &C,
    agents: &[Agent<C::Policy>],
    deals: u64,
    seed: u64,
    finished: impl Fn() + Sync,
) -> Outcome {
    let players = agents.len();
    let blocks: Vec<_> = (0..deals)
        .into_par_iter()
        .map(|number| {
            let mut sums = vec![0.0; players];
            let mut longest = vec![Duration::ZERO; players];
            for rotation in 0..players {
                let scores = round(contest, agents, number, rotation, seed, &mut longest);
                for (seat, &score) in scores.iter().enumerate().take(players) {
                    sums[(seat + rotation) % players] += f64::from(score);
                }
            }
            finished();
            (sums, longest)
        })
        .collect();
    let mut result = Outcome {
        points: vec![Mean::default(); players],
        longest: vec![Duration::ZERO; players],
    };
    for (sums, longest) in blocks {
        for (place, sum) in sums.into_iter().enumerate() {
            result.points[place].push(sum / players as f64);
            result.longest[place] = result.longest[place].max(longest[place]);
        }
    }
    result
}

/// One round with the agent `(seat + rotation) % players` on each seat.
fn round<C: Contest>(
    contest: &C,
    agents: &[Agent<C::Policy>],
    number: u64,
    rotation: usize,
    seed: u64,
    longest: &mut [Duration],
) -> [u8; MAX_PLAYERS] {
    let players = agents.len();
    let (mut round, mut views) = contest.deal(players, number, &mut stream(seed, number));
    let mut chances: Vec<Random> = (0..players)
        .map(|seat| {
            stream(
                seed ^ number.rotate_left(32),
                1 + (rotation * players + seat) as u64,
            )
        })
        .collect();
    while let Some(seat) = round.to_act() {
        let agent = (seat + rotation) % players;
        let start = std::time::Instant::now();
        let decision = agents[agent].decide(&views[seat], &mut chances[seat]);
        longest[agent] = longest[agent].max(start.elapsed());
        let Some(decision) = decision else { break };
        debug_assert!(round.legal().contains(decision.card));
        round.act(decision.card);
        for view in &mut views {
            view.act(decision.card);
        }
    }
    contest.scores(&round)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(contest: &impl Contest, text: &str) -> bool {
        agent(contest, text).is_ok()
    }

    #[test]
    fn players_are_read() {
        assert!(nodes(&Eights, "counter") && nodes(&Eights, "search,high,nodes=10"));
        assert!(nodes(&Hearts, "search,time=0.5"));
        let error = |text| agent(&Eights, text).map(|_| ()).unwrap_err().to_string();
        assert_eq!(
            error("duck"),
            "no player \"duck\": expected search, random, high or counter"
        );
        assert_eq!(
            error("search,time=x"),
            "\"time=x\" is no setting: expected time=SECONDS or nodes=N"
        );
        assert!(error("high,nodes=3").contains("nodes=3"));
    }

    /// The points of all places together are a round's, and equal players are equally good.
    #[test]
    fn duplicate_deals_are_fair() {
        let high = agent(&Eights, "high").unwrap();
        let result = play(&Eights, &[high; 4], 40, 1, || ());
        let means: Vec<f64> = result.points.iter().map(Mean::mean).collect();
        assert_eq!(means, [6.25; 4], "the same play in all rotations");
        let players = ["random", "duck", "careful", "duck", "random"];
        let players = players.map(|name| agent(&Hearts, name).unwrap());
        let result = play(&Hearts, &players, 200, 1, || ());
        let sum: f64 = result.points.iter().map(Mean::mean).sum();
        assert!((26.0..40.0).contains(&sum), "{sum}");
        assert!(result.points[2].mean() < result.points[0].mean());
        assert_eq!(result.points[0].count(), 200);
    }

    #[test]
    fn search_is_better_than_what_it_plays_out_by() {
        for (contest_gain, least) in [
            (gain(&Eights, "search,nodes=300", "counter"), 1.0),
            (-gain(&Hearts, "search,nodes=300", "careful"), 1.0),
        ] {
            assert!(contest_gain > least, "{contest_gain}");
        }
    }

    /// Points of one player above those of three others, a round.
    fn gain<C: Contest>(contest: &C, one: &str, others: &str) -> f64 {
        let [one, other] = [one, others].map(|name| agent(contest, name).unwrap());
        let result = play(contest, &[one, other, other, other], 30, 1, || ());
        let mean = |place: usize| result.points[place].mean();
        mean(0) - (mean(1) + mean(2) + mean(3)) / 3.0
    }
}
