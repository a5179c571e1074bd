//! `contest eights match` and `contest hearts match`.

use super::{at_a_time, check_count, is_ours, participants, print_rules};
use crate::isolation::IsolationArgs;
use crate::records::{RecordArgs, say_how_to_go_on};
use crate::tricks::matches::Before;
use crate::tricks::{
    Contest, Match, Moons, Outcome, Participant, SITTING, Tally, WholeGame, rotations,
};
use crate::{Usage, interrupt};
use anyhow::Context;
use arena::games_won::{GOALS, Share, games_won};
use arena::plain_text::{clean, counted};
use arena::process::Stopped;
use arena::records::RecordError;
use arena::runner::until_failed;
use arena::stats::Mean;
use arena::text_table::{Column, TextTable, number};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use seats::cli::numbers::seconds_above_none;
use seats::cli::seed::SeedArgs;
use serde_json::json;
use std::io;
use std::time::Duration;

/// Plays rounds between players and prints the points of each, with standard errors.
///
/// Each deal is played once for every rotation of the players over the seats; the errors are over
/// deals. A program that makes a fault is ended; random legal cards are played for it to the end of
/// the sitting.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Players, one a seat: a built-in one (its name, or `search,time=SECONDS`, `search,nodes=N`;
    /// `search,NAME,…` plays out by another; `search,blind` and `search,flat` search in other ways), or a program: a path, also with arguments, or LABEL=PATH
    #[arg(required = true, value_name = "PLAYER", num_args = 3..=6)]
    players: Vec<String>,
    /// Rounds to play, rounded up to whole deals
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    rounds: u64,
    #[command(flatten)]
    seed: SeedArgs,
    /// Tables played at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// A program's time for a card [default: the contest's, 4 for Eights and 5 for Hearts]
    #[arg(long, value_name = "SECONDS", value_parser = seconds_above_none)]
    limit: Option<Duration>,
    /// Deals that players play one after the other, learning about each other, before they start anew
    #[arg(long, value_name = "N", default_value_t = SITTING, value_parser = clap::value_parser!(u64).range(1..))]
    sitting: u64,
    #[command(flatten)]
    isolation: IsolationArgs,
    #[command(flatten)]
    file: RecordArgs,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Plays the match.
    ///
    /// # Errors
    /// If a player is unknown, there are too few or too many, or something cannot be written.
    pub(crate) fn run<C: WholeGame>(self, contest: &C) -> anyhow::Result<()> {
        check_count::<C>(self.players.len(), "players")?;
        let secrets = [self.file.record.as_deref(), self.seed.file()];
        let participants = participants(contest, &self.players, &self.isolation, &secrets)?;
        let programs = participants.iter().any(|one| one.builtin().is_none());
        let plan = Match {
            contest,
            participants: &participants,
            seatings: rotations(participants.len()),
            // Each deal is played once for every rotation, so rounds are rounded up to whole deals.
            deals: self.rounds.div_ceil(participants.len() as u64),
            sitting: self.sitting,
            seed: self.seed.of(programs, self.file.record.as_deref())?,
            time: self.limit.unwrap_or(C::TIME),
            jobs: at_a_time(self.jobs),
            record: self.file.record.is_some(),
            stops: interrupt::has_been_requested,
        };
        let tally = self.play(&plan)?;
        let deals = tally.points[0].count();
        if self.json {
            print_json::<C>(&participants, &tally)?;
        } else if deals > 0 {
            print(contest, &participants, &tally)?;
        } else {
            line!("no deal was finished in all seats: a smaller --sitting has results earlier")?;
        }
        // Shown after the match, when programs can no longer use it.
        if programs {
            engine::note!("seed {}", plan.seed);
        }
        if deals < plan.deals && self.file.record.is_some() {
            say_how_to_go_on(" --resume", &self.seed, plan.seed)?;
        }
        Ok(())
    }

    fn play<C: WholeGame>(&self, plan: &Match<C>) -> anyhow::Result<Tally> {
        let mut file = self.file.open(is_ours::<C>)?;
        let before = match self.file.resumed() {
            Some(path) => {
                let before = plan.recorded(path).map_err(Usage::of)?;
                let all = plan.deals * plan.seatings.len() as u64;
                engine::note!("played before: {} of {all} rounds", before.len());
                before
            }
            None => Before::new(),
        };
        let style = ProgressStyle::with_template("{bar:24} {pos} of {len} deals, {eta} left")?;
        let progress = ProgressBar::new(plan.deals).with_style(style);
        let interrupted = interrupt::requested();
        let mut tally = Tally::new(plan.participants.len());
        let mut written: Result<(), RecordError> = Ok(());
        // The sink is called in the order of the sittings, so the file's order does not depend on the jobs.
        let played = plan.go_on(
            &before,
            || progress.inc(1),
            // A failed write ends the match, and so does a signal.
            until_failed(&mut written, |outcome: Outcome| {
                tally.push(&outcome, C::LOW_IS_GOOD);
                if let Some(file) = &mut file {
                    file.append_records(&outcome.records)?;
                }
                Ok(interrupted.flow())
            }),
        );
        progress.finish_and_clear();
        written?;
        // A stop is no error.
        interrupt::unless_stopped(played, Stopped::is).context("the match cannot go on")?;
        Ok(tally)
    }
}

fn print_json<C: Contest>(
    participants: &[Participant<C::Policy>],
    tally: &Tally,
) -> io::Result<()> {
    let games = games::<C>(tally);
    let row = |(place, participant): (usize, &Participant<C::Policy>)| {
        // Of no deal there is no mean.
        let mean = |of: &Mean| (of.count() > 0).then(|| of.mean());
        let mut row = json!({
            "player": participant.label,
            "points": mean(&tally.points[place]),
            "error": tally.points[place].standard_error(),
            "lead": mean(&tally.leads[place]),
            "lead_error": tally.leads[place].standard_error(),
            "games": won_json(&games, place),
            "faults": tally.faults[place].number,
            "mean_ms": tally.times[place].mean() / 1e6,
            "p99_ms": tally.times[place].quantile(0.99) as f64 / 1e6,
            "longest_ms": tally.times[place].longest() as f64 / 1e6,
        });
        if C::MOON.is_some() {
            row["moons"] = moons_json(&tally.moons[place]);
        }
        row
    };
    let rows: Vec<_> = participants.iter().enumerate().map(row).collect();
    line!(
        "{}",
        json!({ "deals": tally.points[0].count(), "players": rows })
    )
}

/// For each of [`GOALS`] the share of games that each participant wins; empty without a whole deal.
fn games<C: Contest>(tally: &Tally) -> [Vec<Share>; 2] {
    let each: Vec<usize> = (0..tally.points.len()).collect();
    GOALS.map(|goal| games_won(&tally.rounds, &each, goal, C::LOW_IS_GOOD))
}

/// The shares of a participant by goal, as results have them.
fn won_json(games: &[Vec<Share>; 2], place: usize) -> serde_json::Value {
    shares_json(games.iter().map(|won| won.get(place).copied()))
}

/// Shares of games by goal, in the order of [`GOALS`]; without those that are not known.
pub(super) fn shares_json(shares: impl Iterator<Item = Option<Share>>) -> serde_json::Value {
    let goals = GOALS.iter().zip(shares);
    let known = goals.filter_map(|(goal, share)| {
        let Share { share, error } = share?;
        Some((goal.to_string(), json!({ "share": share, "error": error })))
    });
    serde_json::Value::Object(known.collect())
}

/// Moons as the results have them.
pub(super) fn moons_json(moons: &Moons) -> serde_json::Value {
    json!({ "rounds": moons.rounds, "shot": moons.shot, "against": moons.against })
}

/// Prints the measure of a game: games won, and the lead in points.
fn print_games<C: Contest>(
    participants: &[Participant<C::Policy>],
    tally: &Tally,
) -> io::Result<()> {
    let games = games::<C>(tally);
    let mut table = TextTable::new([
        Column::left("player", 0),
        Column::right("to 100", 8),
        Column::right("±", 6),
        Column::right("to 300", 8),
        Column::right("±", 6),
        Column::right("lead", 8),
        Column::right("±", 6),
    ]);
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    for (place, participant) in participants.iter().enumerate() {
        let won = games.each_ref().map(|won| won.get(place).copied());
        let share =
            |won: Option<Share>| won.map_or_else(|| "-".to_owned(), |won| percent(won.share));
        let error = |won: Option<Share>| number(won.and_then(|won| Some(100.0 * won.error?)), 1);
        let lead = &tally.leads[place];
        table.push([
            participant.label.clone(),
            share(won[0]),
            error(won[0]),
            share(won[1]),
            error(won[1]),
            format!("{:+.3}", lead.mean()),
            number(lead.standard_error(), 3),
        ]);
    }
    line!("{table}")?;
    line!(
        "share of games to 100 and to 300 points won, put together from the rounds at random; lead in points a \
         round over the mean of the others; standard errors"
    )?;
    line!("")
}

fn print<C: Contest>(
    contest: &C,
    participants: &[Participant<C::Policy>],
    tally: &Tally,
) -> io::Result<()> {
    let deals = tally.points[0].count();
    // Each deal is played once in every rotation.
    let rounds = deals * participants.len() as u64;
    line!("{}, {rounds} rounds", counted(deals, "deal"))?;
    print_rules(contest)?;
    print_games::<C>(participants, tally)?;
    let mut table = TextTable::new([
        Column::left("player", 0),
        Column::right("points", 8),
        Column::right("±", 6),
        Column::right("mean", 9),
        Column::right("99 %", 9),
        Column::right("longest", 10),
        Column::right("faults", 0),
    ]);
    for (place, participant) in participants.iter().enumerate() {
        let (points, times) = (&tally.points[place], &tally.times[place]);
        let ms = |nanos: f64| format!("{:.1} ms", nanos / 1e6);
        table.push([
            participant.label.clone(),
            number(Some(points.mean()), 3),
            number(points.standard_error(), 3),
            ms(times.mean()),
            ms(times.quantile(0.99) as f64),
            ms(times.longest() as f64),
            tally.faults[place].number.to_string(),
        ]);
    }
    line!("{table}")?;
    line!("points a round with standard errors over deals; times of a card")?;
    for (participant, faults) in participants.iter().zip(&tally.faults) {
        if let Some(fault) = &faults.first {
            let (label, mut detail) = (&participant.label, fault.detail.clone());
            // The last line of its standard error mostly says why.
            let mut lines = fault.errors.lines();
            if let Some(wrote) = lines.rfind(|line| !line.trim().is_empty()) {
                detail.push_str("; it wrote: ");
                detail.push_str(wrote);
            }
            clean(&mut detail);
            line!("{label}, first fault: {}: {detail}", fault.kind.name())?;
        }
    }
    if tally.faults.iter().any(|faults| faults.number > 0) {
        line!("after a fault random cards are played in that seat, to the end of the sitting")?;
    }
    // Only Hearts has moons.
    if C::MOON.is_none() {
        return Ok(());
    }
    let mut table = TextTable::new([
        Column::left("player", 0),
        Column::right("moons", 8),
        Column::right("others'", 8),
    ]);
    for (participant, moons) in participants.iter().zip(&tally.moons) {
        let share = |count| format!("{:.2} %", 100.0 * moons.share(count));
        table.push([
            participant.label.clone(),
            share(moons.shot),
            share(moons.against),
        ]);
    }
    line!("")?;
    line!("{table}")?;
    line!("share of its rounds in which each shot the moon, and in which another did")
}
