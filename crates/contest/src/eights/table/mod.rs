//! Tricky Eights at a table in a browser: round after round until somebody alone has the most points,
//! 300 at least.

mod messages;

use super::matches::Eights;
use crate::play::Level;
use crate::tricks::table::{Read, Strength, WholeGame};
use eights::player::Baseline;
use eights::rules::{self, GAME, Round, SEATS};

impl WholeGame for Eights {
    const LEVELS: &'static [Level] = &[
        Level::new("Newcomer", "follows suit, and hopes"),
        Level::new("Guest", "knows what wins, and forgets it"),
        Level::new("Neighbour", "takes tricks when they are cheap"),
        Level::new("Regular", "loses sight of a card now and then"),
        Level::new("Bookkeeper", "counts the cards"),
        Level::new("Host", "weighs how the cards may lie"),
        Level::new("Fox", "weighs it longer"),
        Level::new("Old hand", "makes few mistakes"),
        Level::new("Expert", "makes hardly any"),
        Level::new("Master", "plays as the strongest, in a hurry"),
        Level::new("Shark", "reads the others' hands from their play"),
    ];
    const STRENGTHS: &'static [Strength<Baseline>] = &[
        Strength::of_policy(Baseline::Counter, 0.5),
        Strength::of_policy(Baseline::Counter, 0.37),
        Strength::of_policy(Baseline::Counter, 0.25),
        Strength::of_policy(Baseline::Counter, 0.12),
        Strength::of_policy(Baseline::Counter, 0.0),
        Strength::of_search(Baseline::Counter, 100, 0.65),
        Strength::of_search(Baseline::Counter, 300, 0.6),
        Strength::of_search(Baseline::Counter, 300, 0.4),
        Strength::of_search(Baseline::Counter, 1_000, 0.38),
        Strength::of_search(Baseline::Counter, 1_000, 0.25),
        Strength::of_search(Baseline::Counter, 3_000, 0.0),
    ];
    const GOAL: u32 = GAME;
    const RULES: &'static str = include_str!("assets/rules.html");
    const TELLS_OWN_CARDS: bool = true;
    const OPENS: &'static str = "A line of a match's record, the file of a table with a line for each round, the \
        server's log, the lines that a program was sent, or a position: what everybody holds (? for a card that \
        chance chooses), the open cards, the cards taken and played since the deal, the points before the round. \
        Players count from 1: north, east, south, west.";
    const EXAMPLE: &'static str = concat!(
        "{\n",
        " \"first\": 1,\n",
        " \"hands\": [\"c2 c3 c8 c9 dk h6 h8 hk s6 s8 ht\", \"ca ? ? ? ? ? ? ? ? ? ?\",\n",
        "  \"? ? ? ? ? ? ? ? ? ?\", \"? ? ? ? ? ? ? ? ? ?\"],\n",
        " \"pool\": \"cj cq d9 h5 h9 s2 s3 s4 s9 st\",\n",
        " \"cards\": \"ht ca\",\n",
        " \"totals\": [250, 180, 291, 77]\n",
        "}"
    );

    fn in_game(&self, round: Round, totals: &[u32]) -> Round {
        round.after(by_seat(totals))
    }

    fn read_messages(&self, text: &str) -> Result<Read, String> {
        messages::read(text)
    }

    fn winner(&self, totals: &[u32]) -> Option<usize> {
        rules::winner(&by_seat(totals))
    }

    fn worth(&self, value: f64, _players: usize) -> f64 {
        value
    }
}

fn by_seat(totals: &[u32]) -> [u32; SEATS] {
    std::array::from_fn(|seat| totals.get(seat).copied().unwrap_or(0))
}
