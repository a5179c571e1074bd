//! Hearts Server: rules, protocol, player. The rules and rulings are in `docs/rules/hearts.md`.
//!
//! Rules are in [`rules`]: a pure [`Round`](rules::Round) made from dealt hands. The program
//! ([`program`]) connects two named pipes ([`pipe`]) to a [`Client`](player::Client), which decides
//! by the search of the crate `tricks`.
//!
//! ```
//! use engine::{budget::Limits, rng};
//! use hearts::player::Baseline;
//! use hearts::rules::{FIRST_LEAD, Options};
//! use tricks::{Agent, Cards, Method, Player, Round, View};
//!
//! // Deal a round for four; the two of clubs leads.
//! let mut rng = rng::stream(7, 0);
//! let mut round = hearts::deal::deal(4, Options::default(), &mut rng);
//! assert_eq!(round.legal(), Cards::from(FIRST_LEAD));
//!
//! // The next player sees it, and is asked with at most 100 playouts.
//! let leader = round.to_act().unwrap();
//! let mut view = View::new(&round, (leader + 1) % 4);
//! round.act(FIRST_LEAD);
//! view.act(FIRST_LEAD);
//! let limits = Limits::nodes(100);
//! let player = Player::new(Agent::search(Baseline::Careful, Method::default(), limits));
//! let decision = player.decide(&view, &mut rng).unwrap();
//! assert!(round.legal().contains(decision.card));
//!
//! // A sampled world agrees with the view.
//! let world = view.worlds()?(&mut rng);
//! assert_eq!(world.hand(view.seat()), round.hand(view.seat()));
//! assert_eq!(world.legal(), round.legal());
//! # Ok::<(), tricks::Impossible>(())
//! ```

pub mod deal;
pub mod pipe;
pub mod player;
pub mod program;
pub mod protocol;
pub mod rules;
