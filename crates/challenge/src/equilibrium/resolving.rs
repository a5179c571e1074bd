//! The end of a hand, solved while it is played.

use super::blueprint::{Distribution, probability_of};
use super::endgame::{Endgame, Solver, Variant};
use super::{History, Multisets, Policy, Stakes};
use crate::rules::{Cards, Decision, PublicState, Seat};
use std::time::Instant;

/// Cards that both hold when the first endgame of a hand is solved.
pub const MOST_SOLVED: usize = 3;

/// Iterations from which on a solution is used, if nothing else is said.
pub const LEAST_ITERATIONS: u32 = 12;

/// How a player solves endgames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvingSettings {
    /// The probability with which the opponent is taken to decide otherwise than it should, at every decision.
    pub stray: f32,
    /// How regrets and averages are weighed.
    pub variant: Variant,
    /// A solution of fewer iterations is not used: the policy is nearer to equilibrium then.
    pub least: u32,
}

impl Default for ResolvingSettings {
    fn default() -> ResolvingSettings {
        ResolvingSettings {
            stray: 0.01,
            variant: Variant::default(),
            least: LEAST_ITERATIONS,
        }
    }
}

/// How long endgames are worked on. A function of the number of cards and of the iterations done is one.
pub trait Effort {
    /// Whether one more iteration is to be done. It is asked before the first one, too.
    fn goes_on(&mut self, cards: usize, done: u32) -> bool;

    /// When an iteration that is under way is given up.
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

/// What a player knows of a hand besides its cards.
pub struct Hand<'a> {
    pub seat: Seat,
    /// Who led the first trick.
    pub opener: Seat,
    /// Every decision in order.
    pub log: &'a [Decision],
    /// What the hand is worth.
    pub stakes: Stakes,
    /// The cards that both were dealt from.
    pub deck: Cards,
    /// How both decide before the first endgame.
    pub policy: Policy<'a>,
}

/// The endgames of one hand, as one player solves them: that of three cards with the ranges that the policy leads to,
/// that of two with those that the solution of three leads to.
#[derive(Clone)]
pub struct Resolving {
    settings: ResolvingSettings,
    solved: Vec<Solved>,
    /// The fewest cards of an endgame that was worked on, used or not: none is begun twice.
    begun: usize,
}

#[derive(Clone)]
struct Solved {
    /// How many decisions came before it.
    from: usize,
    endgame: Endgame,
    solver: Solver,
}

impl Resolving {
    /// Before the first endgame.
    pub fn new(settings: ResolvingSettings) -> Resolving {
        Resolving {
            settings,
            solved: Vec::new(),
            begun: MOST_SOLVED + 1,
        }
    }

    /// How to decide with these cards (without one on the table). None before the first endgame, where the result
    /// is certain, and where there was too little time for the endgame at hand.
    pub fn strategy(
        &mut self,
        hand: &Hand,
        own: Cards,
        effort: &mut (impl Effort + ?Sized),
    ) -> Option<Distribution> {
        self.solve(hand, effort);
        let last = self.solved.last()?;
        last.solver.strategy(&hand.log[last.from..], own)
    }

    /// Solves the endgames that have begun.
    pub fn solve(&mut self, hand: &Hand, effort: &mut (impl Effort + ?Sized)) {
        for cards in (2..self.begun).rev() {
            let Some(history) = History::of(hand.opener, hand.log, cards) else {
                return;
            };
            self.begun = cards;
            // An endgame that is over already would only give ranges to the next one.
            let is_over = cards > 2 && History::of(hand.opener, hand.log, cards - 1).is_some();
            if !is_over && let Some(solved) = self.next(hand, &history, effort) {
                self.solved.push(solved);
            }
        }
    }

    /// The solution of the endgame after a history, if something is to be solved.
    fn next(
        &self,
        hand: &Hand,
        history: &History,
        effort: &mut (impl Effort + ?Sized),
    ) -> Option<Solved> {
        let from = history.len();
        let stray = self.stray(hand.seat);
        let cards = history.public().tricks_left();
        // The tables of an endgame that is not worked on are not laid out.
        if !effort.goes_on(cards, 0) {
            return None;
        }
        let endgame = match self.solved.last() {
            Some(last) => {
                let log = &hand.log[last.from..from];
                last.solver.after(&last.endgame, log, stray)
            }
            None => history.endgame(hand.policy, stray, hand.stakes, hand.deck),
        };
        let mut solver = Solver::new(&endgame, self.settings.variant)?;
        let deadline = effort.deadline(cards);
        let stop = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        while solver.step_until(&stop) && effort.goes_on(cards, solver.iterations()) {}
        (solver.iterations() >= self.settings.least).then_some(Solved {
            from,
            endgame,
            solver,
        })
    }

    /// How it plays after the first trick of the endgame that was solved last: its solution there, without keeping
    /// it.
    pub fn solution_after(
        &self,
        hand: &Hand,
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

    fn stray(&self, seat: Seat) -> [f32; 2] {
        let mut stray = [self.settings.stray; 2];
        stray[seat] = 0.0;
        stray
    }
}

impl Solver {
    /// The endgame after some decisions that end a trick, if both play by the average strategy; `stray` is by player the
    /// probability of any other decision.
    pub fn after(&self, endgame: &Endgame, log: &[Decision], stray: [f32; 2]) -> Endgame {
        let mut states: Vec<PublicState> = vec![endgame.public];
        for &decision in log {
            let last = states.last().copied().unwrap_or(endgame.public);
            states.push(last.after(decision));
        }
        let public = states.last().copied().unwrap_or(endgame.public);
        let sets = Multisets::new(public.tricks_left());
        let reach = [0, 1].map(|seat: Seat| {
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
                // Nobody plays so: every hand is as likely as before.
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
