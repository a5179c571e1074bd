//! The lab's part of the trick-taking games, Tricky Eights and Hearts: training of policy networks, players to
//! measure by, and inference of hidden cards.

mod contest;
pub mod inference;
pub mod players;
pub mod training;

pub use contest::{agents, names, network_of};
pub use games::tricks::{Contest, Eights, Hearts, Moon, record};
