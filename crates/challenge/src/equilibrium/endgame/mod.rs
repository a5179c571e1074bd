//! The last three tricks of a hand, solved without abstraction.
//!
//! The public tree of an endgame always has the same shape, so nothing of it is stored: regrets and sums of the
//! average strategy lie in fixed tables, and a walk goes over them with a number for each set of cards that a player
//! may hold (Johanson et al. 2011). Sets of two cards are matrices of 13 × 16, in which a row is what is left after
//! a card is played; last tricks are worked on eight histories side by side and reduced without loss (`last`); the
//! removal of cards needs no matrix of pairs (`removal`). Regrets and averages are weighed by a [`Variant`].

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

pub use step::Variant;

use super::Stakes;
use super::blueprint::Distribution;
use crate::rules::{Card, Cards, Decision, PublicState, RANKS, Seat};
use accepted::{Accepted, Situation, Stop, TwoCards, Walk};
use lanes::row;
use last::{Ends, Holding, LastTrick};
use query::Question;
use std::sync::LazyLock;
use step::Pass;
use terms::{Payoffs, seen_by};
use three::{AcceptedThree, ThreeTricks};
use triple::{PAIRS, Sets};
use two::TwoTricks;

static SETS: LazyLock<Sets> = LazyLock::new(Sets::new);

/// A hand whose next trick is about to be led, with at most three to go, and the ranges of both players.
#[derive(Clone, Debug)]
pub struct Endgame {
    /// What is public: one to three tricks are left, nothing is on the table, no offer waits for an answer.
    pub public: PublicState,
    /// What the hand is worth.
    pub stakes: Stakes,
    /// The cards that nobody has played, those of both players included.
    pub left: Cards,
    /// By player, for each of its sets of cards by [number](super::Multisets::index), how likely it is that it has been
    /// dealt and has played so: apart from the number of ways to draw what is still held from `left`, which the
    /// solver sees to.
    pub reach: [Vec<f32>; 2],
}

/// An endgame that is being solved.
#[derive(Clone)]
pub struct Solver {
    root: Root,
    at: Situation,
    payoffs: Payoffs,
    reach: [Vec<f32>; 2],
    /// The weight of all pairs of hands.
    weight: f64,
    variant: Variant,
    iterations: u32,
    /// By player, the weighted sum of the values of its hands over the iterations, and the sum of the weights.
    means: [(Vec<f32>, f32); 2],
}

#[derive(Clone)]
enum Root {
    One(Box<LastTrick>),
    Two(Box<TwoTricks>),
    AcceptedTwo(Box<Accepted>),
    Three(Box<ThreeTricks>),
    AcceptedThree(Box<AcceptedThree>),
}

impl Solver {
    /// Before the first iteration: the average strategy is uniform. None if there is nothing to be solved: the
    /// hand's result is certain, or only the last trick of an accepted challenge is left.
    pub fn new(endgame: &Endgame, variant: Variant) -> Option<Solver> {
        let public = &endgame.public;
        let starts = public.table.is_none() && !public.must_answer() && !public.is_over();
        if !starts || public.settled().is_some() {
            return None;
        }
        let root = match (public.tricks_left(), public.in_challenge()) {
            (1, false) => Root::One(Box::new(LastTrick::new())),
            (2, false) => Root::Two(Box::new(TwoTricks::new())),
            (2, true) => Root::AcceptedTwo(Box::new(Accepted::new())),
            (3, false) => Root::Three(Box::new(ThreeTricks::new())),
            (3, true) => Root::AcceptedThree(Box::new(AcceptedThree::new())),
            _ => return None,
        };
        let mut solver = Solver {
            root,
            at: Situation::of(endgame),
            payoffs: Payoffs::new(&endgame.stakes, public.opener),
            reach: [scaled(&endgame.reach[0]), scaled(&endgame.reach[1])],
            weight: 1.0,
            variant,
            iterations: 0,
            means: [(Vec::new(), 0.0), (Vec::new(), 0.0)],
        };
        solver.weight = solver.all_weights();
        Some(solver)
    }

    /// The sum of the weights of all pairs of hands.
    fn all_weights(&self) -> f64 {
        weight_of_pairs(&self.at, self.cards(), &self.reach)
    }

    /// How many cards both hold.
    fn cards(&self) -> usize {
        match &self.root {
            Root::One(_) => 1,
            Root::Two(_) | Root::AcceptedTwo(_) => 2,
            _ => 3,
        }
    }

    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Does one iteration: both players in turn. With three cards all cores take part; the result does not depend on
    /// how many there are.
    pub fn step(&mut self) {
        self.step_unless(None);
    }

    /// The same if it is not stopped: `stop` is asked every two milliseconds or so, from any thread. A part that was done
    /// before stays, and does no harm. Returns whether the iteration was completed.
    pub fn step_until(&mut self, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        self.step_unless(Some(stop))
    }

    fn step_unless(&mut self, stop: Option<&Stop>) -> bool {
        let step = self.variant.step(self.iterations + 1);
        let completed = (0..2).all(
            |learner| match self.walk(learner, Pass::Learn(step), stop) {
                Some(values) => {
                    let (sums, weight) = &mut self.means[learner];
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
        self.iterations += u32::from(completed);
        completed
    }

    /// What each set of cards of a player wins on average over the iterations, in chances to win the game more than a
    /// tie is worth: its counterfactual value by the weight of the other's hands (Moravčík et al. 2017). 0 where the
    /// other holds nothing that fits.
    pub fn mean_payoffs(&self, seat: Seat) -> Vec<f32> {
        let (sums, weight) = &self.means[seat];
        self.payoffs_of(seat, sums, 1.0 / weight.max(f32::MIN_POSITIVE))
    }

    /// What each set of cards of a player wins by the best response to the other's average strategy, in the same units.
    pub fn best_payoffs(&mut self, seat: Seat) -> Vec<f32> {
        let values = self.walk(seat, Pass::Respond, None).unwrap_or_default();
        self.payoffs_of(seat, &values, 1.0)
    }

    /// Counterfactual values times a factor by the weight of the other's hands.
    fn payoffs_of(&self, seat: Seat, values: &[f32], factor: f32) -> Vec<f32> {
        let mut counts = [0.0; RANKS];
        for (count, &left) in counts.iter_mut().zip(&self.at.left) {
            *count = f64::from(left);
        }
        let theirs = self.reach[1 - seat].iter().map(|&r| f64::from(r));
        let theirs: Vec<(u16, f64)> = (0..).zip(theirs).collect();
        let cards = self.cards();
        let weights = SETS.tables.weigh(&counts, cards, cards, &theirs, 1.0);
        let mean = |(&value, &all): (&f32, &f64)| match all > 0.0 {
            true => (f64::from(value * factor) / all) as f32,
            false => 0.0,
        };
        values.iter().zip(&weights).map(mean).collect()
    }

    /// How much the average strategies lose to best responses, on average over both players, in chances to win the
    /// game.
    pub fn exploitability(&mut self) -> f64 {
        let values = [0, 1].map(|seat| self.value(seat, Pass::Respond));
        (values[0] + values[1]) / 2.0
    }

    /// What a player wins by the best response to the other's average strategy, in chances to win the game more than
    /// a tie is worth.
    pub fn best_value(&mut self, seat: Seat) -> f64 {
        self.value(seat, Pass::Respond)
    }

    /// Takes other ranges than those it was solved with, for [`best_value`](Solver::best_value) against them.
    pub fn with_ranges_of(mut self, endgame: &Endgame) -> Solver {
        self.reach = [0, 1].map(|seat| scaled(&endgame.reach[seat]));
        self.weight = self.all_weights();
        self
    }

    fn value(&mut self, seat: Seat, pass: Pass) -> f64 {
        let values = self.walk(seat, pass, None).unwrap_or_default();
        let both = values.iter().zip(&self.reach[seat]);
        let sum: f64 = both
            .map(|(&value, &reach)| f64::from(value) * f64::from(reach))
            .sum();
        sum / self.weight
    }

    /// The learner's counterfactual values of all its sets of cards; none if it was stopped.
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
        let pairs = |reach: &Vec<f32>| {
            let mut pairs = [0.0; PAIRS];
            pairs.copy_from_slice(reach);
            SETS.matrix(&pairs)
        };
        let of_pairs = |values| {
            let mut pairs = [0.0; PAIRS];
            SETS.add(&mut pairs, 1.0, &values);
            pairs.to_vec()
        };
        let triples = [&self.reach[0], &self.reach[1]];
        Some(match &mut self.root {
            Root::Three(root) => root.visit(&walk, &SETS, &self.at, triples)?,
            Root::AcceptedThree(root) => root.visit(&walk, &SETS, &self.at, triples)?,
            Root::Two(root) => {
                let reach = triples.map(pairs);
                of_pairs(root.visit(&walk, &self.at, [&reach[0], &reach[1]]))
            }
            Root::AcceptedTwo(root) => {
                let reach = triples.map(pairs);
                of_pairs(root.visit(&walk, &self.at, [&reach[0], &reach[1]]))
            }
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
                let Some(ends) = ends else {
                    return Some(vec![0.0; RANKS]);
                };
                let holding = Holding {
                    left: &left,
                    leader: &cards(lead),
                    follower: &cards(1 - lead),
                };
                let values = match learner == lead {
                    true => root.leader(&ends, &holding, &pass),
                    false => root.follower(&ends, &holding, &pass),
                };
                values.iter().map(|lane| lane[0]).collect()
            }
        })
    }

    /// How the average strategy decides after some decisions of the endgame, for the player to act who holds these
    /// cards (without one on the table). None where the hand's result is certain, or where nobody can come.
    pub fn strategy(&self, log: &[Decision], own: Cards) -> Option<Distribution> {
        let question = Question {
            payoffs: &self.payoffs,
            sets: &SETS,
            own,
        };
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
    /// At the start of an endgame.
    fn of(endgame: &Endgame) -> Situation {
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

/// The sum of the weights of all pairs of hands of so many cards.
fn weight_of_pairs(at: &Situation, cards: usize, reach: &[Vec<f32>; 2]) -> f64 {
    let mut counts = [0.0; RANKS];
    for (count, &left) in counts.iter_mut().zip(&at.left) {
        *count = f64::from(left);
    }
    let theirs = reach[1].iter().map(|&r| f64::from(r));
    let theirs: Vec<(u16, f64)> = (0..).zip(theirs).collect();
    let sums = SETS.tables.weigh(&counts, cards, cards, &theirs, 1.0);
    let both = sums.iter().zip(&reach[0]);
    both.map(|(sum, &reach)| sum * f64::from(reach)).sum()
}

/// A range whose likeliest hand has the weight 1.
fn scaled(reach: &[f32]) -> Vec<f32> {
    let most = reach.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    reach.iter().map(|reach| reach / most).collect()
}

#[cfg(test)]
mod tests;
