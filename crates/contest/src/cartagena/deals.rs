//! Boards and decks from the file of `--positions`, for games that should not be dealt by chance.
//!
//! [`parse`] reads the file for the commands. `Match` uses its entries for the blocks in turn, and `dealt` deals
//! from a given deck.

use arena::plain_text::counted;
use cartagena::rules::{Board, BoardError, Cards, Game, Symbol};
use cartagena::world::World;
use engine::rng::Random;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use thiserror::Error;

/// An entry of the file: a board or a deck, or both, for a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "DealText", into = "DealText")]
pub struct FixedDeal {
    /// The board; if there is none it is that of the match, or random.
    pub board: Option<Board>,
    /// All cards of the deck, the first to be dealt first; if there is none the deck is shuffled.
    pub deck: Option<Vec<Symbol>>,
}

/// A line of the file as its JSON has it, a letter for each symbol.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DealText {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deck: Option<String>,
}

/// Why a text is no board or deck.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum DealError {
    #[error("expected a board, a deck or both")]
    Empty,
    /// A letter that is no symbol.
    #[error("{part}: expected letters of {}, not {letter:?}", letters())]
    Letter {
        /// The board or the deck.
        part: &'static str,
        letter: char,
    },
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A deck with a wrong number of a symbol.
    #[error("deck: expected {expected} cards {symbol}, not {count}")]
    Deck {
        symbol: Symbol,
        /// How many there are.
        count: usize,
        /// How many there should be.
        expected: u8,
    },
}

/// Why a file of boards and decks cannot be used.
#[derive(Debug, Error)]
pub enum DealsError {
    #[error("no boards and decks in it")]
    Nothing,
    /// A line is wrong.
    #[error("line {line}{}: {reason}", column.map_or(String::new(), |column| format!(", column {column}")))]
    Line {
        line: usize,
        /// Where in the line, from 1, if it is not the whole line.
        column: Option<usize>,
        /// The mistake at that place.
        reason: String,
    },
}

/// The letters of all symbols, for messages.
fn letters() -> String {
    Symbol::ALL.map(Symbol::letter).iter().collect()
}

/// Reads a file: an object a line, such as `{"board":"hgk…","deck":"bbs…"}`. Blank lines are skipped.
///
/// # Errors
/// If a line is no such object or repeats the board and the deck of another, or if there is none. Copies would count as
/// independent blocks, and margins come out too small.
pub fn parse(text: &str) -> Result<Vec<FixedDeal>, DealsError> {
    let lines = text.lines().enumerate();
    let mut known = HashMap::new();
    let deals = lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(i, line)| {
            let deal: FixedDeal =
                serde_json::from_str(line).map_err(|error: serde_json::Error| {
                    let text = error.to_string();
                    // serde counts lines within `line`, so its message always says line 1. That part is cut off, and
                    // the line of the file is named instead.
                    let reason = text
                        .rsplit_once(" at line ")
                        .map_or(&*text, |(reason, _)| reason);
                    DealsError::Line {
                        line: i + 1,
                        column: Some(error.column()).filter(|&column| column > 0),
                        reason: reason.to_owned(),
                    }
                })?;
            // Chance deals whatever a line leaves out, anew for each block. So only whole copies are the same block again.
            let is_whole = deal.board.is_some() && deal.deck.is_some();
            match known.insert(deal.clone(), i + 1).filter(|_| is_whole) {
                None => Ok(deal),
                Some(first) => Err(DealsError::Line {
                    line: i + 1,
                    column: None,
                    reason: format!("the board and the deck of line {first} again"),
                }),
            }
        });
    let deals = deals.collect::<Result<Vec<_>, _>>()?;
    match deals.is_empty() {
        true => Err(DealsError::Nothing),
        false => Ok(deals),
    }
}

/// A warning if there are fewer entries than blocks of a line-up: the list is used again from its start then, and equal
/// blocks are not independent.
pub(crate) fn used_again(deals: &[FixedDeal], blocks: u64) -> Option<String> {
    let lines = deals.len() as u64;
    (1..blocks).contains(&lines).then(|| {
        format!(
            "{} of boards and decks for {blocks} blocks: they are used again, and equal blocks say less than their \
             number suggests",
            counted(lines, "line")
        )
    })
}

/// A new game with `deal` cards for each player from the front of a deck. The rest becomes the draw pile; `rng` is
/// for later reshuffles.
pub(super) fn dealt(game: &Game, deal: usize, deck: &[Symbol], rng: Random) -> World {
    // One card at a time to each player in turn: with three players, cards 0, 3, 6, … go to the first. A deck that is
    // too short leaves the last hands smaller.
    let (first, left) = deck.split_at((deal * game.players).min(deck.len()));
    let mut hands = vec![Cards::NONE; game.players];
    for (i, &card) in first.iter().enumerate() {
        let hand = &mut hands[i % game.players];
        *hand = hand.with(card);
    }
    // A pile is a stack: its last card is drawn next, so the order is reversed.
    let pile = left.iter().rev().copied().collect();
    World::new(game.start(&hands), pile, rng)
}

impl TryFrom<DealText> for FixedDeal {
    type Error = DealError;

    fn try_from(text: DealText) -> Result<FixedDeal, DealError> {
        if text.board.is_none() && text.deck.is_none() {
            return Err(DealError::Empty);
        }
        let symbols = |part, text: String| -> Result<Vec<Symbol>, DealError> {
            let read = |letter| Symbol::of_letter(letter).ok_or(DealError::Letter { part, letter });
            text.chars().map(read).collect()
        };
        let board = text.board.map(|text| symbols("board", text)).transpose()?;
        let deck = text.deck.map(|text| symbols("deck", text)).transpose()?;
        // Counted symbol by symbol, so that the error can name one. `flat_map` over the option gives all symbols for a
        // deck, and none without one.
        for &symbol in deck.iter().flat_map(|_| &Symbol::ALL) {
            let count = deck
                .iter()
                .flatten()
                .filter(|&&card| card == symbol)
                .count();
            let expected = Cards::deck().count(symbol);
            if count != usize::from(expected) {
                return Err(DealError::Deck {
                    symbol,
                    count,
                    expected,
                });
            }
        }
        Ok(FixedDeal {
            board: board.map(Board::new).transpose()?,
            deck,
        })
    }
}

impl From<FixedDeal> for DealText {
    fn from(deal: FixedDeal) -> DealText {
        let word = |symbols: &[Symbol]| symbols.iter().copied().map(Symbol::letter).collect();
        DealText {
            board: deal.board.map(|board| word(board.spaces())),
            deck: deal.deck.map(|deck| word(&deck)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cartagena::rules::DECK;
    use engine::rng;

    fn deck() -> String {
        letters().repeat(17)
    }

    #[test]
    fn lines_are_read_and_written() {
        let text = format!("{{\"board\":\"hgk\"}}\n\n{{\"deck\":\"{}\"}}\n", deck());
        let deals = parse(&text).unwrap();
        assert_eq!(deals.len(), 2);
        assert_eq!(deals[0].board.as_ref().unwrap().spaces().len(), 3);
        let again: Vec<String> = deals
            .iter()
            .map(|deal| serde_json::to_string(deal).unwrap() + "\n")
            .collect();
        assert_eq!(again.concat(), text.replace("\n\n", "\n"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let told = |line: &str| {
            let text = format!("{{\"board\":\"hgk\"}}\n{line}\n");
            parse(&text).unwrap_err().to_string()
        };
        for (line, said) in [
            ("{}", "line 2: expected a board, a deck or both"),
            (
                r#"{"board":"hxk"}"#,
                "line 2: board: expected letters of bdghks, not 'x'",
            ),
            (
                r#"{"board":""}"#,
                "line 2: a board has 1 to 126 spaces between the cell and the boat, not 0",
            ),
            (
                r#"{"deck":"hhh"}"#,
                "line 2: deck: expected 17 cards bottle, not 0",
            ),
            (
                r#"{"bord":"hgk"}"#,
                "line 2, column 7: unknown field `bord`, expected `board` or `deck`",
            ),
            ("hgk", "line 2, column 1: expected value"),
        ] {
            assert_eq!(told(line), said);
        }
        // Only a whole copy is the same block again.
        let whole = format!("{{\"board\":\"hgk\",\"deck\":\"{}\"}}\n", deck());
        assert_eq!(parse(&"{\"board\":\"hgk\"}\n".repeat(2)).unwrap().len(), 2);
        let copied = parse(&format!("{whole}\n{whole}")).unwrap_err().to_string();
        assert_eq!(copied, "line 3: the board and the deck of line 1 again");
        let nothing = parse("\n").unwrap_err().to_string();
        assert_eq!(nothing, "no boards and decks in it");
    }

    #[test]
    fn the_deck_is_dealt_from_its_start() {
        let deals = parse(&format!("{{\"deck\":\"{}\"}}", deck())).unwrap();
        let game = Game::new(cartagena::boards::standard(&mut rng::stream(1, 0)), 2);
        let deck = deals[0].deck.as_ref().unwrap();
        let world = dealt(&game, 3, deck, rng::stream(1, 1));
        let first: Vec<Symbol> = letters()
            .chars()
            .map(|c| Symbol::of_letter(c).unwrap())
            .collect();
        let hand = |of: [usize; 3]| {
            of.iter()
                .fold(Cards::NONE, |hand, &card| hand.with(first[card]))
        };
        assert_eq!(world.state().hands[..2], [hand([0, 2, 4]), hand([1, 3, 5])]);
        assert_eq!(world.pile().last(), Some(&first[0]));
        assert_eq!(world.pile().len(), DECK - 6);
    }
}
