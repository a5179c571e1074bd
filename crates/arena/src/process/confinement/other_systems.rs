//! The confinement on all systems but Linux: nothing is taken away, and [`abilities`] says so.

use super::Abilities;
use std::io;
use std::path::{Path, PathBuf};

pub(super) fn abilities(_: bool) -> Abilities {
    Abilities::default()
}

pub(super) fn confine(
    _: &[PathBuf],
    _: &[PathBuf],
    _: Option<u16>,
    _: super::Bounds,
) -> io::Result<()> {
    Ok(())
}

pub(super) fn limit_threads(_: usize) -> io::Result<()> {
    Ok(())
}

pub(super) fn prepare_shared_memory() {}

pub(super) fn share_memory_in(_: &Path) {}

pub(super) fn close_files() {}

pub(super) fn hide_this_process() {}
