//! `contest challenge generate-journal`: writes the journal of a contest that was never held. With it one can test how
//! a server copes with a long contest.

use crate::challenge::record::{GameLine, Recorded};
use crate::{cli, interrupt};
use arena::plain_text::counted;
use arena::records::line_of;
use challenge::deals;
use challenge::equilibrium::blueprint::Tables;
use challenge::player::{Builtin, Player};
use challenge::rules::{Deck, GameOptions, Seat};
use challenge::view::{View, ViewContext};
use challenge_server::contest::Contest;
use challenge_server::journal::{BegunLine, Journal};
use challenge_server::teams::Pair;
use clap::Args as ClapArgs;
use engine::rng::{mix, stream};
use rayon::prelude::*;
use seats::challenge::duplicate::tell;
use std::path::PathBuf;
use std::time::Duration;

/// Games that are played before any of them is written.
const CHUNK: usize = 512;
/// The time that the views show as left; nothing is timed here.
const REMAINING: Duration = Duration::from_secs(2);
/// Milliseconds of the contest between two games.
const PACE: u64 = 50;
/// The players of the teams, in turn: quick ones of different strength.
const PLAYERS: [Builtin; 3] = [Builtin::Plain, Builtin::Doge, Builtin::Need];

/// Writes the journal of a contest that was never held, to test a server with a long journal
///
/// Every two teams meet equally often. The games are played by quick built-in players, according to the
/// rules.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The journal, a new file
    file: PathBuf,
    /// Games to write into the journal
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Teams, numbered from 1
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(2..=10_000))]
    teams: u64,
    /// Seed of the deals and of the players
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.file.exists() {
            refuse!(
                "{}: expected a new file, but this one exists",
                self.file.display()
            );
        }
        let tables = cli::tables("", None)?;
        let mut contest = Contest::new(1..=self.teams);
        let mut journal = Journal::open(&self.file, &mut contest)?;
        let pairs: Vec<Pair> = (1..=self.teams)
            .flat_map(|a| (a + 1..=self.teams).map(move |b| [a, b]))
            .collect();
        let requested = interrupt::requested();
        let mut written = 0;
        // The leader of a pair's game follows from the pair's earlier games. A chunk has each pair once, so its
        // games can be played in parallel.
        for chunk in pairs.chunks(CHUNK).cycle() {
            let left = (self.games - written).min(chunk.len() as u64) as usize;
            if left == 0 || requested.is_set() {
                break;
            }
            let chunk = &chunk[..left];
            // The seats are fixed before the games, from the results of earlier chunks.
            let seats = chunk.iter().map(|&teams| contest.seats(teams));
            let ids = (written + 1..).zip(seats.collect::<Vec<_>>());
            let ids: Vec<(u64, [u64; 2])> = ids.collect();
            let games: Vec<(Seat, Recorded)> = ids
                .par_iter()
                .map(|&(id, seats)| self.play(&tables, id, seats))
                .collect();
            let mut lines = Vec::new();
            for ((id, teams), (winner, game)) in ids.into_iter().zip(games) {
                let at = PACE * id;
                let begun = BegunLine {
                    begun: id,
                    at: at - PACE,
                    teams,
                };
                // The same lines as a server would write: one when the game begins, one when it is over.
                lines.extend(line_of(&begun)?);
                let pair = challenge_server::teams::pair(teams[0], teams[1]);
                // The score with this game, before `count` removes a decided round.
                let mut round = contest.round(pair);
                round.win(usize::from(pair[0] != teams[winner]));
                let [first, second] = round.games;
                // From the order of the pair to the order of the seats.
                let round = match teams == pair {
                    true => [first, second],
                    false => [second, first],
                };
                contest.count(teams, winner, false);
                lines.extend(line_of(&GameLine {
                    id,
                    at,
                    teams,
                    winner,
                    entries: game.into_entries(Some(round)),
                    ..GameLine::default()
                })?);
            }
            journal.append_lines(&lines)?;
            written += left as u64;
        }
        line!("{}, {} bytes", counted(written, "game"), journal.length())?;
        Ok(())
    }

    /// Plays a game. Returns its winner and its record.
    fn play(&self, tables: &Tables, id: u64, seats: [u64; 2]) -> (Seat, Recorded) {
        // A game depends on the seed and its number alone, whatever thread plays it.
        let seed = mix(self.seed ^ mix(id));
        let player = |seat: usize| {
            // By the team's number, so that a team is always played by the same program.
            let builtin = PLAYERS[(seats[seat] % PLAYERS.len() as u64) as usize];
            builtin.player(tables, stream(seed, seat as u64 + 1))
        };
        let mut players: [Box<dyn Player>; 2] = [player(0), player(1)];
        let mut rng = stream(seed, 0);
        let mut deck: Option<Deck> = None;
        let mut game = Recorded::new(GameOptions::default());
        loop {
            if let Some(winner) = game.game().winner() {
                return (winner, game);
            }
            if game.game().needs_deal() {
                match deck.as_mut().and_then(Deck::deal) {
                    Some(cards) => game.deal(cards),
                    None => deck = Some(deals::shuffled(&mut rng)),
                }
                continue;
            }
            let context = ViewContext {
                game_id: id,
                opponent_id: 0,
                remaining: REMAINING,
            };
            let Some(view) = View::of(game.game(), &context) else {
                continue;
            };
            let seat = view.player_number;
            let decision = players[seat].decide(&view);
            let events = match game.decide(decision) {
                Ok(events) => events,
                // A built-in player makes no faults; if one did, it would pay for it as in a contest.
                Err(wrong) => match game.fault(&wrong.to_string()) {
                    Ok(events) => events,
                    Err(_) => continue,
                },
            };
            tell(&mut players, seat, &events);
        }
    }
}
