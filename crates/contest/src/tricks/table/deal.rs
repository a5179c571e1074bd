//! A round of a game.

use tricks::{Card, Round, View};

/// Who took and played what in a round.
pub(super) type Cards = Vec<(usize, Card)>;

/// A round of a game.
#[derive(Clone, Debug)]
pub(super) struct Deal<R> {
    /// As it was dealt.
    pub start: R,
    /// Who took or played what.
    pub cards: Cards,
    /// As it is now.
    pub round: R,
}

impl<R: Round> Deal<R> {
    pub fn new(start: R) -> Deal<R> {
        Deal {
            round: start.clone(),
            start,
            cards: Vec::new(),
        }
    }

    pub fn is_over(&self) -> bool {
        self.round.to_act().is_none()
    }

    /// What it has added to the players' points: nothing until it is over.
    pub fn scores(&self) -> Vec<u8> {
        match self.is_over() {
            true => self.round.scores()[..self.round.players()].to_vec(),
            false => vec![0; self.round.players()],
        }
    }

    /// As a seat has seen it.
    pub fn view(&self, seat: usize) -> View<R> {
        let mut view = View::new(&self.start, seat);
        for &(_, card) in &self.cards {
            view.act(card);
        }
        view
    }
}
