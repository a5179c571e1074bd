//! Who plays Hearts: the policies, and the contestant that hears the server's messages.

mod contestant;
mod policy;

pub use contestant::{Contestant, Heard};
pub use policy::{Baseline, UnknownName};
