//! Property tests of game records: a written game replays to the same state, and any change or damage is
//! found.

use arena::records::{Reader, RecordError};
use cartagena::boards;
use cartagena::rules::{Game, State};
use cartagena::world::World;
use contest::cartagena::game::{self, Conduct, End, NoObserver, Penalty};
use contest::cartagena::record::{Opening, Record};
use contest::cartagena::seat::{Fault, FaultKind, Seat, inside};
use engine::rng;
use proptest::prelude::*;
use seats::cartagena::players::builtin::recipe_of;

/// A player that sometimes does not answer: on average one of `one_in` answers is missing; none if 0.
fn absent(mut player: Seat, mut chance: rng::Random, one_in: usize) -> Seat {
    Box::new(move |question, hands| {
        let mut answer = player(question, hands)?;
        if one_in > 0 && rng::below(&mut chance, one_in) == 0 {
            answer.reply = Err(Fault::new(FaultKind::Timeout, "absent"));
        }
        Ok(answer)
    })
}

/// Built-in players that use no clock, so that a seed always gives the same game.
const HEURISTICS: [&str; 4] = ["random", "greedy", "rearmost", "hoarder"];

/// A game between the players above: its record and its last state.
fn play(seed: u64, players: usize, deal: usize, turns: u32, boat_retreat: bool) -> (Record, State) {
    play_badly(
        seed,
        players,
        deal,
        turns,
        boat_retreat,
        0,
        Penalty::Forfeit,
    )
}

/// The same, but on average one of `one_in` answers is missing.
fn play_badly(
    seed: u64,
    players: usize,
    deal: usize,
    turns: u32,
    boat_retreat: bool,
    one_in: usize,
    penalty: Penalty,
) -> (Record, State) {
    let mut chance = rng::stream(seed, 0);
    let mut game = Game::new(boards::standard(&mut chance), players);
    game.boat_retreat = boat_retreat;
    let mut world = World::deal(&game, deal, rng::stream(seed, 1));
    let opening = Opening::of(&world);
    let names: Vec<&str> = (0..players)
        .map(|_| HEURISTICS[rng::below(&mut chance, HEURISTICS.len())])
        .collect();
    let mut seats: Vec<Seat> = names
        .iter()
        .map(|name| recipe_of(name).unwrap()(seed))
        .enumerate()
        .map(|(seat, player)| {
            let chance = rng::stream(seed, 10 + seat as u64);
            absent(inside(player), chance, one_in)
        })
        .collect();
    let conduct = Conduct {
        max_turns: turns,
        penalty,
    };
    let stand_ins = rng::stream(seed, 2);
    let finished = game::play(
        &game,
        &mut world,
        &mut seats,
        &conduct,
        stand_ins,
        &mut NoObserver,
    )
    .unwrap();
    let labels = names.into_iter().map(str::to_owned).collect();
    let record = finished.record("1-1-1".to_owned(), seed, labels, &game, opening);
    let won = matches!(finished.end, End::Won(_));
    assert_eq!(record.result.winner.is_some(), won);
    (record, *world.state())
}

proptest! {
    #[test]
    fn a_record_replays_to_the_same_state(
        seed: u64,
        players in 2usize..=6,
        deal in 0usize..=6,
        turns in 1u32..=300,
        boat_retreat: bool,
    ) {
        let (record, last) = play(seed, players, deal, turns, boat_retreat);
        let line = record.to_line();
        prop_assert_eq!(line.iter().filter(|&&b| b == b'\n').count(), 1);
        let read: Vec<Record> = Reader::new("records", &line[..]).collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(&read, &[record]);
        let mut visited = 0;
        let (game, state) = read[0].replay(|_, _, _, _| visited += 1).unwrap();
        prop_assert_eq!(state, last);
        prop_assert_eq!(game.boat_retreat, boat_retreat);
        prop_assert_eq!(visited, read[0].actions.len());
    }

    /// Games with forfeits and random replacements replay as well, and a player that forfeited is last.
    #[test]
    fn faults_replay(
        seed: u64,
        players in 2usize..=6,
        turns in 1u32..=300,
        one_in in 1usize..=200,
        forfeit: bool,
    ) {
        let penalty = if forfeit { Penalty::Forfeit } else { Penalty::RandomAction };
        let (record, last) = play_badly(seed, players, 3, turns, true, one_in, penalty);
        let line = record.to_line();
        let read: Vec<Record> = Reader::new("records", &line[..]).collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(&read, &[record]);
        let record = &read[0];
        let (_, state) = record.replay(|_, _, _, _| ()).unwrap();
        prop_assert_eq!(state, last);
        let out: Vec<usize> = record.faults.iter().filter(|f| f.forfeit).map(|f| f.player).collect();
        prop_assert_eq!(out.len(), if forfeit { record.faults.len() } else { 0 });
        for (i, &player) in out.iter().enumerate() {
            prop_assert_eq!(record.result.ranks[player - 1], (players - i) as f64);
        }
        let history = record.positions().unwrap();
        for (i, fault) in record.faults.iter().enumerate() {
            let told = history.told_at_fault(i);
            prop_assert_eq!(told.to_move + 1, fault.player);
            let before = &record.actions[..fault.action - 1];
            prop_assert_eq!(told.moves.len(), before.iter().filter(|step| step.to.is_some()).count());
        }
        // A player that forfeited acts no more.
        for fault in record.faults.iter().filter(|f| f.forfeit) {
            let later = record.actions.iter().skip(fault.action - 1);
            prop_assert!(later.clone().all(|step| step.player != fault.player));
        }
        // A record in which a fault is moved to another action or player does not replay.
        if let Some(first) = record.faults.iter().position(|f| f.forfeit) {
            let mut other = record.clone();
            other.faults[first].player = other.faults[first].player % players + 1;
            prop_assert!(other.replay(|_, _, _, _| ()).is_err());
            other.faults.remove(first);
            prop_assert!(other.replay(|_, _, _, _| ()).is_err());
        }
    }

    /// If any place, player or drawn card of a record is changed, the replay fails.
    #[test]
    fn a_changed_record_does_not_replay(seed: u64, which: prop::sample::Index, field in 0..4) {
        let (mut record, _) = play(seed, 3, 3, 300, true);
        let step = which.index(record.actions.len());
        let action = &mut record.actions[step];
        match field {
            0 => action.player = action.player % 3 + 1,
            1 => action.to = action.to.map(|to| to.wrapping_add(1)),
            2 => action.drawn.push('h'),
            _ => record.result.turns += 1,
        }
        prop_assume!(field != 1 || record.actions[step].to.is_some());
        prop_assert!(record.replay(|_, _, _, _| ()).is_err());
    }

    /// No text that parses as a record makes the replay panic.
    #[test]
    fn garbled_records_never_panic(
        seed: u64,
        at: prop::sample::Index,
        byte in prop::sample::select(b"0123456789bdghks".to_vec()),
    ) {
        let (record, _) = play(seed, 2, 3, 100, true);
        let mut line = record.to_line();
        let places: Vec<usize> = (0..line.len())
            .filter(|&i| line[i].is_ascii_digit() || b"bdghks".contains(&line[i]))
            .collect();
        line[places[at.index(places.len())]] = byte;
        for record in Reader::<_, Record>::new("records", &line[..]).flatten() {
            let _ = record.replay(|_, _, _, _| ());
        }
    }
}

#[test]
fn a_line_that_is_cut_off_is_reported() {
    let (record, _) = play(1, 2, 3, 300, true);
    let mut text = record.to_line();
    text.extend_from_within(..text.len() / 2);
    let results: Vec<_> = Reader::<_, Record>::new("records", &text[..]).collect();
    assert_eq!(results.len(), 2);
    assert!(results[0].is_ok());
    assert!(matches!(results[1], Err(RecordError::Torn { line: 2, .. })));
    text.push(b'\n');
    let last = Reader::<_, Record>::new("records", &text[..])
        .last()
        .unwrap();
    assert!(matches!(last, Err(RecordError::Line { line: 2, .. })));
}

#[test]
fn impossible_games_are_refused() {
    let (record, _) = play(1, 2, 3, 300, true);
    type Case = (fn(&mut Record), &'static str);
    let cases: [Case; 8] = [
        (|r| r.version = 0, "Format {"),
        (|r| r.pirates = 7, "Setup("),
        (|r| r.players.truncate(1), "Setup("),
        (|r| r.hands[0].push('h'), "Deck("),
        (|r| r.board.clear(), "Board("),
        (|r| r.board.push('x'), "Letter('x')"),
        (|r| r.actions[5].player = 3, "Action { index: 6,"),
        (|r| r.result.winner = Some(9), "Result {"),
    ];
    for (change, expected) in cases {
        let mut record = record.clone();
        change(&mut record);
        let error = record.replay(|_, _, _, _| ()).unwrap_err();
        assert!(format!("{error:?}").starts_with(expected), "{error:?}");
    }
}
