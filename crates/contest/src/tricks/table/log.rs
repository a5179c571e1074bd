//! The events of a game, computed from its cards: as entries that the page draws, and in words for a terminal.

use super::WholeGame;
use super::deal::Deal;
use super::game::Game;
use crate::tricks::record::words;
use arena::plain_text::counted;
use serde::Serialize;
use tables::{Eyes, Told};
use tricks::{Card, Round};

/// Milliseconds for which the page shows the end of a round.
const PAUSE: u32 = 6000;

/// Something that happened in a round after its deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Card {
        seat: usize,
        card: Card,
        took: bool,
    },
    /// A card was chosen to be passed; only its seat sees it.
    Pass {
        seat: usize,
        card: Card,
    },
    /// All cards to be passed are chosen and have changed hands.
    Exchange,
    Trick {
        winner: usize,
        points: u8,
    },
    End,
}

/// The events of a round. The end of a trick is an event too, as people need time to see it.
fn events<R: Round>(deal: &Deal<R>) -> Vec<Event> {
    let mut round = deal.start.clone();
    let players = round.players();
    let mut events = Vec::new();
    for &(seat, card) in &deal.cards {
        let (took, passes) = (round.taking(), round.passing());
        // Compared with the state after the card, to find the trick's points.
        let before = round.clone();
        round.act(card);
        if passes {
            events.push(Event::Pass { seat, card });
            if !round.passing() {
                events.push(Event::Exchange);
            }
            continue;
        }
        events.push(Event::Card { seat, card, took });
        if !took && before.trick().len() + 1 == players {
            let winner = round.trick().leader();
            let points = round.points(winner) - before.points(winner);
            events.push(Event::Trick { winner, points });
        }
    }
    if deal.is_over() {
        events.push(Event::End);
    }
    events
}

/// An entry of the page's log. `player` is the one who acted, if any.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Entry {
    Deal {
        player: Option<usize>,
        /// The round's number, from 1.
        deal: usize,
        /// The hands by seat; none where the eyes may not see it.
        hands: Vec<Option<String>>,
        pool: String,
    },
    Card {
        player: usize,
        card: String,
        took: bool,
    },
    Pass {
        player: usize,
        /// None if the eyes do not see it.
        pass: Option<String>,
    },
    Exchange {
        player: Option<usize>,
        /// How many seats further the cards went.
        by: usize,
        /// By giver, its cards; none where the eyes saw neither the giver's nor the receiver's hand.
        exchange: Vec<Option<String>>,
    },
    Trick {
        player: Option<usize>,
        winner: usize,
        trick: u8,
    },
    End {
        player: Option<usize>,
        end: usize,
        /// The points each seat has taken, and those that are added to its total.
        taken: Vec<u8>,
        points: Vec<u8>,
        pause: u32,
    },
}

/// The log from a round on, and the number of entries before it.
pub(super) fn entries<G: WholeGame>(
    game: &Game<G>,
    from: usize,
    eyes: Eyes,
) -> (usize, Vec<Entry>) {
    // Earlier rounds are only counted: the page has them already.
    let earlier = game.deals[..from].iter();
    let earlier = earlier.map(|deal| 1 + events(deal).len()).sum();
    // After the end all hands are shown.
    let open = game.to_act().is_none();
    let deals = game.deals.iter().enumerate().skip(from);
    let entries = deals.flat_map(|(number, deal)| {
        let players = game.players();
        let sees = move |seat| open || eyes.sees(seat);
        let hand = |seat| sees(seat).then(|| words(deal.start.hand(seat)));
        let dealt = Entry::Deal {
            player: None,
            deal: number + 1,
            hands: (0..players).map(hand).collect(),
            // The pool lies open for everybody.
            pool: words(deal.start.pool()),
        };
        let rest = events(deal).into_iter().map(move |event| match event {
            Event::Card { seat, card, took } => Entry::Card {
                player: seat,
                card: card.code(),
                took,
            },
            Event::Pass { seat, card } => Entry::Pass {
                player: seat,
                pass: sees(seat).then(|| card.code()),
            },
            Event::Exchange => Entry::Exchange {
                player: None,
                by: deal.round.receiver(0),
                exchange: (0..players)
                    .map(|giver| {
                        let is_seen = sees(giver) || sees(deal.round.receiver(giver));
                        is_seen.then(|| words(deal.round.passed(giver)))
                    })
                    .collect(),
            },
            Event::Trick { winner, points } => Entry::Trick {
                player: None,
                winner,
                trick: points,
            },
            Event::End => Entry::End {
                player: None,
                end: number + 1,
                taken: (0..players).map(|seat| deal.round.points(seat)).collect(),
                points: deal.round.scores()[..players].to_vec(),
                pause: PAUSE,
            },
        });
        std::iter::once(dealt).chain(rest)
    });
    (earlier, entries.collect())
}

/// The events of all rounds in words, as far as these eyes see them.
pub(super) fn told<G: WholeGame>(game: &Game<G>, eyes: Eyes) -> Vec<Told> {
    let mut told = Vec::new();
    let open = game.to_act().is_none();
    for (number, deal) in game.deals.iter().enumerate() {
        // People count rounds from 1.
        let round = number + 1;
        told.push(Told {
            seat: None,
            words: format!("round {round} is dealt"),
        });
        told.extend(events(deal).into_iter().map(|event| match event {
            Event::Card { seat, card, took } => Told {
                seat: Some(seat),
                words: format!("{} {card}", if took { "takes" } else { "plays" }),
            },
            Event::Pass { seat, card } => Told {
                seat: Some(seat),
                words: match open || eyes.sees(seat) {
                    true => format!("passes {card}"),
                    false => "chooses a card to pass".to_owned(),
                },
            },
            Event::Exchange => Told {
                seat: None,
                words: exchanged(&deal.round, eyes),
            },
            Event::Trick { winner, points } => Told {
                seat: Some(winner),
                words: format!("wins the trick: {}", counted(points, "point")),
            },
            Event::End => {
                let points = &deal.round.scores()[..game.players()];
                let points: Vec<String> = points.iter().map(u8::to_string).collect();
                Told {
                    seat: None,
                    words: format!("round {round} is over: {} points", points.join(", ")),
                }
            }
        }));
    }
    told
}

/// The end of passing in words: the cards that the observer's seat got, if it has one.
fn exchanged<R: Round>(round: &R, eyes: Eyes) -> String {
    let got = eyes
        .seat()
        .map(|seat| round.passed(round.giver(seat)).to_string());
    let got = got.map_or(String::new(), |cards| format!(": you get {cards}"));
    format!("the passed cards change hands{got}")
}
