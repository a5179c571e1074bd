//! The near-equilibrium player: the blueprint, and the last two tricks solved as they are.

use super::Player;
use super::blueprint::{Blueprint, sample};
use super::tracker::Tracker;
use crate::challenge::equilibrium::blueprint::{Book, Strategy};
use crate::challenge::equilibrium::endgame::{Endgame, Kind, Plays, Solver};
use crate::challenge::equilibrium::{Multisets, Public, Stakes, deals};
use crate::challenge::rules::{Cards, Challenge, Decision, Event, HAND_SIZE, Seat};
use crate::challenge::view::View;
use crate::random::Random;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Cards each player holds when the endgame is solved.
const SOLVED: usize = 2;
/// The part of a range that does not follow the blueprint: nobody need play as it does.
const STRAY: f32 = 0.05;
/// Hands less likely than this, relative to the likeliest, are left out.
const LEAST: f32 = 1e-3;
/// Iterations of an endgame at most.
const ITERATIONS: u32 = 40;
/// Clock time kept for the network.
const RESERVE: Duration = Duration::from_millis(300);
/// The part of the clock that one endgame may take.
const SHARE: u32 = 20;

/// A solved endgame, and where in the hand's log it begins.
struct Solved {
    hand: (u64, u32),
    from: usize,
    own: Vec<Cards>,
    solver: Solver,
}

/// Plays the blueprint, and from the fourth trick on an endgame solved with the ranges that the
/// blueprint leads to, by Bayes' rule.
pub struct Equilibrium {
    blueprint: Blueprint,
    random: Random,
    hands: Multisets,
    solved: Option<Solved>,
}

impl Equilibrium {
    /// With its tables and the generator of its mixed decisions.
    pub fn new(book: Arc<Book>, random: Random) -> Equilibrium {
        Equilibrium {
            blueprint: Blueprint::new(book, random.clone()),
            random,
            hands: Multisets::new(SOLVED),
            solved: None,
        }
    }

    /// The solved endgame's decision; none where there is none to be solved.
    fn solve(&mut self, view: &View) -> Option<Decision> {
        let tracker = self.blueprint.tracker();
        let log = tracker.log()?;
        let public = tracker.public();
        let settled = public.settled().is_some() && !public.must_answer();
        if public.left() > SOLVED || settled {
            return None;
        }
        let hand = (view.game_id, view.hand_id);
        if self
            .solved
            .as_ref()
            .is_none_or(|solved| solved.hand != hand)
        {
            self.solved = self.begin(view, tracker, log);
        }
        let solved = self.solved.as_ref()?;
        let seat = view.player_number;
        let (mut node, mut own) = (0, view.cards);
        for &decision in &log[solved.from..] {
            let here = &solved.solver.tree().nodes[node];
            let Kind::Decision {
                seat: mover, edges, ..
            } = &here.kind
            else {
                return None;
            };
            if let (true, Decision::Play(card)) = (*mover == seat, decision) {
                own.insert(card);
            }
            node = edges.iter().find(|edge| edge.decision == decision)?.child;
        }
        let here = &solved.solver.tree().nodes[node];
        let Kind::Decision { edges, .. } = &here.kind else {
            return None;
        };
        let alive = |&hand: &u16| solved.own[usize::from(hand)] == own;
        let place = here.alive[seat].iter().position(alive)?;
        let shares = &solved.solver.average(node)[place * edges.len()..][..edges.len()];
        let shares = edges
            .iter()
            .map(|edge| edge.decision)
            .zip(shares.iter().copied());
        let shares: Vec<_> = shares.collect();
        sample(&shares, &mut self.random)
    }

    /// Solves the endgame of the current hand, as far as the clock allows.
    fn begin(&self, view: &View, tracker: &Tracker, log: &[Decision]) -> Option<Solved> {
        let started = Instant::now();
        let course = Course::of(tracker.public().opener, log)?;
        let seat = view.player_number;
        let mut points = [view.own_points; 2];
        points[1 - seat] = view.their_points;
        let book = self.blueprint.book();
        let stakes = book.values().stakes_for(points, course.public.opener);
        let endgame = course.endgame(&self.hands, book.strategy(&stakes), stakes, tracker.deck());
        let mut solver = Solver::new(endgame.tree());
        let time = view.remaining.saturating_sub(RESERVE) / SHARE;
        while solver.iterations() < ITERATIONS
            && (solver.iterations() < 2 || started.elapsed() < time)
        {
            solver.step();
        }
        let [first, second] = endgame.hands;
        Some(Solved {
            hand: (view.game_id, view.hand_id),
            from: course.len,
            own: if seat == 0 { first } else { second },
            solver,
        })
    }
}

impl Player for Equilibrium {
    fn decide(&mut self, view: &View) -> Decision {
        self.blueprint.see(view);
        let solved = self.solve(view).filter(|&decision| view.allows(decision));
        let decision = solved.unwrap_or_else(|| self.blueprint.choose(view));
        self.blueprint.decided(decision);
        decision
    }

    fn told(&mut self, seat: Seat, event: Event) {
        self.blueprint.told(seat, event);
    }
}

/// The decisions of the first three tricks.
struct Course {
    /// Each with what was public before it.
    steps: Vec<(Public, Decision)>,
    /// What is public after them.
    public: Public,
    len: usize,
}

impl Course {
    /// The log up to where the endgame begins.
    fn of(opener: Seat, log: &[Decision]) -> Option<Course> {
        let mut public = Public::new(opener);
        let mut steps = Vec::new();
        for &decision in log {
            if public.left() == SOLVED {
                break;
            }
            steps.push((public, decision));
            public = public.after(decision);
        }
        let begins = public.left() == SOLVED && !matches!(public.challenge, Challenge::Rejected(_));
        begins.then_some(Course {
            len: steps.len(),
            steps,
            public,
        })
    }

    /// How much of a hand, by what is left of it, plays as was seen.
    fn reach(&self, strategy: &Strategy, seat: Seat, left: Cards) -> f32 {
        let mut held = left;
        let mut reach = 1.0;
        for &(public, decision) in self.steps.iter().rev() {
            if public.to_act() != seat {
                continue;
            }
            if let Decision::Play(card) = decision {
                held.insert(card);
            }
            let shares = strategy.distribution(&public, held);
            let same = shares.iter().filter(|(choice, _)| *choice == decision);
            let share: f32 = same.map(|&(_, share)| share).sum();
            reach *= STRAY + (1.0 - STRAY) * share;
        }
        reach
    }

    fn endgame(
        &self,
        all: &Multisets,
        strategy: &Strategy,
        stakes: Stakes,
        deck: Cards,
    ) -> Endgame {
        let dealt = |seat: Seat, left: Cards| left.plus(self.public.played[seat]);
        let ranges = [0, 1].map(|seat| {
            let range: Vec<(Cards, f32)> = all
                .all()
                .iter()
                .map(|&left| {
                    let ways = deals::ways(deck, dealt(seat, left)) as f32;
                    (left, ways * self.reach(strategy, seat, left))
                })
                .collect();
            let most = range.iter().fold(0.0, |most: f32, entry| most.max(entry.1));
            let likely = |entry: &(Cards, f32)| entry.1 > most * LEAST;
            range.into_iter().filter(likely).collect::<Vec<_>>()
        });
        let weights = ranges[0].iter().flat_map(|&(one, first)| {
            let rest = deck.minus(dealt(0, one));
            ranges[1].iter().map(move |&(two, second)| {
                let ways = deals::ways(deck, dealt(1, two)).max(1.0) as f32;
                let left = deals::ways(rest, dealt(1, two)) as f32;
                first * second * left / ways
            })
        });
        let weights = weights.collect();
        Endgame {
            public: self.public,
            stakes,
            hands: ranges.map(|range| range.iter().map(|&(left, _)| left).collect()),
            weights,
            plays: Plays::Sensible,
        }
    }
}

const _: () = assert!(SOLVED < HAND_SIZE);
