//! Exponentials and logarithms with a pinned sequence of operations: the same bits on every machine,
//! which the system's mathematics library does not promise. Players call these in place of the methods of `f32` and
//! `f64`, so that their answers repeat everywhere.

use std::f32::consts::LOG2_E;

/// The largest argument of [`exp`] in size. The smallest normal number is about e^-87.3.
const LIMIT: f32 = 87.0;

/// e to the power of `x`, clamped to ±87; the relative error is below 3e-7.
///
/// Splits x = k ln 2 + r with a whole k and |r| ≤ ln 2 / 2, so that e^x = 2^k e^r. The Taylor series of e^r
/// of degree 6 is summed by Horner's rule. So that r loses no bits, k ln 2 is subtracted in two parts (Cody and
/// Waite): the high part of ln 2 has so few bits that its product with k is exact.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-LIMIT, LIMIT);
    // A cast to an integer cuts off the fraction. With a half added first, away from zero, it rounds to the nearest.
    let k = (x * LOG2_E + if x < 0.0 { -0.5 } else { 0.5 }) as i32;
    let whole = k as f32;
    let r = (x - whole * LN2_HIGH) - whole * LN2_LOW;
    let series = 1.0
        + r * (1.0
            + r * (1.0 / 2.0
                + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0))))));
    // 2^k as bits: the exponent with its bias of 127 stands above 23 bits of fraction.
    series * f32::from_bits(((k + 127) as u32) << 23)
}

/// The logistic function, 1 / (1 + e^-x).
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// Turns the first `count` logits into chances that sum to 1, in place: exp(l) / Σ exp(l). The highest logit is
/// subtracted from all first, which changes no chance and keeps exp from overflowing.
#[inline(always)]
pub fn softmax<const N: usize>(logits: &mut [f32; N], count: usize) {
    let highest = logits[..count]
        .iter()
        .copied()
        .fold(f32::NEG_INFINITY, f32::max);
    // All `N` powers are computed, as a loop of fixed length runs side by side in vector registers.
    let mut powers = [0.0; N];
    for i in 0..N {
        powers[i] = exp(logits[i] - highest);
    }
    let sum = powers[..count].iter().fold(0.0, |sum, power| sum + power);
    let scale = 1.0 / sum;
    for (logit, power) in logits.iter_mut().zip(powers).take(count) {
        *logit = power * scale;
    }
}

/// ln 2 in two parts. The first has so few bits that its product with an exponent is exact.
const LN2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];

/// A number of the standard Gumbel distribution, from a uniform one in the unit interval: -ln(-ln u).
///
/// Add such a number, times a scale, to each of several values. Then the largest sum belongs to value v with
/// probability ∝ exp(v / scale), the softmax (the Gumbel-max trick; see Maddison, Tarlow and Minka,
/// *A\* Sampling*, 2014, section 2).
pub fn gumbel(uniform: f64) -> f64 {
    // At 0 and 1 one of the logarithms would be infinite.
    -ln(-ln(uniform.clamp(1e-12, 1.0 - 1e-12)))
}

/// The natural logarithm of a positive normal number; the relative error is below 1e-15.
///
/// Splits x = m 2^k with m between √½ and √2, and sums ln m = 2 (s + s³/3 + s⁵/5 + …) with
/// s = (m - 1) / (m + 1), |s| < 0.172, up to s²¹ by Horner's rule.
pub fn ln(x: f64) -> f64 {
    debug_assert!(x.is_normal() && x > 0.0, "ln({x})");
    const FRACTION: u64 = (1 << 52) - 1;
    // A normal number is 2^(e - 1023) · (1 + fraction), with e in the bits above the 52 of the fraction. With 1023 in
    // place of e it lies between 1 and 2.
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i32 - 1023;
    let mut m = f64::from_bits((bits & FRACTION) | 1023 << 52);
    if m > std::f64::consts::SQRT_2 {
        m /= 2.0;
        exponent += 1;
    }
    // ln m = 2 artanh s, whose series has odd powers alone and converges fast for |s| < 0.172.
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let odd = [21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0];
    let series = odd.iter().fold(0.0, |sum, odd| (sum + 1.0 / odd) * square);
    let k = f64::from(exponent);
    // Small terms are added first, so that the large one, which is exact, loses least.
    k * LN2[0] + (2.0 * s + (2.0 * s * series + k * LN2[1]))
}

/// The mean of max(0, X) for X of the normal distribution with mean -z and variance 1: φ(z) - z Φ(-z), the *unit
/// normal loss function*, for z from 0 on. The error is below 3e-7.
///
/// It is the value of learning which of two things is better, in standard deviations of their difference, if one is
/// ahead by z of them. If the other turns out to be better by X, it is chosen after all, and X is won. With z = 0 that is
/// worth 0.399 on average, with z = 1 it is worth 0.083, with z = 3 it is worth 0.0004.
pub fn normal_loss(z: f64) -> f64 {
    let [density, tail] = normal(z);
    // The rounded tail can exceed φ(z) / z where both are tiny.
    (density - z * tail).max(0.0)
}

/// The density φ(z) of the normal distribution and its tail Φ(-z), for z from 0 on. The error is below 2e-7.
///
/// Φ(-z) = φ(z) (b₁t + … + b₅t⁵) with t = 1 / (1 + 0.2316419 z), by Abramowitz and Stegun 1964, 26.2.17.
pub fn normal(z: f64) -> [f64; 2] {
    debug_assert!(z >= 0.0, "{z}");
    const SERIES: [f64; 5] = [
        1.330_274_429,
        -1.821_255_978,
        1.781_477_937,
        -0.356_563_782,
        0.319_381_530,
    ];
    // 1 / √(2π)
    let density = 0.398_942_280_4 * f64::from(exp((-0.5 * z * z) as f32));
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    [
        density,
        density * SERIES.iter().fold(0.0, |sum, b| (sum + b) * t),
    ]
}

/// `x` to the power of `y`, for a positive normal `x` and a result between e^-700 and e^700, to which
/// it is clamped; the relative error is below 1e-15 (1 + |y ln x|).
pub fn pow(x: f64, y: f64) -> f64 {
    let z = (y * ln(x)).clamp(-700.0, 700.0);
    // e^z = 2^k e^r with |r| ≤ ln 2 / 2, and the Taylor series of e^r of degree 14.
    let k = (z * std::f64::consts::LOG2_E).round_ties_even();
    let r = (z - k * LN2[0]) - k * LN2[1];
    let terms = (1..=14).rev().map(f64::from);
    let series = terms.fold(1.0, |sum, n| 1.0 + sum * r / n);
    series * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of φ(z) - z Φ(-z) to ten digits.
    #[test]
    fn the_loss_function_is_close() {
        for (z, exact) in [
            (0.0, 0.398_942_280_4),
            (1.0, 0.083_315_470_6),
            (2.0, 0.008_490_702_6),
            (3.0, 0.000_382_154_3),
            (5.0, 0.000_000_053_5),
            (40.0, 0.0),
        ] {
            let error = (normal_loss(z) - exact).abs();
            assert!(error < 3e-7, "{z}: off by {error:e}");
        }
    }

    #[test]
    fn ln_and_pow_are_close_to_the_library() {
        let mut x = 1e-300f64;
        while x < 1e300 {
            let error = (ln(x) - x.ln()).abs() / x.ln().abs();
            assert!(error < 1e-15, "ln({x:e}) is off by {error:e}");
            for y in [-1.0, 0.0, 0.5, 0.9, 1.0, 2.0] {
                let exact = x.powf(y);
                if !(1e-300..1e300).contains(&exact) {
                    continue;
                }
                let error = (pow(x, y) - exact).abs() / exact;
                let bound = 1e-15 * (1.0 + (y * x.ln()).abs());
                assert!(error < bound, "{x:e}^{y} is off by {error:e}");
            }
            // Denser around one, where the logarithm is small.
            x *= if (0.5..2.0).contains(&x) {
                1.000_37
            } else {
                1.37
            };
        }
        assert_eq!((ln(1.0), pow(1.0, 0.9), pow(7.0, 0.0)), (0.0, 1.0, 1.0));
        assert!(pow(1e300, 9.0).is_finite() && pow(1e300, -9.0) > 0.0);
    }

    #[test]
    fn bits_of_ln_and_pow_are_pinned() {
        let bits = [1e-9, 0.3, 0.999, 1.5, 2.0, 12345.0].map(|x| ln(x).to_bits());
        assert_eq!(
            bits,
            [
                13_849_898_335_305_727_928,
                13_831_473_067_500_349_217,
                13_785_628_853_153_536_883,
                4_600_975_829_957_056_588,
                4_604_418_534_313_441_775,
                4_621_493_173_169_821_928
            ]
        );
        let bits = [1e-3, 0.2, 0.95, 3.0].map(|x| pow(x, 0.9).to_bits());
        assert_eq!(
            bits,
            [
                4_566_747_184_186_830_971,
                4_597_632_041_785_565_069,
                4_606_776_062_442_980_656,
                4_613_234_976_078_834_859
            ]
        );
    }

    #[test]
    fn close_to_the_library() {
        let mut x = -86.9f32;
        while x < 86.9 {
            let exact = f64::from(x).exp();
            let error = (f64::from(exp(x)) - exact).abs() / exact;
            assert!(error < 3e-7, "exp({x}) is off by {error:e}");
            x += 0.0137;
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(sigmoid(0.0), 0.5);
        assert!(exp(-1e9) > 0.0 && exp(1e9).is_finite());
    }

    #[test]
    fn bits_are_pinned() {
        let bits = [-20.0f32, -3.3, -0.1, 0.7, 1.0, 12.5].map(|x| exp(x).to_bits());
        assert_eq!(
            bits,
            [
                822_977_587,
                1_024_922_318,
                1_063_756_653,
                1_073_799_507,
                1_076_754_516,
                1_216_546_345
            ]
        );
    }

    #[test]
    fn softmax_sums_to_one() {
        let mut chances = [1.0, 2.0, -50.0, 300.0, 1e9];
        softmax(&mut chances, 4);
        assert!((chances[..4].iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(chances[3] > 0.999 && chances[0] >= 0.0);
        assert_eq!(chances[4], 1e9);
    }
}
