//! `contest challenge replay`: shows the games of a file on the contest's web page, without a contest.

use crate::Usage;
use anyhow::Context;
use arena::plain_text::counted;
use challenge::program::stop;
use challenge_server::web::{self, Archive, Site};
use clap::Args as ClapArgs;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::PathBuf;

/// Shows recorded games in a browser, until stopped.
///
/// The file is that of a match or a contest, and may still grow.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The games, one a line
    file: PathBuf,
    /// The page's port; with 0 any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    web_port: u16,
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let archive = Archive::open(&self.file).map_err(Usage::of)?;
        let listener = TcpListener::bind((self.bind, self.web_port))
            .with_context(|| format!("cannot listen on {} port {}", self.bind, self.web_port))?;
        let games = archive.len();
        let site = Site {
            title: format!("Games of {}", self.file.display()),
            names: BTreeMap::new(),
            archive,
            snapshots: None,
            reserved: 0,
        };
        let address = web::serve(listener, site).context("cannot start the page")?;
        line!("{}: http://{address}/", counted(games, "game"))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start")?;
        runtime.block_on(stop())
    }
}
