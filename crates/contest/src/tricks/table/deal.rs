//! A round of a game at a table: its deal, the cards since then, and the state after them.

use tricks::{Card, Round, View};

/// The seats and cards of a round, in order.
pub(super) type Cards = Vec<(usize, Card)>;

/// A round of a game.
#[derive(Clone, Debug)]
pub(super) struct Deal<R> {
    /// The state when it was dealt.
    pub start: R,
    /// The cards so far, with their seats.
    pub cards: Cards,
    /// The state after these cards.
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

    /// The points that it has added to the totals: 0 until it is over.
    pub fn scores(&self) -> Vec<u8> {
        match self.is_over() {
            true => self.round.scores()[..self.round.players()].to_vec(),
            false => vec![0; self.round.players()],
        }
    }

    /// The number of its cards that were passed.
    pub fn passed(&self) -> usize {
        let seats = 0..self.start.players();
        seats.map(|seat| self.round.passed(seat).len()).sum()
    }

    /// The round before its first card was taken or played, and the cards taken and played. Its record begins there.
    pub fn played(&self) -> (R, &[(usize, Card)]) {
        let (passed, played) = self.cards.split_at(self.passed());
        let mut round = self.start.clone();
        for &(_, card) in passed {
            round.act(card);
        }
        (round, played)
    }

    /// The view of a seat.
    pub fn view(&self, seat: usize) -> View<R> {
        let mut view = View::new(&self.start, seat);
        let mut round = self.start.clone();
        for &(_, card) in &self.cards {
            round.act(card);
            view.follow(card, &round);
        }
        view
    }
}
