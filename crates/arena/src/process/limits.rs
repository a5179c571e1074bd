//! Limits on a call of a program.

use super::confinement::Confinement;
use std::time::Duration;

/// The usual limit on the processes that a program has at a time.
const MOST_PROCESSES: usize = 256;

/// Threads for each process of the limit on processes.
const THREADS_A_PROCESS: usize = 4;

/// Limits on a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// An answer after this time is late; nothing is ended for it.
    pub late: Duration,
    /// After this time the program is ended.
    pub kill: Duration,
    /// Bytes of memory that may be resident in all of its processes together, libraries included; each counts with the
    /// most that was resident in it. A program that is found to hold more is ended. Linux only.
    pub memory: Option<u64>,
    /// The numbers of the processor cores it runs on, from 0; all if none are named. Linux only.
    pub cores: Option<Vec<usize>>,
    /// The files and ports that it may use; without a confinement it may use everything.
    pub confinement: Option<Confinement>,
    /// Processes, the first one included, that it may have at a time, with four threads each on average; with more of
    /// them it is ended. They are counted now and then, on Linux only.
    pub processes: usize,
    /// Bytes of standard output that are kept; a program that writes more is ended.
    pub stdout_limit: usize,
    /// Bytes kept of the end of standard error.
    pub stderr_tail: usize,
}

impl Limits {
    /// The most threads of all processes together.
    pub(super) fn threads(&self) -> usize {
        THREADS_A_PROCESS * self.processes
    }
}

impl Default for Limits {
    /// 15 s, ended after 20 s; 1 MB of output, 8 KB of errors; all memory and all cores, 256 processes.
    fn default() -> Limits {
        Limits {
            late: Duration::from_secs(15),
            kill: Duration::from_secs(20),
            memory: None,
            cores: None,
            confinement: None,
            processes: MOST_PROCESSES,
            stdout_limit: 1 << 20,
            stderr_tail: 8 << 10,
        }
    }
}
