//! The fast rules against the naive ones of the benches, and golden counts of action sequences.

#[path = "../../benches/naive/mod.rs"]
mod naive;

use cartagena::perft;
use cartagena::rules::{Action, ActionList, Board, Cards, Game, Symbol};
use cartagena::world::World;
use engine::rng;
use naive::Naive;
use proptest::prelude::*;

fn cards(counts: &[usize]) -> Cards {
    let counts: Vec<u8> = counts.iter().map(|&n| n as u8).collect();
    Cards::from_counts(counts.try_into().unwrap())
}

proptest! {
    /// Same legal actions in the same order, same states, same draws, to the end of random games.
    #[test]
    fn fast_and_naive_rules_agree(
        seed: u64,
        players in 2usize..=6,
        deal in 0usize..=6,
        spaces in 1usize..=126,
    ) {
        let mut rng = rng::stream(seed, 0);
        let spaces: Vec<Symbol> = (0..spaces)
            .map(|_| Symbol::ALL[rng::below(&mut rng, 6)])
            .collect();
        let mut naive = Naive::deal(spaces.clone(), players, deal, rng::stream(seed, 1));
        let game = Game::new(Board::new(spaces).unwrap(), players);
        let mut world = World::deal(&game, deal, rng::stream(seed, 1));
        let mut list = ActionList::new();
        for _ in 0..500 {
            let state = *world.state();
            for player in 0..players {
                let mut pirates: Vec<u8> = naive.pirates[player].iter().map(|&p| p as u8).collect();
                pirates.sort_unstable();
                prop_assert_eq!(state.track.pirates(player), pirates);
                prop_assert_eq!(state.hands[player], cards(&naive.hands[player]));
            }
            prop_assert_eq!(world.pile(), &naive.pile[..]);
            prop_assert_eq!(state.discards, naive.discards.iter().copied().collect::<Cards>());
            prop_assert_eq!(state.to_move as usize, naive.to_move);
            prop_assert_eq!(state.taken as usize, naive.taken);
            prop_assert_eq!(state.winner().is_some(), naive.is_over());
            game.legal_actions(&state, &mut list);
            prop_assert_eq!(&list[..], &naive.legal_actions()[..]);
            if naive.is_over() {
                break;
            }
            let pass = list.is_empty() || (state.taken > 0 && rng::below(&mut rng, 10) == 0);
            let action = if pass {
                Action::Pass
            } else {
                list[rng::below(&mut rng, list.len())]
            };
            world.act(&game, action);
            naive.act(action);
        }
    }
}

/// The counts in `tests/data/cartagena/perft.golden`, made by
/// `cargo run --release --bin lab -- cartagena perft 12 > tests/data/cartagena/perft.golden`.
#[test]
fn golden_counts_of_action_sequences() {
    let golden = include_str!("../data/cartagena/perft.golden");
    let (game, world) = perft::example();
    let mut depths = 0;
    for line in golden.lines() {
        let numbers: Vec<u64> = line.split(' ').map(|n| n.parse().unwrap()).collect();
        let count = perft::count(&game, &world, numbers[0] as u32);
        assert_eq!(count, numbers[1], "depth {}", numbers[0]);
        depths += 1;
    }
    assert!(depths >= 12, "only {depths} depths");
}
