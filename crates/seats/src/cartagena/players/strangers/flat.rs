//! Flat Monte Carlo: every action is tried in games that are played to their end by a rule of thumb.
//!
//! No tree is built and no position is valued. The games are shared out by sequential halving (Karnin, Koren and
//! Somekh 2013, "Almost optimal exploration in multi-armed bandits"): with k actions there are log₂ k rounds, each
//! spends the same number of games on the actions that are left, and the worse half leaves after it. All actions of a
//! round meet the same worlds.

use super::{cards_needed, legal_or_pass, legal_or_pass_in};
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, ActionList, Game, State};
use cartagena::world::World;
use engine::rng::{self, Random};
use std::cmp::Reverse;

/// The share of random actions in the games, so that they do not all go the same way.
const RANDOM: f64 = 0.12;
/// Actions of each player after which a game is broken off. The player that needs the fewest further cards then counts
/// as the winner.
const CAP: usize = 150;

/// The player, with its own stream of worlds and games.
#[derive(Clone, Debug)]
pub struct Flat {
    /// Games for a decision.
    games: usize,
    rng: Random,
}

impl Flat {
    /// A player that spends this number of games on a decision.
    pub fn new(games: usize, rng: Random) -> Flat {
        Flat { games, rng }
    }

    /// The winner of a game from here, by the rule of thumb on all seats.
    fn winner(&mut self, game: &Game, mut world: World) -> usize {
        let mut list = ActionList::new();
        for _ in 0..CAP * game.players {
            let state = world.state();
            if let Some(winner) = state.winner() {
                return winner;
            }
            let action = if rng::unit(&mut self.rng) < RANDOM {
                legal_or_pass_in(game, state, &mut list);
                list[rng::below(&mut self.rng, list.len())]
            } else {
                thumb(game, state)
            };
            world.act(game, action);
        }
        let lacks = |&player: &usize| {
            let state = world.state();
            cards_needed(&state.track, player) - f32::from(state.hands[player].total())
        };
        let order = |one: &usize, other: &usize| lacks(one).total_cmp(&lacks(other));
        (0..game.players).min_by(order).unwrap_or(0)
    }
}

/// The rule of thumb. A player runs if it seems to have enough cards to come home, or if another lacks at most one. Then
/// it moves the pirate that has the longest way, as far as it goes. Otherwise it takes the action that gains most, if a
/// card is worth nine spaces, the boat four, and a pirate in the rear up to six more than one in front.
fn thumb(game: &Game, state: &State) -> Action {
    let player = usize::from(state.to_move);
    let (track, hand) = (&state.track, state.hands[player]);
    let lacks =
        |player: usize| cards_needed(track, player) - f32::from(state.hands[player].total());
    let lacking = lacks(player);
    let runs =
        lacking <= 0.0 || (0..game.players).any(|other| other != player && lacks(other) <= 1.0);
    let boat = i32::from(track.boat());
    let mut best = (Action::Pass, i32::MIN);
    game.farthest(track, player, hand, |action| {
        let rank = match action {
            Action::Advance { from, .. } if runs => 100 - i32::from(from),
            Action::Advance { from, to, .. } => {
                let home = if i32::from(to) == boat { 4 } else { 0 };
                i32::from(to - from) + 6 * (boat - i32::from(from)) / boat + home - 9
            }
            Action::Retreat { from, to } => {
                let cards = if lacking > 0.0 {
                    i32::from(state.draws(to))
                } else {
                    0
                };
                9 * cards - i32::from(from - to)
            }
            Action::Pass => 0,
        };
        if rank > best.1 {
            best = (action, rank);
        }
    });
    best.0
}

impl Player for Flat {
    fn choose(&mut self, question: &Question) -> Action {
        let (game, view) = (question.game, question.view);
        let mut tried: Vec<(Action, u32)> =
            legal_or_pass(question).iter().map(|&a| (a, 0)).collect();
        let belief = question.belief();
        // log₂ k, rounded up; with a single action there is no round.
        let rounds = tried.len().next_power_of_two().trailing_zeros() as usize;
        while tried.len() > 1 {
            let worlds = (self.games / rounds / tried.len()).max(1);
            for _ in 0..worlds {
                let world = belief.sample(view, &mut self.rng);
                for (action, wins) in &mut tried {
                    let mut world = world.clone();
                    world.act(game, *action);
                    *wins += u32::from(self.winner(game, world) == view.seat);
                }
            }
            // The sort is stable: among equals the first in the order of actions stays.
            tried.sort_by_key(|&(_, wins)| Reverse(wins));
            tried.truncate(tried.len().div_ceil(2));
        }
        tried[0].0
    }
}
