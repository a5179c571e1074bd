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

/// A game that has just started, with the first request and the seat that it went to.
fn started() -> (ClockedGame, (Seat, Request)) {
    let mut game = game();
    let first = request(&game.start(Duration::ZERO));
    (game, first)
}

fn error(reason: &str) -> [WireEvent; 1] {
    let reason = reason.to_owned();
    [WireEvent::Error { reason }]
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
    let (mut game, first) = started();
    let (seat, asked) = &first;
    assert_eq!(
        (*seat, asked.remaining, asked.state.opponent_id),
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
    let (game, (_, mut asked)) = started();
    asked.remaining = 1.5;
    let again = game.again(0, 500 * MS);
    assert_eq!(again, Some(ServerMessage::Request(asked)));
    assert_eq!(game.again(1, 500 * MS), None);
}

/// A player whose clock has run out loses all further tricks without being asked, and so the game.
#[test]
fn who_has_no_time_left_is_asked_no_more() {
    let (mut game, late) = started();
    assert!(game.tick(1999 * MS).is_empty());
    let mut sent = safe(&mut game, &late, 2000 * MS);
    let errors = results(&sent, 0);
    assert_eq!(errors[..1], error("the clock has run out"));
    assert_eq!(errors.len(), 2, "the late answer is told about: {errors:?}");
    // No result for a trick that a fault lost.
    assert_eq!(results(&sent, 1), []);
    sent.pop();
    while game.winner().is_none() {
        let asked = request(&sent);
        assert_eq!(asked.0, 1);
        sent = safe(&mut game, &asked, 2000 * MS);
    }
    assert_eq!(game.winner(), Some(1));
    assert_eq!((game.deadline(), game.asked()), (None, None));
    let last = results(&sent, 0).pop();
    assert_eq!(last, Some(WireEvent::GameWon { by: 1 }));
}

#[test]
fn two_players_without_time_finish_too() {
    let (mut game, _) = started();
    game.tick(2000 * MS);
    game.tick(4000 * MS);
    assert!(game.winner().is_some());
}

#[test]
fn an_answer_that_nobody_can_use_is_an_error_at_once() {
    let (mut game, (_, asked)) = started();
    let (id, before) = (asked.request_id, game.game().clone());
    // A player who is not asked gets an error message, and loses nothing.
    let sent = game.answer(1, id, Ok(Decision::Accept), MS);
    let reason = format!("found an answer to request {id}, which is not open");
    assert_eq!(results(&sent, 1), error(&reason));
    let sent = game.nonsense(1, "noise", MS);
    assert_eq!(results(&sent, 1), error("noise"));
    assert_eq!((game.asked(), game.game()), (Some(0), &before));
    // An answer to request 1, the number in the rules' example, which a program might have copied.
    let decision = asked.view().unwrap().safe().unwrap();
    let sent = game.answer(0, 1, Ok(decision), MS);
    let reason = format!("expected an answer to request {id}, found one to request 1");
    assert_eq!(results(&sent, 0), error(&reason));
    // The other has taken the trick and leads.
    assert_eq!(request(&sent).0, 1);
    let sent = game.nonsense(1, "noise", MS);
    assert_eq!(results(&sent, 1), error("noise"));
    let (seat, asked) = request(&sent);
    let sent = game.answer(seat, asked.request_id, Ok(Decision::Accept), MS);
    let told = results(&sent, seat);
    assert!(matches!(told[..], [WireEvent::Error { .. }]));
}

/// Answers `asked` and checks that the answer is refused as no longer open, and that nothing else happens.
fn is_refused(game: &mut ClockedGame, asked: &(Seat, Request), now: Duration) {
    let before = (game.game().clone(), game.asked(), game.deadline());
    let sent = safe(game, asked, now);
    let id = asked.1.request_id;
    let reason = format!("found an answer to request {id}, which is not open");
    assert_eq!(results(&sent, asked.0), error(&reason));
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!((game.game().clone(), game.asked(), game.deadline()), before);
}

#[test]
fn an_answer_to_a_request_that_is_settled_costs_nothing() {
    // Settled by the clock: the time ran out, and now the other player is asked.
    let (mut game, late) = started();
    let asked = request(&game.tick(2000 * MS));
    assert_eq!(asked.0, 1);
    is_refused(&mut game, &late, 2000 * MS);
    is_refused(&mut game, &late, 2000 * MS);
    // Settled by a penalty: the offender is soon asked again, with another request.
    let (mut game, first) = started();
    let sent = game.answer(first.0, first.1.request_id, Ok(Decision::Accept), MS);
    let sent = safe(&mut game, &request(&sent), MS);
    let open = request(&sent);
    assert_eq!(open.0, first.0);
    is_refused(&mut game, &first, MS);
    assert_eq!(results(&safe(&mut game, &open, MS), 0).len(), 1);
    // Settled by an answer that the player repeats, since it cannot know whether a lost connection swallowed
    // it.
    let (mut game, first) = started();
    safe(&mut game, &first, MS);
    game.again(0, MS);
    is_refused(&mut game, &first, MS);
}

#[test]
fn an_answer_to_a_request_of_the_game_before_costs_nothing() {
    let (mut game, late) = started();
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
    let conduct = Conduct {
        bonus_moves: 3,
        ..Conduct::default()
    };
    let mut game = ClockedGame::new(conduct, 9, [1, 2], stream(3, 4));
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
    assert_eq!(results(&sent, 0), error("the client is not connected"));
    // The time until then is used, and the other has taken the trick and leads.
    assert_eq!(game.clocks[0].left, 1999 * MS);
    assert_eq!(request(&sent).0, 1);
    // The absent player's answer, which was already on its way, costs nothing.
    is_refused(&mut game, &(0, asked), MS);
    let next = self::game().with_deck(game.deck().cloned());
    assert_eq!(next.deck(), game.deck(), "another game may go on with it");
    let mut left = game.deck().cloned().unwrap();
    assert_eq!(std::iter::from_fn(|| left.deal()).count(), 9);
}
