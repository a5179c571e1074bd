//! Tests of one game with clocks, as the server plays it: time, penalties, and answers that come
//! late, twice or to the wrong request.

use super::super::answers::before_first;
use super::*;
use engine::rng::stream;

const MS: Duration = Duration::from_millis(1);

fn game() -> ClockedGame {
    ClockedGame::new(Conduct::default(), 9, [40, 50], stream(1, 2))
}

/// The latest request among the messages, and the seat that it went to.
fn request(sent: &[Sent]) -> (Seat, Request) {
    match sent.last() {
        Some((seat, ServerMessage::Request(request))) => (*seat, request.clone()),
        other => panic!("expected a request: {other:?}"),
    }
}

fn results(sent: &[Sent], to: Seat) -> Vec<WireEvent> {
    let own = sent.iter().filter(|(seat, _)| *seat == to);
    own.filter_map(|(_, message)| match message {
        ServerMessage::Result(report) => Some(report.result.clone()),
        _ => None,
    })
    .collect()
}

fn safe(game: &mut ClockedGame, asked: &(Seat, Request), now: Duration) -> Vec<Sent> {
    let decision = asked.1.view().unwrap().safe().unwrap();
    game.answer(asked.0, asked.1.request_id, Ok(decision), now)
}

#[test]
fn moves_cost_time_and_give_some_back() {
    let mut game = self::game();
    let first = request(&game.start(Duration::ZERO));
    assert_eq!(
        (first.0, first.1.remaining, first.1.state.opponent_id),
        (0, 2.0, 50)
    );
    let sent = safe(&mut game, &first, 300 * MS);
    assert_eq!(results(&sent, 0), [WireEvent::Accepted]);
    assert_eq!(results(&sent, 1), []);
    assert_eq!(game.clocks[0].left, 1750 * MS);
    assert_eq!(game.deadline(), Some(2300 * MS));
}

#[test]
fn an_open_request_is_sent_again_with_the_time_left() {
    let mut game = self::game();
    let (_, asked) = request(&game.start(Duration::ZERO));
    let Some(ServerMessage::Request(again)) = game.again(0, 500 * MS) else {
        panic!("expected the request");
    };
    assert_eq!(
        again,
        Request {
            remaining: 1.5,
            ..asked
        }
    );
    assert_eq!(game.again(1, 500 * MS), None);
}

/// A player whose clock has run out loses all further tricks without being asked, and so the game.
#[test]
fn who_has_no_time_left_is_asked_no_more() {
    let mut game = self::game();
    let sent = game.start(Duration::ZERO);
    assert!(game.tick(1999 * MS).is_empty());
    let late = request(&sent);
    let mut sent = safe(&mut game, &late, 2000 * MS);
    let reason = "the clock has run out".to_owned();
    let errors = results(&sent, 0);
    assert_eq!(errors[0], WireEvent::Error { reason });
    assert_eq!(errors.len(), 2, "the late answer is told about: {errors:?}");
    assert_eq!(
        results(&sent, 1),
        [],
        "no result for a trick that a fault lost"
    );
    sent.pop();
    while game.winner().is_none() {
        let asked = request(&sent);
        assert_eq!(asked.0, 1);
        sent = safe(&mut game, &asked, 2000 * MS);
    }
    assert_eq!(game.winner(), Some(1));
    assert_eq!((game.deadline(), game.asked()), (None, None));
    assert_eq!(
        results(&sent, 0).last(),
        Some(&WireEvent::GameWon { by: 1 })
    );
}

#[test]
fn two_players_without_time_finish_too() {
    let mut game = self::game();
    game.start(Duration::ZERO);
    game.tick(2000 * MS);
    game.tick(4000 * MS);
    assert!(game.winner().is_some());
}

#[test]
fn an_answer_that_nobody_can_use_is_an_error_at_once() {
    let mut game = self::game();
    let (_, asked) = request(&game.start(Duration::ZERO));
    let (id, before) = (asked.request_id, game.game().clone());
    let error = |reason: String| [WireEvent::Error { reason }];
    // A player who is not asked gets an error message, and loses nothing.
    let sent = game.answer(1, id, Ok(Decision::Accept), MS);
    let reason = format!("found an answer to request {id}, which is not open");
    assert_eq!(results(&sent, 1), error(reason));
    assert_eq!(
        results(&game.nonsense(1, "noise", MS), 1),
        error("noise".to_owned())
    );
    assert_eq!((game.asked(), game.game()), (Some(0), &before));
    // An answer to request 1, the number in the rules' example, which a program might have copied.
    let decision = asked.view().unwrap().safe().unwrap();
    let sent = game.answer(0, 1, Ok(decision), MS);
    let reason = format!("expected an answer to request {id}, found one to request 1");
    assert_eq!(results(&sent, 0), error(reason));
    assert_eq!(
        request(&sent).0,
        1,
        "the other has taken the trick and leads"
    );
    let sent = game.nonsense(1, "noise", MS);
    assert_eq!(results(&sent, 1), error("noise".to_owned()));
    let (seat, asked) = request(&sent);
    let sent = game.answer(seat, asked.request_id, Ok(Decision::Accept), MS);
    assert!(matches!(
        results(&sent, seat)[..],
        [WireEvent::Error { .. }]
    ));
}

/// Answers `asked` and checks that the answer is refused as no longer open, and that nothing else happens.
fn is_refused(game: &mut ClockedGame, asked: &(Seat, Request), now: Duration) {
    let before = (game.game().clone(), game.asked(), game.deadline());
    let sent = safe(game, asked, now);
    let reason = format!(
        "found an answer to request {}, which is not open",
        asked.1.request_id
    );
    assert_eq!(results(&sent, asked.0), [WireEvent::Error { reason }]);
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!((game.game().clone(), game.asked(), game.deadline()), before);
}

#[test]
fn an_answer_to_a_request_that_is_settled_costs_nothing() {
    // Settled by the clock: the time ran out, and now the other player is asked.
    let mut game = self::game();
    let late = request(&game.start(Duration::ZERO));
    let asked = request(&game.tick(2000 * MS));
    assert_eq!(asked.0, 1);
    is_refused(&mut game, &late, 2000 * MS);
    is_refused(&mut game, &late, 2000 * MS);
    // Settled by a penalty: the offender is soon asked again, with another request.
    let mut game = self::game();
    let first = request(&game.start(Duration::ZERO));
    let sent = game.answer(first.0, first.1.request_id, Ok(Decision::Accept), MS);
    let sent = safe(&mut game, &request(&sent), MS);
    let open = request(&sent);
    assert_eq!(open.0, first.0);
    is_refused(&mut game, &first, MS);
    assert_eq!(results(&safe(&mut game, &open, MS), 0).len(), 1);
    // Settled by an answer that the player repeats, since it cannot know whether a lost connection swallowed
    // it.
    let mut game = self::game();
    let first = request(&game.start(Duration::ZERO));
    safe(&mut game, &first, MS);
    game.again(0, MS);
    is_refused(&mut game, &first, MS);
}

#[test]
fn an_answer_to_a_request_of_the_game_before_costs_nothing() {
    let mut game = self::game();
    let late = request(&game.start(Duration::ZERO));
    game.tick(2000 * MS);
    let next = ClockedGame::new(Conduct::default(), 10, [40, 60], stream(1, 2));
    let mut next = next.after(0, game.requests());
    let asked = request(&next.start(Duration::ZERO));
    assert_eq!(asked.0, 0);
    assert_ne!(asked.1.request_id, late.1.request_id);
    is_refused(&mut next, &late, MS);
    // An answer to a game that this player did not play in is a fault.
    let id = before_first(11) + 1;
    let sent = next.answer(0, id, Ok(Decision::Offer), MS);
    assert_eq!(request(&sent).0, 1, "the trick is lost");
}

/// Only the first `bonus_moves` moves of a player give time back. By the rules these are 100, here 3: 2,000 +
/// 3 × 50 ms are left.
#[test]
fn only_a_hundred_moves_give_time() {
    let mut game = ClockedGame::new(
        Conduct {
            bonus_moves: 3,
            ..Conduct::default()
        },
        9,
        [1, 2],
        stream(3, 4),
    );
    let mut sent = game.start(Duration::ZERO);
    let mut ids = Vec::new();
    while game.winner().is_none() {
        let asked = request(&sent);
        ids.push(asked.1.request_id);
        sent = safe(&mut game, &asked, Duration::ZERO);
    }
    // Requests are numbered one after the other, from a number that belongs to this game alone.
    let first = before_first(9) + 1;
    assert_eq!(ids, (first..first + ids.len() as i64).collect::<Vec<_>>());
    assert_eq!(game.clocks.map(|clock| clock.left), [2150 * MS; 2]);
}

/// The server can penalize a player who is not connected without waiting for the clock.
#[test]
fn the_absent_need_not_be_waited_for() {
    let mut game = self::game();
    assert_eq!(game.teams(), [40, 50]);
    assert!(game.deck().is_none() && game.absent(MS).is_empty());
    let (_, asked) = request(&game.start(Duration::ZERO));
    let sent = game.absent(MS);
    let reason = "the client is not connected".to_owned();
    assert_eq!(results(&sent, 0), [WireEvent::Error { reason }]);
    assert_eq!(
        game.clocks[0].left,
        1999 * MS,
        "the time until then is used"
    );
    assert_eq!(
        request(&sent).0,
        1,
        "the other has taken the trick and leads"
    );
    // The absent player's answer, which was already on its way, costs nothing.
    is_refused(&mut game, &(0, asked), MS);
    let next = self::game().with_deck(game.deck().cloned());
    assert_eq!(next.deck(), game.deck(), "another game may go on with it");
    let mut left = game.deck().cloned().unwrap();
    assert_eq!(std::iter::from_fn(|| left.deal()).count(), 9);
}
