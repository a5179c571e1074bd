//! What players find of the actions that they look at.

use crate::brain::{EIGHTS, HEARTS, at, challenger, tables, trick_view};
use arena::participant::{BuiltinError, Spec};
use cartagena::evaluation::Afterstate;
use cartagena::view::View;
use challenge::player::{Position, SearchSettings};
use challenge::rules::{Cards, PACKS};
use contest::tricks::Contest;
use engine::rng::stream;
use environments::cartagena::{Cartagena, PASS};
use environments::challenge::{self as duel, Challenge};
use environments::rounds::{Eights, Hearts, RoundGame, id_of};
use environments::{Game, Id, Play, Table, Turn};
use lab::cartagena::players::builtin::Searching;
use lab::challenge::players::NamedPlayer;
use thiserror::Error;

/// What was found of an action.
pub(crate) struct Found {
    pub(crate) id: Id,
    /// Chance to win, or points where a round is played for points.
    pub(crate) value: f64,
    /// Standard error of the value, where it is known.
    pub(crate) error: Option<f64>,
    /// How often it was tried.
    pub(crate) visits: u32,
}

/// Why there is nothing.
#[derive(Debug, Error)]
pub(crate) enum NoCandidates {
    /// The player looks at no actions one by one.
    #[error("{0} does not say what it finds of its actions")]
    Silent(String),
    /// Nobody is to move.
    #[error("no player is to move")]
    NoTurn,
    /// A setting.
    #[error(transparent)]
    Builtin(#[from] BuiltinError),
}

/// What a player finds of the legal actions of the player to move, the best first.
pub(crate) fn candidates(
    spec: &Spec,
    seed: u64,
    loaded: &mut Option<Searching>,
    table: &dyn Play,
) -> Result<Vec<Found>, NoCandidates> {
    if !matches!(table.turn(), Turn::Seat(_)) {
        return Err(NoCandidates::NoTurn);
    }
    let silent = || NoCandidates::Silent(spec.name.clone());
    if let Some(table) = at::<Cartagena>(table) {
        return match spec.name.as_str() {
            "runme" => Ok(searched(table, searching(spec, loaded)?, seed)),
            _ => Err(silent()),
        };
    }
    if let Some(table) = at::<Challenge>(table) {
        return match challenger(spec)? {
            NamedPlayer::Search(settings) => Ok(tried(table, settings, seed)),
            _ => Err(silent()),
        };
    }
    if spec.name != "search" {
        return Err(silent());
    }
    match table.name() {
        "eights" => decided::<Eights, _>(&EIGHTS, spec, seed, table),
        _ => decided::<Hearts, _>(&HEARTS, spec, seed, table),
    }
}

/// How `runme` searches, loaded once.
fn searching<'a>(
    spec: &Spec,
    loaded: &'a mut Option<Searching>,
) -> Result<&'a Searching, BuiltinError> {
    let how = match loaded.take() {
        Some(how) => how,
        None => Searching::new(&spec.settings)?,
    };
    Ok(loaded.insert(how))
}

fn searched(table: &Table<Cartagena>, how: &Searching, seed: u64) -> Vec<Found> {
    let state = table.state();
    let view = View::of(state.open(), state.open().to_move.into());
    let record = table.game().record(state);
    let question = cartagena::player::Question {
        game: state.game(),
        record: &record,
        view: &view,
    };
    if table.game().legal(state) == 1 << PASS {
        // Nothing to search: the turn can only be ended.
        return Vec::new();
    }
    let report = how.player(seed).search(&question);
    let found = report.candidates.iter().filter_map(|candidate| {
        Some(Found {
            id: environments::cartagena::id_of(state, candidate.action)?,
            value: candidate.chance,
            error: candidate.error,
            visits: candidate.visits,
        })
    });
    found.collect()
}

/// A decision of the challenge game with what the player to move may know.
fn position(table: &Table<Challenge>) -> Option<Position> {
    let state = table.state();
    let hand = state.game().hand()?;
    let seat = hand.to_act()?;
    Some(Position {
        public: *hand.public(),
        log: Some(state.log().to_vec()),
        cards: hand.cards(seat),
        points: state.game().points(),
        deck: PACKS.minus(seen_before(table, seat)),
    })
}

/// The cards of earlier hands from the same packs that a seat has seen: its own, and those played.
fn seen_before(table: &Table<Challenge>, seat: usize) -> Cards {
    let mut state = table.start().clone();
    let (mut seen, mut now) = (Cards::EMPTY, Cards::EMPTY);
    for event in table.events() {
        match event.seat {
            None => {
                if state.begins_hand() {
                    let fresh = table.game().has_all_cards(&state);
                    seen = if fresh { Cards::EMPTY } else { seen.plus(now) };
                    now = Cards::EMPTY;
                }
                if table.game().told(&state, event.id, seat).is_some() {
                    now = with(now, event.id);
                }
            }
            Some(by) if usize::from(by) != seat && event.id < duel::OFFER => {
                now = with(now, event.id);
            }
            Some(_) => {}
        }
        table.game().apply(&mut state, event.id);
    }
    seen
}

fn with(cards: Cards, id: Id) -> Cards {
    challenge::rules::Card::new(id + 1).map_or(cards, |card| cards.with(card))
}

fn tried(table: &Table<Challenge>, settings: SearchSettings, seed: u64) -> Vec<Found> {
    let Some(position) = position(table) else {
        return Vec::new();
    };
    let blueprint = tables().blueprint();
    let tried = position.search(&blueprint, settings.worlds, seed);
    let found = tried.iter().map(|one| Found {
        id: duel::id_of(one.decision),
        value: one.chance,
        error: None,
        visits: settings.worlds.max(1),
    });
    found.collect()
}

fn decided<G, C>(
    contest: &C,
    spec: &Spec,
    seed: u64,
    table: &dyn Play,
) -> Result<Vec<Found>, NoCandidates>
where
    G: RoundGame,
    C: Contest<Round = G::Round>,
{
    let agent = contest::tricks::agent(contest, spec)?;
    let player = tricks::Player::new(agent);
    let view = trick_view::<G>(table).ok_or(NoCandidates::NoTurn)?;
    let decision = player.decide(&view, &mut stream(seed, 0));
    let found = decision.map_or(Vec::new(), |decision| decision.candidates);
    let found = found.iter().map(|one| Found {
        id: id_of(one.card),
        value: one.value,
        error: Some(one.error),
        visits: one.worlds,
    });
    Ok(found.collect())
}

/// Each player's chance to win a position of Cartagena by the network, as the player to move sees it.
pub(crate) fn evaluation(
    spec: &Spec,
    loaded: &mut Option<Searching>,
    table: &dyn Play,
) -> Result<Vec<f32>, NoCandidates> {
    let Some(table) = at::<Cartagena>(table).filter(|_| spec.name == "runme") else {
        return Err(NoCandidates::Silent(spec.name.clone()));
    };
    let state = table.state();
    if !matches!(table.game().turn(state), Turn::Seat(_)) {
        return Err(NoCandidates::NoTurn);
    }
    let how = searching(spec, loaded)?;
    let players = state.game().players;
    let evaluator = how.evaluators.for_players(players);
    let chances = evaluator.chances(state.game(), &Afterstate::before(state.open()));
    Ok(chances[..players].to_vec())
}
