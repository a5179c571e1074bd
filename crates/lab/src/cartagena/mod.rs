//! The lab's part of Cartagena: training, exact solutions, built-in players for comparison, the signature of
//! the search, and the seats of built-in players and programs. `lab cartagena` calls it, and `contest` takes
//! seats and participants from it.

pub mod bench;
pub mod bout;
pub mod external;
pub mod ledger;
pub mod participant;
pub mod players;
pub mod programs;
pub mod seat;
pub mod solver;
pub mod training;
pub mod truth;
