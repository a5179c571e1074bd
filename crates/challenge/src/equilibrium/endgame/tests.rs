use super::*;
use crate::equilibrium::{Public, Stakes, deals};
use crate::rules::testing::{card, cards};
use crate::rules::{Cards, Challenge, Decision, Seat};
use std::cmp::Ordering;

/// Kuhn poker (Kuhn 1950) on the public tree: ante 1, bet 1, three cards. Play(1) checks or folds,
/// Play(2) bets or calls.
fn kuhn() -> Tree {
    let weights = (0..9)
        .map(|i| f32::from(u8::from(i / 3 != i % 3)))
        .collect();
    let mut tree = Tree::new([3, 3], weights);
    let all = || vec![0, 1, 2];
    let leaf = |tree: &mut Tree, kind: Kind| {
        tree.nodes.push(Node::new(kind, [all(), all()]));
        tree.nodes.len() - 1
    };
    let showdown = |stake: f32| Kind::Showdown {
        payoffs: [-stake, 0.0, stake],
        strengths: [vec![0, 1, 2], vec![0, 1, 2]],
    };
    let root = leaf(&mut tree, Kind::Fold(0.0));
    let decide = |tree: &mut Tree, node: Option<usize>, seat: Seat, children: [usize; 2]| {
        let edges = [1, 2]
            .into_iter()
            .zip(children)
            .map(|(rank, child)| Edge {
                decision: Decision::Play(card(rank)),
                child,
                hands: all(),
            })
            .collect();
        let at = tree.size;
        tree.size += 6;
        let kind = Kind::Decision { seat, edges, at };
        match node {
            Some(node) => {
                tree.nodes[node] = Node::new(kind, [all(), all()]);
                node
            }
            None => leaf(tree, kind),
        }
    };
    let folds = [-1.0, 1.0].map(|payoff| leaf(&mut tree, Kind::Fold(payoff)));
    let called = [0; 2].map(|_| leaf(&mut tree, showdown(2.0)));
    let checked = leaf(&mut tree, showdown(1.0));
    let facing = decide(&mut tree, None, 0, [folds[0], called[0]]);
    let after_check = decide(&mut tree, None, 1, [checked, facing]);
    let after_bet = decide(&mut tree, None, 1, [folds[1], called[1]]);
    decide(&mut tree, Some(root), 0, [after_check, after_bet]);
    tree
}

#[test]
fn kuhn_poker_has_its_value() {
    let mut solver = Solver::new(kuhn());
    for _ in 0..2000 {
        solver.step();
    }
    let gap = gap(&solver);
    assert!(gap.exploitability() < 1e-3, "{gap:?}");
    assert!((gap.best[0] + 1.0 / 18.0).abs() < 2e-3, "{gap:?}");
}

const STAKES: Stakes = Stakes {
    won: 0.56,
    lost: 0.44,
    tied: 0.5,
};

/// Two cards each out of a deck of a few ranks, by whom the first trick of the two is led.
fn endgame(deck: Cards, size: usize, plays: Plays) -> Endgame {
    let mut public = Public::new(0);
    public.total = 5 - size as u8;
    let hands: Vec<Cards> = crate::equilibrium::Multisets::new(size)
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
        plays,
    }
}

/// Weights of pairs against counting all deals of a deck given as a list.
#[test]
fn card_removal_is_exact() {
    let list = [1, 1, 2, 2, 2, 3];
    let endgame = endgame(cards(&list), 2, Plays::All);
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

#[test]
fn small_endgames_are_solved_and_strategies_are_distributions() {
    let mut solver = Solver::new(endgame(cards(&[1, 1, 2, 2, 2, 3, 3]), 2, Plays::All).tree());
    let before = gap(&solver).exploitability();
    for _ in 0..500 {
        solver.step();
    }
    let after = gap(&solver).exploitability();
    assert!(after < 1e-4 && after < before / 100.0, "{before} {after}");
    for (number, node) in solver.tree().nodes.iter().enumerate() {
        if let Kind::Decision { seat, edges, .. } = &node.kind {
            let shares = solver.average(number);
            assert_eq!(shares.len(), edges.len() * node.alive[*seat].len());
            for row in shares.chunks(edges.len()) {
                assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            }
        }
    }
}

/// The value is the same when only sensible cards are followed with.
#[test]
fn sensible_plays_lose_nothing() {
    let deck = cards(&[1, 1, 2, 3, 3, 4, 5, 5]);
    let value = |plays| {
        let mut solver = Solver::new(endgame(deck, 2, plays).tree());
        for _ in 0..400 {
            solver.step();
        }
        gap(&solver).best[0]
    };
    let (all, sensible) = (value(Plays::All), value(Plays::Sensible));
    assert!((all - sensible).abs() < 2e-4, "{all} {sensible}");
}

/// The best response by vectors against one by recursion over each own hand alone.
#[test]
fn best_responses_agree_with_enumeration() {
    let endgame = endgame(cards(&[1, 2, 2, 3, 3]), 2, Plays::All);
    let mut solver = Solver::new(endgame.tree());
    for _ in 0..3 {
        solver.step();
    }
    for seat in 0..2 {
        let tree = solver.tree();
        let total: f32 = (0..tree.hands(seat))
            .map(|own| {
                let reach = tree.row(seat, own as u16).to_vec();
                alone(&endgame, &solver, endgame.public, 0, seat, own, &reach)
            })
            .sum();
        assert!((total - gap(&solver).best[seat]).abs() < 1e-5);
    }
}

/// The best an own hand can do, the other's hands weighted by `reach` (by number at the root).
fn alone(
    endgame: &Endgame,
    solver: &Solver,
    public: Public,
    node: usize,
    best: Seat,
    own: usize,
    reach: &[f32],
) -> f32 {
    let here = &solver.tree().nodes[node];
    match &here.kind {
        Kind::Fold(payoff) => {
            let sign = if best == 0 { 1.0 } else { -1.0 };
            sign * payoff * reach.iter().sum::<f32>()
        }
        Kind::Showdown { .. } => {
            let left = |seat: Seat, hand: usize| {
                let played = public.played[seat].minus(endgame.public.played[seat]);
                endgame.hands[seat][hand].minus(played).highest()
            };
            assert!(matches!(public.challenge, Challenge::Accepted(_)));
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
        Kind::Decision { seat, edges, .. } => {
            let values = edges.iter().enumerate().filter_map(|(number, edge)| {
                let below = public.after(edge.decision);
                if *seat == best {
                    let place = here.alive[best]
                        .iter()
                        .position(|&h| usize::from(h) == own)?;
                    edge.hands.iter().find(|&&h| usize::from(h) == place)?;
                    return Some(alone(endgame, solver, below, edge.child, best, own, reach));
                }
                let shares = solver.average(node);
                let mut next = vec![0.0; reach.len()];
                for &place in &edge.hands {
                    let hand = usize::from(here.alive[*seat][usize::from(place)]);
                    let share = shares[usize::from(place) * edges.len() + number];
                    next[hand] = reach[hand] * share;
                }
                Some(alone(endgame, solver, below, edge.child, best, own, &next))
            });
            if *seat == best {
                values.fold(f32::MIN, f32::max)
            } else {
                values.sum()
            }
        }
    }
}

/// With a gadget the other's hands get no more than the promises, which here are what they have at
/// equilibrium with every hand.
#[test]
fn gadgets_keep_promises() {
    let endgame = endgame(cards(&[1, 2, 2, 3, 3, 4]), 2, Plays::All);
    let mut whole = Solver::new(endgame.tree());
    for _ in 0..800 {
        whole.step();
    }
    let promises = best_response(whole.tree(), &whole, 1);
    // A wrong belief: the other holds mostly its first hands.
    let mut wrong = endgame.clone();
    let width = wrong.hands[1].len();
    for (place, weight) in wrong.weights.iter_mut().enumerate() {
        *weight *= if place % width < width / 2 { 1.0 } else { 0.05 };
    }
    let tree = wrong.tree();
    let scale = |tree: &Tree| tree.marginal(1);
    let (before, after) = (scale(whole.tree()), scale(&tree));
    let scaled: Vec<f32> = promises
        .iter()
        .zip(before.iter().zip(&after))
        .map(|(promise, (before, after))| promise * after / before)
        .collect();
    let excess = |solver: &Solver| -> f32 {
        let values = best_response(solver.tree(), solver, 1);
        let over = values.iter().zip(&scaled).zip(&after);
        over.map(|((value, promise), weight)| (value - promise) / weight)
            .fold(f32::MIN, f32::max)
    };
    let mut trusting = Solver::new(tree.clone());
    let guard = |safety| Guard::new(safety, 1, after.clone(), scaled.clone());
    let mut safe = [Safety::Resolving, Safety::MaxMargin]
        .map(|safety| Solver::guarded(tree.clone(), guard(safety)));
    for _ in 0..3000 {
        trusting.step();
        safe.iter_mut().for_each(Solver::step);
    }
    let trusted = excess(&trusting);
    for solver in &safe {
        let kept = excess(solver);
        assert!(
            kept < 2e-3 && kept < trusted / 2.0,
            "{kept} against {trusted}"
        );
    }
}
