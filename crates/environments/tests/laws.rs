//! Laws of every game, along random play: what a seat sees, undo, storage, and the rules' own legality.

#![allow(clippy::unwrap_used)]

use cartagena::evaluation::Afterstate;
use cartagena::evaluation::features::FeatureSet;
use cartagena::rules::ActionList;
use engine::rng::{Random, below, stream};
use environments::batch::Observation;
use environments::play::Origin;
use environments::{AnyGame, Play, SavedTable, Table, Turn};
use environments::{cartagena as pirates, play};
use serde_json::{Value, json};

/// Every game, some of them with other options.
fn games() -> Vec<AnyGame> {
    let game = |name: &str, options: Value| AnyGame::new(name, options).unwrap();
    vec![
        game("cartagena", json!({"max_turns": 60})),
        game(
            "cartagena",
            json!({"players": 4, "deal": 6, "early_pass": true, "spaces": 70, "max_turns": 60}),
        ),
        game(
            "cartagena",
            json!({"board": "hgk", "pirates": 2, "boat_retreat": false, "max_turns": 30}),
        ),
        game("challenge", json!({"goal": 3})),
        game(
            "challenge",
            json!({"goal": 2, "cards": 2, "ranks": 4, "copies": 2, "lead_after_tie": "alternate"}),
        ),
        game("eights", json!({"dealer": 2})),
        game("hearts", json!({})),
        game("hearts", json!({"players": 5, "clean_first_trick": true})),
    ]
}

/// The ids that can be applied.
fn possible(table: &dyn Play) -> Vec<u8> {
    match table.turn() {
        Turn::Chance => table.chances().iter().map(|outcome| outcome.0).collect(),
        _ => (0..64).filter(|id| table.legal() >> id & 1 == 1).collect(),
    }
}

fn random(table: &dyn Play, rng: &mut Random) -> u8 {
    let ids = possible(table);
    ids[below(rng, ids.len())]
}

/// Plays at random and shows every position.
fn walk(game: &AnyGame, seed: u64, mut visit: impl FnMut(&dyn Play, &mut Random)) {
    let mut rng = stream(seed, 9);
    let mut table = game.start(seed.is_multiple_of(2).then_some(seed));
    while table.turn() != Turn::Over {
        visit(&*table, &mut rng);
        let id = random(&*table, &mut rng);
        table.apply(id).unwrap();
    }
    visit(&*table, &mut rng);
    assert!(table.events().len() <= game.longest());
    let sum: f32 = table.returns().iter().sum();
    assert!(sum.abs() < 1e-4, "{sum}");
}

/// All that a seat can ask for.
fn seen(game: &AnyGame, table: &dyn Play, seat: usize) -> (Value, String, String, String, Vec<u8>) {
    let mut observation = vec![0; game.observation()];
    table.observe(seat, &mut observation);
    (
        table.view(Some(seat)),
        table.text(Some(seat)),
        table.picture(Some(seat), None),
        table.information(seat),
        observation,
    )
}

/// Invariant 2: a view shows nothing that its seat may not see, in whatever form it is asked for; and
/// what is hidden does differ.
#[test]
fn games_that_look_the_same_to_a_seat_are_seen_the_same() {
    for game in games() {
        let mut others = 0;
        for seed in 0..3 {
            walk(&game, seed, |table, rng| {
                let seat = below(rng, game.players());
                let other = table.resampled(seat, seed);
                assert_eq!(other.turn(), table.turn());
                assert_eq!(
                    seen(&game, &*other, seat),
                    seen(&game, table, seat),
                    "{}",
                    game.name()
                );
                if table.turn() == Turn::Seat(seat) {
                    assert_eq!(other.legal(), table.legal());
                    if let Some(size) = game.features() {
                        let (mut one, mut two) = (vec![0; size], vec![0; size]);
                        table.observe_features(&mut one);
                        other.observe_features(&mut two);
                        assert_eq!(one, two);
                    }
                    for id in possible(table) {
                        for observation in [Observation::Plain, Observation::Network] {
                            let size = game.size_of(observation).unwrap_or(0);
                            let (mut one, mut two) = (vec![0; size], vec![0; size]);
                            assert_eq!(
                                table.observe_after(id, observation, &mut one),
                                other.observe_after(id, observation, &mut two)
                            );
                            assert_eq!(one, two, "{}: after {id}", game.name());
                        }
                        let drawn = |table: &dyn Play| table.picture(Some(seat), Some(id));
                        assert_eq!(drawn(&*other), drawn(table));
                    }
                }
                let beside = (seat + 1) % game.players();
                others += u32::from(other.view(Some(beside)) != table.view(Some(beside)));
            });
        }
        assert!(
            others >= 5,
            "{}: {others}, hidden cards hardly differ",
            game.name()
        );
    }
}

/// A world sampled for a seat is a game that can be played, and has a history that is legal.
#[test]
fn sampled_games_replay_and_go_on() {
    for game in games() {
        walk(&game, 6, |table, rng| {
            if below(rng, 8) > 0 {
                return;
            }
            let mut other = table.resampled(below(rng, game.players()), 3);
            let again = other.replayed(other.events(), None).unwrap();
            assert_eq!(again.view(None), other.view(None));
            let saved = SavedTable {
                game: game.name().to_owned(),
                options: game.options(),
                origin: other.position().map_or(Origin::New, Origin::Position),
                seed: other.seed(),
                events: other.events().to_vec(),
            };
            let (_, loaded) = saved.load().unwrap();
            assert_eq!(loaded.view(None), other.view(None));
            for _ in 0..20 {
                if other.turn() == Turn::Over {
                    break;
                }
                let id = random(&*other, rng);
                other.apply(id).unwrap();
            }
        });
    }
}

#[test]
fn what_is_undone_was_never_done() {
    for game in games() {
        for seed in [1, 2] {
            let mut before: Vec<Value> = Vec::new();
            let mut last = None;
            walk(&game, seed, |table, _| {
                before.push(table.view(None));
                last = Some(table.boxed());
            });
            let mut table = last.unwrap();
            while let Some(expected) = before.pop() {
                assert_eq!(table.view(None), expected);
                assert_eq!(table.undo(), !before.is_empty());
            }
        }
    }
}

/// A stored game goes on as it would have.
#[test]
fn stored_games_go_on_the_same() {
    for game in games() {
        let mut rng = stream(5, 5);
        let mut table = game.start(Some(8));
        for _ in 0..30 {
            if table.turn() != Turn::Over {
                let id = random(&*table, &mut rng);
                table.apply(id).unwrap();
            }
        }
        let saved = SavedTable {
            game: game.name().to_owned(),
            options: game.options(),
            origin: Origin::New,
            seed: table.seed(),
            events: table.events().to_vec(),
        };
        let text = serde_json::to_string(&saved).unwrap();
        let read: SavedTable = serde_json::from_str(&text).unwrap();
        let (_, mut loaded) = read.load().unwrap();
        for _ in 0..30 {
            assert_eq!(loaded.view(None), table.view(None));
            if table.turn() == Turn::Over {
                break;
            }
            let id = random(&*table, &mut rng);
            table.apply(id).unwrap();
            loaded.apply(id).unwrap();
        }
    }
}

/// The quick masks of Cartagena are the rules' own list.
#[test]
fn cartagenas_ids_are_the_legal_actions_in_their_order() {
    let games = games();
    for game in games.iter().filter(|game| game.name() == "cartagena") {
        let early = game.options()["early_pass"] == json!(true);
        walk(game, 3, |table, _| {
            let Turn::Seat(_) = table.turn() else { return };
            let at = table.as_any().downcast_ref::<Table<pirates::Cartagena>>();
            let state = at.unwrap().state();
            let mut list = ActionList::new();
            state.game().legal_actions(state.open(), &mut list);
            let mut expected: Vec<_> = list.to_vec();
            if list.is_empty() || (early && state.game().may_pass(state.open())) {
                expected.push(cartagena::rules::Action::Pass);
            }
            let ids = possible(table);
            let actions: Vec<_> = ids.iter().map(|&id| pirates::action(state, id)).collect();
            assert_eq!(actions, expected);
            for (&id, &action) in ids.iter().zip(&expected) {
                assert_eq!(pirates::id_of(state, action), Some(id));
            }
        });
    }
}

/// A byte of the network's observation is a feature, before and after every action.
#[test]
fn the_networks_observation_is_its_features() {
    for game in games().iter().filter(|game| game.name() == "cartagena") {
        let size = game.features().unwrap();
        walk(game, 5, |table, _| {
            let Turn::Seat(_) = table.turn() else { return };
            let at = table.as_any().downcast_ref::<Table<pirates::Cartagena>>();
            let state = at.unwrap().state();
            let check = |seen: &[u8], after: &Afterstate| {
                let set = FeatureSet::of(state.game(), after);
                assert!(
                    seen.iter()
                        .enumerate()
                        .all(|(feature, &byte)| byte == u8::from(set.contains(feature)))
                );
            };
            let (before, mut seen) = (Afterstate::before(state.open()), vec![0; size]);
            table.observe_features(&mut seen);
            check(&seen, &before);
            for id in possible(table) {
                table.observe_after(id, Observation::Network, &mut seen);
                check(&seen, &before.then(pirates::action(state, id)));
            }
        });
    }
}

/// What the contest's text says is what the table says, and the other way round.
#[test]
fn a_contests_text_is_a_position() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/cartagena/interface-example.txt"
    ))
    .unwrap();
    let (_, table) = play::of_text(&text, 4, None).unwrap();
    let at = table.as_any().downcast_ref::<Table<pirates::Cartagena>>();
    let at = at.unwrap();
    let record = at.game().record(at.state());
    let mut read = cartagena::notation::parse(text.as_bytes()).unwrap();
    read.hand.sort_unstable();
    assert_eq!(read, record);
    assert_eq!(table.turn(), Turn::Seat(record.to_move));
    let (_, other) = play::of_text(&text, 5, None).unwrap();
    assert_eq!(
        other.view(Some(record.to_move)),
        table.view(Some(record.to_move))
    );
    assert_ne!(other.view(None), table.view(None));
}

/// Rows that a batch writes.
struct Written {
    observations: Vec<u8>,
    masks: Vec<bool>,
    seats: Vec<i8>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

impl Written {
    fn new(games: usize, sizes: environments::batch::Sizes) -> Written {
        Written {
            observations: vec![0; games * sizes.observation],
            masks: vec![false; games * sizes.actions],
            seats: vec![0; games],
            rewards: vec![0.0; games * sizes.players],
            terminated: vec![false; games],
            truncated: vec![false; games],
        }
    }

    fn rows(&mut self) -> environments::batch::Rows<'_> {
        environments::batch::Rows {
            observations: &mut self.observations,
            masks: &mut self.masks,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
        }
    }
}

/// Two batches with the same seed and actions are the same, also on several threads, games end and begin
/// anew, and an illegal action changes nothing.
#[test]
fn batches_repeat_and_refuse_what_is_illegal() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.unwrap();
    for game in games() {
        let mut one = game.batch(600, 7, Observation::Plain);
        let mut two = game.batch(600, 7, Observation::Plain);
        let (mut a, mut b) = (
            Written::new(600, one.sizes()),
            Written::new(600, one.sizes()),
        );
        one.reset(None, a.rows());
        two.reset(None, b.rows());
        let mut actions = vec![0; 600];
        let mut ended = 0;
        for _ in 0..250 {
            assert_eq!(a.observations, b.observations);
            assert_eq!(
                (&a.masks, &a.seats, &a.rewards),
                (&b.masks, &b.seats, &b.rewards)
            );
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
                let paid = a.rewards[at * players..][..players]
                    .iter()
                    .any(|&r| r != 0.0);
                assert!(!paid || over, "nothing is paid before the end");
            }
        }
        assert!(ended > 100, "{}: {ended}", game.name());
    }
}
