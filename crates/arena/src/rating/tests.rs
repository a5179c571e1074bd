//! Tests of the ratings as a whole, from games to the table that is printed: what must not change
//! them, the scale, and what is said where games are too few or one-sided.

use super::*;
use engine::rng;

fn labels(labels: &[&str]) -> Vec<String> {
    labels.iter().map(|l| l.to_string()).collect()
}

fn outcome(seats: &[usize], ranks: &[f64]) -> Outcome {
    Outcome {
        seats: seats.into(),
        ranks: ranks.into(),
    }
}

/// A game of two programs, won by the first argument.
fn won(winner: usize, loser: usize) -> Outcome {
    outcome(&[winner, loser], &[1.0, 2.0])
}

fn row<'a>(table: &'a Table, label: &str) -> &'a Row {
    table.rows.iter().find(|r| r.label == label).unwrap()
}

/// Games of all kinds: 2 to 4 players, ties, programs on two seats.
fn mixed() -> Vec<Vec<Outcome>> {
    let mut random = rng::stream(3, 0);
    (0..400)
        .map(|block| {
            let players = 2 + block % 3;
            let seats: Vec<usize> = (0..players).map(|i| (block / 3 + i * i) % 4).collect();
            let scores: Vec<usize> = seats
                .iter()
                .map(|&p| p + rng::below(&mut random, 4))
                .collect();
            let rank = |own: &usize| {
                let ahead = scores.iter().filter(|s| *s > own).count();
                let equal = scores.iter().filter(|s| *s == own).count();
                ahead as f64 + (equal + 1) as f64 / 2.0
            };
            let ranks: Vec<f64> = scores.iter().map(rank).collect();
            vec![outcome(&seats, &ranks); 1 + block % 2]
        })
        .collect()
}

fn games<'a>(names: &[&str], blocks: impl IntoIterator<Item = &'a Vec<Outcome>>) -> Games {
    let mut games = Games::new(labels(names));
    for block in blocks {
        games.push(block).unwrap();
    }
    games
}

#[test]
fn the_order_of_the_games_does_not_matter() {
    let mut blocks = mixed();
    let names = ["a", "b", "c", "d"];
    let before = rate(&games(&names, &blocks), &Options::default()).unwrap();
    rng::shuffle(&mut rng::stream(1, 0), &mut blocks);
    let after = rate(&games(&names, &blocks), &Options::default()).unwrap();
    // `Debug` prints numbers to the last bit, so that equal texts mean equal bits.
    assert_eq!(format!("{before:?}"), format!("{after:?}"));
    let other = Options {
        seed: 2,
        ..Options::default()
    };
    let other = rate(&games(&names, &blocks), &other).unwrap();
    assert_eq!(other.rows[0].rating, before.rows[0].rating);
    assert_ne!(other.rows[0].low, before.rows[0].low);
}

#[test]
fn a_draw_is_half_a_win_and_half_a_loss() {
    let draw = vec![outcome(&[0, 1], &[1.5, 1.5]); 2];
    let (win, loss) = (vec![won(0, 1); 2], vec![won(1, 0); 2]);
    let rating = |wins: usize, draws: usize, losses: usize| {
        let counts = [(&win, wins), (&draw, draws), (&loss, losses)];
        let blocks = counts.into_iter().flat_map(|(b, n)| vec![b; n]);
        let table = rate(&games(&["a", "b"], blocks), &Options::default()).unwrap();
        row(&table, "a").rating.unwrap() - row(&table, "b").rating.unwrap()
    };
    let decisive = rating(60, 0, 40);
    assert!((rating(40, 40, 20) - decisive).abs() < 1e-9);
    assert!(
        (decisive - 400.0 * 1.5f64.log10()).abs() < 1.0,
        "{decisive}"
    );
}

#[test]
fn seats_of_one_program_say_nothing_about_it() {
    // `b` has the same places, whatever `a`'s two seats do between themselves, also if these tie.
    let table = |ranks: [[f64; 3]; 2]| {
        let blocks = [
            vec![outcome(&[0, 0, 1], &ranks[0])],
            vec![outcome(&[0, 0, 1], &ranks[1])],
            vec![outcome(&[0, 1, 0], &[3.0, 1.0, 2.0])],
        ];
        rate(&games(&["a", "b"], &blocks), &Options::default()).unwrap()
    };
    let one = table([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]]);
    let other = table([[2.0, 1.0, 3.0], [3.0, 1.0, 2.0]]);
    let tied = table([[1.5, 1.5, 3.0], [3.0, 1.0, 2.0]]);
    assert_eq!(one, other);
    assert_eq!(one.rows[0].rating, tied.rows[0].rating);
    // `b` is first, second and third equally often, so both are equally strong.
    assert!(one.rows[0].rating.unwrap().abs() < 1e-6, "{one}");
}

#[test]
fn the_scale_is_anchored() {
    let games = games(&["a", "b", "c", "d"], &mixed());
    let mean = rate(&games, &Options::default()).unwrap();
    let sum: f64 = mean.rows.iter().map(|r| r.rating.unwrap()).sum();
    assert!(sum.abs() < 1e-9, "{mean}");
    let anchor = Anchor::Program {
        label: "b".into(),
        rating: 1500.0,
    };
    let options = Options {
        anchor,
        ..Options::default()
    };
    let fixed = rate(&games, &options).unwrap();
    let b = row(&fixed, "b");
    assert_eq!(
        (b.rating, b.low, b.high),
        (Some(1500.0), Some(1500.0), Some(1500.0))
    );
    let gap = |table: &Table| row(table, "d").rating.unwrap() - row(table, "b").rating.unwrap();
    assert!((gap(&mean) - gap(&fixed)).abs() < 1e-9);
    let unknown = Options {
        anchor: Anchor::Program {
            label: "x".into(),
            rating: 0.0,
        },
        ..Options::default()
    };
    let error = rate(&games, &unknown).unwrap_err();
    insta::assert_snapshot!(error, @r#"no program is called "x", whose rating is to be fixed: expected one of a, b, c, d"#);
}

#[test]
fn by_number_of_players() {
    let all = games(&["a", "b", "c", "d"], &mixed());
    let total: u64 = all
        .player_counts()
        .into_iter()
        .map(|players| {
            let table = rate(&all.with_players(players), &Options::default()).unwrap();
            assert_eq!(table.players, [players]);
            assert_eq!(table.rows[0].label, "d", "{table}");
            table.games
        })
        .sum();
    assert_eq!(total, rate(&all, &Options::default()).unwrap().games);
}

/// Programs that no chain of games compares are rated in groups of their own, each with its own places.
#[test]
fn groups_are_told_apart() {
    let blocks = [
        vec![won(0, 1), won(1, 0)],
        vec![won(3, 2), won(2, 3)],
        vec![won(3, 2), won(3, 2)],
    ];
    let table = rate(
        &games(&["a", "b", "c", "d", "e"], &blocks),
        &Options::default(),
    )
    .unwrap();
    assert_eq!(table.groups, 3);
    let places: Vec<_> = table
        .rows
        .iter()
        .map(|r| (r.label.as_str(), r.group, r.place))
        .collect();
    assert_eq!(
        places,
        [
            ("a", 1, Some(1)),
            ("b", 1, Some(2)),
            ("d", 2, Some(1)),
            ("c", 2, Some(2)),
            ("e", 3, None)
        ]
    );
    assert_eq!(row(&table, "b").superiority, None);
    let e = row(&table, "e");
    assert_eq!(
        (e.rating, e.low, e.note),
        (None, None, Some(Note::NotCompared))
    );
    insta::assert_snapshot!(table, @r#"
    place  program      Elo  ± 95 %    games  wins %  fair %  better than next %
        1  a            0.0   227.0        2   50.00   50.00                50.0
        2  b            0.0   227.0        2   50.00   50.00                   -
    group 2: no game compares it with those above
        1  d           88.4   333.7        4   75.00   50.00                66.4
        2  c          -88.4   333.7        4   25.00   50.00                   -
        -  e              -       -        0       -       -                   -
    e has not played against another program
    "#);
}

#[test]
fn who_won_everything_has_no_upper_limit() {
    let mut blocks = vec![vec![won(0, 1), won(1, 0)]; 20];
    blocks.extend(vec![vec![won(0, 2), won(0, 2)]; 20]);
    let table = rate(&games(&["a", "b", "c"], &blocks), &Options::default()).unwrap();
    let c = row(&table, "c");
    assert_eq!((c.low, c.note), (None, Some(Note::NeverAhead)));
    // Losing 40 of 40 games: the upper limit allows a chance of 3.7 in 40 (Clopper and Pearson).
    let exact = 400.0 * (0.088f64 / 0.912).log10();
    let high = c.high.unwrap();
    assert!(high > exact && high < 0.0, "{high} {exact}");
    // The other ratings are what they would be without `c`.
    let (a, b) = (row(&table, "a"), row(&table, "b"));
    assert!((a.rating.unwrap() + b.rating.unwrap()).abs() < 1e-9);
    assert_eq!((a.note, b.note), (None, None));
    assert!(row(&table, "b").superiority.unwrap() > 0.95);
}

/// Ratings are measured against the anchor: whoever never beat it has no lower limit, though others were beaten, and one
/// newcomer in few blocks makes the ratings of all uncertain that are measured against the mean of all.
#[test]
fn limits_are_against_what_a_rating_is_measured_against() {
    let mut blocks = vec![vec![won(0, 1), won(1, 0)]; 20];
    blocks.extend(vec![vec![won(2, 0)]; 20]);
    blocks.extend(vec![vec![won(2, 1)]; 20]);
    let of_two = games(&["a", "b", "c"], &blocks);
    let options = Options {
        anchor: Anchor::Program {
            label: "c".into(),
            rating: 0.0,
        },
        ..Options::default()
    };
    let table = rate(&of_two, &options).unwrap();
    let (a, c) = (row(&table, "a"), row(&table, "c"));
    assert_eq!((a.low, a.note), (None, Some(Note::NeverAhead)));
    assert_eq!((c.low, c.note), (Some(0.0), None));

    let mut blocks = vec![vec![won(0, 1), won(1, 0), won(0, 1)]; 100];
    let before = rate(&games(&["a", "b", "c"], &blocks), &Options::default()).unwrap();
    blocks.extend(vec![vec![won(2, 0), won(0, 2)], vec![won(2, 1), won(1, 2)]]);
    let after = rate(&games(&["a", "b", "c"], &blocks), &Options::default()).unwrap();
    let margin = |table: &Table| row(table, "a").margin().unwrap();
    assert!(margin(&after) > 2.0 * margin(&before), "{after}");
}

/// If all blocks end alike, the margin is what chance could have hidden, and nobody is the stronger one.
#[test]
fn blocks_that_end_alike_are_not_certain() {
    let blocks = [vec![won(0, 1), won(1, 0)]];
    for n in [1, 2, 3, 20, 60] {
        let table = rate(
            &games(&["a", "b"], vec![&blocks[0]; n]),
            &Options::default(),
        )
        .unwrap();
        let margin = table.rows[0].margin().unwrap();
        assert!(margin > 50.0 / (n as f64).sqrt(), "{n} blocks: {table}");
        let superiority = table.rows[0].superiority.unwrap();
        assert!((superiority - 0.5).abs() < 1e-6, "{superiority}");
    }
}

/// The same if only the line-ups of one program end alike: the others' spread says nothing about it.
#[test]
fn line_ups_that_end_alike_are_not_certain() {
    let mut blocks = Vec::new();
    for number in 0..6 {
        blocks.extend([
            vec![won(0, 1), won(0, 1)],
            vec![won(1, 2), won(1, 2)],
            vec![won(1, 3), won(1, 3)],
        ]);
        for (one, other) in [(0, 2), (0, 3), (2, 3)] {
            let again = match number % 3 {
                0 => won(other, one),
                _ => won(one, other),
            };
            blocks.push(vec![won(one, other), again]);
        }
    }
    let names = ["a", "b", "c", "d"];
    let table = rate(&games(&names, &blocks), &Options::default()).unwrap();
    let alike = row(&table, "b").margin().unwrap();
    assert!(alike > 50.0, "{table}");
}

/// The same where every pair has too few blocks to be drawn alone, or a single one.
#[test]
fn small_line_ups_that_end_alike_are_not_certain() {
    const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for times in [1, 4] {
        let pairs = (0..8).flat_map(|one| (0..one).map(move |other| (one, other)));
        let blocks: Vec<Vec<Outcome>> = pairs
            .flat_map(|(one, other)| vec![vec![won(one, other), won(other, one)]; times])
            .collect();
        let table = rate(&games(&NAMES, &blocks), &Options::default()).unwrap();
        let margin = table.rows[0].margin().unwrap();
        assert!(margin > 30.0, "{times}: {table}");
        let superiority = table.rows[0].superiority.unwrap();
        assert!((superiority - 0.5).abs() < 0.05, "{superiority}");
    }
}

/// A rating relative to an anchor rests on the games that link the two, however many others the program has played.
#[test]
fn a_link_that_ends_alike_is_not_certain() {
    let mut random = rng::stream(5, 0);
    let mut blocks = vec![vec![won(0, 1), won(1, 0)]; 20];
    for _ in 0..400 {
        let mut one = || match rng::below(&mut random, 5) < 3 {
            true => won(0, 2),
            false => won(2, 0),
        };
        blocks.push(vec![one(), one()]);
    }
    let games = games(&["linked", "anchor", "other"], &blocks);
    let anchor = Anchor::Program {
        label: "anchor".to_owned(),
        rating: 0.0,
    };
    let options = Options {
        anchor,
        ..Options::default()
    };
    let table = rate(&games, &options).unwrap();
    assert!(row(&table, "linked").margin().unwrap() > 90.0, "{table}");
    let table = rate(&games, &Options::default()).unwrap();
    assert!(row(&table, "linked").margin().unwrap() > 30.0, "{table}");
}

#[test]
fn written_as_csv_and_json() {
    let blocks = vec![vec![won(0, 1), won(1, 0)], vec![won(0, 1), won(0, 1)]];
    let names = ["builtin:runme,time=1", "the \"other\""];
    let table = rate(&games(&names, &blocks), &Options::default()).unwrap();
    let mut csv = Vec::new();
    table.write_csv(&mut csv).unwrap();
    let mut reader = csv::Reader::from_reader(csv.as_slice());
    let header = reader.headers().unwrap().clone();
    let json = serde_json::to_value(&table).unwrap();
    for (record, row) in reader.records().zip(&table.rows) {
        let record = record.unwrap();
        assert_eq!(record[1], row.label);
        assert_eq!(record[2].parse().ok(), row.rating);
        assert_eq!(record.len(), header.len());
    }
    assert_eq!(json["rows"][0]["label"], names[0]);
    assert_eq!(json["rows"][0]["share"], 0.75);
    let names: Vec<&str> = header.iter().collect();
    insta::assert_snapshot!(names.join(" "), @"place label rating low high games blocks share fair superiority group note");
    assert_eq!(json["rows"][1]["superiority"], serde_json::Value::Null);
}

#[test]
fn nothing_played() {
    let table = rate(&Games::new(labels(&["a", "b"])), &Options::default()).unwrap();
    assert!(
        table
            .rows
            .iter()
            .all(|r| r.rating.is_none() && r.share.is_none())
    );
    let none = rate(&Games::new(Vec::new()), &Options::default()).unwrap();
    assert!(none.rows.is_empty());
}
