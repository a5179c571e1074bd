//! A game under way at a plain table: the history of any game of `games`, and the text of every action.

use super::LEVELS;
use crate::game::{Advice, Candidate, Choice, Eyes, TableGame, Told};
use crate::language::Text;
use engine::rng::{mix, stream};
use games::{AnyGame, AnyHistory, Turn, ids, laws};
use seats::Rollouts;
use serde_json::{Value, json};

/// The number of sampled worlds for advice, and for judging an action of a game that is over.
const ADVICE: u32 = 500;

pub(super) struct PlainGame {
    history: Box<dyn AnyHistory>,
    players: usize,
    seed: u64,
    /// The actions so far, each with its seat.
    log: Vec<(usize, String)>,
}

impl PlainGame {
    pub(super) fn new(game: &AnyGame, seed: u64) -> PlainGame {
        PlainGame {
            history: game.start(Some(seed)),
            players: game.players,
            seed,
            log: Vec::new(),
        }
    }

    /// The search for this position with this number of sampled worlds.
    fn rollouts(&self, worlds: u32) -> Rollouts {
        Rollouts {
            worlds,
            // The same position gives the same decision, also after it was taken back.
            seed: mix(self.seed ^ self.log.len() as u64),
        }
    }
}

fn choice(action: String) -> Choice {
    Choice {
        words: Text::plain(&action),
        action,
    }
}

impl TableGame for PlainGame {
    fn to_move(&self) -> Option<usize> {
        match self.history.turn() {
            Turn::Seat(seat) => Some(seat),
            Turn::Chance | Turn::Over => None,
        }
    }

    fn view(&self, eyes: Eyes) -> Value {
        let is_due = self.to_move().is_some() && eyes.seat() == self.to_move();
        let log = self.told(eyes).into_iter().map(|told| told.entry);
        json!({
            "picture": self.history.picture(eyes, None),
            "legal": if is_due { self.choices() } else { Vec::new() },
            "returns": self.history.returns(),
            "log": log.collect::<Vec<_>>(),
        })
    }

    fn act(&mut self, action: &str) -> Result<String, String> {
        let seat = self.to_move().ok_or("the game is over")?;
        // The error lists the legal actions, as people type this.
        let id = self.history.read(action).ok_or_else(|| {
            let legal = self.choices().into_iter().map(|choice| choice.action);
            let legal: Vec<String> = legal.collect();
            format!("{action:?} is not legal; expected {}", legal.join(", "))
        })?;
        let words = self.history.action_text(id);
        let applied = self.history.apply(id);
        applied.map_err(|refused| refused.to_string())?;
        self.log.push((seat, words.clone()));
        Ok(words)
    }

    fn places(&self) -> Option<Vec<f64>> {
        let is_over = self.history.turn() == Turn::Over;
        // The returns have room for the largest game.
        is_over.then(|| arena::ranking::places(&self.history.returns()[..self.players]))
    }

    fn has_shown(&self) -> bool {
        // Outcomes of chance follow the action, and the seat may have seen them.
        self.history
            .events()
            .last()
            .is_some_and(|event| event.seat.is_none())
    }

    fn think(&self, level: usize) -> Result<String, String> {
        let rollouts = self.rollouts(LEVELS[level.min(LEVELS.len() - 1)]);
        // The first level plays at random. The others take the action with the best mean over sampled worlds.
        let id = match rollouts.worlds {
            0 => laws::random(&*self.history, &mut stream(rollouts.seed, 1)),
            _ => {
                let tried = rollouts.tried(&*self.history);
                tried.first().ok_or("nobody is to move")?.id
            }
        };
        Ok(self.history.action_text(id))
    }

    fn advise(&self) -> Advice {
        let tried = self.rollouts(ADVICE).tried(&*self.history);
        let best = tried.first().map_or(0.0, |best| best.value);
        let candidate = |tried: seats::Tried| Candidate {
            choice: choice(self.history.action_text(tried.id)),
            value: tried.value,
            behind: best - tried.value,
            then: Vec::new(),
            picture: Value::Null,
        };
        Advice {
            candidates: tried.into_iter().map(candidate).collect(),
        }
    }

    fn choices(&self) -> Vec<Choice> {
        let legal = ids(self.history.legal());
        legal
            .map(|id| choice(self.history.action_text(id)))
            .collect()
    }

    fn screen(&self, eyes: Eyes, _: &[String]) -> Vec<String> {
        self.history.text(eyes).lines().map(str::to_owned).collect()
    }

    fn told(&self, _: Eyes) -> Vec<Told> {
        let told = |(seat, words): &(usize, String)| Told {
            seat: Some(*seat),
            words: format!("chooses {words}"),
            entry: json!({"player": seat, "words": words}),
        };
        self.log.iter().map(told).collect()
    }

    fn boxed(&self) -> Box<dyn TableGame> {
        Box::new(PlainGame {
            history: self.history.boxed(),
            players: self.players,
            seed: self.seed,
            log: self.log.clone(),
        })
    }

    fn has_record(&self) -> bool {
        false
    }
}
