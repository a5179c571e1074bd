//! `lab cartagena train` and its actors as separate processes.

use super::programs::{Process, lab_in, says, until};
use cartagena::evaluation::{Network, NetworkFile, Shape, TrainingRecord};
use engine::rng::stream;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

/// A run of sixteen waves from a network, so that all games are played by networks.
const OPTIONS: &str = "--players 2 --games 480 --round 6 --wave 60 --burst 4 --threads 1";
/// A folder with a network to start from.
fn place() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let shape = Shape {
        players: 2,
        hidden: 32,
    };
    let file = NetworkFile {
        network: Network::random(shape, &mut stream(1, 0)),
        training: TrainingRecord::default(),
    };
    file.write(&folder.path().join("first.net")).unwrap();
    folder
}

fn start(arguments: &str, folder: &Path) -> Process {
    let mut lab = lab_in(folder, &format!("cartagena {arguments}"));
    lab.stderr(Stdio::null()).spawn().unwrap()
}

fn actor(shard: u16, folder: &Path) -> Process {
    let arguments = format!("self-play some.shards --shard {shard} --threads 1");
    start(&arguments, folder)
}

fn learner(count: u16, more: &str, folder: &Path) -> Process {
    let out = format!("--from first.net --out some.net --shards {count}{more}");
    start(&format!("train {OPTIONS} {out}"), folder)
}

fn network(folder: &Path) -> Network {
    let file = NetworkFile::read(&folder.join("some.net"), 2);
    file.unwrap().network
}

/// Waits for all processes, which must end by themselves and without an error.
fn end(processes: Vec<Process>) {
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
}

/// One actor and two actors make the same network, also if the learner and an actor are killed on the way.
#[test]
fn actors_and_a_learner_train_the_same_network() {
    let one = place();
    end(vec![learner(1, "", one.path()), actor(1, one.path())]);

    let two = place();
    let mut playing = vec![actor(1, two.path()), actor(2, two.path())];
    let mut killed = learner(2, "", two.path());
    // This network is written only after the learner has learnt from a wave.
    let learnt = two.path().join("some.shards/wave-3.network");
    until("the learner has learnt", || learnt.exists());
    assert!(killed.try_wait().unwrap().is_none());
    drop(killed);
    playing.truncate(1);
    playing.push(actor(2, two.path()));
    playing.insert(0, learner(2, " --resume", two.path()));
    end(playing);
    assert_eq!(network(one.path()), network(two.path()));
    let is_wave = |name: &str| name.starts_with("wave-");
    let left = std::fs::read_dir(two.path().join("some.shards")).unwrap();
    let left = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(left.filter(|name| is_wave(name)).count(), 0);
}

/// Impossible settings are reported, and nothing is begun.
#[test]
fn runs_that_cannot_be_shared_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (more, said) in [
        ("--resume", "some.checkpoint"),
        (
            "--round 7",
            "60 games to a wave: expected a multiple of the 7",
        ),
    ] {
        let options = OPTIONS.replace("--round 6 ", "");
        let words = format!("cartagena train --out some.net --shards 2 {options} {more}");
        says(&lab_in(folder.path(), &words).told(1), said);
        assert!(!folder.path().join("some.net").exists());
    }
    // Before hours of work, which could not be stored.
    let train = "cartagena train --players 2 --games 1000000 --out .";
    let told = lab_in(folder.path(), train).told(2);
    says(&told, "--out: cannot write");
}
