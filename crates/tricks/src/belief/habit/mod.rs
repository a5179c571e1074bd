//! What one player does more or less often than others who think: learnt from its own choices, round by round.
//!
//! A linear scorer that starts as the network's likeness moves to what is likeliest after each round's choices (see
//! [`posterior`]).

mod posterior;
mod rows;

use crate::network::{Chances, Inputs, Linear, SITUATIONS, Situation, draw, score_all};
use crate::{Card, Cards, PolicySet};
use engine::rng::Random;
use engine::simd::{self, Work};
use posterior::{Choice, Information};
use rows::{Row, WIDTH, rows};

/// How precisely each weight is known before a player has chosen anything: one over its variance. Fitted to choices of three
/// rules of thumb of Tricky Eights that nothing is measured by.
const PRIOR: f64 = 0.15;

/// A choice that was made.
pub(crate) struct Example {
    /// What the player saw.
    pub(crate) inputs: Inputs,
    /// The cards among which it chose.
    pub(crate) legal: Cards,
    /// The number of the one that it chose.
    pub(crate) chosen: usize,
}

/// How one player chooses, as far as its choices have shown it.
#[derive(Clone, Debug, PartialEq)]
pub struct Habit {
    /// By situation.
    weights: [Row; SITUATIONS],
    /// By situation, how precisely the weights are known.
    information: [Information; SITUATIONS],
}

impl Habit {
    /// A player of whom nothing is known chooses as others do.
    pub(crate) fn new(others: &Linear) -> Habit {
        Habit {
            weights: Situation::ALL.map(|situation| {
                let mut row = [0.0; WIDTH];
                let known = others.of(situation);
                row[..known.len()].copy_from_slice(known);
                row
            }),
            information: Default::default(),
        }
    }

    /// The chances of the cards of a choice.
    #[inline(always)]
    pub(crate) fn chances(&self, inputs: &Inputs, legal: Cards) -> Chances {
        let weights = &self.weights[inputs.situation as usize];
        score_all(weights, &rows(inputs, legal))
    }

    /// One of the legal cards of the player to act, by their chances.
    pub(crate) fn choose<P: PolicySet>(
        &self,
        round: &P::Round,
        legal: Cards,
        rng: &mut Random,
    ) -> Card {
        let habit = self;
        let chances = simd::run(ChancesOf::<P> {
            habit,
            round,
            legal,
        });
        draw(&chances, legal, rng)
    }

    /// Learns from the choices of a round.
    pub(crate) fn learn(&mut self, examples: &[Example]) {
        let rows: Vec<_> = examples
            .iter()
            .map(|example| rows(&example.inputs, example.legal))
            .collect();
        for situation in Situation::ALL {
            let of_situation = examples.iter().zip(&rows);
            let choices: Vec<Choice> = of_situation
                .filter(|(example, _)| example.inputs.situation == situation)
                .map(|(example, rows)| Choice {
                    rows,
                    chosen: example.chosen,
                })
                .collect();
            if !choices.is_empty() {
                let number = situation as usize;
                self.information[number].learn(&mut self.weights[number], &choices, PRIOR);
            }
        }
    }
}

/// The work of [`Habit::choose`].
struct ChancesOf<'a, P: PolicySet> {
    habit: &'a Habit,
    round: &'a P::Round,
    legal: Cards,
}

impl<P: PolicySet> Work for ChancesOf<'_, P> {
    type Output = Chances;

    #[inline(always)]
    fn run(self) -> Chances {
        let inputs = Inputs::of::<P>(self.round, self.legal);
        self.habit.chances(&inputs, self.legal)
    }
}
