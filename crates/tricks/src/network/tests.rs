use super::*;
use engine::rng::stream;

fn inputs(cards: usize, rng: &mut Random) -> Inputs {
    let mut inputs = Inputs::sample(cards, rng);
    inputs.situation = Situation::Follow;
    inputs
}

#[test]
fn a_network_that_knows_nothing_makes_all_cards_equal() {
    let inputs = inputs(5, &mut stream(1, 0));
    let chances = Network::even().chances(&inputs);
    assert!(
        chances[..5]
            .iter()
            .all(|&chance| (chance - 0.2).abs() < 1e-6)
    );
}

/// The gradient is that of finite differences.
#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let mut rng = stream(2, 0);
    let mut network = Network::random(&mut rng);
    let inputs = inputs(4, &mut rng);
    let mut gradient = vec![0.0; Network::WEIGHTS];
    let loss = network.learn(&inputs, 2, &mut gradient);
    assert!((loss + network.chances(&inputs)[2].ln()).abs() < 1e-5);
    let mut looked_at = 0;
    for place in (0..Network::WEIGHTS).filter(|&place| gradient[place].abs() > 0.02) {
        let step = 1e-2;
        let mut at = |weight: f32| {
            network.weights_mut()[place] += weight;
            let loss = -network.chances(&inputs)[2].ln();
            network.weights_mut()[place] -= weight;
            loss
        };
        let slope = (at(step) - at(-step)) / (2.0 * step);
        let error = (slope - gradient[place]).abs();
        assert!(
            error < 0.02 + 0.05 * slope.abs(),
            "{place}: {slope}, {}",
            gradient[place]
        );
        looked_at += 1;
    }
    assert!(looked_at > 50, "{looked_at}");
}

/// The gradient of the linear scorer is that of finite differences, and leaves other situations alone.
#[test]
fn the_linear_gradient_is_the_slope_of_the_loss() {
    let mut rng = stream(5, 0);
    let mut linear = Linear::default();
    for weight in linear.weights_mut() {
        *weight = unit(&mut rng) as f32 - 0.5;
    }
    let inputs = inputs(5, &mut rng);
    let mut wanted = [0.0; MAX_CHOICES];
    (wanted[1], wanted[3]) = (0.75, 0.25);
    let mut gradient = [0.0; Linear::WEIGHTS];
    linear.learn(&inputs, &wanted, &mut gradient);
    let start = inputs.situation as usize * CARD_INPUTS;
    let used = start..start + CARD_INPUTS;
    for (place, &found) in gradient.iter().enumerate() {
        let mut at = |weight: f32| {
            linear.weights_mut()[place] += weight;
            let chances = linear.chances(&inputs);
            linear.weights_mut()[place] -= weight;
            -0.75 * chances[1].ln() - 0.25 * chances[3].ln()
        };
        let slope = (at(1e-2) - at(-1e-2)) / 2e-2;
        assert!((slope - found).abs() < 1e-3, "{place}: {slope}, {found}");
        assert!(used.contains(&place) || found == 0.0);
    }
    assert!(gradient.iter().any(|slope| slope.abs() > 0.02));
    assert_eq!(Linear::new(linear.weights()), Some(linear));
    assert_eq!(Linear::new(&linear.weights()[1..]), None);
}

/// Steps against the gradient teach it which card is chosen.
#[test]
fn it_learns() {
    let mut rng = stream(3, 0);
    let mut network = Network::random(&mut rng);
    let inputs = inputs(4, &mut rng);
    for _ in 0..200 {
        let mut gradient = vec![0.0; Network::WEIGHTS];
        network.learn(&inputs, 1, &mut gradient);
        for (weight, slope) in network.weights_mut().iter_mut().zip(gradient) {
            *weight -= 0.05 * slope;
        }
    }
    assert!(network.chances(&inputs)[1] > 0.9);
}

/// Cards are scored side by side; each comes out as if it were scored alone.
#[test]
fn chances_are_those_of_cards_one_by_one() {
    let mut rng = stream(4, 0);
    let network = Network::random(&mut rng);
    let mut unused = vec![0.0; Network::WEIGHTS];
    for count in 1..=MAX_CHOICES {
        let inputs = inputs(count, &mut rng);
        let chances = network.chances(&inputs);
        for (card, &chance) in chances[..count].iter().enumerate() {
            let loss = network.learn(&inputs, card, &mut unused);
            assert_eq!(-ln(f64::from(chance)) as f32, loss, "{card} of {count}");
        }
    }
}
