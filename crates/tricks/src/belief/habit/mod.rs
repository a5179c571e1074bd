//! Habits: how one player's choices differ from those of others who think, learnt from its choices round by
//! round.
//!
//! A linear scorer starts as the network's distilled scorer. After each round its weights move to the likeliest
//! ones given the player's choices (see [`posterior`]).

mod posterior;

use crate::Cards;
use crate::network::{CardRow, Inputs, Linear, SITUATIONS, Situation, Tabulated, rows, widened};
use posterior::{Choice, Information};

/// The precision (1 / variance) of each weight before a player has chosen anything. Fitted to choices of three
/// rules of thumb of Tricky Eights that no measurement uses.
const PRIOR: f64 = 0.15;

/// A choice that a player made.
pub(crate) struct Example {
    /// The inputs of the legal cards.
    pub(crate) inputs: Inputs,
    /// The legal cards of the choice.
    pub(crate) legal: Cards,
    /// The place of the card chosen among the legal ones.
    pub(crate) chosen: usize,
}

/// A linear scorer of cards that fits one player's choices.
#[derive(Clone, Debug, PartialEq)]
pub struct Habit {
    weights: [CardRow; SITUATIONS],
    /// By situation, the information about the weights that choices have given.
    information: [Information; SITUATIONS],
    /// The weights as tables, for playouts.
    tabulated: Tabulated,
}

impl Habit {
    /// The habit of a player of whom nothing is known: it chooses as others do.
    pub(crate) fn new(others: &Linear) -> Habit {
        // The likeness knows neither suits nor products of inputs. Their weights start at 0, and the player's
        // choices move them.
        let weights = Situation::ALL.map(|situation| widened(others.of(situation)));
        Habit {
            weights,
            information: Default::default(),
            tabulated: tabulated(&weights),
        }
    }

    /// The weights as tables, for playouts.
    pub(crate) fn tabulated(&self) -> &Tabulated {
        &self.tabulated
    }

    /// Moves the weights of each situation to the likeliest ones after a round's choices.
    pub(crate) fn learn(&mut self, examples: &[Example]) {
        // Suits and products of inputs are added here, once for all situations.
        let rows: Vec<_> = examples
            .iter()
            .map(|example| rows(&example.inputs, example.legal))
            .collect();
        // Situations share no weights, so each is learnt separately.
        for situation in Situation::ALL {
            let of_situation = examples.iter().zip(&rows);
            let choices: Vec<Choice> = of_situation
                .filter(|(example, _)| example.inputs.situation == situation)
                .map(|(example, rows)| Choice {
                    options: rows,
                    chosen: example.chosen,
                    weight: 1.0,
                })
                .collect();
            // A situation without choices keeps its weights and its information.
            if !choices.is_empty() {
                let number = situation as usize;
                self.information[number].learn(&mut self.weights[number], &choices, PRIOR);
            }
        }
        // Playouts ask the tables, so they follow the weights.
        self.tabulated = tabulated(&self.weights);
    }
}

/// The tables of a scorer with these weights.
fn tabulated(weights: &[CardRow; SITUATIONS]) -> Tabulated {
    Tabulated::new(|situation| &weights[situation as usize])
}
