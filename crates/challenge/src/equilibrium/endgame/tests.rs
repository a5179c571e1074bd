//! The endgame solver: it comes near equilibrium, agrees with properties that follow from the theory, and answers
//! every decision.

use super::*;
use crate::deals::orders;
use crate::equilibrium::Multisets;
use crate::rules::{Card, Challenge, PACKS};
use proptest::prelude::*;

const STAKES: Stakes = Stakes {
    won: 0.5196,
    lost: 0.4804,
    tied: 0.5,
};

/// The weights of all hands of `size` cards: the number of ways to draw the hand (up to a common factor) times
/// `weight`.
fn range(size: usize, weight: impl Fn(usize) -> f32) -> Vec<f32> {
    let hands = Multisets::new(size);
    let of = |(place, hand): (usize, &Cards)| weight(place) / orders(*hand) as f32;
    hands.all().iter().enumerate().map(of).collect()
}

/// An endgame in which both players have `size` cards and may hold any.
fn endgame(size: usize) -> Endgame {
    let mut public = PublicState::new(0);
    public.total_tricks = 5 - size as u8;
    Endgame {
        public,
        stakes: STAKES,
        left: PACKS,
        reach: [range(size, |_| 1.0), range(size, |_| 1.0)],
    }
}

fn solved(endgame: &Endgame, iterations: u32) -> Solver {
    let mut solver = Solver::new(endgame).unwrap();
    for _ in 0..iterations {
        solver.step();
    }
    solver
}

fn points(solver: &mut Solver) -> f64 {
    solver.exploitability() / f64::from(STAKES.point())
}

fn card(rank: u8) -> Card {
    Card::new(rank).unwrap()
}

#[test]
fn whole_decks_are_solved() {
    for (size, iterations, most) in [(1, 400, 0.001), (2, 250, 0.001), (3, 45, 0.1)] {
        let mut solver = solved(&endgame(size), iterations);
        let lost = points(&mut solver);
        assert!((0.0..most).contains(&lost), "{size}: {lost}");
        assert_eq!(solver.iterations(), iterations);
    }
}

/// In equilibrium, a player that sometimes bluffs is indifferent. This holds in the last trick at a tied score: the
/// loser bluffs so often that calling is no better than giving up, and is called so often that bluffing is no
/// better than playing on. The test allows two hundredths of error.
#[test]
fn calls_make_a_bluff_indifferent() {
    let solver = solved(&endgame(1), 3000);
    let [won, lost] = [STAKES.won - STAKES.tied, STAKES.lost - STAKES.tied];
    // A bluff that is not called turns a lost point into a won one; a called one loses the game.
    let bluffed = 1.0 - STAKES.tied;
    let indifferent = f64::from((won - lost) / (bluffed + won));
    let mut bluffs = 0;
    for rank in 2..=12 {
        let play = Decision::Play(card(rank));
        let lead = solver.strategy(&[], Cards::EMPTY.with(card(rank))).unwrap();
        let played: f32 = lead.iter().filter(|e| e.0 == play).map(|e| e.1).sum();
        let loser = Cards::EMPTY.with(card(1));
        let chosen = solver.strategy(&[play], loser).unwrap();
        let bluff = f64::from(chosen[0].1);
        assert_eq!(chosen[0].0, Decision::Offer);
        if played < 0.5 || !(0.01..0.99).contains(&bluff) {
            continue;
        }
        bluffs += 1;
        let answer = solver
            .strategy(&[play, Decision::Offer], Cards::EMPTY)
            .unwrap();
        let accepted = f64::from(answer[0].1);
        assert!(
            (accepted - indifferent).abs() < 0.02,
            "{rank}: {accepted} {indifferent}"
        );
        let winners = 8.0 * f64::from(13 - rank);
        let ties = 7.0;
        let losers = 8.0 * f64::from(rank - 1);
        let called = losers * bluff * f64::from(bluffed) - winners * f64::from(bluffed);
        let rejected = f64::from(lost) * (losers * bluff + winners + ties);
        let scale = (losers + winners) * f64::from(bluffed);
        assert!(
            (called - rejected).abs() < 0.02 * scale,
            "{rank}: {called} {rejected}"
        );
    }
    assert!(bluffs > 3, "{bluffs}");
}

/// There is nothing to solve in a settled hand, in the last trick of an accepted challenge, or with a card on the
/// table.
#[test]
fn what_is_certain_is_not_solved() {
    let mut settled = endgame(2);
    settled.public.tricks = [3, 0];
    assert!(Solver::new(&settled).is_none());
    let mut challenged = endgame(1);
    challenged.public.challenge = Challenge::Accepted(0);
    assert!(Solver::new(&challenged).is_none());
    let mut waiting = endgame(2);
    waiting.public.table = Some(card(5));
    assert!(Solver::new(&waiting).is_none());
}

/// Asks for the strategy at every decision along one line of play, drawn by `choices`.
fn answers(solver: &Solver, endgame: &Endgame, hands: [Cards; 2], choices: &[usize]) {
    let (mut public, mut hands, mut log) = (endgame.public, hands, Vec::new());
    for &choice in choices {
        if public.is_decided() {
            return;
        }
        let seat = public.to_act();
        let chosen = solver.strategy(&log, hands[seat]).unwrap();
        let sum: f32 = chosen.iter().map(|entry| entry.1).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{log:?} {chosen:?}");
        assert!(chosen.iter().all(|entry| entry.1 >= 0.0));
        let (decision, _) = chosen[choice % chosen.len()];
        if let Decision::Play(card) = decision {
            assert!(hands[seat].remove(card), "{log:?} {card}");
        }
        public = public.after(decision);
        log.push(decision);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// For any ranges: payoffs sum to 0, a best response wins at least as much as the strategy, more iterations
    /// leave it less to win, and strategies are distributions over cards that are held.
    #[test]
    fn any_ranges_are_solved(
        seed in 0u64..1 << 40, size in 1usize..=2, ahead in -1i8..=1, opener in 0usize..2, lead in 0usize..2,
        accepted in any::<bool>(), choices in prop::collection::vec(0usize..12, 12),
    ) {
        let mut endgame = endgame(size);
        endgame.public.tricks = [u8::from(ahead > 0), u8::from(ahead < 0)];
        endgame.public.opener = opener;
        endgame.public.lead = lead;
        if accepted && size > 1 {
            endgame.public.challenge = Challenge::Accepted(0);
        }
        let weight = |place: usize| {
            let mixed = (seed + place as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
            if mixed.is_multiple_of(3) { 0.0 } else { (mixed % 1000) as f32 / 1000.0 }
        };
        endgame.reach = [range(size, weight), range(size, |place| weight(place + 500))];
        let mut solver = Solver::new(&endgame).unwrap();
        let before = solver.exploitability();
        for _ in 0..60 {
            solver.step();
        }
        let both = [0, 1].map(|seat| solver.value(seat, Pass::Average));
        prop_assert!((both[0] + both[1]).abs() < 1e-6, "{:?}", both);
        let best = [0, 1].map(|seat| solver.value(seat, Pass::Respond));
        prop_assert!(best[0] >= both[0] - 1e-6 && best[1] >= both[1] - 1e-6);
        let after = solver.exploitability();
        prop_assert!(after >= -1e-6 && after <= before + 1e-6 && after < 0.002, "{} {}", before, after);
        let hands = Multisets::new(size);
        let held = [seed as usize, seed as usize / 7].map(|n| hands.all()[n % hands.all().len()]);
        answers(&solver, &endgame, held, &choices);
    }
}

/// With three cards every kind of decision is answered.
#[test]
fn three_cards_answer_everything() {
    let endgame = endgame(3);
    let solver = solved(&endgame, 1);
    let hands = Multisets::new(3);
    for round in 0..300usize {
        let held = [round * 31, round * 57 + 3].map(|n| hands.all()[n % hands.all().len()]);
        let choices: Vec<usize> = (0..12)
            .map(|step| (round / 3usize.pow(step % 6)) + step as usize)
            .collect();
        answers(&solver, &endgame, held, &choices);
    }
}
