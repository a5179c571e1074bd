//! A game that is played, and what a seat sees of it.

use crate::action::Action;
use crate::convert::{self, from_python, to_python, value_error};
use crate::objects::{CHANCE, Game, State, TERMINAL, View};
use crate::observed::{self, Rows};
use crate::records;
use games::any::Origin;
use games::{AnyGame, AnyHistory, Eyes, Id, SavedHistory, Turn, Witnessed, ids};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

pub(crate) fn whose(turn: Turn) -> i32 {
    match turn {
        Turn::Chance => CHANCE,
        Turn::Over => TERMINAL,
        Turn::Seat(seat) => seat as i32,
    }
}

pub(crate) fn legal_actions(history: &dyn AnyHistory) -> Vec<Action> {
    let action = |id| Action {
        id,
        text: history.action_text(id),
    };
    ids(history.legal()).map(action).collect()
}

/// The bytes of a game that looks the same to a seat, and the seat: the arguments from which a pickled view is made.
type Shown<'py> = (Bound<'py, PyBytes>, usize);

/// An event as a seat saw it: who acted, what it was, and whether the next seat saw it too.
type Seen = (Option<u8>, Option<Id>, bool);

/// A function that gives the words of an id.
type Words = fn(&dyn AnyHistory, Id) -> String;

/// An action or an outcome of chance as it was named.
enum Named {
    Words(String),
    Id(i64),
}

/// Reads a number, an action, or an action's words. Numbers of other classes may run any code, so no game may be borrowed
/// for a change meanwhile.
fn named(what: &Bound<'_, PyAny>) -> PyResult<Named> {
    if let Ok(text) = what.extract::<String>() {
        return Ok(Named::Words(text));
    }
    match what.cast::<Action>() {
        Ok(action) => Ok(Named::Id(action.get().id.into())),
        Err(_) => convert::id(what).map(Named::Id),
    }
}

/// The id that is meant: a number, an action, or an action's words.
pub(crate) fn id_of(history: &dyn AnyHistory, what: &Bound<'_, PyAny>) -> PyResult<Id> {
    found(history, named(what)?)
}

/// The id, if it is possible.
fn found(history: &dyn AnyHistory, named: Named) -> PyResult<Id> {
    let id: i64 = match named {
        Named::Id(id) => id,
        Named::Words(text) => {
            let wanted = text.trim();
            let (ids, words): (Vec<Id>, Words) = match history.turn() {
                Turn::Chance => {
                    let chances = history.chances();
                    let ids = chances.iter().map(|outcome| outcome.0).collect();
                    (ids, |history, id| history.outcome_text(id))
                }
                _ => (ids(history.legal()).collect(), |history, id| {
                    history.action_text(id)
                }),
            };
            // After the end nothing is possible, whatever the words are.
            if ids.is_empty() {
                history.check(0).map_err(value_error)?;
            }
            // Words are compared with those of all possible ids, so that the error can list them.
            let found = ids.iter().find(|&&id| words(history, id) == wanted);
            match found {
                Some(&id) => id.into(),
                None => {
                    let known: Vec<String> = ids.iter().map(|&id| words(history, id)).collect();
                    return Err(PyValueError::new_err(format!(
                        "{text:?} is not possible here; possible are {}",
                        known.join(", ")
                    )));
                }
            }
        }
    };
    // Checked before the number is cut to a byte: 256 is not 0.
    history.check(id).map_err(value_error)?;
    Ok(id as Id)
}

fn mask<'py>(py: Python<'py>, game: &AnyGame, set: u64) -> Bound<'py, PyArray1<bool>> {
    let mask: Vec<bool> = (0..game.actions).map(|id| set >> id & 1 == 1).collect();
    mask.into_pyarray(py)
}

/// The picture for these eyes, with an action drawn in if one is given.
fn picture(
    history: &dyn AnyHistory,
    eyes: Eyes,
    action: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    // An action is drawn only for eyes that see the mover's cards: whether it is legal would give them away.
    let mover = matches!(history.turn(), Turn::Seat(mover) if eyes.sees(mover));
    let id = match action {
        Some(action) if mover => Some(id_of(history, action)?),
        Some(_) => {
            return Err(PyValueError::new_err(
                "only actions of the player to move can be drawn",
            ));
        }
        None => None,
    };
    Ok(history.picture(eyes, id))
}

#[pymethods]
impl State {
    /// The game that is played, with its options.
    #[getter]
    fn game(&self) -> Game {
        Game(Arc::clone(&self.game))
    }

    /// The seed of chance; none if chance is explicit.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.history.seed()
    }

    /// The seat to move, from 0; `CHANCE` or `TERMINAL`.
    #[getter]
    fn current_player(&self) -> i32 {
        whose(self.history.turn())
    }

    /// The seats to move: one, or none.
    #[getter]
    fn players_to_move(&self) -> Vec<usize> {
        match self.history.turn() {
            Turn::Seat(seat) => vec![seat],
            _ => Vec::new(),
        }
    }

    /// Whether it is chance's turn.
    #[getter]
    fn is_chance(&self) -> bool {
        self.history.turn() == Turn::Chance
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.history.turn() == Turn::Over
    }

    /// Whether the game was stopped undecided.
    #[getter]
    fn is_stopped(&self) -> bool {
        self.history.stopped()
    }

    /// The legal actions, ids ascending.
    fn legal_actions(&self) -> Vec<Action> {
        legal_actions(&*self.history)
    }

    /// The ids of the legal actions, in order.
    fn legal_ids(&self) -> Vec<u32> {
        ids(self.history.legal()).map(u32::from).collect()
    }

    /// For each id whether it is legal.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        mask(py, &self.game, self.history.legal())
    }

    /// The possible outcomes of chance, with their probabilities.
    fn chance_outcomes(&self) -> Vec<(u32, f64)> {
        let chances = self.history.chances();
        let sum: u32 = chances.iter().map(|outcome| outcome.1).sum();
        // A probability is an outcome's weight divided by the sum of all.
        let share = |&(id, weight): &(Id, u32)| (id.into(), f64::from(weight) / f64::from(sum));
        chances.iter().map(share).collect()
    }

    /// Takes an action, or an outcome of chance: by id, as an object, or in words. Returns the state.
    fn apply<'py>(
        own: &Bound<'py, State>,
        what: &Bound<'py, PyAny>,
    ) -> PyResult<PyRefMut<'py, State>> {
        let named = named(what)?;
        let mut own = own.try_borrow_mut()?;
        let id = found(&*own.history, named)?;
        // The state itself changes and is returned, so that calls can be chained.
        own.history.apply(id).map_err(value_error)?;
        Ok(own)
    }

    /// Takes back the last action with the outcomes of chance after it; without a seed, the last event. Returns whether
    /// there was one.
    fn undo(&mut self) -> bool {
        self.history.undo()
    }

    /// A copy of the game. A change of one does not change the other.
    fn copy(&self) -> State {
        self.duplicate()
    }

    /// What a seat sees, by default that of the player to move.
    #[pyo3(signature = (seat = None))]
    fn view(
        &self,
        #[pyo3(from_py_with = convert::optional_seat)] seat: Option<usize>,
    ) -> PyResult<View> {
        // Without a seat it is the one to move.
        let seat = match (seat, self.history.turn()) {
            (Some(seat), _) => self.seat(seat)?,
            (None, Turn::Seat(seat)) => seat,
            (None, _) => {
                let text = "it is nobody's turn: whose view is wanted?";
                return Err(PyValueError::new_err(text));
            }
        };
        Ok(View::new(self.duplicate(), seat))
    }

    /// The return of each seat. The returns sum to 0, and are all 0 before the end.
    fn returns(&self) -> Vec<f64> {
        // Returns have room for the most players of any game.
        self.history.returns()[..self.game.players].to_vec()
    }

    /// Points or the like, as the game counts them.
    fn scores(&self) -> Vec<f64> {
        self.history.scores()[..self.game.players].to_vec()
    }

    /// The events so far: pairs of a seat, or `CHANCE`, and an id.
    fn history(&self) -> Vec<(i32, u32)> {
        let events = self.history.events().iter();
        let event =
            |event: &games::Event| (event.seat.map_or(CHANCE, i32::from), u32::from(event.id));
        events.map(event).collect()
    }

    /// An action, or on chance's turn an outcome, in words.
    fn id_to_text(&self, #[pyo3(from_py_with = convert::id)] id: i64) -> PyResult<String> {
        self.history.check(id).map_err(value_error)?;
        let id = id as Id;
        Ok(match self.history.turn() {
            Turn::Chance => self.history.outcome_text(id),
            _ => self.history.action_text(id),
        })
    }

    /// What a seat sees as a plain observation.
    fn observation<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::seat)] seat: usize,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let seat = self.seat(seat)?;
        Ok(observed::plain(py, &self.game, &*self.history, seat))
    }

    /// What the game's network sees of the player to move, a 0 or 1 for each feature.
    fn network_observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        observed::network(py, &self.game, &*self.history, None)
    }

    /// What the player to move would see after each of its actions, before chance has its turn:
    /// ids, observations, outcomes.
    #[pyo3(signature = (observation = Some("plain")), text_signature = "($self, observation='plain')")]
    fn afterstates<'py>(&self, py: Python<'py>, observation: Option<&str>) -> PyResult<Rows<'py>> {
        observed::after(py, &self.game, &*self.history, None, observation)
    }

    /// All that a seat has seen of the game, the same for all games that look the same to it. In Cartagena it does not say
    /// which own retreat drew which card.
    fn information_state(
        &self,
        #[pyo3(from_py_with = convert::seat)] seat: usize,
    ) -> PyResult<String> {
        Ok(self.history.information(self.seat(seat)?))
    }

    /// All that a seat has seen of the game, event by event, as numbers of 0 and 1 in the shape of
    /// `Game.information_shape`. A game of Cartagena that was resampled has none.
    fn information_tensor<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::seat)] seat: usize,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let seat = self.seat(seat)?;
        observed::information(py, &self.game, &*self.history, seat, None)
    }

    /// A game that looks the same to a seat. Its hidden cards are drawn by the seed `draw`.
    #[pyo3(signature = (seat, draw = 0))]
    fn resample(
        &self,
        #[pyo3(from_py_with = convert::seat)] seat: usize,
        #[pyo3(from_py_with = convert::draw)] draw: u64,
    ) -> PyResult<State> {
        Ok(self.sampled(self.seat(seat)?, draw))
    }

    /// Everything, as plain values.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.history.view(Eyes::All))
    }

    /// The position as the contest's text for the player to move: Cartagena alone.
    fn to_text(&self) -> PyResult<String> {
        records::contest_text(&*self.history).map_err(value_error)
    }

    /// The finished game as the record of a referee, with the players' names by seat.
    #[pyo3(signature = (players = None))]
    fn to_record<'py>(
        &self,
        py: Python<'py>,
        players: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = self.game.players;
        let players =
            players.unwrap_or_else(|| (1..=count).map(|n| format!("player {n}")).collect());
        let record = self.history.record(&players).map_err(value_error)?;
        to_python(py, &record)
    }

    /// The game of a referee's record, after its first `actions` actions; by default after all of them. Of a whole game
    /// of Eights or Hearts, which a tournament records, it is the round that `round` names, counted from 0.
    #[staticmethod]
    #[pyo3(signature = (record, actions = None, round = None))]
    fn from_record(
        record: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = convert::optional_actions)] actions: Option<usize>,
        #[pyo3(from_py_with = convert::optional_round)] round: Option<usize>,
    ) -> PyResult<State> {
        let record = records::round_of(from_python(record)?, round).map_err(value_error)?;
        let asked = actions.unwrap_or(usize::MAX);
        let (game, history) = games::from_record(&record, asked).map_err(value_error)?;
        let found = history.events().iter().filter(|event| event.seat.is_some());
        let found = found.count();
        if actions.is_some_and(|asked| found < asked) {
            return Err(PyValueError::new_err(format!(
                "actions: expected at most {found}, which the record has, not {asked}"
            )));
        }
        // The events of a record begin with its deal, so no position has to be stored.
        Ok(State::new(game, Origin::New, history))
    }

    /// The game as bytes, from which `loads` makes it again.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        // The game's name, options, start, seed and events: the state follows from these.
        let text = serde_json::to_vec(&self.saved()).map_err(value_error)?;
        Ok(PyBytes::new(py, &text))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Py<PyAny>, (Bound<'py, PyBytes>,))> {
        // Pickle stores the function by its name, and the bytes that it is called with.
        let make = py.import("contestants")?.getattr("loads")?;
        Ok((make.unbind(), (self.to_bytes(py)?,)))
    }

    fn __copy__(&self) -> State {
        self.duplicate()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.duplicate()
    }

    fn __eq__(&self, other: &State) -> bool {
        // Equal if the same events lead to both from the same start; other orders do not count.
        self.saved() == other.saved()
    }

    fn __str__(&self) -> String {
        self.history.text(Eyes::All)
    }

    fn __repr__(&self) -> String {
        let turn = match self.history.turn() {
            Turn::Chance => "chance is to move".to_owned(),
            Turn::Over => "over".to_owned(),
            Turn::Seat(seat) => format!("seat {seat} is to move"),
        };
        format!(
            "<State of {}: {} events, {turn}>",
            self.game.name,
            self.history.events().len()
        )
    }

    /// A picture, an SVG document. An action of the player to move is drawn in if one is given.
    #[pyo3(signature = (action = None))]
    fn svg(&self, action: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        picture(&*self.history, Eyes::All, action)
    }

    fn _repr_svg_(&self) -> String {
        self.history.picture(Eyes::All, None)
    }
}

/// The state that `State.to_bytes` wrote.
#[pyfunction]
pub(crate) fn loads(data: &[u8]) -> PyResult<State> {
    let saved: SavedHistory = serde_json::from_slice(data)
        .map_err(|error| value_error(format!("not a stored game: {error}")))?;
    // The events are played again, so bytes that break the rules are refused.
    let (game, history) = saved.load().map_err(value_error)?;
    Ok(State::new(game, saved.origin, history))
}

#[pymethods]
impl View {
    /// The game that is played, with its options.
    #[getter]
    fn game(&self) -> Game {
        self.state.game()
    }

    /// The seat that has this view, from 0.
    #[getter]
    fn seat(&self) -> usize {
        self.seat
    }

    /// The seat to move, from 0; `CHANCE` or `TERMINAL`.
    #[getter]
    fn current_player(&self) -> i32 {
        self.state.current_player()
    }

    /// The legal actions, if the seat is to move.
    fn legal_actions(&self) -> Vec<Action> {
        match self.state.history.turn() {
            // Legal actions show cards, so another seat gets none.
            Turn::Seat(mover) if mover == self.seat => self.state.legal_actions(),
            _ => Vec::new(),
        }
    }

    /// The ids of the legal actions, in order.
    fn legal_ids(&self) -> Vec<u32> {
        self.legal_actions()
            .iter()
            .map(|action| action.id.into())
            .collect()
    }

    /// For each id whether it is legal.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let set = self
            .legal_actions()
            .iter()
            .fold(0, |set, action| set | 1 << action.id);
        mask(py, &self.state.game, set)
    }

    /// Points or the like, as the game counts them.
    fn scores(&self) -> Vec<f64> {
        self.state.scores()
    }

    /// What is seen, as plain values.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.state.history.view(Eyes::Seat(self.seat)))
    }

    /// The contest's text, if the seat is to move: Cartagena alone.
    fn to_text(&self) -> PyResult<String> {
        match self.state.history.turn() {
            // The text has the mover's hand, so another seat gets none.
            Turn::Seat(mover) if mover == self.seat => self.state.to_text(),
            _ => Err(PyValueError::new_err("the text is for the player to move")),
        }
    }

    /// What is seen as a plain observation.
    fn observation<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        observed::plain(py, &self.state.game, &*self.state.history, self.seat)
    }

    /// What the game's network sees, if the seat is to move.
    fn network_observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let State { game, history, .. } = &self.state;
        observed::network(py, game, &**history, Some(self.seat))
    }

    /// What the seat, if it is to move, would see after each of its actions, before chance has its turn:
    /// ids, observations, outcomes.
    #[pyo3(signature = (observation = Some("plain")), text_signature = "($self, observation='plain')")]
    fn afterstates<'py>(&self, py: Python<'py>, observation: Option<&str>) -> PyResult<Rows<'py>> {
        let State { game, history, .. } = &self.state;
        observed::after(py, game, &**history, Some(self.seat), observation)
    }

    /// All that the seat has seen of the game; in Cartagena it does not say which own retreat drew which card.
    fn information_state(&self) -> String {
        self.state.history.information(self.seat)
    }

    /// The same as numbers of 0 and 1, event by event, in the shape of `Game.information_shape`.
    fn information_tensor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let State { game, history, .. } = &self.state;
        observed::information(py, game, &**history, self.seat, self.seen.get())
    }

    /// Pickle and copy keep what the seat sees, and no card that it does not.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Py<PyAny>, Shown<'py>, Option<Vec<Seen>>)> {
        let make = py.import("contestants")?.getattr("_view")?;
        let shown = self.state.sampled(self.seat, 0);
        let history = &self.state.history;
        // A game that begins in its middle has no events from which the tensor could be made.
        let lost = history.position().is_none() && shown.history.position().is_some();
        let seen = self
            .seen
            .get()
            .cloned()
            .or_else(|| lost.then(|| history.seen(self.seat)));
        let seen = seen.map(|seen| seen.iter().map(|one| (one.by, one.id, one.open)).collect());
        Ok((make.unbind(), (shown.to_bytes(py)?, self.seat), seen))
    }

    fn __setstate__(&self, seen: Vec<Seen>) {
        let seen = seen
            .into_iter()
            .map(|(by, id, open)| Witnessed { by, id, open });
        self.seen.get_or_init(|| seen.collect());
    }

    fn __copy__(&self) -> View {
        View {
            seen: self.seen.clone(),
            ..View::new(self.state.duplicate(), self.seat)
        }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> View {
        self.__copy__()
    }

    /// A game that looks the same to the seat. Its hidden cards, and outcomes of chance from there on, are drawn by the
    /// seed `draw`.
    #[pyo3(signature = (draw = 0))]
    fn sample(&self, #[pyo3(from_py_with = convert::draw)] draw: u64) -> State {
        self.state.sampled(self.seat, draw)
    }

    fn __str__(&self) -> String {
        self.state.history.text(Eyes::Seat(self.seat))
    }

    fn __repr__(&self) -> String {
        format!("<View of {} from seat {}>", self.state.game.name, self.seat)
    }

    /// A picture, an SVG document. An action of the player to move is drawn in if one is given.
    #[pyo3(signature = (action = None))]
    fn svg(&self, action: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        picture(&*self.state.history, Eyes::Seat(self.seat), action)
    }

    fn _repr_svg_(&self) -> String {
        self.state.history.picture(Eyes::Seat(self.seat), None)
    }
}
