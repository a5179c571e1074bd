//! The rules once more, as plainly as they can be written: vectors, loops, nothing clever.
//!
//! The benches measure the fast rules against this, and a test checks that both say the same.
//! It shares nothing with the fast rules but the names of symbols and actions and the shuffle.

use cartagena::rules::{Action, Place, Symbol};
use engine::rng::{self, Random};

/// A game with every card in a known place.
#[derive(Clone)]
pub struct Naive {
    /// The symbols of spaces 1 to n.
    pub spaces: Vec<Symbol>,
    /// Each player's pirates, in no order.
    pub pirates: Vec<Vec<usize>>,
    /// How many pirates, anyone's, stand on each place.
    pub occupancy: Vec<usize>,
    /// How many cards of each symbol each player holds.
    pub hands: Vec<Vec<usize>>,
    /// The next card is the last.
    pub pile: Vec<Symbol>,
    /// Cards played since the last reshuffle.
    pub discards: Vec<Symbol>,
    /// The player to act.
    pub to_move: usize,
    /// Actions taken in this turn.
    pub taken: usize,
    rng: Random,
}

impl Naive {
    /// Shuffles the deck and deals.
    pub fn deal(spaces: Vec<Symbol>, players: usize, deal: usize, mut rng: Random) -> Naive {
        let mut pile = Vec::new();
        for symbol in Symbol::ALL {
            for _ in 0..17 {
                pile.push(symbol);
            }
        }
        rng::shuffle(&mut rng, &mut pile);
        let mut hands = vec![vec![0; 6]; players];
        for _ in 0..deal {
            for hand in &mut hands {
                hand[pile.pop().expect("a card to deal").index()] += 1;
            }
        }
        let mut occupancy = vec![0; spaces.len() + 2];
        occupancy[0] = 6 * players;
        Naive {
            occupancy,
            spaces,
            pirates: vec![vec![0; 6]; players],
            hands,
            pile,
            discards: Vec::new(),
            to_move: 0,
            taken: 0,
            rng,
        }
    }

    fn boat(&self) -> usize {
        self.spaces.len() + 1
    }

    /// Whether the player to move has all pirates on the boat.
    pub fn is_over(&self) -> bool {
        let boat = self.boat();
        self.pirates[self.to_move]
            .iter()
            .all(|&place| place == boat)
    }

    /// All legal actions except a pass, in the order of the fast rules.
    pub fn legal_actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.is_over() {
            return actions;
        }
        let mut places = self.pirates[self.to_move].clone();
        places.sort_unstable();
        places.dedup();
        for from in places {
            if from < self.boat() {
                for symbol in Symbol::ALL {
                    if self.hands[self.to_move][symbol.index()] == 0 {
                        continue;
                    }
                    let mut to = from + 1;
                    while to < self.boat()
                        && (self.spaces[to - 1] != symbol || self.occupancy[to] > 0)
                    {
                        to += 1;
                    }
                    actions.push(Action::Advance {
                        from: from as Place,
                        to: to as Place,
                        symbol,
                    });
                }
            }
            for to in (1..from).rev() {
                if self.occupancy[to] == 1 || self.occupancy[to] == 2 {
                    actions.push(Action::Retreat {
                        from: from as Place,
                        to: to as Place,
                    });
                    break;
                }
            }
        }
        actions
    }

    /// Takes a legal action.
    pub fn act(&mut self, action: Action) {
        let player = self.to_move;
        match action {
            Action::Advance { from, to, symbol } => {
                self.hands[player][symbol.index()] -= 1;
                self.discards.push(symbol);
                self.relocate(player, from.into(), to.into());
                if self.is_over() {
                    self.taken += 1;
                    return;
                }
            }
            Action::Retreat { from, to } => {
                for _ in 0..self.occupancy[to as usize] {
                    if self.pile.is_empty() {
                        self.pile.append(&mut self.discards);
                        self.pile.sort_unstable();
                        rng::shuffle(&mut self.rng, &mut self.pile);
                    }
                    if let Some(card) = self.pile.pop() {
                        self.hands[player][card.index()] += 1;
                    }
                }
                self.relocate(player, from.into(), to.into());
            }
            Action::Pass => self.taken = 2,
        }
        self.taken += 1;
        if self.taken == 3 {
            self.taken = 0;
            self.to_move = (self.to_move + 1) % self.pirates.len();
        }
    }

    fn relocate(&mut self, player: usize, from: usize, to: usize) {
        let pirate = self.pirates[player].iter().position(|&place| place == from);
        self.pirates[player][pirate.expect("a pirate there")] = to;
        self.occupancy[from] -= 1;
        self.occupancy[to] += 1;
    }
}
