//! The server of the challenge card game's contest: identifies teams, lets them play, and keeps every game.
//!
//! # Decisions without a network
//!
//! Deciding is separate from sending messages. A `ClockedGame` is one game with its requests, clocks and
//! penalties. A `Contest` has the standings, the rounds, and the `Bracket` of each stage of the final. The
//! `ReconnectLimiter` is the rule against reconnecting too often. None of them uses a network or a clock:
//! times are arguments, and messages are return values. The `lobby` puts them together; its tests use
//! clients made of channels. `server` listens, identifies teams, and gives every connection a task that
//! carries frames.
//!
//! # The journal
//!
//! A finished game, and a stage of the final, is in the `Journal` before anything follows from it. A
//! restarted server needs only the journal: it also shows how long the contest has gone on, and so which
//! phase it is in. Two more files save time. The checkpoint (`journal::checkpoint`) stores the state after
//! one of the journal's lines, so that a restart reads only the lines after it. The `Index` has 64 bytes a
//! game; the page lists games and finds their lines by it. Memory holds only some bytes for every thousand
//! games. Both files are caches and may be lost. Tests damage each of them, and the journal before the
//! checkpoint.
//!
//! # Strangers
//!
//! A stranger is a client that is not identified as a team's. No stranger can keep a team out. The
//! `Acceptor` identifies teams by port, address or token. Strangers get a limited number of `Places`: at
//! the page, at the test port, and until they have identified themselves. A new connection always gets a
//! place; if all are occupied, the least useful connection is closed. `descriptors` reserves open files
//! for the teams first.
//!
//! No onlooker can hold up a game. The `web` page has its own thread and runtime. It reads finished games
//! from the journal's file. For everything else it asks the server for a `Snapshot`, at most a few times a
//! second for all onlookers together; a snapshot has no cards. Printing has its own thread, too. The
//! page's scripts draw the list of events and know no rules. A test steps through a game in Chromium,
//! forwards, backwards and by itself, and compares every position with the rules' own. `Overhead`
//! measures the server's time for every move, from the frame read to the request written.

mod acceptor;
pub mod answers;
pub mod bracket;
pub mod clocked_game;
pub mod contest;
pub mod descriptors;
pub mod disk;
pub mod events;
pub mod index;
pub mod journal;
pub mod link;
mod lobby;
mod matchmaking;
pub mod overhead;
pub mod reconnect;
pub mod reply;
pub mod server;
pub mod settings;
pub mod snapshot;
pub mod stream;
pub mod summary;
pub mod teams;
mod test_port;
pub mod web;

use arena::{glicko, practice};
use games::challenge::record;
