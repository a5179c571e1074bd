//! Positions of Cartagena that every machine makes alike, and steps of a game between players. The benchmark of the
//! search uses them, tests do, and so does the call that warms a program up.

use super::players::hoarder::Hoarder;
use arena::stats::Blocks;
use cartagena::boards;
use cartagena::evaluation::Evaluators;
use cartagena::notation::move_of;
use cartagena::player::searcher::Searcher;
use cartagena::player::{Player, Question};
use cartagena::record::{GameRecord, Move};
use cartagena::rules::{Action, ActionList, Game};
use cartagena::search::Settings;
use cartagena::view::View;
use cartagena::world::World;
use engine::budget::Limits;
use engine::rng;
use std::sync::Arc;

/// Actions of each player before each position of a game.
const MOMENTS: [usize; 4] = [0, 7, 20, 32];

/// Number of actions between two positions of a game, so that positions differ.
const APART: usize = 7;
/// Nodes of the search for each action of the games.
const GAME_NODES: u64 = 1000;

/// A set of positions for 2 to 6 players, from early to late in games between hoarders. All sets
/// differ; set 0 is that of `lab cartagena bench`.
pub fn positions(set: u64) -> Vec<GameRecord> {
    let mut positions = Vec::new();
    for players in 2..=6 {
        for (i, moment) in MOMENTS.into_iter().enumerate() {
            let seed = 1 + 1000 * set + (players * MOMENTS.len() + i) as u64;
            positions.extend(position(players, moment * players, seed));
        }
    }
    positions
}

/// A position of a game between hoarders on a random board: the first with a choice after `actions`
/// actions; none if the game is over before.
pub fn position(players: usize, actions: usize, seed: u64) -> Option<GameRecord> {
    let mut rng = rng::stream(seed, 0);
    let board = boards::standard(&mut rng);
    let game = Game::new(board, players);
    let mut world = World::deal(&game, 3, rng);
    let mut moves = Vec::new();
    let mut legal = ActionList::new();
    loop {
        let state = *world.state();
        game.legal_actions(&state, &mut legal);
        if state.winner().is_some() {
            return None;
        }
        let record = GameRecord::of_state(&game, &state, moves.clone());
        if moves.len() >= actions && legal.len() > 1 {
            return Some(record);
        }
        step(
            &game,
            &mut world,
            &record,
            &mut moves,
            &mut Hoarder::default(),
        );
    }
}

/// Lets a player take the next action in `world`, adds it to `moves`, and returns it.
pub fn step(
    game: &Game,
    world: &mut World,
    record: &GameRecord,
    moves: &mut Vec<Move>,
    player: &mut dyn Player,
) -> Action {
    let seat = record.to_move;
    let action = player.choose(&Question {
        game,
        record,
        view: &View::of(world.state(), seat),
        open: None,
    });
    // A record has no passes.
    moves.extend(move_of(seat, action));
    world.act(game, action);
    action
}

/// The mean of a value for each of some positions, such as those of [`of_the_player`]. Positions of one game follow one
/// another and are one block: they have its board and cards in common.
pub fn by_game<'a>(values: impl IntoIterator<Item = (&'a GameRecord, f64)>) -> Blocks {
    let (mut blocks, mut sum, mut number) = (Blocks::default(), 0.0, 0.0);
    let mut last: Option<&GameRecord> = None;
    for (record, value) in values {
        let goes_on =
            |last: &GameRecord| record.board == last.board && record.moves.starts_with(&last.moves);
        if !last.is_some_and(goes_on) {
            blocks.push(sum, number);
            (sum, number) = (0.0, 0.0);
        }
        (sum, number) = (sum + value, number + 1.0);
        last = Some(record);
    }
    blocks.push(sum, number);
    blocks
}

/// `count` positions with a choice, from games of the player against itself with deals of 3 and 6.
pub fn of_the_player(
    evaluators: &Arc<Evaluators>,
    players: usize,
    count: usize,
) -> Vec<GameRecord> {
    let mut found = Vec::new();
    let limits = Limits::nodes(GAME_NODES);
    if count == 0 {
        return found;
    }
    for number in 0.. {
        let mut rng = rng::stream(0x00C4_01CE, number);
        let game = Game::new(boards::standard(&mut rng), players);
        let deal = if number % 2 == 0 { 3 } else { 6 };
        let mut world = World::deal(&game, deal, rng);
        let settings = Settings {
            seed: number,
            ..Settings::default()
        };
        let mut player = Searcher::new(Arc::clone(evaluators), limits, settings).without_cache();
        let mut moves = Vec::new();
        let mut legal = ActionList::new();
        while world.state().winner().is_none() {
            let state = *world.state();
            let record = GameRecord::of_state(&game, &state, moves.clone());
            game.legal_actions(&state, &mut legal);
            // The offset differs between games, so all moments of a game occur.
            if moves.len() % APART == number as usize % APART && legal.len() > 1 {
                found.push(record.clone());
                if found.len() == count {
                    return found;
                }
            }
            step(&game, &mut world, &record, &mut moves, &mut player);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions of one game are one block, whatever lies between them.
    #[test]
    fn a_game_is_a_block() {
        let later = position(2, 12, 1).unwrap();
        let mut earlier = later.clone();
        earlier.moves.truncate(5);
        let other = position(2, 12, 2).unwrap();
        let values = [
            (&earlier, 1.0),
            (&later, 3.0),
            (&other, 2.0),
            (&earlier, 2.0),
        ];
        let blocks = by_game(values);
        assert_eq!((blocks.count(), blocks.mean()), (3, 2.0));
    }
}
