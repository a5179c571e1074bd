//! Playouts of the tree search: a greedy policy, and the estimate where a playout is cut.
//!
//! The policy hoards cards until they should bring everyone home, then jumps as far as it can. The
//! estimate plays each hand out in the same way and turns the rest into chances.

use crate::cartagena::policy::choice::one_hot;
use cartagena::evaluation::Chances;
use cartagena::race::greedy_with;
use cartagena::rules::{
    ACTIONS_A_TURN, Action, ActionList, Cards, Game, MAX_PLAYERS, SYMBOLS, State, Symbol, Track,
};
use cartagena::world::World;
use engine::numerics::softmax;
use engine::rng::{self, Random};

/// Spaces that a card is expected to carry a pirate, when a player decides whether its hand suffices.
const JUMP: f32 = 8.65;
/// A player whose pirates have fewer spaces to go than this in all is sprinting, and it is too late for others to
/// hoard.
const ALARM: u32 = 60;
/// The gain of a space, in cards. This and the next two were found by matches of the policy alone.
const PLACE: f32 = 0.045;
/// The additional gain of moving a pirate, for each space that it still has to go, in cards.
const REAR: f32 = 0.043;
/// The gain of reaching the boat, in cards.
const HOME: f32 = 1.2;

/// Plays on by the greedy policy, with a share of random actions. Returns each player's result:
/// that of the game if it ends within `length` actions, otherwise an estimate.
pub(super) fn play_out(
    game: &Game,
    world: &mut World,
    length: u32,
    share: f32,
    rng: &mut Random,
) -> Chances {
    for _ in 0..length {
        if let Some(winner) = world.state().winner() {
            return one_hot(winner);
        }
        let action = if rng::unit(rng) < f64::from(share) {
            any(game, world.state(), rng)
        } else {
            greedy(game, world.state())
        };
        world.act(game, action);
    }
    match world.state().winner() {
        Some(winner) => one_hot(winner),
        None => estimate(game, world.state()),
    }
}

/// A random legal action; a pass if there is none.
fn any(game: &Game, state: &State, rng: &mut Random) -> Action {
    let mut list = ActionList::new();
    game.legal_actions(state, &mut list);
    match list.len() {
        0 => Action::Pass,
        count => list[rng::below(rng, count)],
    }
}

/// The action with the greatest immediate gain; a pass if there is no other.
pub(super) fn greedy(game: &Game, state: &State) -> Action {
    let price = price(state);
    let player = state.to_move as usize;
    let mut best = (f32::NEG_INFINITY, Action::Pass);
    game.farthest(&state.track, player, state.hands[player], |action| {
        let gain = gain(state, price, action);
        if gain > best.0 {
            best = (gain, action);
        }
    });
    best.1
}

/// The value of a card to the player to move: 0 once its hand should bring everyone home, 0 when it
/// is too late to use more cards, otherwise 1.
pub(super) fn price(state: &State) -> f32 {
    let player = state.to_move as usize;
    let track = &state.track;
    let mut others = (0..track.players()).filter(|&p| p != player);
    if others.any(|p| track.pips(p) < ALARM) {
        return 0.0;
    }
    let boat = track.boat();
    let pirates = track.pirates(player).iter().filter(|&&p| p != boat);
    // Every pirate needs at least one card, however close the boat is.
    let plays = pirates
        .map(|&p| (f32::from(boat - p) * (1.0 / JUMP)).max(1.0))
        .sum::<f32>();
    f32::from(u8::from(f32::from(state.hands[player].total()) < plays))
}

/// The immediate gain of an action, in cards, if a card has the value `price`.
pub(super) fn gain(state: &State, price: f32, action: Action) -> f32 {
    let boat = state.track.boat();
    match action {
        Action::Advance { from, to, .. } => {
            let home = if to == boat { HOME } else { 0.0 };
            // Spaces, a preference for pirates far behind, and the boat, against the card that is
            // played.
            f32::from(to - from) * PLACE + f32::from(boat - from) * REAR + home - price
        }
        Action::Retreat { from, to } => {
            let home = if from == boat { HOME } else { 0.0 };
            price * f32::from(state.draws(to)) - home - f32::from(from - to) * PLACE
        }
        Action::Pass => 0.0,
    }
}

/// All players' chances where a playout is cut.
///
/// Each hand is played out by [`Sprint`]. A player's logit is a weighted sum of the cards used, the spaces and
/// pirates then left, and the state before. The weights come from a conditional logistic regression on the outcomes
/// of games that hoarders of different weights played with random actions in between. The sooner the first player
/// may be home, the more a difference of logits counts.
fn estimate(game: &Game, state: &State) -> Chances {
    let players = game.players;
    let mut chances = [0.0; MAX_PLAYERS];
    let turn = f32::from(ACTIONS_A_TURN);
    let left = f32::from(state.actions_left());
    let mut soonest = f32::INFINITY;
    for (player, chance) in chances[..players].iter_mut().enumerate() {
        let hand = state.hands[player];
        let sprint = Sprint::run(game, state.track, player, hand);
        let away = state.track.pirates_each() - state.track.home(player);
        // The actions of others until the player's next turn, less the own actions in that turn. The player to
        // move waits for nobody and has `left` actions. A player `seats` further on waits for these and for
        // `seats − 1` whole turns, and then has a turn: `left + (seats − 1) · turn − turn`.
        let wait = match (player + players - state.to_move as usize) % players {
            0 => -left,
            seats => turn * (seats as f32 - 2.0) + left,
        };
        let (played, pips, out) = (sprint.played as f32, sprint.pips as f32, sprint.out as f32);
        soonest = soonest.min(0.3 * played + 0.06 * pips + out);
        *chance = 0.28 * f32::from(hand.total())
            - 0.06 * state.track.pips(player) as f32
            - 0.43 * away as f32
            - 0.69 * played
            - 0.133 * pips
            - 0.24 * out
            - 1.15 * wait / players as f32;
    }
    // Late in a game the same difference decides more.
    let scale = 1.0 / (1.0 + 0.4 * soonest);
    for chance in &mut chances[..players] {
        *chance *= scale;
    }
    softmax(&mut chances, players);
    chances
}

/// A hand that was played out by [`greedy_with`].
#[derive(Clone, Copy, Debug)]
struct Sprint {
    /// Number of cards played.
    played: usize,
    /// Sum of the spaces that the pirates then still have to go.
    pips: u32,
    /// Number of pirates that are then not home.
    out: usize,
}

impl Sprint {
    fn run(game: &Game, track: Track, player: usize, hand: Cards) -> Sprint {
        // If several symbols lead onto the boat, the first one is played.
        let prefer = |_, symbol: Symbol| (0, (SYMBOLS - symbol.index()) as u8);
        let mut sprint = greedy_with(game, track, player, hand, prefer);
        let played = sprint.by_ref().count();
        let track = &sprint.track;
        Sprint {
            played,
            pips: track.pips(player),
            out: track.pirates_each() - track.home(player),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cartagena::rules::Board;

    /// Two players on two rounds of symbols, everyone in the cell.
    fn start(hands: [Cards; 2]) -> (Game, State) {
        let game = Game::new(Board::new(Symbol::ALL.repeat(2)).unwrap(), 2);
        let state = game.start(&hands);
        (game, state)
    }

    #[test]
    fn estimates_are_shares_and_prefer_what_is_nearer() {
        let even = Cards::from_counts([1; 6]);
        let (game, state) = start([even, even]);
        let base = estimate(&game, &state);
        assert!((base[0] + base[1] - 1.0).abs() < 1e-6, "{base:?}");
        assert!(base[0] > base[1], "the turn is worth something: {base:?}");
        let (_, more) = start([even.plus(even), even]);
        assert!(
            estimate(&game, &more)[0] > base[0],
            "cards are worth something"
        );
        let mut ahead = state;
        ahead.track.relocate(0, 0, 12);
        assert!(
            estimate(&game, &ahead)[0] > base[0],
            "places are worth something"
        );
    }

    #[test]
    fn the_policy_hoards_first_and_sprints_then() {
        let few = Cards::from_counts([1, 1, 0, 0, 0, 0]);
        let (game, mut state) = start([few, few]);
        state.track.relocate(0, 0, 5);
        state.track.relocate(1, 0, 4);
        state.track.relocate(1, 0, 4);
        assert_eq!(
            greedy(&game, &state),
            Action::Retreat { from: 5, to: 4 },
            "two cards for a place"
        );
        state.hands[0] = Cards::from_counts([3; 6]);
        let action = greedy(&game, &state);
        assert!(
            action.card().is_some(),
            "{action} with a hand that suffices"
        );
        state.hands[0] = few;
        state.track.relocate(1, 0, 13);
        state.track.relocate(1, 0, 13);
        let pips = state.track.pips(1);
        assert!(pips < ALARM, "{pips} places to go");
        let action = greedy(&game, &state);
        assert!(action.card().is_some(), "{action} when the other is close");
    }

    #[test]
    fn a_sprint_counts_cards_and_what_is_left() {
        let hand = Cards::from_counts([0, 0, 0, 0, 0, 3]);
        let (game, state) = start([hand, hand]);
        // Skulls are on 6 and 12, and the boat is place 13. One pirate stops on 6, one passes over it to 12, and
        // one over both to the boat. So 7, 1 and three times 13 places are left.
        let sprint = Sprint::run(&game, state.track, 0, hand);
        assert_eq!(
            (sprint.played, sprint.out, sprint.pips),
            (3, 5, 7 + 1 + 3 * 13)
        );
    }
}
