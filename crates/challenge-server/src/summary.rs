//! The summary of a game, for the index of a journal and for lists of games on the page.

use super::record::{Entry, GameLine, Moved};
use serde::Serialize;

/// A game in a list of games. Pairs are in the order of the game's players.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    pub id: u64,
    /// The teams; the first one led.
    pub teams: [u64; 2],
    /// Their names, where the game has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<[String; 2]>,
    /// The index of the winner in `teams`.
    pub winner: usize,
    /// Whether it was a game of the final.
    pub is_final: bool,
    /// Points at the end.
    pub points: [u8; 2],
    /// Games won in the round, this one included.
    pub round: Option<[u32; 2]>,
    /// Hands that were dealt.
    pub hands: u32,
    /// Whether an accepted challenge decided it.
    pub by_challenge: bool,
    /// Wrong and missing answers.
    pub faults: u32,
}

impl Summary {
    /// A finished game in short.
    pub fn of(game: &GameLine) -> Summary {
        let mut summary = Summary {
            id: game.id,
            teams: game.teams,
            names: game.names.clone(),
            winner: game.winner.min(1),
            is_final: game.is_final,
            ..Summary::default()
        };
        for entry in &game.entries {
            summary.add(entry);
        }
        summary
    }

    /// Adds the facts that one entry of the record shows.
    fn add(&mut self, entry: &Entry) {
        match *entry {
            Entry::NewHand { .. } => {
                self.hands += 1;
                // Only the last hand counts: every new hand forgets an acceptance before it.
                self.by_challenge = false;
            }
            Entry::PlayerMove {
                what: Moved::AcceptChallenge,
                ..
            } => self.by_challenge = true,
            Entry::PlayerMove {
                what: Moved::IllegalMove { .. },
                ..
            } => self.faults += 1,
            Entry::FinalGameResult {
                player0_score,
                player1_score,
                ..
            } => self.points = [player0_score, player1_score],
            Entry::NewRoundScore {
                player0_score,
                player1_score,
            } => self.round = Some([player0_score, player1_score]),
            _ => {}
        }
    }
}
