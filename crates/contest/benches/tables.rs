//! Clicks at one table beside fifty others at which the strongest players think all the time.
//!
//!     cargo bench -p contest --bench tables
//!
//! prints how long the server takes to take an action and to answer with the table as it is then.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TABLES: usize = 50;
const CLICKS: usize = 1000;

/// The status and the body of an answer.
fn ask(port: u16, method: &str, path: &str, body: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap())
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_contest"))
        .args(["play", "--no-open", "--tables"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut link = String::new();
    BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut link)
        .unwrap();
    let rest = link.trim().strip_prefix("http://127.0.0.1:").unwrap();
    let (port, host) = rest.split_once('/').unwrap();
    let (port, host) = (port.parse().unwrap(), format!("/{host}"));
    let set_up = |seats: Value| {
        let wish = json!({ "game": "cartagena", "seats": seats, "freely": true });
        let (status, table) = ask(port, "POST", &format!("{host}/tables"), &wish.to_string());
        assert_eq!(status, 200, "{table}");
        table
    };
    let strongest = json!({ "player": 7 });
    let busy: Vec<String> = (0..TABLES)
        .map(|_| {
            set_up(json!([strongest, strongest]))["onlookers"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    let mut times: Vec<Duration> = Vec::new();
    'tables: loop {
        let table = set_up(json!([{ "person": "Ann" }, { "person": "Bob" }]));
        let links = [0, 1].map(|seat| table["links"][seat].as_str().unwrap().to_owned());
        loop {
            let (_, state) = ask(port, "GET", &format!("{}/state", links[0]), "");
            if state["over"] == true {
                break;
            }
            let mover = &links[state["to_move"].as_u64().unwrap() as usize];
            let (_, state) = ask(port, "GET", &format!("{mover}/state"), "");
            let gain =
                |action: &&Value| action["to"].as_i64().unwrap() - action["from"].as_i64().unwrap();
            let best = state["game"]["legal"]
                .as_array()
                .unwrap()
                .iter()
                .max_by_key(gain);
            let action = best.map_or(json!(""), |best| best["action"].clone());
            let act = json!({ "version": state["version"], "action": action });
            let start = Instant::now();
            let (status, _) = ask(port, "POST", &format!("{mover}/act"), &act.to_string());
            times.push(start.elapsed());
            assert_eq!(status, 200);
            if times.len() == CLICKS {
                break 'tables;
            }
        }
    }
    let under_way = busy
        .iter()
        .filter(|link| ask(port, "GET", &format!("{link}/state"), "").1["over"] == false)
        .count();
    server.kill().unwrap();
    server.wait().unwrap();
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{CLICKS} clicks beside {TABLES} tables, {under_way} of them under way at the end: median {:.1} ms, \
         95 % {:.1} ms, longest {:.1} ms",
        at(0.5),
        at(0.95),
        at(1.0)
    );
}
