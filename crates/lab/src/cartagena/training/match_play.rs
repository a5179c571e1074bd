//! Matches between networks and the heuristic, all without look-ahead. `lab cartagena train` plays them to show
//! whether training helps.

use super::game::heuristic;
use crate::cartagena::bout::play_out;
use arena::stats::Mean;
use arena::text_table::percent;
use cartagena::evaluation::NetworkEvaluator;
use cartagena::rules::{Action, ActionList, Game};
use cartagena::world::World;
use engine::rng::{self, mix};
use rayon::prelude::*;
use seats::cartagena::policy::Pilot;
use seats::cartagena::setups::Setups;
use std::fmt;

/// The policy of one side of a match.
#[derive(Clone, Copy, Debug)]
pub enum Policy<'a> {
    /// The action after which the network gives the best chance.
    Network(&'a NetworkEvaluator),
    /// The heuristic that hoards cards and then sprints.
    Heuristic,
}

/// The result of a match, for the first policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchResult {
    pub games: usize,
    /// Share of the games won; a drawn game counts as a fair share, one over the number of players.
    pub share: f64,
    /// Half the width of its 95 % interval, from the spread of the deals; none from too few.
    pub margin: Option<f64>,
    pub drawn: usize,
    /// Actions of all players a game.
    pub length: f64,
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.1} ± {} % of {} games ({:.0} actions, {} drawn)",
            100.0 * self.share,
            percent(self.margin, 1),
            self.games,
            self.length,
            self.drawn
        )
    }
}

/// Plays one policy against copies of another on random deals, each deal once from every seat.
pub fn play_match(
    one: Policy,
    others: Policy,
    setups: &Setups,
    deals: usize,
    seed: u64,
) -> MatchResult {
    let players = setups.players;
    let blocks: Vec<(f64, usize, usize)> = (0..deals)
        .into_par_iter()
        .map(|deal| {
            // A deal from every seat is a block: the luck of the cards falls on both policies.
            let (game, world) = setups.draw(&mut rng::stream(seed, deal as u64));
            let mut block = (0.0, 0, 0);
            for seat in 0..players {
                // The seed depends on the deal alone: the games of a deal differ only in the first policy's
                // seat.
                let (winner, length) = play(
                    [one, others],
                    seat,
                    &game,
                    world.clone(),
                    mix(seed ^ deal as u64),
                );
                // A drawn game counts as the share that equally good players would have, so it favours neither
                // side.
                block.0 += match winner {
                    Some(winner) => f64::from(u8::from(winner == seat)),
                    None => 1.0 / players as f64,
                };
                block.1 += usize::from(winner.is_none());
                block.2 += length;
            }
            (block.0 / players as f64, block.1, block.2)
        })
        .collect();
    // The spread of blocks, not of games: games of one deal depend on each other.
    let share: Mean = blocks.iter().map(|block| block.0).collect();
    // A deal is played once with the first policy on each seat.
    let games = deals * players;
    MatchResult {
        games,
        share: share.mean(),
        margin: share.margin_of_share(),
        drawn: blocks.iter().map(|block| block.1).sum(),
        length: blocks.iter().map(|block| block.2).sum::<usize>() as f64 / games.max(1) as f64,
    }
}

/// One game in which `policies[0]` has `seat`: the winner, if there is one, and the number of
/// actions.
fn play(
    policies: [Policy; 2],
    seat: usize,
    game: &Game,
    mut world: World,
    seed: u64,
) -> (Option<usize>, usize) {
    // Without look-ahead nothing is drawn at random here: a game follows from its deal.
    let rng = rng::stream(seed, 0);
    let mut pilots = policies.map(|policy| match policy {
        Policy::Network(network) => Some(Pilot::new(network, 1, rng.clone())),
        Policy::Heuristic => None,
    });
    let mut list = ActionList::new();
    let mut actions = 0;
    // Two policies may move pirates to and fro for ever.
    let winner = play_out(game, &mut world, |world| {
        actions += 1;
        let state = world.state();
        // The first policy has the seat, the second all others.
        let action = match &mut pilots[usize::from(state.to_move as usize != seat)] {
            Some(pilot) => pilot.choose(game, state),
            None => {
                game.legal_actions(state, &mut list);
                match list.is_empty() {
                    true => Action::Pass,
                    false => heuristic(game, state),
                }
            }
        };
        world.act(game, action);
    });
    (winner, actions)
}
