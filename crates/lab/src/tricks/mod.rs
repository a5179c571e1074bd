//! What makes and measures players of trick-taking games: the training of their policy networks, players to measure by,
//! how well hidden cards are inferred; and the records that these read.

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
