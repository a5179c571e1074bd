//! Counts of action sequences ("perft" in chess), the classic check of a rules implementation: a wrong or missing
//! action nearly always changes a count. Tests compare the counts with recorded ones, and benchmarks time them.

use super::rules::{Action, ActionList, Board, Game, Symbol};
use super::world::World;
use engine::rng;

/// The seed of the deck in [`example`].
const SEED: u64 = 2008;

/// The fixed game that is counted: the interface's example board, two players, three cards each,
/// the deck shuffled with a fixed seed.
pub fn example() -> (Game, World) {
    use Symbol::{Bottle, Dagger, Gun, Hat, Keys, Skull};
    let spaces = vec![
        Skull, Hat, Keys, Gun, Bottle, Dagger, Hat, Gun, Keys, Skull, Bottle, Dagger, Dagger, Gun,
        Hat, Bottle, Skull, Keys, Hat, Keys, Bottle, Gun, Skull, Keys, Keys, Skull, Hat, Bottle,
        Gun, Dagger, Bottle, Skull, Gun, Dagger, Keys, Hat,
    ];
    let board = Board::new(spaces).expect("36 spaces");
    let game = Game::new(board, 2);
    let world = World::deal(&game, 3, rng::stream(SEED, 0));
    (game, world)
}

/// The number of sequences of `depth` actions. No player ends a turn early. A player without a legal action passes,
/// which counts as one action.
pub fn count(game: &Game, world: &World, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut list = ActionList::new();
    game.legal_actions(world.state(), &mut list);
    // A finished game has no sequence of the full length.
    if world.state().winner().is_some() {
        return 0;
    }
    // The last actions are counted and not taken. A pass is one action.
    if depth == 1 {
        return list.len().max(1) as u64;
    }
    let mut total = 0;
    let mut visit = |action| {
        let mut next = world.clone();
        next.act(game, action);
        total += count(game, &next, depth - 1);
    };
    if list.is_empty() {
        visit(Action::Pass);
    } else {
        list.into_iter().for_each(&mut visit);
    }
    total
}
