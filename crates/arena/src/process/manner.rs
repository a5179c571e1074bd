//! How a participant wants its program to be started: `participant.toml` in its folder.

use super::limits::Limits;
use serde::Deserialize;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the file in a program's folder.
pub(super) const FILE: &str = "participant.toml";

/// The contents of `participant.toml`; a folder without one has the defaults.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Manner {
    /// Whether the program is started once and asked many times.
    pub(super) stays: bool,
    /// The command instead of `runme`: a file of the folder, or a program of the system, with its arguments.
    command: Option<Vec<String>>,
    /// Limits that the program sets itself.
    limits: OwnLimits,
}

/// Limits that a participant sets itself; the referee's hold all the same.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OwnLimits {
    /// Seconds for an answer.
    time: Option<f64>,
    /// Megabytes of resident memory.
    memory: Option<u64>,
}

/// The time is compared exactly. It is never NaN, which [`Manner::parse`] refuses, so equality is reflexive.
impl Eq for Manner {}

impl Manner {
    /// Reads the file's text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Manner, String> {
        let manner: Manner = toml::from_str(text).map_err(|error| error.to_string())?;
        // Any valid time stands for a missing one.
        let time = manner.limits.time.unwrap_or(1.0);
        let has_time = Duration::try_from_secs_f64(time).is_ok_and(|time| !time.is_zero());
        if !has_time {
            return Err(format!("time = {time}: expected seconds, more than 0"));
        }
        if manner.limits.memory == Some(0) {
            return Err("memory = 0: expected megabytes, more than 0".to_owned());
        }
        if manner
            .command
            .as_ref()
            .is_some_and(|command| command.first().is_none_or(String::is_empty))
        {
            return Err(format!(
                "command = {:?}: expected a program and its arguments",
                manner.command.unwrap_or_default()
            ));
        }
        Ok(manner)
    }

    /// The command in a copy of the program's folder, with its arguments; `None` for the usual file.
    pub(super) fn command_in(&self, folder: &Path) -> Option<(PathBuf, Vec<OsString>)> {
        let (first, rest) = self.command.as_ref()?.split_first()?;
        let arguments = rest.iter().map(OsString::from).collect();
        // A name without a slash may be a file of the folder, or a program that `PATH` leads to.
        let own = folder.join(first);
        if own.is_file() || first.contains('/') {
            return Some((own, arguments));
        }
        let paths = env::var_os("PATH").unwrap_or_default();
        let found = env::split_paths(&paths).map(|path| path.join(first));
        let found = found.into_iter().find(|path| path.is_file());
        Some((found.unwrap_or(own), arguments))
    }

    /// These limits, or the program's own where they are lower.
    pub(super) fn within(&self, limits: &Limits) -> Limits {
        let own = self
            .limits
            .time
            .and_then(|time| Duration::try_from_secs_f64(time).ok());
        let late = own.map_or(limits.late, |own| own.min(limits.late));
        let memory = self
            .limits
            .memory
            .map(|megabytes| megabytes.saturating_mul(1 << 20));
        Limits {
            late,
            // The time between late and ended stays the same: 15 s and 20 s become 2.5 s and 7.5 s.
            kill: limits.kill.saturating_sub(limits.late - late),
            memory: memory.into_iter().chain(limits.memory).min(),
            ..limits.clone()
        }
    }
}

/// An input as it is sent to a program that stays. An empty line marks its end, so empty lines inside are left out.
pub(super) fn question(input: &[u8]) -> Vec<u8> {
    let lines = input.split(|&byte| byte == b'\n');
    let mut text = Vec::with_capacity(input.len() + 2);
    for line in lines.filter(|line| !line.trim_ascii().is_empty()) {
        text.extend_from_slice(line);
        text.push(b'\n');
    }
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_only_lowered() {
        let told =
            "stays = true\ncommand = ['sh', '-c', 'true']\n[limits]\ntime = 2.5\nmemory = 100\n";
        let manner = Manner::parse(told).unwrap();
        assert!(manner.stays);
        let (shell, arguments) = manner.command_in(Path::new("/no/where")).unwrap();
        assert!(
            shell.is_file() && shell.ends_with("sh"),
            "{}",
            shell.display()
        );
        assert_eq!(arguments, ["-c", "true"]);
        let within = |limits: &Limits| {
            let Limits {
                late, kill, memory, ..
            } = manner.within(limits);
            (late.as_millis(), kill.as_millis(), memory)
        };
        assert_eq!(within(&Limits::default()), (2500, 7500, Some(100 << 20)));
        let low = Limits {
            late: Duration::from_secs(1),
            kill: Duration::from_secs(3),
            memory: Some(1 << 20),
            ..Limits::default()
        };
        assert_eq!(within(&low), (1000, 3000, Some(1 << 20)));
        assert_eq!(Manner::parse("").unwrap().within(&low), low);
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let told = |text: &str| Manner::parse(text).unwrap_err();
        assert!(told("stay = true").contains("unknown field `stay`"));
        assert!(told("stays = 1").contains("line 1"));
        assert!(told("[limits]\ntime = 0").contains("more than 0"));
        assert_eq!(
            told("[limits]\nmemory = 0"),
            "memory = 0: expected megabytes, more than 0"
        );
        for nothing in ["[]", "['']"] {
            let told = told(&format!("command = {nothing}"));
            assert!(
                told.ends_with("expected a program and its arguments"),
                "{told}"
            );
        }
    }
}
