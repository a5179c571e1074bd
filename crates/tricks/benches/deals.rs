//! Sampling deals that fit what is known: by counting, and by shuffling until one fits.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::rng::{self, Random, shuffle};
use std::hint::black_box;
use tricks::{Card, Cards, Deals, Suit};

/// Shuffles the unseen cards until a deal fits; returns the number of shuffles.
fn reject(unseen: &mut [Card], sizes: &[usize], may_hold: &[Cards], rng: &mut Random) -> u64 {
    for tries in 1.. {
        shuffle(rng, unseen);
        let mut rest = &*unseen;
        let fits = sizes.iter().zip(may_hold).all(|(&size, &may_hold)| {
            let (hand, others) = rest.split_at(size);
            rest = others;
            let hand: Cards = hand.iter().copied().collect();
            (hand - may_hold).is_empty()
        });
        if fits {
            return tries;
        }
    }
    0
}

fn sampling(criterion: &mut Criterion) {
    let lacks = |suits: &[Suit]| {
        let all = suits.iter().map(|&suit| Cards::suit(suit));
        !all.fold(Cards::EMPTY, |all, suit| all | suit)
    };
    use Suit::{Clubs, Diamonds, Hearts, Spades};
    let deck: Vec<Card> = Cards::ALL.into_iter().collect();
    let third = |from: usize| deck.iter().skip(from).step_by(4).copied();
    let own: Cards = third(0).collect();
    let known: Cards = [deck[1], deck[30]].into_iter().collect();
    let cases: [(&str, Cards, Vec<usize>, Vec<Cards>); 5] = [
        ("nothing known", !own, vec![13; 3], vec![Cards::ALL; 3]),
        (
            "one void",
            !own,
            vec![13; 3],
            vec![lacks(&[Hearts]), Cards::ALL, Cards::ALL],
        ),
        (
            "four voids",
            !own,
            vec![13; 3],
            vec![
                lacks(&[Hearts, Clubs]),
                lacks(&[Spades]),
                lacks(&[Diamonds]),
            ],
        ),
        (
            "three voids, two cards known",
            !own,
            vec![13; 3],
            vec![
                lacks(&[Hearts]),
                lacks(&[Spades]) - known,
                lacks(&[Diamonds]) - known,
            ],
        ),
        (
            "six players, four voids",
            deck[12..].iter().copied().collect(),
            vec![8; 5],
            vec![
                lacks(&[Hearts]),
                lacks(&[Spades]),
                lacks(&[Diamonds]),
                lacks(&[Clubs]),
                Cards::ALL,
            ],
        ),
    ];
    for (name, unseen, sizes, may_hold) in cases {
        let mut group = criterion.benchmark_group(format!("deals/{name}"));
        group.throughput(Throughput::Elements(1));
        let mut rng = rng::stream(1, 0);
        let deals = Deals::new(unseen, &sizes, &may_hold).expect("a deal");
        group.bench_function("count", |bench| {
            bench.iter(|| Deals::new(black_box(unseen), &sizes, &may_hold));
        });
        group.bench_function("sample", |bench| bench.iter(|| deals.sample(&mut rng)));
        // Where rejection would take too long to measure, the chance that a shuffle fits says what it costs.
        let shuffles = (1..=unseen.len() as u128)
            .map(|n| n as f64)
            .product::<f64>();
        let orders: f64 = sizes
            .iter()
            .map(|&size| (1..=size).map(|n| n as f64).product::<f64>())
            .product();
        let chance = deals.count() as f64 * orders / shuffles;
        println!("deals/{name}: one shuffle in {:.3e} fits", 1.0 / chance);
        if chance > 1e-3 {
            let mut cards: Vec<Card> = unseen.into_iter().collect();
            group.bench_function("reject", |bench| {
                bench.iter(|| reject(&mut cards, &sizes, &may_hold, &mut rng));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, sampling);
criterion_main!(benches);
