//! The value of a deal to a player, compared with the average deal.

use challenge::deals::fresh;
use challenge::equilibrium::blueprint::Blueprint;
use challenge::player::chances;
use challenge::rules::{Cards, Seat};
use engine::rng::{mix, stream};

/// Playouts of the deal itself.
const PLAYOUTS: u32 = 500;
/// The number of random deals in the average that is subtracted.
const DEALS: u64 = 2_500;
/// The seed of all playouts: `luck` in ASCII.
const LUCK: u64 = 0x6c75_636b;

/// A hand as it was dealt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dealt {
    pub cards: [Cards; 2],
    pub points: [u8; 2],
    pub opener: Seat,
}

/// A player's probability of winning the game if both play by the blueprint from this deal, minus the
/// mean over deals from whole packs at the same points.
pub(super) fn of_deal(blueprint: &Blueprint, dealt: &Dealt, seat: Seat) -> f64 {
    let &Dealt {
        cards,
        points,
        opener,
    } = dealt;
    let own = chances(blueprint, cards, points, opener, PLAYOUTS, LUCK)[seat];
    // Fixed seeds for every deal: two deals at the same points are compared with the same average.
    let deals = (0..DEALS).map(|number| {
        let cards = fresh(&mut stream(!LUCK, number));
        chances(blueprint, cards, points, opener, 1, mix(number))[seat]
    });
    own - deals.sum::<f64>() / DEALS as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over many deals, luck averages zero. One player's luck is the other's bad luck, and high cards are
    /// lucky.
    #[test]
    fn luck_is_even() {
        let blueprint = Blueprint::embedded();
        let count = 60;
        let mut lucks = Vec::new();
        for number in 0..count {
            let dealt = Dealt {
                cards: fresh(&mut stream(9, number)),
                points: [2, 4],
                opener: 1,
            };
            let [first, second] = [0, 1].map(|seat| of_deal(&blueprint, &dealt, seat));
            assert!((first + second).abs() < 1e-5, "{first} {second}");
            lucks.push(first);
        }
        let mean = lucks.iter().sum::<f64>() / count as f64;
        let square = lucks.iter().map(|luck| luck * luck).sum::<f64>() / count as f64;
        let error = (square / count as f64).sqrt();
        assert!(mean.abs() < 4.0 * error, "{mean} ± {error}");
        let five = |rank: u8| -> Cards {
            let card = challenge::rules::Card::new(rank);
            (0..5).filter_map(|_| card).collect()
        };
        let dealt = Dealt {
            cards: [five(13), five(3)],
            points: [0, 0],
            opener: 0,
        };
        let luck = of_deal(&blueprint, &dealt, 0);
        assert!(luck > 0.02, "{luck}");
    }
}
