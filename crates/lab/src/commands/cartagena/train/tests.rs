//! The record of a run, and the networks that it may start from.

use super::*;
use arena::process::testing::scratch;
use clap::Parser;
use engine::rng;

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

fn args(line: &str) -> Args {
    Line::try_parse_from(["train"].into_iter().chain(line.split(' ')))
        .unwrap()
        .args
}

fn first_stage() -> NetworkFile {
    let shape = Shape {
        players: 3,
        hidden: 32,
    };
    NetworkFile {
        network: Network::random(shape, &mut rng::stream(1, 0)),
        training: TrainingRecord {
            command: "lab cartagena train --players 3".into(),
            seed: 1,
            games: 100,
            seconds: 2.0,
        },
    }
}

/// The options of comparisons reach the trainer and the record. Without them there are no comparisons.
#[test]
fn compared_actions_are_told() {
    let text = "--players 2 --games 10 --deal 3 --hidden 64 --seed 1 --compare 4 --worlds 2 --turns 3 \
                --weight 2.5";
    let args = args(text);
    assert_eq!(args.command(64), format!("lab cartagena train {text}"));
    let config = args.config(2, 64, false);
    let teacher = Teacher {
        actions: 4,
        worlds: 2,
        turns: 3,
    };
    assert_eq!(config.behaviour.teacher, Some(teacher));
    assert_eq!(config.comparison, 2.5);
    let plain = self::args("--players 2").config(2, 64, false);
    assert_eq!(plain.behaviour.teacher, None);
    let alone = Line::try_parse_from(["train", "--worlds", "2"]).unwrap_err();
    assert!(alone.to_string().contains("--compare"), "{alone}");
}

/// Every option that shapes the network is in its record, the previous stage included.
#[test]
fn the_record_repeats_the_run() {
    let file = first_stage();
    let text = "--players 3 --games 12 --deal 3 --hidden 32 --seed 4 --rate 0.001 --round 4 \
                --average 0.2 --lambda 0.6 --exploration 0.05 --from first.net";
    let args = args(text);
    let hidden = args.hidden(Some(&file)).unwrap();
    let lineage = Lineage::of(Some(Path::new("some/where/first.net")), Some(&file));
    assert_eq!(
        format!("{}{}", lineage.commands, args.command(hidden)),
        format!(
            "lab cartagena train --players 3 --out first.net && \
             lab cartagena train {text}"
        )
    );
    assert_eq!(lineage.games, 100);
    let config = args.config(3, hidden, true);
    assert_eq!((config.warm_up, config.round, config.seed), (0, 4, 4));
    let behaviour = config.behaviour;
    assert_eq!(behaviour.exploration, 0.05);
}

/// A run that goes on with other options has both commands in its record, however often it is resumed.
#[test]
fn the_record_has_all_commands_of_a_resumed_run() {
    let out = Path::new("some/where/small.net");
    let [first, second] = ["--games 200", "--games 300"].map(|text| args(text).command(64));
    let resumed = |before: &str, own: &str| {
        let mut lineage = Lineage {
            commands: own.to_owned(),
            ..Lineage::default()
        };
        lineage.resume(before, own, out);
        lineage.commands
    };
    assert_eq!(resumed(&first, &first), first);
    let both = format!("{first} --out small.net && {second} --resume");
    assert_eq!(resumed(&first, &second), both);
    assert_eq!(resumed(&both, &second), both);
}

/// A network that is there stays, unless a run goes on with it or is to replace it.
#[test]
fn a_network_is_not_replaced_by_accident() {
    let (folder, path) = scratch("l0.5");
    first_stage().write(&path).unwrap();
    let line = format!("--players 3 --games 1 --out {}", path.display());
    let refused = args(&line).run().unwrap_err().to_string();
    assert!(
        refused.contains("or replace it with --replace"),
        "{refused}"
    );
    assert_eq!(NetworkFile::read(&path, 3).unwrap(), first_stage());
    // The checkpoint of `l0.9` is not that of `l0.5`.
    std::fs::write(folder.path().join("l0.checkpoint"), "of another run").unwrap();
    let resumed = args(&format!("{line} --resume")).run().unwrap_err();
    assert!(resumed.to_string().contains("l0.5.checkpoint"), "{resumed}");
}

#[test]
fn the_network_to_start_from_says_the_shape_and_is_kept() {
    let file = first_stage();
    assert_eq!(args("--players 3").hidden(Some(&file)).unwrap(), 32);
    assert_eq!(args("--players 3").hidden(None).unwrap(), 64);
    // Units can be added, but none removed.
    assert_eq!(args("--hidden 64").hidden(Some(&file)).unwrap(), 64);
    let mut wide = first_stage();
    wide.network = widened(&wide.network, 64, &mut rng::stream(1, 0));
    let error = args("--hidden 32").hidden(Some(&wide)).unwrap_err();
    assert!(error.to_string().contains("has 64"), "{error}");
    assert!(args("--hidden 40").hidden(None).is_err());

    let (folder, path) = scratch("first.net");
    file.write(&path).unwrap();
    let args = args("--players 3");
    let same = folder.path().join(".").join("first.net");
    let error = args.source(&path, &same).unwrap_err();
    assert!(error.to_string().contains("the same file"), "{error}");
    let other = folder.path().join("second.net");
    assert_eq!(args.source(&path, &other).unwrap(), file);
    for (option, wrong, expected) in [
        ("--exploration", "1.5", "from 0 to 1"),
        ("--games", "0", "not in 1.."),
        ("--minutes", "0", "from 0.001 to"),
        ("--deal", "0", "from 1 to 51"),
        ("--deal", "99999999999999999999", "from 1 to 51"),
        ("--round", "0", "from 1 to"),
    ] {
        let refused = Line::try_parse_from(["train", option, wrong]).unwrap_err();
        assert!(refused.to_string().contains(expected), "{refused}");
    }
}

/// A burst of random actions replaces single ones.
#[test]
fn a_burst_is_recorded() {
    let args = args("--players 2 --games 12 --burst 4 --lambda 0.9");
    assert!(args.command(64).ends_with(" --lambda 0.9 --burst 4"));
    let behaviour = args.config(2, 64, false).behaviour;
    assert_eq!((behaviour.burst, behaviour.exploration), (4, 0.0));
    let usual = self::args("--players 2").config(2, 64, false).behaviour;
    let none = self::args("--burst 0").config(2, 64, false).behaviour;
    assert_eq!(none.exploration, usual.exploration);
    let both = ["train", "--burst", "4", "--exploration", "0.1"];
    assert!(Line::try_parse_from(both).is_err());
}
