//! The records of referees, and tables of them.

use crate::brain::{EIGHTS, HEARTS, at};
use ::cartagena::notation;
use ::cartagena::rules::Symbol;
use ::challenge::rules::{Card, GameOptions, LeadAfterTie};
use arena::records::Record as _;
use contest::cartagena::game::{Forfeits, ranks};
use contest::cartagena::record::{Record, ResultRecord, StepRecord, VERSION};
use contest::challenge::contest::GameLine;
use contest::challenge::record::{Entry, Moved, Recorded};
use contest::practice::Practice;
use contest::tricks::Contest;
use contest::tricks::record::{Record as RoundRecord, dealt_hands};
use games::any::Loaded;
use games::cartagena::{self as pirates, Cartagena};
use games::challenge::{self as duel, Challenge, Lead};
use games::tricks::{self as rounds, Eights, Hearts, PassDirection, RoundGame, Rounds};
use games::{AnyGame, AnyHistory, Game, History, Id, OptionError, Refused, Turn};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use thiserror::Error;
use tricks::Round;

/// Why there is no record, or no history of one.
#[derive(Debug, Error)]
pub(crate) enum RecordError {
    #[error("the game is not over")]
    Unfinished,
    #[error("{0}")]
    Unsupported(String),
    #[error("the record cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    #[error(transparent)]
    Replay(#[from] contest::cartagena::record::ReplayError),
    #[error(transparent)]
    Round(#[from] contest::tricks::record::ReplayError),
    #[error(transparent)]
    Options(#[from] OptionError),
    #[error("event {number}: {reason}")]
    Refused { number: usize, reason: Refused },
}

fn unsupported<T>(what: &str) -> Result<T, RecordError> {
    Err(RecordError::Unsupported(what.to_owned()))
}

/// The contest's text for the player to move.
pub(crate) fn contest_text(history: &dyn AnyHistory) -> Result<String, RecordError> {
    let Some(history) = at::<Cartagena>(history) else {
        return unsupported("only Cartagena has the whole game as a text");
    };
    match history.game().turn(history.state()) {
        Turn::Seat(_) => Ok(notation::print(&history.game().record(history.state()))),
        _ => unsupported("the text is for the player to move, and nobody is"),
    }
}

/// The record of a finished game.
pub(crate) fn record(
    game: &dyn AnyGame,
    history: &dyn AnyHistory,
    players: &[String],
) -> Result<Value, RecordError> {
    if history.turn() != Turn::Over {
        return Err(RecordError::Unfinished);
    }
    if players.len() != game.players() {
        return unsupported("expected a name for every seat");
    }
    if let Some(history) = at::<Cartagena>(history) {
        return cartagena_record(history, players);
    }
    if let Some(history) = at::<Challenge>(history) {
        return challenge_record(history, players);
    }
    match history.name() {
        "eights" => round_record::<Eights, _>(&EIGHTS, history, players),
        _ => round_record::<Hearts, _>(&HEARTS, history, players),
    }
}

fn word(cards: ::cartagena::rules::Cards) -> String {
    cards.iter().map(Symbol::letter).collect()
}

fn cartagena_record(
    history: &History<Cartagena>,
    players: &[String],
) -> Result<Value, RecordError> {
    let game = history.game();
    let mut state = history.start().clone();
    let mut opening = None;
    let (mut pile, mut actions): (String, Vec<StepRecord>) = (String::new(), Vec::new());
    let mut left = 0;
    for event in history.events() {
        // The deal is over: hands and pile as they are now begin the record.
        if opening.is_none() && game.turn(&state) != Turn::Chance {
            left = usize::from(state.open().pile);
            opening = Some(*state.open());
        }
        match (event.seat, actions.last_mut()) {
            (Some(seat), _) => {
                let action = pirates::action(&state, event.id);
                let places = action.places();
                actions.push(StepRecord {
                    player: usize::from(seat) + 1,
                    from: places.map(|places| places.0),
                    to: places.map(|places| places.1),
                    card: action.card().map(Symbol::letter),
                    drawn: String::new(),
                    ms: 0.0,
                    cpu_ms: None,
                    peak_kb: None,
                });
            }
            (None, Some(step)) => {
                let card = Symbol::ALL[usize::from(event.id)].letter();
                step.drawn.push(card);
                // Only the first `left` cards drawn are of the first pile; later ones come from discards that
                // were shuffled again.
                if pile.len() < left {
                    pile.push(card);
                }
            }
            (None, None) => {}
        }
        game.apply(&mut state, event.id);
    }
    let Some(open) = opening else {
        return Err(RecordError::Unfinished);
    };
    for step in &mut actions {
        // A record has the cards of an action in a fixed order.
        let mut cards: Vec<char> = step.drawn.chars().collect();
        cards.sort_unstable();
        step.drawn = cards.into_iter().collect();
    }
    // Cards that were never drawn follow in any order, as nobody knows the true one.
    if pile.len() < left {
        let hands = open.hands[..players.len()].iter();
        let mut rest = hands.fold(::cartagena::rules::Cards::deck(), |deck, hand| {
            deck.minus(*hand)
        });
        for card in pile.chars().filter_map(Symbol::of_letter) {
            rest = rest.without(card);
        }
        pile += &word(rest);
    }
    let rules = state.game();
    let winner = state.open().winner();
    let record = Record {
        contest: "cartagena".to_owned(),
        version: VERSION,
        // A single game: the first line-up, block and rotation.
        id: "1-1-1".to_owned(),
        seed: history.seed().unwrap_or(0),
        players: players.to_vec(),
        practice: Practice::default(),
        resigned: None,
        programs: Vec::new(),
        board: rules
            .board
            .spaces()
            .iter()
            .copied()
            .map(Symbol::letter)
            .collect(),
        pirates: rules.pirates,
        boat_retreat: rules.boat_retreat,
        hands: open.hands[..players.len()]
            .iter()
            .copied()
            .map(word)
            .collect(),
        pile,
        result: ResultRecord {
            winner: winner.map(|seat| seat + 1),
            ranks: ranks(rules, state.open(), winner, &Forfeits::default()),
            // The state counts turns that are over; the winning turn is not among them.
            turns: state.turns() + u32::from(winner.is_some()),
            actions: actions.len(),
        },
        actions,
        faults: Vec::new(),
    };
    // A game that began in its middle does not pass this, as its first actions are missing.
    record.replay(|_, _, _, _| ())?;
    Ok(serde_json::to_value(record)?)
}

fn challenge_record(
    history: &History<Challenge>,
    players: &[String],
) -> Result<Value, RecordError> {
    let settings = history.game().settings();
    if settings.cards != 5 {
        return unsupported("records are of games with hands of five cards");
    }
    let Some(winner) = history.state().game().winner() else {
        return unsupported("records are of games that somebody has won");
    };
    let mut recorded = Recorded::new(GameOptions {
        goal: settings.goal,
        lead_after_tie: match settings.lead_after_tie {
            Lead::Opener => LeadAfterTie::Opener,
            Lead::Alternate => LeadAfterTie::Alternate,
        },
    });
    let mut state = history.start().clone();
    for event in history.events() {
        if event.seat.is_some() {
            // The first action of a hand: all of its cards are dealt by now.
            if let (true, Some(hand)) = (recorded.game().needs_deal(), state.game().hand()) {
                recorded.deal([hand.cards(0), hand.cards(1)]);
            }
            let decided = recorded.decide(duel::decision(event.id));
            decided.map_err(|error| RecordError::Unsupported(error.to_string()))?;
        }
        history.game().apply(&mut state, event.id);
    }
    let line = GameLine {
        id: 1,
        names: Some([players[0].clone(), players[1].clone()]),
        teams: [1, 2],
        winner,
        // A single game belongs to no round of a contest.
        entries: recorded.into_entries(None),
        ..GameLine::default()
    };
    Ok(serde_json::to_value(line)?)
}

fn round_record<G, C>(
    contest: &C,
    history: &dyn AnyHistory,
    players: &[String],
) -> Result<Value, RecordError>
where
    G: RoundGame<Round = C::Round>,
    C: Contest,
    C::Round: Round,
{
    let Some(history) = at::<Rounds<G>>(history) else {
        return Err(RecordError::Unfinished);
    };
    let mut state = history.start().clone();
    let mut record = None;
    let mut cards = Vec::new();
    for event in history.events() {
        // The deal is over with this event, and passing too: the record begins with the first card taken or played.
        let round = state.round().filter(|round| !round.passing());
        if let (None, Some(round)) = (&record, round) {
            record = Some(RoundRecord::dealt::<C>(round));
        }
        if record.is_some() {
            cards.push(rounds::card(event.id).code());
        }
        history.game().apply(&mut state, event.id);
    }
    let (Some(mut record), Some(last)) = (record, state.round()) else {
        return Err(RecordError::Unfinished);
    };
    record.id = "1-1".to_owned();
    record.seed = history.seed().unwrap_or(0);
    record.players = players.to_vec();
    record.cards = cards;
    record.points = last.scores()[..players.len()].to_vec();
    record.replay(contest, |_, _, _| ())?;
    Ok(serde_json::to_value(record)?)
}

/// Plays ids one after the other.
struct Playing {
    game: Arc<dyn AnyGame>,
    history: Box<dyn AnyHistory>,
    number: usize,
}

impl Playing {
    fn new(name: &str, options: Value) -> Result<Playing, RecordError> {
        let game = games::game(name, options)?;
        Ok(Playing {
            history: game.start(None),
            game,
            number: 0,
        })
    }

    fn apply(&mut self, id: Id) -> Result<(), RecordError> {
        self.number += 1;
        let number = self.number;
        let applied = self.history.apply(id);
        applied.map_err(|reason| RecordError::Refused { number, reason })
    }

    fn end(self) -> Loaded {
        (self.game, self.history)
    }
}

/// The history of a record after its first `actions` actions; after all of them by default.
pub(crate) fn history(record: &Value, actions: Option<usize>) -> Result<Loaded, RecordError> {
    let actions = actions.unwrap_or(usize::MAX);
    match record.get("contest").and_then(Value::as_str) {
        Some(Cartagena::NAME) => of_cartagena(record, actions),
        Some("eights") => of_round::<Eights, _>(
            &EIGHTS,
            record,
            actions,
            |record| json!({"dealer": record.first}),
        ),
        Some("hearts") => of_round::<Hearts, _>(&HEARTS, record, actions, |record| {
            let players = record.hands.len();
            json!({"players": players, "passing": PassDirection::of(record.passing, players)})
        }),
        None if record.get("entries").is_some() => of_challenge(record, actions),
        _ => unsupported("expected a record of a referee: cartagena, challenge, eights or hearts"),
    }
}

fn of_cartagena(record: &Value, actions: usize) -> Result<Loaded, RecordError> {
    let record = Record::parse(record.to_string().as_bytes())?;
    if record.faults.iter().any(|fault| fault.forfeit) {
        return unsupported("a game that somebody has left by a fault");
    }
    let mut steps = Vec::new();
    record.replay(|_, _, action, drawn| steps.push((action, drawn)))?;
    let deal = record.hands.first().map_or(0, String::len);
    if record.hands.iter().any(|hand| hand.len() != deal) {
        return unsupported("hands of different sizes");
    }
    let passed = steps
        .iter()
        .any(|step| step.0 == ::cartagena::rules::Action::Pass);
    // A game that was stopped must stop at the same turn; one that was won only needs room.
    let turns = match record.result.winner {
        Some(_) => record.result.turns.max(500),
        None => record.result.turns,
    };
    let mut playing = Playing::new(
        Cartagena::NAME,
        json!({
            "players": record.players.len(),
            "deal": deal,
            "board": record.board,
            "spaces": record.board.len(),
            "pirates": record.pirates,
            "boat_retreat": record.boat_retreat,
            "early_pass": passed,
            "max_turns": turns,
        }),
    )?;
    // The replay has checked all letters, so none is taken for symbol 0.
    let index = |card: char| Symbol::of_letter(card).map_or(0, |symbol| symbol as Id);
    for card in record.hands.iter().flat_map(|hand| hand.chars()) {
        playing.apply(index(card))?;
    }
    for (action, drawn) in steps.into_iter().take(actions) {
        let id = at::<Cartagena>(&*playing.history)
            .and_then(|history| pirates::id_of(history.state(), action))
            .unwrap_or(pirates::PASS);
        playing.apply(id)?;
        // The last cards of a pile come before those of the next.
        let mut cards: Vec<Id> = drawn.iter().map(|card| card as Id).collect();
        while !cards.is_empty() {
            let possible = |&card: &Id| playing.history.check(card.into()).is_ok();
            let at = cards.iter().position(possible).unwrap_or(0);
            playing.apply(cards.remove(at))?;
        }
    }
    Ok(playing.end())
}

fn of_round<G, C>(
    contest: &C,
    record: &Value,
    actions: usize,
    options: impl FnOnce(&RoundRecord) -> Value,
) -> Result<Loaded, RecordError>
where
    G: RoundGame<Round = C::Round>,
    C: Contest,
{
    let record = RoundRecord::parse(record.to_string().as_bytes())?;
    record.replay(contest, |_, _, _| ())?;
    let start = record.start(contest)?;
    let mut playing = Playing::new(G::NAME, options(&record))?;
    // The deal of a round as events: first the open cards, then the hands, seat by seat.
    for card in start.pool() {
        playing.apply(rounds::id_of(card))?;
    }
    for hand in dealt_hands(&start) {
        for card in hand {
            playing.apply(rounds::id_of(card))?;
        }
    }
    // Then the cards that were passed, seat by seat.
    for card in (0..start.players()).flat_map(|seat| start.passed(seat)) {
        playing.apply(rounds::id_of(card))?;
    }
    if playing.history.turn() != Turn::Seat(record.first) {
        return unsupported("another seat leads than the cards say");
    }
    for code in record.cards.iter().take(actions) {
        let card = tricks::Card::from_code(code).map_or(0, rounds::id_of);
        playing.apply(card)?;
    }
    Ok(playing.end())
}

fn of_challenge(record: &Value, actions: usize) -> Result<Loaded, RecordError> {
    let line: GameLine = serde_json::from_value(record.clone())?;
    // The record does not say which rule gave the lead after a tie: the one by which it replays is taken.
    let opener = replay_challenge(&line, actions, "opener");
    match opener {
        Ok(found) => Ok(found),
        Err(error) => replay_challenge(&line, actions, "alternate").map_err(|_| error),
    }
}

fn replay_challenge(line: &GameLine, actions: usize, lead: &str) -> Result<Loaded, RecordError> {
    let mut playing = Playing::new(Challenge::NAME, json!({"lead_after_tie": lead}))?;
    let mut left = actions;
    for entry in &line.entries {
        match entry {
            Entry::NewHand {
                player0_hand,
                player1_hand,
                next_player,
            } => {
                for &rank in player0_hand.iter().chain(player1_hand) {
                    let card = Card::new(rank);
                    let card = card.ok_or_else(|| {
                        RecordError::Unsupported(format!("{rank} is no card's rank"))
                    })?;
                    playing.apply(card.rank() - 1)?;
                }
                if playing.history.turn() != Turn::Seat(*next_player) {
                    return unsupported("another player leads than by the rules");
                }
            }
            Entry::PlayerMove { what, .. } => {
                if left == 0 {
                    break;
                }
                left -= 1;
                playing.apply(match *what {
                    // Ids of cards begin at 0, ranks at 1. A rank of 0 becomes 255, an id that is refused.
                    Moved::PlayCard { card } => card.wrapping_sub(1),
                    Moved::OfferChallenge => duel::OFFER,
                    Moved::AcceptChallenge => duel::ACCEPT,
                    Moved::RejectChallenge => duel::REJECT,
                    Moved::IllegalMove { .. } => return unsupported("a game with faults"),
                })?;
            }
            _ => {}
        }
    }
    Ok(playing.end())
}

/// Checks a record as its referee's reader would.
#[pyfunction]
pub(crate) fn check_record(record: &Bound<'_, PyAny>) -> PyResult<()> {
    let record = crate::convert::from_python(record)?;
    history(&record, None).map_err(crate::convert::value_error)?;
    Ok(())
}
