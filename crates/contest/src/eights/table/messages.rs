//! Reads a beginning for a table's game from lines of the protocol: from those that one program was sent, or from
//! the server's log of a whole game. `WholeGame::read_messages` calls it.

use crate::eights::judge::SEAT_NAMES;
use crate::tricks::record::words;
use eights::protocol::{Message, parse, parse_card, read_seat};
use eights::rules::{self, DEALT, Round, SEATS};
use games::tricks::start::{Dealt, Position, Read, RecordedRounds, Start};
use std::collections::BTreeMap;
use tricks::{Card, Cards, Round as _};

/// A card that a line reports.
#[derive(Clone, Copy, Debug)]
struct Act {
    line: usize,
    seat: usize,
    card: Card,
}

/// A round as the messages to one seat describe it, and the line of its deal.
#[derive(Clone, Debug)]
struct Told {
    line: usize,
    hand: Cards,
    pool: Cards,
    /// Complete rounds of takes, and complete tricks.
    acts: Vec<Act>,
    /// Cards since then, from the last request; none if nothing is asked.
    open: Option<Vec<Act>>,
}

impl Told {
    /// All reported cards in order.
    fn all(&self) -> Vec<Act> {
        let open = self.open.iter().flatten();
        self.acts.iter().chain(open).copied().collect()
    }
}

/// The rounds that each seat was sent messages about.
type Heard = BTreeMap<usize, Vec<Told>>;

/// Reads the lines to one seat, or the log of all.
///
/// # Errors
/// The mistake in a line, and the expected input.
pub(super) fn read(text: &str) -> Result<Read, String> {
    let (heard, is_log) = heard(text)?;
    match (heard.first_key_value(), is_log) {
        (Some((&seat, rounds)), false) => of_input(seat, rounds),
        (Some(_), true) => of_log(&heard),
        (None, _) => {
            Err("expected a line with starthand, the seat, its hand and the pool".to_owned())
        }
    }
}

/// Reads all lines. Returns the rounds by seat, and whether the text is a log of all seats.
fn heard(text: &str) -> Result<(Heard, bool), String> {
    // The input of one seat has no letters; the seat is then known from its hand.
    let mut heard = Heard::new();
    let mut own = None;
    let mut is_log = None;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |reason: String| format!("line {number}: {reason}");
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let of = read_seat(&first.to_ascii_lowercase());
        // The first line decides which kind of text it is; a mixture is an error.
        let is_logged = *is_log.get_or_insert(of.is_some());
        if is_logged != of.is_some() {
            return Err(wrong(format!(
                "{:?} in {}",
                line.chars().take(40).collect::<String>(),
                match is_logged {
                    true => "a log: expected a seat, n, e, s or w, and its message",
                    false => "the messages of one seat: expected no seat at the beginning",
                }
            )));
        }
        let (seat, message) = match of {
            Some(seat) => (Some(seat), rest.trim()),
            None => (own, line),
        };
        // A log also has the seats' answers, which the next message repeats.
        let is_answer = is_logged && parse_card(message).is_ok();
        let read = parse(message, seat).map_err(|error| wrong(error.to_string()))?;
        match (read, seat) {
            _ if is_answer => {}
            (Some(message), _) => {
                own = Some(take_in(&mut heard, seat, message, number).map_err(wrong)?)
            }
            (None, _) => {
                let message: String = message.chars().take(40).collect();
                return Err(wrong(format!(
                    "expected starthand, take, aftertake, play, result or endround, not {message:?}"
                )));
            }
        }
    }
    Ok((heard, is_log.unwrap_or(false)))
}

/// Takes in a message and returns its seat.
fn take_in(
    heard: &mut Heard,
    seat: Option<usize>,
    message: Message,
    line: usize,
) -> Result<usize, String> {
    // A hand begins a new round of its seat.
    if let Message::StartHand {
        seat: own,
        hand,
        pool,
    } = message
    {
        let seat = seat.unwrap_or(own);
        if seat != own {
            return Err(format!(
                "the hand of {} sent to {}",
                SEAT_NAMES[own], SEAT_NAMES[seat]
            ));
        }
        heard.entry(own).or_default().push(Told {
            line,
            hand,
            pool,
            acts: Vec::new(),
            open: None,
        });
        return Ok(own);
    }
    let seat = seat.ok_or("expected starthand first")?;
    let rounds = heard.get_mut(&seat);
    let round = rounds.and_then(|rounds| rounds.last_mut());
    let round =
        round.ok_or_else(|| format!("expected starthand for {} first", SEAT_NAMES[seat]))?;
    let numbered = |acts: Vec<(usize, Card)>| -> Vec<Act> {
        let acts = acts.into_iter();
        acts.map(|(seat, card)| Act { line, seat, card }).collect()
    };
    match message {
        // A request repeats all cards since the last complete trick, so it replaces the one before.
        Message::Take(acts) | Message::Play(acts) => round.open = Some(numbered(acts)),
        Message::AfterTake(acts) | Message::Result(acts) => {
            // Complete: everybody has acted once.
            if acts.len() != SEATS {
                return Err(format!(
                    "expected {SEATS} seats with a card each, not {}",
                    acts.len()
                ));
            }
            round.open = None;
            round.acts.extend(numbered(acts));
        }
        Message::EndRound => round.open = None,
        Message::StartHand { .. } => {}
    }
    Ok(seat)
}

/// Replays the reported cards of a round. Only the pool and the order matter, not the hands. `first` acts
/// first if nobody has acted yet.
fn played(pool: Cards, acts: &[Act], first: usize) -> Result<Round, String> {
    let first = acts.first().map_or(first, |act| act.seat);
    // Empty hands: a log of one seat does not show the others'.
    let mut round = Round::new(first, [Cards::EMPTY; SEATS], pool);
    for &Act { line, seat, card } in acts {
        match round.to_act() {
            Some(due) if due == seat => round.act(card),
            Some(due) => {
                return Err(format!(
                    "line {line}: {} acts, but {} is to act",
                    SEAT_NAMES[seat], SEAT_NAMES[due]
                ));
            }
            None => return Err(format!("line {line}: {card} after the end of the round")),
        }
    }
    Ok(round)
}

/// The names of all seats.
fn names() -> Vec<String> {
    ["North", "East", "South", "West"]
        .map(str::to_owned)
        .to_vec()
}

/// Adds the points of a finished round to the totals; an error if it is not finished, or the game was over.
fn add(totals: &mut [u32; SEATS], round: &Round, line: usize) -> Result<(), String> {
    if round.to_act().is_some() {
        return Err(format!(
            "line {line}: a new round begins before the last one is over"
        ));
    }
    for (total, score) in totals.iter_mut().zip(round.scores()) {
        *total += u32::from(score);
    }
    match rules::winner(totals) {
        Some(winner) => Err(format!(
            "line {line}: a new round begins, but {} has won already",
            SEAT_NAMES[winner]
        )),
        None => Ok(()),
    }
}

/// The latest position that the messages to one seat describe. The other hands are unknown but for open takes.
fn of_input(own: usize, rounds: &[Told]) -> Result<Read, String> {
    let mut totals = [0; SEATS];
    let mut last: Option<Round> = None;
    for told in rounds {
        // A new hand means that the round before must be over.
        if let Some(round) = last {
            add(&mut totals, &round, told.line)?;
        }
        last = Some(played(told.pool, &told.all(), own)?);
    }
    let (Some(told), Some(round)) = (rounds.last(), last) else {
        return Err("expected starthand first".to_owned());
    };
    let acts = told.all();
    // At the deal alone it is unknown who acts first.
    if acts.is_empty() && told.open.is_none() {
        return Err(format!(
            "line {}: a hand, but nobody has taken a card yet",
            told.line
        ));
    }
    // Hands as they are now: the own one from its deal and its cards, others' from taken cards, the rest
    // unknown.
    let hands = (0..SEATS).map(|seat| {
        let mut held = if seat == own { told.hand } else { Cards::EMPTY };
        let mut count = DEALT;
        for (number, act) in acts.iter().enumerate().filter(|(_, act)| act.seat == seat) {
            // The first cards are takes, as many as the pool had; then cards leave the hands.
            if number < told.pool.len() {
                held.insert(act.card);
                count += 1;
            } else {
                held.remove(act.card);
                count = count.saturating_sub(1);
            }
        }
        let hidden = count.saturating_sub(held.len());
        let known = held.into_iter().map(Card::code);
        known
            .chain((0..hidden).map(|_| "?".to_owned()))
            .collect::<Vec<_>>()
            .join(" ")
    });
    Ok(Read {
        names: names(),
        start: Start::Position(Position {
            first: round.dealer() + 1,
            hands: hands.collect(),
            pool: words(round.pool()),
            cards: acts
                .iter()
                .map(|act| act.card.code())
                .collect::<Vec<_>>()
                .join(" "),
            totals: totals.to_vec(),
        }),
        taken: Vec::new(),
    })
}

/// All rounds of a log, with the cards that were played. Each deal is put together from the messages to all seats.
fn of_log(heard: &Heard) -> Result<Read, String> {
    let rounds = heard.values().map(Vec::len).max().unwrap_or(0);
    let mut deals = Vec::new();
    let mut taken = Vec::new();
    let mut totals = [0; SEATS];
    let mut last: Option<Round> = None;
    // Round by round, from the messages to all seats.
    for number in 0..rounds {
        let told: Vec<(usize, &Told)> = heard
            .iter()
            .filter_map(|(&seat, rounds)| Some((seat, rounds.get(number)?)))
            .collect();
        // A disqualified seat gets fewer messages, so the seat with the most reported cards is used.
        let Some(&(_, longest)) = told.iter().max_by_key(|(_, told)| told.all().len()) else {
            continue;
        };
        let line = longest.line;
        if let Some(round) = last {
            add(&mut totals, &round, line)?;
        }
        let mut hands = [Cards::EMPTY; SEATS];
        for &(seat, told) in &told {
            hands[seat] = told.hand;
        }
        // A disqualified seat gets no messages, so its hand is not in the log. It has the cards that are left.
        let missing: Vec<usize> = (0..SEATS).filter(|&seat| hands[seat].is_empty()).collect();
        match missing[..] {
            [] => {}
            [seat] => {
                let known = hands.iter().fold(longest.pool, |all, &hand| all | hand);
                hands[seat] = Cards::ALL - known;
            }
            _ => {
                let found = told.len();
                return Err(format!(
                    "line {line}: a round with messages to too few seats: expected at least 3, not {found}"
                ));
            }
        }
        let acts = longest.all();
        let round = played(longest.pool, &acts, number % SEATS)?;
        deals.push(Dealt {
            first: round.dealer(),
            hands: hands.map(words).to_vec(),
            pool: words(longest.pool),
            ..Dealt::default()
        });
        taken.extend(acts.iter().map(|act| act.card));
        last = Some(round);
    }
    Ok(Read {
        names: names(),
        start: Start::Rounds(RecordedRounds { deals, ends: false }),
        taken,
    })
}
