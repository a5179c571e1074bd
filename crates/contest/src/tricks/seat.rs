//! A seat at a match's table: a built-in player or a program.

use super::Contest;
use super::external::{Answer, External};
use super::participant::Mind;
use arena::fault::{Fault, FaultKind};
use arena::process::Ending;
use engine::rng::Random;
use seats::tricks::players::{Cheat, Yardstick};
use std::io;
use std::time::Instant;
use tricks::{Card, Player, Round as _, View};

/// A player at its seat for some rounds.
pub struct Seat<C: Contest> {
    holder: Holder<C>,
    /// A built-in player's own chance in a round; none before the first deal.
    rng: Option<Random>,
    /// The round with all hands open, for a player that sees them.
    open: Option<C::Round>,
}

/// The holder of a seat.
enum Holder<C: Contest> {
    Agent(Box<Player<C::Policy>>),
    Yardstick(Yardstick),
    Cheat(Cheat),
    Program(Box<External<C::Round>>),
}

impl<C: Contest> Seat<C> {
    fn of(holder: Holder<C>) -> Seat<C> {
        Seat {
            holder,
            rng: None,
            open: None,
        }
    }

    /// Gives a built-in player a seat.
    pub(crate) fn builtin(mind: &Mind<C::Policy>) -> Seat<C> {
        Seat::of(match *mind {
            Mind::Agent(agent) => Holder::Agent(Box::new(Player::new(agent))),
            Mind::Yardstick(yardstick) => Holder::Yardstick(yardstick),
            Mind::Cheat(cheat) => Holder::Cheat(cheat),
        })
    }

    /// Gives a program a seat.
    pub(crate) fn program(program: External<C::Round>) -> Seat<C> {
        Seat::of(Holder::Program(Box::new(program)))
    }

    /// A round has been dealt. `rng` is for the seat's own choices in it.
    pub fn deal(&mut self, view: &View<C::Round>, rng: Random) {
        // Open hands are forgotten at every deal: without new ones a cheat must fail rather than play from old ones.
        (self.open, self.rng) = (None, Some(rng));
        if let Holder::Program(program) = &mut self.holder {
            program.deal(view);
        }
    }

    /// The same round with all hands open, called in matches only. All but the yardstick that measures the value of
    /// knowing all cards ignore it.
    pub fn dealt_open(&mut self, round: &C::Round) {
        if let Holder::Cheat(_) = self.holder {
            self.open = Some(round.clone());
        }
    }

    /// Asks for a card. The referee checks whether it is legal.
    ///
    /// # Errors
    /// If the operating system fails; the seat is not at fault.
    pub fn ask(&mut self, view: &View<C::Round>) -> io::Result<Answer> {
        let start = Instant::now();
        // Without a deal there is no generator, hence no card: a fault, never a panic.
        let rng = self.rng.as_mut();
        let (card, missing) = match &mut self.holder {
            Holder::Program(program) => return program.ask(view),
            Holder::Agent(player) => {
                let decision = rng.and_then(|rng| player.decide(view, rng));
                (decision.map(|decision| decision.card), "no card")
            }
            Holder::Yardstick(yardstick) => {
                let decide = |rng| yardstick.decide::<C::Policy>(view, C::LOW_IS_GOOD, rng);
                (rng.and_then(decide), "no card")
            }
            Holder::Cheat(cheat) => {
                let open = self.open.as_ref().zip(rng);
                let card = open.and_then(|(round, rng)| cheat.choose::<C::Policy>(round, rng));
                (card, "no open hands to look at")
            }
        };
        Ok(Answer {
            reply: card.ok_or_else(|| Fault::new(FaultKind::Malformed, missing)),
            time: start.elapsed(),
        })
    }

    /// A player, perhaps this seat's, takes or plays a card; `before` is the round before that.
    pub fn acted(&mut self, before: &C::Round, card: Card) {
        // An open round follows the referee's; the views of other built-in players have all cards that were played.
        if let Some(round) = &mut self.open {
            round.act(card);
        }
        if let Holder::Program(program) = &mut self.holder {
            program.acted(before, card);
        }
    }

    /// The round is over; the view has all of it.
    pub fn over(&mut self, view: &View<C::Round>) {
        match &mut self.holder {
            // A round that is over shows all hands; a player that models the others learns from them.
            Holder::Agent(player) => player.learn(view),
            Holder::Program(program) => program.over(),
            Holder::Yardstick(_) | Holder::Cheat(_) => {}
        }
    }

    /// The last bytes that a program wrote to standard error, to explain a fault.
    pub fn errors(&self) -> String {
        match &self.holder {
            Holder::Program(program) => program.errors(),
            _ => String::new(),
        }
    }

    /// No more rounds follow: a program is given time to end, and ended.
    ///
    /// # Errors
    /// If the operating system cannot wait for it.
    pub fn leave(self) -> io::Result<Option<Ending>> {
        match self.holder {
            Holder::Program(program) => program.leave().map(Some),
            _ => Ok(None),
        }
    }
}
