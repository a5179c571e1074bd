//! The public tree of the last tricks.

use super::super::{Public, Stakes};
use super::tree::{Edge, Kind, Node, Tree};
use crate::rules::{Card, Cards, Challenge, Decision};

/// Which cards a follower may play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plays {
    /// All of them.
    All,
    /// The smallest winner, an equal card and the lowest.
    Sensible,
}

/// A position with at most a few tricks to go, and who may hold what.
#[derive(Clone, Debug)]
pub struct Endgame {
    /// What is public.
    pub public: Public,
    /// What the hand is worth.
    pub stakes: Stakes,
    /// By player, the sets of cards it may still hold, without one on the table.
    pub hands: [Vec<Cards>; 2],
    /// The weights of pairs, a row for each hand of player 0.
    pub weights: Vec<f32>,
    /// What is considered.
    pub plays: Plays,
}

impl Endgame {
    /// The tree. Payoffs are player 0's chances to win the game, less what a tie is worth.
    pub fn tree(&self) -> Tree {
        let sizes = [0, 1].map(|seat: usize| self.hands[seat].len());
        let mut tree = Tree::new(sizes, self.weights.clone());
        let alive = sizes.map(|size| (0..size as u16).collect());
        self.grow(&mut tree, self.public, alive, &self.hands);
        tree
    }

    fn grow(
        &self,
        tree: &mut Tree,
        public: Public,
        alive: [Vec<u16>; 2],
        cards: &[Vec<Cards>; 2],
    ) -> usize {
        let number = tree.nodes.len();
        // Its place comes before those of its children.
        tree.nodes
            .push(Node::new(Kind::Fold(0.0), [Vec::new(), Vec::new()]));
        let kind = match self.end(&public, cards) {
            Some(kind) => kind,
            None => self.decision(tree, public, &alive, cards),
        };
        tree.nodes[number] = Node::new(kind, alive);
        number
    }

    /// The payoff where nothing is left to decide.
    fn end(&self, public: &Public, cards: &[Vec<Cards>; 2]) -> Option<Kind> {
        let offered = matches!(public.challenge, Challenge::Offered(_));
        if public.is_over() || (!offered && public.settled().is_some()) {
            return Some(Kind::Fold(self.payoff(public)));
        }
        let last = public.left() == 1 && public.table.is_none();
        if !last || !matches!(public.challenge, Challenge::Accepted(_)) {
            return None;
        }
        // The last trick of an accepted challenge plays itself.
        let mut payoffs = [0.0; 3];
        for (payoff, ahead) in payoffs.iter_mut().zip([-1, 0, 1]) {
            let mut end = *public;
            match ahead {
                -1 => end.tricks[1] += 1,
                1 => end.tricks[0] += 1,
                _ => {}
            }
            *payoff = self.payoff(&end);
        }
        let strength = |cards: &Cards| cards.highest().map_or(0, Card::rank);
        let strengths = [0, 1].map(|seat: usize| cards[seat].iter().map(strength).collect());
        Some(Kind::Showdown { payoffs, strengths })
    }

    fn payoff(&self, public: &Public) -> f32 {
        let tied = match public.opener {
            0 => self.stakes.tied,
            _ => 1.0 - self.stakes.tied,
        };
        self.stakes.of(public, 0) - tied
    }

    fn decision(
        &self,
        tree: &mut Tree,
        public: Public,
        alive: &[Vec<u16>; 2],
        cards: &[Vec<Cards>; 2],
    ) -> Kind {
        let seat = public.to_act();
        let decisions: Vec<Decision> = if public.must_answer() {
            vec![Decision::Accept, Decision::Reject]
        } else {
            let offer = public.can_challenge().then_some(Decision::Offer);
            Card::all().map(Decision::Play).chain(offer).collect()
        };
        let mut edges = Vec::new();
        for decision in decisions {
            let can = |&(_, own): &(usize, &Cards)| self.can(&public, *own, decision);
            let hands: Vec<u16> = cards[seat]
                .iter()
                .enumerate()
                .filter(can)
                .map(|(place, _)| place as u16)
                .collect();
            if hands.is_empty() {
                continue;
            }
            let mut alive = alive.clone();
            alive[seat] = pick(&alive[seat], &hands);
            let mut cards = cards.clone();
            cards[seat] = pick(&cards[seat], &hands);
            if let Decision::Play(card) = decision {
                for own in &mut cards[seat] {
                    own.remove(card);
                }
            }
            let child = self.grow(tree, public.after(decision), alive, &cards);
            edges.push(Edge {
                decision,
                child,
                hands,
            });
        }
        let at = tree.size;
        tree.size += edges.len() * alive[seat].len();
        Kind::Decision { seat, edges, at }
    }

    /// Whether a decision is considered for a hand.
    fn can(&self, public: &Public, own: Cards, decision: Decision) -> bool {
        let Decision::Play(card) = decision else {
            return true;
        };
        let there = own.contains(card);
        match (self.plays, public.table) {
            (Plays::Sensible, Some(led)) if there => {
                let winner = own.ranks().find(|&own| own > led);
                card == led || Some(card) == winner || (card < led && own.lowest() == Some(card))
            }
            _ => there,
        }
    }
}

fn pick<T: Copy>(from: &[T], places: &[u16]) -> Vec<T> {
    places
        .iter()
        .map(|&place| from[usize::from(place)])
        .collect()
}
