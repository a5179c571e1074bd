//! Training runs shared by a learner and actors: in one piece and with stops, with one actor and with several.

use super::super::checkpoint;
use super::super::comparison::Teacher;
use super::super::trainer::Trainer;
use super::*;
use arena::process::testing::scratch;
use cartagena::evaluation::Network;
use std::fs;
use std::path::Path;

/// Four waves, the last of which is short. The games that the heuristic plays end within the second.
fn plan(shards: u16) -> Plan {
    let mut config = Config::new(3, Budget::Games(28));
    config.hidden = 32;
    config.round = 4;
    config.warm_up = 12;
    config.behaviour.exploration = 0.0;
    config.behaviour.burst = 3;
    config.behaviour.teacher = Some(Teacher {
        actions: 3,
        worlds: 1,
        turns: 1,
    });
    Plan {
        config,
        wave: 8,
        shards,
    }
}

fn begin(path: &Path, plan: &Plan) -> Result<Learner, ShardError> {
    let trainer = Trainer::new(plan.config.clone());
    let learner = Learner::begin(Folder::new(path), plan.clone(), trainer)?;
    learner.announce()?;
    Ok(learner)
}

fn actors(path: &Path, plan: &Plan) -> Vec<Actor> {
    let join = |shard| Actor::join(&Folder::new(path), shard).unwrap().unwrap();
    (1..=plan.shards).map(join).collect()
}

/// Lets each actor play until it has to wait for the learner.
fn play_on(actors: &[Actor]) {
    for actor in actors {
        while let Next::Play(wave) = actor.next().unwrap() {
            assert!(actor.play(wave).unwrap().games > 0);
        }
    }
}

fn trained(plan: &Plan) -> Network {
    let folder = tempfile::tempdir().unwrap();
    let mut learner = begin(folder.path(), plan).unwrap();
    let actors = actors(folder.path(), plan);
    while !learner.is_over() {
        play_on(&actors);
        learner.learn().unwrap();
        learner.tidy().unwrap();
    }
    assert!(actors.iter().all(|a| a.next().unwrap() == Next::Stop));
    assert_eq!(learner.trainer().games(), 28);
    learner.trainer().network().clone()
}

/// The network does not depend on the number of shards, nor on which actor is faster. Until something has been
/// learnt, a wave counts the same games as a run without shards.
#[test]
fn shards_do_not_change_the_network() {
    let one = trained(&plan(1));
    assert_eq!(one, trained(&plan(3)));
    assert_ne!(one, *Trainer::new(plan(1).config).network());

    let mut short = plan(2);
    short.config.budget = Budget::Games(8);
    let folder = tempfile::tempdir().unwrap();
    let mut learner = begin(folder.path(), &short).unwrap();
    play_on(&actors(folder.path(), &short));
    let shared = learner.learn().unwrap();
    let mut config = short.config.clone();
    config.round = 8;
    let mut alone = super::super::Progress::default();
    Trainer::new(config).round(&mut alone);
    let counts = |p: super::super::Progress| (p.games, p.actions, p.samples, p.stopped);
    assert_eq!(counts(shared), counts(alone));
}

/// A learner that is stopped between two waves goes on as if it had not been, and so do actors. Waves that have
/// been learnt are removed.
#[test]
fn a_run_goes_on_after_stops() {
    let plan = plan(2);
    let (folder, path) = scratch("run");
    let saved = folder.path().join("some.checkpoint");
    let mut learner = begin(&path, &plan).unwrap();
    checkpoint::write(&saved, learner.trainer()).unwrap();
    for stop in 0.. {
        play_on(&actors(&path, &plan));
        learner.learn().unwrap();
        // Stops come before the checkpoint, after it, and after the folder is tidy.
        if stop % 3 > 0 {
            checkpoint::write(&saved, learner.trainer()).unwrap();
        }
        if stop % 3 > 1 {
            learner.tidy().unwrap();
        }
        drop(learner);
        let trainer = checkpoint::read(&saved, plan.config.clone()).unwrap();
        learner = Learner::resume(Folder::new(&path), plan.clone(), trainer).unwrap();
        let waves = Folder::new(&path).waves().unwrap();
        assert!(
            waves.iter().all(|&wave| wave >= learner.wave()),
            "{waves:?}"
        );
        if learner.is_over() {
            break;
        }
    }
    assert_eq!(*learner.trainer().network(), trained(&plan));
    let mut left: Vec<_> = fs::read_dir(&path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["learner.lock", "training.run"]);
}

fn said<T>(result: Result<T, ShardError>) -> String {
    match result {
        Ok(_) => panic!("not refused"),
        Err(error) => error.to_string(),
    }
}

/// A file that does not fit is refused, with its name and the reason.
#[test]
fn what_does_not_fit_is_refused() {
    let plan = plan(2);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let mut odd = plan.clone();
    odd.wave = 10;
    assert!(said(begin(path, &odd)).contains("10 games to a wave"));
    odd = plan.clone();
    odd.config.budget = Budget::Time(std::time::Duration::from_secs(1));
    assert!(said(begin(path, &odd)).contains("number of games"));
    odd.config.budget = Budget::Games(0);
    assert!(said(begin(path, &odd)).contains("0 games"));
    assert!(Actor::join(&Folder::new(path), 1).unwrap().is_none());

    let mut learner = begin(path, &plan).unwrap();
    assert!(said(begin(path, &plan)).contains("another learner"));
    for shard in [0, 3] {
        let joined = Actor::join(&Folder::new(path), shard);
        assert!(said(joined).contains("has 2, from 1"));
    }
    assert_eq!(learner.missing(), [1, 2]);
    let actors = actors(path, &plan);
    actors[0].play(0).unwrap();
    assert_eq!(learner.missing(), [2]);
    // Another shard's games under this one's name.
    let (one, two) = (path.join("wave-0.1.samples"), path.join("wave-0.2.samples"));
    fs::copy(&one, &two).unwrap();
    let text = said(learner.learn());
    assert!(
        text.contains("wave-0.2") && text.contains("not those of the shard"),
        "{text}"
    );
    fs::write(&two, b"nothing").unwrap();
    let text = said(learner.learn());
    assert!(
        text.contains("wave-0.2") && text.contains("is removed"),
        "{text}"
    );
    fs::remove_file(&two).unwrap();
    assert_eq!(actors[1].next().unwrap(), Next::Play(0));
    play_on(&actors);
    learner.learn().unwrap();

    // A wave that has been removed by now is ignored.
    checkpoint::write(&path.join("some.checkpoint"), learner.trainer()).unwrap();
    learner.tidy().unwrap();
    assert_eq!(actors[0].play(0).unwrap().games, 0);
    drop(learner);
    let trainer = || {
        let path = path.join("some.checkpoint");
        checkpoint::read(&path, plan.config.clone()).unwrap()
    };
    assert!(said(begin(path, &plan)).contains("--resume"));
    let resume = |plan: &Plan, trainer| Learner::resume(Folder::new(path), plan.clone(), trainer);
    odd = plan.clone();
    odd.wave = 16;
    assert!(said(resume(&odd, trainer())).contains("other settings"));
    fs::remove_file(path.join("wave-1.network")).unwrap();
    assert!(said(resume(&plan, trainer())).contains("not there"));
    let run = Run {
        version: "0.0.0".to_owned(),
        plan: plan.clone(),
        is_over: false,
    };
    Folder::new(path).write_run(&run).unwrap();
    assert!(said(Actor::join(&Folder::new(path), 1)).contains("version 0.0.0"));
    assert!(said(resume(&plan, trainer())).contains("another version"));
    let other = folder.path().join("other");
    assert!(
        said(Learner::resume(
            Folder::new(&other),
            plan.clone(),
            trainer()
        ))
        .contains("no run")
    );
}
