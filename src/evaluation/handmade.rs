//! A hand-made evaluation: the race counted in actions.
//!
//! For each player it estimates how many actions are still needed to bring everyone home: one for
//! every card to be played, at so many places a card, and one for every card that is not in the
//! hand yet. Where the hand is known and suffices, it is played out on the board instead, the
//! rearmost pirate first, each time with the card that carries it farthest. A good retreat on
//! offer counts in part. The differences, with the order of turns, become chances to win.

use super::{Afterstate, Chances, Evaluator};
use crate::race::greedy;
use crate::rules::{ACTIONS_A_TURN, Game, MAX_PLAYERS, Track};
use engine::numerics::exp;

/// The largest difference of turns, in the scale of the logistic curve.
const LARGEST: f32 = 9.0;

/// What the evaluation assumes, in places, actions and turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handmade {
    /// Places a card carries a pirate in a sprint, when there are many to choose from.
    pub jump: f32,
    /// Actions it costs to get a card.
    pub fetch: f32,
    /// The share of the best retreat's gain that counts while the player has actions left; a
    /// retreat that must wait for the next turn may be gone by then.
    pub option: f32,
    /// Turns of difference that multiply the odds by e, at the end of the game.
    pub sure: f32,
    /// What is added to that for each turn still to go.
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
    /// Actions a player still needs; `sprint` if its hand is known to bring everyone home.
    fn actions(&self, after: &Afterstate, player: usize, sprint: Option<u32>) -> f32 {
        if let Some(cards) = sprint {
            return cards as f32;
        }
        let acting = player == after.seat;
        let track = &after.track;
        let mut cards = f32::from(after.hand_sizes[player]);
        if acting {
            cards += f32::from(after.draws);
        }
        let boat = track.boat();
        let mut plays = 0.0;
        for &place in track.pirates(player) {
            // However close the boat is, it takes a card to get there.
            if place != boat {
                plays += (f32::from(boat - place) / self.jump).max(1.0);
            }
        }
        let fetched = (plays - cards).max(0.0);
        let open = acting && after.actions_left > 0 && fetched > 0.0;
        let option = if open {
            self.option * self.best_retreat(track, player)
        } else {
            0.0
        };
        plays + fetched * self.fetch - option
    }

    /// What the best retreat on offer gains, in actions; not negative.
    fn best_retreat(&self, track: &Track, player: usize) -> f32 {
        let place = (1.0 + self.fetch) / self.jump;
        let mut best = 0.0f32;
        for from in track.places(player) {
            if let Some(to) = track.retreat(from) {
                let cards = f32::from(track.pirates_on(to));
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
            // How long until the player acts again, in rounds.
            let wait = (player + players - after.seat) % players;
            *turns = if player == after.seat {
                let mut sprint = greedy(game, after.track, player, after.hand);
                let cards = sprint.by_ref().count() as u32;
                let sprint = sprint.is_home().then_some(cards);
                let left = f32::from(after.actions_left);
                (self.actions(after, player, sprint) - left) / f32::from(ACTIONS_A_TURN) + 1.0
            } else {
                let actions = self.actions(after, player, None);
                actions / f32::from(ACTIONS_A_TURN) + wait as f32 / players as f32
            };
        }
        let shortest = turns[..players].iter().copied().fold(f32::MAX, f32::min);
        let scale = self.sure + self.unsure * shortest.max(0.0);
        let mut chances = [0.0; MAX_PLAYERS];
        let mut sum = 0.0;
        for (chance, turns) in chances.iter_mut().zip(turns).take(players) {
            let behind = (turns - shortest) / scale;
            // Large leads count less and less, but never nothing: there is always a better move.
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
