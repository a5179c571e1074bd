//! Who plays Tricky Eights: the policies, and the contestant that hears the server's lines.

mod contestant;
mod conversation;
mod policy;

pub use contestant::{Contestant, Heard};
pub use conversation::play;
pub use policy::{Baseline, UnknownName};
