//! The parts that players of trick-taking games share: cards, views, deals that fit what was seen, inference
//! from the others' play, and a search over sampled deals.
//!
//! A game implements [`Round`] (its rules) and [`PolicySet`] (its built-in policies and the value of a finished
//! round). Everything else works for any such game: a [`View`] is a round as one seat sees it, and a [`Player`]
//! decides from a view. The crates `eights` and `hearts` are the two games.
//!
//! ```
//! use eights::player::Baseline;
//! use engine::budget::Limits;
//! use engine::rng;
//! use tricks::{Agent, Method, Player, Round, View};
//!
//! // Deal a round, and play its first card.
//! let mut rng = rng::stream(1, 0);
//! let mut round = eights::deal::deal(0, &mut rng);
//! let mut view = View::new(&round, 1);
//! let card = round.legal().first().unwrap();
//! round.act(card);
//! view.act(card);
//!
//! // The view of seat 1 has its own hand and no other.
//! assert_eq!(view.round().hand(1), round.hand(1));
//! assert!(view.round().hand(2).is_empty());
//!
//! // A sampled world looks the same to that seat.
//! let world = view.worlds()?(&mut rng);
//! assert_eq!(world.hand(1), round.hand(1));
//! assert_eq!(world.legal(), round.legal());
//!
//! // It is seat 1's turn: ask a player that may play out 100 worlds.
//! let limits = Limits::nodes(100);
//! let player = Player::new(Agent::search(Baseline::Counter, Method::default(), limits));
//! let decision = player.decide(&view, &mut rng).unwrap();
//! assert!(round.legal().contains(decision.card));
//! # Ok::<(), tricks::Impossible>(())
//! ```

mod agent;
pub mod belief;
pub mod card;
mod cards;
pub mod deals;
mod look_ahead;
pub mod monte_carlo;
pub mod network;
mod policy;
pub mod program;
mod round;
mod search;
mod seen;
mod standing;
mod tree;
mod trick;
mod view;
mod worth;

pub use agent::{Agent, Decision, Player};
pub use card::{Card, Suit};
pub use cards::Cards;
pub use deals::{Deals, Impossible};
pub use policy::{Costs, Policy, PolicySet, Thinkers, best_card, random_card, shuffled};
pub use round::Round;
pub use search::{Method, Search};
pub use seen::Seen;
pub use standing::{Ends, Pace, Standing, Wins};
pub use trick::Trick;
pub use view::{Observation, View};
pub use worth::{Aim, Worth};

/// The most players at a table.
pub const MAX_PLAYERS: usize = 6;

/// The cards in each hand, by seat; empty beyond the last player.
pub type Hands = [Cards; MAX_PLAYERS];
