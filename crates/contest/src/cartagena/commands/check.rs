//! `contest cartagena check PROGRAM`

use crate::cartagena::check::{self, Call, Line, Options, Verdict};
use crate::isolation::IsolationArgs;
use crate::{Usage, interrupt};
use anstyle::{AnsiColor, Style};
use anyhow::bail;
use arena::process::Program;
use clap::Args as ClapArgs;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Says whether a program keeps to the contest's interface.
///
/// The program is called once where it is and with time to build itself, and then about a dozen positions in a private copy of its folder. A line that is not green shows what
/// was sent and received. The exit status is 0 if nothing failed, 1 if something did.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The program: a folder with an executable `runme`, or an executable file
    program: PathBuf,
    /// Seconds that a call may take, the start of the program included
    #[arg(long, default_value = "15", value_name = "SECONDS", value_parser = seconds)]
    time: Duration,
    /// Seconds for the first call, in which the program may build itself
    #[arg(long, default_value = "600", value_name = "SECONDS", value_parser = seconds)]
    warm_up: Duration,
    /// Sets a variable of the program's environment; can be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    env: Vec<(String, String)>,
    /// Megabytes of address space for each process of the program
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: Option<u64>,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// Prints the report as JSON
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("expected a time of more than 0 seconds".to_owned()),
    }
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let program =
            Program::find(&self.program).map_err(|error| Usage::new(error.to_string()))?;
        let program = self
            .env
            .into_iter()
            .fold(program, |program, (name, value)| {
                program.with_variable(name, value)
            });
        let options = Options {
            time: self.time,
            warm_up: self.warm_up,
            memory: self.memory.map(|megabytes| megabytes << 20),
            confinement: self.isolation.confinement(!self.json)?,
        };
        interrupt::ends_all();
        let mut printer = Printer::default();
        let mut trouble = Ok(());
        let report = check::check(&program, &options, &mut |line| {
            if !self.json && trouble.is_ok() {
                trouble = printer.print(line);
            }
        })?;
        trouble?;
        if self.json {
            let mut out = io::stdout().lock();
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
        }
        if !report.passed {
            let is_red = |line: &&Line| matches!(line.verdict, Verdict::Failed | Verdict::Skipped);
            let red = report.lines.iter().filter(is_red).count();
            bail!("{red} of {} checks failed", report.lines.len());
        }
        Ok(())
    }
}

/// Prints lines as they come; colours only for a terminal, and not where `NO_COLOR` is set.
#[derive(Default)]
struct Printer {
    /// The faults of which a call has been shown.
    shown: HashSet<String>,
}

impl Printer {
    fn print(&mut self, line: &Line) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        let (word, color) = match line.verdict {
            Verdict::Passed => ("ok", AnsiColor::Green),
            Verdict::Warned => ("warn", AnsiColor::Yellow),
            Verdict::Failed => ("FAIL", AnsiColor::Red),
            Verdict::Skipped => ("skip", AnsiColor::Red),
        };
        let style = Style::new().fg_color(Some(color.into())).bold();
        writeln!(
            out,
            "{style}{word:>4}{style:#}  {:<45} {}",
            line.name, line.detail
        )?;
        match &line.call {
            Some(_) if !self.shown.insert(line.detail.clone()) => {
                writeln!(out, "      sent and received: much as above")?;
            }
            Some(call) => print_call(&mut out, call)?,
            None => {}
        }
        out.flush()
    }
}

fn print_call(out: &mut impl Write, call: &Call) -> io::Result<()> {
    let mut part = |name: &str, text: &str| match text {
        "" => writeln!(out, "      {name}: nothing"),
        text => {
            writeln!(out, "      {name}:")?;
            text.lines()
                .try_for_each(|line| writeln!(out, "        | {}", line.escape_debug()))
        }
    };
    part("sent", &call.sent)?;
    part("received", &call.received)?;
    part("standard error", &call.errors)?;
    writeln!(out, "      {} after {:.2} s", call.status, call.seconds)
}
