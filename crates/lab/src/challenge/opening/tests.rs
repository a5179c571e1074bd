//! The opening, that is the first two tricks of a hand: its laws and its training, on one hand game.

use super::OpeningCheck;
use super::place::Place;
use super::sets::{Sets, card, dealt};
use super::training::{HandGame, OpeningSettings, OpeningTrainer};
use super::tree::Tree;
use super::values::{EndgameValues, endgame, solved};
use challenge::equilibrium::Stakes;
use challenge::equilibrium::blueprint::{Blueprint, Opened, Strategy};
use challenge::rules::{self, Cards, Decision, PublicState};
use engine::rng::{stream, unit};
use std::sync::{Arc, OnceLock};

/// The ranks of the cards that are dealt.
const RANKS: [u8; 5] = [2, 5, 7, 9, 12];

struct Shared {
    blueprint: Blueprint,
    stakes: Stakes,
    /// With hands of five ranks alone: a fiftieth of the ways to play two tricks, and of the memory.
    game: Arc<HandGame>,
}

/// The hand game of all tests.
fn shared() -> &'static Shared {
    static SHARED: OnceLock<Shared> = OnceLock::new();
    SHARED.get_or_init(|| {
        let blueprint = Blueprint::embedded();
        let stakes = blueprint.values().stakes(0, 0);
        let is_dealt = |hand: Cards| hand.ranks().all(|card| RANKS.contains(&card.rank()));
        let game = HandGame::dealing(blueprint.strategy(&stakes), stakes, is_dealt);
        Shared {
            blueprint,
            stakes,
            game: Arc::new(game),
        }
    })
}

impl Shared {
    fn strategy(&self) -> &Strategy {
        self.blueprint.strategy(&self.stakes)
    }
}

fn hand(ranks: &[usize]) -> Cards {
    ranks.iter().map(|&rank| card(rank - 1)).collect()
}

/// The ways to draw the cards played, times the ways to draw those kept, are the ways to draw the whole hand.
#[test]
fn ways_are_those_of_the_whole_hand() {
    let sets = Sets::new();
    let first = Place::first();
    let after = first.after(3, 9);
    assert_eq!((after.lead, after.ahead, after.cards), (1, -1, 4));
    let tied = after.after(5, 5);
    assert_eq!((tied.lead, tied.ahead, tied.cards), (1, -1, 3));
    let (all, kept) = (sets.ways(&first.left, 5), sets.ways(&tied.left, 3));
    let rest = hand(&[4, 6, 8]);
    let left: f64 = tied.left.iter().sum();
    assert_eq!(left, 100.0);
    // The ways to draw these cards one after the other, of whichever player they are.
    let ways = |cards: &[usize]| -> f64 {
        let mut left = first.left;
        cards
            .iter()
            .map(|&rank| {
                left[rank] -= 1.0;
                left[rank] + 1.0
            })
            .product()
    };
    let whole = ways(&[3, 9, 5, 5, 3, 5, 7]);
    assert_eq!(tied.ways * f64::from(kept[Sets::number(rest)]), whole);
    let five = hand(&[4, 6, 6, 6, 8]);
    assert_eq!(f64::from(all[Sets::number(five)]), ways(&[3, 5, 5, 5, 7]));
    assert_eq!(dealt(five), 1.0 / 6.0);
}

/// In an accepted challenge one player wins exactly as much as the other loses, and the highest cards always win.
#[test]
fn challenges_sum_to_nothing() {
    let Shared { game, stakes, .. } = shared();
    let mut rng = stream(8, 0);
    // Random ranges; half of the hands that can be dealt are left out.
    let mut reach = |cards: usize| -> Vec<f32> {
        let all = game.sets.all(cards).iter();
        all.map(
            |hand| match hand.ranks().all(|card| RANKS.contains(&card.rank())) {
                true => (unit(&mut rng) as f32 - 0.5).max(0.0),
                false => 0.0,
            },
        )
        .collect()
    };
    let sum = |one: &[f32], two: &[f32]| -> f64 {
        one.iter().zip(two).map(|(a, b)| f64::from(a * b)).sum()
    };
    for (cards, leader, ahead) in [(4, 1, -1), (4, 0, 1), (5, 0, 0)] {
        let at = (cards, leader, ahead);
        let (own, kept, theirs) = (reach(cards), reach(cards - 1), reach(cards));
        // The leader's sum and the follower's, before a lead and after one.
        let both = [
            sum(&own, &game.accepted.lead(at, true, &theirs)),
            sum(&theirs, &game.accepted.lead(at, false, &own)),
            sum(&kept, &game.accepted.follow(at, 6, true, &theirs)),
            sum(&theirs, &game.accepted.follow(at, 6, false, &kept)),
        ];
        let size = both[0].abs().max(both[2].abs());
        assert!(
            size > 0.0 && (both[0] + both[1]).abs() < 1e-3 * size,
            "{at:?} {both:?}"
        );
        assert!((both[2] + both[3]).abs() < 1e-3 * size, "{at:?} {both:?}");
    }
    // The highest cards win every trick, and so the game, against the other's only possible hand.
    let mut theirs = vec![0.0; game.sets.count(5)];
    theirs[Sets::number(hand(&[2, 2, 2, 5, 5]))] = 1.0;
    let won = game.accepted.lead((5, 0, 0), true, &theirs);
    let best = won[Sets::number(hand(&[9, 9, 12, 12, 12]))];
    assert!((best - (1.0 - stakes.tied)).abs() < 1e-5, "{best}");
}

/// The value function approaches its examples, and both players' values by it sum to 0.
#[test]
fn values_learn_what_is_found() {
    let Shared {
        game,
        stakes,
        blueprint,
        ..
    } = shared();
    let strategy = blueprint.strategy(stakes);
    let tree = Tree::of(&game.sets, &|public, own| {
        strategy.distribution(public, own)
    });
    let plays = [4, 8, 11, 1];
    let reach = tree.ranges(&game.sets, &plays, [0.01; 2]);
    let mut values = EndgameValues::new(stakes);
    let found = game.strengths(&plays, &reach);
    let solver = solved(&endgame(&plays, stakes, reach), 4).unwrap();
    let payoffs = [0, 1].map(|seat| solver.mean_payoffs(seat));
    let excess = values.excess(&found[0], &found[1]);
    assert!(excess.abs() < 1e-6, "{excess}");
    let error = |values: &EndgameValues| -> f64 {
        let of = |seat: usize| {
            let given = values.balanced(0, &found[seat], Some(&found[1 - seat]));
            let weighed = given.iter().zip(&payoffs[seat]).zip(found[seat].weights());
            weighed
                .map(|((a, b), w)| f64::from((a - b).powi(2) * w))
                .sum::<f64>()
        };
        of(0) + of(1)
    };
    let before = error(&values);
    for _ in 0..50 {
        for (found, payoffs) in found.iter().zip(&payoffs) {
            values.learn(found, payoffs);
        }
    }
    let after = error(&values);
    assert!(after < before / 2.0, "{before} {after}");
    assert!(values.excess(&found[1], &found[0]).abs() < 1e-6);
}

/// A training that was stopped finds the same as one that was not. With other settings a training begins anew.
#[test]
fn a_training_goes_on_where_it_was_stopped() {
    let shared = shared();
    let folder = tempfile::tempdir().unwrap();
    let settings = OpeningSettings {
        first: 0,
        iterations: 2,
        each: 1,
        endgame: 1,
        seed: 5,
    };
    let run = |file: &str, settings| {
        let (path, mut counted) = (folder.path().join(file), 0);
        let trainer = OpeningTrainer::run(
            Arc::clone(&shared.game),
            shared.strategy(),
            settings,
            (&path, 1),
            |count| counted += count,
        );
        assert_eq!(counted, settings.first + settings.iterations);
        trainer.unwrap().tree
    };
    let whole = run("one", settings);
    // The checkpoint after the first iteration is still there.
    assert!(run("one", settings) == whole);
    // Without an iteration there are no averages: those of the checkpoint would be seen.
    let other = OpeningSettings {
        seed: 6,
        iterations: 0,
        ..settings
    };
    assert!(run("one", other) == run("two", other) && run("two", other) != whole);
}

/// With more iterations there is less to win from an opening, and a stored opening plays as the one that was trained.
#[test]
fn openings_come_nearer_to_equilibrium() {
    let shared = shared();
    let settings = OpeningSettings {
        first: 2,
        iterations: 3,
        each: 1,
        endgame: 3,
        seed: 3,
    };
    let mut counted = 0;
    let game = Arc::clone(&shared.game);
    let mut trainer =
        OpeningTrainer::of(game, shared.strategy(), settings, |count| counted += count);
    assert_eq!(counted, 2);
    trainer.step();
    let first = trainer.exploitability();
    (1..settings.iterations).for_each(|_| trainer.step());
    let last = trainer.exploitability();
    assert!(
        first.is_finite() && last < 0.7 * first && last > -0.5,
        "{first} {last}"
    );
    let opening = trainer.opening();
    let opened = Opened {
        opening: Some(&opening),
        strategy: shared.strategy(),
    };
    let game = Arc::clone(&shared.game);
    // A separate check of the opening must find about the same loss.
    let mut check = OpeningCheck::of(game, opened, (2, [10, 3]), 3, |_| ());
    let best = [0, 1].map(|seat| check.best(seat) / f64::from(shared.stakes.point()));
    assert!(
        ((best[0] + best[1]) / 2.0 - last).abs() < 0.6,
        "{best:?} {last}"
    );
}

/// In the second trick a hand's weights are compared with its reach at the deal: 1/120 for five equal cards, though the
/// four that are left would have 1/24.
#[test]
fn a_hand_is_stored_by_its_reach_at_the_deal() {
    let sets = &shared().game.sets;
    let (five, left) = (4, hand(&[5, 5, 5, 5]));
    let mut tree = Tree::new(sets);
    let mut plays = [0.0; rules::RANKS];
    plays[five] = 1.0;
    let second = &mut tree.second[five * rules::RANKS + five];
    second.lead.set_average(sets, left, &plays, 0.0);
    let played = Decision::Play(card(five));
    let public = PublicState::new(0).after(played).after(played);
    for (least, is_stored) in [(110.0, true), (130.0, false)] {
        let opening = tree.opening(sets, least);
        let stored = opening.distribution(&public, left);
        assert_eq!(stored.is_some(), is_stored, "{least}: {stored:?}");
    }
}

/// A check samples the same for equal seeds.
#[test]
fn what_a_response_wins_more_is_sampled() {
    let shared = shared();
    let opened = Opened {
        opening: None,
        strategy: shared.strategy(),
    };
    let game = Arc::clone(&shared.game);
    let mut check = OpeningCheck::of(game, opened, (2, [10, 3]), 3, |_| ());
    assert!(check.best(1).is_finite());
    let more = (0..3).map(|n| check.more(1, &mut stream(4, n)));
    let more: Vec<f64> = more.collect();
    assert!(more.iter().all(|more| more.is_finite()), "{more:?}");
    let again = (0..3).map(|n| check.more(1, &mut stream(4, n)));
    assert!(again.eq(more));
}
