//! The inputs that fuzzing found and that were kept, tried again.
#![allow(clippy::unwrap_used)]

use laws::TARGETS;
use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Every target has its seeds, which are what `scripts/fuzz` goes by.
#[test]
fn every_target_is_there() {
    let entries = fs::read_dir(root("fuzz/seeds")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let targets = TARGETS.map(|target| target.name.to_owned());
    assert_eq!(names.collect::<BTreeSet<_>>(), targets.into());
}

/// Seeds are small enough to be kept with the sources.
#[test]
fn seeds_are_small() {
    let mut bytes = 0;
    for target in TARGETS {
        for file in fs::read_dir(root("fuzz/seeds").join(target.name)).unwrap() {
            bytes += file.unwrap().metadata().unwrap().len();
        }
    }
    assert!(bytes < 700_000, "{bytes} bytes");
}

/// The laws hold for every seed of every target. The message names all seeds that break one.
#[test]
fn laws_hold_for_every_seed() {
    let mut broken = Vec::new();
    for target in TARGETS {
        let mut files: Vec<_> = fs::read_dir(root("fuzz/seeds").join(target.name))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        assert!(!files.is_empty(), "no seeds of {}", target.name);
        for file in files {
            let input = fs::read(&file).unwrap();
            if catch_unwind(|| (target.check)(&input)).is_err() {
                broken.push(file);
            }
        }
    }
    assert_eq!(broken, Vec::<PathBuf>::new());
}
