//! Players' values of the legal actions.

use crate::brain::{at, trick_view};
use crate::tables;
use arena::participant::{BuiltinError, Spec};
use cartagena::evaluation::Afterstate;
use cartagena::rules::ActionList;
use cartagena::view::View;
use challenge::equilibrium::blueprint::Tables;
use challenge::player::{Position, SearchSettings};
use challenge::rules::{Cards, PACKS};
use engine::rng::stream;
use games::cartagena::{Cartagena, PASS};
use games::challenge::{self as duel, Challenge};
use games::tricks::{Contest, Eights, Hearts, id_of};
use games::{AnyHistory, Game, History, Id, Turn};
use seats::cartagena::players::builtin::Searching;
use seats::challenge::players::NamedPlayer;
use thiserror::Error;

/// A player's value of an action.
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
    /// The player has no evaluation to ask.
    #[error("{0} has no evaluation to ask here: runme has one, in Cartagena")]
    NoEvaluation(String),
    /// Nobody is to move.
    #[error("no player is to move")]
    NoTurn,
    #[error(transparent)]
    Builtin(#[from] BuiltinError),
}

/// A player's values of the legal actions of the player to move, the best first.
pub(crate) fn candidates(
    spec: &Spec,
    seed: u64,
    loaded: &mut Option<Searching>,
    history: &dyn AnyHistory,
) -> Result<Vec<Found>, NoCandidates> {
    if !matches!(history.turn(), Turn::Seat(_)) {
        return Err(NoCandidates::NoTurn);
    }
    let silent = || NoCandidates::Silent(spec.name.clone());
    if let Some(history) = at::<Cartagena>(history) {
        return match spec.name.as_str() {
            "runme" => Ok(searched(history, searching(spec, loaded)?, seed)),
            _ => Err(silent()),
        };
    }
    if let Some(history) = at::<Challenge>(history) {
        return match NamedPlayer::of_spec(spec)? {
            named @ NamedPlayer::Search(settings) => {
                let tables = tables::of(named, spec)?;
                Ok(tried(history, &tables, settings, seed))
            }
            _ => Err(silent()),
        };
    }
    match (history.name(), spec.name.as_str()) {
        ("eights", "search") => decided::<Eights>(spec, seed, history),
        ("hearts", "search") => decided::<Hearts>(spec, seed, history),
        _ => Err(silent()),
    }
}

/// How `runme` searches, loaded once.
fn searching<'a>(
    spec: &Spec,
    loaded: &'a mut Option<Searching>,
) -> Result<&'a Searching, BuiltinError> {
    // Loaded at the first question and kept, as networks take time to read.
    let how = match loaded.take() {
        Some(how) => how,
        None => Searching::new(&spec.settings)?,
    };
    Ok(loaded.insert(how))
}

fn searched(history: &History<Cartagena>, how: &Searching, seed: u64) -> Vec<Found> {
    let state = history.state();
    let view = View::of(state.open(), state.open().to_move.into());
    let record = history.game().received(state);
    let question = cartagena::player::Question {
        game: state.game(),
        record: &record,
        view: &view,
        open: history.game().open_hands(state),
    };
    if history.game().legal(state) == 1 << PASS {
        // Nothing to search: the turn can only be ended.
        return Vec::new();
    }
    let report = how.player(seed).search(&question);
    let found = report.candidates.iter().filter_map(|candidate| {
        Some(Found {
            id: games::cartagena::id_of(state, candidate.action)?,
            value: candidate.chance,
            error: candidate.error,
            visits: candidate.visits,
        })
    });
    found.collect()
}

/// A decision of the challenge game with what the player to move may know.
fn position(history: &History<Challenge>) -> Option<Position> {
    let state = history.state();
    let hand = state.game().hand()?;
    let seat = hand.to_act()?;
    Some(Position {
        public: *hand.public(),
        log: Some(state.log().to_vec()),
        cards: hand.cards(seat),
        points: state.game().points(),
        deck: PACKS.minus(seen_before(history, seat)),
    })
}

/// The cards of earlier hands from the same packs that a seat has seen: its own, and those played.
fn seen_before(history: &History<Challenge>, seat: usize) -> Cards {
    let mut state = history.start().clone();
    let (mut seen, mut now) = (Cards::EMPTY, Cards::EMPTY);
    for event in history.events() {
        match event.seat {
            None => {
                if state.begins_hand() {
                    // Whole packs at the beginning of a hand were shuffled again, so cards seen before do not
                    // count.
                    let fresh = history.game().has_all_cards(&state);
                    seen = if fresh { Cards::EMPTY } else { seen.plus(now) };
                    now = Cards::EMPTY;
                }
                if history.game().told(&state, event.id, seat).is_some() {
                    now = with(now, event.id);
                }
            }
            // A card that the other has played.
            Some(by) if usize::from(by) != seat && event.id < duel::OFFER => {
                now = with(now, event.id);
            }
            Some(_) => {}
        }
        history.game().apply(&mut state, event.id);
    }
    seen
}

fn with(cards: Cards, id: Id) -> Cards {
    challenge::rules::Card::new(id + 1).map_or(cards, |card| cards.with(card))
}

fn tried(
    history: &History<Challenge>,
    tables: &Tables,
    settings: SearchSettings,
    seed: u64,
) -> Vec<Found> {
    let Some(position) = position(history) else {
        return Vec::new();
    };
    let blueprint = tables.blueprint();
    let tried = position.search(&blueprint, settings.worlds, seed);
    let found = tried.iter().map(|one| Found {
        id: duel::id_of(one.decision),
        value: one.chance,
        error: None,
        visits: settings.worlds.max(1),
    });
    found.collect()
}

fn decided<C: Contest>(
    spec: &Spec,
    seed: u64,
    history: &dyn AnyHistory,
) -> Result<Vec<Found>, NoCandidates> {
    let agent = contest::tricks::agent::<C>(spec)?;
    let player = tricks::Player::new(agent);
    let view = trick_view::<C>(history).ok_or(NoCandidates::NoTurn)?;
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
    history: &dyn AnyHistory,
) -> Result<Vec<f32>, NoCandidates> {
    let Some(history) = at::<Cartagena>(history).filter(|_| spec.name == "runme") else {
        return Err(NoCandidates::NoEvaluation(spec.name.clone()));
    };
    let state = history.state();
    if !matches!(history.game().turn(state), Turn::Seat(_)) {
        return Err(NoCandidates::NoTurn);
    }
    let how = searching(spec, loaded)?;
    let players = state.game().players;
    let evaluator = how.evaluators.for_players(players);
    let mut actions = ActionList::new();
    state.game().legal_actions(state.open(), &mut actions);
    // The network values positions after actions, so the legal ones are handed over too.
    let before = Afterstate::before(state.open());
    let chances = evaluator.chances_before(state.game(), &before, &actions);
    Ok(chances[..players].to_vec())
}
