use crate::action::Action;
use crate::brain;
use crate::candidates::{self, NoCandidates};
use crate::convert::{self, lent, value_error};
use crate::objects::{State, View};
use crate::workers;
use arena::participant::{BuiltinError, Spec};
use games::{AnyHistory, Id, Turn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use seats::cartagena::players::builtin::Searching;
use seats::{Maker, Seat};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A player's value of an action.
#[pyclass(frozen, module = "contestants")]
pub(crate) struct Candidate {
    /// The action that is valued.
    #[pyo3(get)]
    action: Py<Action>,
    /// The chance to win with it; in Eights and Hearts the points by which the round is better than the
    /// others'.
    #[pyo3(get)]
    value: f64,
    /// Standard error of the value; none where it is not known.
    #[pyo3(get)]
    error: Option<f64>,
    /// How often the action was tried.
    #[pyo3(get)]
    visits: u32,
}

/// The arguments from which a pickled candidate is made again.
type Parts<'a> = (&'a Py<Action>, f64, Option<f64>, u32);

#[pymethods]
impl Candidate {
    #[new]
    #[pyo3(signature = (action, value, error, visits))]
    fn new(action: Py<Action>, value: f64, error: Option<f64>, visits: u32) -> Candidate {
        Candidate {
            action,
            value,
            error,
            visits,
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, Parts<'_>) {
        let parts = (&self.action, self.value, self.error, self.visits);
        (py.get_type::<Candidate>(), parts)
    }

    fn __repr__(&self) -> String {
        let error = self
            .error
            .map_or(String::new(), |error| format!(" ± {error:.4}"));
        format!(
            "Candidate({:?}, {:.4}{error}, {} visits)",
            self.action.get().text,
            self.value,
            self.visits
        )
    }
}

/// A built-in player, made by its name and its settings.
///
/// `name` is one of `players(game)`; `game` is needed only to learn at once whether that game has the player; `seed`
/// is that of its random numbers where you ask the player yourself: in matches, tournaments and environments every game
/// gives it another. Settings by player:
///
/// - Cartagena: `runme` takes `nodes` (positions an action), `time` (seconds; 0.05 by default), `candidates`,
///   `memory`, `models`, `confidence`, `worlds`, `evaluator`, `margin`, `exploration`, `levels`, `enough`, `width`, `inner`,
///   `part`, `network`, `noise`; `hoarder` takes `card`, `freed`, `option`, `enough`; `mcts` takes `iterations`,
///   `exploration`, `temperature`, `reduction`, `playout`, `random`; `flat` takes `games`; `forest` takes `worlds`,
///   `expansions`.
/// - The challenge game: `search` takes `worlds` and `mistakes`.
/// - Eights and Hearts: `search` takes `nodes`, `time`, `threads`, `policy` (of its playouts), `network`, and True
///   for `blind`, `flat` or `points`.
#[pyclass(module = "contestants")]
pub(crate) struct Player {
    pub(crate) spec: Spec,
    game: Option<String>,
    seed: u64,
    /// Those that have been asked, by game and seat: one that is asked for both seats of a game knows the hands of both.
    asked: HashMap<(&'static str, usize), Mutex<Box<dyn Seat>>>,
    makers: HashMap<&'static str, Maker>,
    /// The search of `runme`, once it was asked what it finds.
    searching: Option<Searching>,
}

/// The history that somebody is asked about, of its own: the caller's may change during a long search.
fn asked(what: &Bound<'_, PyAny>) -> PyResult<Box<dyn AnyHistory>> {
    if let Ok(state) = what.cast::<State>() {
        return Ok(state.try_borrow()?.history.boxed());
    }
    let Ok(view) = what.cast::<View>() else {
        let kind = what.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "expected a State or a View, not {kind}"
        )));
    };
    let view = view.get();
    if view.state.history.turn() != Turn::Seat(view.seat) {
        return Err(PyValueError::new_err("the seat of the view is not to move"));
    }
    Ok(view.state.history.boxed())
}

/// The arguments from which a pickled player is made again: name, game, seed and settings.
type Arguments<'py> = (String, Option<String>, u64, Bound<'py, PyDict>);

/// The player and its settings, as the command line would name them.
fn spec(name: &str, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Spec> {
    let mut spec: Spec = name
        .parse()
        .map_err(|error: BuiltinError| value_error(error))?;
    for (key, value) in settings.into_iter().flatten() {
        let key: String = key.extract()?;
        // These, and the name of a policy, are words without a value there.
        let (key, value) = match key.as_str() {
            word if WORDS.contains(&word) => match convert::truth(&key, &value)? {
                true => (key, None),
                false => continue,
            },
            "policy" => (convert::setting(&key, &value)?, None),
            _ => {
                let value = convert::setting(&key, &value)?;
                (key, Some(value))
            }
        };
        spec.settings.add(&key, value).map_err(value_error)?;
    }
    Ok(spec)
}

/// The settings that are true or false. On a command line they are words without a value, as the name of a policy is.
const WORDS: [&str; 3] = ["blind", "flat", "points"];

impl Player {
    /// The error of a game that refuses the player, with the settings as they are given in Python.
    fn refused(&self, game: &str, error: BuiltinError) -> PyErr {
        let is_policy = |key: &str| {
            let words = self
                .spec
                .settings
                .iter()
                .filter(|(_, value)| value.is_none());
            !WORDS.contains(&key) && words.map(|word| word.0).any(|word| word == key)
        };
        match &error {
            BuiltinError::UnknownKey { key, .. } if is_policy(key) => {
                let policies = brain::names(game);
                let policies: Vec<&str> = policies.iter().map(String::as_str).collect();
                let policies = policies.iter().filter(|&&name| name != "search");
                let policies: Vec<&str> = policies.copied().collect();
                PyValueError::new_err(format!(
                    "policy = {key:?}: expected one of {}",
                    policies.join(", ")
                ))
            }
            BuiltinError::Malformed(key) => {
                let key = if is_policy(key) { "policy" } else { key };
                PyValueError::new_err(format!("{} has no setting {key:?}", self.spec.name))
            }
            // The value is read as a word of the command line, whose words for truths are not Python's.
            BuiltinError::Value { key, value, reason } if reason.contains("`true` or `false`") => {
                PyValueError::new_err(format!("{key}={value}: expected True or False"))
            }
            _ => value_error(error),
        }
    }

    /// The seed of the player at a seat. With the same random numbers two seats would play alike.
    fn seed_at(&self, seat: usize) -> u64 {
        self.seed ^ (seat as u64) << 32
    }

    /// Makes players of a game.
    pub(crate) fn maker(&mut self, game: &'static str) -> PyResult<Maker> {
        if let Some(maker) = self.makers.get(game) {
            return Ok(Maker::clone(maker));
        }
        if self.game.as_ref().is_some_and(|own| own != game) {
            let text = format!(
                "a player of {}, asked about {game}",
                self.game.as_deref().unwrap_or("")
            );
            return Err(PyValueError::new_err(text));
        }
        let maker = brain::maker(game, &self.spec).map_err(|error| self.refused(game, error))?;
        self.makers.insert(game, Maker::clone(&maker));
        Ok(maker)
    }
}

#[pymethods]
impl Player {
    /// The player of a name, such as `runme`, with settings; `game` is needed only to be told at once
    /// if the game has no such player.
    #[new]
    #[pyo3(signature = (name, *, game = None, seed = 1, **settings))]
    fn new(
        name: &str,
        game: Option<&str>,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Player> {
        let spec = spec(name, settings)?;
        let mut player = Player {
            spec,
            game: game.map(str::to_owned),
            seed,
            asked: HashMap::new(),
            makers: HashMap::new(),
            searching: None,
        };
        let mut refused: Option<PyErr> = None;
        // Without a game, it is enough that one game knows the player.
        for known in games::names()
            .into_iter()
            .filter(|&known| game.is_none_or(|game| game == known))
        {
            match player.maker(known) {
                Ok(_) => return Ok(player),
                Err(error) => {
                    // The error is that of a game that knows the name, if there is one.
                    let knows = brain::names(known).contains(&player.spec.name);
                    if refused.is_none() || knows {
                        refused = Some(error);
                    }
                }
            }
        }
        if let Some(game) = game.filter(|_| refused.is_none()) {
            return Err(PyValueError::new_err(format!("there is no game {game:?}")));
        }
        let all: Vec<_> = games::names()
            .into_iter()
            .map(|one| (one, brain::names(one)))
            .collect();
        let is_known = all
            .iter()
            .any(|(_, names)| names.contains(&player.spec.name));
        // A text for each game, as the player might be meant to be of any.
        let texts = all
            .iter()
            .map(|(one, names)| format!("{one} has {}", names.join(", ")));
        let texts: Vec<String> = texts.collect();
        let unknown = || {
            let name = &player.spec.name;
            PyValueError::new_err(format!(
                "there is no built-in player {name:?}; {}",
                texts.join("; ")
            ))
        };
        Err(refused
            .filter(|_| is_known || game.is_some())
            .unwrap_or_else(unknown))
    }

    /// The player's name, such as `runme`.
    #[getter]
    pub(crate) fn name(&self) -> &str {
        &self.spec.name
    }

    /// The action that it takes for the player to move, by what that player sees.
    fn choose(own: &Bound<'_, Self>, what: &Bound<'_, PyAny>) -> PyResult<Action> {
        let (py, mut own) = (own.py(), lent(own)?);
        let own = &mut *own;
        let history = asked(what)?;
        let Turn::Seat(seat) = history.turn() else {
            return Err(value_error(NoCandidates::NoTurn));
        };
        let name = history.name();
        let maker = own.maker(name)?;
        let seed = own.seed_at(seat);
        // It goes to the thread that asks it. If the call is interrupted, the next one asks a new one.
        let known = own.asked.remove(&(name, seat));
        let mut brain = known.unwrap_or_else(|| Mutex::new(maker(seed)));
        let (brain, history, chosen) = workers::interruptible(py, move || {
            // Nobody else has it.
            let one = brain.get_mut().unwrap_or_else(PoisonError::into_inner);
            let chosen = one.choose(&*history);
            (brain, history, chosen)
        })?;
        own.asked.insert((name, seat), brain);
        let id: Id = chosen.map_err(value_error)?;
        Ok(Action {
            id,
            text: history.action_text(id),
        })
    }

    /// Its values of the actions of the player to move, the best first. There may be none if only one is legal or the
    /// choice is clear.
    fn candidates(own: &Bound<'_, Self>, what: &Bound<'_, PyAny>) -> PyResult<Vec<Candidate>> {
        let (py, mut own) = (own.py(), lent(own)?);
        let own = &mut *own;
        let history = asked(what)?;
        own.maker(history.name())?;
        let seed = match history.turn() {
            Turn::Seat(seat) => own.seed_at(seat),
            _ => own.seed,
        };
        let (spec, mut loaded) = (own.spec.clone(), own.searching.take());
        let (found, history, loaded) = workers::interruptible(py, move || {
            let found = candidates::candidates(&spec, seed, &mut loaded, &*history);
            (found, history, loaded)
        })?;
        own.searching = loaded;
        let found = found.map_err(value_error)?.into_iter().map(|one| {
            let action = Action {
                id: one.id,
                text: history.action_text(one.id),
            };
            Ok(Candidate {
                action: Py::new(py, action)?,
                value: one.value,
                error: one.error,
                visits: one.visits,
            })
        });
        found.collect()
    }

    /// Each player's chance to win by its evaluation alone.
    fn evaluate(own: &Bound<'_, Self>, what: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
        let (py, mut own) = (own.py(), lent(own)?);
        let own = &mut *own;
        let history = asked(what)?;
        let (spec, loaded) = (&own.spec, &mut own.searching);
        py.detach(|| candidates::evaluation(spec, loaded, &*history))
            .map_err(value_error)
    }

    fn __call__(own: &Bound<'_, Self>, what: &Bound<'_, PyAny>) -> PyResult<Action> {
        Player::choose(own, what)
    }

    /// Pickle and copy make a player of the same name, seed and settings, which has played nothing yet.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Arguments<'py>)> {
        let make = py.import("contestants")?.getattr("_player")?;
        let settings = PyDict::new(py);
        for (key, value) in self.spec.settings.iter() {
            match (key, value) {
                (_, Some(value)) => settings.set_item(key, value)?,
                (word, None) if WORDS.contains(&word) => settings.set_item(word, true)?,
                // Any other word alone is the name of a policy.
                (policy, None) => settings.set_item("policy", policy)?,
            }
        }
        let game = self.game.clone();
        Ok((make, (self.spec.name.clone(), game, self.seed, settings)))
    }

    fn __repr__(&self) -> String {
        let mut text = format!("Player({:?}", self.spec.name);
        for (key, value) in self.spec.settings.iter() {
            text += &match (key, value) {
                // A number is shown as one.
                (_, Some(value)) if value.parse::<f64>().is_ok() => format!(", {key}={value}"),
                (_, Some(value)) => format!(", {key}={value:?}"),
                (word, None) if WORDS.contains(&word) => format!(", {word}=True"),
                (policy, None) => format!(", policy={policy:?}"),
            };
        }
        text + &format!(", seed={})", self.seed)
    }
}

/// The names of a game's players.
#[pyfunction]
pub(crate) fn players(game: &str) -> PyResult<Vec<String>> {
    match games::names().contains(&game) {
        true => Ok(brain::names(game)),
        false => Err(PyValueError::new_err(format!("there is no game {game:?}"))),
    }
}
