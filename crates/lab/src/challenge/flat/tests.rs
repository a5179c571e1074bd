//! The public tree with vectors of hands, checked by enumeration and recursion; and the solver that plays, checked
//! against this tree.

use super::respond::Strategies;
use super::*;
use challenge::deals;
use challenge::equilibrium::{Multisets, Stakes, endgame};
use challenge::rules::{Card, Cards, Challenge, Decision, PublicState, Seat};
use std::cmp::Ordering;

fn card(rank: u8) -> Card {
    Card::new(rank).unwrap()
}

fn cards(ranks: &[u8]) -> Cards {
    ranks.iter().map(|&rank| card(rank)).collect()
}

const STAKES: Stakes = Stakes {
    won: 0.56,
    lost: 0.44,
    tied: 0.5,
};

/// An endgame of `size` cards each out of a deck of a few ranks. Player 0 leads first.
fn endgame(deck: Cards, size: usize) -> Endgame {
    let mut public = PublicState::new(0);
    public.total_tricks = 5 - size as u8;
    let hands: Vec<Cards> = Multisets::new(size)
        .all()
        .iter()
        .copied()
        .filter(|&hand| deals::ways(deck, hand) > 0.0)
        .collect();
    let weights = hands
        .iter()
        .flat_map(|&one| {
            let left = deck.minus(one);
            hands
                .iter()
                .map(move |&two| (deals::ways(deck, one) * deals::ways(left, two)) as f32)
        })
        .collect();
    Endgame {
        public,
        stakes: STAKES,
        hands: [hands.clone(), hands],
        weights,
    }
}

/// Weights of pairs of hands agree with counting all deals of a deck that is given as a list.
#[test]
fn card_removal_is_exact() {
    let list = [1, 1, 2, 2, 2, 3];
    let endgame = endgame(cards(&list), 2);
    let tree = endgame.tree();
    let (mut total, mut counts) = (0.0, vec![0.0; endgame.weights.len()]);
    let n = endgame.hands[1].len();
    for a in 0..6 {
        for b in (0..6).filter(|&b| b != a) {
            for c in (0..6).filter(|&c| c != a && c != b) {
                for d in (0..6).filter(|&d| d != a && d != b && d != c) {
                    let find = |pair: Cards| endgame.hands[0].iter().position(|&h| h == pair);
                    let one = find(cards(&[list[a], list[b]])).unwrap();
                    let two = find(cards(&[list[c], list[d]])).unwrap();
                    counts[one * n + two] += 1.0;
                    total += 1.0;
                }
            }
        }
    }
    for (place, count) in counts.iter().enumerate() {
        let (one, two) = (place / n, place % n);
        let expected: f32 = count / total;
        assert!((tree.row(0, one as u16)[two] - expected).abs() < 1e-6);
        assert!((tree.row(1, two as u16)[one] - expected).abs() < 1e-6);
    }
}

/// The best response by vectors agrees with a recursion over each hand alone.
#[test]
fn best_responses_agree_with_enumeration() {
    let endgame = endgame(cards(&[1, 2, 2, 3, 3]), 2);
    let tree = endgame.tree();
    // Any numbers do as probabilities, as both sides of the comparison are linear in them.
    let strategy = |node: usize| -> Vec<f32> {
        let NodeKind::Decision { seat, edges } = &tree.nodes[node].kind else {
            return Vec::new();
        };
        let size = edges.len() * tree.nodes[node].hands[*seat].len();
        (0..size)
            .map(|place| ((place * 7 + node) % 5) as f32 / 10.0)
            .collect()
    };
    for seat in 0..2 {
        let total: f32 = (0..tree.hands(seat))
            .map(|own| {
                let reach = tree.row(seat, own as u16).to_vec();
                alone(
                    (&endgame, &tree, &strategy),
                    endgame.public,
                    0,
                    seat,
                    own,
                    &reach,
                )
            })
            .sum();
        assert!((total - best_value_against(&tree, seat, &strategy)).abs() < 1e-5);
    }
}

/// The most that the hand `own` can gain, with the other player's hands weighted by `reach` (indexed as at the
/// root).
fn alone(
    context: (&Endgame, &Tree, Strategies),
    public: PublicState,
    node: usize,
    best: Seat,
    own: usize,
    reach: &[f32],
) -> f32 {
    let (endgame, tree, strategies) = context;
    let here = &tree.nodes[node];
    match &here.kind {
        NodeKind::Fold(payoff) => {
            // The payoff of a fold is player 0's.
            let sign = if best == 0 { 1.0 } else { -1.0 };
            sign * payoff * reach.iter().sum::<f32>()
        }
        NodeKind::Showdown { .. } => {
            let left = |seat: Seat, hand: usize| {
                let played = public.played[seat].minus(endgame.public.played[seat]);
                endgame.hands[seat][hand].minus(played).highest()
            };
            assert!(public.in_challenge());
            reach
                .iter()
                .enumerate()
                .filter(|(_, reach)| **reach > 0.0)
                .map(|(hand, reach)| {
                    let won = match left(best, own).cmp(&left(1 - best, hand)) {
                        Ordering::Less => -1,
                        Ordering::Equal => 0,
                        Ordering::Greater => 1,
                    };
                    let ahead = public.ahead(best) + won;
                    reach * 0.5 * f32::from(ahead.signum())
                })
                .sum()
        }
        NodeKind::Decision { seat, edges } => {
            let values = edges.iter().enumerate().filter_map(|(number, edge)| {
                let below = public.after(edge.decision);
                if *seat == best {
                    let place = here.hands[best]
                        .iter()
                        .position(|&h| usize::from(h) == own)?;
                    // `None` leaves out decisions that the hand does not allow.
                    edge.hands.iter().find(|&&h| usize::from(h) == place)?;
                    return Some(alone(context, below, edge.child, best, own, reach));
                }
                let strategy = strategies(node);
                let mut next = vec![0.0; reach.len()];
                // The other player's decision says something about its hand: each one's weight is multiplied by the
                // probability.
                for &place in &edge.hands {
                    let hand = usize::from(here.hands[*seat][usize::from(place)]);
                    let probability = strategy[usize::from(place) * edges.len() + number];
                    next[hand] = reach[hand] * probability;
                }
                Some(alone(context, below, edge.child, best, own, &next))
            });
            if *seat == best {
                values.fold(f32::MIN, f32::max)
            } else {
                values.sum()
            }
        }
    }
}

/// The same endgame in the form of the solver that plays.
fn compact(endgame: &Endgame, deck: Cards, size: usize) -> endgame::Endgame {
    let dealt = |&hand: &Cards| {
        let orders = hand
            .ranks()
            .map(|card| -> f64 { (1..=hand.count(card)).map(f64::from).product() });
        (1.0 / orders.product::<f64>()) as f32
    };
    let sets = Multisets::new(size);
    let reach: Vec<f32> = sets.all().iter().map(dealt).collect();
    endgame::Endgame {
        public: endgame.public,
        stakes: endgame.stakes,
        left: deck,
        reach: [reach.clone(), reach],
    }
}

/// The average strategy of the solver that plays, at every node of a tree.
fn strategies(endgame: &Endgame, tree: &Tree, solver: &endgame::Solver) -> Vec<Vec<f32>> {
    fn visit(
        at: (usize, PublicState),
        log: &mut Vec<Decision>,
        (endgame, tree, solver): (&Endgame, &Tree, &endgame::Solver),
        all: &mut [Vec<f32>],
    ) {
        let (node, public) = at;
        let here = &tree.nodes[node];
        let NodeKind::Decision { seat, edges } = &here.kind else {
            return;
        };
        // The solver names hands by the cards still held, without those played or lying on the table.
        let on_table = public.table.filter(|_| public.lead == *seat);
        let shown = on_table.into_iter().fold(public.played[*seat], Cards::with);
        for &hand in &here.hands[*seat] {
            let own = endgame.hands[*seat][usize::from(hand)].minus(shown);
            let chosen = solver.strategy(log, own).unwrap();
            let sum: f32 = chosen.iter().map(|entry| entry.1).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{log:?} {own}: {chosen:?}");
            let probability = |edge: &Edge| {
                let same = chosen.iter().filter(|entry| entry.0 == edge.decision);
                same.map(|entry| entry.1).sum::<f32>()
            };
            all[node].extend(edges.iter().map(probability));
        }
        for edge in edges {
            log.push(edge.decision);
            let below = (edge.child, public.after(edge.decision));
            visit(below, log, (endgame, tree, solver), all);
            log.pop();
        }
    }
    let mut all = vec![Vec::new(); tree.nodes.len()];
    let root = (0, endgame.public);
    visit(root, &mut Vec::new(), (endgame, tree, solver), &mut all);
    all
}

/// Compares the solver that plays with the tree. Its strategies are read decision by decision, and best responses
/// on the tree must gain as much against them as the solver states.
fn agrees(mut endgame: Endgame, deck: Cards, size: usize, iterations: u32) {
    for (tricks, challenge, opener, lead) in [
        ([0, 0], Challenge::None, 0, 0),
        ([1, 0], Challenge::None, 0, 0),
        ([1, 0], Challenge::None, 1, 1),
        ([0, 2], Challenge::None, 0, 1),
        ([0, 0], Challenge::Accepted(1), 0, 1),
        ([1, 0], Challenge::Accepted(0), 1, 0),
    ] {
        endgame.public = PublicState {
            tricks,
            challenge,
            opener,
            lead,
            ..endgame.public
        };
        let tree = endgame.tree();
        let same = compact(&endgame, deck, size);
        let Some(mut solver) = endgame::Solver::new(&same) else {
            assert_eq!(size, 1);
            continue;
        };
        for _ in 0..iterations {
            solver.step();
        }
        let all = strategies(&endgame, &tree, &solver);
        let best = [0, 1].map(|seat| best_value_against(&tree, seat, &|node| all[node].clone()));
        let lost = f64::from(best[0] + best[1]) / 2.0;
        let said = solver.exploitability();
        assert!(
            (lost - said).abs() < 2e-5,
            "{tricks:?} {challenge:?} {lead}: {lost} {said}"
        );
        assert!(lost < 2e-3, "{lost}");
    }
}

#[test]
fn one_card_agrees_with_the_tree() {
    let deck = cards(&[1, 1, 2, 2, 2, 3, 3, 7, 8, 8, 13]);
    agrees(endgame(deck, 1), deck, 1, 300);
}

#[test]
fn two_cards_agree_with_the_tree() {
    let deck = cards(&[1, 1, 2, 2, 2, 5, 5, 13, 13]);
    agrees(endgame(deck, 2), deck, 2, 100);
}

#[test]
fn three_cards_agree_with_the_tree() {
    let deck = cards(&[2, 2, 2, 2, 9, 9, 9, 11, 11]);
    agrees(endgame(deck, 3), deck, 3, 40);
}
