//! Tricky Eights: rules, protocol, player. The rules and rulings are in `docs/rules/eights.md`.
//!
//! Rules are in [`rules`]: a pure [`Round`](rules::Round) made from dealt hands. The program
//! ([`program`]) connects standard input and output to a [`Client`](player::Client), which decides by
//! the search of the crate `tricks`.
//!
//! ```
//! use eights::player::{Baseline, Client};
//! use engine::{budget::Limits, rng};
//! use tricks::{Agent, Method, Player, Round, View};
//!
//! let mut rng = rng::stream(7, 0);
//! let mut round = eights::deal::deal(0, &mut rng);
//!
//! // First every player takes three cards from the open pool of twelve.
//! assert!(round.taking());
//! assert_eq!(round.legal(), round.pool());
//!
//! // Ask a player that may play out 100 worlds, and take its card.
//! let limits = Limits::nodes(100);
//! let search = Agent::search(Baseline::Counter, Method::default(), limits);
//! let view = View::new(&round, 0);
//! let decision = Player::new(search).decide(&view, &mut rng).unwrap();
//! round.act(decision.card);
//! assert_eq!(round.hand(0).len(), 11);
//!
//! // A sampled world agrees with the view.
//! let world = view.worlds()?(&mut rng);
//! assert_eq!(world.hand(0), view.round().hand(0));
//!
//! // The same at the text interface: a line that asks is answered.
//! let mut client = Client::new(search, 1);
//! client.receive("starthand n h9 h2 s8 ca h4 hj c7 sq st dk s2 ct ha c6 sa d5 ck c9 s5 cq h5 hk");
//! assert!(client.receive("take n").answer.is_some());
//! # Ok::<(), tricks::Impossible>(())
//! ```

pub mod deal;
pub mod player;
pub mod program;
pub mod protocol;
pub mod round_messages;
pub mod rules;
