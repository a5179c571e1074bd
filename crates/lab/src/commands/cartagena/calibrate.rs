//! `lab cartagena calibrate`: plays games, and prints by phase of the game how far a network's values are from the
//! outcomes. `cartagena::truth` computes the numbers.

use super::truth::percent;
use crate::cartagena::truth::{calibration, phase_name};
use anyhow::Result;
use arena::text_table::{Column, TextTable};
use cartagena::evaluation::NetworkEvaluator;
use clap::Args as ClapArgs;
use seats::cartagena::players::builtin::recipe_of;
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
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
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
        let recipe = recipe_of(&self.player()).map_err(|error| Usage::new(error.to_string()))?;
        let file = super::network(self.network.as_deref(), players)?;
        // Standard boards, with deals of three and six cards.
        let setups = Setups {
            players,
            deals: vec![3, 6],
            other_lengths: 0.0,
        };
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
                phase.games.to_string(),
                percent(Some(phase.bias), 2),
                percent(phase.margin, 2),
            ]);
        }
        for text in table.lines() {
            line!("{text}")?;
        }
        Ok(())
    }

    /// The player that is asked for, or else the compared network itself: outcomes of another
    /// network's play would say little of its values.
    fn player(&self) -> String {
        let network = self.network.as_ref();
        let own = || {
            let network = network.map(|folder| format!(",network={}", folder.display()));
            // One node and one candidate: the network alone, without search.
            format!("runme,nodes=1,candidates=1{}", network.unwrap_or_default())
        };
        self.player.clone().unwrap_or_else(own)
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
            Line::try_parse_from(line).unwrap().args.player()
        };
        assert_eq!(player(&[]), "runme,nodes=1,candidates=1");
        let own = player(&["--network", "some/where"]);
        assert_eq!(own, "runme,nodes=1,candidates=1,network=some/where");
        assert_eq!(player(&["--network", "some/where", "hoarder"]), "hoarder");
    }
}
