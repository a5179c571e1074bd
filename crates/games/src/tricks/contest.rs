//! The two trick-taking games, Tricky Eights and Hearts, as contests of rounds: what matches, records and tables ask of
//! them, and the options of a single round. [`Rounds`](super::Rounds) makes a game of each.

use crate::game::OptionError;
use ::eights::rules as eights_rules;
use ::hearts::rules as hearts_rules;
use ::tricks::{Cards, Ends, Hands, PolicySet, Round};
use engine::rng::Random;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Finds the seat that has shot the moon, if any, from the points of the round by seat.
pub type Moon = fn(&[u8]) -> Option<usize>;

/// A trick-taking game, played in rounds that may be whole games.
pub trait Contest: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// The rules of a round, with its state.
    type Round: Round + Debug + 'static;
    type Policy: PolicySet<Round = Self::Round>;
    /// The options of a single round that is a game of its own; by default those of a usual server.
    type Options: Clone + Debug + Default + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The name of the contest in records.
    const NAME: &'static str;
    /// The name of the contest for people.
    const TITLE: &'static str;
    /// The time for a card, unless a setting says otherwise.
    const TIME: Duration;
    /// The numbers of players that a game can have.
    const COUNTS: RangeInclusive<usize>;
    /// The names of the seats.
    const SEATS: &'static [&'static str];
    /// Whether points are penalties.
    const LOW_IS_GOOD: bool;
    /// The number of cards dealt to the pool.
    const POOL: usize;
    /// The points at which a whole game can end.
    const GOAL: u32;

    /// Finds who has shot the moon; none in a game without moons.
    const MOON: Option<Moon> = None;

    /// The rules of matches, for people, if servers differ in them.
    fn default_rules(&self) -> Option<String> {
        None
    }

    /// A fresh deal. The seat that acts first follows from the deal or its number, so that a repeated deal repeats
    /// all luck of the seats.
    fn deal(&self, players: usize, number: u64, rng: &mut Random) -> Self::Round;

    /// Restores a round as it was dealt, from the seat that acts first, the hands and the pool.
    fn restore(&self, players: usize, first: usize, hands: &Hands, pool: Cards) -> Self::Round;

    /// The round in which these cards have been passed before its first lead, to players `by` seats further; `round` has the
    /// hands after that. None if the contest has no passing, or the cards cannot have been passed.
    fn after_passing(
        &self,
        round: Self::Round,
        by: usize,
        passed: &[Cards],
    ) -> Option<Self::Round> {
        let _ = (round, by, passed);
        None
    }

    /// The same round in a game with these points before it, and with this end: the value of its result depends on both.
    fn in_game(&self, round: Self::Round, ends: Ends, totals: &[u32]) -> Self::Round;

    /// The end of a whole game: somebody reaches the goal.
    fn ends() -> Ends {
        Ends::AtPoints(Self::GOAL as u16)
    }

    /// The winner of a game with these points; none while it goes on.
    fn winner(&self, totals: &[u32]) -> Option<usize>;

    /// Whether cards are passed in some rounds. No protocol of a contest has messages for it.
    fn passes(&self) -> bool {
        false
    }

    /// The cards of a game with this number of players.
    fn deck(players: usize) -> Cards;

    /// The number of cards dealt to each player, in a game with this number of players.
    fn dealt(players: usize) -> usize {
        // No remainder: a deck leaves out cards until all hands have the same size.
        (Self::deck(players).len() - Self::POOL) / players
    }

    /// Checks the options of a round.
    ///
    /// # Errors
    /// If one makes no sense.
    fn check(options: &Self::Options) -> Result<(), OptionError>;
    fn players(options: &Self::Options) -> usize;
    /// How many seats further cards are passed before the round; 0 for none.
    fn passing(options: &Self::Options) -> usize {
        let _ = options;
        0
    }
    /// Begins a round with these cards.
    fn begin(options: &Self::Options, hands: &Hands, pool: Cards) -> Self::Round;
    /// The options of a round with this number of players in which seat `first` acts first and cards go `passing` seats
    /// further; none if there is no such passing.
    fn options_of(players: usize, first: usize, passing: usize) -> Option<Self::Options>;

    /// Turns a search's value of a round into the points that the player can expect. Points that count against
    /// it are negative.
    fn worth(&self, value: f64, players: usize) -> f64;

    /// The points that a difference of values is worth.
    fn scaled(&self, difference: f64, players: usize) -> f64 {
        // `worth` may add a constant, as in Hearts; a difference of points has none.
        self.worth(difference, players) - self.worth(0.0, players)
    }
}

/// The contest Tricky Eights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Eights;

/// The options of a round of Tricky Eights.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EightsOptions {
    /// The seat that takes and leads first, 0 to 3.
    pub dealer: usize,
}

impl Contest for Eights {
    type Round = eights_rules::Round;
    type Policy = ::eights::player::Baseline;
    type Options = EightsOptions;

    const NAME: &'static str = "eights";
    const TITLE: &'static str = "Tricky Eights";
    const TIME: Duration = Duration::from_secs(4);
    const COUNTS: RangeInclusive<usize> = 4..=4;
    const SEATS: &'static [&'static str] = &["north", "east", "south", "west"];
    const LOW_IS_GOOD: bool = false;
    const POOL: usize = eights_rules::POOL;
    const GOAL: u32 = eights_rules::GAME;

    /// Always for four; the dealer rotates with the number of the deal.
    fn deal(&self, _: usize, number: u64, rng: &mut Random) -> eights_rules::Round {
        ::eights::deal::deal((number % eights_rules::SEATS as u64) as usize, rng)
    }

    fn restore(&self, _: usize, first: usize, hands: &Hands, pool: Cards) -> eights_rules::Round {
        // `Hands` has room for six players; four play.
        eights_rules::Round::new(first, std::array::from_fn(|seat| hands[seat]), pool)
    }

    fn in_game(
        &self,
        round: eights_rules::Round,
        ends: Ends,
        totals: &[u32],
    ) -> eights_rules::Round {
        round.after(ends, by_seat(totals))
    }

    fn winner(&self, totals: &[u32]) -> Option<usize> {
        eights_rules::winner(&by_seat(totals))
    }

    fn deck(_: usize) -> Cards {
        Cards::ALL
    }

    fn check(options: &EightsOptions) -> Result<(), OptionError> {
        OptionError::within("dealer", options.dealer, 0..=eights_rules::SEATS - 1)
    }

    fn players(_: &EightsOptions) -> usize {
        eights_rules::SEATS
    }

    fn begin(options: &EightsOptions, hands: &Hands, pool: Cards) -> eights_rules::Round {
        Eights.restore(eights_rules::SEATS, options.dealer, hands, pool)
    }

    fn options_of(_: usize, first: usize, _: usize) -> Option<EightsOptions> {
        Some(EightsOptions { dealer: first })
    }

    fn worth(&self, value: f64, _: usize) -> f64 {
        value
    }
}

fn by_seat(totals: &[u32]) -> [u32; eights_rules::SEATS] {
    std::array::from_fn(|seat| totals.get(seat).copied().unwrap_or(0))
}

/// The contest Hearts, by the rules that the server has by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hearts {
    /// Whether three cards of each hand are passed before a round, in a direction that alternates from round to round. The
    /// contest passes none.
    pub passing: bool,
}

/// The options of a round of Hearts; the defaults are those of a usual server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeartsOptions {
    pub players: usize,
    /// Whether a player who has another card may not play a penalty card to the first trick.
    pub clean_first_trick: bool,
    /// The player who gets three cards of each hand before the round; the contest passes none.
    pub passing: PassDirection,
}

/// The receiver of each player's passed cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PassDirection {
    #[default]
    None,
    /// The next player in turn order.
    Left,
    /// The player before in turn order.
    Right,
    /// The player opposite, if the number of players is even.
    Across,
}

impl PassDirection {
    /// The direction in which cards go this many seats further; none if there is no such direction.
    pub fn of(by: usize, players: usize) -> Option<PassDirection> {
        let all = [
            PassDirection::None,
            PassDirection::Left,
            PassDirection::Right,
            PassDirection::Across,
        ];
        all.into_iter()
            .find(|direction| direction.by(players) == by)
    }

    /// How many seats further the cards go; 0 for none.
    fn by(self, players: usize) -> usize {
        match self {
            PassDirection::None => 0,
            PassDirection::Left => 1,
            PassDirection::Right => players - 1,
            PassDirection::Across => players / 2,
        }
    }
}

impl Default for HeartsOptions {
    fn default() -> HeartsOptions {
        HeartsOptions {
            players: 4,
            clean_first_trick: hearts_rules::Options::default().clean_first_trick,
            passing: PassDirection::None,
        }
    }
}

impl Contest for Hearts {
    type Round = hearts_rules::Round;
    type Policy = ::hearts::player::Baseline;
    type Options = HeartsOptions;

    const NAME: &'static str = "hearts";
    const TITLE: &'static str = "Hearts";
    const TIME: Duration = Duration::from_secs(5);
    const COUNTS: RangeInclusive<usize> = 3..=6;
    const SEATS: &'static [&'static str] = &["0", "1", "2", "3", "4", "5"];
    const LOW_IS_GOOD: bool = true;
    const POOL: usize = 0;
    const GOAL: u32 = hearts_rules::GOAL;
    const MOON: Option<Moon> = Some(hearts_rules::moon);

    fn default_rules(&self) -> Option<String> {
        let passing = if self.passing {
            "; three cards are passed, left, right, across if the number of players is even, not at all"
        } else {
            ""
        };
        Some(hearts_rules::Options::default().to_string() + passing)
    }

    fn deal(&self, players: usize, number: u64, rng: &mut Random) -> hearts_rules::Round {
        let round = ::hearts::deal::deal(players, hearts_rules::Options::default(), rng);
        match self.passing {
            true => round.with_passing(hearts_rules::passing(number, players)),
            false => round,
        }
    }

    fn after_passing(
        &self,
        round: hearts_rules::Round,
        by: usize,
        passed: &[Cards],
    ) -> Option<hearts_rules::Round> {
        round.after_passing(by, passed)
    }

    fn passes(&self) -> bool {
        self.passing
    }

    fn restore(
        &self,
        players: usize,
        first: usize,
        hands: &Hands,
        _: Cards,
    ) -> hearts_rules::Round {
        hearts_rules::Round::new(players, first, *hands, hearts_rules::Options::default())
    }

    fn in_game(
        &self,
        round: hearts_rules::Round,
        ends: Ends,
        totals: &[u32],
    ) -> hearts_rules::Round {
        round.after(ends, totals)
    }

    fn winner(&self, totals: &[u32]) -> Option<usize> {
        hearts_rules::winner(totals)
    }

    fn deck(players: usize) -> Cards {
        hearts_rules::deck(players)
    }

    fn check(options: &HeartsOptions) -> Result<(), OptionError> {
        let players = options.players;
        OptionError::within("players", players, Hearts::COUNTS)?;
        let is_possible = options.passing != PassDirection::Across || players.is_multiple_of(2);
        let expected = format!("none, left or right with {players} players");
        OptionError::check(is_possible, "passing", "across", expected)
    }

    fn players(options: &HeartsOptions) -> usize {
        options.players
    }

    fn passing(options: &HeartsOptions) -> usize {
        options.passing.by(options.players)
    }

    /// The holder of the two of clubs leads.
    fn begin(options: &HeartsOptions, hands: &Hands, _: Cards) -> hearts_rules::Round {
        let players = options.players;
        let leads = |hand: &Cards| hand.contains(hearts_rules::FIRST_LEAD);
        // The two of clubs is in every deck, so somebody holds it.
        let leader = hands[..players].iter().position(leads).unwrap_or(0);
        let rules = hearts_rules::Options {
            clean_first_trick: options.clean_first_trick,
            ..hearts_rules::Options::default()
        };
        hearts_rules::Round::new(players, leader, *hands, rules)
            .with_passing(Hearts::passing(options))
    }

    fn options_of(players: usize, _: usize, passing: usize) -> Option<HeartsOptions> {
        Some(HeartsOptions {
            players,
            passing: PassDirection::of(passing, players)?,
            ..HeartsOptions::default()
        })
    }

    /// The search's value v is the mean of the others' points minus the own points o. All points of a round
    /// add up to 26, so o + (n − 1)(o + v) = 26, and the result is −o = (v (n − 1) − 26) / n. Example: v = 0
    /// with 4 players gives −6.5. After a moon the points add up to more, so the shooter's result is above 0:
    /// v = 26 with 4 players gives 13.
    fn worth(&self, value: f64, players: usize) -> f64 {
        let others = (players - 1) as f64;
        (value * others - f64::from(hearts_rules::POINTS)) / players as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches and tables, which deal and restore here, play by the rules that the server has by default.
    #[test]
    fn matches_and_tables_play_by_the_servers_default() {
        let round = Hearts::default().deal(4, 0, &mut engine::rng::stream(1, 0));
        let again =
            Hearts::default().restore(4, round.trick().leader(), &round.hands(), Cards::EMPTY);
        let server = hearts_rules::Options {
            clean_first_trick: false,
            last_trick: true,
            any_leader: false,
        };
        assert_eq!([round.options(), again.options()], [server; 2]);
        assert_eq!(
            Hearts::default().default_rules().unwrap(),
            "every trick is played and scored; points may be played on the first trick"
        );
    }
}
