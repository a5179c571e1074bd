//! Command-line options for the confinement of the programs that `lab` and `contest` call.

use super::{Usage, shell};
use arena::process::{Abilities, Confinement, Isolation, hide_this_process, let_programs_ponder};
use clap::Args;
use std::path::{Path, PathBuf};

/// The options of commands that call programs.
#[derive(Clone, Debug, Args)]
pub struct IsolationArgs {
    /// Whether programs are kept away from files, the network and processes that are not theirs: best (as
    /// far as this system can), require (wholly, or no program is called) or none
    #[arg(long, default_value = "best", value_name = "HOW")]
    isolate: Isolation,
    /// A file or folder that programs may read besides their own and the system's, such as that of an
    /// interpreter; can be given again
    #[arg(long = "allow", value_name = "PATH")]
    readable: Vec<PathBuf>,
    /// Let programs that stay running think while they are not asked; otherwise they are paused then
    #[arg(long)]
    ponder: bool,
}

impl IsolationArgs {
    /// The confinement of programs that communicate over standard streams or pipes. If there are `any` such
    /// programs, a line on standard error says how far the confinement goes. They must not read `secrets`, such as the
    /// record of the games and the file with their seed.
    ///
    /// # Errors
    /// Wrong usage if confinement is required and this system cannot do it wholly, a path to be
    /// read does not exist, or a secret lies where all programs may read.
    pub fn confinement(
        &self,
        any: bool,
        secrets: &[Option<&Path>],
    ) -> anyhow::Result<Option<Confinement>> {
        self.made_of(any, secrets, Abilities::of_this_system())
    }

    /// The confinement of programs that connect to a port, which is named later.
    ///
    /// # Errors
    /// As of [`IsolationArgs::confinement`].
    pub fn confinement_of_clients(
        &self,
        any: bool,
        secrets: &[Option<&Path>],
    ) -> anyhow::Result<Option<Confinement>> {
        self.made_of(any, secrets, Abilities::with_a_port())
    }

    /// The options that were given, as a shell reads them, each after a blank.
    pub fn typed(&self) -> String {
        let mut text = match self.isolate {
            Isolation::Best => String::new(),
            Isolation::Require => " --isolate require".to_owned(),
            Isolation::None => " --isolate none".to_owned(),
        };
        for path in &self.readable {
            text += &format!(" --allow {}", shell::argument(path));
        }
        if self.ponder {
            text += " --ponder";
        }
        text
    }

    /// Warns that a tournament held by root confines its programs less well.
    pub fn warn_of_root(&self) {
        if rustix::process::geteuid().is_root() {
            engine::note!(
                "you are root: so are the programs, and a gap in their isolation lets them do anything. Run \
                 programs of strangers as an ordinary user"
            );
        }
    }

    /// The confinement that the options ask for and `abilities` allow; none without isolation.
    fn made_of(
        &self,
        any: bool,
        secrets: &[Option<&Path>],
        abilities: Abilities,
    ) -> anyhow::Result<Option<Confinement>> {
        if self.ponder {
            let_programs_ponder();
        }
        match self.isolate {
            Isolation::None => {
                if any {
                    engine::note!("programs may read and write whatever you may (--isolate none)");
                }
                return Ok(None);
            }
            // Refuse before anything is called, rather than confine less than was asked for.
            Isolation::Require if !abilities.are_whole() => {
                refuse!("--isolate require: {abilities}");
            }
            Isolation::Best | Isolation::Require => {}
        }
        if any {
            engine::note!("{abilities} (--isolate)");
        }
        // A system without any means of confinement needs none prepared.
        if abilities == Abilities::default() {
            return Ok(None);
        }
        hide_this_process();
        let readable = self.readable.iter().map(|path| {
            path.canonicalize()
                .map_err(|error| Usage::new(format!("--allow {}: {error}", path.display())))
        });
        let confinement = Confinement {
            readable: readable.collect::<Result<_, _>>()?,
            port: None,
        };
        let shown = |path: &&Path| Some((path.display().to_string(), confinement.shows(path)?));
        let mut shown = secrets.iter().flatten().filter_map(shown).filter(|_| any);
        if let Some((path, shown)) = shown.next() {
            refuse!(
                "{path} lies in {}, which all programs may read: name a place elsewhere, or let them read everything \
                 (--isolate none)",
                shown.display()
            );
        }
        Ok(Some(confinement))
    }
}
