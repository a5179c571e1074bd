//! Builds the public tree of a hand's last tricks.

use super::tree::{Edge, Node, NodeKind, Tree};
use challenge::equilibrium::Stakes;
use challenge::rules::{Card, Cards, Decision, PublicState};

/// A hand with at most a few tricks left, and the hands that both players may hold.
#[derive(Clone, Debug)]
pub struct Endgame {
    pub public: PublicState,
    /// The values of the results of the hand.
    pub stakes: Stakes,
    /// By player, the sets of cards that it may still hold, without one on the table.
    pub hands: [Vec<Cards>; 2],
    /// The weights of pairs, a row for each hand of player 0.
    pub weights: Vec<f32>,
}

impl Endgame {
    /// Builds the tree. Payoffs are player 0's chances to win the game, less that of a tie.
    pub fn tree(&self) -> Tree {
        let sizes = [0, 1].map(|seat: usize| self.hands[seat].len());
        let mut tree = Tree::new(sizes, self.weights.clone());
        let hands = sizes.map(|size| (0..size as u16).collect());
        self.grow(&mut tree, self.public, hands, &self.hands);
        tree
    }

    /// Adds the subtree of a public state and returns the number of its node. By player, `hands` are the hands
    /// that can be here, by their numbers at the root, and `cards` are the cards that they still hold.
    fn grow(
        &self,
        tree: &mut Tree,
        public: PublicState,
        hands: [Vec<u16>; 2],
        cards: &[Vec<Cards>; 2],
    ) -> usize {
        let number = tree.nodes.len();
        // A node comes before its children. A placeholder keeps its number while they are added.
        tree.nodes.push(Node {
            kind: NodeKind::Fold(0.0),
            hands: [Vec::new(), Vec::new()],
        });
        let kind = match self.end(&public, cards) {
            Some(kind) => kind,
            None => self.decision(tree, public, &hands, cards),
        };
        tree.nodes[number] = Node { kind, hands };
        number
    }

    /// The leaf, if nothing is left to decide.
    fn end(&self, public: &PublicState, cards: &[Vec<Cards>; 2]) -> Option<NodeKind> {
        // A winner may be certain before the last trick; the hand ends there unless an offer is
        // open.
        if public.is_over() || (!public.must_answer() && public.settled().is_some()) {
            return Some(NodeKind::Fold(self.payoff(public)));
        }
        let last = public.tricks_left() == 1 && public.table.is_none();
        if !last || !public.in_challenge() {
            return None;
        }
        // In the last trick of an accepted challenge nothing is left to choose: the cards are
        // compared.
        let mut payoffs = [0.0; 3];
        // The payoff if player 0 loses the trick, ties it, wins it.
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
        Some(NodeKind::Showdown { payoffs, strengths })
    }

    /// Player 0's chance to win the game after the hand has ended like this, less that after a tie.
    fn payoff(&self, public: &PublicState) -> f32 {
        // Stakes are the opener's chances; the other player has the rest.
        let tied = match public.opener {
            0 => self.stakes.tied,
            _ => 1.0 - self.stakes.tied,
        };
        self.stakes.of(public, 0) - tied
    }

    /// Adds the subtrees behind all decisions of the player to act, and returns the node's kind.
    fn decision(
        &self,
        tree: &mut Tree,
        public: PublicState,
        hands: &[Vec<u16>; 2],
        cards: &[Vec<Cards>; 2],
    ) -> NodeKind {
        let seat = public.to_act();
        let decisions: Vec<Decision> = if public.must_answer() {
            vec![Decision::Accept, Decision::Reject]
        } else {
            let offer = public.can_challenge().then_some(Decision::Offer);
            Card::all().map(Decision::Play).chain(offer).collect()
        };
        let mut edges = Vec::new();
        for decision in decisions {
            // The hands that can take this decision; the others do not go there.
            let places: Vec<u16> = (0u16..)
                .zip(&cards[seat])
                .filter(|(_, own)| match decision {
                    Decision::Play(card) => own.contains(card),
                    _ => true,
                })
                .map(|(place, _)| place)
                .collect();
            if places.is_empty() {
                continue;
            }
            let mut hands = hands.clone();
            hands[seat] = pick(&hands[seat], &places);
            let mut cards = cards.clone();
            cards[seat] = pick(&cards[seat], &places);
            if let Decision::Play(card) = decision {
                // The card has left the hands that played it.
                for own in &mut cards[seat] {
                    own.remove(card);
                }
            }
            let child = self.grow(tree, public.after(decision), hands, &cards);
            edges.push(Edge {
                decision,
                child,
                hands: places,
            });
        }
        NodeKind::Decision { seat, edges }
    }
}

/// The elements at these places.
fn pick<T: Copy>(from: &[T], places: &[u16]) -> Vec<T> {
    places
        .iter()
        .map(|&place| from[usize::from(place)])
        .collect()
}
