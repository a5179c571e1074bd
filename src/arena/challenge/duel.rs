//! Matches between built-in players in process, with duplicate deals.

use super::record::Recorded;
use crate::arena::stats::Mean;
use crate::challenge::player::Builtin;
use crate::challenge::rules::{Cards, Decision, Deck, Events, Options, Seat, other};
use crate::challenge::view::{Table, View};
use crate::random::{mix, shuffle, stream};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::time::Duration;

/// The clock that players in process are shown: that of a game's start.
const REMAINING: Duration = Duration::from_secs(2);

/// A match.
#[derive(Clone, Copy, Debug)]
pub struct Duel {
    /// The two players.
    pub players: [Builtin; 2],
    /// Pairs of games with the same cards, sides swapped.
    pub pairs: u64,
    /// Seed of deals and players.
    pub seed: u64,
}

/// What a match showed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// The first player's share of the wins, a number for each pair of games.
    pub share: Mean,
    /// Games won by each.
    pub won: [u64; 2],
    /// Faults of each: illegal decisions, which cost what the rules say.
    pub faults: [u64; 2],
    /// Hands played.
    pub hands: u64,
}

/// A game's result.
#[derive(Clone, Copy, Debug)]
struct Played {
    winner: usize,
    faults: [u64; 2],
    hands: u64,
}

impl Duel {
    /// Plays on all cores. The result does not depend on how many there are, as long as the players
    /// keep no clock.
    pub fn run(&self) -> Score {
        let pairs: Vec<[Played; 2]> = (0..self.pairs)
            .into_par_iter()
            .map(|pair| self.pair(pair))
            .collect();
        let mut score = Score::default();
        for games in &pairs {
            let wins = games.iter().filter(|game| game.winner == 0).count();
            score.share.push(wins as f64 / 2.0);
            for game in games {
                score.won[game.winner] += 1;
                score.hands += game.hands;
                for (sum, faults) in score.faults.iter_mut().zip(game.faults) {
                    *sum += faults;
                }
            }
        }
        score
    }

    /// Two games with the same cards; in the second the sides are swapped.
    fn pair(&self, pair: u64) -> [Played; 2] {
        [0, 1].map(|first| self.game(pair, first))
    }

    /// A game in which this player has seat 0.
    fn game(&self, pair: u64, first: usize) -> Played {
        let seats = [first, other(first)];
        let seed = mix(self.seed ^ mix(pair));
        let mut players =
            seats.map(|player| (self.players[player].make)(mix(seed ^ player as u64)));
        let mut deals = Deals::new(seed);
        let mut game = Recorded::new(Options::default());
        let mut played = Played {
            winner: 0,
            faults: [0, 0],
            hands: 0,
        };
        let tell = |seat: Seat, events: &Events, players: &mut [Box<_>; 2]| {
            for &event in events {
                for (to, player) in players.iter_mut().enumerate() {
                    if to == seat || !event.is_private() {
                        let player: &mut Box<dyn crate::challenge::player::Player> = player;
                        player.told(to, event);
                    }
                }
            }
        };
        while game.game().winner().is_none() {
            if game.game().needs_deal() {
                played.hands += 1;
                game.deal(deals.next());
            }
            let Some(seat) = game.game().to_act() else {
                break;
            };
            let table = Table {
                game_id: 2 * pair + first as u64 + 1,
                opponent_id: seats[other(seat)] as u64 + 1,
                remaining: REMAINING,
            };
            let decision = View::of(game.game(), &table).map(|view| players[seat].decide(&view));
            let decided = game.decide(decision.unwrap_or(Decision::Reject));
            let events = decided.or_else(|illegal| {
                played.faults[seats[seat]] += 1;
                game.fault(&illegal.to_string())
            });
            if let Ok(events) = events {
                tell(seat, &events, &mut players);
            }
        }
        played.winner = seats[game.game().winner().unwrap_or(0)];
        played
    }
}

/// The cards of a game, hand after hand: the same for the same seed.
struct Deals {
    seed: u64,
    shuffles: u64,
    deck: Option<Deck>,
}

impl Deals {
    fn new(seed: u64) -> Deals {
        Deals {
            seed,
            shuffles: 0,
            deck: None,
        }
    }

    fn next(&mut self) -> [Cards; 2] {
        loop {
            if let Some(cards) = self.deck.as_mut().and_then(Deck::deal) {
                return cards;
            }
            let mut order = Deck::sorted();
            shuffle(&mut stream(self.seed, self.shuffles), &mut order);
            self.shuffles += 1;
            self.deck = Some(Deck::new(order));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::challenge::player::Player;
    use crate::challenge::player::builtin::by_name;

    /// Plays what it must not.
    struct Cheat;

    impl Player for Cheat {
        fn decide(&mut self, _: &View) -> Decision {
            Decision::Accept
        }
    }

    #[test]
    fn equal_players_share_every_pair() {
        let plain = by_name("plain").unwrap();
        let duel = Duel {
            players: [plain; 2],
            pairs: 50,
            seed: 3,
        };
        let score = duel.run();
        assert_eq!(
            score.won,
            [50, 50],
            "the same player in both seats of the same deal"
        );
        assert_eq!((score.share.mean(), score.share.margin()), (0.5, Some(0.0)));
        assert_eq!(score.faults, [0, 0]);
        assert_eq!(duel.run(), score);
    }

    #[test]
    fn faults_are_counted_and_lose() {
        let cheat = Builtin {
            name: "cheat",
            about: "",
            make: |_| Box::new(Cheat),
        };
        let plain = by_name("plain").unwrap();
        let score = Duel {
            players: [cheat, plain],
            pairs: 3,
            seed: 1,
        }
        .run();
        assert_eq!(score.won, [0, 6]);
        assert!(score.faults[0] > 0 && score.faults[1] == 0);
    }
}
