//! What a contest's server prints: lines of news and standings on standard output, and on a terminal
//! how things stand at this moment, on a line of its own.

use crate::challenge::contest::Contest;
use crate::challenge::server::News;
use crate::challenge::snapshot::{Glass, Phase, Snapshot, look};
use arena::report::html::{count, plural};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::net::IpAddr;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// How often the line of a terminal changes.
const EVERY: Duration = Duration::from_secs(1);

/// The line on a terminal; nothing if standard error is none.
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

    /// Keeps the line up to date until the server ends.
    pub(super) async fn follow(&self, glass: &Glass) {
        let mut first = None;
        while !self.0.is_hidden() {
            let Some(now) = look(glass).await else { break };
            let (since, games) = *first.get_or_insert((Instant::now(), now.games));
            let rate = (now.games - games) as f64 / since.elapsed().as_secs_f64().max(1.0);
            self.0.set_message(status(&now, 60.0 * rate));
            self.0.tick();
            tokio::time::sleep(EVERY).await;
        }
        std::future::pending().await
    }
}

/// A contest in a line.
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
    let here = now.teams.iter().filter(|team| team.online).count();
    format!(
        "{phase}{left} | {here} of {} connected | {}, {games_a_minute:.0} a minute | {} under way",
        plural(now.teams.len() as u64, "team"),
        plural(now.games, "game"),
        now.live.len()
    )
}

/// Lines that may wait for whoever reads them; what comes beyond that is left out.
const WAITING: usize = 10_000;
/// How long nothing more is said of an address that was turned away.
const QUIET: Duration = Duration::from_secs(10);
/// How long the last lines may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Prints lines on a thread of its own: games do not wait for a reader.
struct Printer {
    lines: Option<SyncSender<String>>,
    done: Receiver<io::Result<()>>,
}

impl Printer {
    fn new(bar: ProgressBar) -> io::Result<Printer> {
        let (lines, queue) = mpsc::sync_channel::<String>(WAITING);
        let (tell, done) = mpsc::channel();
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || {
                let mut printed = queue.iter().map(|text| bar.suspend(|| line!("{text}")));
                let _ = tell.send(printed.find(Result::is_err).unwrap_or(Ok(())));
            })?;
        Ok(Printer {
            lines: Some(lines),
            done,
        })
    }

    fn print(&self, text: String) {
        // Whoever does not read does not stop the contest.
        let _ = self.lines.as_ref().map(|lines| lines.try_send(text));
    }

    /// Prints what is left; what went wrong, if anything did.
    fn end(&mut self) -> io::Result<()> {
        self.lines = None;
        self.done.recv_timeout(PATIENCE).unwrap_or(Ok(()))
    }
}

/// What is printed.
pub(super) struct Log {
    names: BTreeMap<u64, String>,
    here: BTreeSet<u64>,
    verbose: bool,
    status: Status,
    /// The games of the standings that were printed last.
    told: Option<u64>,
    /// When it was last said of an address that it was turned away.
    turned_away: HashMap<IpAddr, Instant>,
    printer: Printer,
}

impl Log {
    pub(super) fn new(names: BTreeMap<u64, String>, verbose: bool) -> io::Result<Log> {
        let status = Status::new();
        Ok(Log {
            names,
            here: BTreeSet::new(),
            verbose,
            told: None,
            turned_away: HashMap::new(),
            printer: Printer::new(status.0.clone())?,
            status,
        })
    }

    pub(super) fn status(&self) -> Status {
        self.status.clone()
    }

    pub(super) fn print(&self, text: String) {
        self.printer.print(text);
    }

    fn name(&self, team: u64) -> &str {
        self.names.get(&team).map_or("?", String::as_str)
    }

    pub(super) fn take(&mut self, news: &News) {
        match *news {
            News::Joined { team } => {
                self.here.insert(team);
            }
            News::Left { team } => {
                self.here.remove(&team);
            }
            News::Standings { contest } => return self.standings(contest),
            News::Unknown { host } | News::TooEarly { host } if !self.is_new(host) => return,
            _ => {}
        }
        if let Some(text) = self.text(news) {
            self.print(text);
        }
    }

    /// Whether nothing was said of an address for a while: whoever hammers on the server does not fill
    /// the terminal.
    fn is_new(&mut self, host: IpAddr) -> bool {
        let now = Instant::now();
        let is_old = |then: &Instant| now.duration_since(*then) >= QUIET;
        if self
            .turned_away
            .get(&host)
            .is_some_and(|then| !is_old(then))
        {
            return false;
        }
        self.turned_away.insert(host, now);
        true
    }

    /// What there is to say of a piece of news.
    fn text(&self, news: &News) -> Option<String> {
        let loser = |teams: [u64; 2], winner| teams[usize::from(teams[0] == winner)];
        Some(match *news {
            News::Joined { .. } | News::Left { .. } | News::Game { .. } if !self.verbose => {
                return None;
            }
            News::Joined { team } => format!("{} is here", self.name(team)),
            News::Left { team } => format!("{} has gone", self.name(team)),
            News::Game { id, teams, winner } => format!(
                "game {id}: {} beats {}",
                self.name(winner),
                self.name(loser(teams, winner))
            ),
            News::Unknown { host } => format!("nobody is known from {host}"),
            News::TooEarly { host } => format!("a connection from {host} came too early"),
            News::Round {
                teams,
                winner,
                is_final,
            } => {
                let stage = if is_final { "final round" } else { "round" };
                let loser = self.name(loser(teams, winner));
                format!("{stage}: {} beats {loser}", self.name(winner))
            }
            News::LastHour => "the last hour: everybody plays".to_owned(),
            News::Final { seeds } => {
                let names: Vec<&str> = seeds.iter().map(|&team| self.name(team)).collect();
                format!("the final: {}", names.join(", "))
            }
            News::Champion { team } => format!("{} has won the contest", self.name(team)),
            News::Over => "the contest is over".to_owned(),
            News::Standings { .. } => return None,
        })
    }

    /// Prints the standings if games were played since they were printed last.
    fn standings(&mut self, contest: &Contest) {
        if self.told.replace(contest.games()) == Some(contest.games()) {
            return;
        }
        let width = self.names.values().map(|name| name.chars().count());
        let width = width.max().unwrap_or(0);
        let mut text = format!("standings after {}", plural(contest.games(), "game"));
        for (place, (team, standing)) in contest.standings().into_iter().enumerate() {
            text += &format!(
                "\n{:>4}  {:width$}  {:5.0} ± {:<3.0}  games {:>5} : {:<5}  rounds {:>3} : {:<3}{}",
                place + 1,
                self.name(team),
                standing.rating.value,
                // Two standard deviations: the chance of 95 % that ratings are given with.
                2.0 * standing.rating.deviation,
                standing.won,
                standing.lost,
                standing.rounds_won,
                standing.rounds_lost,
                if self.here.contains(&team) {
                    "  connected"
                } else {
                    ""
                }
            );
        }
        self.print(text);
    }

    /// Says how the contest stood when it was stopped, and prints what is left.
    pub(super) fn end(mut self, last: Option<&Snapshot>) -> io::Result<()> {
        self.status.0.finish_and_clear();
        if let Some(last) = last {
            self.print(format!(
                "stopped after {}, {} under way",
                plural(last.games, "game"),
                last.live.len()
            ));
        }
        if let Some(times) = last.map(|last| last.overhead).filter(|_| self.verbose) {
            self.print(format!(
                "from a move to the next request, over {} moves: {:.3} ms on average, {:.3} ms for 99 %, at most {:.1} ms",
                count(times.moves),
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
    use crate::challenge::overhead::Delays;

    #[test]
    fn a_contest_in_a_line() {
        let now = Snapshot {
            phase: Phase::LastHour,
            ends_in: Some(3725.2),
            games: 1,
            teams: Vec::new(),
            live: Vec::new(),
            seeds: Vec::new(),
            matches: Vec::new(),
            champion: None,
            overhead: Delays::default(),
        };
        let line =
            "last hour, 1:02:05 left | 0 of 0 teams connected | 1 game, 31 a minute | 0 under way";
        assert_eq!(status(&now, 31.2), line);
    }
}
