//! Decisions between two things: to accept or to reject, to offer or to play the only card.

use super::lanes::{row, share};
use super::step::Pass;

/// What is known of some decisions side by side.
#[derive(Clone, Debug)]
pub(super) struct Answers<const N: usize> {
    regrets: [[f32; N]; 2],
    sums: [[f32; N]; 2],
}

impl<const N: usize> Answers<N> {
    /// Before the first iteration.
    pub const NEW: Answers<N> = Answers {
        regrets: [[0.0; N]; 2],
        sums: [[0.0; N]; 2],
    };

    /// The probability of the first of the two.
    #[inline(always)]
    pub fn first(&self, pass: &Pass) -> [f32; N] {
        let [first, second] = match pass.learns() {
            true => &self.regrets,
            false => &self.sums,
        };
        row(|i| first_share(first[i], second[i]))
    }

    /// The average probability of the first in one place.
    pub fn average(&self, place: usize) -> f32 {
        first_share(self.sums[0][place], self.sums[1][place])
    }

    /// The value of decisions whose first and second way are worth so much, where the player comes with `reach`.
    /// `chosen` is the probability of the first.
    #[inline(always)]
    pub fn decide(
        &mut self,
        chosen: &[f32; N],
        values: [&[f32; N]; 2],
        reach: &[f32; N],
        pass: &Pass,
    ) -> [f32; N] {
        let [first, second] = values;
        if let Pass::Respond = pass {
            return row(|i| first[i].max(second[i]));
        }
        let value = row(|i| second[i] + chosen[i] * (first[i] - second[i]));
        if let Pass::Learn(step) = pass {
            let [regrets, others] = &mut self.regrets;
            let [sums, rest] = &mut self.sums;
            for i in 0..N {
                regrets[i] = step.regret(regrets[i], first[i] - value[i]);
                others[i] = step.regret(others[i], second[i] - value[i]);
                sums[i] += step.weight * reach[i] * chosen[i];
                rest[i] += step.weight * reach[i] * (1.0 - chosen[i]);
            }
        }
        value
    }
}

/// The first's share of two numbers, of which negative ones count as 0; a half where both are.
#[inline(always)]
fn first_share(first: f32, second: f32) -> f32 {
    let (first, second) = (first.max(0.0), second.max(0.0));
    share(first, first + second, 0.5)
}
