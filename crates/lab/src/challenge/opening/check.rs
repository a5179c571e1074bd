//! How much the player that opens without abstraction and solves endgames loses over a whole hand.

use super::choice::Pass;
use super::place::leaf;
use super::sets::Sets;
use super::training::HandGame;
use super::tree::Tree;
use super::values::{EndgameValues, endgame, solved};
use challenge::equilibrium::blueprint::Opened;
use challenge::equilibrium::endgame::{Endgame, Solver};
use challenge::equilibrium::{ResolvingSettings, Stakes};
use challenge::rules::Seat;
use engine::rng::{Random, stream};
use std::sync::Arc;

/// Iterations of two cards at most. A hand wants 169 such solutions; the player takes more at the table, so that it loses a
/// little less than what is found with these.
const MOST_OF_TWO: u32 = 60;

/// A player's first two tricks, with a value function of its own for what comes after.
///
/// A best response in the first two tricks is found by that function. What it wins in truth is sampled: where it comes to
/// the third trick the player's own solution is computed, two cards solved anew as at the table, and the exact best
/// response to that. So the sum is what one opponent wins who knows the player: a lower bound on its exploitability, and
/// near to it as far as the function is near to the truth.
pub struct OpeningCheck {
    game: Arc<HandGame>,
    tree: Tree,
    values: EndgameValues,
    /// Iterations of endgames of two cards and of three.
    iterations: [u32; 2],
}

impl OpeningCheck {
    /// Of a player that plays so before the third trick, and solves endgames of two cards and of three with so many
    /// iterations. `endgames` is how many are solved for the value function; `solved` is called after every few of them
    /// with how many they were.
    pub fn new(
        opened: Opened,
        stakes: Stakes,
        (endgames, iterations): (u32, [u32; 2]),
        seed: u64,
        solved: impl FnMut(u32),
    ) -> OpeningCheck {
        let game = Arc::new(HandGame::new(opened.strategy, stakes));
        OpeningCheck::of(game, opened, (endgames, iterations), seed, solved)
    }

    pub(super) fn of(
        game: Arc<HandGame>,
        opened: Opened,
        (endgames, iterations): (u32, [u32; 2]),
        seed: u64,
        solved: impl FnMut(u32),
    ) -> OpeningCheck {
        let tree = Tree::of(&game.sets, &|public, own| opened.played(public, own));
        let rng = |number: u32| stream(seed, 1 << 40 | u64::from(number));
        let values = game.values_of(&tree, (endgames, iterations[1]), rng, solved);
        OpeningCheck {
            values,
            iterations,
            game,
            tree,
        }
    }

    /// What a best response of one player in the first two tricks wins by the value function, in chances to win the game
    /// more than a tie is worth. [`more`](OpeningCheck::more) is about that response.
    pub fn best(&mut self, seat: Seat) -> f64 {
        self.game
            .value(&mut self.tree, &self.values, seat, Pass::Respond)
    }

    /// What that response wins more in truth, in one hand: 0 where the third trick is not reached. The mean over many
    /// is the difference.
    pub fn more(&self, seat: Seat, rng: &mut Random) -> f64 {
        let sets = &self.game.sets;
        let played = self.tree.play(rng, |turn, rng| match turn.seat == seat {
            true => turn.best(),
            false => turn.decision(sets, rng),
        });
        let Some((plays, hands)) = played else {
            return 0.0;
        };
        let hand = Sets::number(hands[seat]);
        let truth = self.tree.ranges(sets, &plays, [0.0; 2]);
        let strengths = self.game.strengths(&plays, &truth);
        // Not compared anew: that is the value by which the response was found.
        let value = self.values.balanced(leaf(&plays), &strengths[seat], None)[hand];
        // The player takes the other to stray, and itself not.
        let mut stray = [0.0; 2];
        stray[seat] = ResolvingSettings::default().stray;
        let ranges = self.tree.ranges(sets, &plays, stray);
        let endgame = endgame(&plays, &self.game.stakes, ranges);
        let Some(mut solver) = solved(&endgame, self.iterations[1]) else {
            return 0.0;
        };
        self.solve_two_cards(&mut solver, &endgame, stray);
        f64::from(solver.best_payoffs(seat)[hand] - value)
    }

    /// Solves two cards anew after every way to play the third trick, as the player does there.
    fn solve_two_cards(&self, solver: &mut Solver, endgame: &Endgame, stray: [f32; 2]) {
        for log in solver.first_tricks() {
            let below = solver.after(endgame, &log, stray);
            if let Some(two) = solved(&below, self.iterations[0].min(MOST_OF_TWO)) {
                solver.replace(&log, two);
            }
        }
    }
}
