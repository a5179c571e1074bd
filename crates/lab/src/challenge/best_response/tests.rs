//! Best responses in the challenge game, compared with a walk that takes one hand at a time, with hands played out,
//! and with sampled histories. The solver of endgames is compared with the same walk: its strategies must lose as much
//! to best responses as it says.

use super::*;
use crate::challenge::self_play::step;
use challenge::deals;
use challenge::equilibrium::Multisets;
use challenge::equilibrium::blueprint::{Distribution, Opened, Strategy};
use challenge::equilibrium::endgame::{Endgame, Solver};
use challenge::rules::Challenge;
use engine::rng::stream;

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

/// The tables without an opening.
pub(crate) fn tables(strategy: &Strategy) -> Opened<'_> {
    Opened {
        opening: None,
        strategy,
    }
}

fn nothing() {}

/// The strategy of the player to act, by the decisions so far, the state and the cards that it holds.
type Played<'a> = &'a dyn Fn(&[Decision], &PublicState, Cards) -> Distribution;

/// The responder's chance with one hand against all hands of the other player, each with its weight. `log` holds the
/// decisions since the start of the walk. Written without vectors, numbers of multisets or falling factorials, as a
/// second implementation.
fn by_hand(
    played: Played,
    log: &[Decision],
    public: PublicState,
    best: Seat,
    own: Cards,
    others: &[(Cards, f64)],
) -> f64 {
    // A hand is over, or settled: the payoff no longer depends on the cards.
    if public.is_decided() {
        let all: f64 = others.iter().map(|(_, weight)| weight).sum();
        return all * f64::from(STAKES.of(&public, best));
    }
    let held = |cards: Cards, decision| match decision {
        Decision::Play(card) => cards.without(card).expect("a card that is held"),
        _ => cards,
    };
    let below = |decision, own, others: &[(Cards, f64)]| {
        let log = [log, &[decision]].concat();
        by_hand(played, &log, public.after(decision), best, own, others)
    };
    if public.to_act() == best {
        let view = challenge::View::of_hand(&public, own, [0, 0]);
        let values = view
            .legal()
            .map(|decision| below(decision, held(own, decision), others));
        return values.fold(f64::MIN, f64::max);
    }
    // The other player's hands, grouped by the decision that they lead to.
    let mut ways: Vec<(Decision, Vec<(Cards, f64)>)> = Vec::new();
    for &(cards, weight) in others {
        for (decision, probability) in played(log, &public, cards) {
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
        .map(|(decision, others)| below(*decision, own, others));
    values.sum()
}

/// The responder's chance over all hands of `size` cards that a deck can deal both players.
fn best_value(played: Played, public: PublicState, best: Seat, deck: Cards, size: usize) -> f64 {
    let weight = |hands: &[(Cards, f64)]| -> f64 { hands.iter().map(|(_, ways)| ways).sum() };
    let all = dealt(deck, size);
    let values = all.iter().map(|&(own, ways)| {
        let others = dealt(deck.minus(own), size);
        ways * by_hand(played, &[], public, best, own, &others) / weight(&others)
    });
    values.sum::<f64>() / weight(&all)
}

/// All hands of `size` from some cards, with the number of ways to be dealt each.
fn dealt(deck: Cards, size: usize) -> Vec<(Cards, f64)> {
    let hands = Multisets::new(size);
    let ways = hands
        .all()
        .iter()
        .map(|&hand| (hand, deals::ways(deck, hand)));
    ways.filter(|(_, ways)| *ways > 0.0).collect()
}

#[test]
fn agrees_with_a_walk_hand_by_hand() {
    let (strategy, deck) = (random(), few());
    let tables = tables(&strategy);
    let game = BestResponse::with_deck(&tables, STAKES, deck);
    let played = |_: &[Decision], public: &PublicState, own| strategy.played(public, own);
    for opens in [true, false] {
        let (public, best) = (PublicState::new(0), Seat::from(!opens));
        let expected = best_value(&played, public, best, deck, HAND_SIZE);
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
    let tables = tables(&strategy);
    let game = BestResponse::with_deck(&tables, STAKES, deck);
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
    let tables = tables(&strategy);
    let game = BestResponse::with_deck(&tables, STAKES, deck);
    let itself = Responder {
        opens: true,
        last_tricks: 0,
    };
    let expected = game.value(itself, &nothing);
    let mut rng = stream(3, 0);
    const HANDS: usize = 40_000;
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..HANDS {
        let mut hand = game.deal(&mut rng);
        while !hand.public().is_decided() {
            let chosen = |public: &PublicState, own| strategy.played(public, own);
            step(&mut hand, &mut rng, chosen).expect("a decision");
        }
        let value = f64::from(STAKES.of(hand.public(), 0));
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
    let tables = tables(&strategy);
    let game = BestResponse::with_deck(&tables, STAKES, deck);
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

/// Best responses gain as much against the solver's strategies, read decision by decision, as the solver states.
#[test]
fn endgames_lose_what_their_solver_states() {
    let decks: [(&[u8], usize, u32); 3] = [
        (&[1, 1, 2, 2, 2, 3, 3, 7, 8, 8, 13], 1, 300),
        (&[1, 1, 2, 2, 2, 5, 5, 13, 13], 2, 100),
        (&[2, 2, 2, 2, 9, 9, 9, 11, 11], 3, 40),
    ];
    for (deck, size, iterations) in decks {
        let deck: Cards = deck.iter().filter_map(|&rank| Card::new(rank)).collect();
        for (tricks, challenge, opener, lead) in [
            ([0, 0], Challenge::None, 0, 0),
            ([1, 0], Challenge::None, 0, 0),
            ([1, 0], Challenge::None, 1, 1),
            ([0, 2], Challenge::None, 0, 1),
            ([0, 0], Challenge::Accepted(1), 0, 1),
            ([1, 0], Challenge::Accepted(0), 1, 0),
        ] {
            let public = PublicState {
                tricks,
                challenge,
                lead,
                total_tricks: (HAND_SIZE - size) as u8,
                ..PublicState::new(opener)
            };
            let Some(mut solver) = Solver::new(&endgame(public, deck, size)) else {
                assert_eq!(size, 1);
                continue;
            };
            for _ in 0..iterations {
                solver.step();
            }
            let played = |log: &[Decision], _: &PublicState, own: Cards| {
                // The last trick of an accepted challenge leaves nothing to choose.
                let Some(chosen) = solver.strategy(log, own) else {
                    assert_eq!(own.len(), 1, "{log:?} {own}");
                    return own.iter().map(|card| (Decision::Play(card), 1.0)).collect();
                };
                let sum: f32 = chosen.iter().map(|entry| entry.1).sum();
                assert!((sum - 1.0).abs() < 1e-4, "{log:?} {own}: {chosen:?}");
                chosen
            };
            let best = [0, 1].map(|seat| best_value(&played, public, seat, deck, size));
            let lost = (best[0] + best[1] - 1.0) / 2.0;
            let said = solver.exploitability();
            assert!(
                (lost - said).abs() < 2e-5,
                "{tricks:?} {challenge:?} {lead}: {lost} {said}"
            );
            assert!(lost < 2e-3, "{lost}");
        }
    }
}

/// The endgame of both players' hands of `size` cards from a deck, dealt by chance.
fn endgame(public: PublicState, deck: Cards, size: usize) -> Endgame {
    let dealt = |&hand: &Cards| (1.0 / deals::orders(hand)) as f32;
    let reach: Vec<f32> = Multisets::new(size).all().iter().map(dealt).collect();
    Endgame {
        public,
        stakes: STAKES,
        left: deck,
        reach: [reach.clone(), reach],
    }
}
