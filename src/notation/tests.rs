//! The contest's notation: a printed record is read back, careless forms are accepted, and a bad input is refused
//! with its place and the reason.

use super::*;
use crate::perft;
use crate::record::{GameRecord, Move};
use crate::rules::{Action, ActionList, Board, Game, Symbol, Track};
use crate::world::World;
use engine::rng::{self, Random, below};
use proptest::prelude::*;

const EXAMPLE: &str = include_str!("../../tests/data/cartagena/interface-example.txt");

/// A legal game by random players, with up to `actions` actions. The cards of moves are named at random.
fn random_record(seed: u64, players: usize, spaces: usize, actions: usize) -> GameRecord {
    let mut rng = rng::stream(seed, 0);
    let mut symbol = || Symbol::ALL[below(&mut rng, 6)];
    let board = Board::new((0..spaces).map(|_| symbol()).collect()).unwrap();
    let game = Game::new(board, players);
    let deal = below(&mut rng, 7);
    let mut world = World::deal(&game, deal, rng::stream(seed, 1));
    let (mut moves, mut list) = (Vec::new(), ActionList::new());
    // Passes are limited as well: it may be that no player has a legal action any more.
    for _ in 0..2 * actions {
        if moves.len() == actions || world.state().winner().is_some() {
            break;
        }
        game.legal_actions(world.state(), &mut list);
        let stop = game.may_pass(world.state()) && below(&mut rng, 5) == 0;
        let action = if list.is_empty() || stop {
            Action::Pass
        } else {
            list[below(&mut rng, list.len())]
        };
        let player = usize::from(world.state().to_move);
        if let Some(mut step) = move_of(player, action) {
            if step.to != game.board.boat() && below(&mut rng, 2) == 0 {
                step.card = None;
            }
            assert_eq!(resolve(&game, step), Ok(action));
            moves.push(step);
        }
        world.act(&game, action);
    }
    let to_move = usize::from(world.state().to_move);
    let mut hand: Vec<Symbol> = world.state().hands[to_move].iter().collect();
    rng::shuffle(&mut rng, &mut hand);
    GameRecord {
        players,
        board: game.board,
        moves,
        to_move,
        hand,
    }
}

fn records() -> impl Strategy<Value = GameRecord> {
    (any::<u64>(), 2usize..=6, 1usize..=126, 0usize..=300)
        .prop_map(|(seed, players, spaces, actions)| random_record(seed, players, spaces, actions))
}

/// The same text with blanks, blank lines, upper case and line ends that the grammar accepts.
fn mangle(text: &str, mut rng: Random) -> String {
    let gap = |rng: &mut Random| ["", " ", "\t", " \t "][below(rng, 4)];
    let mut mangled = String::new();
    for line in text.lines() {
        for _ in 0..below(&mut rng, 3) {
            mangled += gap(&mut rng);
            mangled += ["\n", "\r\n", "\r\r\n"][below(&mut rng, 3)];
        }
        mangled += gap(&mut rng);
        for (i, word) in line.split(' ').enumerate() {
            if i > 0 {
                mangled += [" ", "\t", "  \t"][below(&mut rng, 3)];
            }
            let word = match (word, below(&mut rng, 2)) {
                ("keys", 0) => "key",
                _ => word,
            };
            mangled.extend(word.chars().map(|c| match below(&mut rng, 2) {
                0 => c.to_ascii_uppercase(),
                _ => c,
            }));
        }
        mangled += gap(&mut rng);
        mangled += ["\n", "\r\n"][below(&mut rng, 2)];
    }
    match below(&mut rng, 2) {
        0 => mangled.trim_end().into(),
        _ => mangled,
    }
}

#[test]
fn the_example_is_read_and_printed_back() {
    let record = parse(EXAMPLE.as_bytes()).unwrap();
    assert_eq!(record.players, 3);
    assert_eq!(record.board.boat(), 37);
    assert_eq!(
        record.board,
        perft::example().0.board,
        "one board, two places"
    );
    assert_eq!(record.moves.len(), 10);
    assert_eq!(record.to_move, 1);
    assert_eq!(record.hand, [Symbol::Hat, Symbol::Skull, Symbol::Hat]);
    assert_eq!(print(&record), EXAMPLE);
}

/// All ten moves follow from the rules, and a deal of three gives the hand that is shown.
#[test]
fn the_example_is_a_legal_game() {
    let record = parse(EXAMPLE.as_bytes()).unwrap();
    let game = Game::new(record.board.clone(), record.players);
    let mut track = Track::start(&game.board, game.players, game.pirates);
    let mut cards = [3; 3];
    for &step in &record.moves {
        let Move {
            player, from, to, ..
        } = step;
        assert!(track.pirates(player).contains(&from), "{step:?}");
        match resolve(&game, step).unwrap() {
            Action::Advance { symbol, .. } => {
                assert_eq!(track.advance(&game.board, from, symbol), to, "{step:?}");
                cards[player] -= 1;
            }
            Action::Retreat { .. } => {
                assert_eq!(track.retreat(from), Some(to), "{step:?}");
                cards[player] += track.pirates_on(to);
            }
            Action::Pass => unreachable!("no line stands for a pass"),
        }
        track.relocate(player, from, to);
    }
    assert_eq!(cards, [1, 3, 2]);
    assert_eq!(usize::from(cards[record.to_move]), record.hand.len());
}

#[test]
fn every_example_input_is_in_the_contests_form() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/cartagena");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "txt") {
            let text = std::fs::read_to_string(&path).unwrap();
            let record = parse(text.as_bytes()).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            assert_eq!(print(&record), text, "{path:?}");
            read += 1;
        }
    }
    assert!(read >= 6, "{read} examples");
}

proptest! {
    #[test]
    fn printing_then_reading_is_the_identity(record in records()) {
        prop_assert_eq!(parse(print(&record).as_bytes()), Ok(record));
    }

    #[test]
    fn careless_text_reads_the_same(record in records(), seed: u64) {
        let text = mangle(&print(&record), rng::stream(seed, 0));
        prop_assert_eq!(parse(text.as_bytes()), Ok(record), "{:?}", text);
    }

    #[test]
    fn answers_read_back(record in records(), seed: u64) {
        let game = Game::new(record.board.clone(), record.players);
        for &step in record.moves.iter().take(20) {
            let action = resolve(&game, step).unwrap();
            let answer = print_action(step.player, action);
            let step = move_of(step.player, action).unwrap();
            prop_assert_eq!(parse_action(answer.as_bytes()), Ok(Answer::Move(step)));
            let careless = mangle(&answer, rng::stream(seed, 0));
            prop_assert_eq!(parse_action(careless.as_bytes()), Ok(Answer::Move(step)));
        }
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse(&bytes).map_err(|e| e.to_string());
        let _ = parse_action(&bytes).map_err(|e| e.to_string());
    }

    /// Inserts, cuts, deletes and changes bytes of a good text: most of these inputs reach deep into the grammar.
    #[test]
    fn no_damage_panics(
        record in records(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4), 1..4),
    ) {
        let mut text = print(&record).into_bytes();
        for (index, byte, kind) in edits {
            let i = index.index(text.len().max(1));
            match kind {
                0 => text.insert(i, byte),
                1 => text.truncate(i),
                _ if text.is_empty() => {}
                2 => { text.remove(i); }
                _ => text[i] = byte,
            }
        }
        match parse(&text) {
            Ok(record) => prop_assert_eq!(parse(print(&record).as_bytes()), Ok(record)),
            Err(error) => {
                let lines = text.iter().filter(|&&b| b == b'\n').count() + 1;
                prop_assert!((1..=lines).contains(&error.line), "{}", error);
                prop_assert!(error.column <= text.len() + 1);
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }
}

#[test]
fn bad_inputs_say_where_and_why() {
    let start = "2\ncell\nskull\nboat\n";
    let after = |rest: &str| [start, rest].concat().into_bytes();
    let many = |line: &str, n: usize| [line, "\n"].concat().repeat(n);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", vec![]),
        ("blanks", b" \r\n\n\t".to_vec()),
        ("players", b"7\ncell\n".to_vec()),
        ("a long number", [b"9".repeat(400), b"\n".to_vec()].concat()),
        ("no cell", b"2\nskull\n".to_vec()),
        ("no space", b"2\ncell\nboat\n1\n".to_vec()),
        ("symbol", b"3\ncell\n    bta\n".to_vec()),
        ("two on a line", b"3\ncell\nskull  hat\n".to_vec()),
        ("not UTF-8", b"3\ncell\nsku\xff\xfell\n".to_vec()),
        ("UTF-8", "3\ncell\nTotenkopf\u{1b}ähn\n".into()),
        ("NUL", b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec()),
        ("board cut off", b"3\ncell\nskull".to_vec()),
        (
            "board too long",
            ["2\ncell\n", &many("gun", 127)].concat().into(),
        ),
        ("no turn", after("1 0 1\n")),
        ("player", after("3 0 1\n")),
        ("player 0", after("0\n")),
        ("place", after("1 0 3\n1\n")),
        ("negative place", after("1 -1 1\n1\n")),
        ("move cut off", after("1 0\r\n1\n")),
        ("move cut off at the end", after("1 0")),
        ("card", after("1 0 1 sabre\n1\n")),
        ("after the card", after("1 0 1 gun now\n1\n")),
        ("after the hand", after("1\nhat\n1 0 1\n")),
        ("a huge hand", after(&["1\n", &many("hat", 103)].concat())),
        ("CR alone", b"2\rcell\r".to_vec()),
        ("CR and line feed", b"2\r\ncell\r\nskul\r\n".to_vec()),
    ];
    let messages: String = cases
        .iter()
        .map(|(name, text)| format!("{name}: {}\n", parse(text).unwrap_err()))
        .collect();
    insta::assert_snapshot!(messages, @r#"
    nothing: line 1, column 1: expected the number of players (2 to 6), found the end of the input
    blanks: line 3, column 2: expected the number of players (2 to 6), found the end of the input
    players: line 1, column 1: expected the number of players (2 to 6), found "7"
    a long number: line 1, column 1: expected the number of players (2 to 6), found "999999999999999999999999…"
    no cell: line 2, column 1: expected "cell", found "skull"
    no space: line 3, column 1: expected a symbol (bottle, dagger, gun, hat, keys, skull), found "boat"
    symbol: line 3, column 5: expected a symbol (bottle, dagger, gun, hat, keys, skull), found "bta"
    two on a line: line 3, column 8: expected the end of the line, found "hat"
    not UTF-8: line 3, column 1: expected a symbol (bottle, dagger, gun, hat, keys, skull), found "sku\xff\xfell"
    UTF-8: line 3, column 1: expected a symbol (bottle, dagger, gun, hat, keys, skull), found "Totenkopf\u{1b}ähn"
    NUL: line 1, column 1: expected the number of players (2 to 6), found "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    board cut off: line 3, column 6: expected a symbol (bottle, dagger, gun, hat, keys, skull) or "boat", found the end of the input
    board too long: line 129, column 1: expected "boat" (a board has at most 126 spaces), found "gun"
    no turn: line 6, column 1: expected a move or the player to move (players are 1 to 2), found the end of the input
    player: line 5, column 1: expected a move or the player to move (players are 1 to 2), found "3"
    player 0: line 5, column 1: expected a move or the player to move (players are 1 to 2), found "0"
    place: line 5, column 5: expected a place from 0 to 2, found "3"
    negative place: line 5, column 3: expected a place from 0 to 2, found "-1"
    move cut off: line 5, column 4: expected a place from 0 to 2, found the end of the line
    move cut off at the end: line 5, column 4: expected a place from 0 to 2, found the end of the input
    card: line 5, column 7: expected a symbol (bottle, dagger, gun, hat, keys, skull) or the end of the line, found "sabre"
    after the card: line 5, column 11: expected the end of the line, found "now"
    after the hand: line 7, column 1: expected a symbol (bottle, dagger, gun, hat, keys, skull) or the end of the input, found "1"
    a huge hand: line 108, column 1: expected the end of the input (a hand has at most 102 cards, the whole deck), found "hat"
    CR alone: line 1, column 2: expected the end of the line, found "\rcell\r"
    CR and line feed: line 3, column 1: expected a symbol (bottle, dagger, gun, hat, keys, skull), found "skul"
    "#);
}

#[test]
fn answers() {
    let cases = [
        "",
        "\r\n \n",
        "2 0 7 hat\n",
        "\n 1 5 2\r\n\n",
        "6 126 127 KEY",
        "1 5",
        "1 5 2\n1 2 1\n",
        "pass\n",
        "7 0 1\n",
        "1 0 128\n",
        "2 0 7 hat, please\n",
        "2 0 7 hat !",
    ];
    let read: String = cases
        .iter()
        .map(|text| match parse_action(text.as_bytes()) {
            Ok(Answer::Move(step)) => format!("{text:?}: {}\n", print_move(&step)),
            Ok(Answer::Pass) => format!("{text:?}: a pass\n"),
            Err(error) => format!("{text:?}: {error}\n"),
        })
        .collect();
    insta::assert_snapshot!(read, @r#"
    "": a pass
    "\r\n \n": a pass
    "2 0 7 hat\n": 2 0 7 hat
    "\n 1 5 2\r\n\n": 1 5 2
    "6 126 127 KEY": 6 126 127 keys
    "1 5": line 1, column 4: expected a place from 0 to 127, found the end of the input
    "1 5 2\n1 2 1\n": line 2, column 1: expected nothing after the first line (one action only), found "1"
    "pass\n": line 1, column 1: expected a player from 1 to 6, found "pass"
    "7 0 1\n": line 1, column 1: expected a player from 1 to 6, found "7"
    "1 0 128\n": line 1, column 5: expected a place from 0 to 127, found "128"
    "2 0 7 hat, please\n": line 1, column 7: expected a symbol (bottle, dagger, gun, hat, keys, skull) or the end of the line, found "hat,"
    "2 0 7 hat !": line 1, column 11: expected the end of the line, found "!"
    "#);
    assert_eq!(print_action(3, Action::Pass), "");
}

#[test]
fn moves_that_are_no_actions() {
    let game = Game::new(parse(EXAMPLE.as_bytes()).unwrap().board, 3);
    let cases = [
        "4 0 1",
        "1 0 38",
        "1 127 3",
        "1 7 7",
        "1 20 37",
        "1 9 4 hat",
    ];
    let messages: String = cases
        .iter()
        .map(|text| match parse_action(text.as_bytes()) {
            Ok(Answer::Move(step)) => format!("{text}: {}\n", resolve(&game, step).unwrap_err()),
            other => panic!("{text}: {other:?}"),
        })
        .collect();
    insta::assert_snapshot!(messages, @r#"
    4 0 1: there is no player 4, only 3
    1 0 38: place 38 lies beyond the boat at 37
    1 127 3: place 127 lies beyond the boat at 37
    1 7 7: a move from 7 to 7 goes nowhere
    1 20 37: an advance into the boat must name its card
    1 9 4 hat: a retreat from 9 to 4 plays no card
    "#);
}
