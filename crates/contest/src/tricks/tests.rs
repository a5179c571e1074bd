//! Tests of matches of the trick-taking games: how players are typed, duplicate deals, records, and
//! stopping.

use super::matches::{Before, Scored};
use super::record::{Record, ReplayError};
use super::*;
use crate::eights::matches::Eights;
use crate::hearts::matches::Hearts;
use arena::participant::{BuiltinError, Kind};
use arena::records::Reader;
use arena::stats::Mean;
use engine::rng::stream;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use tricks::{Agent, Round as _, View};

fn read<C: Contest>(text: &str) -> Result<Agent<C::Policy>, BuiltinError> {
    agent::<C>(&text.parse()?)
}

#[test]
fn players_are_read() {
    assert!(
        read::<Eights>("counter").is_ok() && read::<Eights>("search,high,blind,nodes=10").is_ok()
    );
    assert!(
        read::<Hearts>("search,time=0.5").is_ok() && read::<Hearts>("search,flat,duck").is_ok()
    );
    let error = |text| read::<Eights>(text).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        error("duck"),
        "there is no built-in player \"duck\"; there are search, random, high, counter"
    );
    assert_eq!(error("search,time=x"), "time=x: expected a number");
    assert_eq!(
        error("search,duck"),
        "search has no setting \"duck\"; it has time, nodes, threads, network, blind, flat, points, the name of a policy"
    );
    assert_eq!(
        error("search,high"),
        "search,high: this search plays rounds out by its network; add blind or flat to play them out by high"
    );
    assert_eq!(
        error("high,nodes=3"),
        "high has no setting \"nodes\"; it has none"
    );
}

#[test]
fn participants_are_read() {
    let read = |text: &str| participant::<Eights>(text);
    let label = |text: &str| read(text).unwrap().label;
    assert_eq!(label("builtin:search,nodes=5"), "builtin:search,nodes=5");
    assert_eq!(label("me=builtin:search,time=1"), "me");
    assert_eq!(label("me=counter"), "me");
    assert_eq!(label("search,time=1"), "search,time=1");
    let is_program = |text: &str| matches!(read(text).unwrap().kind, Kind::Program(_));
    assert!(is_program("/bin/sh") && is_program("me=sh") && is_program("sh -c x=1"));
    assert!(!is_program("me=high"));
    for text in [
        "sh",
        "builtin:sh",
        "me=builtin:sh",
        "/no/such",
        "me=no-such",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

/// A limit applies to players that search and name no limit themselves, however they are typed.
#[test]
fn limits_are_for_those_who_search() {
    let nodes: Limit = "nodes=70".parse().unwrap();
    let time: Limit = "time=0.01".parse().unwrap();
    for (text, with_nodes) in [
        ("search", "search,nodes=70"),
        ("me=search,blind", "me=search,blind,nodes=70"),
        (
            "builtin:search,network=a/b",
            "builtin:search,network=a/b,nodes=70",
        ),
        ("cheat", "cheat,nodes=70"),
        ("uct", "uct,simulations=70"),
        ("uct,worlds=3", "uct,worlds=3,simulations=70"),
        ("uct,simulations=5", "uct,simulations=5"),
        ("search,time=1", "search,time=1"),
        ("counter", "counter"),
        ("./search", "./search"),
        ("me=search --nodes 3", "me=search --nodes 3"),
    ] {
        assert_eq!(nodes.applied_to(text), with_nodes);
    }
    assert_eq!(time.applied_to("uct"), "uct,time=0.01");
    assert_eq!(time.applied_to("cheat"), "cheat,time=0.01");
    for text in ["70", "nodes=0", "nodes=x", "time=0", "time=-1", "depth=3"] {
        assert!(text.parse::<Limit>().is_err(), "{text}");
    }
    let uct = participant::<Eights>(&time.applied_to("uct")).unwrap();
    assert!(matches!(uct.builtin(), Some(Mind::Yardstick(_))));
}

/// A player that sees all hands gives no card if it is asked without having been shown them.
#[test]
fn a_cheat_needs_open_hands() {
    let spec = "cheat,nodes=20".parse().unwrap();
    let mut seat = Seat::<Hearts>::builtin(&mind::<Hearts>(&spec).unwrap());
    let round = Hearts::default().deal(4, 0, &mut stream(1, 0));
    let view = View::new(&round, round.to_act().unwrap());
    seat.deal(&view, stream(1, 1));
    assert!(seat.ask(&view).unwrap().reply.is_err());
    seat.dealt_open(&round);
    assert!(seat.ask(&view).unwrap().reply.is_ok());
    // The hands shown for one round are not used in the next.
    seat.deal(&view, stream(1, 1));
    assert!(seat.ask(&view).unwrap().reply.is_err());
    assert!(agent::<Hearts>(&spec).is_err());
}

/// On duplicate deals equal players get equal means, and the means of all players add up to the points of a
/// round: 25 in Tricky Eights, at least 26 in Hearts, where a moon gives more.
#[test]
fn duplicate_deals_are_fair() {
    let high = read::<Eights>("high").unwrap();
    let result = play(&Eights, &[high; 4], 40);
    let means: Vec<f64> = result.points.iter().map(Mean::mean).collect();
    assert_eq!(means, [6.25; 4], "the same play in all rotations");
    let players = ["random", "duck", "careful", "duck", "random"];
    let players = players.map(|name| read::<Hearts>(name).unwrap());
    let result = play(&Hearts::default(), &players, 200);
    let sum: f64 = result.points.iter().map(Mean::mean).sum();
    assert!((26.0..40.0).contains(&sum), "{sum}");
    assert!(result.points[2].mean() < result.points[0].mean());
    assert_eq!(result.points[0].count(), 200);
}

#[test]
fn search_is_better_than_what_it_plays_out_by() {
    for (contest_gain, least) in [
        (gain(&Eights, "search,nodes=300", "counter"), 1.0),
        (
            -gain(&Hearts::default(), "search,nodes=300", "careful"),
            1.0,
        ),
    ] {
        assert!(contest_gain > least, "{contest_gain}");
    }
}

/// Points of one player above those of three others, a round.
fn gain<C: WholeGame>(contest: &C, one: &str, others: &str) -> f64 {
    let [one, other] = [one, others].map(|name| read::<C>(name).unwrap());
    let result = play(contest, &[one, other, other, other], 30);
    let mean = |place: usize| result.points[place].mean();
    mean(0) - (mean(1) + mean(2) + mean(3)) / 3.0
}

/// Plays each deal once for every rotation of the players over the seats.
fn play<C: WholeGame>(contest: &C, agents: &[Agent<C::Policy>], deals: u64) -> Tally {
    let participant = |agent: &Agent<C::Policy>| Participant {
        label: String::new(),
        kind: Kind::Builtin(Mind::Agent(*agent)),
    };
    let participants: Vec<_> = agents.iter().map(participant).collect();
    let plan = Match {
        deals,
        sitting: SITTING,
        seed: 1,
        record: false,
        ..plan(contest, &participants)
    };
    let mut tally = Tally::new(agents.len());
    for outcome in outcomes(&plan, &Before::new()) {
        tally.push(&outcome, C::LOW_IS_GOOD);
    }
    tally
}

/// A match of seven deals with records, each participant once in every seat.
fn plan<'a, C: WholeGame>(
    contest: &'a C,
    participants: &'a [Participant<C::Policy>],
) -> Match<'a, C> {
    Match {
        contest,
        participants,
        seatings: rotations(participants.len()),
        deals: 7,
        sitting: 1,
        seed: 3,
        time: C::TIME,
        jobs: 1,
        record: true,
        stops: || false,
    }
}

/// Plays a match that had these rounds before.
fn outcomes<C: WholeGame>(plan: &Match<C>, before: &Before) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let sink = |outcome| {
        outcomes.push(outcome);
        ControlFlow::Continue(())
    };
    plan.go_on(before, || (), sink).unwrap();
    outcomes
}

fn participants<C: Contest>(names: &[&str]) -> Vec<Participant<C::Policy>> {
    let read = |name: &&str| participant::<C>(name).unwrap();
    names.iter().map(read).collect()
}

fn records<C: WholeGame>(contest: &C, names: &[&str], jobs: usize, sitting: u64) -> Vec<Record> {
    let participants = participants::<C>(names);
    let plan = Match {
        sitting,
        jobs,
        ..plan(contest, &participants)
    };
    let outcomes = outcomes(&plan, &Before::new()).into_iter();
    let mut records: Vec<Record> = outcomes.flat_map(|outcome| outcome.records).collect();
    for record in &mut records {
        record.ms.iter_mut().for_each(|ms| *ms = None);
    }
    records
}

#[test]
fn records_replay_and_do_not_depend_on_the_number_of_jobs() {
    let names = ["random", "high", "counter", "random"];
    let eights = records(&Eights, &names, 1, 3);
    assert_eq!(eights.len(), 28);
    assert_eq!(records(&Eights, &names, 3, 3), eights);
    let names = ["random", "duck", "careful", "random", "duck"];
    let hearts = records(&Hearts::default(), &names, 1, 1);
    for record in &eights {
        assert_eq!(record.replay(&Eights, |_, _, _| ()).map(|_| ()), Ok(()));
    }
    let mut lines = Vec::new();
    for record in &hearts {
        assert_eq!(
            record.replay(&Hearts::default(), |_, _, _| ()).map(|_| ()),
            Ok(())
        );
        serde_json::to_writer(&mut lines, record).unwrap();
        lines.push(b'\n');
    }
    let again: Result<Vec<Record>, _> = Reader::new("rounds", &lines[..]).collect();
    assert_eq!(again.unwrap(), hearts);
    assert_eq!(
        (eights[0].id.as_str(), eights[13].id.as_str()),
        ("1-1", "5-1")
    );
}

#[test]
fn a_sitting_stops_at_the_next_deal_and_keeps_what_all_seatings_have_played() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let names = ["random", "high", "counter", "random"];
    /// Three seatings play all four deals of the sitting, and the fourth seating plays two.
    const DEALS: usize = 3 * 4 + 2;
    let participants = participants::<Eights>(&names);
    let plan = Match {
        sitting: 4,
        stops: || ASKED.fetch_add(1, Ordering::Relaxed) >= DEALS,
        ..plan(&Eights, &participants)
    };
    let played = outcomes(&plan, &Before::new());
    let ids = |outcome: &Outcome| -> Vec<String> {
        outcome.records.iter().map(|r| r.id.clone()).collect()
    };
    assert_eq!(played[0].points.len(), 2);
    assert_eq!(
        ids(&played[0]),
        ["1-1", "2-1", "1-2", "2-2", "1-3", "2-3", "1-4", "2-4"]
    );
    let rounds: Vec<u64> = played[0].moons.iter().map(|moons| moons.rounds).collect();
    assert_eq!(rounds, [8; 4]);
    // The second sitting stops before its first deal.
    assert_eq!((played.len(), played[1].points.len()), (2, 0));
    assert_eq!(ASKED.load(Ordering::Relaxed), DEALS + 2);
    // Whoever goes on and is stopped at once has what was played before.
    let scored = |record: &Record| {
        (
            record.id.clone(),
            Scored::recorded(&Eights, record).unwrap(),
        )
    };
    let before: Before = played[0].records.iter().map(scored).collect();
    let again = outcomes(&plan, &before);
    assert_eq!((again[0].points.len(), again[0].records.len()), (2, 0));
    assert_eq!(again[0].points, played[0].points);
}

#[test]
fn records_that_break_the_rules_are_errors() {
    let good = records(&Eights, &["high"; 4], 1, 1).swap_remove(0);
    let error = |change: &dyn Fn(&mut Record)| {
        let mut record = good.clone();
        change(&mut record);
        record
            .replay(&Eights, |_, _, _| ())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error(&|r| r.contest = "hearts".into()),
        "contest \"hearts\", version 1: expected \"eights\", version 1"
    );
    assert!(error(&|r| r.cards[3] = "xx".into()).starts_with("\"xx\" is no card"));
    assert!(error(&|r| r.cards.swap(14, 60)).starts_with("card 15: "));
    assert_eq!(
        error(&|r| drop(r.cards.pop())),
        "63 cards, but the round ends with 64"
    );
    assert!(error(&|r| r.points[0] ^= 1).starts_with("points ["));
    let deal = "the deal has not the whole deck in hands of the right size";
    assert_eq!(error(&|r| r.hands[0] = r.hands[1].clone()), deal);
    assert!(error(&|r| r.first = 4).contains("a seat that is not among them"));
    assert!(matches!(
        good.replay(&Hearts::default(), |_, _, _| ()),
        Err(ReplayError::Contest { .. })
    ));
}
