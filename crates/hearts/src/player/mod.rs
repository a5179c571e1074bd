//! Who plays Hearts: the policies, and the contestant that hears the server's messages.

mod contestant;
mod conversation;
mod policy;

pub use contestant::{Contestant, Heard};
pub use conversation::{Ended, play};
pub use policy::{Baseline, UnknownName};
