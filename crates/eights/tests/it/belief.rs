//! Beliefs against exact enumeration.

use eights::deal;
use eights::player::Baseline;
use eights::rules::{Round, SEATS};
use engine::budget::{Budget, Limits};
use engine::rng::{Random, stream};
use std::collections::HashMap;
use tricks::belief::{Evidence, PlayerBelief, TYPES, Worlds};
use tricks::{
    Agent, Card, Cards, Hands, MAX_PLAYERS, Method, Player, Policy, PolicySet as _, Round as _,
    View, best_card,
};

/// Plays a round in which all seats follow a policy, until each holds this many cards. Returns it with the view of
/// a seat.
fn played(
    policy: impl Policy<Round>,
    seat: usize,
    cards: usize,
    rng: &mut Random,
) -> (Round, View<Round>) {
    let mut round = deal::deal(1, rng);
    let mut view = View::new(&round, seat);
    while round.taking() || round.hand(0).len() > cards || !round.trick().is_empty() {
        let card = policy.choose(&round, round.legal(), rng);
        round.act(card);
        view.act(card);
    }
    (round, view)
}

/// All deals of the unseen cards to the three others that fit what the seat has seen.
fn deals(view: &View<Round>, cards: usize) -> Vec<Hands> {
    let unseen: Vec<_> = view.seen().unseen().into_iter().collect();
    let others: Vec<usize> = (0..SEATS).filter(|&seat| seat != view.seat()).collect();
    let mut deals = vec![Hands::default()];
    for card in unseen {
        let extended = deals.iter().flat_map(|hands| {
            others.iter().filter_map(move |&player| {
                let mut hands = *hands;
                hands[player].insert(card);
                let fits = view.seen().may_hold(player).contains(card);
                (fits && hands[player].len() <= cards).then_some(hands)
            })
        });
        deals = extended.collect();
    }
    deals
}

#[test]
fn worlds_are_drawn_as_often_as_they_are_likely() {
    let mut uneven = 0;
    for seed in 0..6 {
        let mut rng = stream(seed, 3);
        let seat = seed as usize % SEATS;
        let (_, view) = played(Baseline::Counter, seat, 2, &mut rng);
        let beliefs = std::array::from_fn(|_| PlayerBelief::first::<Baseline>(Baseline::network()));
        let evidence = Evidence::new(&view, &beliefs, Baseline::network());
        let others = (0..SEATS).filter(|&player| player != seat);
        let likelihood = |hands: &Hands| -> f64 {
            let total = |player: usize| {
                let likelihoods = evidence.likelihoods::<Baseline>(player, hands[player]);
                let total = evidence.total(player, &likelihoods);
                total.powf(beliefs[player].trust())
            };
            others.clone().map(total).product()
        };
        let exact: Vec<(Hands, f64)> = deals(&view, 2)
            .into_iter()
            .map(|hands| (hands, likelihood(&hands)))
            .collect();
        let sum: f64 = exact.iter().map(|entry| entry.1).sum();
        let mut counts: HashMap<Vec<Cards>, f64> = HashMap::new();
        let (sets, each) = (80, 256);
        let draws = sets * each;
        let budget = Budget::start(Limits::default());
        // The budget for weighing is a share of the nodes spent so far. This makes it large enough for all deals.
        budget.spend(1 << 40);
        let weighed = |rng: &mut Random| {
            Worlds::<Baseline>::new(&view, &beliefs, Baseline::network(), &budget, rng).unwrap()
        };
        let mut worlds = weighed(&mut rng);
        for draw in 0..draws {
            if draw % each == 0 {
                worlds = weighed(&mut rng);
            }
            let world = worlds.draw(&mut rng).round;
            let hands = others.clone().map(|player| world.hand(player)).collect();
            *counts.entry(hands).or_default() += 1.0 / f64::from(draws);
        }
        let mut distance = 0.0;
        for (hands, weight) in &exact {
            let key: Vec<Cards> = others.clone().map(|player| hands[player]).collect();
            let drawn = counts.remove(&key).unwrap_or(0.0);
            distance += (drawn - weight / sum).abs() / 2.0;
            uneven += usize::from(weight / sum > 1.5 / exact.len() as f64);
        }
        assert!(counts.is_empty(), "impossible worlds: {counts:?}");
        assert!(distance < 0.05, "seed {seed}: total variation {distance}");
    }
    assert!(uneven > 0, "nothing could be inferred");
}

/// Late in a round few hands are possible, and each is played out in every way that its player's choices leave open.
#[test]
fn a_hand_is_played_in_more_than_one_way() {
    let mut rng = stream(1, 6);
    let (_, view) = played(Baseline::Counter, 0, 6, &mut rng);
    let beliefs = std::array::from_fn(|_| PlayerBelief::first::<Baseline>(Baseline::network()));
    let budget = Budget::start(Limits::default());
    let network = Baseline::network();
    let mut worlds = Worlds::<Baseline>::new(&view, &beliefs, network, &budget, &mut rng).unwrap();
    let mut ways: HashMap<(usize, Cards), HashMap<String, u32>> = HashMap::new();
    for _ in 0..1000 {
        let world = worlds.draw(&mut rng);
        for player in (0..SEATS).filter(|&player| player != view.seat()) {
            let hand = ways.entry((player, world.round.hand(player))).or_default();
            *hand.entry(world.types[player].to_string()).or_default() += 1;
        }
    }
    for (hand, ways) in ways {
        let times: u32 = ways.values().sum();
        assert!(times < 100 || ways.len() > 1, "{hand:?}: {ways:?}");
    }
}

#[test]
fn what_a_player_plays_by_is_learnt() {
    for (policy, number) in [
        (Baseline::High, 0),
        (Baseline::Counter, 3),
        (Baseline::Random, TYPES - 1),
    ] {
        let mut belief = PlayerBelief::first::<Baseline>(Baseline::network());
        for seed in 0..16 {
            let (_, view) = played(policy, 0, 0, &mut stream(seed, 4));
            let beliefs: [_; MAX_PLAYERS] = std::array::from_fn(|_| belief.clone());
            let evidence = Evidence::new(&view, &beliefs, Baseline::network());
            let likelihoods = evidence.likelihoods::<Baseline>(1, Cards::EMPTY);
            belief.types.learn(&likelihoods);
        }
        let weights = belief.types.get();
        // A type that plays 80 % random cards is hard to distinguish from chance.
        let least = if number + 1 == TYPES { 0.6 } else { 0.75 };
        assert!(weights[number] > least, "{policy:?}: {weights:?}");
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

/// A player's actions make its true hand more likely than other hands.
#[test]
fn the_true_hands_explain_what_was_done() {
    let (mut better, mut worlds) = (0, 0);
    for seed in 0..20 {
        let mut rng = stream(seed, 5);
        let (round, view) = played(Baseline::Counter, 0, 6, &mut rng);
        let beliefs = std::array::from_fn(|_| PlayerBelief::first::<Baseline>(Baseline::network()));
        let evidence = Evidence::new(&view, &beliefs, Baseline::network());
        let total = |hand: Cards| {
            let likelihoods = evidence.likelihoods::<Baseline>(2, hand);
            evidence.total(2, &likelihoods)
        };
        let deals = view.seen().deals().unwrap();
        for _ in 0..20 {
            let other = view.seen().hands(&deals.sample(&mut rng))[2];
            worlds += 1;
            better += usize::from(total(round.hand(2)) >= total(other));
        }
    }
    assert!(better * 20 > worlds * 17, "{better} of {worlds}");
}

/// Trust is higher in a player that plays as a type does than in one that does not.
#[test]
fn how_far_types_explain_a_player_is_learnt() {
    let trust = |policy: Baseline| {
        let limits = engine::budget::Limits::default();
        let agent = tricks::Agent::search(Baseline::Counter, tricks::Method::Inference, limits);
        let mut player = tricks::Player::new(agent);
        for seed in 0..12 {
            let (_, view) = played(policy, 0, 0, &mut stream(seed, 6));
            player.learn(&view);
        }
        player.beliefs()[1].trust()
    };
    let first = PlayerBelief::first::<Baseline>(Baseline::network()).trust();
    let (counter, random) = (trust(Baseline::Counter), trust(Baseline::Random));
    assert!(counter > first + 0.2, "{counter} after {first}");
    assert!(counter > random, "{counter} and {random}");
}

/// A player that no model describes: it plays the lowest legal card, even where others would win the trick or
/// discard a high one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lowest;

impl Policy<Round> for Lowest {
    fn choose(&self, _: &Round, legal: Cards, _: &mut Random) -> Card {
        best_card(legal, |card| -i32::from(card.rank()))
    }
}

/// Habits that no model has are learnt, and the result foretells choices that were not learnt from.
#[test]
fn habits_that_no_model_has_are_learnt() {
    let limits = Limits::default();
    let agent = Agent::search(Baseline::Counter, Method::Inference, limits);
    let mut player = Player::new(agent);
    let foretold = |player: &Player<Baseline>| -> f64 {
        let rounds = (100..110).map(|seed| {
            let (_, view) = played(Lowest, 0, 0, &mut stream(seed, 7));
            let evidence = Evidence::new(&view, player.beliefs(), Baseline::network());
            let likelihoods = evidence.likelihoods::<Baseline>(1, Cards::EMPTY);
            evidence.total(1, &likelihoods).ln()
        });
        rounds.sum::<f64>() / 10.0
    };
    let first = foretold(&player);
    for seed in 0..16 {
        let (_, view) = played(Lowest, 0, 0, &mut stream(seed, 7));
        player.learn(&view);
    }
    let then = foretold(&player);
    assert!(then > first + 2.0, "{then} after {first}");
    // Learning about one player says nothing about another.
    assert_ne!(player.beliefs()[1].habit(), player.beliefs()[2].habit());
    let unknown = PlayerBelief::first::<Baseline>(Baseline::network());
    assert_eq!(player.beliefs()[0], unknown, "the own seat");
}
