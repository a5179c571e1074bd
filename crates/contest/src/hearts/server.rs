//! The server: it plays every group's rounds over named pipes, each group on its own thread. The command
//! `contest hearts serve` starts and stops it.
//!
//! Opening a pipe never blocks: a pipe is opened for writing once its program has opened it for reading
//! (fifo(7)). Only pipes that are ready are read and written.

use super::group::{Group, Standing};
use super::pipes::{Pipes, WaitingPipes};
use arena::wire::{self, Wire};
use engine::rng::mix;
use engine::sync::lock;
use hearts::pipe::PipeError;
use hearts::protocol::{Frames, frame, print, print_signed};
use hearts::rules::Options;
use std::io;
use std::mem;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two checks for connected programs and for a stop.
const STEP: Duration = Duration::from_millis(20);

/// The time for programs to close their pipes after a stop.
const CLOSING: Duration = Duration::from_secs(1);

/// The groups and rounds to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Players of a group, 3 to 6.
    pub per_group: usize,
    /// Rounds of each group.
    pub tests: u64,
    /// The time for a program to open its pipes after the start, and for every answer.
    pub time: Duration,
    pub options: Options,
    /// Whether messages begin with a sign in place of a digit, as later versions of the public server write them.
    pub signs: bool,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// The state of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The players, by their number in the group.
    pub standings: Vec<Standing>,
    /// By player: whether it has opened its pipes.
    pub connected: Vec<bool>,
    /// Rounds played to their end.
    pub rounds: u64,
    /// Whether it plays no more.
    pub over: bool,
    /// The player who broke the rules and the reason, if that ended it.
    pub fault: Option<(usize, String)>,
}

/// Events of a running server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerEvent {
    /// A program has opened its pipes: its number among all, from 0.
    Connected(usize),
    /// A group, from 0, has played a round to its end.
    Scored {
        group: usize,
        /// The round, from 1.
        round: u64,
        /// By player, its scores in this round and in all so far.
        scores: Vec<[u64; 2]>,
    },
    /// A group, from 0, plays no more.
    Over(usize),
}

/// A server with its pipes open.
#[derive(Debug)]
pub struct Server {
    settings: Settings,
    tables: Vec<Mutex<Table>>,
    progress: Vec<Mutex<Progress>>,
    /// Set by `start` and `stop` for the groups' threads. The flags announce no other data, so relaxed ordering is
    /// enough.
    started: AtomicBool,
    stopped: AtomicBool,
}

impl Server {
    /// Makes the missing pipes and opens all of them for reading. Programs are grouped in the given order;
    /// their number must be a multiple of the group's size.
    ///
    /// # Errors
    /// If a pipe cannot be made or opened.
    pub fn open(programs: &[Pipes], settings: Settings) -> Result<Server, PipeError> {
        let mut tables = Vec::new();
        let mut progress = Vec::new();
        for (number, pipes) in programs.chunks(settings.per_group).enumerate() {
            let players = pipes.iter().map(Player::open);
            let group = Group::new(
                pipes.len(),
                settings.tests,
                settings.options,
                // Each group has its own deals, which are no other seed's near by. The first has the seed itself.
                settings.seed ^ mix(number as u64),
            );
            progress.push(Mutex::new(Progress {
                standings: group.standings().to_vec(),
                connected: vec![false; pipes.len()],
                ..Progress::default()
            }));
            tables.push(Mutex::new(Table {
                players: players.collect::<Result<_, _>>()?,
                group,
            }));
        }
        Ok(Server {
            settings,
            tables,
            progress,
            started: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
        })
    }

    /// Lets each group begin as soon as all its programs are connected.
    pub fn start(&self) {
        self.started.store(true, Ordering::Relaxed);
    }

    /// Ends all groups: a stop is sent to all programs, and [`Server::run`] returns.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// The states of the groups.
    pub fn progress(&self) -> Vec<Progress> {
        self.progress.iter().map(|p| lock(p).clone()).collect()
    }

    /// Waits for the programs and the start, and plays all groups at once. It returns when all
    /// are over.
    ///
    /// # Errors
    /// If the operating system cannot wait for the pipes.
    pub fn run(&self, report: impl Fn(ServerEvent) + Sync) -> io::Result<()> {
        thread::scope(|scope| {
            let report = &report;
            // A thread a group: a slow group holds up no other.
            let threads: Vec<_> = (0..self.tables.len())
                .map(|group| scope.spawn(move || self.host(group, report)))
                .collect();
            threads.into_iter().try_for_each(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(io::Error::other("a group's thread died")))
            })
        })
    }

    /// Plays a group from the connection of its programs to the end of their pipes.
    fn host(&self, number: usize, report: &(impl Fn(ServerEvent) + Sync)) -> io::Result<()> {
        let mut table = lock(&self.tables[number]);
        let outcome = self
            .gather(&mut table, number, report)
            .and_then(|()| self.play(&mut table, number, report));
        // Whatever ended the games: every program gets a stop, once.
        table.group.stop();
        table.send_events(self.settings.signs);
        let ended = table.hang_up();
        self.note(&table.group, number, report);
        report(ServerEvent::Over(number));
        outcome.and(ended)
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Opens the pipes of programs that connect, until all have and the start was given. A program that is
    /// still missing `time` after the start ends its group.
    fn gather(
        &self,
        table: &mut Table,
        number: usize,
        report: &(impl Fn(ServerEvent) + Sync),
    ) -> io::Result<()> {
        let mut deadline = None;
        loop {
            for (player, place) in table.players.iter_mut().enumerate() {
                if place.connect()? {
                    lock(&self.progress[number]).connected[player] = true;
                    report(ServerEvent::Connected(
                        number * self.settings.per_group + player,
                    ));
                }
            }
            let missing = table
                .players
                .iter()
                .position(|player| player.wire.is_none());
            let started = self.started.load(Ordering::Relaxed);
            if self.is_stopped() || (started && missing.is_none()) {
                return Ok(());
            }
            // The deadline counts from the first look after the start.
            if started {
                let now = Instant::now();
                let deadline = *deadline.get_or_insert(now + self.settings.time);
                if let Some(missing) = missing.filter(|_| now >= deadline) {
                    let out = table.players[missing].waiting.out().display();
                    let reason = format!("nobody reads {out}");
                    table.group.end_by_fault(missing, &reason);
                    return Ok(());
                }
            }
            thread::sleep(STEP);
        }
    }

    /// Passes messages between a group and its programs until it is over, the server is stopped, or an answer does not
    /// come in time.
    fn play(
        &self,
        table: &mut Table,
        number: usize,
        report: &(impl Fn(ServerEvent) + Sync),
    ) -> io::Result<()> {
        let time = self.settings.time;
        // All players asked at the same time share a clock; the next message restarts it.
        let mut asked = Instant::now();
        // A name that is here before its question is known by that.
        wire::wait(&mut table.wires(), Some(asked))?;
        table.receive();
        table.send_events(self.settings.signs);
        while !table.group.is_over() && !self.is_stopped() {
            // In short steps, as a stop may come at any time.
            let deadline = (asked + time).min(Instant::now() + 5 * STEP);
            wire::wait(&mut table.wires(), Some(deadline))?;
            table.receive();
            if table.send_events(self.settings.signs) {
                asked = Instant::now();
                self.note(&table.group, number, report);
            } else if asked.elapsed() >= time
                && let Some(silent) = (0..table.players.len()).find(|&p| table.group.waits_for(p))
            {
                let reason = format!("no answer within {} s", time.as_secs_f64());
                table.group.end_by_fault(silent, &reason);
            }
        }
        Ok(())
    }

    /// Copies a group's state to where [`Server::progress`] reads it: a group's own lock is held while it plays. Reports
    /// the scores of a round that has ended.
    fn note(&self, group: &Group, number: usize, report: &(impl Fn(ServerEvent) + Sync)) {
        let mut progress = lock(&self.progress[number]);
        let before = mem::replace(&mut progress.standings, group.standings().to_vec());
        // A round has many messages, and each of them is noted: one round at most has ended since the last note.
        if group.rounds() > progress.rounds {
            let both = group.standings().iter().zip(before);
            report(ServerEvent::Scored {
                group: number,
                round: group.rounds(),
                scores: both
                    .map(|(now, then)| [now.score - then.score, now.score])
                    .collect(),
            });
        }
        progress.rounds = group.rounds();
        progress.over = group.is_over();
        let fault = group.fault();
        progress.fault = fault.map(|(player, reason)| (player, reason.to_owned()));
    }
}

/// A group with its players' pipes.
#[derive(Debug)]
struct Table {
    players: Vec<Player>,
    group: Group,
}

impl Table {
    /// Sends the group's messages. Returns whether there were any.
    fn send_events(&mut self, signs: bool) -> bool {
        let print = if signs { print_signed } else { print };
        let events = self.group.events();
        for event in &events {
            if let Some(wire) = &mut self.players[event.player].wire {
                wire.send(&frame(&print(&event.message)));
            }
        }
        !events.is_empty()
    }

    fn wires(&mut self) -> Vec<&mut Wire> {
        let wires = self.players.iter_mut().map(|player| player.wire.as_mut());
        wires.flatten().collect()
    }

    /// Receives messages, and handles closed pipes.
    fn receive(&mut self) {
        for (number, player) in self.players.iter_mut().enumerate() {
            let Some(wire) = &mut player.wire else {
                continue;
            };
            // Frames may arrive in parts, or several at once.
            player.frames.push(wire.received());
            wire.received().clear();
            loop {
                match player.frames.next_text() {
                    Ok(Some(text)) => {
                        let departure = self
                            .group
                            .departure(number, &text)
                            .filter(|_| !player.is_noted);
                        if let Some(departure) = departure {
                            player.is_noted = true;
                            let out = player.waiting.out().display();
                            engine::note!("the player that reads {out} {departure}");
                        }
                        self.group.receive(number, &text);
                    }
                    Ok(None) => break,
                    // After a broken frame no later one can be found.
                    Err(error) => {
                        self.group.end_by_fault(number, &error.to_string());
                        break;
                    }
                }
            }
            // A program opens the pipe that it reads first. If it is gone before it opens the other one, no end of that
            // one is ever read; only the first one shows it.
            wire.look_for_reader();
            if wire.is_closed() || wire.is_deaf() {
                self.group.end_by_fault(number, "has closed its pipe");
            } else if wire.is_stuck() {
                self.group.end_by_fault(number, "does not read its pipe");
            }
        }
    }

    /// Closes all pipes when all programs have closed theirs, or have had time to. A program that is just
    /// writing an answer must not find its pipe broken.
    fn hang_up(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + CLOSING;
        let is_open = |wire: &&mut Wire| !wire.is_closed() && !wire.is_deaf();
        while Instant::now() < deadline && self.wires().iter().any(is_open) {
            wire::wait(&mut self.wires(), Some(deadline))?;
            // Whatever still comes is read and dropped, so that no writer blocks.
            let clear = |wire: &mut &mut Wire| wire.received().clear();
            self.wires().iter_mut().for_each(clear);
        }
        self.players
            .iter_mut()
            .for_each(|player| player.wire = None);
        Ok(())
    }
}

/// A program at its place at a table.
#[derive(Debug)]
struct Player {
    waiting: WaitingPipes,
    /// None until the program has opened its pipes.
    wire: Option<Wire>,
    frames: Frames,
    /// Whether a departure of it has been printed.
    is_noted: bool,
}

impl Player {
    fn open(pipes: &Pipes) -> Result<Player, PipeError> {
        Ok(Player {
            waiting: WaitingPipes::open(pipes)?,
            wire: None,
            frames: Frames::default(),
            is_noted: false,
        })
    }

    /// Returns whether the program has just opened its pipes.
    fn connect(&mut self) -> io::Result<bool> {
        if self.wire.is_some() {
            return Ok(false);
        }
        self.wire = self.waiting.connect().map_err(io::Error::other)?;
        Ok(self.wire.is_some())
    }
}
