//! A game as one line of JSON, and back.
//!
//! Everything that reads games reads this. Players and seats count from 1 as in the contest's
//! interface; cards are written by the first letter of their symbol (`b d g h k s`), so that a
//! hand or a board is a short word. Drawn cards are written down with the action that drew them:
//! a line replays without any random numbers.

use super::game::{End, Finished};
use crate::cartagena::rules::{
    Action, Board, BoardError, Cards, DECK, Game, IllegalAction, MAX_PLAYERS, Place, State, Symbol,
};
use crate::cartagena::world::World;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io::{self, BufRead};
use thiserror::Error;

/// The version of the format that this module writes and reads.
pub const VERSION: u32 = 1;

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Always `cartagena`.
    pub contest: String,
    /// The format's version.
    pub version: u32,
    /// The game in its match: line-up, block and rotation, from 1, such as `1-20-2`.
    pub id: String,
    /// The seed of the block.
    pub seed: u64,
    /// The players' labels, by seat.
    pub players: Vec<String>,
    /// The spaces from the cell to the boat, a letter each.
    pub board: String,
    /// Pirates a player.
    pub pirates: usize,
    /// Whether pirates may leave the boat again.
    pub boat_retreat: bool,
    /// The hands dealt, by seat.
    pub hands: Vec<String>,
    /// The draw pile after the deal, the first card to be drawn first.
    pub pile: String,
    /// The actions in order.
    pub actions: Vec<StepRecord>,
    /// How it ended.
    pub result: ResultRecord,
}

/// An action of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The player, from 1.
    pub player: usize,
    /// The pirate's place before; none for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Place>,
    /// The pirate's place after; none for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Place>,
    /// The card an advance played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<char>,
    /// The cards a retreat drew, in the order of their letters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub drawn: String,
    /// How long the player thought, in milliseconds.
    pub ms: f64,
}

/// The end of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRecord {
    /// The winner, from 1; none if the game was stopped and drawn.
    pub winner: Option<usize>,
    /// The place of each player, from 1; equals share the mean of their places.
    pub ranks: Vec<f64>,
    /// Turns, the last one included.
    pub turns: u32,
    /// Actions, passes included.
    pub actions: usize,
}

/// Why a record does not replay.
#[derive(Debug, Error, PartialEq)]
pub enum ReplayError {
    /// Written by another version, or for another contest.
    #[error(
        "expected contest \"cartagena\", version {VERSION}, not {contest:?}, version {version}"
    )]
    Format {
        /// The contest named.
        contest: String,
        /// The version named.
        version: u32,
    },
    /// A letter that is no symbol.
    #[error("{0:?} is no symbol's letter")]
    Letter(char),
    /// Impossible numbers of players, hands or pirates.
    #[error("{0}")]
    Setup(String),
    /// No board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Hands and pile are not the deck.
    #[error("hands and pile together hold {0}, not the deck")]
    Deck(Cards),
    /// An action that cannot follow.
    #[error("action {index}: {reason}")]
    Action {
        /// Which action, from 1.
        index: usize,
        /// What is wrong.
        reason: StepError,
    },
    /// The end is not as recorded.
    #[error("the result says {told}, the actions {found}")]
    Result {
        /// As recorded.
        told: String,
        /// As replayed.
        found: String,
    },
}

/// Why a recorded action cannot follow.
#[derive(Debug, Error, PartialEq)]
pub enum StepError {
    /// It is another player's turn.
    #[error("player {expected} is to move, not {found}")]
    Player {
        /// Whose turn it is, from 1.
        expected: usize,
        /// Who moved, from 1.
        found: usize,
    },
    /// Only one place is given.
    #[error("a move needs both its places")]
    Places,
    /// Against the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
    /// Not the cards that were to be drawn.
    #[error("draws {0}, which the pile does not give")]
    Drawn(Cards),
    /// A letter that is no symbol.
    #[error("{0:?} is no symbol's letter")]
    Letter(char),
}

/// Why a file of records cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file ends within a line.
    #[error("line {line} is cut off: the last record was not written completely")]
    Truncated {
        /// The line, from 1.
        line: usize,
    },
    /// A line that is no record.
    #[error("line {line} is no game record: {error}")]
    Json {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The deal, as it is written down before the game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    hands: [Cards; MAX_PLAYERS],
    pile: String,
}

impl Opening {
    /// The deal of a game that has not started yet.
    pub fn of(world: &World) -> Opening {
        Opening {
            hands: world.state().hands,
            pile: world.pile().iter().rev().copied().map(letter).collect(),
        }
    }
}

/// The first letter of a symbol's name; all are different.
pub fn letter(symbol: Symbol) -> char {
    match symbol {
        Symbol::Bottle => 'b',
        Symbol::Dagger => 'd',
        Symbol::Gun => 'g',
        Symbol::Hat => 'h',
        Symbol::Keys => 'k',
        Symbol::Skull => 's',
    }
}

/// The symbol of a letter.
pub fn symbol(letter_of: char) -> Option<Symbol> {
    Symbol::ALL.into_iter().find(|&s| letter(s) == letter_of)
}

fn word(cards: Cards) -> String {
    cards.iter().map(letter).collect()
}

fn symbols(word: &str) -> Result<Vec<Symbol>, char> {
    word.chars().map(|c| symbol(c).ok_or(c)).collect()
}

impl Record {
    /// The record of a finished game.
    pub fn new(
        id: String,
        seed: u64,
        players: Vec<String>,
        game: &Game,
        opening: Opening,
        finished: &Finished,
    ) -> Record {
        let step = |step: &super::game::Step| {
            let places = step.action.places();
            StepRecord {
                player: step.seat + 1,
                from: places.map(|p| p.0),
                to: places.map(|p| p.1),
                card: step.action.card().map(letter),
                drawn: word(step.drawn),
                ms: (step.nanos / 1_000) as f64 / 1e3,
            }
        };
        Record {
            contest: "cartagena".to_owned(),
            version: VERSION,
            id,
            seed,
            players,
            board: game.board.spaces().iter().copied().map(letter).collect(),
            pirates: game.pirates,
            boat_retreat: game.boat_retreat,
            hands: opening.hands[..game.players]
                .iter()
                .copied()
                .map(word)
                .collect(),
            pile: opening.pile,
            actions: finished.steps.iter().map(step).collect(),
            result: ResultRecord {
                winner: match finished.end {
                    End::Won(seat) => Some(seat + 1),
                    End::Stopped => None,
                },
                ranks: finished.ranks.clone(),
                turns: finished.turns,
                actions: finished.steps.len(),
            },
        }
    }

    /// The record as a line with its end.
    pub fn to_line(&self) -> Vec<u8> {
        let mut line = Vec::with_capacity(1024 + 64 * self.actions.len());
        serde_json::to_writer(&mut line, self).expect("a record has only string keys");
        line.push(b'\n');
        line
    }

    /// The game and its state before the first action.
    ///
    /// # Errors
    /// If the record describes no game.
    pub fn start(&self) -> Result<(Game, State), ReplayError> {
        if self.contest != "cartagena" || self.version != VERSION {
            return Err(ReplayError::Format {
                contest: self.contest.clone(),
                version: self.version,
            });
        }
        let players = self.players.len();
        if !(2..=MAX_PLAYERS).contains(&players) || self.hands.len() != players {
            return Err(ReplayError::Setup(format!(
                "{players} players with {} hands",
                self.hands.len()
            )));
        }
        if !(1..=6).contains(&self.pirates) {
            return Err(ReplayError::Setup(format!("{} pirates", self.pirates)));
        }
        if self.board.len() > 200 || self.pile.len() > DECK {
            return Err(ReplayError::Setup("board or pile too long".to_owned()));
        }
        let board = Board::new(symbols(&self.board).map_err(ReplayError::Letter)?)?;
        let mut dealt = self.pile_cards()?.into_iter().collect::<Cards>();
        let mut hands = Vec::with_capacity(players);
        for hand in &self.hands {
            if hand.len() > DECK {
                return Err(ReplayError::Setup("a hand too long".to_owned()));
            }
            let hand: Cards = symbols(hand)
                .map_err(ReplayError::Letter)?
                .into_iter()
                .collect();
            hands.push(hand);
            // Kept within what a count holds: too many is as wrong as far too many.
            if Cards::deck().contains(dealt) {
                dealt = dealt.plus(hand);
            }
        }
        if dealt != Cards::deck() {
            return Err(ReplayError::Deck(dealt));
        }
        let mut game = Game::new(board, players);
        game.pirates = self.pirates;
        game.boat_retreat = self.boat_retreat;
        let state = game.start(&hands);
        Ok((game, state))
    }

    fn pile_cards(&self) -> Result<Vec<Symbol>, ReplayError> {
        symbols(&self.pile).map_err(ReplayError::Letter)
    }

    /// Plays the game again, checking every action, every draw and the result. `visit` is told
    /// the state before each action, the action and what it drew. Returns the last state.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn replay(
        &self,
        mut visit: impl FnMut(&Game, &State, Action, Cards),
    ) -> Result<(Game, State), ReplayError> {
        let (game, mut state) = self.start()?;
        let mut pile = Pile {
            known: self.pile_cards()?.into(),
            shuffled: Cards::NONE,
        };
        let mut turns = 0;
        for (i, step) in self.actions.iter().enumerate() {
            turns += u32::from(state.taken == 0);
            let (action, drawn) =
                step.check(&game, &state, &mut pile)
                    .map_err(|reason| ReplayError::Action {
                        index: i + 1,
                        reason,
                    })?;
            visit(&game, &state, action, drawn);
            game.apply(&mut state, action, drawn);
        }
        let found = ResultRecord {
            winner: state.winner().map(|seat| seat + 1),
            ranks: super::game::ranks(&game, &state),
            turns,
            actions: self.actions.len(),
        };
        if found != self.result {
            return Err(ReplayError::Result {
                told: format!("{:?}", self.result),
                found: format!("{found:?}"),
            });
        }
        Ok((game, state))
    }
}

impl StepRecord {
    /// The action, without a look at the rules.
    ///
    /// # Errors
    /// If only one place is given, or the card is none.
    pub fn action(&self) -> Result<Action, StepError> {
        match (self.from, self.to, self.card) {
            (Some(from), Some(to), Some(card)) => {
                let symbol = symbol(card).ok_or(StepError::Letter(card))?;
                Ok(Action::Advance { from, to, symbol })
            }
            (Some(from), Some(to), None) => Ok(Action::Retreat { from, to }),
            (None, None, None) => Ok(Action::Pass),
            _ => Err(StepError::Places),
        }
    }

    fn check(
        &self,
        game: &Game,
        state: &State,
        pile: &mut Pile,
    ) -> Result<(Action, Cards), StepError> {
        let expected = state.to_move as usize + 1;
        if self.player != expected {
            return Err(StepError::Player {
                expected,
                found: self.player,
            });
        }
        let action = self.action()?;
        game.check(state, action)?;
        let count = match action {
            Action::Retreat { to, .. } => state.draws(to),
            _ => 0,
        };
        let drawn: Vec<Symbol> = symbols(&self.drawn).map_err(StepError::Letter)?;
        let fits = drawn.len() == usize::from(count);
        let drawn: Cards = drawn.into_iter().take(DECK).collect();
        if !fits || !pile.draw(drawn, state.discards) {
            return Err(StepError::Drawn(drawn));
        }
        Ok((action, drawn))
    }
}

/// What is known of the draw pile: its order up to the first reshuffle, then only what it holds.
struct Pile {
    known: VecDeque<Symbol>,
    shuffled: Cards,
}

impl Pile {
    /// Takes the cards out; says whether they can have been the next ones.
    fn draw(&mut self, drawn: Cards, discards: Cards) -> bool {
        let mut rest = drawn;
        let mut discards = discards;
        while !rest.is_empty() {
            if let Some(&next) = self.known.front() {
                if rest.count(next) == 0 {
                    return false;
                }
                rest = rest.without(next);
                self.known.pop_front();
                continue;
            }
            let old = self.shuffled.total().min(rest.total());
            if old == rest.total() {
                if !self.shuffled.contains(rest) {
                    return false;
                }
                self.shuffled = self.shuffled.minus(rest);
                return true;
            }
            // All that is left of the old pile was drawn first, then the discards were shuffled.
            if discards.is_empty() || !rest.contains(self.shuffled) {
                return false;
            }
            rest = rest.minus(self.shuffled);
            self.shuffled = std::mem::take(&mut discards);
        }
        true
    }
}

/// Reads records line by line; blank lines are skipped.
pub fn read(reader: impl BufRead) -> impl Iterator<Item = Result<Record, ReadError>> {
    let mut lines = Lines { reader, line: 0 };
    std::iter::from_fn(move || lines.next())
}

struct Lines<R> {
    reader: R,
    line: usize,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Option<Result<Record, ReadError>> {
        let mut text = Vec::new();
        loop {
            text.clear();
            match self.reader.read_until(b'\n', &mut text) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => return Some(Err(error.into())),
            }
            self.line += 1;
            if text.iter().any(|b| !b.is_ascii_whitespace()) {
                break;
            }
        }
        let line = self.line;
        Some(serde_json::from_slice(&text).map_err(|error| {
            if text.ends_with(b"\n") {
                ReadError::Json { line, error }
            } else {
                ReadError::Truncated { line }
            }
        }))
    }
}
