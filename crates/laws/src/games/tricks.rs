//! The trick-taking games.

use super::Table;
use engine::rng::{Random, below};
use std::fmt::Debug;
use tricks::{Card, Round, View};

/// A round of a trick-taking game with everybody's view of it, and the same after the deal.
#[derive(Clone, Debug)]
pub struct Tricks<R> {
    round: R,
    views: Vec<View<R>>,
    dealt: Vec<View<R>>,
    end: fn(&R),
}

impl<R: Round> Tricks<R> {
    fn start(round: R, end: fn(&R)) -> Tricks<R> {
        let seats = 0..round.players();
        let views: Vec<View<R>> = seats.map(|seat| View::new(&round, seat)).collect();
        Tricks {
            dealt: views.clone(),
            views,
            round,
            end,
        }
    }

    /// Checks that a world could have come about as the round did: with the cards that were played
    /// put back, and those taken left out, every action was legal, and the observer saw the same.
    fn check_history(&self, player: usize, world: &R)
    where
        R: Debug + PartialEq,
    {
        let view = &self.views[player];
        let mut hands = world.hands();
        for past in view.history().iter().rev() {
            if past.took {
                assert!(
                    hands[past.seat].remove(past.card),
                    "{} was taken",
                    past.card
                );
            } else {
                hands[past.seat].insert(past.card);
            }
        }
        let start = view
            .history()
            .first()
            .map_or(view.round(), |first| &first.round);
        let mut replayed = start.with_hands(&hands);
        let mut again = self.dealt[player].clone();
        for past in view.history() {
            assert_eq!(replayed.to_act(), Some(past.seat));
            assert!(
                replayed.legal().contains(past.card),
                "{} in {replayed:?}",
                past.card
            );
            replayed.act(past.card);
            again.act(past.card);
        }
        assert_eq!((&replayed, &again), (world, view));
    }
}

impl<R: Round + Debug + PartialEq> Table for Tricks<R> {
    type Action = Card;
    type Key = Card;

    fn players(&self) -> usize {
        self.round.players()
    }

    fn to_act(&self) -> Option<usize> {
        self.round.to_act()
    }

    fn legal(&self) -> Vec<Card> {
        let legal = self.round.legal();
        let actor = self.round.to_act().expect("a player to act");
        assert_eq!(
            self.views[actor].round().legal(),
            legal,
            "the view knows what is legal"
        );
        legal.into_iter().collect()
    }

    fn key(card: Card) -> Card {
        card
    }

    fn act(&mut self, card: Card) {
        self.round.act(card);
        self.views.iter_mut().for_each(|view| view.act(card));
    }

    fn all(&self) -> String {
        format!("{self:?}")
    }

    fn seen_by(&self, player: usize) -> String {
        // What the view says must be what there is to be seen.
        assert_eq!(&self.round.seen_by(player), self.views[player].round());
        format!("{:?}", self.round.seen_by(player))
    }

    fn sampled(&self, player: usize, rng: &mut Random) -> Self {
        let worlds = self.views[player]
            .worlds()
            .expect("what happened is possible");
        let world = worlds(rng);
        self.check_history(player, &world);
        Tricks {
            round: world,
            ..self.clone()
        }
    }

    fn end(&self) {
        (self.end)(&self.round);
    }
}

/// A deal of Tricky Eights.
pub fn eights(rng: &mut Random) -> Tricks<::eights::rules::Round> {
    let round = ::eights::deal::deal(below(rng, 4), rng);
    Tricks::start(round, |round| {
        let points: u8 = (0..4).map(|seat| round.points(seat)).sum();
        assert_eq!((points, round.tricks()), (25, 13));
    })
}

/// A deal of Hearts for 3 to 6 players, with either rule for the first trick, and with the last trick.
pub fn hearts(rng: &mut Random) -> Tricks<::hearts::rules::Round> {
    let players = 3 + below(rng, 4);
    let options = ::hearts::rules::Options {
        clean_first_trick: below(rng, 2) == 0,
        ..Default::default()
    };
    let round = ::hearts::deal::deal(players, options, rng);
    Tricks::start(round, |round| {
        let players = round.players();
        let taken: u8 = (0..players).map(|seat| round.points(seat)).sum();
        assert_eq!(taken, 26);
        let scores = round.scores();
        let sum: usize = scores.iter().copied().map(usize::from).sum();
        let moon = scores[..players].contains(&26)
            && scores[..players].contains(&0)
            && sum == 26 * (players - 1);
        assert!(sum == 26 || moon, "{scores:?}");
    })
}
