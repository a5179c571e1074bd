//! A game with the position of every card fixed, those of the draw pile included. A referee runs one, and a search
//! samples many.

use super::rules::{Action, Cards, DECK, Game, State, Symbol};
use arrayvec::ArrayVec;
use engine::rng::{self, Random};

/// A state together with the order of its draw pile and the generator of later reshuffles.
///
/// Everything random is decided when it is made: two copies that take the same actions draw the same cards.
#[derive(Clone, Debug)]
pub struct World {
    state: State,
    /// The next card is the last.
    pile: ArrayVec<Symbol, DECK>,
    rng: Random,
}

impl World {
    /// A world with this state and draw pile. The next card is the last of `pile`.
    ///
    /// # Panics
    /// If `pile` has not as many cards as the state says.
    pub fn new(state: State, pile: ArrayVec<Symbol, DECK>, rng: Random) -> World {
        assert_eq!(pile.len(), state.pile as usize, "cards in the draw pile");
        World { state, pile, rng }
    }

    /// A new game: the deck shuffled, `deal` cards dealt to each player in turn.
    pub fn deal(game: &Game, deal: usize, mut rng: Random) -> World {
        let mut pile: ArrayVec<Symbol, DECK> = Cards::deck().iter().collect();
        rng::shuffle(&mut rng, &mut pile);
        let mut hands = vec![Cards::NONE; game.players];
        // One card to each player in turn, as at a table; nothing more once the deck is used up.
        for _ in 0..deal {
            for hand in &mut hands {
                if let Some(card) = pile.pop() {
                    *hand = hand.with(card);
                }
            }
        }
        World::new(game.start(&hands), pile, rng)
    }

    #[inline]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The draw pile; the next card is the last.
    pub fn pile(&self) -> &[Symbol] {
        &self.pile
    }

    /// Whether state, draw pile and the order of all later reshuffles are the same.
    pub fn same_cards(&self, other: &World) -> bool {
        self.state == other.state && self.pile == other.pile && self.rng == other.rng
    }

    /// Takes a legal action and returns the cards it drew.
    #[inline]
    pub fn act(&mut self, game: &Game, action: Action) -> Cards {
        let drawn = match action {
            Action::Retreat { to, .. } => self.draw(self.state.draws(to)),
            _ => Cards::NONE,
        };
        game.apply(&mut self.state, action, drawn);
        drawn
    }

    /// The player to move leaves the game (see [`Game::retire`]).
    pub fn retire(&mut self, game: &Game) {
        game.retire(&mut self.state);
    }

    /// Takes cards from the pile. If it runs out, the discards are shuffled into a new one.
    fn draw(&mut self, count: u8) -> Cards {
        let mut drawn = Cards::NONE;
        for _ in 0..count {
            if self.pile.is_empty() {
                // The discards become the pile only when a card is needed. `Game::apply` does the same to the counts.
                self.pile.extend(self.state.discards.iter());
                rng::shuffle(&mut self.rng, &mut self.pile);
            }
            if let Some(card) = self.pile.pop() {
                drawn = drawn.with(card);
            }
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{ActionList, Board};
    use proptest::prelude::*;

    proptest! {
        /// No card is ever lost or made, legal actions are legal, unique and in order.
        #[test]
        fn laws_of_random_games(seed: u64, players in 2usize..=6, deal in 0usize..=6, spaces in 1usize..=60) {
            let mut rng = rng::stream(seed, 0);
            let symbols = (0..spaces).map(|_| Symbol::ALL[rng::below(&mut rng, 6)]).collect();
            let game = Game::new(Board::new(symbols).unwrap(), players);
            let mut world = World::deal(&game, deal, rng::stream(seed, 1));
            let mut list = ActionList::new();
            for _ in 0..400 {
                let state = *world.state();
                let cards = state.hands.iter().fold(state.discards, |sum, &h| sum.plus(h));
                let pile: Cards = world.pile().iter().copied().collect();
                prop_assert_eq!(cards.plus(pile), Cards::deck());
                prop_assert_eq!(world.pile().len(), state.pile as usize);
                game.legal_actions(&state, &mut list);
                for (i, &action) in list.iter().enumerate() {
                    prop_assert_eq!(game.check(&state, action), Ok(()));
                    prop_assert!(!list[..i].contains(&action));
                }
                let player = state.to_move as usize;
                let mut farthest = Vec::new();
                game.farthest(&state.track, player, state.hands[player], |a| farthest.push(a));
                for from in state.track.places(player) {
                    let there = |a: &&Action| a.places().is_some_and(|(place, _)| place == from);
                    let best = |list: &[Action], back: bool| {
                        let kind = list.iter().filter(there).filter(|a| a.card().is_none() == back);
                        kind.filter_map(|a| a.places()).map(|(_, to)| to).max()
                    };
                    prop_assert!(farthest.iter().all(|a| state.winner().is_some() || list.contains(a)));
                    if state.winner().is_none() {
                        prop_assert_eq!(best(&farthest, false), best(&list, false));
                        prop_assert_eq!(best(&farthest, true), best(&list, true));
                    }
                }
                if state.winner().is_some() {
                    prop_assert!(list.is_empty());
                    break;
                }
                let action = if list.is_empty() { Action::Pass } else { list[rng::below(&mut rng, list.len())] };
                prop_assert_eq!(game.check(&state, action), Ok(()));
                world.act(&game, action);
                let mut rebuilt = world.state().track;
                if let Some((_, to)) = action.places() {
                    rebuilt.relocate(state.to_move as usize, to, to);
                }
                prop_assert_eq!(rebuilt, world.state().track, "masks kept in step");
            }
        }
    }
}
