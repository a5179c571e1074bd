use super::evidence::Evidence;
use super::hands::{Chain, UNLIKELY};
use super::history::decisions;
use super::inference::evidence;
use super::*;
use crate::belief::{Replay, ReplayOptions, replay};
use crate::boards;
use crate::evaluation::{Afterstate, Evaluators};
use crate::record::{GameRecord, Move};
use crate::rules::Symbol;
use crate::rules::{Action, ActionList, Game};
use crate::world::World;
use engine::budget::{Budget, Limits};
use engine::rng::stream;
use std::collections::HashMap;

/// A game in which everyone plays by the style of its seat, after so many actions: the record as each
/// seat to move received it, and the worlds before its actions.
fn game(styles: &[Style], actions: usize, seed: u64) -> (Game, Vec<World>, GameRecord) {
    let (game, worlds, _, record) = dealt(styles, 3, actions, seed);
    (game, worlds, record)
}

/// The same with so many cards dealt to each, and with the world at the end.
fn dealt(
    styles: &[Style],
    deal: usize,
    actions: usize,
    seed: u64,
) -> (Game, Vec<World>, World, GameRecord) {
    let evaluators = Evaluators::embedded(|_| ());
    let evaluator = evaluators.for_players(styles.len());
    let mut probe = evaluator.probe();
    let mut rng = stream(seed, 0);
    let game = Game::new(boards::standard(&mut rng), styles.len());
    let mut world = World::deal(&game, deal, rng);
    let mut moves = Vec::new();
    let mut worlds = Vec::new();
    let mut legal = ActionList::new();
    loop {
        let state = *world.state();
        let seat = usize::from(state.to_move);
        if state.winner().is_some() || (moves.len() >= actions && seat == 0) {
            let record = GameRecord::of_state(&game, &state, moves);
            return (game.clone(), worlds, world, record);
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

fn replayed(record: &GameRecord) -> Replay {
    replay(record, &ReplayOptions::default())
}

fn inferred(record: &GameRecord) -> Opponents {
    let evaluators = Evaluators::embedded(|_| ());
    let replay = replayed(record);
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
    assert!((before - 0.23).abs() < 1e-6, "as assumed before: {before}");
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
    opponents.chances[1] = [0.25, 0.75, 0.0];
    let mut rng = stream(1, 1);
    let drawn: Vec<_> = (0..4000).map(|_| opponents.sample(&mut rng)).collect();
    let tuned = drawn
        .iter()
        .filter(|styles| style(styles[1]) == Style::Hoarder(Hoarder::TUNED))
        .count();
    assert!((2850..3150).contains(&tuned), "{tuned} of 4000");
    assert!(drawn.iter().all(|styles| styles[0] == 0));
}

/// A hoarder does what it is said to do with the hand it has, and has as many choices.
#[test]
fn hoarders_are_understood() {
    let styles = [
        Style::Hoarder(Hoarder::TUNED),
        Style::Hoarder(Hoarder::PLAIN),
    ];
    let (mut asked, mut others) = (0, 0);
    for seed in 0..12 {
        let (game, worlds, record) = game(&styles, 60, seed);
        let decisions = decisions(&game, &record, 3).unwrap();
        for (seat, hoarder) in HOARDERS.iter().enumerate() {
            let of_seat = |number: &usize| decisions[*number].before.seat == seat;
            let numbers: Vec<usize> = (0..decisions.len()).filter(of_seat).collect();
            let of_seat = numbers.iter().map(|&number| decisions[number]).collect();
            let evidence = Evidence::new(&game, of_seat, 0);
            for (at, &number) in numbers.iter().enumerate() {
                let state = worlds[number].state();
                let mut legal = ActionList::new();
                game.legal_actions(state, &mut legal);
                let hand = state.hands[seat];
                assert_eq!(evidence.legal(at, hand), legal.len() as u32);
                // On its way home another may come in between, and it collects again.
                let home = hoarder.sprint(&game, &Afterstate::before(state));
                let chooses = evidence.chooses(seat, &game, at, hand);
                assert!(chooses || home.is_some(), "{seed} {seat} {at}");
                others += u32::from(!evidence.chooses(1 - seat, &game, at, hand));
                asked += 1;
            }
        }
    }
    assert!(asked > 500 && others > asked / 20, "{others} of {asked}");
}

/// Hands that were found hold as many cards as they should, of those that are unseen, and fit what hoarders did better than
/// hands of the belief: so they are nearer to the true ones.
#[test]
fn hands_of_hoarders_are_found() {
    let styles = [Style::Hoarder(Hoarder::TUNED); 4];
    let (mut before, mut after) = (0, 0);
    for seed in 0..16 {
        let (_, _, world, record) = dealt(&styles, 3, 60 + 9 * seed as usize, seed);
        if world.state().winner().is_some() {
            continue;
        }
        let replay = replayed(&record);
        let (view, truth) = (&replay.view, world.state().hands);
        let opponents = inferred(&record);
        let mut rng = stream(seed, 7);
        for _ in 0..20 {
            let (found, styles) = opponents.world(&replay.belief, view, &mut rng);
            let hands = found.state().hands;
            assert_eq!(styles[view.seat], Style::Evaluator);
            assert_eq!(hands[view.seat], view.hand);
            let sizes = hands.map(Cards::total);
            assert_eq!(sizes[..4], view.hand_sizes[..4]);
            let mut all: Cards = found.pile().iter().copied().collect();
            all = hands.iter().fold(all, |all, &hand| all.plus(hand));
            assert_eq!(all.plus(view.discards), Cards::deck());
            let wrong = |hands: &[Cards; MAX_PLAYERS]| -> u32 {
                let of = |seat: usize| hands[seat].saturating_minus(truth[seat]).total();
                (0..4).map(|seat| u32::from(of(seat))).sum()
            };
            before += wrong(&replay.belief.sample(view, &mut rng).state().hands);
            after += wrong(&hands);
        }
    }
    assert!(before > 500 && 10 * after < 9 * before, "{before} {after}");
}

/// One opponent that has played three of six cards, so that all histories can be counted: hands come as often as the
/// belief says times the likelihood of what was done.
#[test]
fn hands_come_as_often_as_they_should() {
    let styles = [Style::Evaluator, Style::Hoarder(Hoarder::TUNED)];
    let mut compared = 0;
    for seed in 0..40 {
        let (.., record) = dealt(&styles, 6, 6, seed);
        let replay = replayed(&record);
        let decisions = decisions(&replay.game, &record, 6).unwrap();
        let all = evidence(&replay, &decisions);
        let of = all[1].as_ref().unwrap();
        if of.decisions.iter().any(|d| d.action.card().is_none()) || replay.view.hand_sizes[1] != 3
        {
            continue;
        }
        let played = |from: usize| of.decisions[from..].iter().filter_map(|d| d.action.card());
        let likelihood = |hand: Cards| {
            let latest = [2, 1].map(|number| played(number).fold(hand, Cards::with));
            (-UNLIKELY * of.unlike(0, &replay.game, &latest) as f32).exp()
        };
        let unseen: Vec<Symbol> = replay.view.unseen().iter().collect();
        let mut expected: HashMap<Cards, f64> = HashMap::new();
        for a in 0..unseen.len() {
            for b in 0..a {
                for c in 0..b {
                    let hand: Cards = [a, b, c].map(|at| unseen[at]).into_iter().collect();
                    *expected.entry(hand).or_default() += f64::from(likelihood(hand));
                }
            }
        }
        let total: f64 = expected.values().sum();
        let mut rng = stream(seed, 3);
        let dealt = replay.belief.deal(&replay.view, &mut rng);
        let mut chain = Chain::new(&replay.game, &all, &dealt, &mut rng);
        let mut styles = [None; MAX_PLAYERS];
        styles[1] = Some(0);
        chain.set_styles(&styles);
        let samples = 8000;
        let mut found: HashMap<Cards, f64> = HashMap::new();
        for _ in 0..samples {
            chain.run(4, &mut rng);
            let (_, hand) = chain.hands().next().unwrap();
            *found.entry(hand).or_default() += 1.0;
        }
        let far = |hand: &Cards| {
            let expected = expected[hand] / total;
            (found.get(hand).copied().unwrap_or_default() / f64::from(samples) - expected).abs()
        };
        let distance: f64 = expected.keys().map(far).sum::<f64>() / 2.0;
        assert!(distance < 0.06, "{seed}: {distance}");
        let weights = || expected.iter().map(|(&hand, _)| likelihood(hand));
        let differ = weights().any(|one| weights().any(|other| one > 2.0 * other));
        compared += u32::from(differ);
    }
    assert!(compared >= 3, "{compared}");
}
