//! Kuhn poker keeps the laws of all games, along every way through it and in random order.

use engine::rng::{below, stream};
use fifth_game::Kuhn;
use games::Eyes;
use games::any::erased;
use games::laws::check;
use tables::{Beginning, plain};

#[test]
fn kuhn_poker_keeps_the_laws() {
    games::bring(games::Kind::of::<Kuhn>());
    for seed in 0..40 {
        let (mut choices, mut worlds) = (stream(seed, 1), stream(seed, 2));
        let choose = |count| Some(below(&mut choices, count));
        let chance = (seed % 2 == 0).then_some(seed);
        check(&erased(Kuhn), chance, choose, &mut worlds);
    }
}

/// A plain table plays the game to its end, goes back in it, and advises a king to bet.
#[test]
fn kuhn_poker_is_played_at_a_table() {
    let table = plain(erased(Kuhn), "Kuhn poker", "Three cards, one bet.");
    let mut bets = 0;
    for seed in 0..30 {
        let mut game = table.begin(&Beginning::deal(2, seed)).unwrap();
        assert!(game.act("raise").is_err(), "no such action");
        let first = game.view(Eyes::Seat(0));
        if first["picture"]
            .as_str()
            .is_some_and(|svg| svg.contains("king"))
        {
            let advice = game.advise();
            let best = &advice.candidates[0];
            bets += u32::from(best.choice.action == "bet" && best.behind == 0.0);
        }
        while let Some(seat) = game.to_move() {
            let thought = game.think(seat);
            assert_eq!(thought.map(|action| game.act(&action)), Ok(Ok(())));
        }
        assert_eq!(game.at(0).view(Eyes::Seat(0)), first);
        assert_eq!(game.back(0, false), None, "the cards lie open");
        game.go_back(1);
        assert_eq!((game.actions(), game.to_move()), (1, Some(1)));
    }
    assert!(bets >= 5, "{bets}");
}
