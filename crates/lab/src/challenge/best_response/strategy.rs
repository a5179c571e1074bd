//! Strategies as functions of the public state and the cards: the players that an exact best response can be
//! computed against.

use challenge::equilibrium::Multisets;
use challenge::equilibrium::blueprint::abstraction::{SITUATIONS, situation};
use challenge::equilibrium::blueprint::{Blueprint, Distribution, Opened};
use challenge::player::Builtin;
use challenge::player::response::{DecisionPoint, Opponent};
use challenge::rules::{Card, Cards, Decision, HAND_SIZE, PACKS, PublicState, RANKS, Seat, other};
use challenge::view::View;
use engine::rng::{Random, stream};
use seats::challenge::players::{Model, NamedPlayer};

/// A player whose decisions are a function of the public state of a hand and of its cards.
pub trait HandStrategy: Sync {
    /// The decisions of the player to act with these cards (without one on the table), with
    /// probabilities that sum to 1. A decision may be named more than once.
    fn decisions(&self, public: &PublicState, own: Cards) -> Distribution;

    /// The number of public situations that the strategy distinguishes.
    fn situations(&self) -> usize;

    /// The number of a public state's situation. In all states with the same number, the strategy's decisions
    /// are the same function of the cards.
    fn situation(&self, public: &PublicState) -> usize;

    /// Whether the strategy stops when the winner of a hand is [certain](PublicState::settled), so
    /// that it neither offers nor accepts a challenge after that.
    fn settles(&self) -> bool;
}

/// An opening without abstraction if there is one, and the blueprint after it.
impl HandStrategy for Opened<'_> {
    fn decisions(&self, public: &PublicState, own: Cards) -> Distribution {
        self.played(public, own)
    }

    fn situations(&self) -> usize {
        // Those of the blueprint; then, for each pair of cards of the first trick, 13 cards or none on the table,
        // with an offer open or not.
        SITUATIONS + RANKS * RANKS * (RANKS + 1) * 2
    }

    /// In the second trick the opening distinguishes the cards of the first.
    fn situation(&self, public: &PublicState) -> usize {
        // After an accepted challenge the opening leaves the play to the blueprint, whose
        // situations hold then.
        let open = public.can_challenge() || public.must_answer();
        let played = [0, 1].map(|seat: Seat| public.played[seat].lowest());
        match played {
            [Some(first), Some(second)]
                if open && self.opening.is_some() && public.tricks_left() == HAND_SIZE - 1 =>
            {
                let rank = |card: Card| usize::from(card.rank());
                let cards = (rank(first) - 1) * RANKS + rank(second) - 1;
                // Numbers after those of the blueprint: the two cards of the first trick, the card
                // on the table (0 for none), and whether an offer is open.
                let table = public.table.map_or(0, rank);
                let answers = usize::from(public.must_answer());
                SITUATIONS + (cards * (RANKS + 1) + table) * 2 + answers
            }
            _ => situation(public),
        }
    }

    fn settles(&self) -> bool {
        true
    }
}

/// A built-in player that decides by a rule, at one score of the game.
pub struct RuleStrategy {
    model: fn() -> Model,
    points: [u8; 2],
}

impl RuleStrategy {
    /// A rule at a score, given as the opener's points and the other's.
    pub fn new(model: fn() -> Model, points: [u8; 2]) -> RuleStrategy {
        RuleStrategy { model, points }
    }
}

impl HandStrategy for RuleStrategy {
    fn decisions(&self, public: &PublicState, own: Cards) -> Distribution {
        let opener = public.opener;
        // Points are given for opener and other; views want them by seat.
        let by_seat = |seat: Seat| self.points[usize::from(seat != opener)];
        let point = DecisionPoint {
            public: *public,
            points: [by_seat(0), by_seat(1)],
            deck: PACKS,
        };
        let view = View::of_hand(public, own, point.points);
        let mut model = (self.model)();
        // The generator cannot change the result: these rules have no chance, or the model computes
        // its probabilities.
        let mut rng: Random = stream(0, 0);
        // Probabilities of all legal decisions; those of 0 are dropped by the table.
        let mut probability = |decision| {
            let probability = model.probability(&point, own, decision, &mut rng);
            (decision, probability)
        };
        view.legal().map(&mut probability).collect()
    }

    fn situations(&self) -> usize {
        SEEN
    }

    /// Numbers everything that a view shows besides the cards, since a rule may depend on all of it.
    fn situation(&self, public: &PublicState) -> usize {
        let seat = public.to_act();
        let tricks = |seat: Seat| usize::from(public.tricks[seat]);
        let table = public.table.map_or(0, |card| usize::from(card.rank()));
        let challenge = match (public.can_challenge(), public.must_answer()) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2,
        };
        // Digits of a mixed-radix number: each value with its number of possible values.
        let parts = [
            (usize::from(seat == public.opener), 2),
            (usize::from(seat == public.lead), 2),
            (tricks(seat), HAND_SIZE + 1),
            (tricks(other(seat)), HAND_SIZE + 1),
            (usize::from(public.total_tricks), HAND_SIZE),
            (table, 14),
            (challenge, 3),
        ];
        parts
            .iter()
            .fold(0, |number, (part, of)| number * of + part)
    }

    fn settles(&self) -> bool {
        false
    }
}

/// The strategy of a player at a score (the opener's points and the other's), if it is known and a
/// function of the public state and the cards.
pub fn strategy_of(
    player: NamedPlayer,
    blueprint: &Blueprint,
    points: [u8; 2],
) -> Option<Box<dyn HandStrategy + '_>> {
    let NamedPlayer::Builtin(builtin) = player else {
        return None;
    };
    let rule: fn() -> Model = match builtin {
        Builtin::Random => Model::random,
        Builtin::Bully => Model::bully,
        Builtin::Doge => Model::doge,
        Builtin::Need => Model::need,
        // The blueprint knows its strategy itself; rules are asked through their models.
        Builtin::Blueprint => {
            // A blueprint has a strategy for each hand game, which the score selects.
            let stakes = blueprint.values().stakes(points[0], points[1]);
            return Some(Box::new(blueprint.opened(&stakes)));
        }
        _ => return None,
    };
    Some(Box::new(RuleStrategy::new(rule, points)))
}

/// Number of situations of rules: the product of the radices in [`RuleStrategy`]'s `situation`.
const SEEN: usize = 2 * 2 * (HAND_SIZE + 1) * (HAND_SIZE + 1) * HAND_SIZE * 14 * 3;

/// The decisions of all hands in one situation.
pub(super) struct DecisionTable {
    /// The steps of hand `h` are `steps[starts[h]..starts[h + 1]]`.
    starts: Vec<u32>,
    steps: Vec<Step>,
    /// The probability that each hand offers or accepts.
    pub bets: Vec<f64>,
}

/// One decision of a hand.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub decision: Decision,
    /// The number of the set held afterwards.
    pub to: u16,
    pub probability: f64,
}

impl DecisionTable {
    /// The decisions of a strategy for every hand of the player to act.
    pub fn new(
        strategy: &dyn HandStrategy,
        public: &PublicState,
        hands: &[Cards],
        deck: Cards,
    ) -> DecisionTable {
        let (mut starts, mut steps, mut bets) = (vec![0], Vec::new(), Vec::new());
        for &own in hands {
            // Offering and accepting are never legal together, so one number serves both.
            let mut bet = 0.0;
            // A strategy is never asked about a hand that the deck does not have.
            let decisions = match own.is_within(deck) {
                true => strategy.decisions(public, own),
                false => Distribution::new(),
            };
            for (decision, probability) in decisions {
                let probability = f64::from(probability);
                if probability <= 0.0 {
                    continue;
                }
                // Only a card changes the hand.
                let left = match decision {
                    Decision::Play(card) => own.without(card).unwrap_or_default(),
                    _ => own,
                };
                if matches!(decision, Decision::Offer | Decision::Accept) {
                    bet += probability;
                }
                steps.push(Step {
                    decision,
                    to: Multisets::index(left) as u16,
                    probability,
                });
            }
            // The steps of this hand end where those of the next one begin.
            starts.push(steps.len() as u32);
            bets.push(bet);
        }
        DecisionTable {
            starts,
            steps,
            bets,
        }
    }

    /// Whether any hand takes this decision.
    pub fn names(&self, decision: Decision) -> bool {
        self.steps.iter().any(|step| step.decision == decision)
    }

    /// The decisions of a hand.
    pub fn of(&self, hand: usize) -> &[Step] {
        &self.steps[self.starts[hand] as usize..self.starts[hand + 1] as usize]
    }
}
