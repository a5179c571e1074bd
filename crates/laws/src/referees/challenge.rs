//! The referee of the challenge card game, with its clocks.

use crate::bytes::Bytes;
use challenge::protocol::ServerMessage;
use challenge::rules::{Decision, GameOptions, LeadAfterTie};
use challenge_server::clocked_game::{ClockedGame, Conduct, Sent};
use contest::challenge::Entry;
use engine::rng::stream;
use std::time::Duration;

/// Two clients that answer legally, illegally, nonsense, late or not at all. The game asks one of them
/// at a time and shows it what it may do, and ends with its result.
pub(super) fn game(mut bytes: Bytes, seed: u64) {
    let Some(options) = bytes.byte() else {
        return;
    };
    let conduct = Conduct {
        options: GameOptions {
            lead_after_tie: match options & 1 {
                0 => LeadAfterTie::Opener,
                _ => LeadAfterTie::Alternate,
            },
            ..GameOptions::default()
        },
        report_lost_tricks: options & 2 == 0,
        ..Conduct::default()
    };
    let mut game = ClockedGame::new(conduct, 1, [7, 9], stream(seed, 0));
    let mut now = Duration::ZERO;
    let mut sent = game.start(now);
    // Each byte is one thing that a client, or the clock, does. The numbers are weights: mostly a legal answer,
    // so that games come to their end.
    while let Some(seat) = game.asked() {
        check(&sent);
        assert!(game.deadline().is_some() && game.winner().is_none());
        let Some(ServerMessage::Request(request)) = game.again(seat, now) else {
            panic!("a player that is asked is asked again");
        };
        // A client sees only the request, so that must be enough to find a legal answer.
        let view = request.view().expect("a request can be read");
        let legal: Vec<Decision> = view.legal().collect();
        assert!(!legal.is_empty());
        let Some(what) = bytes.byte() else {
            return;
        };
        let id = request.request_id;
        let any = usize::from(what);
        sent = match what {
            0..200 => game.answer(seat, id, Ok(legal[any % legal.len()]), now),
            200..210 => game.answer(1 - seat, id, Ok(legal[0]), now),
            210..220 => game.answer(seat, id + 1 - i64::from(what % 3), Ok(legal[0]), now),
            220..230 => game.answer(seat, id, Err("no decision".to_owned()), now),
            230..235 => game.nonsense(any % 2, "not a message", now),
            235..240 => game.absent(now),
            240..250 => {
                let reasons = [Decision::Offer, Decision::Accept, Decision::Reject];
                game.answer(seat, id, Ok(reasons[any % 3]), now)
            }
            _ => {
                now += Duration::from_millis(u64::from(what % 5) * 700);
                game.tick(now)
            }
        };
    }
    check(&sent);
    assert!(game.winner().is_some() && game.deadline().is_none());
    let winner = game.winner();
    let points = game.game().points();
    assert!(points.iter().all(|&points| points <= 10), "{points:?}");
    match game.into_entries(None).last() {
        Some(Entry::FinalGameResult { winner: told, .. }) => assert_eq!(Some(*told), winner),
        last => panic!("{last:?} at the end of a game"),
    }
}

/// Every message is for one of the two players, and is read as it was written.
fn check(sent: &[Sent]) {
    for (seat, message) in sent {
        assert!(*seat < 2);
        let text = serde_json::to_vec(message).expect("a message can be written");
        let read: ServerMessage = serde_json::from_slice(&text).expect("and read");
        assert_eq!(read, *message);
    }
}
