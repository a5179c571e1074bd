//! Matches of the trick-taking games: duplicate deals, points a round.
//!
//! A *sitting* is a number of deals in one rotation of the seats, which programs play without being
//! restarted. A program never gets the same deal twice in its life.
//!
//! A match asks `Seat`s. A program at a seat is an `External`, which speaks the contest's `Dialect`:
//! lines, or frames over pipes in a temporary folder. A ladder is a match of every pair in all
//! arrangements of the seats; it resumes from its records alone, and its standings are read from them.
//!
//! Only the referee has all hands. In a match `Seat::dealt_open` gives them to the yardstick that sees
//! everything (`seats::tricks::players::Cheat`). The seat of a program has no message for them, and
//! tables refuse that player.
//!
//! For matches and tables a trick-taking game is a `table::WholeGame`: it adds to `games::tricks::Contest` how its
//! programs are seated, and the levels and texts of a whole game. `table::kind` makes a table's `Kind` of it. `Game` holds the
//! rounds so far, whose deals follow from the seed or from a `games::tricks::start`. `log` makes the events that the page
//! gets and draws everything from. `Learnt` keeps what players have learnt about each other, since a new player is made
//! for each decision. `programs` speaks with participants' programs as a match does, and `tables::Residents` keeps them
//! running between their turns.

pub(crate) mod commands;
pub(crate) mod external;
mod ladder;
mod matches;
mod participant;
pub mod report;
pub(crate) mod seat;
pub mod table;
pub mod tournament;

pub use external::{Answer, Started};
pub use games::tricks::{Contest, Moon, record};
pub(crate) use matches::totals_that_count;
pub use matches::{Match, Moons, Outcome, SITTING, Tally, rotations};
pub(crate) use participant::SEES_ALL;
pub use participant::{Limit, Mind, Participant, agent, mind, participant};
pub use seat::Seat;
pub use table::WholeGame;

/// The number of bytes kept from the end of a program's standard error, to explain a fault.
pub(crate) const ERRORS_KEPT: usize = 4 << 10;

#[cfg(test)]
mod tests;
