//! The lines between the server and a player: their messages, read and written.

use super::rules::{DEALT, POOL, SEATS};
use thiserror::Error;
use tricks::{Card, Cards};

/// The letters of the seats.
const SEAT_LETTERS: [char; SEATS] = ['n', 'e', 's', 'w'];

/// A seat, and the card that it took or played.
pub type Act = (usize, Card);

/// A message of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Deals a round to the player.
    StartHand {
        /// The seat of the receiver, from 0 for north.
        seat: usize,
        /// The receiver's hand as dealt.
        hand: Cards,
        /// The cards lying open.
        pool: Cards,
    },
    /// Asks for a card to take; players before this one have taken these.
    Take(Vec<Act>),
    /// All four takes of a round of takes.
    AfterTake(Vec<Act>),
    /// Asks for a card to play; players before this one have played these.
    Play(Vec<Act>),
    /// All four cards of a trick.
    Result(Vec<Act>),
    /// Says that the round is over.
    EndRound,
}

/// A reason why a line of a known kind cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    /// A word that is no seat stands where one must.
    #[error("{0:?} where a seat was expected: n, e, s or w")]
    Seat(String),
    /// A word that is no card stands where one must.
    #[error("{0:?} where a card was expected, such as d9 or st")]
    Card(String),
    /// The number of different cards in a deal, and the number expected.
    #[error("{0} different cards where {1} were expected")]
    Cards(usize, usize),
}

/// Reads a line for the player on seat `own`; none if it is of no known kind. In `take` and `play`, reading ends at
/// that seat, or at a seat that no card follows.
///
/// # Errors
/// If another word stands where a seat or a card must.
pub fn parse(line: &str, own: Option<usize>) -> Result<Option<Message>, Malformed> {
    // The rulings accept upper case, more blanks, other names of commands, and words after the last expected
    // one.
    let line = line.to_ascii_lowercase();
    let mut words = line.split_ascii_whitespace();
    let Some(command) = words.next() else {
        return Ok(None);
    };
    Ok(Some(match command {
        "starthand" => start_hand(words)?,
        "take" => Message::Take(acts(words, own)?),
        "play" => Message::Play(acts(words, own)?),
        "aftertake" => Message::AfterTake(acts(words, None)?),
        "result" | "resultoftrick" | "afterplay" => Message::Result(acts(words, None)?),
        "endround" | "end" => Message::EndRound,
        _ => return Ok(None),
    }))
}

/// Reads the seat, the hand and the pool of a deal. All cards must be different.
fn start_hand<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Message, Malformed> {
    let seat = parse_seat(words.next().unwrap_or(""))?;
    let mut cards = |count: usize| -> Result<Cards, Malformed> {
        let set: Cards = words
            .by_ref()
            .take(count)
            .map(parse_card)
            .collect::<Result<_, _>>()?;
        // A card that comes twice makes the set smaller than the words.
        if set.len() < count {
            return Err(Malformed::Cards(set.len(), count));
        }
        Ok(set)
    };
    let (hand, pool) = (cards(DEALT)?, cards(POOL)?);
    // A card may also be both in the hand and in the pool.
    let all = (hand | pool).len();
    if all < DEALT + POOL {
        return Err(Malformed::Cards(all, DEALT + POOL));
    }
    Ok(Message::StartHand { seat, hand, pool })
}

/// Reads seats, each with its card: at most four, up to the seat `own` or a seat that no card follows.
fn acts<'a>(
    mut words: impl Iterator<Item = &'a str>,
    own: Option<usize>,
) -> Result<Vec<Act>, Malformed> {
    let mut acts = Vec::new();
    while acts.len() < SEATS
        && let Some(word) = words.next()
    {
        let seat = parse_seat(word)?;
        // The page's examples show the player's own card after the seat; it is no part of the message.
        if own == Some(seat) {
            break;
        }
        let Some(word) = words.next() else { break };
        acts.push((seat, parse_card(word)?));
    }
    Ok(acts)
}

fn parse_seat(word: &str) -> Result<usize, Malformed> {
    read_seat(word).ok_or_else(|| Malformed::Seat(word.to_owned()))
}

/// The seat with this letter; none if the word is no seat's letter.
pub fn read_seat(word: &str) -> Option<usize> {
    let mut letters = SEAT_LETTERS.iter();
    letters.position(|letter| word.chars().eq([*letter]))
}

/// Reads a card: a suit's letter and a rank's. `10` stands for the ten as well as `t`.
///
/// # Errors
/// If the word is no card.
pub fn parse_card(word: &str) -> Result<Card, Malformed> {
    let lower = word.to_ascii_lowercase();
    let card = match lower.strip_suffix("10") {
        Some(suit) => Card::from_code(&format!("{suit}t")),
        None => Card::from_code(&lower),
    };
    card.ok_or_else(|| Malformed::Card(word.to_owned()))
}

/// The code of a card, as the server and the players write it.
pub fn print_card(card: Card) -> String {
    card.code()
}

/// The letter that stands for a seat in lines.
pub fn print_seat(seat: usize) -> char {
    SEAT_LETTERS[seat]
}

/// The line of a message, as the referee writes it for the player on seat `own`; without an end of line.
pub fn print(message: &Message, own: usize) -> String {
    let acts = |command: &str, acts: &[Act]| {
        acts.iter().fold(command.to_owned(), |line, (seat, card)| {
            format!("{line} {} {}", print_seat(*seat), print_card(*card))
        })
    };
    match message {
        // The line does not mark where the hand ends: a reader counts its ten cards.
        Message::StartHand { seat, hand, pool } => hand
            .into_iter()
            .chain(*pool)
            .fold(format!("starthand {}", print_seat(*seat)), |line, card| {
                format!("{line} {}", print_card(card))
            }),
        Message::Take(before) => format!("{} {}", acts("take", before), print_seat(own)),
        Message::Play(before) => format!("{} {}", acts("play", before), print_seat(own)),
        Message::AfterTake(all) => acts("aftertake", all),
        Message::Result(all) => acts("result", all),
        Message::EndRound => "endround".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tricks::Suit;

    #[test]
    fn cards_are_printed_as_read() {
        for card in Cards::ALL {
            assert_eq!(parse_card(&print_card(card)), Ok(card));
            assert_eq!(parse_card(&print_card(card).to_uppercase()), Ok(card));
        }
        assert_eq!(print_card(parse_card("S10").unwrap()), "st");
        for word in ["", "c", "c1", "cté", "é2", "x2", "c22", "♣2"] {
            assert_eq!(parse_card(word), Err(Malformed::Card(word.to_owned())));
        }
    }

    #[test]
    fn reading_is_tolerant() {
        let read = |line: &str| parse(line, Some(2));
        let ten = (3, Card::new(Suit::Diamonds, 8));
        assert_eq!(
            read("take w d10 S sa\r\n"),
            Ok(Some(Message::Take(vec![ten])))
        );
        assert_eq!(read("  PLAY \t w DT s"), Ok(Some(Message::Play(vec![ten]))));
        assert_eq!(read("play s"), Ok(Some(Message::Play(vec![]))));
        assert_eq!(read("end 6 3 11 5"), Ok(Some(Message::EndRound)));
        assert_eq!(read("score 6 3 11 5"), Ok(None));
        assert_eq!(read(""), Ok(None));
        assert_eq!(read("take q d9 s"), Err(Malformed::Seat("q".into())));
        assert_eq!(
            read("starthand s h9 h2").unwrap_err().to_string(),
            "2 different cards where 10 were expected"
        );
    }

    fn any_acts(most: usize) -> impl Strategy<Value = Vec<Act>> {
        let deck: Vec<Card> = Cards::ALL.into_iter().collect();
        prop::collection::vec((0..3_usize, prop::sample::select(deck)), 0..=most)
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_again(acts in any_acts(3), full in any_acts(4)) {
            // The own seat is west, which no other's act names.
            for message in [
                Message::Take(acts.clone()),
                Message::Play(acts.clone()),
                Message::AfterTake(full.clone()),
                Message::Result(full.clone()),
                Message::EndRound,
            ] {
                let line = print(&message, 3);
                prop_assert_eq!(parse(&line, Some(3)), Ok(Some(message.clone())));
                prop_assert_eq!(parse(&line.to_uppercase(), Some(3)), Ok(Some(message)));
            }
        }

        #[test]
        fn no_line_panics(line in "(take|play|starthand|result)?[ nesw2-9tjqkacdhs10é]{0,90}") {
            let _ = parse(&line, Some(1));
        }
    }
}
