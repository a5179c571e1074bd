//! The positions with which `contest cartagena check` tests a program, and the rating of the answers.
//!
//! A position is a text in the contest's format. The program gets it on standard input and must print a legal action.

use super::super::external;
use super::super::seat::{Fault, FaultKind};
use arena::process::Run;
use cartagena::belief::{Replay, ReplayOptions, replay};
use cartagena::notation::{self, ParseError, parse, print, print_action};
use cartagena::record::GameRecord;
use cartagena::rules::{Action, MAX_PLAYERS, State};
use seats::cartagena::legal;

/// The special property of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// No special property: every legal action is a good answer.
    Nothing,
    /// An action wins at once. Another legal answer gets a warning.
    Win,
    /// The text differs slightly from the contest's format. A program that refuses it gets a warning.
    Sloppy,
}

/// A position that a program is asked about.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub name: &'static str,
    pub input: String,
    pub special: Special,
    /// The game that the text describes, with the view of the player to move.
    replay: Replay,
}

/// The rating of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// No fault. The text goes into the report.
    Good(String),
    /// A weakness, but no fault. It becomes a warning with this text.
    Pity(String),
    /// A fault, for which the check fails.
    Bad(Fault),
}

// The texts are also test data of the player.
const EXAMPLE: &str = include_str!("../../../../../tests/data/cartagena/interface-example.txt");
const FIRST: &str = include_str!("../../../../../tests/data/cartagena/first-action.txt");
const THIRD: &str = include_str!("../../../../../tests/data/cartagena/third-action-4-players.txt");
const RESHUFFLED: &str =
    include_str!("../../../../../tests/data/cartagena/reshuffled-5-players.txt");
const SIX: &str = include_str!("../../../../../tests/data/cartagena/six-players.txt");
const WIN: &str = include_str!("../../../../../tests/data/cartagena/winning-action.txt");
const ONLY: &str = include_str!("../../../../../tests/data/cartagena/only-move.txt");
const RETREAT: &str = include_str!("../../../../../tests/data/cartagena/retreat-from-boat.txt");
const EMPTY: &str = include_str!("../../../../../tests/data/cartagena/empty-hand.txt");
const NONE: &str = include_str!("../../../../../tests/data/cartagena/no-action.txt");
const LONGEST: &str = include_str!("../../../../../tests/data/cartagena/longest-board.txt");

/// The example of the interface's page.
pub(super) fn example() -> Result<Position, ParseError> {
    Position::new("the interface's example, 3 players", EXAMPLE)
}

/// The positions for calls one after the other.
pub(super) fn one_by_one() -> Result<Vec<Position>, ParseError> {
    let sloppy = Position {
        input: sloppy(EXAMPLE),
        special: Special::Sloppy,
        ..Position::new("CR LF, and blanks at the ends of lines", EXAMPLE)?
    };
    let win = Position {
        special: Special::Win,
        ..Position::new("a win in one", WIN)?
    };
    // In the contest's format a history may leave out the card of a move, unless the move ends on the boat. Programs
    // must read both forms.
    let terse = print(&without_optional_cards(parse(THIRD.as_bytes())?));
    Ok(vec![
        example()?,
        Position::new("the first action of a game, 2 players", FIRST)?,
        Position::new("the third action of a turn, 4 players", THIRD)?,
        Position::new("the same with every optional card left out", &terse)?,
        win,
        Position::new("an only move", ONLY)?,
        Position::new("an only move, a retreat from the boat", RETREAT)?,
        Position::new("a hand without cards", EMPTY)?,
        Position::new("nothing that is legal: an empty answer", NONE)?,
        Position::new("the longest board, 126 spaces", LONGEST)?,
        sloppy,
    ])
}

/// The two positions for calls at the same time.
pub(super) fn at_once() -> Result<[Position; 2], ParseError> {
    Ok([
        Position::new("after a reshuffle, 5 players", RESHUFFLED)?,
        Position::new("6 players", SIX)?,
    ])
}

/// Leaves out the cards that a history may omit: those of moves that do not end on the boat.
fn without_optional_cards(mut record: GameRecord) -> GameRecord {
    let boat = record.board.boat();
    let optional = record.moves.iter_mut().filter(|told| told.to != boat);
    optional.for_each(|told| told.card = None);
    record
}

/// The same text with a blank and CR LF at the end of each line, as Windows or a careless author might write it.
fn sloppy(text: &str) -> String {
    text.lines().map(|line| format!("{line} \r\n")).collect()
}

impl Position {
    /// A position without a special property. The error is for a text that is not in the contest's format.
    fn new(name: &'static str, input: &str) -> Result<Position, ParseError> {
        let record = parse(input.as_bytes())?;
        debug_assert!(record.players <= MAX_PLAYERS);
        Ok(Position {
            name,
            input: input.to_owned(),
            special: Special::Nothing,
            replay: replay(&record, &ReplayOptions::default()),
        })
    }

    /// All legal actions of the player to move.
    #[cfg(test)]
    pub(super) fn legal(&self) -> cartagena::rules::ActionList {
        legal(&self.replay.game, &self.replay.view)
    }

    /// Rates the answer of a call: whether the call ended well and printed a legal action. Leftover processes and
    /// written files are checked elsewhere.
    pub(super) fn judge(&self, run: &Run) -> Worth {
        let judged = external::ending(run).and_then(|()| self.action(run));
        match judged {
            // The contest always sends its exact format, so a program that reads nothing else can still play there.
            Err(fault) if self.special == Special::Sloppy => {
                Worth::Pity(format!("another system may send such input: {fault}"))
            }
            Err(fault) => Worth::Bad(fault),
            Ok(action) => match self.win() {
                // A missed win is legal, so it is only mentioned.
                Some(win) if self.special == Special::Win && win != action => {
                    let win = print_action(self.replay.view.seat, win);
                    let text = format!("answered {}, but {win} wins", self.shown(action));
                    Worth::Pity(text)
                }
                _ => Worth::Good(format!("answered {}", self.shown(action))),
            },
        }
    }

    /// The legal action that a call printed.
    fn action(&self, run: &Run) -> Result<Action, Fault> {
        let game = &self.replay.game;
        let action = external::read(&run.stdout, game, self.replay.view.seat)?;
        game.check(&self.state(), action).map_err(|reason| {
            let detail = format!("answered {}: {reason}", self.shown(action));
            Fault::new(FaultKind::Illegal, detail)
        })?;
        Ok(action)
    }

    /// Whether an answer equals, byte for byte, the line in which the contest writes this move.
    pub(super) fn is_exact(&self, run: &Run) -> bool {
        // An empty answer is the exact form of a pass.
        let Ok(notation::Answer::Move(told)) = notation::parse_action(&run.stdout) else {
            return run.stdout.is_empty();
        };
        run.stdout == format!("{}\n", notation::print_move(&told)).as_bytes()
    }

    /// An action as reports name it: in quotes, or `nothing` for a pass.
    fn shown(&self, action: Action) -> String {
        match action {
            Action::Pass => "nothing".to_owned(),
            action => format!("\"{}\"", print_action(self.replay.view.seat, action)),
        }
    }

    /// The position with only the hand of the player to move, which is all that the rules need.
    fn state(&self) -> State {
        self.replay.view.as_seen()
    }

    /// The first action that wins at once, if one does.
    pub(super) fn win(&self) -> Option<Action> {
        let view = &self.replay.view;
        legal(&self.replay.game, view).into_iter().find(|action| {
            // An action wins if it brings the last pirate home; the cards that it draws do not matter.
            let mut track = view.track;
            if let Some((from, to)) = action.places() {
                track.step(view.seat, from, to);
            }
            track.is_home(view.seat)
        })
    }

    #[cfg(test)]
    pub(super) fn replay(&self) -> &Replay {
        &self.replay
    }
}
