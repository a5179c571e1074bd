//! The built-in players of all games, asked in one way.

use crate::{tables, workers};
use arena::participant::{BuiltinError, Spec};
use cartagena::player::Question;
use cartagena::view::View;
use challenge::equilibrium::blueprint::Tables;
use challenge::player::Memory;
use challenge::rules;
use challenge::view::{View as ChallengeView, ViewContext};
use engine::rng::{Random, stream};
use games::cartagena::Cartagena;
use games::challenge::{Challenge, decision, id_of};
use games::tricks::{self as rounds, Contest, Eights, Hearts, Rounds};
use games::{AnyHistory, Event, Game, History, Id, Turn};
use seats::cartagena::players::builtin;
use seats::challenge::players::NamedPlayer;
use seats::{self, Failure, Maker, Seat};
use std::sync::Arc;
use std::time::Duration;

/// The history as one of a game.
pub(crate) fn at<G: Game>(history: &dyn AnyHistory) -> Option<&History<G>> {
    history.as_any().downcast_ref()
}

/// Reads what a game's player is to be, and loads what it needs.
///
/// # Errors
/// If the game has no such player, or the player no such setting.
pub(crate) fn maker(game: &str, spec: &Spec) -> Result<Maker, BuiltinError> {
    match game {
        Cartagena::NAME => {
            let recipe = builtin::recipe(spec)?;
            Ok(Arc::new(move |seed| Box::new(Pirate(recipe(seed)))))
        }
        Challenge::NAME => {
            let named = NamedPlayer::of_spec(spec)?;
            let tables = tables::of(named, spec)?;
            Ok(Arc::new(move |seed| {
                Box::new(Challenger::new(named, tables.clone(), seed))
            }))
        }
        "eights" => trickster::<Eights>(spec),
        "hearts" => trickster::<Hearts>(spec),
        _ => seats::maker(spec),
    }
}

fn trickster<C: Contest>(spec: &Spec) -> Result<Maker, BuiltinError> {
    let agent = contest::tricks::agent::<C>(spec)?;
    Ok(Arc::new(move |seed| {
        Box::new(Trickster::<C> {
            player: tricks::Player::new(agent),
            rng: stream(seed, 0),
        })
    }))
}

/// The names of a game's players.
pub(crate) fn names(game: &str) -> Vec<String> {
    let owned = |name: &str| name.to_owned();
    match game {
        Cartagena::NAME => builtin::ALL.iter().map(|one| owned(one.name)).collect(),
        Challenge::NAME => challenge::player::Builtin::ALL
            .iter()
            .map(|one| owned(one.name()))
            .collect(),
        "eights" => policies::<Eights>(),
        "hearts" => policies::<Hearts>(),
        _ => seats::NAMES.map(owned).into(),
    }
}

fn policies<C: Contest>() -> Vec<String> {
    use tricks::PolicySet;
    let named = C::Policy::NAMED.iter().map(|named| named.0.to_owned());
    ["search".to_owned()].into_iter().chain(named).collect()
}

/// There is nothing to choose.
fn no_turn<T>() -> Result<T, Failure> {
    Err(Failure::Illegal(
        "no player of this game is to move".to_owned(),
    ))
}

struct Pirate(Box<dyn cartagena::player::Player>);

impl Seat for Pirate {
    fn choose(&mut self, history: &dyn AnyHistory) -> Result<Id, Failure> {
        let Some(history) = at::<Cartagena>(history) else {
            return no_turn();
        };
        let state = history.state();
        let record = history.game().received(state);
        let seat = usize::from(state.open().to_move);
        // The player gets the contest's record and its view, as `./runme` does.
        let action = self.0.choose(&Question {
            game: state.game(),
            record: &record,
            view: &View::of(state.open(), seat),
            open: history.game().open_hands(state),
        });
        Ok(games::cartagena::id_of(state, action).unwrap_or(games::cartagena::PASS))
    }
}

/// A challenge player, which is told what happens between its decisions.
struct Challenger {
    named: NamedPlayer,
    tables: Tables,
    player: Box<dyn challenge::player::Player>,
    /// The memory of its opponent.
    memory: Memory,
    seed: u64,
    /// The events that it has received.
    told: Vec<Event>,
    games: u64,
}

/// The clock in its views: more than a player can use.
const REMAINING: Duration = Duration::from_secs(3600);

impl Challenger {
    fn new(named: NamedPlayer, tables: Tables, seed: u64) -> Challenger {
        let memory = Memory::default();
        Challenger {
            named,
            player: named.player(&tables, &memory, stream(seed, 0)),
            tables,
            memory,
            seed,
            told: Vec::new(),
            games: 1,
        }
    }

    /// Gives the player the events since its last decision; in another game, all events of that game.
    fn tell(&mut self, history: &History<Challenge>, seat: rules::Seat) {
        let events = history.events();
        // The history is not a continuation of the one seen last: another game, or one after an undo. A new
        // player sees it from its start; what was learnt of the opponent stays in the memory.
        if !events.starts_with(&self.told) {
            self.games += 1;
            let rng = stream(self.seed, self.games);
            self.player = self.named.player(&self.tables, &self.memory, rng);
            self.told.clear();
        }
        let mut state = history.start().clone();
        for (number, event) in events.iter().enumerate() {
            if let (Some(mover), true) = (event.seat, number >= self.told.len()) {
                // The rules say what follows from the decision; a player receives its own events, and of the
                // other's only the public ones.
                let mut before = state.game().clone();
                let followed = before.decide(decision(event.id)).unwrap_or_default();
                for told in followed {
                    if usize::from(mover) == seat || !told.is_private() {
                        self.player.event(seat, told);
                    }
                }
            }
            history.game().apply(&mut state, event.id);
        }
        self.told = events.to_vec();
    }
}

impl Seat for Challenger {
    fn choose(&mut self, history: &dyn AnyHistory) -> Result<Id, Failure> {
        let (Some(history), Turn::Seat(seat)) = (at::<Challenge>(history), history.turn()) else {
            return no_turn();
        };
        self.tell(history, seat);
        let context = ViewContext {
            game_id: self.games,
            opponent_id: 0,
            remaining: REMAINING,
        };
        let view = ChallengeView::of(history.state().game(), &context);
        // One of the players works on rayon's global pool.
        let decide = |view| Ok(id_of(workers::here(|| self.player.decide(&view))));
        view.map_or_else(no_turn, decide)
    }
}

/// A player of tricks.
struct Trickster<C: Contest> {
    player: tricks::Player<C::Policy>,
    rng: Random,
}

/// The view of a history's player to move.
pub(crate) fn trick_view<C: Contest>(history: &dyn AnyHistory) -> Option<tricks::View<C::Round>> {
    let (Some(history), Turn::Seat(seat)) = (at::<Rounds<C>>(history), history.turn()) else {
        return None;
    };
    history
        .game()
        .view_of(history.start(), history.events(), seat)
}

impl<C: Contest> Seat for Trickster<C> {
    fn choose(&mut self, history: &dyn AnyHistory) -> Result<Id, Failure> {
        let view = trick_view::<C>(history);
        let decided = view.and_then(|view| self.player.decide(&view, &mut self.rng));
        decided.map_or_else(no_turn, |decision| Ok(rounds::id_of(decision.card)))
    }
}
