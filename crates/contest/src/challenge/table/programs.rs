//! Programs that play at a table and get the messages of a contest. A program keeps running between its decisions,
//! and so follows one game. It is ended with the game, after an error, after an undo of decisions that it knows,
//! or if too many programs run.

use crate::challenge::pairing::{Client, Guest, Participant};
use arena::participant::Kind;
use arena::plain_text::printable;
use arena::process::Confinement;
use challenge::equilibrium::blueprint::Tables;
use challenge::player::{Memory, Player};
use challenge::protocol::{ResultMessage, WireEvent};
use challenge::rules::{Decision, Event, Game, Seat, other};
use challenge::view::{View, ViewContext};
use engine::rng::{mix, stream};
use games::challenge::notation;
use std::sync::Arc;
use std::time::Duration;
use tables::Residents;

/// The programs that can take a seat, and those of this table that have one.
pub(super) type Programs = Residents<(Participant, Arc<Conditions>), Live>;

/// Conditions of all programs at tables.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// The time for a decision.
    pub time: Duration,
    /// How long a program may take to connect.
    pub patience: Duration,
    /// The sandbox of the programs, which leaves each only its own files and its table.
    pub confinement: Option<Confinement>,
}

/// A game so far, in the form that its programs need.
pub(super) struct Course {
    pub seed: u64,
    pub tables: Tables,
    pub game: Game,
    /// All decisions since it started.
    pub decisions: Vec<Decision>,
    /// The results of the decisions: the decision's number from 0, its seat, the event.
    pub events: Vec<(usize, Seat, Event)>,
}

/// The player of a seat.
enum Who {
    Builtin(Box<dyn Player>),
    Program(Box<Guest>),
}

/// A program at its seat, and what it has been sent.
pub(super) struct Live {
    who: Who,
    /// The decisions that it knows of.
    told: Vec<Decision>,
    /// Its own decision after those.
    answered: Option<Decision>,
}

/// The programs that can take seats at all tables.
pub(super) fn known(programs: Vec<Participant>, conditions: Conditions) -> Programs {
    let conditions = Arc::new(conditions);
    let named = programs.into_iter().map(|one| {
        let label = one.label.clone();
        (label, (one, Arc::clone(&conditions)))
    });
    Residents::new(named.collect())
}

/// Asks a program for the decision of the seat to act.
///
/// # Errors
/// The reason why there is none, as a sentence; the program has then been ended.
pub(super) fn ask(programs: &Programs, label: &str, course: &Course) -> Result<String, String> {
    let (one, conditions) = programs.known(label, "challenge:")?;
    let seat = course.game.to_act().ok_or("the game is over")?;
    let context = ViewContext {
        // A process follows one game. The table's seed, which tells all cards, must not be guessed from the number.
        game_id: 1,
        opponent_id: other(seat) as u64 + 1,
        remaining: conditions.time,
    };
    let view = View::of(&course.game, &context).ok_or("there is nothing to decide")?;
    let decisions = &course.decisions;
    programs.with(seat, label, |place| {
        // The program leaves its seat for the time of the decision: an error below drops it, and so ends it. It is
        // used again only if the game continues what it knows. After an undo a fresh one starts.
        let known = place.take().filter(|live| live.follows(decisions));
        let mut live = match known {
            Some(live) => live,
            // A fresh program needs no history: a request shows all that is necessary to decide.
            None => Live {
                who: start(one, conditions, course, seat)?,
                told: decisions.clone(),
                answered: None,
            },
        };
        live.advance(course, seat);
        let decision = match &mut live.who {
            Who::Builtin(player) => player.decide(&view),
            Who::Program(guest) => {
                let decision = guest.ask(&view, conditions.time);
                decision.map_err(|reason| printable(&reason).into_owned())?
            }
        };
        if !view.allows(decision) {
            let decision = notation::print(decision);
            return Err(format!("it answered {decision}, which is not legal now"));
        }
        live.answered = Some(decision);
        *place = Some(live);
        Ok(notation::print(decision))
    })
}

/// Starts a program for a seat, or makes a built-in player that takes a program's seat.
fn start(
    one: &Participant,
    conditions: &Conditions,
    course: &Course,
    seat: Seat,
) -> Result<Who, String> {
    let Conditions {
        patience,
        confinement,
        ..
    } = conditions;
    Ok(match &one.kind {
        Kind::Builtin(player) => {
            // A built-in player depends on the seed of the game and its seat alone.
            let rng = stream(mix(course.seed), PROGRAMS + seat as u64);
            Who::Builtin(player.player(&course.tables, &Memory::default(), rng))
        }
        Kind::Program(client) => {
            let client: &Client = client;
            let (team, confinement) = (seat as u64 + 1, confinement.as_ref());
            let guest = Guest::start(&one.label, team, client, confinement, *patience);
            Who::Program(Box::new(
                guest.map_err(|error| printable(&error.to_string()).into_owned())?,
            ))
        }
    })
}

/// Ends the programs of a game that goes no further, after sending them the results they have not seen.
pub(super) fn leave(programs: &Programs, course: impl FnOnce() -> Course) {
    programs.leave(course, |seat, mut live, course| {
        if live.follows(&course.decisions) {
            live.advance(course, seat);
        }
    });
}

impl Live {
    /// Whether the game continues what the program knows: the decisions it was sent, then its own answer.
    fn follows(&self, decisions: &[Decision]) -> bool {
        let answered = self.answered.iter();
        let known: Vec<Decision> = self.told.iter().chain(answered).copied().collect();
        decisions.starts_with(&known)
    }

    /// Sends the results of all decisions that the program does not know.
    fn advance(&mut self, course: &Course, seat: Seat) {
        let known = self.told.len();
        // Its own last decision is among them: a program gets the result of that too, as in a contest.
        let later = course.events.iter().filter(|event| event.0 >= known);
        for &(_, mover, event) in later {
            if !event.is_private() || mover == seat {
                self.tell(seat, event);
            }
        }
        self.told.clone_from(&course.decisions);
        self.answered = None;
    }

    /// Passes an event on to the program or the built-in player.
    fn tell(&mut self, seat: Seat, event: Event) {
        match &mut self.who {
            Who::Builtin(player) => player.event(seat, event),
            Who::Program(guest) => guest.tell(ResultMessage {
                result: WireEvent::of(event, ""),
                your_player_num: seat as u8,
            }),
        }
    }
}

/// The first random stream of built-in players that take a program's seat; the seat is added.
const PROGRAMS: u64 = 1_000;
