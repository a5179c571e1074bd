//! A seat at a match's table: a built-in player or a program.

use super::Contest;
use arena::fault::{Fault, FaultKind};
use arena::process::Ending;
use engine::rng::Random;
use seats::tricks::players::{Cheat, Yardstick};
use std::io;
use std::marker::PhantomData;
use std::time::{Duration, Instant};
use tricks::{Agent, Card, Player, PolicySet, Round, View};

/// A player at its seat for some rounds.
pub trait Seat<R: Round>: Send {
    /// A round has been dealt. `rng` is for the seat's own choices in it.
    fn deal(&mut self, view: &View<R>, rng: Random);

    /// The same round with all hands open, called in matches only. Players must ignore it; yardsticks that
    /// measure the value of knowing all cards use it.
    fn dealt_open(&mut self, round: &R) {
        let _ = round;
    }

    /// Asks for a card. The referee checks whether it is legal.
    ///
    /// # Errors
    /// If the operating system fails; the seat is not at fault.
    fn ask(&mut self, view: &View<R>) -> io::Result<Answer>;

    /// A player, perhaps this seat's, takes or plays a card; `before` is the round before that.
    fn acted(&mut self, before: &R, card: Card);

    /// The round is over; the view has all of it.
    fn over(&mut self, view: &View<R>);

    /// The last bytes that the program wrote to standard error, to explain a fault.
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

/// A started program at its seat, or its fault before it could take the seat, with the end of its standard error.
pub type Started<R> = Result<Box<dyn Seat<R>>, (Fault, String)>;

/// A seat's answer to the request for a card.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The card, or the fault.
    pub reply: Result<Card, Fault>,
    /// The time that it took.
    pub time: Duration,
}

/// A built-in player at its seat.
#[derive(Clone, Debug)]
pub struct Builtin<P> {
    player: Player<P>,
    rng: Option<Random>,
}

impl<P: PolicySet> Builtin<P> {
    /// Gives an agent a seat.
    pub fn new(agent: Agent<P>) -> Builtin<P> {
        Builtin {
            player: Player::new(agent),
            rng: None,
        }
    }
}

impl<P: PolicySet> Seat<P::Round> for Builtin<P> {
    fn deal(&mut self, _view: &View<P::Round>, rng: Random) {
        self.rng = Some(rng);
    }

    fn ask(&mut self, view: &View<P::Round>) -> io::Result<Answer> {
        let start = Instant::now();
        // Without a deal there is no generator, hence no card: a fault, never a panic.
        let rng = self.rng.as_mut();
        let decision = rng.and_then(|rng| self.player.decide(view, rng));
        Ok(Answer {
            reply: decision
                .map(|decision| decision.card)
                .ok_or_else(|| Fault::new(FaultKind::Malformed, "no card")),
            time: start.elapsed(),
        })
    }

    // A view already has all cards that were played.
    fn acted(&mut self, _before: &P::Round, _card: Card) {}

    fn over(&mut self, view: &View<P::Round>) {
        // A round that is over shows all hands; a player that models the others learns from them.
        self.player.learn(view);
    }
}

/// A yardstick at its seat.
pub struct Measuring<C> {
    yardstick: Yardstick,
    rng: Option<Random>,
    contest: PhantomData<fn() -> C>,
}

impl<C: Contest> Measuring<C> {
    /// Gives a yardstick a seat.
    pub fn new(yardstick: Yardstick) -> Measuring<C> {
        Measuring {
            yardstick,
            rng: None,
            contest: PhantomData,
        }
    }
}

impl<C: Contest> Seat<C::Round> for Measuring<C> {
    fn deal(&mut self, _view: &View<C::Round>, rng: Random) {
        self.rng = Some(rng);
    }

    fn ask(&mut self, view: &View<C::Round>) -> io::Result<Answer> {
        let start = Instant::now();
        let rng = self.rng.as_mut();
        let decide = |rng| {
            self.yardstick
                .decide::<C::Policy>(view, C::LOW_IS_GOOD, rng)
        };
        Ok(Answer {
            reply: rng
                .and_then(decide)
                .ok_or_else(|| Fault::new(FaultKind::Malformed, "no card")),
            time: start.elapsed(),
        })
    }

    fn acted(&mut self, _before: &C::Round, _card: Card) {}

    fn over(&mut self, _view: &View<C::Round>) {}
}

/// A player at its seat that sees all hands. It can play only where `dealt_open` is called, which is in
/// matches.
pub struct Cheating<C: Contest> {
    cheat: Cheat,
    open: Option<C::Round>,
    rng: Option<Random>,
}

impl<C: Contest> Cheating<C> {
    /// Gives it a seat.
    pub fn new(cheat: Cheat) -> Cheating<C> {
        Cheating {
            cheat,
            open: None,
            rng: None,
        }
    }
}

impl<C: Contest> Seat<C::Round> for Cheating<C> {
    fn deal(&mut self, _view: &View<C::Round>, rng: Random) {
        // Forgotten at every deal: without open hands it must fail rather than play from old ones.
        self.open = None;
        self.rng = Some(rng);
    }

    fn dealt_open(&mut self, round: &C::Round) {
        self.open = Some(round.clone());
    }

    fn ask(&mut self, _view: &View<C::Round>) -> io::Result<Answer> {
        let start = Instant::now();
        let open = self.open.as_ref().zip(self.rng.as_mut());
        let card = open.and_then(|(round, rng)| self.cheat.choose::<C::Policy>(round, rng));
        Ok(Answer {
            reply: card.ok_or_else(|| Fault::new(FaultKind::Malformed, "no open hands to look at")),
            time: start.elapsed(),
        })
    }

    fn acted(&mut self, _before: &C::Round, card: Card) {
        if let Some(round) = &mut self.open {
            // The open round follows the referee's, card by card.
            round.act(card);
        }
    }

    fn over(&mut self, _view: &View<C::Round>) {}
}
