//! Progress bars on stderr: [`Progress`] for the games of a match, with rate and score, [`Steps`] for any other work.

use super::line_up::LineUp;
use super::schedule::{GameResult, ScheduledGame};
use engine::sync::lock;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A bar with the games played, their rate, the time left and the score so far; nothing if stderr
/// is not a terminal.
pub struct Progress {
    bar: ProgressBar,
    labels: Vec<String>,
    /// Whether to write a line now and then where there is no terminal.
    lines: bool,
    state: Mutex<Score>,
}

/// The rate of games and the time left, in words, at the mean pace since the beginning: games end in
/// bursts, which mislead the bar's own estimate over a short time.
fn pace(done: u64, left: u64, elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-3);
    let rate = match rate {
        1.0.. => format!("{rate:.1} a second"),
        _ => format!("{:.1} a minute", 60.0 * rate),
    };
    let left = elapsed.mul_f64(left as f64 / done.max(1) as f64);
    format!("{rate}, {} left", HumanDuration(left))
}

/// The state that all threads share.
struct Score {
    /// For each program its wins, and the wins expected if all programs were equal.
    wins: Vec<(f64, f64)>,
    note: String,
    /// When the last line was written.
    told: Instant,
    /// Games that an earlier run had played: they do not count in the rate.
    before: u64,
    /// When this run began to play.
    began: Instant,
}

impl Score {
    /// Adds a game to the score.
    fn count(&mut self, scheduled: &ScheduledGame, played: &GameResult) {
        for (&program, seat) in scheduled.seats.iter().zip(&played.seats) {
            // In a game of n seats each of n equal programs wins 1/n: 25 wins in 100 games of four give the
            // score 1.00.
            self.wins[program].0 += seat.share;
            self.wins[program].1 += 1.0 / scheduled.seats.len() as f64;
        }
    }

    /// The score in words, 1.00 for as many wins as equal programs would have, and then the note.
    fn message(&self, labels: &[String]) -> String {
        let mut parts: Vec<String> = labels
            .iter()
            .zip(&self.wins)
            .filter(|(_, (_, fair))| *fair > 0.0)
            .map(|(label, (wins, fair))| format!("{label} {:.2}", wins / fair))
            .collect();
        if !self.note.is_empty() {
            parts.push(self.note.clone());
        }
        parts.join(" : ")
    }
}

/// How often a line is written where there is no terminal: logs of a night stay readable.
const LINE_EVERY: Duration = Duration::from_secs(60);

impl Progress {
    /// A bar for a number of games between the named programs.
    pub fn new(games: u64, labels: &[String]) -> Progress {
        Progress {
            bar: bar(games, "{bar:24} {pos}/{len} games  {msg}"),
            labels: labels.to_vec(),
            lines: false,
            state: Mutex::new(Score {
                wins: vec![(0.0, 0.0); labels.len()],
                note: String::new(),
                told: Instant::now(),
                before: 0,
                began: Instant::now(),
            }),
        }
    }

    /// The same, but where stderr is no terminal a line is written there once a minute.
    #[must_use]
    pub fn with_lines(self) -> Progress {
        Progress {
            lines: true,
            ..self
        }
    }

    /// Counts a game that an earlier run had played.
    pub fn counted(&self, scheduled: &ScheduledGame, played: &GameResult) {
        let mut state = lock(&self.state);
        // Counted in the score, and by `begin` left out of the rate.
        state.count(scheduled, played);
        self.bar.inc(1);
    }

    /// Measures the rate and the time left from now on.
    pub fn begin(&self) {
        let mut state = lock(&self.state);
        state.before = self.bar.position();
        state.began = Instant::now();
    }

    /// Counts a game that has just ended, and shows pace and score.
    pub fn finished(&self, scheduled: &ScheduledGame, played: &GameResult) {
        let mut state = lock(&self.state);
        state.count(scheduled, played);
        self.bar.inc(1);
        // Without a terminal the bar draws nothing, so no text is made for it unless a line is due.
        let due = self.lines && state.told.elapsed() >= LINE_EVERY;
        if self.bar.is_hidden() && !due {
            return;
        }
        let (position, total) = (self.bar.position(), self.bar.length().unwrap_or_default());
        let left = total.saturating_sub(position);
        let pace = pace(position - state.before, left, state.began.elapsed());
        let message = format!("{pace}  {}", state.message(&self.labels));
        if !self.bar.is_hidden() {
            self.bar.set_message(message);
        } else {
            state.told = Instant::now();
            engine::note!("{position}/{total} games, {message}");
        }
    }

    /// Sets a note that follows the score.
    pub fn note(&self, text: String) {
        let mut state = lock(&self.state);
        state.note = text;
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for any work: the part done, the rate and the time left. Nothing is shown if stderr is not a terminal.
/// Any thread may count.
#[derive(Clone)]
pub struct Steps {
    bar: ProgressBar,
}

impl Steps {
    /// A bar for a number of things, which are called `unit`.
    pub fn new(total: u64, unit: &str) -> Steps {
        Steps {
            bar: bar(
                total,
                &format!("{{bar:24}} {{pos}}/{{len}} {unit}  {{per_sec}}  {{eta}} left"),
            ),
        }
    }

    /// A bar for steps that are begun one after the other and may take long, each called a `unit`: number and name of
    /// the step under way, and the time since the first one.
    pub fn one_by_one(unit: &str) -> Steps {
        Steps {
            bar: bar(
                0,
                &format!("{{bar:24}} {unit} {{pos}} of {{len}}, {{elapsed}}: {{msg}}"),
            ),
        }
    }

    /// Begins step `number` (from 1) of `of`.
    pub fn begin(&self, number: u64, of: u64, name: &'static str) {
        self.bar.set_length(of);
        self.bar.set_position(number);
        self.bar.set_message(name);
    }

    /// Prints something while the bar is off the screen.
    pub fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Counts one thing as done.
    pub fn finished(&self) {
        self.bar.inc(1);
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar on stderr, drawn at most five times a second.
fn bar(total: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    // The times on the bar move even while no game ends.
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// The programs of a line-up with their numbers of seats, for headings: `2 × hoarder, greedy`.
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
