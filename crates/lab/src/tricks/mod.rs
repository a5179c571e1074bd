//! The lab's part of the trick-taking games, Tricky Eights and Hearts: training of policy networks, and the
//! measure of how well hidden cards are inferred.

pub mod inference;
pub mod training;

pub use games::tricks::{Contest, Eights, Hearts, Moon, record};
