//! Players that measure others: local best responses to the built-in players whose strategy is known.

mod local_best_response;
mod model;
mod named;

pub use local_best_response::LocalBestResponse;
pub use model::Model;
pub use named::{Known, NamedPlayer};
