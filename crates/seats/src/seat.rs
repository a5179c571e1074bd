//! Players of any game behind one interface, [`Seat`], and two players that play any game by its legal actions alone.
//! Matches, batches, tables and the Python package take players from here.

use arena::participant::{BuiltinError, Spec};
use engine::rng::{Random, mix, stream};
use games::{AnyHistory, Id, Turn, laws};
use std::error;
use std::sync::Arc;
use thiserror::Error;

/// Reasons why a match cannot go on.
#[derive(Debug, Error)]
pub enum Failure {
    /// A player answered with an illegal action.
    #[error("{0}")]
    Illegal(String),
    /// The match was asked to end.
    #[error("the match was stopped")]
    Stopped,
    /// Any other error of a player or of the match.
    #[error(transparent)]
    Other(#[from] Box<dyn error::Error + Send + Sync>),
}

/// A player at a seat.
pub trait Seat: Send {
    /// A legal action of the player to move.
    ///
    /// # Errors
    /// If the player fails; the match ends there.
    fn choose(&mut self, history: &dyn AnyHistory) -> Result<Id, Failure>;
}

/// Makes players; the argument is the seed of their random numbers.
pub type Maker = Arc<dyn Fn(u64) -> Box<dyn Seat> + Send + Sync>;

/// The names of the players that play any game.
pub const NAMES: [&str; 2] = ["random", "rollouts"];

/// Worlds that `rollouts` tries by default.
const WORLDS: u32 = 100;

/// Reads a player of any game: `random`, or `rollouts` with the setting `worlds`.
///
/// # Errors
/// If there is none of that name, or it has no such setting.
pub fn maker(spec: &Spec) -> Result<Maker, BuiltinError> {
    match spec.name.as_str() {
        "random" => {
            spec.check(&[])?;
            Ok(Arc::new(|seed| Box::new(Uniform(stream(seed, 0)))))
        }
        "rollouts" => {
            spec.check(&["worlds"])?;
            let worlds = spec.settings.number("worlds", WORLDS, 1..=1_000_000)?;
            Ok(Arc::new(move |seed| Box::new(Rollouts { worlds, seed })))
        }
        _ => Err(spec.unknown(NAMES.join(", "))),
    }
}

/// Takes every legal action with equal probability.
struct Uniform(Random);

impl Seat for Uniform {
    fn choose(&mut self, history: &dyn AnyHistory) -> Result<Id, Failure> {
        Ok(laws::random(history, &mut self.0))
    }
}

/// Flat Monte Carlo with determinization (Ginsberg 2001). It tries every action in worlds that look
/// the same to the seat, plays the game to its end at random, and takes the action with the highest
/// mean return. It gives no value to information that an action reveals or hides, since in each world
/// all cards are known.
#[derive(Clone, Debug)]
pub struct Rollouts {
    /// Number of worlds to try.
    pub worlds: u32,
    /// Seed of the worlds and playouts.
    pub seed: u64,
}

/// An action that was tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried {
    pub id: Id,
    /// The mean return of the player to move after the action.
    pub value: f64,
}

impl Rollouts {
    /// The legal actions of the player to move, the best first; empty if nobody is to move.
    pub fn tried(&self, history: &dyn AnyHistory) -> Vec<Tried> {
        let Turn::Seat(seat) = history.turn() else {
            return Vec::new();
        };
        let mut all: Vec<Tried> = laws::possible(history)
            .into_iter()
            .map(|id| Tried { id, value: 0.0 })
            .collect();
        for number in 0..u64::from(self.worlds) {
            let draw = mix(self.seed ^ mix(number ^ history.events().len() as u64));
            // Everything that the seat has seen is the same in this world; hidden cards are drawn
            // anew.
            let world = history.resampled(seat, draw);
            for tried in &mut all {
                let mut end = world.boxed();
                // All actions meet the same random numbers: differences are less noisy than values.
                let mut rng = stream(draw, 1);
                let mut next = Some(tried.id);
                while let Some(id) = next {
                    if end.apply(id).is_err() {
                        break;
                    }
                    next = match end.turn() {
                        Turn::Over => None,
                        Turn::Chance => Some(end.draw(&mut rng)),
                        Turn::Seat(_) => Some(laws::random(&*end, &mut rng)),
                    };
                }
                tried.value += end.returns()[seat] / f64::from(self.worlds);
            }
        }
        all.sort_by(|one, other| other.value.total_cmp(&one.value));
        all
    }
}

impl Seat for Rollouts {
    fn choose(&mut self, history: &dyn AnyHistory) -> Result<Id, Failure> {
        let best = self.tried(history).first().map(|tried| tried.id);
        best.ok_or_else(|| Failure::Illegal("nobody is to move".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A win in one action has the value of a whole win, whichever seat has it, and the same seed finds the same
    /// values.
    #[test]
    fn rollouts_find_a_win_in_one() {
        let game = games::game("cartagena", json!({"board": "hgk", "pirates": 1})).unwrap();
        let mut rng = stream(1, 1);
        let mut found = 0;
        for seed in 0..40 {
            let mut history = game.start(Some(seed));
            while let Turn::Seat(seat) = history.turn() {
                let wins = |id: &Id| {
                    let mut after = history.boxed();
                    after.apply(*id).is_ok() && after.returns()[seat] > 0.0
                };
                let possible = laws::possible(&*history);
                if let Some(win) = possible.iter().copied().find(wins) {
                    let player = Rollouts { worlds: 20, seed };
                    let tried = player.tried(&*history);
                    let value = |id| {
                        tried
                            .iter()
                            .find(|tried| tried.id == id)
                            .map(|tried| tried.value)
                    };
                    // Another action may also win for certain within the turn.
                    assert_eq!(value(win), Some(tried[0].value));
                    assert!(tried[0].value > 0.999, "{tried:?}");
                    assert_eq!(player.tried(&*history), tried);
                    found += 1;
                    break;
                }
                let id = laws::random(&*history, &mut rng);
                history.apply(id).unwrap();
            }
        }
        assert!(found > 10, "{found}");
    }
}
