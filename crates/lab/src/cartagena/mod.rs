//! The lab's part of Cartagena: training, exact solutions, and the signature of the search. `lab cartagena` calls it.

pub mod bench;
pub mod bout;
pub mod ledger;
pub mod solver;
pub mod teach;
pub mod training;
pub mod truth;
