//! `contest cartagena exact`

use crate::cartagena::evaluation::Judges;
use crate::cartagena::rules::{Board, COPIES, Cards, Game, SYMBOLS, Symbol};
use crate::cartagena::search::Settings;
use crate::cartagena::solver::{Loss, SmallGame, Solution, Ways, losses};
use crate::cli::Usage;
use crate::random;
use crate::search::budget::Limits;
use crate::store::support_folder;
use anyhow::Result;
use clap::Args as ClapArgs;
use std::time::{Duration, Instant};

/// Positions a game may have: some 300 bytes each.
const LIMIT: usize = 3_000_000;

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct Args {
    /// Spaces between the cell and the boat
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=12))]
    spaces: u8,
    /// Pirates each of the two players has
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pirates: u8,
    /// Different symbols
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    symbols: u8,
    /// Cards of each symbol
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=i64::from(COPIES)))]
    copies: u8,
    /// Cards dealt to each player
    #[arg(long, default_value_t = 1)]
    deal: u8,
    /// Positions at which choices are judged
    #[arg(long, default_value_t = 500, value_name = "N")]
    states: usize,
    /// Seed of board and positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Evaluations a search may make for an action
    #[arg(
        long,
        default_value_t = 20_000,
        value_name = "N",
        conflicts_with = "time"
    )]
    nodes: u64,
    /// Time a search has for an action instead, on one thread
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let start = Instant::now();
        let solution = Solution::of(self.game()?, LIMIT).map_err(|e| Usage::new(e.to_string()))?;
        let (sweeps, residual) = solution.convergence();
        let spaces = solution.small().game.board.spaces().iter();
        let spaces: Vec<&str> = spaces.map(|symbol| symbol.name()).collect();
        println!("board: {}", spaces.join(" "));
        println!("deck: {}", solution.small().deck);
        println!(
            "{} positions solved in {sweeps} sweeps, last change {residual:.1e}, {:.1} s",
            solution.states().len(),
            start.elapsed().as_secs_f64()
        );
        let positions = solution.positions(self.states, self.seed);
        println!(
            "chance to win lost by an action, in %, other hand open, {} positions:",
            positions.len()
        );
        let limits = match self.time {
            None => Limits {
                time: None,
                nodes: Some(self.nodes),
            },
            Some(seconds) => Limits {
                time: Some(
                    Duration::try_from_secs_f64(seconds).map_err(|e| Usage::new(e.to_string()))?,
                ),
                nodes: None,
            },
        };
        let turn = Settings {
            candidates: 1,
            ..Settings::default()
        };
        println!("  judge     search        mean  ± 95 %   worst  right %");
        let judges = [
            ("handmade", Judges::handmade()),
            ("network", Judges::of_folder(support_folder())),
        ];
        let mut chance = 0.0;
        for (judge, judges) in judges {
            let evaluator = &**judges.for_players(2);
            for (search, settings) in [("turn", turn), ("rollouts", Settings::default())] {
                let ways = Ways { limits, settings };
                let loss = losses(&solution, &positions, |state| {
                    solution.choice(state, evaluator, &ways)
                });
                print(judge, search, &loss);
                chance = loss.chance;
            }
        }
        println!("  a random action loses {:.3}", 100.0 * chance);
        Ok(())
    }

    /// The symbols in random order, again and again.
    fn game(&self) -> Result<SmallGame> {
        let mut random = random::stream(self.seed, 1);
        let mut spaces = Vec::new();
        while spaces.len() < usize::from(self.spaces) {
            let mut segment = Symbol::ALL[..usize::from(self.symbols)].to_vec();
            random::shuffle(&mut random, &mut segment);
            spaces.extend(segment);
        }
        spaces.truncate(usize::from(self.spaces));
        let mut counts = [0; SYMBOLS];
        counts[..usize::from(self.symbols)].fill(self.copies);
        Ok(SmallGame {
            game: Game {
                pirates: usize::from(self.pirates),
                ..Game::new(Board::new(spaces)?, 2)
            },
            deck: Cards::from_counts(counts),
            deal: self.deal,
            allow_pass: false,
        })
    }
}

fn print(judge: &str, search: &str, loss: &Loss) {
    println!(
        "  {judge:<9} {search:<9} {:>8.3} {:>7.3} {:>7.2} {:>8.1}",
        100.0 * loss.mean,
        196.0 * loss.error,
        100.0 * loss.worst,
        100.0 * loss.right
    );
}
