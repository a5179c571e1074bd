//! Cross-entropy, its gradient by hand, and Adam (Kingma and Ba 2015).

use cartagena::evaluation::Network;
use cartagena::evaluation::features::FeatureSet;
use cartagena::evaluation::network_chances;
use cartagena::rules::MAX_PLAYERS;
use engine::simd::{self, Work};
use rayon::prelude::*;

/// A position and the chances it is taught, in turn order from the player who acted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The position.
    pub set: FeatureSet,
    /// The chances.
    pub target: [f32; MAX_PLAYERS],
}

/// The chances after a win by the player in a place of the turn order.
pub(super) fn one_hot(winner: usize) -> [f32; MAX_PLAYERS] {
    let mut chances = [0.0; MAX_PLAYERS];
    chances[winner] = 1.0;
    chances
}

/// Adds the gradient of the summed cross-entropy of samples to `gradient`; returns the sum.
pub fn loss_and_gradient(network: &Network, samples: &[Sample], gradient: &mut [f32]) -> f64 {
    simd::run(Descent {
        network,
        samples,
        gradient,
    })
}

struct Descent<'a> {
    network: &'a Network,
    samples: &'a [Sample],
    gradient: &'a mut [f32],
}

impl Work for Descent<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        add_gradient(self.network, self.samples, self.gradient)
    }
}

#[inline(always)]
fn add_gradient(network: &Network, samples: &[Sample], gradient: &mut [f32]) -> f64 {
    let shape = network.shape();
    let (width, outputs) = (shape.hidden, shape.outputs());
    let second = &network.weights()[shape.second()];
    let mut hidden = vec![0.0f32; width];
    let mut back = vec![0.0f32; width];
    let mut loss = 0.0;
    for sample in samples {
        let logits = network.forward(&sample.set, &mut hidden);
        let chances = network_chances(shape, logits);
        for (chance, target) in chances[..shape.players].iter().zip(sample.target) {
            loss -= f64::from(target) * f64::from(chance.max(1e-9)).ln();
        }
        let mut error = [0.0f32; MAX_PLAYERS];
        for (error, (chance, target)) in error[..outputs]
            .iter_mut()
            .zip(chances.iter().zip(sample.target))
        {
            *error = chance - target;
        }
        let error = &error[..outputs];

        back.fill(0.0);
        let at = shape.second().start;
        for (output, &error) in error.iter().enumerate() {
            let weights = &second[output * width..][..width];
            let slope = &mut gradient[at + output * width..][..width];
            for i in 0..width {
                slope[i] += error * hidden[i].max(0.0);
                back[i] += error * weights[i];
            }
        }
        for (back, &sum) in back.iter_mut().zip(&hidden) {
            *back = if sum > 0.0 { *back } else { 0.0 };
        }
        let skip = shape.skip().start;
        for feature in sample.set.iter() {
            let row = &mut gradient[feature * width..][..width];
            for (slope, back) in row.iter_mut().zip(&back) {
                *slope += back;
            }
            let row = &mut gradient[skip + feature * outputs..][..outputs];
            for (slope, error) in row.iter_mut().zip(error) {
                *slope += error;
            }
        }
        for (slope, back) in gradient[shape.bias()].iter_mut().zip(&back) {
            *slope += back;
        }
        for (slope, error) in gradient[shape.output_bias()].iter_mut().zip(error) {
            *slope += error;
        }
    }
    loss
}

/// The optimiser's memory: running means of the gradient and of its square.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    pub(super) mean: Vec<f32>,
    pub(super) square: Vec<f32>,
    pub(super) steps: u64,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const FLOOR: f32 = 1e-8;
/// Weights that one thread changes at a time.
const CHUNK: usize = 8192;

impl Adam {
    /// No steps so far.
    pub fn new(parameters: usize) -> Adam {
        Adam {
            mean: vec![0.0; parameters],
            square: vec![0.0; parameters],
            steps: 0,
        }
    }

    /// Takes a step against the sum of the gradients times `scale`, and clears them.
    pub fn step(
        &mut self,
        weights: &mut [f32],
        gradients: &mut [Vec<f32>; 2],
        scale: f32,
        rate: f32,
    ) {
        self.steps += 1;
        let correct = |decay: f32| 1.0 - f64::from(decay).powi(self.steps.min(1 << 20) as i32);
        let rate = rate / correct(MEAN_DECAY) as f32;
        let spread = (1.0 / correct(SQUARE_DECAY)) as f32;
        let [first, second] = gradients;
        (
            weights.par_chunks_mut(CHUNK),
            self.mean.par_chunks_mut(CHUNK),
            self.square.par_chunks_mut(CHUNK),
            first.par_chunks_mut(CHUNK),
            second.par_chunks_mut(CHUNK),
        )
            .into_par_iter()
            .for_each(|(weights, means, squares, first, second)| {
                for i in 0..weights.len() {
                    let slope = (first[i] + second[i]) * scale;
                    means[i] += (1.0 - MEAN_DECAY) * (slope - means[i]);
                    squares[i] += (1.0 - SQUARE_DECAY) * (slope * slope - squares[i]);
                    weights[i] -= rate * means[i] / ((squares[i] * spread).sqrt() + FLOOR);
                }
                first.fill(0.0);
                second.fill(0.0);
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cartagena::evaluation::features::FeatureSet;
    use cartagena::evaluation::{Afterstate, Shape};
    use cartagena::rules::Game;
    use cartagena::world::World;
    use engine::rng;

    fn sample(players: usize) -> Sample {
        let (game, world): (Game, World) = super::super::Setups {
            players,
            deals: vec![6],
            other_lengths: 0.0,
        }
        .draw(&mut rng::stream(4, 0));
        let set = FeatureSet::of(&game, &Afterstate::before(world.state()));
        let mut target = [0.0; MAX_PLAYERS];
        target[0] = 0.3;
        target[players - 1] = 0.7;
        Sample { set, target }
    }

    /// The gradient by hand against differences of the loss.
    #[test]
    fn gradient_is_the_slope() {
        for players in [2, 3, 6] {
            let shape = Shape {
                players,
                hidden: 32,
            };
            let mut network = Network::random(shape, &mut rng::stream(2, 0));
            let samples = [sample(players)];
            let mut gradient = vec![0.0; shape.parameters()];
            loss_and_gradient(&network, &samples, &mut gradient);
            let mut waste = vec![0.0; shape.parameters()];
            let active: Vec<usize> = samples[0].set.iter().collect();
            let mut checked = vec![shape.bias().start + 3, shape.output_bias().start];
            for &feature in active.iter().step_by(9) {
                checked.push(feature * 32 + feature % 32);
                checked.push(shape.skip().start + feature * shape.outputs());
            }
            checked.extend(shape.second().step_by(5));
            for index in checked {
                let mut at = |change: f32| {
                    network.weights_mut()[index] += change;
                    let loss = loss_and_gradient(&network, &samples, &mut waste);
                    network.weights_mut()[index] -= change;
                    loss
                };
                let slope = (at(0.01) - at(-0.01)) / 0.02;
                let error = (slope - f64::from(gradient[index])).abs();
                assert!(error < 2e-3, "weight {index}: {slope}, {}", gradient[index]);
            }
        }
    }

    #[test]
    fn steps_lead_downhill() {
        let shape = Shape {
            players: 3,
            hidden: 32,
        };
        let mut network = Network::random(shape, &mut rng::stream(2, 0));
        let mut adam = Adam::new(shape.parameters());
        let mut gradients = [(); 2].map(|()| vec![0.0; shape.parameters()]);
        let samples = [sample(3)];
        let mut losses = Vec::new();
        for _ in 0..50 {
            losses.push(loss_and_gradient(&network, &samples, &mut gradients[0]));
            adam.step(network.weights_mut(), &mut gradients, 1.0, 1e-3);
            assert!(gradients[0].iter().all(|&slope| slope == 0.0));
        }
        let entropy = -(0.3f64 * 0.3f64.ln() + 0.7 * 0.7f64.ln());
        assert!(
            losses[49] < losses[0] && losses[49] < entropy + 0.01,
            "{losses:?}"
        );
    }
}
