//! Ratings with their 95 % limits, and the chance that one program is stronger than another.
//!
//! The fit of the model (`fit`) gives strengths, and the bootstrap (`bootstrap`) gives the strengths of resampled
//! games. Here both are moved to a common zero, the *anchor*, and the spread of the resamples becomes an interval.
//!
//! A program is *open above* if nothing in the games keeps its strength from being greater, for example if it was never
//! placed behind another. It is *open below* if nothing keeps its strength from being smaller.

use super::ELO;
use super::bootstrap::Sampler;
use super::comparable::Comparable;
use super::fit::Fit;
use crate::stats::{Z, normal, student};

/// With fewer degrees of freedom than this, the bootstrap alone is not trusted: by chance all blocks may be alike, and
/// resamples of them would have no spread at all.
const FEW_BLOCKS: u64 = 10;

/// The bootstrap alone is trusted if no more than this share of a program's information is from line-ups in which all
/// blocks ended alike. Such a line-up has no spread in resamples, as if it were certain how its next block ends. With a
/// tenth the variance is a tenth too small, and an error a twentieth. A margin of the bootstrap below this part of the
/// model's is not trusted either.
const ALIKE: f64 = 0.1;

/// Ratings that differ by less, in Elo points, are equal: the fit has such errors.
const TIE: f64 = 1e-6;

/// Ratings, and all that their limits are computed from.
pub(super) struct Estimates {
    fit: Fit,
    /// By program, the anchored rating in Elo points.
    ratings: Vec<f64>,
    /// `samples[program][resample]`, the anchored rating in that resample.
    samples: Vec<Vec<f64>>,
    /// By program, the degrees of freedom of its spread: about its number of blocks.
    freedom: Vec<u64>,
    /// By program, whether more than [`ALIKE`] of the information on its strength has no spread.
    alike: Vec<bool>,
    /// The program whose rating is given; none if the mean of each group is the zero.
    anchor: Option<usize>,
    pub(super) comparable: Comparable,
}

/// The 95 % limits of a rating; none where nothing in the games sets one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
}

impl Estimates {
    /// Moves the fitted strengths, and those of each resample, to the zero of the scale. `samples` has the strengths of
    /// all programs by resample, and `anchor` a program with the rating that it gets.
    pub(super) fn new(
        fit: Fit,
        samples: Vec<Vec<f64>>,
        sampler: &Sampler,
        comparable: Comparable,
        anchor: Option<(usize, f64)>,
    ) -> Estimates {
        let programs = fit.strengths.len();
        // Only differences of strengths within a group are determined, so each group has its own origin: the anchor
        // if it is a member, else the mean of the reference programs. Every resample has its own origin too, so the
        // uncertainty of the origin becomes part of the intervals.
        let anchored = |strengths: &[f64]| -> Vec<f64> {
            let origins: Vec<f64> = (0..comparable.references.len())
                .map(|group| match anchor {
                    Some((program, rating)) if comparable.groups[program] == group => {
                        ELO * strengths[program] - rating
                    }
                    _ => {
                        let reference = &comparable.references[group];
                        let sum: f64 = reference.iter().map(|&i| strengths[i]).sum();
                        ELO * sum / reference.len() as f64
                    }
                })
                .collect();
            (0..programs)
                .map(|i| ELO * strengths[i] - origins[comparable.groups[i]])
                .collect()
        };
        // Transposed: limits look at one program in all resamples.
        let drawn: Vec<Vec<f64>> = samples.iter().map(|s| anchored(s)).collect();
        Estimates {
            ratings: anchored(&fit.strengths),
            samples: (0..programs)
                .map(|i| drawn.iter().map(|ratings| ratings[i]).collect())
                .collect(),
            freedom: (0..programs).map(|i| sampler.freedom(i)).collect(),
            alike: sampler
                .without_spread(&fit.strengths)
                .into_iter()
                .map(|share| share > ALIKE)
                .collect(),
            anchor: anchor.map(|(program, _)| program),
            comparable,
            fit,
        }
    }

    /// The rating in Elo points; none if no game compares the program with another.
    pub(super) fn rating(&self, program: usize) -> Option<f64> {
        let compared = self.comparable.is_compared(program) || self.anchor == Some(program);
        compared.then_some(self.ratings[program])
    }

    /// The limits of the 95 % interval.
    ///
    /// They begin as the 2.5 % and 97.5 % quantiles of the bootstrap. Such quantiles ignore that the variance is itself
    /// estimated (Hesterberg 2015). So their distances from the rating are multiplied by the quantile of Student's
    /// distribution over that of the normal one. If blocks are few or alike, or the program is open to a side, the interval
    /// is at least as wide as that of the model, which takes games as independent.
    pub(super) fn limits(&self, program: usize) -> Limits {
        let rating = self.ratings[program];
        // The anchor has its rating by definition.
        if self.anchor == Some(program) {
            let fixed = Some(rating);
            return Limits {
                low: fixed,
                high: fixed,
            };
        }
        let mut sorted = self.samples[program].clone();
        sorted.sort_unstable_by(f64::total_cmp);
        // With 10 degrees of freedom it is 2.228 / 1.960, which widens the interval by 14 %; with 100 by 1 %.
        let stretch = student(self.least_freedom(program)) / Z;
        // The two sides are kept apart: near the ends of the scale the distribution of a strength
        // is skewed.
        let below = stretch * (rating - quantile(&sorted, 0.025).unwrap_or(rating));
        let above = stretch * (quantile(&sorted, 0.975).unwrap_or(rating) - rating);
        let model = Z * self.model_error(program, self.against(program));
        // Line-ups of a single block cannot be seen to be alike one by one. If all of them are, resamples hardly differ:
        // 28 pairs of eight programs with one block of 1 : 1 each have a margin of 0 there, and of 157 by the model.
        let is_weak = self.is_weak(program) || below.max(above) < ALIKE * model;
        let at_least = if is_weak { model } else { 0.0 };
        Limits {
            // A program that was never ahead has no lower limit, one that was never behind has no
            // upper limit: the games are consistent with any strength on that side.
            low: (!self.open_below(program)).then(|| rating - below.max(at_least)),
            high: (!self.open_above(program)).then(|| rating + above.max(at_least)),
        }
    }

    /// The chance that `first` is stronger than `second`: the share of resamples in which it has the greater
    /// rating. None if no chain of games compares the two. If blocks are few or all alike, or one of the two was never
    /// behind the other, the result is this share or the chance by the model, whichever is nearer to one half.
    pub(super) fn superiority(&self, first: usize, second: usize) -> Option<f64> {
        if self.comparable.groups[first] != self.comparable.groups[second] {
            return None;
        }
        let (a, b) = (&self.samples[first], &self.samples[second]);
        let wins = a.iter().zip(b).map(|(a, b)| {
            // Equal ratings count as half.
            if (a - b).abs() < TIE {
                0.5
            } else {
                f64::from(u8::from(a > b))
            }
        });
        let share = (!a.is_empty()).then(|| wins.sum::<f64>() / a.len() as f64);
        let freedom = self.freedom[first].min(self.freedom[second]);
        let model = self.model_error(first, &[second]);
        // As in `limits`; half of the resamples' range is more than two standard deviations.
        let differences = || a.iter().zip(b).map(|(a, b)| a - b);
        let range = differences().fold(f64::MIN, f64::max) - differences().fold(f64::MAX, f64::min);
        let are_alike = self.alike[first] || self.alike[second] || range / 2.0 < ALIKE * Z * model;
        let is_open = self.comparable.open_above(first, &[second])
            || self.comparable.open_below(first, &[second]);
        if share.is_some() && freedom >= FEW_BLOCKS && !are_alike && !is_open {
            return share;
        }
        let difference = self.ratings[first] - self.ratings[second];
        // Widened as the limits are: the few blocks that the error is estimated from may be alike by chance.
        let stretch = student(freedom) / Z;
        let model = normal(difference / (stretch * model));
        Some(match share {
            // Few blocks may agree by chance, and then the share is too sure: take the less certain
            // of the two.
            Some(share) if (share - 0.5).abs() < (model - 0.5).abs() => share,
            _ => model,
        })
    }

    /// The programs whose mean strength is the zero of this program's rating: the anchor if it is in the same
    /// group, else the reference programs of the group.
    fn against(&self, program: usize) -> &[usize] {
        match &self.anchor {
            Some(anchor) if self.comparable.groups[*anchor] == self.comparable.groups[program] => {
                std::slice::from_ref(anchor)
            }
            _ => self.comparable.reference(program),
        }
    }

    /// The standard error by the model, in Elo points, of the strength of `program` less the mean of `against`.
    fn model_error(&self, program: usize, against: &[usize]) -> f64 {
        ELO * self.fit.model_error(program, against)
    }

    /// Whether the bootstrap alone is not trusted: blocks are few, or too many of those of the program or of one that it is
    /// measured against ended alike, or the program is open to a side. Twenty blocks of two games that each program has
    /// won once have no spread, but leave open what the next block would be.
    fn is_weak(&self, program: usize) -> bool {
        let against = self.against(program);
        self.least_freedom(program) < FEW_BLOCKS
            || self.alike[program]
            || against.iter().any(|&other| self.alike[other])
            || self.open_above(program)
            || self.open_below(program)
    }

    /// The degrees of freedom of a rating: the fewest among the program and those it is measured against. If a newcomer
    /// has played two blocks, the mean of all is uncertain, and with it every rating.
    fn least_freedom(&self, program: usize) -> u64 {
        let against = self
            .against(program)
            .iter()
            .map(|&other| self.freedom[other]);
        against.fold(self.freedom[program], u64::min)
    }

    /// Whether nothing in the games keeps the rating from being higher.
    pub(super) fn open_above(&self, program: usize) -> bool {
        self.comparable.open_above(program, self.against(program))
    }

    /// Whether nothing in the games keeps the rating from being lower.
    pub(super) fn open_below(&self, program: usize) -> bool {
        self.comparable.open_below(program, self.against(program))
    }
}

/// A quantile of sorted numbers, linear between neighbours; none if there are no numbers. The `k`-th of `n` numbers,
/// counted from 1, is the quantile `k / (n + 1)`: the first of 39 is the 2.5 % quantile.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = (share * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, last as f64);
    let (below, part) = (at as usize, at.fract());
    let above = (below + 1).min(last);
    Some(sorted[below] + part * (sorted[above] - sorted[below]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        let sorted: Vec<f64> = (1..=39).map(f64::from).collect();
        assert_eq!(quantile(&sorted, 0.025), Some(1.0));
        assert_eq!(quantile(&sorted, 0.5), Some(20.0));
        assert_eq!(quantile(&sorted, 0.975), Some(39.0));
        assert_eq!(quantile(&sorted, 0.51), Some(20.4));
        assert_eq!(quantile(&[7.0], 0.975), Some(7.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
