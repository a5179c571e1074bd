//! Tests of opening games and positions of Hearts and Tricky Eights at a table: records, positions written by
//! hand, lines of the server, and what is refused.

use super::*;
use tricks::Cards;

/// A game of random cards, played to its end.
fn random_game<G: WholeGame>(seats: usize, seed: u64) -> UnderWay {
    let mut game = begin::<G>(seats, seed);
    let mut rng = stream(seed, 98);
    while game.to_move().is_some() {
        let choices = game.choices();
        let action = &choices[below(&mut rng, choices.len())].action;
        game.act(action).unwrap();
    }
    game
}

fn opened<G: WholeGame>(text: &[u8], seed: u64) -> Result<(Opened, UnderWay), String> {
    let kind = kind::<G>(Vec::new(), G::TIME);
    let opened = kind.open(text)?;
    let game = kind.begin(&Beginning {
        start: Some(&opened.start),
        ..Beginning::deal(opened.names.len(), seed)
    })?;
    assert!(game.to_move().is_some());
    Ok((opened, game))
}

/// A record of a single round is a game that ends with that round, won or not.
#[test]
fn a_round_opens_as_a_game() {
    let game = random_game::<Hearts>(3, 23);
    let record = game.record(&["A", "B", "C"].map(str::to_owned)).unwrap();
    let line = record.split(|&byte| byte == b'\n').next().unwrap();
    let (told, mut one) = opened::<Hearts>(line, 5).unwrap();
    let marked = [b"\xef\xbb\xbf", line].concat();
    assert_eq!(opened::<Hearts>(&marked, 5).unwrap().0.taken, told.taken);
    for action in &told.taken {
        one.act(action).unwrap();
    }
    assert_eq!((one.to_move(), one.actions()), (None, told.taken.len()));
    assert_eq!(one.view(Eyes::All)["rounds"].as_array().unwrap().len(), 1);
    assert!(one.has_record());
}

/// A game of a tournament that ends after this many rounds, with these ranks or else those of its points.
fn tournament_game<G: WholeGame>(seats: usize, rounds: usize) -> Value {
    let names: Vec<String> = (0..seats).map(|seat| format!("P{seat}")).collect();
    let mut all = Vec::new();
    for seed in 60.. {
        let record = random_game::<G>(seats, seed).record(&names).unwrap();
        for line in record
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            all.push(serde_json::from_slice::<Value>(line).unwrap());
        }
        if all.len() >= rounds {
            break;
        }
    }
    all.truncate(rounds);
    let sum = |seat: usize| -> u64 {
        all.iter()
            .filter_map(|one| one["points"][seat].as_u64())
            .sum()
    };
    let standings: Vec<i64> = (0..seats)
        .map(|seat| sum(seat) as i64 * if G::LOW_IS_GOOD { -1 } else { 1 })
        .collect();
    json!({
        "contest": G::NAME, "version": 1, "id": "4p1.1.2.3-7-2", "seed": 1, "players": names,
        "rounds": all, "ranks": arena::ranking::places(&standings),
    })
}

/// A game of a tournament opens as a whole: to the goal, or to the number of rounds of that tournament, although a
/// player has won by the points before.
fn games_of_tournaments_open<G: WholeGame>(seats: usize) {
    let to_the_goal = random_game::<G>(seats, 60).view(Eyes::All)["rounds"]
        .as_array()
        .unwrap()
        .len();
    for rounds in [1, to_the_goal, to_the_goal + 3] {
        let record = tournament_game::<G>(seats, rounds);
        let (told, mut game) = opened::<G>(record.to_string().as_bytes(), 5).unwrap();
        for action in &told.taken {
            assert!(game.to_move().is_some(), "{rounds} rounds");
            game.act(action).unwrap();
        }
        assert_eq!(game.to_move(), None, "{rounds} rounds");
        let view = game.view(Eyes::All);
        let points: Vec<&Value> = record["rounds"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["points"])
            .collect();
        assert_eq!(
            view["rounds"]
                .as_array()
                .unwrap()
                .iter()
                .collect::<Vec<_>>(),
            points
        );
        assert_eq!(json!(game.places()), record["ranks"]);
    }
}

#[test]
fn a_game_of_a_tournament_opens() {
    games_of_tournaments_open::<Hearts>(3);
    games_of_tournaments_open::<Eights>(4);
    let refused = |record: &Value, expected: &str| {
        let error = opened::<Hearts>(record.to_string().as_bytes(), 1)
            .err()
            .unwrap();
        assert!(error.contains(expected), "{error}");
    };
    let mut record = tournament_game::<Hearts>(3, 2);
    let places: Vec<f64> = serde_json::from_value(record["ranks"].clone()).unwrap();
    record["ranks"] = json!(places.iter().map(|place| 4.0 - place).collect::<Vec<_>>());
    refused(&record, "line 1: ranks [");
    let fault =
        json!({ "action": 3, "player": 1, "kind": "timeout", "detail": "no card within 5 s" });
    record["rounds"][1]["faults"] = json!([fault]);
    refused(
        &record,
        "line 1: player 2 lost this game by a fault (timeout), and a table has no faults",
    );
    record["ranks"] = json!(places);
    assert!(opened::<Hearts>(record.to_string().as_bytes(), 1).is_ok());
    record["rounds"][1]["cards"][0] = json!("zz");
    refused(&record, "line 1: round 2: \"zz\" is no card");
    record["rounds"] = json!([]);
    refused(&record, "line 1: the game has no rounds");
}

fn codes(cards: Cards) -> String {
    crate::tricks::record::words(cards)
}

/// The position of a game as somebody would write it who knows the hands of the seats that `told` marks.
fn position_of<G: WholeGame>(game: &Game<G>, told: &[bool]) -> Value {
    let deal = game.current();
    let hands = told.iter().enumerate().map(|(seat, &is_told)| {
        let hand = deal.round.hand(seat);
        if is_told {
            return codes(hand);
        }
        // Cards that this seat took openly are known to all.
        let mut known = Cards::EMPTY;
        let mut round = deal.start.clone();
        for &(other, card) in &deal.cards {
            if other == seat && round.taking() {
                known.insert(card);
            }
            round.act(card);
        }
        let known = known & hand;
        let hidden = vec!["?"; hand.len() - known.len()].join(" ");
        format!("{} {hidden}", codes(known))
    });
    let cards: Vec<String> = deal.cards.iter().map(|&(_, card)| card.code()).collect();
    let mut totals = game.totals();
    if totals.iter().all(|&total| total == 0) {
        totals.clear();
    }
    json!({
        "first": deal.start.to_act().unwrap() + 1,
        "hands": hands.collect::<Vec<_>>(),
        "pool": codes(deal.round.pool()),
        "cards": cards.join(" "),
        "totals": totals,
    })
}

/// Any position of a game can be set up, with any hands unknown. Unknown hands are then dealt so that they
/// fit everything that is known.
fn positions_are_set_up<G: WholeGame>(seats: usize, seed: u64) {
    let whole = random_game::<G>(seats, seed);
    let mut rng = stream(seed, 97);
    for number in (0..whole.actions()).step_by(41) {
        let game = whole.at(number);
        let mut told: Vec<bool> = (0..seats).map(|_| below(&mut rng, 2) == 0).collect();
        told[below(&mut rng, seats)] = true;
        let text = position_of(rounds::<G>(&game), &told).to_string();
        let (read, mut again) = opened::<G>(text.as_bytes(), number as u64)
            .unwrap_or_else(|error| panic!("{number}: {text}: {error}"));
        assert_eq!(read.taken, Vec::<String>::new());
        assert_eq!((again.to_move(), again.actions()), (game.to_move(), 0));
        for seat in (0..seats).filter(|&seat| told[seat]) {
            let (mine, then) = (game.view(Eyes::Seat(seat)), again.view(Eyes::Seat(seat)));
            assert_eq!(mine["legal"], then["legal"]);
        }
        let totals = |view: Value| -> Vec<u64> {
            let mut sums: Vec<u64> = serde_json::from_value(view["before"].clone()).unwrap();
            for round in view["rounds"].as_array().unwrap() {
                for (sum, points) in sums.iter_mut().zip(round.as_array().unwrap()) {
                    *sum += points.as_u64().unwrap();
                }
            }
            sums
        };
        let eyes = Eyes::Onlooker;
        assert_eq!(totals(game.view(eyes)), totals(again.view(eyes)));
        if told.iter().all(|&told| told) {
            // If all hands are known it is the same round.
            let log = |view: Value| view["log"].as_array().unwrap().clone();
            let (mine, then) = (log(game.view(Eyes::All)), log(again.view(Eyes::All)));
            let start = mine
                .iter()
                .rposition(|entry| entry["deal"].is_u64())
                .unwrap();
            assert_eq!(mine[start + 1..], then[1..]);
            assert_eq!(mine[start]["hands"], then[0]["hands"]);
        }
        // The position can be played on, and taken back to where it started but no further.
        let (seat, action) = (again.to_move().unwrap(), again.choices()[0].action.clone());
        again.act(&action).unwrap();
        assert_eq!(again.taken(), [(seat, action)]);
        assert_eq!(again.back(seat, true), Some(0));
        again.go_back(0);
        assert_eq!(again.taken(), []);
        assert_eq!(again.back(seat, true), None);
    }
}

#[test]
fn any_position_is_set_up() {
    for seats in 3..=6 {
        positions_are_set_up::<Hearts>(seats, 40 + seats as u64);
    }
    positions_are_set_up::<Eights>(4, 44);
}

/// The log of the Tricky Eights server, and the lines that it sends to each program, open to the same cards.
#[test]
fn lines_of_the_server_are_read() {
    use crate::eights::{Event, Judge};
    let mut judge = Judge::new(3);
    let agent = tricks::Agent::Policy(eights::player::Baseline::Counter);
    let mut players = [0, 1, 2, 3].map(|seat| eights::player::Client::new(agent, seat));
    let mut log = String::new();
    let mut sent: [String; 4] = Default::default();
    let mut asked = 0;
    while judge.asked().is_some() {
        let mut answer = None;
        for event in judge.events() {
            log += &format!("{}\n", event.log_line());
            if let Event::Sent { seat, line } = event {
                sent[seat] += &format!("{line}\n");
                if let Some(card) = players[seat].receive(&line).answer {
                    answer = Some((seat, card));
                }
            }
        }
        let (seat, card) = answer.unwrap();
        asked += 1;
        if asked % 97 == 5 {
            // The program whose turn it is opens the lines it was sent so far.
            let (_, game) = opened::<Eights>(sent[seat].as_bytes(), asked).unwrap();
            assert_eq!(
                (game.to_move(), game.actions()),
                (Some(seat), 0),
                "{}",
                sent[seat]
            );
            let choices: Vec<String> = game.choices().into_iter().map(|one| one.action).collect();
            assert!(choices.contains(&card.code()), "{card}: {choices:?}");
            // The same moment from the server's log, where all hands are known.
            let (whole, mut other) = opened::<Eights>(log.as_bytes(), 1).unwrap();
            for action in &whole.taken {
                other.act(action).unwrap();
            }
            assert_eq!(other.choices(), game.choices());
            let (mine, all) = (game.view(Eyes::Seat(seat)), other.view(Eyes::Seat(seat)));
            assert_eq!(mine["legal"], all["legal"]);
        }
        judge.receive(seat, &card.code());
    }
    for event in judge.events() {
        log += &format!("{}\n", event.log_line());
    }
    let (whole, mut game) = opened::<Eights>(log.as_bytes(), 1).unwrap();
    assert_eq!(whole.names[0], "North");
    for action in &whole.taken {
        game.act(action).unwrap();
    }
    assert_eq!(game.to_move(), None);
    assert_eq!(game.view(Eyes::All)["winner"], json!(judge.winner()));
    for (text, expected) in [
        ("hello", "play, result or endround, not \"hello\""),
        ("take n ht e", "line 1: expected starthand first"),
        ("n take e", "line 1: expected starthand for north first"),
        (
            "starthand n c2",
            "line 1: 1 different cards where 10 were expected",
        ),
        ("# nothing", "expected a line with starthand"),
    ] {
        let error = opened::<Eights>(text.as_bytes(), 1).err().unwrap();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let first = sent[0].lines().next().unwrap();
    for (more, expected) in [
        ("", "nobody has taken a card yet"),
        (
            "aftertake n ht",
            "line 2: expected 4 seats with a card each, not 1",
        ),
        (
            "e take e",
            "line 2: \"e take e\" in the messages of one seat",
        ),
    ] {
        let text = format!("{first}\n{more}\n");
        let error = opened::<Eights>(text.as_bytes(), 1).err().unwrap();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn what_cannot_be_dealt_is_refused() {
    let mut game = begin::<Hearts>(4, 9);
    play_on(&mut game, 23);
    let text = position_of(rounds::<Hearts>(&game), &[true; 4]).to_string();
    assert!(opened::<Hearts>(text.as_bytes(), 1).is_ok());
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let mut wrong = |field: &str, with: Value, expected: &str| {
        let kept = std::mem::replace(&mut value[field], with);
        let error = opened::<Hearts>(value.to_string().as_bytes(), 1).err();
        let error = error.unwrap_or_default();
        assert!(
            error.contains(expected),
            "{field}: {error:?} for {expected:?}"
        );
        value[field] = kept;
    };
    wrong("first", json!(5), "first: expected 1 to 4, not 5");
    wrong(
        "hands",
        json!(["c2"]),
        "hands: expected 3 to 6 players, not 1",
    );
    wrong(
        "hands",
        json!(["c2", "", "", ""]),
        "hand 1: expected 7 cards, not 1",
    );
    wrong("totals", json!([1, 2]), "totals: expected 4 numbers");
    wrong(
        "totals",
        json!([100, 2, 3, 4]),
        "totals: player 2 has won already",
    );
    wrong(
        "totals",
        json!([1, 2, 3, 40_000]),
        "totals: expected 0 to 10000 points",
    );
    wrong("pool", json!("c3"), "pool: 1 cards are open");
    wrong(
        "cards",
        json!("c2 c2"),
        "cards: card 2 is ♣2, which was played before",
    );
    wrong("cards", json!("zz"), "cards: \"zz\" is no card");
    wrong("card", json!("c2"), "unknown field");
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let elsewhere = rounds::<Hearts>(&game).current().cards[0].1.code();
    let hand = value["hands"][0].as_str().unwrap();
    value["hands"][0] = json!(format!("{elsewhere}{}", &hand[2..]));
    let error = opened::<Hearts>(value.to_string().as_bytes(), 1)
        .err()
        .unwrap();
    assert!(error.contains("hand 1: ♣2 is elsewhere"), "{error}");
    for (text, expected) in [
        ("", "there is nothing to open"),
        (
            "[1]",
            "where the { of a record or of a position was expected",
        ),
        ("{", "neither rounds of a record nor a position"),
        ("{\"contest\":\"eights\"}", "line 1: missing field"),
    ] {
        let error = opened::<Hearts>(text.as_bytes(), 1).err().unwrap();
        assert!(error.contains(expected), "{text}: {error}");
    }
    // Two records whose lines belong to different games.
    let names = ["A", "B", "C"].map(str::to_owned);
    let [one, two] = [1, 2].map(|seed| {
        let record = random_game::<Hearts>(3, seed).record(&names).unwrap();
        let line = record.split(|&byte| byte == b'\n').next().unwrap();
        String::from_utf8(line.to_vec()).unwrap()
    });
    let error = opened::<Hearts>(format!("{one}\n\n{two}\n").as_bytes(), 1);
    let error = error.err().unwrap();
    assert!(error.starts_with("line 3: round table-"), "{error}");
    let error = opened::<Eights>(one.as_bytes(), 1).err().unwrap();
    assert!(error.starts_with("line 1: contest \"hearts\""), "{error}");
}
