//! Training of a policy network on recorded choices of players that search, for `lab eights train` and
//! `lab hearts train`. It is a logistic regression over the cards of a choice, by Adam (Kingma and Ba 2015) with
//! a rate that falls linearly to 0.
//!
//! If the choices come from players that search with the network of the generation before, this is
//! expert iteration (Anthony, Tian and Barber 2017). The same choices, settings and seed give the
//! same network with any number of threads.

use engine::rng::{shuffle, stream};
use rayon::prelude::*;
use tricks::network::{Inputs, Linear, Network};
use tricks::{Card, PolicySet, Round as _};

/// A choice among several legal cards.
#[derive(Clone, Debug)]
pub struct Choice<R> {
    /// The round before the choice.
    pub round: R,
    pub card: Card,
}

/// The settings of a training.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// Passes over all choices.
    pub epochs: u32,
    /// The rate of the first step.
    pub rate: f32,
    /// Seed of the order of the choices.
    pub seed: u64,
}

/// The accuracy of a network's predictions, a mean over choices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    pub choices: usize,
    /// Minus the logarithm of the chance of the chosen card.
    pub loss: f64,
    /// The loss if all legal cards are equally likely.
    pub even_loss: f64,
    /// The share of choices in which the chosen card was the likeliest, from 0 to 1.
    pub agreement: f64,
}

/// Number of choices of a step.
const BATCH: usize = 256;
/// Choices whose gradients one thread sums. The sums are added in order, so they do not depend on
/// the number of threads.
const PART: usize = 64;
/// The decay of Adam's means of the gradient and of its square.
const DECAY: [f32; 2] = [0.9, 0.999];

impl Training {
    /// Trains a network, and then its distilled scorer to give the same chances. In the first part, `after` is
    /// called with each epoch's number, from 1, and the network after it.
    pub fn run<P: PolicySet>(
        &self,
        network: &mut Network,
        choices: &[Choice<P::Round>],
        mut after: impl FnMut(u32, &Network),
    ) {
        self.descend::<P>(network, choices, Part::Network, &mut after);
        self.descend::<P>(network, choices, Part::Scorer, |_, _| {});
    }

    /// Descends the loss of a part, batch by batch in a fresh order each epoch.
    fn descend<P: PolicySet>(
        &self,
        network: &mut Network,
        choices: &[Choice<P::Round>],
        part: Part,
        mut after: impl FnMut(u32, &Network),
    ) {
        let mut order: Vec<usize> = (0..choices.len()).collect();
        let mut means = vec![[0.0_f32; 2]; part.count()];
        let steps = (self.epochs as usize * choices.len().div_ceil(BATCH)).max(1);
        let mut step = 0;
        for epoch in 1..=self.epochs {
            shuffle(&mut stream(self.seed, u64::from(epoch)), &mut order);
            for batch in order.chunks(BATCH) {
                let gradient = gradient::<P>(network, choices, batch, part);
                // The rate falls to 1 / steps of itself in the last step, so that the noise of the steps dies out.
                let left = 1.0 - step as f32 / steps as f32;
                step += 1;
                // The means start at 0: dividing by `1 − decayᵗ` corrects that.
                let unbias = DECAY.map(|decay| 1.0 - decay.powi(step));
                let weights = part.weights(network).iter_mut();
                for ((weight, slope), mean) in weights.zip(gradient).zip(&mut means) {
                    // `m ← m + (1 − β₁)(g − m)`, `v ← v + (1 − β₂)(g² − v)`,
                    // `w ← w − rate · left · m' / (√v' + 10⁻⁸)`, where m' and v' are divided by `1 − βᵗ`.
                    let slope = slope / batch.len() as f32;
                    mean[0] += (1.0 - DECAY[0]) * (slope - mean[0]);
                    mean[1] += (1.0 - DECAY[1]) * (slope * slope - mean[1]);
                    let size = (mean[1] / unbias[1]).sqrt() + 1e-8;
                    *weight -= self.rate * left * (mean[0] / unbias[0]) / size;
                }
            }
            after(epoch, network);
        }
    }
}

/// The part of a network that learns.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// The network itself. It learns the chosen cards.
    Network,
    /// The distilled scorer. It learns the network's chances instead of the chosen cards: chances of all cards say more
    /// about a choice than the one card does (knowledge distillation).
    Scorer,
}

impl Part {
    /// The weights that learn.
    fn weights(self, network: &mut Network) -> &mut [f32] {
        match self {
            Part::Network => network.weights_mut(),
            Part::Scorer => network.linear_mut().weights_mut(),
        }
    }

    /// The number of weights that learn.
    const fn count(self) -> usize {
        match self {
            Part::Network => Network::WEIGHTS,
            Part::Scorer => Linear::WEIGHTS,
        }
    }

    /// Adds the gradient of a choice's loss by these weights to `gradient`.
    fn learn<P: PolicySet>(
        self,
        network: &Network,
        choice: &Choice<P::Round>,
        gradient: &mut [f32],
    ) {
        let (inputs, chosen) = seen::<P>(choice);
        match self {
            Part::Network => {
                network.learn(&inputs, chosen, gradient);
            }
            Part::Scorer => {
                let linear = network.linear();
                linear.learn(&inputs, &network.chances(&inputs), gradient);
            }
        }
    }
}

/// The sum of the gradients of some choices.
fn gradient<P: PolicySet>(
    network: &Network,
    choices: &[Choice<P::Round>],
    batch: &[usize],
    part: Part,
) -> Vec<f32> {
    let sum = |numbers: &[usize]| {
        let mut gradient = vec![0.0; part.count()];
        for &number in numbers {
            part.learn::<P>(network, &choices[number], &mut gradient);
        }
        gradient
    };
    let parts: Vec<Vec<f32>> = batch.par_chunks(PART).map(sum).collect();
    let mut parts = parts.into_iter();
    let mut sum = parts.next().unwrap_or_else(|| vec![0.0; part.count()]);
    for part in parts {
        for (sum, more) in sum.iter_mut().zip(part) {
            *sum += more;
        }
    }
    sum
}

/// The accuracy of a network, or of its distilled scorer if `is_quick`.
pub fn accuracy<P: PolicySet>(
    network: &Network,
    choices: &[Choice<P::Round>],
    is_quick: bool,
) -> Accuracy {
    let one = |choice: &Choice<P::Round>| -> [f64; 3] {
        let (inputs, chosen) = seen::<P>(choice);
        let chances = match is_quick {
            true => network.linear().chances(&inputs),
            false => network.chances(&inputs),
        };
        let others = chances[..inputs.len()].iter().enumerate();
        // Another card with the same chance counts as a miss.
        let likelier = others
            .filter(|&(place, &chance)| place != chosen && chance >= chances[chosen])
            .count();
        [
            -f64::from(chances[chosen].max(1e-12)).ln(),
            (inputs.len() as f64).ln(),
            if likelier == 0 { 1.0 } else { 0.0 },
        ]
    };
    // Parts in order, so that the sums do not depend on the number of threads.
    let parts: Vec<[f64; 3]> = choices
        .par_chunks(1024)
        .map(|part| part.iter().map(one).fold([0.0; 3], plus))
        .collect();
    let sum = parts.into_iter().fold([0.0; 3], plus);
    let count = choices.len().max(1) as f64;
    Accuracy {
        choices: choices.len(),
        loss: sum[0] / count,
        even_loss: sum[1] / count,
        agreement: sum[2] / count,
    }
}

fn plus(sum: [f64; 3], more: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| sum[i] + more[i])
}

/// The network's inputs at a choice, and the chosen card's position among the legal ones.
fn seen<P: PolicySet>(choice: &Choice<P::Round>) -> (Inputs, usize) {
    let legal = choice.round.legal();
    let place = legal.into_iter().position(|card| card == choice.card);
    (
        Inputs::of::<P>(&choice.round, legal),
        place.unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use eights::player::Baseline;
    use tricks::Policy as _;

    /// The choices of *counter* in some rounds among itself.
    fn choices(rounds: u64) -> Vec<Choice<eights::rules::Round>> {
        let mut choices = Vec::new();
        for number in 0..rounds {
            let mut rng = stream(number, 2);
            let mut round = eights::deal::deal(number as usize % 4, &mut rng);
            while round.to_act().is_some() {
                let legal = round.legal();
                let card = Baseline::Counter.choose(&round, legal, &mut rng);
                if legal.len() > 1 {
                    choices.push(Choice { round, card });
                }
                round.act(card);
            }
        }
        choices
    }

    /// A network predicts a player in rounds that it has not seen, its distilled scorer predicts a little less
    /// well, and the same training gives the same network.
    #[test]
    fn a_player_is_learnt_and_learnt_again() {
        let training = Training {
            epochs: 6,
            rate: 5e-3,
            seed: 4,
        };
        let (taught, apart) = (choices(60), choices(70).split_off(choices(60).len()));
        let learnt = || {
            let mut network = Network::random(&mut stream(9, 0));
            let mut epochs = 0;
            training.run::<Baseline>(&mut network, &taught, |_, _| epochs += 1);
            assert_eq!(epochs, 6);
            network
        };
        let network = learnt();
        let [found, quick] =
            [false, true].map(|is_quick| accuracy::<Baseline>(&network, &apart, is_quick));
        assert!(found.agreement > 0.7, "{found:?}");
        assert!(found.loss < 0.7 * found.even_loss, "{found:?}");
        assert!(quick.loss < 0.9 * quick.even_loss, "{quick:?}");
        assert_eq!(network, learnt());
    }
}
