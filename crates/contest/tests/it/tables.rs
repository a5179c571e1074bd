//! Starts a `contest play`, and makes the requests to it that a browser makes. The tests of tables use it.

use super::programs::{CONTEST, Command, Process};
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;

/// A running `contest play`.
pub struct Server {
    child: Process,
    pub port: u16,
    /// The path of the page on which tables are set up.
    pub host: String,
    /// The folder of its tables.
    pub folder: PathBuf,
    args: Vec<String>,
    /// The folder that this one is in, if it is the server's own.
    place: Option<TempDir>,
}

impl Server {
    /// Starts a server with a folder of its own.
    pub fn new() -> Server {
        Server::new_with(&[])
    }

    /// The same with further arguments.
    pub fn new_with(args: &[&str]) -> Server {
        let place = tempfile::tempdir().unwrap();
        let mut server = Server::start_with(&place.path().join("tables"), args);
        server.place = Some(place);
        server
    }

    pub fn start(folder: &Path) -> Server {
        Server::start_with(folder, &[])
    }

    /// Starts a server with further arguments.
    pub fn start_with(folder: &Path, args: &[&str]) -> Server {
        let mut child = Command::new(CONTEST)
            .args(["play", "--no-open", "--tables"])
            .arg(folder)
            .args(args)
            // Folders of programs that a killed server leaves are removed with the test's own folder.
            .env("TMPDIR", folder.parent().unwrap())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut link = String::new();
        let mut told = BufReader::new(child.stdout.take().unwrap());
        told.read_line(&mut link).unwrap();
        let rest = link.trim().strip_prefix("http://127.0.0.1:").unwrap();
        let (port, path) = rest.split_once('/').unwrap();
        Server {
            child,
            port: port.parse().unwrap(),
            host: format!("/{path}"),
            folder: folder.to_owned(),
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            place: None,
        }
    }

    /// Sends a request with these further headers; returns the status and the body.
    pub fn raw(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        // A request for news may take some seconds. The limit only ends a test whose server hangs.
        let patience = std::time::Duration::from_secs(120);
        stream.set_read_timeout(Some(patience)).unwrap();
        let host = match headers.contains("Host:") {
            true => String::new(),
            false => format!("Host: 127.0.0.1:{}\r\n", self.port),
        };
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    /// The status and the JSON of the answer to a request.
    pub fn get(&self, path: &str) -> (u16, Value) {
        let (status, body) = self.raw("GET", path, "", "");
        (status, parsed(body))
    }

    /// The same for a request with a JSON body.
    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let json = "Content-Type: application/json\r\n";
        let (status, body) = self.raw("POST", path, json, &body.to_string());
        (status, parsed(body))
    }

    /// The JSON of an answer that is there.
    #[track_caller]
    pub fn got(&self, path: &str) -> Value {
        granted(self.get(path))
    }

    /// The same for a request with a JSON body.
    #[track_caller]
    pub fn posted(&self, path: &str, body: &Value) -> Value {
        granted(self.post(path, body))
    }

    /// The text of a page or a file that is there.
    #[track_caller]
    pub fn text(&self, path: &str) -> String {
        granted(self.raw("GET", path, "", ""))
    }

    /// Sets up a table of a game; returns its links. For the seats see [`seats`].
    pub fn set_up(&self, game: &str, who: &str, freely: bool) -> Value {
        self.set_up_on(game, who, freely, &json!({}))
    }

    /// The same on further terms.
    pub fn set_up_on(&self, game: &str, who: &str, freely: bool, terms: &Value) -> Value {
        let mut wish = json!({ "game": game, "seats": seats(who), "freely": freely });
        for (name, value) in terms.as_object().unwrap() {
            wish[name] = value.clone();
        }
        self.posted(&format!("{}/tables", self.host), &wish)
    }

    /// Why a table's player has not decided. Only the host's page shows this.
    pub fn stuck(&self, link: &str) -> String {
        let (_, tables) = self.get(&format!("{}/tables", self.host));
        let own = |table: &&Value| table["links"].to_string().contains(link);
        let table = tables.as_array().unwrap().iter().find(own).unwrap();
        table["stuck"].as_str().unwrap().to_owned()
    }

    /// The state of the table, as the seat of this link may see it.
    pub fn state(&self, link: &str) -> Value {
        self.got(&format!("{link}/state"))
    }

    /// The state once the table has changed since `state`, or after some seconds.
    pub fn news(&self, link: &str, state: &Value) -> Value {
        let after = format!("after={}&news={}", state["version"], state["news"]);
        self.get(&format!("{link}/state?{after}")).1
    }

    /// The first state from now on that fulfils a condition.
    pub fn until(&self, link: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let mut state = self.state(link);
        while !is_so(&state) {
            state = self.news(link, &state);
        }
        state
    }

    /// The answer to a text that is to be opened as a game.
    pub fn open(&self, game: &str, text: &str) -> (u16, Value) {
        let body = json!({ "game": game, "text": text });
        self.post(&format!("{}/open", self.host), &body)
    }

    /// Opens a text as a game; returns the table's links.
    pub fn opened(&self, game: &str, text: &str) -> Value {
        let (status, table) = self.open(game, text);
        assert_eq!(status, 200, "{text}: {table}");
        table
    }

    /// Acts for the seat of this link, which must be to move.
    pub fn act(&self, link: &str, state: &Value, action: &str) -> (u16, Value) {
        let body = json!({ "version": state["version"], "action": action });
        self.post(&format!("{link}/act"), &body)
    }

    /// The same for an action that is taken; returns the state after it.
    #[track_caller]
    pub fn acted(&self, link: &str, state: &Value, action: &str) -> Value {
        granted(self.act(link, state, action))
    }

    /// Takes back for the seat of this link, which has been shown this state.
    pub fn back(&self, link: &str, state: &Value) -> (u16, Value) {
        let body = json!({ "version": state["version"] });
        self.post(&format!("{link}/back"), &body)
    }

    /// Resigns for the seat of this link.
    pub fn resign(&self, link: &str) -> (u16, Value) {
        self.post(&format!("{link}/resign"), &json!({}))
    }

    /// Ends the server as its host does, so that it first ends the programs that it has started.
    pub fn stop(mut self) {
        let id = self.child.id().to_string();
        let told = Command::new("kill").args(["-TERM", &id]).status();
        assert!(told.unwrap().success());
        self.child.wait().unwrap();
    }

    /// Kills the server as `kill -9` does, and starts another one with its folder and arguments.
    pub fn restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        let place = self.place.take();
        *self = Server::start_with(&self.folder, &args);
        self.place = place;
    }

    /// Kills the server as `kill -9` does.
    pub fn kill(self) {
        drop(self.child);
    }
}

/// The JSON in an answer, or its text.
fn parsed(body: String) -> Value {
    serde_json::from_str(&body).unwrap_or(Value::String(body))
}

/// The answer to a request that is granted.
#[track_caller]
fn granted<A: Display>((status, answer): (u16, A)) -> A {
    assert_eq!(status, 200, "{answer}");
    answer
}

/// Checks that a request was refused with this status, and a reason that contains this text.
#[track_caller]
pub fn refused((status, answer): (u16, Value), expected: u16, part: &str) {
    let told = answer["error"].as_str().unwrap_or_default();
    assert!(
        status == expected && told.contains(part),
        "{part}: {status} {answer}"
    );
}

/// The seats that these words ask for, as in `Ann, @bot, 0`: people by their names, programs, levels of built-in players.
pub fn seats(who: &str) -> Value {
    let seat = |one: &str| match (one.strip_prefix('@'), one.parse::<usize>()) {
        (Some(program), _) => json!({ "program": program }),
        (None, Ok(level)) => json!({ "player": level }),
        (None, Err(_)) => json!({ "person": one }),
    };
    who.split(", ").map(seat).collect()
}

/// The link of a seat.
pub fn link(table: &Value, seat: usize) -> String {
    table["links"][seat].as_str().unwrap().to_owned()
}

/// The links of all seats.
pub fn links<const SEATS: usize>(table: &Value) -> [String; SEATS] {
    std::array::from_fn(|seat| link(table, seat))
}
