//! Decisions that show the idea of each stranger.

use super::{EightsStranger, HeartsStranger};
use engine::rng::stream;
use std::collections::BTreeSet;
use tricks::{Card, Cards, Hands, Round, random_card};

/// The cards of a list of codes.
fn cards(codes: &str) -> impl Iterator<Item = Card> {
    let card = |code: &str| Card::from_code(code).unwrap_or_else(|| panic!("{code}"));
    codes
        .split_whitespace()
        .map(card)
        .collect::<Vec<_>>()
        .into_iter()
}

/// The round after these cards were played, with `own` in the hand of the player to act and `out` in another one.
fn position<R: Round>(mut round: R, played: &str, own: &str, out: &str) -> R {
    cards(played).for_each(|card| round.act(card));
    let seat = round.to_act().unwrap();
    let mut hands = Hands::default();
    hands[seat] = cards(own).collect();
    hands[(seat + 1) % round.players()] = cards(out).collect();
    round.with_hands(&hands)
}

/// The first trick has three points. This one precedes tricks of one point; seat 0 takes it and leads the next.
const FIRST: &str = "h5 h4 h3 h2";

/// Says which card a stranger plays as the next one after `played`, from seat 0 on, with `own` in its hand and `out` in
/// the next.
fn eights(stranger: EightsStranger) -> impl Fn(&str, &str, &str) -> String {
    move |played, own, out| {
        let start = eights::rules::Round::new(0, [Cards::EMPTY; 4], Cards::EMPTY);
        let round = position(start, played, own, out);
        stranger.choose(&round, round.legal()).code()
    }
}

/// The card that a stranger takes from a pool.
fn taken(stranger: EightsStranger, own: &str, pool: &str) -> String {
    let mut hands = [Cards::EMPTY; 4];
    hands[0] = cards(own).collect();
    let round = eights::rules::Round::new(0, hands, cards(pool).collect());
    stranger.choose(&round, round.legal()).code()
}

fn hearts(stranger: HeartsStranger) -> impl Fn(&str, &str, &str) -> String {
    move |played, own, out| {
        let options = hearts::rules::Options::default();
        let start = hearts::rules::Round::new(4, 0, Hands::default(), options);
        let round = position(start, played, own, out);
        stranger.choose(&round, round.legal()).code()
    }
}

#[test]
fn masters_are_cashed() {
    let play = eights(EightsStranger::CashMasters);
    assert_eq!(play(FIRST, "ca d4 d3 s2", "c8 c9 dk sa s9"), "ca");
    // The king could be beaten, until the ace is gone.
    let trick = format!("{FIRST} c5");
    assert_eq!(play(&trick, "ck c3", "ca d5"), "c3");
    assert_eq!(play(&trick, "ck c3", "d5 d6"), "ck");
    // Nobody follows: the eight brings its points.
    assert_eq!(play(&format!("{FIRST} c5 c6 c7"), "ck c8 c3", "ca"), "c8");
    assert_eq!(
        taken(EightsStranger::CashMasters, "ck cq ct c9 c3", "cj da"),
        "da"
    );
}

#[test]
fn masters_are_saved() {
    let play = eights(EightsStranger::SaveMasters);
    let out = "c8 c9 dk sa s9";
    assert_eq!(play(FIRST, "ca d4 d3 s2", out), "s2");
    // The first trick is rich, and so is a trick with an eight; at the end the masters run.
    assert_eq!(play("", "ca d4 d3 s2", out), "ca");
    assert_eq!(play(FIRST, "ca s2", out), "ca");
    assert_eq!(play(&format!("{FIRST} c5"), "ca c4 s2", out), "c4");
    assert_eq!(
        play(&format!("{FIRST} c8"), "ca c4 s2", "c9 dk sa s9"),
        "ca"
    );
    // Seat 0 has three points, so an eight goes to seat 1 rather than to it.
    assert_eq!(play(&format!("{FIRST} ck c9"), "c8 c2", "ca"), "c2");
    assert_eq!(play(&format!("{FIRST} c9 ck"), "c8 c2", "ca"), "c8");
}

#[test]
fn eights_are_hunted() {
    let play = eights(EightsStranger::HuntEights);
    let own = "ca da d3 s4 s3";
    assert_eq!(play(FIRST, own, "c8 c9 d9 d5 sa s9"), "ca");
    assert_eq!(play(FIRST, own, "c7 c9 d9 d8 sa s9"), "da");
    // The king is risked for an eight on the table, and saved for one point.
    let out = "ca d8 d5";
    assert_eq!(play(&format!("{FIRST} c5 c8"), "ck c2", out), "ck");
    assert_eq!(play(&format!("{FIRST} c5 c7"), "ck c2", out), "c2");
    assert_eq!(play(&format!("{FIRST} c5 c6 c7"), "ck c9 c2", out), "c9");
    assert_eq!(taken(EightsStranger::HuntEights, "ca s2", "c8 dt s8"), "c8");
}

#[test]
fn a_suit_is_run() {
    let play = eights(EightsStranger::RunSuit);
    let own = "cq cj ct c3 da d2";
    let out = "ca ck c5 dk dq s4 s5";
    assert_eq!(play(FIRST, own, out), "cq");
    // The ace of diamonds is an entry: it waits until the clubs win.
    let trick = format!("{FIRST} d5");
    assert_eq!(play(&trick, own, out), "d2");
    assert_eq!(play(&trick, own, "c5 dk dq s4 s5"), "da");
    assert_eq!(play(FIRST, own, "c5 dk dq s4 s5"), "cq");
    assert_eq!(
        taken(EightsStranger::RunSuit, "ck cq ct c9 c3", "cj da"),
        "cj"
    );
}

#[test]
fn chances_are_weighed() {
    let play = eights(EightsStranger::WeighChances);
    // The last player holds three of the hidden cards: surely the ace, or probably not.
    let trick = format!("{FIRST} c5 c8");
    let own = "ck c2 s3";
    assert_eq!(play(&trick, own, "ca cq c9"), "c2");
    assert_eq!(play(&trick, own, "ca cq c9 d2 d3 d4 d5 d6 d7"), "ck");
    // A void hand cannot hold it: seat 3 has not followed clubs.
    let void = format!("{FIRST} ct c4 c3 d9 c5 c8");
    assert_eq!(play(&void, own, "ca cq c9"), "ck");
    // The last player wins as cheaply as it can.
    let plain = format!("{FIRST} c5 c6 c7");
    assert_eq!(play(&plain, "ca c9 c2", "ck d2"), "c9");
}

#[test]
fn low_cards_are_kept() {
    let play = hearts(HeartsStranger::StayLow);
    let diamonds = "d2 d4 d5 d6 d7 d8 d9 dt dj dq dk";
    assert_eq!(play("", "da d3 s4", diamonds), "da");
    // The second time somebody may be void.
    assert_eq!(
        play("dk d2 d4 d5", "da d3 s4", "d6 d7 d8 d9 dt dj dq"),
        "d3"
    );
    let trick = format!("{FIRST} d9");
    assert_eq!(play(&trick, "da d7 d3", "d6 d8 dt dj dq dk"), "d7");
    assert_eq!(play(&trick, "sa h9 c4", "sq d8"), "sa");
    assert_eq!(play(&trick, "sa h9 c4", "d8"), "sa");
    assert_eq!(play(&trick, "sq ha c4", "d8"), "sq");
}

#[test]
fn exits_are_kept() {
    let play = hearts(HeartsStranger::KeepExits);
    let out = "sq sa d5 d7 h9 hk";
    assert_eq!(play("", "s5 s2 d9 d3", out), "s5");
    // The king would catch the queen, so spades are not led, but it is spent where the queen does not come.
    assert_eq!(play("", "sk s5 d9 d3", out), "d3");
    assert_eq!(play("s4 s6 s7", "sk s5 d9", out), "sk");
    assert_eq!(play("s4 s6", "sk s5 d9", out), "s5");
    // Of two high cards the one goes that has no exit below it.
    assert_eq!(play("c5 c6", "dk d2 hk h8", "d5 d7 d9 h2 h4 h9"), "hk");
    assert_eq!(play("c5 c6", "dk d6 hk h2", "d2 d3 d9 h5 h9"), "dk");
}

#[test]
fn voids_are_counted() {
    let play = hearts(HeartsStranger::CountVoids);
    let (own, out) = ("dk c5 s3", "d6 d7 d8 d9 dj dq c6 c7 c8 c9 cj cq");
    // Seat 1 follows diamonds, or does not.
    assert_eq!(play("d5 d4 d3 d2", own, out), "dk");
    assert_eq!(play("d5 h4 d3 d2", own, out), "c5");
    // Seat 0 has shown a void, but has played already.
    assert_eq!(play("c5 c4 c3 c2 d2", "dk d3", out), "dk");
    assert_eq!(play("c5 h4 c3 c2 c6", "ck c4", out), "ck");
    assert_eq!(play("d5 d4 h3 d2 d4", "dk d3", out), "d3");
    // The single card goes first, so that the suit is void.
    assert_eq!(play("c5 c4 c3 c2 s2", "dq ck cq cj", "d2 d3 ca"), "dq");
}

#[test]
fn the_moon_is_tried_and_stopped() {
    let play = hearts(HeartsStranger::TryMoon);
    let own = "ca ck ha hk hq sa d3";
    let out = "c5 h4 h5 sk d9 d7";
    assert_eq!(play("", own, out), "ca");
    // Seat 1 has a point, so no moon is left: exits instead.
    assert_eq!(play("d5 da d6 h2 d2 da", own, out), "d3");
    // Seat 1 has all four points and leads a heart.
    let trick = "h5 h9 h3 h4 h6";
    let out = "h7 ht hj hq hk d2";
    assert_eq!(play(trick, "ha h2", out), "ha");
    assert_eq!(play("h5 h9 h3 h4 d9", "ha h2 c3", "h7 hk d2"), "c3");
    // Of five points seat 3 has four, which is no moon.
    let split = "d5 d4 d6 h8 h5 h9 h3 h4";
    assert_eq!(play(&format!("{split} h6"), "ha h2", out), "h2");
    assert_eq!(play(&format!("{split} d9"), "ha h2 c3", "h7 hk d2"), "ha");
}

#[test]
fn risks_are_weighed() {
    let play = hearts(HeartsStranger::WeighRisks);
    let out = "ca c9 c8 d5 h7";
    assert_eq!(play("c5 c6 c7", "ck c2", out), "ck");
    assert_eq!(play("c5 c6 h4", "ck c2", out), "c2");
    // The queen is lost on a higher spade, and the ace is spared a trick that she may come to.
    assert_eq!(play("d5 sk", "sq s2", "sj"), "sq");
    assert_eq!(play("s4 s5", "sa s2", "sq d5"), "s2");
    assert_eq!(play("s4 s5 s6", "sa s2", "sq d5"), "sa");
}

/// Along random rounds every two strangers differ in at least one of twenty choices of a card.
#[test]
fn no_two_play_alike() {
    let mut rng = stream(1, 0);
    let mut chosen: [Vec<Vec<Card>>; 2] = [vec![Vec::new(); 5], vec![Vec::new(); 5]];
    for number in 0..30 {
        let mut round = eights::deal::deal(number % 4, &mut rng);
        while round.to_act().is_some() {
            let legal = round.legal();
            for (all, (_, one)) in chosen[0].iter_mut().zip(EightsStranger::NAMED) {
                all.extend((legal.len() > 1).then(|| one.choose(&round, legal)));
            }
            round.act(random_card(legal, &mut rng));
        }
        let mut round = hearts::deal::deal(4, hearts::rules::Options::default(), &mut rng);
        while round.to_act().is_some() {
            let legal = round.legal();
            for (all, (_, one)) in chosen[1].iter_mut().zip(HeartsStranger::NAMED) {
                all.extend((legal.len() > 1).then(|| one.choose(&round, legal)));
            }
            round.act(random_card(legal, &mut rng));
        }
    }
    for all in chosen {
        for (place, one) in all.iter().enumerate() {
            for (other, another) in all.iter().enumerate().skip(place + 1) {
                let pairs = one.iter().zip(another);
                let differ = pairs.filter(|(card, other)| card != other).count();
                assert!(20 * differ >= one.len(), "{place} and {other}: {differ}");
            }
        }
    }
    let names = EightsStranger::NAMED.map(|(name, _)| name);
    let names = names
        .into_iter()
        .chain(HeartsStranger::NAMED.map(|(name, _)| name));
    assert_eq!(names.collect::<BTreeSet<_>>().len(), 10);
}
