//! A policy without rollouts: greedy by a network, or looking ahead within the own turn. Matches of training and
//! the games of truth sets are played by it.

use super::choice::Choice;
use super::look_ahead::{Line, LookAhead};
use cartagena::evaluation::{Afterstate, NetworkEvaluator, NetworkProbe};
use cartagena::rules::{Action, ActionList, Game, State};
use engine::rng::Random;

/// Plays any seat of a game by a network.
pub struct Pilot<'a> {
    probe: NetworkProbe<'a>,
    /// The number of actions followed at each position of the turn; with 1 there is no look-ahead.
    width: usize,
    /// The rest of the planned line, up to the first draw.
    planned: Line,
    list: ActionList,
    rng: Random,
}

impl<'a> Pilot<'a> {
    pub fn new(network: &'a NetworkEvaluator, width: usize, rng: Random) -> Pilot<'a> {
        Pilot {
            probe: NetworkProbe::new(network),
            width,
            planned: Line::new(),
            list: ActionList::new(),
            rng,
        }
    }

    /// The action of the player to move, chosen from its own hand and public information. The
    /// caller must play this action before it calls again: the rest of the planned line follows from it.
    pub fn choose(&mut self, game: &Game, state: &State) -> Action {
        game.legal_actions(state, &mut self.list);
        if self.list.is_empty() {
            // A pass ends the turn, and with it the plan.
            self.planned.clear();
            return Action::Pass;
        }
        if self.width < 2 {
            return Choice::best(&mut self.probe, game, state, &self.list).action;
        }
        // A line stays the best while no card is drawn, so the turn is planned anew only after a
        // draw or at its beginning.
        if self.planned.is_empty() {
            let mut look_ahead = LookAhead {
                probe: &mut self.probe,
                game,
                width: self.width,
                rng: &mut self.rng,
            };
            self.planned = look_ahead.line(&Afterstate::before(state));
        }
        self.planned.remove(0).action
    }
}
