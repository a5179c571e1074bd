//! Running the programs of participants, of which nothing is left at their end.
//!
//! Where a contest calls a program afresh for every answer, a [`Program`] is where its files are; a
//! [`Workspace`] is a private copy of them for one seat of one game; [`Workspace::run`] is one call,
//! measured and limited. Where programs are spoken with while they run, a [`CommandLine`] starts
//! a [`Session`]. A [`Resident`] goes on beside the games.
//!
//! Before and after each call the files of the copy are compared with what they were: a program that
//! somebody else has changed plays no more ([`Tampered`]).
//!
//! A [`Confinement`] keeps a program away from all files, sockets and processes that are not its own.
//!
//! A signal that asks this process to stop, and reaches programs too, is nothing that they have done ([`Stopped`]).
//!
//! Each program has a supervisor, which ends all that descends from it; a process that calls programs says at its
//! start how one is started ([`launch_by`]). On systems other than Linux only the process group of a program is ended,
//! and no leftover processes are counted.
//!
//! Before and after each call `tampering` compares the copy with its earlier state (`integrity`) and knows
//! who has run meanwhile (`suspects`). `stop` keeps a signal that asks the referee to stop from being a
//! program's fault. A program that stays (`manner` reads how it wants to be started) is asked by
//! `staying` through the same [`Workspace::run`], and the result is the same [`Run`]: a referee does
//! not see the difference.
//!
//! Referee and supervisor speak over a pair of sockets, through which the supervisor also gets the
//! program's streams. When the referee dies, even by SIGKILL, the sockets close and the supervisor ends
//! the program. A supervisor is `contest supervise` or `lab supervise`, a process of its own: no code
//! runs between fork and exec, and nothing needs privileges. `lab::cli::isolation` has the options of
//! all contests; a [`CommandLine`] carries its confinement into its [`Session`].
//! `crates/contest/tests/it/hostile.rs` tests all this with programs that try to break out.

mod command_line;
mod confinement;
mod copy;
mod excess;
mod files;
mod integrity;
mod limits;
mod manner;
mod pipes;
mod place;
mod process_tree;
mod program;
mod resident;
mod run;
mod running;
mod session;
mod staying;
mod stop;
mod supervisor;
mod suspects;
mod tampering;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
mod workspace;

pub use command_line::{CommandLine, CommandLineError};
pub use confinement::{Abilities, Confinement, Isolation, Unconfined, hide_this_process};
pub use excess::Excess;
pub use limits::Limits;
pub use program::{Program, ProgramError};
pub use resident::Resident;
pub use run::Run;
pub use session::{Ending, Session, Stderr, let_programs_ponder};
pub use stop::{Stopped, asked_to_stop, expect_stop, is_ended_by_stop};
pub use supervisor::{launch_by, serve as supervise};
pub use tampering::Tampered;
pub use workspace::{Workspace, end_all, first_call};
