//! A position of Cartagena in JSON, as people write it for a table, and as games are stored (`stored`). Every field is
//! checked when it is read, since it may come from anybody.

mod stored;

use super::record::{Record, ReplayError};
use super::{board_word, word};
use ::cartagena::belief::{ReplayOptions, replay};
use ::cartagena::notation::{parse, print_action};
use ::cartagena::rules::{
    Board, Cards, DECK, Game as Rules, MAX_PIRATES, MAX_PLAYERS, Place, State as Open, Symbol,
    Track,
};
use ::cartagena::world::World;
use engine::rng::{Random, shuffle};
use serde::{Deserialize, Serialize};
use stored::Past;

/// A position. A card is the first letter of its symbol; chance chooses a card for each `?` in a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The symbols from the cell to the boat.
    pub board: String,
    /// Each player's pirates, by space: 0 is the cell. By default all are in the cell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Vec<Place>>,
    pub hands: Vec<String>,
    /// Cards played since the last reshuffle.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub discards: String,
    /// The draw pile, the next card first. By default all other cards, shuffled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pile: Option<String>,
    /// The player to act, from 1.
    #[serde(default = "one")]
    pub to_move: usize,
    /// The number of actions that this player has taken in this turn.
    #[serde(default)]
    pub taken: u8,
    /// Whether pirates on the boat must stay there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_boat_retreat: bool,
    /// The script of a recorded game: its actions from this position on, each with the cards it drew. As long as a
    /// game takes the same actions, it draws the same cards, even after a reshuffle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub script: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Past::is_none")]
    past: Past,
}

/// The default of `Position::to_move`.
fn one() -> usize {
    1
}

/// The cards of a word of letters, without its question marks. `what` names the word in the error.
fn cards(what: &str, word: &str) -> Result<Vec<Symbol>, String> {
    let known = word.chars().filter(|&card| card != '?');
    known
        .map(|card| {
            Symbol::of_letter(card)
                .ok_or_else(|| format!("{what}: expected b, d, g, h, k, s or ?, not {card:?}"))
        })
        .collect()
}

impl Position {
    /// The position at the end of the contest's text. The text shows only one hand; the cards of the others become
    /// question marks.
    ///
    /// # Errors
    /// If the text cannot be read, its moves break the rules, or a player has left: nobody knows its cards, and a position
    /// has no such player.
    pub fn of_text(text: &[u8]) -> Result<Position, String> {
        let record = parse(text).map_err(|error| error.to_string())?;
        let read = replay(&record, &ReplayOptions::default());
        if let Some(wrong) = read.inconsistencies.iter().chain(&read.left).next() {
            return Err(wrong.to_string());
        }
        let (game, view) = (&read.game, &read.view);
        let players = 0..game.players;
        let hands = players.clone().map(|player| match player == view.seat {
            true => word(view.hand),
            false => "?".repeat(view.hand_sizes[player].into()),
        });
        Ok(Position {
            board: board_word(&game.board),
            hands: hands.collect(),
            places: players
                .map(|player| view.track.pirates(player).to_vec())
                .collect(),
            discards: word(view.discards),
            pile: None,
            to_move: view.seat + 1,
            taken: view.taken,
            no_boat_retreat: false,
            script: Vec::new(),
            past: Past::default(),
        })
    }

    /// The opening of a recorded game, with its actions as the script.
    ///
    /// # Errors
    /// If the record does not replay.
    pub fn of_record(record: &Record) -> Result<Position, ReplayError> {
        let mut script = Vec::with_capacity(record.actions.len());
        record.replay(|_, state, action, drawn| {
            script.push((print_action(state.to_move.into(), action), word(drawn)));
        })?;
        Ok(Position {
            board: record.board.clone(),
            places: vec![vec![0; record.pirates]; record.players.len()],
            hands: record.hands.clone(),
            discards: String::new(),
            pile: Some(record.pile.clone()),
            to_move: 1,
            taken: 0,
            no_boat_retreat: !record.boat_retreat,
            script,
            past: Past::default(),
        })
    }

    /// The rules' part of the position: board, number of players and pirates, and the boat's option.
    fn game(&self) -> Result<Rules, String> {
        let spaces = cards("board", &self.board)?;
        // `cards` skips question marks, which are valid only in hands.
        if spaces.len() != self.board.chars().count() {
            return Err("board: every space has a symbol, b, d, g, h, k or s".to_owned());
        }
        let board = Board::new(spaces).map_err(|error| format!("board: {error}"))?;
        let players = self.hands.len();
        if !(2..=MAX_PLAYERS).contains(&players) {
            return Err(format!(
                "hands: expected 2 to {MAX_PLAYERS} players, not {players}"
            ));
        }
        let mut game = Rules::new(board, players);
        game.boat_retreat = !self.no_boat_retreat;
        // All players have as many pirates as the first one; `track` checks that.
        if let Some(first) = self.places.first() {
            game.pirates = first.len();
        }
        Ok(game)
    }

    /// The game, its position, and the draw pile with the next card last. `rng` draws the cards that are not given.
    fn open(&self, rng: &mut Random) -> Result<(Rules, Open, Vec<Symbol>), String> {
        let game = self.game()?;
        let track = self.track(&game)?;
        // Every card that is named is taken from one deck. So no symbol has more cards than the deck.
        let mut left = Cards::deck();
        let mut take = |what: &str, word: &str| -> Result<Cards, String> {
            let mut taken = Cards::NONE;
            for symbol in cards(what, word)? {
                if left.count(symbol) == 0 {
                    return Err(format!("{what}: there are no more cards with a {symbol}"));
                }
                left = left.without(symbol);
                taken = taken.with(symbol);
            }
            Ok(taken)
        };
        let mut hands = [Cards::NONE; MAX_PLAYERS];
        for (n, (hand, word)) in hands.iter_mut().zip(&self.hands).enumerate() {
            *hand = take(&format!("hand {}", n + 1), word)?;
        }
        let discards = take("discards", &self.discards)?;
        if let Some(pile) = &self.pile {
            take("pile", pile)?;
        }
        let mut rest: Vec<Symbol> = left.iter().collect();
        shuffle(rng, &mut rest);
        // Question marks get the cards that remain once all named ones are taken.
        for (hand, word) in hands.iter_mut().zip(&self.hands) {
            for _ in word.chars().filter(|&card| card == '?') {
                let card = rest.pop().ok_or("hands: more cards than the deck has")?;
                *hand = hand.with(card);
            }
        }
        let pile: Vec<Symbol> = match &self.pile {
            // A pile that is given must have all remaining cards. It is written with the next card first.
            Some(pile) if rest.is_empty() => cards("pile", pile)?.into_iter().rev().collect(),
            Some(_) => {
                let count = rest.len();
                return Err(format!(
                    "pile: {count} of {DECK} cards are missing; leave the pile out, or name all its cards"
                ));
            }
            // Without a pile, the shuffled rest is the pile.
            None => rest,
        };
        let (players, to_move, taken) = (game.players, self.to_move, self.taken);
        if !(1..=players).contains(&to_move) {
            return Err(format!("to_move: expected 1 to {players}, not {to_move}"));
        }
        if taken > 2 {
            return Err(format!("taken: expected 0 to 2 actions, not {taken}"));
        }
        let state = Open {
            track,
            hands,
            discards,
            pile: pile.len() as u8,
            to_move: (to_move - 1) as u8,
            taken,
        };
        Ok((game, state, pile))
    }

    /// The pirates on their spaces; all are in the cell if no spaces are given.
    fn track(&self, game: &Rules) -> Result<Track, String> {
        let mut track = Track::start(
            &game.board,
            game.players,
            game.pirates.clamp(1, MAX_PIRATES),
        );
        if self.places.is_empty() {
            return Ok(track);
        }
        if self.places.len() != game.players {
            let found = self.places.len();
            return Err(format!(
                "places: expected {} players, not {found}",
                game.players
            ));
        }
        let boat = game.board.boat();
        for (player, places) in self.places.iter().enumerate() {
            if places.len() != game.pirates || !(1..=MAX_PIRATES).contains(&places.len()) {
                let found = places.len();
                return Err(format!(
                    "places of player {}: expected 1 to {MAX_PIRATES} pirates, the same number for all, not \
                     {found}",
                    player + 1
                ));
            }
            for &place in places {
                // Spaces count from the cell (0) to the boat.
                if place > boat {
                    return Err(format!(
                        "places: expected 0 to {boat}, the boat, not {place}"
                    ));
                }
                // Moved one by one from the cell, so that the track keeps its occupancy right.
                if place != 0 {
                    track.relocate(player, 0, place);
                }
            }
        }
        Ok(track)
    }

    /// The game and its first position, for a game that can be played on. `rng` draws the cards that the position does
    /// not give, and shuffles the discards later.
    ///
    /// # Errors
    /// If no game can start like this: the mistake, and the expected input.
    pub fn world(&self, mut rng: Random) -> Result<(Rules, World), String> {
        let (game, state, pile) = self.open(&mut rng)?;
        let (track, boat) = (&state.track, game.board.boat());
        // Three pirates fill a space; the cell and the boat hold any number. A text of the contest may have more.
        let on = |place: Place| {
            self.places
                .iter()
                .flatten()
                .filter(|&&one| one == place)
                .count()
        };
        if let Some(place) = (1..boat).find(|&place| on(place) > 3) {
            return Err(format!("places: more than three pirates on {place}"));
        }
        if let Some(player) = (0..game.players).find(|&player| track.is_home(player)) {
            return Err(format!("places: player {} has won already", player + 1));
        }
        if !self.past.is_none() {
            return Err("past: expected none, as only stored games have one".to_owned());
        }
        Ok((game, World::new(state, pile.into_iter().collect(), rng)))
    }

    /// Whether this is the beginning of a game: all pirates are in the cell, no card has been played, and the first
    /// player has not acted yet.
    pub fn is_deal(&self) -> bool {
        let in_cell = self.places.iter().flatten().all(|&place| place == 0);
        in_cell && self.discards.is_empty() && (self.to_move, self.taken) == (1, 0)
    }

    /// The cards that the script has for the action with this number (from 0), if it is the same action there.
    pub fn drawn(&self, number: usize, action: &str) -> Option<Cards> {
        let (told, drawn) = self.script.get(number)?;
        if told != action {
            return None;
        }
        let drawn = cards("drawn", drawn).ok()?;
        Some(drawn.into_iter().fold(Cards::NONE, Cards::with))
    }
}
