//! The public side of a record: pirates, hand sizes, discards, draw pile and turn order. The replay walks through the
//! record once for each deal that it tries.
//!
//! A record says where pirates went and which cards were played. It says neither which cards were
//! drawn nor where a turn ended. A [`Walk`] replays it without asking whether the moves are legal:
//! a move that breaks a rule is played as it stands if that makes sense, is left out if it does not,
//! and is named in [`Walk::inconsistencies`] either way. Two things hold whatever the record says:
//! hands, discards and draw pile never hold more cards than the deck, and every pirate stands on a
//! place that exists.

use super::super::record::{GameRecord, Move};
use super::super::rules::{
    ACTIONS_A_TURN, CELL, COPIES, Cards, DECK, Game, MAX_PLAYERS, Symbol, Track,
};
use super::inconsistency::Inconsistency;
use arrayvec::ArrayVec;

/// A card that was drawn or played, or the reshuffle of the discards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A card was drawn from the pile.
    Draw { seat: usize },
    /// A card was played from a hand.
    Play { seat: usize, symbol: Symbol },
    /// The discards became the draw pile, which was empty.
    Reshuffle { discards: Cards },
}

/// One bit for each number that an action can have in its turn; see [`Walk::in_turn`].
const ALL_COUNTS: u8 = (1 << ACTIONS_A_TURN) - 1;

/// A record played through, for one size of the deal.
pub(super) struct Walk<'a> {
    game: &'a Game,
    pub(super) track: Track,
    /// Cards in each hand after the deal.
    pub(super) dealt: [u8; MAX_PLAYERS],
    pub(super) hand_sizes: [u8; MAX_PLAYERS],
    pub(super) discards: Cards,
    pub(super) pile: u8,
    pub(super) events: Vec<Event>,
    inconsistencies: Vec<Inconsistency>,
    /// How many cards were played from empty hands. If there are any, the deal was another one.
    pub(super) overdrawn: u32,
    /// The player that acted last.
    turn: Option<usize>,
    /// Bit `k`: the last action may have been number `k + 1` of its turn.
    in_turn: u8,
    /// For each player that was passed over although it could act: the place among the inconsistencies where it is
    /// named. It is named only once.
    passed_over: [Option<usize>; MAX_PLAYERS],
    /// The players, a bit for each seat, that have moved after they were passed over.
    back: u8,
    /// The players, a bit for each seat, that were passed over although they could act, and have not moved since.
    pub(super) gone: u8,
}

impl<'a> Walk<'a> {
    /// Replays the whole record, for the player `seat` to move and a deal of `deal` cards to each player.
    pub(super) fn new(game: &'a Game, record: &GameRecord, seat: usize, deal: usize) -> Walk<'a> {
        let mut dealt = [0; MAX_PLAYERS];
        for (seat, size) in dealt[..game.players].iter_mut().enumerate() {
            // A deal gives one card to each in turn until the deck is used up. So with 6 players and
            // 102 cards nobody gets more than 17, and with 5 players the first two get 21, the rest 20.
            let fair = DECK / game.players + usize::from(seat < DECK % game.players);
            *size = deal.min(fair) as u8;
        }
        let mut walk = Walk {
            game,
            track: Track::start(&game.board, game.players, game.pirates),
            dealt,
            hand_sizes: dealt,
            discards: Cards::NONE,
            pile: DECK as u8 - dealt.iter().sum::<u8>(),
            events: Vec::with_capacity(2 * record.moves.len()),
            inconsistencies: Vec::new(),
            overdrawn: 0,
            turn: None,
            in_turn: 0,
            passed_over: [None; MAX_PLAYERS],
            back: 0,
            gone: 0,
        };
        if deal.saturating_mul(game.players) > DECK {
            walk.note(
                None,
                format!(
                    "a deal of {deal} cards each to {} players is more than the deck's {DECK} cards",
                    game.players
                ),
            );
        }
        for (i, &step) in record.moves.iter().enumerate() {
            walk.step(i, step);
        }
        // The record ends where the next player is to move. Its turn must be due like that of any move.
        if walk.winner().is_none() {
            walk.enter_turn(None, seat);
        }
        walk
    }

    /// The player with all pirates on the boat.
    pub(super) fn winner(&self) -> Option<usize> {
        (0..self.game.players).find(|&p| self.track.is_home(p))
    }

    /// The inconsistencies, and apart from them those that are explained if a player has left the game.
    pub(super) fn inconsistencies(&self) -> (Vec<Inconsistency>, Vec<Inconsistency>) {
        let has_left = |seat: &usize| (self.gone & !self.back) >> seat & 1 == 1;
        let left = (0..self.game.players).filter(has_left);
        let places: Vec<usize> = left.filter_map(|seat| self.passed_over[seat]).collect();
        let mut left = Vec::new();
        let mut others = Vec::new();
        for (place, mut inconsistency) in self.inconsistencies.iter().cloned().enumerate() {
            if places.contains(&place) {
                inconsistency.message += "; taken to have left the game";
                left.push(inconsistency);
            } else {
                others.push(inconsistency);
            }
        }
        (others, left)
    }

    /// Notes an inconsistency, of the move with this index if it is about one.
    fn note(&mut self, index: Option<usize>, message: String) {
        self.inconsistencies.push(Inconsistency {
            index,
            line: None,
            message,
        });
    }

    /// Plays move number `i` of the record, or leaves it out if it makes no sense.
    fn step(&mut self, i: usize, step: Move) {
        let at = Some(i);
        let Move {
            player, from, to, ..
        } = step;
        let boat = self.track.boat();
        if player >= self.game.players || from > boat || to > boat {
            let text = format!(
                "player {} or a place of {from} to {to} does not exist; left out",
                player.saturating_add(1)
            );
            return self.note(at, text);
        }
        // A move after the end of the game is noted and still played, so that the later ones find their pirates.
        match self.winner() {
            Some(winner) => {
                let text = format!(
                    "the game was over: player {} had all pirates on the boat",
                    winner + 1
                );
                self.note(at, text);
            }
            None => self.enter_turn(at, player),
        }
        let name = player + 1;
        if !self.track.pirates(player).contains(&from) {
            let text = format!("player {name} has no pirate on {from}; left out");
            return self.note(at, text);
        }
        if from == to {
            let text = format!("the pirate on {from} does not move; left out");
            return self.note(at, text);
        }
        // The direction alone says which action it was: cards move pirates forward, retreats move them back.
        if from < to {
            self.advance(i, step);
        } else {
            self.retreat(i, step);
        }
        // The pirate goes where the record says, even if that is not legal. `step` would need a legal move.
        self.track.relocate(player, from, to);
    }

    /// Moves the card of an advance from the hand to the discards. The caller moves the pirate.
    fn advance(&mut self, i: usize, step: Move) {
        let at = Some(i);
        let Move {
            player, to, card, ..
        } = step;
        // A card may be left unnamed on the way to a space, which has the card's symbol. If the record names a
        // card and the space has another symbol, the card counts: it has left the hand.
        let symbol = match (card, self.game.board.symbol(to)) {
            (Some(card), Some(space)) if card != space => {
                let text = format!("{card} was played, but space {to} has {space}");
                self.note(at, text);
                card
            }
            (Some(symbol), _) | (None, Some(symbol)) => {
                self.check_target(i, step, symbol);
                symbol
            }
            (None, None) => self.guess(i, step),
        };
        if self.hand_sizes[player] == 0 {
            // The card cannot have been in the hand. It must not reach the discards either: then there
            // would be more cards in the game than in the deck.
            self.overdrawn += 1;
            let text = format!("player {} plays {symbol} with an empty hand", player + 1);
            return self.note(at, text);
        }
        self.hand_sizes[player] -= 1;
        self.events.push(Event::Play {
            seat: player,
            symbol,
        });
        // A reshuffle makes the discards into a pile, so a card beyond the deck's 17 of a symbol must stay out.
        if self.discards.count(symbol) < COPIES {
            self.discards = self.discards.with(symbol);
        } else {
            let text = format!("more than {COPIES} {symbol} cards lie on the discard pile");
            self.note(at, text);
        }
    }

    /// Notes an inconsistency if a card of this symbol does not lead where the move says.
    fn check_target(&mut self, i: usize, step: Move, symbol: Symbol) {
        let Move { from, to, .. } = step;
        let expected = self.track.advance(&self.game.board, from, symbol);
        if to != expected {
            let text = format!("from {from} a {symbol} card leads to {expected}, not to {to}");
            self.note(Some(i), text);
        }
    }

    /// The card of an advance into the boat that names none: among the symbols that lead there, the one
    /// with the fewest cards among the discards. Then the number of discards is right, and only the
    /// symbol may be wrong.
    fn guess(&mut self, i: usize, step: Move) -> Symbol {
        let Move { from, to, .. } = step;
        let leads = |symbol: &Symbol| self.track.advance(&self.game.board, from, *symbol) == to;
        let likely = |symbols: &mut dyn Iterator<Item = Symbol>| {
            symbols.min_by_key(|&s| self.discards.count(s))
        };
        // The fewer cards of a symbol lie among the discards, the more of them may still have been in the hand.
        let found = likely(&mut Symbol::ALL.into_iter().filter(leads));
        let mut text = "an advance into the boat must name its card".to_owned();
        let symbol = match found {
            Some(symbol) => symbol,
            None => {
                text += &format!(", and none leads there from {from}");
                likely(&mut Symbol::ALL.into_iter()).unwrap_or(Symbol::Bottle)
            }
        };
        self.note(Some(i), format!("{text}; taken for {symbol}"));
        symbol
    }

    /// Draws the cards of a retreat, and reshuffles if the pile runs out. The caller moves the pirate.
    fn retreat(&mut self, i: usize, step: Move) {
        let at = Some(i);
        let Move {
            player,
            from,
            to,
            card,
        } = step;
        if let Some(card) = card {
            self.note(at, format!("a retreat plays no card, but {card} is named"));
        }
        if from == self.track.boat() && !self.game.boat_retreat {
            self.note(at, "a pirate on the boat stays there".to_owned());
        }
        let pirates = self.track.pirates_on(to);
        let expected = self.track.retreat(from);
        if expected != Some(to) {
            let what = match pirates {
                _ if to == CELL => "no pirate goes back to the cell".to_owned(),
                0 => format!("space {to} is empty"),
                3 => format!("space {to} is full"),
                _ => format!("space {to} is not the nearest"),
            };
            let rule = match expected {
                Some(place) => format!("from {from} a retreat leads to {place}"),
                None => format!("there is no retreat from {from}"),
            };
            self.note(at, format!("{what}: {rule}"));
        }
        // The retreat draws one card for each pirate that stood on the target before: up to three if the record breaks
        // the rule that a full space is no target.
        for _ in 0..pirates {
            if self.pile == 0 {
                // The player draws fewer cards if pile and discards have no more.
                if self.discards.is_empty() {
                    break;
                }
                // The discards become the pile only when a card is needed and none is left. So a retreat that draws two
                // cards can take its first from the old pile and its second from the new one.
                let discards = self.discards;
                self.events.push(Event::Reshuffle { discards });
                self.pile = discards.total();
                self.discards = Cards::NONE;
            }
            self.pile -= 1;
            self.hand_sizes[player] += 1;
            self.events.push(Event::Draw { seat: player });
        }
    }

    /// Makes `player` the one to act, and notes an inconsistency if others had to act before it.
    ///
    /// The record has no mark for the end of a turn. So bit `k` of `in_turn` keeps the possibility that
    /// the last action was number `k + 1` of its turn. It was number 1 if everybody between the last
    /// player and this one had to pass. It was one more than the number before if the same player goes
    /// on, and never more than 3. The order of turns is broken if no bit is left.
    ///
    /// With two players and both able to act, four actions of the same player in a row give the bits
    /// 001, 010, 100 and 000: the fourth is inconsistent.
    ///
    /// Each player that was passed over is named only once. With three or more players it has probably left the game by a
    /// fault, which leaves no other trace in the record: from then on it is not due. If it moves again it had not left, and
    /// the record is wrong.
    fn enter_turn(&mut self, at: Option<usize>, player: usize) {
        let players = self.game.players;
        // The players who would have been due between the last player and this one. If the last player acts
        // again, either its turn goes on or everybody else is in between.
        let start = self.turn.map_or(0, |last| last + 1);
        let span = if self.turn == Some(player) {
            players - 1
        } else {
            (player + players - start % players) % players
        };
        let between = (start..start + span).map(|p| p % players);
        let is_due = |&p: &usize| self.gone >> p & 1 == 0 && self.can_act(p);
        let passed: ArrayVec<usize, MAX_PLAYERS> = between.filter(is_due).collect();
        self.back |= self.gone & 1 << player;
        self.gone &= !(1 << player);
        // If all others have to pass, each action of this player may also be the first of a new turn, so
        // that several numbers are possible at once.
        let going_on = if self.turn == Some(player) {
            self.in_turn << 1 & ALL_COUNTS
        } else {
            0
        };
        self.in_turn = going_on | u8::from(passed.is_empty());
        self.turn = Some(player);
        if self.in_turn != 0 {
            return;
        }
        // The order is broken. Go on as if this were the player's first action, so that one fault is not
        // reported again at each later move.
        self.in_turn = 1;
        // The last player that is left wins at once, so not all others have left.
        let gone = passed
            .iter()
            .fold(self.gone, |gone, &other| gone | 1 << other);
        if gone.count_ones() as usize + 2 <= players {
            self.gone = gone;
        }
        for other in passed {
            if self.passed_over[other].is_none() {
                self.passed_over[other] = Some(self.inconsistencies.len());
                let text = format!(
                    "player {} is passed over by player {}, but could act",
                    other + 1,
                    player + 1
                );
                self.note(at, text);
            }
        }
    }

    /// Whether a player has a legal action: always if it holds a card, as every card leads a pirate at
    /// least to the boat, else only if it can retreat.
    fn can_act(&self, player: usize) -> bool {
        let boat = self.track.boat();
        let retreat =
            |from| (from != boat || self.game.boat_retreat) && self.track.retreat(from).is_some();
        !self.track.is_home(player)
            && (self.hand_sizes[player] > 0 || self.track.places(player).any(retreat))
    }
}
