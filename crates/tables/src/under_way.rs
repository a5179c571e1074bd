//! A game under way at a table: the actions so far, with every way back to an earlier position.

use super::game::TableGame;
use arena::practice::Practice;
use std::ops::Deref;

/// A game under way. It reads as the [`TableGame`] in its present position, but only its own methods change that
/// position, so that each action is among those that can be taken back.
pub struct UnderWay {
    /// The game before its first action.
    start: Box<dyn TableGame>,
    now: Box<dyn TableGame>,
    /// The actions so far, each with its seat, in the contest's notation.
    taken: Vec<(usize, String)>,
    /// The facts that make this a game for practice, for its record.
    practice: Practice,
}

impl UnderWay {
    /// A game before its first action.
    pub fn new(game: impl TableGame) -> UnderWay {
        UnderWay {
            start: game.boxed(),
            now: Box::new(game),
            taken: Vec::new(),
            practice: Practice::default(),
        }
    }

    /// The actions so far, each with its seat, in the contest's notation.
    pub fn taken(&self) -> &[(usize, String)] {
        &self.taken
    }

    /// The number of actions so far.
    pub fn actions(&self) -> usize {
        self.taken.len()
    }

    /// Takes the action of the seat that acts next, in the contest's notation.
    ///
    /// # Errors
    /// The reason why it cannot be taken; nothing has changed.
    pub fn act(&mut self, action: &str) -> Result<(), String> {
        let seat = self.now.to_move().ok_or("the game is over")?;
        // The action is kept as the contest writes it, not as it was typed.
        let written = self.now.act(action)?;
        self.taken.push((seat, written));
        Ok(())
    }

    /// Ends a game of two by the resignation of a seat: the other player has won. Going back to an earlier position takes
    /// it back.
    pub fn resign(&mut self, seat: usize) {
        self.now.resign(seat);
    }

    /// The number of actions that are left if this seat takes its last one back; `None` if it cannot. Unless
    /// `freely`, it can only do so while it has seen nothing new since and nobody else has acted.
    pub fn back(&self, seat: usize, freely: bool) -> Option<usize> {
        let last = self.taken.iter().rposition(|(by, _)| *by == seat)?;
        let is_last = last + 1 == self.taken.len();
        // At the end all cards are shown, and a player who goes back would know them.
        let is_unseen = is_last && self.now.to_move().is_some() && !self.now.has_shown();
        (freely || is_unseen).then_some(last)
    }

    /// Goes back to the position after this number of actions. If the same actions follow, chance gives the same
    /// results again.
    pub fn go_back(&mut self, actions: usize) {
        // A resignation comes after the last action, so that going nowhere keeps it.
        if actions < self.taken.len() {
            self.taken.truncate(actions);
            self.now = self.start.boxed();
            for (_, action) in &self.taken {
                // Every action was legal when it was taken, and chance follows from the start alone.
                let again = self.now.act(action);
                debug_assert!(again.is_ok(), "{again:?}");
            }
        }
    }

    /// A copy of the game as it was after this number of actions.
    #[must_use]
    pub fn at(&self, actions: usize) -> UnderWay {
        let mut earlier = self.clone();
        earlier.go_back(actions);
        earlier
    }

    /// Keeps the facts that make this a game for practice. Called again whenever they change.
    pub fn practise(&mut self, practice: Practice) {
        self.practice = practice;
    }

    /// Whether the game is over and has a record.
    fn is_recorded(&self) -> bool {
        self.now.to_move().is_none() && self.now.has_record()
    }

    /// The record of the game as a file of lines, once it is over; none if it has none.
    pub fn record(&self, names: &[String]) -> Option<Vec<u8>> {
        let now = self.is_recorded().then_some(&self.now)?;
        now.record(names, &self.practice)
    }

    /// The game as one page to step through without a server, once it is over; none if this game has no such
    /// pages.
    pub fn page(&self, names: &[String]) -> Option<Vec<u8>> {
        let now = self.is_recorded().then_some(&self.now)?;
        now.page(names, &self.practice)
    }
}

impl Clone for UnderWay {
    fn clone(&self) -> UnderWay {
        UnderWay {
            start: self.start.boxed(),
            now: self.now.boxed(),
            taken: self.taken.clone(),
            practice: self.practice.clone(),
        }
    }
}

impl Deref for UnderWay {
    type Target = dyn TableGame;

    fn deref(&self) -> &dyn TableGame {
        &*self.now
    }
}
