//! Tests of external programs of the card games at tables: they sit down, are asked in the protocol of their
//! contest, may fail, and have ended when the game is over.

use super::programs::{Command, install, program, says, scratch, until};
use super::tables::{Server, link, seats};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A script that notes its process id and then becomes the program. `{seed}` in the call becomes a number
/// that differs at every start.
fn noted(folder: &Path, name: &str, call: &str) -> (String, PathBuf) {
    let (path, pids) = (
        folder.join(name).join("runme"),
        folder.join(format!("{name}.pids")),
    );
    let call = call.replace("{seed}", &format!("$(wc -l < {})", pids.display()));
    install(
        format!("#!/bin/sh\necho $$ >> {}\nexec {call}\n", pids.display()),
        &path,
    );
    (path.display().to_string(), pids)
}

fn pids(file: &Path) -> Vec<u32> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

fn runs(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // A zombie (state Z) has ended, though nobody has waited for it yet.
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// The folders of programs in a folder for temporary files.
fn left(temporary: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(temporary).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let named = |path: &PathBuf| path.to_str().unwrap().contains("/contest-");
    let mut left: Vec<PathBuf> = paths.filter(named).collect();
    left.sort();
    left
}

fn act_first(server: &Server, link: &str, state: &Value) -> Value {
    let legal = state["game"]["legal"].as_array().unwrap();
    let number = state["actions"].as_u64().unwrap() as usize % legal.len();
    let action = legal[number]
        .as_str()
        .or_else(|| legal[number]["action"].as_str())
        .unwrap();
    server.acted(link, state, action)
}

/// Waits until it is the turn of the seat with this link, or the game is over.
fn due(server: &Server, link: &str) -> Value {
    server.until(link, |state| {
        assert!(state["stuck"].is_null(), "{}", state["stuck"]);
        state["to_move"] == state["seat"] || state["over"] == true
    })
}

/// Plays a game of Ann against programs to its end. Ann takes back now and then, and the server is killed
/// once. Checks that afterwards no program runs and no folder of one is left, but for those that the kill left and whose
/// locks were still held when the next server looked. Returns how many programs were started.
fn a_game_with_programs(game: &str, call: &str, seats: &str) -> usize {
    let (folder, tables) = scratch("tables");
    let (path, pids_of) = noted(folder.path(), "bot", call);
    let named = format!("{game}:bot={path}");
    let args = ["--isolate", "none", "--time", "60", "--program", &named];
    let mut server = Server::start_with(&tables, &args);
    let ann = link(&server.set_up(game, seats, true), 0);
    let mut state = due(&server, &ann);
    assert_eq!(state["names"][1], "bot");
    let mut turns = 0;
    let mut of_killed = Vec::new();
    while state["over"] == false {
        turns += 1;
        act_first(&server, &ann, &state);
        state = due(&server, &ann);
        if matches!(turns, 7 | 30) && state["can_take_back"] == true {
            assert_eq!(server.back(&ann, &state).0, 200);
            state = due(&server, &ann);
        }
        if turns == 4 {
            let before = state["game"].clone();
            server.kill();
            of_killed = left(folder.path());
            assert!(of_killed.iter().all(|one| one.join("in-use").is_file()));
            // Clients of the challenge game keep looking for their server, and the killed server cannot end
            // them.
            for pid in pids(&pids_of)
                .into_iter()
                .filter(|&pid| game == "challenge" && runs(pid))
            {
                // `kill` may fail, if the process has ended meanwhile.
                let mut kill = Command::new("kill");
                kill.args(["-9", &pid.to_string()]).output().unwrap();
            }
            server = Server::start_with(&tables, &args);
            state = due(&server, &ann);
            assert_eq!(state["game"], before);
        }
    }
    assert!(state["game"]["winner"].is_u64(), "{state}");
    let started = pids(&pids_of);
    // The server gives programs time to end by themselves, and does not wait for them.
    until("all programs have ended", || {
        !started.iter().any(|&pid| runs(pid))
    });
    server.stop();
    let left = left(folder.path());
    assert!(left.iter().all(|one| of_killed.contains(one)), "{left:?}");
    started.len()
}

#[test]
fn programs_of_tricky_eights_play_to_the_end() {
    let call = format!("{} --nodes 1", program("eights").display());
    let started = a_game_with_programs("eights", &call, "Ann, @bot, 0, 0");
    // A program is started at the beginning, after the kill, and after taking back if that is possible then.
    assert!((2..=5).contains(&started), "started {started} times");
}

#[test]
fn programs_of_hearts_play_to_the_end() {
    let call = format!("{} --nodes 1 \"$@\"", program("hearts").display());
    let started = a_game_with_programs("hearts", &call, "Ann, @bot, 0");
    // A program that is restarted in a later round must be led through the game from its beginning once more.
    assert!((2..=7).contains(&started), "started {started} times");
}

#[test]
fn programs_of_the_challenge_game_play_to_the_end() {
    let call = format!(
        "{} --player need --seed 1 \"$@\"",
        program("challenge").display()
    );
    let started = a_game_with_programs("challenge", &call, "Ann, @bot");
    assert!((1..=5).contains(&started), "started {started} times");
}

/// No message of Hearts says what a program has played itself. So a restarted program must choose the same
/// cards again; if it does not, it is stuck, the page says so, and going back to the beginning of the round
/// helps.
#[test]
fn a_program_that_does_not_play_the_same_again_is_told_of() {
    let (folder, tables) = scratch("tables");
    let call = format!(
        "{} --nodes 1 --seed {{seed}} \"$@\"",
        program("hearts").display()
    );
    let (path, _) = noted(folder.path(), "odd", &call);
    let named = format!("hearts:odd={path}");
    let args = ["--isolate", "none", "--time", "60", "--program", &named];
    let mut server = Server::start_with(&tables, &args);
    let ann = link(&server.set_up("hearts", "Ann, @odd, @odd, @odd", true), 0);
    let mut state = due(&server, &ann);
    let stuck = 'found: {
        for _ in 0..12 {
            act_first(&server, &ann, &state);
            state = server.until(&ann, |state| {
                state["to_move"] == state["seat"] || !state["stuck"].is_null()
            });
            if !state["stuck"].is_null() {
                // The page shows no reason, as it may name cards; only the host sees it.
                assert_eq!(state["stuck"]["id"], "stuck-hidden");
                break 'found server.stuck(&ann);
            }
            server.restart();
            state = server.state(&ann);
        }
        panic!("it always played the same");
    };
    says(&stuck, "odd was restarted in the middle of a round");
    says(&stuck, "Hearts has no message");
    // At the beginning of the round there is nothing to repeat.
    while state["can_take_back"] == true {
        state = server.back(&ann, &state).1;
    }
    let state = due(&server, &ann);
    assert!(state["stuck"].is_null(), "{state}");
}

/// Faults are reported as in a match, and the program may try again. Meanwhile none of its processes is left.
#[test]
fn programs_that_fail_are_told_of() {
    let (folder, tables) = scratch("tables");
    let (mute, mute_pids) = noted(folder.path(), "mute", "sleep 1000");
    let (liar, liar_pids) = noted(
        folder.path(),
        "liar",
        "sh -c 'while read line; do echo zz; done'",
    );
    let (shut, _) = noted(folder.path(), "shut", "sh -c 'echo goodbye >&2; exit 3'");
    let serve = |folder: &str, seconds: &str, programs: &[String]| {
        let mut args = vec!["--isolate", "none", "--time", seconds];
        args.extend(programs.iter().flat_map(|one| ["--program", one]));
        Server::start_with(&tables.join(folder), &args)
    };
    let mute = [format!("eights:mute={mute}"), format!("hearts:mute={mute}")];
    let hasty = serve("hasty", "0.05", &mute);
    // On a busy machine a program may need much longer than that before it says what it has to say.
    let others = [
        format!("eights:liar={liar}"),
        format!("challenge:shut={shut}"),
        "challenge:doge=builtin:doge".to_owned(),
        "hearts:me=search,nodes=5".to_owned(),
    ];
    let patient = serve("patient", "60", &others);
    for (server, game, label, programs, expected) in [
        (&hasty, "eights", "mute", 3, "no answer within 0.05 s"),
        (
            &hasty,
            "hearts",
            "mute",
            2,
            "did not open its pipes within 0.05 s",
        ),
        (&patient, "eights", "liar", 3, "zz"),
        (
            &patient,
            "challenge",
            "shut",
            1,
            "shut has ended: exit status: 3",
        ),
    ] {
        let seats = format!("Ann{}", format!(", @{label}").repeat(programs));
        let ann = link(&server.set_up(game, &seats, true), 0);
        let mut state = server.state(&ann);
        while state["stuck"].is_null() {
            if state["to_move"] == state["seat"] {
                act_first(server, &ann, &state);
            }
            state = server.news(&ann, &state);
        }
        assert_eq!(state["stuck"]["id"], "stuck-hidden");
        let told = server.stuck(&ann);
        assert!(told.contains(expected), "{game}: {told}");
        let first = state["version"].clone();
        assert_eq!(server.post(&format!("{ann}/retry"), &json!({})).0, 200);
        let state = server.until(&ann, |state| {
            state["version"] != first && !state["stuck"].is_null()
        });
        assert_eq!(state["actions"], server.state(&ann)["actions"]);
    }
    for pid in [pids(&mute_pids), pids(&liar_pids)].concat() {
        until("a program has ended", || !runs(pid));
    }
    // Built-in players can sit down by their names, too.
    for (game, seats) in [("challenge", "@doge, @doge"), ("hearts", "@me, @me, @me")] {
        let table = patient.set_up(game, seats, true);
        let onlookers = table["onlookers"].as_str().unwrap();
        patient.until(onlookers, |state| {
            assert!(state["stuck"].is_null(), "{state}");
            state["over"] == true
        });
    }
    let wish = json!({ "game": "hearts", "seats": seats("@liar, 0, 0"), "freely": true });
    let (status, refused) = patient.post(&format!("{}/tables", patient.host), &wish);
    assert!(
        status == 400 && refused.to_string().contains("no program called liar"),
        "{refused}"
    );
}

/// Programs also play when they are confined.
#[test]
fn programs_play_that_are_kept_apart() {
    let (folder, tables) = scratch("tables");
    // Without solving endgames, for which the clock of this table leaves a minute.
    let quick = folder.path().join("quick");
    fs::create_dir(&quick).unwrap();
    let copy = Command::new("cp")
        .arg(program("challenge"))
        .arg(&quick)
        .status();
    assert!(copy.unwrap().success());
    let script = "#!/bin/sh\nexec \"${0%/*}/challenge\" \"$@\" --player blueprint\n";
    super::programs::install(script, &quick.join("runme"));
    let named = [
        format!("eights:bot={} --nodes 1", program("eights").display()),
        format!("hearts:bot={} --nodes 1", program("hearts").display()),
        format!("challenge:bot={}", quick.display()),
    ];
    let mut args = vec!["--time", "60"];
    args.extend(named.iter().flat_map(|one| ["--program", one]));
    let server = Server::start_with(&tables, &args);
    for (game, seats) in [("eights", 4), ("hearts", 3), ("challenge", 2)] {
        let table = server.set_up(game, &vec!["@bot"; seats].join(", "), true);
        let onlookers = table["onlookers"].as_str().unwrap();
        server.until(onlookers, |state| {
            assert!(state["stuck"].is_null(), "{game}: {}", state["stuck"]);
            // Two rounds of cards; what follows is the same.
            state["over"] == true || state["actions"].as_u64().unwrap() >= 110
        });
    }
    // The server is stopped so that it ends its programs: a client of the challenge game would go on looking
    // for it, and the others play on.
    server.stop();
}
