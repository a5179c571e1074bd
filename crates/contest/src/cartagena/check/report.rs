//! The report of a check: a line for each property, and a list with each cause of a failure once.

use arena::plain_text::counted;
use arena::process::Program;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The verdict on one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As it should be.
    Passed,
    /// No fault, but worth knowing.
    Warned,
    /// A contest would count a fault.
    Failed,
    /// Not tried, because too many calls had to be killed. It counts against the program.
    Skipped,
}

/// A line of the report.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The property that was checked.
    pub name: &'static str,
    pub verdict: Verdict,
    /// The reason of the verdict, in words.
    pub detail: String,
    /// The number of the cause in [`Report::causes`], from 1, if it failed.
    pub cause: Option<usize>,
    /// A call that shows the failure or weakness, if one does.
    pub call: Option<Call>,
}

/// The input of a call, and its outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Call {
    /// The program's whole standard input.
    pub sent: String,
    /// The beginning of its standard output.
    pub received: String,
    /// The end of its standard error.
    pub errors: String,
    pub status: String,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Where the input was saved, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<PathBuf>,
    /// A shell command that repeats the call with the saved input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
}

/// A cause of failures. Several checks can fail for the same cause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cause {
    /// The failure in words, from the first check that found it.
    pub detail: String,
    /// The names of the checks that failed for it.
    pub checks: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The failure's words without numbers; two failures with the same key have the same cause.
    #[serde(skip)]
    pub(super) key: String,
}

/// The report of a check. Its JSON is the output of `contest cartagena check --json`.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub program: String,
    /// Identifies this version of the program.
    pub fingerprint: String,
    /// Seconds allowed for an action.
    pub time: f64,
    /// Whether no check failed or was skipped. Then the program is fit to take part.
    pub passed: bool,
    pub lines: Vec<Line>,
    /// The causes of failed lines, in the order in which they were found.
    pub causes: Vec<Cause>,
}

impl Line {
    /// Whether this line makes the program unfit to take part.
    pub fn is_red(&self) -> bool {
        matches!(self.verdict, Verdict::Failed | Verdict::Skipped)
    }
}

/// Finds the cause of a failed check, or adds one, and returns its number from 1. `wherever` is `detail` without the
/// path of the program's copy. Two failures have the same cause if these texts differ only in numbers, such as times.
pub(super) fn cause_of(
    causes: &mut Vec<Cause>,
    check: &'static str,
    detail: &str,
    wherever: &str,
    hint: Option<String>,
) -> usize {
    // Every number becomes one `#`, digits and decimal point: "took 2.31 s" and "took 14.05 s" both give
    // "took # s".
    let mut key = String::with_capacity(wherever.len());
    for letter in wherever.chars() {
        match letter.is_ascii_digit() || (letter == '.' && key.ends_with('#')) {
            true if key.ends_with('#') => {}
            true => key.push('#'),
            false => key.push(letter),
        }
    }
    if let Some(at) = causes.iter().position(|cause| cause.key == key) {
        causes[at].checks.push(check);
        return at + 1;
    }
    causes.push(Cause {
        detail: detail.to_owned(),
        checks: vec![check],
        hint,
        key,
    });
    causes.len()
}

impl Report {
    /// The verdict on the program, in words.
    pub fn verdict(&self) -> String {
        let [failed, warned] = [Verdict::Failed, Verdict::Warned].map(|it| self.count(it));
        match (self.passed, warned) {
            (true, 0) => "fit to take part".to_owned(),
            (true, n) => format!("fit to take part, with {}", counted(n, "warning")),
            (false, _) => {
                let causes = counted(self.causes.len(), "cause");
                let mut text = format!(
                    "not fit to take part: {failed} of {} checks failed, for {causes}",
                    self.lines.len()
                );
                // Skipped checks have no cause of their own, so they are counted apart.
                match self.count(Verdict::Skipped) {
                    0 => {}
                    n => text += &format!("; {n} not tried"),
                }
                text
            }
        }
    }

    /// The number of lines with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        let lines = self.lines.iter();
        lines.filter(|line| line.verdict == verdict).count()
    }

    /// The first line with a call that failed for this cause (from 1).
    pub fn example(&self, cause: usize) -> Option<&Line> {
        let lines = self.lines.iter();
        lines
            .filter(|line| line.cause == Some(cause))
            .find(|line| line.call.is_some())
    }

    /// Saves the input of each failed call in a file of `folder`. The report then names the files, and the commands
    /// that repeat the calls. Without failures no folder is made. Returns the number of files.
    ///
    /// # Errors
    /// If a file cannot be written; the error names it.
    pub fn save_inputs(&mut self, program: &Program, folder: &Path) -> io::Result<usize> {
        let mut saved = 0;
        for line in &mut self.lines {
            let (Verdict::Failed, Some(call)) = (line.verdict, &mut line.call) else {
                continue;
            };
            let named = |path: &Path, error: io::Error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            };
            // Made with the first failure, so a program that passes leaves no folder.
            fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
            // The whole path, so that the command works from any folder.
            let folder = folder
                .canonicalize()
                .map_err(|error| named(folder, error))?;
            let file = folder.join(file_name(line.name));
            fs::write(&file, &call.sent).map_err(|error| named(&file, error))?;
            call.again = Some(program.shell_command(&file));
            call.saved = Some(file);
            saved += 1;
        }
        Ok(saved)
    }
}

/// A file name for a check's name: its letters and digits in lower case, joined by hyphens.
fn file_name(check: &str) -> String {
    let words = check
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    format!("{}.txt", words.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_differ_in_more_than_numbers() {
        let mut causes = Vec::new();
        let mut told = |check, detail| cause_of(&mut causes, check, detail, detail, None);
        assert_eq!(told("a", "timeout: ended after 20.003 s"), 1);
        assert_eq!(told("b", "crash: status 3"), 2);
        assert_eq!(told("c", "timeout: ended after 7.1 s"), 1);
        assert_eq!(told("d", "crash: status 3: oh no"), 3);
        assert_eq!(causes[0].checks, ["a", "c"]);
        assert_eq!(causes[0].detail, "timeout: ended after 20.003 s");
    }

    #[test]
    fn files_are_called_as_their_checks() {
        assert_eq!(
            file_name("the interface's example, 3 players"),
            "the-interface-s-example-3-players.txt"
        );
    }
}
