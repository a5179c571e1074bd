//! Best responses in the challenge game, compared with a walk that takes one hand at a time, with hands played out,
//! and with sampled histories.

use super::*;
use challenge::deals;
use challenge::equilibrium::Multisets;
use challenge::equilibrium::blueprint::{Strategy, sample};
use engine::rng::{Random, stream, unit};

const STAKES: Stakes = Stakes {
    won: 0.56,
    lost: 0.45,
    tied: 0.51,
};

/// A deck of few cards, so that the public tree of a hand is small.
fn few() -> Cards {
    let counts = [(3, 5), (9, 5), (11, 1)];
    let cards = counts.into_iter().flat_map(|(rank, count)| {
        let card = Card::new(rank).expect("a rank");
        std::iter::repeat_n(card, count)
    });
    cards.collect()
}

/// A strategy of random values. Hands that it does not distinguish have the same ones.
fn random() -> Strategy {
    Strategy::from_cumulative(|place| {
        let mixed = (place as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed >> 33) % 1000) as f32 / 1000.0
    })
}

fn nothing() {}

/// The responder's chance with one hand against all hands of the other player, each with its weight. Written
/// without vectors, numbers of multisets or falling factorials, as a second implementation.
fn by_hand(
    strategy: &Strategy,
    public: PublicState,
    best: Seat,
    own: Cards,
    others: &[(Cards, f64)],
) -> f64 {
    // A hand is over, or settled: the payoff no longer depends on the cards.
    if public.is_over() || (!public.must_answer() && public.settled().is_some()) {
        let all: f64 = others.iter().map(|(_, weight)| weight).sum();
        return all * f64::from(STAKES.of(&public, best));
    }
    let held = |cards: Cards, decision| match decision {
        Decision::Play(card) => cards.without(card).expect("a card that is held"),
        _ => cards,
    };
    if public.to_act() == best {
        let view = challenge::View::of_hand(&public, own, [0, 0]);
        let values = view.legal().map(|decision| {
            let after = public.after(decision);
            by_hand(strategy, after, best, held(own, decision), others)
        });
        return values.fold(f64::MIN, f64::max);
    }
    // The other player's hands, grouped by the decision that they lead to.
    let mut ways: Vec<(Decision, Vec<(Cards, f64)>)> = Vec::new();
    for &(cards, weight) in others {
        for (decision, probability) in strategy.played(&public, cards) {
            if probability > 0.0 {
                let entry = (held(cards, decision), weight * f64::from(probability));
                match ways.iter_mut().find(|way| way.0 == decision) {
                    Some(way) => way.1.push(entry),
                    None => ways.push((decision, vec![entry])),
                }
            }
        }
    }
    let values = ways
        .iter()
        .map(|(decision, others)| by_hand(strategy, public.after(*decision), best, own, others));
    values.sum()
}

/// All hands of five from some cards, with the number of ways to be dealt each.
fn dealt(deck: Cards) -> Vec<(Cards, f64)> {
    let hands = Multisets::new(HAND_SIZE);
    let ways = hands
        .all()
        .iter()
        .map(|&hand| (hand, deals::ways(deck, hand)));
    ways.filter(|(_, ways)| *ways > 0.0).collect()
}

#[test]
fn agrees_with_a_walk_hand_by_hand() {
    let (strategy, deck) = (random(), few());
    let game = BestResponse::with_deck(&strategy, STAKES, deck);
    let all: f64 = dealt(deck).iter().map(|(_, ways)| ways).sum();
    for opens in [true, false] {
        let mut expected = 0.0;
        for (own, ways) in dealt(deck) {
            let others = dealt(deck.minus(own));
            let left: f64 = others.iter().map(|(_, ways)| ways).sum();
            let public = PublicState::new(0);
            let value = by_hand(&strategy, public, Seat::from(!opens), own, &others);
            expected += ways / all * value / left;
        }
        let responder = Responder {
            opens,
            last_tricks: HAND_SIZE,
        };
        let value = game.value(responder, &nothing);
        assert!(
            (value - expected).abs() < 1e-6,
            "{opens}: {value} {expected}"
        );
    }
}

/// A strategy gains nothing against itself, and a best response in more of the last tricks gains more.
#[test]
fn more_tricks_win_more() {
    let (strategy, deck) = (random(), few());
    let game = BestResponse::with_deck(&strategy, STAKES, deck);
    let chances: Vec<f64> = (0..=HAND_SIZE)
        .map(|last| game.exploitability(last, &nothing).chances())
        .collect();
    assert!(chances[0].abs() < 1e-6, "{chances:?}");
    assert!(chances.is_sorted(), "{chances:?}");
    assert!(chances[HAND_SIZE] > 0.01, "{chances:?}");
}

/// The walk agrees with hands that a strategy plays out against itself.
#[test]
fn agrees_with_hands_that_are_played() {
    let (strategy, deck) = (random(), few());
    let game = BestResponse::with_deck(&strategy, STAKES, deck);
    let itself = Responder {
        opens: true,
        last_tricks: 0,
    };
    let expected = game.value(itself, &nothing);
    let mut rng = stream(3, 0);
    let deal = |rng: &mut Random| {
        let mut order: Vec<Card> = deck.iter().collect();
        engine::rng::shuffle(rng, &mut order);
        [0, HAND_SIZE].map(|from| {
            order[from..from + HAND_SIZE]
                .iter()
                .copied()
                .collect::<Cards>()
        })
    };
    const HANDS: usize = 40_000;
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..HANDS {
        let mut cards = deal(&mut rng);
        let mut public = PublicState::new(0);
        while !public.is_over() && (public.must_answer() || public.settled().is_none()) {
            let seat = public.to_act();
            let chosen = strategy.played(&public, cards[seat]);
            let decision = sample(&chosen, unit(&mut rng) as f32).expect("a decision");
            if let Decision::Play(card) = decision {
                cards[seat].remove(card);
            }
            public = public.after(decision);
        }
        let value = f64::from(STAKES.of(&public, 0));
        sum += value;
        squares += value * value;
    }
    let mean = sum / HANDS as f64;
    let deviation = ((squares / HANDS as f64 - mean * mean) / HANDS as f64).sqrt();
    assert!(
        (mean - expected).abs() < 4.0 * deviation,
        "{mean} ± {deviation}, {expected}"
    );
}

/// The mean over sampled histories agrees with the walk over all of them.
#[test]
fn sampled_histories_agree_with_all_of_them() {
    let (strategy, deck) = (random(), few());
    let game = BestResponse::with_deck(&strategy, STAKES, deck);
    let mut rng = stream(7, 0);
    for (tricks, samples) in [(2, 20_000), (3, 2_000)] {
        let expected = game.exploitability(tricks, &nothing).chances();
        let gains: Vec<f64> = (0..samples)
            .map(|_| game.sampled_gain(tricks, &mut rng))
            .collect();
        let mean = gains.iter().sum::<f64>() / gains.len() as f64;
        let squares: f64 = gains.iter().map(|gain| (gain - mean).powi(2)).sum();
        let deviation = squares.sqrt() / gains.len() as f64;
        let off = (mean - expected).abs();
        assert!(
            off < 4.0 * deviation,
            "{tricks}: {mean} ± {deviation}, {expected}"
        );
    }
}
