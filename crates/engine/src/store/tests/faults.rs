//! Faults at every call to the operating system: the disk then has the old state or the new one, and nothing
//! between.

use super::*;
use crate::disk::{Faulty, Then};

/// Fewer calls than any save makes. The test fails if the faulty disk sees no more, as calls then bypass it.
const CALLS: usize = 10;

/// A save replaces a cache and removes an old file, with a fault at each call.
#[test]
fn a_save_is_done_or_not_whatever_fails() {
    for then in [Then::Works, Then::Fails] {
        let tried = Faulty::each(then, |disk| {
            let (folder, sound) = support();
            sound.save(&KEY, &plan(40)).unwrap();
            sound.save(&with_id(9), &plan(2)).unwrap();
            age(&sound.path(&with_id(9)), 30 * 24 * 60 * 60);
            let saved = Store::on(disk.clone(), folder.path()).save(&KEY, &plan(50));
            let found: Plan = sound.load(&KEY).unwrap().unwrap();
            match saved {
                Ok(()) => assert_eq!(found, plan(50)),
                Err(error) => {
                    assert_eq!(found, plan(40), "{error}");
                    let text = message(&error, folder.path());
                    assert!(text.starts_with("cannot ") && disk.has_failed(), "{text}");
                }
            }
            let litter = names(&folder.path().join("cache"));
            let litter = litter.iter().filter(|name| name.ends_with(".tmp"));
            assert_eq!(litter.count(), 0, "a temporary file is left");
            sound.save(&KEY, &plan(60)).unwrap();
            assert_eq!(
                sound.load(&KEY).unwrap(),
                Some(plan(60)),
                "the lock is free"
            );
        });
        assert!(tried > CALLS, "{tried} calls");
    }
}

/// A cache that could not be read because of a fault is not removed.
#[test]
fn what_cannot_be_read_is_not_thrown_away() {
    let tried = Faulty::each(Then::Fails, |disk| {
        let (folder, sound) = support();
        sound.save(&KEY, &plan(40)).unwrap();
        match Store::on(disk.clone(), folder.path()).load::<Plan>(&KEY) {
            Ok(found) => assert_eq!(found, Some(plan(40))),
            Err(error) => assert!(matches!(error, StoreError::Io { .. }), "{error}"),
        }
        assert_eq!(sound.load(&KEY).unwrap(), Some(plan(40)));
    });
    assert_eq!(
        tried, 6,
        "its size, its opening, its size then, its head, its bytes"
    );
}

/// A damaged cache that cannot be removed says so.
#[test]
fn what_does_not_fit_may_have_to_stay() {
    let mut removals = Vec::new();
    Faulty::each(Then::Works, |disk| {
        let (folder, sound) = support();
        sound.save(&KEY, &plan(40)).unwrap();
        fs::write(sound.path(&KEY), "damaged").unwrap();
        match Store::on(disk.clone(), folder.path()).load::<Plan>(&KEY) {
            Err(StoreError::Discarded { removed, .. }) => {
                removals.push(removed);
                assert_eq!(sound.path(&KEY).exists(), !removed);
            }
            other => assert!(matches!(other, Err(StoreError::Io { .. })), "{other:?}"),
        }
    });
    assert_eq!(removals, [false, true]);
}

/// A table is old or new. A fault after the rename is still reported, although the new table is complete.
#[test]
fn a_table_is_written_or_not_whatever_fails() {
    for then in [Then::Works, Then::Fails] {
        let tried = Faulty::each(then, |disk| {
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("tables/plan.table");
            write_table(&path, PLAN, &plan(40)).unwrap();
            let written = write_table_on(disk, &path, PLAN, &plan(50));
            let found: Plan = read_table(&path, PLAN).unwrap();
            assert!(found == plan(40) || found == plan(50));
            if written.is_ok() {
                assert_eq!(found, plan(50));
            }
            assert_eq!(names(&folder.path().join("tables")), ["plan.table"]);
        });
        assert_eq!(
            tried, 8,
            "folder, temporary file, bytes, sync, rename, two for the folder"
        );
    }
}
