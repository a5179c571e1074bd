//! `contest hearts serve TOTAL PER_GROUP TESTS OUT1 IN1 …`: serves groups of programs over named pipes.
//!
//! Three threads take part: one runs the server, one reads typed lines, and the console shows events and executes
//! commands.

use crate::hearts::pipes::Pipes;
use crate::hearts::server::{Progress, Server, ServerEvent, Settings};
use crate::{Usage, interrupt};
use arena::plain_text::counted;
use clap::Args as ClapArgs;
use hearts::pipe::is_same_path;
use hearts::rules::Options;
use seats::cli::numbers::seconds_above_none;
use seats::cli::seed::SeedArgs;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Serves groups of Hearts programs over named pipes.
///
/// It makes the pipes that are missing and waits for Return; from then on `scores` and `stop` can be
/// typed. All groups play at once, and the scores of every round are printed at its end. A program that
/// breaks the rules, or does not answer in time, ends its group.
///
/// Every trick is played and scored, and points may be played on the first trick, as in matches and at
/// tables; --strict and --original play by other rules.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Programs of all groups together
    total: usize,
    /// Programs of a group, 3 to 6; a divisor of TOTAL
    #[arg(value_parser = clap::value_parser!(u8).range(3..=6))]
    per_group: u8,
    /// Rounds of each group
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    tests: u64,
    /// Two pipes for each program: the one that it reads, then the one that it writes
    #[arg(required = true, value_name = "OUT IN")]
    pipes: Vec<PathBuf>,
    /// Time for an answer, and to open the pipes once Return is pressed
    #[arg(long, default_value = "5", value_name = "SECONDS", value_parser = seconds_above_none)]
    time: Duration,
    #[command(flatten)]
    seed: SeedArgs,
    /// Forbid points on the first trick to a hand that has another card
    #[arg(long)]
    strict: bool,
    /// Leave the last trick of every round out, as the original server does: a round ends when everybody
    /// has one card left, and points in these cards count for nobody
    #[arg(long)]
    original: bool,
    /// Begin messages with one of the signs `@ : [ ] ;` in place of a digit, as later versions of the public server do
    #[arg(long)]
    signs: bool,
}

/// The events that the console waits for. All come through one channel, so that it can wait for any of them.
enum Event {
    Typed(String),
    /// The end of standard input.
    Closed,
    Server(ServerEvent),
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let pipes = self.pipes()?;
        let options = self.options();
        let settings = Settings {
            per_group: usize::from(self.per_group),
            tests: self.tests,
            time: self.time,
            options,
            signs: self.signs,
            seed: self.seed.secret()?,
        };
        let server = Server::open(&pipes, settings).map_err(Usage::of)?;
        let interrupted = interrupt::requested();
        let (sender, events) = channel();
        read_commands(sender.clone());
        line!("rules: {options}")?;
        let mut console = Console {
            server: &server,
            pipes: &pipes,
            tests: self.tests,
            connected: 0,
            started: false,
        };
        // Scoped: the server's thread borrows the server, and is joined before the result is printed.
        thread::scope(|scope| {
            let playing = scope.spawn(|| {
                let sender = sender;
                server.run(|event| {
                    // The receiver is gone only after a stop.
                    let _ = sender.send(Event::Server(event));
                })
            });
            // The console ends at `stop`, at a signal, or after the last group. The server may then still play, so it
            // is stopped.
            let commanded = console.run(&events, || interrupted.is_set());
            server.stop();
            let played = playing
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("the server died")));
            line!("{}", report(&server.progress(), self.tests))?;
            commanded?;
            Ok(played?)
        })
    }

    /// The rules that the options ask for.
    fn options(&self) -> Options {
        Options {
            clean_first_trick: self.strict,
            last_trick: !self.original,
            ..Options::default()
        }
    }

    /// The pipes by program, checked for their number. Each is given once.
    fn pipes(&self) -> anyhow::Result<Vec<Pipes>> {
        let (total, group) = (self.total, usize::from(self.per_group));
        // Every group must be full.
        if total == 0 || !total.is_multiple_of(group) {
            refuse!(
                "{} cannot play in groups of {group}",
                counted(total, "program")
            );
        }
        let expected = total.saturating_mul(2);
        if self.pipes.len() != expected {
            refuse!(
                "{} for {total} programs, expected {expected}: OUT1 IN1 OUT2 IN2 …",
                counted(self.pipes.len(), "pipe"),
            );
        }
        let repeated = |number: &usize| {
            let mut earlier = self.pipes[..*number].iter();
            earlier.any(|pipe| is_same_path(pipe, &self.pipes[*number]))
        };
        if let Some(number) = (0..self.pipes.len()).find(repeated) {
            let pipe = self.pipes[number].display();
            refuse!("the pipe {pipe} is given twice, expected {expected} different ones");
        }
        // Pipes come in pairs: the one that the server writes, then the one it reads.
        let pairs = self.pipes.chunks(2).map(|pair| Pipes {
            out: pair[0].clone(),
            input: pair[1].clone(),
        });
        Ok(pairs.collect())
    }
}

/// Forwards typed lines into the channel, from a separate thread: reading a terminal blocks, and events of the server
/// must be shown meanwhile.
fn read_commands(sender: Sender<Event>) {
    thread::spawn(move || {
        for line in io::stdin().lines() {
            let Ok(line) = line else { break };
            if sender.send(Event::Typed(line)).is_err() {
                return;
            }
        }
        let _ = sender.send(Event::Closed);
    });
}

/// The terminal's side: shows events and executes typed commands.
struct Console<'a> {
    server: &'a Server,
    pipes: &'a [Pipes],
    tests: u64,
    connected: usize,
    started: bool,
}

impl Console<'_> {
    /// Handles events until all groups are over, `stop` is typed or a signal comes.
    ///
    /// # Errors
    /// If standard input ends before the start, or standard output cannot be written.
    fn run(
        &mut self,
        events: &Receiver<Event>,
        interrupted: impl Fn() -> bool,
    ) -> anyhow::Result<()> {
        let total = self.pipes.len();
        line!("waiting for {total} programs; press Return to start")?;
        let mut over = 0;
        while over < self.server.progress().len() {
            // A signal does not end the wait for an event. So waits are short, and `interrupted` is asked after each.
            match events.recv_timeout(Duration::from_millis(100)) {
                Ok(Event::Typed(text)) => {
                    if !self.execute(text.trim())? {
                        return Ok(());
                    }
                }
                // Nobody can press Return any more. After the start, the games go on without a terminal.
                Ok(Event::Closed) if !self.started => {
                    anyhow::bail!("standard input has ended before Return was pressed")
                }
                Ok(Event::Closed) => {}
                Ok(Event::Server(ServerEvent::Connected(program))) => {
                    self.connected += 1;
                    let out = self.pipes[program].out.display();
                    line!("{out} is read: {} of {total} are here", self.connected)?;
                }
                Ok(Event::Server(ServerEvent::Scored {
                    group,
                    round,
                    scores,
                })) => {
                    let [new, sum] = [0, 1].map(|which| {
                        let numbers = scores.iter().map(|both| both[which].to_string());
                        numbers.collect::<Vec<_>>().join(" ")
                    });
                    line!(
                        "group {}, round {round}: scores {new}, so far {sum}",
                        group + 1
                    )?;
                }
                Ok(Event::Server(ServerEvent::Over(group))) => {
                    over += 1;
                    let progress = &self.server.progress()[group];
                    if let Some((player, reason)) = &progress.fault {
                        let name = name(progress, *player);
                        line!("group {}: player {player}{name} {reason}", group + 1)?;
                    } else {
                        line!("group {} is over", group + 1)?;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                // The server's thread has ended.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if interrupted() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Executes a typed line. Returns whether to go on: false for `stop`.
    fn execute(&mut self, text: &str) -> io::Result<bool> {
        match text {
            "stop" => return Ok(false),
            "scores" => line!("{}", report(&self.server.progress(), self.tests))?,
            "" if !self.started => {
                self.started = true;
                self.server.start();
                line!("started; `scores` and `stop` can be typed")?;
            }
            "" => {}
            other => line!("{other:?}: expected `scores` or `stop`")?,
        }
        Ok(true)
    }
}

/// The name that a player has sent, as ` (NAME)`, or nothing.
fn name(progress: &Progress, player: usize) -> String {
    match progress.standings[player].name.as_str() {
        "" => String::new(),
        name => format!(" ({name})"),
    }
}

/// The scores of all groups.
fn report(groups: &[Progress], tests: u64) -> String {
    let mut lines = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let state = match &group.fault {
            Some((player, reason)) => {
                format!(", ended: player {player}{} {reason}", name(group, *player))
            }
            None => String::new(),
        };
        lines.push(format!(
            "group {}: {} of {}{state}",
            number + 1,
            group.rounds,
            counted(tests, "round")
        ));
        for (player, standing) in group.standings.iter().enumerate() {
            // Scores are counted at the end of a round, so the mean is over finished rounds.
            let mean = standing.score as f64 / group.rounds.max(1) as f64;
            let name = &standing.name;
            lines.push(format!(
                "  {player}  {name:<15}  {:>6}  {mean:>6.2} a round",
                standing.score
            ));
        }
    }
    lines.join("\n")
}
