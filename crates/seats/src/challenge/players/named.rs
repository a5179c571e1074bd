//! All players that a match can name: the built-in ones, `exploit:NAME` and `lbr:NAME`.

use super::{LocalBestResponse, Model};
use arena::participant::{BuiltinError, Spec};
use challenge::equilibrium::blueprint::Tables;
use challenge::player::{
    Builtin, Counter, Memory, Player, SearchSettings, Searcher, UnknownPlayer,
};
use engine::rng::Random;
use std::fmt;
use std::str::FromStr;

/// Prefix of the names of local best responders.
const PREFIX: &str = "lbr:";
/// Prefix of the names of players that exploit their opponents.
const EXPLOITS: &str = "exploit:";

/// A player that a match can name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NamedPlayer {
    /// A player that can also take part in a contest.
    Builtin(Builtin),
    /// The player that tries every decision by playouts, with these settings.
    Search(SearchSettings),
    /// The local best response to a known player, which measures it.
    LocalBestResponse(Known),
    /// A player that deviates from its base where that pays against its opponent.
    Exploiter(Builtin),
}

/// A player whose strategy the responder knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known(Builtin);

impl Known {
    /// All built-in players with a model.
    pub fn all() -> impl Iterator<Item = Known> {
        Builtin::ALL.into_iter().filter_map(Known::new)
    }

    /// The player, if it has a model.
    fn new(player: Builtin) -> Option<Known> {
        let modelled = !matches!(
            player,
            Builtin::Plain | Builtin::Equilibrium | Builtin::Search
        );
        modelled.then_some(Known(player))
    }

    /// The model of the player's strategy.
    fn model(self, tables: &Tables, rng: &Random) -> Model {
        match self.0 {
            Builtin::Random => Model::random(),
            Builtin::Bully => Model::bully(),
            Builtin::Doge => Model::doge(),
            Builtin::Need => Model::need(),
            Builtin::Counter => Model::Counter(Box::new(Counter::new(rng.clone()))),
            _ => Model::Blueprint(tables.blueprint()),
        }
    }
}

impl NamedPlayer {
    /// The player with its settings. Only the search has settings.
    ///
    /// # Errors
    /// If there is no such player, or it has no such setting.
    pub fn of_spec(spec: &Spec) -> Result<NamedPlayer, BuiltinError> {
        let player: Result<NamedPlayer, _> = spec.name.parse();
        let player = player.map_err(|unknown| spec.unknown(unknown.expected))?;
        // Any other player refuses all settings.
        if player != NamedPlayer::Builtin(Builtin::Search) {
            spec.check(&[])?;
            return Ok(player);
        }
        spec.check(&["worlds", "mistakes"])?;
        let usual = SearchSettings::default();
        Ok(NamedPlayer::Search(SearchSettings {
            worlds: spec
                .settings
                .number("worlds", usual.worlds, 0..=1_000_000)?,
            mistakes: spec
                .settings
                .number("mistakes", usual.mistakes, 0.0..=1.0)?,
        }))
    }

    /// The players that exploit their opponents.
    pub fn exploiters() -> impl Iterator<Item = NamedPlayer> {
        let bases = Builtin::ALL.into_iter().filter(|base| base.can_exploit());
        bases.map(NamedPlayer::Exploiter)
    }

    /// The local best response to a player, if its strategy is known. The one that solves endgames
    /// is approximated by the blueprint.
    pub fn response_to(player: NamedPlayer) -> Option<NamedPlayer> {
        let known = match player {
            // The endgames that this player will solve are not known beforehand, so the blueprint stands for it.
            NamedPlayer::Builtin(Builtin::Equilibrium) => Known::new(Builtin::Blueprint),
            NamedPlayer::Builtin(player) => Known::new(player),
            NamedPlayer::Search(_)
            | NamedPlayer::LocalBestResponse(_)
            | NamedPlayer::Exploiter(_) => None,
        };
        known.map(NamedPlayer::LocalBestResponse)
    }

    /// Whether it plays from tables, or thinks by them.
    pub fn needs_tables(self) -> bool {
        match self {
            NamedPlayer::Builtin(player) | NamedPlayer::Exploiter(player) => player.needs_tables(),
            NamedPlayer::Search(_) | NamedPlayer::LocalBestResponse(_) => true,
        }
    }

    /// Creates the player. The first player that needs `tables` loads them. A player that learns about its
    /// opponents goes on from `memory`.
    pub fn player(self, tables: &Tables, memory: &Memory, rng: Random) -> Box<dyn Player> {
        match self {
            NamedPlayer::Exploiter(base) => base.exploiter(tables, memory, rng),
            NamedPlayer::Builtin(player) => player.player(tables, rng),
            NamedPlayer::Search(settings) => {
                Box::new(Searcher::new(tables.blueprint(), settings, rng))
            }
            NamedPlayer::LocalBestResponse(known) => {
                let model = known.model(tables, &rng);
                Box::new(LocalBestResponse::new(model, tables.blueprint(), rng))
            }
        }
    }
}

impl FromStr for NamedPlayer {
    type Err = UnknownPlayer;

    fn from_str(name: &str) -> Result<NamedPlayer, UnknownPlayer> {
        // Prefixes first: the rest must name a player that can have them.
        let responder = name.strip_prefix(PREFIX).and_then(|known| {
            let known = Known::new(known.parse().ok()?)?;
            Some(NamedPlayer::LocalBestResponse(known))
        });
        let exploiter = name.strip_prefix(EXPLOITS).and_then(|base| {
            let base = base
                .parse()
                .ok()
                .filter(|base: &Builtin| base.can_exploit())?;
            Some(NamedPlayer::Exploiter(base))
        });
        let builtin = || name.parse().map(NamedPlayer::Builtin);
        responder
            .or(exploiter)
            .map_or_else(builtin, Ok)
            .map_err(|unknown| {
                // The message lists all names, those with prefixes too.
                let others = NamedPlayer::exploiters()
                    .chain(Known::all().map(NamedPlayer::LocalBestResponse));
                UnknownPlayer {
                    expected: others.fold(unknown.expected, |all, next| format!("{all}, {next}")),
                    ..unknown
                }
            })
    }
}

impl fmt::Display for NamedPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NamedPlayer::Builtin(player) => player.fmt(f),
            NamedPlayer::Search(SearchSettings { worlds, mistakes }) => {
                write!(f, "{},worlds={worlds},mistakes={mistakes}", Builtin::Search)
            }
            NamedPlayer::LocalBestResponse(known) => write!(f, "{PREFIX}{}", known.0),
            NamedPlayer::Exploiter(base) => write!(f, "{EXPLOITS}{base}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng::stream;

    /// All players, by the forms of their names.
    fn all() -> impl Iterator<Item = NamedPlayer> {
        let builtin = Builtin::ALL.map(NamedPlayer::Builtin).into_iter();
        let responders = Known::all().map(NamedPlayer::LocalBestResponse);
        builtin.chain(responders).chain(NamedPlayer::exploiters())
    }

    /// Without tables, making a player that asks for them would panic.
    #[test]
    fn players_that_need_no_tables_are_made_without_any() {
        let others = all().filter(|player| !player.needs_tables());
        let made = others.map(|player| {
            player.player(&Tables::none(), &Memory::default(), stream(1, 0));
            player.to_string()
        });
        let expected = ["plain", "random", "bully", "doge", "need", "counter"];
        assert_eq!(made.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn names_are_read_as_they_are_shown() {
        for player in all() {
            assert_eq!(player.to_string().parse::<NamedPlayer>().ok(), Some(player));
        }
        let error = "lbr:plain".parse::<NamedPlayer>().unwrap_err().to_string();
        assert!(error.ends_with(
            "equilibrium, search, exploit:blueprint, exploit:equilibrium, lbr:random, lbr:bully, lbr:doge, lbr:need, lbr:counter, lbr:blueprint"
        ));
    }
}
