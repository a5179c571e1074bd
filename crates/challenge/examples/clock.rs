//! How far the player `equilibrium` solves its endgames within the contest's clock on this machine. It plays whole games
//! against itself; the network, which is not there, costs 0.6 ms a decision:
//!
//! ```text
//! RAYON_NUM_THREADS=1 cargo run --release -p challenge --example clock -- GAMES SEED
//! ```

use challenge::deals;
use challenge::equilibrium::MOST_SOLVED;
use challenge::equilibrium::blueprint::Blueprint;
use challenge::player::{EquilibriumPlayer, EquilibriumSettings, Player};
use challenge::rules::{Game, GameOptions};
use challenge::view::{View, ViewContext};
use engine::rng::stream;
use std::sync::Arc;
use std::time::{Duration, Instant};

const CLOCK: Duration = Duration::from_secs(2);
const INCREMENT: Duration = Duration::from_millis(50);
/// The decisions of a player in a game that add it.
const PAID: u32 = 100;
const NETWORK: Duration = Duration::from_micros(600);

fn main() {
    let numbers: Option<Vec<u64>> = std::env::args().skip(1).map(|n| n.parse().ok()).collect();
    let Some(&[games, seed]) = numbers.as_deref() else {
        eprintln!("expected a number of games and a seed");
        std::process::exit(2);
    };
    let blueprint = Arc::new(Blueprint::embedded());
    // The iterations of each endgame of three cards.
    let mut iterations = Vec::new();
    let (mut least, mut longest) = (CLOCK, Duration::ZERO);
    for game_id in 0..games {
        let seat = |seat| {
            let rng = stream(seed, 3 * game_id + seat);
            EquilibriumPlayer::new(Arc::clone(&blueprint), EquilibriumSettings::default(), rng)
        };
        let mut players = [seat(0), seat(1)];
        let (mut clocks, mut moves) = ([CLOCK; 2], [0; 2]);
        let mut reached = [u32::MAX; 2];
        let mut rng = stream(seed, 3 * game_id + 2);
        let mut game = Game::new(GameOptions::default());
        while game.winner().is_none() {
            if game.needs_deal() {
                game.deal(deals::fresh(&mut rng));
            }
            // A view with any clock tells whose turn it is, and so which clock runs.
            let mut context = ViewContext {
                game_id,
                opponent_id: 0,
                remaining: CLOCK,
            };
            let seat = View::of(&game, &context).map_or(0, |view| view.player_number);
            context.remaining = clocks[seat];
            let Some(view) = View::of(&game, &context) else {
                break;
            };
            let started = Instant::now();
            let decision = players[seat].decide(&view);
            let taken = started.elapsed() + NETWORK;
            longest = longest.max(taken);
            clocks[seat] = clocks[seat].saturating_sub(taken);
            least = least.min(clocks[seat]);
            moves[seat] += 1;
            if moves[seat] <= PAID {
                clocks[seat] += INCREMENT;
            }
            if view.cards.len() == MOST_SOLVED && reached[seat] != game.hand_id() {
                reached[seat] = game.hand_id();
                iterations.push(players[seat].iterations());
            }
            let Ok(events) = game.decide(decision) else {
                break;
            };
            for event in events {
                for (receiver, player) in players.iter_mut().enumerate() {
                    if receiver == seat || !event.is_private() {
                        player.event(receiver, event);
                    }
                }
            }
        }
    }
    let count = iterations.len().max(1) as f64;
    let none = iterations.iter().filter(|&&done| done == 0).count() as f64;
    println!("{} endgames of three cards", iterations.len());
    println!(
        "{:.1} iterations each",
        f64::from(iterations.iter().sum::<u32>()) / count
    );
    println!("{:.1} % left to the tables", 100.0 * none / count);
    println!(
        "{:.2} s left at least, {:.2} s for the longest decision",
        least.as_secs_f64(),
        longest.as_secs_f64()
    );
}
