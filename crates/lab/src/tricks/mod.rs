//! The lab's part of the trick-taking games, Tricky Eights and Hearts: training of policy networks, players to
//! measure by, inference of hidden cards, and the records that these read.

mod contest;
mod eights;
mod hearts;
pub mod inference;
pub mod players;
pub mod record;
pub mod training;

pub use contest::{Contest, Moon, network_of};
pub use eights::Eights;
pub use hearts::Hearts;
