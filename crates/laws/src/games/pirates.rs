//! Cartagena.

use super::Table;
use ::cartagena::belief::Belief;
use ::cartagena::rules::{self as cartagena, ActionList};
use ::cartagena::world::World;
use engine::rng::{Random, below, stream};

/// A game of Cartagena.
#[derive(Clone, Debug)]
pub struct Pirates {
    /// The rules it is played by.
    pub game: cartagena::Game,
    /// Every card, in the position reached.
    pub world: World,
}

impl Pirates {
    /// A deal for 2 to 6 players, of 3 or 6 cards, on a random board.
    pub fn start(rng: &mut Random) -> Pirates {
        let board = ::cartagena::boards::standard(rng);
        let game = cartagena::Game::new(board, 2 + below(rng, 5));
        let deal = 3 * (1 + below(rng, 2));
        let world = World::deal(&game, deal, stream(below(rng, 1 << 30) as u64, 5));
        Pirates { game, world }
    }
}

impl Table for Pirates {
    type Action = cartagena::Action;
    type Key = (u8, u8, u8);

    fn players(&self) -> usize {
        self.game.players
    }

    fn to_act(&self) -> Option<usize> {
        let state = self.world.state();
        let over = state.winner().is_some() || self.legal().is_empty();
        (!over).then_some(state.to_move as usize)
    }

    fn legal(&self) -> Vec<cartagena::Action> {
        let mut list = ActionList::new();
        self.game.legal_actions(self.world.state(), &mut list);
        list.to_vec()
    }

    fn key(action: cartagena::Action) -> (u8, u8, u8) {
        match action {
            cartagena::Action::Advance { from, symbol, .. } => (from, 0, symbol as u8),
            cartagena::Action::Retreat { from, .. } => (from, 1, 0),
            cartagena::Action::Pass => (u8::MAX, 0, 0),
        }
    }

    fn act(&mut self, action: cartagena::Action) {
        self.game.check(self.world.state(), action).expect("legal");
        self.world.act(&self.game, action);
    }

    fn all(&self) -> String {
        format!("{:?} {:?}", self.world.state(), self.world.pile())
    }

    fn seen_by(&self, player: usize) -> String {
        let view = ::cartagena::view::View::of(self.world.state(), player);
        format!("{view:?}")
    }

    fn sampled(&self, player: usize, rng: &mut Random) -> Self {
        let view = ::cartagena::view::View::of(self.world.state(), player);
        let belief = Belief::of_view(&view, self.game.players);
        Pirates {
            game: self.game.clone(),
            world: belief.sample(&view, rng),
        }
    }

    fn end(&self) {
        let state = self.world.state();
        let players = self.game.players;
        let held: usize = state.hands[..players]
            .iter()
            .map(|hand| usize::from(hand.total()))
            .sum();
        let all = held + usize::from(state.discards.total()) + self.world.pile().len();
        assert_eq!(all, 102, "no card is lost");
    }
}
