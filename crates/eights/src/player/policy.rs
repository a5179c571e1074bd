//! Policies: built-in baselines, and the one that the search's playouts follow.

use super::inputs;
use crate::rules::{POINTS, Round, SEATS};
use engine::rng::Random;
use tricks::card::EIGHT;
use tricks::network::{Counted, Embedded, GameWeights, Inputs, Network};
use tricks::{
    Card, Cards, Costs, Decision, Pace, Player, Policy, PolicySet, Round as _, Thinkers, View,
    best_card, random_card,
};

/// A built-in way to play that needs no search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// A random legal card.
    Random,
    /// The highest legal card.
    High,
    /// Counts the cards that are gone: wins as cheaply as it can where that is certain, and keeps eights for
    /// tricks that it wins itself.
    Counter,
}

impl PolicySet for Baseline {
    type Round = Round;

    const NAMED: &'static [(&'static str, Baseline)] = &[
        ("random", Baseline::Random),
        ("high", Baseline::High),
        ("counter", Baseline::Counter),
    ];
    const OPPONENTS: &'static [Baseline] = &[Baseline::High, Baseline::Counter];
    const PLAYOUT: Baseline = Baseline::Counter;
    const THINKERS: Thinkers = Thinkers::Network;
    const WEIGHING_FROM: f64 = 10_000.0;
    // Measured by `cargo bench -p tricks --bench costs`, in cards that *counter* plays in a playout.
    const COSTS: Costs = Costs {
        weighing: 19.0,
        thinking: 4.7,
    };

    fn network() -> &'static Network {
        static WEIGHTS: Option<Embedded> =
            Embedded::read(include_bytes!("../../../../support/eights.policy"));
        static NETWORK: Network = Network::embedded(&WEIGHTS);
        &NETWORK
    }

    #[inline(always)]
    fn inputs(round: &Round, legal: Cards, inputs: &mut Inputs) {
        inputs::fill(round, legal, inputs);
    }

    #[inline(always)]
    fn worth_of_game<'a>(
        round: &'a Round,
        _legal: Cards,
        weights: &'a GameWeights,
    ) -> impl Fn(&Counted) -> f32 + 'a {
        inputs::worth(round, weights)
    }

    /// The seat's own points: a round always brings 25, so more for one is less for the others.
    fn points_value(points: &[f32], seat: usize) -> f32 {
        points[seat]
    }

    /// Measured on rounds of searches among themselves (`docs/measurements/tricks.md`, "the score of the match").
    fn pace(_players: usize) -> Pace {
        Pace {
            mean: f32::from(POINTS) / SEATS as f32,
            gain: 6.75,
            spread: 4.8,
            // All 25 points go to one player; the others have none.
            sweep: [f32::from(POINTS), 0.0],
            // Near the end of games decisions lost least with 0.4, among 0, 0.2, 0.4 and 1.
            points: 0.4,
        }
    }

    fn search(
        player: &Player<Baseline>,
        view: &View<Round>,
        among: Cards,
        rng: &mut Random,
    ) -> Option<Decision> {
        player.search(view, among, rng)
    }

    fn update(player: &mut Player<Baseline>, view: &View<Round>) {
        player.update(view);
    }
}

impl Policy<Round> for Baseline {
    #[inline]
    fn choose(&self, round: &Round, legal: Cards, rng: &mut Random) -> Card {
        match self {
            Baseline::Random => random_card(legal, rng),
            Baseline::High => best_card(legal, |card| i32::from(card.rank())),
            Baseline::Counter if round.taking() => take(round, legal),
            Baseline::Counter => match round.trick().best(SEATS) {
                None => lead(round, legal),
                Some(beaten) => follow(round, legal, beaten),
            },
        }
    }
}

fn is_eight(card: Card) -> bool {
    card.rank() == EIGHT
}

/// Takes a high card, preferably of a suit in which the hand is strong. It takes an eight only when nothing is better.
fn take(round: &Round, pool: Cards) -> Card {
    let hand = round.hand(round.to_act().unwrap_or(0));
    // The rank counts 4, each higher card that the hand lacks costs 3, each own card of the suit counts 1. An
    // eight costs 6: only the winner of its trick has its points. For example, the king of an empty suit has
    // 4 × 11 - 3 = 41, the eight of a suit without own cards 4 × 6 - 3 × 6 - 6 = 0.
    best_card(pool, |card| {
        let above = Cards::above(card);
        let missing = (above - hand).len() as i32;
        let suit = (hand & Cards::suit(card.suit())).len() as i32;
        4 * i32::from(card.rank()) - 3 * missing + suit - 6 * i32::from(is_eight(card))
    })
}

/// Leads a card that no other hand can beat in its suit, preferably one that may draw an eight. Without such a card
/// it leads a low one.
#[inline]
fn lead(round: &Round, legal: Cards) -> Card {
    let others = round.other_hands();
    // A card that nobody can beat takes the trick for certain if its suit is led. Among such cards, the first choice is
    // one that may draw a lower eight, then an eight of the hand, then one that draws many cards.
    best_card(legal, |card| {
        let eight = i32::from(is_eight(card));
        if (others & Cards::above(card)).is_empty() {
            let lower = others & Cards::below(card);
            let draws = (lower & Cards::rank(EIGHT)).len() as i32;
            100 + 20 * draws + 10 * eight + lower.len() as i32
        } else {
            // Without such a card the lowest one is led, and eights are kept back.
            -i32::from(card.rank()) - 20 * eight
        }
    })
}

/// Plays a card that certainly wins the trick: an eight if it can, else the lowest such card. If no card is certain to
/// win, it plays the lowest card, or its highest winner if at least three points are at stake.
#[inline]
fn follow(round: &Round, legal: Cards, beaten: Card) -> Card {
    let winners = legal & Cards::above(beaten);
    let last = round.trick().len() == SEATS - 1;
    let others = round.other_hands();
    // A card wins for certain as the last one, or if others hold none above it.
    let certain: Cards = winners
        .into_iter()
        .filter(|&card| last || (others & Cards::above(card)).is_empty())
        .collect();
    // An eight wins its own two points with the trick; of other cards the lowest is the cheapest.
    if !certain.is_empty() {
        return best_card(certain, |card| {
            20 * i32::from(is_eight(card)) - i32::from(card.rank())
        });
    }
    // An outer trick, or one with an eight, is worth a risk.
    if !winners.is_empty() && round.stake() >= 3 {
        return best_card(winners, |card| i32::from(card.rank()));
    }
    // The trick is given up: a low card, and no eight for the winner.
    best_card(legal, |card| {
        -i32::from(card.rank()) - 20 * i32::from(is_eight(card))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::parse_card;

    fn hand(cards: &str) -> Cards {
        let cards = cards.split(' ').map(|card| parse_card(card).unwrap());
        cards.collect()
    }

    /// The card that *counter* plays as the fourth or an earlier player, after these cards.
    fn counter(own: &str, others: &str, table: &str) -> String {
        let mut hands = [Cards::EMPTY; SEATS];
        let table: Vec<Card> = table
            .split_whitespace()
            .map(|card| parse_card(card).unwrap())
            .collect();
        let seat = table.len();
        hands[seat] = hand(own);
        hands[(seat + 1) % SEATS] = hand(others);
        let mut round = Round::new(0, hands, Cards::EMPTY);
        table.into_iter().for_each(|card| round.act(card));
        let mut rng = engine::rng::stream(1, 0);
        Baseline::Counter
            .choose(&round, round.legal(), &mut rng)
            .to_string()
    }

    /// The file in the program fits the program's inputs, and its network has been trained.
    #[test]
    fn the_network_of_the_program_is_read() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../support/eights.policy");
        let file = tricks::network::NetworkFile::read(path.as_ref(), "eights").unwrap();
        assert_eq!(Baseline::network(), &file.network);
        assert_ne!(file.network, Network::even());
    }

    #[test]
    fn counter_counts() {
        assert_eq!(counter("hk h3 c4", "ha c3", ""), "♣4", "the highest left");
        assert_eq!(counter("hk h3 c4", "h9 d3", ""), "♥K");
        assert_eq!(
            counter("hk ht h3", "ha d3", "h9"),
            "♥K",
            "three points are at stake"
        );
        assert_eq!(
            counter("hk ht h3", "c2", "h9 h2 h5"),
            "♥10",
            "cheaply, as the last"
        );
        assert_eq!(
            counter("hk h8 h3", "c2", "h7 h2 h5"),
            "♥8",
            "an eight, as the last"
        );
        assert_eq!(
            counter("d8 c9 s9", "c2", "h7 h2 h5"),
            "♣9",
            "keeps the eight"
        );
    }
}
