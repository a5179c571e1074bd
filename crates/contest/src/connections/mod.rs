//! Connections of strangers: how many there may be, and for how long, for every server of this program.

mod listener;
mod places;

pub(crate) use listener::LimitedListener;
pub(crate) use places::{Place, PlaceLimits, Places};
