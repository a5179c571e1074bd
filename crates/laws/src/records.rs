//! Files of records: no bytes make their readers panic, nor the replay of a record that was read. A record
//! that replays can be written, and replays again.

use arena::records::{Reader, line_of};
use contest::cartagena::record::Record as Game;
use contest::challenge::record::GameLine;
use contest::eights::matches::Eights;
use contest::hearts::matches::Hearts;
use contest::tricks::Contest;
use contest::tricks::record::Record as Round;
use tricks::Round as _;

/// The readers of all games' records.
///
/// # Panics
/// If a law is broken.
pub fn records(input: &[u8]) {
    for game in Reader::<_, Game>::new("games", input) {
        match game {
            Ok(game) => cartagena(&game),
            Err(error) => assert!(error.to_string().starts_with("games: line ")),
        }
    }
    // Every round is replayed by the rules of both games, whichever of them it names.
    for round in Reader::<_, Round>::new("rounds", input).flatten() {
        tricks(&round, &Eights);
        tricks(&round, &Hearts::default());
    }
    for line in input.split(|&byte| byte == b'\n') {
        if let Ok(game) = serde_json::from_slice::<GameLine>(line) {
            let written = line_of(&game).expect("a game can be written");
            assert_eq!(
                serde_json::from_slice::<GameLine>(&written).ok(),
                Some(game)
            );
        }
    }
}

/// The replay of a game of Cartagena, and of the record that is written of it.
fn cartagena(game: &Game) {
    let history = match game.positions() {
        Ok(history) => history,
        // A record may be refused, but never without a reason.
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(history.steps.len(), game.actions.len());
    for (number, past) in history.steps.iter().enumerate() {
        let told = history.told(number);
        assert_eq!(
            (told.to_move, told.hand.len()),
            (past.seat(), past.view().hand.total().into())
        );
    }
    for number in 0..game.faults.len() {
        assert!(history.told_at_fault(number).to_move < game.players.len());
    }
    let line = game.to_line();
    let again = Reader::<_, Game>::new("again", &line[..]).next();
    let again = again
        .expect("a line")
        .expect("what was written can be read");
    let replayed = again.replay(|_, _, _, _| ()).expect("as it did before");
    assert_eq!(replayed.1, history.last);
}

/// The replay of a round by the rules of a trick-taking game, and of the record that is written of it.
fn tricks<C: Contest>(round: &Round, contest: &C)
where
    C::Round: PartialEq + std::fmt::Debug,
{
    let mut cards = 0;
    let end = match round.replay(contest, |_, _, _| cards += 1) {
        Ok(end) => end,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(cards, round.cards.len());
    // The replay accepts finished rounds only.
    assert_eq!(end.to_act(), None);
    let line = line_of(round).expect("a round can be written");
    let again: Round = serde_json::from_slice(&line).expect("what was written can be read");
    assert_eq!(again.replay(contest, |_, _, _| ()), Ok(end));
}
