//! A hand-made evaluation: the race counted in actions. It is used where no network can be, and for comparison.
//!
//! For each player it estimates the actions that are still needed to bring everyone home: `plays` cards to be
//! played, one for every `jump` places of each pirate, and `fetch` actions for each of these cards that is not in the
//! hand yet. If the hand is known and suffices, it is played out on the board instead ([`greedy`]). A good retreat
//! counts in part. The actions become turns, with the order of the players, and their differences chances:
//!
//! ```text
//! turns  = (actions − left) / 3 + 1      for the player who acted, with `left` actions left in its turn
//! turns  = actions / 3 + wait / players  for each other, who is to move in `wait` turns
//! behind = (turns − the least turns) / (sure + unsure · the least turns)
//! chance ∝ exp(−behind / (1 + behind / 9))
//! ```
//!
//! A pirate 18 places from the boat takes 2 plays with a `jump` of 9. With one card in the hand the other is fetched
//! for 2.7 actions: 4.7 actions in all.

use super::{Afterstate, Chances, Evaluator};
use crate::race::greedy;
use crate::rules::{ACTIONS_A_TURN, Game, MAX_PLAYERS};
use engine::numerics::exp;

/// The limit of the exponent above for large differences: a chance is never less than e⁻⁹ times the leader's.
const LARGEST: f32 = 9.0;

/// The parameters of the evaluation, in places, actions and turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handmade {
    /// The places that one card carries a pirate in a sprint, with many cards to choose from.
    pub jump: f32,
    /// The actions that it costs to get a card.
    pub fetch: f32,
    /// The share of the best retreat's gain that counts while the player has actions left. A
    /// retreat that must wait for the next turn may be gone by then.
    pub option: f32,
    /// The difference in turns that multiplies the odds by e at the end of the game.
    pub sure: f32,
    /// An addition to `sure` for each turn that the leader still needs: far from the end a lead is less certain.
    pub unsure: f32,
}

impl Default for Handmade {
    fn default() -> Self {
        Handmade {
            jump: 9.0,
            fetch: 2.7,
            option: 0.4,
            sure: 0.4,
            unsure: 0.19,
        }
    }
}

impl Handmade {
    /// The actions that a player still needs: `sprint` where its hand is known to bring everyone home, else an
    /// estimate.
    fn actions(&self, game: &Game, after: &Afterstate, player: usize, sprint: Option<u32>) -> f32 {
        if let Some(cards) = sprint {
            return cards as f32;
        }
        let acting = player == after.seat;
        let track = &after.track;
        let mut cards = f32::from(after.hand_sizes[player]);
        if acting {
            cards += f32::from(after.draws);
        }
        // The number of cards to be played. With many cards to choose from, each carries a pirate `jump` places.
        let boat = track.boat();
        let mut plays = 0.0;
        for &place in track.pirates(player) {
            // However close the boat is, it takes a card to get there.
            if place != boat {
                plays += (f32::from(boat - place) / self.jump).max(1.0);
            }
        }
        // The number of cards that must be fetched first. With enough cards a retreat gains nothing.
        let fetched = (plays - cards).max(0.0);
        let open = acting && after.actions_left > 0 && fetched > 0.0;
        let option = if open {
            self.option * self.best_retreat(game, after, player)
        } else {
            0.0
        };
        plays + fetched * self.fetch - option
    }

    /// The gain of the best retreat that is possible, in actions; not negative. A retreat of 4 places to two pirates
    /// gains 2 · 2.7 actions by its cards and loses 4 · (1 + 2.7) / 9: 3.8 in all.
    fn best_retreat(&self, game: &Game, after: &Afterstate, player: usize) -> f32 {
        let track = &after.track;
        // No more cards are drawn than the pile and the discards have.
        let supply = after.pile + after.discards.total() - after.draws;
        // A place costs its part of a card that must be fetched and played.
        let place = (1.0 + self.fetch) / self.jump;
        let mut best = 0.0f32;
        for from in track.places(player) {
            let may_leave = game.boat_retreat || from != track.boat();
            if let Some(to) = track.retreat(from).filter(|_| may_leave) {
                let cards = f32::from(track.pirates_on(to).min(supply));
                best = best.max(self.fetch * cards - place * f32::from(from - to));
            }
        }
        best
    }
}

impl Evaluator for Handmade {
    fn chances(&self, game: &Game, after: &Afterstate) -> Chances {
        let players = game.players;
        let mut turns = [0.0f32; MAX_PLAYERS];
        for (player, turns) in turns.iter_mut().enumerate().take(players) {
            // The number of turns until this player is to move: 1 for the next player, 0 for the one who acted.
            let wait = (player + players - after.seat) % players;
            *turns = if player == after.seat {
                // Only the own hand is known. A way home on the board is better than the estimate.
                let mut sprint = greedy(game, after.track, player, after.hand);
                let cards = sprint.by_ref().count() as u32;
                let sprint = sprint.is_home().then_some(cards);
                let left = f32::from(after.actions_left);
                // Actions left in this turn cost no waiting. Needing 4.7 with 2 left, the player needs 2.7 more in
                // later turns: 2.7 / 3 + 1 = 1.9.
                (self.actions(game, after, player, sprint) - left) / f32::from(ACTIONS_A_TURN) + 1.0
            } else {
                let actions = self.actions(game, after, player, None);
                actions / f32::from(ACTIONS_A_TURN) + wait as f32 / players as f32
            };
        }
        let shortest = turns.iter().enumerate().take(players);
        let shortest = shortest.filter(|&(player, _)| !game.is_gone(player));
        let shortest = shortest.map(|(_, &turns)| turns).fold(f32::MAX, f32::min);
        let scale = self.sure + self.unsure * shortest.max(0.0);
        let mut chances = [0.0; MAX_PLAYERS];
        let mut sum = 0.0;
        for (player, (chance, turns)) in chances.iter_mut().zip(turns).enumerate().take(players) {
            if game.is_gone(player) {
                continue;
            }
            let behind = (turns - shortest) / scale;
            // Large leads count less and less, but never nothing, so that even then the better action has the higher
            // value.
            *chance = exp(-behind / (1.0 + behind / LARGEST));
            sum += *chance;
        }
        for chance in &mut chances[..players] {
            *chance /= sum;
        }
        chances
    }

    fn fingerprint(&self) -> u64 {
        let fields = [self.jump, self.fetch, self.option, self.sure, self.unsure];
        fields.iter().fold(1, |hash, field| {
            engine::rng::mix(hash ^ u64::from(field.to_bits()))
        })
    }
}
