//! Samples how much a player that opens without abstraction and then solves endgames loses over a whole hand,
//! for `lab challenge exploit --exact`.

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

/// The most iterations for two cards: each sampled hand needs 169 such solutions. In a game the player takes
/// more iterations, so it loses a little less than is found with these.
const MOST_OF_TWO: u32 = 60;

/// The first two tricks of the player that is checked, with a value function for the endgames after them.
///
/// With the value function a best response in the first two tricks is found. The true gain of this response is
/// sampled: where a hand reaches the third trick, the player's own solution is computed there, with two cards
/// solved anew as in a game, and then the exact best response to it. The sum is the gain of one opponent that
/// knows the player. So it is a lower bound on the player's exploitability, and the closer to it, the better the
/// value function is.
pub struct OpeningCheck {
    game: Arc<HandGame>,
    tree: Tree,
    values: EndgameValues,
    /// Iterations of endgames, with two cards and with three.
    iterations: [u32; 2],
}

impl OpeningCheck {
    /// Checks the player that opens with `opened` and solves endgames of two cards and of three
    /// with `iterations`. The value function learns from `endgames` endgames; `solved` is called after
    /// every few with their number.
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

    /// As [`new`](OpeningCheck::new), with a hand game that exists already.
    pub(super) fn of(
        game: Arc<HandGame>,
        opened: Opened,
        (endgames, iterations): (u32, [u32; 2]),
        seed: u64,
        solved: impl FnMut(u32),
    ) -> OpeningCheck {
        let tree = Tree::of(&game.sets, &|public, own| opened.played(public, own));
        // The value function is learnt anew, from endgames that the checked player reaches. Its streams begin at
        // 2^40; a training's have the iteration in the bits from 32 on, so its first 255 iterations have others.
        let rng = |number: u32| stream(seed, 1 << 40 | u64::from(number));
        let values = game.values_of(&tree, (endgames, iterations[1]), rng, solved);
        OpeningCheck {
            values,
            iterations,
            game,
            tree,
        }
    }

    /// The gain of a best response of one player in the first two tricks, by the value function, in
    /// chances to win the game above those of a tie. [`more`](OpeningCheck::more) corrects it.
    pub fn best(&mut self, seat: Seat) -> f64 {
        self.game
            .value(&mut self.tree, &self.values, seat, Pass::Respond)
    }

    /// The true gain of the response that [`best`](OpeningCheck::best) has found, in one sampled hand, less
    /// its gain by the value function; 0 if the third trick is not reached. The mean over many hands is the
    /// correction.
    pub fn more(&self, seat: Seat, rng: &mut Random) -> f64 {
        let sets = &self.game.sets;
        // The responder plays its best response, the checked player its averages.
        let played = self.tree.play(rng, |turn, rng| match turn.seat == seat {
            true => turn.best(),
            false => turn.decision(sets, rng),
        });
        let Some((plays, hands)) = played else {
            return 0.0;
        };
        let hand = Sets::number(hands[seat]);
        // The true ranges, as in the walk that found the response: both players by the averages.
        let truth = self.tree.ranges(sets, &plays, [0.0; 2]);
        let strengths = self.game.strengths(&plays, &truth);
        // With the shift of the last comparison: this is the value that the response was found with.
        let value = self.values.balanced(leaf(&plays), &strengths[seat], None)[hand];
        // As the player assumes it at the table, where its opponent is the responder.
        let stray = ResolvingSettings::default().strays(1 - seat);
        let ranges = self.tree.ranges(sets, &plays, stray);
        let endgame = endgame(&plays, &self.game.stakes, ranges);
        let Some(mut solver) = solved(&endgame, self.iterations[1]) else {
            return 0.0;
        };
        self.solve_two_cards(&mut solver, &endgame, stray);
        // An exact response to the solution, from the third trick on.
        f64::from(solver.best_payoffs(seat)[hand] - value)
    }

    /// Solves two cards anew after every way to play the third trick, as the player does at the
    /// table.
    fn solve_two_cards(&self, solver: &mut Solver, endgame: &Endgame, stray: [f32; 2]) {
        for log in solver.first_tricks() {
            let below = solver.after(endgame, &log, stray);
            if let Some(two) = solved(&below, self.iterations[0].min(MOST_OF_TWO)) {
                solver.replace(&log, two);
            }
        }
    }
}
