//! Programs that stay: started once, and asked many times over one pair of streams.
//!
//! An input ends with an empty line, and its answer is one line. Everything else is as for a program that is
//! started for every answer: its clock runs from the question to the answer, its start included, and its faults
//! are in the same [`Run`]. After its end the next question starts it anew. Between questions it is stopped.

use super::limits::Limits;
use super::manner::question;
use super::process_tree::peak_memory;
use super::run::Run;
use super::session::Session;
use crate::wire;
use engine::sync::lock;
use rustix::process::Pid;
use std::fs;
use std::io;
use std::process::ExitStatus;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The time for a program that has closed its output to end: its status says why.
const PATIENCE: Duration = Duration::from_millis(200);

/// The running program, if there is one, behind a lock.
#[derive(Debug, Default)]
pub(super) struct Conversation(Mutex<Option<Talk>>);

/// A running program, with the processor time of its answers so far.
#[derive(Debug)]
struct Talk {
    session: Session,
    /// Processor time that earlier answers took.
    spent: Duration,
}

/// How the wait for an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Answered,
    /// The program has closed its output.
    Closed,
    /// It has written more than the limit.
    Flooded,
    TimedOut,
}

impl Conversation {
    /// Asks the program, which `start` starts if it does not run. Questions are asked one at a time; the clock
    /// of each starts when its turn has come.
    ///
    /// # Errors
    /// If the operating system cannot start or watch it.
    pub(super) fn ask(
        &self,
        start: impl FnOnce() -> io::Result<Session>,
        input: &[u8],
        limits: &Limits,
    ) -> io::Result<Run> {
        let mut slot = lock(&self.0);
        let asked = Instant::now();
        let mut talk = match slot.take() {
            Some(talk) => {
                talk.session.go_on();
                talk
            }
            None => Talk {
                session: start()?,
                spent: Duration::ZERO,
            },
        };
        // Output that came before the question counts with the answer: a program may not write unasked.
        wire::wait(&mut [talk.session.wire()], Some(asked))?;
        let mut stdout = std::mem::take(talk.session.wire().received());
        talk.session.wire().send(&question(input));
        // On an error the program is dropped here, and so ended: the next question starts a new one.
        let outcome = talk.wait(asked, limits)?;
        let wall = asked.elapsed();
        stdout.append(talk.session.wire().received());
        if outcome != Outcome::Answered {
            return talk.end(outcome, stdout, wall, limits);
        }
        // Only by an empty line can a program that stays give no answer.
        if stdout.trim_ascii().is_empty() && stdout.len() <= 2 {
            stdout.clear();
        }
        talk.session.rest();
        let (cpu, peak_memory) = talk.usage();
        let run = Run {
            stdout_cut: false,
            stdout,
            stderr_tail: talk.session.errors_so_far(),
            status: ExitStatus::default(),
            wall,
            cpu,
            peak_memory,
            late_after: limits.late,
            timed_out: false,
            unanswered: false,
            excess: None,
            leftovers: 0,
            changed: None,
        };
        // Only a program that has answered is kept.
        *slot = Some(talk);
        Ok(run)
    }
}

impl Talk {
    /// Waits for a line, or for what makes one impossible.
    fn wait(&mut self, asked: Instant, limits: &Limits) -> io::Result<Outcome> {
        let deadline = asked.checked_add(limits.kill);
        loop {
            let wire = self.session.wire();
            if wire.received().len() > limits.stdout_limit || wire.is_full() {
                return Ok(Outcome::Flooded);
            }
            if wire.received().contains(&b'\n') {
                return Ok(Outcome::Answered);
            }
            if wire.is_closed() {
                return Ok(Outcome::Closed);
            }
            if asked.elapsed() >= limits.kill {
                return Ok(Outcome::TimedOut);
            }
            wire::wait(&mut [wire], deadline)?;
        }
    }

    /// The end of a program that does not answer.
    fn end(
        mut self,
        outcome: Outcome,
        stdout: Vec<u8>,
        wall: Duration,
        limits: &Limits,
    ) -> io::Result<Run> {
        // A program that has closed its output is probably ending by itself. In all other cases it is killed at
        // once.
        let patience = match outcome {
            Outcome::Closed => PATIENCE,
            _ => Duration::ZERO,
        };
        let (cpu, peak_memory) = self.usage();
        let Talk { session, .. } = self;
        let (ending, stderr_tail, excess) = session.finish(patience)?;
        Ok(Run {
            stdout_cut: outcome == Outcome::Flooded,
            unanswered: outcome == Outcome::Closed && stdout.trim_ascii().is_empty(),
            stdout,
            stderr_tail,
            status: ending.status,
            wall,
            cpu,
            peak_memory,
            late_after: limits.late,
            timed_out: outcome == Outcome::TimedOut,
            excess,
            leftovers: ending.leftovers,
            changed: None,
        })
    }

    /// Processor time since the last answer, and the most memory it has held; 0 if the system does not say.
    fn usage(&mut self) -> (Duration, u64) {
        let leader = self.session.leader();
        let spent = processor_time(leader).unwrap_or(self.spent);
        let since = spent.saturating_sub(self.spent);
        self.spent = spent;
        (since, peak_memory(leader).unwrap_or(0))
    }
}

/// Processor time of a process and of those of its children that it waited for (proc(5)).
fn processor_time(process: Pid) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
    // The second field is its name in brackets, which may hold spaces and brackets: fields are counted from the
    // last bracket.
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    // Fields 14 to 17 of proc(5), user and system time of the process and then of its children. The first here
    // is field 3, so they are 11 to 14.
    let ticks: u64 = fields
        .get(11..15)?
        .iter()
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    let a_second = rustix::param::clock_ticks_per_second().max(1);
    Some(Duration::from_millis(ticks * 1000 / a_second))
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::testing::{Mock, patient, text, until};
    use crate::process::{Program, ProgramError, Workspace};

    /// A program that counts the questions it is asked, and does something at the third.
    fn counting(third: &str) -> Mock {
        let mock = Mock::new(&format!(
            "n=0
             while read -r line; do
                 if [ -z \"$line\" ]; then
                     n=$((n + 1))
                     if [ $n = 3 ]; then {third}; fi
                     echo \"$n $last\"
                 else last=$line; fi
             done"
        ));
        told(&mock, "stays = true");
        mock
    }

    fn told(mock: &Mock, manner: &str) {
        fs::write(mock.path().join("participant.toml"), manner).unwrap();
    }

    fn answers(workspace: &Workspace, limits: &Limits, questions: &[&str]) -> Vec<Run> {
        let ask = |question: &&str| workspace.run(question.as_bytes(), limits).unwrap();
        questions.iter().map(ask).collect()
    }

    #[test]
    fn one_process_answers_many_times_and_is_gone_with_its_seat() {
        let mock = counting(":");
        let workspace = Workspace::new(&mock.program()).unwrap();
        let runs = answers(
            &workspace,
            &patient(),
            &["a\nb\n", "c\n\r\n\nd", "e\n", "f\n"],
        );
        let said: Vec<&str> = runs.iter().map(|run| text(&run.stdout)).collect();
        assert_eq!(said, ["1 b\n", "2 d\n", "3 e\n", "4 f\n"]);
        assert!(
            runs.iter()
                .all(|run| run.status.success() && run.peak_memory > 0)
        );
        drop(workspace);
        mock.assert_gone();
    }

    #[test]
    fn it_rests_between_questions_with_all_it_has_started() {
        let mock = Mock::new(
            "(while :; do :; done) &
             while read -r line; do [ -n \"$line\" ] || echo \"$last\"; last=$line; done",
        );
        told(&mock, "stays = true");
        let workspace = Workspace::new(&mock.program()).unwrap();
        for question in ["a", "b"] {
            let runs = answers(&workspace, &patient(), &[question]);
            assert_eq!(text(&runs[0].stdout).trim(), question);
            until("both rest", || mock.states() == ['T', 'T']);
        }
        drop(workspace);
        mock.assert_gone();
    }

    #[test]
    fn an_empty_line_is_an_empty_answer() {
        let mock = counting("echo; continue");
        let workspace = Workspace::new(&mock.program()).unwrap();
        let runs = answers(&workspace, &patient(), &["a", "b", "c", "d"]);
        assert_eq!(text(&runs[2].stdout), "");
        assert_eq!(text(&runs[3].stdout), "4 d\n");
    }

    #[test]
    fn who_dies_is_started_anew() {
        let mock = counting("echo sorry >&2; exit 7");
        let workspace = Workspace::new(&mock.program()).unwrap();
        let runs = answers(&workspace, &patient(), &["a", "b", "c", "d"]);
        assert_eq!(runs[2].status.code(), Some(7));
        assert_eq!(text(&runs[2].stdout), "");
        assert_eq!(text(&runs[2].stderr_tail).trim(), "sorry");
        assert_eq!(text(&runs[3].stdout), "1 d\n");
    }

    /// To end well is no answer. An answer before the end counts.
    #[test]
    fn who_ends_before_its_answer_has_not_answered() {
        for (third, stdout) in [("exit 0", ""), ("printf bye; exit 0", "bye")] {
            let workspace = Workspace::new(&counting(third).program()).unwrap();
            let runs = answers(&workspace, &patient(), &["a", "b", "c"]);
            assert!(runs[2].status.success() && !runs[1].unanswered);
            assert_eq!(
                (text(&runs[2].stdout), runs[2].unanswered),
                (stdout, stdout.is_empty())
            );
        }
    }

    #[test]
    fn who_does_not_answer_is_ended_with_all_it_has_started() {
        let mock = counting("sleep 1000 & sleep 1000");
        let workspace = Workspace::new(&mock.program()).unwrap();
        answers(&workspace, &patient(), &["a", "b"]);
        let brief = Limits {
            kill: Duration::from_millis(300),
            ..patient()
        };
        let run = workspace.run(b"c", &brief).unwrap();
        assert!(run.timed_out && !run.status.success());
        mock.assert_gone();
        assert_eq!(
            text(&workspace.run(b"d", &patient()).unwrap().stdout),
            "1 d\n"
        );
    }

    #[test]
    fn all_that_is_said_is_part_of_the_answer() {
        let mock = counting("printf 'more\\nstill more\\n'");
        let workspace = Workspace::new(&mock.program()).unwrap();
        let runs = answers(&workspace, &patient(), &["a", "b", "c"]);
        assert!(text(&runs[2].stdout).starts_with("more\nstill more\n"));
    }

    #[test]
    fn who_floods_is_ended() {
        let mock = counting("while :; do printf x; done");
        let workspace = Workspace::new(&mock.program()).unwrap();
        let runs = answers(&workspace, &patient(), &["a", "b", "c"]);
        assert!(runs[2].stdout_cut);
        mock.assert_gone();
    }

    #[test]
    fn a_file_that_makes_no_sense_is_no_program() {
        let mock = counting(":");
        told(&mock, "stays = 'often'");
        match Program::find(mock.path()) {
            Err(ProgramError::Manner { path, reason }) => {
                assert!(path.ends_with("participant.toml") && reason.contains("line 1"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn another_command_is_started_if_it_is_named() {
        let mock = Mock::new("exit 1");
        told(&mock, "stays = true\ncommand = ['sh', 'other', 'word']");
        fs::write(
            mock.path().join("other"),
            "while read -r line; do echo \"$1\"; done",
        )
        .unwrap();
        let workspace = Workspace::new(&mock.program()).unwrap();
        assert_eq!(
            text(&workspace.run(b"", &patient()).unwrap().stdout),
            "word\n"
        );
        told(&mock, "stays = true\ncommand = ['nosuch', 'bot.py']");
        let workspace = Workspace::new(&mock.program()).unwrap();
        let error = workspace.run(b"", &patient()).unwrap_err().to_string();
        let expected = " by the command nosuch of participant.toml: No such file";
        assert!(error.contains(expected), "{error}");
    }
}
