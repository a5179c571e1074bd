//! Turns that may end the game, against brute force.

use super::*;
use crate::race::tests::drawn;
use crate::rules::{Board, Place, Symbol, Track};
use engine::rng::{Random, shuffle};
use proptest::prelude::*;

/// The end of a game on a short board, as seen by a player with one to three pirates out.
fn ending(seed: u64) -> (Game, View) {
    let mut rng = stream(seed, 0);
    let spaces = 4 + below(&mut rng, 12);
    let symbols = (0..spaces).map(|_| Symbol::ALL[below(&mut rng, 6)]);
    let game = Game::new(Board::new(symbols.collect()).unwrap(), 2);
    let mut deck: Vec<Symbol> = Cards::deck().iter().collect();
    shuffle(&mut rng, &mut deck);
    let mut take = |n: usize| {
        deck.split_off(deck.len() - n)
            .into_iter()
            .collect::<Cards>()
    };
    let hands = [take(below(&mut rng, 4)), take(below(&mut rng, 6))];
    let discards = take(below(&mut rng, 60));
    let mut state = game.start(&hands);
    state.pile -= discards.total();
    state.discards = discards;
    state.taken = below(&mut rng, 3) as u8;
    let out = 1 + below(&mut rng, 3);
    for (player, out) in [(0, out), (1, 1 + below(&mut rng, 6))] {
        for i in 0..game.pirates {
            let to = if i < out {
                place(&mut rng, &state.track)
            } else {
                game.board.boat()
            };
            state.track.relocate(player, 0, to);
        }
    }
    (game, View::of(&state, 0))
}

/// A space with room for one more.
fn place(rng: &mut Random, track: &Track) -> Place {
    loop {
        let place = 1 + below(rng, usize::from(track.boat()) - 1) as Place;
        if track.pirates_on(place) < 3 {
            return place;
        }
    }
}

/// The chance to win in this turn, by trying every action and every order of draws from the unseen cards.
fn brute_force(game: &Game, view: &View) -> f64 {
    if view.track.is_home(0) {
        return 1.0;
    }
    // Every pirate that is out takes at least one action.
    let out = game.pirates - view.track.home(0);
    if out + usize::from(view.taken) > 3 {
        return 0.0;
    }
    let mut actions = ActionList::new();
    game.actions(&view.track, 0, view.hand, &mut actions);
    let mut best = 0.0f64;
    for action in actions {
        best = best.max(worth(game, view, action));
    }
    best
}

/// The chance to win after an action, over all cards that it may draw.
fn worth(game: &Game, view: &View, action: Action) -> f64 {
    let all = match action {
        Action::Retreat { to, .. } => drawn(view.unseen(), view.draws(to)),
        _ => vec![(Cards::NONE, 1.0)],
    };
    let worth = |(cards, chance)| chance * brute_force(game, &after(view, action, cards));
    all.into_iter().map(worth).sum()
}

fn after(view: &View, action: Action, drawn: Cards) -> View {
    let mut next = *view;
    next.take(action, drawn);
    next
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// The chance to win in the turn's remaining actions is exact, draws included.
    #[test]
    fn wins_within_the_turn_are_exact(seed: u64) {
        let (game, view) = ending(seed);
        let own = OwnTurn {
            view,
            pool: Belief::of_view(&view, 2).draw_pool(),
        };
        let (tree, looked) = expectimax(&game, &own, &Blind);
        let node = tree.root();
        prop_assert!(looked.depth == view.actions_left() || node.value() == 1.0);
        let exact = brute_force(&game, &view);
        prop_assert!(
            (f64::from(node.value()) - exact).abs() < 1e-5,
            "{} is not {}", node.value(), exact
        );
        // The value of every single action is exact, too, where none is left out.
        let out = game.pirates - view.track.home(0);
        // After a certain win nothing else is searched; its chances may come to 1 − 3·10⁻¹⁶.
        if out < usize::from(view.actions_left()) && exact < 1.0 - 1e-9 {
            for edge in &node.edges {
                let value = match edge.action {
                    Action::Pass => 0.0,
                    action => worth(&game, &view, action),
                };
                prop_assert!((f64::from(edge.value) - value).abs() < 1e-5, "{edge:?} is not {value}");
            }
        }
    }

    /// A win that needs no luck is worth exactly 1, and the search takes it.
    #[test]
    fn certain_wins_are_worth_one(seed: u64) {
        let certain = |(game, view): &(Game, View)| brute_force(game, view) > 1.0 - 1e-9;
        let seeds = (0..).map(|i| seed.wrapping_add(i));
        let (game, view) = seeds.map(ending).find(certain).unwrap();
        let belief = Belief::of_view(&view, 2);
        // Evaluators that are sensible, know nothing, or give impossible values: a certain win must not depend on
        // them.
        let evaluators: [&dyn Evaluator; 5] = [&Pips, &Blind, &Sure(1.0), &Sure(1.5), &Sure(f32::NAN)];
        for evaluator in evaluators {
            let budget = budget(Some(1_000_000));
            let search = Search {
                game: &game,
                view: &view,
                belief: &belief,
                opponents: &Opponents::default,
                evaluator,
                budget: &budget,
                settings: Settings::default(),
                pool: None,
            };
            let report = search.run(&SavedTurn::NOTHING, &Best::default());
            prop_assert_eq!(report.candidates[0].expectimax, 1.0);
            // After the chosen action the win must still be certain, whatever cards it draws.
            let left = worth(&game, &view, report.action);
            prop_assert!(left > 1.0 - 1e-9, "{} loses it", report.action);
        }
    }
}

/// One draw decides: a pirate one space before the boat, no cards, a pair to retreat to.
#[test]
fn a_win_that_needs_one_card() {
    use Symbol::{Gun, Hat};
    let game = Game::new(Board::new(vec![Hat, Gun, Hat, Gun]).unwrap(), 2);
    let mut state = game.start(&[Cards::NONE, Cards::NONE]);
    for (player, places) in [(0, [4, 5, 5, 5, 5, 5]), (1, [3, 3, 0, 0, 0, 0])] {
        for to in places {
            state.track.relocate(player, 0, to);
        }
    }
    // From 3 every card but a gun leads to the boat; a gun leads to 4.
    state.taken = 1;
    let view = View::of(&state, 0);
    let own = OwnTurn {
        view,
        pool: Belief::of_view(&view, 2).draw_pool(),
    };
    let (tree, _) = expectimax(&game, &own, &Blind);
    let node = tree.root();
    // Every draw wins but two guns. 17 of the 102 cards are guns.
    let expected = 1.0 - (17.0 * 16.0) / (102.0 * 101.0);
    assert!((node.value() - expected as f32).abs() < 1e-6);
    assert_eq!(node.edges[0].action, Action::Retreat { from: 4, to: 3 });
}

/// Gives a position a higher value, the further the pirates are from the boat.
struct Homesick;

impl Evaluator for Homesick {
    fn chances(&self, _: &Game, after: &Afterstate) -> Chances {
        let mut chances = [0.0; MAX_PLAYERS];
        chances[after.seat] = after.track.pips(after.seat) as f32 / 1000.0;
        chances
    }

    fn fingerprint(&self) -> u64 {
        4
    }
}

/// With as many pirates out as actions left, moves onto the boat are followed even if the evaluator prefers other
/// moves and the width is 1.
#[test]
fn moves_that_win_are_followed_beyond_the_width() {
    use Symbol::{Gun, Hat};
    let game = Game::new(Board::new(vec![Hat; 12]).unwrap(), 2);
    let hand = [Hat, Hat, Hat, Gun, Gun, Gun].into_iter().collect();
    let mut state = game.start(&[hand, Cards::NONE]);
    let boat = game.board.boat();
    // There are no guns on the way: such a card leads to the boat, and three of them win.
    for to in [1, 2, 3, boat, boat, boat] {
        state.track.relocate(0, 0, to);
    }
    let view = View::of(&state, 0);
    let own = OwnTurn {
        view,
        pool: Belief::of_view(&view, 2).draw_pool(),
    };
    let budget = budget(None);
    let search = TurnSearch {
        game: &game,
        evaluator: &Homesick,
        budget: &budget,
        width: Width {
            root: 1,
            inner: 1,
            part: 1.0,
        },
        allow_pass: false,
        parallel: false,
    };
    let before = Afterstate::before_view(&view);
    let likes = |action: Action| Homesick.own_chance(&game, &before.then(action));
    let mut actions = ActionList::new();
    game.actions(&view.track, 0, view.hand, &mut actions);
    let (home, others): (Vec<Action>, Vec<Action>) = actions
        .into_iter()
        .partition(|action| action.places().is_some_and(|(_, to)| to == boat));
    assert_eq!(home.len(), 3);
    let preferred = |win: &Action| others.iter().any(|&other| likes(other) > likes(*win));
    assert!(home.iter().all(preferred), "a width of 1 leaves them out");
    let (tree, looked) = search.run(&own, &Best::default());
    assert_eq!(looked.depth, 3);
    let node = tree.root();
    assert_eq!(node.value(), 1.0);
    assert!(home.contains(&node.edges[0].action), "{:?}", node.edges[0]);
}
