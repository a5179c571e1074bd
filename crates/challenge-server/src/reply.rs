//! Applies a client's message to its game. The lobby, the test port and matches share this, so they treat wrong
//! input alike.

use super::clocked_game::{ClockedGame, Sent, not_open};
use super::link::Input;
use arena::plain_text::printable;
use challenge::protocol::{Incoming, Response, ResultMessage, ServerMessage, WireEvent};
use challenge::rules::{Decision, Seat};
use std::time::Duration;

/// The most characters of a reason, which may quote a message of any length.
const LONGEST_REASON: usize = 200;

/// The beginning of a reason, safe to print, for the answer and the journal.
fn brief(reason: &str) -> String {
    let reason = &*printable(reason);
    // Counted in characters, so the cut never splits one.
    match reason.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}...", &reason[..end]),
        None => reason.to_owned(),
    }
}

/// The decision in an answer.
///
/// # Errors
/// The reason why there is none.
pub fn decided(response: serde_json::Value) -> Result<Decision, String> {
    // Serde would take a list for an object whose fields stand in their order.
    if response.is_array() {
        return Err("a list, expected an object".to_owned());
    }
    let response = serde_json::from_value::<Response>(response);
    let response = response.map_err(|error| brief(&error.to_string()))?;
    Decision::try_from(response).map_err(|error| error.to_string())
}

/// Passes a client's message to its game.
pub fn reply(game: &mut ClockedGame, seat: Seat, input: Input, now: Duration) -> Vec<Sent> {
    match input {
        Ok(Incoming::Move {
            request_id,
            response,
        }) => game.answer(seat, request_id, decided(response), now),
        // Messages of unknown types are ignored, as clients are to do with the server's; so is a token
        // that nobody asked for.
        Ok(Incoming::Unknown | Incoming::Token { .. }) => Vec::new(),
        Err(reason) => game.nonsense(seat, &brief(&reason), now),
    }
}

/// The error for a wrong message, or an answer, of a client that is in no game. It costs nothing.
pub fn outside(input: Input) -> Option<ServerMessage> {
    let reason = match input {
        Ok(Incoming::Move { request_id, .. }) => not_open(request_id),
        Ok(Incoming::Unknown | Incoming::Token { .. }) => return None,
        Err(reason) => brief(&reason),
    };
    Some(ServerMessage::Result(ResultMessage {
        result: WireEvent::Error { reason },
        your_player_num: 0,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocked_game::Conduct;
    use challenge::protocol::Request;
    use serde_json::json;

    /// A game, the seat that is asked first, and the request to it.
    fn begun() -> (ClockedGame, Seat, Request) {
        let rng = engine::rng::stream(1, 1);
        let mut game = ClockedGame::new(Conduct::default(), 1, [1, 2], rng);
        let request = game.start(Duration::ZERO).pop();
        let Some((seat, ServerMessage::Request(request))) = request else {
            panic!("{request:?}")
        };
        (game, seat, request)
    }

    #[test]
    fn messages_of_unknown_types_are_ignored() {
        let (mut game, seat, _) = begun();
        let unknown = serde_json::from_str(r#"{"type": "hello", "card": 1}"#).unwrap();
        assert!(reply(&mut game, seat, Ok(unknown), Duration::ZERO).is_empty());
        assert_eq!(game.asked(), Some(seat), "the request is still open");
        let wrong = Err("no message".to_owned());
        assert!(!reply(&mut game, seat, wrong, Duration::ZERO).is_empty());
    }

    /// A list is no object, though its entries may stand in the order of the fields.
    #[test]
    fn an_answer_is_an_object() {
        for (answer, is_right) in [
            (json!({"type": "offer_challenge"}), true),
            (json!(["offer_challenge"]), false),
        ] {
            assert_eq!(decided(answer).is_ok(), is_right);
        }
    }

    /// JSON has a single kind of number, so 9.0 is 9. A string is not a number.
    #[test]
    fn a_whole_number_may_have_a_point() {
        for (quote, legal) in [("", true), ("\"", false)] {
            let (mut game, seat, request) = begun();
            let (id, card) = (request.request_id, request.state.hand[0]);
            let text = format!(
                r#"{{"type":"move","request_id":{id}.0,
                "response":{{"type":"play_card","card":{quote}{card}.0{quote}}}}}"#
            );
            let input = Ok(serde_json::from_str(&text).unwrap());
            let sent = reply(&mut game, seat, input, Duration::ZERO);
            let ServerMessage::Result(report) = &sent[0].1 else {
                panic!("{sent:?}")
            };
            assert_eq!(report.result == WireEvent::Accepted, legal, "{report:?}");
        }
    }

    #[test]
    fn a_long_wrong_message_gets_a_short_reason() {
        let (mut game, seat, request) = begun();
        let input = Incoming::Move {
            request_id: request.request_id,
            response: serde_json::json!({"type": "\u{e4}".repeat(500_000)}),
        };
        let sent = reply(&mut game, seat, Ok(input), Duration::ZERO);
        let text = serde_json::to_string(&sent[0].1).unwrap();
        assert!(text.contains("`type` is "), "{text}");
        assert!(text.len() < 1000, "{} bytes", text.len());
    }
}
