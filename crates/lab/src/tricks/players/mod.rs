//! Players to measure by: the package's own players are neither trained on them nor model them.

mod cheat;
mod rules_of_thumb;
mod tree;
mod uct;

pub use cheat::Cheat;
pub use rules_of_thumb::RuleOfThumb;
pub use uct::Uct;

use engine::rng::Random;
use tricks::{Card, PolicySet, Round as _, View};

/// A player to measure by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Yardstick {
    /// A rule of thumb.
    RuleOfThumb(RuleOfThumb),
    /// A tree search in sampled worlds, as it was described for Hearts.
    Uct(Uct),
}

impl Yardstick {
    /// The rules of thumb by name.
    pub const NAMED: [(&'static str, RuleOfThumb); 3] = [
        ("low-first", RuleOfThumb::LowFirst),
        ("void-first", RuleOfThumb::VoidFirst),
        ("suit-counting", RuleOfThumb::SuitCounting),
    ];

    /// The card that the viewer plays; the viewer must be to act. None if nothing is legal. Points are avoided if
    /// `low_is_good`.
    pub fn decide<P: PolicySet>(
        &self,
        view: &View<P::Round>,
        low_is_good: bool,
        rng: &mut Random,
    ) -> Option<Card> {
        let legal = view.round().legal();
        legal.first()?;
        Some(match self {
            Yardstick::RuleOfThumb(rule) => rule.choose(&view.counted(), legal, low_is_good),
            Yardstick::Uct(uct) => uct.choose::<P>(view, rng),
        })
    }
}
