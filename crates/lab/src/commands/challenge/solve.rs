//! `lab challenge solve`: computes the tables of the player `equilibrium`. First it finds the values of all scores
//! and chooses the hand games that stand for them, then it trains a strategy for each; with `--openings` it solves
//! their first two tricks without abstraction. `challenge::training` and `challenge::opening` do the work.

use super::exact;
use crate::challenge::opening::{OpeningSettings, OpeningTrainer};
use crate::challenge::training::{Run, Sweep, Trainer, centres, write_games};
use anyhow::{Context, Result, bail, ensure};
use arena::progress::Steps;
use challenge::equilibrium::blueprint::{Blueprint, Bytes, HandGames, Opening, Stored};
use challenge::equilibrium::{Stakes, Values};
use clap::Args as ClapArgs;
use rayon::prelude::*;
use seats::cli;
use seats::cli::output::check_writable;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Instant;

/// Number of blocks that a hand game's deals are played in; later blocks weigh more.
const BLOCKS: u64 = 100;

/// Number of blocks between two checkpoints.
const EVERY: u64 = 10;

/// The number of scores is the most hand games that make sense.
const MOST_GAMES: u8 = 100;

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Hand games that stand for the 100 scores
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_GAMES)))]
    games: u8,
    /// Deals for each score, to find the values of all scores
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(2..))]
    sweep: u64,
    /// Deals for each hand game, to find its strategy
    #[arg(long, default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(BLOCKS..))]
    deals: u64,
    /// Seed of the deals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for the tables
    #[arg(long, default_value = "support")]
    out: PathBuf,
    /// Replace the tables and checkpoints in this folder: all if they are of other values or, without --resume,
    /// of the same command; with --values, if the values are the same, those of the hand games to be solved
    #[arg(long)]
    replace: bool,
    /// Keep the tables that the same command has left: the values, every hand game that was finished, and
    /// the checkpoint of one that was not
    #[arg(long)]
    resume: bool,
    /// Take values and hand games from the tables in this folder, and find the strategies alone
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["games", "sweep"])]
    values: Option<PathBuf>,
    /// Solve separate hand games for these scores too, the opener's points first; they follow those
    /// that exist already
    #[arg(long, value_name = "A:B", value_delimiter = ',', value_parser = exact::score, requires = "values")]
    add: Vec<[u8; 2]>,
    /// Only these hand games, by their numbers from 0, so that several machines can share the work
    #[arg(long, value_name = "N", value_delimiter = ',')]
    only: Vec<usize>,
    /// Solve the first two tricks of the hand games without abstraction, for the player
    /// `equilibrium`, with their tables in the folder of --values; each takes minutes of all cores
    #[arg(long, requires = "values", conflicts_with_all = ["deals", "jobs"])]
    openings: bool,
    /// Iterations of an opening
    #[arg(long, default_value_t = OpeningSettings::default().iterations, requires = "openings",
          value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// Hand games that are solved at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let started = Instant::now();
        // Before anything is written.
        let there = match &self.values {
            Some(folder) => {
                let mut games = HandGames::read(folder).context("reading the values")?;
                self.add_to(&mut games)?;
                games.centres.len()
            }
            None => self.games.into(),
        };
        // Added hand games are the last ones; those before are solved already.
        let first = match self.add.is_empty() {
            true => 0,
            false => there - self.add.len(),
        };
        let numbers = first..there;
        let is_wanted = |number: &usize| self.only.is_empty() || self.only.contains(number);
        for number in &self.only {
            if !numbers.contains(number) {
                let last = numbers.end - 1;
                refuse!("--only {number}: expected a hand game of {first} to {last}");
            }
        }
        check_writable("--out", &HandGames::path(&self.out))?;
        let mut wanted: Vec<usize> = numbers.filter(is_wanted).collect();
        let games = self.values(&wanted, started)?;
        wanted.retain(|&number| !(self.resume && self.is_done(number)));
        if self.openings {
            return self.open(&games, &wanted, started);
        }
        // One thread a hand game: a training is sequential.
        let threads = cli::threads(self.jobs.into())?;
        let steps = Steps::new(BLOCKS * wanted.len() as u64, "blocks of deals");
        let solve = |&number: &usize| self.solve(number, games.centres[number], &steps, started);
        let solved = threads.install(|| wanted.par_iter().try_for_each(solve));
        steps.clear();
        solved
    }

    /// Whether a hand game is finished; prints a line if it is.
    fn is_done(&self, number: usize) -> bool {
        let [path, _] = self.files(number, self.openings);
        let is_done = match self.openings {
            true => Stored::<Opening>::read(&path).is_ok(),
            false => Blueprint::read_strategy(&self.out, number).is_ok(),
        };
        if is_done {
            engine::note!("{} exists already", path.display());
        }
        is_done
    }

    /// Solves the openings of hand games.
    fn open(&self, games: &HandGames, wanted: &[usize], started: Instant) -> Result<()> {
        let folder = self.values.as_deref().context("expected --values")?;
        let settings = OpeningSettings {
            iterations: self.iterations,
            seed: self.seed,
            ..OpeningSettings::default()
        };
        // Progress counts endgames before the first iteration, and iterations.
        let each = u64::from(settings.first + settings.iterations);
        let steps = Steps::new(each * wanted.len() as u64, "endgames and iterations");
        for &number in wanted {
            let tables =
                Blueprint::read_strategy(folder, number).context("reading a hand game's tables")?;
            let [path, checkpoint] = self.files(number, true);
            if !self.resume {
                let _ = std::fs::remove_file(&checkpoint);
            }
            let done = |count: u32| (0..count).for_each(|_| steps.finished());
            let centre = games.centres[number];
            let mut trainer = OpeningTrainer::train(&tables, centre, settings, &checkpoint, done)
                .context("storing a checkpoint")?;
            trainer
                .opening()
                .write(&path)
                .context("storing an opening")?;
            let _ = std::fs::remove_file(&checkpoint);
            engine::note!(
                "{:7.1} s  hand game {number}: best responses in the first two tricks win {:.3} points by the value \
                 function, {} iterations",
                started.elapsed().as_secs_f64(),
                trainer.exploitability(),
                settings.iterations,
            );
        }
        steps.clear();
        Ok(())
    }

    /// The values of all scores, computed or stored, with the hand games. `wanted` are those to be solved.
    fn values(&self, wanted: &[usize], started: Instant) -> Result<HandGames> {
        if let Some(folder) = &self.values {
            let mut games = HandGames::read(folder).context("reading the values")?;
            self.add_to(&mut games)?;
            let before = HandGames::read(&self.out).ok();
            // Strategies in the folder stay valid if the values are the same and hand games were only added.
            let goes_on = |before: &HandGames| {
                before.values == games.values && games.centres.starts_with(&before.centres)
            };
            match before.as_ref().is_some_and(goes_on) {
                true => {
                    self.may_solve(wanted)?;
                    // Replaced files go at once, as below, but only if the tables that openings are solved with are there.
                    if self.replace && !self.resume {
                        for &number in wanted.iter().filter(|_| self.openings) {
                            Blueprint::read_strategy(folder, number)
                                .context("reading a hand game's tables")?;
                        }
                        remove(wanted.iter().flat_map(|&it| self.files(it, self.openings)))?;
                    }
                }
                false => self.remove_strategies()?,
            }
            if before.as_ref() != Some(&games) {
                write_games(&self.out, &games).context("storing the values")?;
            }
            return Ok(games);
        }
        // The stored values are used only if the same options made them.
        if self.resume
            && let Ok(games) = HandGames::read(&self.out)
            && self.has_made(&games)
        {
            return Ok(games);
        }
        // Replaced files go before the sweep, which may be stopped: a later `--resume` would take them for its own.
        self.remove_strategies()?;
        remove(std::iter::once(HandGames::path(&self.out)))?;
        let values = Sweep::new(self.sweep, self.seed).run(|own, theirs, value| {
            let seconds = started.elapsed().as_secs_f64();
            engine::note!("{seconds:7.1} s  {own} : {theirs}  the opener wins {value:.4}");
        });
        let games = HandGames {
            command: self.command(),
            centres: centres(&values, self.games.into()),
            values,
        };
        write_games(&self.out, &games).context("storing the values")?;
        print_values(&games.values)?;
        Ok(games)
    }

    /// Adds the hand games of scores. A call that was stopped may have added them already.
    fn add_to(&self, games: &mut HandGames) -> Result<()> {
        let added: Vec<Stakes> = self
            .add
            .iter()
            .map(|&[own, theirs]| games.values.stakes(own, theirs))
            .collect();
        if !games.centres.ends_with(&added) {
            games.centres.extend(added);
            let score = |[own, theirs]: &[u8; 2]| format!("{own}:{theirs}");
            let scores: Vec<String> = self.add.iter().map(score).collect();
            games.command = format!("{} --add {}", games.command, scores.join(","));
        }
        let most = usize::from(MOST_GAMES);
        ensure!(
            games.centres.len() <= most,
            "expected {most} hand games at most, not {}",
            games.centres.len()
        );
        Ok(())
    }

    /// The files that strategies of the folder and their checkpoints can have.
    fn strategies(&self) -> impl Iterator<Item = PathBuf> {
        let numbers = (0..MOST_GAMES).map(usize::from);
        numbers
            .flat_map(|number| [false, true].map(|opening| self.files(number, opening)))
            .flatten()
    }

    /// The table of a hand game or of its opening, and the checkpoint while it is not finished.
    fn files(&self, number: usize, opening: bool) -> [PathBuf; 2] {
        let (table, checkpoint) = match opening {
            true => (
                Blueprint::opening_path(&self.out, number),
                "opening-training",
            ),
            false => (Blueprint::path(&self.out, number), "training"),
        };
        let checkpoint = table.with_extension(checkpoint);
        [table, checkpoint]
    }

    /// Refuses to solve hand games of given values again unless that is asked for.
    fn may_solve(&self, wanted: &[usize]) -> Result<()> {
        let mut files = wanted
            .iter()
            .flat_map(|&number| self.files(number, self.openings));
        match files.find(|path| path.exists()) {
            Some(path) if !self.resume && !self.replace => bail!(
                "{} exists already: go on with --resume, or begin again with --replace",
                path.display()
            ),
            _ => Ok(()),
        }
    }

    /// Whether this command has made these values.
    fn has_made(&self, games: &HandGames) -> bool {
        self.values.is_none() && options(&games.command) == options(&self.command())
    }

    /// Refuses to replace strategies, which may have taken hours, unless that is asked for.
    fn may_replace(&self) -> Result<()> {
        let there = self.strategies().find(|path| path.exists());
        let Some(path) = there.filter(|_| !self.replace) else {
            return Ok(());
        };
        let path = path.display();
        if HandGames::read(&self.out).is_ok_and(|left| self.has_made(&left)) {
            bail!(
                "{path} was left by this same command: go on with --resume, or begin again with --replace"
            );
        }
        bail!(
            "{path} is of other values: name another folder with --out, or replace all tables in it with --replace"
        )
    }

    /// Removes all strategies from the folder. They belong to other values, and a later `--resume` would take
    /// them for its own.
    fn remove_strategies(&self) -> Result<()> {
        self.may_replace()?;
        remove(self.strategies())
    }

    /// Trains one hand game and writes its strategy.
    fn solve(&self, number: usize, centre: Stakes, steps: &Steps, started: Instant) -> Result<()> {
        let run = Run {
            stakes: centre,
            deals: self.deals,
            blocks: BLOCKS,
            seed: self.seed,
            number: number as u64,
        };
        let [_, checkpoint] = self.files(number, false);
        if !self.resume {
            let _ = std::fs::remove_file(&checkpoint);
        }
        // The trainer reports totals, which include blocks of a checkpoint; progress counts steps.
        let mut counted = 0;
        let (trainer, value) = Trainer::train(&run, &checkpoint, EVERY, |done| {
            (counted..done).for_each(|_| steps.finished());
            counted = done;
        })
        .context("storing a checkpoint")?;
        let strategy = trainer.strategy();
        let path = Blueprint::path(&self.out, number);
        strategy.write(&path).context("storing a strategy")?;
        let _ = std::fs::remove_file(&checkpoint);
        engine::note!(
            "{:7.1} s  hand game {number}: won {:.3}, lost {:.3}, tied {:.3}; value {value:.4} over {} deals",
            started.elapsed().as_secs_f64(),
            centre.won,
            centre.lost,
            centre.tied,
            trainer.deals(),
        );
        Ok(())
    }

    /// The command that makes the values and hand games, for their record.
    fn command(&self) -> String {
        format!(
            "lab challenge solve --games {} --sweep {} --deals {} --seed {}",
            self.games, self.sweep, self.deals, self.seed
        )
    }
}

/// Removes those of the files that are there.
fn remove(files: impl Iterator<Item = PathBuf>) -> Result<()> {
    for path in files {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("removing {}", path.display()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A command without the name of the program, which files of earlier versions have differently.
fn options(command: &str) -> &str {
    command.split_once(' ').map_or("", |(_, options)| options)
}

/// Prints the opener's chance to win the game by its points (rows) and the other's (columns).
fn print_values(values: &Values) -> Result<()> {
    for own in 0..10 {
        let row: Vec<String> = (0..10)
            .map(|theirs| format!("{:.3}", values.get(own, theirs)))
            .collect();
        line!("{}", row.join(" "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn args(folder: &Path) -> Args {
        Args {
            games: 1,
            sweep: 2,
            deals: BLOCKS,
            seed: 1,
            out: folder.to_owned(),
            replace: false,
            resume: true,
            values: None,
            add: Vec::new(),
            only: Vec::new(),
            openings: false,
            iterations: 1,
            jobs: 1,
        }
    }

    fn values(args: &Args) -> HandGames {
        args.values(&[], Instant::now()).unwrap()
    }

    /// Why the values of hand games are not written.
    fn refused(args: &Args) -> String {
        args.values(&[], Instant::now()).unwrap_err().to_string()
    }

    #[test]
    fn hand_games_of_other_values_are_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let args = args(folder.path());
        let [first, eighth] = [0, 7].map(|number| Blueprint::path(&args.out, number));
        std::fs::write(&first, "of other values").unwrap();
        std::fs::write(&eighth, "of other values").unwrap();
        let why = refused(&args);
        assert!(why.contains("--replace"), "{why}");
        assert!(first.exists());
        let args = Args {
            replace: true,
            ..args
        };
        let games = values(&args);
        assert!(!first.exists() && !eighth.exists());
        std::fs::write(&first, "of these values").unwrap();
        assert_eq!(values(&args), games);
        assert!(first.exists());
        // If it is to be solved anew, it goes before that: a run that is resumed would take it for its own.
        let args = Args {
            values: Some(args.out.clone()),
            resume: false,
            ..args
        };
        args.values(&[0], Instant::now()).unwrap();
        assert!(!first.exists());
    }

    /// Hours of work are not lost if `--resume` is forgotten, even before the first hand game is finished.
    #[test]
    fn the_same_command_again_is_told_to_resume() {
        let folder = tempfile::tempdir().unwrap();
        let first = args(folder.path());
        let games = values(&first);
        let [_, checkpoint] = first.files(0, false);
        std::fs::write(&checkpoint, "under way").unwrap();
        let again = Args {
            resume: false,
            ..args(folder.path())
        };
        let why = refused(&again);
        let expected = "was left by this same command: go on with --resume";
        assert!(why.contains(expected), "{why}");
        assert!(checkpoint.exists());
        assert_eq!(values(&first), games);
        let why = refused(&Args { seed: 2, ..again });
        assert!(why.contains("is of other values"), "{why}");
        // With given values only what is to be solved must not be there yet.
        let given = |openings, only: &[usize]| Args {
            values: Some(folder.path().to_owned()),
            resume: false,
            only: only.to_vec(),
            openings,
            ..args(folder.path())
        };
        let exists = |args: Args, file: &str| {
            let why = args.run().unwrap_err().to_string();
            assert!(why.contains(&format!("{file} exists already")), "{why}");
        };
        exists(given(false, &[0]), "challenge-00.training");
        assert!(given(true, &[]).values(&[0], Instant::now()).is_ok());
        let [opening, _] = first.files(0, true);
        std::fs::write(opening, "solved before").unwrap();
        exists(given(true, &[]), "challenge-00.opening");
        assert!(given(false, &[]).values(&[1], Instant::now()).is_ok());
        let replacing = Args {
            replace: true,
            ..given(false, &[])
        };
        replacing.run().unwrap();
        assert!(!checkpoint.exists() && Blueprint::read_strategy(&first.out, 0).is_ok());
    }

    /// Added hand games leave the earlier ones as they are, and a second call does not add them again.
    #[test]
    fn hand_games_can_be_added() {
        let folder = tempfile::tempdir().unwrap();
        let first = args(folder.path());
        let games = values(&first);
        std::fs::write(Blueprint::path(&first.out, 0), "solved before").unwrap();
        let more = || Args {
            values: Some(folder.path().to_owned()),
            add: vec![[8, 8], [7, 0]],
            ..args(folder.path())
        };
        for _ in 0..2 {
            more().run().unwrap();
            let added = HandGames::read(folder.path()).unwrap();
            let stakes = [(8, 8), (7, 0)].map(|(own, theirs)| games.values.stakes(own, theirs));
            assert_eq!(added.centres, [&games.centres[..], &stakes].concat());
            assert_eq!(added.command, format!("{} --add 8:8,7:0", games.command));
            let before = std::fs::read_to_string(Blueprint::path(folder.path(), 0)).unwrap();
            assert_eq!(before, "solved before");
            for number in 1..3 {
                assert!(Blueprint::read_strategy(folder.path(), number).is_ok());
            }
        }
    }

    /// Two calls that share the hand games of given values have the same result as one call.
    #[test]
    fn hand_games_can_be_shared_out() {
        let [given, whole, parts] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let two = Args {
            games: 2,
            ..args(given.path())
        };
        let games = values(&two);
        let solve = |folder: &Path, only: &[usize]| {
            let args = Args {
                values: Some(given.path().to_owned()),
                only: only.to_vec(),
                ..args(folder)
            };
            args.run().unwrap();
        };
        solve(whole.path(), &[]);
        solve(parts.path(), &[1]);
        assert!(!Blueprint::path(parts.path(), 0).exists());
        solve(parts.path(), &[0]);
        for number in 0..2 {
            let read = |folder: &Path| Blueprint::read_strategy(folder, number).unwrap();
            assert!(read(whole.path()) == read(parts.path()));
        }
        assert_eq!(HandGames::read(parts.path()).unwrap(), games);
    }
}
