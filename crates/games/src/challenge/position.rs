//! A position in a hand as people write it, or as a request of the protocol shows it.

use super::notation;
use super::record::{Recorded, cards_of};
use ::challenge::protocol::Request;
use ::challenge::rules::{
    Card, Cards, Challenge, DEFAULT_GOAL, Decision, Game, GameOptions, HAND_SIZE, Hand, PACKS,
    PublicState, Seat, other,
};
use ::challenge::view::{Asked, View};
use engine::rng::{below, mix, stream};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// A position in a hand, as people write it. Players count from 1; cards are ranks separated by blanks;
/// chance chooses a card for each `?`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The current hands of both, without a card on the table.
    #[serde(deserialize_with = "two")]
    pub hands: [String; 2],
    /// The points of both before the hand.
    #[serde(default, deserialize_with = "two")]
    pub points: [u8; 2],
    /// The leader of the first trick in `done`.
    #[serde(default = "one")]
    pub lead: usize,
    /// Tricks that each player had taken before `done`.
    #[serde(default, deserialize_with = "two")]
    pub tricks: [u8; 2],
    /// Tied tricks before `done`.
    #[serde(default)]
    pub tied: u8,
    /// Whether a challenge had been accepted before `done`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
    /// The decisions since, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<String>,
    /// The hand's number in the game.
    #[serde(default = "first")]
    pub hand: u32,
}

/// A value for each of both players. Serde reads an array of two itself, but does not say so of a longer one.
fn two<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<[T; 2], D::Error> {
    let values = Vec::<T>::deserialize(from)?;
    let found = values.len();
    let two = values.try_into().ok();
    two.ok_or_else(|| D::Error::custom(format!("expected 2 players, not {found}")))
}

// Serde calls these two functions for missing fields.
fn one() -> usize {
    1
}

fn first() -> u32 {
    1
}

/// The state of a game before its first entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Hands before the first one.
    pub hands: u32,
    pub points: [u8; 2],
    /// Tricks of the first hand before its recorded part.
    pub tricks: [u8; 2],
    /// Whether a challenge had been accepted in it.
    pub accepted: bool,
}

/// A start that has been checked, for a game to begin with.
#[derive(Clone, Debug)]
pub struct Begin {
    pub options: GameOptions,
    /// The hand that the game starts in; none if it starts with a deal.
    pub hand: Option<Hand>,
    pub before: Before,
    /// Decisions in that hand before the game starts.
    pub done: Vec<Decision>,
    /// The hands that are dealt first, after that one.
    pub deals: Vec<[Cards; 2]>,
}

impl Begin {
    /// The game before the decisions in `done`.
    pub fn game(&self) -> Recorded {
        match self.hand {
            Some(hand) => {
                let Before { hands, points, .. } = self.before;
                Recorded::under_way(Game::under_way(self.options, points, hands + 1, hand))
            }
            None => Recorded::new(self.options),
        }
    }
}

/// Reads cards: ranks separated by blanks.
pub(super) fn ranks(text: &str) -> impl Iterator<Item = Result<Card, String>> {
    text.split_ascii_whitespace().map(|word| {
        let card = word.parse().ok().and_then(Card::new);
        card.ok_or_else(|| format!("{word:?} is no card: expected a rank from 1 to 13"))
    })
}

/// Writes cards for `ranks`, the highest first.
pub(super) fn words(cards: Cards) -> String {
    let ranks: Vec<String> = cards.iter().rev().map(|card| card.to_string()).collect();
    ranks.join(" ")
}

/// The position that a request shows; chance chooses the opponent's cards.
pub(super) fn of_request(request: &Request) -> Result<Position, String> {
    let view: View = request.view().map_err(|error| error.to_string())?;
    let (seat, them) = (view.player_number, other(view.player_number));
    let is_answer = view.asked == Asked::Answer;
    // Whoever acts with an empty table leads. If the player must answer an offer, it leads only if its own
    // card lies on the table.
    let leads = view.their_card.is_none() && (!is_answer || view.own_card.is_some());
    let taken = view.own_tricks.saturating_add(view.their_tricks);
    let tied = view.total_tricks.checked_sub(taken);
    let tied = tied.ok_or_else(|| {
        format!(
            "total_tricks: expected {taken} or more, not {}",
            view.total_tricks
        )
    })?;
    // At most one card lies on the table; it and the offer are replayed as decisions.
    let table = view.own_card.or(view.their_card);
    let played = table.map(|card| notation::print(Decision::Play(card)));
    let offered = is_answer.then(|| notation::print(Decision::Offer));
    let mut tricks = [view.own_tricks; 2];
    tricks[them] = view.their_tricks;
    // The opponent holds a card for each trick that is left, minus one on the table.
    let left = HAND_SIZE.saturating_sub(view.total_tricks.into());
    let theirs = left.saturating_sub(usize::from(view.their_card.is_some()));
    let mut hands = [words(view.cards), vec!["?"; theirs].join(" ")];
    if seat == 1 {
        hands.reverse();
    }
    Ok(Position {
        hands,
        points: view.points(),
        lead: 1 + if leads { seat } else { them },
        tricks,
        tied,
        accepted: view.in_challenge,
        done: played.into_iter().chain(offered).collect(),
        hand: view.hand_id,
    })
}

impl Position {
    /// The public state before the decisions in `done`.
    fn base(&self) -> Result<PublicState, String> {
        let lead: Seat = match self.lead {
            1 | 2 => self.lead - 1,
            found => return Err(format!("lead: expected 1 or 2, not {found}")),
        };
        if let Some(points) = self.points.iter().find(|&&points| points >= DEFAULT_GOAL) {
            let most = DEFAULT_GOAL - 1;
            return Err(format!("points: expected 0 to {most}, not {points}"));
        }
        if !(1..=MOST_HANDS).contains(&self.hand) {
            return Err(format!(
                "hand: expected 1 to {MOST_HANDS}, not {}",
                self.hand
            ));
        }
        let [first, second] = self.tricks.map(usize::from);
        let total = first + second + usize::from(self.tied);
        if total >= HAND_SIZE {
            let most = HAND_SIZE - 1;
            return Err(format!(
                "tricks: expected {most} together with tied at most, not {total}"
            ));
        }
        Ok(PublicState {
            tricks: self.tricks,
            total_tricks: total as u8,
            challenge: match self.accepted {
                // Any player can stand for the one that offered it: that makes no difference any more.
                true => Challenge::Accepted(lead),
                false => Challenge::None,
            },
            ..PublicState::new(lead)
        })
    }

    /// The decisions in `done`, the cards that each has shown by them, and the public state after them.
    fn followed(
        &self,
        base: PublicState,
    ) -> Result<(Vec<Decision>, [Cards; 2], PublicState), String> {
        let mut public = base;
        let (mut done, mut shown) = (Vec::new(), [Cards::EMPTY; 2]);
        for (text, number) in self.done.iter().zip(1..) {
            let wrong = |reason: &str| format!("done: decision {number}, {text:?}: {reason}");
            let decision = notation::parse(text).map_err(|error| wrong(&error))?;
            if public.is_over() {
                return Err(wrong("the hand is over"));
            }
            // Hidden cards are not known here, so only public rules are checked.
            match (decision, public.must_answer()) {
                (Decision::Accept | Decision::Reject, false) => {
                    return Err(wrong("there is no challenge to answer"));
                }
                (Decision::Play(_) | Decision::Offer, true) => {
                    return Err(wrong("expected an answer to the challenge"));
                }
                (Decision::Offer, _) if !public.can_challenge() => {
                    return Err(wrong("there was a challenge already"));
                }
                (Decision::Play(card), _) => shown[public.to_act()].insert(card),
                _ => {}
            }
            public = public.after(decision);
            done.push(decision);
        }
        match public.is_over() {
            true => {
                Err("done: the hand is over; expected a position in which somebody acts".to_owned())
            }
            false => Ok((done, shown, public)),
        }
    }

    /// Checks the position, and draws its unknown cards from `seed`.
    pub(super) fn begin(&self, seed: u64) -> Result<Begin, String> {
        let base = self.base()?;
        let (done, shown, public) = self.followed(base)?;
        // Every card is taken from the packs once: first the shown ones, then the known ones of the hands,
        // last the random ones.
        let mut left = PACKS;
        let mut take = |what: &str, cards: Cards| {
            for card in cards.iter() {
                left = left.without(card).ok_or_else(|| {
                    format!(
                        "{what}: {card} is there more than {} times",
                        PACKS.count(card)
                    )
                })?;
            }
            Ok::<(), String>(())
        };
        take("done", shown[0].plus(shown[1]))?;
        let mut hands = [Cards::EMPTY; 2];
        for (seat, text) in self.hands.iter().enumerate() {
            let what = format!("hand {}", seat + 1);
            let count = text.split_ascii_whitespace().count();
            let expected = public.cards_held(seat);
            if count != expected {
                return Err(format!("{what}: expected {expected} cards, not {count}"));
            }
            let known: Vec<&str> = text
                .split_ascii_whitespace()
                .filter(|&word| word != "?")
                .collect();
            hands[seat] =
                cards_of(ranks(&known.join(" "))).map_err(|error| format!("{what}: {error}"))?;
            take(&what, hands[seat])?;
        }
        // Unknown cards are drawn without replacement from all that is left.
        let mut rest: Vec<Card> = left.iter().collect();
        let mut rng = stream(mix(seed), POSITIONS);
        for (seat, hand) in hands.iter_mut().enumerate() {
            while hand.len() < public.cards_held(seat) {
                let place = below(&mut rng, rest.len());
                hand.insert(rest.swap_remove(place));
            }
        }
        // The hand as dealt: current cards plus those shown since.
        let dealt = [0, 1].map(|seat| hands[seat].plus(shown[seat]));
        Ok(Begin {
            options: GameOptions::default(),
            hand: Some(Hand::under_way(dealt, base)),
            before: Before {
                hands: self.hand - 1,
                points: self.points,
                tricks: self.tricks,
                accepted: self.accepted,
            },
            done,
            deals: Vec::new(),
        })
    }
}

/// The highest number of a hand, far beyond any game that people play.
const MOST_HANDS: u32 = 100_000;
/// The random stream that draws the unknown cards.
const POSITIONS: u64 = u64::MAX;
