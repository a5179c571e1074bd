//! How a match goes on, on stderr.

use super::line_up::LineUp;
use super::play::{Fixture, Played};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::time::Duration;

/// A bar with the games played, their rate, the time left and the score so far; nothing if stderr
/// is not a terminal.
pub struct Progress {
    bar: ProgressBar,
    labels: Vec<String>,
    /// Wins, and wins if all were equal, of each program.
    score: Mutex<Vec<(f64, f64)>>,
}

impl Progress {
    /// A bar for a number of games between the named programs.
    pub fn new(games: u64, labels: &[String]) -> Progress {
        Progress {
            bar: bar(games, "games"),
            labels: labels.to_vec(),
            score: Mutex::new(vec![(0.0, 0.0); labels.len()]),
        }
    }

    /// Counts a game.
    pub fn finished(&self, fixture: &Fixture, played: &Played) {
        self.bar.inc(1);
        if self.bar.is_hidden() {
            return;
        }
        let mut score = self.score.lock().unwrap_or_else(|e| e.into_inner());
        for (&program, seat) in fixture.seats.iter().zip(&played.seats) {
            score[program].0 += seat.share;
            score[program].1 += 1.0 / fixture.seats.len() as f64;
        }
        let parts: Vec<String> = self
            .labels
            .iter()
            .zip(score.iter())
            .filter(|(_, (_, fair))| *fair > 0.0)
            .map(|(label, (wins, fair))| format!("{label} {:.2}", wins / fair))
            .collect();
        self.bar.set_message(parts.join(" : "));
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar with how much of something is done, its rate and the time left; nothing if stderr is not a
/// terminal. Any thread may count.
pub struct Steps {
    bar: ProgressBar,
}

impl Steps {
    /// A bar for a number of things, which are called `unit`.
    pub fn new(total: u64, unit: &str) -> Steps {
        Steps {
            bar: bar(total, unit),
        }
    }

    /// Counts one.
    pub fn finished(&self) {
        self.bar.inc(1);
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn bar(total: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
    let style = ProgressStyle::with_template(&format!(
        "{{bar:24}} {{pos}}/{{len}} {unit}  {{per_sec}}  {{eta}} left  {{msg}}"
    ));
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// The labels and fair shares of a line-up, for headings: `2 × hoarder, greedy`.
pub fn heading(line_up: &LineUp, labels: &[String]) -> String {
    let parts: Vec<String> = line_up
        .programs()
        .into_iter()
        .map(|program| match line_up.seats_of(program) {
            1 => labels[program].clone(),
            n => format!("{n} × {}", labels[program]),
        })
        .collect();
    parts.join(", ")
}
