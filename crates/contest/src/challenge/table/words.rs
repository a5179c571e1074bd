//! The steps of a game, made from the entries of its record without hidden cards: as data for the page that draws
//! them, and in words.

use crate::challenge::record::{Entry, Moved};
use arena::plain_text::counted;
use challenge::rules::{DEFAULT_GOAL, Game, Seat};
use games::challenge::start::Before;
use serde::Serialize;
use tables::Told;

/// A step of the game for the page. It has no player if nobody acts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Happened {
    player: Option<Seat>,
    /// Milliseconds for which the step is shown, if longer than others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pause: Option<u32>,
    #[serde(flatten)]
    what: What,
}

/// Milliseconds for which the end of a hand is shown.
const END: u32 = 2_500;

/// The kind of a step, with its data for the page's script.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
enum What {
    /// A hand is dealt, or set up in its middle.
    Deal {
        /// The number of the hand in the game, from 1.
        hand: u32,
        lead: Seat,
        /// Both hands, the highest card first; none for a hidden one.
        hands: [Option<Vec<u8>>; 2],
        /// How many cards each player has.
        left: [usize; 2],
        points: [u8; 2],
        /// Tricks that each took before a hand was set up in its middle.
        tricks: [u8; 2],
        /// Whether a challenge had been accepted before that.
        accepted: bool,
    },
    /// A card is played.
    Play {
        card: u8,
    },
    /// A challenge is offered.
    Offer,
    Accept,
    Reject,
    /// A trick is over: the player who took it, and the tricks of both.
    Trick {
        by: Option<Seat>,
        tricks: [u8; 2],
    },
    /// A hand is over: its winner, and the points of both.
    Hand {
        by: Option<Seat>,
        points: [u8; 2],
    },
    /// The game is over.
    Game {
        by: Seat,
        points: [u8; 2],
    },
}

/// All steps of a record, for an observer that sees the hands of the seats in `sees`.
pub(super) fn happened(entries: &[Entry], from: Before, sees: [bool; 2]) -> Vec<Happened> {
    let mut hand = from.hands;
    let mut before = from.points;
    // Only the first hand can start in the middle; all later ones start with no tricks.
    let mut first = Some(from);
    let mut all = Vec::new();
    for entry in entries {
        let mut player = None;
        let what = match entry {
            Entry::NewHand {
                player0_hand,
                player1_hand,
                next_player,
            } => {
                hand += 1;
                let shown = |seat: Seat, cards: &Vec<u8>| sees[seat].then(|| cards.clone());
                let first = first.take().unwrap_or_default();
                What::Deal {
                    hand,
                    lead: *next_player,
                    hands: [shown(0, player0_hand), shown(1, player1_hand)],
                    left: [player0_hand.len(), player1_hand.len()],
                    points: before,
                    tricks: first.tricks,
                    accepted: first.accepted,
                }
            }
            Entry::PlayerMove {
                moving_player,
                what,
            } => {
                player = Some(*moving_player);
                match what {
                    Moved::PlayCard { card } => What::Play { card: *card },
                    Moved::OfferChallenge => What::Offer,
                    Moved::AcceptChallenge => What::Accept,
                    Moved::RejectChallenge => What::Reject,
                    // Players at a table cannot make faults: illegal actions are refused.
                    Moved::IllegalMove { .. } => continue,
                }
            }
            Entry::TrickOver {
                player0_tricks,
                player1_tricks,
                won_by,
            } => What::Trick {
                by: *won_by,
                tricks: [*player0_tricks, *player1_tricks],
            },
            Entry::NewHandScore {
                player0_score,
                player1_score,
            } => {
                let points = [*player0_score, *player1_score];
                // The winner of the hand is the player whose points have grown; nobody's grow after a tie.
                let by = (0..2).find(|&seat| points[seat] > before[seat]);
                before = points;
                What::Hand { by, points }
            }
            Entry::FinalGameResult {
                player0_score,
                player1_score,
                winner,
            } => What::Game {
                by: *winner,
                points: [*player0_score, *player1_score],
            },
            // A table has no penalties, and its game belongs to no round.
            Entry::PenaltyResult { .. } | Entry::NewRoundScore { .. } => continue,
        };
        let pause = match what {
            What::Hand { .. } => Some(END),
            _ => None,
        };
        all.push(Happened {
            player,
            pause,
            what,
        });
    }
    all
}

impl Happened {
    /// The step in words, for the list of events.
    pub(super) fn told(&self) -> Told {
        let (seat, words) = match &self.what {
            What::Deal {
                hand, lead, hands, ..
            } => {
                // Hidden hands are simply left out of the sentence.
                let open = hands.iter().enumerate().filter_map(|(seat, cards)| {
                    let cards: Vec<String> = cards.as_ref()?.iter().map(u8::to_string).collect();
                    Some(format!("; player {} gets {}", seat + 1, cards.join(" ")))
                });
                let open: String = open.collect();
                let leader = lead + 1;
                (
                    None,
                    format!("hand {hand} is dealt, player {leader} leads{open}"),
                )
            }
            What::Play { card } => (self.player, format!("plays {card}")),
            What::Offer => (self.player, "offers a challenge".to_owned()),
            What::Accept => (
                self.player,
                "accepts: this hand decides the game".to_owned(),
            ),
            What::Reject => (self.player, "rejects the challenge".to_owned()),
            What::Trick { by, tricks } => match by {
                Some(by) => (
                    Some(*by),
                    format!("takes the trick ({} to {})", tricks[*by], tricks[1 - by]),
                ),
                None => (None, "equal cards: nobody takes the trick".to_owned()),
            },
            What::Hand { by, points } => match by {
                Some(by) => (
                    Some(*by),
                    format!("has the point ({} to {})", points[*by], points[1 - by]),
                ),
                None => (None, "the hand is tied: no point".to_owned()),
            },
            What::Game { by, points } => (
                Some(*by),
                format!("wins the game ({} to {})", points[*by], points[1 - by]),
            ),
        };
        Told { seat, words }
    }
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
