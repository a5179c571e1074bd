//! Tests of a whole game with players inside the process: penalties, forfeits, ranks, and players
//! that see all hands.

use super::*;
use crate::cartagena::seat;
use cartagena::boards;
use cartagena::player::Player;
use seats::cartagena::players::builtin::{Mind, mind};
use seats::cartagena::players::greedy::Greedy;

struct Passer;

impl Player for Passer {
    fn choose(&mut self, _: &Question) -> Action {
        Action::Pass
    }
}

fn inside(player: impl Player + 'static) -> Seat {
    seat::inside(Box::new(player))
}

fn start(players: usize) -> (Game, World) {
    let game = Game::new(boards::standard(&mut rng::stream(1, 0)), players);
    let world = World::deal(&game, 3, rng::stream(1, 1));
    (game, world)
}

fn played(seats: Vec<Seat>, max_turns: u32, penalty: Penalty) -> Finished {
    let (game, mut world) = start(seats.len());
    let mut seats = seats;
    let conduct = Conduct { max_turns, penalty };
    let random = rng::stream(1, 2);
    play(
        &game,
        &mut world,
        &mut seats,
        &conduct,
        random,
        &mut NoObserver,
    )
    .unwrap()
}

#[test]
fn with_two_players_a_forfeit_ends_the_game() {
    let finished = played(vec![inside(Greedy), inside(Passer)], 500, Penalty::Forfeit);
    assert_eq!(finished.end, End::Won(0));
    assert_eq!(finished.ranks, [1.0, 2.0]);
    assert_eq!((finished.steps.len(), finished.turns), (3, 2));
    let incident = &finished.incidents[0];
    assert_eq!((incident.seat, incident.before), (1, 3));
    assert!(incident.forfeit);
    assert_eq!(incident.fault.kind, FaultKind::Illegal);
    let detail = &incident.fault.detail;
    assert!(
        detail.starts_with("answered \"pass\": a turn cannot be ended"),
        "{detail}"
    );
}

#[test]
fn the_others_play_on_after_a_forfeit() {
    let seats = vec![
        inside(Greedy),
        inside(Passer),
        inside(Greedy),
        inside(Passer),
    ];
    let finished = played(seats, 500, Penalty::Forfeit);
    assert_eq!(finished.incidents.len(), 2);
    assert!(finished.steps.iter().all(|step| step.seat % 2 == 0));
    assert!(finished.steps.iter().any(|step| step.seat == 2));
    assert_eq!((finished.ranks[1], finished.ranks[3]), (4.0, 3.0));
    let End::Won(winner) = finished.end else {
        panic!("{:?}", finished.end);
    };
    assert_eq!(finished.ranks[winner], 1.0);
}

#[test]
fn a_random_action_stands_in_where_that_is_the_penalty() {
    let seats = vec![inside(Passer), inside(Greedy)];
    let finished = played(seats, 40, Penalty::RandomAction);
    // A turn's first action must not be a pass, so a random one replaces it. The second may be one.
    let own = || finished.steps.iter().filter(|step| step.seat == 0);
    let passed = |step: &&Step| step.action == Action::Pass;
    assert_eq!(own().filter(passed).count(), 20);
    assert_eq!(finished.incidents.len(), own().count() - 20);
    assert!(finished.incidents.len() > 10);
    assert!(finished.incidents.iter().all(|i| !i.forfeit && i.seat == 0));
    assert_eq!(finished.end, End::Stopped);
}

#[test]
fn a_stopped_game_is_drawn() {
    let seats = vec![inside(Greedy), inside(Greedy), inside(Greedy)];
    let stopped = played(seats, 4, Penalty::Forfeit);
    assert_eq!((stopped.end, stopped.turns), (End::Stopped, 4));
    assert_eq!(stopped.steps.len(), 12);
    assert_eq!(stopped.ranks, [2.0, 2.0, 2.0]);
}

#[test]
fn who_left_has_no_part_in_a_draw() {
    let seats = vec![inside(Greedy), inside(Passer), inside(Greedy)];
    let stopped = played(seats, 6, Penalty::Forfeit);
    assert_eq!(stopped.end, End::Stopped);
    assert_eq!(stopped.ranks, [1.5, 3.0, 1.5]);
}

#[test]
fn ranks_of_a_won_game() {
    let (game, world) = start(4);
    let mut state = *world.state();
    for _ in 0..game.pirates {
        state.track.relocate(0, 0, 37);
    }
    state.track.relocate(2, 0, 37);
    state.track.relocate(1, 0, 36);
    state.track.relocate(3, 0, 36);
    let of = |state: &State| ranks(&game, state, Some(0), &Forfeits::default());
    assert_eq!(of(&state), [1.0, 3.5, 2.0, 3.5]);
    state.track.relocate(1, 36, 35);
    assert_eq!(of(&state), [1.0, 4.0, 2.0, 3.0], "who is nearer is ahead");
}

/// Pages and settings use the same name for a penalty as records do.
#[test]
fn a_penalty_has_one_name() {
    for penalty in [Penalty::Forfeit, Penalty::RandomAction] {
        let recorded = serde_json::to_value(penalty).unwrap();
        assert_eq!(recorded, penalty.to_string());
    }
}

fn cheating() -> Seat {
    match mind(&"cheat,nodes=100".parse().unwrap()) {
        Ok(Mind::Cheat(make)) => seat::cheating(make(1)),
        _ => panic!("a player that sees all hands"),
    }
}

/// The game shows such a player the hands before each question. A question without them gets no action.
#[test]
fn a_cheat_needs_open_hands() {
    let finished = played(
        vec![cheating(), inside(Greedy), cheating()],
        200,
        Penalty::Forfeit,
    );
    assert!(
        matches!(finished.end, End::Won(0 | 2)),
        "{:?}",
        finished.end
    );
    assert!(finished.incidents.is_empty(), "{:?}", finished.incidents);

    let (game, world) = start(2);
    let record = GameRecord::of_state(&game, world.state(), Vec::new());
    let question = Question {
        game: &game,
        record: &record,
        view: &View::of(world.state(), 0),
        open: None,
    };
    let mut seat = cheating();
    let hands = &world.state().hands[..2];
    assert!(seat(&question, Some(hands)).unwrap().reply.is_ok());
    assert!(seat(&question, None).unwrap().reply.is_err());
}
