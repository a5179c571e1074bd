//! The referee of a game of Cartagena.

use crate::bytes::Bytes;
use arena::ranking::shares;
use cartagena::boards;
use cartagena::rules::{Action, ActionList, Game, Symbol};
use cartagena::world::World;
use contest::cartagena::game::{Conduct, End, NoObserver, Penalty, play};
use contest::cartagena::record::Opening;
use contest::cartagena::seat::{Answer, Fault, FaultKind, Seat, Usage};
use engine::rng::{below, stream};
use std::sync::{Arc, Mutex, PoisonError};

/// Players that take legal actions, any actions, or fail. The game ends, with as many faults as they
/// made, and its record replays.
pub(super) fn game(mut bytes: Bytes, seed: u64) {
    let Some(how) = bytes.byte() else {
        return;
    };
    let rng = &mut stream(seed, 1);
    let game = Game::new(boards::standard(rng), 2 + below(rng, 5));
    let deal = 3 * (1 + below(rng, 2));
    let mut world = World::deal(&game, deal, stream(below(rng, 1 << 30) as u64, 5));
    let conduct = Conduct {
        max_turns: 90,
        penalty: match how % 2 {
            0 => Penalty::Forfeit,
            _ => Penalty::RandomAction,
        },
    };
    let shared = Arc::new(Mutex::new(Script {
        bytes: bytes.rest().to_vec(),
        next: 0,
        wrong: 0,
    }));
    let seat = |_| scripted(Arc::clone(&shared));
    let mut seats: Vec<_> = (0..game.players).map(seat).collect();
    let opening = Opening::of(&world);
    let (game, random) = (&game, stream(seed, 3));
    let finished = play(
        game,
        &mut world,
        &mut seats,
        &conduct,
        random,
        &mut NoObserver,
    );
    let finished = finished.expect("nothing here can fail");
    assert!(finished.turns <= conduct.max_turns);
    // The script counts only answers that are faults in every position; illegal actions add to them.
    let wrong = shared.lock().unwrap_or_else(PoisonError::into_inner).wrong;
    assert!(finished.incidents.len() >= wrong, "{wrong} faults");
    if let End::Won(seat) = finished.end {
        assert_eq!(finished.ranks[seat], 1.0);
    }
    // One game is shared out among all players, and so are the places 1 to n, whose sum is n (n + 1) / 2.
    let shares: f64 = shares(&finished.ranks).iter().sum();
    assert!((shares - 1.0).abs() < 1e-9);
    let places: f64 = finished.ranks.iter().sum();
    let all = game.players * (game.players + 1) / 2;
    assert!((places - all as f64).abs() < 1e-9, "{:?}", finished.ranks);
    let labels = (0..game.players).map(|seat| seat.to_string()).collect();
    // A referee can prove the result: the record alone leads to the same position.
    let record = finished.record("1-1-1".to_owned(), seed, labels, game, opening);
    let (_, last) = record
        .replay(|_, _, _, _| ())
        .expect("what was played replays");
    assert_eq!(&last, world.state());
}

/// The bytes that decide each answer of the players.
struct Script {
    bytes: Vec<u8>,
    next: usize,
    /// The number of answers so far that are faults in every position.
    wrong: usize,
}

impl Script {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.next).copied();
        self.next += 1;
        byte
    }
}

/// A player at its seat. All seats share one script.
fn scripted(script: Arc<Mutex<Script>>) -> Seat {
    Box::new(move |question, _| {
        let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
        let view = question.view;
        let mut legal = ActionList::new();
        let (game, hand) = (question.game, view.hand);
        game.actions(&view.track, view.seat, hand, &mut legal);
        let what = script.byte();
        let any = usize::from(what.unwrap_or(0));
        // The numbers are weights: mostly a legal action, sometimes any action, sometimes a fault.
        let reply = match what {
            Some(0..220) => Ok(match legal.len() {
                0 => Action::Pass,
                count => legal[any % count],
            }),
            Some(220..240) => {
                let place = |script: &mut Script| script.byte().unwrap_or(0);
                let (from, to) = (place(&mut script), place(&mut script));
                Ok(match any % 3 {
                    0 => Action::Retreat { from, to },
                    1 => {
                        let symbol = Symbol::ALL[usize::from(to) % Symbol::ALL.len()];
                        Action::Advance { from, to, symbol }
                    }
                    _ => Action::Pass,
                })
            }
            Some(byte) => {
                script.wrong += 1;
                let kind = FaultKind::ALL[usize::from(byte) % FaultKind::ALL.len()];
                Err(Fault::new(kind, "as it was told to"))
            }
            // The first legal action, to the end of the game.
            None => Ok(legal.first().copied().unwrap_or(Action::Pass)),
        };
        Ok(Answer {
            reply,
            usage: Usage::default(),
            output: String::new(),
            errors: String::new(),
        })
    })
}
