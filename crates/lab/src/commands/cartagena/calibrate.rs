//! `lab cartagena calibrate`: plays games, and prints by phase of the game how far a network's values are from the
//! outcomes. `cartagena::truth` computes the numbers.

use crate::cartagena::truth::{calibration, phase_name};
use anyhow::Result;
use arena::participant::{BuiltinError, Spec};
use arena::text_table::{Column, TextTable, percent};
use cartagena::evaluation::NetworkEvaluator;
use clap::Args as ClapArgs;
use seats::cartagena::players::builtin::recipe;
use seats::cartagena::setups::Setups;
use seats::cli::Usage;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The player on all seats (`NAME[,key=value…]`) [default: the network whose values are
    /// compared, without looking ahead]
    player: Option<String>,
    /// Number of players, 2 to 6
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// Games whose outcomes are compared with the values
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    games: u64,
    /// The folder of the network whose values are compared with outcomes, instead of the program's
    #[arg(long, value_name = "FOLDER")]
    network: Option<PathBuf>,
    /// Seed of boards, decks and players
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let players = usize::from(self.players);
        let recipe = recipe(&self.player().map_err(Usage::of)?).map_err(Usage::of)?;
        let file = super::network(self.network.as_deref(), players)?;
        // Standard boards, with deals of three and six cards.
        let setups = Setups::new(players, &[3, 6], 0.0);
        let network = NetworkEvaluator::new(&file.network);
        let phases = calibration(&network, &recipe, &setups, self.games as usize, self.seed);
        let mut table = TextTable::new([
            Column::left("actions a player", 0),
            Column::right("games", 0),
            Column::right("predicted − outcome, %", 0),
            Column::right("± 95 %", 0),
        ]);
        for (i, phase) in phases.iter().enumerate() {
            table.push([
                phase_name(i),
                phase.count().to_string(),
                percent((phase.count() > 0).then(|| phase.mean()), 2),
                percent(phase.margin(), 2),
            ]);
        }
        line!("{table}")?;
        Ok(())
    }

    /// The player that is asked for, or else the compared network itself: outcomes of another
    /// network's play would say little of its values.
    fn player(&self) -> Result<Spec, BuiltinError> {
        if let Some(player) = &self.player {
            return player.parse();
        }
        // One node and one candidate: the network alone, without search.
        let mut spec: Spec = "runme,nodes=1,candidates=1".parse()?;
        if let Some(folder) = &self.network {
            // The name may have a comma, which would separate settings in a text.
            let folder = folder.display().to_string();
            spec.settings.add("network", Some(folder))?;
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    /// The network to be examined also plays, unless a player is named.
    #[test]
    fn a_network_is_compared_with_its_own_games() {
        let player = |line: &[&str]| {
            let line = [&["calibrate"], line].concat();
            Line::try_parse_from(line).unwrap().args.player().unwrap()
        };
        let spec = |text: &str| text.parse::<Spec>().unwrap();
        assert_eq!(player(&[]), spec("runme,nodes=1,candidates=1"));
        let own = player(&["--network", "A,b"]);
        assert_eq!(
            (own.name.as_str(), own.settings.iter().count()),
            ("runme", 3)
        );
        assert_eq!(own.settings.iter().last(), Some(("network", Some("A,b"))));
        let other = player(&["--network", "some/where", "hoarder"]);
        assert_eq!(other, spec("hoarder"));
    }
}
