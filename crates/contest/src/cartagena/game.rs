//! The referee of one game, from the deal to the end.
//!
//! [`play`] gets a dealt world and its seats. It asks the seats for actions in turn, checks each action against the
//! rules and punishes faults, and returns the actions, the faults and the ranks. Matches, tournaments and
//! `contest cartagena play` call it through `Match`; replays of records share [`ranks`] and [`Forfeits`].

pub use crate::tournament::Penalty;
pub use games::cartagena::record::{Forfeits, ranks};

use super::record::{FaultRecord, Opening, Record, ResultRecord, StepRecord};
use super::seat::{Answer, Fault, FaultKind, Seat, Usage};
use cartagena::notation::move_of;
use cartagena::player::Question;
use cartagena::record::GameRecord;
use cartagena::rules::{Action, ActionList, Cards, Game, State};
use cartagena::view::View;
use cartagena::world::World;
use engine::rng::{self, Random};
use std::io;

/// How a referee conducts a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conduct {
    /// Turns after which a game is stopped and drawn.
    pub max_turns: u32,
    /// The penalty for a fault.
    pub penalty: Penalty,
}

/// An action that was taken, with its draw and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The player, from 0.
    pub seat: usize,
    pub action: Action,
    pub drawn: Cards,
    pub usage: Usage,
}

/// A fault and its penalty.
#[derive(Clone, Debug, PartialEq)]
pub struct Incident {
    /// Actions taken before it.
    pub before: usize,
    /// The player, from 0.
    pub seat: usize,
    /// The player's fault, with its detail.
    pub fault: Fault,
    /// Whether it forfeited the game; otherwise a random action replaced its own.
    pub forfeit: bool,
    /// The time and processor time of the answer.
    pub usage: Usage,
    /// The beginning of its standard output.
    pub output: String,
    /// The end of its standard error.
    pub errors: String,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This seat brought all pirates home, or is the last one that did not forfeit.
    Won(usize),
    /// Nobody won within the allowed turns, or nobody can ever move again: a draw of all who did not forfeit.
    Stopped,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub steps: Vec<Step>,
    pub incidents: Vec<Incident>,
    pub end: End,
    /// The place of each player, from 1 (see [`ranks`]).
    pub ranks: Vec<f64>,
    /// Turns, the last one included.
    pub turns: u32,
}

impl Finished {
    /// The record of the game.
    pub fn record(
        &self,
        id: String,
        seed: u64,
        players: Vec<String>,
        game: &Game,
        opening: Opening,
    ) -> Record {
        Record {
            id,
            actions: self.steps.iter().map(StepRecord::from).collect(),
            faults: self.incidents.iter().map(FaultRecord::from).collect(),
            result: ResultRecord {
                winner: match self.end {
                    // Players count from 1 in records and from 0 in the program.
                    End::Won(seat) => Some(seat + 1),
                    End::Stopped => None,
                },
                ranks: self.ranks.clone(),
                turns: self.turns,
                actions: self.steps.len(),
            },
            ..Record::new(seed, players, game, opening)
        }
    }
}

/// Nanoseconds as milliseconds, cut off to whole microseconds.
fn milliseconds(nanos: u64) -> f64 {
    // More digits would only make the file longer.
    (nanos / 1_000) as f64 / 1e3
}

impl From<&Step> for StepRecord {
    fn from(step: &Step) -> StepRecord {
        StepRecord {
            ms: milliseconds(step.usage.nanos),
            cpu_ms: step.usage.processor_nanos.map(milliseconds),
            peak_kb: step.usage.peak_bytes.map(|bytes| bytes / 1024),
            ..StepRecord::of(step.seat, step.action, step.drawn)
        }
    }
}

impl From<&Incident> for FaultRecord {
    fn from(incident: &Incident) -> FaultRecord {
        FaultRecord {
            // `before` counts the actions that had been taken; the player was asked for the next one.
            action: incident.before + 1,
            player: incident.seat + 1,
            kind: incident.fault.kind,
            detail: incident.fault.detail.clone(),
            forfeit: incident.forfeit,
            ms: milliseconds(incident.usage.nanos),
            output: incident.output.clone(),
            errors: incident.errors.clone(),
        }
    }
}

/// Gets every event of a game while it is played, such as a screen that draws it.
pub trait Observer {
    /// Called after each action, with the position that it led to.
    fn step(&mut self, _state: &State, _step: &Step) {}
    /// Called after each fault. After a forfeit `_state` is the position without the player; with the other penalty
    /// it is the position before the random action.
    fn incident(&mut self, _state: &State, _incident: &Incident) {}
}

/// An observer that ignores all events.
pub struct NoObserver;

impl Observer for NoObserver {}

/// Turns after which a game is stopped and drawn by default.
pub const MAX_TURNS: u32 = 500;

/// Plays a game to its end. `world` must be as dealt; `random` chooses the random actions that replace faulty ones.
///
/// # Errors
/// If the referee's own machine fails.
pub fn play(
    game: &Game,
    world: &mut World,
    seats: &mut [Seat],
    conduct: &Conduct,
    random: Random,
    watch: &mut dyn Observer,
) -> io::Result<Finished> {
    let told = GameRecord::of_state(game, world.state(), Vec::with_capacity(256));
    let mut referee = Referee {
        game: game.clone(),
        world,
        conduct,
        told,
        random,
        forfeits: Forfeits::default(),
        steps: Vec::with_capacity(256),
        incidents: Vec::new(),
        turns: 0,
    };
    while referee.begin_action() {
        let seat = referee.world.state().to_move as usize;
        let answer = referee.ask(&mut seats[seat])?;
        referee.judge(seat, answer, watch);
    }
    Ok(referee.finished())
}

/// A game under way.
struct Referee<'a> {
    /// The game without the seats that have forfeited.
    game: Game,
    world: &'a mut World,
    conduct: &'a Conduct,
    /// The history as the contest's text gives it to players: passes leave no trace in it.
    told: GameRecord,
    random: Random,
    forfeits: Forfeits,
    steps: Vec<Step>,
    incidents: Vec<Incident>,
    /// Turns that have begun.
    turns: u32,
}

impl Referee<'_> {
    /// Whether another action is to be taken.
    fn begin_action(&mut self) -> bool {
        if self.winner().is_some() {
            return false;
        }
        // Turns are counted when they begin. If nobody can ever move again, the game is stopped at once: it would
        // only pass on to the limit.
        if self.world.state().taken == 0 {
            let state = self.world.state();
            if self.turns == self.conduct.max_turns || self.game.is_dead(state) {
                return false;
            }
            self.turns += 1;
        }
        true
    }

    /// The seat that has brought all pirates home, or the only one that has not forfeited.
    fn winner(&self) -> Option<usize> {
        let state = self.world.state();
        state
            .winner()
            .or_else(|| self.forfeits.survivor(self.game.players))
    }

    /// Asks the seat to move for an action, by what it may know.
    fn ask(&mut self, seat: &mut Seat) -> io::Result<Answer> {
        let state = self.world.state();
        let view = View::of(state, state.to_move as usize);
        // The record is not rebuilt for each question: only player and hand change, and `act` appends the moves.
        self.told.to_move = view.seat;
        self.told.hand.clear();
        self.told.hand.extend(view.hand.iter());
        let question = Question {
            game: &self.game,
            record: &self.told,
            view: &view,
            open: None,
        };
        seat(&question, Some(&state.hands[..self.game.players]))
    }

    /// Takes the action of an answer, or punishes its fault.
    fn judge(&mut self, seat: usize, answer: Answer, watch: &mut dyn Observer) {
        let usage = answer.usage;
        // The reply may be a fault already, such as a timeout; a legal action must also pass the rules.
        let checked = answer.reply.and_then(|action| {
            let legal = self.game.check(self.world.state(), action);
            legal.map(|()| action).map_err(|reason| {
                let detail = format!("answered \"{action}\": {reason}");
                Fault::new(FaultKind::Illegal, detail)
            })
        });
        let fault = match checked {
            Ok(action) => return self.act(seat, action, usage, watch),
            Err(fault) => fault,
        };
        let incident = Incident {
            before: self.steps.len(),
            seat,
            fault,
            forfeit: self.conduct.penalty == Penalty::Forfeit,
            usage,
            output: answer.output,
            errors: answer.errors,
        };
        if incident.forfeit {
            // The penalty comes before the observer's call, so that the observer gets the position after it.
            self.forfeits.leave(&mut self.game, seat);
            self.world.retire(&self.game);
            watch.incident(self.world.state(), &incident);
        } else {
            watch.incident(self.world.state(), &incident);
            let action = self.random_action();
            self.act(seat, action, usage, watch);
        }
        self.incidents.push(incident);
    }

    /// An action that replaces a faulty one: each legal action with the same probability.
    fn random_action(&mut self) -> Action {
        let mut list = ActionList::new();
        self.game.legal_actions(self.world.state(), &mut list);
        match list.len() {
            // Without a legal action the turn must end.
            0 => Action::Pass,
            n => list[rng::below(&mut self.random, n)],
        }
    }

    /// Takes a legal action, and adds it to the history and to the steps.
    fn act(&mut self, seat: usize, action: Action, usage: Usage, watch: &mut dyn Observer) {
        let drawn = self.world.act(&self.game, action);
        // The contest's text has no passes, so `move_of` gives none for a pass.
        self.told.moves.extend(move_of(seat, action));
        let step = Step {
            seat,
            action,
            drawn,
            usage,
        };
        watch.step(self.world.state(), &step);
        self.steps.push(step);
    }

    fn finished(self) -> Finished {
        let winner = self.winner();
        Finished {
            end: winner.map_or(End::Stopped, End::Won),
            ranks: ranks(&self.game, self.world.state(), winner, &self.forfeits),
            steps: self.steps,
            incidents: self.incidents,
            turns: self.turns,
        }
    }
}

#[cfg(test)]
mod tests;
