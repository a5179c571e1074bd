//! Seats at the trick-taking games, Tricky Eights and Hearts: built-in players by name.

mod contest;
pub mod players;

pub use contest::{agents, names, network_of};
pub use games::tricks::{Contest, Eights, Hearts};
