//! A round: games between the same two players, until one of them is far enough ahead.

use super::Seat;

/// How many games ahead win a round.
const LEAD: u32 = 5;
/// How many games win a round, whatever the lead.
const GAMES: u32 = 21;

/// The games that each player has won in a round, in the round's order of players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Games won, by player.
    pub games: [u32; 2],
}

impl Round {
    pub fn win(&mut self, by: Seat) {
        self.games[by] += 1;
    }

    /// The player who leads first in the next game: they alternate, whoever wins.
    pub fn next_lead(&self) -> Seat {
        ((self.games[0] + self.games[1]) % 2) as Seat
    }

    /// The winner of the round: five games ahead, or 21 won.
    pub fn winner(&self) -> Option<Seat> {
        let [a, b] = self.games;
        (0..2).find(|&seat| {
            let (own, theirs) = if seat == 0 { (a, b) } else { (b, a) };
            own >= theirs + LEAD || own >= GAMES
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_ahead_or_21_win() {
        let winner = |a, b| Round { games: [a, b] }.winner();
        assert_eq!(winner(4, 0), None);
        assert_eq!(winner(5, 0), Some(0));
        assert_eq!(winner(15, 20), Some(1));
        assert_eq!(winner(20, 19), None);
        assert_eq!(winner(20, 21), Some(1));
        assert_eq!(winner(21, 20), Some(0));
    }

    #[test]
    fn the_first_lead_alternates() {
        let mut round = Round::default();
        let mut leads = Vec::new();
        for by in [1, 1, 0, 1] {
            leads.push(round.next_lead());
            round.win(by);
        }
        assert_eq!(leads, [0, 1, 0, 1]);
    }
}
