//! Programs of participants at a table, which are spoken to as in a match. A program runs as long as its
//! table needs it.

use super::WholeGame;
use super::game::Game;
use crate::tricks::Contest;
use crate::tricks::participant::Participant;
use crate::tricks::seat::Seat;
use arena::fault::Fault;
use arena::participant::Kind;
use arena::plain_text::printable;
use engine::rng::{mix, stream};
use std::time::Duration;
use tables::Residents;
use tricks::{Card, Hands, Round, View};

/// The programs that can sit down, each with its time for a card, and those of this table that have.
pub(super) type Programs<G> = Residents<(Participant<<G as Contest>::Policy>, Duration), Live<G>>;

/// A program at its seat, and everything of the round that it has been sent.
pub(super) struct Live<G: WholeGame> {
    seat: Seat<G>,
    /// The round that it knows of, from 0.
    round: usize,
    /// The deal of that round.
    dealt: Hands,
    /// The cards of that round that it knows of.
    told: Vec<Card>,
    /// Its own answer after those.
    answered: Option<Card>,
}

/// Asks the program of that name for the card of the seat to act.
///
/// # Errors
/// The reason why there is no card, as a sentence; the program has then been ended.
pub(super) fn ask<G: WholeGame>(
    programs: &Programs<G>,
    label: &str,
    game: &Game<G>,
) -> Result<String, String> {
    let seat = game.to_act().ok_or("the game is over")?;
    let one = programs.known(label, &format!("{}:", G::NAME))?;
    programs.with(seat, label, |place| {
        // Taken out of its seat: on any error below it is dropped, which ends it. It is used again only if the
        // game goes on from what it knows.
        let mut live = match place.take().filter(|live| live.follows(game)) {
            Some(live) => live,
            None => start(one, game, seat)?,
        };
        live.advance(game, seat);
        let card = live.card(&game.current().view(seat))?;
        let legal = game.current().round.legal();
        if !legal.contains(card) {
            return Err(format!("it answered {card}, but legal are: {legal}"));
        }
        live.answered = Some(card);
        *place = Some(live);
        Ok(card.code())
    })
}

/// Starts a program and replays the round with it up to now. It is asked again for the cards that it has
/// played, as the protocol has no message to report them.
fn start<G: WholeGame>(
    one: &(Participant<G::Policy>, Duration),
    game: &Game<G>,
    seat: usize,
) -> Result<Live<G>, String> {
    let number = game.rounds() - 1;
    match start_from(one, game, seat, number)? {
        Ok(live) => Ok(live),
        // Its play may depend on earlier rounds, so all of them are replayed.
        Err(_) if number > 0 => start_from(one, game, seat, 0)?,
        Err(reason) => Err(reason),
    }
}

/// The same from the beginning of round `from` on. The outer error says why the program cannot play at all; the
/// inner one says that it now plays another card than it has played in this game.
fn start_from<G: WholeGame>(
    (one, time): &(Participant<G::Policy>, Duration),
    game: &Game<G>,
    seat: usize,
    from: usize,
) -> Result<Result<Live<G>, String>, String> {
    let label = &one.label;
    let (player, is_program) = match &one.kind {
        Kind::Builtin(mind) => {
            let mut player = Seat::builtin(mind);
            // A built-in player learns from finished rounds directly.
            for deal in &game.deals[..from] {
                player.over(&deal.view(seat));
            }
            (player, false)
        }
        Kind::Program(_) if game.contest.passes() => {
            return Ok(Err(format!(
                "{label} cannot play with passing: {} has no message for it",
                G::TITLE
            )));
        }
        Kind::Program(line) => {
            let line = line.clone().called(label);
            let started = game.contest.seat(&line, *time);
            let started = started.map_err(|error| format!("{label} cannot be started: {error}"))?;
            let program = started.map_err(|(fault, errors)| worded(&fault, &errors))?;
            (Seat::program(program), true)
        }
    };
    let mut live = Live {
        seat: player,
        round: from,
        dealt: Hands::default(),
        told: Vec::new(),
        answered: None,
    };
    for number in from..game.rounds() {
        let deal = &game.deals[number];
        live.round = number;
        live.deal(game, seat);
        let mut view = View::new(&deal.start, seat);
        let mut round = deal.start.clone();
        for &(actor, card) in &deal.cards {
            // Another answer than before contradicts the game, unless the protocol reports a program's own cards
            // to it.
            if actor == seat && is_program {
                let again = live.card(&view)?;
                if again != card && !G::TELLS_OWN_CARDS {
                    return Ok(Err(format!(
                        "{label} was restarted in the middle of a round, and now played {again} instead \
                         of {card}: {} has no message to correct it. Let it try again, or take the game \
                         back to before that card",
                        G::TITLE
                    )));
                }
            }
            live.seat.acted(&round, card);
            live.told.push(card);
            round.act(card);
            view.follow(card, &round);
        }
        if number + 1 < game.rounds() {
            live.seat.over(&deal.view(seat));
        }
    }
    Ok(Ok(live))
}

/// The game is over: the programs that still run receive its last events, and are ended.
pub(super) fn leave<G: WholeGame>(programs: &Programs<G>, game: &Game<G>) {
    let farewell = |seat, mut live: Live<G>, game: &Game<G>| {
        if live.follows(game) {
            live.advance(game, seat);
            if game.current().is_over() {
                live.seat.over(&game.current().view(seat));
            }
        }
        let _ = live.seat.leave();
    };
    programs.leave(|| game.clone(), farewell);
}

impl<G: WholeGame> Live<G> {
    /// Whether the game continues what the program knows: the same deal, the cards it was sent, then its own
    /// answer.
    fn follows(&self, game: &Game<G>) -> bool {
        let Some(deal) = game.deals.get(self.round) else {
            return false;
        };
        let mut cards = deal.cards.iter().map(|&(_, card)| card);
        deal.start.hands() == self.dealt
            && self.told.iter().all(|&told| cards.next() == Some(told))
            && self.answered.is_none_or(|card| cards.next() == Some(card))
    }

    /// Sends it the deal of the round.
    fn deal(&mut self, game: &Game<G>, seat: usize) {
        let start = &game.deals[self.round].start;
        // The stream depends on the game's seed, the round and the seat, so a restarted player decides alike.
        let chance = mix(game.seed() ^ mix(self.round as u64 + 1));
        let rng = stream(chance, PROGRAMS + seat as u64);
        self.seat.deal(&View::new(start, seat), rng);
        self.dealt = start.hands();
        self.told.clear();
        self.answered = None;
    }

    /// Sends it everything that has happened since it was last asked.
    fn advance(&mut self, game: &Game<G>, seat: usize) {
        loop {
            let deal = &game.deals[self.round];
            let mut round = deal.start.clone();
            for (number, &(_, card)) in deal.cards.iter().enumerate() {
                if number >= self.told.len() {
                    self.seat.acted(&round, card);
                    self.told.push(card);
                }
                round.act(card);
            }
            self.answered = None;
            if self.round + 1 == game.deals.len() {
                return;
            }
            self.seat.over(&deal.view(seat));
            self.round += 1;
            self.deal(game, seat);
        }
    }

    /// Asks it for a card.
    fn card(&mut self, view: &View<G::Round>) -> Result<Card, String> {
        let answer = self.seat.ask(view);
        let answer = answer.map_err(|error| format!("it cannot be asked: {error}"))?;
        answer
            .reply
            .map_err(|fault| worded(&fault, &self.seat.errors()))
    }
}

/// The first random stream of players that sit down as programs; the seat's number is added to it.
const PROGRAMS: u64 = 1_000;
/// Characters of a program's errors that a page shows.
const ERRORS: usize = 300;

/// A fault in words, with what the program wrote last.
fn worded(fault: &Fault, errors: &str) -> String {
    let errors = errors.trim();
    let text = match errors.chars().count() {
        0 => fault.to_string(),
        count => {
            let last: String = errors.chars().skip(count.saturating_sub(ERRORS)).collect();
            format!("{fault}; it wrote to standard error: {last}")
        }
    };
    printable(&text).into_owned()
}
