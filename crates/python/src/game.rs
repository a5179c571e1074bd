//! A game with its options.

use crate::convert::{self, to_python, value_error};
use crate::objects::{Game, State};
use crate::observed;
use games::Eyes;
use games::any::{Origin, of_text};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// The arguments from which a pickled game is made again.
type Arguments<'py> = (String, Bound<'py, PyAny>);

#[pymethods]
impl Game {
    /// The game of a name; options that are left out are the contest's.
    #[new]
    #[pyo3(signature = (name, **options))]
    fn new(name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
        // Without options the game is the contest's.
        let usual = games::game(name, json!({})).map_err(value_error)?;
        let Some(options) = options else {
            return Ok(Game(usual));
        };
        let (known, mut read) = (&usual.options, Map::new());
        for (key, value) in options {
            let key: String = key.extract()?;
            let value = convert::option(&key, &value, known.get(&key))?;
            read.insert(key, value);
        }
        let game = games::game(name, Value::Object(read)).map_err(value_error)?;
        Ok(Game(game))
    }

    /// The game's name, as in `GAMES`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// The number of players, by its options.
    #[getter]
    fn players(&self) -> usize {
        self.0.players
    }

    /// Ids of actions are below this.
    #[getter]
    fn num_actions(&self) -> usize {
        self.0.actions
    }

    /// Ids of outcomes of chance are below this.
    #[getter]
    fn num_outcomes(&self) -> usize {
        self.0.outcomes
    }

    /// The most actions and outcomes of chance of a game.
    #[getter]
    fn max_length(&self) -> usize {
        self.0.longest
    }

    /// The length of a plain observation.
    #[getter]
    fn observation_size(&self) -> usize {
        self.0.observation
    }

    /// The length of what the network sees; none if the game has no network.
    #[getter]
    fn network_size(&self) -> Option<usize> {
        self.0.features
    }

    /// The fields of a plain observation in order, with their lengths.
    #[getter]
    fn fields(&self) -> Vec<(&'static str, usize)> {
        let fields = self.0.fields.iter();
        fields.map(|field| (field.name, field.size)).collect()
    }

    /// The largest value that a byte of each field can have, by its name.
    #[getter]
    fn highest(&self) -> BTreeMap<&'static str, u8> {
        let fields = self.0.fields.iter();
        fields.map(|field| (field.name, field.highest)).collect()
    }

    /// The part of a plain observation that each field has, by its name: `observation[..., game.slices["hand"]]`.
    #[getter]
    fn slices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let slices = PyDict::new(py);
        let mut start = 0;
        for field in &self.0.fields {
            let end = start + field.size as isize;
            slices.set_item(field.name, PySlice::new(py, start, end, 1))?;
            start = end;
        }
        Ok(slices)
    }

    /// The shape of an information tensor: events, and numbers of each. None where a game can be so long that the
    /// tensor would have more than 65,536 numbers.
    #[getter]
    fn information_shape(&self) -> Option<(usize, usize)> {
        observed::information_shape(&self.0)
    }

    /// The options by name, defaults included.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0.options)
    }

    /// A new game. With a seed, outcomes of chance are drawn at once, and always the same ones. Without a seed, `apply`
    /// takes each outcome as it takes an action; only the board, if the game draws one, is random.
    #[pyo3(signature = (seed = None))]
    fn new_game(&self, #[pyo3(from_py_with = convert::optional_seed)] seed: Option<u64>) -> State {
        let game = Arc::clone(&self.0);
        if seed.is_some() {
            return State::new(game, Origin::New, self.0.start(seed));
        }
        // Each hasher of the standard library has its own random keys: a source of chance without a crate.
        let draw = RandomState::new().hash_one(0);
        let (usual, drawn) = (self.0.start(None), self.0.start_by(draw));
        match usual.view(Eyes::All) == drawn.view(Eyes::All) {
            // Nothing is drawn at the start, and games without events are equal.
            true => State::new(game, Origin::New, usual),
            false => State::new(game, Origin::Drawn(draw), drawn),
        }
    }

    /// The position of a text of the Cartagena contest. Cards that the player to move does not see are drawn by the
    /// seed `draw`.
    #[staticmethod]
    #[pyo3(signature = (text, draw = 0, seed = None))]
    fn from_text(
        text: &str,
        #[pyo3(from_py_with = convert::draw)] draw: u64,
        #[pyo3(from_py_with = convert::optional_seed)] seed: Option<u64>,
    ) -> PyResult<State> {
        let (game, history) = of_text(text, draw, seed).map_err(value_error)?;
        let origin = Origin::Text {
            text: text.to_owned(),
            draw,
        };
        Ok(State::new(game, origin, history))
    }

    fn __repr__(&self) -> String {
        let options = &self.0.options;
        let mut text = format!("Game({:?}", self.0.name);
        for (key, value) in options.as_object().into_iter().flatten() {
            // Python's own words for what JSON writes differently, so that the text can be evaluated.
            let value = match value {
                Value::Null => "None".to_owned(),
                Value::Bool(true) => "True".to_owned(),
                Value::Bool(false) => "False".to_owned(),
                value => value.to_string(),
            };
            text += &format!(", {key}={value}");
        }
        text + ")"
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.0.name == other.0.name && self.0.options == other.0.options
    }

    fn __hash__(&self) -> u64 {
        // From name and options alone, by which games are compared: equal games have equal hashes.
        let text = format!("{}{}", self.0.name, self.0.options);
        let mix = |hash: u64, byte: u8| engine::rng::mix(hash ^ u64::from(byte));
        text.bytes().fold(0, mix)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Py<PyAny>, Arguments<'py>)> {
        let make = py.import("contestants")?.getattr("_game")?;
        let options = to_python(py, &self.0.options)?;
        Ok((make.unbind(), (self.0.name.to_owned(), options)))
    }
}
