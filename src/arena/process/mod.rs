//! Running the programs of contestants: a fresh process for every call, measured and limited, of
//! which nothing is left when the call ends.
//!
//! A [`Program`] is where a contestant's files are; a [`Workspace`] is a private copy of them for
//! one seat of one game; [`Workspace::run`] is one call. A [`Resident`] goes on beside the games.
//!
//! On Linux the process that calls this becomes a *child subreaper* (prctl(2)): what a program leaves
//! behind becomes its child, however it detached itself, and is found among its children. Elsewhere
//! only the process group of a program is ended, and nothing is counted as lingering.

mod copy;
mod family;
mod pipes;
mod program;
mod resident;
mod run;
#[cfg(test)]
#[cfg(target_os = "linux")]
pub(super) mod testing;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
mod workspace;

pub use program::{Program, ProgramError};
pub use resident::Resident;
pub use run::{Limits, Run, end_all};
pub use workspace::Workspace;
