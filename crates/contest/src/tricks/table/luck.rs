//! The luck of a deal: its value to a seat compared with the average deal, for the review of a game.

use super::WholeGame;
use engine::rng::{Random, stream, unit};
use engine::sync::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;
use tricks::{Card, MAX_PLAYERS, Policy as _, PolicySet as _, Round as _, random_card};

/// Playouts of the deal.
const PLAYOUTS: u64 = 400;
/// Random deals whose mean is subtracted.
const DEALS: u64 = 4_000;
/// The share of random cards in a playout, so that playouts of one deal differ.
const NOISE: f64 = 0.1;

/// The mean points of a round for a seat if everybody plays by the policy from this deal, minus the mean over
/// all deals for a seat at the same distance from the one that acts first. Points that count against a player
/// are negative, and points are counted from the mean of all seats, as hints do: a moon in Hearts is as good for its
/// player as it is bad for all others together. So the lucks of a deal add up to zero.
pub(super) fn of_deal<G: WholeGame>(contest: &G, start: &G::Round, seat: usize) -> Option<f64> {
    let players = start.players();
    let first = start.to_act()?;
    let mut sums = [0.0; MAX_PLAYERS];
    for playout in 0..PLAYOUTS {
        // All seats are judged by the same playouts, so one seat's gain is the others' loss.
        let mut rng = stream(LUCK, playout);
        add::<G>(&mut sums, start, &mut rng);
    }
    let mean = sums[seat] / PLAYOUTS as f64;
    let all = average(contest, players, start.receiver(0));
    Some(mean - all[(seat + players - first) % players])
}

/// The seed of all playouts: `luck` in ASCII.
const LUCK: u64 = 0x6c75_636b;

/// The deals that a mean is over: the game, the number of players, and how many seats further cards are passed.
type DealKind = (&'static str, usize, usize);

/// The means over deals with this passing (how many seats further cards go; 0 for none). They are listed by the distance
/// from the seat that acts first.
fn average<G: WholeGame>(contest: &G, players: usize, passing: usize) -> Vec<f64> {
    // Computed once for each game, number of players and direction: thousands of deals take a while.
    static KNOWN: Mutex<BTreeMap<DealKind, Vec<f64>>> = Mutex::new(BTreeMap::new());
    let mut known = lock(&KNOWN);
    let means = known.entry((G::NAME, players, passing)).or_insert_with(|| {
        let mut all = vec![0.0; players];
        for number in 0..DEALS {
            // Complemented, so that the average is over other random numbers than the deal that is compared with it.
            let mut rng = stream(!LUCK, number);
            // The direction alternates from deal to deal, so a deal has it from one of the numbers from 0 on.
            let mut numbers =
                (0..=players as u64).map(|more| contest.deal(players, number + more, &mut rng));
            let Some(start) = numbers.find(|start| start.receiver(0) == passing) else {
                continue;
            };
            let first = start.to_act().unwrap_or(0);
            let mut sums = [0.0; MAX_PLAYERS];
            add::<G>(&mut sums, &start, &mut rng);
            for (place, mean) in all.iter_mut().enumerate() {
                *mean += sums[(first + place) % players] / DEALS as f64;
            }
        }
        all
    });
    means.clone()
}

/// Plays a round out, and adds each seat's points above the mean of all seats, negative where they count against it.
fn add<G: WholeGame>(sums: &mut [f64; MAX_PLAYERS], start: &G::Round, rng: &mut Random) {
    let mut round = start.clone();
    while round.to_act().is_some() {
        let legal = round.legal();
        let card: Option<Card> = match legal.len() {
            0 => None,
            1 => legal.first(),
            _ if unit(rng) < NOISE => Some(random_card(legal, rng)),
            _ => Some(G::Policy::PLAYOUT.choose(&round, legal, rng)),
        };
        let Some(card) = card else { return };
        round.act(card);
    }
    let players = start.players();
    let scores = round.scores();
    let total: f64 = scores[..players]
        .iter()
        .map(|&score| f64::from(score))
        .sum();
    for (sum, &score) in sums.iter_mut().zip(&scores[..players]) {
        let above = f64::from(score) - total / players as f64;
        *sum += if G::LOW_IS_GOOD { -above } else { above };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eights::matches::Eights;
    use crate::hearts::matches::Hearts;
    use crate::tricks::Contest;
    use tricks::{Cards, Hands, Suit};

    /// Over many deals, each seat's luck averages zero, but it differs from deal to deal.
    fn luck_is_even<G: WholeGame>(players: usize) {
        let contest = G::default();
        let count = 30;
        let mut all = Vec::new();
        for number in 0..count {
            let start = contest.deal(players, number, &mut stream(3, number));
            let seats = (0..players).map(|seat| of_deal(&contest, &start, seat).unwrap());
            all.push(seats.collect::<Vec<f64>>());
        }
        for seat in 0..players {
            let lucks: Vec<f64> = all.iter().map(|one| one[seat]).collect();
            let mean = lucks.iter().sum::<f64>() / count as f64;
            let square = lucks.iter().map(|luck| luck * luck).sum::<f64>() / count as f64;
            let error = (square / count as f64).sqrt();
            assert!(mean.abs() < 4.0 * error, "seat {seat}: {mean} ± {error}");
            assert!(square > 0.25, "seat {seat}: {square}");
        }
        for one in &all {
            assert!(one.iter().sum::<f64>().abs() < 1e-6, "{one:?}");
        }
    }

    #[test]
    fn luck_of_hearts_is_even() {
        luck_is_even::<Hearts>(4);
        luck_is_even::<Hearts>(3);
    }

    #[test]
    fn luck_of_tricky_eights_is_even() {
        luck_is_even::<Eights>(4);
    }

    /// In Tricky Eights, where tricks are good, high cards are lucky. In Hearts the highest cards and the
    /// lowest are.
    #[test]
    fn high_cards_are_luck_or_not() {
        // All cards, from the highest rank down.
        let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
        let all: Vec<Card> = (0..13)
            .rev()
            .flat_map(|rank| suits.map(|suit| Card::new(suit, rank)))
            .collect();
        let dealt = |all: &[Card], size: usize| {
            let mut hands = Hands::default();
            hands[1] = all[..size].iter().copied().collect();
            for (place, &card) in all[size..4 * size].iter().enumerate() {
                hands[[0, 2, 3][place % 3]].insert(card);
            }
            hands
        };
        let pool: Cards = all[40..].iter().copied().collect();
        let start = Eights.restore(4, 0, &dealt(&all, 10), pool);
        let luck = of_deal(&Eights, &start, 1).unwrap();
        assert!(luck > 2.0, "{luck}");
        // The highest cards shoot the moon, and the lowest take no trick.
        let mut low = all.clone();
        low.reverse();
        for cards in [&all, &low] {
            let hands = dealt(cards, 13);
            let leader = (0..4).find(|&seat| hands[seat].contains(hearts::rules::FIRST_LEAD));
            let start = Hearts::default().restore(4, leader.unwrap(), &hands, Cards::EMPTY);
            let luck = of_deal(&Hearts::default(), &start, 1).unwrap();
            assert!(luck > 4.0, "{luck}");
            // Others must take the points in its place, so one of them at least is unlucky.
            let others = [0, 2, 3].map(|seat| of_deal(&Hearts::default(), &start, seat).unwrap());
            assert!(others.iter().any(|&luck| luck < -1.0), "{others:?}");
        }
    }
}
