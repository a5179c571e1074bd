//! Tests of the index of a journal's games: how it is searched, read while it grows, checked, and
//! written when the disk refuses.

use super::*;

fn game(id: u64, teams: [u64; 2]) -> GameLine {
    GameLine {
        id,
        teams,
        ..GameLine::default()
    }
}

/// An index of `games` games. Their numbers are out of order, as games end in another order than they begin.
fn filled(games: u64) -> Index {
    let mut index = Index::new(tempfile::tempfile().unwrap()).unwrap();
    for place in 0..games {
        let team = if place == 7 { 99 } else { 2 };
        index.push(&game((place ^ 3) + 1, [1, team]), place * 100, 100);
    }
    index
}

#[test]
fn games_are_found_by_number_and_listed_by_team() {
    let index = filled(3000);
    for id in [1, 1024, 1025, 3000] {
        let (place, entry) = index.find(id).unwrap().unwrap();
        assert_eq!((place, entry.summary.id), ((id - 1) ^ 3, id));
        assert_eq!((entry.start, entry.length), (place * 100, 100));
    }
    assert_eq!(index.find(0).unwrap(), None);
    assert_eq!(index.find(3001).unwrap(), None);
    let ids = |team, before, limit| -> Vec<u64> {
        let latest = index.latest(team, before, limit).unwrap();
        latest.iter().map(|entry| entry.summary.id).collect()
    };
    assert_eq!(ids(None, 3000, 3), [2997, 2998, 2999]);
    assert_eq!(ids(None, 1025, 2), [1028, 1021]);
    assert_eq!(ids(Some(99), 3000, 5), [(7 ^ 3) + 1]);
    assert!(ids(Some(99), 7, 5).is_empty());
    assert_eq!(ids(Some(1), 3000, 2500).len(), 2500);
    assert!(ids(None, 3000, 0).is_empty());
}

#[test]
fn a_reader_follows_the_writer() {
    let mut index = filled(1023);
    let mut reader = index.reader().unwrap();
    for id in 5000..5003 {
        index.push(&game(id, [1, 2]), id * 100, 100);
    }
    assert_eq!((reader.len(), reader.find(5002).unwrap()), (1023, None));
    reader.refresh().unwrap();
    assert_eq!(reader.len(), 1026);
    assert_eq!(reader.find(5002).unwrap().unwrap().0, 1025);
}

/// An index is opened with the number of games and the checksum that the checkpoint has. One that is shorter,
/// damaged or of another journal is refused; one that is longer is cut.
#[test]
fn an_index_that_does_not_fit_is_refused() {
    let index = filled(2000);
    let sum = filled(1500).checksum();
    let open = |count, sum| Index::open(System, index.file.try_clone().unwrap(), count, sum);
    let error = |count, sum| open(count, sum).unwrap_err().to_string();
    assert_eq!(error(2001, sum), "it has 2000 games, expected 2001");
    assert_eq!(error(1499, sum), "it is that of another journal");
    let whole = open(1500, sum).unwrap();
    assert_eq!((whole.len(), whole.checksum()), (1500, sum));
    assert_eq!(error(1501, sum), "it has 1500 games, expected 1501");
    index.file.write_all_at(b"!", 64 * 1200 + 5).unwrap();
    assert_eq!(error(1500, sum), "entry 1201 of the index is damaged");
}

/// An entry that the full disk refuses is written together with the next one.
#[test]
fn what_the_disk_does_not_take_is_written_later() {
    let full = File::options()
        .read(true)
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut index = filled(1);
    let file = std::mem::replace(&mut index.file, full);
    index.push(&game(10, [1, 2]), 100, 100);
    assert!(!index.is_written());
    index.file = file;
    index.push(&game(11, [1, 2]), 200, 100);
    assert!(index.is_written());
    let mut reader = index.reader().unwrap();
    reader.refresh().unwrap();
    assert_eq!(reader.find(10).unwrap().unwrap().0, 1);
    assert_eq!(reader.find(11).unwrap().unwrap().0, 2);
}
