//! The worth of a round for the game that it belongs to, with the rules and players of Hearts and Eights.

use engine::budget::Limits;
use engine::rng::stream;
use hearts::rules::Options;
use tricks::{
    Agent, Aim, Card, Ends, Method, Player, Policy as _, PolicySet, Round, Search, View, Worth,
};

type Eights = eights::player::Baseline;
type Hearts = hearts::player::Baseline;

/// Plays `count` rounds from a deal to their end. Rounds of random cards alternate with rounds of the playout
/// policy.
fn rounds<P: PolicySet>(deal: &P::Round, count: u64) -> Vec<P::Round> {
    (0..count)
        .map(|number| {
            let mut rng = stream(7, number);
            let mut round = deal.clone();
            while round.to_act().is_some() {
                let legal = round.legal();
                let card = match number % 2 == 0 {
                    true => tricks::random_card(legal, &mut rng),
                    false => P::PLAYOUT.choose(&round, legal, &mut rng),
                };
                round.act(card);
            }
            round
        })
        .collect()
}

/// For each round its value for a seat in points, and its worth in the deal's game.
fn worths<P: PolicySet>(deal: &P::Round, seat: usize, aim: Aim) -> Vec<(f32, f32)> {
    let worth = Worth::new::<P>(&View::new(deal, seat), aim);
    let rounds = rounds::<P>(deal, 200);
    let both = rounds
        .iter()
        .map(|round| (P::value(round, seat), worth.of::<P>(round)));
    both.collect()
}

fn eights_deal(scores: [u32; 4]) -> eights::rules::Round {
    eights::deal::deal(1, &mut stream(3, 0)).after(Ends::AtPoints(300), scores)
}

fn hearts_deal(ends: Ends, totals: &[u32]) -> hearts::rules::Round {
    hearts::deal::deal(totals.len(), Options::default(), &mut stream(3, 0)).after(ends, totals)
}

#[test]
fn without_a_game_points_count() {
    let eights = eights::deal::deal(1, &mut stream(3, 0));
    let hearts = hearts::deal::deal(4, Options::default(), &mut stream(3, 0));
    let same = |both: Vec<(f32, f32)>| assert!(both.iter().all(|(value, worth)| value == worth));
    same(worths::<Eights>(&eights, 2, Aim::Game));
    same(worths::<Hearts>(&hearts, 2, Aim::Game));
    same(worths::<Eights>(
        &eights_deal([290, 280, 10, 20]),
        2,
        Aim::Points,
    ));
}

/// At the start of a game a round is worth about its points. The best rounds are worth a little more, since
/// only one of four players wins.
#[test]
fn far_from_the_end_points_count() {
    let close = |both: Vec<(f32, f32)>, tolerance: f32| {
        for (value, worth) in both {
            assert!(
                (value - worth).abs() < tolerance,
                "{value} is worth {worth}"
            );
        }
    };
    for seat in 0..4 {
        close(worths::<Eights>(&eights_deal([0; 4]), seat, Aim::Game), 2.5);
    }
    let far = hearts_deal(Ends::AfterRounds(400), &[0; 5]);
    close(worths::<Hearts>(&far, 3, Aim::Game), 1.5);
}

/// If a leader is about to win, a round is good for another seat if it wins the game for that seat.
#[test]
fn near_the_end_chances_count() {
    // The leader has 9 points more before the round.
    let deal = eights_deal([299, 290, 120, 100]);
    let worth = Worth::new::<Eights>(&View::new(&deal, 1), Aim::Game);
    let ended = rounds::<Eights>(&deal, 400);
    let mean = |wins: bool| {
        let wins = |round: &&eights::rules::Round| (round.points(1) > 9 + round.points(0)) == wins;
        let worths = ended.iter().filter(wins);
        let worths: Vec<f32> = worths.map(|round| worth.of::<Eights>(round)).collect();
        worths.iter().sum::<f32>() / worths.len() as f32
    };
    let (won, lost) = (mean(true), mean(false));
    assert!(won > lost + 10.0, "{won} {lost}");
}

/// The number of moons that a seat shoots in last rounds, where only a moon can win the game for it.
fn moons(aim: Aim) -> usize {
    let limits = Limits::nodes(600);
    let search = Search {
        policy: Hearts::PLAYOUT,
        method: Method::Blind,
        limits,
        network: None,
        aim,
        threads: 1,
    };
    let player = Player::new(Agent::Search(search));
    let shot = (0..60).filter(|&number| {
        let mut rng = stream(5, number);
        // The strict rules make a moon more likely: no hearts are discarded in the first trick.
        let deal = hearts::deal::deal(4, Options::STRICT, &mut rng);
        let mut round = deal.after(Ends::AfterRounds(1), &[60, 40, 40, 40]);
        let mut view = View::new(&round, 0);
        while let Some(seat) = round.to_act() {
            let card: Card = match seat {
                0 => player.decide(&view, &mut rng).expect("a card").card,
                _ => Hearts::Careful.choose(&round, round.legal(), &mut rng),
            };
            round.act(card);
            view.act(card);
        }
        round.scores()[..4] == [0, 26, 26, 26]
    });
    shot.count()
}

#[test]
fn who_can_only_win_by_the_moon_goes_for_it() {
    let (for_the_game, for_points) = (moons(Aim::Game), moons(Aim::Points));
    assert!(
        for_the_game > for_points + 4,
        "{for_the_game} moons, {for_points} for points"
    );
}
