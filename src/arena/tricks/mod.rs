//! Matches of the trick-taking games: duplicate deals, points a round.

mod eights;
mod hearts;

pub use eights::Eights;
pub use hearts::Hearts;

use super::stats::Mean;
use crate::random::{Random, stream};
use crate::search::budget::Limits;
use crate::tricks::belief::Repertoire;
use crate::tricks::monte_carlo::Finish;
use crate::tricks::{Agent, MAX_PLAYERS, Method, Player, Policy, Round as _, View};
use rayon::prelude::*;
use std::time::Duration;
use thiserror::Error;

/// A game of the family, as a match needs it.
pub trait Contest: Sync {
    /// What a seat sees.
    type View: View;
    /// The built-in policies.
    type Policy: Policy<<Self::View as View>::Round> + Repertoire + Send + Sync;

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

/// Reads `NAME` or `search`, with settings in any order: `time=SECONDS`, `nodes=N`, the POLICY of the
/// playouts, and a method other than the usual one: `blind`, `flat`, `paranoid`, `maxn`.
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
    let mut method = Method::default();
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
            None => match word {
                "blind" => method = Method::Blind,
                "flat" => method = Method::Flat(Finish::Policy),
                "paranoid" => method = Method::Flat(Finish::Paranoid),
                "maxn" => method = Method::Flat(Finish::MaxN),
                _ => policy = contest.policy(word).map_err(|_| unknown(word))?,
            },
        }
    }
    Ok(Agent::Search(policy, method, limits))
}

/// Points a round of the programs of a line-up.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// By the place in the line-up; each number is the mean over the seatings of one deal.
    pub points: Vec<Mean>,
    /// The longest decision of each.
    pub longest: Vec<Duration>,
}

/// Deals that the same players play one after the other, so that they can learn about each other:
/// about as many as a game of Tricky Eights has.
const SESSION: u64 = 16;

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
    let sessions: Vec<_> = (0..deals.div_ceil(SESSION))
        .into_par_iter()
        .map(|session| {
            let numbers = session * SESSION..deals.min((session + 1) * SESSION);
            let mut longest = vec![Duration::ZERO; players];
            let mut sums = vec![vec![0.0; players]; (numbers.end - numbers.start) as usize];
            for rotation in 0..players {
                let mut seats: Vec<Player<C::Policy>> = (0..players)
                    .map(|seat| Player::new(agents[(seat + rotation) % players]))
                    .collect();
                for (number, sums) in numbers.clone().zip(&mut sums) {
                    let place = (number, rotation, seed);
                    let scores = round(contest, &mut seats, place, &mut longest);
                    for (seat, &score) in scores.iter().enumerate().take(players) {
                        sums[(seat + rotation) % players] += f64::from(score);
                    }
                    if rotation + 1 == players {
                        finished();
                    }
                }
            }
            (sums, longest)
        })
        .collect();
    let mut result = Outcome {
        points: vec![Mean::default(); players],
        longest: vec![Duration::ZERO; players],
    };
    for (deals, longest) in sessions {
        for sums in deals {
            for (place, sum) in sums.into_iter().enumerate() {
                result.points[place].push(sum / players as f64);
            }
        }
        for (most, longest) in result.longest.iter_mut().zip(longest) {
            *most = longest.max(*most);
        }
    }
    result
}

/// One round of a deal's number, a rotation and a seed, with a player on each seat.
fn round<C: Contest>(
    contest: &C,
    seats: &mut [Player<C::Policy>],
    (number, rotation, seed): (u64, usize, u64),
    longest: &mut [Duration],
) -> [u8; MAX_PLAYERS] {
    let players = seats.len();
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
        let start = std::time::Instant::now();
        let decision = seats[seat].decide(&views[seat], &mut chances[seat]);
        let longest = &mut longest[(seat + rotation) % players];
        *longest = start.elapsed().max(*longest);
        let Some(decision) = decision else { break };
        debug_assert!(round.legal().contains(decision.card));
        round.act(decision.card);
        for view in &mut views {
            view.act(decision.card);
        }
    }
    for (player, view) in seats.iter_mut().zip(&views) {
        player.learn(view);
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
        assert!(nodes(&Hearts, "search,time=0.5") && nodes(&Hearts, "search,maxn,duck"));
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

    /// The first decision is the same whoever holds the cards that the player does not see.
    #[test]
    fn what_is_hidden_does_not_matter() {
        let search = agent(&Eights, "search,nodes=200").unwrap();
        for seed in 0..8 {
            let mut random = stream(seed, 0);
            let round = crate::eights::rules::Round::deal(0, &mut random);
            let mut hands = crate::tricks::Hands::default();
            for (seat, hand) in hands.iter_mut().enumerate().take(4) {
                *hand = round.hand(seat);
            }
            hands.swap(1, 3);
            let mixed = round.with_hands(&hands);
            assert_ne!(round, mixed);
            let choice = |round| {
                let view = crate::eights::view::View::of(round, 0);
                let decision = Player::new(search).decide(&view, &mut stream(seed, 1));
                decision.map(|decision| decision.candidates)
            };
            assert_eq!(choice(&round), choice(&mixed));
        }
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
