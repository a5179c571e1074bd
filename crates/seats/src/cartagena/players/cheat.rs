//! A player that sees all hands. How much more it wins than the same search without them shows what knowing the cards
//! is worth.

use cartagena::player::Question;
use cartagena::player::searcher::Searcher;
use cartagena::rules::{Action, Cards};

/// The searching player with all hands open; the draw pile stays hidden. It needs cards that no player may see, so
/// only a referee that shows them can ask it.
pub struct Cheat {
    searcher: Searcher,
}

impl Cheat {
    /// Makes a searching player see the hands.
    pub fn new(searcher: Searcher) -> Cheat {
        Cheat { searcher }
    }

    /// The action in a position with these hands, by seat.
    ///
    /// # Panics
    /// If the hands are not those of the position.
    pub fn choose(&mut self, question: &Question, hands: &[Cards]) -> Action {
        let open = Some(hands);
        self.searcher.search(&Question { open, ..*question }).action
    }
}

#[cfg(test)]
mod tests {
    use crate::cartagena::players::builtin::{Mind, mind};
    use cartagena::boards;
    use cartagena::player::Question;
    use cartagena::record::GameRecord;
    use cartagena::rules::{ActionList, Cards, Game};
    use cartagena::view::View;
    use cartagena::world::World;
    use engine::rng;

    /// In a game of three its actions are legal, and depend on the hands of the others.
    #[test]
    fn it_looks_at_the_hands() {
        let Ok(Mind::Cheat(make)) = mind(&"cheat,nodes=400".parse().unwrap()) else {
            panic!("a player that sees all hands");
        };
        let game = Game::new(boards::standard(&mut rng::stream(3, 0)), 3);
        let mut world = World::deal(&game, 6, rng::stream(3, 1));
        let mut legal = ActionList::new();
        let mut others = 0;
        for step in 0..24 {
            let state = *world.state();
            let seat = usize::from(state.to_move);
            let record = GameRecord::of_state(&game, &state, Vec::new());
            let question = Question {
                game: &game,
                record: &record,
                view: &View::of(&state, seat),
                open: None,
            };
            let action = make(step).choose(&question, &state.hands[..3]);
            game.legal_actions(&state, &mut legal);
            assert!(legal.contains(&action), "{action:?}");
            // The same question, with the others' hands exchanged if they have equal sizes.
            let mut hands = state.hands;
            hands.swap((seat + 1) % 3, (seat + 2) % 3);
            let sizes = |hands: &[Cards]| -> Vec<u8> { hands.iter().map(|h| h.total()).collect() };
            if sizes(&hands[..3]) == sizes(&state.hands[..3]) {
                let searched = |hands: &[Cards]| {
                    let open = Some(hands);
                    make(step).searcher.search(&Question { open, ..question })
                };
                let chance = |hands: &[Cards]| searched(hands).candidates[0].chance;
                others += u32::from(chance(&hands[..3]) != chance(&state.hands[..3]));
            }
            world.act(&game, action);
        }
        assert!(others > 0);
    }
}
