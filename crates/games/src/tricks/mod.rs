//! A round of Tricky Eights or of Hearts as a [`Game`], with every card dealt a turn of chance. Both games share this
//! code; [`Contest`] has their differences.

mod contest;
mod position;
pub mod record;
pub mod start;
mod view;
pub mod whole_game;

pub use contest::{Contest, Eights, EightsOptions, Hearts, HeartsOptions, Moon, PassDirection};

use crate::game::{
    Eyes, Game, Id, Observation, ObservationField, OptionError, Outcomes, Returns, Turn,
};
use crate::{Event, History, RecordError};
use ::tricks::{Card, Cards, Hands, MAX_PLAYERS, Round, Suit, View};
use engine::rng::{Random, below};
use hearts::rules::PASSED;
use serde_json::Value;

/// Number of cards of a whole deck; their ids are below it.
pub const CARDS: usize = 52;

/// A round with its options.
#[derive(Clone, Debug)]
pub struct Rounds<C: Contest> {
    options: C::Options,
}

/// A position: a deal under way, or a round.
#[derive(Clone, Debug)]
pub struct State<R> {
    /// Cards that are not dealt yet.
    left: Cards,
    /// Number of cards dealt.
    dealt: u8,
    hands: Hands,
    pool: Cards,
    /// The round, once everything is dealt.
    round: Option<R>,
    /// For each card, the seat that took it from the pool; everybody saw it.
    taken: [Option<u8>; CARDS],
    /// For each card, the seat that played it.
    played: [Option<u8>; CARDS],
}

/// The id of a card: its suit (clubs, diamonds, hearts, spades) times 13 and its rank from the two on.
#[inline]
pub fn id_of(card: Card) -> Id {
    card.suit() as u8 * 13 + card.rank()
}

/// The card of an id.
#[inline]
pub fn card(id: Id) -> Card {
    Card::new(Suit::ALL[usize::from(id / 13) & 3], id % 13)
}

impl<C: Contest> Rounds<C> {
    /// A round with these options.
    ///
    /// # Errors
    /// If one makes no sense.
    pub fn with(options: C::Options) -> Result<Rounds<C>, OptionError> {
        C::check(&options)?;
        Ok(Rounds { options })
    }

    /// Whether players pass cards before the round.
    fn passes(&self) -> bool {
        C::passing(&self.options) > 0
    }
}

/// The receiver of a card of the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Receiver {
    Pool,
    Seat(usize),
}

impl<R: Round> State<R> {
    /// The round; none while cards are dealt.
    pub fn round(&self) -> Option<&R> {
        self.round.as_ref()
    }

    /// The cards of a seat.
    fn hand(&self, seat: usize) -> Cards {
        self.round
            .as_ref()
            .map_or(self.hands[seat], |round| round.hand(seat))
    }

    /// The cards of the pool.
    fn pool(&self) -> Cards {
        self.round.as_ref().map_or(self.pool, Round::pool)
    }
}

impl<C: Contest> Rounds<C> {
    /// The receiver of the next card after `dealt` ones.
    fn receiver(&self, dealt: u8) -> Receiver {
        let dealt = usize::from(dealt);
        // The deal fills the pool first, then one hand after the other.
        match dealt.checked_sub(C::POOL) {
            Some(dealt) => Receiver::Seat(dealt / C::dealt(self.players())),
            None => Receiver::Pool,
        }
    }

    /// The view of a seat, with all that it has seen of the round; `None` while cards are dealt.
    pub fn view_of(
        &self,
        start: &State<C::Round>,
        events: &[Event],
        seat: usize,
    ) -> Option<View<C::Round>> {
        let mut state = start.clone();
        let mut view = None;
        for event in events {
            self.apply(&mut state, event.id);
            // The view begins with the round.
            let Some(round) = &state.round else { continue };
            match &mut view {
                Some(view) => View::follow(view, card(event.id), round),
                None => view = Some(View::new(round, seat)),
            }
        }
        view
    }
}

impl<C: Contest> Game for Rounds<C> {
    type State = State<C::Round>;

    const NAME: &'static str = C::NAME;

    fn new(options: Value) -> Result<Rounds<C>, OptionError> {
        Rounds::with(OptionError::read(C::NAME, options)?)
    }

    fn players(&self) -> usize {
        C::players(&self.options)
    }

    fn actions(&self) -> usize {
        CARDS
    }

    fn outcomes(&self) -> usize {
        CARDS
    }

    fn longest(&self) -> usize {
        // At most every card is dealt, every card of the pool taken, some passed, and every card played.
        let passed = if self.passes() {
            PASSED * self.players()
        } else {
            0
        };
        CARDS + C::POOL + passed + CARDS
    }

    fn fields(&self) -> Vec<ObservationField> {
        let players = self.players();
        let mut fields = vec![
            ObservationField::new("hand", CARDS, 1),
            ObservationField::new("pool", CARDS, 1),
            ObservationField::new("taken", CARDS, players as u8),
            ObservationField::new("played", CARDS, players as u8),
            ObservationField::new("trick", players, CARDS as u8),
            // All points of a round of Hearts; one of Eights has fewer.
            ObservationField::new("points", players, 26),
            ObservationField::new("leader", 1, players as u8 - 1),
            ObservationField::new("to_move", 1, players as u8),
        ];
        if self.passes() {
            fields.push(ObservationField::new("passed", CARDS, 1));
            fields.push(ObservationField::new("received", CARDS, 1));
        }
        fields
    }

    fn options(&self) -> Value {
        serde_json::to_value(&self.options).unwrap_or_default()
    }

    fn start(&self, _: &mut Random) -> State<C::Round> {
        State {
            left: C::deck(self.players()),
            dealt: 0,
            hands: Hands::default(),
            pool: Cards::EMPTY,
            round: None,
            taken: [None; CARDS],
            played: [None; CARDS],
        }
    }

    #[inline]
    fn turn(&self, state: &State<C::Round>) -> Turn {
        match &state.round {
            None => Turn::Chance,
            Some(round) => round.to_act().map_or(Turn::Over, Turn::Seat),
        }
    }

    #[inline]
    fn legal(&self, state: &State<C::Round>) -> u64 {
        let round = state
            .round
            .as_ref()
            .filter(|round| round.to_act().is_some());
        let legal = round.map_or(Cards::EMPTY, Round::legal);
        legal
            .into_iter()
            .fold(0, |all, card| all | 1 << id_of(card))
    }

    fn chances(&self, state: &State<C::Round>) -> Outcomes {
        match state.round {
            None => state
                .left
                .into_iter()
                .map(|card| (id_of(card), 1))
                .collect(),
            Some(_) => Outcomes::new(),
        }
    }

    #[inline]
    fn draw(&self, state: &State<C::Round>, rng: &mut Random) -> Id {
        // All cards left are equally likely: no list of outcomes is made, as the default does.
        let at = below(rng, state.left.len());
        state.left.into_iter().nth(at).map_or(0, id_of)
    }

    fn apply(&self, state: &mut State<C::Round>, id: Id) {
        let card = card(id);
        let Some(round) = &mut state.round else {
            // A dealt card goes to the pool or a hand; the last one begins the round.
            match self.receiver(state.dealt) {
                Receiver::Pool => state.pool.insert(card),
                Receiver::Seat(seat) => state.hands[seat].insert(card),
            }
            state.left.remove(card);
            state.dealt += 1;
            if state.left.is_empty() {
                state.round = Some(C::begin(&self.options, &state.hands, state.pool));
            }
            return;
        };
        // Taking, passing and playing use the same ids, so taken and played cards are noted apart; the round itself knows
        // the passed ones.
        let seat = round.to_act().map(|seat| seat as u8);
        if round.taking() {
            state.taken[usize::from(id)] = seat;
        } else if !round.passing() {
            state.played[usize::from(id)] = seat;
        }
        round.act(card);
    }

    /// A seat's return is its points minus the mean of the others' points, with the sign turned if points are
    /// bad. The returns sum to 0. Hearts with 2, 2, 2 and 20 points: +6, +6, +6, -18.
    fn returns(&self, state: &State<C::Round>) -> Returns {
        let mut returns = Returns::default();
        let Some(round) = state
            .round
            .as_ref()
            .filter(|round| round.to_act().is_none())
        else {
            return returns;
        };
        let players = self.players();
        let scores = round.scores();
        let sum: f64 = scores[..players].iter().copied().map(f64::from).sum();
        let sign = if C::LOW_IS_GOOD { -1.0 } else { 1.0 };
        for (value, &score) in returns.iter_mut().zip(&scores).take(players) {
            let own = f64::from(score);
            *value = sign * (own - (sum - own) / (players - 1) as f64);
        }
        returns
    }

    /// The points of the round so far; at its end the scores, in which a shot moon counts.
    fn scores(&self, state: &State<C::Round>) -> Returns {
        let mut scores = Returns::default();
        let Some(round) = &state.round else {
            return scores;
        };
        let is_over = round.to_act().is_none();
        let last = round.scores();
        for (seat, score) in scores.iter_mut().enumerate().take(self.players()) {
            *score = f64::from(if is_over {
                last[seat]
            } else {
                round.points(seat)
            });
        }
        scores
    }

    fn observe(&self, state: &State<C::Round>, seat: usize, out: &mut [u8]) {
        view::observe(self, state, seat, out);
    }

    fn told(&self, state: &State<C::Round>, outcome: Id, seat: usize) -> Option<String> {
        let name = self.outcome_text(outcome);
        match self.receiver(state.dealt) {
            Receiver::Pool => Some(format!("pool-{name}")),
            Receiver::Seat(receiver) => (receiver == seat).then_some(name),
        }
    }

    /// A card to be passed is known to its seat, and to its receiver once all have chosen.
    fn is_open(&self, then: &State<C::Round>, now: &State<C::Round>, _: Id, seat: usize) -> bool {
        let is_passing = |state: &State<C::Round>| state.round.as_ref().is_some_and(Round::passing);
        let Some(round) = then.round.as_ref().filter(|round| round.passing()) else {
            return true;
        };
        let receiver = round.to_act().map(|giver| round.receiver(giver));
        !is_passing(now) && receiver == Some(seat)
    }

    fn observe_after(
        &self,
        state: &State<C::Round>,
        id: Id,
        observation: Observation,
        out: &mut [u8],
    ) -> Option<f64> {
        let before = state.round.as_ref()?;
        let seat = before.to_act()?;
        let mut after = state.clone();
        self.apply(&mut after, id);
        // The last choice of cards to pass also shows the cards that the seat gets, which are hidden before it. In place
        // of that exchange the seat's own view goes on, in which the others have still to choose.
        if before.passing() && after.round.as_ref().is_some_and(|round| !round.passing()) {
            after.round = Some(before.seen_by(seat));
            self.apply(&mut after, id);
        }
        match observation {
            Observation::Plain => self.observe(&after, seat, out),
            Observation::Network | Observation::Nothing => {}
        }
        (self.turn(&after) == Turn::Over).then(|| self.returns(&after)[seat])
    }

    fn view(&self, state: &State<C::Round>, eyes: Eyes) -> Value {
        view::value(self, state, eyes)
    }

    fn text(&self, state: &State<C::Round>, eyes: Eyes) -> String {
        view::text(self, state, eyes)
    }

    fn picture(&self, state: &State<C::Round>, eyes: Eyes, action: Option<Id>) -> String {
        view::picture(self, state, eyes, action.map(card))
    }

    fn action_text(&self, _: &State<C::Round>, id: Id) -> String {
        card(id).code()
    }

    fn outcome_text(&self, id: Id) -> String {
        card(id).code()
    }

    fn record(&self, over: &History<Rounds<C>>, players: &[String]) -> Result<Value, RecordError> {
        record::of_history(over, players)
    }

    fn from_record(record: &Value, actions: usize) -> Result<History<Rounds<C>>, RecordError> {
        record::to_history(record, actions)
    }

    /// Draws the hidden cards anew, among the hands where they may be.
    fn resample(
        &self,
        start: &State<C::Round>,
        events: &[Event],
        state: &State<C::Round>,
        seat: usize,
        rng: &mut Random,
    ) -> (State<C::Round>, Vec<Event>) {
        let mut hands = self.hands_dealt(start, events, state, seat, rng);
        let mut passed = passed(state, &mut hands, seat, rng);
        let mut dealt: Vec<Vec<Card>> = hands
            .iter()
            .map(|hand| hand.into_iter().collect())
            .collect();
        // The deal is written anew: each event that dealt a card to another seat gets one of that seat's
        // sampled cards, in any order, and so does each hidden choice of a card to pass. The pool, the own hand and all
        // other actions stay.
        let mut place = 0;
        let events = events.iter().map(|event| {
            if let Some(by) = event.seat {
                let hidden = passed[usize::from(by)].pop();
                return Event {
                    id: hidden.map_or(event.id, id_of),
                    ..*event
                };
            }
            let receiver = self.receiver(place);
            place += 1;
            match receiver {
                Receiver::Seat(other) if other != seat => Event {
                    id: dealt[other].pop().map_or(event.id, id_of),
                    ..*event
                },
                _ => *event,
            }
        });
        (start.clone(), events.collect())
    }
}

/// By seat, the cards that it may have chosen to pass; none where the viewer knows them. `hands` are those of a sampled
/// world before the first card was played; they are changed to those before the exchange, if it is over.
fn passed<R: Round>(
    state: &State<R>,
    hands: &mut Hands,
    viewer: usize,
    rng: &mut Random,
) -> Vec<Vec<Card>> {
    let mut hidden = vec![Vec::new(); MAX_PLAYERS];
    let Some(round) = &state.round else {
        return hidden;
    };
    let players = round.players();
    let is_over = !round.passing();
    let before = *hands;
    for giver in 0..players {
        let (chosen, receiver) = (round.passed(giver), round.receiver(giver));
        let is_known = giver == viewer || is_over && receiver == viewer;
        // Unknown passed cards are drawn uniformly: after the exchange from the receiver's hand, before it from the giver's.
        let cards = match (is_known, is_over) {
            (true, _) => chosen,
            (false, true) => some_of(before[receiver], chosen.len(), rng),
            (false, false) => some_of(before[giver], chosen.len(), rng),
        };
        if is_over {
            hands[receiver] = hands[receiver] - cards;
            hands[giver] = hands[giver] | cards;
        }
        if !is_known {
            hidden[giver] = cards.into_iter().collect();
        }
    }
    hidden
}

/// This many of the cards, all sets equally likely.
fn some_of(cards: Cards, count: usize, rng: &mut Random) -> Cards {
    ::tricks::shuffled(cards, rng)
        .into_iter()
        .take(count)
        .collect()
}

impl<C: Contest> Rounds<C> {
    /// Hands as they may have been before the first card was played: held in a sampled world + played since - taken from
    /// the pool. If no cards are passed, they are those dealt.
    fn hands_dealt(
        &self,
        start: &State<C::Round>,
        events: &[Event],
        state: &State<C::Round>,
        seat: usize,
        rng: &mut Random,
    ) -> Hands {
        let view = self.view_of(start, events, seat);
        let world = view.and_then(|view| view.worlds().ok().map(|worlds| worlds(rng)));
        let mut hands = Hands::default();
        let Some(world) = world else {
            // While cards are dealt nobody has acted. So all cards that the seat does not hold, the undealt ones
            // included, are equally likely in every other hand.
            let unseen = state
                .hands
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != seat);
            let unseen = unseen.fold(state.left, |all, (_, &hand)| all | hand);
            let mut cards = ::tricks::shuffled(unseen, rng).into_iter();
            for (other, hand) in hands.iter_mut().enumerate() {
                let count = if other == seat {
                    0
                } else {
                    state.hands[other].len()
                };
                *hand = cards.by_ref().take(count).collect();
            }
            return hands;
        };
        for (other, hand) in hands.iter_mut().enumerate().take(self.players()) {
            *hand = world.hand(other);
        }
        // A card that was taken and then played is first added and then removed: it was in the pool at the
        // deal.
        for id in 0..CARDS as Id {
            let (place, card) = (usize::from(id), card(id));
            if let Some(by) = state.played[place] {
                hands[usize::from(by)].insert(card);
            }
            if let Some(by) = state.taken[place] {
                hands[usize::from(by)].remove(card);
            }
        }
        hands
    }
}
