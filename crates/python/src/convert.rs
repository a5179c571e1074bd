//! Values of JSON as Python's, errors as exceptions, and sets of ids as lists.

use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray1, PyUntypedArray};
use numpy::{PyUntypedArrayMethods, dtype};
use pyo3::IntoPyObjectExt;
use pyo3::PyClass;
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::False;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use serde_json::Value;

/// Any error as a `ValueError` that says the same.
pub(crate) fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A value as Python's `json` module would read it.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (None, Some(number)) => number.into_bound_py_any(py),
            (None, None) => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(values) => {
            let list = PyList::empty(py);
            for value in values {
                list.append(to_python(py, value)?)?;
            }
            Ok(list.into_any())
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (key, value) in fields {
                dict.set_item(key, to_python(py, value)?)?;
            }
            Ok(dict.into_any())
        }
    }
}

/// The value that Python's `json` module writes. Whole numbers of other libraries, such as numpy's, count as such.
pub(crate) fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let py = value.py();
    let named = PyDict::new(py);
    // `json` calls this with whatever it does not know.
    named.set_item("default", py.import("operator")?.getattr("index")?)?;
    let written = py
        .import("json")?
        .call_method("dumps", (value,), Some(&named));
    let text: String = written?.extract()?;
    serde_json::from_str(&text).map_err(value_error)
}

/// The object for a call that changes it. It may be in such a call already: of another thread, or of this one, if a
/// function that the object has called calls it in turn.
pub(crate) fn lent<'py, T: PyClass<Frozen = False>>(
    object: &Bound<'py, T>,
) -> PyResult<PyRefMut<'py, T>> {
    object.try_borrow_mut().map_err(|_| {
        let name = object
            .as_any()
            .get_type()
            .name()
            .map_or_else(|_| String::new(), |name| name.to_string());
        PyRuntimeError::new_err(format!(
            "this {name} is in another call: of another thread, or of the function that it has called; give each \
             thread its own"
        ))
    })
}

/// An argument with a value that it cannot have, in words.
fn told(argument: &str, value: &Bound<'_, PyAny>, expected: &str) -> String {
    // As Python writes it: a text has quotes, and a number of numpy its type.
    let shown = value
        .repr()
        .map_or_else(|_| value.get_type().to_string(), |shown| shown.to_string());
    format!("{argument} = {shown}: expected {expected}")
}

/// The error for an argument of another type.
fn mistyped(argument: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    PyTypeError::new_err(told(argument, value, expected))
}

/// A whole number of an argument. It may be of any class with `__index__`; exceptions of that method come out as they
/// are, except a `TypeError`.
fn whole<'py, T: FromPyObjectOwned<'py>>(
    argument: &str,
    value: &Bound<'py, PyAny>,
    expected: &str,
) -> PyResult<T> {
    value.extract::<T>().map_err(|error| {
        let (py, error): (_, PyErr) = (value.py(), error.into());
        if error.is_instance_of::<PyOverflowError>(py) {
            PyValueError::new_err(told(argument, value, expected))
        } else if error.is_instance_of::<PyTypeError>(py) {
            mistyped(argument, value, expected)
        } else {
            error
        }
    })
}

/// A whole number of an argument that counts something.
fn count(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let expected = "a whole number of at least 1";
    match whole(argument, value, expected)? {
        0 => Err(PyValueError::new_err(told(argument, value, expected))),
        count => Ok(count),
    }
}

/// The value of a setting that is true or false.
pub(crate) fn truth(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    // Those of numpy too.
    let truth = value.extract();
    truth.map_err(|_| mistyped(argument, value, "True or False"))
}

/// The value of a game's option, which is of the same kind as the `usual` one.
pub(crate) fn option(
    name: &str,
    value: &Bound<'_, PyAny>,
    usual: Option<&Value>,
) -> PyResult<Value> {
    match usual {
        Some(Value::Bool(_)) => truth(name, value).map(Value::from),
        Some(Value::Number(usual)) if usual.is_u64() => {
            let expected = "a whole number, 0 or more";
            match value.is_instance_of::<PyBool>() {
                true => Err(mistyped(name, value, expected)),
                false => whole::<u64>(name, value, expected).map(Value::from),
            }
        }
        Some(Value::Null) if value.is_none() => Ok(Value::Null),
        Some(Value::String(_) | Value::Null) => {
            let text = value.extract::<String>();
            let expected = match usual {
                Some(Value::Null) => "a text or None",
                _ => "a text",
            };
            text.map(Value::from)
                .map_err(|_| mistyped(name, value, expected))
        }
        // The game says which options it has.
        _ => from_python(value),
    }
}

/// The value of a player's setting, as the command line would write it.
pub(crate) fn setting(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(value) = value.extract::<bool>() {
        return Ok(value.to_string());
    }
    let py = value.py();
    let real = py.import("numbers")?.getattr("Real")?;
    let is_path = value.hasattr("__fspath__")?;
    match is_path || value.is_instance_of::<PyString>() || value.is_instance(&real)? {
        true => Ok(value.str()?.to_string()),
        false => Err(mistyped(name, value, "a number, a text, True or False")),
    }
}

/// The number of an action or of an outcome of chance, whether it is possible or not.
pub(crate) fn id(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    whole("action", value, "an Action, its number, or its words")
}

/// The number of an action in any game.
pub(crate) fn any_id(value: &Bound<'_, PyAny>) -> PyResult<u8> {
    whole("id", value, "a whole number from 0 to 255")
}

/// A number of actions of a record, or none.
pub(crate) fn optional_actions(value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let actions = || whole("actions", value, "a whole number, 0 or more, or None");
    (!value.is_none()).then(actions).transpose()
}

/// A round of a whole game, counted from 0, or none.
pub(crate) fn optional_round(value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let round = || whole("round", value, "a whole number, 0 or more, or None");
    (!value.is_none()).then(round).transpose()
}

/// A seed of random numbers, from an argument of that name.
pub(crate) fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("seed", value, "a whole number from 0 to 2**64 - 1")
}

/// A seed, or none.
pub(crate) fn optional_seed(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    (!value.is_none()).then(|| seed(value)).transpose()
}

/// The seed by which hidden cards are drawn.
pub(crate) fn draw(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("draw", value, "a whole number from 0 to 2**64 - 1")
}

/// A number of games.
pub(crate) fn games(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    count("games", value)
}

/// A number of threads.
pub(crate) fn threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    count("threads", value)
}

/// A number of games that are played at the same time.
pub(crate) fn jobs(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    count("jobs", value)
}

/// A seat, counted from 0; whether the game has it is not checked here.
pub(crate) fn seat(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole("seat", value, "a seat, counted from 0")
}

/// A seat, or none.
pub(crate) fn optional_seat(value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    (!value.is_none()).then(|| seat(value)).transpose()
}

/// One id for each game: a list, or an array with any strides, of whole numbers. Numbers of another kind are an error,
/// as 1.9 is no action.
pub(crate) fn ids<'py>(actions: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, i64>> {
    // Nothing is copied of an array that is as it should be.
    if let Ok(array) = actions.cast::<PyArray1<i64>>()
        && array.is_c_contiguous()
    {
        return Ok(array.try_readonly()?);
    }
    let py = actions.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (actions,))?;
    let told = array.cast::<PyUntypedArray>()?;
    // An empty list has no kind of number.
    if !matches!(told.dtype().kind(), b'i' | b'u') && !told.is_empty() {
        return Err(PyTypeError::new_err(format!(
            "actions are {}: expected whole numbers",
            told.dtype()
        )));
    }
    if told.dtype().kind() == b'u' && !told.is_empty() {
        // Numbers past those of 64 bits with a sign would become negative ones.
        let largest: u64 = array.call_method0("max")?.extract()?;
        i64::try_from(largest).map_err(|_| {
            PyValueError::new_err(format!("actions: {largest} is no action of any game"))
        })?;
    }
    let named = PyDict::new(py);
    named.set_item("dtype", dtype::<i64>(py))?;
    let whole = numpy.call_method("ascontiguousarray", (array,), Some(&named))?;
    let whole = whole.cast_into::<PyArray1<i64>>().map_err(|_| {
        PyValueError::new_err("actions: expected one for each game, in one dimension")
    })?;
    Ok(whole.try_readonly()?)
}
