//! What a contest's server prints: lines of news and standings on standard output, and on a terminal
//! how things stand at this moment, on a line of its own.

use crate::arena::challenge::contest::Contest;
use crate::arena::challenge::server::News;
use crate::arena::challenge::snapshot::{Glass, Phase, Snapshot, look};
use crate::arena::report::html::{count, plural};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::{BTreeMap, BTreeSet};
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

/// What is printed. Whoever stops reading does not stop the contest.
pub(super) struct Log {
    names: BTreeMap<u64, String>,
    here: BTreeSet<u64>,
    verbose: bool,
    status: Status,
    /// The games of the standings that were printed last.
    told: Option<u64>,
    pub(super) broken: std::io::Result<()>,
}

impl Log {
    pub(super) fn new(names: BTreeMap<u64, String>, verbose: bool) -> Log {
        Log {
            names,
            here: BTreeSet::new(),
            verbose,
            status: Status::new(),
            told: None,
            broken: Ok(()),
        }
    }

    pub(super) fn status(&self) -> Status {
        self.status.clone()
    }

    pub(super) fn print(&mut self, text: String) {
        if self.broken.is_ok() {
            self.broken = self.status.0.suspend(|| line!("{text}"));
        }
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
            _ => {}
        }
        if let Some(text) = self.text(news) {
            self.print(text);
        }
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

    /// Says how the contest stood when it was stopped.
    pub(super) fn end(&mut self, last: Option<&Snapshot>) {
        self.status.0.finish_and_clear();
        let Some(last) = last else { return };
        self.print(format!(
            "stopped after {}, {} under way",
            plural(last.games, "game"),
            last.live.len()
        ));
        if self.verbose {
            let times = last.overhead;
            self.print(format!(
                "from a move to the next request, over {} moves: {:.3} ms on average, {:.3} ms for 99 %, at most {:.1} ms",
                count(times.moves),
                times.mean_ms,
                times.p99_ms,
                times.longest_ms
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::challenge::overhead::Delays;

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
