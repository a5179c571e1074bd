//! Messages and frames of the challenge game's protocol: the forms that a contest may send are read, the messages
//! sent are read back, and damaged bytes are refused without a panic.

use super::*;
use crate::rules::testing::{card, cards};
use crate::rules::{Decision, Event, Game, GameOptions};
use crate::view::{View, ViewContext};
use proptest::prelude::*;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

const TABLE: ViewContext = ViewContext {
    game_id: 12,
    opponent_id: 5,
    remaining: Duration::from_millis(1500),
};

/// The views of a game in which both players decide by `choices`.
fn views(choices: &[u8]) -> Vec<View> {
    let mut game = Game::new(GameOptions::default());
    let mut views = Vec::new();
    for &choice in choices {
        if game.needs_deal() {
            game.deal([cards(&[11, 8, 8, 5, 2]), cards(&[12, 9, 8, 6, 1])]);
        }
        let Some(view) = View::of(&game, &TABLE) else {
            break;
        };
        views.push(view);
        let legal: Vec<Decision> = view.legal().collect();
        game.decide(legal[usize::from(choice) % legal.len()])
            .unwrap();
    }
    views
}

fn read<M: serde::de::DeserializeOwned>(text: &str) -> M {
    serde_json::from_str(text).unwrap()
}

/// Reads a request. Its identifier may be of any JSON type.
fn request(text: &str) -> Request<RequestId> {
    match read(text) {
        ServerMessage::Request(request) => request,
        _ => panic!("expected a request: {text}"),
    }
}

/// The view of a request.
fn seen(text: &str) -> View {
    request(text).view().unwrap()
}

/// Reads the message of a result.
fn result(text: &str) -> ResultMessage {
    match read::<ServerMessage>(text) {
        ServerMessage::Result(report) => report,
        _ => panic!("expected a result: {text}"),
    }
}

/// Servers list the card on the table in the leader's hand or not. The number of tricks shows how many cards the
/// hand must have, and so which of the two it is.
#[test]
fn the_kind_of_server_shows_by_counting() {
    let text = |hand: &str| {
        format!(
            r#"{{"type":"request","request":"challenge_offered","request_id":3,"remaining":1,
            "extra":[{{}}],"state":{{"hand":{hand},"card":8,"hand_id":1,"game_id":2,"your_tricks":0,
            "their_tricks":1,"can_challenge":false,"in_challenge":false,"total_tricks":3,
            "your_points":4,"opponent_id":9,"their_points":2,"player_number":1,"odd":null}}}}"#
        )
    };
    // The last one: one of two equal cards is played.
    for (hand, left) in [("[8,2]", 2), ("[2,8]", 2), ("[2]", 2), ("[8,8]", 8)] {
        let view = seen(&text(hand));
        assert_eq!(view.cards, cards(&[left]), "{hand}");
        assert_eq!(view.own_card, Some(card(8)));
    }
}

#[test]
fn what_is_unknown_is_ignored() {
    let news: ServerMessage = read(r#"{"type":"news","text":1}"#);
    assert_eq!(news, ServerMessage::Unknown);
    let odd = r#"{"type":"result","result":{"type":"round_won","by":1},"your_player_num":0}"#;
    assert_eq!(result(odd).result.event(), Ok(None));
    let greeting: ServerMessage = read(r#"{"type":"greetings_program","team_id":4,"motd":"hi"}"#);
    assert_eq!(greeting, ServerMessage::GreetingsProgram(Greeting::of(4)));
}

/// A server reads answers strictly: numbers in quotes and other forms of a response are refused.
#[test]
fn types_are_exact() {
    for text in [
        r#"{"type":"move","request_id":"1","response":{"type":"offer_challenge"}}"#,
        r#"{"type":"move","request_id":1,"response":{"type":"play_card","card":"9"}}"#,
        r#"{"type":"move","request_id":1,"response":{"type":"play_card","card":9.5}}"#,
        r#"{"type":"move","request_id":1,"response":"reject_challenge"}"#,
    ] {
        let read = serde_json::from_str::<ClientMessage>(text);
        assert!(read.is_err(), "{text}");
    }
    let rejection = r#"{"type":"move", "request_id":1, "response": {"type": "reject_challenge"}}"#;
    let answer = ClientMessage::Move(Move {
        request_id: 1,
        response: Decision::Reject.into(),
    });
    assert_eq!(read::<ClientMessage>(rejection), answer);
}

/// A whole number may have a decimal point; a string is not a number.
#[test]
fn whole_numbers_may_be_written_with_a_point() {
    let text = r#"{"type":"move","request_id":7.0,"response":{"type":"play_card","card":1.2e1}}"#;
    let Incoming::Move {
        request_id,
        response,
    } = read(text)
    else {
        panic!("expected a move");
    };
    assert_eq!(request_id, 7);
    let response: Response = serde_json::from_value(response).unwrap();
    assert_eq!(response, Response::PlayCard { card: 12 });
    for (wrong, expected) in [
        (
            "null",
            "`response` is missing: expected an object such as {",
        ),
        (
            r#"{"type":["x"]}"#,
            r#"`response` is {"type":["x"]}: expected an"#,
        ),
        (
            r#"{"type":"play_card","card":-3}"#,
            "`card` is -3: expected a whole number from 1 to 13",
        ),
    ] {
        let error = serde_json::from_str::<Response>(wrong).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    for id in ["7.5", "\"7\"", "null", "1e300", "18446744073709551616"] {
        let text = text.replace("7.0", id);
        assert!(serde_json::from_str::<Incoming>(&text).is_err(), "{id}");
    }
    let text = r#"{"type":"result","your_player_num":1.0,
        "result":{"type":"trick_won","by":0.0,"card":9.0}}"#;
    let report = result(text);
    let event = Event::TrickWon {
        by: 0,
        card: Some(card(9)),
    };
    assert_eq!(report.result.event(), Ok(Some(event)));
    assert_eq!(report.your_player_num, 1);
}

#[test]
fn a_player_reads_what_it_can() {
    let whole = r#"{"type":"request","request":"request_card","request_id":3,"remaining":1.25,"state":
        {"hand":[11,5,2],"card":8,"hand_id":4,"game_id":9,"your_tricks":1,"their_tricks":0,
        "can_challenge":true,"in_challenge":false,"total_tricks":2,"your_points":2,"opponent_id":6,
        "their_points":1,"player_number":1}}"#;
    let view = seen(whole);
    // First every number with a point, then every value in quotes, except the kind of the request.
    let with_points = whole.replace("2,", "2.0,").replace(":1}", ":1.0}");
    assert_eq!(seen(&with_points), view);
    let quoted = r#"{"type":"request","request":"request_card","request_id":"3","remaining":"1.25","state":
        {"hand":["11","5","2"],"card":"8","hand_id":"4","game_id":"9","your_tricks":"1","their_tricks":"0",
        "can_challenge":"true","in_challenge":"false","total_tricks":"2","your_points":"2","opponent_id":"6",
        "their_points":"1","player_number":"1"}}"#;
    assert_eq!(seen(quoted), view);
    let least = r#"{"request_id":3,"request":"request_card","state":{"hand":[11,5,2]}}"#;
    let expected = View {
        their_card: None,
        own_tricks: 0,
        own_points: 0,
        their_points: 0,
        can_challenge: false,
        hand_id: 1,
        player_number: 0,
        opponent_id: 0,
        game_id: 0,
        remaining: Duration::from_millis(500),
        ..view
    };
    assert_eq!(seen(least), expected, "two tricks were played");
    // If the number of the hand is missing, it follows from the points. Opponents may have names instead of
    // numbers.
    let untold = whole.replace("\"hand_id\":4,", "");
    assert_eq!(seen(&untold).hand_id, 4);
    let named =
        |name: &str| seen(&whole.replace("\"opponent_id\":6", &format!("\"opponent_id\":{name}")));
    let [a, b] = ["\"red\"", "18446744073709551616"].map(|name| named(name).opponent_id);
    assert!(a != b && a != 6 && b != 6, "{a} {b}");
    // A leader that is offered a challenge is shown its card on the table. Servers leave this card in the hand or
    // not; the view always leaves it out.
    for (hand, cards) in [("[8,5]", [5].as_slice()), ("[5,2]", &[5, 2])] {
        let offered = format!(
            r#"{{"request_id":3,"request":"challenge_offered","state":{{"hand":{hand},"card":8}}}}"#
        );
        assert_eq!(seen(&offered).cards, self::cards(cards));
    }
}

#[test]
fn a_token_is_sent_and_not_printed() {
    let token = Token::new("sesame").unwrap();
    let message = ClientMessage::<i64>::Token { token };
    let text = serde_json::to_string(&message).unwrap();
    assert_eq!(text, r#"{"type":"token","token":"sesame"}"#);
    assert!(!format!("{message:?}").contains("sesame"));
    assert!(Token::new("").is_err() && Token::new(&"x".repeat(201)).is_err());
}

/// A card and a player's number that do not exist are read as if they were missing. A hand that cannot be read gets
/// the least harmful answer.
#[test]
fn values_out_of_range_do_not_spoil_a_request() {
    let request = |kind: &str, hand: &str, their_points: u8| {
        let text = format!(
            r#"{{"type":"request","request":"{kind}","request_id":1,"state":{{"hand":{hand},
            "card":0,"player_number":2,"their_points":{their_points}}}}}"#
        );
        self::request(&text)
    };
    let view = request("request_card", "[9,4]", 0).view().unwrap();
    assert_eq!((view.their_card, view.player_number), (None, 0));
    let view = request("challenge_offered", "[9,4]", 0).view().unwrap();
    assert_eq!((view.own_card, view.total_tricks), (None, 3));
    for (kind, their_points, expected) in [
        ("request_card", 0, Response::PlayCard { card: 3 }),
        ("challenge_offered", 8, Response::RejectChallenge),
        ("challenge_offered", 9, Response::AcceptChallenge),
    ] {
        let request = request(kind, "[9,14,3,4]", their_points);
        assert!(request.view().is_err());
        assert_eq!(request.guess(), expected);
    }
}

/// In requests and results of some servers 2 stands for 0. Other numbers stay as they are.
#[test]
fn players_may_be_counted_from_1() {
    for (number, expected) in [
        (0, Ok(0)),
        (1, Ok(1)),
        (2, Ok(0)),
        (3, Err(Malformed::Player(3))),
    ] {
        for kind in ["trick_won", "hand_done", "game_won"] {
            let text = format!(
                r#"{{"type":"result","result":{{"type":"{kind}","by":{number}}},"your_player_num":2}}"#
            );
            let message = result(&text);
            assert_eq!(message.your_player_num, 0);
            let event = expected.map(|by| match kind {
                "trick_won" => Event::TrickWon { by, card: None },
                "hand_done" => Event::HandDone { by: Some(by) },
                _ => Event::GameWon { by },
            });
            assert_eq!(message.result.event(), event.map(Some), "{text}");
        }
    }
}

#[test]
fn values_out_of_range_are_named() {
    let no_card = Decision::try_from(Response::PlayCard { card: 14 }).unwrap_err();
    let expected = "14 is no card: expected a rank from 1 to 13";
    assert_eq!(no_card.to_string(), expected);
    let no_player = WireEvent::GameWon { by: 2 }.event();
    assert_eq!(no_player, Err(Malformed::Player(2)));
}

/// A message that a player cannot use is told with the value that is wrong.
#[test]
fn unusable_kinds_are_named() {
    for (text, expected) in [
        (r#"{}"#, "missing field `type`"),
        (r#"{"type":7}"#, "`type` is 7, expected a string"),
        (r#"{"type":"request"}"#, "missing field `request`"),
        (
            r#"{"type":"request","request":[]}"#,
            "`request` is [], expected a string",
        ),
        (
            r#"{"type":"request","request":"bogus","request_id":1}"#,
            "unknown variant `bogus`, expected `request_card` or `challenge_offered`",
        ),
    ] {
        let error = serde_json::from_str::<ServerMessage<RequestId>>(text).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[tokio::test]
async fn long_and_broken_frames_are_told_apart() {
    for (bytes, expected) in [
        (
            &[0, 16, 0, 1, 0][..],
            "a frame is longer than the 1048576 bytes allowed",
        ),
        (
            &[0, 0, 0, 2, b'{', b'!'],
            "a frame of 2 bytes is not a message: key must be a string at line 1 column 2",
        ),
        (
            &[0, 0, 0, 9, b'{'],
            "the connection broke: bytes remaining on stream",
        ),
    ] {
        let (near, mut far) = tokio::io::duplex(64);
        far.write_all(bytes).await.unwrap();
        drop(far);
        let mut near = connection(near);
        let read = receive::<_, ServerMessage>(&mut near).await.unwrap();
        assert_eq!(read.unwrap_err().to_string(), expected);
    }
}

fn decision() -> impl Strategy<Value = Decision> {
    prop_oneof![
        (1u8..=13).prop_map(|rank| Decision::Play(card(rank))),
        Just(Decision::Offer),
        Just(Decision::Accept),
        Just(Decision::Reject),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::Accepted),
        Just(Event::Error),
        Just(Event::TrickTied),
        (0usize..2, prop::option::of(1u8..=13)).prop_map(|(by, rank)| Event::TrickWon {
            by,
            card: rank.map(card)
        }),
        prop::option::of(0usize..2).prop_map(|by| Event::HandDone { by }),
        (0usize..2).prop_map(|by| Event::GameWon { by }),
    ]
}

proptest! {
    #[test]
    fn a_view_survives_the_wire(choices in prop::collection::vec(any::<u8>(), 1..40), left_out: bool) {
        let served = if left_out { Served::LeftOut } else { Served::InHand };
        for view in views(&choices) {
            let request = ServerMessage::Request(Request::of(&view, 7, served));
            let text = serde_json::to_string(&request).unwrap();
            prop_assert!(text.is_ascii());
            prop_assert_eq!(read::<ServerMessage>(&text), request);
            prop_assert_eq!(seen(&text), view);
        }
    }

    #[test]
    fn a_decision_survives_the_wire(decision in decision(), request_id: i64) {
        let answer = ClientMessage::Move(Move { request_id, response: decision.into() });
        let text = serde_json::to_string(&answer).unwrap();
        prop_assert_eq!(read::<ClientMessage>(&text), answer);
        prop_assert_eq!(Decision::try_from(Response::from(decision)), Ok(decision));
    }

    #[test]
    fn an_event_survives_the_wire(event in event(), seat in 0u8..2) {
        let report = ResultMessage { result: WireEvent::of(event, "why"), your_player_num: seat };
        let text = serde_json::to_string(&ServerMessage::<i64>::Result(report)).unwrap();
        prop_assert_eq!(result(&text).result.event(), Ok(Some(event)));
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes);
    }

    /// Any bytes in any pieces come to an end, and all frames before the first damaged one are read.
    #[test]
    fn any_stream_is_read_to_its_end(
        whole in 0usize..4,
        noise in prop::collection::vec(any::<u8>(), 0..60),
        piece in 1usize..9,
    ) {
        let mut bytes = Vec::new();
        for _ in 0..whole {
            bytes.extend([0, 0, 0, 12]);
            bytes.extend(br#"{"type":"x"}"#);
        }
        bytes.extend(&noise);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let read = runtime.block_on(async move {
            let (near, mut far) = tokio::io::duplex(piece);
            let writer = tokio::spawn(async move {
                // The reader may have stopped early, which is no fault of the writer.
                let _ = far.write_all(&bytes).await;
            });
            let mut near = connection(near);
            let mut read = 0;
            loop {
                match receive::<_, ServerMessage>(&mut near).await {
                    Some(Ok(_)) => read += 1,
                    Some(Err(ProtocolError::NotAMessage { .. })) => {}
                    Some(Err(_)) | None => break,
                }
            }
            drop(near);
            writer.await.unwrap();
            read
        });
        prop_assert!(read >= whole);
    }

    /// Messages with a few changed bytes get further than noise.
    #[test]
    fn damaged_messages_are_read_without_panic(place: prop::sample::Index, byte: u8, choices in prop::collection::vec(any::<u8>(), 1..9)) {
        for view in views(&choices) {
            let request = ServerMessage::Request(Request::of(&view, 7, Served::InHand));
            let mut bytes = serde_json::to_vec(&request).unwrap();
            let place = place.index(bytes.len());
            bytes[place] = byte;
            check(&bytes);
        }
    }
}

fn check(bytes: &[u8]) {
    if let Ok(ServerMessage::Request(request)) =
        serde_json::from_slice::<ServerMessage<RequestId>>(bytes)
    {
        let _ = request.guess();
        if let Ok(view) = request.view() {
            assert!(view.safe().is_none_or(|decision| view.allows(decision)));
        }
    }
    let _ = serde_json::from_slice::<ClientMessage>(bytes);
    let _ = serde_json::from_slice::<Incoming>(bytes);
}
