//! Recorded games in which players failed, left or resigned, or which were stopped. A record has its own result, to which
//! its replay must come; `tests/data/records` has been written by a referee.

#![allow(clippy::unwrap_used)]

use arena::records::Record as _;
use games::cartagena::record::Record;
use games::from_record;

/// The games of Cartagena: two that one player of four left, two that two left, one of three that was left and then
/// stopped, one of two with faults for which random actions were taken, and one that was resigned.
fn cartagena() -> Vec<Record> {
    let text = include_str!("../../../tests/data/records/cartagena.jsonl");
    let lines = text.lines();
    lines
        .map(|line| Record::parse(line.as_bytes()).unwrap())
        .collect()
}

#[test]
fn games_with_faults_replay_to_their_results() {
    let games = cartagena();
    assert_eq!(games.len(), 7);
    for game in games {
        let replayed = game.positions().unwrap();
        assert_eq!(replayed.steps.len(), game.actions.len(), "{}", game.id);
        for (number, fault) in game.faults.iter().enumerate() {
            let told = replayed.told_at_fault(number);
            assert_eq!(told.to_move + 1, fault.player, "{}", game.id);
        }
        for (number, step) in game.actions.iter().enumerate() {
            assert_eq!(replayed.told(number).to_move + 1, step.player);
            // A player that has left acts no more.
            let left = game.faults.iter().filter(|fault| fault.forfeit);
            let mut gone = left.filter(|fault| fault.action <= number + 1);
            assert!(gone.all(|fault| fault.player != step.player));
        }
        let line = game.to_line();
        assert_eq!(Record::parse(&line).unwrap(), game);
    }
}

/// Every part of a result is looked at, and so is who failed and when.
#[test]
fn what_contradicts_the_replay_is_refused() {
    type Change = fn(&mut Record);
    let changes: [(&str, Change); 8] = [
        ("winner", |game| game.result.winner = Some(6)),
        ("ranks", |game| game.result.ranks[0] += 0.5),
        ("turns", |game| game.result.turns += 1),
        ("actions", |game| game.result.actions += 1),
        ("the last action", |game| drop(game.actions.pop())),
        ("the first player", |game| game.actions[0].player = 6),
        ("a fault's player", |game| game.faults[0].player += 1),
        ("a fault's action", |game| game.faults[0].action = 0),
    ];
    for game in cartagena() {
        for (name, change) in changes {
            let mut other = game.clone();
            if game.faults.is_empty() && name.starts_with("a fault") {
                continue;
            }
            change(&mut other);
            assert!(other.positions().is_err(), "{}: {name}", game.id);
        }
    }
}

/// A game that somebody has left has a record, but no history: its rules went on with fewer players.
#[test]
fn only_games_that_all_have_played_to_the_end_are_histories() {
    for game in cartagena() {
        let read = from_record(&serde_json::to_value(&game).unwrap(), usize::MAX);
        let left = game.faults.iter().any(|fault| fault.forfeit);
        assert_eq!(read.is_err(), left, "{}", game.id);
        if let Ok((_, history)) = read {
            let acts = history.events().iter().filter(|event| event.seat.is_some());
            assert_eq!(acts.count(), game.actions.len(), "{}", game.id);
        }
    }
}
