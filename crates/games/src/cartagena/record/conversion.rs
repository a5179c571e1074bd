//! The record of a history, and the history of a record.

use super::super::{Cartagena, Options, PASS, action, id_of, word};
use super::{Forfeits, Opening, Record, ResultRecord, StepRecord, ranks};
use crate::game::{Game, Id, Turn};
use crate::record::{RecordError, unsupported};
use crate::{Event, History};
use ::cartagena::rules::{Action, ActionList, Cards, Symbol};
use arena::records::Record as _;
use serde_json::Value;

/// The record of a game that is over and began with its deal.
pub(in crate::cartagena) fn record(
    history: &History<Cartagena>,
    players: &[String],
) -> Result<Value, RecordError> {
    let game = history.game();
    let mut state = history.start().clone();
    let mut events = history.events().iter().peekable();
    while let Some(event) = events.next_if(|_| game.turn(&state) == Turn::Chance) {
        game.apply(&mut state, event.id);
    }
    // The deal is over: hands and pile as they are now begin the record.
    let open = *state.open();
    if open != state.game().start(&open.hands[..players.len()]) {
        return unsupported("a game that began in its middle has no record");
    }
    let left = usize::from(open.pile);
    let (mut drawn, mut actions) = (Vec::new(), Vec::new());
    while let Some(&Event {
        seat: Some(seat),
        id,
    }) = events.next()
    {
        let taken = action(&state, id);
        game.apply(&mut state, id);
        let mut cards = Cards::NONE;
        while let Some(event) = events.next_if(|event| event.seat.is_none()) {
            let card = Symbol::ALL[usize::from(event.id)];
            cards = cards.with(card);
            drawn.push(card);
            game.apply(&mut state, event.id);
        }
        // The cards of an action have a fixed order in a record.
        actions.push(StepRecord::of(seat.into(), taken, cards));
    }
    // Only the first `left` cards drawn are of the first pile; later ones come from discards that were shuffled again.
    drawn.truncate(left);
    let dealt = open.hands[..players.len()].iter();
    let rest = dealt.fold(Cards::deck(), |deck, hand| deck.minus(*hand));
    // Cards that were never drawn follow in any order, as nobody knows the true one.
    let rest = rest.saturating_minus(drawn.iter().copied().collect());
    let pile: String = drawn.into_iter().map(Symbol::letter).collect();
    let (rules, winner) = (state.game(), state.open().winner());
    let opening = Opening {
        hands: open.hands,
        pile: pile + &word(rest),
    };
    let record = Record {
        // A single game: the first line-up, block and rotation.
        id: "1-1-1".to_owned(),
        result: ResultRecord {
            winner: winner.map(|seat| seat + 1),
            ranks: ranks(rules, state.open(), winner, &Forfeits::default()),
            // The state counts turns that are over; the winning turn is not among them.
            turns: state.turns() + u32::from(winner.is_some()),
            actions: actions.len(),
        },
        actions,
        early_pass: game.settings().early_pass,
        ..Record::new(
            history.seed().unwrap_or(0),
            players.to_vec(),
            rules,
            opening,
        )
    };
    record
        .replay(|_, _, _, _| ())
        .map_err(RecordError::replay)?;
    Ok(serde_json::to_value(record)?)
}

/// The game of a record after its first `actions` actions.
pub(in crate::cartagena) fn from_record(
    record: &Value,
    actions: usize,
) -> Result<History<Cartagena>, RecordError> {
    let record = Record::parse(record.to_string().as_bytes())?;
    if record.faults.iter().any(|fault| fault.forfeit) {
        return unsupported("a game that somebody has left by a fault");
    }
    let (mut steps, mut early_pass) = (Vec::new(), record.early_pass);
    let replayed = record.replay(|game, state, action, drawn| {
        // Older records do not tell the option. A pass is no sign of it if nothing else was legal.
        let mut legal = ActionList::new();
        game.legal_actions(state, &mut legal);
        early_pass |= action == Action::Pass && !legal.is_empty();
        steps.push((action, drawn));
    });
    replayed.map_err(RecordError::replay)?;
    let deal = record.hands.first().map_or(0, String::len);
    if record.hands.iter().any(|hand| hand.len() != deal) {
        return unsupported("hands of different sizes");
    }
    let game = Cartagena::with(Options {
        players: record.players.len(),
        deal,
        spaces: record.board.len(),
        board: Some(record.board),
        pirates: record.pirates,
        boat_retreat: record.boat_retreat,
        early_pass,
        // A game that was stopped must stop at the same turn; one that was won only needs room.
        max_turns: match record.result.winner {
            Some(_) => record.result.turns.max(500) as usize,
            None => record.result.turns as usize,
        },
        ..Options::default()
    })?;
    let mut history = History::new(game, None);
    // The replay has checked all letters, so no card is left out.
    let hands = record.hands.iter().flat_map(|hand| hand.chars());
    for card in hands.filter_map(Symbol::of_letter) {
        history.follow(card as Id)?;
    }
    for (action, drawn) in steps.into_iter().take(actions) {
        let id = id_of(history.state(), action);
        history.follow(id.unwrap_or(PASS))?;
        // The last cards of a pile come before those of the next.
        let mut cards: Vec<Id> = drawn.iter().map(|card| card as Id).collect();
        while !cards.is_empty() {
            let possible = |&card: &Id| history.check(card.into()).is_ok();
            let at = cards.iter().position(possible).unwrap_or(0);
            history.follow(cards.remove(at))?;
        }
    }
    Ok(history)
}
