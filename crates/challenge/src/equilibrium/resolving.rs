//! Solves the end of a hand while it is played.
//!
//! When both players hold three cards, a player solves the endgame from the ranges that both strategies lead to.
//! With two cards left it solves the smaller endgame again, from the ranges of the first solution. This is unsafe in
//! theory: the opponent may have deviated before, and its true range may be another one. `stray` softens the error,
//! since every hand of the opponent keeps some probability.

use super::blueprint::{Distribution, probability_of};
use super::endgame::{Endgame, Solver};
use super::{History, Multisets, Policy, Stakes};
use crate::rules::{Cards, Decision, PublicState, Seat};
use std::time::Instant;

/// How many cards each player holds when the first endgame of a hand is solved.
pub const MOST_SOLVED: usize = 3;

/// The default of [`ResolvingSettings::least`]. Endgames of three cards that occur in play lose 0.86 of a point after 8
/// iterations and 0.41 after 12; the tables lose 0.84 in the last three tricks (docs/measurements/challenge.md).
pub const LEAST_ITERATIONS: u32 = 12;

/// The assumed probability that the solving player itself deviates at a decision.
const OWN_STRAY: f32 = 1e-3;

/// How a player solves endgames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvingSettings {
    /// At every decision, the assumed probability that the opponent deviates from the strategy.
    pub stray: f32,
    /// Solutions of fewer iterations are not used: the policy is nearer to equilibrium.
    pub least: u32,
}

impl Default for ResolvingSettings {
    fn default() -> ResolvingSettings {
        ResolvingSettings {
            stray: 0.01,
            least: LEAST_ITERATIONS,
        }
    }
}

/// How long endgames are solved. A function of the number of cards and of the iterations done implements it.
pub trait Effort {
    /// Whether to do one more iteration. It is asked before the first one, too.
    fn goes_on(&mut self, cards: usize, done: u32) -> bool;

    /// The time at which an iteration under way is given up; none if never.
    fn deadline(&self, cards: usize) -> Option<Instant> {
        let _ = cards;
        None
    }
}

impl<F: FnMut(usize, u32) -> bool + ?Sized> Effort for F {
    fn goes_on(&mut self, cards: usize, done: u32) -> bool {
        self(cards, done)
    }
}

/// The knowledge of a player about a hand, apart from its cards.
pub struct HandSoFar<'a> {
    pub seat: Seat,
    /// The seat that led the first trick.
    pub opener: Seat,
    /// All decisions of the hand, in order.
    pub log: &'a [Decision],
    /// The opener's chances to win the game after each outcome.
    pub stakes: Stakes,
    /// The cards that both hands were dealt from.
    pub deck: Cards,
    /// The strategy of both before the first endgame.
    pub policy: Policy<'a>,
}

/// The endgames of one hand as one player solves them. The policy gives the ranges with which the endgame of three cards
/// starts. The solution of that gives the ranges for two cards.
#[derive(Clone)]
pub struct Resolving {
    settings: ResolvingSettings,
    solved: Vec<Solved>,
    /// The fewest cards of an endgame that was begun, whether its solution is used or not. No endgame is begun
    /// twice.
    begun: usize,
}

/// An endgame with its solution.
#[derive(Clone)]
struct Solved {
    /// How many decisions of the hand came before the endgame.
    from: usize,
    endgame: Endgame,
    solver: Solver,
}

impl Resolving {
    /// The state at the start of a hand: nothing is solved yet.
    pub fn new(settings: ResolvingSettings) -> Resolving {
        Resolving {
            settings,
            solved: Vec::new(),
            begun: MOST_SOLVED + 1,
        }
    }

    /// The iterations of the endgame solved last; 0 before the first one.
    pub fn iterations(&self) -> u32 {
        self.solved
            .last()
            .map_or(0, |last| last.solver.iterations())
    }

    /// The strategy of the player to act with the cards `own` (without one on the table). None before the first
    /// endgame, where the result is certain, and if there was too little time to solve.
    pub fn strategy(
        &mut self,
        hand: &HandSoFar,
        own: Cards,
        effort: &mut (impl Effort + ?Sized),
    ) -> Option<Distribution> {
        self.solve(hand, effort);
        // The smallest endgame that was solved answers. If the one of two cards was not, the one of three covers it
        // as well.
        let last = self.solved.last()?;
        last.solver.strategy(&hand.log[last.from..], own)
    }

    /// Solves the endgames that have begun and were not tried yet.
    pub fn solve(&mut self, hand: &HandSoFar, effort: &mut (impl Effort + ?Sized)) {
        for cards in (2..self.begun).rev() {
            let Some(history) = History::of(hand.opener, hand.log, cards) else {
                return;
            };
            self.begun = cards;
            // If the next smaller endgame has begun as well, this one could only give it ranges; the time is better
            // spent there.
            let is_over = cards > 2 && History::of(hand.opener, hand.log, cards - 1).is_some();
            if !is_over && let Some(solved) = self.next(hand, &history, effort) {
                self.solved.push(solved);
            }
        }
    }

    /// The solution of the endgame after a history. None if there is nothing to solve or too little time.
    fn next(
        &self,
        hand: &HandSoFar,
        history: &History,
        effort: &mut (impl Effort + ?Sized),
    ) -> Option<Solved> {
        let from = history.len();
        let stray = self.settings.strays(hand.seat);
        let cards = history.public().tricks_left();
        // Asked first, so that no tables are allocated for an endgame that is not solved.
        if !effort.goes_on(cards, 0) {
            return None;
        }
        // The ranges come from the larger endgame's solution if there is one, else from the policy.
        let endgame = match self.solved.last() {
            Some(last) => {
                let log = &hand.log[last.from..from];
                last.solver.after(&last.endgame, log, stray)
            }
            None => history.endgame(hand.policy, stray, hand.stakes, hand.deck),
        };
        let mut solver = Solver::new(&endgame)?;
        let deadline = effort.deadline(cards);
        let stop = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        // An iteration that is given up counts for nothing.
        while solver.step_until(&stop) && effort.goes_on(cards, solver.iterations()) {}
        (solver.iterations() >= self.settings.least).then_some(Solved {
            from,
            endgame,
            solver,
        })
    }

    /// The solution of the endgame that follows the one solved last, as [`solve`](Resolving::solve) would find it,
    /// without keeping it.
    pub fn solution_after(
        &self,
        hand: &HandSoFar,
        effort: &mut (impl Effort + ?Sized),
    ) -> Option<Solver> {
        let cards = self.solved.last()?.endgame.public.tricks_left() - 1;
        let history = (cards > 1).then(|| History::of(hand.opener, hand.log, cards))??;
        let solved = self.next(hand, &history, effort)?;
        Some(solved.solver)
    }

    /// The endgame that was solved last, with its solution.
    pub fn last(&self) -> Option<(&Endgame, &Solver)> {
        let last = self.solved.last()?;
        Some((&last.endgame, &last.solver))
    }
}

impl ResolvingSettings {
    /// By player, the assumed probability of deviating, where `seat` solves.
    ///
    /// The solving player follows its strategy, unless an `Exploiter` has replaced a decision. With probability 0 its
    /// true hand would then have reach 0. Average strategies are weighted by reach, so that hand would have no average
    /// strategy and would be played at random.
    pub fn strays(&self, seat: Seat) -> [f32; 2] {
        let mut stray = [self.stray; 2];
        stray[seat] = OWN_STRAY;
        stray
    }
}

impl Solver {
    /// The endgame after some decisions that end a trick, if both play by the average strategy of this one. `stray`
    /// is each player's probability of deviating from it, at every decision.
    pub fn after(&self, endgame: &Endgame, log: &[Decision], stray: [f32; 2]) -> Endgame {
        let mut states: Vec<PublicState> = vec![endgame.public];
        for &decision in log {
            let last = states.last().copied().unwrap_or(endgame.public);
            states.push(last.after(decision));
        }
        let public = states.last().copied().unwrap_or(endgame.public);
        let sets = Multisets::new(public.tricks_left());
        let reach = [0, 1].map(|seat: Seat| {
            // The hand at the start of this endgame: the cards left and those played in it.
            let played = public.played[seat].minus(endgame.public.played[seat]);
            let of = |&left: &Cards| {
                let mut held = left.plus(played);
                let mut reach = endgame.reach[seat][Multisets::index(held)];
                for (number, &decision) in log.iter().enumerate() {
                    if reach <= 0.0 {
                        break;
                    }
                    if states[number].to_act() != seat {
                        continue;
                    }
                    // The solver has no strategy if the hand's result is certain. A decision then shows nothing:
                    // probability 1.
                    let chosen = self.strategy(&log[..number], held);
                    let probability =
                        chosen.map_or(1.0, |chosen| probability_of(&chosen, decision));
                    reach *= stray[seat] + (1.0 - stray[seat]) * probability;
                    if let Decision::Play(card) = decision {
                        held.remove(card);
                    }
                }
                reach
            };
            let reach: Vec<f32> = sets.all().iter().map(of).collect();
            match reach.iter().any(|&reach| reach > 0.0) {
                true => reach,
                // No hand of the player decides so by the strategy: the decisions say nothing, and the range stays
                // as it was.
                false => {
                    let before =
                        |left: &Cards| endgame.reach[seat][Multisets::index(left.plus(played))];
                    sets.all().iter().map(before).collect()
                }
            }
        });
        let played = public.played[0].plus(public.played[1]);
        let before = endgame.public.played[0].plus(endgame.public.played[1]);
        Endgame {
            public,
            stakes: endgame.stakes,
            left: endgame.left.minus(played.minus(before)),
            reach,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Card, PACKS};

    /// An exploiting player may have made decisions that its strategy never makes. Its cards still have a strategy
    /// then, and not every decision the same probability.
    #[test]
    fn a_hand_that_has_deviated_is_not_played_at_random() {
        let card = |rank| Card::new(rank).unwrap();
        // By the policy both always play their lowest card. The solving player has played its two highest ones.
        let policy = |_: &PublicState, own: Cards, decision| match decision {
            Decision::Play(card) if own.lowest() == Some(card) => 1.0,
            _ => 0.0,
        };
        let log = [13, 2, 12, 2].map(|rank| Decision::Play(card(rank)));
        let hand = HandSoFar {
            seat: 0,
            opener: 0,
            log: &log,
            stakes: Stakes {
                won: 0.52,
                lost: 0.48,
                tied: 0.5,
            },
            deck: PACKS,
            policy: &policy,
        };
        let own: Cards = [3, 4, 5].map(card).into_iter().collect();
        let mut resolving = Resolving::new(ResolvingSettings::default());
        let mut effort = |_: usize, done: u32| done < 30;
        let strategy = resolving.strategy(&hand, own, &mut effort).unwrap();
        let most = strategy.iter().map(|&(_, p)| p).fold(0.0, f32::max);
        let least = strategy.iter().map(|&(_, p)| p).fold(1.0, f32::min);
        assert!(most > 2.0 * least, "{strategy:?}");
    }
}
