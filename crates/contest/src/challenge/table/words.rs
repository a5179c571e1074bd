//! The steps of a game, made from the entries of its record without hidden cards, and a position for a terminal.

use crate::challenge::record::{Entry, Moved};
use arena::plain_text::counted;
use challenge::rules::{DEFAULT_GOAL, Game, Seat};
use games::challenge::start::Before;
use serde_json::json;
use tables::Told;

/// Milliseconds for which the end of a hand is shown.
const END: u32 = 2_500;

/// All steps of a record, for an observer that sees the hands of the seats in `sees`.
pub(super) fn told(entries: &[Entry], from: Before, sees: [bool; 2]) -> Vec<Told> {
    let mut hand = from.hands;
    let mut before = from.points;
    // Only the first hand can start in the middle; all later ones start with no tricks.
    let mut first = Some(from);
    let mut all = Vec::new();
    for entry in entries {
        let mut player = None;
        let (seat, words, mut entry) = match entry {
            Entry::NewHand {
                player0_hand,
                player1_hand,
                next_player,
            } => {
                hand += 1;
                let first = first.take().unwrap_or_default();
                let dealt = [player0_hand, player1_hand];
                let shown = [0, 1].map(|seat| sees[seat].then_some(dealt[seat]));
                // Hidden hands are simply left out of the sentence.
                let open = shown.iter().zip(1..).filter_map(|(cards, player)| {
                    let cards: Vec<String> = cards.as_ref()?.iter().map(u8::to_string).collect();
                    Some(format!("; player {player} gets {}", cards.join(" ")))
                });
                let (leader, open) = (next_player + 1, open.collect::<String>());
                let words = format!("hand {hand} is dealt, player {leader} leads{open}");
                let entry = json!({
                    "what": "deal",
                    "hand": hand,
                    "lead": next_player,
                    // The highest card first; none for a hidden hand.
                    "hands": shown,
                    "left": dealt.map(Vec::len),
                    "points": before,
                    // A hand that was set up in its middle has tricks, and perhaps an accepted challenge.
                    "tricks": first.tricks,
                    "accepted": first.accepted,
                });
                (None, words, entry)
            }
            Entry::PlayerMove {
                moving_player,
                what,
            } => {
                player = Some(*moving_player);
                let (words, entry) = match what {
                    Moved::PlayCard { card } => {
                        let entry = json!({ "what": "play", "card": card });
                        (&*format!("plays {card}"), entry)
                    }
                    Moved::OfferChallenge => ("offers a challenge", json!({ "what": "offer" })),
                    Moved::AcceptChallenge => {
                        let words = "accepts: this hand decides the game";
                        (words, json!({ "what": "accept" }))
                    }
                    Moved::RejectChallenge => {
                        ("rejects the challenge", json!({ "what": "reject" }))
                    }
                    // Players at a table cannot make faults: illegal actions are refused.
                    Moved::IllegalMove { .. } => continue,
                };
                (player, words.to_owned(), entry)
            }
            Entry::TrickOver {
                player0_tricks,
                player1_tricks,
                won_by,
            } => {
                let tricks = [player0_tricks, player1_tricks];
                let words = match *won_by {
                    Some(by) => format!("takes the trick ({} to {})", tricks[by], tricks[1 - by]),
                    None => "equal cards: nobody takes the trick".to_owned(),
                };
                let entry = json!({ "what": "trick", "by": won_by, "tricks": tricks });
                (*won_by, words, entry)
            }
            Entry::NewHandScore {
                player0_score,
                player1_score,
            } => {
                let points = [*player0_score, *player1_score];
                // The winner of the hand is the player whose points have grown; nobody's grow after a tie.
                let by = (0..2).find(|&seat| points[seat] > before[seat]);
                before = points;
                let words = match by {
                    Some(by) => format!("has the point ({} to {})", points[by], points[1 - by]),
                    None => "the hand is tied: no point".to_owned(),
                };
                let entry = json!({ "what": "hand", "by": by, "points": points, "pause": END });
                (by, words, entry)
            }
            Entry::FinalGameResult {
                player0_score,
                player1_score,
                winner,
            } => {
                let points = [player0_score, player1_score];
                let [own, other] = [points[*winner], points[1 - winner]];
                let entry = json!({ "what": "game", "by": winner, "points": points });
                (
                    Some(*winner),
                    format!("wins the game ({own} to {other})"),
                    entry,
                )
            }
            // A table has no penalties, and its game belongs to no round.
            Entry::PenaltyResult { .. } | Entry::NewRoundScore { .. } => continue,
        };
        entry["player"] = json!(player);
        all.push(Told { seat, words, entry });
    }
    all
}

/// The position for a terminal, in which the hands of some seats are seen.
pub(super) fn screen(game: &Game, sees: [bool; 2], names: &[String]) -> Vec<String> {
    let points = game.points();
    let Some(hand) = game.hand() else {
        let score = |seat: Seat| {
            let points = counted(points[seat], "point");
            format!("{}: {points}", names[seat])
        };
        return vec![score(0), score(1)];
    };
    let public = hand.public();
    let mut lines = vec![format!(
        "hand {}, to {DEFAULT_GOAL} points{}",
        game.hand_id(),
        match (public.must_answer(), public.in_challenge()) {
            (true, _) => "; a challenge is offered",
            (_, true) => "; a challenge was accepted: this hand decides the game",
            _ => "",
        }
    )];
    for (seat, name) in names.iter().enumerate() {
        let cards = hand.cards(seat);
        let held = match sees[seat] {
            true => cards.to_string(),
            false => counted(cards.len(), "card"),
        };
        let points = counted(points[seat], "point");
        let tricks = counted(public.tricks[seat], "trick");
        lines.push(format!("{name}: {points}, {tricks}; {held}"));
    }
    lines.push(match public.table {
        Some(card) => format!("on the table: {card} of {}", names[public.lead]),
        None => "nothing lies on the table".to_owned(),
    });
    lines
}
