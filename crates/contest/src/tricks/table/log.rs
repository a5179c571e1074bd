//! The events of a game, computed from its cards.

use super::WholeGame;
use super::deal::Deal;
use super::game::Game;
use crate::tricks::record::words;
use arena::plain_text::counted;
use serde_json::{Value, json};
use tables::{Eyes, Told};
use tricks::Round;

/// Milliseconds for which the page shows the end of a round.
const PAUSE: u32 = 6000;

/// The number of events of a round that is over.
pub(super) fn count<R: Round>(deal: &Deal<R>) -> usize {
    let passed = deal.passed();
    let played = deal.cards.len() - passed - deal.start.pool().len();
    let exchanges = usize::from(passed > 0);
    // The deal, each card, the exchange, each trick, and the end.
    1 + deal.cards.len() + exchanges + played / deal.start.players() + 1
}

/// The events of the round with this number, from 0, as far as these eyes see them. The end of a trick is an event too,
/// as people need time to see it.
pub(super) fn told<G: WholeGame>(game: &Game<G>, number: usize, eyes: Eyes) -> Vec<Told> {
    let (deal, players) = (&game.deals[number], game.players());
    // After the end all hands are shown.
    let open = game.to_act().is_none();
    let sees = |seat| open || eyes.sees(seat);
    let mut all = Vec::new();
    let mut tell = |seat: Option<usize>, words: String, entry: Value| {
        all.push(Told { seat, words, entry });
    };
    // People count rounds from 1.
    let count = number + 1;
    let hand = |seat| sees(seat).then(|| words(deal.start.hand(seat)));
    let dealt = json!({
        "player": null,
        "deal": count,
        // None where the eyes may not see it.
        "hands": (0..players).map(hand).collect::<Vec<_>>(),
        // The pool lies open for everybody.
        "pool": words(deal.start.pool()),
    });
    tell(None, format!("round {count} is dealt"), dealt);
    let mut round = deal.start.clone();
    for &(seat, card) in &deal.cards {
        let (took, passes) = (round.taking(), round.passing());
        // Compared with the state after the card, to find the trick's points.
        let before = round.clone();
        round.act(card);
        if passes {
            let (said, pass) = match sees(seat) {
                true => (format!("passes {card}"), Some(card.code())),
                false => ("chooses a card to pass".to_owned(), None),
            };
            tell(Some(seat), said, json!({ "player": seat, "pass": pass }));
            if !round.passing() {
                // By giver, its cards; none where the eyes saw neither the giver's nor the receiver's hand.
                let exchange = (0..players).map(|giver| {
                    let is_seen = sees(giver) || sees(round.receiver(giver));
                    is_seen.then(|| words(round.passed(giver)))
                });
                let exchange: Vec<_> = exchange.collect();
                // How many seats further the cards went.
                let by = round.receiver(0);
                let entry = json!({ "player": null, "by": by, "exchange": exchange });
                tell(None, exchanged(&round, eyes), entry);
            }
            continue;
        }
        let said = format!("{} {card}", if took { "takes" } else { "plays" });
        let entry = json!({ "player": seat, "card": card.code(), "took": took });
        tell(Some(seat), said, entry);
        if !took && before.trick().len() + 1 == players {
            let winner = round.trick().leader();
            let points = round.points(winner) - before.points(winner);
            let said = format!("wins the trick: {}", counted(points, "point"));
            let entry = json!({ "player": null, "winner": winner, "trick": points });
            tell(Some(winner), said, entry);
        }
    }
    if deal.is_over() {
        let points = &round.scores()[..players];
        let listed: Vec<String> = points.iter().map(u8::to_string).collect();
        let said = format!("round {count} is over: {} points", listed.join(", "));
        let entry = json!({
            "player": null,
            "end": count,
            // The points each seat has taken, and those that are added to its total.
            "taken": (0..players).map(|seat| round.points(seat)).collect::<Vec<_>>(),
            "points": points,
            "pause": PAUSE,
        });
        tell(None, said, entry);
    }
    all
}

/// The end of passing in words: the cards that the observer's seat got, if it has one.
fn exchanged<R: Round>(round: &R, eyes: Eyes) -> String {
    let got = eyes
        .seat()
        .map(|seat| round.passed(round.giver(seat)).to_string());
    let got = got.map_or(String::new(), |cards| format!(": you get {cards}"));
    format!("the passed cards change hands{got}")
}
