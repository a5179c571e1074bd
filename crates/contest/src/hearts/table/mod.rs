//! Hearts as a whole game, for tables: round after round until somebody has 100 points and one player alone has the
//! fewest. Levels, texts and rules of the game are set here.

use super::matches::{self, Hearts};
use crate::tricks::Started;
use crate::tricks::table::{Strength, WholeGame};
use arena::process::CommandLine;
use hearts::player::Baseline;
use hearts::rules::Round;
use std::io;
use std::time::Duration;
use tables::{Translated, translated};

impl WholeGame for Hearts {
    const STRENGTHS: &'static [Strength<Baseline>] = &[
        Strength::of_policy(Baseline::Random, 0.0),
        Strength::of_policy(Baseline::Careful, 0.6),
        Strength::of_policy(Baseline::Careful, 0.3),
        Strength::of_policy(Baseline::Careful, 0.0),
        Strength::of_search(Baseline::Careful, 300, 0.5),
        Strength::of_search(Baseline::Careful, 4_000, 0.0),
    ];
    const STEPS: &'static [f64] = &[0.790, 0.733, 0.747, 0.800, 0.692];
    const TELLS_OWN_CARDS: bool = false;
    const EXAMPLE: &'static str = concat!(
        "{\n",
        " \"first\": 2,\n",
        " \"hands\": [\"c4 c9 cj ck d3 d8 h2 h5 hq s3 s4 s9 sj\", \"? ? ? ? ? ? ? ? ? ? ? ?\",\n",
        "  \"? ? ? ? ? ? ? ? ? ? ? ?\", \"? ? ? ? ? ? ? ? ? ? ? ?\"],\n",
        " \"cards\": \"c2 c7 ca\",\n",
        " \"totals\": [41, 12, 30, 73]\n",
        "}"
    );

    const TEXTS: Translated = translated!("hearts.ftl");
    const RULES: Translated = translated!("hearts-rules.html");

    const EXTRA_RULES: &'static [&'static str] = &["passing"];

    fn by_rules(has: impl Fn(&str) -> bool) -> Hearts {
        Hearts {
            passing: has("passing"),
        }
    }

    fn seat(&self, line: &CommandLine, time: Duration) -> io::Result<Started<Round>> {
        matches::seat(line, time)
    }
}
