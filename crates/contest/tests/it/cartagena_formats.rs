//! Tests of `contest cartagena tournament` by its options: who plays whom, on which boards, the estimate and
//! messages before and while it plays, and the settings that its folder keeps.

use super::cartagena_tournament::{HEURISTICS, Place, TWO};
use super::programs::{CONTEST, Command, contest, says};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

fn settings(place: &Place, name: &str) -> Value {
    let text = fs::read(place.path(name).join("tournament.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// The folder keeps how games are played as well as which ones, and a later call can change the former.
#[test]
fn going_on_keeps_threads_jobs_and_cores() {
    let place = Place::new();
    for (words, at_a_time, pin) in [
        (
            &*format!("{TWO} --games 2 --threads 1 --jobs 3 --pin"),
            3,
            Some(true),
        ),
        ("--games 4", 3, Some(true)),
        ("--games 6 --jobs 2 --pin=false", 2, None),
    ] {
        let told = place.tournament(&format!("{words} --out t")).told(0);
        let expected = format!("2 games to play, {at_a_time} at a time");
        assert!(told.contains(&expected), "{words}: {told}");
        let kept = settings(&place, "t");
        let found = (
            kept["threads"].as_u64(),
            kept["jobs"].as_u64(),
            kept["pin"].as_bool(),
        );
        assert_eq!(found, (Some(1), Some(at_a_time), pin), "{words}");
    }
    assert_eq!(place.ids("t").len(), 6);
}

/// Without a named seed, the seed is drawn at random, and the folder keeps it.
#[test]
fn a_seed_is_secret_unless_it_is_named() {
    let place = Place::new();
    let call =
        |name: &str, words: &str| place.contest(&format!("tournament {TWO} --out {name} {words}"));
    let seed = |name: &str, words: &str| {
        let told = call(name, words).told(0);
        let kept = settings(&place, name)["seed"].as_u64().unwrap();
        says(&told, format!("\nseed {kept}\n"));
        kept
    };
    assert_ne!(seed("a", "--games 2"), seed("b", "--games 2"));
    // A later call goes on with the seed that the folder keeps.
    let kept = settings(&place, "a")["seed"].clone();
    assert_eq!(seed("a", "--games 4"), kept);
    fs::write(place.path("seed"), "77\n").unwrap();
    assert_eq!(seed("c", "--games 2 --seed-file seed"), 77);
    fs::write(place.path("seed"), "seven").unwrap();
    for (words, expected) in [
        ("--seed-file seed", "expected a whole number up to"),
        // Shards with different seeds could not be joined.
        ("--shard 1/2", "all shards need the same seed"),
    ] {
        let told = call("d", words).told(2);
        says(&told, expected);
    }
    assert!(!place.path("d").exists());
}

/// No contest accepts two labels that look alike: with such a label one program could pass for another.
#[test]
fn labels_that_look_alike_are_refused() {
    let place = Place::new();
    for (programs, said) in [
        (
            "builtin:greedy gr\u{435}\u{435}dy=builtin:random",
            "mixes letters of several scripts",
        ),
        (
            "builtin:greedy greedy\u{200b}=builtin:random",
            "has the invisible character U+200B in it",
        ),
        (
            "ace=builtin:greedy \u{430}\u{441}\u{435}=builtin:random",
            "look alike",
        ),
    ] {
        for words in [
            &*format!("tournament --out t {programs}"),
            &format!("match {programs}"),
        ] {
            let told = place.contest(words).told(2);
            says(&told, said);
        }
        assert!(!place.path("t").exists(), "nothing half made");
    }
    for words in [
        "hearts match a=duck \u{430}=duck random",
        "challenge match a=need \u{430}=need",
    ] {
        let told = contest(words).told(2);
        says(&told, "look alike");
    }
}

/// Printed commands are quoted, so that they can be pasted into a shell.
#[test]
fn printed_commands_are_quoted() {
    let place = Place::new();
    let folder = place.path("a cup; it's $HOME");
    let mut play = place.contest(&format!("tournament {TWO} --games 2 --seed 1 --out"));
    let told = play.arg(&folder).told(0);
    let command = told.split_once("the games: contest ").unwrap().1;
    let line = format!("\"$CONTEST\" {command}");
    Command::new("sh")
        .args(["-c", &line])
        .env("CONTEST", CONTEST)
        .printed();
    assert!(folder.join("report.html").exists());
}

/// The estimate says beforehand how precise the ratings will be, and what would shorten the games.
#[test]
fn the_estimate_says_what_the_games_buy() {
    let place = Place::new();
    place.script("small", "cat >/dev/null\nexit 1");
    let words = "./small builtin:random --games 100 --dry-run --out t";
    let told = place.tournament(words).told(0);
    // The margin is 1.96 standard errors of half the difference between the two ratings: 340 / sqrt(100).
    says(&told, "precision of the ratings: ± 34 Elo (95 %)");
    let cores = std::thread::available_parallelism().unwrap().get();
    let advice = format!("with --threads 1 {cores} games are played at a time");
    assert_eq!(told.contains(&advice), cores > 1, "{told}");
    let one = place.tournament(&format!("{words} --threads 1")).told(0);
    assert!(!one.contains("with --threads 1"), "{one}");
}

#[test]
fn a_gauntlet_is_of_the_first_against_all_others() {
    let place = Place::new();
    place.played(&format!("{HEURISTICS} --format gauntlet --games 2 --out t"));
    assert_eq!(place.ids("t").len(), 4);
    // It stays a gauntlet when programs join.
    place.played("builtin:rearmost --out t");
    let played = place.ids("t");
    assert_eq!(played.len(), 6);
    assert!(played.iter().all(|id| id.starts_with("2p1.")), "{played:?}");
    let refused = place.tournament("--format round-robin --out t").told(2);
    assert!(refused.contains("format gauntlet, not round-robin"));
}

/// Rounds are paired one after the other, whether or not the tournament is interrupted. No two programs meet
/// twice while they can meet others.
#[test]
fn a_swiss_tournament_is_paired_round_by_round() {
    let place = Place::new();
    let swiss = format!("{HEURISTICS} builtin:rearmost --format swiss --games 4");
    let told = place
        .tournament(&format!("{swiss} --rounds 3 --out whole"))
        .told(0);
    says(&told, "3 Swiss rounds of 4 programs, 4 games a pairing");
    let ids = place.ids("whole");
    let pairs: BTreeSet<&str> = ids.iter().map(|id| id.split('-').next().unwrap()).collect();
    assert_eq!((ids.len(), pairs.len()), (3 * 2 * 4, 6));
    // A tournament that lost a part of a round goes on with one more round.
    place.played(&format!("{swiss} --rounds 2 --out parts"));
    let games = place.path("parts/games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    let kept: Vec<&str> = text.lines().take(10).collect();
    fs::write(&games, kept.join("\n") + "\n").unwrap();
    place.played("--rounds 3 --out parts");
    assert_eq!(place.ids("parts").len(), ids.len());
    let standings = place.rated("whole");
    assert_eq!(place.rated("parts"), standings);
    let points = standings["swiss"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    let sum: f64 = points
        .iter()
        .map(|row| row["points"].as_f64().unwrap())
        .sum();
    assert_eq!(sum, 6.0);
    assert_eq!(points[0]["label"], "hoarder");
    // Fewer rounds would leave out games that were played, although each pair of programs keeps its block.
    let before = settings(&place, "whole");
    for (words, said) in [
        (
            "--rounds 1",
            "has 3 rounds, more than the 1 of this tournament",
        ),
        ("--rounds 1", "with --rounds"),
        (
            "new=builtin:random",
            "no program can join once it has begun",
        ),
        ("--games 6", "games a pairing 4, not 6"),
        ("--players 3", "and an even one"),
        ("--sprt 0,5 --seed 1", "this tournament has rounds"),
    ] {
        let refused = place.tournament(&format!("{words} --out whole")).told(2);
        assert!(refused.contains(said), "{words}: {refused}");
        assert_eq!(settings(&place, "whole"), before, "{words}");
    }
    place.contest("merge whole --out merged").printed();
    assert_eq!(place.rated("merged"), standings);
}

/// Boards and decks from a file are played in turn, and kept in the tournament's folder.
#[test]
fn boards_and_decks_can_be_named() {
    let place = Place::new();
    let file = place.path("positions.jsonl");
    let deck = format!("{}{}", "kgh".repeat(17), "bds".repeat(17));
    let lines = format!("{{\"board\":\"hgk\",\"deck\":\"{deck}\"}}\n{{\"board\":\"sdb\"}}\n");
    fs::write(&file, &lines).unwrap();
    let named = "--positions positions.jsonl";
    place.played(&format!("{TWO} --games 4 {named} --out t"));
    // From now on the file is not needed.
    fs::remove_file(&file).unwrap();
    let told = place.tournament("--games 6 --out t").told(0);
    says(
        &told,
        "2 lines of boards and decks for 3 blocks: they are used again",
    );
    let games = fs::read_to_string(place.path("t/games.jsonl")).unwrap();
    for line in games.lines() {
        let record: contest::cartagena::record::Record = serde_json::from_str(line).unwrap();
        record.replay(|_, _, _, _| ()).unwrap();
        let block = record.id.split('-').nth(1).unwrap();
        let block: usize = block.parse().unwrap();
        assert_eq!(record.board, ["sdb", "hgk"][block % 2], "{}", record.id);
        if record.board == "hgk" {
            assert_eq!(record.pile, deck[6..]);
        }
    }
    // Other boards and decks would make it another tournament.
    fs::write(&file, "{\"board\":\"kgh\"}\n").unwrap();
    let refused = place.tournament(&format!("{named} --out t")).told(2);
    says(&refused, "played with 2 other boards and decks");
    // A match says it as well.
    let told = place
        .contest(&format!("match --games 3 {TWO} {named}"))
        .told(0);
    says(&told, "1 line of boards and decks for 2 blocks");
    fs::write(&file, "{\"board\":\"kgh\"}\n{\"board\":\"kxh\"}\n").unwrap();
    let told = place
        .tournament(&format!("{TWO} {named} --out other"))
        .told(2);
    says(&told, "positions.jsonl, line 2: board: expected letters of");
}

/// The page of a running tournament reloads itself; after the last game it does not.
#[test]
fn a_live_page_shows_the_standings() {
    let place = Place::new();
    let page = |name: &str, words: &str| {
        place.played(&format!("{words} --out {name}"));
        fs::read_to_string(place.path(name).join("live.html")).unwrap()
    };
    let all = format!("{HEURISTICS} --seed 4 --games 6 --live=1");
    let whole = page("whole", &all);
    assert!(!whole.contains("http-equiv=\"refresh\""));
    says(&whole, "all of 18 games");
    for label in ["random", "greedy", "hoarder"] {
        says(&whole, format!("title=\"{label}\""));
    }
    let part = page("part", &format!("{all} --shard 1/2"));
    assert!(part.contains("<meta http-equiv=\"refresh\" content=\"10\">"));
    says(&part, " of 18 games");
    // The page of a running tournament hides the seed, by which the coming games could be foretold.
    let seed = "<dt>seed</dt>";
    assert!(whole.contains(seed) && !part.contains(seed));
    // A later call keeps the page up to date, also without the option.
    let more = page("whole", "builtin:rearmost");
    says(&more, "all of 36 games");
}
