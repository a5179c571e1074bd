//! Tests of the judge of Tricky Eights: the course of a game, ties, what disqualifies a player, and
//! how the others play on.

use super::*;
use eights::player::{Baseline, Client};
use tricks::Agent;

/// Lets four clients play until the game is over or `until` is true; returns the log.
fn play(judge: &mut Judge, until: impl Fn(&Judge) -> bool) -> Vec<String> {
    let policies = [
        Baseline::Counter,
        Baseline::High,
        Baseline::Random,
        Baseline::High,
    ];
    let mut players = policies.map(|policy| Client::new(Agent::Policy(policy), 1));
    let mut log = Vec::new();
    loop {
        let mut answers = Vec::new();
        for event in judge.events() {
            log.push(event.log_line());
            if let Event::Sent { seat, line } = event {
                let response = players[seat].receive(&line);
                assert_eq!(response.warning, None, "{line}");
                answers.extend(response.answer.map(|card| (seat, print_card(card))));
            }
        }
        if judge.asked().is_none() || until(judge) {
            return log;
        }
        // A player may have been asked before it was disqualified; its answer no longer counts.
        answers.retain(|&(seat, _)| judge.standings()[seat].disqualified.is_none());
        assert_eq!(answers.len(), 1, "one is asked at a time");
        for (seat, card) in answers {
            judge.receive(seat, &card);
        }
    }
}

#[test]
fn a_game_goes_to_three_hundred_points() {
    let mut judge = Judge::new(13);
    let log = play(&mut judge, |_| false);
    let points = judge.standings().clone().map(|standing| standing.points);
    assert_eq!(points.iter().sum::<u32>(), 25 * judge.rounds() as u32);
    let winner = judge.winner().unwrap();
    assert!(points[winner] >= 300 && points.iter().filter(|&&p| p >= points[winner]).count() == 1);
    // The dealer rotates, and acts first.
    for (number, dealer) in ["n", "e", "s", "w", "n"].iter().enumerate() {
        let note = format!("# round {}, ", number + 1);
        let at = log.iter().position(|line| line.starts_with(&note)).unwrap();
        assert_eq!(log[at + 5], format!("{dealer} take {dealer}"));
    }
    assert_eq!(
        log,
        play(&mut Judge::new(13), |_| false),
        "a seed is a game"
    );
    assert_ne!(log, play(&mut Judge::new(14), |_| false));
}

#[test]
fn a_tie_at_the_top_plays_on() {
    let mut judge = Judge::new(1);
    play(&mut judge, |judge| judge.rounds() == 1);
    let before = judge.rounds();
    // No scores can be set up for which the next round is sure to leave the tie, so only the rule itself,
    // `leader`, is checked.
    judge.standings[0].points = 300;
    judge.standings[1].points = 300;
    assert_eq!(leader(&judge.standings), None);
    judge.standings[1].points = 301;
    assert_eq!(
        (leader(&judge.standings), judge.rounds()),
        (Some(1), before)
    );
    judge.standings[1].disqualified = Some("late".into());
    assert_eq!(leader(&judge.standings), Some(0));
}

/// Plays until `until`, then lets a seat send the line that `say` makes; returns why the seat is
/// disqualified.
fn reason(seat: usize, say: impl Fn(&Judge) -> String, until: impl Fn(&Judge) -> bool) -> String {
    let mut judge = Judge::new(5);
    play(&mut judge, until);
    let line = say(&judge);
    judge.receive(seat, &line);
    judge.standings()[seat].disqualified.clone().unwrap()
}

#[test]
fn what_breaks_the_rules_disqualifies() {
    let asked = |seat: usize| move |judge: &Judge| judge.asked() == Some(seat);
    let in_hand = |judge: &Judge| print_card(judge.round.hand(0).first().unwrap());
    assert!(reason(0, in_hand, asked(0)).ends_with("which is not in the pool"));
    let garbage = |_: &Judge| "x".repeat(100);
    let told = format!(
        "\"{}…\" where a card was expected, such as d9 or st",
        "x".repeat(60)
    );
    assert_eq!(reason(0, garbage, asked(0)), told);
    let two = |_: &Judge| "d9 d9".to_owned();
    assert!(reason(0, two, asked(0)).starts_with("\"d9 d9\" where"));
    let unasked = |_: &Judge| "d9".to_owned();
    assert_eq!(
        reason(2, unasked, asked(0)),
        "said \"d9\" without being asked"
    );
    let revoking = |judge: &Judge| {
        let round = &judge.round;
        let seat = round.to_act().unwrap();
        seat == 1 && !round.taking() && round.legal() != round.hand(seat)
    };
    let other =
        |judge: &Judge| print_card((judge.round.hand(1) - judge.round.legal()).first().unwrap());
    assert!(reason(1, other, revoking).ends_with("and has a card of the suit led"));
    let missing = |judge: &Judge| print_card((!judge.round.hand(1)).first().unwrap());
    assert!(reason(1, missing, revoking).ends_with("which it does not hold"));
}

#[test]
fn others_play_on_and_the_disqualified_has_lost() {
    let mut judge = Judge::new(2);
    judge.receive(0, "  \r");
    assert_eq!(
        judge.standings()[0],
        Standing::default(),
        "a blank line is nothing"
    );
    judge.disqualify(0, "no answer within 4 s");
    judge.receive(0, "d9");
    let log = play(&mut judge, |_| false);
    assert!(log.contains(&"# north is disqualified: no answer within 4 s".to_owned()));
    assert!(
        log.iter()
            .any(|line| line.ends_with(" is played for north"))
    );
    assert!(
        !log.contains(&"n endround".to_owned()),
        "it is sent nothing more"
    );
    assert!(judge.winner().is_some_and(|winner| winner != 0));
    // A disqualified player stays out for the first reason given, and nobody is disqualified once a game is
    // over.
    let points = judge.standings().clone();
    judge.disqualify(0, "late again");
    judge.disqualify(1, "after the end");
    judge.receive(1, "d9");
    assert_eq!(judge.events(), []);
    assert_eq!(judge.standings(), &points);
    let mut judge = Judge::new(2);
    judge.disqualify(0, "late");
    judge.events();
    judge.disqualify(0, "late again");
    judge.receive(0, "d9");
    assert_eq!(judge.standings()[0].disqualified.as_deref(), Some("late"));
    assert_eq!(judge.events(), []);
    let mut judge = Judge::new(2);
    (0..SEATS).for_each(|seat| judge.disqualify(seat, "gone"));
    assert_eq!((judge.asked(), judge.winner()), (None, None));
}
