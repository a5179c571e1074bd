//! Who plays Tricky Eights: the policies, and the contestant that hears the server's lines.

mod contestant;
mod policy;

pub use contestant::{Contestant, Heard};
pub use policy::{Baseline, UnknownName};
