//! Laws that hold for any input.
//!
//! A [`Target`] turns bytes into something that may come from outside (a message, a file, the choices of
//! players) and panics if the program breaks a law with it. `fuzz/` searches for bytes that break one. It
//! keeps the most useful bytes in `fuzz/seeds`, and the tests of this crate try these again.
//!
//! ```
//! let action = laws::TARGETS.iter().find(|target| target.name == "action").unwrap();
//! (action.check)(b"2 0 7 hat\n");
//! ```

pub mod bytes;
pub mod games;
pub mod open;
pub mod players;
pub mod records;
pub mod referees;
pub mod settings;
pub mod texts;
pub mod wire;

/// A law that any bytes must keep, and its name.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is that of its folder in `fuzz/seeds`.
    pub name: &'static str,
    /// Panics if a law is broken.
    pub check: fn(&[u8]),
}

/// Every target, in the order of their names.
pub const TARGETS: [Target; 13] = [
    Target::new("action", texts::action),
    Target::new("call", players::call),
    Target::new("challenge", texts::challenge),
    Target::new("eights", players::eights),
    Target::new("hearts", players::hearts),
    Target::new("laws", games::laws),
    Target::new("notation", texts::notation),
    Target::new("open", open::open),
    Target::new("records", records::records),
    Target::new("referees", referees::referees),
    Target::new("settings", settings::settings),
    Target::new("store", texts::store),
    Target::new("wire", wire::wire),
];

impl Target {
    const fn new(name: &'static str, check: fn(&[u8])) -> Target {
        Target { name, check }
    }
}
