//! Starts of games at a table that are not a random deal: the opening of a recorded game, a position in the contest's
//! text, or one that somebody has set up.
//!
//! [`read`] makes a [`Start`] of a text, and [`Start::world`] makes a game of it. A recorded game also has a script of
//! its actions and draws, so that a player who repeats the actions gets the same cards ([`as_drawn`]).

use crate::cartagena::record::Record;
use arena::records::Record as _;
use cartagena::belief::ReplayOptions;
use cartagena::notation::print_action;
use cartagena::player::call::Call;
use cartagena::rules::{
    Board, Cards, DECK, Game, MAX_PIRATES, MAX_PLAYERS, Place, State, Symbol, Track,
};
use cartagena::world::World;
use engine::rng;
use games::cartagena::{board_word, word};
use serde::{Deserialize, Serialize};

/// A position to start at, in JSON. A card is the first letter of its symbol; chance chooses a card for each `?` in a
/// hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Start {
    /// The symbols from the cell to the boat.
    pub board: String,
    /// Each player's pirates, by place: 0 is the cell. By default all are in the cell.
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
}

/// The default of `Start::to_move`.
fn one() -> usize {
    1
}

/// A position as people may write it, shown to them as an example.
pub(super) const EXAMPLE: &str = concat!(
    "{\n",
    " \"board\": \"dbhskgsbkhdgghdskbbskdhgkgbhdsshgdbk\",\n",
    " \"places\": [[0, 0, 9, 9, 20, 37], [0, 5, 9, 14, 31, 37]],\n",
    " \"hands\": [\"bdg\", \"????\"],\n",
    " \"discards\": \"hhks\",\n",
    " \"to_move\": 1,\n",
    " \"taken\": 0\n",
    "}"
);

/// A text that was read: the players' names and the start.
pub(super) struct Read {
    pub names: Vec<String>,
    pub start: Start,
}

/// Reads a record, an input of the contest, or a position in JSON.
pub(super) fn read(text: &[u8]) -> Result<Read, String> {
    let text = text.trim_ascii();
    // A record and a position are JSON objects. Anything that does not begin with `{` is taken as the contest's text.
    match (text.first(), text.contains(&b'\n')) {
        (None, _) => Err("there is nothing to open".to_owned()),
        (Some(b'{'), _) => match Record::parse(text) {
            Ok(record) => of_record(&record),
            // A text that begins like a record gets the record's error; any other gets the position's.
            Err(_) if text.starts_with(b"{\"contest\"") => Err(not_read::<Record>(text)),
            Err(_) => of_position(text),
        },
        _ => of_input(text),
    }
}

/// The error of reading a `T` from this text.
fn not_read<T: for<'a> Deserialize<'a>>(text: &[u8]) -> String {
    let error = serde_json::from_slice::<T>(text).err();
    error.map_or_else(String::new, |error| error.to_string())
}

/// The opening of a recorded game, with its actions as the script.
fn of_record(record: &Record) -> Result<Read, String> {
    // A table knows no forfeits, so after one the game could not be repeated.
    if let Some(fault) = record.faults.iter().find(|fault| fault.forfeit) {
        let (player, kind) = (fault.player, fault.kind);
        return Err(format!(
            "player {player} lost this game by a fault ({kind}), and a table has no faults: contest \
             cartagena report shows such games"
        ));
    }
    // The replay checks the record and gives the script.
    let history = record.positions().map_err(|error| error.to_string())?;
    let script = history.steps.iter().map(|past| {
        let drawn = word(past.drawn);
        (print_action(past.seat(), past.action), drawn)
    });
    let start = Start {
        board: record.board.clone(),
        places: vec![vec![0; record.pirates]; record.players.len()],
        hands: record.hands.clone(),
        discards: String::new(),
        pile: Some(record.pile.clone()),
        to_move: 1,
        taken: 0,
        no_boat_retreat: !record.boat_retreat,
        script: script.collect(),
    };
    Ok(Read {
        names: record.players.clone(),
        start,
    })
}

/// A position that somebody has set up.
fn of_position(text: &[u8]) -> Result<Read, String> {
    let start: Start = serde_json::from_slice(text)
        .map_err(|error| format!("neither a record of a game nor a position: {error}"))?;
    start.check()?;
    let names = (1..=start.hands.len()).map(|n| format!("Player {n}"));
    Ok(Read {
        names: names.collect(),
        start,
    })
}

/// The position at the end of the contest's text.
fn of_input(text: &[u8]) -> Result<Read, String> {
    // A pasted text often lacks its last line end.
    let mut input = text.to_vec();
    input.push(b'\n');
    let call = Call::read(&input, &ReplayOptions::default()).map_err(|error| error.to_string())?;
    // The text shows only one hand. The cards of the others become question marks.
    let (game, view) = (&call.replay.game, &call.replay.view);
    let players = 0..game.players;
    let hands = players.clone().map(|player| match player == view.seat {
        true => word(view.hand),
        false => "?".repeat(view.hand_sizes[player].into()),
    });
    let start = Start {
        board: board_word(&game.board),
        places: players
            .clone()
            .map(|player| view.track.pirates(player).to_vec())
            .collect(),
        hands: hands.collect(),
        discards: word(view.discards),
        pile: None,
        to_move: view.seat + 1,
        taken: view.taken,
        no_boat_retreat: false,
        script: Vec::new(),
    };
    start.check()?;
    Ok(Read {
        names: players.map(|n| format!("Player {}", n + 1)).collect(),
        start,
    })
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

impl Start {
    /// The rules' part of the start: board, number of players and pirates, and the boat's option.
    fn game(&self) -> Result<Game, String> {
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
        let mut game = Game::new(board, players);
        game.boat_retreat = !self.no_boat_retreat;
        // All players have as many pirates as the first one; `track` checks that.
        if let Some(first) = self.places.first() {
            game.pirates = first.len();
        }
        Ok(game)
    }

    /// Checks that a game can start like this.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub(super) fn check(&self) -> Result<(), String> {
        self.world(0).map(|_| ())
    }

    /// The game and its first position. The seed decides the cards that the start does not give.
    ///
    /// # Errors
    /// If no game can start like this: the mistake, and the expected input.
    pub(super) fn world(&self, seed: u64) -> Result<(Game, World), String> {
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
        // The stream for cards, the same as for a table that begins with a deal.
        let mut rng = rng::stream(seed, 1);
        let mut rest: Vec<Symbol> = left.iter().collect();
        rng::shuffle(&mut rng, &mut rest);
        // Question marks get the cards that remain once all named ones are taken.
        for (hand, word) in hands.iter_mut().zip(&self.hands) {
            for _ in word.chars().filter(|&card| card == '?') {
                let card = rest.pop().ok_or("hands: more cards than the deck has")?;
                *hand = hand.with(card);
            }
        }
        let pile: Vec<Symbol> = match &self.pile {
            // A pile that is given must have all remaining cards. It is written with the next card first, while a
            // world's pile has the next card last.
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
        if !(1..=game.players).contains(&self.to_move) {
            let players = game.players;
            return Err(format!(
                "to_move: expected 1 to {players}, not {}",
                self.to_move
            ));
        }
        if self.taken > 2 {
            return Err(format!(
                "taken: expected 0 to 2 actions, not {}",
                self.taken
            ));
        }
        let state = State {
            track,
            hands,
            discards,
            pile: pile.len() as u8,
            to_move: (self.to_move - 1) as u8,
            taken: self.taken,
        };
        Ok((game, World::new(state, pile.into_iter().collect(), rng)))
    }

    /// The pirates on their places; all are in the cell if no places are given.
    fn track(&self, game: &Game) -> Result<Track, String> {
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
                // Places count from the cell (0) to the boat.
                if place > boat {
                    return Err(format!(
                        "places: expected 0 to {boat}, the boat, not {place}"
                    ));
                }
                // Three pirates fill a space; the cell and the boat hold any number.
                if place != 0 && place != boat && track.pirates_on(place) >= 3 {
                    return Err(format!("places: more than three pirates on {place}"));
                }
                if place != 0 {
                    track.relocate(player, 0, place);
                }
            }
        }
        if let Some(player) = (0..game.players).find(|&player| track.is_home(player)) {
            return Err(format!("places: player {} has won already", player + 1));
        }
        Ok(track)
    }

    /// Whether this is the beginning of a game: all pirates are in the cell, no card has been played, and the first
    /// player has not acted yet.
    pub(super) fn is_deal(&self) -> bool {
        let in_cell = self.places.iter().flatten().all(|&place| place == 0);
        in_cell && self.discards.is_empty() && (self.to_move, self.taken) == (1, 0)
    }

    /// The cards that the script has for the action with this number (from 0), if it is the same action there.
    pub(super) fn drawn(&self, number: usize, action: &str) -> Option<Cards> {
        let (told, drawn) = self.script.get(number)?;
        if told != action {
            return None;
        }
        let drawn = cards("drawn", drawn).ok()?;
        Some(drawn.into_iter().fold(Cards::NONE, Cards::with))
    }
}

/// The world after an action of `seat` that drew `drawn`, changed as if the action had drawn `told` instead. None if
/// `told` has another number of cards, or cards that were neither drawn nor are in the pile. `rng` is for later
/// reshuffles.
pub(super) fn as_drawn(
    world: &World,
    seat: usize,
    drawn: Cards,
    told: Cards,
    rng: rng::Random,
) -> Option<World> {
    if drawn.total() != told.total() {
        return None;
    }
    let mut pile: Vec<Symbol> = world.pile().to_vec();
    // Cards of `told` that were not drawn change places with cards that were drawn and are not in `told`. With drawn
    // {b, g} and told {b, s}, the pile gets the g where an s was.
    let back = drawn.saturating_minus(told);
    for (gone, came) in back.iter().zip(told.saturating_minus(drawn).iter()) {
        let place = pile.iter().position(|&card| card == came)?;
        pile[place] = gone;
    }
    let mut state = *world.state();
    state.hands[seat] = state.hands[seat].saturating_minus(drawn).plus(told);
    Some(World::new(state, pile.into_iter().collect(), rng))
}
