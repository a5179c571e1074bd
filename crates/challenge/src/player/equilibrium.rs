//! The near-equilibrium player: the blueprint, with the last three tricks solved while playing.
//!
//! A clock serves a whole game, so each endgame gets a share of it: the time to spare now and the time that later
//! decisions give back, divided by the number of endgames still expected. If too few iterations fit in a share, the
//! endgame takes longer, up to a part of the whole clock. Whether enough fit in that is known after two of them; if not,
//! the tables decide.

use super::blueprint::{BlueprintPlayer, without_blunders};
use super::{Player, Proposer, Tracker};
use crate::equilibrium::blueprint::{Blueprint, Distribution, probability_of, sample};
use crate::equilibrium::{
    Effort, HandSoFar, LEAST_ITERATIONS, MOST_SOLVED, Resolving, ResolvingSettings,
};
use crate::rules::{Cards, DEFAULT_GOAL, Decision, Event, HAND_SIZE, PublicState, Seat};
use crate::view::View;
use engine::rng::{Random, split, unit};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Clock time kept for the network.
const RESERVE: Duration = Duration::from_millis(400);
/// The spare time divided by this is the most that one endgame may take. With [`RESERVE`] that is 0.2 s less than half
/// of the clock, after which the client answers without its player.
const MOST_OF_CLOCK: f64 = 2.0;
/// The same while other processes want the processor: a solver may then wait for it when its time is over.
const BUSY_MOST_OF_CLOCK: f64 = 3.0;
/// With at least this much time left, a game counts as one without a clock.
const NO_CLOCK: Duration = Duration::from_secs(60);
/// The iterations of endgames of two and of three cards without a clock. With 24 of three cards a best response wins
/// some 0.13 points a hand, with 47 some 0.08 (docs/measurements/challenge.md).
const ITERATIONS: [u32; 2] = [150, 24];
/// The most iterations with a clock, of two and of three cards.
const MOST_ITERATIONS: [u32; 2] = [400, 120];
/// After this many iterations, the player estimates how many will fit.
const FORESEEN: u32 = 2;
/// If iterations seem too slow, the endgame is left out, and the known time of an iteration is multiplied by this
/// factor. So a later endgame is tried again: the machine may have less to do by then.
const FORGETTING: f64 = 0.85;
/// The endgames of three cards to have time for from 0 : 0 on. In games of *blueprint* against itself 14.6 are met on
/// average, against *need*, *counter* and *doge* 7 to 12 ("how many endgames of three cards a game has" in
/// docs/measurements/challenge.md). A few more are provided for: some games are longer, and an endgame that nothing is
/// left for costs more than a few iterations of all others.
const ENDGAMES: f64 = 16.0;
/// The time that each of a player's first [`PAID`] decisions of a game adds to its clock.
const INCREMENT: Duration = Duration::from_millis(50);
/// Later decisions of a game add nothing.
const PAID: u32 = 100;
/// The mean number of decisions of a player in a game from 0 : 0 on: 72 in games of *blueprint* against itself, 39 to 58
/// against *need*, *counter* and *doge*. Something between them is assumed, nearer to play against itself.
const DECISIONS: f64 = 65.0;
/// If a decision costs more clock time than this besides the solving, other processes want the processor. Endgames
/// of two cards get fewer iterations then, and no endgame takes as much of the clock.
const BUSY: Duration = Duration::from_millis(10);
/// The most iterations of two cards while other processes want the processor.
const BUSY_ITERATIONS: u32 = 60;
/// The part of its share that an endgame of three cards takes. The one of two cards after it has a share of its own; its
/// most iterations take some 25 ms of an idle core, and the rest of this share pays for them.
const THREE_PART: f64 = 0.92;

/// Plays the blueprint, and from the third trick on the solution of the endgame.
pub struct EquilibriumPlayer {
    blueprint: BlueprintPlayer,
    rng: Random,
    settings: EquilibriumSettings,
    /// The game and the hand that `resolving` belongs to.
    hand: (u64, u32),
    resolving: Resolving,
    /// The time that an iteration of three cards took last, on this machine under its load.
    pace: Duration,
    /// The last request, from which the next one measures `overhead`.
    last: Option<Asked>,
    /// The clock time that a decision costs besides the solving: the network, the server, waiting for the processor,
    /// and the valuing of an [`Exploiter`](super::Exploiter).
    overhead: Duration,
    /// The iterations that solved the last decision's endgame; 0 if none did.
    iterations: u32,
}

/// A request, and the time spent on its endgame.
struct Asked {
    game_id: u64,
    /// The player's decisions of the game before this one.
    before: u32,
    remaining: Duration,
    solving: Duration,
}

/// The settings of the player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquilibriumSettings {
    /// The settings of the solved endgames.
    pub resolving: ResolvingSettings,
    /// The iterations of endgames of two and of three cards if there is no clock.
    pub iterations: [u32; 2],
}

impl Default for EquilibriumSettings {
    fn default() -> EquilibriumSettings {
        EquilibriumSettings {
            resolving: ResolvingSettings::default(),
            iterations: ITERATIONS,
        }
    }
}

impl EquilibriumPlayer {
    /// A player with its tables and the generator of its mixed decisions.
    pub fn new(
        blueprint: Arc<Blueprint>,
        settings: EquilibriumSettings,
        mut rng: Random,
    ) -> EquilibriumPlayer {
        EquilibriumPlayer {
            blueprint: BlueprintPlayer::new(blueprint, split(&mut rng)),
            rng,
            settings,
            hand: (0, 0),
            resolving: Resolving::new(settings.resolving),
            pace: Duration::ZERO,
            last: None,
            overhead: Duration::ZERO,
            iterations: 0,
        }
    }

    /// Measures how much clock the last decision cost besides the solving.
    fn note_clock(&mut self, view: &View) {
        let last = self.last.take();
        let last = last.filter(|last| last.game_id == view.game_id);
        self.last = Some(Asked {
            game_id: view.game_id,
            before: last.as_ref().map_or(0, |last| last.before + 1),
            remaining: view.remaining,
            solving: Duration::ZERO,
        });
        let Some(last) = last else { return };
        let added = if last.before < PAID {
            INCREMENT
        } else {
            Duration::ZERO
        };
        // The clock would show this if nothing but the solving had taken time.
        let expected = (last.remaining + added).saturating_sub(last.solving);
        let lost = expected.saturating_sub(view.remaining);
        // An exponential mean, with weight 1/2 upwards and 1/8 downwards: quick to believe in a busy machine, slow
        // to forget it.
        self.overhead = match lost > self.overhead {
            true => (self.overhead + lost) / 2,
            false => (self.overhead * 7 + lost) / 8,
        };
    }

    /// The decision of the solved endgame. None if nothing was solved.
    fn solve(&mut self, view: &View) -> Option<Decision> {
        let tracker = self.blueprint.tracker();
        let public = *tracker.public();
        if public.tricks_left() > MOST_SOLVED || public.settled().is_some() {
            return None;
        }
        let log = tracker.log()?.to_vec();
        let deck = tracker.deck();
        if self.hand != (view.game_id, view.hand_id) {
            self.hand = (view.game_id, view.hand_id);
            self.resolving = Resolving::new(self.settings.resolving);
        }
        let blueprint = self.blueprint.blueprint();
        let stakes = blueprint.values().stakes_for(view.points(), public.opener);
        let opened = blueprint.opened(&stakes);
        // The solver assumes that both have played by the blueprint before the endgame.
        let policy = |public: &PublicState, own: Cards, decision| {
            probability_of(&opened.played(public, own), decision)
        };
        let hand = HandSoFar {
            seat: view.player_number,
            opener: public.opener,
            log: &log,
            stakes,
            deck,
            policy: &policy,
        };
        let before = self.last.as_ref().map_or(0, |last| last.before);
        let mut clock = EndgameClock {
            settings: self.settings,
            started: Instant::now(),
            time: hand_time(view, before, self.overhead),
            pace: self.pace,
            first: Duration::ZERO,
            is_busy: self.overhead > BUSY,
        };
        let chosen = self.resolving.strategy(&hand, view.cards, &mut clock);
        self.pace = clock.pace;
        if let Some(last) = &mut self.last {
            last.solving = clock.started.elapsed();
        }
        let allowed = |entry: &(Decision, f32)| view.allows(entry.0);
        let chosen: Distribution = chosen?.into_iter().filter(allowed).collect();
        let chosen = without_blunders(chosen, &public, view);
        sample(&chosen, unit(&mut self.rng) as f32)
    }
}

impl EquilibriumSettings {
    /// The iterations of an endgame of `cards` cards without a clock.
    pub fn iterations(&self, cards: usize) -> u32 {
        self.iterations[usize::from(cards == MOST_SOLVED)]
    }
}

/// The time for the endgame of one decision, or its iterations without a clock.
struct EndgameClock {
    settings: EquilibriumSettings,
    started: Instant,
    time: Option<HandTime>,
    /// The time of an iteration of three cards, as far as known.
    pace: Duration,
    /// When the first iteration was done. It includes the allocation of the tables, so it is left out of the pace.
    first: Duration,
    /// Whether other processes want the processor.
    is_busy: bool,
}

impl EndgameClock {
    /// Two times that an endgame of `cards` cards gets, counted from its start: the one at the present pace, and the most.
    fn limits(&self, cards: usize) -> Option<[Duration; 2]> {
        let HandTime { share, most } = self.time?;
        if cards < MOST_SOLVED {
            return Some([share; 2]);
        }
        let [share, most] = [share, most].map(|time| time.mul_f64(THREE_PART));
        // Half an iteration more, since no two take the same time.
        let least = self.pace * LEAST_ITERATIONS + self.pace / 2;
        Some([share.max(least).min(most), most])
    }

    /// [`Effort::goes_on`] as a function of the time since the start, for tests without a clock.
    fn goes_on_at(&mut self, cards: usize, done: u32, elapsed: Duration) -> bool {
        let Some([_, longest]) = self.limits(cards) else {
            return done < self.settings.iterations(cards);
        };
        match done {
            _ if cards < MOST_SOLVED => {}
            0 if self.pace * LEAST_ITERATIONS > longest => {
                self.pace = self.pace.mul_f64(FORGETTING);
                return false;
            }
            // Assumed until the first iteration is done. If it is abandoned, it would have taken at least this long.
            0 => self.pace = longest,
            // The first iteration alone is an upper bound: it allocates.
            1 => (self.first, self.pace) = (elapsed, elapsed),
            _ => {
                // The mean of all iterations but the first.
                self.pace = elapsed.saturating_sub(self.first) / (done - 1);
                let missing = LEAST_ITERATIONS.saturating_sub(done);
                if done == FORESEEN && elapsed + self.pace * missing > longest {
                    return false;
                }
            }
        }
        // With the pace that is known by now.
        let [time, _] = self.limits(cards).unwrap_or_default();
        let most = match self.is_busy && cards < MOST_SOLVED {
            true => BUSY_ITERATIONS,
            false => MOST_ITERATIONS[cards - 2],
        };
        done < most && elapsed < time
    }
}

impl Effort for EndgameClock {
    fn goes_on(&mut self, cards: usize, done: u32) -> bool {
        self.goes_on_at(cards, done, self.started.elapsed())
    }

    fn deadline(&self, cards: usize) -> Option<Instant> {
        let [_, longest] = self.limits(cards)?;
        Some(self.started + longest)
    }
}

/// The time for the endgames of a hand: its fair share of the game's, and the most that it may take.
#[derive(Clone, Copy, Debug, PartialEq)]
struct HandTime {
    share: Duration,
    most: Duration,
}

/// The time for the endgames of the present hand, after `before` decisions of the game; none without a clock. It is
///
/// ```text
/// budget = spare + paid decisions to come · increment − decisions to come · overhead
/// most = min(budget, spare / 2), or spare / 3 on a busy machine
/// share = min(most, budget / max(1, endgames to come))
/// ```
///
/// where the expected decisions and endgames shrink in proportion to the points still missing. With 2 s at 0 : 0 and no
/// overhead `share = (1.6 + 65 · 0.05) / 16 = 0.30` s and `most = 1.6 / 2 = 0.80` s.
///
/// An endgame gets more than its share if it needs that for the fewest iterations that are of use. With a pace of 30 ms
/// these take `12.5 · 30 = 375` ms. Then only some endgames can be solved, and the first ones are; if each got its share,
/// none would be.
fn hand_time(view: &View, before: u32, overhead: Duration) -> Option<HandTime> {
    if view.remaining >= NO_CLOCK {
        return None;
    }
    let goal = f64::from(2 * DEFAULT_GOAL);
    let points = f64::from(view.own_points) + f64::from(view.their_points);
    let missing = ((goal - points) / goal).max(0.0);
    let spare = view.remaining.saturating_sub(RESERVE).as_secs_f64();
    let decisions = DECISIONS * missing;
    let paid = decisions.min(PAID.saturating_sub(before).into());
    let budget = spare + paid * INCREMENT.as_secs_f64() - decisions * overhead.as_secs_f64();
    let share = budget / (ENDGAMES * missing).max(1.0);
    let part = if overhead > BUSY {
        BUSY_MOST_OF_CLOCK
    } else {
        MOST_OF_CLOCK
    };
    let most = budget.min(spare / part);
    let [share, most] = [share.min(most), most].map(|time| Duration::from_secs_f64(time.max(0.0)));
    Some(HandTime { share, most })
}

impl Proposer for EquilibriumPlayer {
    fn observe(&mut self, view: &View) {
        // Also where no decision is asked for then: each gives time back to the clock.
        self.note_clock(view);
        self.blueprint.tracker().observe(view);
    }

    fn propose(&mut self, view: &View) -> Decision {
        let solved = self.solve(view).filter(|&decision| view.allows(decision));
        self.iterations = match solved {
            Some(_) => self.resolving.iterations(),
            None => 0,
        };
        solved.unwrap_or_else(|| self.blueprint.choose(view))
    }

    fn tracker(&mut self) -> &mut Tracker {
        self.blueprint.tracker()
    }
}

impl Player for EquilibriumPlayer {
    fn decide(&mut self, view: &View) -> Decision {
        self.observe(view);
        let decision = self.propose(view);
        self.blueprint.tracker().decided(decision);
        decision
    }

    fn iterations(&self) -> u32 {
        self.iterations
    }

    fn event(&mut self, seat: Seat, event: Event) {
        self.blueprint.event(seat, event);
    }
}

const _: () = assert!(MOST_SOLVED < HAND_SIZE);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deals;
    use crate::rules::{Game, GameOptions};
    use crate::tests::Table;
    use crate::view::ViewContext;
    use engine::rng::stream;

    fn view(game: &Game, remaining: Duration) -> View {
        let context = ViewContext {
            game_id: 3,
            opponent_id: 0,
            remaining,
        };
        View::of(game, &context).unwrap()
    }

    fn player() -> EquilibriumPlayer {
        let blueprint = Arc::new(Blueprint::embedded());
        EquilibriumPlayer::new(blueprint, EquilibriumSettings::default(), stream(2, 0))
    }

    /// A game at its first decision.
    fn dealt() -> Game {
        let mut game = Game::new(GameOptions::default());
        game.deal(deals::fresh(&mut stream(1, 0)));
        game
    }

    /// If every endgame takes its share, the clock lasts for a game, and late endgames get as much time as early ones. If
    /// every endgame takes the most that it may, the reserve is kept.
    #[test]
    fn the_clock_lasts_for_a_game() {
        let game = dealt();
        for (decisions, takes_most) in [(2, false), (4, false), (6, false), (2, true), (6, true)] {
            let mut clock = Duration::from_secs(2);
            for hand in 0..25u8 {
                let mut view = view(&game, clock);
                view.own_points = (hand / 2).min(9);
                view.their_points = (hand - hand / 2).min(9);
                let HandTime { share, most } = hand_time(&view, 0, Duration::ZERO).unwrap();
                let half = (clock - RESERVE) / 2;
                assert!(share <= most, "{hand}");
                assert!(most.as_micros() <= half.as_micros(), "{hand}");
                let few = Duration::from_millis(if takes_most { 20 } else { 100 });
                assert!(hand > 12 || share >= few, "{hand}: {share:?}");
                clock = clock - if takes_most { most } else { share } + INCREMENT * decisions;
                assert!(clock > RESERVE, "{hand}");
            }
        }
        assert_eq!(hand_time(&view(&game, NO_CLOCK), 0, Duration::ZERO), None);
    }

    /// If every decision costs more clock than it gets back, endgames get less and less time, and none in the end.
    /// Time spent on solving is not counted as such a cost.
    #[test]
    fn a_busy_machine_gets_less_time() {
        let ms = Duration::from_millis;
        let (mut player, game) = (player(), dealt());
        let (mut clock, mut times) = (ms(2000), Vec::new());
        for cost in [0, 0, 80, 80, 80, 80, 80, 80] {
            let view = view(&game, clock);
            player.note_clock(&view);
            times.push(hand_time(&view, 0, player.overhead).unwrap().share);
            player.last.as_mut().unwrap().solving = ms(100);
            clock = clock + INCREMENT - ms(100 + cost);
        }
        assert!(times[0] >= ms(290) && times[2] >= ms(280), "{times:?}");
        assert!(times[3] < times[2] && times[7] < ms(20), "{times:?}");
        assert!(player.overhead > BUSY && player.overhead <= ms(80));
    }

    /// After its hundredth decision a player gets no time back. That is no cost of the machine, and endgames get less.
    #[test]
    fn the_clock_is_paid_for_a_hundred_decisions() {
        let (mut player, game) = (player(), dealt());
        for number in 0..110 {
            let clock = Duration::from_secs(2) + INCREMENT * number.min(PAID);
            player.note_clock(&view(&game, clock));
            assert_eq!(player.overhead, Duration::ZERO, "{number}");
        }
        let view = view(&game, Duration::from_secs(2));
        let share = |before| hand_time(&view, before, Duration::ZERO).unwrap().share;
        let ms = [0, 35, 80, 100, 120].map(|before| share(before).as_millis());
        assert_eq!(ms, [303, 303, 162, 100, 100]);
    }

    /// If too few iterations fit, the attempt ends after two of them. The next few endgames are left out before
    /// another attempt.
    #[test]
    fn a_slow_machine_leaves_endgames_to_the_tables() {
        let ms = Duration::from_millis;
        let mut clock = EndgameClock {
            settings: EquilibriumSettings::default(),
            started: Instant::now(),
            time: Some(HandTime {
                share: ms(400),
                most: ms(400),
            }),
            pace: Duration::ZERO,
            first: Duration::ZERO,
            is_busy: false,
        };
        assert!(clock.goes_on_at(3, 0, ms(0)));
        assert!(clock.goes_on_at(3, 1, ms(60)));
        assert!(!clock.goes_on_at(3, 2, ms(120)));
        let passed = (0..20).take_while(|_| !clock.goes_on_at(3, 0, ms(0)));
        let passed = passed.count();
        assert!((1..10).contains(&passed), "{passed}");
        // A fast machine goes on to the end of the share for three cards; endgames of two cards get the rest.
        let quick = (1..).take_while(|&done| clock.goes_on_at(3, done, ms(10) * done));
        assert_eq!(quick.count(), 36);
        assert!(!clock.goes_on_at(3, 37, ms(370)));
        assert!(clock.goes_on_at(2, 3, ms(371)));
        assert!(!clock.goes_on_at(2, 40, ms(400)));
        let deadlines = [3, 2].map(|cards| clock.deadline(cards).unwrap() - clock.started);
        assert_eq!(deadlines, [ms(368), ms(400)]);
        // The first iteration allocates the tables, so it does not count in the pace.
        assert!(clock.goes_on_at(3, 1, ms(90)) && clock.goes_on_at(3, 2, ms(110)));
        assert_eq!(clock.pace, ms(20));
        // An endgame gets more than its share if that is too little for the fewest iterations, and if it knows so by
        // its second one.
        let (share, most) = (ms(250), ms(800));
        clock.time = Some(HandTime { share, most });
        let mut iterations = |pace: u64| {
            let pace = ms(pace);
            let goes_on = |&done: &u32| clock.goes_on_at(3, done, pace * done);
            (1..).take_while(goes_on).count()
        };
        assert_eq!([10, 30, 60, 62].map(&mut iterations), [22, 12, 12, 1]);
        clock.time = None;
        assert!(clock.deadline(3).is_none() && clock.goes_on_at(3, 23, ms(9999)));
        assert!(!clock.goes_on_at(3, 24, ms(0)));
    }

    /// Games without a clock are the same every time, every decision is legal, and endgames are solved.
    #[test]
    fn the_same_seed_plays_the_same_hands() {
        let blueprint = Arc::new(Blueprint::embedded());
        let settings = EquilibriumSettings {
            iterations: [20, LEAST_ITERATIONS],
            ..EquilibriumSettings::default()
        };
        let play = || {
            let mut solved = 0;
            let mut decisions = Vec::new();
            let mut told = std::collections::BTreeSet::new();
            let player =
                |part| EquilibriumPlayer::new(Arc::clone(&blueprint), settings, stream(2, part));
            let mut players = [player(0), player(1)];
            let mut table = Table::new(3, 0, NO_CLOCK);
            let mut rng = stream(6, 0);
            while let Some(view) = table.view(|| deals::fresh(&mut rng))
                && view.hand_id < 4
            {
                let seat = view.player_number;
                let decision = players[seat].decide(&view);
                solved += usize::from(players[seat].resolving.last().is_some());
                // A decision says how far its endgame was solved; before the endgame it says nothing.
                let iterations = players[seat].iterations();
                let is_early = view.cards.len() > MOST_SOLVED;
                assert!(!(is_early && iterations > 0), "{iterations}: {view:?}");
                told.insert(iterations);
                decisions.push(decision);
                for (receiver, event) in table.decide(decision) {
                    players[receiver].event(receiver, event);
                }
            }
            assert!(solved > 0, "{decisions:?}");
            let is_told = [20, LEAST_ITERATIONS].iter().all(|one| told.contains(one));
            assert!(is_told, "{told:?}");
            decisions
        };
        assert_eq!(play(), play());
    }
}
