//! The judge of Tricky Eights and the groups of Hearts Server.

use crate::bytes::Bytes;
use ::tricks::Agent;
use contest::eights::{Event, Judge};
use contest::hearts::Group;
use eights::protocol::print_card;
use hearts::protocol::{Message, print_reply};
use hearts::rules::Options;
use std::collections::VecDeque;

/// Four built-in players at the judge's table. The bytes put other lines and faults between their answers. A seat
/// without such lines and faults is never disqualified.
pub(super) fn eights(mut bytes: Bytes, seed: u64) {
    let mut judge = Judge::new(seed);
    let agent = Agent::Policy(eights::player::Baseline::Counter);
    let mut players = [0, 1, 2, 3].map(|seat| eights::player::Client::new(agent, seat));
    let mut answers: [Option<String>; 4] = Default::default();
    let mut honest = [true; 4];
    loop {
        for event in judge.events() {
            assert!(!event.log_line().contains('\n'));
            if let Event::Sent { seat, line } = event {
                let card = players[seat].receive(&line).answer;
                // A line that is no request leaves the answer that is still to be given.
                answers[seat] = card.map(print_card).or(answers[seat].take());
            }
        }
        let fallen = (0..4).filter(|&seat| judge.standings()[seat].disqualified.is_some());
        assert!(
            fallen.clone().all(|seat| !honest[seat]),
            "{:?}",
            judge.standings()
        );
        let points: u32 = judge
            .standings()
            .iter()
            .map(|standing| standing.points)
            .sum();
        assert_eq!(u64::from(points), 25 * judge.rounds());
        let Some(asked) = judge.asked() else {
            let winner = judge.winner();
            assert_eq!(winner.is_none(), fallen.count() == 4);
            return assert!(winner.is_none_or(|seat| judge.standings()[seat].points >= 300));
        };
        assert!(judge.standings()[asked].disqualified.is_none());
        let Some(what) = bytes.byte() else {
            return;
        };
        let seat = usize::from(what) % 4;
        match what {
            // The numbers are weights: mostly the player's own answer, so that games come to their end.
            0..224 => {
                let answer = answers[asked].take().unwrap_or_default();
                judge.receive(asked, &answer);
            }
            224..252 => {
                let text = String::from_utf8_lossy(bytes.some().unwrap_or(&[])).into_owned();
                // The judge gets single lines: streams are split at the ends of lines before.
                let line = text.split('\n').next().unwrap_or("");
                honest[seat] &= line.trim().is_empty();
                judge.receive(seat, line);
            }
            _ => {
                honest[seat] = false;
                judge.disqualify(seat, "the clock has run out");
            }
        }
    }
}

/// The same with a group of Hearts, which ends at the first fault.
pub(super) fn hearts(mut bytes: Bytes, seed: u64) {
    let (Some(count), Some(rules)) = (bytes.below(4), bytes.below(4)) else {
        return;
    };
    let count = 3 + count;
    let tests = 3;
    let options = Options {
        clean_first_trick: rules & 1 == 0,
        last_trick: rules & 2 == 0,
        ..Options::default()
    };
    let mut group = Group::new(count, tests, options, seed);
    let agent = Agent::Policy(hearts::player::Baseline::Careful);
    let player = |seat: usize| hearts::player::Client::new("fuzz", agent, seat as u64);
    let mut players: Vec<_> = (0..count).map(player).collect();
    let mut answers: Vec<VecDeque<String>> = vec![VecDeque::new(); count];
    let mut honest = vec![true; count];
    loop {
        for event in group.events() {
            if event.message == Message::Stop {
                assert!(group.is_over());
            }
            let answer = players[event.player].receive(event.message).answer;
            answers[event.player].extend(answer.as_ref().map(print_reply));
        }
        let scores: u64 = group
            .standings()
            .iter()
            .map(|standing| standing.score)
            .sum();
        let moons = 26 * (count as u64 - 1);
        // If the last trick is not played, its penalty cards count for nobody.
        let least = if options.last_trick { 26 } else { 1 };
        assert!((least * group.rounds()..=moons * group.rounds()).contains(&scores));
        if group.is_over() {
            let fault = group.fault();
            assert!(fault.is_none_or(|(seat, _)| !honest[seat]), "{fault:?}");
            assert_eq!(fault.is_none(), group.rounds() == tests);
            return;
        }
        let Some(asked) = (0..count).find(|&seat| group.waits_for(seat)) else {
            panic!("it waits for nobody and is not over");
        };
        let Some(what) = bytes.byte() else {
            return;
        };
        let seat = usize::from(what) % count;
        match what {
            0..240 => {
                let answer = answers[asked].pop_front().expect("asked players answer");
                group.receive(asked, &answer);
            }
            240..252 => {
                let text = String::from_utf8_lossy(bytes.some().unwrap_or(&[])).into_owned();
                honest[seat] = false;
                group.receive(seat, &text);
                // If it was taken for an answer, the player's own is not sent any more.
                answers[seat].clear();
                if !group.is_over() && group.waits_for(seat) {
                    return;
                }
            }
            _ => {
                honest[seat] = false;
                group.end_by_fault(seat, "the clock has run out");
            }
        }
    }
}
