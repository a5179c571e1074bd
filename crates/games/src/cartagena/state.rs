//! A position of Cartagena in which cards are drawn one by one: the rules' state, and how far a deal or a
//! retreat has gone.

use super::Options;
use crate::game::{Id, Turn};
use ::cartagena::evaluation::Afterstate;
use ::cartagena::notation::move_of;
use ::cartagena::record::Move;
use ::cartagena::rules::{
    Action, Board, Cards, Game as Rules, Place, SYMBOLS, State as Open, Symbol,
};
use engine::rng::{Random, below};

/// Ids for each pirate: an advance with each symbol, and a retreat. The id is 7 × (the pirate's number from the
/// rear) + (the symbol, or 6 for a retreat): 16 is the third pirate's advance with symbol 2.
const OF_PIRATE: usize = SYMBOLS + 1;
/// The id of a pass.
pub const PASS: Id = (6 * OF_PIRATE) as Id;

/// A position, with a deal or a draw that may be under way.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) game: Rules,
    /// The rules' state. While a retreat's cards are drawn, it is as before the retreat.
    pub(super) state: Open,
    /// Cards dealt so far.
    dealt: u8,
    pub(super) retreat: Option<Retreat>,
    /// Turns that are over.
    turns: u32,
    /// The moves so far; empty if the game does not keep them.
    pub(super) moves: Vec<Move>,
}

/// A retreat whose cards are being drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retreat {
    action: Action,
    /// Number of cards that the retreat draws in all.
    wanted: u8,
    drawn: Cards,
}

/// The action of an id, which must be legal in this state.
#[inline]
pub fn action(state: &State, id: Id) -> Action {
    if id == PASS {
        return Action::Pass;
    }
    let (slot, what) = (usize::from(id) / OF_PIRATE, usize::from(id) % OF_PIRATE);
    let track = &state.state.track;
    let from = track.pirates(usize::from(state.state.to_move))[slot];
    match Symbol::ALL.get(what) {
        Some(&symbol) => Action::Advance {
            from,
            to: track.advance(&state.game.board, from, symbol),
            symbol,
        },
        None => Action::Retreat {
            from,
            to: track.retreat(from).unwrap_or(from),
        },
    }
}

/// The id of a legal action.
pub fn id_of(state: &State, action: Action) -> Option<Id> {
    let Some((from, _)) = action.places() else {
        return Some(PASS);
    };
    let pirates = state.state.track.pirates(usize::from(state.state.to_move));
    let slot = pirates.iter().position(|&place| place == from)?;
    let what = action.card().map_or(SYMBOLS, Symbol::index);
    Some((slot * OF_PIRATE + what) as Id)
}

impl State {
    /// A new game on this board, before its deal.
    pub(super) fn start(options: &Options, board: Board) -> State {
        let mut game = Rules::new(board, options.players);
        game.pirates = options.pirates;
        game.boat_retreat = options.boat_retreat;
        let state = game.start(&vec![Cards::NONE; options.players]);
        State {
            game,
            state,
            dealt: 0,
            retreat: None,
            turns: 0,
            moves: Vec::new(),
        }
    }

    /// A game whose deal is over, in this state after these moves.
    pub(super) fn under_way(game: Rules, state: Open, moves: Vec<Move>) -> State {
        State {
            game,
            state,
            // More than any deal, of 6 × 17 = 102 cards at most: this one is over.
            dealt: u8::MAX,
            retreat: None,
            turns: 0,
            moves,
        }
    }

    /// The same state after this number of turns.
    pub(super) fn at_turn(self, turns: u32) -> State {
        State { turns, ..self }
    }

    /// Puts the state between the draws of a retreat.
    pub(super) fn set_drawing(&mut self, action: Action, drawn: Cards, wanted: u8) {
        self.retreat = Some(Retreat {
            action,
            wanted,
            drawn,
        });
    }

    pub fn game(&self) -> &Rules {
        &self.game
    }

    /// The rules' state. While a retreat's cards are drawn, it is as before the retreat.
    pub fn open(&self) -> &Open {
        &self.state
    }

    /// The turns that are over.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Whether cards of the deal are still to come.
    pub(super) fn is_dealing(&self, options: &Options) -> bool {
        usize::from(self.dealt) < options.deal * options.players
    }

    /// The player to move; chance while cards are dealt or drawn; nobody after a win or the last turn allowed.
    #[inline]
    pub(super) fn turn(&self, options: &Options) -> Turn {
        if self.retreat.is_some() || self.is_dealing(options) {
            Turn::Chance
        } else if self.state.winner().is_some()
            || (self.state.taken == 0 && self.turns as usize >= options.max_turns)
        {
            Turn::Over
        } else {
            Turn::Seat(self.state.to_move.into())
        }
    }

    /// The seat that draws the next card.
    pub(super) fn drawer(&self, options: &Options) -> usize {
        match self.is_dealing(options) {
            true => usize::from(self.dealt) / options.deal,
            false => self.state.to_move.into(),
        }
    }

    /// A retreat whose cards are being drawn: the action, the cards so far, and how many it draws in all.
    pub(super) fn drawing(&self) -> Option<(Action, Cards, u8)> {
        self.retreat
            .map(|retreat| (retreat.action, retreat.drawn, retreat.wanted))
    }

    /// The position after a retreat whose cards are being drawn, without these cards.
    #[inline]
    pub(super) fn after_retreat(&self) -> Option<Afterstate> {
        let retreat = self.retreat.as_ref()?;
        Some(Afterstate::before(&self.state).then(retreat.action))
    }

    /// The legal actions as bits. They are those of [`Rules::legal_actions`], found without the places that they
    /// lead to.
    #[inline]
    pub(super) fn legal(&self, early_pass: bool) -> u64 {
        let state = &self.state;
        let player = usize::from(state.to_move);
        let track = &state.track;
        let boat = track.boat();
        // Bit s of `cards`: the hand has symbol s. Every card can be played for any pirate that is not on the
        // boat: it leads to the boat if no free space of its symbol lies ahead.
        let held = state.hands[player].counts();
        let mut cards = 0u64;
        for (symbol, &count) in held.iter().enumerate() {
            cards |= u64::from(count > 0) << symbol;
        }
        // A pirate can retreat if a space with one or two pirates lies behind it. So the one nearest to the
        // cell decides for all.
        let nearest = track.retreats().trailing_zeros();
        let mut legal = 0;
        let mut last = Place::MAX;
        for (slot, &from) in track.pirates(player).iter().enumerate() {
            // Pirates of one place have the same actions. They are sorted by place, and the first of them
            // stands for all: each action has one id.
            if from == last {
                continue;
            }
            last = from;
            let advances = if from == boat { 0 } else { cards };
            let back = u32::from(from) > nearest && (from != boat || self.game.boat_retreat);
            legal |= (advances | u64::from(back) << SYMBOLS) << (slot * OF_PIRATE);
        }
        if legal == 0 || (early_pass && state.taken > 0) {
            legal |= 1 << PASS;
        }
        legal
    }

    /// The cards among which the next one is drawn, all equally likely.
    #[inline]
    pub(super) fn drawable(&self) -> Cards {
        let state = &self.state;
        let drawn = self.retreat.map_or(Cards::NONE, |retreat| retreat.drawn);
        let held = |all: Cards, hand: &Cards| all.plus(*hand);
        let hands = state.hands[..self.game.players].iter().fold(drawn, held);
        // Outside of the hands are the pile and the discards. Once a retreat has drawn the whole pile, the
        // discards are shuffled to a new one.
        let out = Cards::deck().minus(hands);
        match drawn.total() < state.pile {
            true => out.minus(state.discards),
            false => out,
        }
    }

    /// Draws the next card as its symbol's number.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Random) -> Id {
        let counts = self.drawable().counts();
        let total: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        // `left` falls into one symbol's interval, as long as its number of cards.
        let mut left = below(rng, total as usize) as u32;
        for (id, &count) in counts.iter().enumerate() {
            if left < u32::from(count) {
                return id as Id;
            }
            left -= u32::from(count);
        }
        unreachable!("a card is drawn from {total}")
    }

    /// Takes an action, or a card that chance deals or draws. If `keep`, completed moves are kept.
    #[inline]
    pub(super) fn apply(&mut self, options: &Options, id: Id, keep: bool) {
        if self.is_dealing(options) {
            let seat = self.drawer(options);
            let hand = &mut self.state.hands[seat];
            *hand = hand.with(Symbol::ALL[usize::from(id)]);
            self.state.pile -= 1;
            self.dealt += 1;
            return;
        }
        // A retreat is completed by its last card: until then the rules' state does not change.
        if let Some(retreat) = &mut self.retreat {
            retreat.drawn = retreat.drawn.with(Symbol::ALL[usize::from(id)]);
            if retreat.drawn.total() == retreat.wanted {
                let Retreat { action, drawn, .. } = *retreat;
                self.retreat = None;
                self.finish(action, drawn, keep);
            }
            return;
        }
        let action = action(self, id);
        if let Action::Retreat { to, .. } = action {
            let wanted = self.state.draws(to);
            if wanted > 0 {
                self.retreat = Some(Retreat {
                    action,
                    wanted,
                    drawn: Cards::NONE,
                });
                return;
            }
        }
        self.finish(action, Cards::NONE, keep);
    }

    /// Completes an action whose cards are all drawn.
    fn finish(&mut self, action: Action, drawn: Cards, keep: bool) {
        let player = self.state.to_move;
        if keep {
            self.moves.extend(move_of(player.into(), action));
        }
        self.game.apply(&mut self.state, action, drawn);
        self.turns += u32::from(self.state.taken == 0);
    }

    /// If a retreat is not complete, draws its cards so far anew from this state's pile. If another player draws, the
    /// new cards replace that player's. If it is `seat`, which knows its cards, returns whether the same cards have
    /// come up. The caller samples worlds until that is so: a world then counts as often as its pile gives these
    /// cards, and no card is in two places.
    pub(super) fn redraw(&mut self, seat: usize, rng: &mut Random) -> bool {
        let Some(before) = self.retreat else {
            return true;
        };
        self.retreat = Some(Retreat {
            drawn: Cards::NONE,
            ..before
        });
        for _ in 0..before.drawn.total() {
            // In a sampled world, too few cards may be left to draw from.
            if self.drawable().is_empty() {
                break;
            }
            let card = Symbol::ALL[usize::from(self.draw(rng))];
            if let Some(retreat) = &mut self.retreat {
                retreat.drawn = retreat.drawn.with(card);
            }
        }
        let is_own = usize::from(self.state.to_move) == seat;
        let drawn = self.retreat.map(|retreat| retreat.drawn);
        !is_own || drawn == Some(before.drawn)
    }

    /// Cards that are in no hand and not discarded: the draw pile.
    pub fn pile(&self) -> Cards {
        let hands = self.state.hands[..self.game.players].iter();
        let out = hands.fold(self.state.discards, |all, hand| all.plus(*hand));
        Cards::deck().minus(out)
    }
}
