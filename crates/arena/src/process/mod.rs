//! Runs the programs of participants, and leaves nothing of them behind.
//!
//! A contest that calls a program afresh for every answer finds its files as a [`Program`] and makes a [`Workspace`]
//! for each seat of each game: a private copy of these files. [`Workspace::run`] is one call, measured and limited. A
//! contest that exchanges messages with a running program starts a [`Session`] from a [`CommandLine`]. A [`Resident`]
//! runs beside the games.
//!
//! Before and after each call `tampering` compares the files of the copy with their earlier state (`integrity`). If
//! somebody else has changed them, the program plays no more ([`Tampered`]); `suspects` knows who has run meanwhile.
//!
//! A [`Confinement`] keeps a program away from all files, sockets and processes that are not its own.
//!
//! A signal that asks this process to stop may reach and end programs too. `stop` sees to it that they are not blamed
//! for that ([`Stopped`]).
//!
//! A program that *stays* is started once and asked many times. `manner` reads from its files how it wants to be
//! started, and `staying` asks it. The call is the same [`Workspace::run`], and the result the same [`Run`]: a referee
//! does not see the difference.
//!
//! Each program runs under a supervisor, which ends all processes that descend from the program. A process that calls
//! programs says at its start how a supervisor is started ([`launch_by`]). Except under Linux, only the
//! process group of a program is ended, and no leftover processes are counted.
//!
//! Referee and supervisor speak over a pair of sockets, through which the supervisor also gets the
//! program's streams. When the referee dies, even by SIGKILL, the sockets close and the supervisor ends
//! the program. A supervisor is `contest supervise` or `lab supervise`, a separate process: no code
//! runs between fork and exec, and nothing needs privileges. `seats::cli::isolation` has the options of
//! all contests; a [`CommandLine`] carries its confinement into its [`Session`].
//! `crates/contest/tests/it/hostile.rs` tests all this with programs that try to break out.

mod builds;
mod command_line;
mod confinement;
mod copy;
mod excess;
mod files;
mod first_line;
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
#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;
mod workspace;

pub use command_line::{CommandLine, CommandLineError};
pub use confinement::{Abilities, Confinement, Isolation, Unconfined, hide_this_process};
pub use excess::Excess;
pub use first_line::trouble_of as trouble_of_first_line;
pub use limits::Limits;
pub use place::{Place, temporary_folder};
pub use program::{Program, ProgramError};
pub use resident::Resident;
pub use run::Run;
pub use session::{Ending, Session, Stderr, let_programs_ponder};
pub use stop::{Stopped, asked_to_stop, expect_stop, is_ended_by_stop};
pub use supervisor::{launch_by, serve as supervise};
pub use tampering::Tampered;
pub use workspace::{Workspace, end_all, first_call};
