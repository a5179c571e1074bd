//! A game in progress with all hands visible, and the actions that move it on.
//!
//! Referees keep a [`State`] of the real game, and a search keeps one of each world that it imagines. Both change it
//! by the methods of [`Game`].

use super::action::Action;
use super::board::{Board, Place};
use super::mask::Mask;
use super::symbol::{Cards, DECK, SYMBOLS, Symbol};
use super::track::{MAX_PLAYERS, Track};
use arrayvec::ArrayVec;
use thiserror::Error;

/// Actions a player may take in one turn.
pub const ACTIONS_A_TURN: u8 = 3;

/// The most actions that can be legal, but for a pass: six places, six symbols and a retreat on each.
pub const MAX_ACTIONS: usize = 42;

/// Room for every legal action but a pass.
pub type ActionList = ArrayVec<Action, MAX_ACTIONS>;

/// Everything that stays the same during a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub board: Board,
    pub players: usize,
    /// Pirates each player has: 6 in the contest, fewer in the small games of the exact solver.
    pub pirates: usize,
    /// Whether a pirate may leave the boat again by a retreat.
    pub boat_retreat: bool,
    /// The players that have left the game, a bit for each seat. Their pirates stay, their turns are skipped, and they
    /// cannot win.
    pub gone: u8,
}

/// A game in progress with all hands visible. The order of the draw pile is not part of it: the cards of the
/// pile are those that are neither in a hand nor discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Where the pirates are.
    pub track: Track,
    /// The hand of each player.
    pub hands: [Cards; MAX_PLAYERS],
    /// Cards played since the last reshuffle.
    pub discards: Cards,
    /// Cards in the draw pile.
    pub pile: u8,
    /// The player to act, from 0.
    pub to_move: u8,
    /// Actions this player has taken in this turn, 0 to 2; 3 if the third has won the game.
    pub taken: u8,
}

/// Why an action cannot be taken.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum IllegalAction {
    /// No own pirate on the place named.
    #[error("the player has no pirate on {0}")]
    NoPirate(Place),
    /// The card is not in the hand.
    #[error("the player holds no {0}")]
    NoCard(Symbol),
    /// The move ends elsewhere.
    #[error("from {from} that move leads to {expected}, not to {to}")]
    WrongTarget {
        /// Where the pirate stands.
        from: Place,
        /// Where the action says it goes.
        to: Place,
        /// Where the rules send it.
        expected: Place,
    },
    /// Nothing to retreat to.
    #[error("behind {0} no space holds one or two pirates")]
    NoRetreat(Place),
    /// A pirate on the boat does not move forward, and moves back only if the option allows it.
    #[error("a pirate on the boat cannot do that")]
    OnBoat,
    /// A turn has at least one action if one is legal.
    #[error("a turn cannot be ended before its first action while an action is legal")]
    EarlyPass,
    /// The game is over.
    #[error("the game is over")]
    Over,
}

impl Game {
    /// The contest's game: six pirates each, retreats from the boat allowed.
    pub fn new(board: Board, players: usize) -> Game {
        Game {
            board,
            players,
            pirates: super::track::MAX_PIRATES,
            boat_retreat: true,
            gone: 0,
        }
    }

    /// Whether this player has left the game.
    #[inline]
    pub fn is_gone(&self, player: usize) -> bool {
        self.gone >> player & 1 == 1
    }

    /// The start of a game with the given hands dealt.
    ///
    /// # Panics
    /// If the hands together hold more cards than the deck, or their number is not the players'.
    pub fn start(&self, hands: &[Cards]) -> State {
        assert_eq!(hands.len(), self.players, "one hand a player");
        let dealt: usize = hands.iter().map(|h| h.total() as usize).sum();
        assert!(dealt <= DECK, "{dealt} cards dealt from {DECK}");
        let mut all = [Cards::NONE; MAX_PLAYERS];
        all[..hands.len()].copy_from_slice(hands);
        State {
            track: Track::start(&self.board, self.players, self.pirates),
            hands: all,
            discards: Cards::NONE,
            pile: (DECK - dealt) as u8,
            to_move: 0,
            taken: 0,
        }
    }

    /// The actions, passes left out, that a player with this hand could take, in the order of [`Action`].
    ///
    /// Pirates on one place are one choice. There are none once the player has won.
    #[inline]
    pub fn actions(&self, track: &Track, player: usize, hand: Cards, list: &mut ActionList) {
        list.clear();
        if track.is_home(player) {
            return;
        }
        // The same code is compiled for both widths; every place of a standard board fits the narrow one.
        if track.boat() < 64 {
            self.fill::<u64>(track, player, hand, list);
        } else {
            self.fill::<u128>(track, player, hand, list);
        }
    }

    /// As [`Game::actions`], with masks of one width.
    #[inline]
    fn fill<M: Mask>(&self, track: &Track, player: usize, hand: Cards, list: &mut ActionList) {
        let boat = track.boat();
        // The masks are the same for all pirates. With them an action is one bit scan.
        let cards = self.open_spaces::<M>(track, hand);
        let retreats = M::narrow(track.retreats());
        for from in track.places(player) {
            // A card always leads somewhere, at worst onto the boat. From the boat there is no way forward, and back
            // only if the game has that option.
            if from != boat {
                for &(symbol, open) in &cards {
                    let to = open.next(from);
                    list.push(Action::Advance { from, to, symbol });
                }
            } else if !self.boat_retreat {
                continue;
            }
            if let Some(to) = retreats.last_before(from) {
                list.push(Action::Retreat { from, to });
            }
        }
    }

    /// For each symbol of a hand the mask of the empty spaces that bear it, and the boat.
    #[inline]
    fn open_spaces<M: Mask>(&self, track: &Track, hand: Cards) -> ArrayVec<(Symbol, M), SYMBOLS> {
        // Cards jump over spaces with any pirate on them.
        let empty = !track.occupancy()[0];
        hand.symbols()
            .map(|symbol| (symbol, M::narrow(self.board.reach(symbol) & empty)))
            .collect()
    }

    /// Calls `consider` with a few of [`Game::actions`], which is cheaper than to list them all. For
    /// each place of the player's pirates, from the rear, these are the advance that carries farthest (the first
    /// symbol among equals), if the hand has a card, and the retreat, if there is one.
    #[inline]
    pub fn farthest(
        &self,
        track: &Track,
        player: usize,
        hand: Cards,
        consider: impl FnMut(Action),
    ) {
        if track.boat() < 64 {
            self.visit_farthest::<u64>(track, player, hand, consider);
        } else {
            self.visit_farthest::<u128>(track, player, hand, consider);
        }
    }

    /// As [`Game::farthest`], with masks of one width.
    #[inline]
    fn visit_farthest<M: Mask>(
        &self,
        track: &Track,
        player: usize,
        hand: Cards,
        mut consider: impl FnMut(Action),
    ) {
        let boat = track.boat();
        let cards = self.open_spaces::<M>(track, hand);
        let retreats = M::narrow(track.retreats());
        for from in track.places(player) {
            if from != boat {
                let mut best = None;
                // Only a longer jump replaces the best one, so the first symbol wins a tie.
                let mut farthest = from;
                for &(symbol, open) in &cards {
                    let to = open.next(from);
                    if to > farthest {
                        farthest = to;
                        best = Some(Action::Advance { from, to, symbol });
                    }
                }
                if let Some(action) = best {
                    consider(action);
                }
            } else if !self.boat_retreat {
                continue;
            }
            if let Some(to) = retreats.last_before(from) {
                consider(Action::Retreat { from, to });
            }
        }
    }

    /// The legal actions of the player to move, a pass left out; empty once the game is over.
    #[inline]
    pub fn legal_actions(&self, state: &State, list: &mut ActionList) {
        if state.winner().is_some() {
            list.clear();
            return;
        }
        let player = state.to_move as usize;
        self.actions(&state.track, player, state.hands[player], list);
    }

    /// Whether the player to move may end the turn now.
    pub fn may_pass(&self, state: &State) -> bool {
        if state.winner().is_some() {
            return false;
        }
        let mut list = ActionList::new();
        self.legal_actions(state, &mut list);
        state.taken > 0 || list.is_empty()
    }

    /// Whether nobody can ever act again except to pass: no player has a card to advance with or a space to
    /// retreat to.
    pub fn is_dead(&self, state: &State) -> bool {
        let mut list = ActionList::new();
        state.hands.iter().enumerate().all(|(player, &hand)| {
            self.actions(&state.track, player, hand, &mut list);
            list.is_empty() || self.is_gone(player)
        })
    }

    /// Checks that the player to move may take the action.
    ///
    /// # Errors
    /// The rule it breaks.
    pub fn check(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        if state.winner().is_some() {
            return Err(IllegalAction::Over);
        }
        let player = state.to_move as usize;
        let Some((from, to)) = action.places() else {
            return if self.may_pass(state) {
                Ok(())
            } else {
                Err(IllegalAction::EarlyPass)
            };
        };
        if !state.track.pirates(player).contains(&from) {
            return Err(IllegalAction::NoPirate(from));
        }
        let boat = state.track.boat();
        // The rules leave no choice of the target: it follows from the pirate and the card.
        let expected = match action.card() {
            Some(_) if from == boat => return Err(IllegalAction::OnBoat),
            Some(symbol) if state.hands[player].count(symbol) == 0 => {
                return Err(IllegalAction::NoCard(symbol));
            }
            Some(symbol) => state.track.advance(&self.board, from, symbol),
            None if from == boat && !self.boat_retreat => return Err(IllegalAction::OnBoat),
            None => state
                .track
                .retreat(from)
                .ok_or(IllegalAction::NoRetreat(from))?,
        };
        if to != expected {
            return Err(IllegalAction::WrongTarget { from, to, expected });
        }
        Ok(())
    }

    /// Takes a legal action. `drawn` are the cards that a retreat draws, [`State::draws`] in number; none
    /// for other actions.
    ///
    /// A turn ends with its third action or a pass. The game ends at once when the player's last
    /// pirate reaches the boat: then the turn stays the winner's.
    #[inline]
    pub fn apply(&self, state: &mut State, action: Action, drawn: Cards) {
        let player = state.to_move as usize;
        match action {
            Action::Advance { from, to, symbol } => {
                state.hands[player] = state.hands[player].without(symbol);
                state.discards = state.discards.with(symbol);
                state.track.step(player, from, to);
                // The winning action does not hand the turn over; see `State::winner`.
                if state.track.is_home(player) {
                    state.taken += 1;
                    return;
                }
            }
            Action::Retreat { from, to } => {
                debug_assert_eq!(drawn.total(), state.draws(to));
                let count = drawn.total();
                if count > state.pile {
                    // The discards become the pile between the last old card and the first new.
                    state.pile += state.discards.total();
                    state.discards = Cards::NONE;
                }
                state.pile -= count;
                state.hands[player] = state.hands[player].plus(drawn);
                state.track.step(player, from, to);
            }
            Action::Pass => {
                self.end_turn(state);
                return;
            }
        }
        state.taken += 1;
        if state.taken >= ACTIONS_A_TURN {
            self.end_turn(state);
        }
    }

    /// The player to move leaves the game: its hand is discarded, its pirates stay where they are,
    /// and its turn ends. It must be `gone` in this game, and in the one that is played on.
    pub fn retire(&self, state: &mut State) {
        let hand = &mut state.hands[state.to_move as usize];
        state.discards = state.discards.plus(std::mem::take(hand));
        self.end_turn(state);
    }

    /// Makes the next player that has not left the one to move.
    #[inline]
    pub fn end_turn(&self, state: &mut State) {
        state.taken = 0;
        // Ends in a game in which everybody is gone, too: after one round.
        for _ in 0..self.players {
            state.to_move += 1;
            if state.to_move as usize >= self.players {
                state.to_move = 0;
            }
            if !self.is_gone(state.to_move as usize) {
                break;
            }
        }
    }
}

impl State {
    /// The winner: the player with all pirates on the boat.
    #[inline]
    pub fn winner(&self) -> Option<usize> {
        // Only the player who just acted can have finished, and then keeps the turn.
        let player = self.to_move as usize;
        self.track.is_home(player).then_some(player)
    }

    /// Cards drawn by a retreat to `to` (see [`Track::draws`]).
    #[inline]
    pub fn draws(&self, to: Place) -> u8 {
        self.track.draws(to, self.pile, self.discards)
    }

    /// Actions the player to move may still take in this turn, 1 to 3; 0 if the third has won the game.
    #[inline]
    pub fn actions_left(&self) -> u8 {
        ACTIONS_A_TURN - self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Symbol::{Gun, Hat, Keys};

    /// Four spaces (the boat is place 5), two players; the first holds a hat and a gun.
    fn start() -> (Game, State) {
        let game = Game::new(Board::new(vec![Hat, Gun, Hat, Keys]).unwrap(), 2);
        let state = game.start(&[[Hat, Gun].into_iter().collect(), Cards::NONE]);
        (game, state)
    }

    fn advance(from: Place, to: Place, symbol: Symbol) -> Action {
        Action::Advance { from, to, symbol }
    }

    #[test]
    fn what_is_not_legal_is_told_why() {
        let (mut game, mut state) = start();
        let illegal = |state: &State, action| game.check(state, action).unwrap_err();
        assert_eq!(game.check(&state, advance(0, 1, Hat)), Ok(()));
        let (from, to, expected) = (0, 3, 1);
        let wrong = IllegalAction::WrongTarget { from, to, expected };
        assert_eq!(illegal(&state, advance(0, 3, Hat)), wrong);
        let none = illegal(&state, advance(0, 4, Keys));
        assert_eq!(none, IllegalAction::NoCard(Keys));
        let nobody = illegal(&state, advance(1, 2, Gun));
        assert_eq!(nobody, IllegalAction::NoPirate(1));
        let retreat = Action::Retreat { from: 0, to: 0 };
        assert_eq!(illegal(&state, retreat), IllegalAction::NoRetreat(0));
        // A turn needs one action at least; after it the player may stop.
        assert_eq!(illegal(&state, Action::Pass), IllegalAction::EarlyPass);
        assert_eq!((game.may_pass(&state), state.actions_left()), (false, 3));
        game.apply(&mut state, advance(0, 1, Hat), Cards::NONE);
        assert_eq!((game.may_pass(&state), state.actions_left()), (true, 2));
        assert_eq!(game.check(&state, Action::Pass), Ok(()));
        // A pirate on the boat does not go on, and goes back where that is allowed.
        state.track.relocate(0, 0, 5);
        assert_eq!(illegal(&state, advance(5, 5, Gun)), IllegalAction::OnBoat);
        let retreat = Action::Retreat { from: 5, to: 1 };
        assert_eq!(game.check(&state, retreat), Ok(()));
        game.boat_retreat = false;
        assert_eq!(game.check(&state, retreat), Err(IllegalAction::OnBoat));
    }

    /// The winning action counts, and the turn stays the winner's.
    #[test]
    fn the_last_pirate_wins() {
        let (game, mut state) = start();
        for _ in 1..game.pirates {
            state.track.relocate(0, 0, 5);
        }
        game.apply(&mut state, advance(0, 1, Hat), Cards::NONE);
        assert_eq!(state.winner(), None);
        game.apply(&mut state, advance(1, 5, Gun), Cards::NONE);
        assert_eq!(
            (state.winner(), state.to_move, state.taken),
            (Some(0), 0, 2)
        );
    }

    /// Records may break the rules: the pirates on a space are counted up to three.
    #[test]
    fn a_fourth_on_a_space_is_not_counted() {
        let (_, mut state) = start();
        for count in [1, 2, 3, 3, 3] {
            state.track.relocate(0, 0, 2);
            assert_eq!(state.track.pirates_on(2), count);
        }
        for count in [3, 3, 2, 1, 0] {
            state.track.relocate(0, 2, 0);
            assert_eq!(state.track.pirates_on(2), count);
        }
    }

    #[test]
    fn who_leaves_discards_its_hand() {
        let (game, mut state) = start();
        let hand = state.hands[0];
        game.apply(&mut state, advance(0, 1, Hat), Cards::NONE);
        game.retire(&mut state);
        assert_eq!((state.hands[0], state.discards), (Cards::NONE, hand));
        assert_eq!((state.to_move, state.taken), (1, 0));
        assert_eq!(state.track.pirates(0), [0, 0, 0, 0, 0, 1]);
    }

    /// Places are kept in one word or in two, depending on the length of the board. Actions must be the same on both
    /// sides of that limit. No pirate stands between the cell and the last space, so these span the whole board.
    #[test]
    fn long_boards_have_the_same_rules() {
        for spaces in [60, 61, 62, 63, 64, 126] {
            let (last, boat) = (spaces as Place, spaces as Place + 1);
            let mut board = vec![Gun; spaces];
            board[spaces - 1] = Hat;
            let game = Game::new(Board::new(board).unwrap(), 2);
            let hand = [Hat, Keys].into_iter().collect();
            let mut state = game.start(&[hand, Cards::NONE]);
            state.track.relocate(0, 0, boat);
            state.track.relocate(1, 0, last);
            let expected = [
                advance(0, boat, Hat),
                advance(0, boat, Keys),
                Action::Retreat {
                    from: boat,
                    to: last,
                },
            ];
            let mut list = ActionList::new();
            game.legal_actions(&state, &mut list);
            assert_eq!(list[..], expected, "{spaces}");
            assert_eq!(state.track.retreat(boat), Some(last));
            assert_eq!(state.track.advance(&game.board, 0, Hat), boat);
            // Both symbols carry as far: the first one counts.
            let mut farthest = Vec::new();
            let see = |action| farthest.push(action);
            game.farthest(&state.track, 0, state.hands[0], see);
            assert_eq!(farthest, [expected[0], expected[2]], "{spaces}");
            state.track.relocate(1, last, 0);
            assert_eq!(state.track.retreat(boat), None);
            assert_eq!(state.track.advance(&game.board, 0, Hat), last);
            assert_eq!(state.track.advance(&game.board, last, Hat), boat);
            assert_eq!(state.track.home(0), 1);
            assert_eq!(state.track.pips(0), 5 * u32::from(boat));
            assert_eq!(state.track.pips(1), 6 * u32::from(boat));
        }
    }

    /// A player without a legal action may end the turn, unless the game is over.
    #[test]
    fn who_can_do_nothing_passes() {
        let (game, mut state) = start();
        game.apply(&mut state, advance(0, 1, Hat), Cards::NONE);
        game.apply(&mut state, Action::Pass, Cards::NONE);
        assert_eq!((state.to_move, state.taken), (1, 0));
        let mut list = ActionList::new();
        game.legal_actions(&state, &mut list);
        assert!(list.is_empty() && game.may_pass(&state));
        assert_eq!(game.check(&state, Action::Pass), Ok(()));
        assert!(!game.is_dead(&state), "player 0 has cards");
        state.hands[0] = Cards::NONE;
        assert!(game.is_dead(&state));
        state.track.relocate(0, 0, 1);
        state.track.relocate(0, 0, 3);
        assert!(!game.is_dead(&state), "player 0 may go back");
        for _ in 0..game.pirates {
            state.track.relocate(1, 0, 5);
        }
        assert_eq!(state.winner(), Some(1));
        assert!(!game.may_pass(&state));
        assert_eq!(game.check(&state, Action::Pass), Err(IllegalAction::Over));
    }
}
