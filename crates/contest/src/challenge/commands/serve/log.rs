//! The output of `contest challenge serve`: a line for each event and the standings on standard output, and a
//! status line if standard error is a terminal.
//!
//! A separate thread prints. It takes the lines from a queue of limited length, so a reader that has stopped
//! reading delays no game.

use super::results;
use arena::report::html::plural;
use challenge_server::contest::Contest;
use challenge_server::events::ContestEvent;
use challenge_server::snapshot::{Meetings, Phase, Snapshot, SnapshotSource, snapshot};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::net::IpAddr;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// How often the status line is renewed.
const EVERY: Duration = Duration::from_secs(1);

/// The status line. It is hidden if standard error is not a terminal.
#[derive(Clone)]
pub(super) struct Status(ProgressBar);

impl Status {
    fn new() -> Status {
        let target = ProgressDrawTarget::stderr_with_hz(2);
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        Status(bar)
    }

    /// Keeps the line up to date. It never returns: the caller runs it beside the contest and drops it at the end.
    pub(super) async fn follow(&self, source: &SnapshotSource) {
        // The time and the number of games at the first snapshot. The rate counts from there, so games before a
        // restart of the server do not count.
        let mut first = None;
        while !self.0.is_hidden() {
            let Some(now) = snapshot(source).await else {
                break;
            };
            let (since, games) = *first.get_or_insert((Instant::now(), now.games));
            let rate = (now.games - games) as f64 / since.elapsed().as_secs_f64().max(1.0);
            self.0.set_message(status(&now, 60.0 * rate));
            self.0.tick();
            tokio::time::sleep(EVERY).await;
        }
        // Reached if no line is to be shown, or if the contest gives no more snapshots. Returning would end the server,
        // because the caller stops at the first of its tasks that is over.
        std::future::pending().await
    }
}

/// The state of a contest in one line: `last hour, 1:02:05 left | 3 of 4 teams connected | …`.
fn status(now: &Snapshot, games_a_minute: f64) -> String {
    let phase = match now.phase {
        Phase::Open => "open play",
        Phase::LastHour => "last hour",
        Phase::Closing => "last games before the final",
        Phase::Final => "final",
        Phase::Over => "over",
    };
    let left = now.ends_in.map_or(String::new(), |seconds| {
        let whole = seconds.round() as u64;
        let (hours, minutes) = (whole / 3600, whole / 60 % 60);
        format!(", {hours}:{minutes:02}:{:02} left", whole % 60)
    });
    let online = now.teams.iter().filter(|team| team.online).count();
    format!(
        "{phase}{left} | {online} of {} connected | {}, {games_a_minute:.0} a minute | {} under way",
        plural(now.teams.len() as u64, "team"),
        plural(now.games, "game"),
        now.live.len()
    )
}

/// The score of two teams, as `ants 5 : 3 bees`.
fn score([one, other]: [&str; 2], [won, lost]: [u32; 2]) -> String {
    format!("{one} {won} : {lost} {other}")
}

/// The most lines that wait to be printed. Further lines are dropped.
const WAITING: usize = 10_000;
/// How long further refusals of an address stay unprinted.
const QUIET: Duration = Duration::from_secs(10);
/// How long the end of the server waits for the last lines to be printed.
const PATIENCE: Duration = Duration::from_secs(2);

/// Prints lines on a separate thread, so that no game waits for a slow reader.
struct Printer {
    lines: Lines,
    done: Receiver<io::Result<()>>,
}

impl Printer {
    fn new(bar: ProgressBar) -> io::Result<Printer> {
        let (lines, queue) = mpsc::sync_channel::<String>(WAITING);
        let (result, done) = mpsc::channel();
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || {
                // The status line is hidden while a line is printed, or both would share a line of the terminal.
                // Printing is lazy: `find` below takes line after line and stops at the first error.
                let mut printed = queue.iter().map(|text| bar.suspend(|| line!("{text}")));
                let _ = result.send(printed.find(Result::is_err).unwrap_or(Ok(())));
            })?;
        Ok(Printer {
            lines: Lines(Some(lines)),
            done,
        })
    }

    /// Prints the lines that still wait, for at most `PATIENCE`.
    ///
    /// # Errors
    /// The first line that could not be printed.
    fn end(&mut self) -> io::Result<()> {
        // Without a sender the queue is closed, so the thread prints the rest and ends.
        self.lines = Lines(None);
        self.done.recv_timeout(PATIENCE).unwrap_or(Ok(()))
    }
}

/// A handle of the printer. The log and other parts of the server print lines by it.
#[derive(Clone)]
pub(super) struct Lines(Option<SyncSender<String>>);

impl Lines {
    pub(super) fn print(&self, text: String) {
        // If the queue is full, its reader has stopped reading. The line is dropped, as the contest must go on.
        let _ = self.0.as_ref().map(|lines| lines.try_send(text));
    }
}

/// Prints what happens in a contest.
pub(super) struct Log {
    names: BTreeMap<u64, String>,
    online: BTreeSet<u64>,
    verbose: bool,
    status: Status,
    /// The number of rated games when the standings were last printed.
    printed: Option<u64>,
    /// The time of the last printed refusal, by address.
    refused: HashMap<IpAddr, Instant>,
    printer: Printer,
}

impl Log {
    pub(super) fn new(names: BTreeMap<u64, String>, verbose: bool) -> io::Result<Log> {
        let status = Status::new();
        Ok(Log {
            names,
            online: BTreeSet::new(),
            verbose,
            printed: None,
            refused: HashMap::new(),
            printer: Printer::new(status.0.clone())?,
            status,
        })
    }

    pub(super) fn status(&self) -> Status {
        self.status.clone()
    }

    /// A handle for the lines of another part of the server. It must be dropped before [`Log::end`]: as long as it
    /// lives the queue stays open, and the end waits in vain until `PATIENCE` is over.
    pub(super) fn lines(&self) -> Lines {
        self.printer.lines.clone()
    }

    pub(super) fn print(&self, text: String) {
        self.printer.lines.print(text);
    }

    fn name(&self, team: u64) -> &str {
        self.names.get(&team).map_or("?", String::as_str)
    }

    /// Prints the line for an event, if it has one, and keeps track of the teams that are connected.
    pub(super) fn take(&mut self, event: &ContestEvent) {
        match *event {
            ContestEvent::Joined { team } => {
                self.online.insert(team);
            }
            ContestEvent::Left { team } => {
                self.online.remove(&team);
            }
            ContestEvent::Standings { contest } => {
                let games = contest.rated_games();
                // Nothing is new. `replace` stores the new number of games and returns the one of the last time.
                if self.printed.replace(games) == Some(games) {
                    return;
                }
            }
            ContestEvent::Unknown { host }
            | ContestEvent::NoToken { host, .. }
            | ContestEvent::TooEarly { host, .. }
                if !self.is_new(host) =>
            {
                return;
            }
            _ => {}
        }
        if let Some(text) = self.text(event) {
            self.print(text);
        }
    }

    /// Whether a refusal of this address is to be printed: the last line about it is older than `QUIET`. Otherwise a
    /// client that keeps reconnecting would fill the terminal.
    fn is_new(&mut self, host: IpAddr) -> bool {
        let now = Instant::now();
        let is_old = |then: &Instant| now.duration_since(*then) >= QUIET;
        // A suppressed line does not restart the silence: a client that connects every second is still named every
        // ten seconds.
        let is_new = self.refused.get(&host).is_none_or(is_old);
        if is_new {
            self.refused.insert(host, now);
        }
        is_new
    }

    /// The line for an event; none for events that are printed only with --verbose.
    fn text(&self, event: &ContestEvent) -> Option<String> {
        let loser = |teams: [u64; 2], winner| teams[usize::from(teams[0] == winner)];
        Some(match *event {
            // Connections and ordinary games are too many to be printed without --verbose.
            ContestEvent::Joined { .. } | ContestEvent::Left { .. } if !self.verbose => {
                return None;
            }
            ContestEvent::Game {
                is_final: false, ..
            } if !self.verbose => return None,
            ContestEvent::Joined { team } => format!("{} is here", self.name(team)),
            ContestEvent::Left { team } => format!("{} has gone", self.name(team)),
            ContestEvent::Game {
                id,
                teams,
                winner,
                is_final,
                round,
            } => {
                // `loser` is the team of the pair that is not the winner.
                let [winner, loser] = [winner, loser(teams, winner)].map(|team| self.name(team));
                let names = teams.map(|team| self.name(team));
                match is_final {
                    false => format!("game {id}: {winner} beats {loser}"),
                    true => format!(
                        "game {id}: {winner} beats {loser}; the final round stands {}",
                        score(names, round)
                    ),
                }
            }
            ContestEvent::Void { id, teams } => {
                let [one, other] = teams.map(|team| self.name(team));
                format!(
                    "void: game {id} of {one} and {other}: the server was stopped before its end"
                )
            }
            ContestEvent::Unknown { host } => format!("no team connects from {host}"),
            ContestEvent::NoToken { host, team } => {
                let whom = team.map_or("a team", |team| self.name(team));
                format!("a connection from {host} to {whom} did not send the right token")
            }
            ContestEvent::TooEarly { host, team } => {
                let whom = team.map_or("a connection", |team| self.name(team));
                format!("{whom} came too early, from {host}")
            }
            ContestEvent::Round {
                teams,
                winner,
                is_final,
                games,
            } => {
                let stage = if is_final { "final round" } else { "round" };
                let loser = self.name(loser(teams, winner));
                // The winner of a round has won more of its games, so its number comes first.
                let most = games.iter().max().unwrap_or(&0);
                let least = games.iter().min().unwrap_or(&0);
                format!(
                    "{stage}: {} beats {loser} {most} : {least}",
                    self.name(winner)
                )
            }
            ContestEvent::LastHour => "the last hour: everybody plays".to_owned(),
            ContestEvent::TooFew => "the final waits until two teams are connected".to_owned(),
            ContestEvent::Final { stages } => results::bracket(stages, |team| self.name(team)),
            ContestEvent::Forfeit { team, winner } => format!(
                "team {team} is no longer in the teams' file: its match goes to {}",
                self.name(winner)
            ),
            ContestEvent::Champion { team, contest } => {
                // A summary of the contest: the games of each pair, the bracket of the final and its result.
                let name = |team| self.name(team);
                let meetings: Vec<Meetings> = contest.head_to_head().map(Meetings::from).collect();
                let table = results::head_to_head(&meetings, name);
                let table = table.map_or(String::new(), |table| table + "\n");
                let bracket = results::bracket(contest.stages(), name);
                let placing = results::placing(&contest.placing(), name);
                format!(
                    "{table}{bracket}\n{placing}\n{} has won the contest",
                    name(team)
                )
            }
            ContestEvent::Over => "the contest is over".to_owned(),
            ContestEvent::Standings { contest } => self.standings(contest),
        })
    }

    /// The mark of a connected team in the standings.
    fn connected(&self, team: u64) -> &'static str {
        match self.online.contains(&team) {
            true => "  connected",
            false => "",
        }
    }

    /// The standings, a line for each team.
    fn standings(&self, contest: &Contest) -> String {
        let width = self.names.values().map(|name| name.chars().count());
        let width = width.max().unwrap_or(0);
        // A team that is not in the final keeps its rating, but has no place in the final's result.
        let what = match contest.stages() {
            [] => "standings",
            _ => "standings of open play",
        };
        let mut text = format!("{what} after {}", plural(contest.rated_games(), "game"));
        for (place, (team, standing)) in contest.standings().into_iter().enumerate() {
            let name = self.name(team);
            if !standing.has_played() {
                text += &format!("\n   –  {name:width$}  has not played");
                text += self.connected(team);
                continue;
            }
            text += &format!(
                "\n{:>4}  {:width$}  {:5.0} ± {:<3.0}  games {:>5} : {:<5}  rounds {:>3} : {:<3}{}",
                place + 1,
                name,
                standing.rating.value,
                // Two standard deviations: an interval of about 95 %.
                2.0 * standing.rating.deviation,
                standing.won,
                standing.lost,
                standing.rounds_won,
                standing.rounds_lost,
                self.connected(team)
            );
        }
        text
    }

    /// Prints the state of the contest if it was stopped, then all waiting lines. `last` is the snapshot at the stop;
    /// none if the contest came to its end.
    ///
    /// # Errors
    /// If a line could not be printed.
    pub(super) fn end(mut self, last: Option<&Snapshot>) -> io::Result<()> {
        self.status.0.finish_and_clear();
        if let Some(last) = last {
            let table = results::head_to_head(&last.head_to_head, |team| self.name(team));
            table.into_iter().for_each(|table| self.print(table));
            self.print(format!(
                "stopped after {}, {} under way{}",
                plural(last.games, "game"),
                last.live.len(),
                match last.live.is_empty() {
                    true => "",
                    false => ", which will be void",
                }
            ));
        }
        if let Some(times) = last.map(|last| last.overhead).filter(|_| self.verbose) {
            self.print(format!(
                "from a move to the next request, over {}: {:.3} ms on average, {:.3} ms for 99 %, at most {:.1} ms",
                plural(times.moves, "move"),
                times.mean_ms,
                times.p99_ms,
                times.longest_ms
            ));
        }
        self.printer.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use challenge_server::overhead::Delays;

    #[test]
    fn a_contest_in_a_line() {
        let now = Snapshot {
            phase: Phase::LastHour,
            ends_in: Some(3725.2),
            games: 1,
            teams: Vec::new(),
            live: Vec::new(),
            void: Vec::new(),
            stages: Vec::new(),
            champion: None,
            placing: Vec::new(),
            overhead: Delays::default(),
            head_to_head: Vec::new(),
        };
        let line =
            "last hour, 1:02:05 left | 0 of 0 teams connected | 1 game, 31 a minute | 0 under way";
        assert_eq!(status(&now, 31.2), line);
    }

    /// A team that was not connected stands above all others in open play, and has no place in the final's result.
    #[test]
    fn a_final_has_a_result_of_its_own() {
        let names = ["ants", "bees", "cats"].map(str::to_owned);
        let log = Log::new((1..).zip(names).collect(), false).unwrap();
        let mut contest = Contest::new([1, 2, 3]);
        contest.count([3, 1], 0, false);
        contest.begin_stage(vec![1, 2]);
        contest.count([1, 2], 1, true);
        contest.forfeit([1, 2], 2);
        contest.begin_stage(vec![2]);
        let contest = &contest;
        let open = log.text(&ContestEvent::Standings { contest }).unwrap();
        let best = "standings of open play after 1 game\n   1  cats  ";
        assert!(open.starts_with(best), "{open}");
        let end = log.text(&ContestEvent::Champion { team: 2, contest });
        let end = end.unwrap();
        let result = "\nthe result of the final\n   1  bees\n   2  ants\nbees has won the contest";
        assert!(end.ends_with(result), "{end}");
    }
}
