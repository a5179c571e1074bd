//! A player of the board game Cartagena.
//!
//! [`notation`] reads the contest's text into a [`record::GameRecord`]. [`belief::replay`] turns that into a
//! [`view::View`], all that the player to move sees, and a [`belief::Belief`], the distribution of the hidden cards.
//! [`search`] looks for the best action: expectimax over the player's own turn, then rollouts on worlds sampled
//! from the belief, with an [`evaluation`] at the leaves. [`opponents`] infers how the others play. [`player`] ties
//! these together, and [`program`] is `runme`. All of it rests on [`rules`], which are pure functions.
//!
//! ```
//! use cartagena::belief::{ReplayOptions, replay};
//! use cartagena::evaluation::Evaluators;
//! use cartagena::notation::parse;
//! use cartagena::player::searcher::Searcher;
//! use cartagena::player::{Player, Question};
//! use cartagena::rules::{ActionList, Cards};
//! use cartagena::search::Settings;
//! use engine::budget::Limits;
//! use std::sync::Arc;
//!
//! // Two players on a board of six spaces. The first has moved a pirate onto the hat, and the second
//! // holds a hat and a gun.
//! let text = "2\ncell\nhat\ngun\nkeys\nskull\nhat\ngun\nboat\n\
//!             1 0 1 hat\n2\nhat\ngun\n";
//! let record = parse(text.as_bytes())?;
//! let replay = replay(&record, &ReplayOptions { deal: Some(2), ..Default::default() });
//! let (game, view) = (&replay.game, &replay.view);
//!
//! // Its legal actions, and where they lead: space 1 is occupied, so that the hat leads to space 5.
//! let mut legal = ActionList::new();
//! game.actions(&view.track, view.seat, view.hand, &mut legal);
//! let legal: Vec<String> = legal.iter().map(|action| action.to_string()).collect();
//! assert_eq!(legal, ["0 2 gun", "0 5 hat"]);
//!
//! // A world that agrees with everything the player knows, and an action taken in it.
//! let mut rng = engine::rng::stream(1, 0);
//! let mut world = replay.belief.sample(view, &mut rng);
//! let before = *world.state();
//! assert_eq!(before.hands[view.seat], view.hand);
//! let mut list = ActionList::new();
//! game.legal_actions(&before, &mut list);
//! assert_eq!(world.act(game, list[0]), Cards::NONE, "an advance draws nothing");
//! assert_eq!(world.state().discards.total(), before.discards.total() + 1);
//!
//! // The player's own choice, under a limit of positions: the same on every machine.
//! let evaluators = Arc::new(Evaluators::installed(|line| eprintln!("{line}")));
//! let limits = Limits::nodes(500);
//! let mut player = Searcher::new(evaluators, limits, Settings::default());
//! let action = player.choose(&Question { game, record: &record, view, open: None });
//! assert!(list.contains(&action));
//! # Ok::<(), cartagena::notation::ParseError>(())
//! ```

pub mod belief;
pub mod boards;
pub mod evaluation;
pub mod notation;
pub mod opponents;
pub mod perft;
pub mod picture;
pub mod player;
pub mod program;
pub mod race;
pub mod record;
pub mod rules;
pub mod search;
pub mod view;
pub mod world;
