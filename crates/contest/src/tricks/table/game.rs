//! A whole game: its rounds, what they came to, and going back in it.

use super::WholeGame;
use engine::rng::stream;
use tricks::{Card, Round, View};

/// A round of a game.
#[derive(Clone, Debug)]
pub(super) struct Deal<R> {
    /// As it was dealt.
    pub start: R,
    /// Who took or played what.
    pub cards: Vec<(usize, Card)>,
    /// As it is now.
    pub round: R,
}

impl<R: Round> Deal<R> {
    fn new(start: R) -> Deal<R> {
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
    fn scores(&self) -> Vec<u8> {
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

/// A game under way.
#[derive(Clone)]
pub(crate) struct Game<G: WholeGame> {
    pub(super) contest: G,
    players: usize,
    seed: u64,
    /// The rounds so far; the last one is under way unless the game is over.
    pub(super) deals: Vec<Deal<G::Round>>,
}

impl<G: WholeGame> Game<G> {
    /// A game before its first action.
    pub(crate) fn new(contest: G, players: usize, seed: u64) -> Game<G> {
        let mut game = Game {
            contest,
            players,
            seed,
            deals: Vec::new(),
        };
        game.deal();
        game
    }

    fn deal(&mut self) {
        let number = self.deals.len() as u64;
        let mut rng = stream(self.seed, number);
        let totals = self.totals();
        let start = self
            .contest
            .deal_at(self.players, number, &totals, &mut rng);
        self.deals.push(Deal::new(start));
    }

    pub(crate) fn players(&self) -> usize {
        self.players
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Rounds that were dealt.
    pub(crate) fn rounds(&self) -> usize {
        self.deals.len()
    }

    /// The last round.
    pub(super) fn current(&self) -> &Deal<G::Round> {
        // A game begins with a deal, and none is ever taken away but by going back to a later one.
        &self.deals[self.deals.len() - 1]
    }

    pub(crate) fn to_act(&self) -> Option<usize> {
        self.current().round.to_act()
    }

    /// Cards taken and played in all rounds.
    pub(crate) fn actions(&self) -> usize {
        self.deals.iter().map(|deal| deal.cards.len()).sum()
    }

    /// The points of the rounds that are over, by round and seat.
    pub(super) fn results(&self) -> Vec<Vec<u8>> {
        let over = self.deals.iter().filter(|deal| deal.is_over());
        over.map(Deal::scores).collect()
    }

    /// The points of all rounds that are over.
    pub(crate) fn totals(&self) -> Vec<u32> {
        let mut totals = vec![0; self.players];
        for scores in self.results() {
            for (total, score) in totals.iter_mut().zip(scores) {
                *total += u32::from(score);
            }
        }
        totals
    }

    pub(crate) fn winner(&self) -> Option<usize> {
        self.contest.winner(&self.totals())
    }

    /// The player to act takes or plays a card. Whatever is not legal changes nothing.
    ///
    /// # Errors
    /// What was expected.
    pub(crate) fn act(&mut self, card: Card) -> Result<(), String> {
        let last = self.deals.len() - 1;
        let deal = &mut self.deals[last];
        let Some(seat) = deal.round.to_act() else {
            return Err("the game is over".to_owned());
        };
        let legal = deal.round.legal();
        if !legal.contains(card) {
            let verb = if deal.round.taking() {
                "taken"
            } else {
                "played"
            };
            return Err(format!(
                "{card} cannot be {verb} now; expected one of {legal}"
            ));
        }
        deal.round.act(card);
        deal.cards.push((seat, card));
        if deal.is_over() && self.winner().is_none() {
            self.deal();
        }
        Ok(())
    }

    /// Goes back to the position after so many actions.
    pub(super) fn go_back(&mut self, actions: usize) {
        let cards = self.deals.iter().flat_map(|deal| &deal.cards);
        let cards: Vec<Card> = cards.take(actions).map(|&(_, card)| card).collect();
        *self = Game::new(self.contest, self.players, self.seed);
        for card in cards {
            let again = self.act(card);
            debug_assert!(again.is_ok());
        }
    }
}
