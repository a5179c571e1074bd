use super::history::decisions;
use super::*;
use crate::belief::{ReplayOptions, replay};
use crate::boards;
use crate::evaluation::{Afterstate, Evaluators};
use crate::record::{GameRecord, Move};
use crate::rules::{Action, ActionList, Game};
use crate::world::World;
use engine::budget::{Budget, Limits};
use engine::rng::stream;

/// A game in which everyone plays by the style of its seat, after so many actions: the record as each
/// seat to move received it, and the states.
fn game(styles: &[Style], actions: usize, seed: u64) -> (Game, Vec<World>, GameRecord) {
    let evaluators = Evaluators::embedded(|_| ());
    let evaluator = evaluators.for_players(styles.len());
    let mut probe = evaluator.probe();
    let mut rng = stream(seed, 0);
    let game = Game::new(boards::standard(&mut rng), styles.len());
    let mut world = World::deal(&game, 3, rng);
    let mut moves = Vec::new();
    let mut worlds = Vec::new();
    let mut legal = ActionList::new();
    loop {
        let state = *world.state();
        let seat = usize::from(state.to_move);
        if state.winner().is_some() || (moves.len() >= actions && seat == 0) {
            return (
                game.clone(),
                worlds,
                GameRecord::of_state(&game, &state, moves),
            );
        }
        game.legal_actions(&state, &mut legal);
        let before = Afterstate::before(&state);
        let action = match styles[seat] {
            _ if legal.is_empty() => Action::Pass,
            Style::Hoarder(hoarder) => hoarder.choose(&game, &before, &legal),
            Style::Evaluator => {
                let mut values = vec![0.0; legal.len()];
                probe.rate(&game, &before, &legal, &mut values);
                let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
                legal[best.unwrap()]
            }
        };
        if let Some((from, to)) = action.places() {
            let card = action.card();
            moves.push(Move {
                player: seat,
                from,
                to,
                card,
            });
            worlds.push(world.clone());
        }
        world.act(&game, action);
    }
}

fn inferred(record: &GameRecord) -> Opponents {
    let evaluators = Evaluators::embedded(|_| ());
    let replay = replay(record, &ReplayOptions::default());
    let budget = Budget::start(Limits::default());
    let mut probe = evaluators.for_players(record.players).probe();
    infer(record, &replay, &mut *probe, 1, &budget)
}

/// In games of four most are taken for what they are before half of the game is over.
#[test]
fn styles_show_in_actions() {
    let styles = [
        Style::Evaluator,
        Style::Hoarder(Hoarder::TUNED),
        Style::Evaluator,
        Style::Hoarder(Hoarder::PLAIN),
    ];
    let games = 12;
    let mut differs = [0.0; 4];
    for seed in 0..games {
        let (.., record) = game(&styles, 80, seed);
        assert_eq!(record.to_move, 0, "{seed}: the game is over");
        let opponents = inferred(&record);
        for (seat, differs) in differs.iter_mut().enumerate() {
            *differs += opponents.differs(seat) / games as f64;
        }
    }
    assert_eq!(differs[0], 0.0, "the own seat is not guessed at");
    assert!(differs[1] > 0.6 && differs[3] > 0.75, "{differs:?}");
    assert!(differs[2] < 0.1, "{differs:?}");
}

/// Before anybody has acted, and where the record breaks the rules, nothing is known.
#[test]
fn without_evidence_everyone_plays_as_the_evaluator() {
    let styles = [Style::Hoarder(Hoarder::TUNED); 3];
    let (.., empty) = game(&styles, 0, 1);
    let before = inferred(&empty).differs(1);
    assert!((before - 0.41).abs() < 1e-6, "as assumed before: {before}");
    let (.., mut broken) = game(&styles, 40, 1);
    broken.moves[3].to = 1;
    assert_eq!(inferred(&broken), Opponents::default());
}

/// What the walk through the record says was public before each action.
#[test]
fn decisions_are_those_of_the_game() {
    for seed in 0..8 {
        let styles = [Style::Hoarder(Hoarder::TUNED); 5];
        let (game, worlds, record) = game(&styles, 400, seed);
        let decisions = decisions(&game, &record, 3).unwrap();
        assert_eq!(decisions.len(), worlds.len());
        for (decision, world) in decisions.iter().zip(&worlds) {
            let before = Afterstate::before(world.state());
            let seen = decision.before;
            assert_eq!((seen.track, seen.seat), (before.track, before.seat));
            assert_eq!(seen.hand_sizes, before.hand_sizes);
            assert_eq!((seen.discards, seen.pile), (before.discards, before.pile));
            assert_eq!(seen.actions_left, before.actions_left);
            let mut after = world.clone();
            assert_eq!(after.act(&game, decision.action).total(), decision.drawn);
        }
    }
}

/// Drawn styles follow the chances.
#[test]
fn styles_are_drawn_by_their_chances() {
    let mut opponents = Opponents::default();
    opponents.0[1] = [0.25, 0.75, 0.0];
    let mut rng = stream(1, 1);
    let drawn: Vec<_> = (0..4000).map(|_| opponents.sample(&mut rng)).collect();
    let tuned = drawn
        .iter()
        .filter(|styles| styles[1] == Style::Hoarder(Hoarder::TUNED))
        .count();
    assert!((2850..3150).contains(&tuned), "{tuned} of 4000");
    assert!(drawn.iter().all(|styles| styles[0] == Style::Evaluator));
}
