//! A program that runs, and the processes that it leaves behind.
//!
//! Leftover processes are found among the children of this process, to which the system gives every
//! orphan below it, and told apart by their process group, by a variable of their environment, and by
//! their current directory. A process that gets rid of all three is still found, and is put down to
//! the one run that can have started it, if there is only one.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
#[path = "process_tree/other_systems.rs"]
mod linux;

pub(super) use linux::{ProcessTree, become_subreaper, count, exit_fd, was_never_loaded};
