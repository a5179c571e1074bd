//! Writes arguments so that a printed command can be pasted into a shell.

use std::borrow::Cow;
use std::path::Path;

/// A path as an argument: quoted if a shell would interpret it, and with `./` in front if it would be an option.
pub fn argument(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = match text.starts_with('-') {
        true => Cow::Owned(format!("./{text}")),
        false => text,
    };
    word(&text)
}

/// A text as one word of a shell, quoted if a shell would interpret it.
pub fn word(text: &str) -> String {
    // Nothing quotes a zero byte, which no argument has.
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_path_back() {
        for path in [
            "cup",
            "a cup",
            "it's",
            "-cup",
            "$(reboot)",
            "a;b",
            "ü",
            "/x/y z",
        ] {
            let command = format!("contest rate {}", argument(Path::new(path)));
            let words = shlex::split(&command).unwrap();
            let expected = path
                .strip_prefix('-')
                .map_or(path.to_owned(), |rest| format!("./-{rest}"));
            assert_eq!(words, ["contest", "rate", &expected]);
        }
        assert_eq!(argument(Path::new("my/cup")), "my/cup");
    }
}
