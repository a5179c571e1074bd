//! `lab cartagena exact`: solves small games of two or three players with open hands exactly, lets the search choose in
//! their positions, and prints how much its choices lose. `cartagena::solver` computes the numbers.

use crate::cartagena::solver::{ChoiceOptions, Loss, SmallGame, Solution, losses};
use anyhow::{Result, ensure};
use arena::text_table::percent;
use cartagena::evaluation::Evaluators;
use cartagena::rules::{Action, Board, COPIES, Cards, Game, SYMBOLS, State, Symbol};
use cartagena::search::Settings;
use clap::Args as ClapArgs;
use engine::budget::Limits;
use engine::rng;
use seats::cli::numbers::number;
use seats::cli::{Usage, complain};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most positions of a game; each takes about 300 bytes.
const LIMIT: usize = 3_000_000;

/// The size of a small game.
#[derive(Clone, Copy, Debug)]
struct Size {
    players: u8,
    spaces: u8,
    pirates: u8,
    symbols: u8,
    copies: u8,
    deal: u8,
}

const fn size(players: u8, spaces: u8, pirates: u8, symbols: u8, copies: u8, deal: u8) -> Size {
    Size {
        players,
        spaces,
        pirates,
        symbols,
        copies,
        deal,
    }
}

/// The games of `--suite`: in each a choice matters, and all positions can be listed within seconds. With one card a
/// player hardly has a choice; with more pirates, spaces or cards there are too many positions.
const SUITE: [Size; 6] = [
    size(2, 6, 1, 3, 2, 2),
    size(2, 12, 1, 4, 3, 3),
    size(2, 4, 2, 2, 2, 2),
    size(3, 4, 1, 2, 3, 2),
    size(3, 6, 1, 2, 3, 2),
    size(3, 4, 1, 2, 3, 1),
];

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Solves several games of two and three players, and sums up
    #[arg(long, conflicts_with_all = ["players", "spaces", "pirates", "symbols", "copies", "deal"])]
    suite: bool,
    /// Shows this many of each search's worst choices
    #[arg(long, default_value_t = 0, value_name = "N")]
    worst: usize,
    /// Number of players of the game
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=3))]
    players: u8,
    /// Spaces between the cell and the boat
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=12))]
    spaces: u8,
    /// Pirates that each player has
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pirates: u8,
    /// Different symbols on the board and the cards
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    symbols: u8,
    /// Cards of each symbol
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=i64::from(COPIES)))]
    copies: u8,
    /// Cards dealt to each player
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    deal: u8,
    /// Positions of a game in which the searches choose
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = number(1usize, 10_000_000))]
    states: usize,
    /// Draws these positions from all that can arise, however unlikely, instead of those met between good
    /// players
    #[arg(long)]
    anywhere: bool,
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
    #[arg(long, value_name = "SECONDS", value_parser = number(0.001, 1e6))]
    time: Option<f64>,
}

/// A line of the report: an evaluation and a search that uses it.
struct Entry {
    evaluation: &'static str,
    search: &'static str,
    evaluators: Arc<Evaluators>,
    settings: Settings,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let limits = self.limits()?;
        let entries = entries();
        let alone = Size {
            players: self.players,
            spaces: self.spaces,
            pirates: self.pirates,
            symbols: self.symbols,
            copies: self.copies,
            deal: self.deal,
        };
        let sizes = if self.suite { &SUITE[..] } else { &[alone][..] };
        // Results by entry, then by game, so that the suite can pool the games of each entry.
        let mut results = vec![Vec::new(); entries.len()];
        for &size in sizes {
            // Solved once for all entries.
            let solution = self.solve(size)?;
            // Every entry chooses in the same positions.
            let positions = if self.anywhere {
                solution.positions(self.states, self.seed)
            } else {
                solution.met(self.states, self.seed)
            };
            let count = positions.iter().map(Vec::len).sum();
            ensure!(
                count > 0,
                Usage::new("nothing to measure: no position of this game leaves a choice")
            );
            heading(count)?;
            for (entry, results) in entries.iter().zip(&mut results) {
                let ways = ChoiceOptions {
                    limits,
                    settings: entry.settings,
                };
                let evaluator = &**entry.evaluators.for_players(usize::from(size.players));
                let mut choices = Vec::new();
                let loss = losses(&solution, &positions, |state| {
                    let action = solution.choice(state, evaluator, &ways);
                    choices.push(action);
                    action
                });
                print(entry, &loss)?;
                show_worst(&solution, &positions.concat(), &choices, self.worst)?;
                results.push(loss);
            }
            random_action(&results)?;
        }
        if self.suite {
            line!("\nall {} games", sizes.len())?;
            heading(results[0].iter().map(|loss| loss.positions).sum())?;
            for (entry, results) in entries.iter().zip(&mut results) {
                // Pushed as the last result, where the line of random actions looks for it.
                let all = Loss::pool(results);
                print(entry, &all)?;
                results.push(all);
            }
            random_action(&results)?;
        }
        Ok(())
    }

    /// The budget of a search: the time if one is given, otherwise the nodes.
    fn limits(&self) -> Result<Limits> {
        let time = self.time.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(Usage::of)?;
        Ok(Limits {
            time,
            nodes: time.is_none().then_some(self.nodes),
        })
    }

    /// Solves a game and prints a description of it.
    fn solve(&self, size: Size) -> Result<Solution> {
        let start = Instant::now();
        let game = size.game(self.seed)?;
        let solution = Solution::of(game, LIMIT).map_err(Usage::of)?;
        let (sweeps, residual) = solution.convergence();
        let spaces = solution.small().game.board.spaces().iter();
        let spaces: Vec<&str> = spaces.map(|symbol| symbol.name()).collect();
        line!("board: {}", spaces.join(" "))?;
        line!(
            "deck: {}; {} players, {} pirates and {} cards each",
            solution.small().deck,
            size.players,
            size.pirates,
            size.deal
        )?;
        line!(
            "{} positions solved in {sweeps} sweeps, last change {residual:.1e}, {:.1} s",
            solution.states().len(),
            start.elapsed().as_secs_f64()
        )?;
        Ok(solution)
    }
}

impl Size {
    /// A game of this size. Its board consists of segments with all symbols in random order, cut to the length.
    fn game(self, seed: u64) -> Result<SmallGame> {
        let symbols = usize::from(self.symbols);
        let mut random = rng::stream(seed, 1);
        let mut spaces = Vec::new();
        while spaces.len() < usize::from(self.spaces) {
            let mut segment = Symbol::ALL[..symbols].to_vec();
            rng::shuffle(&mut random, &mut segment);
            spaces.extend(segment);
        }
        spaces.truncate(usize::from(self.spaces));
        let mut counts = [0; SYMBOLS];
        counts[..symbols].fill(self.copies);
        Ok(SmallGame {
            game: Game {
                pirates: usize::from(self.pirates),
                ..Game::new(Board::new(spaces)?, usize::from(self.players))
            },
            deck: Cards::from_counts(counts),
            deal: self.deal,
            allow_pass: false,
        })
    }
}

/// The four lines of the report: each evaluation with a search of the own turn alone, and with rollouts.
fn entries() -> Vec<Entry> {
    // With a single candidate there is nothing for rollouts to decide.
    let turn = Settings {
        candidates: 1,
        ..Settings::default()
    };
    let mut entries = Vec::new();
    for (evaluation, evaluators) in [
        ("handmade", Evaluators::handmade()),
        ("network", Evaluators::installed(complain)),
    ] {
        let evaluators = Arc::new(evaluators);
        for (search, settings) in [("turn", turn), ("rollouts", Settings::default())] {
            entries.push(Entry {
                evaluation,
                search,
                evaluators: Arc::clone(&evaluators),
                settings,
            });
        }
    }
    entries
}

fn heading(positions: usize) -> io::Result<()> {
    line!("chance to win lost by an action, in %, all hands open, {positions} positions:")?;
    line!("  evaluates search        mean  ± 95 %   worst  right %")
}

/// Prints a line of the report, in percent.
fn print(entry: &Entry, loss: &Loss) -> io::Result<()> {
    line!(
        "  {:<9} {:<9} {:>8.3} {:>7} {:>7.2} {:>8.1}",
        entry.evaluation,
        entry.search,
        100.0 * loss.mean,
        percent(loss.margin, 3),
        100.0 * loss.worst,
        100.0 * loss.right
    )
}

/// Prints the loss of a random action in the last positions. It is the same for all entries.
fn random_action(results: &[Vec<Loss>]) -> io::Result<()> {
    if let Some(loss) = results.first().and_then(|results| results.last()) {
        line!("  a random action loses {:.3}", 100.0 * loss.chance)?;
    }
    Ok(())
}

/// Prints the positions with the greatest losses, with the exact value of every choice.
fn show_worst(
    solution: &Solution,
    positions: &[State],
    choices: &[Action],
    count: usize,
) -> io::Result<()> {
    // Sorted by loss; choices without a loss end the list.
    let mut list = Vec::new();
    for (state, &action) in positions.iter().zip(choices) {
        let values = solution.action_values(state);
        let best = values.iter().map(|v| v.1).fold(0.0, f64::max);
        let taken = values.iter().find(|v| v.0 == action).map_or(0.0, |v| v.1);
        list.push((best - taken, state, action, values));
    }
    list.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (lost, state, action, mut values) in list.into_iter().take(count) {
        // As in the losses: less than a millionth is rounding.
        if lost < 1e-6 {
            break;
        }
        values.sort_by(|a, b| b.1.total_cmp(&a.1));
        line!("    {action} loses {:.2}", 100.0 * lost)?;
        for player in 0..state.track.players() {
            let track = &state.track;
            line!(
                "      player {}: pirates {:?}, hand {}",
                player + 1,
                track.pirates(player),
                state.hands[player]
            )?;
        }
        line!(
            "      player {} has taken {} actions; {} cards in the pile, discards {}",
            state.to_move + 1,
            state.taken,
            state.pile,
            state.discards
        )?;
        let values: Vec<String> = values
            .iter()
            .map(|(action, value)| format!("{action}: {:.2}", 100.0 * value))
            .collect();
        line!("      {}", values.join(", "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A random action loses much in every game of the suite, and there are games of two and of three.
    #[test]
    fn choices_matter_in_the_suite() {
        for size in SUITE {
            let solution = Solution::of(size.game(1).unwrap(), LIMIT).unwrap();
            let positions = solution.met(100, 1);
            let first = |state: &State| solution.actions(state)[0];
            let loss = losses(&solution, &positions, first);
            assert!(loss.chance > 0.03, "{size:?}: {loss:?}");
        }
        for players in [2, 3] {
            assert!(SUITE.iter().any(|size| size.players == players));
        }
    }
}
