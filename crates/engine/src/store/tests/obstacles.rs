//! Obstacles to loading and saving.

use super::*;

/// Each row: an obstacle, and the messages of loading and saving.
#[test]
fn what_stands_in_the_way_is_an_error() {
    let mut messages = String::new();
    let mut check = |name: &str, prepare: &dyn Fn(&Path)| {
        let (folder, _) = support();
        let path = folder.path().join("support");
        prepare(&path);
        let store = Store::open(&path);
        let load = match store.load::<Plan>(&KEY) {
            Ok(found) => format!("{found:?}"),
            Err(error) => message(&error, &path),
        };
        let save = store.save(&KEY, &plan(1)).unwrap_err();
        messages += &format!(
            "{name}\n  load: {load}\n  save: {}\n",
            message(&save, &path)
        );
        let cache = path.join("cache");
        if cache.is_dir() {
            let litter = names(&cache).into_iter().filter(|n| n.ends_with(".tmp"));
            assert_eq!(litter.count(), 0);
        }
    };
    check("a file for support", &|p| fs::write(p, "").unwrap());
    check("a file for the cache", &|p| {
        fs::create_dir(p).unwrap();
        fs::write(p.join("cache"), "").unwrap();
    });
    check("a folder for the lock", &|p| {
        fs::create_dir_all(p.join("cache/lock")).unwrap();
    });
    check("a folder for the file", &|p| {
        fs::create_dir_all(p.join("cache").join(FILE).join("x")).unwrap();
    });
    insta::assert_snapshot!(messages, @r#"
    a file for support
      load: cannot read support/cache/plan-0000000000000007.bin: Not a directory (os error 20)
      save: cannot create support/cache: Not a directory (os error 20)
    a file for the cache
      load: cannot read support/cache/plan-0000000000000007.bin: Not a directory (os error 20)
      save: cannot create support/cache: File exists (os error 17)
    a folder for the lock
      load: None
      save: support/cache/lock is not a regular file
    a folder for the file
      load: support/cache/plan-0000000000000007.bin is not a regular file
      save: cannot replace support/cache/plan-0000000000000007.bin: Is a directory (os error 21)
    "#);
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_folder_and_a_device() {
    use std::os::unix::fs::symlink;
    // Not even root can create a folder there.
    let store = Store::open(Path::new("/proc/self"));
    assert_eq!(store.load::<Plan>(&KEY).unwrap(), None);
    let error = store.save(&KEY, &plan(1)).unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::Io {
                doing: "create",
                ..
            }
        ),
        "{error}"
    );
    // Reading a device could go on for ever.
    let (folder, store) = support();
    let cache = folder.path().join("cache");
    fs::create_dir(&cache).unwrap();
    symlink("/dev/zero", cache.join(FILE)).unwrap();
    assert!(matches!(
        store.load::<Plan>(&KEY),
        Err(StoreError::NotAFile(_))
    ));
    store.save(&KEY, &plan(1)).unwrap();
    assert_eq!(
        store.load(&KEY).unwrap(),
        Some(plan(1)),
        "the link was replaced"
    );
}

/// A file of another kind is refused by its header, and no more of it is read: a huge file would need as much
/// memory.
#[cfg(target_os = "linux")]
#[test]
fn no_more_than_the_head_of_a_foreign_file_is_read() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("network.bin");
    let size = MAX_PAYLOAD as u64;
    let good = encode(&table(PLAN), &plan(1)).unwrap();
    let read = || {
        let io = fs::read_to_string("/proc/thread-self/io").unwrap();
        let line = io.lines().find_map(|line| line.strip_prefix("rchar: "));
        line.unwrap().parse::<u64>().unwrap()
    };
    for (head, told) in [
        (&b"foreign"[..], "it is not a file of this program"),
        (&good[..8], "its header is of version 0, not 1"),
        (&good[..56], "it has 268435456 bytes where its header says"),
    ] {
        fs::write(&path, head).unwrap();
        // All but the head is a hole.
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(size).unwrap();
        let before = read();
        let error = read_table::<Plan>(&path, PLAN).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
        let bytes = read() - before;
        assert!(bytes < 1 << 16, "{bytes} bytes were read");
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_folder() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, store) = support();
    store.save(&KEY, &plan(1)).unwrap();
    let cache = folder.path().join("cache");
    let allow = |mode| fs::set_permissions(&cache, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    // Root may write there all the same; then there is nothing to test.
    if File::create(cache.join("probe")).is_err() {
        let error = store.save(&KEY, &plan(2)).unwrap_err();
        assert!(matches!(error, StoreError::Io { .. }), "{error}");
        assert_eq!(store.load(&KEY).unwrap(), Some(plan(1)));
        let elsewhere = Key {
            fingerprint: 1,
            ..KEY
        };
        match store.load::<Plan>(&elsewhere) {
            Err(StoreError::Discarded { removed, .. }) => assert!(!removed),
            other => panic!("{other:?}"),
        }
    }
    allow(0o755);
}

#[cfg(unix)]
#[test]
fn other_users_may_read() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, store) = support();
    store.save(&KEY, &plan(1)).unwrap();
    // Whatever the process's mask is, an ordinary new file has the same mode.
    let ordinary = folder.path().join("ordinary");
    fs::write(&ordinary, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&store.path(&KEY)), mode(&ordinary));
}
