//! Widening of a network: more hidden units, the same values. `lab cartagena train` starts with it if `--hidden` is
//! more than the network of `--from` has.

use cartagena::evaluation::{Network, Shape};
use engine::rng::Random;

/// Adds hidden units to a network without changing its values, so that training can go on (Chen,
/// Goodfellow and Shlens 2016, "Net2Net"). The weights from the new units to the outputs are 0.
/// Their other weights are random, as in an untrained network: with zeros on both sides they would
/// have no gradient.
///
/// # Panics
/// If there are fewer units than before.
pub fn widened(network: &Network, hidden: usize, rng: &mut Random) -> Network {
    let narrow = network.shape();
    let wide = Shape { hidden, ..narrow };
    let mut widened = Network::random(wide, rng);
    let weights = widened.weights_mut();
    // The starts of all rows of `hidden` weights: one row for each input, the biases, and one row for each output.
    // Rows start elsewhere in the wider network, so they are copied one by one.
    let rows = |shape: Shape| {
        let inputs = shape.inputs();
        let first = (0..inputs).map(move |input| shape.first().start + input * shape.hidden);
        let outputs = shape.outputs();
        let second = (0..outputs).map(move |output| shape.second().start + output * shape.hidden);
        first.chain([shape.bias().start]).chain(second)
    };
    weights[wide.second()].fill(0.0);
    for (from, to) in rows(narrow).zip(rows(wide)) {
        let from = &network.weights()[from..][..narrow.hidden];
        weights[to..to + narrow.hidden].copy_from_slice(from);
    }
    weights[wide.skip()].copy_from_slice(&network.weights()[narrow.skip()]);
    weights[wide.output_bias()].copy_from_slice(&network.weights()[narrow.output_bias()]);
    widened
}

#[cfg(test)]
mod tests {
    use super::*;
    use cartagena::evaluation::Afterstate;
    use cartagena::evaluation::features::FeatureSet;
    use engine::rng;
    use seats::cartagena::setups::Setups;

    #[test]
    fn a_wider_network_says_the_same() {
        for players in [2, 4] {
            let mut rng = rng::stream(1, 0);
            let shape = Shape {
                players,
                hidden: 32,
            };
            let network = Network::random(shape, &mut rng);
            let wide = widened(&network, 64, &mut rng);
            assert_eq!(wide.shape().hidden, 64);
            let setups = Setups::new(players, &[3], 0.0);
            let (game, world) = setups.draw(&mut rng);
            let set = FeatureSet::of(&game, &Afterstate::before(world.state()));
            let before = network.forward(&set, &mut [0.0; 32]);
            let after = wide.forward(&set, &mut [0.0; 64]);
            for (before, after) in before.iter().zip(after) {
                assert!((before - after).abs() < 1e-5, "{before} {after}");
            }
        }
    }
}
