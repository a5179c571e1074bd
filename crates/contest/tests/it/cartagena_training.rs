//! `contest cartagena train` with its actors, as processes.

use crate::programs::CONTEST;
use cartagena::evaluation::{Network, NetworkFile};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A run of 1,200 games in ten waves.
const OPTIONS: &str =
    "--players 2 --games 1200 --hidden 32 --round 6 --wave 120 --burst 4 --threads 1";

/// A process that does not outlive the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(arguments: &str, folder: &Path) -> Running {
    let mut command = Command::new(CONTEST);
    let command = command
        .arg("cartagena")
        .args(arguments.split(' '))
        .current_dir(folder);
    Running(command.stderr(Stdio::null()).spawn().unwrap())
}

fn actors(count: u16, folder: &Path) -> Vec<Running> {
    let shards = 1..=count;
    let start = |shard| format!("self-play some.shards --shard {shard} --threads 1");
    shards
        .map(|shard| self::start(&start(shard), folder))
        .collect()
}

fn learn(count: u16, more: &str, folder: &Path) -> Output {
    Command::new(CONTEST)
        .args(["cartagena", "train"])
        .args(OPTIONS.split(' '))
        .args(["--out", "some.net", "--shards", &count.to_string()])
        .args(more.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

fn network(folder: &Path) -> Network {
    NetworkFile::read(&folder.join("some.net"), 2)
        .unwrap()
        .network
}

/// One actor and two make the same network, and so does a learner that was killed on the way and an actor that was: all
/// end by themselves.
#[test]
fn actors_and_a_learner_train_the_same_network() {
    let one = tempfile::tempdir().unwrap();
    let mut playing = actors(1, one.path());
    let output = learn(1, "", one.path());
    assert!(output.status.success(), "{output:?}");
    assert!(playing[0].0.wait().unwrap().success());

    let two = tempfile::tempdir().unwrap();
    let mut playing = actors(2, two.path());
    let options = format!("train {OPTIONS} --out some.net --shards 2");
    let mut learner = start(&options, two.path());
    // A network after the first two is one that has learnt; all are gone when the run is over.
    let learnt = two.path().join("some.shards/wave-3.network");
    while !learnt.exists() && learner.0.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    drop(learner);
    playing.truncate(1);
    playing.push(start(
        "self-play some.shards --shard 2 --threads 1",
        two.path(),
    ));
    let output = learn(2, "--resume", two.path());
    assert!(output.status.success(), "{output:?}");
    for actor in &mut playing {
        assert!(actor.0.wait().unwrap().success());
    }
    assert_eq!(network(one.path()), network(two.path()));
    // What an actor that was killed while it wrote leaves behind is no file of a wave.
    let is_wave = |name: &str| name.starts_with("wave-");
    let left = std::fs::read_dir(two.path().join("some.shards")).unwrap();
    let left = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(left.filter(|name| is_wave(name)).count(), 0);
}

/// What cannot be is said, and nothing is begun.
#[test]
fn runs_that_cannot_be_shared_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (more, said) in [
        ("--resume", "some.checkpoint"),
        (
            "--round 7",
            "120 games to a wave: expected a multiple of the 7",
        ),
    ] {
        let mut command = Command::new(CONTEST);
        let options = OPTIONS.replace("--round 6 ", "");
        let output = command
            .args(["cartagena", "train", "--out", "some.net", "--shards", "2"])
            .args(options.split(' '))
            .args(more.split(' '))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && text.contains(said), "{text}");
        assert!(!folder.path().join("some.net").exists());
    }
}
