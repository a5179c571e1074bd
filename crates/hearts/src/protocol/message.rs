//! The texts in the frames: messages of the server, and answers.

use crate::rules::deck;
use std::str::FromStr;
use thiserror::Error;
use tricks::{Card, MAX_PLAYERS, Suit};

/// The suits by their number in messages, from 1.
const SUITS: [Suit; 4] = [Suit::Hearts, Suit::Clubs, Suit::Diamonds, Suit::Spades];

/// The most characters of a name; the rest of a longer one is cut.
pub const MOST_NAME: usize = 15;

/// A message of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Asks for the player's name.
    Name,
    /// Deals a round to this player.
    Round {
        players: usize,
        /// The player's own number, from 0.
        id: usize,
        /// The number of the player that leads the first trick.
        leader: usize,
        /// The hand, in the order that answers refer to.
        hand: Vec<Card>,
    },
    /// Asks for a card.
    Play,
    /// Says that another player has played a card.
    Played { player: usize, card: Card },
    /// Says that no more messages follow.
    Stop,
}

/// An answer of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Name(String),
    /// The card's place in the hand as dealt, from 0.
    Play(usize),
}

/// A reason why a message cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    /// The first character stands for no kind of message.
    #[error("{0:?} where a message was expected: 0, 1, 2…, 3… or 4")]
    Kind(String),
    /// A word is not a number within its bounds.
    #[error("{found:?} in {text:?} where {expected} was expected")]
    Number {
        text: String,
        found: String,
        expected: &'static str,
    },
    /// A name has other characters.
    #[error("{0:?} where a name was expected: printable ASCII characters, at most 15")]
    Name(String),
    /// A hand has the wrong size or a card twice.
    #[error(
        "{different} different cards among {words} in {text:?}, expected {expected}, all different"
    )]
    Hand {
        text: String,
        words: usize,
        different: usize,
        expected: usize,
    },
}

/// The number of a card: 14 × the suit's number + the rank from 1. The two of clubs is 14 × 2 + 1 = 29.
pub fn card_number(card: Card) -> usize {
    let suit = SUITS.iter().position(|&suit| suit == card.suit());
    14 * (suit.unwrap_or(0) + 1) + usize::from(card.rank()) + 1
}

/// The card with this number; none if no card has it.
pub fn read_card(number: usize) -> Option<Card> {
    let suit = SUITS.get((number / 14).checked_sub(1)?)?;
    let rank = (number % 14).checked_sub(1)?;
    Some(Card::new(*suit, rank as u8))
}

/// The signs that later versions of the public server write in place of the first digit, by the digit.
const SIGNS: [char; 5] = ['@', ':', '[', ']', ';'];

/// The text of a message with a sign in place of its first digit, as later versions of the public server write it.
pub fn print_signed(message: &Message) -> String {
    let mut text = print(message);
    let digit = text.chars().next().and_then(|first| first.to_digit(10));
    if let Some(&sign) = digit.and_then(|digit| SIGNS.get(digit as usize)) {
        text.replace_range(..1, sign.encode_utf8(&mut [0; 1]));
    }
    text
}

/// Reads a message of the server.
///
/// # Errors
/// If the text is no message.
pub fn parse(text: &str) -> Result<Message, Malformed> {
    let text = text.trim();
    // Lists may end with a comma. The first character is the kind of message; its list follows without a separator. The
    // page has a digit there; later versions of the public server write a sign in its place.
    let trimmed = text.trim_end_matches(',');
    let rest = trimmed.get(1..).unwrap_or("");
    match trimmed.as_bytes().first() {
        Some(b'0' | b'@') => Ok(Message::Name),
        Some(b'1' | b':') => Ok(Message::Play),
        Some(b'2' | b'[') => parse_played(text, rest),
        Some(b'3' | b']') => parse_round(text, rest),
        Some(b'4' | b';') => Ok(Message::Stop),
        _ => Err(Malformed::Kind(text.to_owned())),
    }
}

/// Reads the list behind `2`: a player and a card.
fn parse_played(text: &str, rest: &str) -> Result<Message, Malformed> {
    let mut words = rest.split(',').map(str::trim);
    let player = number(text, words.next(), "a player", 0..MAX_PLAYERS)?;
    let card = card(text, words.next().unwrap_or(""))?;
    Ok(Message::Played { player, card })
}

/// Reads the list behind `3`: the number of players, the receiver's own number, the leader, the hand.
fn parse_round(text: &str, rest: &str) -> Result<Message, Malformed> {
    let mut words = rest.split(',').map(str::trim);
    let players = number(text, words.next(), "3 to 6 players", 3..MAX_PLAYERS + 1)?;
    let id = number(text, words.next(), "the own number", 0..players)?;
    let leader = number(text, words.next(), "the leader's number", 0..players)?;
    let hand: Vec<Card> = words
        .map(|word| card(text, word))
        .collect::<Result<_, _>>()?;
    // The number of words is not enough: it is also right if one card is listed twice and another one is missing.
    let different: std::collections::BTreeSet<&Card> = hand.iter().collect();
    let expected = deck(players).len() / players;
    if different.len() != expected || hand.len() != expected {
        return Err(Malformed::Hand {
            text: text.to_owned(),
            words: hand.len(),
            different: different.len(),
            expected,
        });
    }
    Ok(Message::Round {
        players,
        id,
        leader,
        hand,
    })
}

/// Reads the number of a card. `text` is the whole message, for the error.
fn card(text: &str, word: &str) -> Result<Card, Malformed> {
    let wrong = || Malformed::Number {
        text: text.to_owned(),
        found: word.to_owned(),
        expected: "a card's number",
    };
    read_card(usize::from_str(word).map_err(|_| wrong())?).ok_or_else(wrong)
}

/// Reads a number in `range`. `text` is the whole message, for the error.
fn number(
    text: &str,
    word: Option<&str>,
    expected: &'static str,
    range: std::ops::Range<usize>,
) -> Result<usize, Malformed> {
    let word = word.unwrap_or("");
    usize::from_str(word)
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| Malformed::Number {
            text: text.to_owned(),
            found: word.to_owned(),
            expected,
        })
}

/// The text of a server's message.
pub fn print(message: &Message) -> String {
    match message {
        Message::Name => "0".to_owned(),
        Message::Play => "1".to_owned(),
        Message::Played { player, card } => format!("2{player},{}", card_number(*card)),
        Message::Round {
            players,
            id,
            leader,
            hand,
        } => hand
            .iter()
            .fold(format!("3{players},{id},{leader}"), |text, &card| {
                format!("{text},{}", card_number(card))
            }),
        Message::Stop => "4".to_owned(),
    }
}

/// The text of a player's answer.
pub fn print_reply(reply: &Reply) -> String {
    match reply {
        Reply::Name(name) => name.clone(),
        Reply::Play(place) => place.to_string(),
    }
}

/// Reads the answer to a message: a place in the hand to [`Message::Play`], a name of printable ASCII to
/// [`Message::Name`].
///
/// # Errors
/// If the text is no such answer, or the message asks for none.
pub fn parse_reply(to: &Message, text: &str) -> Result<Reply, Malformed> {
    match to {
        Message::Play => {
            // A comma at the end is ignored, as in a message. A hand has 17 cards at most, at a table of three.
            let place = text.trim().trim_end_matches(',');
            number(text, Some(place), "a place in the hand", 0..17).map(Reply::Play)
        }
        Message::Name => {
            // Blanks and line ends around it are left out, as around a place: they are no part of the 15 characters.
            let name = text.trim();
            match name.bytes().all(|b| (b' '..=b'~').contains(&b)) {
                true => Ok(Reply::Name(name.chars().take(MOST_NAME).collect())),
                false => Err(Malformed::Name(text.to_owned())),
            }
        }
        _ => Err(Malformed::Kind(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tricks::Cards;

    #[test]
    fn cards_have_numbers() {
        let named = [(29, "♣2"), (67, "♠Q"), (27, "♥A"), (59, "♠4"), (15, "♥2")];
        for (number, name) in named {
            assert_eq!(read_card(number).unwrap().to_string(), name);
        }
        for card in Cards::ALL {
            assert_eq!(read_card(card_number(card)), Some(card));
        }
        let numbers = (0..200).filter(|&n| read_card(n).is_some()).count();
        assert_eq!(numbers, 52);
    }

    #[test]
    fn messages_are_read_with_a_comma_at_the_end() {
        let text = "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19,";
        let Ok(Message::Round {
            players,
            id,
            leader,
            hand,
        }) = parse(text)
        else {
            panic!("{:?}", parse(text));
        };
        assert_eq!((players, id, leader, hand.len()), (4, 1, 0, 13));
        assert_eq!(hand[6].to_string(), "♣6");
        assert_eq!(parse("23,34,").unwrap(), parse("23,34").unwrap());
        for (text, error) in [
            ("", "\"\" where a message was expected: 0, 1, 2…, 3… or 4"),
            ("23", "\"\" in \"23\" where a card's number was expected"),
            (
                "23,28",
                "\"28\" in \"23,28\" where a card's number was expected",
            ),
            ("29,29", "\"9\" in \"29,29\" where a player was expected"),
            (
                "32,0,0",
                "\"2\" in \"32,0,0\" where 3 to 6 players was expected",
            ),
            (
                "36,0,0,29",
                "1 different cards among 1 in \"36,0,0,29\", expected 8, all different",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn places_are_read_with_a_comma_at_the_end() {
        for text in ["6", "6,", " 6,\r\n"] {
            assert_eq!(parse_reply(&Message::Play, text), Ok(Reply::Play(6)));
        }
        for text in ["", ",", "6,7", "17,"] {
            assert!(parse_reply(&Message::Play, text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_name_is_printable_ascii() {
        assert_eq!(
            parse_reply(&Message::Name, "Bot 1\r\n"),
            Ok(Reply::Name("Bot 1".to_owned()))
        );
        let error = parse_reply(&Message::Name, "naïve").unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"naïve\" where a name was expected: printable ASCII characters, at most 15"
        );
    }

    /// Later versions of the public server write a sign in place of the first digit.
    #[test]
    fn a_sign_stands_for_a_digit() {
        let round = "4,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19";
        let (signed, plain) = (format!("]{round}"), format!("3{round}"));
        let texts = [
            ("@", "0"),
            (":", "1"),
            ("[3,34", "23,34"),
            (&signed, &plain),
            (";", "4"),
        ];
        for (sign, digit) in texts {
            let message = parse(sign).unwrap();
            assert_eq!(parse(digit).as_ref(), Ok(&message));
            assert_eq!([print_signed(&message), print(&message)], [sign, digit]);
        }
    }

    fn messages() -> impl Strategy<Value = Message> {
        let deck: Vec<Card> = Cards::ALL.into_iter().collect();
        let cards = Just(deck.clone()).prop_shuffle();
        let round = (3..=6_usize, 0..6_usize, 0..6_usize, cards).prop_map(
            |(players, id, leader, mut cards)| {
                cards.truncate(52 / players);
                Message::Round {
                    players,
                    id: id % players,
                    leader: leader % players,
                    hand: cards,
                }
            },
        );
        let played = (0..6_usize, prop::sample::select(deck))
            .prop_map(|(player, card)| Message::Played { player, card });
        prop_oneof![
            Just(Message::Name),
            Just(Message::Play),
            Just(Message::Stop),
            played,
            round
        ]
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_again(message in messages()) {
            prop_assert_eq!(parse(&print(&message)), Ok(message));
        }

        #[test]
        fn replies_are_read_again(place in 0..17_usize, name in "[!-~]([ -~]{0,13}[!-~])?") {
            let replies = [(Message::Play, Reply::Play(place)), (Message::Name, Reply::Name(name))];
            for (to, reply) in replies {
                prop_assert_eq!(parse_reply(&to, &print_reply(&reply)), Ok(reply));
            }
        }

        #[test]
        fn no_text_panics(text in "[0-4]?[0-9, é-]{0,60}") {
            let _ = parse(&text);
            let _ = parse_reply(&Message::Play, &text);
            let _ = parse_reply(&Message::Name, &text);
        }
    }
}
