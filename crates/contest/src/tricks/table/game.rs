//! A whole game as a table or `contest … games` plays it: its rounds one after the other, their results, and the
//! winner.

use super::WholeGame;
use super::deal::Deal;
use super::learnt::Learnt;
use engine::rng::stream;
use games::tricks::start::Begin;
use std::sync::Arc;
use tricks::{Card, Round};

/// A game under way.
#[derive(Clone)]
pub(crate) struct Game<G: WholeGame> {
    pub(super) contest: G,
    players: usize,
    seed: u64,
    /// The start, if it is not a deal of the seed.
    begin: Option<Arc<Begin<G::Round>>>,
    /// The rounds so far; the last one is under way unless the game is over.
    pub(super) deals: Vec<Deal<G::Round>>,
    /// Knowledge that players have gained in finished rounds.
    pub(super) learnt: Learnt<G::Policy>,
}

impl<G: WholeGame> Game<G> {
    /// A game that starts with these points, before its first action.
    pub(crate) fn with_totals(contest: G, seed: u64, totals: Vec<u32>) -> Game<G> {
        let begin = Begin {
            rounds: Vec::new(),
            before: Vec::new(),
            ends: false,
            totals,
        };
        let players = begin.totals.len();
        Game::beginning(contest, players, seed, Some(Arc::new(begin)))
    }

    /// A game that starts like this, before its first action.
    pub(super) fn beginning(
        contest: G,
        players: usize,
        seed: u64,
        begin: Option<Arc<Begin<G::Round>>>,
    ) -> Game<G> {
        let mut game = Game {
            contest,
            players,
            seed,
            begin,
            deals: Vec::new(),
            learnt: Learnt::default(),
        };
        game.deal();
        // Actions before the start belong to the position, not to this game.
        if let Some(begin) = game.begin.clone() {
            let deal = &mut game.deals[0];
            for &card in &begin.before {
                let seat = deal.round.to_act().unwrap_or(0);
                deal.round.act(card);
                deal.cards.push((seat, card));
            }
        }
        game
    }

    /// Deals the next round: a given one, or a new one from the seed.
    fn deal(&mut self) {
        let number = self.deals.len();
        let totals = self.totals();
        let told = self.told();
        let start = match told.get(number) {
            // A part of a game has no goal: it ends with its last round, and the best one so far has won, so only
            // points count.
            Some(round) if self.is_part() => round.clone(),
            Some(round) => self.contest.in_game(round.clone(), G::ends(), &totals),
            None => {
                // In Tricky Eights the seat that acts first moves on by one each round, beginning with the given first
                // round. In Hearts the cards say who leads, and the number says which way cards are passed.
                let first = told.first().and_then(Round::to_act);
                let first = first.filter(|_| G::POOL > 0).unwrap_or(0);
                let rng = &mut stream(self.seed, number as u64);
                let dealt = self
                    .contest
                    .deal(self.players, (number + first) as u64, rng);
                self.contest.in_game(dealt, G::ends(), &totals)
            }
        };
        self.deals.push(Deal::new(start));
    }

    /// The given first rounds, if the game is a replay.
    fn told(&self) -> &[G::Round] {
        self.begin.as_ref().map_or(&[], |begin| &begin.rounds)
    }

    /// Actions that were taken in the first round before the game started.
    pub(super) fn before(&self) -> usize {
        self.begin.as_ref().map_or(0, |begin| begin.before.len())
    }

    /// Whether the game started with a deal and without points.
    pub(super) fn is_from_deal(&self) -> bool {
        self.begin.as_ref().is_none_or(|begin| begin.is_deal())
    }

    /// The points before the first round.
    pub(super) fn totals_before(&self) -> Vec<u32> {
        let before = self.begin.as_ref().map(|begin| begin.totals.clone());
        before.unwrap_or_else(|| vec![0; self.players])
    }

    pub(crate) fn players(&self) -> usize {
        self.players
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Rounds that were dealt.
    pub(crate) fn rounds(&self) -> usize {
        self.deals.len()
    }

    pub(super) fn current(&self) -> &Deal<G::Round> {
        // Never empty: a game begins with a deal, and going back deals again.
        &self.deals[self.deals.len() - 1]
    }

    pub(crate) fn to_act(&self) -> Option<usize> {
        self.current().round.to_act()
    }

    /// Cards taken and played in all rounds since the game started.
    pub(crate) fn actions(&self) -> usize {
        let all: usize = self.deals.iter().map(|deal| deal.cards.len()).sum();
        // Cards before the start do not count.
        all - self.before()
    }

    /// The points of the rounds that are over, by round and seat.
    pub(super) fn results(&self) -> Vec<Vec<u8>> {
        let over = self.deals.iter().filter(|deal| deal.is_over());
        over.map(Deal::scores).collect()
    }

    /// The points of all rounds that are over.
    pub(crate) fn totals(&self) -> Vec<u32> {
        let mut totals = self.totals_before();
        for scores in self.results() {
            for (total, score) in totals.iter_mut().zip(scores) {
                *total += u32::from(score);
            }
        }
        totals
    }

    /// The winner. None while the game goes on, and none if a part of a game ends with several best players.
    pub(crate) fn winner(&self) -> Option<usize> {
        let totals = self.totals();
        // A part of a game goes on to its last round, whatever its points are before that.
        if self.is_part() && !self.ends_here() {
            return None;
        }
        let winner = self.contest.winner(&totals);
        if winner.is_some() || !self.is_part() {
            return winner;
        }
        let best = match G::LOW_IS_GOOD {
            true => totals.iter().min(),
            false => totals.iter().max(),
        };
        // A tie for the best has no winner.
        let mut leaders = (0..totals.len()).filter(|&seat| Some(&totals[seat]) == best);
        let leader = leaders.next();
        leader.filter(|_| leaders.next().is_none())
    }

    /// Whether the last round of a part of a game is over.
    fn ends_here(&self) -> bool {
        self.is_part() && self.deals.len() >= self.told().len() && self.current().is_over()
    }

    /// Whether the game ends with its given rounds.
    fn is_part(&self) -> bool {
        self.begin.as_ref().is_some_and(|begin| begin.ends)
    }

    /// Takes or plays a card for the player to act. An illegal card changes nothing.
    ///
    /// # Errors
    /// The expected input.
    pub(crate) fn act(&mut self, card: Card) -> Result<(), String> {
        let last = self.deals.len() - 1;
        let deal = &mut self.deals[last];
        let Some(seat) = deal.round.to_act() else {
            return Err("the game is over".to_owned());
        };
        let legal = deal.round.legal();
        if !legal.contains(card) {
            let verb = match (deal.round.taking(), deal.round.passing()) {
                (true, _) => "taken",
                (_, true) => "passed",
                _ => "played",
            };
            return Err(format!(
                "{card} cannot be {verb} now; expected one of {legal}"
            ));
        }
        deal.round.act(card);
        deal.cards.push((seat, card));
        // The next round is dealt at once, so there is always somebody to act until the game is over.
        if deal.is_over() && self.winner().is_none() && !self.ends_here() {
            self.deal();
        }
        Ok(())
    }
}
