//! Tries a law of `crates/laws`, which the variable `LAW` names.
//!
//! Where the compiler is told `--cfg fuzzing`, as by `scripts/fuzz` and cargo-fuzz, libFuzzer calls the law with bytes that
//! it makes up. Elsewhere this program tries the files that it is given.
#![cfg_attr(fuzzing, no_main)]

use laws::TARGETS;
use std::env;
use std::process;
use std::sync::LazyLock;

/// Panics if bytes break the law.
static LAW: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = env::var("LAW").unwrap_or_default();
    let law = TARGETS.iter().find(|target| target.name == name);
    law.map_or_else(
        || {
            let names = TARGETS.map(|target| target.name).join(", ");
            eprintln!("LAW={name}: expected one of {names}");
            process::exit(2)
        },
        |law| law.check,
    )
});

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|input: &[u8]| LAW(input));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    let law = *LAW;
    for file in env::args_os().skip(1) {
        law(&std::fs::read(file)?);
    }
    Ok(())
}
