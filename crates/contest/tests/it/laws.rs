//! Laws of every game, checked along random games by one harness: legal actions are unique and in order;
//! copies stay what they were, and replaying the actions gives the same game again; a world sampled
//! for an observer looks the same to it and could have come about as it did; and at the end the points
//! add up. After OpenSpiel's tests of all its games (Lanctot et al. 2019).

use ::cartagena::belief::Belief;
use ::cartagena::rules::{self as cartagena, ActionList};
use ::cartagena::world::World;
use ::challenge::deals;
use ::challenge::rules as challenge;
use ::challenge::view as challenge_view;
use engine::rng::{Random, below, shuffle, stream};
use std::fmt::Debug;
use std::time::Duration;
use tricks::{Card, Round, View};

/// A game with all its chance: the same actions lead to the same position.
trait Table: Clone {
    /// What a player does.
    type Action: Copy + Debug + PartialEq;
    /// By what actions are listed.
    type Key: Ord + Debug;

    fn players(&self) -> usize;
    fn to_act(&self) -> Option<usize>;
    fn legal(&self) -> Vec<Self::Action>;
    fn key(action: Self::Action) -> Self::Key;
    fn act(&mut self, action: Self::Action);
    /// All there is, for comparison.
    fn all(&self) -> String;
    /// What a player sees.
    fn seen_by(&self, player: usize) -> String;
    /// The game as it could be as well, for all that the player knows.
    fn sampled(&self, player: usize, rng: &mut Random) -> Self;
    /// Checks what holds at the end.
    fn end(&self);
}

/// Plays random games, each checked at every position, for at most so many actions.
fn check<T: Table>(games: u64, longest: usize, start: impl Fn(&mut Random) -> T) {
    for number in 0..games {
        let mut rng = stream(number, 77);
        let first = start(&mut rng);
        let mut table = first.clone();
        let mut actions = Vec::new();
        while let Some(player) = table.to_act()
            && actions.len() < longest
        {
            assert!(player < table.players());
            let legal = table.legal();
            assert!(!legal.is_empty(), "nothing legal: {}", table.all());
            let in_order = legal.windows(2).all(|two| T::key(two[0]) < T::key(two[1]));
            assert!(in_order, "{legal:?}");
            assert_eq!(legal, table.legal(), "asked twice");
            for observer in 0..table.players() {
                let other = table.sampled(observer, &mut rng);
                assert_eq!(other.seen_by(observer), table.seen_by(observer));
                assert_eq!(other.to_act(), table.to_act());
                if player == observer {
                    assert_eq!(other.legal(), legal, "the observer knows what it may do");
                }
            }
            let action = legal[below(&mut rng, legal.len())];
            let (copy, before) = (table.clone(), table.all());
            table.act(action);
            assert_eq!(copy.all(), before, "a copy stays what it was");
            actions.push(action);
        }
        let mut again = first;
        for &action in &actions {
            assert!(again.legal().contains(&action));
            again.act(action);
        }
        assert_eq!(again.all(), table.all(), "a replay comes to the same");
        if table.to_act().is_none() {
            table.end();
        }
    }
}

/// A round of a trick-taking game with everybody's view of it, and the same after the deal.
#[derive(Clone, Debug)]
struct Tricks<R> {
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

#[test]
fn eights() {
    check(40, usize::MAX, |rng| {
        let round = ::eights::deal::deal(below(rng, 4), rng);
        Tricks::start(round, |round| {
            let points: u8 = (0..4).map(|seat| round.points(seat)).sum();
            assert_eq!((points, round.tricks()), (25, 13));
        })
    });
}

#[test]
fn hearts() {
    check(60, usize::MAX, |rng| {
        let players = 3 + below(rng, 4);
        let clean_first_trick = below(rng, 2) == 0;
        let options = ::hearts::rules::Options { clean_first_trick };
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
    });
}

/// A game of Cartagena.
#[derive(Clone)]
struct Pirates {
    game: cartagena::Game,
    world: World,
}

impl Table for Pirates {
    type Action = cartagena::Action;
    type Key = (u8, u8, u8);

    fn players(&self) -> usize {
        self.game.players
    }

    fn to_act(&self) -> Option<usize> {
        let state = self.world.state();
        let over = state.winner().is_some() || self.legal().is_empty();
        (!over).then_some(state.to_move as usize)
    }

    fn legal(&self) -> Vec<cartagena::Action> {
        let mut list = ActionList::new();
        self.game.legal_actions(self.world.state(), &mut list);
        list.to_vec()
    }

    fn key(action: cartagena::Action) -> (u8, u8, u8) {
        match action {
            cartagena::Action::Advance { from, symbol, .. } => (from, 0, symbol as u8),
            cartagena::Action::Retreat { from, .. } => (from, 1, 0),
            cartagena::Action::Pass => (u8::MAX, 0, 0),
        }
    }

    fn act(&mut self, action: cartagena::Action) {
        self.game.check(self.world.state(), action).expect("legal");
        self.world.act(&self.game, action);
    }

    fn all(&self) -> String {
        format!("{:?} {:?}", self.world.state(), self.world.pile())
    }

    fn seen_by(&self, player: usize) -> String {
        let view = ::cartagena::view::View::of(self.world.state(), player);
        format!("{view:?}")
    }

    fn sampled(&self, player: usize, rng: &mut Random) -> Self {
        let view = ::cartagena::view::View::of(self.world.state(), player);
        let belief = Belief::of_view(&view, self.game.players);
        Pirates {
            game: self.game.clone(),
            world: belief.sample(&view, rng),
        }
    }

    fn end(&self) {
        let state = self.world.state();
        let players = self.game.players;
        let held: usize = state.hands[..players]
            .iter()
            .map(|hand| usize::from(hand.total()))
            .sum();
        let all = held + usize::from(state.discards.total()) + self.world.pile().len();
        assert_eq!(all, 102, "no card is lost");
    }
}

#[test]
fn cartagena() {
    check(12, 250, |rng| {
        let board = ::cartagena::boards::standard(rng);
        let game = cartagena::Game::new(board, 2 + below(rng, 5));
        let world = World::deal(
            &game,
            3 * (1 + below(rng, 2)),
            stream(below(rng, 1 << 30) as u64, 5),
        );
        Pirates { game, world }
    });
}

/// A game of the challenge card game, with what was dealt and done, and what is to be dealt.
#[derive(Clone, Debug)]
struct Duel {
    game: challenge::Game,
    dealt: Vec<[challenge::Cards; 2]>,
    done: Vec<(usize, challenge::Decision)>,
    future: Random,
}

impl Duel {
    fn start(future: Random) -> Duel {
        let mut duel = Duel {
            game: challenge::Game::new(challenge::GameOptions::default()),
            dealt: Vec::new(),
            done: Vec::new(),
            future,
        };
        duel.deal_if_needed();
        duel
    }

    fn deal_if_needed(&mut self) {
        while self.game.needs_deal() {
            let cards = deals::fresh(&mut self.future);
            self.dealt.push(cards);
            self.game.deal(cards);
        }
    }

    fn context() -> challenge_view::ViewContext {
        challenge_view::ViewContext {
            game_id: 1,
            opponent_id: 2,
            remaining: Duration::ZERO,
        }
    }
}

impl Table for Duel {
    type Action = challenge::Decision;
    type Key = (u8, Option<challenge::Card>);

    fn players(&self) -> usize {
        2
    }

    fn to_act(&self) -> Option<usize> {
        self.game.to_act()
    }

    fn legal(&self) -> Vec<challenge::Decision> {
        let legal: Vec<_> = self
            .game
            .hand()
            .map_or(vec![], |hand| hand.legal().collect());
        let view = challenge_view::View::of(&self.game, &Duel::context());
        let seen: Vec<_> = view.map_or(vec![], |view| view.legal().collect());
        assert_eq!(legal, seen, "the view knows what is legal");
        legal
    }

    fn key(decision: challenge::Decision) -> Self::Key {
        match decision {
            challenge::Decision::Play(card) => (0, Some(card)),
            challenge::Decision::Offer => (1, None),
            challenge::Decision::Accept => (2, None),
            challenge::Decision::Reject => (3, None),
        }
    }

    fn act(&mut self, decision: challenge::Decision) {
        self.game.decide(decision).expect("legal");
        self.done.push((self.dealt.len(), decision));
        self.deal_if_needed();
    }

    fn all(&self) -> String {
        format!("{self:?}")
    }

    /// Of the player to act what its view says; the others see what is open, and their hand.
    fn seen_by(&self, player: usize) -> String {
        let view = challenge_view::View::of(&self.game, &Duel::context());
        let view = view.filter(|view| view.player_number == player);
        let hand = self.game.hand().expect("a hand");
        let open = hand.public();
        format!(
            "{view:?} {:?} {open:?} {:?}",
            hand.cards(player),
            self.game.points()
        )
    }

    /// The cards that the other has not played yet are drawn anew, and everything replayed.
    fn sampled(&self, player: usize, rng: &mut Random) -> Self {
        let hand = self.game.hand().expect("a hand");
        let other = 1 - player;
        let mut dealt = self.dealt.clone();
        let cards = dealt.last_mut().expect("a deal");
        let secret = hand.cards(other);
        let known = cards[other].minus(secret);
        let unseen = challenge::Cards::of_each(8)
            .minus(cards[player])
            .minus(known);
        let mut unseen: Vec<_> = unseen.iter().collect();
        shuffle(rng, &mut unseen);
        cards[other] = unseen[..secret.len()]
            .iter()
            .fold(known, |all, &card| all.with(card));
        let mut duel = Duel {
            game: challenge::Game::new(challenge::GameOptions::default()),
            dealt: vec![dealt[0]],
            done: Vec::new(),
            future: self.future.clone(),
        };
        duel.game.deal(dealt[0]);
        for &(_, decision) in &self.done {
            duel.game
                .decide(decision)
                .expect("what was done is legal in every such world");
            while duel.game.needs_deal() {
                let next = dealt[duel.dealt.len()];
                duel.dealt.push(next);
                duel.game.deal(next);
            }
        }
        duel.done.clone_from(&self.done);
        duel
    }

    fn end(&self) {
        let points = self.game.points();
        assert!(self.game.winner().is_some());
        assert!(points.iter().all(|&points| points <= 10), "{points:?}");
    }
}

#[test]
fn challenge() {
    check(60, 2000, |rng| {
        Duel::start(stream(below(rng, 1 << 30) as u64, 3))
    });
}
