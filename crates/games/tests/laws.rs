//! Laws of every game, along random play: what a seat sees, undo, storage, and the rules' own legality.

#![allow(clippy::unwrap_used)]

use cartagena::evaluation::Afterstate;
use cartagena::evaluation::features::FeatureSet;
use cartagena::rules::ActionList;
use engine::rng::{below, stream};
use games::any::of_text;
use games::batch::{AnyBatch, Batch, Observation};
use games::cartagena as pirates;
use games::challenge::Challenge;
use games::laws;
use games::tricks::{Contest, Eights, Hearts, Rounds};
use games::{AnyGame, AnyHistory, Event, Eyes, Game, History, Turn, from_record, game, ids};
use serde_json::{Value, json};
use std::sync::Arc;
use tricks::Round as _;

/// Every game, some of them with other options.
fn games() -> Vec<Arc<AnyGame>> {
    let options = [
        ("cartagena", json!({"max_turns": 60})),
        (
            "cartagena",
            json!({"players": 4, "deal": 6, "early_pass": true, "spaces": 70, "max_turns": 60}),
        ),
        (
            "cartagena",
            json!({"board": "hgk", "pirates": 2, "boat_retreat": false, "max_turns": 30}),
        ),
        (
            "cartagena",
            json!({"players": 3, "pirates": 4, "open_hands": true, "max_turns": 60}),
        ),
        (
            "cartagena",
            json!({"players": 6, "deal": 6, "max_turns": 60}),
        ),
        ("challenge", json!({"goal": 3})),
        (
            "challenge",
            json!({"goal": 2, "cards": 2, "ranks": 4, "copies": 2, "lead_after_tie": "alternate"}),
        ),
        ("eights", json!({"dealer": 2})),
        ("hearts", json!({})),
        ("hearts", json!({"players": 3})),
        ("hearts", json!({"players": 5, "clean_first_trick": true})),
        ("hearts", json!({"passing": "right"})),
        ("hearts", json!({"players": 6, "passing": "across"})),
    ];
    options
        .map(|(name, options)| game(name, options).unwrap())
        .into()
}

fn of(name: &str) -> impl Iterator<Item = Arc<AnyGame>> {
    games().into_iter().filter(move |game| game.name == name)
}

/// The history of a game of this kind.
fn typed<G: Game>(history: &dyn AnyHistory) -> &History<G> {
    history.as_any().downcast_ref().unwrap()
}

/// Plays a random game, with a seed if `seed` is even, and shows every position to `visit`.
fn walk(game: &AnyGame, seed: u64, mut visit: impl FnMut(&dyn AnyHistory)) {
    let mut rng = stream(seed, 9);
    let mut history = game.start(seed.is_multiple_of(2).then_some(seed));
    while history.turn() != Turn::Over {
        visit(&*history);
        let id = laws::random(&*history, &mut rng);
        history.apply(id).unwrap();
    }
    visit(&*history);
}

/// Each game is checked with seeds and with explicit chance.
#[test]
fn every_game_keeps_the_laws() {
    for game in games() {
        for seed in 0..3 {
            let (mut choices, mut worlds) = (stream(seed, 9), stream(seed, 10));
            let choose = |count| Some(below(&mut choices, count));
            let seed = (seed < 2).then_some(seed);
            let end = laws::check(&game, seed, choose, &mut worlds);
            assert_eq!(end.turn(), Turn::Over);
        }
    }
}

/// Resampled games look the same to their seat, and differ in what is hidden from it.
#[test]
fn hidden_cards_differ() {
    for game in games() {
        let mut others = 0;
        walk(&game, 4, |history| {
            let other = history.resampled(0, 5);
            others += u32::from(other.view(Eyes::Seat(1)) != history.view(Eyes::Seat(1)));
        });
        // With open hands nothing is hidden.
        let is_open = game.options["open_hands"] == true;
        assert_eq!(others >= 3, !is_open, "{}: {others}", game.name);
    }
}

/// Cards that a player of the challenge game gives up unplayed are never shown: they are drawn anew as well, out of all
/// cards that may have been dealt.
#[test]
fn cards_given_up_stay_hidden() {
    let game = game("challenge", json!({})).unwrap();
    let mut history = game.start(Some(3));
    for words in ["offer", "reject"] {
        let id = history.read(words).unwrap();
        history.apply(id).unwrap();
    }
    // Ten cards were dealt for the first hand and ten for the second, and two decisions came between.
    let dealt = |history: &dyn AnyHistory| -> Vec<u8> {
        let events = history.events().iter();
        let deals = events.filter(|event| event.seat.is_none());
        deals.map(|event| event.id).collect()
    };
    let truth = dealt(&*history);
    assert_eq!(truth.len(), 20);
    for seat in [0, 1] {
        let samples: Vec<Vec<u8>> = (0..200)
            .map(|draw| dealt(&*history.resampled(seat, draw)))
            .collect();
        // Of 200 samples a card that is drawn anew differs in about 12 of 13.
        let differ = |place: usize| -> usize {
            let other = samples
                .iter()
                .filter(|sample| sample[place] != truth[place]);
            other.count()
        };
        let (kept, drawn): (Vec<usize>, Vec<usize>) =
            (0..20).partition(|&place| differ(place) == 0);
        assert_eq!((kept.len(), drawn.len()), (10, 10), "seat {seat}");
        assert!(drawn.iter().all(|&place| differ(place) > 150));
        let count = |sample: &[u8], rank| sample.iter().filter(|&&id| id == rank).count();
        let fits = |sample: &Vec<u8>| (0..13).all(|rank| count(sample, rank) <= 8);
        assert!(samples.iter().all(fits), "a rank has eight cards");
    }
}

/// A seat that is drawing two cards knows the first. In every resampled game it still has this card, and as many
/// cards remain to be drawn.
#[test]
fn a_seat_that_is_drawing_keeps_what_it_has_drawn() {
    let game = game("cartagena", json!({"players": 3})).unwrap();
    let mut seen = 0;
    for seed in 0..30 {
        let mut mover = 0;
        walk(&game, seed, |history| match history.turn() {
            Turn::Seat(seat) => mover = seat,
            Turn::Chance if history.events().iter().any(|event| event.seat.is_some()) => {
                let total = |history: &dyn AnyHistory| -> u64 {
                    let chances = history.chances();
                    chances.iter().map(|&(_, weight)| u64::from(weight)).sum()
                };
                for draw in 0..20 {
                    let other = history.resampled(mover, draw);
                    assert_eq!(total(&*other), total(history));
                    assert_eq!(
                        other.view(Eyes::Seat(mover)),
                        history.view(Eyes::Seat(mover))
                    );
                    seen += 1;
                }
            }
            _ => {}
        });
    }
    assert!(seen > 1000, "{seen}");
}

/// A resampled game can be stored, and goes on from there.
#[test]
fn resampled_games_are_stored_and_go_on() {
    for game in games() {
        let mut rng = stream(6, 6);
        walk(&game, 6, |history| {
            if below(&mut rng, 8) > 0 {
                return;
            }
            let mut other = history.resampled(below(&mut rng, game.players), 3);
            let (_, loaded) = laws::saved(&game, &*other).load().unwrap();
            assert_eq!(loaded.view(Eyes::All), other.view(Eyes::All));
            for _ in 0..20 {
                if other.turn() != Turn::Over {
                    let id = laws::random(&*other, &mut rng);
                    other.apply(id).unwrap();
                }
            }
        });
    }
}

/// With a seed a stored game goes on as it would have, chance included.
#[test]
fn stored_games_go_on_the_same() {
    for game in games() {
        let mut rng = stream(5, 5);
        let mut history = game.start(Some(8));
        for number in 0..60 {
            if history.turn() == Turn::Over {
                break;
            }
            let id = laws::random(&*history, &mut rng);
            let loaded = laws::saved(&game, &*history).load();
            history.apply(id).unwrap();
            if number % 10 == 0 {
                let (_, mut loaded) = loaded.unwrap();
                loaded.apply(id).unwrap();
                assert_eq!(loaded.view(Eyes::All), history.view(Eyes::All));
            }
        }
    }
}

/// The number of cards in a view that shows all.
fn cards(value: &Value) -> usize {
    match value {
        Value::Array(all) => all.iter().map(cards).sum(),
        Value::String(_) => 1,
        _ => 0,
    }
}

#[test]
fn no_card_is_lost() {
    for game in of("cartagena") {
        walk(&game, 7, |history| {
            let view = history.view(Eyes::All);
            let places = ["hands", "discards", "draw_pile"];
            let all: usize = places.iter().map(|&place| cards(&view[place])).sum();
            assert_eq!(all, 102);
        });
    }
    for (name, deck) in [("eights", 52), ("hearts", 52)] {
        for game in of(name) {
            let deck = deck - deck % game.players;
            walk(&game, 7, |history| {
                if history.turn() == Turn::Chance {
                    return;
                }
                let view = history.view(Eyes::All);
                let places = ["hands", "pool", "played"];
                let all: usize = places.iter().map(|&place| cards(&view[place])).sum();
                assert_eq!(all, deck, "{view}");
            });
        }
    }
}

/// The view that a player of a trick-taking game keeps agrees with the game.
#[test]
fn views_of_players_follow_the_game() {
    fn check<G: Contest>(name: &str)
    where
        G::Round: PartialEq,
    {
        for game in of(name) {
            walk(&game, 5, |history| {
                let at = typed::<Rounds<G>>(history);
                let Some(round) = at.state().round() else {
                    return;
                };
                for seat in 0..game.players {
                    let view = at.game().view_of(at.start(), at.events(), seat).unwrap();
                    assert_eq!(view.round(), &round.seen_by(seat));
                    if round.to_act() == Some(seat) {
                        assert_eq!(view.round().legal(), round.legal());
                    }
                }
            });
        }
    }
    check::<Eights>("eights");
    check::<Hearts>("hearts");
}

/// The view that a player of the challenge game is sent agrees with the game on who acts and what is legal.
#[test]
fn the_challenge_player_is_told_what_is_legal() {
    let context = challenge::view::ViewContext {
        game_id: 1,
        opponent_id: 2,
        remaining: std::time::Duration::ZERO,
    };
    let game = &of("challenge").next().unwrap();
    walk(game, 8, |history| {
        let now = typed::<Challenge>(history).state().game();
        let view = challenge::view::View::of(now, &context);
        assert_eq!(view.is_some(), matches!(history.turn(), Turn::Seat(_)));
        if let Some(view) = view {
            let legal = view
                .legal()
                .fold(0, |all, one| all | 1 << games::challenge::id_of(one));
            assert_eq!(
                (Turn::Seat(view.player_number), legal),
                (history.turn(), history.legal())
            );
        }
    });
}

/// The fast masks of Cartagena give the same actions as the list of the rules, in the same order.
#[test]
fn cartagenas_ids_are_the_legal_actions_in_their_order() {
    for game in of("cartagena") {
        let early = game.options["early_pass"] == json!(true);
        walk(&game, 3, |history| {
            let Turn::Seat(_) = history.turn() else {
                return;
            };
            let state = typed::<pirates::Cartagena>(history).state();
            let mut list = ActionList::new();
            state.game().legal_actions(state.open(), &mut list);
            let mut expected: Vec<_> = list.to_vec();
            if list.is_empty() || (early && state.game().may_pass(state.open())) {
                expected.push(cartagena::rules::Action::Pass);
            }
            let ids = laws::possible(history);
            let actions: Vec<_> = ids.iter().map(|&id| pirates::action(state, id)).collect();
            assert_eq!(actions, expected);
            for (&id, &action) in ids.iter().zip(&expected) {
                assert_eq!(pirates::id_of(state, action), Some(id));
            }
        });
    }
}

/// The network's observation has a byte for each feature, before and after every action.
#[test]
fn the_networks_observation_is_its_features() {
    for game in of("cartagena") {
        let size = game.features.unwrap();
        walk(&game, 5, |history| {
            let Turn::Seat(_) = history.turn() else {
                return;
            };
            let state = typed::<pirates::Cartagena>(history).state();
            let check =
                |seen: &[u8], after: &Afterstate| {
                    let set = FeatureSet::of(state.game(), after);
                    assert!(
                        seen.iter().enumerate().all(|(feature, &byte)| byte
                            == u8::from(set.iter().any(|one| one == feature)))
                    );
                };
            let (before, mut seen) = (Afterstate::before(state.open()), vec![0; size]);
            history.observe_features(&mut seen);
            check(&seen, &before);
            for id in laws::possible(history) {
                history.observe_after(id, Observation::Network, &mut seen);
                check(&seen, &before.then(pirates::action(state, id)));
            }
        });
    }
}

/// A finished game's record is read as the same game, and its record is the same again.
#[test]
fn records_are_read_as_they_were_written() {
    for (name, options) in [
        (
            "cartagena",
            json!({"players": 4, "pirates": 3, "early_pass": true}),
        ),
        ("challenge", json!({})),
        ("challenge", json!({"lead_after_tie": "alternate"})),
        ("eights", json!({"dealer": 3})),
        ("hearts", json!({"players": 3})),
        ("hearts", json!({"passing": "across"})),
    ] {
        let game = game(name, options).unwrap();
        let names: Vec<String> = (0..game.players).map(|n| format!("player {n}")).collect();
        assert!(
            game.start(Some(1)).record(&names).is_err(),
            "{name} is not over"
        );
        for seed in 0..6 {
            let mut end = game.start(Some(seed));
            walk(&game, 2 * seed, |history| end = history.boxed());
            let record = end.record(&names).unwrap();
            let (_, read) = from_record(&record, usize::MAX).unwrap();
            assert_eq!(read.returns(), end.returns(), "{name} {seed}");
            assert_eq!(read.view(Eyes::All), end.view(Eyes::All), "{name} {seed}");
            let mut again = read.record(&names).unwrap();
            // The record says by which seed the cards were dealt; the game that was read has explicit chance. Nor does a
            // record keep the order of two cards that were drawn at once, so their order in the pile may be another.
            for part in ["seed", "pile"] {
                if again.get(part).is_some() {
                    again[part] = record[part].clone();
                }
            }
            assert_eq!(again, record, "{name} {seed}");
            // The first five actions alone.
            let acts = |history: &dyn AnyHistory| -> Vec<Event> {
                let events = history.events().iter();
                events
                    .filter(|event| event.seat.is_some())
                    .copied()
                    .collect()
            };
            let (_, early) = from_record(&record, 5).unwrap();
            assert_eq!(acts(&*early)[..], acts(&*read)[..5], "{name} {seed}");
        }
    }
}

/// An option that records do not tell is refused in every game, not only in those where it mattered: otherwise those
/// that are written would be chosen by their course.
#[test]
fn games_with_an_option_that_records_do_not_tell_have_none() {
    for (name, option, value) in [
        ("cartagena", "open_hands", json!(true)),
        ("challenge", "ranks", json!(12)),
        ("hearts", "clean_first_trick", json!(true)),
    ] {
        let game = game(name, json!({option: value})).unwrap();
        let names = vec![String::new(); game.players];
        for seed in 0..4 {
            let mut end = game.start(Some(seed));
            walk(&game, 2 * seed, |history| end = history.boxed());
            let refused = end.record(&names).unwrap_err().to_string();
            let expected = format!("records do not tell {option} = {value}");
            assert_eq!(refused, expected, "{name} {seed}");
        }
    }
}

/// A game read from the contest's text gives the same record back. With other seeds the hidden cards differ, the
/// view does not.
#[test]
fn a_contests_text_is_a_position() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/cartagena/interface-example.txt"
    ))
    .unwrap();
    let (_, history) = of_text(&text, 4, None).unwrap();
    let at = typed::<pirates::Cartagena>(&*history);
    let record = at.game().received(at.state());
    let mut read = cartagena::notation::parse(text.as_bytes()).unwrap();
    read.hand.sort_unstable();
    assert_eq!(read, record);
    assert_eq!(history.turn(), Turn::Seat(record.to_move));
    let (_, other) = of_text(&text, 5, None).unwrap();
    assert_eq!(
        other.view(Eyes::Seat(record.to_move)),
        history.view(Eyes::Seat(record.to_move))
    );
    assert_ne!(other.view(Eyes::All), history.view(Eyes::All));
}

/// The arrays that a batch writes its rows to.
#[derive(Debug, PartialEq)]
struct Written {
    observations: Vec<u8>,
    masks: Vec<bool>,
    seats: Vec<i8>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    finals: Vec<u8>,
}

impl Written {
    fn new(games: usize, sizes: games::batch::Sizes) -> Written {
        Written {
            observations: vec![0; games * sizes.observation],
            masks: vec![false; games * sizes.actions],
            seats: vec![0; games],
            rewards: vec![0.0; games * sizes.players],
            terminated: vec![false; games],
            truncated: vec![false; games],
            finals: vec![0; games * sizes.finals],
        }
    }

    fn rows(&mut self) -> games::batch::Rows<'_> {
        games::batch::Rows {
            observations: &mut self.observations,
            masks: &mut self.masks,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            finals: &mut self.finals,
        }
    }
}

/// A batch with the first rows of its games.
fn begun(game: &AnyGame, games: usize, seed: u64, finals: bool) -> (Box<dyn AnyBatch>, Written) {
    let mut batch = game.batch(games, seed, Observation::Plain, finals);
    let mut written = Written::new(games, batch.sizes());
    batch.reset(None, written.rows()).unwrap();
    (batch, written)
}

fn two_threads() -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    pool.build().unwrap()
}

/// Batches with the same seed and actions are the same on any number of threads. A finished game is followed by a
/// new one, and an illegal action changes nothing.
#[test]
fn batches_repeat_and_refuse_what_is_illegal() {
    let pool = two_threads();
    for game in games() {
        let (mut one, mut a) = begun(&game, 600, 7, true);
        let (mut two, mut b) = begun(&game, 600, 7, true);
        let mut actions = vec![0; 600];
        let mut ended = 0;
        for _ in 0..250 {
            assert!(a == b, "{}", game.name);
            one.random_actions(&mut actions);
            let mut wrong = actions.clone();
            wrong[5] = 63;
            assert!(one.step(&wrong, a.rows(), None).is_err());
            assert_eq!(a.observations, b.observations, "nothing has changed");
            one.step(&actions, a.rows(), None).unwrap();
            two.step(&actions, b.rows(), Some(&pool)).unwrap();
            for at in 0..600 {
                let over = a.terminated[at] || a.truncated[at];
                ended += u32::from(over);
                let players = one.sizes().players;
                let mut rewards = a.rewards[at * players..][..players].iter();
                let paid = rewards.any(|&reward| reward != 0.0);
                assert!(!paid || over, "nothing is paid before the end");
            }
        }
        assert!(ended > 100, "{}: {ended}", game.name);
    }
}

/// A batch's rows are what its games show, and so are the rows of afterstates, on any number of threads.
fn rows_are_what_games_show<G: Game>(options: Value) {
    let pool = two_threads();
    let game = G::new(options).unwrap();
    let mut batch = Batch::new(game.clone(), 300, 7, Observation::Plain, false);
    let mut rows = Written::new(300, batch.sizes());
    batch.reset(None, rows.rows()).unwrap();
    let (size, width) = (game.observation(), game.actions());
    let mut actions = vec![0; batch.len()];
    for _ in 0..25 {
        let after = batch.afterstates(Observation::Plain, None);
        assert_eq!(after.size, size);
        let expected = batch.afterstates(Observation::Plain, Some(&pool));
        // No action is known to end a game where it is not over; such outcomes are NaN, which equals nothing.
        let told = |after: &games::batch::Afterstates| format!("{after:?}");
        assert_eq!(told(&after), told(&expected));
        let mut row = 0;
        for (number, &seat) in rows.seats.iter().enumerate() {
            let state = batch.state(number);
            assert_eq!(game.turn(state), Turn::Seat(seat as usize));
            let mut shown = vec![0; size];
            game.observe(state, seat as usize, &mut shown);
            assert_eq!(shown, rows.observations[number * size..][..size]);
            let legal = game.legal(state);
            let mask = &rows.masks[number * width..][..width];
            assert!((0..width).all(|id| mask[id] == (legal >> id & 1 == 1)));
            for id in ids(legal) {
                let own = (after.games[row], after.ids[row]);
                assert_eq!(own, (number as i64, id.into()));
                let outcome = game.observe_after(state, id, Observation::Plain, &mut shown);
                assert_eq!(shown, after.observations[row * size..][..size]);
                let told = outcome.map_or(f32::NAN, |value| value as f32);
                assert_eq!(told.to_bits(), after.outcomes[row].to_bits());
                row += 1;
            }
        }
        assert_eq!(row, after.ids.len());
        batch.random_actions(&mut actions);
        batch.step(&actions, rows.rows(), None).unwrap();
    }
}

#[test]
fn rows_of_batches_are_what_their_games_show() {
    rows_are_what_games_show::<pirates::Cartagena>(json!({"players": 3, "max_turns": 5}));
    rows_are_what_games_show::<Challenge>(json!({"goal": 1}));
    rows_are_what_games_show::<Rounds<Eights>>(json!({}));
    rows_are_what_games_show::<Rounds<Hearts>>(json!({"passing": "left"}));
}

/// A stored batch goes on with the same games. Bytes that break the rules are refused, and change nothing.
#[test]
fn a_stored_batch_goes_on_to_the_same_games() {
    for game in games() {
        let (mut one, mut a) = begun(&game, 40, 7, false);
        let mut actions = vec![0; 40];
        for _ in 0..60 {
            one.random_actions(&mut actions);
            one.step(&actions, a.rows(), None).unwrap();
        }
        let text = serde_json::to_string(&one.saved().unwrap()).unwrap();
        let (mut two, mut b) = begun(&game, 40, 8, false);
        let saved = serde_json::from_str(&text).unwrap();
        two.restore(&saved, &mut b.rows()).unwrap();
        let shown = |rows: &Written| {
            (
                rows.observations.clone(),
                rows.masks.clone(),
                rows.seats.clone(),
            )
        };
        assert_eq!(shown(&a), shown(&b));
        for _ in 0..60 {
            one.random_actions(&mut actions);
            let mut same = vec![0; 40];
            two.random_actions(&mut same);
            assert_eq!(actions, same);
            one.step(&actions, a.rows(), None).unwrap();
            two.step(&actions, b.rows(), None).unwrap();
            assert!(a == b, "{}", game.name);
        }
        // The steps that a batch has kept do not change how it is stored.
        assert_eq!(one.saved().unwrap(), two.saved().unwrap());
        // Action 63 is legal at the start of no game.
        let mut wrong: serde_json::Value = serde_json::from_str(&text).unwrap();
        let games = wrong["games"].as_array_mut().unwrap();
        games[3]["actions"] = serde_json::json!([63]);
        let wrong = serde_json::from_value(wrong).unwrap();
        let before = b.observations.clone();
        let refused = two.restore(&wrong, &mut b.rows()).unwrap_err();
        assert!(refused.to_string().starts_with("stored game 3: action 63"));
        assert_eq!(before, b.observations);
        two.random_actions(&mut actions);
        two.step(&actions, b.rows(), None).unwrap();
    }
}
