//! How regrets and averages follow from one another.

/// How a solver weighs what it has learned in earlier iterations: discounted counterfactual regret minimisation
/// (Brown and Sandholm 2019), of which CFR+ (Tammelin 2014) is a special case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// Before iteration `t + 1` positive regrets are multiplied by `t^a / (t^a + 1)`; with none they stay.
    pub positive: Option<u32>,
    /// The same for negative ones; with none they are set to 0.
    pub negative: Option<u32>,
    /// Iteration `t` weighs `t^c` in the average.
    pub average: u32,
}

/// What does best in endgames of two and three cards, by measurement: discounted positive regrets, negative ones set
/// to 0, and late iterations that weigh a lot.
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
    /// What iteration `t`, from 1, does with what is known.
    pub(super) fn step(&self, iteration: u32) -> Step {
        let power =
            |base: u32, exponent: u32| (0..exponent).fold(1.0, |power, _| power * base as f32);
        let factor = |exponent: u32| {
            let power: f32 = power(iteration.saturating_sub(1), exponent);
            power / (power + 1.0)
        };
        Step {
            positive: self.positive.map_or(1.0, factor),
            negative: self.negative.map_or(0.0, factor),
            least: if self.negative.is_some() {
                f32::MIN
            } else {
                0.0
            },
            weight: power(iteration, self.average),
        }
    }
}

/// The factors of one iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    positive: f32,
    negative: f32,
    /// Regrets are never lower.
    least: f32,
    /// The weight in the average.
    pub weight: f32,
}

impl Step {
    /// A regret after one more gain.
    #[inline(always)]
    pub fn regret(&self, old: f32, gain: f32) -> f32 {
        // Both signs at once, which needs no choice between factors.
        let kept = old.max(0.0) * self.positive + old.min(0.0) * self.negative;
        (kept + gain).max(self.least)
    }
}

/// What a walk over the endgame does where the player it is about decides.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pass {
    /// Plays by regrets against the other's regrets, and learns.
    Learn(Step),
    /// Plays the best against the other's average strategy.
    Respond,
    /// Plays the average strategy against the other's.
    Average,
}

impl Pass {
    /// Whether strategies are those of the regrets.
    #[inline(always)]
    pub fn learns(&self) -> bool {
        matches!(self, Pass::Learn(_))
    }
}
