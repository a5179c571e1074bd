//! A position in a round as people write it, and the deal from which it comes.

use super::Contest;
use super::record::{Record, ReplayError, card_of, words};
use ::tricks::deals::{Deals, MAX_HIDDEN};
use ::tricks::{Card, Cards, Hands, Round};
use engine::rng::{mix, stream};
use serde::{Deserialize, Serialize};

/// A position in a round, as people write it. Seats count from 1, cards are codes with blanks between them; a
/// `?` in a hand is a card that chance chooses among those that fit what was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The seat that acted first in the round, from 1.
    #[serde(default = "one")]
    pub first: usize,
    /// The hands as they are now.
    pub hands: Vec<String>,
    /// The open cards that are still to be taken.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pool: String,
    /// The cards taken and played since the deal, in order.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cards: String,
    /// The players' points before the round; 0 for all if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub totals: Vec<u32>,
}

/// A start that has been checked, for a game to begin with.
#[derive(Clone, Debug)]
pub struct Begin<R> {
    /// The first rounds, as dealt.
    pub rounds: Vec<R>,
    /// Points before the first of them.
    pub totals: Vec<u32>,
    /// Cards of the first of them before the game starts.
    pub before: Vec<Card>,
    /// Whether the game ends with the last of them.
    pub ends: bool,
}

impl<R> Begin<R> {
    /// Whether the game starts with a deal and without points. Only then can a record describe it.
    pub fn is_deal(&self) -> bool {
        self.before.is_empty() && self.totals.iter().all(|&points| points == 0)
    }
}

fn one() -> usize {
    1
}

/// A round as it was dealt, or after these cards have been passed that number of seats further.
pub(super) fn restored<G: Contest>(
    first: usize,
    hands: &[String],
    pool: &str,
    (passing, passed): (usize, &[String]),
) -> Result<G::Round, String> {
    let mut record = Record::of_deal::<G>(first, hands.to_vec(), pool.to_owned());
    record.players = vec![String::new(); hands.len()];
    (record.passing, record.passed) = (passing, passed.to_vec());
    record
        .start(&G::default())
        .map_err(|error| error.to_string())
}

impl Position {
    /// The deal from which `cards` lead to this position. Unknown cards are drawn, all cards are undone, and then
    /// played again by the rules, which shows every mistake that is left.
    pub(super) fn begin<G: Contest>(&self, seed: u64) -> Result<Begin<G::Round>, String> {
        let game = G::default();
        let (players, counts) = (self.hands.len(), G::COUNTS);
        if !counts.contains(&players) {
            let (least, most) = (counts.start(), counts.end());
            return Err(match least == most {
                true => format!("hands: expected {most} players, not {players}"),
                false => format!("hands: expected {least} to {most} players, not {players}"),
            });
        }
        if !(1..=players).contains(&self.first) {
            return Err(format!(
                "first: expected 1 to {players}, not {}",
                self.first
            ));
        }
        let totals = self.totals::<G>()?;
        let before = in_order("cards", &self.cards)?;
        let pool = set("pool", &self.pool)?;
        let acts = self.acts::<G>(&before, pool)?;
        let hands = self.hands_held::<G>(&acts, seed)?;
        // Back to the deal: takes and plays are undone in reverse order.
        let mut dealt: Vec<Cards> = hands[..players].to_vec();
        let mut whole = pool;
        for act in acts.iter().rev() {
            if act.took {
                dealt[act.seat].remove(act.card);
                whole.insert(act.card);
            } else {
                dealt[act.seat].insert(act.card);
            }
        }
        let texts: Vec<String> = dealt.iter().map(|&hand| words(hand)).collect();
        let start = restored::<G>(self.first - 1, &texts, &words(whole), (0, &[]))?;
        // The deal itself has rules, such as who holds the card that leads.
        for (seat, &hand) in dealt.iter().enumerate() {
            let wrong = hand & start.not_dealt(seat);
            if let Some(card) = wrong.first() {
                return Err(format!(
                    "hands: player {} cannot have been dealt {card}",
                    seat + 1
                ));
            }
        }
        // Then forward again with full hands, to check that every card was legal.
        let mut round = game.in_game(start.clone(), G::ends(), &totals);
        for (number, &card) in before.iter().enumerate() {
            let legal = round.legal();
            if !legal.contains(card) {
                let number = number + 1;
                return Err(format!(
                    "cards: card {number} is {card}, but legal are: {legal}"
                ));
            }
            round.act(card);
        }
        if round.to_act().is_none() {
            return Err(
                "cards: the round is over; expected a position in which somebody acts".to_owned(),
            );
        }
        Ok(Begin {
            rounds: vec![start],
            totals,
            before,
            ends: false,
        })
    }

    /// The points before the round, 0 for all by default.
    ///
    /// # Errors
    /// If their number is wrong, one is too high, or the game would be over.
    fn totals<G: Contest>(&self) -> Result<Vec<u32>, String> {
        let players = self.hands.len();
        if self.totals.is_empty() {
            return Ok(vec![0; players]);
        }
        if self.totals.len() != players {
            let found = self.totals.len();
            return Err(format!(
                "totals: expected {players} numbers, one a player, not {found}"
            ));
        }
        if let Some(most) = self.totals.iter().find(|&&total| total > MOST) {
            return Err(format!("totals: expected 0 to {MOST} points, not {most}"));
        }
        if let Some(winner) = G::default().winner(&self.totals) {
            return Err(format!("totals: player {} has won already", winner + 1));
        }
        Ok(self.totals.clone())
    }

    /// The seats of the taken and played cards. The hands are not known yet.
    fn acts<G: Contest>(&self, before: &[Card], pool: Cards) -> Result<Vec<Act>, String> {
        let players = self.hands.len();
        let size = G::default().deal(players, 0, &mut stream(0, 0));
        // Open cards that are missing from the pool have been taken.
        let takes = size.pool().len().saturating_sub(pool.len());
        let taken: Cards = before.iter().take(takes).copied().collect();
        // As long as cards are open, all of `cards` are takes: playing begins with an empty pool.
        let is_early = !pool.is_empty() && before.len() != takes;
        if is_early || !(taken & pool).is_empty() || taken.len() < takes {
            return Err(format!(
                "pool: {} cards are open, so \"cards\" must begin with the {takes} others, which were taken",
                pool.len()
            ));
        }
        // A round with empty hands is enough to know whose turn it is.
        let mut round =
            G::default().restore(players, self.first - 1, &Hands::default(), taken | pool);
        let mut played = Cards::EMPTY;
        let mut acts = Vec::new();
        for (number, &card) in before.iter().enumerate() {
            let wrong = |what: &str| format!("cards: card {} is {card}, {what}", number + 1);
            let seat = round
                .to_act()
                .ok_or_else(|| wrong("after the end of the round"))?;
            if !round.deck().contains(card) {
                return Err(wrong("which is not among the cards of this game"));
            }
            let took = round.taking();
            if !took {
                if played.contains(card) {
                    return Err(wrong("which was played before"));
                }
                played.insert(card);
            }
            let led = round
                .trick()
                .led()
                .filter(|&led| !took && led != card.suit());
            // A player that does not follow suit lacks it; the rules may know of more.
            let lacked = match took {
                true => Cards::EMPTY,
                false => round.lacked(card) | led.map_or(Cards::EMPTY, Cards::suit),
            };
            acts.push(Act {
                seat,
                card,
                took,
                lacked,
            });
            round.act(card);
        }
        Ok(acts)
    }

    /// All hands, with random cards for the unknown ones, among those that fit.
    fn hands_held<G: Contest>(&self, acts: &[Act], seed: u64) -> Result<Hands, String> {
        let players = self.hands.len();
        let fresh = G::default().deal(players, 0, &mut stream(0, 0));
        let mut unseen = fresh.deck() - set("pool", &self.pool)?;
        for act in acts.iter().filter(|act| !act.took) {
            unseen.remove(act.card);
        }
        let mut hands = Hands::default();
        // For each hand with unknown cards: the seat, their number, and the cards that may be among them.
        let mut hidden: Vec<(usize, usize, Cards)> = Vec::new();
        for (seat, text) in self.hands.iter().enumerate() {
            let what = format!("hand {}", seat + 1);
            let own = acts.iter().filter(|act| act.seat == seat);
            let more = own.clone().filter(|act| act.took).count();
            let fewer = own.clone().filter(|act| !act.took).count();
            let expected = (fresh.hand(seat).len() + more).checked_sub(fewer);
            let expected = expected.ok_or_else(|| {
                format!("cards: player {} plays more cards than it has", seat + 1)
            })?;
            let tokens = text.split_ascii_whitespace();
            let unknown = tokens.clone().filter(|&card| card == "?").count();
            let known: Vec<&str> = tokens.filter(|&card| card != "?").collect();
            if known.len() + unknown != expected {
                let found = known.len() + unknown;
                return Err(format!("{what}: expected {expected} cards, not {found}"));
            }
            for code in known {
                let card = card_of(code).map_err(|error| format!("{what}: {error}"))?;
                if !unseen.contains(card) {
                    return Err(format!(
                        "{what}: {card} is elsewhere, or not among the cards of this game"
                    ));
                }
                unseen.remove(card);
                hands[seat].insert(card);
            }
            if unknown > 0 {
                let lacked = own.fold(
                    fresh_lacks(acts, seat, &fresh, self.first - 1),
                    |all, act| all | act.lacked,
                );
                hidden.push((seat, unknown, Cards::ALL - lacked));
            }
        }
        if hidden.len() > MAX_HIDDEN {
            return Err(format!(
                "hands: expected unknown cards (?) in at most {MAX_HIDDEN} of them"
            ));
        }
        // A card that was taken openly and not played yet must be in the hand.
        for &(seat, ..) in &hidden {
            let own = acts.iter().filter(|act| act.seat == seat && act.took);
            let missing = own.map(|act| act.card).find(|&card| unseen.contains(card));
            if let Some(card) = missing {
                let seat = seat + 1;
                return Err(format!(
                    "hand {seat}: {card} was taken and not played; expected it in the hand"
                ));
            }
        }
        // Uniform among all deals that fit: counts and excluded cards of every hand.
        let sizes: Vec<usize> = hidden.iter().map(|&(_, size, _)| size).collect();
        let may_hold: Vec<Cards> = hidden.iter().map(|&(_, _, cards)| cards).collect();
        let deals = Deals::new(unseen, &sizes, &may_hold).map_err(|_| {
            let (left, wanted) = (unseen.len(), sizes.iter().sum::<usize>());
            match left == wanted {
                true => "hands: no deal of the remaining cards fits the cards played".to_owned(),
                false => format!("hands: {left} cards are left for {wanted} unknown cards (?)"),
            }
        })?;
        let found = deals.sample(&mut stream(mix(seed), POSITIONS));
        for (&(seat, ..), cards) in hidden.iter().zip(found) {
            hands[seat] = hands[seat] | cards;
        }
        Ok(hands)
    }
}

/// The most points that a player may have before a round.
const MOST: u32 = 10_000;
/// The stream of the cards that chance chooses.
const POSITIONS: u64 = u64::MAX;

/// A card taken or played, and the cards that it showed to be missing in the hand.
struct Act {
    seat: usize,
    card: Card,
    took: bool,
    lacked: Cards,
}

/// The cards that a seat cannot hold by the deal alone, such as the card that leads.
fn fresh_lacks<R: Round>(acts: &[Act], seat: usize, fresh: &R, first: usize) -> Cards {
    // In Hearts only the first seat can have been dealt the two of clubs, which leads. Once a card was played, it
    // is in no hand. `fresh` may have another leader, so any of its seats that does not lead stands for `seat`.
    let other = (0..fresh.players()).find(|&other| other != fresh.trick().leader());
    match acts.iter().any(|act| !act.took) || seat == first {
        true => Cards::EMPTY,
        false => other.map_or(Cards::EMPTY, |other| fresh.not_dealt(other)),
    }
}

/// Reads the codes of cards with blanks between them.
fn in_order(what: &str, text: &str) -> Result<Vec<Card>, String> {
    let cards = text.split_ascii_whitespace().map(card_of);
    let cards: Result<_, ReplayError> = cards.collect();
    cards.map_err(|error| format!("{what}: {error}"))
}

/// Reads cards that must all be different.
fn set(what: &str, text: &str) -> Result<Cards, String> {
    let mut all = Cards::EMPTY;
    for card in in_order(what, text)? {
        if all.contains(card) {
            return Err(format!("{what}: {card} is there twice"));
        }
        all.insert(card);
    }
    Ok(all)
}
