//! A control group for all that a supervisor starts (cgroups(7), version 2), where the system lets it make one.
//!
//! Processes that are killed one by one can escape if there are enough processor cores: a process that forks
//! and exits is gone when its number has been read, and its child has another number. A hundred processes that
//! do nothing else kept a supervisor busy for minutes, until the machine had no numbers left. The kernel ends a
//! group as a whole: while it does, no fork in it succeeds.
//!
//! The supervisor is in the group itself, so that what it starts is in it without being moved, which takes
//! milliseconds. To end the others it leaves the group first.

use rustix::process::Pid;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process;

/// The beginning of the names of groups' folders; the supervisor's number follows.
const PREFIX: &str = "contest-";

/// The group of a supervisor, which is in it but for the time that it takes to end the others.
#[derive(Debug)]
pub(in super::super) struct ControlGroup {
    folder: PathBuf,
    /// The group from which the supervisor came.
    parent: PathBuf,
    is_inside: bool,
}

impl ControlGroup {
    /// Makes a group and enters it; none where there is no such file system, or this process may not.
    pub fn new() -> Option<ControlGroup> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let parent = parent(&mounts, &own)?;
        let folder = parent.join(format!("{PREFIX}{}", process::id()));
        sweep(&parent);
        fs::create_dir(&folder).ok()?;
        let mut group = ControlGroup {
            folder,
            parent,
            is_inside: false,
        };
        // Since Linux 5.14.
        let can_kill = group.folder.join("cgroup.kill").exists();
        // A group that is dropped here is removed.
        (can_kill && group.enter().is_ok()).then_some(group)
    }

    /// Enters it, so that what is started next belongs to it.
    pub fn enter(&mut self) -> io::Result<()> {
        if !self.is_inside {
            move_to(&self.folder)?;
            self.is_inside = true;
        }
        Ok(())
    }

    /// Ends all others in it, after `note` has been given those that are alive.
    pub fn kill(&mut self, note: impl FnOnce(Vec<Pid>)) -> io::Result<()> {
        if self.is_inside {
            move_to(&self.parent)?;
            self.is_inside = false;
        }
        // Where they fork all the time the list has no end: one look at it is enough.
        let mut alive = [0; 4096];
        let length = File::open(self.folder.join("cgroup.procs"))?.read(&mut alive)?;
        let alive = String::from_utf8_lossy(&alive[..length]);
        let numbers = alive.lines().filter_map(|line| line.parse().ok());
        note(numbers.filter_map(Pid::from_raw).collect());
        fs::write(self.folder.join("cgroup.kill"), "1")
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        if !self.is_inside || move_to(&self.parent).is_ok() {
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Moves this process to a group.
fn move_to(group: &Path) -> io::Result<()> {
    fs::write(group.join("cgroup.procs"), "0")
}

/// The folder of the group in which a process is, by its `mountinfo` and its `cgroup` (see proc(5)).
fn parent(mounts: &str, own: &str) -> Option<PathBuf> {
    let group = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let mount = mounts.lines().find_map(|line| {
        // Number, parent, device, root, place, options, more of them, `-`, kind.
        let (place, kind) = line.split_once(" - ")?;
        let mut fields = place.split(' ').skip(3);
        let (root, place) = (fields.next()?, fields.next()?);
        (kind.starts_with("cgroup2 ") && root == "/").then_some(place)
    })?;
    Some(Path::new(mount).join(group))
}

/// Removes the groups of supervisors that were killed. One in which there is a process stays.
fn sweep(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let is_own = number == Some(&*process::id().to_string());
        if number.is_some_and(|number| is_own || !Path::new("/proc").join(number).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_group_is_found() {
        let mounts = "22 1 0:20 / /proc rw - proc proc rw\n\
            12 33 0:30 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n\
            20 41 0:38 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw\n";
        let found = |own| parent(mounts, own);
        let expected = PathBuf::from("/sys/fs/cgroup/unified/user/a");
        assert_eq!(found("8:pids:/x\n0::/user/a\n"), Some(expected));
        assert_eq!(found("0::/\n"), Some("/sys/fs/cgroup/unified/".into()));
        assert_eq!(found("8:pids:/x\n"), None);
        assert_eq!(
            parent(&mounts.replace("cgroup2 ", "tmpfs "), "0::/\n"),
            None
        );
    }
}
