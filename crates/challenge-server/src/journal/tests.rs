//! Tests of the contest's journal: after any crash, damage or failure of the disk, a restart counts
//! each finished game exactly once.

use super::*;
use crate::practice::Practice;
use arena::process::testing::scratch;
use arena::records::Record;
use engine::disk::{Faulty, Then};
use std::fs::File;
use std::io::Write;

fn game(id: u64, winner: usize) -> GameLine {
    GameLine {
        id,
        at: 1000 * id,
        teams: [4, 7],
        winner,
        ..GameLine::default()
    }
}

/// Opens a journal of the teams 4 and 7.
fn opened(path: &Path) -> (Journal, Contest) {
    let mut contest = Contest::new([4, 7]);
    let journal = Journal::open(path, &mut contest).unwrap();
    (journal, contest)
}

/// Why a file is not opened as a journal.
fn refused(path: &Path) -> RecordError {
    Journal::open(path, &mut Contest::default()).unwrap_err()
}

#[test]
fn a_torn_line_is_cut_off_and_the_rest_counts() {
    let (_folder, path) = scratch("games.jsonl");
    let (mut journal, _) = opened(&path);
    assert!(matches!(refused(&path), RecordError::InUse(_)));
    journal.append(&game(1, 0)).unwrap();
    journal.append(&game(2, 0)).unwrap();
    drop(journal);
    let mut torn = File::options().append(true).open(&path).unwrap();
    torn.write_all(b"{\"id\":3,\"te").unwrap();

    let (mut journal, again) = opened(&path);
    assert_eq!((again.games(), journal.last_id()), (2, 2));
    assert_eq!(again.round([4, 7]).games, [2, 0]);
    journal.append(&game(3, 1)).unwrap();
    drop(journal);
    let (_, third) = opened(&path);
    assert_eq!(third.round([4, 7]).games, [2, 1]);
}

/// Numbers from which no server could count on, and games that contradict themselves, are errors of their line.
#[test]
fn impossible_lines_are_refused() {
    let won = r#"{"type":"final_game_result","player0_score":3,"player1_score":10,"winner":1}"#;
    for (line, expected) in [
        (
            r#"{"begun":18446744073709551615,"at":1,"teams":[1,2]}"#.to_owned(),
            "game 18446744073709551615: expected a number up to 9007199254740992",
        ),
        (
            r#"{"final":[1,2],"at":9007199254740993}"#.to_owned(),
            "at 9007199254740993: expected at most 9007199254740992 milliseconds",
        ),
        (
            r#"{"begun":3,"at":1,"teams":[2,2]}"#.to_owned(),
            "teams: team 2 cannot play against itself",
        ),
        (
            format!(r#"{{"id":1,"teams":[1,2],"winner":0,"entries":[{won}]}}"#),
            "winner 0: the game was won by 1",
        ),
    ] {
        let error = Line::parse(line.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

/// The players of a match would be taken for the teams of their numbers.
#[test]
fn the_record_of_a_match_is_no_journal() {
    let (_folder, path) = scratch("games.jsonl");
    let of_a_match = GameLine {
        names: Some(["ours".to_owned(), "theirs".to_owned()]),
        ..game(2, 1)
    };
    let lines = [line_of(&game(1, 0)).unwrap(), line_of(&of_a_match).unwrap()].concat();
    std::fs::write(&path, &lines).unwrap();
    let indexed = Journal::open_indexed(&path, &mut Contest::new([4, 7]), |_| ());
    assert!(indexed.is_err() && !path.with_file_name("games.jsonl.index").exists());
    let refused = refused(&path).to_string();
    let expected = "line 2 is no game or stage record: a game of a match, as it has \"names\"";
    assert!(refused.ends_with(expected), "{refused}");
    assert_eq!(std::fs::read(&path).unwrap(), lines);
}

/// A game for practice in a journal counts for nobody, and its number is free for the next game.
#[test]
fn a_practice_game_counts_for_nobody() {
    let (_folder, path) = scratch("games.jsonl");
    let (mut journal, _) = opened(&path);
    let practice: Practice = serde_json::from_str("{\"taken_back\":1}").unwrap();
    for id in [1, 2] {
        let mut game = game(id, 0);
        game.practice = practice.clone();
        journal.append(&game).unwrap();
    }
    drop(journal);
    let (journal, again) = opened(&path);
    assert_eq!((again.games(), journal.last_id()), (0, 0));
}

#[test]
fn a_game_counts_once() {
    let (_folder, path) = scratch("games.jsonl");
    let (mut journal, _) = opened(&path);
    for id in [1, 2, 2, 1, 3] {
        journal.append(&game(id, 0)).unwrap();
    }
    drop(journal);
    let (_, contest) = opened(&path);
    assert_eq!((contest.games(), contest.met([4, 7])), (3, 3));
}

/// A server goes on with a journal that begins with a byte order mark, and a page finds the first game in it.
#[test]
fn a_byte_order_mark_is_no_part_of_a_game() {
    let (_folder, path) = scratch("games.jsonl");
    let (mut journal, _) = opened(&path);
    let first = game(1, 0);
    journal.append(&first).unwrap();
    drop(journal);
    let marked = [b"\xef\xbb\xbf", &std::fs::read(&path).unwrap()[..]].concat();
    let (_folder, path) = scratch("marked.jsonl");
    std::fs::write(&path, marked).unwrap();
    let archive = crate::web::Archive::open(&path).unwrap();
    assert_eq!(archive.game(1).unwrap(), Some(first));
    assert_eq!(opened(&path).1.games(), 1);
}

/// After a restart the final goes on with the stage and the matches that are left. Its games do not count for
/// the ratings.
#[test]
fn a_final_is_taken_up_where_it_was() {
    let (_folder, path) = scratch("games.jsonl");
    let (mut journal, _) = opened(&path);
    journal.append(&game(1, 0)).unwrap();
    let stage = StageLine {
        seeds: vec![4, 9, 7],
        at: 1500,
    };
    journal.append_stage(&stage).unwrap();
    for id in 2..=6 {
        let final_game = GameLine {
            teams: [7, 9],
            is_final: true,
            ..game(id, 1)
        };
        journal.append(&final_game).unwrap();
    }
    drop(journal);
    let mut contest = Contest::new([4, 7, 9]);
    let journal = Journal::open(&path, &mut contest).unwrap();
    assert_eq!(journal.elapsed(), Duration::from_secs(6));
    assert_eq!(contest.bracket().unwrap().next(), Some(vec![4, 9]));
    assert_eq!(contest.standing(9).won, 0, "the final is not rated");
}

/// A file that is no journal is refused and not changed.
#[test]
fn what_is_no_journal_is_left_alone() {
    let (_folder, path) = scratch("notes.txt");
    std::fs::write(&path, "not one line of a journal").unwrap();
    let error = refused(&path);
    assert!(matches!(error, RecordError::Foreign(_)), "{error}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "not one line of a journal");
    let full = refused(Path::new("/dev/full"));
    assert!(matches!(full, RecordError::NotAFile(_)));
}

#[test]
fn a_broken_line_is_named() {
    let (_folder, path) = scratch("games.jsonl");
    std::fs::write(&path, "{}\n").unwrap();
    let error = refused(&path).to_string();
    let expected = "line 1 is no game or stage record: missing field `id` at column 2";
    assert!(error.ends_with(expected), "{error}");
}

/// Appends games with these ids, each after its begun line. `settle` writes a checkpoint when one is due.
fn play(journal: &mut Journal, contest: &mut Contest, ids: std::ops::Range<u64>) {
    for id in ids {
        let game = game(id, usize::from(id % 3 == 0));
        begin(journal, &game).unwrap();
        journal.append(&game).unwrap();
        contest.count(game.teams, game.winner, false);
        journal.settle(contest);
    }
}

/// Appends the line of a game that begins.
fn begin<D: Disk>(journal: &mut Journal<D>, game: &GameLine) -> Result<(), RecordError> {
    journal.begin(&BegunLine {
        begun: game.id,
        at: game.at,
        teams: game.teams,
    })
}

fn open(path: &Path) -> (Journal, Contest, Vec<String>) {
    let (mut contest, mut discarded) = (Contest::new([4, 7]), Vec::new());
    let journal = Journal::open_indexed(path, &mut contest, |why| discarded.push(why)).unwrap();
    (journal, contest, discarded)
}

#[test]
fn a_restart_reads_what_follows_the_checkpoint() {
    let (folder, path) = scratch("games.jsonl");
    let (mut journal, mut contest, _) = open(&path);
    play(&mut journal, &mut contest, 1..INTERVAL + 101);
    let length = journal.length();
    drop(journal);

    // A restart does not read what precedes the checkpoint, so it does not notice the damage there.
    let text = std::fs::read_to_string(&path).unwrap();
    let middle = text.len() / 2;
    let damaged = text[..middle].to_owned() + "!" + &text[middle + 1..];
    std::fs::write(&path, damaged).unwrap();
    let (journal, again, discarded) = open(&path);
    assert_eq!((discarded, journal.length()), (vec![], length));
    assert_eq!((again, journal.last_id()), (contest, INTERVAL + 100));
    let index = journal.index().unwrap().unwrap();
    assert_eq!(index.len(), INTERVAL + 100);
    for id in [1, INTERVAL, INTERVAL + 1, INTERVAL + 100] {
        let (_, entry) = index.find(id).unwrap().unwrap();
        let line = &text.as_bytes()[entry.start as usize..][..entry.length as usize];
        assert!(matches!(Line::parse(line), Ok(Line::Game(game)) if game.id == id));
    }
    drop(journal);

    // Without the checkpoint the whole journal is read, and the damage is found.
    std::fs::remove_file(folder.path().join("games.jsonl.checkpoint")).unwrap();
    let error = Journal::open_indexed(&path, &mut Contest::default(), drop).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("is no game or stage record"), "{error}");
}

/// A checkpoint that does not fit the journal or the index is discarded with a reason, and the journal is
/// read as a whole.
#[test]
fn a_checkpoint_that_does_not_fit_is_discarded() {
    let (folder, path) = scratch("games.jsonl");
    let (mut journal, mut contest, _) = open(&path);
    play(&mut journal, &mut contest, 1..INTERVAL + 2);
    drop(journal);
    let [checkpoint, index] =
        ["checkpoint", "index"].map(|ending| folder.path().join(format!("games.jsonl.{ending}")));
    let kept = [&path, &checkpoint, &index].map(|path| std::fs::read(path).unwrap());
    let discarded = |place: usize, change: &dyn Fn(&mut Vec<u8>)| {
        let paths = [&path, &checkpoint, &index];
        for (i, (path, bytes)) in paths.into_iter().zip(&kept).enumerate() {
            let mut bytes = bytes.clone();
            if i == place {
                change(&mut bytes);
            }
            std::fs::write(path, bytes).unwrap();
        }
        let (journal, again, mut discarded) = open(&path);
        assert_eq!(journal.index().unwrap().unwrap().len(), again.games());
        if place > 0 {
            assert_eq!(again, contest);
        }
        discarded.pop().unwrap_or_default()
    };
    assert_eq!(discarded(3, &|_| ()), "");
    let ours = |why: &str| format!("discarded {}: {why}", checkpoint.display());
    let shorter = discarded(0, &|bytes| {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let end = ends.rev().nth(1000).unwrap().0;
        bytes.truncate(end + 1);
    });
    assert!(shorter.starts_with(&ours("the journal has ")), "{shorter}");
    let first = |bytes: &mut Vec<u8>| {
        // This stands for the journal of another contest: its first game has another time.
        let text = String::from_utf8(std::mem::take(bytes)).unwrap();
        *bytes = text.replacen("\"at\":1000,", "\"at\":1001,", 1).into();
    };
    assert_eq!(discarded(0, &first), ours("the journal is another one"));
    let flip = |bytes: &mut Vec<u8>| bytes[70] ^= 1;
    assert_eq!(discarded(1, &flip), ours("its checksum is wrong"));
    let damaged = discarded(2, &flip);
    let why = format!("{}: entry 2 of the index is damaged", index.display());
    assert_eq!(damaged, ours(&why));
}

#[test]
fn games_that_were_under_way_are_void() {
    let (_folder, path) = scratch("games.jsonl");
    let (mut journal, mut contest, _) = open(&path);
    let teams = [7, 4];
    let begin = |journal: &mut Journal, id| {
        let at = 5;
        let game = GameLine {
            at,
            teams,
            ..game(id, 0)
        };
        begin(journal, &game).unwrap();
    };
    begin(&mut journal, 1);
    begin(&mut journal, 2);
    journal.append(&game(1, 0)).unwrap();
    contest.count([4, 7], 0, false);
    drop(journal);
    let void = [VoidGame { id: 2, teams }];
    let (mut journal, again, _) = open(&path);
    assert_eq!((again.games(), journal.void()), (1, &void[..]));
    assert_eq!(journal.last_id(), 2, "no other game gets its number");
    let text = std::fs::read_to_string(&path).unwrap();
    let last = "{\"void\":[{\"id\":2,\"teams\":[7,4]}],\"at\":1000}";
    assert_eq!(text.lines().last(), Some(last));
    begin(&mut journal, 3);
    drop(journal);
    // A void game is reported only once, even if a checkpoint was written in between.
    let (mut journal, mut contest, _) = open(&path);
    assert_eq!(journal.void().len(), 2);
    assert_eq!(journal.newly_void(), [VoidGame { id: 3, teams }]);
    begin(&mut journal, 4);
    play(&mut journal, &mut contest, 5..INTERVAL + 10);
    drop(journal);
    let (mut journal, ..) = open(&path);
    let ids: Vec<u64> = journal.void().iter().map(|game| game.id).collect();
    assert_eq!(ids, [2, 3, 4]);
    // Teams are told of all their games, however few the list of void games keeps.
    let first = INTERVAL + 10;
    (first..first + 150).for_each(|id| begin(&mut journal, id));
    drop(journal);
    let (journal, ..) = open(&path);
    assert_eq!(journal.newly_void().len(), 150);
    assert!(journal.void().len() < 150);
}

/// Whichever call of the disk fails: a game whose append succeeded is in the contest and in the index once
/// after a restart, and a game whose append failed is in neither. The files beside the journal never
/// contradict it.
#[test]
fn no_call_of_the_disk_that_fails_loses_or_doubles_a_game() {
    for then in [Then::Works, Then::Fails] {
        let tried = Faulty::each(then, |disk| {
            let (_folder, path) = scratch("games.jsonl");
            let (mut journal, mut contest, _) = open(&path);
            play(&mut journal, &mut contest, 1..4);
            // A checkpoint is due with the next game, so that the server opened below starts from one.
            journal.beside.as_mut().unwrap().since = INTERVAL;
            play(&mut journal, &mut contest, 4..7);
            drop(journal);

            let mut granted: Vec<u64> = (1..7).collect();
            let mut contest = Contest::new([4, 7]);
            let opened = Journal::open_indexed_on(disk.clone(), &path, &mut contest, drop);
            if let Ok(mut journal) = opened {
                for id in 7..11 {
                    let game = game(id, 1);
                    let begun = begin(&mut journal, &game);
                    if begun.is_ok() && journal.append(&game).is_ok() {
                        granted.push(id);
                        contest.count(game.teams, game.winner, false);
                        if id == 9 {
                            journal.beside.as_mut().unwrap().since = INTERVAL;
                        }
                        journal.settle(&contest);
                    }
                }
            }

            let (journal, again, _) = open(&path);
            let games = Reader::open(&path)
                .unwrap()
                .filter_map(|line| match line.unwrap() {
                    Line::Game(game) => Some(game.id),
                    _ => None,
                });
            assert!(games.eq(granted.iter().copied()), "{disk:?}");
            assert_eq!(again.games(), granted.len() as u64, "{disk:?}");
            let index = journal.index().unwrap().unwrap();
            let latest = index.latest(None, u64::MAX, 100).unwrap();
            let indexed = latest.iter().rev().map(|entry| entry.summary.id);
            assert!(indexed.eq(granted), "{disk:?}");
        });
        assert!(tried > 30, "only {tried} calls go through the disk");
    }
}
