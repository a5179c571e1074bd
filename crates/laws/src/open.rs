//! The readers of games and positions at tables: no bytes make them panic, and a game that opens can be played
//! on.

use ::challenge::equilibrium::blueprint::Tables;
use cartagena::evaluation::Evaluators;
use contest::challenge::table::Conditions;
use contest::eights::matches::Eights;
use contest::hearts::matches::Hearts;
use contest::tricks;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tables::{Beginning, Eyes, Kind};

/// Actions that are taken after those of the text.
const MORE: usize = 40;

/// The games whose readers are checked. They are made once, for all inputs.
fn kinds() -> &'static [Kind; 4] {
    static KINDS: OnceLock<[Kind; 4]> = OnceLock::new();
    KINDS.get_or_init(|| {
        let evaluators = Arc::new(Evaluators::installed(|_| ()));
        let tables = Tables::new("no such folder".into(), |_| ());
        [
            contest::cartagena::table::kind(evaluators, Vec::new()),
            contest::challenge::table::kind(tables, Vec::new(), Conditions::default()),
            tricks::table::kind::<Hearts>(Vec::new(), Duration::ZERO),
            tricks::table::kind::<Eights>(Vec::new(), Duration::ZERO),
        ]
    })
}

/// Gives the bytes to every game's reader. A refusal has a reason. A game that opens starts at a table with any
/// seed, takes the actions of the text, goes on with legal actions, and goes back to its start.
///
/// # Panics
/// If a law is broken.
pub fn open(input: &[u8]) {
    for kind in kinds() {
        let opened = match kind.open(input) {
            Ok(opened) => opened,
            Err(reason) => {
                assert!(!reason.is_empty(), "{}", kind.scene.name);
                continue;
            }
        };
        let seats = opened.names.len();
        assert!(kind.scene.seats.contains(&seats));
        // A table keeps the start in its file, so it must survive being written and read.
        let start = serde_json::to_string(&opened.start).expect("a start can be written");
        let start = serde_json::from_str(&start).expect("and read");
        let at = |seats, seed| {
            kind.begin(&Beginning {
                start: Some(&start),
                ..Beginning::deal(seats, seed)
            })
        };
        assert!(at(seats + 1, 1).is_err());
        let mut game = match at(seats, 7) {
            Ok(game) => game,
            Err(reason) => panic!("{}: {reason}", kind.scene.name),
        };
        assert!(game.to_move().is_some());
        let before = game.view(Eyes::All);
        for (number, action) in opened.taken.iter().enumerate() {
            if let Err(reason) = game.act(action) {
                panic!("{}: action {number}, {action}: {reason}", kind.scene.name);
            }
        }
        // Another choice at each step, by its number: no action is preferred.
        for number in 0..MORE {
            let choices = game.choices();
            let Some(choice) = choices.get(number % choices.len().max(1)) else {
                break;
            };
            assert_eq!(game.act(&choice.action), Ok(()), "{}", choice.action);
        }
        // Nobody's view of the position panics.
        for eyes in (0..seats).map(Eyes::Seat).chain([Eyes::Onlooker]) {
            assert!(game.view(eyes).is_object());
        }
        if game.to_move().is_none() && game.has_record() {
            let record = game
                .record(&opened.names)
                .expect("a game that is over has one");
            let again = kind.open(&record).expect("a table's file opens");
            assert_eq!(again.taken.len(), game.actions());
        }
        game.go_back(0);
        assert_eq!(game.view(Eyes::All), before);
    }
}
