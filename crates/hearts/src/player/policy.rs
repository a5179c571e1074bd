//! Policies: built-in baselines, and the one that the search's playouts follow.

use super::inputs;
use super::passing;
use super::ranks::{danger, highest, lowest, near_queen, rank};
use super::weights::{self, Weights};
use crate::rules::{BLACK_QUEEN, POINTS, Round};
use engine::rng::Random;
use tricks::network::{Embedded, Inputs, Network};
use tricks::{
    Card, Cards, Costs, Decision, Pace, Player, Policy, PolicySet, Round as _, Suit, Thinkers,
    View, best_card, random_card,
};

/// A built-in way to play that needs no search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// A random legal card.
    Random,
    /// Plays the highest card that loses the trick, else the highest; throws the queen of spades and high
    /// hearts when void.
    Duck,
    /// *Duck* that counts: it leads cards that others must beat, keeps away from the queen of spades while
    /// another hand holds her, and throws the most dangerous card.
    Careful,
    /// Shoots the moon with a strong hand and keeps others from it, see `moon`; otherwise plays as a search would, as far
    /// as some counts of cards tell, see `weights`.
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
    // Measured against strangers: see `docs/measurements/tricks.md`. *Careful* neither shoots the moon nor stops others.
    const PLAYOUT: Baseline = Baseline::Shooter;
    const THINKERS: Thinkers = Thinkers::Policy { noise: 0.1 };
    const WEIGHING_FROM: f64 = 0.0;
    // In cards of *careful*. In those of *shooter*, some 7 and 2.3 were measured. A search that charges these takes 1.13
    // times as long; at equal time it won no more, see `docs/measurements/tricks.md`.
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

    /// The mean of the others' points minus the seat's own: few points are good. A moon, 0 against 26 each, is
    /// worth 26.
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
            // After a moon the shooter has 0 points, and everybody else 26.
            sweep: [0.0, f32::from(POINTS)],
            // Near the end of games decisions lost least by chances alone, among 0, 0.4, 0.6 and 1.
            points: 0.0,
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
        if round.passing() {
            return match self {
                Baseline::Random => random_card(legal, rng),
                Baseline::Duck => best_card(legal, duck_throws),
                Baseline::Careful | Baseline::Shooter => passing::choose(legal),
            };
        }
        let led = round.trick().led();
        let beaten = round.trick().best(round.players());
        // Void: a card of another suit is thrown, which can take no trick.
        let void = led.is_some_and(|led| (legal & Cards::suit(led)).is_empty());
        match (self, beaten) {
            (Baseline::Random, _) => random_card(legal, rng),
            (Baseline::Duck, None) => lowest(legal),
            (Baseline::Duck, Some(_)) if void => best_card(legal, duck_throws),
            (Baseline::Duck, Some(beaten)) => {
                let under = legal & Cards::below(beaten);
                highest(if under.is_empty() { legal } else { under })
            }
            (Baseline::Shooter, _) => weights::choose(round, legal, &Weights::SHOOTER),
            (Baseline::Careful, None) => lead(round, legal),
            (Baseline::Careful, Some(_)) if void => throw(round, legal),
            (Baseline::Careful, Some(beaten)) => follow(round, legal, beaten),
        }
    }
}

/// The order in which *duck* throws: the queen of spades, hearts from above, then high cards.
fn duck_throws(card: Card) -> i32 {
    let class = match card {
        BLACK_QUEEN => 200,
        _ if card.suit() == Suit::Hearts => 100,
        _ => 0,
    };
    class + rank(card)
}

/// Leads the card that is least likely to take the trick; one that may catch the queen only if nothing else is left.
#[inline]
fn lead(round: &Round, legal: Cards) -> Card {
    let others = round.other_hands();
    let queen_out = others.contains(BLACK_QUEEN);
    best_card(legal, |card| {
        let follow = (others & Cards::suit(card.suit())).len() as i32;
        // If nobody can follow, the trick is the player's own, with everything that others throw on it.
        let alone = if follow == 0 { 30 } else { 0 };
        // The queen herself, and a spade that may catch her, come last. A spade below her is good to lead: it
        // may force her out of another hand.
        let queen = if near_queen(others, card) { 60 } else { 0 };
        let smokes = queen_out && card.suit() == Suit::Spades && card < BLACK_QUEEN;
        // Hearts put points on the table.
        let hearts = if card.suit() == Suit::Hearts { 2 } else { 0 };
        4 * i32::from(smokes) - 2 * danger(others, card) - alone - queen - hearts
    })
}

/// Follows suit: with the queen of spades if a higher spade lies on the table; else with the highest safe card if
/// winning probably costs nothing; else with the highest card that loses the trick. If every card would win so far,
/// the last player plays high and the others low.
#[inline]
fn follow(round: &Round, legal: Cards, beaten: Card) -> Card {
    let others = round.other_hands();
    let under = legal & Cards::below(beaten);
    // A higher spade lies there: the queen goes to the player that takes the trick.
    if under.contains(BLACK_QUEEN) {
        return BLACK_QUEEN;
    }
    let last = round.trick().len() + 1 == round.players();
    let harmless = legal - Cards::from(BLACK_QUEEN);
    // `clean`: no points lie on the table. `safe`: cards that the queen cannot fall on later in this trick.
    let clean = round.stake() == 0 && !harmless.is_empty();
    let safe = harmless
        .into_iter()
        .filter(|&card| last || !near_queen(others, card))
        .collect::<Cards>();
    // On the first trick few players are void already, and on the last player's card no points can follow. So winning
    // probably costs nothing, and the highest safe card is played.
    let early = round.first() || last;
    if clean && early && !safe.is_empty() {
        return highest(safe);
    }
    // Any lower card loses the trick; the highest of them is the most dangerous later.
    if !under.is_empty() {
        return highest(under);
    }
    // The last player must take the trick, and does so with the card that is most dangerous later, but not with
    // the queen.
    if last && !harmless.is_empty() {
        return highest(harmless);
    }
    // Later players may still beat a low card.
    lowest(if safe.is_empty() { legal } else { safe })
}

/// Throws the queen, then a card that may catch her, then the card that is most likely to take a trick, hearts
/// first.
#[inline]
fn throw(round: &Round, legal: Cards) -> Card {
    let others = round.other_hands();
    best_card(legal, |card| {
        // The queen goes before everything else, and a card that may catch her before nearly everything. For
        // other cards danger counts 2, the rank 1, and a heart 6 more.
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

    /// The card that a policy plays on a later trick, after these cards.
    fn plays(policy: Baseline, own: &str, others: &str, table: &str) -> String {
        let mut hands = Hands::default();
        let table: Vec<Card> = table.split_whitespace().map(card).collect();
        let seat = table.len();
        hands[seat] = set(own);
        hands[(seat + 1) % 4] = set(others);
        let mut round = Round::new(4, 0, hands, Options::default());
        // Cards of a first trick, which no hand holds and which its leader takes.
        for name in ["c8", "c2", "d2", "d4"] {
            round.act(card(name));
        }
        table.into_iter().for_each(|card| round.act(card));
        let legal = round.legal();
        let mut rng = engine::rng::stream(1, 0);
        policy.choose(&round, legal, &mut rng).to_string()
    }

    /// The file in the program fits the program's inputs, and its network has been trained.
    #[test]
    fn the_network_of_the_program_is_read() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../support/hearts.policy");
        let file = tricks::network::NetworkFile::read(path.as_ref(), "hearts").unwrap();
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

    /// The cards that *shooter* and *careful* play with a hand, after tricks that the first seat has led and
    /// taken, and the cards on the table. The rest is in another hand.
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
    const MOST: [&str; 3] = [CLEAN, "sa sq h2 h3", "ht h7 h8 h9"];

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
        // The last to play takes a point with the lower of its two winning cards. Out of the suit, a card that
        // takes no trick goes.
        assert_eq!(
            shooter_and_careful(&[CLEAN], "c4 c5 h9", hand, "hq h4 dk"),
            ["ck", "ca"]
        );
        assert_eq!(
            shooter_and_careful(&[CLEAN], "sk", hand, "hq h4 dk"),
            ["d3", "ha"]
        );
    }

    /// The example of `weights`, and what keeps the queen of spades away.
    #[test]
    fn shooter_weighs_counts() {
        use Baseline::Shooter;
        let own = "cQ d4 d6 d8";
        let others = "cA c3 c4 c5 c6 c7 d3 d5 d7 d9 dT dJ dK dA";
        assert_eq!(plays(Shooter, own, others, ""), "♣Q");
        assert_eq!(plays(Shooter, "sK c3", "sQ cA c4", ""), "♣3");
        assert_eq!(plays(Shooter, "sQ s3 d5", "sA dA c9 s5", "sK"), "♠Q");
        assert_eq!(plays(Shooter, "cA c3", "c9 d2 d3", "c4 h5 c6"), "♣3");
        assert_eq!(plays(Shooter, "sA c3 h2", "sQ cA hA", "d9"), "♠A");
        assert_eq!(plays(Shooter, "h9 c5 c4 c3", "cA cK hA h3", "d9"), "♥9");
    }

    #[test]
    fn who_has_the_points_is_stopped() {
        // The last to play takes a heart as cheaply as it can, and keeps the queen's suit out of it.
        assert_eq!(
            shooter_and_careful(&MOST, "hj h5 h6", "hq ha h4", "c3"),
            ["hq", "h4"]
        );
        // A player that cannot take the trick keeps its high cards for a later one.
        assert_eq!(
            shooter_and_careful(&MOST, "ha", "hk h4 d9", "c3"),
            ["h4", "hk"]
        );
        // Out of the suit it gives no points to the trick.
        assert_eq!(
            shooter_and_careful(&MOST, "cj", "hk d5 d9", "c3"),
            ["d9", "hk"]
        );
        // Points that another player takes stop the moon as well.
        assert_eq!(
            shooter_and_careful(&MOST, "cj ck", "hk d5 d9", "c3"),
            ["hk", "hk"]
        );
        // Few points are no reason to stop anybody.
        let few = [CLEAN, "ha h2 h3 h5"];
        assert_eq!(
            shooter_and_careful(&few, "hj h7 h6", "hq hk h4", "c3"),
            ["h4", "h4"]
        );
    }
}
