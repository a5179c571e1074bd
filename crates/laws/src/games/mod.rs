//! Laws of every game, checked along one by one harness: legal actions are unique and in order, and
//! each of them is legal; copies stay what they were, so that a search that goes back to one has
//! undone what it tried; replaying the actions gives the same game again; a world sampled for an
//! observer looks the same to it and could have come about as it did; and at the end the points add
//! up. After OpenSpiel's tests of all its games (Lanctot et al. 2019).

mod duel;
mod pirates;
mod tricks;

pub use duel::Duel;
pub use pirates::Pirates;
pub use tricks::{Tricks, eights, hearts};

use crate::bytes::Bytes;
use engine::rng::{Random, stream};
use std::fmt::Debug;

/// A game with all its chance: the same actions lead to the same position.
pub trait Table: Clone {
    /// What a player does.
    type Action: Copy + Debug + PartialEq;
    /// By what actions are listed.
    type Key: Ord + Debug;

    /// How many play.
    fn players(&self) -> usize;
    /// Whose turn it is; none at the end.
    fn to_act(&self) -> Option<usize>;
    /// What may be done, in order.
    fn legal(&self) -> Vec<Self::Action>;
    /// What puts the action where it is listed.
    fn key(action: Self::Action) -> Self::Key;
    /// Does it.
    fn act(&mut self, action: Self::Action);
    /// All there is, for comparison.
    fn all(&self) -> String;
    /// What a player sees.
    fn seen_by(&self, player: usize) -> String;
    /// The game as it could be as well, for all that the player knows.
    fn sampled(&self, player: usize, rng: &mut Random) -> Self;
    /// Checks what holds at the end.
    fn end(&self);
}

/// For whom worlds are sampled at each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observers {
    /// For every player.
    All,
    /// For one of them, another one at each position: so more games are seen in the same time.
    One,
}

/// Follows a game and checks every position, as long as `choose` has a choice among so many actions.
/// `rng` samples worlds.
///
/// # Panics
/// If a law is broken.
pub fn check<T: Table>(
    first: T,
    observers: Observers,
    mut choose: impl FnMut(usize) -> Option<usize>,
    rng: &mut Random,
) {
    let mut table = first.clone();
    let mut actions = Vec::new();
    while let Some(player) = table.to_act() {
        assert!(player < table.players());
        let legal = table.legal();
        assert!(!legal.is_empty(), "nothing legal: {}", table.all());
        let in_order = legal.windows(2).all(|two| T::key(two[0]) < T::key(two[1]));
        assert!(in_order, "{legal:?}");
        assert_eq!(legal, table.legal(), "asked twice");
        let observed = match observers {
            Observers::All => 0..table.players(),
            Observers::One => {
                let one = actions.len() * 7 % table.players();
                one..one + 1
            }
        };
        for observer in observed {
            let other = table.sampled(observer, rng);
            assert_eq!(other.seen_by(observer), table.seen_by(observer));
            assert_eq!(other.to_act(), table.to_act());
            if player == observer {
                assert_eq!(other.legal(), legal, "the observer knows what it may do");
            }
        }
        let Some(choice) = choose(legal.len()) else {
            break;
        };
        let before = table.all();
        // Every legal action is legal, and leaves the position it was tried on as it was.
        for (place, &action) in legal.iter().enumerate() {
            if place != choice {
                table.clone().act(action);
            }
        }
        let copy = table.clone();
        table.act(legal[choice]);
        assert_eq!(copy.all(), before, "a copy stays what it was");
        actions.push(legal[choice]);
    }
    let mut again = first;
    for &action in &actions {
        assert!(again.legal().contains(&action));
        again.act(action);
    }
    assert_eq!(again.all(), table.all(), "a replay comes to the same");
    if table.to_act().is_none() {
        table.end();
    }
}

/// The laws along the game that the bytes choose: which one, its deal, and every action.
///
/// # Panics
/// If a law is broken.
pub fn laws(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let (Some(game), Some(seed)) = (bytes.below(4), bytes.seed()) else {
        return;
    };
    let (mut deal, mut worlds) = (stream(seed, 1), stream(seed, 2));
    let choose = |count: usize| bytes.below(count);
    match game {
        0 => check(eights(&mut deal), Observers::One, choose, &mut worlds),
        1 => check(hearts(&mut deal), Observers::One, choose, &mut worlds),
        2 => check(
            Pirates::start(&mut deal),
            Observers::One,
            choose,
            &mut worlds,
        ),
        _ => check(Duel::start(deal), Observers::One, choose, &mut worlds),
    }
}
