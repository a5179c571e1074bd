//! The confinement under Linux, by Landlock, seccomp, capabilities and limits. The supervisor calls [`confine`] on the
//! thread that starts a program.

use super::{Abilities, Bounds, SHARED_MEMORY, system_paths};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, NetPort, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreatedAttr, Scope,
};
use rustix::mount::{MountPropagationFlags, mount_bind, mount_change};
use rustix::process::{DumpableBehavior, Resource, Rlimit, getgid, getrlimit, getuid, setrlimit};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, UnshareFlags, capabilities,
    set_capabilities, set_capabilities_secure_bits, unshare_unsafe,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// The newest version of Landlock that is made use of: with it come rules for devices and signals.
const NEWEST: ABI = ABI::V6;

/// Devices that hold nothing and may be written to.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];
/// Devices that give random bytes, and may be read.
const SOURCES: [&str; 2] = ["/dev/urandom", "/dev/random"];

/// A file that holds 1 where user namespaces of ordinary users have no rights.
const RESTRICTED: &str = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

/// Bytes of the largest file that a program may write.
const FILE_SIZE: u64 = 1 << 30;
/// Files that a program may have open.
const OPEN_FILES: u64 = 1024;

/// Tries what the kernel can do; nothing is given up for it.
pub(super) fn abilities(with_a_port: bool) -> Abilities {
    let can = |ruleset: Result<Ruleset, landlock::RulesetError>| {
        ruleset.and_then(Ruleset::create).is_ok()
    };
    let strict = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    Abilities {
        // Only since the third version are there rules for all that a program could do to files: the second brought
        // those for moving them, the third those for truncating.
        files: can(strict().handle_access(AccessFs::from_all(ABI::V3))),
        sockets: filter(with_a_port, Bounds::default()).is_ok_and(|filter| filter.is_some())
            && can_filter()
            && (!with_a_port || can(strict().handle_access(AccessNet::from_all(ABI::V4)))),
        signals: can(strict().scope(Scope::Signal)),
    }
}

/// Whether this process is in a user namespace of its own, in which the kernel counts its threads apart from those of its
/// user elsewhere. It does so since Linux 5.14; before, the limit of one program would have been one of all.
static COUNTS_APART: AtomicBool = AtomicBool::new(false);

/// Threads of the supervisor itself, with some to spare.
const OWN_THREADS: u64 = 16;

/// Limits the threads of this process and of all that it starts, where they are counted apart. Looking at them again and
/// again finds a program that starts too many, but one that does nothing else can fill the system's table of processes
/// between two looks. Root has no such limit (getrlimit(2), RLIMIT_NPROC).
pub(super) fn limit_threads(threads: usize) -> io::Result<()> {
    match COUNTS_APART.load(Ordering::Relaxed) {
        true => lower(Resource::Nproc, threads as u64 + OWN_THREADS),
        false => Ok(()),
    }
}

/// Gives up rights for this thread and all that it starts, see [`Confined`](super::Confined).
pub(super) fn confine(
    readable: &[PathBuf],
    writable: &[PathBuf],
    port: Option<u16>,
    bounds: Bounds,
) -> io::Result<()> {
    lower(Resource::Core, 0)?;
    lower(Resource::Fsize, FILE_SIZE)?;
    lower(Resource::Nofile, OPEN_FILES)?;
    drop_privileges()?;
    restrict(readable, writable, port).map_err(io::Error::other)?;
    refuse_calls(port.is_some(), bounds)
}

/// Moves this process into a user namespace in which its user and its group keep their numbers (user_namespaces(7)).
/// There it has root's rights over its own mounts, and over nothing that exists outside. Where that is forbidden,
/// programs have no shared memory.
///
/// Example: Python's `multiprocessing.Lock` opens a semaphore below `/dev/shm`, which Landlock refuses since all
/// programs of the machine meet there. With a private mount in that place a program meets nobody.
pub(super) fn prepare_shared_memory() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        // Ubuntu's AppArmor lets anybody make such a namespace, but not map users in it: everybody would be `nobody`.
        let restricted = fs::read_to_string(RESTRICTED).is_ok_and(|text| text.trim() == "1");
        if may_mount() || restricted {
            return;
        }
        let (user, group) = (getuid().as_raw(), getgid().as_raw());
        // SAFETY: the call is unsafe since it can unshare the table of open files, and this flag does not.
        #[expect(unsafe_code)]
        let unshared = unsafe { unshare_unsafe(UnshareFlags::NEWUSER) };
        if unshared.is_err() {
            return;
        }
        // A process may write its maps only while it is dumpable. Without privileges it may map groups only after it
        // has denied itself `setgroups`.
        let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable);
        let _ = fs::write("/proc/self/setgroups", "deny");
        let _ = fs::write("/proc/self/uid_map", format!("{user} {user} 1"));
        let _ = fs::write("/proc/self/gid_map", format!("{group} {group} 1"));
        hide_this_process();
        COUNTS_APART.store(is_since_5_14(), Ordering::Relaxed);
    });
}

/// Whether this is Linux 5.14 or later.
fn is_since_5_14() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let mut next = || numbers.next().and_then(|number| number.parse().ok());
    let version: (u32, u32) = (next().unwrap_or(0), next().unwrap_or(0));
    version >= (5, 14)
}

/// Whether this process has the right to mount something.
fn may_mount() -> bool {
    capabilities(None).is_ok_and(|own| own.effective.contains(CapabilitySet::SYS_ADMIN))
}

/// Puts a folder in the place of the shared memory that all programs have, for this thread and what it starts.
pub(super) fn share_memory_in(folder: &Path) {
    if !may_mount() {
        return;
    }
    let own = || {
        // SAFETY: the call is unsafe since it can unshare the table of open files, and this flag does not.
        #[expect(unsafe_code)]
        unsafe { unshare_unsafe(UnshareFlags::NEWNS) }?;
        // Mounts of this thread stay its own from here on: everybody else would see the next one.
        mount_change(
            "/",
            MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC,
        )?;
        mount_bind(folder, SHARED_MEMORY)
    };
    // If a step fails, the program has no shared memory: Landlock refuses it the common one.
    let _: rustix::io::Result<()> = own();
}

/// Loads the filter of system calls, where that can be done.
fn refuse_calls(with_a_port: bool, bounds: Bounds) -> io::Result<()> {
    let Some(filter) = filter(with_a_port, bounds).map_err(io::Error::other)? else {
        return Ok(());
    };
    match seccompiler::apply_filter(&filter) {
        // `abilities` has reported that there is no filter here.
        Err(_) if !can_filter() => Ok(()),
        applied => applied.map_err(io::Error::other),
    }
}

/// Whether a filter of system calls can be loaded here, which a container may forbid. Another thread tries it with a
/// filter that refuses a single call, so this thread gives up nothing.
fn can_filter() -> bool {
    let Ok(processor) = std::env::consts::ARCH.try_into() else {
        return false;
    };
    let allow = || {
        let (allow, refuse) = (
            SeccompAction::Allow,
            SeccompAction::Errno(libc::EACCES as u32),
        );
        let rules = BTreeMap::from([(libc::SYS_shmget, Vec::new())]);
        let filter: BpfProgram = SeccompFilter::new(rules, allow, refuse, processor)?.try_into()?;
        Ok::<BpfProgram, seccompiler::BackendError>(filter)
    };
    let tried = allow().map(|filter| {
        let load = move || seccompiler::apply_filter(&filter).is_ok();
        std::thread::spawn(load).join().unwrap_or(false)
    });
    tried.unwrap_or(false)
}

/// Lowers a limit; one that is lower already stays.
fn lower(resource: Resource, limit: u64) -> io::Result<()> {
    let now = getrlimit(resource);
    let lowest = |other: Option<u64>| Some(other.map_or(limit, |other| other.min(limit)));
    let limits = Rlimit {
        current: lowest(now.current),
        maximum: lowest(now.maximum),
    };
    Ok(setrlimit(resource, limits)?)
}

/// Lets Landlock refuse everything but these files, the system's, and this port.
fn restrict(
    readable: &[PathBuf],
    writable: &[PathBuf],
    port: Option<u16>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let read = AccessFs::from_read(NEWEST);
    let use_file = AccessFs::from_file(NEWEST) & !AccessFs::Execute;
    // Rules that this kernel does not know are left out; `abilities` reports which.
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::Signal)?
        .scope(Scope::AbstractUnixSocket)?
        .create()?;
    let sources = SOURCES.iter().map(Path::new);
    let system: Vec<&Path> = system_paths().chain(sources).collect();
    let own = readable.iter().map(PathBuf::as_path);
    for path in system.into_iter().chain(own) {
        rules = allow(rules, path, read)?;
    }
    for path in writable {
        rules = allow(rules, path, AccessFs::from_all(NEWEST))?;
    }
    for device in DEVICES {
        rules = allow(rules, Path::new(device), use_file)?;
    }
    if let Some(port) = port {
        rules = rules.add_rule(NetPort::new(port, AccessNet::ConnectTcp))?;
    }
    rules.restrict_self()?;
    Ok(())
}

/// Adds a rule that allows a path with all that is below it.
fn allow(
    rules: landlock::RulesetCreated,
    path: &Path,
    access: landlock::BitFlags<AccessFs>,
) -> Result<landlock::RulesetCreated, Box<dyn std::error::Error + Send + Sync>> {
    let file = match PathFd::new(path) {
        Ok(file) => file,
        // A path that does not exist needs no rule.
        Err(_) if std::fs::symlink_metadata(path).is_err() => return Ok(rules),
        // A link that leads nowhere needs none either.
        Err(_) if path.is_symlink() => return Ok(rules),
        Err(error) => return Err(error.into()),
    };
    // Landlock refuses rules for a file that name rights over folders.
    let access = match path.is_dir() {
        true => access,
        false => access & AccessFs::from_file(NEWEST),
    };
    Ok(rules.add_rule(PathBeneath::new(file, access))?)
}

/// System calls that are refused: making sockets, directly or through io_uring; tracing other processes; changes of
/// modes, owners and attributes, for which Landlock has no rules; objects and keys that all processes of a user share,
/// also the use of those whose numbers a program reads in /proc/sysvipc; priorities of
/// input and output; what tells or changes which parts of the system's files are in memory, where a program could leave
/// a note for the next game; names for sockets, which everybody can read in /proc/net/unix; watching files, which tells
/// who opens them, and a user has a limited number of watchers; memory that is charged to no process.
const REFUSED: [libc::c_long; 40] = [
    libc::SYS_socket,
    libc::SYS_bind,
    libc::SYS_inotify_init1,
    libc::SYS_fanotify_init,
    MEMFD_SECRET,
    libc::SYS_io_uring_setup,
    libc::SYS_ptrace,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_ioprio_set,
    libc::SYS_fadvise64,
    CACHESTAT,
];

/// Numbers of calls that are so new that `libc` has none; they are the same on every processor.
const MEMFD_SECRET: libc::c_long = 447;
const CACHESTAT: libc::c_long = 451;
const FCHMODAT2: libc::c_long = 452;
const SETXATTRAT: libc::c_long = 463;
const REMOVEXATTRAT: libc::c_long = 466;
const FILE_SETATTR: libc::c_long = 469;

/// A lease on a folder or file, since Linux 6.19.
const F_SETDELEG: libc::c_int = 1040;
/// The option of a socket that passes descriptors of processes.
const SO_PASSPIDFD: libc::c_int = 76;

/// Calls that are refused unless an argument is 0, which stands for the caller itself: limits, cores and
/// priorities of other processes. The argument of `utimensat` is the path: without one it sets the times of a
/// file that is open.
const REFUSED_UNLESS_ZERO: [(libc::c_long, u8); 8] = [
    (libc::SYS_utimensat, 1),
    (libc::SYS_prlimit64, 0),
    (libc::SYS_sched_setaffinity, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setattr, 0),
    // The first one says whether the second is a process, a group or a user.
    (libc::SYS_setpriority, 0),
    (libc::SYS_setpriority, 1),
];

/// Older calls that newer processors have not.
#[cfg(target_arch = "x86_64")]
const REFUSED_TOO: [libc::c_long; 7] = [
    libc::SYS_inotify_init,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_TOO: [libc::c_long; 0] = [];

/// The bit that marks a call of the x32 interface, x86-64 with short pointers: the same calls have other numbers
/// there, and have to be refused too.
const X32: libc::c_long = 0x4000_0000;

/// The sockets that a client needs: internet, streams, the usual protocol, which has two numbers.
const FAMILIES: [libc::c_int; 2] = [libc::AF_INET, libc::AF_INET6];
const PROTOCOLS: [libc::c_int; 2] = [0, libc::IPPROTO_TCP];
/// The bits of a socket's type that are not flags.
const TYPE: u64 = 0xf;

/// Rules that refuse all sockets but those of a client over TCP. Landlock limits the ports to which these
/// connect, but does not see a connection that is made while sending (`MSG_FASTOPEN`): that is refused here.
fn only_clients() -> Result<Vec<(i64, Vec<SeccompRule>)>, seccompiler::BackendError> {
    let dword = SeccompCmpArgLen::Dword;
    // The conditions of one rule must all hold; one rule is enough to refuse a call.
    let neither = |argument, values: [libc::c_int; 2]| {
        let other =
            |value| SeccompCondition::new(argument, dword.clone(), SeccompCmpOp::Ne, value as u64);
        SeccompRule::new(vec![other(values[0])?, other(values[1])?])
    };
    let masked = |argument, mask, value| {
        let equal = SeccompCmpOp::MaskedEq(mask);
        let condition = SeccompCondition::new(argument, dword.clone(), equal, value)?;
        SeccompRule::new(vec![condition])
    };
    // With these options a local socket gets a name, which everybody can read, when it is to connect (unix(7)).
    let names = |option: libc::c_int| {
        let equal = |argument, value: libc::c_int| {
            SeccompCondition::new(argument, dword.clone(), SeccompCmpOp::Eq, value as u64)
        };
        SeccompRule::new(vec![equal(1, libc::SOL_SOCKET)?, equal(2, option)?])
    };
    let mut socket = vec![neither(0, FAMILIES)?, neither(2, PROTOCOLS)?];
    for kind in (0..=TYPE).filter(|&kind| kind != libc::SOCK_STREAM as u64) {
        socket.push(masked(1, TYPE, kind)?);
    }
    let fast = libc::MSG_FASTOPEN as u64;
    Ok(vec![
        (libc::SYS_socket, socket),
        (libc::SYS_listen, Vec::new()),
        (
            libc::SYS_setsockopt,
            vec![names(libc::SO_PASSCRED)?, names(SO_PASSPIDFD)?],
        ),
        (libc::SYS_sendto, vec![masked(3, fast, fast)?]),
        (libc::SYS_sendmsg, vec![masked(2, fast, fast)?]),
        (libc::SYS_sendmmsg, vec![masked(3, fast, fast)?]),
    ])
}

/// Rules that refuse all pairs of sockets but streams between local processes, which lead nowhere else. A datagram
/// socket, which SOCK_RAW also makes here, is connected to any address in spite of its partner (connect(2)).
fn only_stream_pairs() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let dword = SeccompCmpArgLen::Dword;
    let (ne, masked) = (SeccompCmpOp::Ne, SeccompCmpOp::MaskedEq(TYPE));
    let family = SeccompCondition::new(0, dword.clone(), ne, libc::AF_UNIX as u64)?;
    let mut rules = vec![SeccompRule::new(vec![family])?];
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
        let kind = SeccompCondition::new(1, dword.clone(), masked.clone(), kind as u64)?;
        rules.push(SeccompRule::new(vec![kind])?);
    }
    Ok(rules)
}

/// The filter that refuses the calls listed above; none on a processor whose calls `seccompiler` does not know.
fn filter(
    with_a_port: bool,
    bounds: Bounds,
) -> Result<Option<BpfProgram>, seccompiler::BackendError> {
    let Ok(processor) = std::env::consts::ARCH.try_into() else {
        return Ok(None);
    };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in REFUSED.into_iter().chain(REFUSED_TOO) {
        rules.insert(call, Vec::new());
    }
    rules.insert(libc::SYS_socketpair, only_stream_pairs()?);
    // Reading only what is in memory.
    let now = SeccompCmpOp::MaskedEq(libc::RWF_NOWAIT as u64);
    let now = SeccompCondition::new(5, SeccompCmpArgLen::Dword, now, libc::RWF_NOWAIT as u64)?;
    rules.insert(libc::SYS_preadv2, vec![SeccompRule::new(vec![now])?]);
    // As long as a program has a lease on a file, everybody else who opens it waits, for up to 45 s (fcntl(2)): so it
    // would stop an opponent of the same user, and this process. A watched folder tells who opens its files.
    let fcntl = [libc::F_SETLEASE, libc::F_NOTIFY, F_SETDELEG].map(|command| {
        let (length, command) = (SeccompCmpArgLen::Dword, command as u64);
        let asked = SeccompCondition::new(1, length, SeccompCmpOp::Eq, command)?;
        SeccompRule::new(vec![asked])
    });
    rules.insert(
        libc::SYS_fcntl,
        fcntl.into_iter().collect::<Result<_, _>>()?,
    );
    // A process that is not dumpable hides its open files from the referee.
    let dumpable = libc::PR_SET_DUMPABLE as u64;
    let dumpable = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, dumpable)?;
    rules.insert(libc::SYS_prctl, vec![SeccompRule::new(vec![dumpable])?]);
    if !with_a_port {
        // Descriptors that are sent and not received count for all processes of a user (unix(7), ETOOMANYREFS): the
        // referee could send no program its streams. A client's library may need these calls.
        rules.insert(libc::SYS_sendmsg, Vec::new());
        rules.insert(libc::SYS_sendmmsg, Vec::new());
        // One of a pair of sockets has nothing to connect to, but would get a name.
        rules.insert(libc::SYS_connect, Vec::new());
    }
    if with_a_port {
        rules.extend(only_clients()?);
    }
    for (call, argument) in REFUSED_UNLESS_ZERO {
        // The upper half of a process number has no meaning.
        let length = match call {
            libc::SYS_utimensat => SeccompCmpArgLen::Qword,
            _ => SeccompCmpArgLen::Dword,
        };
        let other = SeccompCondition::new(argument, length, SeccompCmpOp::Ne, 0)?;
        let rule = SeccompRule::new(vec![other])?;
        rules.entry(call).or_default().push(rule);
    }
    if bounds.counts_memory {
        rules.insert(libc::SYS_memfd_create, Vec::new());
    }
    if bounds.keeps_cores {
        // Without a rule a call is always refused. The program inherits its cores.
        rules.insert(libc::SYS_sched_setaffinity, Vec::new());
    }
    if cfg!(target_arch = "x86_64") {
        let short: Vec<_> = rules
            .iter()
            .map(|(call, rules)| (call | X32, rules.clone()))
            .collect();
        rules.extend(short);
    }
    let refuse = SeccompAction::Errno(libc::EACCES as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, processor)?;
    Ok(Some(filter.try_into()?))
}

/// Gives up what root may do, for good: what remains are the rights of whoever owns the files.
fn drop_privileges() -> io::Result<()> {
    let bits = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
    // This takes a capability. An ordinary user has none, and nothing to lose here; in a container root may lack it
    // too.
    let _ = set_capabilities_secure_bits(bits);
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    Ok(set_capabilities(None, none)?)
}

/// Marks every open file but the standard streams to be closed when a program is executed.
pub(super) fn close_files() {
    close_fds::set_fds_cloexec(3, &[]);
}

/// Makes this process not dumpable (prctl(2)): others of its user then cannot trace it or read its files in /proc.
pub(super) fn hide_this_process() {
    // Where that cannot be done, Landlock and the rights of files remain.
    let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test forbids its thread to load further filters, as some containers do.
    #[test]
    fn where_no_filter_may_be_loaded_this_is_said_and_the_rest_holds() {
        let before = abilities(false);
        let inside = || {
            let processor = std::env::consts::ARCH.try_into().unwrap();
            let rules = BTreeMap::from([(libc::SYS_seccomp, Vec::new())]);
            let (allow, refuse) = (SeccompAction::Allow, SeccompAction::Errno(1));
            let filter = SeccompFilter::new(rules, allow, refuse, processor).unwrap();
            let filter: BpfProgram = filter.try_into().unwrap();
            seccompiler::apply_filter(&filter).unwrap();
            (
                abilities(false),
                refuse_calls(false, Bounds::default()).is_ok(),
            )
        };
        if !before.sockets {
            return eprintln!("not tested: {before}");
        }
        let (told, goes_on) = std::thread::spawn(inside).join().unwrap();
        let without = Abilities {
            sockets: false,
            ..before
        };
        assert_eq!((told, goes_on), (without, true));
    }
}
