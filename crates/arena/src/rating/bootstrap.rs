//! The bootstrap: blocks are drawn with replacement, and the strengths are fitted again. The spread of the fitted
//! strengths shows how uncertain a rating is; `interval` makes its limits from them.
//!
//! A block is one deal in all rotations of the seats. Its games depend on each other, but blocks do
//! not, so whole blocks are drawn.

use super::fit::{Model, games};
use super::games::{BlockCounts, ChoiceSet, Games, Program};
use engine::rng::{self, Random};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Line-ups with fewer blocks than this are pooled: drawn alone they would hardly vary.
const SMALL: u64 = 5;

/// The games as counts (see [`Model`]), and their resamples.
///
/// The bootstrap draws blocks, stratified by line-up. From `n` blocks it draws `n - 1` with
/// replacement and weights them by `n / (n - 1)`, which makes the variance unbiased (Rao and Wu
/// 1988); drawing `n` would underestimate it by the factor `(n - 1) / n`. Of five blocks it draws four,
/// and each counts 1.25 times.
#[derive(Clone, Debug)]
pub(super) struct Sampler {
    pub(super) model: Model,
    /// The length of a vector of counts: programs, then sets.
    length: usize,
    pools: Vec<Pool>,
    /// The counts of the line-ups in which all of several blocks ended alike.
    alike: Vec<f64>,
}

/// One stratum of the bootstrap.
#[derive(Clone, Debug, Default)]
struct Pool {
    /// The distinct blocks, each as its counts that are not 0 (index in the vector of counts, count
    /// in games).
    kinds: Vec<Vec<(usize, f64)>>,
    /// For each block of the pool, its index in `kinds`.
    blocks: Vec<u32>,
    programs: BTreeSet<Program>,
}

impl Sampler {
    pub(super) fn new(all: &Games) -> Sampler {
        let programs = all.labels().len();
        let blocks = || all.strata.values().flat_map(|s| s.blocks.keys());
        // A set is sorted, so equal ends mean seats of one program only: that choice carries no
        // information and is left out.
        let sets: BTreeSet<&ChoiceSet> = blocks()
            .flat_map(|b| b.sets.keys())
            .filter(|set| set.first() != set.last())
            .collect();
        // A vector of counts has the programs first, then the sets in their order (see `Model`).
        let index: BTreeMap<&ChoiceSet, usize> = sets
            .iter()
            .enumerate()
            .map(|(i, &s)| (s, programs + i))
            .collect();
        // Pool in three stages: by line-up; small line-ups with others of the same number of
        // players; the rest with each other.
        let (mut pools, mut small) = (Vec::new(), BTreeMap::<usize, Pool>::new());
        let length = programs + sets.len();
        let mut alike = vec![0.0; length];
        for (line_up, stratum) in &all.strata {
            let mut pool = Pool::default();
            for (block, &times) in &stratum.blocks {
                pool.add(counts(block, line_up, &index), times);
            }
            pool.programs.extend(line_up);
            if pool.kinds.len() == 1 && pool.blocks.len() > 1 {
                pool.sum(&[pool.blocks.len() as u32], 1.0, &mut alike);
            }
            if pool.blocks.len() as u64 >= SMALL {
                pools.push(pool);
            } else {
                small.entry(line_up.len()).or_default().join(pool);
            }
        }
        let mut rest = Pool::default();
        for pool in small.into_values() {
            if pool.blocks.len() as u64 >= SMALL {
                pools.push(pool);
            } else {
                rest.join(pool);
            }
        }
        // A pool of one block cannot be resampled (`n - 1` is 0), so a single block joins another
        // pool.
        match pools.last_mut() {
            Some(last) if rest.blocks.len() == 1 => last.join(rest),
            _ if rest.blocks.is_empty() => (),
            _ => pools.push(rest),
        }
        Sampler {
            model: Model::new(programs, sets.iter().copied()),
            length,
            pools,
            alike,
        }
    }

    /// The counts of all games.
    pub(super) fn total(&self) -> Vec<f64> {
        let mut total = vec![0.0; self.length];
        for pool in &self.pools {
            let mut times = vec![0u32; pool.kinds.len()];
            for &kind in &pool.blocks {
                times[kind as usize] += 1;
            }
            pool.sum(&times, 1.0, &mut total);
        }
        total
    }

    /// By program, the share of the information on its strength that comes from line-ups in which all of several blocks
    /// ended alike. Resamples of these have no spread.
    pub(super) fn without_spread(&self, strengths: &[f64]) -> Vec<f64> {
        let told = |counts: &[f64]| self.model.information(counts, strengths);
        let alike = told(&self.alike);
        let prior = told(&vec![0.0; self.length]);
        let all = told(&self.total());
        let parts = alike.iter().zip(&prior).zip(&all);
        parts
            .map(|((alike, prior), all)| (alike - prior) / all)
            .collect()
    }

    /// The counts of one resample.
    fn draw(&self, random: &mut Random) -> Vec<f64> {
        let mut total = vec![0.0; self.length];
        for pool in &self.pools {
            let n = pool.blocks.len();
            let mut times = vec![0u32; pool.kinds.len()];
            // `n - 1` draws, weighted so that the expected total is that of the `n` blocks.
            for _ in 1..n {
                times[pool.blocks[rng::below(random, n)] as usize] += 1;
            }
            pool.sum(&times, n as f64 / (n - 1) as f64, &mut total);
        }
        total
    }

    /// The strengths of each resample; Newton's method starts at `guess`, the fit of the real
    /// games. Empty if a pool has fewer than two blocks.
    pub(super) fn resample(&self, guess: &[f64], resamples: usize, seed: u64) -> Vec<Vec<f64>> {
        if self.pools.iter().any(|pool| pool.blocks.len() < 2) {
            return Vec::new();
        }
        // Each resample has its own random stream, so the result does not depend on the number of
        // threads.
        let one = |part| {
            let counts = self.draw(&mut rng::stream(seed, part as u64));
            self.model.fit(&counts, guess).strengths
        };
        (0..resamples).into_par_iter().map(one).collect()
    }

    /// Degrees of freedom behind a program's spread: the blocks less one of each pool that it took
    /// part in.
    pub(super) fn freedom(&self, program: usize) -> u64 {
        let own = |pool: &&Pool| pool.programs.contains(&(program as Program));
        let pools = self.pools.iter().filter(own);
        let freedom: usize = pools.map(|pool| pool.blocks.len().saturating_sub(1)).sum();
        freedom.max(1) as u64
    }
}

impl Pool {
    /// Adds a block that occurred `times` times.
    fn add(&mut self, counts: Vec<(usize, f64)>, times: u64) {
        // Equal blocks are stored once, and drawn as one number each.
        let kind = self.kinds.len() as u32;
        self.kinds.push(counts);
        self.blocks.extend((0..times).map(|_| kind));
    }

    /// Adds all blocks of another pool.
    fn join(&mut self, other: Pool) {
        let before = self.kinds.len() as u32;
        self.kinds.extend(other.kinds);
        self.blocks
            .extend(other.blocks.iter().map(|kind| before + kind));
        self.programs.extend(other.programs);
    }

    /// Adds the counts of each kind of block, times how often it was drawn and `weight`, to `total`.
    fn sum(&self, times: &[u32], weight: f64, total: &mut [f64]) {
        for (counts, &times) in self.kinds.iter().zip(times) {
            if times > 0 {
                let weight = weight * f64::from(times);
                for &(i, count) in counts {
                    total[i] += weight * count;
                }
            }
        }
    }
}

/// The counts of one block: choices won by each program, then sets to choose from.
fn counts(
    block: &BlockCounts,
    line_up: &[Program],
    index: &BTreeMap<&ChoiceSet, usize>,
) -> Vec<(usize, f64)> {
    // A ranking places every seat, so each seat wins one choice a game.
    let mut won: BTreeMap<Program, u64> = BTreeMap::new();
    for &program in line_up {
        *won.entry(program).or_default() += block.games * super::games::PARTS;
    }
    let mut sets = Vec::new();
    for (set, &parts) in &block.sets {
        match index.get(set) {
            Some(&i) => sets.push((i, games(parts))),
            // A choice among seats of one program says nothing: neither the set counts nor the win.
            None => *won.entry(set[0]).or_default() -= parts,
        }
    }
    let won = won
        .into_iter()
        .map(|(p, parts)| (usize::from(p), games(parts)));
    won.chain(sets).filter(|&(_, count)| count > 0.0).collect()
}
