//! `contest eights match` and `contest hearts match`.

use super::seconds_above_none;
use crate::isolation::IsolationArgs;
use crate::tricks::{Contest, Match, Participant, SITTING, Tally, participant};
use crate::{Usage, interrupt};
use anyhow::Context;
use arena::participant::Kind;
use arena::records::{Appender, Opening};
use arena::text_table::{Column, TextTable, number};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// Plays rounds between players and says how many points each makes, and how sure that is.
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
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Seed of the deals and of the players
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Tables played at the same time [default: one a core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// A program's time for a card [default: the contest's, 4 for Eights and 5 for Hearts]
    #[arg(long, value_name = "SECONDS", value_parser = seconds_above_none)]
    limit: Option<Duration>,
    /// Deals that players play one after the other, learning about each other, before they start anew
    #[arg(long, value_name = "N", default_value_t = SITTING, value_parser = clap::value_parser!(u64).range(1..))]
    sitting: u64,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// Append every round to a file, a line of JSON each
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Plays the match.
    ///
    /// # Errors
    /// If a player is unknown, there are too few or too many, or something cannot be written.
    pub(crate) fn run<C: Contest>(self, contest: &C) -> anyhow::Result<()> {
        let participants = self.participants(contest)?;
        let plan = Match {
            contest,
            participants: &participants,
            deals: self.rounds.div_ceil(participants.len() as u64),
            sitting: self.sitting,
            seed: self.seed,
            time: self.limit.unwrap_or(C::TIME),
            jobs: self
                .jobs
                .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)),
            record: self.record.is_some(),
        };
        let tally = self.play(&plan)?;
        if self.json {
            print_json(&participants, &tally)?;
        } else {
            print(&participants, &tally)?;
        }
        Ok(())
    }

    fn participants<C: Contest>(&self, contest: &C) -> anyhow::Result<Vec<Participant<C::Policy>>> {
        let count = self.players.len();
        if !C::COUNTS.contains(&count) {
            let (least, most) = (C::COUNTS.start(), C::COUNTS.end());
            let expected = match least == most {
                true => least.to_string(),
                false => format!("{least} to {most}"),
            };
            let text = format!("{count} players, where {expected} are expected");
            return Err(Usage::new(text).into());
        }
        let read = |text: &String| {
            participant(contest, text).map_err(|error| Usage::new(error.to_string()).into())
        };
        let mut participants: Vec<Participant<C::Policy>> = self
            .players
            .iter()
            .map(read)
            .collect::<anyhow::Result<_>>()?;
        let any = participants.iter().any(|one| one.builtin().is_none());
        let confinement = self.isolation.confinement(any)?;
        for one in &mut participants {
            if let Kind::Program(line) = &mut one.kind {
                let known = line.clone().called(&one.label);
                *line = known.confined(confinement.clone());
            }
        }
        Ok(participants)
    }

    fn play<C: Contest>(&self, plan: &Match<C>) -> anyhow::Result<Tally> {
        let mut file = match &self.record {
            Some(path) => Some(Appender::open(path, Opening::SHARED)?),
            None => None,
        };
        let style = ProgressStyle::with_template("{bar:24} {pos} of {len} deals, {eta} left")?;
        let progress = ProgressBar::new(plan.deals).with_style(style);
        let interrupted = interrupt::requested();
        let mut tally = Tally::new(plan.participants.len());
        let mut written = Ok(());
        let played = plan.run(
            || progress.inc(1),
            |outcome| {
                tally.push(&outcome);
                if let Some(file) = &mut file {
                    written = file.append_records(&outcome.records);
                }
                match written.is_err() || interrupted.is_set() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        progress.finish_and_clear();
        written?;
        played.context("the match cannot go on")?;
        Ok(tally)
    }
}

fn print_json<P>(participants: &[Participant<P>], tally: &Tally) -> io::Result<()> {
    let row = |(place, participant): (usize, &Participant<P>)| {
        json!({
            "player": participant.label,
            "points": tally.points[place].mean(),
            "error": tally.points[place].standard_error(),
            "faults": tally.faults[place],
            "longest_ms": tally.times[place].longest() as f64 / 1e6,
        })
    };
    let rows: Vec<_> = participants.iter().enumerate().map(row).collect();
    line!(
        "{}",
        json!({ "deals": tally.points[0].count(), "players": rows })
    )
}

fn print<P>(participants: &[Participant<P>], tally: &Tally) -> io::Result<()> {
    let deals = tally.points[0].count();
    let rounds = deals * participants.len() as u64;
    line!("{deals} deals, {rounds} rounds")?;
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
            tally.faults[place].to_string(),
        ]);
    }
    for line in table.lines() {
        line!("{line}")?;
    }
    line!("points a round with standard errors over deals; times of a card")
}
