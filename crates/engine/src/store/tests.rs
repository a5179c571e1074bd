//! The store of caches and tables: files are saved, loaded, discarded if damaged, and removed to make room. Its two
//! modules add faults of the system and obstacles in the folder.

mod faults;
mod obstacles;

use super::*;
use proptest::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::time::SystemTime;
use tempfile::TempDir;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    game: u64,
    values: Vec<(u32, f32)>,
    note: Option<String>,
}

const PLAN: Kind = Kind::new("plan", 3);
const KEY: Key = Key {
    kind: PLAN,
    fingerprint: 0xFEED,
    id: 7,
};
const FILE: &str = "plan-0000000000000007.bin";

fn plan(size: u32) -> Plan {
    Plan {
        game: 11,
        values: (0..size).map(|i| (i, i as f32 / 3.0)).collect(),
        note: Some("kept".into()),
    }
}

fn support() -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path());
    (folder, store)
}

fn with_id(id: u64) -> Key {
    Key { id, ..KEY }
}

/// Makes a file look as if it was written this long ago.
fn age(path: &Path, seconds: u64) {
    let then = SystemTime::now() - Duration::from_secs(seconds);
    let file = File::options().append(true).open(path).unwrap();
    file.set_modified(then).unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |e: io::Result<fs::DirEntry>| e.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

/// A message, which must be one line, without the name of the temporary folder.
fn message(error: &StoreError, folder: &Path) -> String {
    let text = error.to_string();
    assert!(!text.contains('\n'), "{text}");
    text.replace(folder.to_str().unwrap(), "support")
}

#[test]
fn what_is_saved_is_loaded() {
    let (folder, store) = support();
    assert_eq!(store.load::<Plan>(&KEY).unwrap(), None);
    assert!(
        !folder.path().join("cache").exists(),
        "reading makes nothing"
    );
    store.save(&KEY, &plan(3)).unwrap();
    store.save(&KEY, &plan(4)).unwrap();
    store.save(&with_id(u64::MAX), &plan(5)).unwrap();
    assert_eq!(store.load(&KEY).unwrap(), Some(plan(4)));
    assert_eq!(store.load(&with_id(u64::MAX)).unwrap(), Some(plan(5)));
    let cache = folder.path().join("cache");
    assert_eq!(names(&cache), ["lock", FILE, "plan-ffffffffffffffff.bin"]);
    assert!(store.remove(&KEY).unwrap());
    assert!(!store.remove(&KEY).unwrap());
    assert_eq!(store.load::<Plan>(&KEY).unwrap(), None);
}

/// A file that is wrong in any way gives one clear line, and is removed.
#[test]
fn what_does_not_fit_is_discarded() {
    let good = encode(&KEY, &plan(2)).unwrap();
    let edited = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let made_with = |key: Key| encode(&key, &plan(2)).unwrap();
    let other = |name, version| {
        made_with(Key {
            kind: Kind::new(name, version),
            ..KEY
        })
    };
    // Each case: its name, and the bytes in place of a good file.
    let cases = [
        ("empty", vec![]),
        ("text", b"hello\n".to_vec()),
        ("magic alone", good[..8].to_vec()),
        ("cut short", good[..good.len() - 1].to_vec()),
        ("too long", [&good[..], b"\0"].concat()),
        ("header", edited(8)),
        ("value", edited(good.len() - 1)),
        ("kind", other("deal", 3)),
        ("version", other("plan", 2)),
        (
            "fingerprint",
            made_with(Key {
                fingerprint: 1,
                ..KEY
            }),
        ),
        ("renamed", made_with(with_id(8))),
        ("not the type", encode(&KEY, &(1u64, u64::MAX)).unwrap()),
        ("more than the type", encode(&KEY, &(plan(2), 1u8)).unwrap()),
        ("huge", vec![0; 5000]),
    ];
    let (folder, store) = support();
    let limits = Limits {
        bytes: 4096,
        ..Limits::default()
    };
    let store = Store { limits, ..store };
    let cache = folder.path().join("cache");
    fs::create_dir(&cache).unwrap();
    let mut messages = String::new();
    for (name, bytes) in cases {
        fs::write(store.path(&KEY), bytes).unwrap();
        let error = store.load::<Plan>(&KEY).unwrap_err();
        messages += &format!("{name}: {}\n", message(&error, folder.path()));
        assert!(names(&cache).is_empty(), "{name}");
        assert_eq!(store.load::<Plan>(&KEY).unwrap(), None);
    }
    insta::assert_snapshot!(messages, @r#"
    empty: discarded support/cache/plan-0000000000000007.bin: it is not a file of this program
    text: discarded support/cache/plan-0000000000000007.bin: it is not a file of this program
    magic alone: discarded support/cache/plan-0000000000000007.bin: it has 8 bytes where its header says 56
    cut short: discarded support/cache/plan-0000000000000007.bin: it has 100 bytes where its header says 101
    too long: discarded support/cache/plan-0000000000000007.bin: it has 102 bytes where its header says 101
    header: discarded support/cache/plan-0000000000000007.bin: its header is of version 0, not 1
    value: discarded support/cache/plan-0000000000000007.bin: its checksum is wrong
    kind: discarded support/cache/plan-0000000000000007.bin: it is no plan
    version: discarded support/cache/plan-0000000000000007.bin: its contents are of version 2, not 3
    fingerprint: discarded support/cache/plan-0000000000000007.bin: it was made with another evaluator (0000000000000001, not 000000000000feed)
    renamed: discarded support/cache/plan-0000000000000007.bin: it belongs to 0000000000000008, not 0000000000000007
    not the type: discarded support/cache/plan-0000000000000007.bin: its contents do not decode: UnexpectedEnd { additional: 4 }
    more than the type: discarded support/cache/plan-0000000000000007.bin: its contents do not decode: 1 bytes are left over
    huge: discarded support/cache/plan-0000000000000007.bin: its 5000 bytes are over the limit of 4096
    "#);
}

#[test]
fn tables_are_read_and_never_removed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("support/network.bin");
    let missing = read_table::<Plan>(&path, PLAN).unwrap_err();
    write_table(&path, PLAN, &plan(9)).unwrap();
    assert_eq!(read_table::<Plan>(&path, PLAN).unwrap(), plan(9));
    assert_eq!(names(path.parent().unwrap()), ["network.bin"]);
    let version = read_table::<Plan>(&path, Kind::new("plan", 4)).unwrap_err();
    let kind = read_table::<Plan>(&path, Kind::new("net", 3)).unwrap_err();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(
        decode_table::<Plan>(&bytes, PLAN),
        Ok(plan(9)),
        "as if built in"
    );
    let messages: String = [missing, version, kind]
        .iter()
        .map(|e| message(e, folder.path()) + "\n")
        .collect();
    insta::assert_snapshot!(messages, @r#"
    cannot read support/support/network.bin: there is no such file
    cannot use support/support/network.bin: its contents are of version 3, not 4
    cannot use support/support/network.bin: it is no net
    "#);
}

#[test]
fn the_oldest_make_room() {
    let (folder, store) = support();
    let size = encode(&KEY, &plan(100)).unwrap().len() as u64;
    let limits = Limits {
        bytes: 3 * size,
        age: Duration::from_secs(1000),
    };
    let store = Store { limits, ..store };
    for (id, seconds) in [(1, 300), (2, 500), (3, 400)] {
        store.save(&with_id(id), &plan(100)).unwrap();
        age(&store.path(&with_id(id)), seconds);
    }
    // Replacing a file needs no additional room.
    store.save(&with_id(1), &plan(100)).unwrap();
    let kept = |ids: &[u64]| {
        for id in 1..=5 {
            let there = store.path(&with_id(id)).exists();
            assert_eq!(there, ids.contains(&id), "{id} of {ids:?}");
        }
    };
    kept(&[1, 2, 3]);
    store.save(&with_id(4), &plan(100)).unwrap();
    kept(&[1, 3, 4]);
    // A cache that can never fit removes no other.
    let error = store.save(&with_id(5), &plan(1000)).unwrap_err();
    assert!(matches!(error, StoreError::NoRoom { .. }), "{error}");
    kept(&[1, 3, 4]);
    age(&store.path(&with_id(4)), 1001);
    store.save(&with_id(3), &plan(1)).unwrap();
    kept(&[1, 3]);
    let one = Limits {
        bytes: size,
        ..limits
    };
    let cache = folder.path().join("cache");
    let left = files::tidy(&System, &cache, &one, 0, None).unwrap();
    kept(&[3]);
    let file = cache.join(with_id(3).file_name());
    assert_eq!(left, fs::metadata(file).unwrap().len());
}

#[test]
fn only_our_own_files_are_swept() {
    let (folder, store) = support();
    store.save(&KEY, &plan(1)).unwrap();
    let cache = folder.path().join("cache");
    let foreign = [
        "README.md",
        "plan-7.bin",
        "plan-00000000000000FF.bin",
        "Plan-0000000000000007.bin",
        "plan-0000000000000007.bin~",
        "-0000000000000007.bin",
        ".store-fresh.tmp",
    ];
    let stale = [".store-left.tmp", "net-00000000000000ff.bin"];
    for name in foreign.iter().chain(&stale) {
        fs::write(cache.join(name), "x").unwrap();
        age(&cache.join(name), 30 * 24 * 60 * 60);
    }
    age(&cache.join(".store-fresh.tmp"), 60);
    // A folder named like a cache.
    fs::create_dir(cache.join("plan-000000000000000a.bin")).unwrap();
    store.save(&KEY, &plan(1)).unwrap();
    let nothing = Limits {
        bytes: 0,
        age: Duration::ZERO,
    };
    assert_eq!(files::tidy(&System, &cache, &nothing, 0, None).unwrap(), 0);
    let mut expected: Vec<&str> = foreign.to_vec();
    expected.extend(["lock", "plan-000000000000000a.bin"]);
    expected.sort();
    assert_eq!(names(&cache), expected);
}

#[test]
fn a_writer_does_not_wait() {
    let (folder, store) = support();
    store.save(&KEY, &plan(1)).unwrap();
    let other = File::open(folder.path().join("cache/lock")).unwrap();
    other.lock().unwrap();
    let error = store.save(&KEY, &plan(2)).unwrap_err();
    assert!(matches!(error, StoreError::Busy(_)), "{error}");
    assert_eq!(
        store.load(&KEY).unwrap(),
        Some(plan(1)),
        "readers need no lock"
    );
    drop(other);
    store.save(&KEY, &plan(2)).unwrap();
    assert_eq!(store.load(&KEY).unwrap(), Some(plan(2)));
}

/// Readers and writers side by side: whole files or none, and only ever busy.
#[test]
fn concurrent_use() {
    let (folder, store) = support();
    store.save(&KEY, &plan(0)).unwrap();
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let store = &store;
            scope.spawn(move || {
                for round in 0..20 {
                    match store.save(&KEY, &plan(1000 * writer + round)) {
                        Ok(()) | Err(StoreError::Busy(_)) => {}
                        Err(error) => panic!("{error}"),
                    }
                    let found: Plan = store.load(&KEY).unwrap().unwrap();
                    assert_eq!(found, plan(found.values.len() as u32));
                }
            });
        }
    });
    assert_eq!(names(&folder.path().join("cache")), ["lock", FILE]);
}

type Anything = (Vec<(u16, bool)>, BTreeMap<u8, String>, Option<Box<[char]>>);

proptest! {
    #[test]
    fn values_survive(game: u64, values: Vec<(u32, u32)>, note: Option<String>, id: u64) {
        let values = values.into_iter().map(|(a, b)| (a, b as f32)).collect();
        let value = Plan { game, values, note };
        let key = with_id(id);
        prop_assert_eq!(decode(&key, &encode(&key, &value).unwrap()), Ok(value));
    }

    /// No change of up to eight bytes in a row goes unnoticed.
    #[test]
    fn damage_is_seen(index: prop::sample::Index, damage in 1u64.., size in 0u32..40) {
        let mut bytes = encode(&KEY, &plan(size)).unwrap();
        let at = index.index(bytes.len());
        let mut changed = false;
        for (byte, flip) in bytes[at..].iter_mut().zip(damage.to_le_bytes()) {
            *byte ^= flip;
            changed |= flip != 0;
        }
        prop_assert_eq!(decode::<Plan>(&KEY, &bytes).is_err(), changed);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(decode::<Anything>(&KEY, &bytes).is_err());
        // The same bytes behind a valid header.
        let sealed = envelope::seal(&KEY, &bytes);
        let _ = decode::<Plan>(&KEY, &sealed);
        if let Ok(value) = decode::<Anything>(&KEY, &sealed) {
            prop_assert_eq!(decode(&KEY, &encode(&KEY, &value).unwrap()), Ok(value));
        }
    }
}
