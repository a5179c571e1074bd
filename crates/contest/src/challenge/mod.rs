//! Refereeing the challenge card game: the contest's server, and its parts without a network.
//!
//! # Decisions without a network
//!
//! What is decided is separate from how messages travel. A `ClockedGame` is one game with its requests,
//! clocks and penalties. A `Contest` has standings, rounds, the `Bracket` of the final, and pairings.
//! The `ReconnectLimiter` is the rule against reconnecting too often. None of them uses a network or a
//! clock: times are arguments, and messages are return values. The `lobby` puts them together; its
//! tests use clients made of channels. `server` listens, identifies teams, and gives every connection a
//! task that carries frames.
//!
//! # The journal
//!
//! A finished game, and a stage of the final, is in the `Journal` before anything follows from it. The
//! journal is all that a restarted server needs: how long the contest has gone on, and so its phase,
//! follows from it. `journal::checkpoint` stores the state that the journal leads to up to one of its
//! lines. `Index` has 64 bytes a game; the page lists games and finds their lines by it. So neither a
//! restart nor a page holds more than some bytes a thousand games. Both files are caches. Tests damage
//! each of them, and the journal before the checkpoint.
//!
//! # Strangers
//!
//! Nobody can keep a team out. The `Acceptor` knows teams by port, address or token. Strangers get
//! `Places`, at the page, at the test port, and until they have identified themselves. A new connection
//! always has a place, and the least useful connection gives up its own. `descriptors` reserves the
//! teams' open files before those of strangers are counted.
//!
//! No onlooker can hold up a game. The `web` page has a thread and a runtime of its own. It reads
//! finished games from the journal's file. For the rest it asks for a `Snapshot`, which has no cards,
//! at most a few times a second for all onlookers together. A thread of its own also prints. The page's
//! scripts draw the list of events and know no rules. A test steps through a game in Chromium,
//! forwards, backwards and by itself, and compares every position with the rules' own. `Overhead`
//! measures every move from the frame read to the request written.
//!
//! # Matches
//!
//! A match with programs (`pairing`) uses the same `ClockedGame`. Each program is a
//! `process::Resident`, which connects to its own port; when the match is over it is ended with all
//! processes it has started. Two built-in players play by `lab::challenge::duplicate`, without a
//! network and a clock.

mod acceptor;
pub mod answers;
pub mod bracket;
pub mod clocked_game;
pub(crate) mod commands;
pub mod contest;
mod descriptors;
pub mod events;
pub mod glicko;
pub mod index;
pub mod journal;
mod link;
mod lobby;
mod matchmaking;
pub mod overhead;
pub mod pairing;
pub mod reconnect;
pub mod record;
mod reply;
pub mod server;
pub mod settings;
pub mod snapshot;
mod stream;
pub mod summary;
pub mod table;
pub mod teams;
mod test_port;
pub mod web;

pub use record::{Entry, Recorded};
