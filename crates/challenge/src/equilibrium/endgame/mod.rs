//! The last three tricks of a hand, solved without abstraction by counterfactual regret minimisation on the public
//! tree.
//!
//! All plays are public, so both players see the same tree of public states. At each state every hand of both
//! players is worked on at once (the public tree of Johanson et al. 2011). A *walk* passes through the tree for one
//! player, the *learner*. It goes down with two vectors, the *reach* of both players' hands: the probability that a
//! player with this hand makes the decisions that lead to the state. It comes back with the learner's counterfactual
//! values,
//!
//! ```text
//! v(h) = Σ_g reach(g) · ways(h, g) · payoff(h, g)
//! ```
//!
//! sums over the other's hands `g`; `ways` is the number of ways in which both hands can have been drawn from the
//! cards left. Each decision is one regret-matching choice for each hand.
//!
//! The tree always has the same shape, so it is not stored: regrets and cumulative strategies lie in fixed tables
//! (`two`, `three`). Hands of two cards are matrices of 13 × 16, in which the row is the card kept after a play.
//! Last tricks are worked on eight histories side by side and reduced without loss (`last`). The sums over `g` need
//! no matrix of pairs (`removal`). How regrets and averages are weighed is told in `step`.

mod accepted;
mod answer;
mod below;
mod lanes;
mod last;
mod packed;
mod pair;
mod query;
mod removal;
mod step;
mod terms;
mod three;
mod triple;
mod two;

use super::Stakes;
use super::blueprint::Distribution;
use crate::rules::{Card, Cards, Decision, PublicState, RANKS, Seat};
use accepted::{Accepted, Situation, Stop, TwoCards, Walk};
use lanes::{counts, row};
use last::{Ends, Holding, LastTrick};
use query::Question;
use std::sync::LazyLock;
use step::{Pass, Step};
use terms::{Payoffs, seen_by};
use three::{AcceptedThree, ThreeTricks};
use triple::{PAIRS, Sets};
use two::TwoTricks;

/// The numbering of hands, built at its first use.
static SETS: LazyLock<Sets> = LazyLock::new(Sets::new);

/// Makes the tables that all endgames share, which the first endgame would have to wait for.
pub fn prepare() {
    LazyLock::force(&SETS);
}

/// A hand whose next trick is about to be led, with at most three tricks to go, and both players' ranges.
#[derive(Clone, Debug)]
pub struct Endgame {
    /// The public state: one to three tricks are left, no card is on the table, no offer waits for an answer.
    pub public: PublicState,
    /// The opener's chances to win the game after each outcome.
    pub stakes: Stakes,
    /// The cards that nobody has played; those in both players' hands are among them.
    pub left: Cards,
    /// The range of each player: for each hand, by [number](super::Multisets::index), the likelihood that the player
    /// was dealt this hand with the cards it has played, and decided as it did. The number of ways to draw the hand
    /// from `left` is no part of it: the solver multiplies it in.
    pub reach: [Vec<f32>; 2],
}

/// An endgame that is being solved.
#[derive(Clone)]
pub struct Solver {
    root: Root,
    at: Situation,
    payoffs: Payoffs,
    reach: [Vec<f32>; 2],
    /// The sum over all pairs of hands of both reaches and the number of ways.
    weight: f64,
    iterations: u32,
    /// For each player, the weighted sum of its hands' values over the iterations, and the sum of the weights.
    means: [(Vec<f32>, f32); 2],
}

/// The tables of an endgame, by the number of cards and whether a challenge was accepted.
#[derive(Clone)]
enum Root {
    One(Box<LastTrick>),
    Two(Box<TwoTricks>),
    AcceptedTwo(Box<Accepted>),
    Three(Box<ThreeTricks>),
    AcceptedThree(Box<AcceptedThree>),
}

impl Solver {
    /// A solver before its first iteration: the average strategy is uniform. None if there is nothing to solve: the
    /// hand's result is certain, or only the last trick of an accepted challenge is left.
    pub fn new(endgame: &Endgame) -> Option<Solver> {
        let public = &endgame.public;
        let starts = public.table.is_none() && !public.must_answer() && !public.is_over();
        // A settled hand has one payoff, whatever is played and offered.
        if !starts || public.settled().is_some() {
            return None;
        }
        // The last trick of an accepted challenge falls to `None`: both play their only card.
        let root = match (public.tricks_left(), public.in_challenge()) {
            (1, false) => Root::One(LastTrick::new()),
            (2, false) => Root::Two(Box::new(TwoTricks::new())),
            (2, true) => Root::AcceptedTwo(Box::new(Accepted::new())),
            (3, false) => Root::Three(Box::new(ThreeTricks::new())),
            (3, true) => Root::AcceptedThree(Box::new(AcceptedThree::new())),
            _ => return None,
        };
        // The weight needs the solver's own ranges, so it is set afterwards.
        let mut solver = Solver {
            root,
            at: Situation::of(endgame),
            payoffs: Payoffs::new(&endgame.stakes, public.opener),
            // Scaled apart: a factor of one range changes no decision.
            reach: [scaled(&endgame.reach[0]), scaled(&endgame.reach[1])],
            weight: 1.0,
            iterations: 0,
            means: [(Vec::new(), 0.0), (Vec::new(), 0.0)],
        };
        solver.weight = solver.all_weights();
        Some(solver)
    }

    /// The sum over all pairs of hands of both reaches and the number of ways.
    fn all_weights(&self) -> f64 {
        let sums = self.weights(0);
        let both = sums.iter().zip(&self.reach[0]);
        both.map(|(sum, &reach)| sum * f64::from(reach)).sum()
    }

    /// For each hand of a player, the sum over the other's hands of reach and the number of ways to draw both.
    fn weights(&self, seat: Seat) -> Vec<f64> {
        let theirs = self.reach[1 - seat].iter().map(|&r| f64::from(r));
        // In doubles: the terms of these sums have alternating signs.
        let theirs: Vec<(u16, f64)> = (0..).zip(theirs).collect();
        let cards = self.cards();
        SETS.tables
            .weigh(&counts(&self.at.left), cards, cards, &theirs, 1.0)
    }

    /// How many cards each player holds.
    fn cards(&self) -> usize {
        match &self.root {
            Root::One(_) => 1,
            Root::Two(_) | Root::AcceptedTwo(_) => 2,
            _ => 3,
        }
    }

    /// How many iterations were completed.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Does one iteration, in which both players learn in turn. With three cards all cores take part; the result
    /// does not depend on their number.
    pub fn step(&mut self) {
        self.step_unless(None);
    }

    /// One iteration that can be stopped: `stop` is asked every two milliseconds or so, from any thread. A stopped
    /// iteration leaves the updates that it has made; they do no harm. Returns whether the iteration was completed.
    pub fn step_until(&mut self, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        self.step_unless(Some(stop))
    }

    /// One iteration, given up when `stop` returns true. Returns whether it was completed.
    fn step_unless(&mut self, stop: Option<&Stop>) -> bool {
        // The second player learns against the regrets that the first has just updated: alternating updates, as in
        // CFR+.
        let step = Step::of(self.iterations + 1);
        let completed = (0..2).all(
            |learner| match self.walk(learner, Pass::Learn(step), stop) {
                Some(values) => {
                    let (sums, weight) = &mut self.means[learner];
                    // The sums are empty before the first iteration.
                    sums.resize(values.len(), 0.0);
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum += step.weight * value;
                    }
                    *weight += step.weight;
                    true
                }
                None => false,
            },
        );
        // A stopped iteration is not counted: the next one gets the same weight.
        self.iterations += u32::from(completed);
        completed
    }

    /// For each hand of a player, its mean value over the iterations per pair of hands: its counterfactual value
    /// divided by the weight of the other's hands (Moravčík et al. 2017). In chances to win the game, minus the
    /// value of a tie. 0 where no hand of the other's fits.
    pub fn mean_payoffs(&self, seat: Seat) -> Vec<f32> {
        let (sums, weight) = &self.means[seat];
        self.payoffs_of(seat, sums, 1.0 / weight.max(f32::MIN_POSITIVE))
    }

    /// For each hand of a player, the value of the best response to the other's average strategy, in the same
    /// units.
    pub fn best_payoffs(&mut self, seat: Seat) -> Vec<f32> {
        // A walk without a stop always ends.
        let values = self.walk(seat, Pass::Respond, None).unwrap_or_default();
        self.payoffs_of(seat, &values, 1.0)
    }

    /// Counterfactual values times `factor`, divided by the weight of the other's hands.
    fn payoffs_of(&self, seat: Seat, values: &[f32], factor: f32) -> Vec<f32> {
        // The same sum as in the values, with payoff 1. Both count the ways to draw this player's hand, which cancel.
        let weights = self.weights(seat);
        // A hand that leaves no hand for the other has no payoff.
        let mean = |(&value, &all): (&f32, &f64)| match all > 0.0 {
            true => (f64::from(value * factor) / all) as f32,
            false => 0.0,
        };
        values.iter().zip(&weights).map(mean).collect()
    }

    /// The exploitability of the average strategies: the gain of a best response over the game's value, as the mean
    /// over both players. In chances to win the game.
    pub fn exploitability(&mut self) -> f64 {
        // The game's own value has opposite signs for the two players, so it drops out of the sum.
        let values = [0, 1].map(|seat| self.value(seat, Pass::Respond));
        (values[0] + values[1]) / 2.0
    }

    /// The value for a player of the best response to the other's average strategy, in chances to win the game,
    /// minus the value of a tie.
    pub fn best_value(&mut self, seat: Seat) -> f64 {
        self.value(seat, Pass::Respond)
    }

    /// Replaces the ranges by those of `endgame`, for [`best_value`](Solver::best_value) against them.
    pub fn with_ranges_of(mut self, endgame: &Endgame) -> Solver {
        self.reach = [0, 1].map(|seat| scaled(&endgame.reach[seat]));
        self.weight = self.all_weights();
        self
    }

    /// The mean value of a player's hands, weighed by how likely each pair of hands is.
    fn value(&mut self, seat: Seat, pass: Pass) -> f64 {
        let values = self.walk(seat, pass, None).unwrap_or_default();
        let both = values.iter().zip(&self.reach[seat]);
        let sum: f64 = both
            .map(|(&value, &reach)| f64::from(value) * f64::from(reach))
            .sum();
        // Values already contain the other's reach and the ways. This player's reach completes each pair's weight.
        sum / self.weight
    }

    /// The learner's counterfactual values of all its hands. None if the walk was stopped.
    fn walk(&mut self, learner: Seat, pass: Pass, stop: Option<&Stop>) -> Option<Vec<f32>> {
        let walk = Walk {
            payoffs: &self.payoffs,
            learner,
            pass,
            stop,
        };
        if walk.is_stopped() {
            return None;
        }
        let reach = [&self.reach[0], &self.reach[1]];
        Some(match &mut self.root {
            Root::Three(root) => root.visit(&walk, &SETS, &self.at, reach)?,
            Root::AcceptedThree(root) => root.visit(&walk, &SETS, &self.at, reach)?,
            Root::Two(root) => of_pairs(&mut **root, &walk, &self.at, reach),
            Root::AcceptedTwo(root) => of_pairs(&mut **root, &walk, &self.at, reach),
            // One history only: the first of the eight lanes. The others stay 0.
            Root::One(root) => {
                let lead = self.at.lead;
                let cards = |seat: Seat| {
                    let mut cards = [[0.0; last::LANES]; RANKS];
                    for (lane, &reach) in cards.iter_mut().zip(&self.reach[seat]) {
                        lane[0] = reach;
                    }
                    cards
                };
                let mut left = [[0.0; last::LANES]; RANKS];
                for (lane, &count) in left.iter_mut().zip(&self.at.left) {
                    lane[0] = count;
                }
                let ends = Ends::new(self.payoffs.of(lead), seen_by(lead, self.at.ahead));
                // A trick that cannot change the result leaves nothing to decide. `new` refuses such hands.
                let Some(ends) = ends else {
                    return Some(vec![0.0; RANKS]);
                };
                let holding = Holding {
                    left: &left,
                    leader: &cards(lead),
                    follower: &cards(1 - lead),
                };
                // The last trick has one walk for each side: the leader decides by its card, the follower by both.
                let values = match learner == lead {
                    true => root.leader(&ends, &holding, &pass),
                    false => root.follower(&ends, &holding, &pass),
                };
                values.iter().map(|lane| lane[0]).collect()
            }
        })
    }

    /// The average strategy after some decisions of the endgame, for the player to act who holds the cards `own`
    /// (without one on the table). None where the hand's result is certain, or at a state that cannot be reached.
    pub fn strategy(&self, log: &[Decision], own: Cards) -> Option<Distribution> {
        let question = Question {
            payoffs: &self.payoffs,
            sets: &SETS,
            own,
        };
        // Each kind of endgame looks up its part of the log.
        match &self.root {
            Root::Three(root) => root.strategy(&question, &self.at, log),
            Root::AcceptedThree(root) => root.strategy(&question, log),
            Root::Two(root) => root.strategy(&question, &self.at, log),
            Root::AcceptedTwo(root) => root.strategy(own, log),
            Root::One(root) => root.strategy(&question, &self.at, 0, log),
        }
    }
}

impl Situation {
    /// The situation at the start of an endgame.
    fn of(endgame: &Endgame) -> Situation {
        // Rows are longer than there are ranks; the padding has no cards.
        let left = row(|rank| match Card::new(rank as u8 + 1) {
            Some(card) => f32::from(endgame.left.count(card)),
            None => 0.0,
        });
        Situation {
            left,
            ahead: endgame.public.ahead(0),
            lead: endgame.public.lead,
        }
    }
}

/// The values of hands of two cards, which go in and come out by number, and are walked as matrices.
fn of_pairs(
    tables: &mut impl TwoCards,
    walk: &Walk,
    at: &Situation,
    reach: [&Vec<f32>; 2],
) -> Vec<f32> {
    let [one, two] = reach.map(|reach| {
        let mut pairs = [0.0; PAIRS];
        pairs.copy_from_slice(reach);
        SETS.matrix(&pairs)
    });
    let mut pairs = [0.0; PAIRS];
    SETS.add(&mut pairs, 1.0, &tables.visit(walk, at, [&one, &two]));
    pairs.to_vec()
}

/// The same range, scaled so that its likeliest hand has weight 1. Only ratios matter, and the reach of a long
/// history can be small for an `f32`.
fn scaled(reach: &[f32]) -> Vec<f32> {
    // A range without any weight stays 0 instead of dividing by 0.
    let most = reach.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    reach.iter().map(|reach| reach / most).collect()
}

#[cfg(test)]
mod tests;
