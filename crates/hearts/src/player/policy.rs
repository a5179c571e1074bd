//! Policies: built-in baselines, and what the search's playouts follow.

use super::inputs;
use super::moon::{self, Plan};
use super::ranks::{highest, lowest, rank};
use crate::rules::{BLACK_QUEEN, POINTS, Round};
use engine::rng::Random;
use tricks::network::{Embedded, Inputs, Network};
use tricks::{
    Card, Cards, Costs, Pace, Policy, PolicySet, Round as _, Suit, Thinkers, best_card, random_card,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// A random legal card.
    Random,
    /// The highest card that loses the trick, else the highest; gets rid of the queen of spades
    /// and high hearts when void.
    Duck,
    /// *Duck* that counts: leads what others must beat, keeps away from the queen of spades while
    /// she is out, and throws what is most dangerous.
    Careful,
    /// *Careful* that shoots the moon with a strong hand, and keeps others from it.
    Shooter,
}

impl PolicySet for Baseline {
    type Round = Round;

    const NAMED: &'static [(&'static str, Baseline)] = &[
        ("random", Baseline::Random),
        ("duck", Baseline::Duck),
        ("careful", Baseline::Careful),
        ("shooter", Baseline::Shooter),
    ];
    const OPPONENTS: &'static [Baseline] = &[Baseline::Duck, Baseline::Careful, Baseline::Shooter];
    const PLAYOUT: Baseline = Baseline::Careful;
    const THINKERS: Thinkers = Thinkers::Policy { noise: 0.1 };
    const WEIGHING_FROM: f64 = 0.0;
    const COSTS: Costs = Costs {
        weighing: 14.0,
        thinking: 7.0,
    };

    fn network() -> &'static Network {
        static WEIGHTS: Option<Embedded> =
            Embedded::read(include_bytes!("../../../../support/hearts.policy"));
        static NETWORK: Network = Network::embedded(&WEIGHTS);
        &NETWORK
    }

    #[inline(always)]
    fn inputs(round: &Round, legal: Cards, inputs: &mut Inputs) {
        inputs::fill(round, legal, inputs);
    }

    /// The mean of the others' points minus the seat's own.
    fn points_value(points: &[f32], seat: usize) -> f32 {
        let all: f32 = points.iter().sum();
        let own = points[seat];
        (all - own) / (points.len() - 1) as f32 - own
    }

    /// Measured on rounds of searches among themselves (`docs/measurements/tricks.md`, "the score of the match").
    fn pace(players: usize) -> Pace {
        let (gain, spread) = match players {
            ..=3 => (11.2, 9.8),
            4 => (9.8, 8.9),
            5 => (8.8, 8.1),
            6.. => (8.1, 7.6),
        };
        Pace {
            mean: f32::from(POINTS) / players as f32,
            gain,
            spread,
            sweep: [0.0, f32::from(POINTS)],
            points: 0.0,
        }
    }
}

impl Policy<Round> for Baseline {
    #[inline]
    fn choose(&self, round: &Round, legal: Cards, rng: &mut Random) -> Card {
        let led = round.trick().led();
        let beaten = round.trick().best(round.players());
        let void = led.is_some_and(|led| (legal & Cards::suit(led)).is_empty());
        match (self, beaten) {
            (Baseline::Random, _) => random_card(legal, rng),
            (Baseline::Duck, None) => lowest(legal),
            (Baseline::Duck, Some(_)) if void => best_card(legal, duck_throws),
            (Baseline::Duck, Some(beaten)) => {
                let under = legal & Cards::below(beaten);
                highest(if under.is_empty() { legal } else { under })
            }
            (Baseline::Shooter, _) => match moon::choose(round, legal) {
                Plan::Play(card) => card,
                Plan::Among(cards) => Baseline::Careful.choose(round, cards, rng),
            },
            (Baseline::Careful, None) => lead(round, legal),
            (Baseline::Careful, Some(_)) if void => throw(round, legal),
            (Baseline::Careful, Some(beaten)) => follow(round, legal, beaten),
        }
    }
}

fn duck_throws(card: Card) -> i32 {
    let class = match card {
        BLACK_QUEEN => 200,
        _ if card.suit() == Suit::Hearts => 100,
        _ => 0,
    };
    class + rank(card)
}

/// How far a card is from safe: the cards in other hands that it beats, less those that beat it.
#[inline]
fn danger(others: Cards, card: Card) -> i32 {
    let below = (others & Cards::below(card)).len() as i32;
    let above = (others & Cards::above(card)).len() as i32;
    below - above
}

/// Whether a spade can catch the queen, or be her.
#[inline]
fn near_queen(others: Cards, card: Card) -> bool {
    card == BLACK_QUEEN || (card > BLACK_QUEEN && others.contains(BLACK_QUEEN))
}

/// The card that is least likely to take the trick; nothing that may catch the queen.
#[inline]
fn lead(round: &Round, legal: Cards) -> Card {
    let others = round.other_hands();
    let queen_out = others.contains(BLACK_QUEEN);
    best_card(legal, |card| {
        let follow = (others & Cards::suit(card.suit())).len() as i32;
        // Nobody follows: the trick is one's own, with all that is thrown on it.
        let alone = if follow == 0 { 30 } else { 0 };
        let queen = if near_queen(others, card) { 60 } else { 0 };
        let smokes = queen_out && card.suit() == Suit::Spades && card < BLACK_QUEEN;
        let hearts = if card.suit() == Suit::Hearts { 2 } else { 0 };
        4 * i32::from(smokes) - 2 * danger(others, card) - alone - queen - hearts
    })
}

/// Under the trick as high as possible; over it as the last where it costs nothing, else low.
#[inline]
fn follow(round: &Round, legal: Cards, beaten: Card) -> Card {
    let others = round.other_hands();
    let under = legal & Cards::below(beaten);
    if under.contains(BLACK_QUEEN) {
        return BLACK_QUEEN;
    }
    let last = round.trick().len() + 1 == round.players();
    let harmless = legal - Cards::from(BLACK_QUEEN);
    let clean = round.stake() == 0 && !harmless.is_empty();
    let safe = harmless
        .into_iter()
        .filter(|&card| last || !near_queen(others, card))
        .collect::<Cards>();
    // Hearts are not thrown on the first trick, and not likely on the second.
    let early = round.first() || last;
    if clean && early && !safe.is_empty() {
        return highest(safe);
    }
    if !under.is_empty() {
        return highest(under);
    }
    if last && !harmless.is_empty() {
        return highest(harmless);
    }
    lowest(if safe.is_empty() { legal } else { safe })
}

/// The queen, what may catch her, then what is most likely to take a trick, hearts first.
#[inline]
fn throw(round: &Round, legal: Cards) -> Card {
    let others = round.other_hands();
    best_card(legal, |card| {
        let queen = if card == BLACK_QUEEN { 200 } else { 0 };
        let catcher = if near_queen(others, card) { 40 } else { 0 };
        let heart = if card.suit() == Suit::Hearts { 6 } else { 0 };
        queen + catcher + heart + 2 * danger(others, card) + rank(card)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::read_card;
    use crate::rules::Options;
    use tricks::Hands;

    const RANKS: &str = "23456789TJQKA";

    fn card(name: &str) -> Card {
        let suit = "hcds".find(&name[..1]).unwrap() + 1;
        let rank = RANKS.find(&name[1..]).unwrap() + 1;
        read_card(14 * suit + rank).unwrap()
    }

    fn set(names: &str) -> Cards {
        names.split_whitespace().map(card).collect()
    }

    /// What a policy plays on a later trick, after these cards.
    fn plays(policy: Baseline, own: &str, others: &str, table: &str) -> String {
        let mut hands = Hands::default();
        let table: Vec<Card> = table.split_whitespace().map(card).collect();
        let seat = table.len();
        hands[seat] = set(own);
        hands[(seat + 1) % 4] = set(others);
        let mut round = Round::new(4, 0, hands, Options::default());
        // A first trick that is in nobody's hand, and stays with its leader.
        for name in ["c8", "c2", "d2", "d4"] {
            round.act(card(name));
        }
        table.into_iter().for_each(|card| round.act(card));
        let legal = round.legal();
        let mut rng = engine::rng::stream(1, 0);
        policy.choose(&round, legal, &mut rng).to_string()
    }

    /// The file in the program is a network for its inputs, and has learnt something.
    #[test]
    fn the_network_of_the_program_is_read() {
        let bytes = include_bytes!("../../../../support/hearts.policy");
        let file = tricks::network::NetworkFile::decode(bytes, "hearts").unwrap();
        assert_eq!(Baseline::network(), &file.network);
        assert_ne!(file.network, Network::even());
    }

    #[test]
    fn the_moon_is_worth_26() {
        let value = |seat| Baseline::points_value(&[26.0, 0.0, 26.0, 26.0], seat);
        assert_eq!(value(1), 26.0);
        assert_eq!(value(0), 52.0 / 3.0 - 26.0);
    }

    #[test]
    fn duck_ducks() {
        use Baseline::Duck;
        assert_eq!(plays(Duck, "h3 h9 hK", "c9", "hT"), "♥9");
        assert_eq!(plays(Duck, "hJ hK", "c9", "hT"), "♥K");
        assert_eq!(plays(Duck, "sQ hK c7", "c9", "d9"), "♠Q");
        assert_eq!(plays(Duck, "sA hK c7", "c9", "d9"), "♥K");
    }

    #[test]
    fn careful_takes_care() {
        use Baseline::Careful;
        assert_eq!(
            plays(Careful, "sK c3", "sQ cA", ""),
            "♣3",
            "the king would catch the queen"
        );
        assert_eq!(plays(Careful, "sQ s3", "c9", "sK"), "♠Q");
        assert_eq!(
            plays(Careful, "cA c3", "c9", "c4 c5 c6"),
            "♣A",
            "nothing on the table"
        );
        assert_eq!(plays(Careful, "cA c3", "c9", "c4 h5 c6"), "♣3");
        assert_eq!(
            plays(Careful, "sA c3 h2", "sQ", "d9"),
            "♠A",
            "it may catch the queen"
        );
    }

    fn cards(codes: &str) -> Vec<Card> {
        let codes = codes.split_whitespace();
        codes.map(|code| Card::from_code(code).unwrap()).collect()
    }

    /// What *shooter* and *careful* play with a hand, after tricks that the first seat has led and taken, and the cards on the
    /// table; the rest is in another hand.
    fn shooter_and_careful(tricks: &[&str], table: &str, own: &str, others: &str) -> [String; 2] {
        let table = cards(table);
        let seat = table.len();
        let mut hands = Hands::default();
        hands[seat] = cards(own).into_iter().collect();
        hands[(seat + 1) % 4] = cards(others).into_iter().collect();
        let mut round = Round::new(4, 0, hands, Options::default());
        for card in tricks.iter().flat_map(|trick| cards(trick)) {
            round.act(card);
        }
        table.into_iter().for_each(|card| round.act(card));
        assert_eq!(round.to_act(), Some(seat));
        let mut unused = engine::rng::stream(0, 0);
        [Baseline::Shooter, Baseline::Careful]
            .map(|policy| policy.choose(&round, round.legal(), &mut unused).code())
    }

    const CLEAN: &str = "c8 c2 d2 d4";
    const MOST: [&str; 2] = [CLEAN, "sa sq h2 h3"];

    #[test]
    fn a_strong_hand_takes() {
        let hand = "ha hk ca ck d3";
        assert_eq!(
            shooter_and_careful(&[CLEAN], "", hand, "hq h4 c3 dk"),
            ["ca", "d3"]
        );
        assert_eq!(
            shooter_and_careful(&MOST, "", hand, "hq h4 c3 dk"),
            ["ca", "d3"]
        );
        // The last to play takes a point with the lower of two cards that can; out of the suit, what takes no trick goes.
        assert_eq!(
            shooter_and_careful(&[CLEAN], "c4 c5 h9", hand, "hq h4 dk"),
            ["ck", "ca"]
        );
        assert_eq!(
            shooter_and_careful(&[CLEAN], "sk", hand, "hq h4 dk"),
            ["d3", "ha"]
        );
        // A weak hand is played with care.
        let [shooter, careful] = shooter_and_careful(&[CLEAN], "", "h4 c3 d9 s5", "ha ca da sa");
        assert_eq!(shooter, careful);
    }

    #[test]
    fn who_has_the_points_is_stopped() {
        // The last to play takes a heart as cheaply as it can, and keeps the queen's suit out of it.
        assert_eq!(
            shooter_and_careful(&MOST, "hj h5 h6", "hq ha h4", "c3"),
            ["hq", "h4"]
        );
        // Who cannot take gives nothing.
        assert_eq!(
            shooter_and_careful(&MOST, "cj", "hk d5 d9", "c3"),
            ["d9", "hk"]
        );
        // Points that somebody else takes stop as well.
        assert_eq!(
            shooter_and_careful(&MOST, "cj ck", "hk d5 d9", "c3"),
            ["hk", "hk"]
        );
        // A few points are no reason.
        let few = [CLEAN, "ha h2 h3 h5"];
        assert_eq!(
            shooter_and_careful(&few, "hj h7 h6", "hq hk h4", "c3"),
            ["h4", "h4"]
        );
    }
}
