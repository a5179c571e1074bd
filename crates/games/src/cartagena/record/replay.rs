//! Replays a record and checks everything in it: the deal, each action and draw, the faults, and the result.
//!
//! All tools that read records from files go through [`Record::replay`], since anybody may have written them. The
//! replay needs no random numbers: a record has the deal and each draw.

use super::{Forfeits, Record, ResultRecord, StepRecord, VERSION, ranks, symbols};
use ::cartagena::rules::{
    Action, Board, BoardError, Cards, DECK, Game, IllegalAction, MAX_PIRATES, MAX_PLAYERS,
    MAX_SPACES, State, Symbol,
};
use std::collections::VecDeque;
use std::fmt;
use thiserror::Error;

/// Why a record does not replay.
#[derive(Debug, Error, PartialEq)]
pub enum ReplayError {
    /// Written by another version, or for another contest.
    #[error(
        "expected contest \"cartagena\", version 1 to {VERSION}, not {contest:?}, version {version}"
    )]
    Format { contest: String, version: u32 },
    /// A letter that is no symbol.
    #[error("{0:?} is no symbol's letter")]
    Letter(char),
    /// Impossible numbers of players, hands or pirates.
    #[error("{0}")]
    Setup(String),
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Hands and pile are not the deck.
    #[error("hands and pile together hold {0}, not the deck")]
    Deck(Cards),
    /// An action that cannot follow.
    #[error("action {index}: {reason}")]
    Action {
        /// The number of the action, from 1.
        index: usize,
        reason: StepError,
    },
    /// A fault of a player who was not asked for this action.
    #[error(
        "fault {index}: player {player} cannot have failed at action {action}: it was not asked there"
    )]
    Fault {
        /// The number of the fault, from 1.
        index: usize,
        player: usize,
        action: usize,
    },
    /// The recorded result does not follow from the actions.
    #[error("the result says {told}, the actions say {found}")]
    Result { told: String, found: String },
}

/// Why a recorded action cannot follow.
#[derive(Debug, Error, PartialEq)]
pub enum StepError {
    /// It is another player's turn.
    #[error("player {expected} is to move, not {found}")]
    Player {
        /// The player to move, from 1.
        expected: usize,
        /// The player who moved, from 1.
        found: usize,
    },
    /// Only one place is given.
    #[error("a move needs both its places")]
    Places,
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
    /// The recorded cards cannot have been the next ones of the pile.
    #[error("draws {0}, which are not the next cards of the pile")]
    Drawn(Cards),
    /// A letter that is no symbol.
    #[error("{0:?} is no symbol's letter")]
    Letter(char),
}

impl Record {
    /// The game and its state before the first action.
    ///
    /// # Errors
    /// If the record describes no game.
    pub fn start(&self) -> Result<(Game, State), ReplayError> {
        // Sizes are checked first: anybody may have written the record, and the types used below hold only a game's
        // numbers of players, pirates, spaces and cards.
        if self.contest != "cartagena" || !(1..=VERSION).contains(&self.version) {
            return Err(ReplayError::Format {
                contest: self.contest.clone(),
                version: self.version,
            });
        }
        let players = self.players.len();
        if !(2..=MAX_PLAYERS).contains(&players) || self.hands.len() != players {
            return Err(ReplayError::Setup(format!(
                "{players} players with {} hands, expected 2 to {MAX_PLAYERS} with a hand each",
                self.hands.len()
            )));
        }
        if !(1..=MAX_PIRATES).contains(&self.pirates) {
            let found = self.pirates;
            return Err(ReplayError::Setup(format!(
                "{found} pirates, expected 1 to {MAX_PIRATES}"
            )));
        }
        for (length, what, most) in [
            (self.board.len(), "spaces", MAX_SPACES),
            (self.pile.len(), "cards in the pile", DECK),
        ] {
            if length > most {
                return Err(ReplayError::Setup(format!(
                    "{length} {what}, expected at most {most}"
                )));
            }
        }
        let board = Board::new(symbols(&self.board).map_err(ReplayError::Letter)?)?;
        // Pile and hands together must be the deck, so `dealt` adds them up.
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
            // Once a symbol has too many cards nothing more is added: the counts could overflow, and the record is
            // refused below anyway.
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

    /// The draw pile after the deal, the next card first.
    fn pile_cards(&self) -> Result<Vec<Symbol>, ReplayError> {
        symbols(&self.pile).map_err(ReplayError::Letter)
    }

    /// Replays the game, checking every action, every draw and the result. `visit` gets the game without the players that
    /// have left, the state before each action, the action and the cards it drew. Returns the last game and state.
    ///
    /// # Errors
    /// The first contradiction that is found.
    pub fn replay(
        &self,
        mut visit: impl FnMut(&Game, &State, Action, Cards),
    ) -> Result<(Game, State), ReplayError> {
        self.replay_with_faults(
            |_, game, state, action, drawn| visit(game, state, action, drawn),
            |_, _| (),
        )
    }

    /// As [`Record::replay`]; `visit` gets the number of the turn, from 1, as well. `failed` gets the game and the state
    /// before each fault, in order.
    ///
    /// # Errors
    /// The first contradiction that is found.
    pub fn replay_with_faults(
        &self,
        mut visit: impl FnMut(u32, &Game, &State, Action, Cards),
        mut failed: impl FnMut(&Game, &State),
    ) -> Result<(Game, State), ReplayError> {
        let (game, state) = self.start()?;
        let mut table = Replaying {
            record: self,
            game,
            state,
            forfeits: Forfeits::default(),
            faults: 0,
            turns: 0,
        };
        let mut pile = Pile {
            known: self.pile_cards()?.into(),
            shuffled: Cards::NONE,
        };
        for (i, step) in self.actions.iter().enumerate() {
            // Faults are applied before the action with the same number, since a forfeit changes who acts.
            table.punish(i + 1, &mut failed)?;
            let (game, state) = (&table.game, &mut table.state);
            table.turns += u32::from(state.taken == 0);
            // With a single player left the game is over, whatever the board shows.
            let checked = if table.forfeits.survivor(game.players).is_some() {
                Err(IllegalAction::Over.into())
            } else {
                step.check(game, state, &mut pile)
            };
            let (action, drawn) = checked.map_err(|reason| ReplayError::Action {
                index: i + 1,
                reason,
            })?;
            visit(table.turns, game, state, action, drawn);
            game.apply(state, action, drawn);
        }
        // Faults after the last action, such as the forfeit that ended the game.
        table.punish(self.actions.len() + 1, &mut failed)?;
        // Unlike a fault, a resignation may come while another player is to act. After a win it changes nothing.
        if let Some(player) = self.resigned.filter(|_| table.state.winner().is_none()) {
            table.forfeits.push(player.wrapping_sub(1));
        }
        let (game, state) = (table.game, table.state);
        let winner = state
            .winner()
            .or_else(|| table.forfeits.survivor(game.players));
        let found = ResultRecord {
            winner: winner.map(|seat| seat + 1),
            ranks: ranks(&game, &state, winner, &table.forfeits),
            turns: table.turns,
            actions: self.actions.len(),
        };
        // The recorded result must equal the one that follows from the actions.
        if found != self.result {
            return Err(ReplayError::Result {
                told: self.result.to_string(),
                found: found.to_string(),
            });
        }
        Ok((game, state))
    }
}

impl fmt::Display for ResultRecord {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "player {winner} has won")?,
            None => write!(f, "nobody has won")?,
        }
        let Self { turns, actions, .. } = self;
        write!(
            f,
            " after {turns} turns and {actions} actions, places {:?}",
            self.ranks
        )
    }
}

/// A game that is being replayed.
struct Replaying<'a> {
    record: &'a Record,
    /// The game without the players that have left.
    game: Game,
    state: State,
    forfeits: Forfeits,
    /// The number of the record's faults that have been applied.
    faults: usize,
    /// Turns that have begun, counted as the referee counts them.
    turns: u32,
}

impl Replaying<'_> {
    /// Applies all faults up to the action with this number (from 1). Players who forfeit leave the game.
    fn punish(
        &mut self,
        action: usize,
        failed: &mut impl FnMut(&Game, &State),
    ) -> Result<(), ReplayError> {
        while let Some(fault) = self.record.faults.get(self.faults)
            && fault.action <= action
        {
            self.faults += 1;
            let seat = self.state.to_move as usize;
            // A fault is possible only for the player to act, at this very action, in a game that is not won.
            if (fault.player, fault.action) != (seat + 1, action) || self.state.winner().is_some() {
                return Err(ReplayError::Fault {
                    index: self.faults,
                    player: fault.player,
                    action: fault.action,
                });
            }
            failed(&self.game, &self.state);
            if !fault.forfeit {
                continue;
            }
            // If the player forfeits before its first action, this turn has not been counted yet.
            self.turns += u32::from(self.state.taken == 0);
            self.forfeits.leave(&mut self.game, seat);
            self.game.retire(&mut self.state);
        }
        Ok(())
    }
}

impl StepRecord {
    /// The action, without checking it against the rules.
    ///
    /// # Errors
    /// If only one place is given, a card without places, or a letter that is no symbol's.
    pub fn action(&self) -> Result<Action, StepError> {
        match (self.from, self.to, self.card) {
            (Some(from), Some(to), Some(card)) => {
                let symbol = Symbol::of_letter(card).ok_or(StepError::Letter(card))?;
                Ok(Action::Advance { from, to, symbol })
            }
            (Some(from), Some(to), None) => Ok(Action::Retreat { from, to }),
            (None, None, None) => Ok(Action::Pass),
            _ => Err(StepError::Places),
        }
    }

    /// The action and its draw, if the rules and the pile allow both.
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
        // Only retreats draw: one card for each pirate on the space they reach, as far as there are cards.
        let count = match action {
            Action::Retreat { to, .. } => state.draws(to),
            _ => 0,
        };
        let drawn: Vec<Symbol> = symbols(&self.drawn).map_err(StepError::Letter)?;
        let fits = drawn.len() == usize::from(count);
        // `take` keeps the counts of a long text from overflowing; such a text has failed `fits` already.
        let drawn: Cards = drawn.into_iter().take(DECK).collect();
        if !fits || !pile.draw(drawn, state.discards) {
            return Err(StepError::Drawn(drawn));
        }
        Ok((action, drawn))
    }
}

/// The draw pile as far as a record shows it. Until the first reshuffle its order is known; after that, only its
/// contents.
struct Pile {
    /// The rest of the pile as dealt, the next card first.
    known: VecDeque<Symbol>,
    /// The rest of a reshuffled pile; empty before the first reshuffle.
    shuffled: Cards,
}

impl Pile {
    /// Takes the drawn cards out of the pile. Returns whether they can have been its next cards. `discards` are those
    /// before the action, which become the pile if it runs out.
    fn draw(&mut self, drawn: Cards, discards: Cards) -> bool {
        // A record has the drawn cards as a set, without their order. Each pass of the loop explains one or more of the
        // cards still unexplained (`rest`) by one of three cases.
        let mut rest = drawn;
        let mut discards = discards;
        while !rest.is_empty() {
            // 1. The order is known: the next card must be among the drawn ones.
            if let Some(&next) = self.known.front() {
                if rest.count(next) == 0 {
                    return false;
                }
                rest = rest.without(next);
                self.known.pop_front();
                continue;
            }
            // 2. The pile was reshuffled and has enough cards: any of its cards can be next.
            let old = self.shuffled.total().min(rest.total());
            if old == rest.total() {
                if !self.shuffled.contains(rest) {
                    return false;
                }
                self.shuffled = self.shuffled.minus(rest);
                return true;
            }
            // 3. It has too few: all of it was drawn, then the discards were shuffled into a new pile. Example:
            // with {b, g} left, drawing {b, g, s} is possible if the discards contain an s.
            if discards.is_empty() || !rest.contains(self.shuffled) {
                return false;
            }
            rest = rest.minus(self.shuffled);
            self.shuffled = std::mem::take(&mut discards);
        }
        true
    }
}
