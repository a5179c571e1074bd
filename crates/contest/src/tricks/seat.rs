//! Whoever holds a seat: told what happens, asked for cards.

use arena::fault::{Fault, FaultKind};
use arena::process::Ending;
use engine::rng::Random;
use std::io;
use std::time::{Duration, Instant};
use tricks::belief::Repertoire;
use tricks::{Agent, Card, Player, Policy, View};

/// Holds a seat for some rounds.
pub trait Seat<V: View>: Send {
    /// A round has been dealt. `chance` is for the seat's own choices in it.
    fn deal(&mut self, view: &V, chance: Random);

    /// Asks for a card. Whether the rules allow it is for the referee to see.
    ///
    /// # Errors
    /// What is not the seat's doing: the referee's own machine failed.
    fn ask(&mut self, view: &V) -> io::Result<Answer>;

    /// Somebody, perhaps this seat, takes or plays a card, in the round as it was before.
    fn acted(&mut self, before: &V::Round, card: Card);

    /// The round is over; the view has all of it.
    fn over(&mut self, view: &V);

    /// The end of what it has written to standard error, for people who look into a fault.
    fn errors(&self) -> String {
        String::new()
    }

    /// No more rounds follow: a program is given time to end, and ended.
    ///
    /// # Errors
    /// If the operating system cannot wait for it.
    fn leave(self: Box<Self>) -> io::Result<Option<Ending>> {
        Ok(None)
    }
}

/// A program at its seat, or what it has done wrong before it sat there.
pub type Seated<V> = Result<Box<dyn Seat<V>>, Fault>;

/// What a seat says.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The card, or what went wrong.
    pub reply: Result<Card, Fault>,
    /// What it took.
    pub time: Duration,
}

/// A player that runs inside this program.
#[derive(Clone, Debug)]
pub struct Inside<P> {
    player: Player<P>,
    chance: Option<Random>,
}

impl<P> Inside<P> {
    /// Seats an agent.
    pub fn new(agent: Agent<P>) -> Inside<P> {
        Inside {
            player: Player::new(agent),
            chance: None,
        }
    }
}

impl<V: View, P: Policy<V::Round> + Repertoire + Send> Seat<V> for Inside<P> {
    fn deal(&mut self, _view: &V, chance: Random) {
        self.chance = Some(chance);
    }

    fn ask(&mut self, view: &V) -> io::Result<Answer> {
        let start = Instant::now();
        let chance = self.chance.as_mut();
        let decision = chance.and_then(|chance| self.player.decide(view, chance));
        Ok(Answer {
            reply: decision
                .map(|decision| decision.card)
                .ok_or_else(|| Fault::new(FaultKind::Malformed, "no card")),
            time: start.elapsed(),
        })
    }

    fn acted(&mut self, _before: &V::Round, _card: Card) {}

    fn over(&mut self, view: &V) {
        self.player.learn(view);
    }
}
