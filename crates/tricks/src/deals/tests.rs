//! Deals of unseen cards: counts agree with enumeration, samples are uniform, and impossible knowledge is refused.

use super::*;
use crate::Suit;
use engine::rng;
use proptest::prelude::*;
use std::collections::HashMap;

/// All deals, found by trying every holder for every card.
fn enumerate_all(unseen: Cards, sizes: &[usize], may_hold: &[Cards]) -> Vec<Hidden> {
    let mut deals = vec![Hidden::default()];
    for card in unseen {
        let mut longer = Vec::new();
        for deal in deals {
            for hand in 0..sizes.len() {
                if may_hold[hand].contains(card) && deal[hand].len() < sizes[hand] {
                    let mut deal = deal;
                    deal[hand].insert(card);
                    longer.push(deal);
                }
            }
        }
        deals = longer;
    }
    deals.retain(|deal| (0..sizes.len()).all(|hand| deal[hand].len() == sizes[hand]));
    deals
}

fn cards(count: usize) -> Cards {
    // Cards of all four suits in turn.
    let ranks = (0..13).flat_map(|rank| Suit::ALL.map(|suit| Card::new(suit, rank)));
    ranks.take(count).collect()
}

/// Pearson's chi-square of samples against equal chances, in standard deviations above its mean.
fn excess(deals: &Deals, all: &[Hidden], samples: usize, seed: u64) -> f64 {
    let mut rng = rng::stream(seed, 0);
    let mut seen: HashMap<Hidden, usize> = all.iter().map(|deal| (*deal, 0)).collect();
    for _ in 0..samples {
        let deal = deals.sample(&mut rng);
        *seen.get_mut(&deal).expect("a sample is one of all deals") += 1;
    }
    let expected = samples as f64 / all.len() as f64;
    let square = |&n: &usize| (n as f64 - expected).powi(2) / expected;
    let statistic: f64 = seen.values().map(square).sum();
    let freedom = (all.len() - 1) as f64;
    (statistic - freedom) / (2.0 * freedom).sqrt()
}

#[test]
fn samples_are_uniform() {
    let spades = Cards::suit(Suit::Spades);
    let hearts = Cards::suit(Suit::Hearts);
    let clubs = Cards::suit(Suit::Clubs);
    let known = Cards::from(Card::new(Suit::Diamonds, 0));
    // Each case: the number of unseen cards, the sizes of hands, and the cards that each may hold.
    let cases: [(usize, &[usize], Vec<Cards>); 5] = [
        (8, &[3, 3, 2], vec![Cards::ALL; 3]),
        (9, &[3, 3, 3], vec![!spades, !hearts, Cards::ALL]),
        (9, &[4, 3, 2], vec![!spades, !(spades | known), !hearts]),
        (
            10,
            &[4, 2, 4],
            vec![!(spades | known), !(clubs | known), !hearts],
        ),
        (
            8,
            &[2, 2, 2, 1, 1],
            vec![!spades, !hearts, !clubs, Cards::ALL, !hearts],
        ),
    ];
    for (seed, (count, sizes, may_hold)) in (1..).zip(cases) {
        let unseen = cards(count);
        let all = enumerate_all(unseen, sizes, &may_hold);
        let deals = Deals::new(unseen, sizes, &may_hold).unwrap();
        assert_eq!(deals.count(), all.len() as u128, "case {seed}");
        let excess = excess(&deals, &all, 100 * all.len(), seed);
        assert!(
            excess.abs() < 4.0,
            "case {seed}: {excess} sigma, {} deals",
            all.len()
        );
    }
}

#[test]
fn the_uniformity_test_sees_a_wrong_share() {
    let (unseen, sizes) = (cards(9), [3, 3, 3]);
    let may_hold = [!Cards::suit(Suit::Spades), Cards::ALL, Cards::ALL];
    let all = enumerate_all(unseen, &sizes, &may_hold);
    let mut deals = Deals::new(unseen, &sizes, &may_hold).unwrap();
    // A wrong sampler: splits have equal chances, however many deals each of them stands for.
    let splits = &mut deals.stages[0].splits;
    let count = splits.len() as u64;
    for (split, end) in splits.iter_mut().zip(1..) {
        split.below = u64::MAX / count * end;
    }
    splits.last_mut().unwrap().below = u64::MAX;
    assert!(excess(&deals, &all, 100 * all.len(), 1) > 10.0);
}

#[test]
fn counts_beyond_sixty_four_bits_are_exact() {
    // 40! / 8!⁵
    let deals = Deals::new(cards(40), &[8; 5], &[Cards::ALL; 5]).unwrap();
    assert_eq!(deals.count(), 7_656_714_453_153_197_981_835_000);
    let voids = Suit::ALL.map(|suit| !Cards::suit(suit));
    let may_hold = [voids[0], voids[1], voids[2], voids[3], Cards::ALL];
    let deals = Deals::new(cards(40), &[8; 5], &may_hold).unwrap();
    let mut rng = rng::stream(3, 0);
    for _ in 0..1000 {
        let hands = deals.sample(&mut rng);
        assert!((0..5).all(|hand| (hands[hand] - may_hold[hand]).is_empty()));
    }
}

#[test]
fn what_cannot_be_is_said() {
    let unseen = cards(8);
    assert_eq!(
        Deals::new(unseen, &[4, 3], &[Cards::ALL; 2]).err(),
        Some(Impossible)
    );
    let no_spades = !Cards::suit(Suit::Spades);
    assert_eq!(
        Deals::new(unseen, &[4, 4], &[no_spades; 2]).err(),
        Some(Impossible)
    );
    // Two spades, but room for only one.
    let sizes = [7, 1];
    assert_eq!(
        Deals::new(unseen, &sizes, &[no_spades, Cards::ALL]).err(),
        Some(Impossible)
    );
    assert_eq!(
        Deals::new(Cards::EMPTY, &[0, 0], &[no_spades; 2])
            .unwrap()
            .count(),
        1
    );
}

proptest! {
    /// Counts agree with enumeration, samples fit, and there is a sample where there is a deal.
    #[test]
    fn deals_fit_what_is_known(
        count in 0..9_usize,
        cuts in prop::collection::vec(0..=8_usize, 4),
        voids in prop::collection::vec(prop::collection::vec(any::<bool>(), 4), 5),
        excluded in prop::collection::vec(0..52_usize, 0..4),
        seed: u64,
    ) {
        let unseen = cards(count);
        // Sorted cuts divide the unseen cards into five hands of any sizes.
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(count)).collect();
        cuts.extend([0, count]);
        cuts.sort_unstable();
        let sizes: Vec<usize> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let deck: Vec<Card> = Cards::ALL.into_iter().collect();
        let may_hold: Vec<Cards> = voids
            .iter()
            .zip(0..)
            .map(|(voids, hand)| {
                let void = |(suit, &void): (&Suit, &bool)| void.then(|| Cards::suit(*suit));
                let lacks = Suit::ALL.iter().zip(voids).filter_map(void);
                let lacks = lacks.fold(Cards::EMPTY, |all, suit| all | suit);
                let single = excluded.get(hand).map_or(Cards::EMPTY, |&c| deck[c].into());
                !(lacks | single)
            })
            .collect();
        let all = enumerate_all(unseen, &sizes, &may_hold);
        match Deals::new(unseen, &sizes, &may_hold) {
            Err(Impossible) => prop_assert!(all.is_empty()),
            Ok(deals) => {
                prop_assert_eq!(deals.count(), all.len() as u128);
                let mut rng = rng::stream(seed, 0);
                for _ in 0..8 {
                    let hands = deals.sample(&mut rng);
                    prop_assert!(all.contains(&hands));
                }
            }
        }
    }
}
