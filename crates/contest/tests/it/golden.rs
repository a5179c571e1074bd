//! Compares texts with files in `tests/data`, so that any change of them is noticed. With `GOLDEN=write` in
//! the environment a test writes its file anew instead.

use std::path::Path;

/// Compares a text with a file in `tests/data`, or writes the file if the environment asks for it.
#[track_caller]
pub(crate) fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let path = path.join(name);
    if std::env::var_os("GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&path, text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    let different = text.lines().zip(golden.lines()).enumerate();
    for (i, (now, then)) in different {
        assert_eq!(now, then, "{name}, line {}", i + 1);
    }
    assert_eq!(text.len(), golden.len(), "{name}: one ends earlier");
}
