//! The four games, their players and referees as a Python package: a thin layer around `games`,
//! the built-in players, and `arena`.
//!
//! It turns `games` into Python's objects (PyO3), asks the built-in players through one trait
//! (`seats::Seat`), plays matches by `seats::matches`, and converts records of the referees;
//! `observed` makes arrays. Slow work is done without the interpreter's lock. Only a batch holds
//! references that Python's collector has to know: its opponents that are functions.
//!
//! The crate is a member of the workspace, so that `cargo clippy` and the rest check it. With `abi3`
//! and `extension-module` building needs nothing of Python, and one wheel serves all versions from 3.9
//! on. It shares `Cargo.lock`, so that `.ci/run` uses what `cargo test` has built.

mod action;
mod batch;
mod brain;
mod candidates;
mod convert;
mod game;
mod matches;
mod objects;
mod observed;
mod player;
mod records;
mod signals;
mod state;
mod tables;
mod workers;

use pyo3::prelude::*;

/// The part of the package `contestants` that is written in Rust.
#[cfg(feature = "module")]
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fill(module)
}

/// Puts everything into a module.
///
/// # Errors
/// If Python does not take it.
pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // The first call notes the process.
    workers::here(|| ());
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("CHANCE", objects::CHANCE)?;
    module.add("TERMINAL", objects::TERMINAL)?;
    module.add_class::<action::Action>()?;
    module.add_class::<objects::Game>()?;
    module.add_class::<objects::State>()?;
    module.add_class::<objects::View>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<player::Player>()?;
    module.add_class::<player::Candidate>()?;
    module.add_function(wrap_pyfunction!(player::players, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play, module)?)?;
    module.add_function(wrap_pyfunction!(state::loads, module)?)?;
    module.add_function(wrap_pyfunction!(records::check_record, module)?)?;
    Ok(())
}
