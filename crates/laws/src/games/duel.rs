//! The challenge card game.

use super::Table;
use ::challenge::deals;
use ::challenge::rules as challenge;
use ::challenge::view as challenge_view;
use engine::rng::{Random, shuffle};
use std::time::Duration;

/// A game of the challenge card game, with what was dealt and done, and what is to be dealt.
#[derive(Clone, Debug)]
pub struct Duel {
    game: challenge::Game,
    dealt: Vec<[challenge::Cards; 2]>,
    done: Vec<(usize, challenge::Decision)>,
    future: Random,
}

impl Duel {
    /// A game whose deals come from there.
    pub fn start(future: Random) -> Duel {
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
