//! A position about which programs are asked, to measure their pace before a tournament.

use crate::cartagena::game::{self, Conduct, NoObserver, Penalty};
use crate::cartagena::seat::{Fault, FaultKind, Seat, inside};
use cartagena::boards;
use cartagena::notation;
use cartagena::player::Question;
use cartagena::record::GameRecord;
use cartagena::rules::{Action, Game};
use cartagena::view::View;
use cartagena::world::World;
use engine::rng;
use seats::cartagena::players::hoarder::Hoarder;

/// A position in the middle of a game between heuristic players, about which programs are asked.
#[derive(Clone, Debug)]
pub struct Sample {
    game: Game,
    /// The game up to this position, as the contest's text has it.
    told: GameRecord,
    view: View,
    /// The number of actions of the whole game.
    pub(super) actions: usize,
}

impl Sample {
    /// The position after half of the actions of a game.
    pub(super) fn new(players: usize, seed: u64) -> Sample {
        let game = Game::new(boards::standard(&mut rng::stream(seed, 0)), players);
        // Dealt twice from the same seed: once to play the game, once to replay its first half.
        let deal = || World::deal(&game, 3, rng::stream(seed, 1));
        let seats = (0..players).map(|_| inside(Box::new(Hoarder::default())));
        let mut seats: Vec<Seat> = seats.collect();
        let conduct = Conduct {
            max_turns: 500,
            penalty: Penalty::Forfeit,
        };
        let stand_ins = rng::stream(seed, 2);
        let played = game::play(
            &game,
            &mut deal(),
            &mut seats,
            &conduct,
            stand_ins,
            &mut NoObserver,
        );
        let steps = played.map(|finished| finished.steps).unwrap_or_default();
        let mut world = deal();
        let mut moves = Vec::new();
        // An action in the middle of a game stands for all of them.
        for step in &steps[..steps.len() / 2] {
            world.act(&game, step.action);
            moves.extend(notation::move_of(step.seat, step.action));
        }
        let view = View::of(world.state(), world.state().to_move as usize);
        Sample {
            told: GameRecord::of_state(&game, world.state(), moves),
            game,
            view,
            actions: steps.len(),
        }
    }

    /// Checks that the rules allow an answer.
    pub(super) fn check(&self, action: Action) -> Result<(), Fault> {
        self.game
            .check(&self.view.as_seen(), action)
            .map_err(|reason| {
                let detail = format!("answered \"{action}\": {reason}");
                Fault::new(FaultKind::Illegal, detail)
            })
    }

    pub(super) fn question(&self) -> Question<'_> {
        Question {
            game: &self.game,
            record: &self.told,
            view: &self.view,
            open: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_positions_to_act_in() {
        for players in 2..=6 {
            let sample = Sample::new(players, 1);
            assert!(sample.actions > 20 * players);
            let told = notation::print(&sample.told);
            let record = notation::parse(told.as_bytes()).unwrap();
            assert_eq!(record, sample.told);
            assert!((0..players).all(|player| !sample.view.track.is_home(player)));
        }
    }
}
