//! The laws that every game obeys. [`check`] plays one game and checks them at each position; tests and fuzz targets
//! call it and choose the actions.
//!
//! At every position: exactly the listed ids can be applied; applying one to a copy does not change the
//! original; each id has its own words; a game resampled for an observer looks the same to the observer in every
//! form, and is a possible game. At the end: undo restores every earlier position; a stored game loads as the same
//! game; the returns sum to 0. After OpenSpiel's tests of all its games (Lanctot et al. 2019).

use crate::any::{AnyGame, AnyHistory, Origin, SavedHistory};
use crate::game::{Eyes, Id, Observation, Turn, ids};
use engine::rng::Random;
use engine::rng::below;
use serde_json::Value;

/// Plays a game and checks every position. `choose` is given the number of possible ids and returns the index of one;
/// `None` ends the game early. `rng` draws the resampled games. Returns the game at its end.
///
/// # Panics
/// If a law is broken.
pub fn check(
    game: &AnyGame,
    seed: Option<u64>,
    mut choose: impl FnMut(usize) -> Option<usize>,
    rng: &mut Random,
) -> Box<dyn AnyHistory> {
    let mut history = game.start(seed);
    assert_eq!(history.name(), game.name);
    let mut seen = vec![history.view(Eyes::All)];
    loop {
        let possible = possible(&*history);
        ids_are_what_they_are_called(&*history, &possible);
        // Whoever learns a game has an output for each id below these numbers.
        let width = match history.turn() {
            Turn::Chance => game.outcomes,
            _ => game.actions,
        };
        let highest = possible.last().copied().unwrap_or(0);
        assert!(usize::from(highest) < width, "{highest} of {width} ids");
        // One observer at each position, so that more games are checked in the same time. 7 and the number of players, 2
        // to 6, have no common factor, so each seat has its turn.
        let observer = history.events().len() * 7 % game.players;
        a_resampled_game_looks_the_same(game, &*history, observer, rng);
        if history.turn() == Turn::Over {
            break;
        }
        let Some(chosen) = choose(possible.len()) else {
            break;
        };
        // Every id is tried on a copy. The original must look as before: copies share no state.
        for &id in &possible {
            let mut copy = history.boxed();
            assert_eq!(copy.apply(id), Ok(()), "{id} is possible");
        }
        assert_eq!(
            Some(&history.view(Eyes::All)),
            seen.last(),
            "a copy was changed"
        );
        let known = history.apply(possible[chosen]);
        assert_eq!(known, Ok(()));
        seen.push(history.view(Eyes::All));
    }
    assert!(history.events().len() <= game.longest, "{}", game.longest);
    let sum: f64 = history.returns().iter().sum();
    assert!(sum.abs() < 1e-12, "the returns add up to {sum}");
    a_stored_game_is_the_same(game, &*history);
    undone_is_never_done(&*history, seen);
    history
}

/// The ids that can be applied.
pub fn possible(history: &dyn AnyHistory) -> Vec<Id> {
    match history.turn() {
        Turn::Over => Vec::new(),
        Turn::Chance => history.chances().iter().map(|outcome| outcome.0).collect(),
        Turn::Seat(_) => ids(history.legal()).collect(),
    }
}

/// One of the ids that can be applied, all equally likely.
///
/// # Panics
/// If the game is over.
pub fn random(history: &dyn AnyHistory, rng: &mut Random) -> Id {
    let possible = possible(history);
    possible[below(rng, possible.len())]
}

/// Checks that ids ascend, that their words are read back as the same ids, and that no other id can be applied.
fn ids_are_what_they_are_called(history: &dyn AnyHistory, possible: &[Id]) {
    let is_over = history.turn() == Turn::Over;
    assert_eq!(possible.is_empty(), is_over, "{possible:?}");
    assert!(
        possible.is_sorted_by(|one, next| one < next),
        "{possible:?}"
    );
    // No game has an id of 64 or more.
    for id in 0..64 {
        let is_possible = possible.contains(&id);
        assert_eq!(
            history.check(id.into()).is_ok(),
            is_possible,
            "{id} of {possible:?}"
        );
        if is_possible {
            let words = match history.turn() {
                Turn::Chance => history.outcome_text(id),
                _ => history.action_text(id),
            };
            assert_eq!(history.read(&words), Some(id), "{words:?}");
        }
    }
    if history.turn() == Turn::Chance {
        assert!(history.chances().iter().all(|outcome| outcome.1 > 0));
    }
    assert_eq!(history.read("?"), None);
}

/// Everything that a seat sees: the view, the texts and picture, and the observation, whose fields are checked.
fn seen(game: &AnyGame, history: &dyn AnyHistory, seat: usize) -> (Value, [String; 3], Vec<u8>) {
    let mut observation = vec![0; game.observation];
    history.observe(seat, &mut observation);
    let mut from = 0;
    for field in &game.fields {
        let bytes = &observation[from..from + field.size];
        assert!(
            bytes.iter().all(|&byte| byte <= field.highest),
            "{field:?}: {bytes:?}"
        );
        from += field.size;
    }
    let eyes = Eyes::Seat(seat);
    let texts = [
        history.text(eyes),
        history.picture(eyes, None),
        history.information(seat),
    ];
    (history.view(eyes), texts, observation)
}

/// Checks that no view, text or observation of a seat distinguishes the game from a resampled one, and that the
/// resampled one is a possible game.
fn a_resampled_game_looks_the_same(
    game: &AnyGame,
    history: &dyn AnyHistory,
    seat: usize,
    rng: &mut Random,
) {
    let other = history.resampled(seat, below(rng, 1 << 30) as u64);
    let name = game.name;
    assert_eq!(other.turn(), history.turn(), "{name}");
    // A game that is resampled as a new start has no events to compare.
    if other.events().len() == history.events().len() {
        assert_eq!(other.seen(seat), history.seen(seat), "{name}");
    }
    assert_eq!(
        seen(game, &*other, seat),
        seen(game, history, seat),
        "{name}"
    );
    // An onlooker sees less than a seat, so nothing may differ there either.
    let onlooker = |history: &dyn AnyHistory| {
        let eyes = Eyes::Onlooker;
        (
            history.view(eyes),
            history.text(eyes),
            history.picture(eyes, None),
        )
    };
    assert_eq!(onlooker(&*other), onlooker(history), "{name}");
    // The resampled events must be legal in their order, and lead to the resampled position.
    let again = other.replayed(other.events(), None);
    let again = again.map(|again| again.view(Eyes::All));
    assert_eq!(again.as_ref(), Ok(&other.view(Eyes::All)), "{name}");
    // The player to move also gets its legal actions, the network's features, and the afterstate of each action. No
    // hidden card may show in them.
    if history.turn() != Turn::Seat(seat) {
        return;
    }
    assert_eq!(other.legal(), history.legal(), "{name}");
    let size = game.features.unwrap_or(0);
    let features = |history: &dyn AnyHistory| {
        let mut out = vec![0; size];
        history.observe_features(&mut out);
        out
    };
    assert_eq!(features(&*other), features(history), "{name}");
    for id in possible(history) {
        for observation in [Observation::Plain, Observation::Network] {
            let after = |history: &dyn AnyHistory| {
                let mut out = vec![0; game.size_of(observation).unwrap_or(0)];
                let outcome = history.observe_after(id, observation, &mut out);
                (outcome, out)
            };
            assert_eq!(after(&*other), after(history), "{name}: after {id}");
        }
        let drawn = |history: &dyn AnyHistory| history.picture(Eyes::Seat(seat), Some(id));
        assert_eq!(drawn(&*other), drawn(history), "{name}: {id}");
    }
}

/// The stored form of a game.
pub fn saved(game: &AnyGame, history: &dyn AnyHistory) -> SavedHistory {
    SavedHistory {
        game: game.name.to_owned(),
        options: game.options.clone(),
        origin: history.position().map_or(Origin::New, Origin::Position),
        seed: history.seed(),
        events: history.events().to_vec(),
    }
}

/// Checks that a stored game loads as the same game.
fn a_stored_game_is_the_same(game: &AnyGame, history: &dyn AnyHistory) {
    let saved = saved(game, history);
    let text = serde_json::to_string(&saved).expect("a game can be written");
    let read: SavedHistory = serde_json::from_str(&text).expect("and read");
    assert_eq!(read, saved);
    // Loading finds a game by its name. A game outside this crate has one only after `bring`.
    if !crate::names().contains(&game.name) {
        return;
    }
    let (_, loaded) = read.load().expect("what is stored can be loaded");
    assert_eq!(loaded.view(Eyes::All), history.view(Eyes::All));
    assert_eq!(
        (loaded.turn(), loaded.seed()),
        (history.turn(), history.seed())
    );
}

/// Checks that undo returns to every earlier position. `seen` has the view at the start and after every chosen event.
/// With a seed, the outcomes of chance follow an event by themselves, and one undo takes both back.
fn undone_is_never_done(history: &dyn AnyHistory, mut seen: Vec<Value>) {
    let mut history = history.boxed();
    while let Some(expected) = seen.pop() {
        assert_eq!(history.view(Eyes::All), expected);
        assert_eq!(history.undo(), !seen.is_empty());
    }
}
