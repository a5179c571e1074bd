//! Work that is compiled twice: for any machine, and for the vector instructions that nearly all machines
//! have had for years. Networks and solvers run their inner loops through [`run`].
//!
//! Both give the same bits and differ only in time: the compiler neither reorders floating-point sums nor
//! fuses multiplications with additions.

/// A piece of work. [`Work::run`] and the functions in which it spends its time must be `#[inline(always)]`: a
/// function that is not inlined is compiled for any machine.
pub trait Work {
    /// The result of the work.
    type Output;

    /// Does the work, with the instructions for which the caller is compiled.
    fn run(self) -> Self::Output;
}

/// Does a piece of work with the best instructions that the processor has.
#[inline]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has every feature that the function is compiled for.
        #[expect(unsafe_code, reason = "the features were asked for at run time")]
        return unsafe { with_avx2(work) };
    }
    work.run()
}

/// The second compilation of the work. Inlining puts its whole code into this function, and so under the features
/// named here.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<W: Work>(work: W) -> W::Output {
    work.run()
}
