//! Tests of the old names of commands that now belong to the program `lab`.

use super::programs::{CONTEST, Command};

/// An old name says where the command is now, whatever follows it, and does nothing.
#[test]
fn old_spellings_name_the_new_command() {
    for (old, rest) in [
        ("cartagena self-play", "folder --shard 1"),
        ("cartagena train", "--help"),
        ("challenge solve", "--never=heard -x -- y"),
        ("eights inference", ""),
        ("hearts train", "rounds.jsonl"),
    ] {
        let mut contest = Command::new(CONTEST);
        contest.args(old.split(' ')).args(rest.split_whitespace());
        let expected = format!("contest: this is \"lab {old}\" now\n");
        assert_eq!(contest.said(2), [String::new(), expected]);
    }
}
