//! Tests of `contest cartagena tournament` by its options: who plays whom, on which boards, the estimate and
//! messages before and while it plays, and the settings that its folder keeps.

use super::cartagena_tournament::{
    HEURISTICS, Place, assert_unique, contest, ids, message, rated, text, tournament,
};
use super::programs::{CONTEST, Command};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn settings(folder: &Path) -> Value {
    let text = fs::read(folder.join("tournament.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// The folder keeps how games are played as well as which ones, and a later call can change the former.
#[test]
fn going_on_keeps_threads_jobs_and_cores() {
    let place = Place::new();
    let folder = place.path("t");
    let out = ["--out", text(&folder)];
    let first = ["--games", "2", "--threads", "1", "--jobs", "3", "--pin"];
    let told = tournament(&[&HEURISTICS[..2], &first, &out].concat()).success();
    assert!(message(&told).contains("2 games to play, 3 at a time"));
    let told = tournament(&[&["--games", "4"], &out[..]].concat()).success();
    let told = message(&told);
    assert!(told.contains("2 games to play, 3 at a time"), "{told}");
    let kept = settings(&folder);
    assert_eq!(
        (&kept["threads"], &kept["jobs"], &kept["pin"]),
        (&1.into(), &3.into(), &true.into())
    );
    let told = tournament(&[&["--games", "6", "--jobs", "2", "--pin=false"], &out[..]].concat());
    let told = message(&told.success());
    assert!(told.contains("2 games to play, 2 at a time"), "{told}");
    let kept = settings(&folder);
    assert_eq!((&kept["jobs"], kept.get("pin")), (&2.into(), None));
    assert_eq!(ids(&folder).len(), 6);
}

/// Without a named seed, the seed is drawn at random, and the folder keeps it.
#[test]
fn a_seed_is_secret_unless_it_is_named() {
    let place = Place::new();
    let seed = |name: &str, args: &[&str]| {
        let folder = place.path(name);
        let args = [&HEURISTICS[..2], &["--out", text(&folder), "--games"], args].concat();
        let told = contest("tournament", &args).assert().success();
        let kept = settings(&folder)["seed"].as_u64().unwrap();
        let said = format!("\nseed {kept}\n");
        assert!(message(&told).contains(&said), "{}", message(&told));
        kept
    };
    assert_ne!(seed("a", &["2"]), seed("b", &["2"]));
    // A later call goes on with the seed that the folder keeps.
    assert_eq!(seed("a", &["4"]), settings(&place.path("a"))["seed"]);
    let file = place.path("seed");
    fs::write(&file, "77\n").unwrap();
    assert_eq!(seed("c", &["2", "--seed-file", text(&file)]), 77);
    fs::write(&file, "seven").unwrap();
    let folder = place.path("d");
    let refused = |more: &[&str]| {
        let args = [&HEURISTICS[..2], &["--out", text(&folder)], more].concat();
        message(&contest("tournament", &args).assert().code(2))
    };
    assert!(refused(&["--seed-file", text(&file)]).contains("expected a whole number up to"));
    // Shards with different seeds could not be joined.
    let told = refused(&["--shard", "1/2"]);
    assert!(told.contains("all shards need the same seed"), "{told}");
    assert!(!folder.exists());
}

#[test]
fn what_cannot_be_begun_is_told() {
    let place = Place::new();
    let folder = place.path("t");
    let refused = |programs: &[&str]| {
        let told = message(&tournament(&[programs, &["--out", text(&folder)]].concat()).code(2));
        assert!(!folder.exists(), "nothing half made");
        told
    };
    let told = refused(&["builtin:random", "random=builtin:greedy"]);
    let said = "two programs have the label random, builtin:random and builtin:greedy: give one another \
                label, as in other=builtin:greedy";
    assert!(told.contains(said), "{told}");
    let told = refused(&[]);
    assert!(told.contains("there is no tournament in "), "{told}");
    assert!(told.contains("name programs to begin one"), "{told}");
    let told = refused(&["builtin:random"]);
    assert!(
        told.contains("needs at least two programs, and there is 1"),
        "{told}"
    );
    let told = message(&contest("rate", &[text(&folder)]).assert().code(2));
    assert!(told.contains("there is no tournament in "), "{told}");
}

/// No contest accepts two labels that look alike: with such a label one program could pass for another.
#[test]
fn labels_that_look_alike_are_refused() {
    let place = Place::new();
    let folder = place.path("t");
    let cyrillic = "gr\u{435}\u{435}dy=builtin:random";
    let hidden = "greedy\u{200b}=builtin:random";
    let alike = ["ace=builtin:greedy", "\u{430}\u{441}\u{435}=builtin:random"];
    for (programs, said) in [
        (
            ["builtin:greedy", cyrillic],
            "mixes letters of several scripts",
        ),
        (
            ["builtin:greedy", hidden],
            "has the invisible character U+200B in it",
        ),
        (alike, "look alike"),
    ] {
        let out = ["--out", text(&folder)];
        let told = message(&tournament(&[&programs[..], &out].concat()).code(2));
        assert!(told.contains(said), "{told}");
        assert!(!folder.exists(), "nothing half made");
        let told = message(&contest("match", &programs).assert().code(2));
        assert!(told.contains(said), "{told}");
    }
    for game in [
        &["hearts", "match", "a=duck", "\u{430}=duck", "random"][..],
        &["challenge", "match", "a=need", "\u{430}=need"],
    ] {
        let told = message(&Command::new(CONTEST).args(game).assert().code(2));
        assert!(told.contains("look alike"), "{told}");
    }
}

/// Printed commands are quoted, so that they can be pasted into a shell.
#[test]
fn printed_commands_are_quoted() {
    let place = Place::new();
    let folder = place.path("a cup; it's $HOME");
    let args = [&HEURISTICS[..2], &["--games", "2", "--out", text(&folder)]].concat();
    let told = message(&tournament(&args).success());
    let command = told.split_once("the games: contest ").unwrap().1;
    let line = format!("\"$CONTEST\" {command}");
    let run = Command::new("sh")
        .args(["-c", &line])
        .env("CONTEST", CONTEST)
        .output()
        .unwrap();
    assert!(run.status.success(), "{line}: {run:?}");
    assert!(folder.join("report.html").exists());
}

/// The estimate says beforehand how precise the ratings will be, and what would shorten the games.
#[test]
fn the_estimate_says_what_the_games_buy() {
    let place = Place::new();
    let small = place.script("small", "#!/bin/sh\ncat >/dev/null\nexit 1\n");
    let folder = place.path("t");
    let args = [
        "builtin:random",
        "--games",
        "100",
        "--dry-run",
        "--out",
        text(&folder),
    ];
    let told = message(&tournament(&[&[text(&small)], &args[..]].concat()).success());
    // The margin is 1.96 standard errors of half the difference between the two ratings: 340 / sqrt(100).
    assert!(
        told.contains("precision of the ratings: ± 34 Elo (95 %)"),
        "{told}"
    );
    let cores = std::thread::available_parallelism().unwrap().get();
    let advice = format!("with --threads 1 {cores} games are played at a time");
    assert_eq!(told.contains(&advice), cores > 1, "{told}");
    let one = tournament(&[&[text(&small)], &args[..], &["--threads", "1"]].concat()).success();
    assert!(
        !message(&one).contains("with --threads 1"),
        "{}",
        message(&one)
    );
}

#[test]
fn a_gauntlet_is_of_the_first_against_all_others() {
    let place = Place::new();
    let folder = place.path("t");
    let out = ["--out", text(&folder)];
    let args = ["--format", "gauntlet", "--games", "2"];
    tournament(&[&HEURISTICS[..], &args, &out].concat()).success();
    assert_eq!(ids(&folder).len(), 4);
    // It stays a gauntlet when programs join.
    tournament(&[&["builtin:rearmost"], &out[..]].concat()).success();
    let played = ids(&folder);
    assert_eq!(played.len(), 6);
    assert!(played.iter().all(|id| id.starts_with("2p1.")), "{played:?}");
    let refused = tournament(&[&["--format", "round-robin"], &out[..]].concat()).code(2);
    assert!(message(&refused).contains("format gauntlet, not round-robin"));
}

/// Rounds are paired one after the other, whether or not the tournament is interrupted. No two programs meet
/// twice while they can meet others.
#[test]
fn a_swiss_tournament_is_paired_round_by_round() {
    let place = Place::new();
    let programs = [
        "builtin:random",
        "builtin:greedy",
        "builtin:hoarder",
        "builtin:rearmost",
    ];
    let (whole, parts) = (place.path("whole"), place.path("parts"));
    let swiss = ["--format", "swiss", "--games", "4"];
    let play = |folder: &Path, args: &[&str]| {
        tournament(&[args, &["--out", text(folder)]].concat()).success()
    };
    let told = play(
        &whole,
        &[&programs[..], &swiss, &["--rounds", "3"]].concat(),
    );
    let told = message(&told);
    assert!(
        told.contains("3 Swiss rounds of 4 programs, 4 games a pairing"),
        "{told}"
    );
    let pairs: BTreeSet<String> = ids(&whole)
        .iter()
        .map(|id| id.split('-').next().unwrap().to_owned())
        .collect();
    assert_eq!((ids(&whole).len(), pairs.len()), (3 * 2 * 4, 6));
    // A tournament that lost a part of a round goes on with one more round.
    play(
        &parts,
        &[&programs[..], &swiss, &["--rounds", "2"]].concat(),
    );
    let games = parts.join("games.jsonl");
    let text_of = fs::read_to_string(&games).unwrap();
    let kept: Vec<&str> = text_of.lines().take(10).collect();
    fs::write(&games, kept.join("\n") + "\n").unwrap();
    play(&parts, &["--rounds", "3"]);
    assert_unique(&ids(&parts));
    assert_eq!(rated(&parts), rated(&whole));
    let standings = rated(&whole);
    let points = standings["swiss"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    let sum: f64 = points
        .iter()
        .map(|row| row["points"].as_f64().unwrap())
        .sum();
    assert_eq!(sum, 6.0);
    assert_eq!(points[0]["label"], "hoarder");
    // Fewer rounds would leave out games that were played, although each pair of programs keeps its block.
    let settings = fs::read(whole.join("tournament.json")).unwrap();
    let refused = tournament(&["--rounds", "1", "--out", text(&whole)]).code(2);
    let told = message(&refused);
    let expected = "has 3 rounds, more than the 1 of this tournament";
    assert!(
        told.contains(expected) && told.contains("with --rounds"),
        "{told}"
    );
    assert_eq!(fs::read(whole.join("tournament.json")).unwrap(), settings);
    let merged = place.path("merged");
    contest("merge", &[text(&whole), "--out", text(&merged)])
        .assert()
        .success();
    assert_eq!(rated(&merged), standings);
    for (args, said) in [
        (
            &["new=builtin:random"][..],
            "no program can join once it has begun",
        ),
        (&["--games", "6"], "games a pairing 4, not 6"),
        (&["--players", "3"], "and an even one"),
        (
            &["--sprt", "0,5", "--seed", "1"],
            "this tournament has rounds",
        ),
    ] {
        let refused = tournament(&[args, &["--out", text(&whole)]].concat()).code(2);
        assert!(message(&refused).contains(said), "{}", message(&refused));
    }
}

/// Boards and decks from a file are played in turn, and kept in the tournament's folder.
#[test]
fn boards_and_decks_can_be_named() {
    let place = Place::new();
    let file = place.path("positions.jsonl");
    let deck = format!("{}{}", "kgh".repeat(17), "bds".repeat(17));
    let lines = format!("{{\"board\":\"hgk\",\"deck\":\"{deck}\"}}\n{{\"board\":\"sdb\"}}\n");
    fs::write(&file, &lines).unwrap();
    let folder = place.path("t");
    let out = ["--out", text(&folder)];
    let named = ["--positions", text(&file)];
    tournament(&[&HEURISTICS[..2], &["--games", "4"], &named, &out].concat()).success();
    // From now on the file is not needed.
    fs::remove_file(&file).unwrap();
    let told = tournament(&[&["--games", "6"], &out[..]].concat()).success();
    let told = message(&told);
    assert!(
        told.contains("2 lines of boards and decks for 3 blocks: they are used again"),
        "{told}"
    );
    for line in fs::read_to_string(folder.join("games.jsonl"))
        .unwrap()
        .lines()
    {
        let record: contest::cartagena::record::Record = serde_json::from_str(line).unwrap();
        record.replay(|_, _, _, _| ()).unwrap();
        let block = record
            .id
            .split('-')
            .nth(1)
            .unwrap()
            .parse::<usize>()
            .unwrap();
        assert_eq!(record.board, ["sdb", "hgk"][block % 2], "{}", record.id);
        if record.board == "hgk" {
            assert_eq!(record.pile, deck[6..]);
        }
    }
    // Other boards and decks would make it another tournament.
    fs::write(&file, "{\"board\":\"kgh\"}\n").unwrap();
    let refused = tournament(&[&named[..], &out].concat()).code(2);
    assert!(message(&refused).contains("played with 2 other boards and decks"));
    // A match says it as well.
    let contest = ["cartagena", "match", "--games", "3"];
    let args = [&contest, &HEURISTICS[..2], &named].concat();
    let told = message(&Command::new(CONTEST).args(args).assert().success());
    assert!(
        told.contains("1 line of boards and decks for 2 blocks"),
        "{told}"
    );
    fs::write(&file, "{\"board\":\"kgh\"}\n{\"board\":\"kxh\"}\n").unwrap();
    let other = place.path("other");
    let args = [&HEURISTICS[..2], &named, &["--out", text(&other)]].concat();
    let told = message(&tournament(&args).code(2));
    assert!(
        told.contains("positions.jsonl, line 2: board: expected letters of"),
        "{told}"
    );
}

/// The page of a running tournament reloads itself; after the last game it does not.
#[test]
fn a_live_page_shows_the_standings() {
    let place = Place::new();
    let seed = ["--seed", "4", "--games", "6"];
    let page = |name: &str, more: &[&str]| {
        let folder = place.path(name);
        let args = [
            &HEURISTICS[..],
            &seed,
            &["--live=1", "--out", text(&folder)],
            more,
        ]
        .concat();
        tournament(&args).success();
        fs::read_to_string(folder.join("live.html")).unwrap()
    };
    let whole = page("whole", &[]);
    assert!(!whole.contains("http-equiv=\"refresh\""));
    assert!(whole.contains("all of 18 games"), "{whole}");
    for label in ["random", "greedy", "hoarder"] {
        assert!(whole.contains(&format!("title=\"{label}\"")), "{whole}");
    }
    let part = page("part", &["--shard", "1/2"]);
    assert!(part.contains("<meta http-equiv=\"refresh\" content=\"10\">"));
    assert!(part.contains(" of 18 games"), "{part}");
    // The page of a running tournament hides the seed, by which the coming games could be foretold.
    let seed = "<dt>seed</dt>";
    assert!(whole.contains(seed) && !part.contains(seed));
    // A later call keeps the page up to date, also without the option.
    let folder = place.path("whole");
    tournament(&["builtin:rearmost", "--out", text(&folder)]).success();
    let more = fs::read_to_string(folder.join("live.html")).unwrap();
    assert!(more.contains("all of 36 games"), "{more}");
}
