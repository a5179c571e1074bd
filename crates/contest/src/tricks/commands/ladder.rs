//! `contest eights ladder` and `contest hearts ladder`.

use super::matches::{moons_json, shares_json};
use super::{arrangements, at_a_time, check_count, is_ours, participants, print_rules};
use crate::isolation::IsolationArgs;
use crate::records::{Records, say_how_to_go_on};
use crate::tricks::ladder::{Ladder, Place, Standings};
use crate::tricks::record::Record;
use crate::tricks::{Limit, SITTING, WholeGame};
use crate::{Usage, interrupt};
use anyhow::Context;
use arena::process::Stopped;
use arena::records::{Appender, Opening, RecordError};
use arena::runner::until_failed;
use arena::stats::Mean;
use arena::text_table::{Column, TextTable, number, percent};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use lab::tricks::inference::Inference;
use seats::cli::numbers::seconds_above_none;
use seats::cli::seed::SeedArgs;
use seats::tricks::players::Yardstick;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tricks::PolicySet as _;

/// Plays all pairs of players, and prints by how many points each is better than each other one, and how
/// well its choices and its cards are predicted.
///
/// Two players sit at a table, each on half of the seats; every deal is played in all arrangements of the
/// seats. If the number of seats is odd, each player has one seat more in half of the arrangements. Errors
/// are over deals.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Players as in `match`, `cheat` among them, which sees all hands [default: cheat, search, search,blind, uct, the
    /// policies but random, and the rules of thumb]
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    /// One more player, such as an earlier program: LABEL=PATH; can be given again
    #[arg(long = "with", value_name = "PLAYER")]
    with: Vec<String>,
    /// The limit of a decision for built-in players that search and set none themselves: nodes=N or
    /// time=SECONDS. For `uct` a node is a simulation
    #[arg(long, value_name = "LIMIT", default_value = "nodes=2000")]
    limit: Limit,
    /// Deals of each pair
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    deals: u64,
    /// Seats at a table
    #[arg(long, default_value_t = 4, value_name = "N")]
    seats: usize,
    #[command(flatten)]
    seed: SeedArgs,
    /// Tables played at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// A program's time for a card [default: the contest's, 4 for Eights and 5 for Hearts]
    #[arg(long, value_name = "SECONDS", value_parser = seconds_above_none)]
    clock: Option<Duration>,
    /// Deals that players play one after the other, learning about each other, before they start anew
    #[arg(long, value_name = "N", default_value_t = SITTING, value_parser = clap::value_parser!(u64).range(1..))]
    sitting: u64,
    /// Deals of each pair whose rounds also measure how well hidden cards are inferred, as `inference` does
    #[arg(long, value_name = "N", default_value_t = 1)]
    inferred: u64,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// Append every round to a file, and skip the rounds of this ladder that it already has
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Worlds that are drawn before each card, to see how well hidden cards are inferred.
const WORLDS: u32 = 100;

impl Args {
    pub(crate) fn run<C: WholeGame>(self, contest: &C) -> anyhow::Result<()> {
        check_count::<C>(self.seats, "seats")?;
        let names = self.names::<C>();
        let secrets = [self.record.as_deref(), self.seed.file()];
        let participants = participants(contest, &names, &self.isolation, &secrets)?;
        let labels: HashSet<&str> = participants.iter().map(|one| one.label.as_str()).collect();
        if participants.len() < 2 || labels.len() < participants.len() {
            let names = names.join(", ");
            refuse!("expected two players or more whose labels differ, not {names}");
        }
        let programs = participants.iter().any(|one| one.builtin().is_none());
        let ladder = Ladder {
            contest,
            participants: &participants,
            // With an odd number of seats both sizes occur, so each player has one seat more in half of the
            // arrangements.
            arrangements: arrangements(self.seats, self.seats / 2..=self.seats.div_ceil(2)),
            deals: self.deals,
            sitting: self.sitting,
            seed: self.seed.of(programs, self.record.as_deref())?,
            time: self.clock.unwrap_or(C::TIME),
            jobs: at_a_time(self.jobs),
        };
        // Without --record the rounds are kept in a temporary folder, so that both cases read standings alike. It is
        // removed after an interrupt, too.
        let (_place, path) = match &self.record {
            Some(path) => (None, path.clone()),
            None => {
                let place = arena::process::Place::new(&env::temp_dir())?;
                let path = place.folder()?.join("rounds.jsonl");
                (Some(place), path)
            }
        };
        self.play(&ladder, &path)?;
        let standings = self.standings(&ladder, &path)?;
        match self.json {
            true => line!("{}", json_of(&ladder, &standings))?,
            false => print(&ladder, &standings)?,
        }
        // Shown after the games, when programs can no longer use it.
        if programs {
            engine::note!("seed {}", ladder.seed);
        }
        if self.record.is_some() && interrupt::has_been_requested() {
            say_how_to_go_on("", &self.seed, ladder.seed)?;
        }
        Ok(())
    }

    /// The players as [`participants`] reads them.
    fn names<C: WholeGame>(&self) -> Vec<String> {
        let policies = C::Policy::NAMED.iter().map(|(name, _)| *name);
        let rules = Yardstick::RULES.iter().map(|(name, _)| *name);
        let usual = ["cheat", "search", "search,blind", "uct"].into_iter();
        let usual = usual
            .chain(policies.filter(|&name| name != "random"))
            .chain(rules);
        let mut names: Vec<String> = match self.players.is_empty() {
            true => usual.map(str::to_owned).collect(),
            false => self.players.clone(),
        };
        names.extend(self.with.clone());
        let limited = names.iter().map(|name| self.limit.applied_to(name));
        limited.collect()
    }

    /// Plays the rounds that the file does not have yet.
    fn play<C: WholeGame>(&self, ladder: &Ladder<C>, path: &Path) -> anyhow::Result<()> {
        let opening = Opening::Exclusive {
            is_ours: is_ours::<C>,
            durable: false,
        };
        // Locked, so that two runs cannot write to one ladder.
        let mut file = Appender::open(path, opening).map_err(Usage::of)?;
        file.remove_torn_line().map_err(Usage::of)?;
        let mut done: HashSet<Place> = HashSet::new();
        let mut records = Records::<Record>::open(C::NAME, path)?;
        while let Some((_, record)) = records.next()? {
            done.extend(ladder.place(&record));
        }
        let style = ProgressStyle::with_template("{bar:24} {pos} of {len} rounds, {eta} left")?;
        let progress = ProgressBar::new(ladder.rounds()).with_style(style);
        // Rounds that are there count as done, but not for the estimate of the time left.
        progress.set_position(done.len() as u64);
        progress.reset_eta();
        let interrupted = interrupt::requested();
        let mut written: Result<(), RecordError> = Ok(());
        let played = ladder.play(
            &done,
            |rounds| progress.inc(rounds),
            until_failed(&mut written, |records: Vec<Record>| {
                file.append_records(&records)?;
                Ok(interrupted.flow())
            }),
        );
        progress.finish_and_clear();
        written?;
        interrupt::unless_stopped(played, Stopped::is).context("the ladder cannot go on")
    }

    /// The standings from the rounds of a file.
    fn standings<'a, C: WholeGame>(
        &self,
        ladder: &'a Ladder<'a, C>,
        path: &Path,
    ) -> anyhow::Result<Standings<'a, C>> {
        let mut standings = Standings::new(ladder);
        // Inference takes long, so only the first deals of each pair are examined.
        let mut looked_at = Vec::new();
        let mut met: HashSet<Place> = HashSet::new();
        let mut records = Records::<Record>::open(C::NAME, path)?;
        while let Some((line, record)) = records.next()? {
            let pushed = standings.push(&record);
            pushed.map_err(|e| Usage::new(format!("{}: line {line}: {e}", path.display())))?;
            let place = ladder.place(&record);
            let place = place.filter(|place| place.deal < self.inferred);
            if place.is_some_and(|place| met.insert(place)) {
                looked_at.push(record);
            }
        }
        // All rounds are there now: leads need whole deals.
        standings.finish();
        self.infer(ladder, looked_at, &mut standings)?;
        Ok(standings)
    }

    /// Measures how well hidden cards of all players are inferred in some rounds.
    fn infer<C: WholeGame>(
        &self,
        ladder: &Ladder<C>,
        records: Vec<Record>,
        standings: &mut Standings<C>,
    ) -> anyhow::Result<()> {
        let inference = Inference {
            worlds: WORLDS,
            sitting: self.sitting,
            network: None,
            seed: ladder.seed,
        };
        let spinner = ProgressBar::new_spinner().with_message("inferring cards");
        spinner.enable_steady_tick(Duration::from_millis(200));
        // Not the global pool, so that --jobs holds here too.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(ladder.jobs);
        let viewed = pool
            .build()?
            .install(|| inference.of(ladder.contest, records));
        spinner.finish_and_clear();
        let viewed = viewed?;
        // All viewers of a round see the same hidden cards of a holder, so they count as one sample, in the
        // order of the rounds.
        let mut rounds = Vec::new();
        let mut by_round: HashMap<((usize, usize), usize), [f64; 3]> = HashMap::new();
        for one in &viewed {
            for (seat, label) in one.players.iter().enumerate() {
                let key = (one.round, seat);
                let sums = by_round.entry(key).or_insert_with(|| {
                    rounds.push((key, label));
                    [0.0; 3]
                });
                for (sum, more) in sums.iter_mut().zip(one.by_holder[seat]) {
                    *sum += more;
                }
            }
        }
        for (key, label) in rounds {
            let [inferred, even, cards] = by_round[&key];
            let mut labels = ladder.participants.iter().map(|one| &one.label);
            let place = labels.position(|known| known == label);
            if let Some(place) = place.filter(|_| cards > 0.0) {
                // Log-loss a card, minus that of guessing evenly: negative is better than guessing.
                let less = (inferred - even) / cards;
                standings.rows[place].inferred.push(less);
            }
        }
        Ok(())
    }
}

fn print<C: WholeGame>(ladder: &Ladder<C>, standings: &Standings<C>) -> anyhow::Result<()> {
    let order = standings.order();
    let mut table = TextTable::new([
        Column::right("", 0),
        Column::left("player", 0),
        Column::right("to 100", 7),
        Column::right("±", 5),
        Column::right("to 300", 7),
        Column::right("±", 5),
        Column::right("lead", 7),
        Column::right("±", 6),
        Column::right("points", 7),
        Column::right("time", 9),
        Column::right("faults", 0),
        Column::right("cards", 8),
        Column::right("±", 6),
        Column::right("agreed", 7),
    ]);
    for (rank, &place) in order.iter().enumerate() {
        let row = &standings.rows[place];
        // A dash where nothing was measured, rather than a misleading 0.
        let some = |mean: &Mean| (mean.count() > 0).then(|| mean.mean());
        let won = |goal: usize| row.games[goal].map(|won| 100.0 * won.share);
        let error = |goal: usize| row.games[goal].and_then(|won| Some(100.0 * won.error?));
        table.push([
            (rank + 1).to_string(),
            ladder.participants[place].label.clone(),
            number(won(0), 1),
            number(error(0), 1),
            number(won(1), 1),
            number(error(1), 1),
            signed(some(&row.lead), 2),
            number(row.lead.standard_error(), 2),
            number(some(&row.points), 2),
            match row.points.count() {
                0 => "-".to_owned(),
                _ => format!("{:.1} ms", row.times.mean() / 1e6),
            },
            row.faults.to_string(),
            signed(some(&row.inferred), 4),
            number(row.inferred.standard_error(), 4),
            match row.choices {
                0 => "-".to_owned(),
                _ => format!("{:.1} %", 100.0 * row.agreement()),
            },
        ]);
    }
    line!("{table}")?;
    print_rules(ladder.contest)?;
    line!(
        "to 100, to 300: share of games to that many points won with half of the seats, in percent, put together from \
         the rounds at random; the mean over all opponents"
    )?;
    line!("lead: points a seat and round better than the others, with standard errors over deals")?;
    line!("time: for a choice among several cards")?;
    line!(
        "cards: log-loss of its hidden cards as inferred minus that of even worlds, with standard errors \
         over rounds"
    )?;
    line!("agreed: share of its choices in which it plays the network's likeliest card")?;
    line!("\nthe lead of each row over each column, in points a seat and round")?;
    let lead = |one: usize, other: usize| {
        let (lead, error, _) = standings.between(one, other)?;
        Some(format!("{}±{}", signed(Some(lead), 2), number(error, 2)))
    };
    print_matrix(&order, &[], lead, |_| Vec::new())?;
    // Only Hearts has moons.
    if C::MOON.is_none() {
        return Ok(());
    }
    line!(
        "\nmoons that each row shot, in percent of its seats' rounds with each column; with all; and that others shot"
    )?;
    let shot = |one: usize, other: usize| {
        let (.., moons) = standings.between(one, other)?;
        Some(percent(Some(moons.share(moons.shot)), 2))
    };
    let all = |place: usize| {
        let row = &standings.rows[place];
        let share = |count| (row.points.count() > 0).then(|| row.moons.share(count));
        let counts = [row.moons.shot, row.moons.against];
        counts.map(|count| percent(share(count), 2)).to_vec()
    };
    print_matrix(&order, &["all", "others'"], shot, all)
}

/// A number with its sign; a dash if there is none.
fn signed(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.digits$}"))
}

/// Prints a matrix with a row and a column for each participant, and some further columns.
fn print_matrix(
    order: &[usize],
    more: &[&str],
    cell: impl Fn(usize, usize) -> Option<String>,
    last: impl Fn(usize) -> Vec<String>,
) -> anyhow::Result<()> {
    let ranks = (1..=order.len()).map(|rank| rank.to_string());
    let headings = [String::new()].into_iter().chain(ranks);
    let headings = headings.chain(more.iter().map(|&name| name.to_owned()));
    let mut table = TextTable::new(headings.map(|heading| Column::right(heading, 0)));
    for (rank, &one) in order.iter().enumerate() {
        let cells = order.iter().map(|&other| match one == other {
            true => String::new(),
            false => cell(one, other).unwrap_or_else(|| "-".to_owned()),
        });
        let cells = [(rank + 1).to_string()].into_iter().chain(cells);
        table.push(cells.chain(last(one)));
    }
    for line in table.lines() {
        line!("{}", line.trim_end())?;
    }
    Ok(())
}

fn json_of<C: WholeGame>(ladder: &Ladder<C>, standings: &Standings<C>) -> Value {
    let label = |place: usize| &ladder.participants[place].label;
    let players = standings.order().into_iter().map(|place| {
        let row = &standings.rows[place];
        let mut player = json!({
            "player": label(place),
            "games": shares_json(row.games.into_iter()),
            "lead": row.lead.mean(),
            "error": row.lead.standard_error(),
            "points": row.points.mean(),
            "rounds": row.points.count(),
            "mean_ms": row.times.mean() / 1e6,
            "faults": row.faults,
            "cards": row.inferred.mean(),
            "cards_error": row.inferred.standard_error(),
            "agreed": row.agreement(),
            "choices": row.choices,
        });
        if C::MOON.is_some() {
            player["moons"] = moons_json(&row.moons);
        }
        player
    });
    let players: Vec<Value> = players.collect();
    let pairs = ladder.pairs().into_iter().zip(&standings.duels);
    let pairs = pairs.map(|([first, second], duel)| {
        let mut pair = json!({
            "players": [label(first), label(second)],
            "deals": duel.lead.count(),
            "games": shares_json(duel.games.into_iter()),
            "lead": duel.lead.mean(),
            "error": duel.lead.standard_error(),
        });
        if C::MOON.is_some() {
            pair["moons"] = duel.moons.iter().map(moons_json).collect();
        }
        pair
    });
    json!({ "players": players, "pairs": pairs.collect::<Vec<Value>>() })
}
