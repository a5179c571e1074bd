//! Two players against two: by how much one way to decide is better than another. It builds quickly with the
//! optimiser.
//!
//! ```text
//! cargo run --release -p tricks --example duel -- hearts inference,nodes=300 blind,nodes=300 200 1
//! ```
//!
//! The arguments are the game, the two ways, the number of deals and a seed. Each deal is played with the same
//! cards in all six arrangements of the seats. Eight deals in a row are a sitting, in which players learn about
//! each other. The output is by how many points a round and seat the first way is better, with the standard
//! error over deals, and the time of a decision among several cards. `contest GAME match` plays with more kinds
//! of players.

use anyhow::{Context, bail};
use engine::budget::Limits;
use engine::rng::{Random, stream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tricks::{Agent, Aim, Method, Player, PolicySet, Round, Search, View};

/// The number of deals of a sitting.
const SITTING: usize = 8;
/// By arrangement and seat, the way that plays there.
const ARRANGEMENTS: [[usize; 4]; 6] = [
    [0, 0, 1, 1],
    [0, 1, 0, 1],
    [0, 1, 1, 0],
    [1, 0, 0, 1],
    [1, 0, 1, 0],
    [1, 1, 0, 0],
];

/// The results of a duel, or of a part of it.
#[derive(Default)]
struct Played {
    /// By deal, by how many points the first way was ahead.
    more: Vec<f64>,
    /// By way: seconds of thought, and decisions.
    times: [(f64, u64); 2],
}

/// Reads a way: a policy's name, or `inference` or `blind` with `nodes=N` or `time=SECONDS`, and `threads=N`.
fn agent<P: PolicySet>(text: &str) -> anyhow::Result<Agent<P>> {
    if let Some(policy) = P::named(text) {
        return Ok(Agent::Policy(policy));
    }
    let mut search = Search {
        policy: P::PLAYOUT,
        method: Method::Inference,
        limits: Limits::default(),
        network: None,
        aim: Aim::Points,
        threads: 1,
    };
    for word in text.split(',') {
        match word.split_once('=') {
            Some(("nodes", nodes)) => search.limits.nodes = Some(nodes.parse()?),
            Some(("time", time)) => {
                search.limits.time = Some(Duration::try_from_secs_f64(time.parse()?)?);
            }
            Some(("threads", threads)) => search.threads = threads.parse()?,
            None if word == "blind" => search.method = Method::Blind,
            None if word == "inference" => {}
            _ => bail!(
                "{word:?}: expected inference, blind, nodes=N, time=SECONDS, threads=N or a policy"
            ),
        }
    }
    Ok(Agent::Search(search))
}

/// Plays a sitting in one arrangement of the seats.
fn sit<P: PolicySet>(
    deals: &[P::Round],
    agents: &[Agent<P>; 2],
    arrangement: &[usize; 4],
    rng: &mut Random,
    played: &mut Played,
) {
    let mut players = arrangement.map(|way| Player::new(agents[way]));
    for (deal, more) in deals.iter().zip(&mut played.more) {
        let mut round = deal.clone();
        let mut views: Vec<View<P::Round>> = (0..4).map(|seat| View::new(&round, seat)).collect();
        while let Some(seat) = round.to_act() {
            let start = Instant::now();
            let Some(decision) = players[seat].decide(&views[seat], rng) else {
                break;
            };
            if round.legal().len() > 1 {
                let (seconds, decisions) = &mut played.times[arrangement[seat]];
                *seconds += start.elapsed().as_secs_f64();
                *decisions += 1;
            }
            round.act(decision.card);
            views.iter_mut().for_each(|view| view.act(decision.card));
        }
        for (player, view) in players.iter_mut().zip(&views) {
            player.learn(view);
        }
        let sides = arrangement.iter().zip(round.scores());
        let sides = sides.map(|(&way, score)| (1.0 - 2.0 * way as f64) * f64::from(score));
        *more += sides.sum::<f64>() / (2 * ARRANGEMENTS.len()) as f64;
    }
}

fn duel<P: PolicySet>(
    deal: impl Fn(usize, &mut Random) -> P::Round + Sync,
    words: &[String],
    low_is_good: bool,
) -> anyhow::Result<()> {
    let [one, two, deals, seed] = words else {
        bail!("expected: hearts or eights, two players, deals, a seed");
    };
    let agents = [agent::<P>(one)?, agent::<P>(two)?];
    let sittings = deals
        .parse::<u64>()
        .context("deals")?
        .div_ceil(SITTING as u64);
    let seed: u64 = seed.parse().context("a seed")?;
    let (next, all) = (AtomicU64::new(0), Mutex::new(Played::default()));
    let work = || loop {
        let sitting = next.fetch_add(1, Ordering::Relaxed);
        if sitting >= sittings {
            return;
        }
        let mut rng = stream(seed, sitting);
        let deals: Vec<P::Round> = (0..SITTING)
            .map(|number| deal(number % 4, &mut rng))
            .collect();
        let mut played = Played {
            more: vec![0.0; SITTING],
            ..Played::default()
        };
        for arrangement in &ARRANGEMENTS {
            sit(&deals, &agents, arrangement, &mut rng, &mut played);
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.more.extend(played.more);
        for (sum, (seconds, decisions)) in all.times.iter_mut().zip(played.times) {
            *sum = (sum.0 + seconds, sum.1 + decisions);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    let count = all.more.len() as f64;
    let mean = all.more.iter().sum::<f64>() / count;
    let squares: f64 = all.more.iter().map(|more| (more - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    let better = if low_is_good { -mean } else { mean };
    let [first, second] = all
        .times
        .map(|(seconds, decisions)| 1e3 * seconds / decisions as f64);
    println!(
        "{one} against {two}: {better:+.3} ± {error:.3} better in {count} deals; {first:.3} and {second:.3} ms, {:.2}",
        first / second
    );
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.split_first() {
        Some((game, words)) if game == "eights" => {
            duel::<eights::player::Baseline>(eights::deal::deal, words, false)
        }
        Some((game, words)) if game == "hearts" => {
            let options = hearts::rules::Options::default();
            let deal = |_, rng: &mut Random| hearts::deal::deal(4, options, rng);
            duel::<hearts::player::Baseline>(deal, words, true)
        }
        _ => bail!("expected hearts or eights"),
    }
}
