//! Tests of the sequential test: its likelihood ratio against the exact one, and the share of wrong
//! decisions in simulated matches.

use super::*;
use engine::rng::{self, Random};

/// A block of two games with the seats exchanged. `scores` has program 0's score in each: 1, 0.5 or 0.
fn pair(scores: [f64; 2]) -> Vec<Outcome> {
    [[0, 1], [1, 0]]
        .into_iter()
        .zip(scores)
        .map(|(seats, score)| Outcome {
            ranks: seats
                .map(|p| if p == 0 { 2.0 - score } else { 1.0 + score })
                .into(),
            seats: seats.into(),
        })
        .collect()
}

fn test(elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
}

#[test]
fn what_is_refused() {
    let parse = |text: &str| text.parse::<Hypotheses>();
    assert_eq!(
        parse("-5, 0.5").unwrap(),
        Hypotheses::new(-5.0, 0.5).unwrap()
    );
    let error = |text: &str| parse(text).unwrap_err().to_string();
    insta::assert_snapshot!(error("5"), @r#""5": expected elo0,elo1: two differences in Elo points, such as 0,10"#);
    insta::assert_snapshot!(error("0,x"), @r#""0,x": expected elo0,elo1: two differences in Elo points, such as 0,10"#);
    insta::assert_snapshot!(error("10,0"), @"elo0 10, elo1 0: expected numbers from -4000 to 4000, the first the smaller");
    insta::assert_snapshot!(error("0,inf"), @"elo0 0, elo1 inf: expected numbers from -4000 to 4000, the first the smaller");
    assert!(parse("NaN,1").is_err());
    let risk = |alpha, beta| Sprt::new(0.0, 1.0, alpha, beta).unwrap_err().to_string();
    insta::assert_snapshot!(risk(0.0, 0.05), @"alpha 0: expected a chance above 0 and below 0.5");
    insta::assert_snapshot!(risk(0.05, f64::NAN), @"beta NaN: expected a chance above 0 and below 0.5");
    let mut sprt = test(0.0, 10.0);
    let alone = Outcome {
        seats: vec![1, 1],
        ranks: vec![1.0, 2.0],
    };
    insta::assert_snapshot!(sprt.push(&[alone], 0).unwrap_err(), @"line-up [1, 1]: expected seats of both programs");
    assert_eq!(sprt, test(0.0, 10.0));
}

#[test]
fn expected_scores() {
    let shape = |own, players| Shape {
        own,
        players,
        games: 1,
    };
    assert_eq!(shape(1, 2).expected(0.0), 0.5);
    assert!((shape(1, 2).expected(400.0) - 10.0 / 11.0).abs() < 1e-12);
    assert!((shape(1, 3).expected(0.0) - 1.0 / 3.0).abs() < 1e-12);
    assert!((shape(2, 4).expected(-400.0) - 1.0 / 11.0).abs() < 1e-12);
}

#[test]
fn the_ratio_of_a_binomial() {
    // If blocks are won or lost as a whole, the ratio is that of a binomial distribution, except for the
    // small weight given to scores that have not occurred.
    let mut sprt = test(0.0, 20.0);
    for block in 0..1000 {
        sprt.push(&pair(if block % 20 < 11 { [1.0; 2] } else { [0.0; 2] }), 0)
            .unwrap();
    }
    let p = 1.0 / (1.0 + 10f64.powf(-20.0 / 400.0));
    let exact = 550.0 * (p / 0.5).ln() + 450.0 * ((1.0 - p) / 0.5).ln();
    assert!(
        (sprt.llr() / exact - 1.0).abs() < 1e-3,
        "{} {exact}",
        sprt.llr()
    );
    // The usual normal approximation comes close to it as well.
    let normal = 1000.0 * (p - 0.5) * (2.0 * 0.55 - p - 0.5) / (2.0 * 0.55 * 0.45);
    assert!(
        (sprt.llr() / normal - 1.0).abs() < 0.02,
        "{} {normal}",
        sprt.llr()
    );
}

/// The order of the blocks changes no bit of the ratio, and exchanging the programs changes its sign.
#[test]
fn order_does_not_matter_and_sides_mirror() {
    let scores = [[1.0, 0.0], [0.5, 1.0], [0.0, 0.0], [1.0, 1.0], [0.5, 0.5]];
    let (mut forth, mut back) = (test(-10.0, 10.0), test(-10.0, 10.0));
    let mut mirrored = test(-10.0, 10.0);
    for i in 0..scores.len() {
        forth.push(&pair(scores[i]), 0).unwrap();
        back.push(&pair(scores[scores.len() - 1 - i]), 0).unwrap();
        mirrored.push(&pair(scores[i]), 1).unwrap();
    }
    assert_eq!(forth, back);
    assert_eq!(forth.llr().to_bits(), back.llr().to_bits());
    assert!((forth.llr() + mirrored.llr()).abs() < 1e-9);
    assert!(forth.llr() > 0.0);
}

#[test]
fn the_state_is_written() {
    let mut sprt = test(0.0, 10.0);
    sprt.push(&pair([1.0, 0.5]), 0).unwrap();
    let state = sprt.state();
    assert_eq!((state.blocks, state.decision), (1, Decision::Undecided));
    assert!((state.upper - 19f64.ln()).abs() < 1e-12 && (state.lower + 19f64.ln()).abs() < 1e-12);
    let json = serde_json::to_value(state).unwrap();
    assert_eq!(json["elo1"], 10.0);
    assert_eq!(json["decision"], "undecided");
}

/// The games of a block. Program 0 has the first `own` seats, and one of them wins with the chance that the
/// difference `elo` gives them. Half the games repeat the luck of the block, which makes the games of a block
/// depend on each other, as equal deals do.
fn play(random: &mut Random, own: usize, players: usize, elo: f64) -> Vec<Outcome> {
    let chance = Shape {
        own,
        players,
        games: 1,
    }
    .expected(elo);
    let luck = rng::unit(random);
    (0..players)
        .map(|rotation| {
            let fresh = rng::unit(random);
            let luck = if rng::unit(random) < 0.5 { luck } else { fresh };
            let winner = if luck < chance { 0 } else { own };
            let place = |seat: usize| {
                let seat = (seat + rotation) % players;
                let program = usize::from(seat >= own);
                let rank = match seat {
                    seat if seat == winner => 1.0,
                    _ => (players as f64 + 2.0) / 2.0,
                };
                (program, rank)
            };
            let (seats, ranks) = (0..players).map(place).unzip();
            Outcome { seats, ranks }
        })
        .collect()
}

/// How many of `runs` tests decide for H1, and after how many blocks a test decides on average.
fn decided(runs: u64, line_ups: &[(usize, usize)], hypotheses: [f64; 2], elo: f64) -> (u64, f64) {
    let (mut ones, mut blocks) = (0, 0);
    for run in 0..runs {
        let mut random = rng::stream(run, elo.to_bits());
        let mut sprt = test(hypotheses[0], hypotheses[1]);
        for &(own, players) in line_ups.iter().cycle() {
            sprt.push(&play(&mut random, own, players, elo), 0).unwrap();
            blocks += 1;
            match sprt.decision() {
                Decision::Undecided => (),
                decision => {
                    ones += u64::from(decision == Decision::H1);
                    break;
                }
            }
        }
    }
    (ones, blocks as f64 / runs as f64)
}

/// With error rates of 5 %, 50 of 1,000 runs may be wrong. The bound is 4.3 standard errors above that, which
/// chance alone exceeds about once in 100,000 times.
#[test]
fn wrong_decisions_are_as_rare_as_asked() {
    let most = 50 + (4.3 * (1000.0 * 0.05 * 0.95f64).sqrt()) as u64;
    for (line_ups, hypotheses) in [
        (&[(1, 2)][..], [0.0, 40.0]),
        (&[(1, 3), (2, 3)], [-30.0, 30.0]),
        (&[(1, 2), (2, 4)], [0.0, 60.0]),
    ] {
        let (wrong1, blocks0) = decided(1000, line_ups, hypotheses, hypotheses[0]);
        let (right1, blocks1) = decided(1000, line_ups, hypotheses, hypotheses[1]);
        let wrong0 = 1000 - right1;
        println!(
            "{line_ups:?} {hypotheses:?}: {wrong1} {wrong0} wrong, {blocks0} {blocks1} blocks"
        );
        assert!(wrong1 <= most && wrong0 <= most, "{wrong1} {wrong0}");
    }
}
