//! Golden playthroughs: a whole game of each kind as text, with every view, every legal action and
//! everything that an action changes. A change of the rules, of a view or of a random stream shows up
//! here as a difference that can be read. After OpenSpiel's playthroughs (Lanctot et al. 2019).
//!
//! The files are in `tests/data/playthroughs`. This command makes them again:
//!
//! ```text
//! GOLDEN=write cargo test -p contest --test it playthroughs
//! ```

use crate::golden;
use cartagena::player::{Player as _, Question};
use cartagena::record::GameRecord;
use cartagena::rules::{Action, ActionList};
use cartagena::view::View as CartagenaView;
use cartagena::world::World;
use challenge::deals;
use challenge::rules::Decision;
use challenge::view::{View as ChallengeView, ViewContext};
use engine::rng::{self, Random};
use lab::cartagena::players::hoarder::Hoarder;
use std::fmt::Write as _;
use std::time::Duration;
use tricks::{Card, Round, View};

/// A name and what it stands for.
type Fact = (String, String);

fn fact(name: impl Into<String>, value: impl ToString) -> Fact {
    (name.into(), value.to_string())
}

/// A game with all its cards, as text.
trait Game {
    /// What it is, and what it is played with.
    fn title(&self) -> String;
    /// Everything there is, hidden cards included, in a fixed order.
    fn facts(&self) -> Vec<Fact>;
    /// What each player sees.
    fn views(&self) -> Vec<String>;
    /// The player to act, from 1; none when the game is over.
    fn to_act(&self) -> Option<usize>;
    /// The legal actions in order.
    fn legal(&self) -> Vec<String>;
    /// Which of them is taken.
    fn choose(&self, rng: &mut Random) -> usize {
        rng::below(rng, self.legal().len())
    }
    /// Whether from here on the actions suffice: what they mean has been shown at length.
    fn is_brief(&self) -> bool {
        false
    }
    /// Takes one of them. Returns what else happened, such as an event of the rules.
    fn act(&mut self, number: usize) -> Vec<String>;
}

/// The game from its start to its end.
fn text(mut game: impl Game, mut rng: Random) -> String {
    let mut text = format!("{}\n", game.title());
    let mut before = game.facts();
    for (name, value) in &before {
        writeln!(text, "{name}: {value}").unwrap();
    }
    let mut number = 0;
    while let Some(player) = game.to_act() {
        number += 1;
        if game.is_brief() {
            let chosen = game.choose(&mut rng);
            writeln!(text, "player {player} takes: {}", game.legal()[chosen]).unwrap();
            for event in game.act(chosen) {
                writeln!(text, "event: {event}").unwrap();
            }
            continue;
        }
        writeln!(text, "\naction {number}, player {player}").unwrap();
        for (seat, view) in game.views().into_iter().enumerate() {
            writeln!(text, "player {} sees: {view}", seat + 1).unwrap();
        }
        let legal = game.legal();
        let chosen = game.choose(&mut rng);
        writeln!(text, "legal: {}", legal.join(" | ")).unwrap();
        writeln!(text, "takes: {}", legal[chosen]).unwrap();
        for event in game.act(chosen) {
            writeln!(text, "event: {event}").unwrap();
        }
        let after = game.facts();
        for ((name, old), (_, new)) in before.iter().zip(&after) {
            if old != new {
                writeln!(text, "change: {name}: {old} -> {new}").unwrap();
            }
        }
        before = after;
    }
    text
}

/// Compares a game with its file, or writes the file if the environment says so.
#[track_caller]
fn check(name: &str, game: impl Game, seed: u64) {
    let text = text(game, rng::stream(seed, 1));
    golden::check(&format!("playthroughs/{name}.txt"), &text);
}

/// Cartagena.
struct Pirates {
    game: cartagena::rules::Game,
    world: World,
}

impl Pirates {
    fn new(players: usize, deal: usize, seed: u64) -> Pirates {
        let board = cartagena::boards::standard(&mut rng::stream(seed, 0));
        let game = cartagena::rules::Game::new(board, players);
        let world = World::deal(&game, deal, rng::stream(seed, 2));
        Pirates { game, world }
    }

    fn actions(&self) -> ActionList {
        let mut list = ActionList::new();
        self.game.legal_actions(self.world.state(), &mut list);
        if self.game.may_pass(self.world.state()) {
            list.push(Action::Pass);
        }
        list
    }
}

impl Game for Pirates {
    fn title(&self) -> String {
        let spaces = self.game.board.spaces().iter();
        let spaces: Vec<_> = spaces.map(ToString::to_string).collect();
        format!(
            "Cartagena, {} players\nboard: {}",
            self.game.players,
            spaces.join(" ")
        )
    }

    fn facts(&self) -> Vec<Fact> {
        let state = self.world.state();
        let mut facts = vec![
            fact("player to move", state.to_move + 1),
            fact("actions taken in this turn", state.taken),
            fact("discards", state.discards),
            fact("draw pile", self.world.pile().len()),
            fact(
                "next card",
                self.world
                    .pile()
                    .last()
                    .map_or("none".to_owned(), ToString::to_string),
            ),
        ];
        for player in 0..self.game.players {
            let places: Vec<_> = state.track.pirates(player).iter().collect();
            facts.push(fact(
                format!("pirates of player {}", player + 1),
                format!("{places:?}"),
            ));
            facts.push(fact(
                format!("hand of player {}", player + 1),
                state.hands[player],
            ));
        }
        if let Some(winner) = state.winner() {
            facts.push(fact("winner", winner + 1));
        }
        facts
    }

    fn views(&self) -> Vec<String> {
        (0..self.game.players)
            .map(|seat| {
                let view = CartagenaView::of(self.world.state(), seat);
                format!(
                    "hand {}; hands of {:?}; discards {}; pile {}; unseen {}",
                    view.hand,
                    &view.hand_sizes[..self.game.players],
                    view.discards,
                    view.pile,
                    view.unseen()
                )
            })
            .collect()
    }

    fn to_act(&self) -> Option<usize> {
        let state = self.world.state();
        (state.winner().is_none()).then_some(usize::from(state.to_move) + 1)
    }

    fn legal(&self) -> Vec<String> {
        self.actions().iter().map(ToString::to_string).collect()
    }

    /// Mostly what a simple heuristic does, so that the game comes to an end.
    fn choose(&self, rng: &mut Random) -> usize {
        let actions = self.actions();
        let any = rng::below(rng, actions.len());
        if rng::unit(rng) < 0.2 {
            return any;
        }
        let view = CartagenaView::of(self.world.state(), self.world.state().to_move.into());
        let record = GameRecord {
            players: self.game.players,
            board: self.game.board.clone(),
            moves: Vec::new(),
            to_move: view.seat,
            hand: Vec::new(),
        };
        let best = Hoarder::default().choose(&Question {
            game: &self.game,
            record: &record,
            view: &view,
        });
        actions
            .iter()
            .position(|&action| action == best)
            .unwrap_or(any)
    }

    fn act(&mut self, number: usize) -> Vec<String> {
        let action = self.actions()[number];
        let drawn = self.world.act(&self.game, action);
        let drawn = (!drawn.is_empty()).then(|| format!("draws {drawn}"));
        drawn.into_iter().collect()
    }
}

#[test]
fn cartagena_for_two() {
    check("cartagena-2", Pirates::new(2, 3, 1), 1);
}

#[test]
fn cartagena_for_three() {
    check("cartagena-3", Pirates::new(3, 3, 2), 2);
}

#[test]
fn cartagena_for_six() {
    check("cartagena-6", Pirates::new(6, 6, 3), 3);
}

/// The challenge card game.
struct Challenge {
    game: challenge::rules::Game,
    deals: Random,
}

impl Challenge {
    fn new(seed: u64) -> Challenge {
        let mut challenge = Challenge {
            game: challenge::rules::Game::new(challenge::rules::GameOptions::default()),
            deals: rng::stream(seed, 0),
        };
        challenge.deal();
        challenge
    }

    fn deal(&mut self) {
        if self.game.needs_deal() {
            self.game.deal(deals::fresh(&mut self.deals));
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        let hand = self.game.hand();
        hand.map_or(Vec::new(), |hand| hand.legal().collect())
    }
}

impl Game for Challenge {
    fn title(&self) -> String {
        "The challenge card game".to_owned()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![
            fact("hand", self.game.hand_id()),
            fact("points", format!("{:?}", self.game.points())),
        ];
        match self.game.hand() {
            Some(hand) => {
                for seat in 0..2 {
                    let cards = hand.cards(seat);
                    facts.push(fact(format!("cards of player {}", seat + 1), cards));
                }
                facts.push(fact("tricks", format!("{:?}", hand.public().tricks)));
                facts.push(fact("tricks and ties", hand.public().total_tricks));
                facts.push(fact("lead", hand.public().lead + 1));
                facts.push(fact("on the table", format!("{:?}", hand.public().table)));
                facts.push(fact("challenge", format!("{:?}", hand.public().challenge)));
            }
            None => {
                let winner = self.game.winner().map(|seat| seat + 1);
                facts.push(fact("winner", format!("{winner:?}")));
            }
        }
        facts
    }

    fn views(&self) -> Vec<String> {
        let context = ViewContext {
            game_id: 1,
            opponent_id: 2,
            remaining: Duration::ZERO,
        };
        // Only the player who is asked is sent a view.
        let view = ChallengeView::of(&self.game, &context);
        (0..2)
            .map(|seat| match view.filter(|view| view.player_number == seat) {
                Some(view) => format!(
                    "asked for {:?}; cards {}; own card {:?}; their card {:?}; tricks {}:{} of {}; \
                     points {}:{}; may challenge: {}; in a challenge: {}; hand {}",
                    view.asked,
                    view.cards,
                    view.own_card,
                    view.their_card,
                    view.own_tricks,
                    view.their_tricks,
                    view.total_tricks,
                    view.own_points,
                    view.their_points,
                    view.can_challenge,
                    view.in_challenge,
                    view.hand_id
                ),
                None => "nothing, as it is not asked".to_owned(),
            })
            .collect()
    }

    fn to_act(&self) -> Option<usize> {
        self.game.to_act().map(|seat| seat + 1)
    }

    fn legal(&self) -> Vec<String> {
        let decisions = self.decisions();
        decisions.iter().map(|one| format!("{one:?}")).collect()
    }

    /// An accepted challenge decides the game: few are offered, and most are rejected.
    fn choose(&self, rng: &mut Random) -> usize {
        let decisions = self.decisions();
        let rare = |decision| matches!(decision, Decision::Offer | Decision::Accept);
        let any = rng::below(rng, decisions.len());
        let common: Vec<_> = (0..decisions.len())
            .filter(|&i| !rare(decisions[i]))
            .collect();
        match rng::unit(rng) < 0.9 {
            true => common[rng::below(rng, common.len())],
            false => any,
        }
    }

    fn act(&mut self, number: usize) -> Vec<String> {
        let decision = self.decisions()[number];
        let events = self.game.decide(decision).unwrap();
        self.deal();
        events.iter().map(|event| format!("{event:?}")).collect()
    }
}

#[test]
fn challenge() {
    check("challenge", Challenge::new(4), 4);
}

/// A round of a trick-taking game, with each seat's view of it.
struct Tricks<R: Round> {
    title: &'static str,
    round: R,
    views: Vec<View<R>>,
    /// What is in this game and not in the other.
    more: fn(&R) -> Vec<Fact>,
}

impl<R: Round> Tricks<R> {
    fn new(title: &'static str, round: R, more: fn(&R) -> Vec<Fact>) -> Tricks<R> {
        Tricks {
            title,
            views: (0..round.players())
                .map(|seat| View::new(&round, seat))
                .collect(),
            round,
            more,
        }
    }

    fn cards(&self) -> Vec<Card> {
        self.round.legal().into_iter().collect()
    }
}

impl<R: Round> Game for Tricks<R> {
    fn title(&self) -> String {
        self.title.to_owned()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        for seat in 0..self.round.players() {
            let hand = self.round.hand(seat);
            facts.push(fact(format!("hand of player {}", seat + 1), hand));
            let points = self.round.points(seat);
            facts.push(fact(format!("points of player {}", seat + 1), points));
        }
        facts.extend((self.more)(&self.round));
        facts
    }

    fn views(&self) -> Vec<String> {
        let players = self.round.players();
        let views = self.views.iter();
        views
            .map(|view| {
                let seen = view.seen();
                let mut text = format!("hand {}", seen.own());
                for other in (0..players).filter(|&other| other != view.seat()) {
                    let cards = seen.may_hold(other);
                    write!(text, "; player {} may hold {cards}", other + 1).unwrap();
                }
                text
            })
            .collect()
    }

    fn to_act(&self) -> Option<usize> {
        self.round.to_act().map(|seat| seat + 1)
    }

    fn legal(&self) -> Vec<String> {
        self.cards().iter().map(ToString::to_string).collect()
    }

    fn act(&mut self, number: usize) -> Vec<String> {
        let card = self.cards()[number];
        self.round.act(card);
        self.views.iter_mut().for_each(|view| view.act(card));
        Vec::new()
    }
}

/// Tricky Eights: rounds until somebody has 300 points and more than all others; the first at length.
struct Eights {
    round: Tricks<eights::rules::Round>,
    scores: [u32; 4],
    rounds: usize,
    deals: Random,
}

impl Eights {
    fn new(seed: u64) -> Eights {
        let mut deals = rng::stream(seed, 0);
        Eights {
            round: Eights::round(0, &mut deals),
            scores: [0; 4],
            rounds: 1,
            deals,
        }
    }

    fn round(dealer: usize, deals: &mut Random) -> Tricks<eights::rules::Round> {
        let round = eights::deal::deal(dealer, deals);
        Tricks::new("Tricky Eights", round, |round| {
            vec![
                fact("dealer", round.dealer() + 1),
                fact("pool", round.pool()),
                fact("trick", format!("{:?}", round.trick())),
                fact("tricks", round.tricks()),
            ]
        })
    }
}

impl Game for Eights {
    fn title(&self) -> String {
        self.round.title()
    }

    fn facts(&self) -> Vec<Fact> {
        self.round.facts()
    }

    fn views(&self) -> Vec<String> {
        self.round.views()
    }

    fn to_act(&self) -> Option<usize> {
        self.round.to_act()
    }

    fn legal(&self) -> Vec<String> {
        self.round.legal()
    }

    fn is_brief(&self) -> bool {
        self.rounds > 1
    }

    fn act(&mut self, number: usize) -> Vec<String> {
        self.round.act(number);
        if self.round.to_act().is_some() {
            return Vec::new();
        }
        for (seat, score) in self.scores.iter_mut().enumerate() {
            *score += u32::from(self.round.round.points(seat));
        }
        let mut events = vec![format!("the scores are {:?}", self.scores)];
        match eights::rules::winner(&self.scores) {
            Some(winner) => events.push(format!("player {} has won", winner + 1)),
            None => {
                self.round = Eights::round(self.rounds % 4, &mut self.deals);
                self.rounds += 1;
                let facts = self.round.facts().into_iter();
                let hands = facts.filter(|(name, _)| name.contains("hand") || name == "pool");
                events.push(format!("round {}", self.rounds));
                events.extend(hands.map(|(name, value)| format!("{name}: {value}")));
            }
        }
        events
    }
}

#[test]
fn eights() {
    check("eights", Eights::new(5), 5);
}

#[test]
fn hearts() {
    let options = hearts::rules::Options::default();
    let round = hearts::deal::deal(4, options, &mut rng::stream(6, 0));
    let game = Tricks::new("Hearts, a round", round, |round| {
        vec![
            fact("trick", format!("{:?}", round.trick())),
            fact("hearts are broken", round.broken()),
            fact("scores", format!("{:?}", &round.scores()[..4])),
        ]
    });
    check("hearts", game, 6);
}
