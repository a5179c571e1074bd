//! The networks that come with the package.

use cartagena::evaluation::{NetworkEvaluator, NetworkFile};
use lab::cartagena::training::{Policy, play_match};
use seats::cartagena::setups::Setups;
use std::fs;
use std::path::{Path, PathBuf};

fn support() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../support")
}

/// The networks load (format, features and shape are right), say how they were made, and play better without
/// look-ahead than the heuristic that taught the first stage.
#[test]
fn every_number_of_players_has_a_network_that_plays() {
    // The least shares of games that a network must win with the heuristic in all other seats. The networks reach
    // far more.
    for (players, least) in [(2, 0.75), (3, 0.45), (4, 0.33), (5, 0.25), (6, 0.2)] {
        let path = support().join(NetworkFile::name(players));
        let file = NetworkFile::read(&path, players).unwrap();
        let command = format!("contest cartagena train --players {players} ");
        assert!(
            file.training.command.starts_with(&command),
            "{}",
            file.training.command
        );
        assert!(file.training.games > 0);
        let network = NetworkEvaluator::new(&file.network);
        let setups = Setups::new(players, &[3, 6], 0.0);
        let result = play_match(
            Policy::Network(&network),
            Policy::Heuristic,
            &setups,
            300 / players,
            77,
        );
        assert!(result.share >= least, "{players} players: {result}");
    }
}

#[test]
fn tables_stay_small() {
    let sizes: Vec<u64> = fs::read_dir(support())
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap())
        .filter(|metadata| metadata.is_file())
        .map(|metadata| metadata.len())
        .collect();
    assert!(sizes.len() >= 5);
    assert!(sizes.iter().all(|&size| size < 8 << 20), "{sizes:?}");
    assert!(sizes.iter().sum::<u64>() < 60_000_000, "{sizes:?}");
}
