//! A linear evaluator: it looks at the position after each action, as its seat sees it, and takes the one with the
//! greatest weighted sum of a dozen features.
//!
//! Its weights were not fitted to values or choices of anybody. They won games: `lab::cartagena::teach` draws
//! weights at random, plays games with them, and goes on near those that won most.

use super::{best, best_draw, cards_needed, legal_or_pass};
use cartagena::evaluation::Afterstate;
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, CELL, Game};

/// The number of features.
pub const FEATURES: usize = 12;

/// The weights of the features, in their order; made by
/// `lab cartagena strangers --teach linear --rounds 25 --games 120 --seed 78`.
const WEIGHTS: [f32; FEATURES] = [
    -0.3471, -1.4305, -0.2124, -0.2498, 0.8775, 0.2623, 0.8072, -0.7327, 0.7852, -0.6927, 0.0012,
    0.9420,
];

/// The player. It keeps nothing between actions.
#[derive(Clone, Copy, Debug)]
pub struct LinearPlayer {
    weights: [f32; FEATURES],
}

impl Default for LinearPlayer {
    fn default() -> LinearPlayer {
        LinearPlayer::new(WEIGHTS)
    }
}

impl LinearPlayer {
    /// A player with these weights.
    pub fn new(weights: [f32; FEATURES]) -> LinearPlayer {
        LinearPlayer { weights }
    }

    /// The weighted sum; a win is above all sums.
    fn value(&self, game: &Game, after: &Afterstate) -> f32 {
        if after.won() {
            return f32::INFINITY;
        }
        let features = features(game, after);
        features.iter().zip(self.weights).map(|(f, w)| f * w).sum()
    }
}

/// The features of a position after an action. An action changes most of them by about 1, so that weights of the same
/// size matter equally at the beginning of the teaching.
fn features(game: &Game, after: &Afterstate) -> [f32; FEATURES] {
    let (track, seat) = (&after.track, after.seat);
    let boat = track.boat();
    let pirates = track.pirates(seat);
    let rear = pirates[0];
    let held = |player: usize| f32::from(after.hand_sizes[player]);
    // Cards about to be drawn are in nobody's hand yet.
    let cards = held(seat) + f32::from(after.draws);
    let needed = cards_needed(track, seat);
    let shortage = (needed - cards).max(0.0);
    let others = (0..game.players).filter(|&player| player != seat);
    // The other player that is nearest to the end, by the cards that it still lacks, and its spaces to go.
    let lacks = others.map(|player| (cards_needed(track, player) - held(player), player));
    let (lack, leader) = lacks.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 0));
    let farthest = after.hand.symbols();
    let farthest = farthest.map(|symbol| track.advance(&game.board, rear, symbol) - rear);
    let next = (seat + 1) % game.players;
    let goes_on = f32::from(u8::from(after.actions_left > 0));
    [
        track.pips(seat) as f32 / 8.0,
        shortage,
        (cards - needed).max(0.0),
        pirates.iter().filter(|&&place| place == CELL).count() as f32,
        track.home(seat) as f32,
        after.hand.symbols().count() as f32 / 2.0,
        f32::from(farthest.max().unwrap_or(0)) / 15.0,
        f32::from(boat - rear) / 10.0,
        goes_on * f32::from(best_draw(track, seat)) / 2.0,
        (1.0 - goes_on) * f32::from(best_draw(track, next)) / 2.0,
        // How far the leader is decides how much cards are still worth.
        shortage * lack.clamp(-5.0, 15.0) / 15.0,
        (track.pips(leader) as f32 / 100.0) * (cards - needed).max(0.0),
    ]
}

impl Player for LinearPlayer {
    fn choose(&mut self, question: &Question) -> Action {
        let before = Afterstate::before_view(question.view);
        best(&legal_or_pass(question), |action| {
            self.value(question.game, &before.then(action))
        })
    }
}
