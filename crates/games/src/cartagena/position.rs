//! A position of Cartagena as it is stored. Every field is checked when it is read, as stored games may come from
//! anybody.

use super::state::State;
use super::{Cartagena, options, word};
use ::cartagena::record::Move;
use ::cartagena::rules::{Action, Board, Cards, DECK, Game as Rules, Symbol};
use serde::{Deserialize, Serialize};

/// A position. Cards and spaces are written by the first letters of their symbols.
#[derive(Serialize, Deserialize)]
pub(super) struct Position {
    board: String,
    pirates: Vec<Vec<u8>>,
    hands: Vec<String>,
    discards: String,
    pile: u8,
    to_move: u8,
    taken: u8,
    turns: u32,
    moves: Vec<(u8, u8, u8, Option<char>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    drawing: Option<Drawing>,
}

/// A retreat whose cards are being drawn.
#[derive(Serialize, Deserialize)]
struct Drawing {
    from: u8,
    to: u8,
    wanted: u8,
    drawn: String,
}

/// Reads a word of symbols, a letter for each.
fn symbols(word: &str) -> Result<Vec<Symbol>, String> {
    let one = |letter| Symbol::of_letter(letter).ok_or(format!("{letter:?} is no symbol's letter"));
    // The longest words are a deck and a board of 126 spaces: a longer one is refused unread.
    match word.len() <= DECK.max(126) {
        true => word.chars().map(one).collect(),
        false => Err(format!("{} cards", word.len())),
    }
}

impl Position {
    /// The stored form of a state.
    pub(super) fn of(state: &State) -> Position {
        let open = state.open();
        let players = 0..state.game().players;
        Position {
            board: options::word(&state.game().board),
            pirates: players
                .clone()
                .map(|p| open.track.pirates(p).to_vec())
                .collect(),
            hands: players.map(|p| word(open.hands[p])).collect(),
            discards: word(open.discards),
            pile: open.pile,
            to_move: open.to_move,
            taken: open.taken,
            turns: state.turns(),
            moves: state
                .moves
                .iter()
                .map(|m| (m.player as u8, m.from, m.to, m.card.map(Symbol::letter)))
                .collect(),
            drawing: state.drawing().and_then(|(action, drawn, wanted)| {
                let (from, to) = action.places()?;
                Some(Drawing {
                    from,
                    to,
                    wanted,
                    drawn: word(drawn),
                })
            }),
        }
    }

    /// The state of this position. The error says which field does not fit the game's numbers of players, pirates,
    /// spaces or cards.
    pub(super) fn state(&self, game: &Cartagena) -> Result<State, String> {
        let options = game.settings();
        let board = Board::new(symbols(&self.board)?).map_err(|error| error.to_string())?;
        let players = options.players;
        let mut rules = Rules::new(board, players);
        rules.pirates = options.pirates;
        rules.boat_retreat = options.boat_retreat;
        let boat = rules.board.boat();
        let sizes = self.hands.len() == players && self.pirates.len() == players;
        if !sizes || usize::from(self.to_move) >= players || self.taken > 2 {
            return Err(format!("no position of {players} players"));
        }
        // Pirates are moved one by one from the start position, so that the track keeps its occupancy right.
        let mut open = rules.start(&vec![Cards::NONE; players]);
        let mut cards = 0;
        for player in 0..players {
            let places = &self.pirates[player];
            if places.len() != options.pirates || places.iter().any(|&place| place > boat) {
                return Err(format!("pirates on {places:?}, with the boat at {boat}"));
            }
            for &place in places.iter().filter(|&&place| place > 0) {
                open.track.relocate(player, 0, place);
            }
            let hand = symbols(&self.hands[player])?;
            cards += hand.len();
            open.hands[player] = hand.into_iter().collect();
        }
        let discards = symbols(&self.discards)?;
        cards += discards.len() + usize::from(self.pile);
        open.discards = discards.into_iter().collect();
        // The deck has 17 cards of each symbol. Hands and discards may not exceed that, and with the pile they
        // must make up the deck: the rest is then a pile of the stated size.
        let out = open.hands.iter().chain([&open.discards]);
        let out = out.fold([0u16; 6], |mut all, cards| {
            all.iter_mut()
                .zip(cards.counts())
                .for_each(|(a, b)| *a += u16::from(b));
            all
        });
        if cards != DECK || out.iter().any(|&count| count > 17) {
            return Err(format!("{cards} cards that are not the deck's {DECK}"));
        }
        (open.pile, open.to_move, open.taken) = (self.pile, self.to_move, self.taken);
        // Moves are checked in form only. If they do not lead to this position, the belief is made without them.
        let mut moves = Vec::with_capacity(self.moves.len());
        for &(player, from, to, card) in &self.moves {
            let card = card.map(|letter| Symbol::of_letter(letter).ok_or("a card of no symbol"));
            if usize::from(player) >= players || from.max(to) > boat {
                return Err(format!("move {player} {from} {to}"));
            }
            moves.push(Move {
                player: player.into(),
                from,
                to,
                card: card.transpose()?,
            });
        }
        let mut state = State::under_way(rules, open, moves).at_turn(self.turns);
        if let Some(drawing) = &self.drawing {
            let Drawing {
                from, to, wanted, ..
            } = *drawing;
            // A retreat under way must be one that the player can make, that draws this many cards, and that
            // lacks at least one of them; the cards drawn must come from outside of the hands.
            let drawn: Cards = symbols(&drawing.drawn)?.into_iter().collect();
            let track = &open.track;
            let own = track.pirates(usize::from(self.to_move)).contains(&from);
            let right = own && track.retreat(from) == Some(to) && open.draws(to) == wanted;
            if !right
                || drawn.total() >= wanted
                || !state.pile().plus(open.discards).contains(drawn)
            {
                return Err(format!("a retreat {from} {to} that draws {wanted}"));
            }
            state.set_drawing(Action::Retreat { from, to }, drawn, wanted);
        }
        Ok(state)
    }
}
