//! Styles and hands inferred from games between players of known styles. The results are compared with the true
//! games and, in a small case, with a count of all histories.

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
use std::collections::HashSet;

/// Plays at least `actions` actions, each player in the style of its seat, until seat 0 is to move or the game is
/// won. Returns the world before each action, and the record as the seat to move receives it.
fn game(styles: &[Style], actions: usize, seed: u64) -> (Game, Vec<World>, GameRecord) {
    let (game, worlds, _, record) = dealt(styles, 3, actions, seed);
    (game, worlds, record)
}

/// The same with `deal` cards dealt to each player. The last world is the one at the end.
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
    inferred_of(record, &replayed(record))
}

fn inferred_of(record: &GameRecord, replay: &Replay) -> Opponents {
    let evaluators = Evaluators::embedded(|_| ());
    let budget = Budget::start(Limits::default());
    let mut probe = evaluators.for_players(record.players).probe();
    infer(record, replay, &mut *probe, 1, &budget)
}

/// In games of four most styles are recognised before half of the game is over.
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

/// Before anybody has acted, and if the record breaks the rules, nothing is inferred.
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

/// After a player has left, sizes may not add up; then nothing is inferred either, as no world could be drawn.
#[test]
fn sizes_that_do_not_add_up_are_no_evidence() {
    let (.., record) = game(&[Style::Hoarder(Hoarder::TUNED); 3], 40, 1);
    let mut replay = replayed(&record);
    assert_ne!(inferred_of(&record, &replay), Opponents::default());
    replay.view.pile -= 3;
    assert_eq!(inferred_of(&record, &replay), Opponents::default());
}

/// The public position before each decision is that of the game.
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

/// Given a hoarder's true hand, the evidence finds that its style chooses the action taken, and counts its legal
/// actions correctly.
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
            let evidence = Evidence::new(&game, of_seat, false);
            for (at, &number) in numbers.iter().enumerate() {
                let state = worlds[number].state();
                let mut legal = ActionList::new();
                game.legal_actions(state, &mut legal);
                let hand = state.hands[seat];
                assert_eq!(evidence.legal(at, hand), legal.len() as u32);
                // A hoarder on its way home is the exception: another player may come in between, and then it
                // collects again.
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

/// Sampled hands have the right sizes and consist of unseen cards, and they are nearer to the true hands than hands
/// drawn from the belief.
#[test]
fn hands_of_hoarders_are_found() {
    let styles = [Style::Hoarder(Hoarder::TUNED); 4];
    let (mut before, mut after, mut known) = (0, 0, 0);
    for seed in 0..16 {
        let (_, _, world, record) = dealt(&styles, 3, 60 + 9 * seed as usize, seed);
        if world.state().winner().is_some() {
            continue;
        }
        let replay = replayed(&record);
        let (view, truth) = (&replay.view, world.state().hands);
        let opponents = inferred(&record);
        known += usize::from(!opponents.guesses.is_empty());
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
    assert!(known > 3 && before > 500, "{known} {before}");
    assert!(10 * after < 9 * before, "{before} {after}");
}

/// Before and after changes, each history has the right number of cards at each decision, and no card is
/// drawn on the wrong side of the reshuffle.
#[test]
fn histories_are_possible() {
    let mut reshuffled = 0;
    for seed in 0..12 {
        let (players, actions) = if seed % 2 == 0 { (6, 130) } else { (4, 70) };
        let styles = vec![Style::Hoarder(Hoarder::TUNED); players];
        let (.., record) = dealt(&styles, 6, actions, seed);
        let replay = replayed(&record);
        let decisions = decisions(&replay.game, &record, 6).unwrap();
        let all = known(&replay, &decisions);
        let mut rng = stream(seed, 3);
        let dealt = replay.belief.deal(&replay.view, &mut rng);
        let mut chain = Chain::new(&replay.game, &all, &dealt, &mut rng);
        chain.set_styles(&[Some(0); MAX_PLAYERS]);
        for _ in 0..3 {
            for (seat, of) in all.iter().enumerate() {
                let Some(of) = of else { continue };
                reshuffled += u32::from(of.reshuffled);
                let mut since = 0;
                for (number, decision) in of.decisions.iter().enumerate() {
                    let (held, new) = chain.held(seat, number);
                    let size = decision.before.hand_sizes[seat];
                    assert_eq!(held.total(), size, "{seed} {seat} {number}");
                    if of.reshuffled {
                        assert!(new.total() <= since, "{seed} {seat} {number}");
                        since += decision.new;
                    }
                }
            }
            chain.run(10, &mut rng);
        }
    }
    assert!(reshuffled > 10, "{reshuffled}");
}

fn known(replay: &Replay, decisions: &[history::Decision]) -> Vec<Option<Evidence>> {
    evidence(replay, decisions, &Budget::start(Limits::default())).unwrap()
}

/// One opponent has acted three times, so that all its histories can be counted. A sampled hand must be as frequent
/// as its probability in the belief times the likelihood of the actions.
#[test]
fn hands_come_as_often_as_they_should() {
    let styles = [Style::Evaluator, Style::Hoarder(Hoarder::TUNED)];
    let (mut uneven, mut drawn) = (0, 0);
    for seed in 0..60 {
        let (.., record) = dealt(&styles, 6, 6, seed);
        let replay = replayed(&record);
        let decisions = decisions(&replay.game, &record, 6).unwrap();
        let all = known(&replay, &decisions);
        let of = all[1].as_ref().unwrap();
        let [.., before, last] = &of.decisions[..] else {
            continue;
        };
        let size = replay.view.hand_sizes[1];
        // Only games in which no decision but the last drew cards.
        if of.decisions.len() != 3 || of.decisions[..2].iter().any(|d| d.drawn > 0) {
            continue;
        }
        let played: Vec<Symbol> = of
            .decisions
            .iter()
            .filter_map(|d| d.action.card())
            .collect();
        let likelihood = |kept: Cards| {
            let back =
                |hand: Cards, action: Action| action.card().map_or(hand, |card| hand.with(card));
            let at_last = back(kept, last.action);
            let latest = [at_last, back(at_last, before.action)];
            let mut unlikely = of.unlike(0, &replay.game, &latest);
            unlikely += kept.iter().map(|card| of.cost(0, card, 0, 3)).sum::<u32>();
            let played = played.iter().zip(1..);
            unlikely += played
                .map(|(&card, until)| of.cost(0, card, 0, until))
                .sum::<u32>();
            f64::from((-UNLIKELY * unlikely as f32).exp())
        };
        let drawn_last = usize::from(last.drawn);
        // The weights of each set of symbols: by the belief alone, and times the likelihood of the actions.
        let mut expected = [[0.0; 2]; 64];
        for kept in sets(replay.view.unseen(), usize::from(size) - drawn_last) {
            let rest = replay.view.unseen().minus(kept);
            for new in sets(rest, drawn_last) {
                let ways = ways(replay.view.unseen(), kept) * ways(rest, new);
                let [even, weighed] = &mut expected[symbols(kept.plus(new))];
                *even += ways;
                *weighed += ways * likelihood(kept);
            }
        }
        let totals = [0, 1].map(|of| expected.iter().map(|sums| sums[of]).sum::<f64>());
        let mut rng = stream(seed, 3);
        let dealt = replay.belief.deal(&replay.view, &mut rng);
        let mut chain = Chain::new(&replay.game, &all, &dealt, &mut rng);
        chain.set_styles(&[Some(0); MAX_PLAYERS]);
        let samples = 8000;
        let mut found = [0.0; 64];
        for _ in 0..samples {
            chain.run(4, &mut rng);
            let (_, hand) = chain.hands().next().unwrap();
            found[symbols(hand)] += 1.0 / f64::from(samples);
        }
        let (mut distance, mut moved) = (0.0, 0.0);
        for ([even, weighed], found) in expected.iter().zip(found) {
            distance += (weighed / totals[1] - found).abs() / 2.0;
            moved += (weighed / totals[1] - even / totals[0]).abs() / 2.0;
        }
        assert!(distance < 0.06, "{seed}: {distance}");
        if moved > 0.2 {
            uneven += 1;
            drawn += u32::from(last.drawn > 0);
        }
    }
    assert!(uneven >= 4 && drawn >= 1, "{uneven} {drawn}");
}

/// All different sets of `size` of these cards.
fn sets(cards: Cards, size: usize) -> Vec<Cards> {
    let mut found = vec![Cards::NONE];
    for _ in 0..size {
        let longer = found
            .iter()
            .flat_map(|&set| Symbol::ALL.map(|symbol| set.with(symbol)));
        let unique: HashSet<Cards> = longer.collect();
        found = unique.into_iter().collect();
    }
    found.retain(|&set| cards.contains(set));
    found
}

/// The symbols of a hand, as bits.
fn symbols(hand: Cards) -> usize {
    hand.symbols()
        .fold(0, |all, symbol| all | 1 << symbol.index())
}

/// The number of ways to draw a set from some cards.
fn ways(from: Cards, set: Cards) -> f64 {
    let of = |symbol: Symbol| {
        let (all, drawn) = (from.count(symbol), set.count(symbol));
        let ways = (0..drawn).map(|card| f64::from(all - card) / f64::from(card + 1));
        ways.product::<f64>()
    };
    Symbol::ALL.into_iter().map(of).product()
}
