//! The network that predicts cards, its distilled scorer, and the tables made from that: gradients agree with
//! differences, and faster forms give the same chances.

use super::*;
use crate::{Card, Hands, Suit, Trick, random_card, shuffled};
use engine::rng::{below, stream};

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

/// The gradient agrees with finite differences.
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

/// The linear scorer's gradient agrees with finite differences, and is zero for the weights of other situations.
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

/// Steps against the gradient make the chosen card more likely.
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

/// Cards that are computed side by side have the same chances, to the bit, as cards computed alone.
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

/// A round in the middle of a trick, with hands of any size.
#[derive(Clone)]
struct Table {
    hands: Hands,
    trick: Trick,
    shown: Hands,
    out_of: Hands,
}

impl Table {
    fn sample(rng: &mut Random) -> Table {
        let deck = shuffled(Cards::ALL, rng);
        let mut cards = deck.into_iter();
        let mut deal = |count: usize| -> Cards { cards.by_ref().take(count).collect() };
        let size = 1 + below(rng, 10);
        let mut table = Table {
            hands: std::array::from_fn(|seat| deal(if seat < 4 { size } else { 0 })),
            trick: Trick::new(below(rng, 4)),
            shown: Hands::default(),
            out_of: Hands::default(),
        };
        for seat in 0..4 {
            let hand = table.hands[seat].into_iter();
            table.shown[seat] = hand.filter(|_| below(rng, 3) == 0).collect();
            table.out_of[seat] = match below(rng, 3) {
                0 => Cards::suit(Suit::ALL[below(rng, 4)]),
                _ => Cards::EMPTY,
            };
        }
        for _ in 0..below(rng, 4) {
            let card = random_card(table.legal(), rng);
            table.act(card);
        }
        table
    }
}

impl Round for Table {
    fn players(&self) -> usize {
        4
    }

    fn to_act(&self) -> Option<usize> {
        Some(self.trick.to_act(4))
    }

    fn legal(&self) -> Cards {
        let hand = self.hands[self.trick.to_act(4)];
        self.trick.led().map_or(hand, |led| hand.following(led))
    }

    fn act(&mut self, card: Card) {
        self.hands[self.trick.to_act(4)].remove(card);
        self.trick.play(4, card);
    }

    fn points(&self, _seat: usize) -> u8 {
        0
    }

    fn hand(&self, seat: usize) -> Cards {
        self.hands[seat]
    }

    fn with_hands(&self, hands: &Hands) -> Table {
        Table {
            hands: *hands,
            ..self.clone()
        }
    }

    fn deck(&self) -> Cards {
        Cards::ALL
    }

    fn trick(&self) -> &Trick {
        &self.trick
    }

    fn stake(&self) -> u8 {
        1 + self.trick.len() as u8
    }

    fn out_of(&self, seat: usize) -> Cards {
        self.out_of[seat]
    }

    fn shown(&self, seat: usize) -> Cards {
        self.shown[seat]
    }
}

/// A tabulated scorer gives the same chances as the sums of weights × inputs, whether a card is led, follows suit
/// or is discarded.
#[test]
fn a_tabulated_scorer_finds_the_chances_of_the_products() {
    let mut rng = stream(8, 0);
    let mut met = [0; SITUATIONS];
    for _ in 0..2000 {
        let weights: [CardRow; SITUATIONS] =
            std::array::from_fn(|_| std::array::from_fn(|_| 2.0 * unit(&mut rng) as f32 - 1.0));
        let table = Table::sample(&mut rng);
        let legal = table.legal();
        if legal.is_empty() {
            continue;
        }
        let mut inputs = Inputs::default();
        inputs.fill(&table, legal);
        for card in 0..inputs.len() {
            for input in inputs.of_game(card) {
                *input = unit(&mut rng) as f32;
            }
        }
        let situation = inputs.situation as usize;
        met[situation] += usize::from(legal.len() > 1);
        let wanted = score_all(&weights[situation], &rows(&inputs, legal));
        let tabulated = Tabulated::new(|situation| &weights[situation as usize]);
        let found = tabulated.chances(&inputs, &table, legal);
        for (found, wanted) in found.iter().zip(wanted).take(legal.len()) {
            assert!((found - wanted).abs() < 1e-4, "{found} {wanted}");
        }
    }
    let [lead, follow, throw, take] = met;
    assert!(
        lead > 300 && follow > 300 && throw > 100 && take == 0,
        "{met:?}"
    );
}
