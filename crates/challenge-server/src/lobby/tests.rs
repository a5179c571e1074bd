//! Tests of the lobby, which connects teams, starts their games and leads the contest through its
//! phases. Time is a number that the tests set, and clients are channels, so nothing waits.

use super::*;
use crate::clocked_game::Conduct;
use crate::journal::Line;
use crate::record::{Entry, Moved};
use arena::records::Reader;
use challenge::protocol::{Incoming, Request, Response, ServerMessage, WireEvent};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::oneshot;

const OPEN: Duration = Duration::from_secs(100);
const END: Duration = Duration::from_secs(200);
const REGROUP: Duration = Duration::from_secs(15);
/// More steps than any of these contests needs to reach what a test waits for.
const MOST_STEPS: u32 = 20_000;

/// A lobby and its clients, which play by [`View::safe`](challenge::View::safe).
struct Scene {
    lobby: Lobby,
    clients: BTreeMap<u64, (UnboundedSender<Outgoing>, UnboundedReceiver<Outgoing>)>,
    events: Vec<String>,
    now: Duration,
    folder: tempfile::TempDir,
}

impl Scene {
    fn new(teams: &[u64]) -> Scene {
        Scene::with(teams, |_| ())
    }

    /// A contest without waits and pauses, with the settings that `change` changes.
    fn with(teams: &[u64], change: fn(&mut ContestSettings)) -> Scene {
        let mut settings = ContestSettings {
            conduct: Conduct::default(),
            wait: Duration::ZERO,
            seed: 1,
            open_play: Some(OPEN),
            last_hour: END - OPEN,
            final_pause: Duration::ZERO,
            report: Duration::from_secs(3600),
            regroup: Duration::ZERO,
            absent_at_once: false,
            keep_decks: false,
        };
        change(&mut settings);
        Scene::open(teams, settings, tempfile::tempdir().unwrap())
    }

    fn open(teams: &[u64], settings: ContestSettings, folder: tempfile::TempDir) -> Scene {
        let mut contest = Contest::new(teams.iter().copied());
        let journal = Journal::open(&folder.path().join("games.jsonl"), &mut contest).unwrap();
        Scene {
            lobby: Lobby::new(
                settings,
                teams.iter().copied(),
                contest,
                journal,
                Instant::now(),
            ),
            clients: BTreeMap::new(),
            events: Vec::new(),
            now: Duration::ZERO,
            folder,
        }
    }

    /// A contest whose teams are all connected.
    fn playing(teams: &[u64], change: fn(&mut ContestSettings)) -> Scene {
        let mut scene = Scene::with(teams, change);
        scene.join_all(teams);
        scene
    }

    /// Teams that have played a round, at the moment when the final is due.
    fn at_the_final(teams: &[u64]) -> Scene {
        let mut scene = Scene::playing(teams, |_| ());
        scene.play_until("Round");
        scene.begin_the_final();
        scene
    }

    fn begin_the_final(&mut self) {
        self.tick(OPEN);
        self.tick(END);
    }

    /// Kills the server and starts it again. Afterwards no team is connected, and the regrouping time runs.
    fn restart(self, teams: &[u64]) -> Scene {
        let settings = ContestSettings {
            regroup: REGROUP,
            ..self.lobby.settings.clone()
        };
        drop(self.lobby);
        Scene::open(teams, settings, self.folder)
    }

    /// The games in the journal.
    fn games(&self) -> Vec<GameLine> {
        let lines = Reader::open(&self.folder.path().join("games.jsonl")).unwrap();
        lines
            .filter_map(|line| match line.unwrap() {
                Line::Game(game) => Some(game),
                _ => None,
            })
            .collect()
    }

    fn join_all(&mut self, teams: &[u64]) {
        teams.iter().for_each(|&team| self.join(team));
    }

    fn join(&mut self, team: u64) {
        let (outbox, inbox) = unbounded_channel();
        self.clients.insert(team, (outbox.clone(), inbox));
        self.handle(ConnectionEvent::Joined { team, outbox });
    }

    fn leave(&mut self, team: u64) {
        let (outbox, _inbox) = self.clients.remove(&team).unwrap();
        let link = outbox.downgrade();
        self.handle(ConnectionEvent::Left { team, link });
    }

    fn handle(&mut self, event: ConnectionEvent) {
        let mut on_event = told(&mut self.events);
        self.lobby.handle(event, self.now, &mut on_event).unwrap();
    }

    /// Starts the games that can start.
    fn match_up(&mut self) {
        let mut on_event = told(&mut self.events);
        self.lobby.match_up(|| self.now, &mut on_event).unwrap();
    }

    /// The messages to a team's client since the last call.
    fn sent(&mut self, team: u64) -> Vec<Outgoing> {
        let inbox = &mut self.clients.get_mut(&team).unwrap().1;
        std::iter::from_fn(|| inbox.try_recv().ok()).collect()
    }

    /// The last request that a team's client has been sent.
    fn request(&mut self, team: u64) -> Request {
        let sent = self.sent(team).pop().map(|last| last.message);
        let Some(ServerMessage::Request(request)) = sent else {
            panic!("team {team} is asked: {sent:?}");
        };
        request
    }

    /// Starts the games that can start, and lets every client answer once. Returns whether any client was
    /// asked.
    fn step(&mut self) -> bool {
        self.match_up();
        let at = self.lobby.begin + self.now;
        let mut answers = Vec::new();
        for team in self.clients.keys().copied().collect::<Vec<u64>>() {
            for outgoing in self.sent(team) {
                if let ServerMessage::Request(request) = outgoing.message {
                    let outbox = &self.clients[&team].0;
                    answers.push(received(team, outbox, Ok(answer(&request)), at));
                }
            }
        }
        let asked = !answers.is_empty();
        answers.into_iter().for_each(|answer| self.handle(answer));
        asked
    }

    /// Lets time pass until `now`, counted from the start of the contest.
    fn tick(&mut self, now: Duration) {
        self.now = now;
        let mut on_event = told(&mut self.events);
        self.lobby
            .tick(&mut unbounded_channel().1, || now, &mut on_event)
            .unwrap();
    }

    /// Lets every client answer once, or time pass until something is due if none is asked.
    fn go_on(&mut self) {
        if !self.step() {
            let wake = self.lobby.wake();
            self.tick(wake);
        }
    }

    /// How many events the lobby has reported whose texts begin with `start`.
    fn count(&self, start: &str) -> usize {
        let texts = self.events.iter();
        texts.filter(|text| text.starts_with(start)).count()
    }

    fn has_event(&self, start: &str) -> bool {
        self.count(start) > 0
    }

    fn play_until(&mut self, start: &str) {
        self.play_while(|scene| !scene.has_event(start));
    }

    fn play_while(&mut self, goes_on: impl Fn(&Scene) -> bool) {
        let mut steps = 0;
        while goes_on(self) {
            steps += 1;
            let last = self.events.last();
            assert!(steps <= MOST_STEPS, "does not come to an end: {last:?}");
            assert!(!self.lobby.is_over(), "{:?}", self.events);
            self.go_on();
        }
    }
}

/// Writes events down as text.
fn told(events: &mut Vec<String>) -> impl FnMut(ContestEvent) {
    |event| events.push(format!("{event:?}"))
}

/// The answer to a request as [`View::safe`](challenge::View::safe) gives it.
fn answer(request: &Request) -> Incoming {
    let response: Response = request.view().unwrap().safe().unwrap().into();
    Incoming::Move {
        request_id: request.request_id,
        response: serde_json::to_value(response).unwrap(),
    }
}

/// A message of a team over the connection with this outbox.
fn received(
    team: u64,
    outbox: &UnboundedSender<Outgoing>,
    input: Input,
    at: Instant,
) -> ConnectionEvent {
    ConnectionEvent::Received {
        team,
        link: outbox.downgrade(),
        input,
        at,
        dealt_with: oneshot::channel().0,
    }
}

#[test]
fn connected_teams_play_and_others_do_not() {
    let mut scene = Scene::new(&[1, 2, 3]);
    scene.join(1);
    assert!(!scene.step(), "no team to play with");
    scene.join(3);
    scene.play_until("Round");
    assert!(scene.has_event("Round { teams: [1, 3]"));
    assert_eq!(scene.lobby.contest.met([1, 2]), 0);
}

#[test]
fn standings_are_reported_at_intervals() {
    let mut scene = Scene::with(&[1, 2], |settings| {
        settings.report = Duration::from_secs(10)
    });
    let mut reports = |second| {
        scene.tick(Duration::from_secs(second));
        scene.count("Standings")
    };
    assert_eq!(reports(9), 0);
    assert_eq!(reports(10), 1);
    assert_eq!(reports(19), 1);
    assert_eq!(reports(25), 2);
    assert_eq!(scene.lobby.phase, Phase::Open, "it is not time yet");
}

/// The event of a game gives the score of the round in the order of the seats, which change with every game.
#[test]
fn a_game_is_told_with_its_round() {
    let mut scene = Scene::playing(&[1, 2], |_| ());
    scene.tick(Duration::from_secs(3));
    scene.play_until("Round");
    let mut won = BTreeMap::from([(1, 0), (2, 0)]);
    let games = scene.games();
    assert!(games.len() >= 5);
    for (i, game) in games.iter().enumerate() {
        let teams = if i % 2 == 0 { [1, 2] } else { [2, 1] };
        assert_eq!((game.teams, game.at), (teams, 3000));
        let winner = teams[game.winner];
        *won.get_mut(&winner).unwrap() += 1;
        let told = format!(
            "Game {{ id: {}, teams: {teams:?}, winner: {winner}, is_final: false, round: {:?} }}",
            game.id,
            teams.map(|team| won[&team])
        );
        assert!(scene.events.contains(&told), "{told}: {:?}", scene.events);
    }
    let told = format!("games: [{}, {}] }}", won[&1], won[&2]);
    assert!(
        scene.events.iter().any(|event| event.ends_with(&told)),
        "{told}"
    );
}

/// In the last hour games are also played against absent teams, which lose them.
#[test]
fn in_the_last_hour_the_absent_lose() {
    let mut scene = Scene::new(&[1, 2]);
    scene.join(1);
    scene.tick(OPEN);
    scene.play_until("Round");
    assert!(scene.has_event("Round { teams: [1, 2], winner: 1, is_final: false,"));
}

/// Only teams that are connected when the final begins take part in it.
#[test]
fn the_final_is_played_by_those_who_are_there() {
    let mut scene = Scene::new(&[1, 2, 3, 4, 5]);
    scene.join_all(&[1, 2, 3, 5]);
    scene.play_until("Round");
    scene.leave(2);
    scene.begin_the_final();
    scene.play_until("Champion");
    assert!(scene.lobby.is_over());
    // Three teams: a bye and a match, then the last match.
    assert_eq!(scene.count("Final"), 2);
    // The standings that seed it are told before it, and its own result at its end.
    let at = |start: &str| scene.events.iter().position(|one| one.starts_with(start));
    assert!(at("Standings").is_some() && at("Standings") < at("Final"));
    let first = &scene.events[at("Final").unwrap()];
    assert!(!first.contains('2') && !first.contains('4'), "{first}");
    let end = scene.lobby.snapshot(scene.now);
    assert_eq!(end.placing.first().copied(), end.champion);
    let placed: std::collections::BTreeSet<u64> = end.placing.into_iter().collect();
    assert!(placed.into_iter().eq([1, 3, 5]));
}

/// The final waits for two teams, and then a moment for further ones: the network may have failed for all.
#[test]
fn the_final_waits_for_two_teams() {
    let mut scene = Scene::new(&[1, 2, 3]);
    scene.tick(END);
    let wait = |scene: &mut Scene, wakes: u32| {
        for _ in 0..wakes {
            assert!(!scene.step());
            let wake = scene.lobby.wake();
            assert!(wake > scene.now, "a server without teams does not spin");
            scene.tick(wake);
        }
        assert!(!scene.lobby.is_over() && !scene.has_event("Final"));
    };
    wait(&mut scene, 5);
    scene.join(1);
    wait(&mut scene, 5);
    assert_eq!(scene.count("TooFew"), 1);
    scene.step();
    scene.join(2);
    scene.step();
    scene.join(3);
    assert!(!scene.has_event("Final"));
    scene.play_until("Champion");
    assert_eq!(scene.lobby.contest.stages()[0].seeds(), [1, 2, 3]);
}

#[test]
fn who_leaves_in_the_final_loses() {
    let mut scene = Scene::playing(&[1, 2], |_| ());
    scene.begin_the_final();
    scene.play_until("Final");
    scene.leave(1);
    scene.play_until("Champion");
    let last = scene.events.last();
    assert!(scene.has_event("Champion { team: 2,"), "{last:?}");
}

/// A client whose program hangs is disconnected, so that its team does not lose every game.
#[test]
fn who_is_silent_for_whole_games_is_disconnected() {
    let mut scene = Scene::playing(&[1, 2], |_| ());
    scene.play_until("Game");
    let silent = scene.clients.remove(&2);
    scene.play_until("Left { team: 2 }");
    assert_eq!(scene.games().len(), 1 + SILENT as usize);
    assert!(silent.is_some_and(|(outbox, _)| outbox.strong_count() == 1));
    scene.step();
    assert!(scene.lobby.games.is_empty());
}

/// The end of a connection that a newer one has replaced does not make the team absent.
#[test]
fn an_old_connection_is_not_listened_to() {
    let mut scene = Scene::new(&[1, 2]);
    scene.join(1);
    let (old, _inbox) = scene.clients.remove(&1).unwrap();
    scene.join(1);
    let link = old.downgrade();
    scene.handle(ConnectionEvent::Left { team: 1, link });
    assert!(scene.lobby.online.contains_key(&1));
}

/// When a newer connection of a team has replaced an older one, neither right nor wrong answers of the older
/// one count.
#[test]
fn an_old_connection_cannot_move() {
    let mut scene = Scene::new(&[1, 2]);
    scene.join_all(&[2, 1]);
    scene.match_up();
    // Team 1 leads.
    let request = scene.request(1);
    let (old, _inbox) = scene.clients.remove(&1).unwrap();
    scene.join(1);
    let before = scene.lobby.games[&3].game.game().clone();
    let right = answer(&request);
    let mut send = |input| {
        scene.handle(received(1, &old, input, Instant::now()));
        let game = &scene.lobby.games[&3].game;
        (game.game().clone(), game.asked())
    };
    assert_eq!(send(Ok(right.clone())), (before.clone(), Some(0)));
    let wrong = Err("no message".to_owned());
    assert_eq!(send(wrong), (before.clone(), Some(0)));
    // The new connection can move.
    let (new, _) = &scene.clients[&1];
    let answer = received(1, new, Ok(right), Instant::now());
    scene.handle(answer);
    assert_ne!(*scene.lobby.games[&3].game.game(), before);
}

/// A wrong message gets an error at once, also outside a game. A message of an unknown type gets none.
#[test]
fn a_wrong_message_outside_a_game_gets_an_error() {
    let mut scene = Scene::new(&[1, 2]);
    scene.join(1);
    let answer = Incoming::Move {
        request_id: 7,
        response: serde_json::Value::Null,
    };
    let not_open = "found an answer to request 7, which is not open";
    for (input, expected) in [
        (Ok(Incoming::Unknown), None),
        (Ok(answer), Some(not_open)),
        (Err("noise".to_owned()), Some("noise")),
    ] {
        let message = received(1, &scene.clients[&1].0, input, Instant::now());
        scene.handle(message);
        let told = scene.sent(1).into_iter().map(|told| match told.message {
            ServerMessage::Result(report) => report.result,
            other => panic!("{other:?}"),
        });
        let reason = expected.map(str::to_owned);
        let errors = reason.map(|reason| WireEvent::Error { reason });
        assert!(told.eq(errors));
    }
}

/// A restarted server goes on in the phase that it was in, with the time that was left. In the last hour it
/// waits a while for teams to come back before absent ones lose.
#[test]
fn a_restarted_contest_goes_on_in_its_phase() {
    let teams = [1, 2];
    let mut scene = Scene::playing(&teams, |_| ());
    scene.tick(OPEN - Duration::from_secs(10));
    scene.play_until("Game");
    let mut scene = scene.restart(&teams);
    scene.step();
    assert_eq!(scene.lobby.snapshot(Duration::ZERO).ends_in, Some(10.0));
    scene.join(1);
    scene.tick(Duration::from_secs(10));
    assert!(scene.has_event("LastHour"));
    scene.step();
    let is_idle = scene.lobby.games.is_empty();
    assert!(is_idle, "team 2 is given time to come back");
    scene.tick(REGROUP);
    scene.play_until("Game");
    let told = scene.has_event("Game { id: 6, teams: [2, 1], winner: 1,");
    assert!(told, "{:?}", scene.events);
}

/// The time of a contest goes on while nobody plays, and a restarted server knows it.
#[test]
fn a_restarted_contest_knows_the_time_without_games() {
    let teams = [1, 2];
    let mut scene = Scene::with(&teams, |settings| settings.report = Duration::from_secs(20));
    for second in [20, 40, 60] {
        scene.tick(Duration::from_secs(second));
    }
    let mut scene = scene.restart(&teams);
    scene.step();
    assert_eq!(scene.lobby.snapshot(Duration::ZERO).ends_in, Some(40.0));
    assert!(scene.lobby.journal.void().is_empty());
}

/// A team that is absent after a restart in the last hour has no games to catch up on: the others meet it no
/// more often than they meet each other.
#[test]
fn who_does_not_come_back_is_met_no_more_than_others() {
    let teams = [1, 2, 3];
    let mut scene = Scene::new(&teams);
    scene.join_all(&[1, 2]);
    scene.tick(OPEN - Duration::from_secs(10));
    scene.play_until("Round");
    let before = scene.games().len();
    let mut scene = scene.restart(&teams);
    scene.tick(Duration::from_secs(10));
    assert!(scene.has_event("LastHour"));
    scene.join_all(&[1, 2]);
    scene.tick(REGROUP);
    scene.play_while(|scene| scene.count("Game") < 12);
    let mut met: BTreeMap<Pair, usize> = BTreeMap::new();
    for game in &scene.games()[before..] {
        *met.entry(pair(game.teams[0], game.teams[1])).or_default() += 1;
    }
    let even = [([1, 2], 4), ([1, 3], 4), ([2, 3], 4)];
    assert_eq!(met, BTreeMap::from(even));
}

/// The games of a match, and the stages, are some time apart, so that an audience can follow.
#[test]
fn the_final_has_pauses() {
    const PAUSE: Duration = Duration::from_secs(7);
    let mut scene = Scene::playing(&[1, 2, 3], |settings| settings.final_pause = PAUSE);
    scene.play_until("Round");
    scene.begin_the_final();
    scene.play_until("Final");
    let mut ends = vec![END];
    while !scene.has_event("Champion") {
        let games = scene.count("Game");
        scene.play_while(|scene| scene.count("Game") == games && !scene.has_event("Champion"));
        if scene.count("Game") > games {
            ends.push(scene.now);
        }
    }
    assert!(ends.len() > 10, "two matches");
    let is_paused = ends.windows(2).all(|two| two[1] - two[0] == PAUSE);
    assert!(is_paused, "{ends:?}");
    let snapshot = scene.lobby.snapshot(scene.now);
    // The last one has the champion alone.
    assert_eq!(snapshot.stages.len(), 3);
    let first = &snapshot.stages[0];
    assert_eq!((first.matches.len(), first.bye), (1, Some(first.seeds[0])));
    let played = &snapshot.stages[1].matches[0];
    assert_eq!(played.winner, snapshot.champion);
    assert!(played.games.iter().max() >= Some(&5));
    let met: u64 = snapshot.head_to_head.iter().flat_map(|one| one.wins).sum();
    let finals = scene.games().iter().filter(|game| game.is_final).count();
    // The final is no part of it.
    assert_eq!(met, snapshot.games - finals as u64);
}

#[test]
fn a_restarted_final_goes_on_with_its_matches() {
    let teams = [1, 2, 3, 4];
    let mut scene = Scene::at_the_final(&teams);
    let open = |scene: &Scene| {
        let bracket = scene.lobby.contest.bracket();
        bracket.map(|stage| stage.open().count())
    };
    scene.play_while(|scene| open(scene) != Some(1));
    let rounds =
        |scene: &Scene| [1, 2, 3].map(|team| scene.lobby.contest.round(pair(team, team + 1)));
    let before = rounds(&scene);

    let mut scene = restart_the_final(scene, &teams);
    assert_eq!(rounds(&scene), before);
    scene.join_all(&teams);
    scene.play_until("Champion");
    let champion = scene.lobby.contest.bracket().unwrap().champion();
    let end = scene.lobby.snapshot(scene.now);
    assert_eq!((end.phase, end.champion), (Phase::Over, champion));
    assert!(end.teams.iter().all(|team| !team.online));
    let mut scene = scene.restart(&teams);
    scene.step();
    assert!(scene.lobby.is_over());
    assert_eq!(scene.lobby.snapshot(Duration::ZERO).champion, champion);
}

/// Restarts a server in the final, which goes on with the same bracket.
fn restart_the_final(scene: Scene, teams: &[u64]) -> Scene {
    let bracket = scene.lobby.contest.bracket().cloned();
    let mut scene = scene.restart(teams);
    assert_eq!(scene.lobby.contest.bracket().cloned(), bracket);
    assert!(!scene.step());
    assert_eq!(scene.lobby.phase, Phase::Final);
    scene
}

/// A server that is killed in the first stage, before any game of the contest has ended, goes on with this stage.
#[test]
fn a_restarted_final_keeps_a_stage_without_a_finished_game() {
    let teams = [1, 2, 3, 4];
    let mut scene = Scene::new(&teams);
    scene.tick(END);
    scene.join_all(&teams);
    scene.play_while(|scene| scene.lobby.contest.bracket().is_none());
    assert_eq!(scene.games(), []);
    let seeds = scene.lobby.contest.bracket().unwrap().seeds().to_vec();

    let mut scene = restart_the_final(scene, &teams);
    scene.join_all(&teams);
    scene.play_until("Champion");
    let stages = scene.lobby.contest.stages();
    // The champion alone is in the last one.
    let sizes: Vec<usize> = stages.iter().map(|stage| stage.seeds().len()).collect();
    assert_eq!(sizes, [4, 2, 1]);
    assert_eq!(stages[0].seeds(), seeds);
    assert!(scene.games().iter().all(|game| game.is_final));
}

/// Teams that are taken out of the teams' file during the final, one or both of a match, hold up nobody.
#[test]
fn a_removed_team_forfeits_its_match() {
    let teams = [1, 2, 3, 4];
    let mut scene = Scene::at_the_final(&teams);
    scene.play_until("Final");
    let open: Vec<Pair> = scene.lobby.contest.bracket().unwrap().open().collect();
    let [removed, other] = open[0];
    for left in [vec![other, open[1][0], open[1][1]], vec![open[1][0]]] {
        scene = scene.restart(&left);
        scene.join_all(&left);
        let forfeit = format!("Forfeit {{ team: {removed}, winner: {other} }}");
        scene.play_while(|scene| !scene.has_event(&forfeit));
    }
    scene.play_until("Champion");
    let champion = format!("Champion {{ team: {}", open[1][0]);
    assert!(scene.has_event(&champion), "{:?}", scene.events.last());
}

/// A request that follows from the end of a connection does not follow from the message before it.
#[test]
fn who_leaves_has_sent_no_message() {
    let mut scene = Scene::playing(&[1, 2, 3, 4], |settings| settings.absent_at_once = true);
    // Everybody who is asked answers; the last answer leads to the request of its game.
    assert!(scene.step());
    let game = &scene.lobby.games.values().next().unwrap().game;
    let asked = game.asked().unwrap();
    let [leaves, stays] = [asked, 1 - asked].map(|seat| game.teams()[seat]);
    let sent = |scene: &mut Scene, team| {
        let sent = scene.sent(team).into_iter();
        let is_request = |one: &Outgoing| matches!(one.message, ServerMessage::Request(_));
        let causes = sent.filter(is_request).map(|one| one.cause.is_some());
        causes.collect::<Vec<bool>>()
    };
    assert_eq!(sent(&mut scene, leaves), [true]);
    scene.leave(leaves);
    assert_eq!(sent(&mut scene, stays), [false]);
}

#[test]
fn the_absent_can_be_penalized_at_once() {
    let mut scene = Scene::playing(&[1, 2], |settings| settings.absent_at_once = true);
    scene.step();
    scene.leave(2);
    scene.play_until("Game");
    assert_eq!(scene.now, Duration::ZERO, "no clock runs out");
    let reason = "the client is not connected".to_owned();
    let what = Moved::IllegalMove { reason };
    let game = &scene.games()[0];
    let offender = game.teams.iter().position(|&team| team == 2).unwrap();
    assert_eq!(game.winner, 1 - offender);
    assert!(game.entries.contains(&Entry::PlayerMove {
        moving_player: offender,
        what
    }));
}

/// How often each rank occurs in the first `hands` deals of these games; a deal gives both players a hand.
fn dealt(games: &[GameLine], hands: usize) -> [u8; 14] {
    let mut counts = [0; 14];
    let entries = games.iter().flat_map(|game| &game.entries);
    let new = entries.filter_map(|entry| match entry {
        Entry::NewHand {
            player0_hand,
            player1_hand,
            ..
        } => Some([player0_hand, player1_hand]),
        _ => None,
    });
    for &card in new.take(hands).flatten().flatten() {
        counts[usize::from(card)] += 1;
    }
    counts
}

#[test]
fn a_deck_can_be_kept_for_the_next_game() {
    // A deck lasts for ten hands, and has eight cards of each rank. Clients that never challenge may play
    // more than ten hands a game, so the goal is lowered to make games short.
    let is_one_deck = |keep: fn(&mut ContestSettings)| {
        let mut scene = Scene::playing(&[1, 2], keep);
        scene.lobby.settings.conduct.options.goal = 2;
        scene.play_until("Round");
        dealt(&scene.games(), 10).into_iter().max() <= Some(8)
    };
    assert!(is_one_deck(|settings| settings.keep_decks = true));
    assert!(!is_one_deck(|_| ()));
}

/// A deck is kept for a round, and the final drops the undecided rounds of open play.
#[test]
fn the_final_begins_with_a_fresh_deck() {
    let mut scene = Scene::playing(&[1, 2], |settings| settings.keep_decks = true);
    scene.play_until("Game");
    let hands = |scene: &Scene| {
        let live = scene.lobby.games.values().next();
        let mut deck = live.and_then(|live| live.game.deck().cloned()).unwrap();
        std::iter::from_fn(|| deck.deal()).count()
    };
    scene.step();
    assert_ne!(hands(&scene), 9, "goes on with the deck of the first game");
    scene.tick(END);
    scene.play_while(|scene| !scene.has_event("Final") || scene.lobby.games.is_empty());
    assert_eq!(hands(&scene), 9);
}

#[test]
fn a_snapshot_shows_games_without_cards() {
    let mut scene = Scene::playing(&[1, 2], |_| ());
    scene.step();
    scene.lobby.overhead().add(Duration::from_millis(3));
    let snapshot = scene.lobby.snapshot(Duration::ZERO);
    assert_eq!(snapshot.overhead.moves, 1);
    assert_eq!(
        (snapshot.phase, snapshot.ends_in),
        (Phase::Open, Some(100.0))
    );
    assert_eq!(snapshot.live[0].teams, [1, 2]);
    assert!(snapshot.teams.iter().all(|team| team.online));
    let text = serde_json::to_string(&snapshot).unwrap();
    assert!(!text.contains("card") && !text.contains("cards"), "{text}");
}

/// The journal cannot grow any more, as on a full disk. No client hears the end of a game that the journal
/// does not have.
#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_is_told_nobody() {
    use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
    use std::os::fd::AsRawFd;

    let memory = memfd_create("journal", MemfdFlags::ALLOW_SEALING | MemfdFlags::CLOEXEC).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let there = format!("/proc/self/fd/{}", memory.as_raw_fd());
    std::os::unix::fs::symlink(there, folder.path().join("games.jsonl")).unwrap();
    let settings = Scene::new(&[]).lobby.settings;
    let mut scene = Scene::open(&[1, 2], settings, folder);
    scene.join_all(&[1, 2]);
    scene.match_up();
    fcntl_add_seals(&memory, SealFlags::GROW).unwrap();
    let mut heard = Vec::new();
    let failed = loop {
        let mut answered = Ok(());
        for team in [1, 2] {
            for outgoing in scene.sent(team) {
                heard.push(format!("{:?}", outgoing.message));
                let ServerMessage::Request(request) = outgoing.message else {
                    continue;
                };
                let outbox = &scene.clients[&team].0;
                let event = received(team, outbox, Ok(answer(&request)), Instant::now());
                answered = answered.and(scene.lobby.handle(event, scene.now, &mut |_| ()));
            }
        }
        if let Err(error) = answered {
            break error.to_string();
        }
    };
    assert!(failed.starts_with("cannot write "), "{failed}");
    for outgoing in [1, 2].into_iter().flat_map(|team| scene.sent(team)) {
        heard.push(format!("{:?}", outgoing.message));
    }
    let ends = heard.iter().filter(|message| message.contains("GameWon"));
    assert_eq!(ends.count(), 0, "{heard:?}");
    assert_eq!(scene.games(), []);
}

/// A disk that stalls costs no player time: not the one that has answered meanwhile, nor the ones that are asked
/// after it.
#[test]
fn a_slow_disk_costs_no_time() {
    const SECOND: Duration = Duration::from_secs(1);
    let mut scene = Scene::playing(&[1, 2], |_| ());
    // The line of the game's beginning takes until the third second.
    let times = std::cell::Cell::new(Duration::ZERO);
    let clock = || times.replace(times.get() + 3 * SECOND);
    scene.lobby.match_up(clock, &mut |_| ()).unwrap();
    let deadline = |lobby: &Lobby| lobby.games[&3].game.deadline();
    let begun = deadline(&scene.lobby).unwrap();
    assert!(begun > 2 * SECOND, "2 s from the request: {begun:?}");
    // Team 1 leads.
    let request = scene.request(1);
    // In time, but the lobby gets to it long after the deadline.
    let at = scene.lobby.begin + begun - SECOND;
    let answer = received(1, &scene.clients[&1].0, Ok(answer(&request)), at);
    let (events, mut inbox) = unbounded_channel();
    assert!(events.send(answer).is_ok());
    let late = begun + 5 * SECOND;
    scene.lobby.tick(&mut inbox, || late, &mut |_| ()).unwrap();
    let game = &scene.lobby.games[&3].game;
    let hand = game.game().hand().unwrap().public();
    assert!(hand.table.is_some(), "no fault: the card lies on the table");
    assert_eq!(game.asked(), Some(1));
    assert_eq!(game.deadline(), Some(late + 2 * SECOND));
}
