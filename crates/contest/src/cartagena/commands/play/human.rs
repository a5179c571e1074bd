//! A person on a seat of `contest cartagena play`: chooses actions at the terminal, and may ask for advice.

use crate::cartagena::seat::{Answer, Seat};
use cartagena::evaluation::Evaluators;
use cartagena::opponents::Opponents;
use cartagena::player::Question;
use cartagena::rules::{Action, ActionList};
use cartagena::search::{Best, Report, SavedTurn, Search, Settings};
use engine::budget::{Budget, Limits};
use std::fmt::Write as _;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The seat of a person, who is asked on standard output and answers on standard input.
pub(super) struct Human {
    evaluators: Arc<Evaluators>,
    /// The time of a search for advice.
    advice: Duration,
}

/// An input line that was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Action(Action),
    Advice,
    GiveUp,
}

impl Human {
    /// A person who gets advice from a search with these evaluators that lasts `advice`.
    pub(super) fn new(evaluators: Arc<Evaluators>, advice: Duration) -> Human {
        Human { evaluators, advice }
    }

    /// The search for advice.
    fn think(&self, question: &Question, may_pass: bool) -> Report {
        let budget = Budget::start(Limits {
            time: Some(self.advice),
            nodes: None,
        });
        let search = Search {
            game: question.game,
            view: question.view,
            belief: &question.belief(),
            opponents: &Opponents::default,
            evaluator: &**self.evaluators.for_players(question.game.players),
            budget: &budget,
            settings: Settings {
                allow_pass: may_pass,
                ..Settings::default()
            },
            pool: None,
        };
        search.run(&SavedTurn::NOTHING, &Best::default())
    }
}

impl Seat for Human {
    fn ask(&mut self, question: &Question) -> io::Result<Answer> {
        let start = Instant::now();
        let view = question.view;
        let mut list = ActionList::new();
        question
            .game
            .actions(&view.track, view.seat, view.hand, &mut list);
        // As in the contest, the first action of a turn must be taken if any is legal.
        let may_pass = view.taken > 0 || list.is_empty();
        let mut out = io::stdout().lock();
        out.write_all(choices(question, &list, may_pass).as_bytes())?;
        // Asked until a legal action is chosen, so mistakes and questions cost nothing.
        let action = loop {
            write!(out, "> ")?;
            out.flush()?;
            let mut line = String::new();
            let said = match io::stdin().lock().read_line(&mut line)? {
                // No byte was read: the input has ended.
                0 => Ok(Said::GiveUp),
                _ => understood(&line, &list, may_pass),
            };
            match said {
                Ok(Said::Action(action)) => break action,
                Ok(Said::GiveUp) => {
                    // An error ends the game at once. `play` recognizes this one by its kind.
                    return Err(io::Error::new(ErrorKind::Interrupted, "given up"));
                }
                // A search about a single choice would only take time.
                Ok(Said::Advice) if list.len() + usize::from(may_pass) < 2 => {
                    writeln!(out, "there is nothing to choose")?;
                }
                Ok(Said::Advice) => {
                    let report = self.think(question, may_pass);
                    out.write_all(advice(&report, question, &list).as_bytes())?;
                }
                Err(expected) => writeln!(out, "expected {expected}")?,
            }
        };
        Ok(Answer::silent(action, start))
    }
}

/// The hand and the numbered actions, as text.
fn choices(question: &Question, list: &ActionList, may_pass: bool) -> String {
    let view = question.view;
    let mut text = format!(
        "player {}, action {} of the turn; your hand: {}\n",
        view.seat + 1,
        view.taken + 1,
        view.hand
    );
    for (i, &action) in list.iter().enumerate() {
        let _ = writeln!(text, "{:>3}  {}", i + 1, described(action, question));
    }
    if may_pass {
        let _ = writeln!(text, "{:>3}  {}", 0, described(Action::Pass, question));
    }
    text
}

/// An action in words.
fn described(action: Action, question: &Question) -> String {
    match action {
        Action::Advance { from, to, symbol } => format!("{symbol}: from {from} to {to}"),
        Action::Retreat { from, to } => {
            let draws = question.view.draws(to);
            format!("back from {from} to {to}, draw {draws}")
        }
        Action::Pass => "end the turn".to_owned(),
    }
}

/// The search's values of all actions as text, the best first, with the numbers to choose them by.
fn advice(report: &Report, question: &Question, list: &ActionList) -> String {
    let mut text = format!("{:>3}  {:<28} {:>8} {:>7}\n", "", "", "wins %", "±");
    for candidate in &report.candidates {
        let number = list.iter().position(|&action| action == candidate.action);
        let error = candidate
            .error
            .map_or("-".to_owned(), |e| format!("{:.2}", 100.0 * e));
        let _ = writeln!(
            text,
            "{:>3}  {:<28} {:>8.2} {error:>7}",
            // A pass is not in the list; its number is 0.
            number.map_or(0, |i| i + 1),
            described(candidate.action, question),
            100.0 * candidate.chance,
        );
    }
    text
}

/// The meaning of an input line. The error says what was expected.
fn understood(line: &str, list: &ActionList, may_pass: bool) -> Result<Said, String> {
    match line.trim() {
        "?" => Ok(Said::Advice),
        "q" | "quit" => Ok(Said::GiveUp),
        "0" if may_pass => Ok(Said::Action(Action::Pass)),
        text => text
            .parse::<usize>()
            .ok()
            .and_then(|number| list.get(number.checked_sub(1)?))
            .map(|&action| Said::Action(action))
            .ok_or_else(|| {
                let first = if may_pass { 0 } else { 1 };
                format!(
                    "a number from {first} to {}, ? for advice, q to give up",
                    list.len()
                )
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let only = Action::Retreat { from: 3, to: 1 };
        let list: ActionList = [only].into_iter().collect();
        assert_eq!(understood(" 1 \n", &list, false), Ok(Said::Action(only)));
        assert_eq!(understood("?", &list, false), Ok(Said::Advice));
        assert_eq!(understood("q", &list, false), Ok(Said::GiveUp));
        assert_eq!(understood("0", &list, true), Ok(Said::Action(Action::Pass)));
        for wrong in ["0", "2", "x", ""] {
            let expected = understood(wrong, &list, false).unwrap_err();
            assert!(expected.starts_with("a number from 1 to 1"), "{expected}");
        }
    }
}
