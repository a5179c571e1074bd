//! `contest cartagena check PROGRAM`: prints whether a program follows the contest's interface. The checks are made in
//! [`check`].

use crate::cartagena::check::{self, Call, Line, Options, Report, Verdict, Watch};
use crate::isolation::IsolationArgs;
use crate::{Usage, interrupt};
use anstyle::{AnsiColor, Style};
use anyhow::{Context, bail};
use arena::plain_text::{counted, escaped};
use arena::process::Program;
use arena::progress::Steps;
use clap::Args as ClapArgs;
use seats::cli::{self, numbers::seconds_above_none};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Says whether a program keeps to the contest's interface.
///
/// The program is called once in its own folder, with time to build itself, and then for about a dozen
/// positions in a private copy of that folder. A table and a verdict come first, then each cause of failure
/// once, with the answer received. The input of each failed call is saved in a file. The exit status is 0
/// if nothing failed, 1 if something did.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The program: a folder with an executable `runme`, or an executable file
    program: PathBuf,
    /// Seconds that a call may take, including the start of the program
    #[arg(long, default_value = "15", value_name = "SECONDS", value_parser = seconds_above_none)]
    time: Duration,
    /// Seconds for the first call, in which the program may build itself
    #[arg(long, default_value = "600", value_name = "SECONDS", value_parser = seconds_above_none)]
    warm_up: Duration,
    /// Sets a variable of the program's environment; can be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    env: Vec<(String, String)>,
    /// MiB of resident memory for the program with all its processes
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: Option<u64>,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// The folder for the inputs of calls that failed [default: check-NAME, with the program's name]
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Prints the report as JSON
    #[arg(long)]
    json: bool,
}

/// Reads the value of `--env`.
fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        // Other commands have several programs, and expect a label there.
        Some((name, _)) if name.contains(':') => {
            let (_, unlabelled) = text.split_once(':').unwrap_or_default();
            Err(format!(
                "expected NAME=VALUE without a label, as check has one program: --env {unlabelled}"
            ))
        }
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

impl Args {
    /// Checks the program, prints the report and saves the inputs of failed calls. It is an error if a check failed.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let program = Program::find(&self.program).map_err(Usage::of)?;
        // The variables become part of the program, so they hold for every call.
        let program = self
            .env
            .into_iter()
            .fold(program, |program, (name, value)| {
                program.with_variable(name, value)
            });
        let options = Options {
            time: self.time,
            warm_up: self.warm_up,
            memory: self.memory.map(|mib| mib << 20),
            confinement: self.isolation.confinement(!self.json, &[])?,
        };
        // A stop signal ends this process at once, and all processes of the program.
        interrupt::ends_all();
        let mut printer = Printer::new(self.json);
        let report = check::check(&program, &options, &mut printer);
        printer.progress.clear();
        let mut report = report?;
        // The inputs of failed calls are saved even without --save, so that a failure can be repeated.
        let folder = self.save.unwrap_or_else(|| usual_folder(&program));
        // The verdict and its causes are printed in any case.
        let saved = report.save_inputs(&program, &folder);
        let calls = saved.as_ref().map_or(0, |&calls| calls);
        let printed = printer
            .printed
            .and_then(|()| print(&report, self.json, calls, &folder));
        let saved = saved.context("cannot save what was sent");
        // The verdict is this command's status, even where nobody reads the lines to their end.
        if !report.passed {
            if let Err(error) = saved {
                cli::complain(&format!("{error:#}"));
            }
            let failed = report.count(Verdict::Failed);
            bail!("{failed} of {} checks failed", report.lines.len());
        }
        saved?;
        Ok(printed?)
    }
}

/// Prints what the printer of lines has left. What was sent in `calls` that failed is in the folder.
fn print(report: &Report, as_json: bool, calls: usize, folder: &Path) -> io::Result<()> {
    if as_json {
        let mut out = cli::out();
        serde_json::to_writer_pretty(&mut out, report)?;
        return writeln!(out);
    }
    print_rest(report)?;
    match calls {
        0 => Ok(()),
        _ => line!(
            "\nwhat was sent in the {} that failed is in {}",
            counted(calls, "call"),
            folder.display()
        ),
    }
}

/// The default folder for saved inputs: `check-NAME`, with the name of the program or its folder.
fn usual_folder(program: &Program) -> PathBuf {
    let executable = program.executable();
    let named = match program.is_alone() {
        true => executable.file_stem(),
        false => program.folder().file_name(),
    };
    let name = named.map_or("program".into(), |name| name.to_string_lossy());
    format!("check-{name}").into()
}

/// Prints the lines of a report as soon as they are known, since a check can take minutes, and shows how far it is. A
/// cause is described only in its first line. Colours appear only on a terminal, and not if `NO_COLOR` is set.
struct Printer {
    progress: Steps,
    /// Whether no lines are printed.
    is_quiet: bool,
    /// The number of causes that have been printed.
    causes: usize,
    /// The first error. The check still goes on to its end.
    printed: io::Result<()>,
}

impl Watch for Printer {
    fn asks(&mut self, number: usize, of: usize, question: &'static str) {
        self.progress.begin(number as u64, of as u64, question);
    }

    fn tells(&mut self, line: &Line) {
        if self.is_quiet || self.printed.is_err() {
            return;
        }
        // The progress would be drawn into the line.
        let progress = self.progress.clone();
        self.printed = progress.beside(|| self.print(line));
    }
}

impl Printer {
    fn new(is_quiet: bool) -> Printer {
        Printer {
            progress: Steps::one_by_one("question"),
            is_quiet,
            causes: 0,
            printed: Ok(()),
        }
    }

    /// Prints a line: the verdict, the property, and the detail or the number of a known cause.
    fn print(&mut self, line: &Line) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        let (word, color) = match line.verdict {
            Verdict::Passed => ("ok", AnsiColor::Green),
            Verdict::Warned => ("warn", AnsiColor::Yellow),
            Verdict::Failed => ("FAIL", AnsiColor::Red),
            Verdict::Skipped => ("skip", AnsiColor::Red),
        };
        let detail = match line.cause {
            // Causes are numbered in the order of their first lines. So a number up to the highest one printed has been
            // described.
            Some(cause) if cause <= self.causes => format!("cause {cause} again"),
            Some(cause) => {
                self.causes = cause;
                format!("cause {cause}: {}", line.detail)
            }
            None => line.detail.clone(),
        };
        let style = bold(color);
        writeln!(out, "{style}{word:>4}{style:#}  {:<45} {detail}", line.name)?;
        out.flush()
    }
}

/// The style of verdicts.
fn bold(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(color.into())).bold()
}

/// Prints the verdict and its reasons: every cause once, then the warnings.
fn print_rest(report: &Report) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let style = bold(match report.passed {
        true => AnsiColor::Green,
        false => AnsiColor::Red,
    });
    writeln!(out, "\n{style}{}{style:#}", report.verdict())?;
    for (number, cause) in (1..).zip(&report.causes) {
        let checks = counted(cause.checks.len(), "check");
        writeln!(out, "\ncause {number}, in {checks}: {}", cause.detail)?;
        if let Some(hint) = &cause.hint {
            writeln!(out, "  hint: {hint}")?;
        }
        if let Some(Line { name, call, .. }) = report.example(number) {
            writeln!(out, "  as in: {name}")?;
            call.iter()
                .try_for_each(|call| print_call(&mut out, call))?;
        }
    }
    // A warning that ends with the words of a cause would repeat that cause.
    let is_told = |line: &&Line| {
        let mut causes = report.causes.iter();
        causes.any(|cause| line.detail.ends_with(&cause.detail))
    };
    for line in report.lines.iter().filter(|line| !is_told(line)) {
        if let (Verdict::Warned, Some(call)) = (line.verdict, &line.call) {
            writeln!(out, "\nwarning, {}: {}", line.name, line.detail)?;
            print_call(&mut out, call)?;
        }
    }
    out.flush()
}

/// Prints a call: its input unless that was saved, its output, and the command that repeats it.
fn print_call(out: &mut impl Write, call: &Call) -> io::Result<()> {
    let mut part = |name: &str, text: &str| match text {
        "" => writeln!(out, "  {name}: nothing"),
        text => {
            writeln!(out, "  {name}:")?;
            // Split at line feeds alone: a carriage return before one may be the mistake.
            let text = text.strip_suffix('\n').unwrap_or(text);
            text.split('\n')
                .try_for_each(|line| writeln!(out, "    | {}", escaped(line)))
        }
    };
    // A saved input is in its file, which the command below names.
    if call.saved.is_none() {
        part("sent", &call.sent)?;
    }
    part("received", &call.received)?;
    part("standard error", &call.errors)?;
    writeln!(out, "  {} after {:.2} s", call.status, call.seconds)?;
    match &call.again {
        Some(command) => writeln!(out, "  again: {command}"),
        None => Ok(()),
    }
}
