//! Hearts as a whole game, for tables: round after round until somebody has 100 points and one player alone has the
//! fewest. Levels, texts and rules of the game are set here.

use super::matches::{self, Hearts};
use crate::tricks::Started;
use crate::tricks::table::{Strength, WholeGame};
use arena::process::CommandLine;
use hearts::player::Baseline;
use hearts::rules::{self, GOAL, POINTS, Round};
use std::io;
use std::time::Duration;
use tables::{Translated, translated};
use tricks::Ends;

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
    const GOAL: u32 = GOAL;
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

    fn with_rules(&self, rules: &[String]) -> Option<Hearts> {
        rules
            .iter()
            .all(|rule| rule == "passing")
            .then_some(Hearts {
                passing: !rules.is_empty(),
            })
    }

    fn seat(&self, line: &CommandLine, time: Duration) -> io::Result<Started<Round>> {
        matches::seat(line, time)
    }

    fn in_game(&self, round: Round, totals: &[u32]) -> Round {
        round.after(Ends::AtPoints(GOAL as u16), totals)
    }

    fn winner(&self, totals: &[u32]) -> Option<usize> {
        rules::winner(totals)
    }

    /// The search's value v is the mean of the others' points minus the own points o. All points of a round
    /// add up to 26, so o + (n − 1)(o + v) = 26, and the result is −o = (v (n − 1) − 26) / n. Example: v = 0
    /// with 4 players gives −6.5. After a moon the points add up to more, so the shooter's result is above 0:
    /// v = 26 with 4 players gives 13.
    fn worth(&self, value: f64, players: usize) -> f64 {
        let others = (players - 1) as f64;
        (value * others - f64::from(POINTS)) / players as f64
    }
}
