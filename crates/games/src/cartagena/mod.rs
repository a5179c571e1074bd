//! Cartagena, with every card drawn a turn of chance.
//!
//! A state has the cards left in the deck, not their order. Each draw takes one of them, a symbol with
//! probability (its copies left) / (all cards left). With 3 hats among 12 cards, a hat has probability 1/4.
//! This is the same game as with a shuffled pile, because nobody knows its order.

mod observation;
mod options;
mod position;
pub mod record;
mod state;
mod view;

pub use options::{Options, word as board_word};
pub use position::Position;
pub use state::{PASS, State, action, id_of};

use crate::game::{
    Eyes, Game, Id, Observation, ObservationField, OptionError, Outcomes, Returns, Turn,
};
use crate::{Event, History, RecordError};
use ::cartagena::belief::{Belief, ReplayOptions, replay};
use ::cartagena::boards;
use ::cartagena::evaluation::Afterstate;
use ::cartagena::notation::{ParseError, parse, print_action};
use ::cartagena::record::GameRecord;
use ::cartagena::rules::{self, Board, Cards, SYMBOLS, Symbol};
use ::cartagena::view::View;
use engine::rng::Random;
use serde_json::Value;

/// The letters of some cards.
pub fn word(cards: Cards) -> String {
    cards.iter().map(Symbol::letter).collect()
}

/// Cartagena with its options.
#[derive(Clone, Debug)]
pub struct Cartagena {
    options: Options,
    /// The board of the options; none if each game draws one.
    board: Option<Board>,
    /// Whether states keep the moves that led to them. Views, records and beliefs need them; batches do not.
    keeps_moves: bool,
}

impl Cartagena {
    /// The game with these options.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn with(mut options: Options) -> Result<Cartagena, OptionError> {
        let board = options.check()?;
        if let Some(board) = &board {
            options.spaces = board.spaces().len();
        }
        Ok(Cartagena {
            options,
            board,
            keeps_moves: true,
        })
    }

    /// The hands of all seats, if they lie open.
    pub fn open_hands<'a>(&self, state: &'a State) -> Option<&'a [Cards]> {
        let hands = &state.state.hands[..self.options.players];
        self.options.open_hands.then_some(hands)
    }

    pub fn settings(&self) -> &Options {
        &self.options
    }

    /// Reads a text of the contest: the game that it belongs to, and its position. Cards that the player to move
    /// does not see are sampled.
    ///
    /// # Errors
    /// If the text cannot be read.
    pub fn of_text(text: &[u8], rng: &mut Random) -> Result<(Cartagena, State), ParseError> {
        let record = parse(text)?;
        let read = replay(&record, &ReplayOptions::default());
        let options = Options {
            players: read.game.players,
            deal: read.deal,
            board: Some(options::word(&read.game.board)),
            spaces: read.game.board.spaces().len(),
            ..Options::default()
        };
        let world = read.belief.sample(&read.view, rng);
        let game = Cartagena {
            board: Some(read.game.board.clone()),
            options,
            keeps_moves: true,
        };
        Ok((
            game,
            State::under_way(read.game, *world.state(), record.moves),
        ))
    }

    /// The game so far as the player to move would receive it.
    pub fn received(&self, state: &State) -> GameRecord {
        GameRecord::of_state(&state.game, &state.state, state.moves.clone())
    }
}

impl Game for Cartagena {
    type State = State;

    const NAME: &'static str = "cartagena";

    fn new(options: Value) -> Result<Cartagena, OptionError> {
        Cartagena::with(OptionError::read(Cartagena::NAME, options)?)
    }

    fn forgetful(self) -> Cartagena {
        Cartagena {
            keeps_moves: false,
            ..self
        }
    }

    fn players(&self) -> usize {
        self.options.players
    }

    fn actions(&self) -> usize {
        usize::from(PASS) + 1
    }

    fn outcomes(&self) -> usize {
        SYMBOLS
    }

    /// The deal, and for each turn three actions with at most two cards drawn each: 9 events.
    fn longest(&self) -> usize {
        self.options.players * self.options.deal + 9 * self.options.max_turns
    }

    fn fields(&self) -> Vec<ObservationField> {
        observation::fields(&self.options)
    }

    fn options(&self) -> Value {
        serde_json::to_value(&self.options).unwrap_or_default()
    }

    fn start(&self, rng: &mut Random) -> State {
        let board = match &self.board {
            Some(board) => board.clone(),
            None => boards::of_length(self.options.spaces, rng),
        };
        State::start(&self.options, board)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        state.turn(&self.options)
    }

    #[inline]
    fn legal(&self, state: &State) -> u64 {
        match self.turn(state) {
            Turn::Seat(_) => state.legal(self.options.early_pass),
            _ => 0,
        }
    }

    fn chances(&self, state: &State) -> Outcomes {
        if self.turn(state) != Turn::Chance {
            return Outcomes::new();
        }
        let left = state.drawable().counts().into_iter().enumerate();
        left.filter(|&(_, count)| count > 0)
            .map(|(id, count)| (id as Id, count.into()))
            .collect()
    }

    #[inline]
    fn draw(&self, state: &State, rng: &mut Random) -> Id {
        state.draw(rng)
    }

    #[inline]
    fn apply(&self, state: &mut State, id: Id) {
        state.apply(&self.options, id, self.keeps_moves);
    }

    fn stopped(&self, state: &State) -> bool {
        self.turn(state) == Turn::Over && state.state.winner().is_none()
    }

    /// 1 for the winner, -1 / (players - 1) for each other; 0 for all if the game was stopped.
    fn returns(&self, state: &State) -> Returns {
        let mut returns = Returns::default();
        if let Some(winner) = state.state.winner() {
            let players = self.options.players;
            returns[..players].fill(-1.0 / (players - 1) as f64);
            returns[winner] = 1.0;
        }
        returns
    }

    /// The winner is first. The others are ranked by their pirates on the boat, then by the distance of the
    /// rest from it. A game that was stopped is drawn.
    fn standing(&self, state: &State) -> Returns {
        let mut standing = Returns::default();
        if state.state.winner().is_some() {
            let track = &state.state.track;
            for (seat, own) in standing.iter_mut().enumerate().take(self.options.players) {
                // Six pirates in the cell of the longest board are 6 × 127 = 762 places away from the boat,
                // fewer than 10,000. So one pirate more on the boat always outweighs the distance.
                *own = 10_000.0 * track.home(seat) as f64 - track.pips(seat) as f64;
            }
        }
        standing
    }

    /// Pirates on the boat.
    fn scores(&self, state: &State) -> Returns {
        let mut scores = Returns::default();
        for (seat, score) in scores.iter_mut().enumerate().take(self.options.players) {
            *score = state.state.track.home(seat) as f64;
        }
        scores
    }

    /// While a retreat's cards are drawn, observes the position after it, in which they are unknown.
    fn observe(&self, state: &State, seat: usize, out: &mut [u8]) {
        match state.after_retreat() {
            Some(after) => observation::plain_after(state, &after, seat, out),
            None => observation::plain(state, seat, out),
        }
    }

    fn features(&self) -> Option<usize> {
        Some(::cartagena::evaluation::features::count(
            self.options.players,
        ))
    }

    fn observe_features(&self, state: &State, out: &mut [u8]) {
        observation::features(state, out);
    }

    /// Each card is drawn by one seat, which alone sees it unless hands are open. The deal goes from seat to seat.
    fn told(&self, state: &State, outcome: Id, seat: usize) -> Option<String> {
        let sees = self.options.open_hands || state.drawer(&self.options) == seat;
        sees.then(|| self.outcome_text(outcome))
    }

    /// Observes the position after an action before its cards are drawn, so they are unknown. A plain observation
    /// counts them in the size of the hand and not in the pile; the network's has their number.
    fn observe_after(
        &self,
        state: &State,
        id: Id,
        observation: Observation,
        out: &mut [u8],
    ) -> Option<f64> {
        let after = Afterstate::before(&state.state).then(action(state, id));
        match observation {
            Observation::Plain => observation::plain_after(state, &after, after.seat, out),
            Observation::Network => observation::features_of(state, &after, out),
            Observation::Nothing => {}
        }
        // The action ends a turn; if that was the last one allowed, the game is drawn. A win comes first, as in
        // `State::turn`.
        let stopped =
            after.actions_left == 0 && state.turns() as usize + 1 >= self.options.max_turns;
        match after.won() {
            true => Some(1.0),
            false => stopped.then_some(0.0),
        }
    }

    fn view(&self, state: &State, eyes: Eyes) -> Value {
        view::value(self, state, eyes)
    }

    fn text(&self, state: &State, eyes: Eyes) -> String {
        view::text(self, state, eyes)
    }

    fn picture(&self, state: &State, eyes: Eyes, action: Option<Id>) -> String {
        // A picture of all hands has nothing beside them that is hidden.
        let eyes = if self.options.open_hands {
            Eyes::All
        } else {
            eyes
        };
        view::picture(state, eyes, action)
    }

    fn action_text(&self, state: &State, id: Id) -> String {
        match action(state, id) {
            rules::Action::Pass => "pass".to_owned(),
            action => print_action(usize::from(state.state.to_move), action),
        }
    }

    fn outcome_text(&self, id: Id) -> String {
        Symbol::ALL[usize::from(id)].name().to_owned()
    }

    fn position(&self, start: &State) -> Option<Value> {
        let dealt = !start.is_dealing(&self.options);
        dealt.then(|| serde_json::to_value(Position::of(start)).unwrap_or_default())
    }

    fn of_position(&self, position: Value, rng: &mut Random) -> Result<State, String> {
        Position::of_stored(position)?.state(self, rng)
    }

    fn record(&self, over: &History<Cartagena>, players: &[String]) -> Result<Value, RecordError> {
        record::record(over, players)
    }

    // A record tells the board of its game, and the turn at which it was stopped.
    const UNTOLD: &'static [&'static str] = &["board", "spaces", "max_turns"];

    fn from_record(record: &Value, actions: usize) -> Result<History<Cartagena>, RecordError> {
        record::from_record(record, actions)
    }

    /// All moves, which everybody sees, and the seat's own hand. The order in which the seat drew its cards is left
    /// out: positions that differ only in that are treated as one.
    fn information(&self, _: &State, _: &[Event], state: &State, seat: usize) -> Option<String> {
        Some(view::information(self, state, seat))
    }

    /// Samples the hidden cards by the seat's belief, which takes reshuffles into account. The position becomes a
    /// new start without events.
    fn resample(
        &self,
        start: &State,
        events: &[Event],
        state: &State,
        seat: usize,
        rng: &mut Random,
    ) -> (State, Vec<Event>) {
        // Chance is explicit, so a game with open hands hides nothing that has happened.
        if self.options.open_hands {
            return match state.is_dealing(&self.options) {
                true => (start.clone(), events.to_vec()),
                false => (state.clone(), Vec::new()),
            };
        }
        if state.is_dealing(&self.options) {
            return (start.clone(), view::redealt(self, start, events, seat, rng));
        }
        // Hands and pile first; then the cards of a retreat that another player is drawing right now.
        let view = View::of(&state.state, seat);
        let belief = self.belief(state, &view);
        let mut other = state.clone();
        for _ in 0..MOST_SAMPLES {
            other.retreat = state.retreat;
            other.state = *belief.sample(&view, rng).state();
            if other.redraw(seat, rng) {
                return (other, Vec::new());
            }
        }
        // No sampled pile agrees: what the seat has drawn stays as it is.
        other.retreat = state.retreat;
        (other, Vec::new())
    }
}

/// The most worlds that are sampled for a seat that is in the middle of a draw, until one agrees with the cards that
/// it has drawn. It has drawn one at most, as the second ends the draw: about one world in six agrees.
const MOST_SAMPLES: usize = 1000;

impl Cartagena {
    /// The belief of a seat about the cards that it does not see.
    fn belief(&self, state: &State, view: &View) -> Belief {
        // The seat may not be the one to move: the replay is asked as if it were, with its own hand.
        let record = GameRecord {
            to_move: view.seat,
            hand: view.hand.iter().collect(),
            ..self.received(state)
        };
        let options = ReplayOptions {
            deal: Some(self.options.deal),
            boat_retreat: self.options.boat_retreat,
        };
        let read = replay(&record, &options);
        // A record does not say how far another's turn has gone; everything else must agree.
        let same = View {
            to_move: view.to_move,
            taken: view.taken,
            ..read.view
        };
        match same == *view {
            true => read.belief,
            // The replay does not arrive at this view. Passes leave no trace in a record, and a stored position
            // may lack moves. Then the view alone is used.
            false => Belief::of_view(view, self.options.players),
        }
    }
}
