//! Duplicate games of built-in players inside this program: the two games of a block have the same decks, with
//! the players on each other's seats. `contest challenge match` and `lab challenge exploit` play them.

use super::players::NamedPlayer;
use arena::ranking::places;
use arena::schedule::{GameResult, Referee, ScheduledGame, SeatResult};
use challenge::deals;
use challenge::equilibrium::blueprint::Tables;
use challenge::player::{Memory, Player};
use challenge::rules::{Cards, Decision, Event, Game, GameOptions, Seat, other};
use challenge::view::{self, View};
use engine::rng::stream;
use std::time::{Duration, Instant};
use thiserror::Error;

/// The clock in the views: more than a player can use, so results do not depend on the machine.
const REMAINING: Duration = Duration::from_secs(3600);
/// Hands after which a game counts as drawn. Ties can follow one another, though never this many.
const MOST_HANDS: u32 = 1000;

/// Reasons why a game between built-in players cannot be played.
#[derive(Debug, Error)]
pub enum GameError {
    /// A player made an illegal decision, which no built-in player may.
    #[error("{player} answered {decision:?} where it is not legal")]
    Illegal {
        player: NamedPlayer,
        decision: Decision,
    },
    /// A game cannot be written.
    #[error("a game cannot be written: {0}")]
    Record(#[from] serde_json::Error),
}

/// One step of a game.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Both hands were dealt.
    Deal([Cards; 2]),
    /// The player to act decided.
    Decision(Decision),
}

/// Makes the record of a finished game from its steps and, by seat, the nanoseconds of the decisions.
pub type Writer = Box<
    dyn Fn(&ScheduledGame, &[Step], &[Vec<u64>; 2]) -> serde_json::Result<Vec<u8>> + Send + Sync,
>;

/// The number of a game: games count from 1, two in each block.
pub fn number(scheduled: &ScheduledGame) -> u64 {
    scheduled.block * 2 + scheduled.rotation as u64 + 1
}

/// A match of built-in players. Both games of a block have the same decks.
pub struct Duplicate {
    pub players: [NamedPlayer; 2],
    /// By player, the tables for its strategy; a player without tables ignores them.
    pub tables: [Tables; 2],
    /// By player, its memory of its opponents. It grows over the games of a match, in the order in
    /// which they end.
    pub memories: [Memory; 2],
    /// Fixes all decks and the players' random numbers.
    pub seed: u64,
    /// Writes the records, if games are recorded.
    pub record: Option<Writer>,
}

impl Duplicate {
    /// Creates the player of a seat, with its own random numbers.
    fn seat(&self, scheduled: &ScheduledGame, seat: Seat) -> Box<dyn Player> {
        let builtin = self.players[scheduled.seats[seat]];
        // Every seat of every game has its own stream, apart from the decks.
        let part = (scheduled.block * 2 + scheduled.rotation as u64) * 4 + seat as u64;
        // Decks use the seed itself and players the next one, so no player's random numbers are those of a deck.
        let rng = stream(self.seed.wrapping_add(1), part);
        let number = scheduled.seats[seat];
        builtin.player(&self.tables[number], &self.memories[number], rng)
    }

    /// The first hands of a game.
    pub fn opening(&self, scheduled: &ScheduledGame) -> [Cards; 2] {
        Decks::new(self.seed, scheduled.block).deal()
    }
}

impl Referee for Duplicate {
    type Error = GameError;

    fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, GameError> {
        let mut players = [self.seat(scheduled, 0), self.seat(scheduled, 1)];
        // The second game of a block gets the same decks, with the players on each other's seats.
        let mut decks = Decks::new(self.seed, scheduled.block);
        let mut game = Game::new(GameOptions::default());
        let mut steps = Vec::new();
        let mut nanos = [Vec::new(), Vec::new()];
        let game_id = number(scheduled);
        while game.winner().is_none() && game.hand_id() < MOST_HANDS {
            if game.needs_deal() {
                let hands = decks.deal();
                game.deal(hands);
                steps.push(Step::Deal(hands));
            }
            let Some(seat) = game.hand().and_then(|hand| hand.to_act()) else {
                break;
            };
            // A view shows what a participant of the contest would receive.
            let table = view::ViewContext {
                game_id,
                opponent_id: scheduled.seats[other(seat)] as u64 + 1,
                remaining: REMAINING,
            };
            let Some(view) = View::of(&game, &table) else {
                break;
            };
            // Only the decision is timed.
            let start = Instant::now();
            let decision = players[seat].decide(&view);
            nanos[seat].push(start.elapsed().as_nanos() as u64);
            let events = game.decide(decision).map_err(|_| GameError::Illegal {
                player: self.players[scheduled.seats[seat]],
                decision,
            })?;
            steps.push(Step::Decision(decision));
            tell(&mut players, seat, &events);
        }
        let winner = game.winner();
        let line = match &self.record {
            Some(write) if winner.is_some() => write(scheduled, &steps, &nanos)?,
            // Nothing is recorded, or the game was stopped without a winner.
            _ => Vec::new(),
        };
        // A game that was stopped counts as a draw: half a win each, and the mean of the two ranks.
        let mut seats = SeatResult::of_ranks(&places(&[0, 1].map(|seat| winner == Some(seat))));
        for (seat, nanos) in seats.iter_mut().zip(nanos) {
            seat.nanos = nanos;
        }
        Ok(GameResult {
            seats,
            stopped: winner.is_none(),
            line,
        })
    }
}

/// Passes events to the players: public ones to both, private ones to the mover alone.
pub fn tell(players: &mut [Box<dyn Player>; 2], mover: Seat, events: &[Event]) {
    for &event in events {
        for (seat, player) in players.iter_mut().enumerate() {
            if seat == mover || !event.is_private() {
                player.event(seat, event);
            }
        }
    }
}

/// The decks of a block. A deck is shuffled when the one before is used up; its number alone
/// decides its order, so both games of a block see the same.
struct Decks {
    seed: u64,
    block: u64,
    number: u64,
    deck: challenge::rules::Deck,
}

impl Decks {
    fn new(seed: u64, block: u64) -> Decks {
        Decks {
            seed,
            block,
            number: 0,
            deck: Decks::deck(seed, block, 0),
        }
    }

    fn deck(seed: u64, block: u64, number: u64) -> challenge::rules::Deck {
        // The block in the upper bits and the deck in the lower 16 make one number for each deck of a match.
        deals::shuffled(&mut stream(seed, (block << 16) | number))
    }

    fn deal(&mut self) -> [Cards; 2] {
        loop {
            if let Some(hands) = self.deck.deal() {
                return hands;
            }
            // Fewer than ten cards are left: the next deck begins.
            self.number += 1;
            self.deck = Decks::deck(self.seed, self.block, self.number);
        }
    }
}
