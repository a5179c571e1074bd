//! Tables that an earlier program has stored, one file each in `tests/data/tables`: they must go on just as they
//! were, with the same cards in every hand, pile and deal.

use super::golden;
use super::tables::Server;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Parts of a state that change with the process, not with the game.
const PASSING: [&str; 4] = ["version", "news", "came", "clocks"];

/// Entries of a log that are compared; the record has the whole game.
const SHOWN: usize = 25;

/// A state without its passing parts, and with the end of its log alone.
fn lasting(mut state: Value) -> Value {
    for part in PASSING {
        state[part] = Value::Null;
    }
    if let Some(log) = state["game"]["log"].as_array_mut() {
        let earlier = log.len().saturating_sub(SHOWN);
        log.drain(..earlier);
    }
    state
}

/// The links of a stored table: of its people, then of its onlookers.
fn links(id: &str, setup: &Value) -> Vec<String> {
    let seats = setup["seats"].as_array().unwrap().iter();
    let people = seats.filter_map(|seat| seat["person"]["secret"].as_str());
    let secrets = people.chain(setup["onlookers"].as_str());
    secrets
        .map(|secret| format!("/table/{id}/{secret}"))
        .collect()
}

/// The folder with the stored tables.
fn stored() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tables")
}

/// A table's id is the name of its file, which may have characters that mean something in an address.
#[test]
fn a_table_of_any_name_has_links_that_work() {
    let folder = tempfile::tempdir().unwrap();
    let id = "a#b?c%2f\u{e4} d";
    let file = folder.path().join(format!("{id}.jsonl"));
    fs::copy(stored().join("cartagena.jsonl"), file).unwrap();
    let server = Server::start(folder.path());
    let (_, tables) = server.get(&format!("{}/tables", server.host));
    assert_eq!(tables[0]["id"], id);
    let onlookers = tables[0]["onlookers"].as_str().unwrap();
    let own = tables[0]["links"].as_array().unwrap().iter();
    for link in own.filter_map(Value::as_str).chain([onlookers]) {
        assert!(server.state(link)["game"].is_object(), "{link}");
        server.text(link);
    }
}

#[test]
fn stored_tables_go_on_as_they_were() {
    let stored = stored();
    let folder = tempfile::tempdir().unwrap();
    let mut tables = Vec::new();
    for entry in fs::read_dir(stored).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            let id = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap();
            fs::write(folder.path().join(path.file_name().unwrap()), &text).unwrap();
            let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
            tables.push((id, first["table"].clone()));
        }
    }
    assert!(tables.len() > 10, "{} stored tables", tables.len());
    let server = Server::start(folder.path());
    for (id, setup) in tables {
        let mut now = String::new();
        for link in links(&id, &setup) {
            let state = lasting(server.state(&link));
            // A player that is due acts at once, and the state changes. So a person must be due in every stored table.
            let is_due = state["people"][state["to_move"].as_u64().unwrap_or(0) as usize] == true;
            assert!(is_due || state["over"] == true, "{id}: a player is due");
            writeln!(now, "{state}").unwrap();
        }
        let link = &links(&id, &setup)[0];
        let (status, record) = server.get(&format!("{link}/record"));
        let record = json!({ "status": status, "record": record });
        writeln!(now, "{record}").unwrap();
        golden::check(&format!("tables/{id}.golden"), &now);
    }
}
