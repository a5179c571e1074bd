//! Exponentials with a pinned sequence of operations: the same bits on every machine, which the
//! system's mathematics library does not promise.

use std::f32::consts::LOG2_E;

/// Beyond this the result of [`exp`] leaves the normal numbers.
const LIMIT: f32 = 87.0;

/// e to the power of `x`, clamped to ±87; the relative error is below 3e-7.
///
/// Splits x = k ln 2 + r with |r| ≤ ln 2 / 2 in two parts of ln 2 (Cody and Waite), sums the
/// Taylor series of degree 6 by Horner's rule and scales by 2^k.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-LIMIT, LIMIT);
    let k = (x * LOG2_E + if x < 0.0 { -0.5 } else { 0.5 }) as i32;
    let whole = k as f32;
    let r = (x - whole * LN2_HIGH) - whole * LN2_LOW;
    let series = 1.0
        + r * (1.0
            + r * (1.0 / 2.0
                + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0))))));
    series * f32::from_bits(((k + 127) as u32) << 23)
}

/// The logistic function, 1 / (1 + e^-x).
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// Turns the first `count` logits into chances that sum to 1, in place.
#[inline(always)]
pub fn softmax<const N: usize>(logits: &mut [f32; N], count: usize) {
    let highest = logits[..count]
        .iter()
        .copied()
        .fold(f32::NEG_INFINITY, f32::max);
    // Powers of what stands beyond cost nothing when all are computed side by side.
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

#[cfg(test)]
mod tests {
    use super::*;

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
