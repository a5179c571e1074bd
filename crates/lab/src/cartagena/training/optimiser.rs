//! The loss of a network on samples, its gradient in closed form, and the optimiser Adam (Kingma and Ba 2015).
//! `trainer` takes its steps with them.
//!
//! The network has one hidden layer with rectifiers and a linear path past it:
//! `logits = W₂ max(0, W₁ x + b) + S x + c`, where `x` is a set of features that are 0 or 1. A
//! softmax of the logits gives the chances `p` (with two players there is one logit, and the
//! logistic function), and the loss of a position with targets `t` is the cross-entropy
//! `−Σ t_i ln p_i`. Its derivative by the logits is `p − t`; the chain rule gives all other derivatives.

use arrayvec::ArrayVec;
use cartagena::evaluation::features::FeatureSet;
use cartagena::evaluation::{Network, Outputs, network_chances};
use cartagena::rules::MAX_PLAYERS;
use engine::simd::{self, Work};
use rayon::prelude::*;

/// A position and its target: the chances to win, in turn order from the player who acted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub set: FeatureSet,
    pub target: [f32; MAX_PLAYERS],
}

/// The most actions of a position that one contrast compares.
pub const MOST_ACTIONS: usize = 8;

/// The positions after several actions from one position. Only the differences of their chances are
/// learnt.
pub type Contrast = ArrayVec<Sample, MOST_ACTIONS>;

/// Adds to `gradient` the gradient of the samples' summed cross-entropy, and returns this sum, in nats.
pub fn loss_and_gradient(network: &Network, samples: &[Sample], gradient: &mut [f32]) -> f64 {
    simd::run(Descent {
        network,
        samples,
        gradient,
    })
}

/// The arguments of [`loss_and_gradient`], for [`simd::run`].
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

/// The work of [`loss_and_gradient`]. Inlined, so that it is compiled for the instructions that [`simd::run`]
/// chooses.
#[inline(always)]
fn add_gradient(network: &Network, samples: &[Sample], gradient: &mut [f32]) -> f64 {
    let shape = network.shape();
    let mut layers = Layers::new(network);
    let mut loss = 0.0;
    for sample in samples {
        let logits = network.forward(&sample.set, &mut layers.hidden);
        let chances = network_chances(shape, logits, 0);
        // A chance of 0 would make the loss infinite.
        for (chance, target) in chances[..shape.players].iter().zip(sample.target) {
            loss -= f64::from(target) * f64::from(chance.max(1e-9)).ln();
        }
        // The derivative by the logits. It needs no logarithm, so chances need no floor here.
        let error = std::array::from_fn(|i| chances[i] - sample.target[i]);
        layers.back_propagate(&sample.set, &error, gradient);
    }
    loss
}

/// Adds `weight` times the gradient for the differences between actions. It is that of [`loss_and_gradient`] with the
/// targets of each contrast shifted so that their mean is the mean of the network's present chances.
pub(super) fn add_contrasts(
    network: &Network,
    contrasts: &[Contrast],
    weight: f32,
    gradient: &mut [f32],
) {
    simd::run(Contrasting {
        network,
        contrasts,
        weight,
        gradient,
    });
}

/// The arguments of [`add_contrasts`], for [`simd::run`].
struct Contrasting<'a> {
    network: &'a Network,
    contrasts: &'a [Contrast],
    weight: f32,
    gradient: &'a mut [f32],
}

impl Work for Contrasting<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut layers = Layers::new(self.network);
        for contrast in self.contrasts {
            // First pass: the errors `p − t` of all actions, and their mean over the actions.
            let mut errors = [Outputs::default(); MOST_ACTIONS];
            let errors = &mut errors[..contrast.len()];
            let mut mean = Outputs::default();
            for (error, sample) in errors.iter_mut().zip(contrast) {
                let logits = self.network.forward(&sample.set, &mut layers.hidden);
                let chances = network_chances(self.network.shape(), logits, 0);
                for i in 0..MAX_PLAYERS {
                    error[i] = chances[i] - sample.target[i];
                    mean[i] += error[i] / contrast.len() as f32;
                }
            }
            // Second pass: the mean error is taken out, so that only differences are taught; outcomes of games
            // teach how good the position is. Errors of 0.3, 0.1 and 0.2 become 0.1, −0.1 and 0.
            for (error, sample) in errors.iter_mut().zip(contrast) {
                for (error, mean) in error.iter_mut().zip(mean) {
                    *error = self.weight * (*error - mean);
                }
                // The hidden sums are those of the last action; compute this one's again.
                self.network.forward(&sample.set, &mut layers.hidden);
                layers.back_propagate(&sample.set, error, self.gradient);
            }
        }
    }
}

/// The hidden layer of one position and its gradient.
struct Layers<'a> {
    network: &'a Network,
    /// The sums before the rectifier, as [`Network::forward`] leaves them.
    hidden: Vec<f32>,
    /// The derivative of the loss by these sums.
    back: Vec<f32>,
}

impl Layers<'_> {
    fn new(network: &Network) -> Layers<'_> {
        let width = network.shape().hidden;
        Layers {
            network,
            hidden: vec![0.0; width],
            back: vec![0.0; width],
        }
    }

    /// Adds the gradient of a position, where `error` is the derivative of the loss by its logits.
    #[inline(always)]
    fn back_propagate(&mut self, set: &FeatureSet, error: &Outputs, gradient: &mut [f32]) {
        let shape = self.network.shape();
        let (width, outputs) = (shape.hidden, shape.outputs());
        let second = &self.network.weights()[shape.second()];
        let error = &error[..outputs];
        let (hidden, back) = (&self.hidden[..width], &mut self.back[..width]);
        back.fill(0.0);
        let at = shape.second().start;
        // Second layer: `dW₂[o][i] = error_o · max(0, h_i)`, and back to the hidden layer
        // `d_i = Σ_o error_o W₂[o][i]`.
        for (output, &error) in error.iter().enumerate() {
            let weights = &second[output * width..][..width];
            let slope = &mut gradient[at + output * width..][..width];
            for i in 0..width {
                slope[i] += error * hidden[i].max(0.0);
                back[i] += error * weights[i];
            }
        }
        // The rectifier passes a gradient only where its sum is positive.
        for (back, &sum) in back.iter_mut().zip(hidden) {
            *back = if sum > 0.0 { *back } else { 0.0 };
        }
        let skip = shape.skip().start;
        // Inputs are 0 or 1, so only the rows of active features have a gradient: that of the hidden layer in
        // the first layer, the error itself in the linear path.
        for feature in set.iter() {
            let row = &mut gradient[feature * width..][..width];
            for (slope, back) in row.iter_mut().zip(back.iter()) {
                *slope += back;
            }
            let row = &mut gradient[skip + feature * outputs..][..outputs];
            for (slope, error) in row.iter_mut().zip(error) {
                *slope += error;
            }
        }
        for (slope, back) in gradient[shape.bias()].iter_mut().zip(back.iter()) {
            *slope += back;
        }
        for (slope, error) in gradient[shape.output_bias()].iter_mut().zip(error) {
            *slope += error;
        }
    }
}

/// The optimiser's memory: for each weight the running mean `m` of its gradient and `v` of the gradient's square.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    pub(super) mean: Vec<f32>,
    pub(super) square: Vec<f32>,
    pub(super) steps: u64,
}

/// Share of `m` that a step keeps (β₁).
const MEAN_DECAY: f32 = 0.9;
/// Share of `v` that a step keeps (β₂).
const SQUARE_DECAY: f32 = 0.999;
/// Added to the divisor (ε), against a division by 0.
const FLOOR: f32 = 1e-8;
/// Number of weights that a thread changes at a time.
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

    /// Takes a step down the sum of both gradients times `scale`, with the learning rate `rate`,
    /// and clears the gradients.
    pub fn step(
        &mut self,
        weights: &mut [f32],
        gradients: &mut [Vec<f32>; 2],
        scale: f32,
        rate: f32,
    ) {
        self.steps += 1;
        // Both means start at 0 and are too small at first, by the factor `1 − βᵗ`. Dividing
        // corrects that. Beyond 2²⁰ steps the factor is 1.
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
                    // `m ← m + (1 − β₁)(g − m)`, `v ← v + (1 − β₂)(g² − v)`, and
                    // `w ← w − rate · m / (√v + ε)`. The first step is about `rate` long for every
                    // weight with a gradient, however small that is.
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
    use cartagena::evaluation::{Afterstate, Shape};
    use cartagena::rules::Game;
    use cartagena::world::World;
    use engine::rng;

    fn sample(players: usize) -> Sample {
        let (game, world): (Game, World) =
            seats::cartagena::setups::Setups::new(players, &[6], 0.0).draw(&mut rng::stream(4, 0));
        let set = FeatureSet::of(&game, &Afterstate::before(world.state()));
        let mut target = [0.0; MAX_PLAYERS];
        target[0] = 0.3;
        target[players - 1] = 0.7;
        Sample { set, target }
    }

    /// The computed gradient agrees with differences of the loss.
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
            // Differences are taken for some weights of every kind: biases, first layer, direct weights, second
            // layer.
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

    /// The gradient of a contrast is that of a sample whose targets are shifted to the mean of the network's
    /// chances.
    #[test]
    fn contrasts_leave_the_level_as_it_is() {
        for players in [2, 4] {
            let shape = Shape {
                players,
                hidden: 32,
            };
            let mut rng = rng::stream(2, 0);
            let network = Network::random(shape, &mut rng);
            let setups = seats::cartagena::setups::Setups::new(players, &[6], 0.0);
            let mut contrast = Contrast::new();
            for value in [0.1, 0.2, 0.4] {
                let (game, world) = setups.draw(&mut rng);
                let mut target = Outputs::default();
                target[0] = value;
                target[players - 1] = 1.0 - value;
                let set = FeatureSet::of(&game, &Afterstate::before(world.state()));
                contrast.push(Sample { set, target });
            }
            let mut hidden = [0.0; 32];
            let mut said = |sample: &Sample| {
                network_chances(shape, network.forward(&sample.set, &mut hidden), 0)
            };
            let said: Vec<Outputs> = contrast.iter().map(&mut said).collect();
            // The mean error of each output over the contrast.
            let mean = |i: usize| {
                let errors = said.iter().zip(&contrast);
                errors.map(|(said, s)| said[i] - s.target[i]).sum::<f32>() / 3.0
            };
            let samples: Vec<Sample> = contrast
                .iter()
                .map(|sample| Sample {
                    set: sample.set,
                    target: std::array::from_fn(|i| sample.target[i] + mean(i)),
                })
                .collect();
            let mut expected = vec![0.0; shape.parameters()];
            loss_and_gradient(&network, &samples, &mut expected);
            let mut gradient = vec![0.0; shape.parameters()];
            add_contrasts(&network, &[contrast], 2.0, &mut gradient);
            for (found, expected) in gradient.iter().zip(&expected) {
                assert!((found - 2.0 * expected).abs() < 1e-4, "{found} {expected}");
            }
            assert!(gradient.iter().any(|slope| slope.abs() > 1e-3));
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
