//! The trick-taking games as their tournaments need them. A game of a tournament is a whole game, round after round; its
//! places follow from the points of all rounds.

use super::matches::{checked, totals_that_count};
use super::participant::{Mind, Participant, SEES_ALL, SYNTAX, mind, participant};
use super::record::{Record, VERSION};
use super::seat::Seat;
use super::table::WholeGame;
use super::{Match, report};
use crate::interrupt::has_been_requested;
use crate::match_error::MatchError;
use crate::resume::{OTHER_DEAL, RecordedMatch, same_line_up, same_value};
use crate::tournament::{
    Answered, Conflict, Penalty, Settings, TournamentGame, WatchedGame, block_seed, game_id, same,
};
use arena::participant::{
    BUILTIN, BuiltinError, Kind, ParticipantArg, ParticipantError, ParticipantRecord,
    ParticipantRecordError, Spec,
};
use arena::plain_text::counted;
use arena::process::{CommandLine, Limits};
use arena::ranking::places;
use arena::records::line_of;
use arena::schedule::{GameResult, Referee, ScheduledGame, SeatResult};
use engine::rng::stream;
use games::tricks::whole_game::WholeGameRecord;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};
use tricks::{Agent, Card, PolicySet as _, Round as _, View, random_card};

/// The rules of the games of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct RoundRules<G: WholeGame> {
    /// Rounds of a game; if none is set, a game goes on to the contest's points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_rounds: Option<u64>,
    #[serde(skip)]
    contest: G,
}

/// The most rounds of a game, and those of a sample game that does not end.
const MOST_ROUNDS: u64 = 1000;

/// The referee of a tournament.
pub struct GamesReferee<G: WholeGame> {
    rules: RoundRules<G>,
    penalty: Penalty,
    participants: Vec<Participant<G::Policy>>,
    /// The names of the line-ups in the ids of games.
    line_ups: Vec<String>,
    seed: u64,
    /// The time of a program for a card, if it has none of its own.
    time: Duration,
}

/// A position about which programs are asked: a round as it is dealt.
pub struct DealtSample<G: WholeGame> {
    start: G::Round,
    /// The cards that all players choose in a game.
    decisions: usize,
}

/// A game as far as its rounds are known.
struct GameSoFar {
    totals: Vec<u32>,
    /// By seat, the number of the fault that it made first, counted over all seats.
    faults: Vec<Option<u32>>,
    rounds: u64,
}

impl GameSoFar {
    fn new(players: usize) -> GameSoFar {
        GameSoFar {
            totals: vec![0; players],
            faults: vec![None; players],
            rounds: 0,
        }
    }

    fn push(&mut self, round: &Record) {
        for fault in &round.faults {
            let before = self.faults.iter().flatten().count() as u32;
            if let Some(first) = self.faults.get_mut(fault.player) {
                first.get_or_insert(before);
            }
        }
        for (total, &points) in self.totals.iter_mut().zip(&round.points) {
            *total += u32::from(points);
        }
        self.rounds += 1;
    }

    /// Whether the game is over. The points of a seat that has forfeited it do not count for its end, unless `everybody`
    /// counts, as in folders of earlier versions.
    fn is_over<G: WholeGame>(
        &self,
        rules: &RoundRules<G>,
        penalty: Penalty,
        everybody: bool,
    ) -> bool {
        let left = (0..self.totals.len()).filter(|&seat| !self.is_out(seat, penalty));
        // With at most one player left, the places are known.
        if penalty == Penalty::Forfeit && left.count() <= 1 {
            return true;
        }
        if let Some(rounds) = rules.game_rounds {
            return self.rounds >= rounds;
        }
        let is_out = |seat| !everybody && self.is_out(seat, penalty);
        let totals = totals_that_count::<G>(&self.totals, is_out);
        rules.contest.winner(&totals).is_some()
    }

    /// Whether a seat has forfeited the game.
    fn is_out(&self, seat: usize, penalty: Penalty) -> bool {
        penalty == Penalty::Forfeit && self.faults[seat].is_some()
    }

    /// The places by seat. A player that has forfeited the game comes after those that have not, and before those that
    /// did so earlier.
    fn ranks<G: WholeGame>(&self, penalty: Penalty) -> Vec<f64> {
        let standing = |(&total, fault): (&u32, &Option<u32>)| match fault {
            Some(number) if penalty == Penalty::Forfeit => (false, i64::from(*number)),
            _ if G::LOW_IS_GOOD => (true, -i64::from(total)),
            _ => (true, i64::from(total)),
        };
        let seats = self.totals.iter().zip(&self.faults);
        places(&seats.map(standing).collect::<Vec<_>>())
    }
}

impl<G: WholeGame> GamesReferee<G> {
    fn block_seed(&self, scheduled: &ScheduledGame) -> u64 {
        let line_up = &self.line_ups[scheduled.line_up];
        block_seed(self.seed, Some(line_up), scheduled.block)
    }

    /// Plays a game, and returns its record. `acted` hears of every card and its seat.
    fn record(
        &self,
        scheduled: &ScheduledGame,
        acted: &mut dyn FnMut(usize, Card),
    ) -> io::Result<WholeGameRecord> {
        let seed = self.block_seed(scheduled);
        // The matches' own referee; deals and sitting do not matter to a whole game.
        let plan = Match {
            contest: &self.rules.contest,
            participants: &self.participants,
            seatings: vec![scheduled.seats.clone()],
            deals: 0,
            sitting: 0,
            seed,
            time: self.time,
            jobs: 1,
            record: true,
            // A whole game may take minutes, so one that is stopped between two rounds is void, and played again.
            stops: has_been_requested,
        };
        let mut progress = GameSoFar::new(scheduled.seats.len());
        let rounds = self.rules.game_rounds;
        let rounds = plan.game(scheduled.rotation, rounds, acted, |round| {
            progress.push(round);
            let goes_on = !progress.is_over(&self.rules, self.penalty, false);
            let is_out = |seat| progress.is_out(seat, self.penalty);
            goes_on.then(|| totals_that_count::<G>(&progress.totals, is_out))
        })?;
        let labels = scheduled.seats.iter();
        let labels = labels.map(|&program| self.participants[program].label.clone());
        Ok(WholeGameRecord {
            contest: G::NAME.to_owned(),
            version: VERSION,
            id: self.game_id(scheduled),
            seed,
            players: labels.collect(),
            rounds: rounds.into_iter().map(|record| record.round).collect(),
            ranks: progress.ranks::<G>(self.penalty),
        })
    }
}

impl<G: WholeGame> Referee for GamesReferee<G> {
    type Error = MatchError;

    fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, MatchError> {
        self.played(scheduled, &mut |_, _| ())
    }
}

impl<G: WholeGame> GamesReferee<G> {
    /// Plays a game. `acted` hears of every card and its seat.
    fn played(
        &self,
        scheduled: &ScheduledGame,
        acted: &mut dyn FnMut(usize, Card),
    ) -> Result<GameResult, MatchError> {
        let of = |error| MatchError::of(self.game_id(scheduled), error);
        let record = self.record(scheduled, acted).map_err(of)?;
        let line = line_of(&record).map_err(io::Error::from);
        Ok(GameResult {
            line: line.map_err(of)?,
            ..Self::remembered(&record)
        })
    }
}

impl<G: WholeGame> RecordedMatch for GamesReferee<G> {
    type Record = WholeGameRecord;

    const CONTEST: &'static str = G::NAME;

    fn game_id(&self, scheduled: &ScheduledGame) -> String {
        game_id(&self.line_ups[scheduled.line_up], scheduled)
    }

    fn id(record: &WholeGameRecord) -> String {
        record.id.clone()
    }

    fn verify(&self, scheduled: &ScheduledGame, record: &WholeGameRecord) -> Result<(), String> {
        let seats = scheduled.seats.iter();
        let labels = seats.map(|&program| &self.participants[program].label);
        same_line_up(record.players.iter(), labels)?;
        let seed = self.block_seed(scheduled);
        same_value("seed", record.seed, seed)?;
        // Every deal is computed anew: a forged record could have the right seed and other cards.
        for (number, round) in (0..).zip(record.rounds()) {
            let rng = &mut stream(seed, number);
            let dealt = self.rules.contest.deal(record.players.len(), number, rng);
            let dealt = Record::dealt::<G>(&dealt);
            if (round.first, &round.hands, &round.pool) != (dealt.first, &dealt.hands, &dealt.pool)
            {
                return Err(OTHER_DEAL.to_owned());
            }
        }
        // Later code relies on one rank for each player.
        same_value("number of ranks", record.ranks.len(), record.players.len())?;
        let rules = &self.rules;
        let mut progress = GameSoFar::new(record.players.len());
        // The rounds after which the game is over, as it is counted now and as it was counted in earlier versions.
        let mut ends = [None; 2];
        for (number, round) in record.rounds().enumerate() {
            let replayed = round.replay(&rules.contest, |_, _, _| ());
            replayed.map_err(|error| format!("round {}: {error}", number + 1))?;
            progress.push(&round);
            for (end, everybody) in ends.iter_mut().zip([false, true]) {
                if progress.is_over(rules, self.penalty, everybody) {
                    end.get_or_insert(number + 1);
                }
            }
        }
        let rounds = record.rounds.len();
        if !ends.contains(&Some(rounds)) {
            return Err(match ends[0] {
                Some(end) => format!("it is over after {}, not {rounds}", counted(end, "round")),
                None => format!("it is not over after {}", counted(rounds, "round")),
            });
        }
        let expected = progress.ranks::<G>(self.penalty);
        match record.ranks == expected {
            true => Ok(()),
            false => Err(format!(
                "ranks {:?}, but the rounds come to {expected:?}",
                record.ranks
            )),
        }
    }

    fn remembered(record: &WholeGameRecord) -> GameResult {
        let mut seats = SeatResult::of_ranks(&record.ranks);
        for round in record.rounds() {
            // The rules say who has played a card. The round replays, or the record would have been refused.
            let _ = round.replay(&G::default(), |number, before, _| {
                let ms = round.ms.get(number).copied().flatten();
                if let (Some(seat), Some(ms)) = (before.to_act(), ms) {
                    // Records have milliseconds, statistics nanoseconds.
                    seats[seat].nanos.push((ms * 1e6) as u64);
                }
            });
            for fault in &round.faults {
                if let Some(seat) = seats.get_mut(fault.player) {
                    seat.faults.push(fault.kind.name());
                }
            }
        }
        GameResult {
            seats,
            stopped: false,
            line: Vec::new(),
        }
    }
}

impl<G: WholeGame> TournamentGame for RoundRules<G> {
    const NAME: &'static str = G::NAME;
    const TITLE: &'static str = G::TITLE;
    const DECISION: &'static str = "card";
    const STAND_IN: &'static str = "all further cards of the game: random ones are played";
    const PLAYERS: RangeInclusive<u8> = *G::COUNTS.start() as u8..=*G::COUNTS.end() as u8;
    const USUAL_PLAYERS: u8 = 4;
    const SECONDS: f64 = G::TIME.as_secs() as f64;
    const CALLS: bool = false;
    const STYLES: &'static [&'static str] = &report::STYLES;

    /// The rounds of a game.
    type Asked = Option<u64>;
    type Table = GamesReferee<G>;
    type Record = WholeGameRecord;
    type Sample = DealtSample<G>;

    fn new(game_rounds: Option<u64>) -> Result<RoundRules<G>, Conflict> {
        Ok(RoundRules {
            game_rounds,
            contest: G::default(),
        })
    }

    fn accepts(&self, game_rounds: &Option<u64>) -> Result<(), Conflict> {
        let there = self
            .game_rounds
            .map_or("as many as it takes".to_owned(), |n| n.to_string());
        same("rounds a game", there, game_rounds.map(|n| n.to_string()))
    }

    fn check(&self) -> Result<(), Conflict> {
        match self
            .game_rounds
            .filter(|rounds| !(1..=MOST_ROUNDS).contains(rounds))
        {
            None => Ok(()),
            Some(rounds) => Err(Conflict::Value {
                name: "rounds a game".to_owned(),
                value: rounds.to_string(),
                expected: format!("1 to {MOST_ROUNDS}"),
            }),
        }
    }

    fn told(&self) -> Vec<(String, String)> {
        let game = match self.game_rounds {
            Some(rounds) => counted(rounds, "round"),
            None => format!("to {} points", G::GOAL),
        };
        let rules = self
            .contest
            .default_rules()
            .map(|rules| ("rules".to_owned(), rules));
        [("a game".to_owned(), game)]
            .into_iter()
            .chain(rules)
            .collect()
    }

    fn entered(text: &str) -> Result<ParticipantRecord, ParticipantRecordError> {
        let read = participant::<G>(text)?;
        let program = ParticipantArg::new(text, SYNTAX).program;
        let (label, program) = match read.builtin() {
            Some(_) if !program.starts_with(BUILTIN) => (read.label, format!("{BUILTIN}{program}")),
            _ => (read.label, program),
        };
        // Without a label of its own a participant is called by its text, as in a match.
        let Ok(entered) = format!("{BUILTIN}{program}").parse::<ParticipantRecord>();
        Ok(ParticipantRecord {
            label,
            program,
            ..entered
        })
    }

    fn examined(
        mut entered: ParticipantRecord,
    ) -> Result<ParticipantRecord, ParticipantRecordError> {
        if entered.is_builtin() {
            if let Mind::Cheat(_) = builtin::<G>(&entered)? {
                let error = BuiltinError::Unavailable(SEES_ALL.to_owned());
                return Err(ParticipantRecordError::Builtin {
                    program: entered.program,
                    error,
                });
            }
            return entered.is_limited_by_itself();
        }
        let line = command_line(&entered)?;
        entered.fingerprint = line.fingerprint().map_err(|error| entered.io(error))?;
        // A tournament may be continued in another folder.
        if let Some(text) = line.text() {
            entered.program = text;
        }
        Ok(entered)
    }

    fn table(
        settings: &Settings<RoundRules<G>>,
        line_ups: Vec<String>,
        limits: Limits,
        _cores: Option<usize>,
    ) -> Result<GamesReferee<G>, ParticipantRecordError> {
        let participants = settings.programs.iter().map(|entered| {
            let kind = match entered.is_builtin() {
                true => Kind::Builtin(builtin::<G>(entered)?),
                false => {
                    let mut line = command_line(entered)?.called(&entered.label);
                    for (name, value) in &entered.variables {
                        line = line.with_variable(name, value);
                    }
                    let time = entered.seconds.map(Duration::from_secs_f64);
                    let line = line.with_memory(limits.memory).with_time(time);
                    Kind::Program(line.confined(limits.confinement.clone()))
                }
            };
            Ok(Participant {
                label: entered.label.clone(),
                kind,
            })
        });
        Ok(GamesReferee {
            rules: settings.rules.clone(),
            penalty: settings.penalty,
            participants: participants.collect::<Result<_, ParticipantRecordError>>()?,
            line_ups,
            seed: settings.seed,
            time: limits.late,
        })
    }

    fn archive(settings: &Settings<RoundRules<G>>, line_ups: Vec<String>) -> GamesReferee<G> {
        let (_, policy) = G::Policy::NAMED[0];
        let labels = settings.labels().into_iter();
        let absent = labels.map(|label| Participant {
            label,
            kind: Kind::Builtin(Mind::Agent(Agent::Policy(policy))),
        });
        GamesReferee {
            rules: settings.rules.clone(),
            penalty: settings.penalty,
            participants: absent.collect(),
            line_ups,
            seed: settings.seed,
            time: Duration::ZERO,
        }
    }

    fn play(
        table: &GamesReferee<G>,
        scheduled: &ScheduledGame,
        watched: &WatchedGame,
    ) -> Result<GameResult, MatchError> {
        table.played(scheduled, &mut |seat, card| {
            watched.decided(seat, card.to_string())
        })
    }

    /// A game of random cards has about as many rounds as one of good players.
    fn sample(&self, players: usize, seed: u64) -> DealtSample<G> {
        let mut rng = stream(!seed, 0);
        let mut progress = GameSoFar::new(players);
        let mut decisions = 0;
        let deal = |progress: &GameSoFar| {
            let (number, rng) = (progress.rounds, &mut stream(seed, progress.rounds));
            let dealt = self.contest.deal(players, number, rng);
            self.contest.in_game(dealt, G::ends(), &progress.totals)
        };
        let start = deal(&progress);
        while progress.rounds < MOST_ROUNDS && !progress.is_over(self, Penalty::Forfeit, false) {
            let mut round = deal(&progress);
            while round.to_act().is_some() {
                round.act(random_card(round.legal(), &mut rng));
                decisions += 1;
            }
            let mut record = Record::dealt::<G>(&round);
            record.points = round.scores()[..players].to_vec();
            progress.push(&record);
        }
        DealtSample { start, decisions }
    }

    fn decisions(sample: &DealtSample<G>) -> usize {
        sample.decisions
    }

    fn ask(
        table: &GamesReferee<G>,
        program: usize,
        sample: &DealtSample<G>,
    ) -> io::Result<Answered> {
        let begun = Instant::now();
        let answered = |time: Duration, start: Duration, fault| Answered {
            nanos: time.as_nanos() as u64,
            start_nanos: start.as_nanos() as u64,
            processor_nanos: None,
            fault,
        };
        let mut seat = match &table.participants[program].kind {
            Kind::Builtin(mind) => Seat::<G>::builtin(mind),
            Kind::Program(line) => match table.rules.contest.seat(line, line.time(table.time))? {
                Ok(program) => Seat::program(program),
                Err((fault, _)) => {
                    return Ok(answered(Duration::ZERO, Duration::ZERO, Some(fault)));
                }
            },
        };
        let first = sample.start.to_act().unwrap_or(0);
        let mut view = View::new(&sample.start, first);
        seat.deal(&view, stream(1, 1));
        seat.dealt_open(&sample.start);
        let answer = seat.ask(&view)?;
        let (mut time, mut start) = (answer.time, Duration::ZERO);
        let is_program = matches!(&table.participants[program].kind, Kind::Program(_));
        if let (true, Ok(card)) = (is_program, &answer.reply)
            && sample.start.legal().contains(*card)
        {
            // Until here the program has started, too. The others play their first legal cards, until it is asked again.
            let until_now = begun.elapsed();
            let (mut round, mut next) = (sample.start.clone(), Some(*card));
            while let Some(card) = next {
                seat.acted(&round, card);
                round.act(card);
                view.follow(card, &round);
                let acts = round.to_act().filter(|&seat| seat != first);
                next = acts.and_then(|_| round.legal().into_iter().next());
            }
            if round.to_act() == Some(first) {
                time = seat.ask(&view)?.time;
                start = until_now.saturating_sub(time);
            }
        }
        seat.leave()?;
        Ok(match checked(answer.reply, sample.start.legal()) {
            Ok(_) => answered(time, start, None),
            // After a fault it is not asked again: what this took counts once a game, not for every card.
            Err(fault) => answered(Duration::ZERO, begun.elapsed(), Some(fault)),
        })
    }
}

/// The built-in player of a participant.
fn builtin<G: WholeGame>(
    entered: &ParticipantRecord,
) -> Result<Mind<G::Policy>, ParticipantRecordError> {
    let spec = entered.program.trim_start_matches(BUILTIN);
    let read =
        |spec: &str| -> Result<Mind<G::Policy>, BuiltinError> { mind::<G>(&spec.parse::<Spec>()?) };
    read(spec).map_err(|error| ParticipantRecordError::Builtin {
        program: entered.program.clone(),
        error,
    })
}

/// The command line of a participant that is a program.
fn command_line(entered: &ParticipantRecord) -> Result<CommandLine, ParticipantRecordError> {
    let line = entered.program.parse::<CommandLine>();
    Ok(line.map_err(ParticipantError::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::tricks::{Eights, Hearts};

    /// Whether a game with these totals is over, in which this seat has made a fault.
    fn is_over<G: WholeGame>(
        contest: G,
        totals: &[u32],
        fault: Option<usize>,
        ways: (Penalty, bool),
    ) -> bool {
        let rules = RoundRules {
            game_rounds: None,
            contest,
        };
        let mut game = GameSoFar::new(totals.len());
        game.totals = totals.to_vec();
        fault
            .into_iter()
            .for_each(|seat| game.faults[seat] = Some(0));
        game.is_over(&rules, ways.0, ways.1)
    }

    #[test]
    fn the_points_of_a_forfeited_seat_end_no_game() {
        let (forfeit, random) = ((Penalty::Forfeit, false), (Penalty::RandomAction, false));
        let earlier = (Penalty::Forfeit, true);
        let eights = |totals: [u32; 4], fault, ways| is_over(Eights, &totals, fault, ways);
        assert!(eights([302, 127, 137, 134], None, forfeit));
        assert!(!eights([302, 127, 137, 134], Some(0), forfeit));
        assert!(eights([302, 127, 137, 134], Some(0), random));
        assert!(eights([302, 127, 137, 134], Some(0), earlier));
        // As many points as the leader do not keep a game going either.
        assert!(eights([310, 310, 137, 134], Some(0), forfeit));
        assert!(!eights([310, 310, 137, 134], Some(0), earlier));
        let hearts = |totals: [u32; 4], ways| is_over(Hearts::default(), &totals, Some(0), ways);
        assert!(!hearts([101, 30, 40, 50], forfeit));
        assert!(hearts([101, 30, 40, 50], earlier));
        assert!(hearts([30, 30, 101, 50], forfeit));
    }
}
