//! The challenge card game, with every card dealt a turn of chance.
//!
//! The defaults are the contest's game: hands are dealt from two packs, and ten points or an accepted challenge
//! decide the game. With fewer cards, ranks, copies or points it is small enough to be solved.

pub mod notation;
mod position;
pub mod record;
pub mod start;
mod view;

use crate::game::{Eyes, Game, Id, ObservationField, OptionError, Outcomes, Returns, Turn};
use crate::{Event, History, RecordError};
use ::challenge::rules::{
    Card, Cards, Decision, Game as Rules, GameOptions, HAND_SIZE, Hand, LeadAfterTie, PublicState,
    RANKS, Seat, other,
};
use engine::rng::{Random, shuffle};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The id of an offer. The smaller ids are cards: the rank less one.
pub const OFFER: Id = RANKS as Id;
/// The id of accepting an offer.
pub const ACCEPT: Id = OFFER + 1;
/// The id of rejecting an offer.
pub const REJECT: Id = OFFER + 2;

/// The options; the defaults are the contest's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Points that win the game, 1 to 10.
    pub goal: usize,
    /// Cards dealt to each, 1 to 5.
    pub cards: usize,
    /// The number of ranks, which begin with 1: 1 to 13.
    pub ranks: usize,
    /// Cards of each rank, 1 to 8.
    pub copies: usize,
    /// The leader after a tied hand: the one who led it (`opener`) or the other (`alternate`).
    pub lead_after_tie: LeadAfterTie,
    /// Hands after which a game is stopped and drawn, 1 to 10,000.
    pub max_hands: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            goal: 10,
            cards: HAND_SIZE,
            ranks: RANKS,
            copies: 8,
            lead_after_tie: LeadAfterTie::Opener,
            max_hands: 1000,
        }
    }
}

/// The challenge card game with its options.
#[derive(Clone, Debug)]
pub struct Challenge {
    options: Options,
    /// All cards of the packs.
    deck: Cards,
}

/// A position, with a deal that may be under way.
#[derive(Clone, Debug)]
pub struct State {
    /// The game by its rules. While a hand is dealt, it is as before that hand.
    game: Rules,
    /// The cards left in the packs.
    left: Cards,
    /// By seat, the cards of the next hand that are dealt so far.
    dealing: [Cards; 2],
    /// Number of hands begun.
    hands: u32,
    /// The seat that leads the next hand.
    lead: Seat,
    /// The decisions of this hand.
    log: Vec<Decision>,
}

impl Challenge {
    /// The game with these options.
    ///
    /// # Errors
    /// If a value is out of its range, or the packs are too small for a deal.
    pub fn with(options: Options) -> Result<Challenge, OptionError> {
        let Options {
            goal,
            cards,
            ranks,
            copies,
            max_hands,
            ..
        } = options;
        OptionError::within("goal", goal, 1..=10)?;
        OptionError::within("cards", cards, 1..=HAND_SIZE)?;
        OptionError::within("ranks", ranks, 1..=RANKS)?;
        OptionError::within("copies", copies, 1..=8)?;
        OptionError::within("max_hands", max_hands, 1..=10_000)?;
        // One deal must be possible from whole packs: then one always is, as too few cards are shuffled again.
        let all = ranks * copies;
        OptionError::check(
            all >= 2 * cards,
            "cards",
            cards,
            format!("at most half of the {all} cards there are"),
        )?;
        let deck = Card::all()
            .filter(|card| usize::from(card.rank()) <= ranks)
            .flat_map(|card| std::iter::repeat_n(card, copies))
            .collect();
        Ok(Challenge { options, deck })
    }

    pub fn settings(&self) -> &Options {
        &self.options
    }

    /// Whether no card is out of the packs.
    pub fn has_all_cards(&self, state: &State) -> bool {
        state.left == self.deck
    }

    /// The options of the rules.
    fn rules(&self) -> GameOptions {
        GameOptions {
            goal: self.options.goal as u8,
            lead_after_tie: self.options.lead_after_tie,
        }
    }

    /// Whether the most hands are played and none is being dealt.
    fn is_stopped(&self, state: &State) -> bool {
        state.game.needs_deal()
            && state.hands as usize >= self.options.max_hands
            && state.dealing[0].is_empty()
    }

    /// The seat that gets the next card: seat 0 gets all of its cards first.
    fn receiver(&self, state: &State) -> Seat {
        usize::from(state.dealing[0].len() == self.options.cards)
    }

    /// Begins a hand with the cards that were dealt; it has as many tricks as each player has cards.
    fn deal(&self, state: &mut State) {
        let cards = std::mem::take(&mut state.dealing);
        state.log.clear();
        state.hands += 1;
        if self.options.cards == HAND_SIZE {
            state.game.deal(cards);
            return;
        }
        // The rules end a hand after five tricks. A smaller hand begins with the missing tricks counted and won
        // by nobody: with 3 cards each, 2 tricks.
        let public = PublicState {
            total_tricks: (HAND_SIZE - self.options.cards) as u8,
            ..PublicState::new(state.lead)
        };
        let hand = Hand::under_way(cards, public);
        state.game = Rules::under_way(self.rules(), state.game.points(), state.hands, hand);
    }
}

impl State {
    /// The game by its rules. While a hand is dealt, it is as before that hand.
    pub fn game(&self) -> &Rules {
        &self.game
    }

    /// Whether the next card is the first of a hand.
    pub fn begins_hand(&self) -> bool {
        self.game.needs_deal() && self.dealing[0].is_empty()
    }

    /// The decisions of the hand so far.
    pub fn log(&self) -> &[Decision] {
        &self.log
    }
}

/// The decision of an id.
pub fn decision(id: Id) -> Decision {
    match id {
        OFFER => Decision::Offer,
        ACCEPT => Decision::Accept,
        REJECT => Decision::Reject,
        rank => Card::new(rank + 1).map_or(Decision::Offer, Decision::Play),
    }
}

/// The id of a decision.
pub fn id_of(decision: Decision) -> Id {
    match decision {
        Decision::Play(card) => card.rank() - 1,
        Decision::Offer => OFFER,
        Decision::Accept => ACCEPT,
        Decision::Reject => REJECT,
    }
}

impl Game for Challenge {
    type State = State;

    const NAME: &'static str = "challenge";

    fn new(options: Value) -> Result<Challenge, OptionError> {
        Challenge::with(OptionError::read(Challenge::NAME, options)?)
    }

    fn players(&self) -> usize {
        2
    }

    fn actions(&self) -> usize {
        usize::from(REJECT) + 1
    }

    fn outcomes(&self) -> usize {
        RANKS
    }

    /// In each hand every card is dealt and played, and one challenge may be offered and answered.
    fn longest(&self) -> usize {
        (4 * self.options.cards + 2) * self.options.max_hands
    }

    fn fields(&self) -> Vec<ObservationField> {
        let Options {
            cards,
            ranks,
            copies,
            goal,
            ..
        } = self.options;
        let [cards, ranks, copies, goal] = [cards, ranks, copies, goal].map(|most| most as u8);
        vec![
            ObservationField::new("hand", RANKS, copies),
            ObservationField::new("own_played", RANKS, copies),
            ObservationField::new("their_played", RANKS, copies),
            ObservationField::new("own_card", 1, ranks),
            ObservationField::new("their_card", 1, ranks),
            ObservationField::new("tricks", 2, cards),
            ObservationField::new("total_tricks", 1, cards),
            ObservationField::new("points", 2, goal),
            ObservationField::new("leads", 1, 1),
            ObservationField::new("challenge", 1, 3),
            ObservationField::new("to_move", 1, 2),
        ]
    }

    fn options(&self) -> Value {
        serde_json::to_value(&self.options).unwrap_or_default()
    }

    fn start(&self, _: &mut Random) -> State {
        State {
            game: Rules::new(self.rules()),
            left: self.deck,
            dealing: [Cards::EMPTY; 2],
            hands: 0,
            lead: 0,
            log: Vec::new(),
        }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.game.to_act() {
            Some(seat) => Turn::Seat(seat),
            None if state.game.winner().is_some() || self.is_stopped(state) => Turn::Over,
            None => Turn::Chance,
        }
    }

    fn legal(&self, state: &State) -> u64 {
        let legal = state.game.hand().into_iter().flat_map(Hand::legal);
        legal.fold(0, |all, decision| all | 1 << id_of(decision))
    }

    fn chances(&self, state: &State) -> Outcomes {
        if self.turn(state) != Turn::Chance {
            return Outcomes::new();
        }
        let ranks = state.left.ranks();
        ranks
            .map(|card| (card.rank() - 1, state.left.count(card).into()))
            .collect()
    }

    fn apply(&self, state: &mut State, id: Id) {
        if !state.game.needs_deal() {
            let decision = decision(id);
            // If the decision ends the hand, the rules forget the hand. So its opener is read before, and the
            // points too: their change shows who won.
            let opener = state.game.hand().map(|hand| hand.public().opener);
            let points = state.game.points();
            state.log.push(decision);
            if state.game.decide(decision).is_err() {
                unreachable!("decision {id} was not checked");
            }
            if state.game.needs_deal() {
                let after = state.game.points();
                // The winner of a hand leads the next one. Without a winner the option decides.
                let won = (0..2).find(|&seat| after[seat] > points[seat]);
                let opener = opener.unwrap_or_default();
                state.lead = won.unwrap_or(match self.options.lead_after_tie {
                    LeadAfterTie::Opener => opener,
                    LeadAfterTie::Alternate => other(opener),
                });
                // The next hand takes the next cards. If too few are left, all are shuffled again.
                if state.left.len() < 2 * self.options.cards {
                    state.left = self.deck;
                }
            }
            return;
        }
        let seat = self.receiver(state);
        if let Some(card) = Card::new(id + 1) {
            state.left.remove(card);
            state.dealing[seat].insert(card);
        }
        if state.dealing[1].len() == self.options.cards {
            self.deal(state);
        }
    }

    fn stopped(&self, state: &State) -> bool {
        self.is_stopped(state)
    }

    /// 1 for the winner and -1 for the other.
    fn returns(&self, state: &State) -> Returns {
        let mut returns = Returns::default();
        if let Some(winner) = state.game.winner() {
            returns[winner] = 1.0;
            returns[other(winner)] = -1.0;
        }
        returns
    }

    fn scores(&self, state: &State) -> Returns {
        let [first, second] = state.game.points();
        let mut scores = Returns::default();
        (scores[0], scores[1]) = (first.into(), second.into());
        scores
    }

    fn observe(&self, state: &State, seat: usize, out: &mut [u8]) {
        view::observe(self, state, seat, out);
    }

    fn told(&self, state: &State, outcome: Id, seat: usize) -> Option<String> {
        (self.receiver(state) == seat).then(|| self.outcome_text(outcome))
    }

    fn view(&self, state: &State, eyes: Eyes) -> Value {
        view::value(self, state, eyes)
    }

    fn text(&self, state: &State, eyes: Eyes) -> String {
        view::text(self, state, eyes)
    }

    fn picture(&self, state: &State, eyes: Eyes, action: Option<Id>) -> String {
        view::picture(self, state, eyes, action)
    }

    fn action_text(&self, _: &State, id: Id) -> String {
        match decision(id) {
            Decision::Play(card) => card.to_string(),
            Decision::Offer => "offer".to_owned(),
            Decision::Accept => "accept".to_owned(),
            Decision::Reject => "reject".to_owned(),
        }
    }

    fn outcome_text(&self, id: Id) -> String {
        (id + 1).to_string()
    }

    fn record(&self, over: &History<Challenge>, players: &[String]) -> Result<Value, RecordError> {
        record::record(over, players)
    }

    /// A record has no name of its contest, but is the only one with entries.
    fn is_record(record: &Value) -> bool {
        record.get("contest").is_none() && record.get("entries").is_some()
    }

    // Where a tied hand is followed by another, the record shows who leads it.
    const UNTOLD: &'static [&'static str] = &["lead_after_tie", "max_hands"];

    fn from_record(record: &Value, actions: usize) -> Result<History<Challenge>, RecordError> {
        record::from_record(record, actions)
    }

    /// Draws anew the cards that were dealt to the other seat and not seen: those of this hand, and those of earlier
    /// hands that it gave up before they were played. They come out of the packs as they were at the last shuffle.
    fn resample(
        &self,
        start: &State,
        events: &[Event],
        _: &State,
        seat: usize,
        rng: &mut Random,
    ) -> (State, Vec<Event>) {
        let theirs = other(seat);
        let mut state = start.clone();
        let mut unseen = Unseen::after_shuffle(state.left);
        // The places of the cards that the other has been dealt in this hand and has not played.
        let mut held: Vec<usize> = Vec::new();
        let mut drawn = events.to_vec();
        for (place, event) in events.iter().enumerate() {
            let is_deal = event.seat.is_none();
            if is_deal && state.dealing[0].is_empty() {
                unseen.places.append(&mut held);
                if state.left == self.deck {
                    unseen.draw(&mut drawn, rng);
                    unseen = Unseen::after_shuffle(state.left);
                }
            }
            let card = Card::new(event.id + 1);
            let is_played = event.seat == Some(theirs as u8) && event.id < OFFER;
            if is_deal && self.receiver(&state) == theirs {
                held.push(place);
            } else if is_deal || is_played {
                unseen.known = card.into_iter().fold(unseen.known, Cards::with);
            }
            if is_played {
                // Cards of a rank are identical: any of them stands for the one that was played.
                let shown = held.iter().position(|&at| events[at].id == event.id);
                shown.map(|at| held.swap_remove(at));
            }
            self.apply(&mut state, event.id);
        }
        unseen.places.append(&mut held);
        unseen.draw(&mut drawn, rng);
        (start.clone(), drawn)
    }
}

/// The cards that a seat has not seen since the packs were shuffled.
struct Unseen {
    /// The packs at the shuffle.
    packs: Cards,
    /// The cards of them that the seat has seen.
    known: Cards,
    /// The numbers of the events that dealt the others.
    places: Vec<usize>,
}

impl Unseen {
    fn after_shuffle(packs: Cards) -> Unseen {
        Unseen {
            packs,
            known: Cards::EMPTY,
            places: Vec::new(),
        }
    }

    /// Deals other cards at the places: all that may lie there are equally likely.
    fn draw(&self, events: &mut [Event], rng: &mut Random) {
        let mut cards: Vec<Card> = self.packs.minus(self.known).iter().collect();
        shuffle(rng, &mut cards);
        for (&place, card) in self.places.iter().zip(cards) {
            events[place].id = card.rank() - 1;
        }
    }
}
