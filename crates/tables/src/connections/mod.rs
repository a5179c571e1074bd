//! Limits on the number and the duration of connections, for every server of this program that anybody can reach:
//! tables, and the challenge game with its pages.

mod listener;
mod places;

pub use listener::LimitedListener;
pub use places::{Place, PlaceLimits, Places};
