//! Decisions between two actions: to accept or to reject, to offer or to play the only card.

use super::lanes::{row, share};
use super::step::Pass;

/// Regrets and cumulative strategies of `N` such decisions.
#[derive(Clone, Debug)]
pub(super) struct Answers<const N: usize> {
    /// Both arrays: the first action, then the second.
    regrets: [[f32; N]; 2],
    sums: [[f32; N]; 2],
}

impl<const N: usize> Answers<N> {
    /// Tables before the first iteration: all zeros, so that both actions are equally likely.
    pub const NEW: Answers<N> = Answers {
        regrets: [[0.0; N]; 2],
        sums: [[0.0; N]; 2],
    };

    /// The probability of the first action: by regret matching while learning, else the average strategy.
    #[inline(always)]
    pub fn first(&self, pass: &Pass) -> [f32; N] {
        // The average strategy is the normalised sum of those played, so the same formula serves both.
        let [first, second] = match pass.learns() {
            true => &self.regrets,
            false => &self.sums,
        };
        row(|i| first_share(first[i], second[i]))
    }

    /// The average strategy's probability of the first action in one of the decisions.
    pub fn average(&self, place: usize) -> f32 {
        first_share(self.sums[0][place], self.sums[1][place])
    }

    /// The values of the decisions, from the values of their first and second actions. `chosen` is the probability
    /// of the first, `reach` the player's own reach there. With `Pass::Learn` the iteration is added to regrets and
    /// sums.
    #[inline(always)]
    pub fn decide(
        &mut self,
        chosen: &[f32; N],
        values: [&[f32; N]; 2],
        reach: &[f32; N],
        pass: &Pass,
    ) -> [f32; N] {
        let [first, second] = values;
        // A best response takes the better of the two.
        if let Pass::Respond = pass {
            return row(|i| first[i].max(second[i]));
        }
        // The strategy's value: `p · first + (1 − p) · second`.
        let value = row(|i| second[i] + chosen[i] * (first[i] - second[i]));
        if let Pass::Learn(step) = pass {
            let [regrets, others] = &mut self.regrets;
            let [sums, rest] = &mut self.sums;
            for i in 0..N {
                // An action's regret grows by how much it is worth more than the strategy. The average weighs the
                // strategy by the deciding player's reach, as CFR demands (Zinkevich et al. 2007).
                regrets[i] = step.regret(regrets[i], first[i] - value[i]);
                others[i] = step.regret(others[i], second[i] - value[i]);
                sums[i] += step.weight * reach[i] * chosen[i];
                rest[i] += step.weight * reach[i] * (1.0 - chosen[i]);
            }
        }
        value
    }
}

/// `first / (first + second)`, negative numbers taken as 0; 1/2 if both are 0. This is regret matching:
/// regrets of 3 and 1 give 3/4, of 3 and -1 give 1.
#[inline(always)]
fn first_share(first: f32, second: f32) -> f32 {
    let (first, second) = (first.max(0.0), second.max(0.0));
    share(first, first + second, 0.5)
}
