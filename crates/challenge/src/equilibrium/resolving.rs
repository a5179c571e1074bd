//! The end of a hand, solved while it is played.

use super::blueprint::{Distribution, probability_of};
use super::endgame::{Endgame, Solver, Variant};
use super::{History, Multisets, Policy, Stakes};
use crate::rules::{Cards, Decision, PublicState, Seat};

/// Cards that both hold when the first endgame of a hand is solved.
pub const MOST_SOLVED: usize = 3;

/// How a player solves endgames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvingSettings {
    /// The probability with which the opponent is taken to decide otherwise than it should, at every decision.
    pub stray: f32,
    /// How regrets and averages are weighed.
    pub variant: Variant,
}

impl Default for ResolvingSettings {
    fn default() -> ResolvingSettings {
        ResolvingSettings {
            stray: 0.01,
            variant: Variant::default(),
        }
    }
}

/// What a player knows of a hand besides its cards.
pub struct Hand<'a> {
    /// The player.
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
}

/// A solved endgame.
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
        }
    }

    /// How to decide with these cards (without one on the table). None before the first endgame and where the result
    /// is certain. `go_on` is asked before every iteration, with the number of cards and of iterations done.
    pub fn strategy(
        &mut self,
        hand: &Hand,
        own: Cards,
        go_on: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Option<Distribution> {
        self.solve(hand, go_on);
        let last = self.solved.last()?;
        last.solver.strategy(&hand.log[last.from..], own)
    }

    /// Solves the endgames that have begun.
    pub fn solve(&mut self, hand: &Hand, go_on: &mut dyn FnMut(usize, u32) -> bool) {
        for cards in (2..=MOST_SOLVED).rev() {
            let held = |solved: &Solved| solved.endgame.public.tricks_left();
            if self.solved.last().is_none_or(|last| held(last) > cards)
                && let Some(solved) = self.next(hand, cards, go_on)
            {
                self.solved.push(solved);
            }
        }
    }

    /// The solution of the endgame of so many cards, if it has begun and something is to be solved.
    fn next(
        &self,
        hand: &Hand,
        cards: usize,
        go_on: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Option<Solved> {
        let history = History::of(hand.opener, hand.log, cards)?;
        let from = history.len();
        let stray = self.stray(hand.seat);
        let endgame = match self.solved.last() {
            Some(last) => {
                let log = &hand.log[last.from..from];
                last.solver.after(&last.endgame, log, stray)
            }
            None => history.endgame(hand.policy, stray, hand.stakes, hand.deck),
        };
        let mut solver = Solver::new(&endgame, self.settings.variant)?;
        while go_on(cards, solver.iterations()) {
            solver.step();
        }
        (solver.iterations() > 0).then_some(Solved {
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
        go_on: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Option<Solver> {
        let cards = self.solved.last()?.endgame.public.tricks_left() - 1;
        (cards > 1)
            .then(|| self.next(hand, cards, go_on))?
            .map(|solved| solved.solver)
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
