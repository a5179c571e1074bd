//! Strategies for a hand that are close to equilibrium: the tables and the solver behind the built-in players
//! `blueprint` and `equilibrium`.
//!
//! A hand matters only by the score after it. So a game consists of 100 *hand games*, one for each score before a
//! hand ([`Stakes`], [`Values`]). All plays are public; the only hidden information is the cards that a player still
//! holds. A player's *range* is the probability of each set of cards that it may hold, a multiset of ranks.
//!
//! The [`blueprint`] covers whole hands on an abstraction. Monte Carlo counterfactual regret minimisation (Lanctot
//! et al. 2009) computes it before a contest. The [`endgame`] solver takes the last three tricks without
//! abstraction, with the ranges that play leads to. It uses discounted CFR on the public tree (Brown and Sandholm
//! 2019; Johanson et al. 2011).
//!
//! [`Values`] holds the opener's chance to win the game at every score; [`Stakes`] says what winning,
//! losing and tying a hand lead to. A sweep from 9 : 9 down to 0 : 0 trains one hand game after the
//! other, and so finds the values. A contest player has strategies for a few of the 100 hand games only,
//! chosen by how often their scores occur; it plays each score by the nearest of them.
//!
//! # The blueprint
//!
//! The blueprint is a strategy for a hand game. `Level` says which situations are distinguished with a
//! given number of cards left, and where their numbers lie; `abstraction::information_set` finds the
//! slot of a decision. Cards count exactly, except with four cards left, where low ranks are merged. The
//! opponent's plays are remembered only by the sum of their ranks. Tables hold weights in fifteenths of
//! the largest; an action with a probability below a tenth is not played.
//!
//! `lab::challenge::training` computes it. *Openings*, the first two tricks, are not abstracted where
//! `lab::challenge::opening` has solved them: 20 million weights, for every hand and every way to play
//! it, half a byte each and deflated. `Opened` plays an opening where there is one, and the tables
//! elsewhere.
//!
//! # Endgames
//!
//! An endgame, the last three tricks, is not abstracted either. Its public tree always has the same
//! shape and is not stored: regrets and averages lie in tables (up to 43 MB for three cards, 0.25 MB for
//! two). A *walk* passes through the tree once, down with both players' reach and back with values. It
//! works on one number for each hand; hands of two cards form a matrix of 13 × 16. A card in one hand
//! cannot be in the other. Sums over smaller hands account for that ([`HandTables`] for three cards),
//! without a table of all pairs of hands. In the last trick the follower knows how the hand ends: it
//! offers where it wins or ties, and all its losing cards bluff with the same probability. Eight
//! histories of the last trick are computed side by side. Regrets are
//! discounted and have a floor of 0, the players take turns, and the average gives late iterations more
//! weight. With three cards, branches that the opponent never reaches skip the last two tricks. Tests
//! compare all of this, in `lab::challenge::best_response`, with a best response that takes one hand at
//! a time, written without any of it.
//!
//! [`History`] computes both players' ranges from a policy by Bayes' rule. [`Resolving`] solves the
//! endgames of a hand one after the other. An [`Effort`] says how long. Without a clock it is a number
//! of iterations. With a clock, the player's `EndgameClock` predicts after two iterations whether
//! enough of them will fit; an iteration still under way at the deadline is abandoned. All cores take
//! part. The other costs of a decision are measured and subtracted from the clock's time. The tables
//! decide what is not solved in time. Tests check this arithmetic without a clock.

pub mod blueprint;
pub mod endgame;
mod history;
mod multisets;
mod removal;
mod resolving;
mod stakes;

pub use history::{History, Policy};
pub use multisets::{Multisets, ascending};
pub use removal::HandTables;
pub use resolving::{
    Effort, HandSoFar, LEAST_ITERATIONS, MOST_SOLVED, Resolving, ResolvingSettings,
};
pub use stakes::{Stakes, Values};
