//! Random positions for the tests of this folder.

use super::Afterstate;
use crate::rules::{Action, ActionList, Board, Cards, Game, SYMBOLS, State, Symbol};
use crate::world::World;
use engine::rng;
use proptest::prelude::*;

/// A position of a game that is not over.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub game: Game,
    pub world: World,
    /// The legal actions of the player to move, and a pass.
    pub actions: Vec<Action>,
}

/// Positions of any number of players, length of board and deal. Most boards have the contest's 36 spaces.
pub(super) fn positions() -> impl Strategy<Value = Position> {
    let length = prop_oneof![3 => Just(36usize), 1 => 1usize..=126];
    (any::<u64>(), 2usize..=6, length, 0usize..=6, 0usize..300).prop_map(
        |(seed, players, spaces, deal, steps)| position(seed, players, spaces, deal, steps),
    )
}

/// The position after `steps` random actions, or the last one before the end of the game.
pub(super) fn position(
    seed: u64,
    players: usize,
    spaces: usize,
    deal: usize,
    steps: usize,
) -> Position {
    let mut rng = rng::stream(seed, 0);
    let symbols = (0..spaces).map(|_| Symbol::ALL[rng::below(&mut rng, SYMBOLS)]);
    let game = Game::new(Board::new(symbols.collect()).unwrap(), players);
    let mut world = World::deal(&game, deal, rng::stream(seed, 1));
    let mut list = ActionList::new();
    for _ in 0..steps {
        game.legal_actions(world.state(), &mut list);
        let action = match list.len() {
            0 => Action::Pass,
            n => list[rng::below(&mut rng, n)],
        };
        // An action that ends the game is not taken.
        let mut next = world.clone();
        next.act(&game, action);
        if next.state().winner().is_some() {
            break;
        }
        world = next;
    }
    game.legal_actions(world.state(), &mut list);
    let mut actions = list.to_vec();
    actions.push(Action::Pass);
    Position {
        game,
        world,
        actions,
    }
}

impl Position {
    /// The positions after each action that does not win.
    pub fn afters(&self) -> impl Iterator<Item = Afterstate> + '_ {
        let state = self.world.state();
        let afters = self
            .actions
            .iter()
            .map(|&action| Afterstate::before(state).then(action));
        afters.filter(|after| !after.won())
    }

    /// A state that looks the same to the player to move, with other cards in the other hands.
    pub fn redealt(&self) -> State {
        let mut state = *self.world.state();
        let seat = state.to_move as usize;
        // Deal the unseen cards anew: as many to each hand as it has.
        let mut unseen = Cards::deck()
            .minus(state.hands[seat])
            .minus(state.discards)
            .iter()
            .collect::<Vec<_>>();
        rng::shuffle(&mut rng::stream(5, 5), &mut unseen);
        for player in (0..self.game.players).filter(|&player| player != seat) {
            let size = state.hands[player].total() as usize;
            state.hands[player] = unseen.drain(..size).collect();
        }
        state
    }

    /// The same position with the names of the symbols exchanged on the board and on the cards.
    pub fn renamed(&self, seed: u64) -> Position {
        let mut names = Symbol::ALL;
        rng::shuffle(&mut rng::stream(seed, 0), &mut names);
        let name = |symbol: Symbol| names[symbol.index()];
        let rename = |cards: Cards| cards.iter().map(name).collect::<Cards>();
        let spaces = self.game.board.spaces().iter().map(|&symbol| name(symbol));
        let game = Game {
            board: Board::new(spaces.collect()).unwrap(),
            ..self.game
        };
        let mut state = *self.world.state();
        state.hands = state.hands.map(rename);
        state.discards = rename(state.discards);
        let pile = self
            .world
            .pile()
            .iter()
            .map(|&symbol| name(symbol))
            .collect();
        // Only advances name a symbol.
        let action = |&action: &Action| match action {
            Action::Advance { from, to, symbol } => Action::Advance {
                from,
                to,
                symbol: name(symbol),
            },
            other => other,
        };
        Position {
            game,
            world: World::new(state, pile, rng::stream(0, 0)),
            actions: self.actions.iter().map(action).collect(),
        }
    }
}
