//! Kuhn poker (Kuhn 1950): an example of a game in a crate outside of `games`. Implementing [`games::Game`] is all
//! that a new game needs; laws, histories, batches and the Python package then work with it.
//!
//! The rules: there are three cards. Each of two players puts one chip into the pot and is dealt a card. A player
//! passes or bets a chip; a pass after a bet gives up the pot. The player with the higher card, or the only one left,
//! takes the pot.

use engine::rng::{Random, below};
use games::{
    Event, Eyes, Game, Id, NoOptions, Observation, ObservationField, OptionError, Outcomes,
    Returns, Turn,
};
use serde_json::{Value, json};

/// The actions: a pass and a bet.
const WORDS: [&str; 2] = ["pass", "bet"];
/// The cards, the lowest first.
const CARDS: [&str; 3] = ["jack", "queen", "king"];

/// The game, which has no options.
#[derive(Clone, Debug)]
pub struct Kuhn;

/// A position of a game.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The cards dealt so far: seat 0's, then seat 1's.
    cards: Vec<Id>,
    /// The actions so far.
    done: Vec<Id>,
}

impl Game for Kuhn {
    type State = State;
    const NAME: &'static str = "kuhn";

    fn new(options: Value) -> Result<Kuhn, OptionError> {
        OptionError::read(Kuhn::NAME, options).map(|NoOptions {}| Kuhn)
    }

    fn players(&self) -> usize {
        2
    }

    fn actions(&self) -> usize {
        WORDS.len()
    }

    fn outcomes(&self) -> usize {
        CARDS.len()
    }

    /// Two cards, and at most a pass, a bet and its answer.
    fn longest(&self) -> usize {
        5
    }

    fn fields(&self) -> Vec<ObservationField> {
        vec![
            ObservationField::new("card", CARDS.len(), 1),
            ObservationField::new("bets", 3, 2),
        ]
    }

    fn options(&self) -> Value {
        json!({})
    }

    fn start(&self, _: &mut Random) -> State {
        State::default()
    }

    fn turn(&self, state: &State) -> Turn {
        // The game goes on after nothing, one action, or a pass and a bet. Everything else ends it.
        match state.done[..] {
            _ if state.cards.len() < 2 => Turn::Chance,
            [] | [_] | [0, 1] => Turn::Seat(state.done.len() % 2),
            _ => Turn::Over,
        }
    }

    fn legal(&self, state: &State) -> u64 {
        match self.turn(state) {
            Turn::Seat(_) => 0b11,
            _ => 0,
        }
    }

    fn chances(&self, state: &State) -> Outcomes {
        let is_left = |card: &Id| state.cards.len() < 2 && !state.cards.contains(card);
        (0..3).filter(is_left).map(|card| (card, 1)).collect()
    }

    fn apply(&self, state: &mut State, id: Id) {
        match self.turn(state) {
            Turn::Chance => state.cards.push(id),
            _ => state.done.push(id),
        }
    }

    fn returns(&self, state: &State) -> Returns {
        let mut returns = Returns::default();
        // A pass after a bet gives up the pot; otherwise the higher card wins.
        let winner = match state.done[..] {
            [1, 0] => 0,
            [0, 1, 0] => 1,
            _ => usize::from(state.cards[1..] > state.cards[..1]),
        };
        if self.turn(state) == Turn::Over {
            // After a bet that was called, each player has two chips in the pot.
            let chips = if state.done.ends_with(&[1, 1]) {
                2.0
            } else {
                1.0
            };
            returns[winner] = chips;
            returns[1 - winner] = -chips;
        }
        returns
    }

    fn observe(&self, state: &State, seat: usize, out: &mut [u8]) {
        out.fill(0);
        if let Some(&card) = state.cards.get(seat) {
            out[usize::from(card)] = 1;
        }
        // 0 stays for actions that are still to come.
        for (place, &id) in state.done.iter().enumerate() {
            out[CARDS.len() + place] = 1 + id;
        }
    }

    /// Only a player that gives up knows its return before the action: a showdown is decided by a card that it does
    /// not see.
    fn observe_after(
        &self,
        state: &State,
        id: Id,
        wanted: Observation,
        out: &mut [u8],
    ) -> Option<f64> {
        let Turn::Seat(seat) = self.turn(state) else {
            return None;
        };
        let mut after = state.clone();
        self.apply(&mut after, id);
        if wanted == Observation::Plain {
            self.observe(&after, seat, out);
        }
        (id == 0 && state.done.last() == Some(&1)).then_some(-1.0)
    }

    fn told(&self, state: &State, outcome: Id, seat: usize) -> Option<String> {
        (state.cards.len() == seat).then(|| self.outcome_text(outcome))
    }

    fn view(&self, state: &State, eyes: Eyes) -> Value {
        let card =
            |(seat, &card): (usize, &Id)| eyes.sees(seat).then_some(CARDS[usize::from(card)]);
        json!({
            "cards": state.cards.iter().enumerate().map(card).collect::<Vec<_>>(),
            "done": state.done.iter().map(|&id| WORDS[usize::from(id)]).collect::<Vec<_>>(),
        })
    }

    fn action_text(&self, _: &State, id: Id) -> String {
        WORDS[usize::from(id)].to_owned()
    }

    fn outcome_text(&self, id: Id) -> String {
        CARDS[usize::from(id)].to_owned()
    }

    /// Draws the other player's card anew: either of the two cards that the seat does not hold.
    fn resample(
        &self,
        start: &State,
        events: &[Event],
        state: &State,
        seat: usize,
        rng: &mut Random,
    ) -> (State, Vec<Event>) {
        let own = state.cards.get(seat);
        let unseen: Vec<Id> = (0..3).filter(|card| Some(card) != own).collect();
        // The first two events are the cards of seats 0 and 1, so event `1 - seat` is the other's card, if dealt.
        let mut events = events.to_vec();
        if state.cards.len() > 1 - seat {
            events[1 - seat].id = unseen[below(rng, unseen.len())];
        }
        (start.clone(), events)
    }
}

/// The Python package `contestants` with this game in it. Built as `_native`, this library replaces the package's
/// own.
#[cfg(feature = "python")]
#[pyo3::pymodule]
#[pyo3(name = "_native")]
fn python(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
    games::bring(games::Kind::of::<Kuhn>());
    _native::fill(module)
}
