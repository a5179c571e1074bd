//! The players that a match can name, among them players that measure others: local best responses to built-in
//! players of known strategy.

mod local_best_response;
mod model;
mod named;

pub use local_best_response::LocalBestResponse;
pub use model::Model;
pub use named::{Known, NamedPlayer};
