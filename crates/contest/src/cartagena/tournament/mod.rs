//! Cartagena as its tournaments need it: the rules in their settings, and the referee.

mod sample;

use super::deals::{FixedDeal, used_again};
use super::game::{Conduct, Incident, MAX_TURNS, Observer, Step};
use super::record::Record;
use super::{Match, MatchError, Options};
use crate::tournament::{Answered, Conflict, TournamentGame, WatchedGame, same};
use arena::participant::{ParticipantRecord, ParticipantRecordError};
use arena::plain_text::counted;
use arena::process::Limits;
use arena::schedule::{GameResult, ScheduledGame};
use cartagena::rules::{Board, State, Symbol};
use games::cartagena::board_word;
use sample::Sample;
use seats::cartagena::participant::{CallLimits, Called as _, Participant};
use seats::cartagena::programs::warm_up;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::RangeInclusive;

pub use crate::tournament::Schedule;

/// The settings of a tournament of Cartagena.
pub type Settings = crate::tournament::Settings<Rules>;

/// The rules of the games of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// Cards dealt to each player.
    pub deal: u8,
    /// Whether a pirate may leave the boat again by a retreat.
    pub boat_retreat: bool,
    /// The spaces of the board, a letter each. If there is none every block has a random board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// Boards and decks from a file, which the blocks use in turn. If there are none all are random.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<FixedDeal>,
    /// Turns after which a game is stopped and drawn.
    pub max_turns: u32,
}

/// The rules that a request names. The fields have the meaning of those in [`Rules`].
#[derive(Clone, Debug, Default)]
pub struct AskedRules {
    pub deal: Option<u8>,
    pub boat_retreat: Option<bool>,
    pub board: Option<Board>,
    /// Empty if the request names none.
    pub positions: Vec<FixedDeal>,
    pub max_turns: Option<u32>,
}

impl Rules {
    /// The options of the games of a tournament with these settings.
    pub fn options(settings: &Settings) -> Options {
        let rules = &settings.rules;
        Options {
            deal: rules.deal,
            boat_retreat: rules.boat_retreat,
            board: rules.fixed_board(),
            positions: rules.positions.clone(),
            seed: settings.seed,
            own_deals: true,
            conduct: Conduct {
                max_turns: rules.max_turns,
                penalty: settings.penalty,
            },
            faultless: false,
            record: true,
        }
    }

    /// The board of all games; none if boards are random, or the letters make no board.
    fn fixed_board(&self) -> Option<Board> {
        let letters = self.board.as_ref()?.chars();
        let spaces: Option<Vec<_>> = letters.map(Symbol::of_letter).collect();
        Board::new(spaces?).ok()
    }
}

impl TournamentGame for Rules {
    const NAME: &'static str = "cartagena";
    const TITLE: &'static str = "Cartagena";
    const DECISION: &'static str = "action";
    const STAND_IN: &'static str = "the choice: a random one stands in";
    const PLAYERS: RangeInclusive<u8> = 2..=6;
    const USUAL_PLAYERS: u8 = 2;
    const SECONDS: f64 = 15.0;
    const CALLS: bool = true;
    const STYLES: &'static [&'static str] = &super::report::STYLES;

    type Asked = AskedRules;
    type Table = Match;
    type Record = Record;
    type Sample = Sample;

    fn new(asked: AskedRules) -> Result<Rules, Conflict> {
        if asked.board.is_some() && !asked.positions.is_empty() {
            return Err(Conflict::Format {
                format: "--positions",
                reason: "the file of --positions has the boards: leave --board out",
            });
        }
        Ok(Rules {
            deal: asked.deal.unwrap_or(3),
            boat_retreat: asked.boat_retreat.unwrap_or(true),
            board: asked.board.as_ref().map(board_word),
            positions: asked.positions,
            max_turns: asked.max_turns.unwrap_or(MAX_TURNS),
        })
    }

    fn accepts(&self, asked: &AskedRules) -> Result<(), Conflict> {
        same("deal", self.deal, asked.deal)?;
        same("boat retreat", self.boat_retreat, asked.boat_retreat)?;
        same("turns at most", self.max_turns, asked.max_turns)?;
        let board = self.board.as_deref().unwrap_or("random").to_owned();
        same("board", board, asked.board.as_ref().map(board_word))?;
        if asked.positions.is_empty() || asked.positions == self.positions {
            return Ok(());
        }
        Err(Conflict::Rules {
            there: match self.positions.len() {
                0 => "boards and decks by chance".to_owned(),
                n => format!("{n} other boards and decks"),
            },
            asked: "the boards and decks of --positions",
        })
    }

    fn check(&self) -> Result<(), Conflict> {
        // `fixed_board` gives none for letters that make no board.
        match &self.board {
            Some(board) if self.fixed_board().is_none() => Err(Conflict::Value {
                name: "board".to_owned(),
                value: format!("{board:?}"),
                expected: "a letter for each space: b d g h k s".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    fn told(&self) -> Vec<(String, String)> {
        let mut told = Vec::new();
        let mut add = |name: &str, value: String| told.push((name.to_owned(), value));
        add("deal", counted(self.deal, "card"));
        add("stopped after", counted(self.max_turns, "turn"));
        if self.board.is_some() {
            add("board", "fixed".to_owned());
        }
        if !self.positions.is_empty() {
            let count = self.positions.len();
            add("boards and decks", format!("{count} from a file"));
        }
        told
    }

    fn warnings(&self, blocks: u64) -> Vec<String> {
        used_again(&self.positions, blocks).into_iter().collect()
    }

    fn entered(text: &str) -> Result<ParticipantRecord, ParticipantRecordError> {
        let Ok(entered) = text.parse();
        Ok(entered)
    }

    fn examined(entered: ParticipantRecord) -> Result<ParticipantRecord, ParticipantRecordError> {
        entered.examined()
    }

    fn warm_up<'a>(
        programs: impl Iterator<Item = &'a ParticipantRecord>,
        players: usize,
        limits: &Limits,
    ) -> anyhow::Result<bool> {
        warm_up(programs, players, limits)
    }

    fn table(
        settings: &Settings,
        line_ups: Vec<String>,
        limits: Limits,
        cores: Option<usize>,
    ) -> Result<Match, ParticipantRecordError> {
        let call = CallLimits { limits, cores };
        let programs = settings.programs.iter();
        let participants = programs.map(|program| program.participant(&call));
        Ok(Match {
            participants: participants.collect::<Result<_, _>>()?,
            line_ups,
            options: Rules::options(settings),
        })
    }

    fn archive(settings: &Settings, line_ups: Vec<String>) -> Match {
        let labels = settings.labels().into_iter();
        Match {
            participants: labels.map(Participant::absent).collect(),
            line_ups,
            options: Rules::options(settings),
        }
    }

    fn play(
        table: &Match,
        scheduled: &ScheduledGame,
        watched: &WatchedGame,
    ) -> Result<GameResult, MatchError> {
        table.played(scheduled, &mut Watcher(watched))
    }

    fn sample(&self, players: usize, seed: u64) -> Sample {
        Sample::new(players, seed)
    }

    fn decisions(sample: &Sample) -> usize {
        sample.actions
    }

    fn ask(table: &Match, program: usize, sample: &Sample) -> io::Result<Answered> {
        // Each question goes to a new seat, as at the beginning of a game.
        let mut seat = (table.participants[program].maker)(1)?;
        let mut answer = seat(&sample.question(), None)?;
        let first = answer.usage.nanos;
        // The first time of a program that stays includes its start. Whoever takes long is not asked again for that.
        let is_program = answer.usage.processor_nanos.is_some();
        if is_program && answer.reply.is_ok() && first < QUICK {
            answer = seat(&sample.question(), None)?;
        }
        Ok(Answered {
            nanos: answer.usage.nanos,
            start_nanos: first.saturating_sub(answer.usage.nanos),
            processor_nanos: answer.usage.processor_nanos,
            fault: answer.reply.and_then(|action| sample.check(action)).err(),
        })
    }
}

/// An answer that takes less than these nanoseconds may be mostly the start of the program.
const QUICK: u64 = 2_000_000_000;

/// Passes the events of a game on to those who watch it.
struct Watcher<'a>(&'a WatchedGame);

impl Observer for Watcher<'_> {
    fn step(&mut self, _state: &State, step: &Step) {
        self.0.decided(step.seat, step.action.to_string());
    }

    fn incident(&mut self, _state: &State, incident: &Incident) {
        self.0
            .decided(incident.seat, incident.fault.kind.to_string());
    }
}
