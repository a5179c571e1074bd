//! `contest eights games` and `contest hearts games`.

use super::{arrangements, at_a_time, print_rules};
use crate::records::out_of;
use crate::tricks::agent;
use crate::tricks::table::{Game, Strength, WholeGame};
use crate::{Usage, interrupt};
use arena::participant::{BuiltinError, Spec};
use arena::plain_text::span;
use arena::runner;
use arena::stats::{Mean, Times};
use clap::Args as ClapArgs;
use engine::rng::{below, mix, stream};
use std::ops::RangeInclusive;
use std::time::Instant;
use tricks::Agent;

/// Plays whole games between two players that share the seats, and counts the wins of each.
///
/// Games are those of `contest play`, round after round until somebody has won. The first player has
/// half of the seats (rounded down), the second the others, in every arrangement; each block of
/// arrangements has the same deals, and the errors are over blocks.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// A player: the number of a level of `contest play`, from 1, or a built-in player as in `match`, also
    /// with `slips=SHARE` (the share of random cards) and `noise=POINTS` (noise in the values that a search
    /// gives to cards)
    #[arg(value_name = "PLAYER")]
    first: String,
    /// The second player, named in the same way
    #[arg(value_name = "PLAYER")]
    second: String,
    /// Games to play, rounded up to whole blocks
    #[arg(long, default_value_t = 300, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Seats at the table
    #[arg(long, default_value_t = 4, value_name = "N")]
    seats: usize,
    /// Points before the first round: each seat's are drawn from this range, such as 250-299
    #[arg(long, value_name = "LEAST-MOST", value_parser = range)]
    totals: Option<RangeInclusive<u32>>,
    /// Seed of the deals and of the players
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Blocks played at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

/// The results of a block of games.
struct Block {
    /// The share that the first player won.
    share: f64,
    /// Rounds of its games.
    rounds: usize,
    /// The times of the players' decisions, in nanoseconds.
    times: [Vec<u64>; 2],
}

impl Args {
    pub(crate) fn run<G: WholeGame>(self, contest: &G) -> anyhow::Result<()> {
        if !G::COUNTS.contains(&self.seats) {
            refuse!("--seats {}: expected {}", self.seats, span(&G::COUNTS));
        }
        let read = |text: &str| {
            strength::<G>(text).map_err(|error| Usage::new(format!("{text}: {error}")))
        };
        let players = [read(&self.first)?, read(&self.second)?];
        let totals = self.totals.unwrap_or(0..=0);
        if *totals.end() >= G::GOAL {
            refuse!("--totals: expected less than {} points", G::GOAL);
        }
        // The first player has half of the seats, rounded down, in every possible way: with 4 seats these are
        // 6 arrangements.
        let arrangements = arrangements(self.seats, self.seats / 2..=self.seats / 2);
        let planned = self.games.div_ceil(arrangements.len() as u64);
        let jobs = at_a_time(self.jobs);
        let mut shares = Mean::default();
        let mut rounds = Mean::default();
        let mut times = [Times::default(), Times::default()];
        let play = |&number: &u64| {
            // A block depends on the seed and its number alone, whatever thread plays it.
            let seed = mix(self.seed ^ mix(number));
            block(*contest, &players, &arrangements, &totals, seed)
        };
        // Ctrl-C ends the match after the blocks under way, and its results so far are shown.
        let interrupted = interrupt::requested();
        // In the order of the blocks: sums of floats then do not depend on the number of jobs.
        runner::run_in_order(0..planned, jobs, play, |_, block| {
            shares.push(block.share);
            rounds.push(block.rounds as f64 / arrangements.len() as f64);
            for (times, more) in times.iter_mut().zip(block.times) {
                more.into_iter().for_each(|nanos| times.push(nanos));
            }
            interrupted.flow()
        })
        .map_err(anyhow::Error::msg)?;
        let blocks = shares.count();
        // With an odd number of seats the first player has fewer, so fair is less than a half.
        let fair = 100.0 * (self.seats / 2) as f64 / self.seats as f64;
        let margin = shares.margin_of_share();
        let alone = match margin {
            None => "; too few blocks for a margin",
            Some(_) => "",
        };
        let margin = margin.map_or(String::new(), |margin| format!(" ± {:.1}", 100.0 * margin));
        let games = [blocks, planned].map(|blocks| blocks * arrangements.len() as u64);
        let games = out_of(games[0], games[1]);
        line!(
            "{games} games of {:.1} rounds: {} wins {:.1}{margin} % of them, with {} of {} seats (fair is {fair:.0} %){alone}",
            rounds.mean(),
            self.first,
            100.0 * shares.mean(),
            self.seats / 2,
            self.seats,
        )?;
        print_rules(contest)?;
        for (name, times) in [&self.first, &self.second].into_iter().zip(&times) {
            let ms = |nanos: f64| nanos / 1e6;
            line!(
                "{name}: {:.2} ms a decision, at most {:.0} ms",
                ms(times.mean()),
                ms(times.longest() as f64)
            )?;
        }
        Ok(())
    }
}

/// Reads LEAST-MOST, both of them included.
fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let ends = text.split_once('-');
    let ends = ends.and_then(|(least, most)| Some(least.parse().ok()?..=most.parse().ok()?));
    ends.filter(|range| !range.is_empty())
        .ok_or_else(|| "expected two numbers of points, such as 250-299".to_owned())
}

/// Reads a player: the number of a level, or a built-in player with `slips` and `noise`.
fn strength<G: WholeGame>(text: &str) -> Result<Strength<G::Policy>, BuiltinError> {
    // A number names a level of `contest play`; anything else is a player as in a match.
    if let Ok(level) = text.parse::<usize>() {
        let known = level.checked_sub(1).and_then(|at| G::STRENGTHS.get(at));
        let most = G::STRENGTHS.len();
        return known.copied().ok_or_else(|| BuiltinError::Value {
            key: "level".to_owned(),
            value: text.to_owned(),
            reason: format!("expected 1 to {most}"),
        });
    }
    let spec: Spec = text.parse()?;
    let slips = spec.settings.number("slips", 0.0, 0.0..=1.0)?;
    let noise = spec.settings.number("noise", 0.0, 0.0..=1000.0)?;
    let others = spec
        .settings
        .iter()
        .filter(|(key, _)| !["slips", "noise"].contains(key));
    // The player's own settings without these two, put together again.
    let mut plain = spec.name.clone();
    for (key, value) in others {
        plain += &match value {
            Some(value) => format!(",{key}={value}"),
            None => format!(",{key}"),
        };
    }
    let agent = agent::<G>(&plain.parse()?)?;
    // Others give cards no values.
    if noise > 0.0 && !matches!(agent, Agent::Search(_)) {
        return Err(spec.unknown_key("noise", &["slips"]));
    }
    Ok(Strength {
        agent,
        slips,
        noise,
    })
}

/// Plays a block: one game in every arrangement, all with the same deals and the same points before them.
fn block<G: WholeGame>(
    contest: G,
    players: &[Strength<G::Policy>; 2],
    arrangements: &[Vec<bool>],
    totals: &RangeInclusive<u32>,
    seed: u64,
) -> Result<Block, String> {
    let mut block = Block {
        share: 0.0,
        rounds: 0,
        times: [Vec::new(), Vec::new()],
    };
    // Complemented, as the deals use the streams of `seed` itself; the last stream, as the first ones are the games'.
    let mut rng = stream(!seed, u64::MAX);
    let choices = (totals.end() - totals.start() + 1) as usize;
    let seats = arrangements.first().map_or(0, Vec::len);
    let totals: Vec<u32> = (0..seats)
        .map(|_| totals.start() + below(&mut rng, choices) as u32)
        .collect();
    // The same deals and totals in every arrangement; only the seats change.
    for (number, firsts) in arrangements.iter().enumerate() {
        let mut game = Game::with_totals(contest, seed, totals.clone());
        let mut rng = stream(!seed, number as u64);
        while let Some(seat) = game.to_act() {
            let player = usize::from(!firsts[seat]);
            let start = Instant::now();
            // Only the decision is timed, not the rules.
            let card = players[player].decide(&game, &mut rng);
            block.times[player].push(start.elapsed().as_nanos() as u64);
            game.act(card.ok_or("a player has no card to play")?)?;
        }
        block.rounds += game.rounds();
        if game.winner().is_some_and(|winner| firsts[winner]) {
            block.share += 1.0 / arrangements.len() as f64;
        }
    }
    Ok(block)
}
