//! `contest eights knockout PARTICIPANT PARTICIPANT…`: plays the games of `crate::eights::knockout` as matches do,
//! writes and resumes their records, and prints the results.

use crate::Usage;
use crate::eights::knockout::{Game, Seed, Stage, Table};
use crate::eights::matches::Eights;
use crate::interrupt::{self, Interrupted, Requested};
use crate::isolation::IsolationArgs;
use crate::records::{Records, say_how_to_go_on};
use crate::resume::OTHER_DEAL;
use crate::tricks::commands::{at_a_time, is_ours, participants};
use crate::tricks::record::{Record, dealt_hands};
use crate::tricks::{Contest as _, Match, Mind, Participant, SEES_ALL, totals_that_count};
use anyhow::{Context, ensure};
use arena::plain_text::counted;
use arena::process::Stopped;
use arena::records::{Appender, Opening, RecordError};
use arena::runner::{self, until_failed};
use arena::text_table::{Column, TextTable};
use clap::Args as ClapArgs;
use eights::player::Baseline;
use eights::rules::Round;
use engine::rng::{shuffle, stream};
use seats::cli::numbers::seconds_above_none;
use seats::cli::seed::SeedArgs;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;
use tricks::Round as _;

/// Plays a single-elimination tournament at tables of four.
///
/// A table plays a game to 300 points, and its winner goes on. The participants are named in the order of
/// their seeds, the best first. If their number is not a power of four, the best skip the first stage, and
/// house players, who never go on, fill the tables. A program that makes a fault is disqualified and out;
/// random legal cards are played for it.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Participants, the best seed first: a built-in player as in `match`, or a program: a path, also with
    /// arguments, or LABEL=PATH
    #[arg(required = true, value_name = "PARTICIPANT", num_args = 2..)]
    participants: Vec<String>,
    /// Draw the seeds by lot, in place of the order in which participants are named
    #[arg(long)]
    draw: bool,
    /// Rounds of a game, and further ones while two share the most points [default: to 300 points]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// The built-in player on seats without a participant
    #[arg(long, value_name = "PLAYER", default_value = "random")]
    house: String,
    #[command(flatten)]
    seed: SeedArgs,
    /// Tables played at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// A program's time for a card
    #[arg(long, value_name = "SECONDS", default_value = "4", value_parser = seconds_above_none)]
    limit: Duration,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// Append every round to a file, and skip the games of this tournament that it already has
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// The name of seats that no participant has.
const HOUSE: &str = "house";

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let tournament = self.tournament()?;
        let mut log = Log::open(self.record.as_ref())?;
        let interrupted = interrupt::requested();
        let mut played: Vec<Played> = Vec::new();
        let mut seeds: Vec<Seed> = (0..tournament.participants.len() - 1).collect();
        // Stage by stage: a stage's participants are the winners of the one before, in the order of their
        // seeds.
        while seeds.len() > 1 {
            let stage = tournament.stage(played.len() + 1, &seeds, &mut log, interrupted)?;
            let winners = stage.winners();
            seeds.clone_from(&stage.stage.next(winners.as_deref().unwrap_or_default()));
            played.push(stage);
            // Without all winners the next stage cannot be formed.
            if winners.is_none() {
                break;
            }
        }
        if let Some(file) = &log.file {
            file.settle()?;
        }
        let is_over = played.iter().all(|stage| stage.winners().is_some());
        match self.json {
            true => line!("{}", tournament.json(&played))?,
            false => tournament.print(&played)?,
        }
        // Shown after the games, when programs can no longer use it.
        if tournament
            .participants
            .iter()
            .any(|one| one.builtin().is_none())
        {
            engine::note!("seed {}", tournament.seed);
        }
        if is_over {
            return Ok(());
        }
        if self.record.is_some() {
            say_how_to_go_on("", &self.seed, tournament.seed)?;
        }
        Err(Interrupted.into())
    }

    /// Reads the participants, and draws their seeds if that is asked for.
    fn tournament(&self) -> anyhow::Result<Tournament> {
        let mut names = self.participants.clone();
        // The house player is read like a participant, and is the last of the list.
        names.push(self.house.clone());
        let secrets = [self.record.as_deref(), self.seed.file()];
        let mut participants = participants(&Eights, &names, &self.isolation, &secrets)?;
        let mut cheats = participants.iter();
        if let Some(cheat) = cheats.find(|one| matches!(one.builtin(), Some(Mind::Cheat(_)))) {
            refuse!("{}: {SEES_ALL}", cheat.label);
        }
        let programs = participants.iter().any(|one| one.builtin().is_none());
        if programs {
            self.isolation.warn_of_root();
        }
        let seed = self.seed.of(programs, self.record.as_deref())?;
        let mut house = participants.pop().context("no house player")?;
        if house.builtin().is_none() {
            refuse!("--house {}: expected a built-in player", self.house);
        }
        house.label = HOUSE.to_owned();
        // Before the house player is added again: it has no seed.
        if self.draw {
            shuffle(&mut stream(seed, 0), &mut participants);
        }
        participants.push(house);
        let labels: HashSet<&str> = participants.iter().map(|one| one.label.as_str()).collect();
        if labels.len() < participants.len() {
            let names = self.participants.join(", ");
            refuse!(
                "expected participants whose labels differ, none of them {HOUSE:?}, not {names}"
            );
        }
        Ok(Tournament {
            participants,
            goal: self.rounds,
            seed,
            time: self.limit,
            jobs: at_a_time(self.jobs),
            is_told: !self.json,
        })
    }
}

/// The rounds of earlier runs, and the file for new ones.
struct Log {
    file: Option<Appender>,
    /// By stage, table and seed: the rounds of the game that was written last. One file may have several tournaments.
    games: HashMap<(usize, usize, u64), Vec<Record>>,
}

impl Log {
    fn open(path: Option<&PathBuf>) -> anyhow::Result<Log> {
        let mut log = Log {
            file: None,
            games: HashMap::new(),
        };
        let Some(path) = path else {
            return Ok(log);
        };
        let opening = Opening::Exclusive {
            is_ours: is_ours::<Eights>,
            durable: true,
        };
        let mut file = Appender::open(path, opening).map_err(Usage::of)?;
        file.remove_torn_line().map_err(Usage::of)?;
        log.file = Some(file);
        let mut records = Records::<Record>::open(Eights::NAME, path)?;
        while let Some((line, record)) = records.next()? {
            if let Some((stage, table, round)) = Table::place(&record.id) {
                let key = (stage, table, record.seed);
                let game = log.games.entry(key).or_default();
                // After a failed write a game is played again from its first round. The part before is dropped.
                if round == 1 {
                    game.clear();
                }
                // Anybody may have changed the file.
                is_next(&record, round, game.len())
                    .with_context(|| format!("{}: line {line}", path.display()))?;
                game.push(record);
            }
        }
        Ok(log)
    }

    /// The game of a table, if the log has it to its end.
    fn game(&self, table: &Table, labels: &[&str], goal: Option<u64>) -> Option<Game> {
        let mut game = Game::new(goal);
        let rounds = self.games.get(&(table.stage, table.number, table.seed))?;
        // Other players: rounds of another tournament.
        let of_table = |record: &&Record| record.players == labels;
        for round in rounds.iter().take_while(of_table) {
            game.push(round);
            if game.is_over(table) {
                return Some(game);
            }
        }
        None
    }
}

/// Checks that a record is of the round that comes after the first `before` of its game, with the deal of its seed.
fn is_next(record: &Record, round: usize, before: usize) -> anyhow::Result<()> {
    let due = before + 1;
    ensure!(
        round == due,
        "round {round}: expected round {due} of this game"
    );
    let number = before as u64;
    let rng = &mut stream(record.seed, number);
    let expected = Eights.deal(record.players.len(), number, rng);
    let found = record
        .replay(&Eights, |_, _, _| ())
        .and(record.start(&Eights))?;
    let dealt = |start: &Round| (dealt_hands(start), start.pool(), start.to_act());
    ensure!(dealt(&found) == dealt(&expected), OTHER_DEAL);
    Ok(())
}

/// A stage, as far as it was played.
struct Played {
    stage: Stage,
    tables: Vec<(Table, Option<Game>)>,
}

impl Played {
    /// The winners by table, when all games are over.
    fn winners(&self) -> Option<Vec<Option<Seed>>> {
        let winner =
            |(table, game): &(Table, Option<Game>)| game.as_ref().map(|game| game.winner(table));
        self.tables.iter().map(winner).collect()
    }
}

/// The plan of the tournament, which does not change while it is played.
struct Tournament {
    /// By seed; the house player is the last one.
    participants: Vec<Participant<Baseline>>,
    /// The rounds of a game; none if it goes to 300 points.
    goal: Option<u64>,
    seed: u64,
    time: Duration,
    jobs: usize,
    /// Whether games are reported as they end.
    is_told: bool,
}

impl Tournament {
    /// The label of a participant; without a seed, that of the house player.
    fn label(&self, seed: Option<Seed>) -> &str {
        let house = self.participants.len() - 1;
        &self.participants[seed.unwrap_or(house)].label
    }

    /// Plays the games of a stage that the log does not have.
    fn stage(
        &self,
        number: usize,
        seeds: &[Seed],
        log: &mut Log,
        interrupted: Requested,
    ) -> anyhow::Result<Played> {
        let stage = Stage::of(seeds);
        if self.is_told {
            self.print_stage(number, &stage)?;
        }
        // The seating follows from seed, goal, stage and table, so the game of an earlier run is recognized.
        let tables = stage.tables.iter().enumerate().map(|(at, players)| {
            let table = Table::new(self.seed, self.goal, number, at + 1, players);
            let labels = table.seats.map(|seed| self.label(seed));
            let game = log.game(&table, &labels, self.goal);
            (table, game)
        });
        let mut tables: Vec<(Table, Option<Game>)> = tables.collect();
        let units: Vec<(Table, Option<Game>)> = tables.clone();
        let mut written: Result<(), RecordError> = Ok(());
        let mut told = Ok(());
        let mut sink = until_failed(&mut written, |(table, played): (Table, Option<_>)| {
            let Some((game, records)) = played else {
                return Ok(ControlFlow::Continue(()));
            };
            // A game counts only once it is in the file.
            if let Some(file) = &mut log.file {
                file.append_records(&records)?;
            }
            if self.is_told && told.is_ok() {
                told = self.print_table(&table, &game, stage.is_final());
            }
            tables[table.number - 1].1 = Some(game);
            // Not after an interrupt: later tables under way would not be written.
            Ok(match told {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            })
        });
        // In the order of the tables, whatever the number of jobs, so that output and log are the same.
        let played = runner::run_in_order(
            units.into_iter(),
            self.jobs,
            |(table, game)| match game {
                // A game from the log has no new records.
                Some(game) => Ok(Some((game.clone(), Vec::new()))),
                // A table under way ends after its round, and no other begins. Later ones that are over still count.
                None if interrupted.is_set() => Ok(None),
                None => match self.play(table) {
                    Err(error) if Stopped::is(&error) => Ok(None),
                    played => played.map(Some),
                },
            },
            |(table, _), played| sink((table, played)),
        );
        drop(sink);
        written?;
        told?;
        played.context("the tournament cannot go on")?;
        Ok(Played { stage, tables })
    }

    /// Plays a table's game to its end, and returns its records as well.
    fn play(&self, table: &Table) -> io::Result<(Game, Vec<Record>)> {
        let house = self.participants.len() - 1;
        // The matches' own referee; deals and sitting do not matter to a whole game.
        let plan = Match {
            contest: &Eights,
            participants: &self.participants,
            seatings: vec![table.seats.map(|seed| seed.unwrap_or(house)).to_vec()],
            deals: 0,
            sitting: 0,
            seed: table.seed,
            time: self.time,
            jobs: 1,
            record: true,
            // A game that is stopped between two rounds is void, and played again.
            stops: interrupt::has_been_requested,
        };
        let mut game = Game::new(self.goal);
        let mut records = plan.game(0, self.goal, &mut |_, _| (), |round| {
            game.push(round);
            (!game.is_over(table)).then(|| {
                let standings = game.standings();
                let totals: Vec<u32> = standings.iter().map(|one| one.points).collect();
                totals_that_count::<Eights>(&totals, |seat| standings[seat].disqualified.is_some())
            })
        })?;
        // The match's ids do not know stages; these are needed to find the game again.
        for (at, record) in records.iter_mut().enumerate() {
            record.id = table.id(at + 1);
        }
        Ok((game, records))
    }

    fn print_stage(&self, number: usize, stage: &Stage) -> io::Result<()> {
        match stage.is_final() {
            true => line!("stage {number}, the final"),
            false => line!("stage {number}"),
        }?;
        if !stage.byes.is_empty() {
            let byes: Vec<&str> = stage
                .byes
                .iter()
                .map(|&seed| self.label(Some(seed)))
                .collect();
            line!("  without a table: {}", byes.join(", "))?;
        }
        Ok(())
    }

    fn print_table(&self, table: &Table, game: &Game, is_final: bool) -> io::Result<()> {
        let mut seats: Vec<String> = Vec::new();
        // Participants by their rank, then house players, who have none.
        for (seed, standing) in game.ranking(table) {
            let label = self.label(Some(seed));
            seats.push(match standing.disqualified {
                None => format!("{label} {}", standing.points),
                Some(_) => format!("{label} disqualified"),
            });
        }
        for (seed, standing) in table.seats.iter().zip(game.standings()) {
            if seed.is_none() {
                seats.push(format!("{HOUSE} {}", standing.points));
            }
        }
        let end = if is_final { "has won" } else { "goes on" };
        let winner = game.winner(table);
        let winner = winner.map_or("nobody", |seed| self.label(Some(seed)));
        let (number, seats) = (table.number, seats.join(", "));
        let rounds = counted(game.rounds(), "round");
        line!("  table {number}: {seats}; {rounds}; {winner} {end}")
    }

    /// The results of all participants, the winner first.
    fn standings<'a>(&'a self, played: &'a [Played]) -> Vec<Fate<'a>> {
        let fate = |seed| Fate {
            seed,
            ..Fate::default()
        };
        let mut fates: Vec<Fate> = (0..self.participants.len() - 1).map(fate).collect();
        // A later stage overwrites an earlier one: the last game counts.
        for stage in played {
            for (table, game) in &stage.tables {
                let Some(game) = game else { continue };
                let winner = game.winner(table);
                for (place, (seed, standing)) in game.ranking(table).into_iter().enumerate() {
                    fates[seed] = Fate {
                        seed,
                        stage: table.stage,
                        place,
                        points: standing.points,
                        rounds: game.rounds(),
                        disqualified: standing.disqualified.as_deref(),
                        is_out: winner != Some(seed),
                    };
                }
            }
        }
        // Points are compared by the round, as numbers of rounds differ between tables.
        let a_round = |fate: &Fate| (fate.points * 1000).checked_div(fate.rounds as u32);
        // Still in before out; then the later stage, no disqualification, the better place at the table, more
        // points a round, and the better seed.
        fates.sort_by_key(|fate| {
            let disqualified = fate.disqualified.is_some();
            let stage = Reverse(fate.stage);
            match fate.is_out {
                false => (false, Reverse(0), false, 0, Reverse(None), fate.seed),
                true => {
                    let points = Reverse(a_round(fate));
                    (true, stage, disqualified, fate.place, points, fate.seed)
                }
            }
        });
        fates
    }

    fn print(&self, played: &[Played]) -> io::Result<()> {
        let mut table = TextTable::new([
            Column::right("", 0),
            Column::left("participant", 0),
            Column::right("seed", 0),
            Column::right("stage", 0),
            Column::right("points", 7),
            Column::right("rounds", 7),
            Column::left("", 0),
        ]);
        let fates = self.standings(played);
        // The only one left has won.
        let left = fates.iter().filter(|fate| !fate.is_out).count();
        for (at, fate) in fates.iter().enumerate() {
            let is_done = fate.is_out || left == 1;
            let note = match (fate.disqualified, is_done) {
                (Some(reason), _) => format!("disqualified: {reason}"),
                (None, true) => String::new(),
                (None, false) => "not decided".to_owned(),
            };
            // A participant without a game has no numbers.
            let number = |number: u64| match fate.stage {
                0 => "-".to_owned(),
                _ => number.to_string(),
            };
            table.push([
                if is_done {
                    (at + 1).to_string()
                } else {
                    String::new()
                },
                self.label(Some(fate.seed)).to_owned(),
                (fate.seed + 1).to_string(),
                number(fate.stage as u64),
                number(u64::from(fate.points)),
                number(fate.rounds),
                note,
            ]);
        }
        line!("")?;
        for line in table.lines() {
            line!("{}", line.trim_end())?;
        }
        line!(
            "stage: the last one of each participant, with the points and rounds of its game there"
        )
    }

    fn json(&self, played: &[Played]) -> Value {
        let label = |seed: &Seed| self.label(Some(*seed));
        // Every stage with its byes and tables, as far as they were played.
        let stages = played.iter().map(|stage| {
            let tables = stage.tables.iter().map(|(table, game)| {
                let seats = table.seats.iter().enumerate().map(|(seat, seed)| {
                    let standing = game.as_ref().map(|game| &game.standings()[seat]);
                    json!({
                        "player": self.label(*seed),
                        "points": standing.map(|one| one.points),
                        "disqualified": standing.and_then(|one| one.disqualified.as_ref()),
                    })
                });
                let winner = game.as_ref().and_then(|game| game.winner(table));
                json!({
                    "seats": seats.collect::<Vec<_>>(),
                    "rounds": game.as_ref().map(Game::rounds),
                    "winner": winner.as_ref().map(label),
                })
            });
            json!({
                "byes": stage.stage.byes.iter().map(label).collect::<Vec<_>>(),
                "tables": tables.collect::<Vec<_>>(),
            })
        });
        let fates = self.standings(played);
        // Several are left if the tournament was interrupted; then nobody has won yet.
        let left: Vec<&Fate> = fates.iter().filter(|fate| !fate.is_out).collect();
        let is_over = played.iter().all(|stage| stage.winners().is_some());
        let rows = fates.iter().map(|fate| {
            json!({
                "player": label(&fate.seed),
                "seed": fate.seed + 1,
                "stage": fate.stage,
                "points": fate.points,
                "rounds": fate.rounds,
                "disqualified": fate.disqualified,
                "out": fate.is_out,
            })
        });
        json!({
            "seed": self.seed,
            "winner": left.first().filter(|_| is_over).map(|fate| label(&fate.seed)),
            "finished": is_over,
            "standings": rows.collect::<Vec<_>>(),
            "stages": stages.collect::<Vec<_>>(),
        })
    }
}

/// The result of a participant.
#[derive(Default)]
struct Fate<'a> {
    seed: Seed,
    /// The stage in which it played last, from 1; 0 if it has not played.
    stage: usize,
    /// Its place among the participants of that table, from 0.
    place: usize,
    points: u32,
    rounds: u64,
    disqualified: Option<&'a str>,
    is_out: bool,
}
