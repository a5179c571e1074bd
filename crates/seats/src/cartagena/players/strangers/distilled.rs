//! A distilled policy: it imitates the choices of a tree search without searching.
//!
//! Every legal action has two dozen features of *what the action does*, such as the length of a jump, and not of how
//! good the position is. The chance that the tree search takes an action is modelled as a conditional logit
//! (McFadden 1974): P(a) = exp(w · f(a)) / Σ exp(w · f(b)) over all legal b. `lab::cartagena::teach` finds
//! the weights w that make the choices of `mcts` likeliest, and the player takes the likeliest action.

use super::{best, best_draw, cards_needed, legal_or_pass};
use cartagena::evaluation::Afterstate;
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, CELL, Game};

/// The number of features.
pub const FEATURES: usize = 24;

/// The weights of the features, in their order; made by
/// `lab cartagena strangers --teach distilled --rounds 24 --seed 77`.
const WEIGHTS: [f32; FEATURES] = [
    -1.3059, 1.3808, 1.6356, -0.4463, 3.4261, -1.9436, -0.1588, 1.3112, 0.7369, -0.0558, 0.7742,
    0.2216, 0.6555, 1.9461, 0.6401, -1.4605, -3.1495, 0.7525, -0.9243, -0.3816, 0.3385, -0.7551,
    1.3461, -0.5336,
];

/// The player. It keeps nothing between actions.
#[derive(Clone, Copy, Debug)]
pub struct Distilled {
    weights: [f32; FEATURES],
}

impl Default for Distilled {
    fn default() -> Distilled {
        Distilled { weights: WEIGHTS }
    }
}

/// The circumstances of a decision that all its actions share.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances {
    after: Afterstate,
    /// How many cards the player lacks for the way home, as a guess, in tens; negative if it has more.
    shortage: f32,
    /// Whether another player lacks fewer than two.
    late: f32,
}

impl Circumstances {
    /// The circumstances of the seat that is asked.
    pub fn of(question: &Question) -> Circumstances {
        let view = question.view;
        let lack =
            |player: usize| cards_needed(&view.track, player) - f32::from(view.hand_sizes[player]);
        let mut others = (0..question.game.players).filter(|&player| player != view.seat);
        Circumstances {
            after: Afterstate::before_view(view),
            shortage: lack(view.seat) / 10.0,
            late: f32::from(u8::from(others.any(|player| lack(player) < 2.0))),
        }
    }

    /// The features of an action.
    pub fn features(&self, game: &Game, action: Action) -> [f32; FEATURES] {
        let mut features = [0.0; FEATURES];
        let Some((from, to)) = action.places() else {
            return features;
        };
        let track = &self.after.track;
        let after = self.after.then(action);
        let boat = track.boat();
        let yes = |condition: bool| f32::from(u8::from(condition));
        let way = f32::from(from.abs_diff(to)) / 10.0;
        let pirates = track.pirates(self.after.seat);
        let behind = pirates.iter().filter(|&&place| place < from).count() as f32 / 6.0;
        // Advances and retreats have features of their own, since the same length means the opposite.
        if let Some(symbol) = action.card() {
            let enough = yes(self.shortage <= 0.0);
            features[..13].copy_from_slice(&[
                1.0,
                way,
                f32::from(boat - from) / 36.0,
                yes(from == CELL),
                yes(to == boat),
                behind,
                self.shortage,
                enough,
                way * enough,
                behind * enough,
                self.late,
                way * self.late,
                f32::from(self.after.hand.count(symbol)) / 3.0,
            ]);
        } else {
            let draws = f32::from(after.draws);
            features[13..22].copy_from_slice(&[
                draws,
                yes(after.draws == 2),
                way,
                yes(from == boat),
                draws * self.shortage,
                way * self.shortage,
                draws * self.late,
                behind,
                way * self.late,
            ]);
        }
        // The next retreat is the player's own while its turn goes on, and then the next player's.
        let next = (self.after.seat + 1) % game.players;
        match after.actions_left > 0 {
            true => features[22] = f32::from(best_draw(&after.track, self.after.seat)),
            false => features[23] = f32::from(best_draw(&after.track, next)),
        }
        features
    }

    /// Whether the action wins the game.
    fn wins(&self, action: Action) -> bool {
        self.after.then(action).won()
    }
}

impl Player for Distilled {
    fn choose(&mut self, question: &Question) -> Action {
        let before = Circumstances::of(question);
        best(&legal_or_pass(question), |action| {
            if before.wins(action) {
                return f32::INFINITY;
            }
            let features = before.features(question.game, action);
            features.iter().zip(self.weights).map(|(f, w)| f * w).sum()
        })
    }
}
