//! Kills the contest's server or a client in the middle of a contest and starts it again: no finished game is
//! lost.

use super::programs::{CONTEST, Command, Process, program};
use contest::challenge::record::GameLine;
use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{ChildStdout, Stdio};

/// The files of a contest of two teams. Tokens identify the teams, so the system can choose all ports.
struct Contest {
    folder: tempfile::TempDir,
}

/// A running server of the contest.
struct Server {
    _process: Process,
    lines: Lines<BufReader<ChildStdout>>,
    /// The first line of its output: its port, and how many games there are so far.
    first: String,
    port: u16,
}

impl Contest {
    fn new() -> Contest {
        let contest = Contest {
            folder: tempfile::tempdir().unwrap(),
        };
        let team =
            |id| format!("[[team]]\nid = {id}\nname = \"team{id}\"\ntoken = \"secret{id}\"\n");
        fs::write(contest.folder.path().join("teams.toml"), team(1) + &team(2)).unwrap();
        contest
    }

    fn serve(&self) -> Server {
        let mut server = Command::new(CONTEST)
            .args(["challenge", "serve", "--teams", "teams.toml"])
            .args(["--state", "games.jsonl", "-v", "--bind", "127.0.0.1"])
            .args(["--port", "0", "--test-port", "0", "--web-port", "0"])
            .args(["--wait", "0", "--seed", "1"])
            .current_dir(self.folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let first = until(&mut lines, "port ");
        let port = first["port ".len()..].split(',').next().unwrap();
        Server {
            port: port.parse().unwrap(),
            first,
            _process: server,
            lines,
        }
    }

    fn client(&self, server: &Server, team: usize) -> Process {
        let client = Command::new(program("challenge"))
            .arg(format!("127.0.0.1:{}", server.port))
            .args(["--player", "need", "--wait", "0.01"])
            .args(["--token", &format!("secret{team}")])
            .stderr(Stdio::null())
            .spawn();
        client.unwrap()
    }

    /// How many games have begun, by the lines of the journal.
    fn begun(&self) -> usize {
        let text = fs::read_to_string(self.folder.path().join("games.jsonl")).unwrap();
        let lines = text.lines();
        lines.filter(|line| line.starts_with("{\"begun\"")).count()
    }

    fn games(&self) -> Vec<GameLine> {
        read(&self.folder.path().join("games.jsonl"))
    }
}

/// The games in a journal, without a last line that was cut off.
fn read(path: &Path) -> Vec<GameLine> {
    let text = fs::read_to_string(path).unwrap();
    let whole = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n') && line.starts_with("{\"id\""));
    whole
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Reads a server's output up to a line that begins with `start`; returns that line.
fn until(lines: &mut Lines<BufReader<ChildStdout>>, start: &str) -> String {
    lines
        .map(Result::unwrap)
        .find(|line| line.starts_with(start))
        .expect("the server has ended")
}

/// The names of the two teams of a game.
fn names(game: &GameLine) -> [String; 2] {
    game.teams.map(|team| format!("team{team}"))
}

fn number(line: &str) -> u64 {
    let (_, rest) = line.split_once("game ").unwrap();
    rest.split_once(':').unwrap().0.parse().unwrap()
}

#[test]
fn a_killed_server_loses_no_finished_game() {
    let contest = Contest::new();
    let mut server = contest.serve();
    let clients = [1, 2].map(|team| contest.client(&server, team));
    let announced: Vec<u64> = (0..5)
        .map(|_| number(&until(&mut server.lines, "game ")))
        .collect();
    drop((server, clients));
    let before = contest.games();
    // This is 0 if the server was killed exactly between two games.
    let under_way = contest.begun() - before.len();
    assert!(
        announced
            .iter()
            .all(|id| before.iter().any(|game| game.id == *id))
    );

    let mut server = contest.serve();
    let _clients = [1, 2].map(|team| contest.client(&server, team));
    let Server { lines, first, .. } = &mut server;
    assert!(
        first.ends_with(&format!("{} games so far", before.len())),
        "{first}"
    );
    let page = until(lines, "http://");
    for _ in 0..under_way {
        until(lines, "void: game ");
    }
    let address = page.trim_start_matches("http://").trim_end_matches('/');
    let path = format!("/api/games/{}", before[0].id);
    let (status, game) = crate::challenge_web::fetch(address.parse().unwrap(), &path);
    let game: serde_json::Value = serde_json::from_str(&game).unwrap();
    assert_eq!(
        (status, &game["players"]),
        (200, &serde_json::json!(names(&before[0])))
    );
    assert_eq!(game["entries"], serde_json::json!(before[0].entries));
    let next = number(&until(lines, "game "));
    drop(server);
    let after = contest.games();
    assert_eq!(after[..before.len()], before);
    assert!(before.iter().all(|game| game.id < next));
    assert!(after.iter().any(|game| game.id == next));
    assert!(
        after.is_sorted_by_key(|game| game.at),
        "the contest's time goes on"
    );
}

#[test]
fn a_killed_client_is_taken_back() {
    let contest = Contest::new();
    let mut server = contest.serve();
    let _other = contest.client(&server, 2);
    let client = contest.client(&server, 1);
    until(&mut server.lines, "game ");
    drop(client);
    until(&mut server.lines, "team1 has gone");
    let _client = contest.client(&server, 1);
    until(&mut server.lines, "team1 is here");
    let last = number(&until(&mut server.lines, "game "));
    let games = contest.games();
    // Numbers without gaps show that the game in which the client was killed ended as well.
    let ids: Vec<u64> = games.iter().map(|game| game.id).collect();
    assert!(ids.windows(2).all(|pair| pair[1] == pair[0] + 1), "{ids:?}");
    assert!(ids.contains(&last));
}
