//! The differences between the two trick-taking games, Tricky Eights and Hearts: players, deck, deal, options.
//! [`Rounds`](super::Rounds) makes a game of each.

use crate::game::OptionError;
use ::tricks::{Cards, Hands, Round};
use eights::rules as eights_rules;
use hearts::rules as hearts_rules;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Debug;

/// A trick-taking game with its options, as far as it differs from the others.
pub trait RoundGame: Clone + Debug + Send + Sync + 'static {
    /// The rules of a round, with its state.
    type Round: Round + Debug + Send + Sync + 'static;

    const NAME: &'static str;
    /// Whether fewer points are better.
    const LOW_IS_GOOD: bool;

    /// The game with options from an object.
    ///
    /// # Errors
    /// If the game does not have such an option, or not with this value.
    fn new(options: Value) -> Result<Self, OptionError>;
    fn players(&self) -> usize;
    fn deck(&self) -> Cards;
    /// The number of cards dealt to the pool.
    fn pool(&self) -> usize;
    /// The number of cards dealt to each player.
    fn dealt(&self) -> usize;
    /// Whether players pass cards before the round.
    fn passes(&self) -> bool {
        false
    }
    /// Begins a round with these cards.
    fn begin(&self, hands: &Hands, pool: Cards) -> Self::Round;
    /// The options, for records.
    fn options(&self) -> Value;
}

/// The options of Tricky Eights.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EightsOptions {
    /// The seat that takes and leads first, 0 to 3.
    pub dealer: usize,
}

/// A round of Tricky Eights.
#[derive(Clone, Debug)]
pub struct Eights(EightsOptions);

impl Eights {
    /// The game with these options.
    ///
    /// # Errors
    /// If one makes no sense.
    pub fn with(options: EightsOptions) -> Result<Eights, OptionError> {
        let dealer = options.dealer;
        OptionError::check(dealer < eights_rules::SEATS, "dealer", dealer, "0 to 3")?;
        Ok(Eights(options))
    }
}

impl RoundGame for Eights {
    type Round = eights_rules::Round;

    const NAME: &'static str = "eights";
    const LOW_IS_GOOD: bool = false;

    fn new(options: Value) -> Result<Eights, OptionError> {
        Eights::with(OptionError::read(Eights::NAME, options)?)
    }

    fn players(&self) -> usize {
        eights_rules::SEATS
    }

    fn deck(&self) -> Cards {
        Cards::ALL
    }

    fn pool(&self) -> usize {
        eights_rules::POOL
    }

    fn dealt(&self) -> usize {
        eights_rules::DEALT
    }

    fn begin(&self, hands: &Hands, pool: Cards) -> eights_rules::Round {
        // `Hands` has room for six players; four play.
        let hands = std::array::from_fn(|seat| hands[seat]);
        eights_rules::Round::new(self.0.dealer, hands, pool)
    }

    fn options(&self) -> Value {
        serde_json::to_value(&self.0).unwrap_or_default()
    }
}

/// The options of Hearts; the defaults are those of a usual server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeartsOptions {
    pub players: usize,
    /// Whether a player who has another card may not play a penalty card to the first trick.
    pub clean_first_trick: bool,
    /// The player who gets three cards of each hand before the round; the contest passes none.
    #[serde(skip_serializing_if = "PassDirection::is_none")]
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
    fn is_none(&self) -> bool {
        *self == PassDirection::None
    }

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

/// A round of Hearts.
#[derive(Clone, Debug)]
pub struct Hearts(HeartsOptions);

impl Hearts {
    /// The game with these options.
    ///
    /// # Errors
    /// If one makes no sense.
    pub fn with(options: HeartsOptions) -> Result<Hearts, OptionError> {
        let players = options.players;
        OptionError::check((3..=6).contains(&players), "players", players, "3 to 6")?;
        let is_possible = options.passing != PassDirection::Across || players.is_multiple_of(2);
        let expected = format!("none, left or right with {players} players");
        OptionError::check(is_possible, "passing", "across", expected)?;
        Ok(Hearts(options))
    }
}

impl RoundGame for Hearts {
    type Round = hearts_rules::Round;

    const NAME: &'static str = "hearts";
    const LOW_IS_GOOD: bool = true;

    fn new(options: Value) -> Result<Hearts, OptionError> {
        Hearts::with(OptionError::read(Hearts::NAME, options)?)
    }

    fn players(&self) -> usize {
        self.0.players
    }

    fn deck(&self) -> Cards {
        hearts_rules::deck(self.0.players)
    }

    fn pool(&self) -> usize {
        0
    }

    fn dealt(&self) -> usize {
        // No remainder: the deck leaves out cards until its size is a multiple of the players.
        self.deck().len() / self.0.players
    }

    fn passes(&self) -> bool {
        !self.0.passing.is_none()
    }

    /// The holder of the two of clubs leads.
    fn begin(&self, hands: &Hands, _: Cards) -> hearts_rules::Round {
        let players = self.0.players;
        let leads = |hand: &Cards| hand.contains(hearts_rules::FIRST_LEAD);
        // The two of clubs is in every deck, so somebody holds it.
        let leader = hands[..players].iter().position(leads).unwrap_or(0);
        let options = hearts_rules::Options {
            clean_first_trick: self.0.clean_first_trick,
            ..hearts_rules::Options::default()
        };
        hearts_rules::Round::new(players, leader, *hands, options)
            .with_passing(self.0.passing.by(players))
    }

    fn options(&self) -> Value {
        serde_json::to_value(&self.0).unwrap_or_default()
    }
}
