//! The options of `contest eights tournament` and `contest hearts tournament` that other contests do not have.

use crate::tournament::commands::RulesArgs;
use crate::tricks::table::WholeGame;
use crate::tricks::tournament::RoundRules;
use clap::Args as ClapArgs;
use std::marker::PhantomData;

/// The rules of the games.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args<G: WholeGame> {
    /// Rounds of a game [default: as many as it takes to the contest's points]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game_rounds: Option<u64>,
    #[arg(skip)]
    contest: PhantomData<fn() -> G>,
}

impl<G: WholeGame> RulesArgs for Args<G> {
    type Rules = RoundRules<G>;

    fn asked(&self) -> anyhow::Result<Option<u64>> {
        Ok(self.game_rounds)
    }
}
