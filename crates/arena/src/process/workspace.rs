//! A private copy of a program's folder, in which the program is called for one seat of one game ([`Workspace`]).

use super::builds::Builds;
use super::confinement::Confinement;
use super::copy::{self, Roots};
use super::files::Size;
use super::files::{Folder, Item, at};
use super::limits::Limits;
use super::place::{self, Place, temporary_folder};
use super::program::{PRODUCTS, Program, Room};
use super::resident::Resident;
use super::run::{Idle, Run};
use super::running::kill_all;
use super::session::{Session, Stderr};
use super::staying::Conversation;
use super::stop::STOP;
use super::suspects::Running;
use super::tampering::Guard;
use rustix::fs::{AtFlags, CWD, FileType, StatVfsMountFlags, linkat, statvfs};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs as unix;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The largest folder, apart from `support`, that is copied: a thousand games must not take a thousand times the space
/// of the program.
const SMALL_FOLDER: Size = Size {
    files: 1000,
    bytes: 8 << 20,
};

/// Files at the top up to this size are copied.
const SMALL_FILE: u64 = 1 << 20;

/// Ends every program that runs now and removes the folders of all programs: for a process that is
/// about to end itself and will not wait for them.
///
/// From now on no call of a program begins or returns: what was ended here must not pass for a
/// program that crashed.
pub fn end_all() {
    STOP.give_up();
    kill_all();
    place::remove_all();
}

/// A copy of a program's folder for one seat of one game, removed when it is dropped.
///
/// Files that a program writes beside itself stay within the game: `support/` is copied, but for
/// `support/cache`, which holds what earlier games left. Small files and folders are copied too, so
/// that a program which resolves symbolic links to find itself still finds the copy. Large ones, and
/// `target` and `.git`, are symbolic links to the original. Everything keeps its time, so that
/// no file looks newer than another that was built from it.
///
/// For an executable alone the copy is an empty folder with a link to it: only the current directory is
/// private.
#[derive(Debug)]
pub struct Workspace {
    /// First, so that a program that stays has ended before its folder is removed.
    conversation: Conversation,
    /// The idle supervisors of a program that does not stay.
    idle: Idle,
    program: Program,
    folder: PathBuf,
    /// The size of `support/` as it was copied, which does not count as written.
    handed_in: Size,
    /// Where the program may keep temporary files.
    scratch: PathBuf,
    guard: Guard,
    _place: Place,
}

impl Workspace {
    /// A fresh copy in the system's folder for temporary files.
    ///
    /// # Errors
    /// If something cannot be read or copied, which the error names, or nothing can be executed there.
    pub fn new(program: &Program) -> io::Result<Workspace> {
        // Without links: a program that resolves its own path compares it with this one.
        let place = temporary_folder()?;
        // An executable alone is only linked, and is executed where it lies.
        if !program.is_alone() {
            may_execute(&place)?;
        }
        let place = Place::new(&place)?;
        let (folder, scratch) = (place.folder()?, place.folder()?);
        place.hide()?;
        if program.is_alone() {
            let link = folder.join(program.entry());
            unix::symlink(program.executable(), &link).map_err(at("link", &link))?;
        } else {
            let source = program.examined()?;
            for item in source.items()? {
                copy_item(program, &source, &item, &folder)?;
            }
        }
        let support = Folder::open(&folder.join("support"));
        let size = support.and_then(|support| Size::of(&support, Size::MAX));
        Ok(Workspace {
            // Many programs have no such folder.
            handed_in: size.ok().flatten().unwrap_or_default(),
            conversation: Conversation::default(),
            idle: Idle::default(),
            guard: Guard::new(program.label(), &[&folder])?,
            program: program.clone(),
            folder,
            scratch,
            _place: place,
        })
    }

    /// Another copy of the program as it was when this one was made: what is changed in the program's
    /// own folder meanwhile does not change it.
    ///
    /// # Errors
    /// As of [`Workspace::new`]; a [`Tampered`](super::Tampered) if this copy, or an executable that is
    /// only linked, is not what it was.
    pub fn again(&self) -> io::Result<Workspace> {
        let copy = match self.program.is_alone() {
            true => Workspace::new(&self.program)?,
            false => Workspace::new(&self.program.moved_to(self.folder()))?,
        };
        self.guard.expect_same(&copy.guard)?;
        Ok(copy)
    }

    /// The folder, which is the current directory of the program.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Calls the program: a fresh process in a separate session reads the input. The call returns
    /// when the process has ended and nothing of it is left. A program that [stays](Program::stays)
    /// runs on until the workspace is dropped, and is asked again; if it has ended, it is started anew.
    ///
    /// # Errors
    /// If the operating system cannot start or watch it. The program itself is to blame for the kinds `NotFound`,
    /// `PermissionDenied` and `InvalidData`: it or its interpreter is missing, may not be executed, or is no
    /// program. Whatever it does once it runs is no error. A [`Tampered`](super::Tampered) if somebody else may
    /// have changed its files; [`Stopped`](super::Stopped) if the signal that asked this process to stop has
    /// ended it again and again.
    pub fn run(&self, input: &[u8], limits: &Limits) -> io::Result<Run> {
        let limits = &self.program.within(limits);
        let call = || {
            let room = self.room(limits.confinement.is_some())?;
            if !self.program.stays() {
                return self.program.run_in(&room, input, limits, &self.idle);
            }
            let start = || {
                self.program.prepared(&room, limits, |call, limits| {
                    let running = Running::new(&self.program.label());
                    let errors = Stderr::Tail(limits.stderr_tail);
                    Session::of(call, limits, errors, running)
                })
            };
            self.conversation.ask(start, input, limits)
        };
        let (run, changed) = self.guard.during(|| STOP.made_again(call))?;
        Ok(Run { changed, ..run })
    }

    /// Starts the program and does not wait for it; its standard output is thrown away.
    ///
    /// # Errors
    /// As of [`Workspace::run`].
    pub fn start(
        &self,
        arguments: &[OsString],
        confinement: Option<&Confinement>,
    ) -> io::Result<Resident> {
        let room = self.room(confinement.is_some())?;
        self.program.start_in(&room, arguments, confinement)
    }

    /// Where the program is called. One that is confined has a `support` to write to.
    fn room(&self, is_confined: bool) -> io::Result<Room<'_>> {
        let support = self.folder.join("support");
        if is_confined && !support.exists() {
            fs::create_dir(&support).map_err(at("create", &support))?;
        }
        Ok(Room {
            copy: &self.folder,
            own: [support, self.scratch.clone()],
            before: self.handed_in,
        })
    }
}

/// Copies or links something that lies in a program's folder.
fn copy_item(program: &Program, source: &Folder, item: &Item, copy: &Path) -> io::Result<()> {
    let Item { name, .. } = item;
    let to = copy.join(name);
    let roots = Roots {
        from: source.path(),
        to: copy,
    };
    if name == "support" {
        // Also when it is a link to a folder beside it.
        let support = source.folder_beneath(Path::new(name))?;
        return copy::folder(&support, &to, Some("cache".as_ref()), roots);
    }
    let is_product = PRODUCTS.iter().any(|product| name == *product);
    match item.kind() {
        FileType::Symlink => copy::link(source, item, &to, roots),
        FileType::RegularFile if item.bytes() <= SMALL_FILE => copy::file(source, item, &to),
        FileType::RegularFile if name == program.entry() => {
            // A large program finds its folder by its own path: another name of the same
            // file has the path of the copy, as a symbolic link has not.
            linkat(source.fd(), name, CWD, &to, AtFlags::empty())
                .map_err(io::Error::from)
                .or_else(|_| copy::file(source, item, &to))
        }
        FileType::Directory if !is_product => {
            let inner = source.folder(name)?;
            match Size::of(&inner, SMALL_FOLDER)? {
                Some(_) => copy::folder(&inner, &to, None, roots),
                None => copy::link_to(source, item, &to),
            }
        }
        FileType::RegularFile | FileType::Directory => copy::link_to(source, item, &to),
        // Pipes, sockets and devices are no part of a program.
        _ => Ok(()),
    }
}

/// Refuses a folder on a file system from which nothing may be executed: a copy there would fail at every call, as if
/// that were the program's fault.
fn may_execute(temporary: &Path) -> io::Result<()> {
    let system = statvfs(temporary).map_err(|error| at("look at", temporary)(error.into()))?;
    match system.f_flag.contains(StatVfsMountFlags::NOEXEC) {
        false => Ok(()),
        true => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!(
                "{} is mounted noexec, so that no copy of a program can be called there: name another folder for \
                 temporary files by the variable TMPDIR",
                temporary.display()
            ),
        )),
    }
}

/// Calls a program where it is and not in a [`Workspace`]: for a first call without a clock, in which it
/// may build itself. What a confined program builds is made executable for it, and it is called again; all
/// calls together have the time of one. A confined executable alone has nothing to build, and the folder around it is
/// none of its business: it is called in a workspace.
///
/// # Errors
/// If the operating system cannot start or watch it.
pub fn first_call(program: &Program, input: &[u8], limits: &Limits) -> io::Result<Run> {
    let is_confined = limits.confinement.is_some();
    if program.is_alone() && is_confined {
        return Workspace::new(program)?.run(input, limits);
    }
    let builds = Builds::from_now_on(program.folder().to_owned());
    let begun = Instant::now();
    loop {
        let limits = Limits {
            kill: limits.kill.saturating_sub(begun.elapsed()),
            ..limits.clone()
        };
        let run = STOP.made_again(|| program.run_in_place(input, &limits))?;
        let has_built = || {
            builds
                .as_ref()
                .is_ok_and(|new| new.make_executable().unwrap_or(false))
        };
        // A folder that cannot be read is refused elsewhere.
        if run.status.success() || run.timed_out || !is_confined || !has_built() {
            return Ok(run);
        }
    }
}
