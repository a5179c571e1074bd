//! Records that break the rules: the replay names each inconsistency, and never panics.

use super::super::super::record::{GameRecord, Move};
use super::super::super::rules::{Board, COPIES, DECK, Place, Symbol};
use super::super::super::view::View;
use super::super::{ReplayOptions, replay};
use super::{example, record};
use Symbol::{Bottle, Gun, Hat, Keys, Skull};
use engine::rng;
use proptest::prelude::*;

#[track_caller]
fn check(record: &GameRecord, expected: &[&str]) {
    let found = replay(record, &ReplayOptions::default());
    let messages: Vec<String> = found
        .inconsistencies
        .iter()
        .map(|o| o.to_string())
        .collect();
    assert_eq!(messages, expected);
    let world = found.belief.sample(&found.view, &mut rng::stream(1, 1));
    assert_eq!(View::of(world.state(), found.view.seat), found.view);
}

#[track_caller]
fn check_moves(moves: &[(usize, Place, Place, Option<Symbol>)], hand: usize, expected: &[&str]) {
    let last = moves.last().map_or(1, |m| m.0);
    check(
        &record(2, moves, last, &[Skull, Hat, Keys, Gun][..hand]),
        expected,
    );
}

#[test]
fn moves_against_the_rules() {
    check_moves(
        &[(1, 7, 9, None)],
        3,
        &["move 1: player 1 has no pirate on 7; left out"],
    );
    check_moves(
        &[(1, 0, 7, None)],
        2,
        &["move 1: from 0 a hat card leads to 2, not to 7"],
    );
    check_moves(
        &[(1, 0, 2, Some(Gun))],
        2,
        &["move 1: gun was played, but space 2 has hat"],
    );
    check_moves(
        &[(1, 0, 2, None), (1, 2, 1, None)],
        2,
        &["move 2: space 1 is empty: there is no retreat from 2"],
    );
    check_moves(
        &[(1, 0, 1, None), (1, 1, 0, Some(Hat))],
        2,
        &[
            "move 2: a retreat plays no card, but hat is named",
            "move 2: no pirate goes back to the cell: there is no retreat from 1",
        ],
    );
    check_moves(
        &[(1, 0, 0, None)],
        3,
        &["move 1: the pirate on 0 does not move; left out"],
    );
}

/// A retreat skips a space with three pirates. A record that says otherwise is played on.
#[test]
fn full_spaces() {
    let moves = [
        (1, 0, 3, None),
        (1, 0, 4, None),
        (1, 4, 3, None),
        (2, 0, 4, None),
        (2, 4, 3, None),
        (2, 0, 4, None),
        (1, 0, 5, None),
        (1, 5, 3, None),
    ];
    // The retreats to space 3 draw one, two and three cards; the last one breaks the rules.
    check_moves(
        &moves,
        4,
        &["move 8: space 3 is full: from 5 a retreat leads to 4"],
    );
}

/// A player who could act may not be passed over, neither by the order of turns nor by a fourth action.
#[test]
fn turn_order() {
    check(
        &record(
            3,
            &[
                (1, 0, 1, None),
                (3, 0, 2, None),
                (1, 1, 3, None),
                (2, 0, 4, None),
            ],
            2,
            &[Hat, Hat],
        ),
        &["move 2: player 2 is passed over by player 3, but could act"],
    );
    check(
        &record(2, &[], 2, &[Hat, Hat, Hat]),
        &["player 1 is passed over by player 2, but could act"],
    );
    let four = [
        (1, 0, 1, None),
        (1, 0, 2, None),
        (1, 0, 3, None),
        (1, 3, 2, None),
    ];
    check_moves(
        &four,
        1,
        &["move 4: player 2 is passed over by player 1, but could act"],
    );
}

/// If an advance to the boat does not name its card, the replay reports this and assumes a card.
#[test]
fn cards_that_are_not_told() {
    let moves = [(1, 0, 37, None)];
    let found = replay(
        &record(2, &moves, 1, &[Hat, Hat]),
        &ReplayOptions::default(),
    );
    assert_eq!(
        found.inconsistencies[0].to_string(),
        "move 1: an advance into the boat must name its card, and none leads there from 0; \
         taken for bottle"
    );
    assert_eq!((found.deal, found.view.discards.total()), (3, 1));
}

/// Hands that no deal explains are reported, and cut down to the cards that the deck has.
#[test]
fn hands_that_do_not_fit() {
    check(
        &record(2, &[], 1, &[Hat; 20]),
        &[
            "no deal fits: with 3 cards dealt to each, player 1 has 3 cards, not 20",
            "the hand and the discards show 20 hat cards, the deck has 17",
        ],
    );
    check(
        &record(2, &[], 1, &[Hat; 40]),
        &[
            "no deal fits: with 3 cards dealt to each, player 1 has 3 cards, not 40",
            "the hand and the discards show 40 hat cards, the deck has 17",
        ],
    );
    let found = replay(&record(2, &[], 1, &[Hat; 20]), &ReplayOptions::default());
    assert_eq!(
        found.view.hand.to_string(),
        "17 hat",
        "as many as there are"
    );
    let options = ReplayOptions {
        deal: Some(6),
        ..ReplayOptions::default()
    };
    let found = replay(&example(), &options);
    assert_eq!(
        found.inconsistencies[0].message,
        "the deal does not fit: with 6 cards dealt to each, player 2 has 6 cards, not 3"
    );
    assert_eq!(
        found.inconsistencies.len(),
        1,
        "that is all there is to say"
    );
    assert_eq!(found.view.hand_sizes, [4, 3, 5, 0, 0, 0]);
}

/// Any number of dealt cards is recognised, not only the usual three and six.
#[test]
fn deals_that_only_others_fit() {
    let deal = |players, hand: &[Symbol]| {
        replay(&record(players, &[], 1, hand), &ReplayOptions::default()).deal
    };
    assert_eq!(deal(2, &[]), 0);
    assert_eq!(deal(6, &[Hat; 5]), 5);
    assert_eq!(deal(6, &[Hat; 17]), 17);
    // Player 1 has played four cards, so it was dealt more than three.
    let moves = [
        (1, 0, 1, None),
        (1, 0, 2, None),
        (1, 0, 3, None),
        (2, 0, 4, None),
        (1, 0, 5, None),
    ];
    let found = replay(&record(2, &moves, 1, &[Hat; 2]), &ReplayOptions::default());
    assert_eq!(found.deal, 6);
    let found = replay(&record(2, &moves, 1, &[]), &ReplayOptions::default());
    assert_eq!((found.deal, &found.inconsistencies[..]), (4, &[][..]));
}

#[test]
fn a_finished_game() {
    let mut moves = vec![(1, 0, 37, Some(Bottle)); 6];
    let found = replay(&record(2, &moves, 1, &[]), &ReplayOptions::default());
    assert_eq!(found.winner, Some(0));
    moves.push((2, 0, 1, None));
    let found = replay(&record(2, &moves, 1, &[]), &ReplayOptions::default());
    let last = found.inconsistencies.iter().find(|o| o.index == Some(6));
    assert_eq!(
        last.map(|o| &o.message[..]),
        Some("the game was over: player 1 had all pirates on the boat")
    );
}

/// A player without a card may retreat with a pirate from the boat, if the option allows that.
#[test]
fn a_retreat_from_the_boat_is_an_action() {
    let step = |player, to, card| Move {
        player,
        from: 0,
        to,
        card: Some(card),
    };
    let mut record = GameRecord {
        players: 3,
        board: Board::new(vec![Hat]).unwrap(),
        moves: vec![step(0, 2, Gun), step(1, 1, Hat), step(2, 2, Gun)],
        to_move: 1,
        hand: vec![],
    };
    let told = |record: &GameRecord, boat_retreat| {
        let deal = Some(1);
        let found = replay(record, &ReplayOptions { deal, boat_retreat });
        let told = found.inconsistencies.iter().map(|o| o.to_string());
        told.collect::<Vec<String>>()
    };
    let passed_over = "player 1 is passed over by player 2, but could act";
    let left = |record: &GameRecord| {
        let found = replay(record, &ReplayOptions::default());
        found
            .left
            .iter()
            .map(|left| left.to_string())
            .collect::<Vec<String>>()
    };
    // It has left the game, unless it moves again.
    assert_eq!(
        (told(&record, true), left(&record)),
        (
            vec![],
            vec![format!("{passed_over}; taken to have left the game")]
        )
    );
    assert_eq!(told(&record, false), [""; 0]);
    // It does so, and draws a card for the pirate on the space.
    let (from, to) = (2, 1);
    record.moves.push(Move {
        player: 0,
        from,
        to,
        card: None,
    });
    (record.to_move, record.hand) = (0, vec![Keys]);
    assert_eq!(told(&record, true), [""; 0]);
    assert_eq!(
        told(&record, false),
        ["move 4: a pirate on the boat stays there"]
    );
}

/// Six players hold the whole deck. A hat was played and went into the new pile, and player 2 has drawn nothing
/// from that pile. So player 2 cannot hold all 17 hats.
#[test]
fn a_hand_that_nobody_can_hold() {
    let moves = [(1, 0, 1, None), (1, 0, 2, None), (1, 2, 1, None)];
    let told = |hand: &[Symbol]| {
        let found = replay(
            &record(6, &moves, 2, hand),
            &ReplayOptions {
                deal: Some(17),
                ..ReplayOptions::default()
            },
        );
        let told = found.inconsistencies.iter().map(|o| o.to_string());
        told.collect::<Vec<String>>()
    };
    let mut hand = [Hat; 17];
    assert_eq!(told(&hand), ["nobody can hold this hand after these moves"]);
    hand[0] = Keys;
    assert_eq!(told(&hand), [""; 0]);
}

/// The contest's text cannot express such a record, but a program can build one.
#[test]
fn players_that_cannot_be_are_brought_into_range() {
    for (step, who) in [
        ((3, 0, 1, None), "player 3 or a place of 0 to 1"),
        ((1, 0, 39, None), "player 1 or a place of 0 to 39"),
        ((1, 39, 1, None), "player 1 or a place of 39 to 1"),
    ] {
        let text = format!("move 1: {who} does not exist; left out");
        check(&record(2, &[step], 1, &[Hat, Hat, Keys]), &[&text]);
    }
    let mut record = record(2, &[], 1, &[]);
    record.to_move = 2;
    let found = replay(&record, &ReplayOptions::default());
    assert_eq!((found.game.players, found.view.seat), (2, 1));
    record.players = 9;
    record.to_move = 9;
    let found = replay(&record, &ReplayOptions::default());
    assert_eq!((found.game.players, found.view.seat), (6, 5));
    record.players = 0;
    let found = replay(&record, &ReplayOptions::default());
    assert_eq!((found.game.players, found.view.seat), (2, 1));
}

fn symbols() -> impl Strategy<Value = Symbol> {
    (0usize..6).prop_map(|i| Symbol::ALL[i])
}

prop_compose! {
    /// Records with any content that a file can have.
    fn nonsense()(players in 2usize..=6, spaces in prop::collection::vec(symbols(), 1..=126))(
        moves in prop::collection::vec(
            (0..players, 0..=spaces.len() + 1, 0..=spaces.len() + 1, prop::option::of(symbols())),
            0..400,
        ),
        hand in prop::collection::vec(symbols(), 0..300),
        keep in 0usize..=300,
        to_move in 0..players,
        spaces in Just(spaces),
        players in Just(players),
    ) -> GameRecord {
        let step = |(player, from, to, card): (usize, usize, usize, _)| Move {
            player,
            from: from as Place,
            to: to as Place,
            card,
        };
        GameRecord {
            players,
            board: Board::new(spaces).unwrap(),
            moves: moves.into_iter().map(step).collect(),
            to_move,
            hand: hand.into_iter().take(keep).collect(),
        }
    }
}

/// Makes most moves start where a pirate stands, so that they are played.
fn sensible(record: &mut GameRecord) {
    let mut places = vec![[0; 6]; record.players];
    for (i, step) in record.moves.iter_mut().enumerate() {
        let own = &mut places[step.player][i % 6];
        if i % 10 != 0 {
            step.from = *own;
            *own = step.to;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_panics(
        record in nonsense(),
        mend: bool,
        few in 1usize..=126,
        deal in prop::option::of(0usize..=60),
        boat_retreat: bool,
    ) {
        let mut record = record;
        if few < record.board.spaces().len() {
            // On a short board pirates crowd together, so that retreats draw more cards.
            let spaces = record.board.spaces()[..few.div_ceil(8)].to_vec();
            record.board = Board::new(spaces).unwrap();
            let boat = record.board.boat();
            for step in &mut record.moves {
                step.from = step.from.min(boat);
                step.to %= boat + 1;
            }
        }
        if mend {
            sensible(&mut record);
        }
        let found = replay(&record, &ReplayOptions { deal, boat_retreat });
        let view = found.view;
        prop_assert!(view.taken < 3 && usize::from(view.pile) <= DECK);
        prop_assert!(view.discards.counts().iter().all(|&n| n <= COPIES));
        let belief = found.belief;
        let mut rng = rng::stream(7, 7);
        for _ in 0..3 {
            let world = belief.sample(&view, &mut rng);
            prop_assert_eq!(View::of(world.state(), view.seat), view);
        }
        for n in 0..=2 {
            let sum: f64 = belief.draws(&view, n).iter().map(|o| o.1).sum();
            prop_assert!((sum - 1.0).abs() < 1e-9, "{}", sum);
        }
        let shown = belief.unseen().to_string();
        prop_assert!(!shown.contains("NaN"), "{}", shown);
        for inconsistency in &found.inconsistencies {
            prop_assert!(inconsistency.index.is_none_or(|i| i < record.moves.len()));
        }
    }
}

/// With three players one that was passed over has left the game, until it moves again; its turns are skipped. With two
/// players nobody leaves.
#[test]
fn who_is_passed_over_has_left_the_game() {
    let gone = |players: usize, moves: &str| {
        let text = format!("{players}\ncell\nhat\ngun\nhat\ngun\nhat\ngun\nboat\n{moves}");
        let record = crate::notation::parse(text.as_bytes()).unwrap();
        // With six cards dealt everybody can act.
        let options = ReplayOptions {
            deal: Some(6),
            ..ReplayOptions::default()
        };
        let replay = replay(&record, &options);
        let mut state = replay.view.as_seen();
        replay.game.end_turn(&mut state);
        (replay.game.gone, state.to_move)
    };
    assert_eq!(gone(3, "1 0 1\n2 0 2\n3 0 3\n1\n"), (0b000, 1));
    assert_eq!(gone(3, "1 0 1\n2 0 2\n1 1 3\n2\n"), (0b100, 0));
    assert_eq!(gone(3, "1 0 1\n2 0 2\n1 1 3\n2 2 4\n1\n"), (0b100, 1));
    assert_eq!(
        gone(3, "1 0 1\n2 0 2\n1 1 3\n2 2 4\n3 0 5\n1\n"),
        (0b000, 1)
    );
    assert_eq!(gone(2, "2 0 1\n2 0 2\n1\n").0, 0);
    // The last one that is left would have won.
    assert_eq!(gone(3, "1 0 1\n1 1 3\n1 0 2\n1 0 4\n1\n").0, 0);
    assert_eq!(
        gone(3, "1 0 1\n2 0 2\n1 1 3\n1 0 2\n1 0 4\n1 0 5\n1\n").0,
        0b100
    );
}
