//! What one player does more or less often than others who think: learnt from its own choices, round by round.
//!
//! A linear scorer that starts as the network's likeness moves to what is likeliest after each round's choices (see
//! [`posterior`]).

mod posterior;

use crate::Cards;
use crate::network::{CardRow, Inputs, Linear, SITUATIONS, Situation, Tabulated, rows, widened};
use posterior::{Choice, Information};

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
    weights: [CardRow; SITUATIONS],
    /// By situation, how precisely the weights are known.
    information: [Information; SITUATIONS],
    /// The weights in a form that is quick to use.
    tabulated: Tabulated,
}

impl Habit {
    /// A player of whom nothing is known chooses as others do.
    pub(crate) fn new(others: &Linear) -> Habit {
        let weights = Situation::ALL.map(|situation| widened(others.of(situation)));
        Habit {
            weights,
            information: Default::default(),
            tabulated: tabulated(&weights),
        }
    }

    /// The same in a form that is quick to use.
    pub(crate) fn tabulated(&self) -> &Tabulated {
        &self.tabulated
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
        self.tabulated = tabulated(&self.weights);
    }
}

fn tabulated(weights: &[CardRow; SITUATIONS]) -> Tabulated {
    Tabulated::new(|situation| &weights[situation as usize])
}
