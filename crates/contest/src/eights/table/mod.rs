//! Tricky Eights as a whole game, for tables and tournaments: round after round until one player alone has the most
//! points, 300 at least. Levels, texts and rules of the game are set here.

mod messages;

use super::matches::{self, Eights};
use crate::tricks::Started;
use crate::tricks::table::{Strength, WholeGame};
use arena::process::CommandLine;
use eights::player::Baseline;
use eights::rules::Round;
use games::tricks::start::Read;
use std::io;
use std::time::Duration;
use tables::{Translated, translated};

impl WholeGame for Eights {
    // From random slips in half of the decisions to a search of 3,000 nodes.
    const STRENGTHS: &'static [Strength<Baseline>] = &[
        Strength::of_policy(Baseline::Counter, 0.5),
        Strength::of_policy(Baseline::Counter, 0.37),
        Strength::of_policy(Baseline::Counter, 0.25),
        Strength::of_policy(Baseline::Counter, 0.12),
        Strength::of_policy(Baseline::Counter, 0.0),
        Strength::of_search(Baseline::Counter, 100, 0.4),
        Strength::of_search(Baseline::Counter, 300, 0.35),
        Strength::of_search(Baseline::Counter, 300, 0.2),
        Strength::of_search(Baseline::Counter, 1_000, 0.2),
        Strength::of_search(Baseline::Counter, 1_000, 0.1),
        Strength::of_search(Baseline::Counter, 3_000, 0.0),
    ];
    const STEPS: &'static [f64] = &[
        0.790, 0.823, 0.827, 0.713, 0.867, 0.833, 0.650, 0.717, 0.694, 0.944,
    ];
    const TELLS_OWN_CARDS: bool = true;
    const EXAMPLE: &'static str = concat!(
        "{\n",
        " \"first\": 1,\n",
        " \"hands\": [\"ht ? ? ? ? ? ? ? ? ? ?\", \"ca ? ? ? ? ? ? ? ? ? ?\",\n",
        "  \"c2 c3 c8 c9 dk h6 h8 hk s6 s8\", \"? ? ? ? ? ? ? ? ? ?\"],\n",
        " \"pool\": \"cj cq d9 h5 h9 s2 s3 s4 s9 st\",\n",
        " \"cards\": \"ht ca\",\n",
        " \"totals\": [250, 180, 291, 77]\n",
        "}"
    );

    const TEXTS: Translated = translated!("eights.ftl");
    const RULES: Translated = translated!("eights-rules.html");

    fn seat(&self, line: &CommandLine, time: Duration) -> io::Result<Started<Round>> {
        matches::seat(line, time)
    }

    fn read_messages(&self, text: &str) -> Result<Read, String> {
        messages::read(text)
    }
}
