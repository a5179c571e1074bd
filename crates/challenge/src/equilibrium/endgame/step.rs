//! How one iteration changes regrets and averages.

/// How a solver weighs earlier iterations: discounted counterfactual regret minimisation (Brown and Sandholm 2019).
/// CFR+ (Tammelin 2014) is the special case in which positive regrets are kept and negative ones set to 0.
///
/// Early strategies are far from equilibrium, and their regrets say little; discounting lets later iterations
/// overrule them sooner. With `a = 2` the regrets before iteration 2 are halved (1 / 2), before iteration 3 they
/// keep 4 / 5, before iteration 4 9 / 10.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// Before iteration `t + 1` positive regrets are multiplied by `t^a / (t^a + 1)`; without `a` they are kept.
    pub positive: Option<u32>,
    /// The same for negative regrets; without an exponent they are set to 0.
    pub negative: Option<u32>,
    /// Iteration `t` has the weight `t^c` in the average.
    pub average: u32,
}

/// The variant that did best by measurement in endgames of two and three cards: positive regrets are discounted,
/// negative ones set to 0, and late iterations weigh a lot. After 60 iterations of three cards it loses 0.053 of a point
/// to best responses, CFR+ with linear weights 0.095 (docs/measurements/challenge.md).
impl Default for Variant {
    fn default() -> Variant {
        Variant {
            positive: Some(2),
            negative: None,
            average: 4,
        }
    }
}

impl Variant {
    /// The factors of iteration `iteration`, counted from 1.
    pub(super) fn step(&self, iteration: u32) -> Step {
        // By multiplication, not `powi`: its rounding may differ from machine to machine.
        let power =
            |base: u32, exponent: u32| (0..exponent).fold(1.0, |power, _| power * base as f32);
        // Before the first iteration there is nothing to discount; `0^a / (0^a + 1)` is 0.
        let factor = |exponent: u32| {
            let power: f32 = power(iteration.saturating_sub(1), exponent);
            power / (power + 1.0)
        };
        Step {
            positive: self.positive.map_or(1.0, factor),
            negative: self.negative.map_or(0.0, factor),
            // A floor of 0 is what sets negative regrets to 0; with an exponent they may be negative.
            least: if self.negative.is_some() {
                f32::MIN
            } else {
                0.0
            },
            // With `c = 4` iteration 10 has 16 times the weight of iteration 5.
            weight: power(iteration, self.average),
        }
    }
}

/// The factors of one iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    positive: f32,
    negative: f32,
    /// The floor of all regrets.
    least: f32,
    /// The weight of this iteration in the average.
    pub weight: f32,
}

impl Step {
    /// The regret after an iteration in which the action was worth `gain` more than the strategy.
    #[inline(always)]
    pub fn regret(&self, old: f32, gain: f32) -> f32 {
        // One of the two terms is 0, so no branch has to choose a factor.
        let kept = old.max(0.0) * self.positive + old.min(0.0) * self.negative;
        (kept + gain).max(self.least)
    }
}

/// The purpose of a walk, which is about one player, the learner.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pass {
    /// Both play by regret matching, and the learner's regrets and averages are updated.
    Learn(Step),
    /// The learner plays a best response to the other's average strategy.
    Respond,
    /// Both play their average strategies.
    Average,
}

impl Pass {
    /// Whether strategies come from regrets, not from averages.
    #[inline(always)]
    pub fn learns(&self) -> bool {
        matches!(self, Pass::Learn(_))
    }
}
