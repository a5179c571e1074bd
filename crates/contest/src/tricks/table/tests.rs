//! Tests of Hearts and Tricky Eights at a table: hidden cards, taking back, built-in players, advice, reviews and screens.
//! `open` has those of opened games and positions; the laws of a game at a table are in `play_command`.

use super::*;
use crate::eights::matches::Eights;
use crate::hearts::matches::Hearts;
use crate::tricks::record::Record;
use ::eights::player::Baseline;
use arena::records::Record as _;
use engine::budget::Limits;
use engine::rng::{below, stream};
use serde_json::{Value, json};
use std::any::Any;
use std::collections::BTreeSet;
use tables::{Eyes, UnderWay};
use tricks::{Agent, Card, Cards, Ends, Method, PolicySet as _, Round as _, Standing, Wins};

mod open;

fn begin<G: WholeGame>(seats: usize, seed: u64) -> UnderWay {
    let kind = kind::<G>(Vec::new(), G::TIME);
    kind.begin(&Beginning::deal(seats, seed)).unwrap()
}

/// The rounds of a game under way.
fn rounds<G: WholeGame>(game: &UnderWay) -> &Game<G> {
    let game: &dyn Any = &**game;
    &game.downcast_ref::<AtTable<G>>().unwrap().0
}

/// Adds the codes of all cards that are named anywhere in a value.
fn named(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => found.extend(
            text.split(' ')
                .filter(|word| Card::from_code(word).is_some())
                .map(str::to_owned),
        ),
        Value::Array(items) => items.iter().for_each(|item| named(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| named(field, found)),
        _ => {}
    }
}

/// All cards that a view names, except in the log of earlier rounds.
fn named_in_this_round(view: &Value) -> BTreeSet<String> {
    let mut view = view.clone();
    let log = view["log"].as_array_mut().unwrap();
    let dealt = |entry: &Value| entry["deal"].is_u64();
    let last = log.iter().rposition(dealt).unwrap();
    log.drain(..last);
    let mut found = BTreeSet::new();
    named(&view, &mut found);
    found
}

/// Plays a whole game of random cards. No view may show a hidden card, and at the end the record must give the totals.
fn nobody_sees_hidden_cards<G: WholeGame>(contest: G, seats: usize, seed: u64) {
    let mut game = UnderWay::new(AtTable(
        Game::beginning(contest, seats, seed, None),
        Programs::<G>::default(),
    ));
    let mut rng = stream(seed, 99);
    while game.to_move().is_some() {
        let round = rounds::<G>(&game).current().round.clone();
        for eyes in (0..seats).map(Eyes::Seat).chain([Eyes::Onlooker]) {
            let shown = named_in_this_round(&game.view(eyes));
            // Passed cards do not lie open; but a seat knows those that it has given away.
            let deal = rounds::<G>(&game).current();
            let played = deal.cards.iter().skip(deal.passed());
            let given = match eyes {
                Eyes::Seat(seat) => round.passed(seat),
                _ => Cards::EMPTY,
            };
            let open = round.pool() | given | played.map(|&(_, card)| card).collect();
            for other in (0..seats).filter(|&other| eyes != Eyes::Seat(other)) {
                let hidden = (round.hand(other) - open).into_iter().map(Card::code);
                let shown: Vec<String> = hidden.filter(|card| shown.contains(card)).collect();
                assert_eq!(
                    shown,
                    Vec::<String>::new(),
                    "{eyes:?} sees cards of {other}"
                );
            }
        }
        let choices = game.choices();
        assert_eq!(choices.len(), round.legal().len());
        game.act(&choices[below(&mut rng, choices.len())].action)
            .unwrap();
    }
    assert!(rounds::<G>(&game).winner().is_some());
    assert!(
        game.view(Eyes::Onlooker)["log"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["deal"].is_u64())
            .all(|deal| deal["hands"]
                .as_array()
                .unwrap()
                .iter()
                .all(Value::is_string)),
        "all lies open at the end"
    );
    let told = game.told(Eyes::Onlooker);
    let acted = told
        .iter()
        .filter(|told| told.seat.is_some() && !told.words.starts_with("wins"));
    assert_eq!(acted.count(), game.actions());
    let names: Vec<String> = (0..seats).map(|_| "Ann".to_owned()).collect();
    let record = String::from_utf8(game.record(&names).unwrap()).unwrap();
    let mut totals = vec![0; seats];
    for line in record.lines() {
        let record = Record::parse(line.as_bytes()).unwrap();
        let round = record.replay(&G::default(), |_, _, _| {}).unwrap();
        for (total, score) in totals.iter_mut().zip(round.scores()) {
            *total += u32::from(score);
        }
        assert_eq!(record.players.iter().collect::<BTreeSet<_>>().len(), seats);
    }
    assert_eq!(totals, rounds::<G>(&game).totals());
}

#[test]
fn nobody_sees_a_card_that_is_hidden() {
    for seats in 3..=6 {
        let passing = seats % 2 == 0;
        nobody_sees_hidden_cards(Hearts { passing }, seats, 7);
    }
    nobody_sees_hidden_cards(Eights, 4, 7);
}

/// Plays the first legal card, `actions` times.
fn play_on(game: &mut UnderWay, actions: usize) {
    for _ in 0..actions {
        let action = game.choices()[0].action.clone();
        game.act(&action).unwrap();
    }
}

#[test]
fn a_card_is_taken_back_until_something_was_seen() {
    let mut game = begin::<Hearts>(3, 1);
    let first = game.to_move().unwrap();
    assert_eq!(game.back(first, true), None);
    play_on(&mut game, 1);
    assert_eq!(game.back(first, false), Some(0));
    assert_eq!(game.back((first + 1) % 3, true), None);
    play_on(&mut game, 1);
    // Another seat has acted since, so only free taking back is possible.
    assert_eq!(
        (game.back(first, false), game.back(first, true)),
        (None, Some(0))
    );
    // The last card of a round shows its player the next hand, so again only free taking back is possible.
    play_on(&mut game, 49);
    let deals = &rounds::<Hearts>(&game).deals;
    assert_eq!((deals.len(), deals[1].cards.len()), (2, 0));
    let last = deals[0].cards[50].0;
    assert_eq!(
        (game.back(last, false), game.back(last, true)),
        (None, Some(50))
    );
    game.go_back(50);
    let count = rounds::<Hearts>(&game).rounds();
    assert_eq!((game.actions(), count), (50, 1));
    assert_eq!(game.to_move(), Some(last));
}

#[test]
fn a_game_of_hearts_ends_at_100_with_one_that_has_fewest() {
    let winner = |totals: &[u32]| Hearts::default().winner(totals);
    assert_eq!(winner(&[99, 3, 4]), None);
    assert_eq!(winner(&[100, 3, 4]), Some(1));
    assert_eq!(winner(&[120, 30, 30]), None);
    assert_eq!(winner(&[120, 104, 131, 104, 103]), Some(4));
}

#[test]
fn points_are_read_off_the_value_of_a_search() {
    let close = |one: f64, other: f64| (one - other).abs() < 1e-9;
    // Own points of 5 while the three others have 7 on average give the value 2.
    assert!(close(Hearts::default().worth(2.0, 4), -5.0));
    assert!(close(Hearts::default().worth(26.0, 4), 13.0), "the moon");
    assert!(close(Eights.worth(6.25, 4), 6.25));
}

/// Each level's decision is legal, and follows from the position and the seed alone: asked again, it decides
/// the same.
fn levels_decide<G: WholeGame>(seats: usize) {
    let mut game = begin::<G>(seats, 3);
    play_on(&mut game, 14);
    for level in 0..G::STRENGTHS.len() {
        let action = game.think(level).unwrap();
        assert!(game.choices().iter().any(|choice| choice.action == action));
        assert_eq!(game.think(level).unwrap(), action);
    }
}

#[test]
fn every_level_decides() {
    levels_decide::<Hearts>(4);
    levels_decide::<Eights>(4);
}

/// A round that is part of a whole game knows the totals, so players can aim at winning the game. A game that
/// was opened from single rounds has no such standing, and points count.
#[test]
fn rounds_know_how_the_game_stands() {
    let round = |game: &Game<Hearts>| game.current().round;
    let game = Game::with_totals(Hearts::default(), 1, vec![10, 99, 0]);
    let standing = Standing::new(Wins::Fewest, Ends::AtPoints(100), &[10, 99, 0]);
    assert_eq!(round(&game).standing(), Some(standing));
    let game = Game::with_totals(Eights, 1, vec![10, 299, 0, 250]);
    let standing = Standing::new(Wins::Most, Ends::AtPoints(300), &[10, 299, 0, 250]);
    assert_eq!(game.current().round.standing(), Some(standing));
    let dealt = Hearts::default().deal(4, 0, &mut stream(2, 0));
    let begin = games::tricks::start::Begin {
        rounds: vec![dealt],
        totals: vec![0; 4],
        before: vec![],
        ends: true,
    };
    let part = Game::beginning(Hearts::default(), 4, 3, Some(Arc::new(begin)));
    assert_eq!(round(&part), dealt);
    assert_eq!(dealt.standing(), None);
}

/// Players' models are kept from decision to decision. They must equal models that are learnt anew from the
/// cards played, also after a game went on, and after copies of it went on differently.
#[test]
fn what_was_learnt_is_that_of_the_rounds_that_were_played() {
    let on = |game: &mut Game<Eights>, actions: usize, seed: u64| {
        let mut rng = stream(seed, 0);
        for _ in 0..actions {
            let card = tricks::random_card(game.current().round.legal(), &mut rng);
            game.act(card).unwrap();
        }
    };
    let decided = |game: &Game<Eights>| {
        let limits = Limits::nodes(200);
        let agent = Agent::search(Baseline::PLAYOUT, Method::Inference, limits);
        let seat = game.to_act().unwrap();
        let decision = |game: &Game<Eights>| {
            let (player, view) = strength::seated(game, seat, agent);
            let decision = player.decide(&view, &mut stream(7, 0)).unwrap();
            decision.candidates
        };
        let mut anew = Game::beginning(Eights, 4, 3, None);
        for &(_, card) in game.deals.iter().flat_map(|deal| &deal.cards) {
            anew.act(card).unwrap();
        }
        let found = decision(game);
        assert_eq!(found, decision(&anew));
        found
    };
    let mut game = Game::beginning(Eights, 4, 3, None);
    let mut other = game.clone();
    on(&mut game, 70, 2);
    on(&mut other, 70, 5);
    assert_eq!((game.rounds(), other.rounds()), (2, 2));
    for _ in 0..2 {
        decided(&game);
        decided(&other);
    }
    let mut earlier = game.clone();
    on(&mut game, 64, 3);
    decided(&game);
    decided(&earlier);
    on(&mut earlier, 64, 4);
    decided(&earlier);
    on(&mut game, 64, 4);
    decided(&game);
}

#[test]
fn advice_has_every_card_and_the_best_first() {
    let mut game = begin::<Hearts>(4, 5);
    // The first lead is the two of clubs, so there is no choice.
    let only = game.advise();
    assert_eq!(only.candidates.len(), 1);
    assert_eq!(only.candidates[0].choice.action, "c2");
    assert!((-26.0..=13.0).contains(&only.candidates[0].value));
    play_on(&mut game, 9);
    let advice = game.advise();
    assert_eq!(advice.candidates[0].behind, 0.0);
    assert!(
        advice
            .candidates
            .iter()
            .all(|one| one.behind >= 0.0 && one.then.is_empty())
    );
    let mut cards: Vec<_> = advice
        .candidates
        .into_iter()
        .map(|one| one.choice)
        .collect();
    cards.sort_by_key(|choice| Card::from_code(&choice.action));
    assert_eq!(cards, game.choices());
}

#[test]
fn the_screen_fits_a_terminal() {
    // The terminal hands names over that are cut to 24 characters.
    let names: Vec<String> = (0..3).map(|_| "x".repeat(24)).collect();
    let mut game = begin::<Hearts>(3, 1);
    play_on(&mut game, 52);
    let lines = game.screen(Eyes::Seat(1), &names);
    assert!(
        lines.iter().all(|line| line.chars().count() <= 80),
        "{lines:#?}"
    );
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("   ♣") || line.starts_with("   ♦"))
            .count(),
        1
    );
    let mut game = begin::<Eights>(4, 1);
    play_on(&mut game, 2);
    let names = vec!["Ann".to_owned(); 4];
    let lines = game.screen(Eyes::Onlooker, &names);
    assert_eq!(lines.len(), 6, "{lines:#?}");
    assert!(lines[5].starts_with("to be taken: "));
}

#[test]
fn cards_are_read_as_people_and_programs_write_them() {
    let mut game = begin::<Eights>(4, 1);
    let card = game.choices()[0].action.clone();
    let long = card.replace('t', "10").to_uppercase();
    assert_eq!(game.act(&format!(" {long} ")), Ok(()));
    assert_eq!(
        game.view(Eyes::Onlooker)["log"][1],
        json!({ "player": 0, "card": card, "took": true })
    );
}

/// A review of a card lists legal cards, each once and sorted by loss; the best one loses nothing. In random
/// play some cards lose at least half a point.
#[test]
fn cards_are_judged() {
    let mut game = begin::<Hearts>(4, 6);
    let mut rng = stream(6, 1);
    let mut losses = 0;
    while rounds::<Hearts>(&game).rounds() == 1 {
        let choices = game.choices();
        let taken = choices[below(&mut rng, choices.len())].action.clone();
        let advice = game.judge(&taken, 1);
        let candidates = &advice.candidates;
        assert_eq!(candidates[0].behind, 0.0);
        assert!(candidates.is_sorted_by(|one, two| one.behind <= two.behind));
        let mut told: Vec<&String> = candidates.iter().map(|one| &one.choice.action).collect();
        told.sort_unstable();
        told.dedup();
        assert_eq!(told.len(), candidates.len());
        assert!(
            told.iter()
                .all(|&action| choices.iter().any(|one| one.action == *action))
        );
        let found = candidates.iter().find(|one| one.choice.action == taken);
        losses += usize::from(found.unwrap().behind >= 0.5);
        game.act(&taken).unwrap();
    }
    assert!(losses >= 3, "{losses} mistakes in random play");
}
