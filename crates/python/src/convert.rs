//! Values of JSON as Python's, errors as exceptions, and sets of ids as lists.

use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray1, PyUntypedArray};
use numpy::{PyUntypedArrayMethods, dtype};
use pyo3::IntoPyObjectExt;
use pyo3::PyClass;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::False;
use pyo3::types::{PyDict, PyList};
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

/// The object for a call that changes it. Another thread may be in such a call: each needs an object of its own.
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
            "this {name} is in a call of another thread: give each thread its own, by copy.copy"
        ))
    })
}

/// A whole number of an argument.
fn whole<'py, T: FromPyObjectOwned<'py>>(
    argument: &str,
    value: &Bound<'py, PyAny>,
    expected: &str,
) -> PyResult<T> {
    value.extract().map_err(|_| {
        let told = format!("{argument} = {value}: expected {expected}");
        // A number out of range has the right type.
        match value.call_method0("__index__").is_ok() {
            true => PyValueError::new_err(told),
            false => PyTypeError::new_err(told),
        }
    })
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
    whole("games", value, "a whole number of at least 1")
}

/// A number of threads.
pub(crate) fn threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole("threads", value, "a whole number of at least 1")
}

/// A number of games that are played at the same time.
pub(crate) fn jobs(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole("jobs", value, "a whole number of at least 1")
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
    let named = PyDict::new(py);
    named.set_item("dtype", dtype::<i64>(py))?;
    let whole = numpy.call_method("ascontiguousarray", (array,), Some(&named))?;
    let whole = whole.cast_into::<PyArray1<i64>>().map_err(|_| {
        PyValueError::new_err("actions: expected one for each game, in one dimension")
    })?;
    Ok(whole.try_readonly()?)
}
