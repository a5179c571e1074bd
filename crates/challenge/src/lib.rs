//! A player of the challenge card game, and its parts.
//!
//! - [`rules`]: cards, hands, games and rounds; pure functions, with chance as an argument.
//! - [`view`]: the information a player has when it must decide.
//! - [`player`]: the [`Player`](player::Player) trait and the built-in players.
//! - [`equilibrium`]: the blueprint that the best players use, and the solver of the last three tricks.
//! - [`deals`]: dealing, and the probability of hands.
//! - [`protocol`], [`client`], [`program`]: the contest's messages over TCP, the client, and the program
//!   `challenge` around it.
//!
//! ```
//! use challenge::equilibrium::blueprint::Tables;
//! use challenge::player::Builtin;
//! use challenge::rules::{Event, Game, GameOptions};
//! use challenge::view::{View, ViewContext};
//! use challenge::deals;
//! use std::time::Duration;
//!
//! let mut rng = engine::rng::stream(1, 0);
//! let mut game = Game::new(GameOptions::default());
//! game.deal(deals::fresh(&mut rng));
//!
//! // Five cards, of which equal ones are one decision, and the offer of a challenge.
//! let hand = game.hand().expect("a hand was dealt");
//! let legal: Vec<_> = hand.legal().collect();
//! assert!(legal.len() <= 6);
//! assert_eq!(game.decide(legal[0]).as_deref(), Ok(&[Event::Accepted][..]));
//!
//! // The other player sees its own cards and the one on the table.
//! let context = ViewContext { game_id: 1, opponent_id: 7, remaining: Duration::from_secs(2) };
//! let view = View::of(&game, &context).expect("a player is to act");
//! assert_eq!(view.player_number, 1);
//!
//! // `need` plays without tables, so that none are loaded.
//! let tables = Tables::new("support".into(), |warning| eprintln!("{warning}"));
//! let mut player = Builtin::Need.player(&tables, rng);
//! let decision = player.decide(&view);
//! assert!(view.allows(decision));
//! ```

pub mod client;
pub mod deals;
pub mod equilibrium;
pub mod player;
pub mod program;
pub mod protocol;
pub mod rules;
pub mod view;

#[cfg(test)]
mod tests;

pub use view::View;
