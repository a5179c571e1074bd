//! Players to measure by: the package's own players are neither trained on them nor model them.

mod cheat;
mod rules_of_thumb;
mod strangers;
mod tree;
mod uct;

pub use cheat::Cheat;
pub use rules_of_thumb::RuleOfThumb;
pub use strangers::{EightsStranger, HeartsStranger};
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
    /// A stranger for Tricky Eights.
    Eights(EightsStranger),
    /// A stranger for Hearts.
    Hearts(HeartsStranger),
}

impl Yardstick {
    /// The rules of thumb by name, which play both games.
    pub const RULES: [(&'static str, RuleOfThumb); 3] = [
        ("low-first", RuleOfThumb::LowFirst),
        ("void-first", RuleOfThumb::VoidFirst),
        ("suit-counting", RuleOfThumb::SuitCounting),
    ];

    /// The yardsticks without settings by name: the rules of thumb, and the strangers of Tricky Eights or, if
    /// `low_is_good`, of Hearts.
    pub fn named(low_is_good: bool) -> Vec<(&'static str, Yardstick)> {
        let rules = Yardstick::RULES.map(|(name, rule)| (name, Yardstick::RuleOfThumb(rule)));
        let strangers = match low_is_good {
            true => HeartsStranger::NAMED.map(|(name, one)| (name, Yardstick::Hearts(one))),
            false => EightsStranger::NAMED.map(|(name, one)| (name, Yardstick::Eights(one))),
        };
        [&rules[..], &strangers].concat()
    }

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
            Yardstick::Eights(stranger) => stranger.choose(&view.counted(), legal),
            Yardstick::Hearts(stranger) => stranger.choose(&view.counted(), legal),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tricks::{Contest, Eights, Hearts};
    use engine::rng::stream;
    use hearts::rules::Options;

    /// Plays a round in which the yardsticks of a game sit in turn from place `first` on, and checks every card.
    fn play_out<C: Contest>(mut round: C::Round, first: usize) {
        let yardsticks = Yardstick::named(C::LOW_IS_GOOD);
        let players = round.players();
        let mut views: Vec<_> = (0..players).map(|seat| View::new(&round, seat)).collect();
        let mut rng = stream(1, first as u64);
        while let Some(seat) = round.to_act() {
            let (name, yardstick) = yardsticks[(first + seat) % yardsticks.len()];
            let card = yardstick.decide::<C::Policy>(&views[seat], C::LOW_IS_GOOD, &mut rng);
            let legal = round.legal();
            assert!(
                card.is_some_and(|card| legal.contains(card)),
                "{name}: {card:?}, legal are {legal}"
            );
            card.into_iter().for_each(|card| round.act(card));
            for view in &mut views {
                card.into_iter().for_each(|card| view.follow(card, &round));
            }
        }
    }

    #[test]
    fn yardsticks_play_legal_cards() {
        for number in 0..64 {
            let mut rng = stream(2, number as u64);
            play_out::<Eights>(eights::deal::deal(number % 4, &mut rng), number);
            let options = [Options::default(), Options::STRICT, Options::ORIGINAL];
            let players = 3 + number % 4;
            let round = hearts::deal::deal(players, options[number % 3], &mut rng);
            // With passing every second time, to another seat each time.
            play_out::<Hearts>(
                round.with_passing(number / 4 % 2 * (1 + number % 2)),
                number,
            );
        }
    }

    #[test]
    fn strangers_belong_to_a_game() {
        let names = |low_is_good| {
            Yardstick::named(low_is_good)
                .into_iter()
                .map(|(name, _)| name)
        };
        assert!(names(false).any(|name| name == "run-suit"));
        assert!(names(true).all(|name| name != "run-suit"));
        assert!(
            [false, true]
                .iter()
                .all(|&low| names(low).any(|name| name == "low-first"))
        );
    }
}
