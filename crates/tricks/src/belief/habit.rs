//! What one player does more or less often than others who think: learnt from its own choices, round by round.
//!
//! A linear scorer that starts as the network's likeness takes steps towards each choice that was made, with a rate of its own for
//! each weight (AdaGrad, Duchi, Hazan and Singer 2011). A dozen choices a round teach 160 weights little, so they are held
//! near where they started.

use crate::network::{Chances, Inputs, Linear, MAX_CHOICES};

/// The rate of the first step.
const RATE: f32 = 0.3;
/// What keeps a first step from being as large for small slopes as for large ones.
const FLOOR: f32 = 1e-3;
/// How strongly a weight is drawn to where it started.
const PULL: f32 = 0.002;
/// How often the choices of a round are gone through.
const PASSES: usize = 4;

/// A choice that was made.
pub(crate) struct Example {
    /// What the player saw.
    pub(crate) inputs: Inputs,
    /// The number of the card it chose.
    pub(crate) chosen: usize,
}

/// How one player chooses, as far as its choices have shown it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habit {
    linear: Linear,
    /// By weight, the sum of the squares of its slopes.
    squares: [f32; Linear::WEIGHTS],
}

impl Habit {
    /// A player of whom nothing is known chooses as others do.
    pub(crate) fn new(others: &Linear) -> Habit {
        Habit {
            linear: *others,
            squares: [0.0; Linear::WEIGHTS],
        }
    }

    /// How it scores its cards.
    pub fn linear(&self) -> &Linear {
        &self.linear
    }

    /// Learns from the choices of a round. Without them it would choose as others do.
    pub(crate) fn learn(&mut self, examples: &[Example], others: &Linear) {
        for Example { inputs, chosen } in std::iter::repeat_n(examples, PASSES).flatten() {
            let mut wanted: Chances = [0.0; MAX_CHOICES];
            wanted[*chosen] = 1.0;
            let mut gradient = [0.0; Linear::WEIGHTS];
            self.linear.learn(inputs, &wanted, &mut gradient);
            for place in Linear::used(inputs) {
                let weight = &mut self.linear.weights_mut()[place];
                let slope = gradient[place] + PULL * (*weight - others.weights()[place]);
                let square = &mut self.squares[place];
                *square += slope * slope;
                *weight -= RATE * slope / (square.sqrt() + FLOOR);
            }
        }
    }
}
