//! Connections of strangers: how many there may be, and for how long, for every server of this program.

mod listener;
mod places;

pub use listener::LimitedListener;
pub use places::{Place, PlaceLimits, Places};
