//! The signals that this process was started with ignored, and so must go on ignoring: `nohup` asks for that, and a
//! shell that starts a job in the background of a script.

use std::fs;

/// Whether this process ignores a signal, by its number. Ask before a handler is set. False if the system does not say.
pub fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored(&status) >> (signal - 1) & 1 == 1
}

/// The ignored signals by `/proc/self/status` (proc(5)): bit `n - 1` is signal `n`. 0 if the text does not say.
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_as_the_system_writes_them() {
        let status = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000001003\nSigCgt:\tffff\n";
        assert_eq!(ignored(status), 0x1003);
        for status in ["", "SigIgn:\tx\n", "SigIgn:"] {
            assert_eq!(ignored(status), 0);
        }
    }
}
