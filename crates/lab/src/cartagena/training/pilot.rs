//! A policy without a search: greedy by a network, or looking ahead in the own turn.

use super::choice::Choice;
use super::look_ahead::{Line, LookAhead};
use cartagena::evaluation::{Afterstate, NetworkEvaluator, NetworkProbe};
use cartagena::rules::{Action, ActionList, Game, State};
use engine::rng::Random;

/// Plays any seat of a game by a network.
pub(in crate::cartagena) struct Pilot<'a> {
    probe: NetworkProbe<'a>,
    /// Actions followed at each position of the turn; with 1 there is no look-ahead.
    width: usize,
    /// What follows in the turn under way, as far as no draw decides.
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

    /// The action of the player to move, which sees nothing but its own hand. It must be taken before the
    /// next is asked for.
    pub fn choose(&mut self, game: &Game, state: &State) -> Action {
        game.legal_actions(state, &mut self.list);
        if self.list.is_empty() {
            self.planned.clear();
            return Action::Pass;
        }
        if self.width < 2 {
            return Choice::best(&mut self.probe, game, state, &self.list).action;
        }
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
