//! The grammar of games and answers, as parsers of the library nom. An error is the first place that does not fit.
//!
//! ```text
//! game    = players "cell" space+ "boat" move* player card*      one item a line
//! move    = player place place [symbol]
//! answer  = [move]
//! ```
//!
//! The first word of a line decides what kind of line it is, with one exception: a player's number begins a move, but
//! alone on its line it ends the moves. No line is read twice, so the time is linear in the text.

use super::error::{Expected, ParseError};
use crate::record::{GameRecord, Move};
use crate::rules::{Board, DECK, MAX_PLAYERS, MAX_SPACES, Place, Symbol};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{multispace0, space0};
use nom::combinator::{eof, map_opt, opt};
use nom::error::{ErrorKind, ParseError as NomError};
use nom::sequence::{delimited, preceded};
use nom::{Finish, IResult, Parser};

/// The rest of the text that is still to be read.
type Input<'a> = &'a [u8];
type Parsed<'a, T> = IResult<Input<'a>, T, Failure<'a>>;

/// A place where the grammar did not fit: the rest of the text from there, and what should follow.
#[derive(Debug)]
struct Failure<'a> {
    rest: Input<'a>,
    expected: Expected,
}

impl<'a> NomError<Input<'a>> for Failure<'a> {
    /// nom calls this when one of its own parsers fails. All of these stand inside [`expect`], which replaces the
    /// error by one with the right `expected`. So the value here is never shown.
    fn from_error_kind(rest: Input<'a>, _: ErrorKind) -> Self {
        let expected = Expected::EndOfLine;
        Failure { rest, expected }
    }

    fn append(_: Input<'a>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// The answer of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Move(Move),
    /// Nothing: the player ends its turn.
    Pass,
}

/// Reads the text that the contest gives a program: a game so far, and the hand of the player to move.
///
/// The time is linear in the length of the text; the caller limits that length.
///
/// # Errors
/// The first place where the text does not fit, and what was expected there. If the text is a game with
/// the line numbers of a viewer, the error says so.
pub fn parse(input: &[u8]) -> Result<GameRecord, ParseError> {
    // Some editors begin a text with a byte-order mark.
    let input = input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input);
    finish(input, record(input)).map_err(|error| match without_line_numbers(input) {
        Some(game) if record(&game).is_ok() => {
            // The plain error would name only one of the line numbers as wrong. This error points at the first number
            // and says that all of them must go.
            let blanks = input.len() - input.trim_ascii_start().len();
            ParseError::at(input, blanks, Expected::NoLineNumbers)
        }
        _ => error,
    })
}

/// The text without the numbers that begin its lines, if all lines but blank ones begin with one and the
/// numbers rise.
fn without_line_numbers(input: Input) -> Option<Vec<u8>> {
    let mut last = None;
    let mut text = Vec::new();
    for line in input.split(|&b| b == b'\n') {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
        let (number, rest) = line.split_at(digits);
        let number: u32 = std::str::from_utf8(number).ok()?.parse().ok()?;
        // A viewer counts upwards; other numbers belong to the text.
        if last.is_some_and(|last| number <= last) {
            return None;
        }
        last = Some(number);
        text.extend(rest);
        text.push(b'\n');
    }
    Some(text)
}

/// The lines, from 1, of the moves in the text from which `record` was read.
pub fn lines_of_moves(input: &[u8], record: &GameRecord) -> Vec<usize> {
    // The players, the cell, the spaces and the boat stand before the moves. Blank lines stand anywhere: in the example,
    // with 36 spaces and none blank, the first move is line 40.
    let before = 3 + record.board.spaces().len();
    let lines = input.split(|&b| b == b'\n').zip(1..);
    lines
        .filter(|(line, _)| !line.trim_ascii().is_empty())
        .map(|(_, number)| number)
        .skip(before)
        .take(record.moves.len())
        .collect()
}

/// Reads the answer of a program: one action on one line, or nothing at all.
///
/// Players and places are limited by the largest game. Whether they exist in this one is checked when
/// the action is [resolved](super::resolve).
///
/// # Errors
/// The first place where the text does not fit; a second line that is not blank is one.
pub fn parse_action(input: &[u8]) -> Result<Answer, ParseError> {
    finish(input, answer(input))
}

/// Turns the result of a parser into a value, or an error with line and column.
fn finish<T>(input: &[u8], parsed: Parsed<T>) -> Result<T, ParseError> {
    match parsed.finish() {
        Ok((_, value)) => Ok(value),
        Err(failure) => {
            // A failure keeps the rest of the text, and the place of the fault follows from its length. Lines are
            // counted only now.
            let offset = input.len() - failure.rest.len();
            Err(ParseError::at(input, offset, failure.expected))
        }
    }
}

/// The rule `game` of the grammar.
fn record(input: Input) -> Parsed<GameRecord> {
    let (input, players) = line(number(Expected::PlayerCount, 2, MAX_PLAYERS)).parse(input)?;
    let (input, ()) = line(keyword(Expected::Cell, "cell")).parse(input)?;
    let (input, board) = board(input)?;
    let (input, (moves, to_move)) = history(input, players, board.boat())?;
    let (input, hand) = hand(input)?;
    let record = GameRecord {
        players,
        board,
        moves,
        to_move,
        hand,
    };
    Ok((input, record))
}

/// The spaces and the boat.
fn board(mut input: Input) -> Parsed<Board> {
    let mut spaces = Vec::new();
    loop {
        let expected = match spaces.len() {
            0 => Expected::Space,
            MAX_SPACES => Expected::Boat,
            _ => Expected::SpaceOrBoat,
        };
        // Errors point at the word, not at the blanks before it.
        let (at, _) = multispace0(input)?;
        let (rest, space) = line(expect(expected, map_opt(word, space))).parse(at)?;
        let refuse = || {
            let rest = at;
            nom::Err::Error(Failure { rest, expected })
        };
        match space {
            // A symbol where only "boat" may stand.
            Some(_) if spaces.len() == MAX_SPACES => return Err(refuse()),
            Some(symbol) => spaces.push(symbol),
            None => return Ok((rest, Board::new(spaces).map_err(|_| refuse())?)),
        }
        input = rest;
    }
}

/// The moves, and the line with nothing but the player to move.
fn history(mut input: Input, players: usize, boat: Place) -> Parsed<(Vec<Move>, usize)> {
    let mut moves = Vec::new();
    loop {
        let first = number(Expected::MoveOrTurn(players), 1, players);
        let (rest, player) = preceded(multispace0, first).parse(input)?;
        // A player alone on its line is the one to move and ends the history.
        let (rest, alone) = opt(end_of_line).parse(rest)?;
        if alone.is_some() {
            return Ok((rest, (moves, player - 1)));
        }
        let (rest, action) = places_and_card(rest, player - 1, boat)?;
        moves.push(action);
        input = rest;
    }
}

/// The rest of a move's line after the player.
fn places_and_card(input: Input, player: usize, boat: Place) -> Parsed<Move> {
    let place = || preceded(space0, number(Expected::Place(boat), 0, usize::from(boat)));
    let (input, (from, to)) = (place(), place()).parse(input)?;
    // The end of the line is tried first. Any word that stands there instead must be a card, and is refused as
    // one.
    let (input, ended) = opt(end_of_line).parse(input)?;
    let (input, card) = if ended.is_some() {
        (input, None)
    } else {
        let card = expect(Expected::CardOrEndOfLine, map_opt(word, Symbol::named));
        let (input, card) = delimited(space0, card, end_of_line).parse(input)?;
        (input, Some(card))
    };
    let action = Move {
        player,
        from: from as Place,
        to: to as Place,
        card,
    };
    Ok((input, action))
}

/// The cards up to the end of the text.
fn hand(mut input: Input) -> Parsed<Vec<Symbol>> {
    let mut cards = Vec::new();
    loop {
        let (rest, _) = multispace0(input)?;
        if rest.is_empty() {
            return Ok((rest, cards));
        }
        // No hand is larger than the deck; the check also bounds the memory.
        if cards.len() == DECK {
            let expected = Expected::EndOfHand;
            return Err(nom::Err::Error(Failure { rest, expected }));
        }
        let card = expect(Expected::CardOrEndOfInput, map_opt(word, Symbol::named));
        let (rest, card) = line(card).parse(rest)?;
        cards.push(card);
        input = rest;
    }
}

/// The rule `answer` of the grammar.
fn answer(input: Input) -> Parsed<Answer> {
    let (input, _) = multispace0(input)?;
    if input.is_empty() {
        return Ok((input, Answer::Pass));
    }
    let (input, player) = number(Expected::Player(MAX_PLAYERS), 1, MAX_PLAYERS).parse(input)?;
    let (input, action) = places_and_card(input, player - 1, MAX_SPACES as Place + 1)?;
    let (input, _) = preceded(multispace0, expect(Expected::OneAction, eof)).parse(input)?;
    Ok((input, Answer::Move(action)))
}

/// A parser for a whole line: skips blank lines, applies `parser` and reads the end of the line.
fn line<'a, T>(
    parser: impl Parser<Input<'a>, Output = T, Error = Failure<'a>>,
) -> impl Parser<Input<'a>, Output = T, Error = Failure<'a>> {
    delimited(multispace0, parser, end_of_line)
}

/// The end of a line or of the text. Text converted twice has CR CR LF.
fn end_of_line(input: Input) -> Parsed<()> {
    let trailing = take_while(|b| b" \t\r".contains(&b));
    let end = preceded(trailing, alt((tag("\n"), eof)));
    let (input, _) = preceded(space0, expect(Expected::EndOfLine, end)).parse(input)?;
    Ok((input, ()))
}

/// A whole number written in digits, within bounds.
fn number<'a>(
    expected: Expected,
    least: usize,
    most: usize,
) -> impl Parser<Input<'a>, Output = usize, Error = Failure<'a>> {
    let value = move |word: Input| {
        let value = word.iter().try_fold(0usize, |value, byte| {
            // A sign is no digit, and a number that overflows is out of bounds: both give none.
            let digit = byte.is_ascii_digit().then(|| usize::from(byte - b'0'))?;
            value.checked_mul(10)?.checked_add(digit)
        })?;
        (least..=most).contains(&value).then_some(value)
    };
    expect(expected, map_opt(word, value))
}

/// The given word, in large or small letters.
fn keyword<'a>(
    expected: Expected,
    name: &'static str,
) -> impl Parser<Input<'a>, Output = (), Error = Failure<'a>> {
    let is = move |word: Input| is_name(word, name).then_some(());
    expect(expected, map_opt(word, is))
}

/// A parser that fails where it began, with `expected`, however far the inner one had read.
fn expect<'a, T>(
    expected: Expected,
    mut parser: impl Parser<Input<'a>, Output = T, Error = Failure<'a>>,
) -> impl Parser<Input<'a>, Output = T, Error = Failure<'a>> {
    move |rest: Input<'a>| {
        let failure = |_| nom::Err::Error(Failure { rest, expected });
        parser.parse(rest).map_err(failure)
    }
}

/// A word: all bytes up to the next blank or end of line.
fn word(input: Input) -> Parsed<Input> {
    take_while1(|b| !b" \t\r\n".contains(&b)).parse(input)
}

/// A line of the board: a symbol, or none for the boat.
fn space(word: Input) -> Option<Option<Symbol>> {
    if is_name(word, "boat") {
        Some(None)
    } else {
        Symbol::named(word).map(Some)
    }
}

/// Whether a word is the given name, in large or small letters.
fn is_name(word: Input, name: &str) -> bool {
    word.eq_ignore_ascii_case(name.as_bytes())
}
