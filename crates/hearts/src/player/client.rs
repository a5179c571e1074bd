//! The client: receives the server's messages, and answers those that ask.

use super::policy::Baseline;
use crate::protocol::{Message, Reply};
use crate::rules::{Options, Round};
use engine::rng::{Random, stream};
use tricks::{Agent, Card, Cards, Ends, Hands, MAX_PLAYERS, Player, Round as _, View};

/// What a message leads to.
pub type Response = tricks::program::Response<Reply, Round>;

/// A player of any number of rounds.
#[derive(Clone, Debug)]
pub struct Client {
    name: String,
    player: Player<Baseline>,
    rng: Random,
    round: Option<Reports>,
    /// Whether the server plays the last trick, by the round before.
    last_trick: bool,
    ends: Option<Ends>,
    /// What the rounds of the game came to; none if that is not known.
    game: Option<Game>,
}

/// The rounds of a game that are over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Game {
    rounds: u16,
    totals: [u32; MAX_PLAYERS],
}

impl Game {
    /// The same with a round more; a game that is over is followed by another.
    fn and(self, scores: &[u8], ends: Option<Ends>) -> Game {
        let mut totals = self.totals;
        for (total, &score) in totals.iter_mut().zip(scores) {
            *total += u32::from(score);
        }
        let rounds = self.rounds.saturating_add(1);
        let is_over = match ends {
            Some(Ends::AfterRounds(all)) => rounds >= all,
            Some(Ends::AtPoints(goal)) => {
                let totals = &totals[..scores.len()];
                let least = totals.iter().min();
                let leaders = totals.iter().filter(|&total| Some(total) == least);
                totals.iter().any(|&total| total >= u32::from(goal)) && leaders.count() == 1
            }
            None => false,
        };
        match is_over {
            true => Game::default(),
            false => Game { rounds, totals },
        }
    }

    /// When it ends, as seen from the next round.
    fn ends(&self, ends: Ends) -> Ends {
        match ends {
            Ends::AfterRounds(all) => Ends::AfterRounds(all.saturating_sub(self.rounds)),
            ends => ends,
        }
    }
}

/// The reports of a round.
#[derive(Clone, Debug)]
struct Reports {
    /// The view that the reports lead to, as long as they are consistent.
    view: View<Round>,
    /// As dealt; none in the place of a card that has been played.
    hand: Vec<Option<Card>>,
    /// Whether all reports so far are possible.
    consistent: bool,
    /// The players and cards of the trick, for the fallback.
    table: Vec<(usize, Card)>,
    /// The round after the deal, and all cards since, in case the server plays by other options.
    dealt: Round,
    played: Vec<(usize, Card)>,
}

impl Client {
    /// A client that draws its worlds from a seed. It sends 15 ASCII characters of the name.
    pub fn new(name: &str, agent: Agent<Baseline>, seed: u64) -> Client {
        let ascii = name.chars().filter(|c| matches!(c, ' '..='~'));
        Client {
            name: ascii.take(15).collect(),
            player: Player::new(agent),
            rng: stream(seed, 0),
            round: None,
            last_trick: true,
            ends: None,
            game: Some(Game::default()),
        }
    }

    /// The same, if it is known when a game ends. The server does not say so; without knowing it the client plays for points.
    #[must_use]
    pub fn playing_until(self, ends: Ends) -> Client {
        Client {
            ends: Some(ends),
            ..self
        }
    }

    /// The player that decides.
    pub fn player(&self) -> &Player<Baseline> {
        &self.player
    }

    /// Receives a message of the server.
    pub fn receive(&mut self, message: Message) -> Response {
        match message {
            Message::Name => Response {
                answer: Some(Reply::Name(self.name.clone())),
                ..Response::default()
            },
            Message::Round {
                players,
                id,
                leader,
                hand,
            } => {
                self.count(players, id);
                let mut hands = Hands::default();
                hands[id] = hand.iter().copied().collect();
                let options = Options {
                    last_trick: self.last_trick,
                    ..Options::STRICT
                };
                let mut dealt = Round::new(players, leader, hands, options);
                if let (Some(ends), Some(game)) = (self.ends, self.game) {
                    dealt = dealt.after(game.ends(ends), &game.totals[..players]);
                }
                self.round = Some(Reports {
                    view: View::new(&dealt, id),
                    hand: hand.into_iter().map(Some).collect(),
                    consistent: true,
                    table: vec![],
                    dealt,
                    played: vec![],
                });
                Response::default()
            }
            Message::Played { player, card } => match &mut self.round {
                Some(round) => Response {
                    warning: round.report(player, card),
                    ..Response::default()
                },
                None => Response::warning("a card before any round"),
            },
            Message::Play => self.play(),
            Message::Stop => Response::default(),
        }
    }

    /// Learns from the round that is over, and adds its points to the game's. Another table, or another seat, is another game.
    fn count(&mut self, players: usize, id: usize) {
        let Some(before) = self.round.as_ref().map(|round| &round.view) else {
            return;
        };
        let is_same = before.round().players() == players && before.seat() == id;
        let scores = self.learn();
        self.game = match is_same {
            true => self
                .game
                .zip(scores)
                .map(|(game, scores)| game.and(&scores[..players], self.ends)),
            false => Some(Game::default()),
        };
    }

    /// Learns from the round that is over, also where its last trick was left out. What it has brought, if that is known.
    fn learn(&mut self) -> Option<[u8; MAX_PLAYERS]> {
        let over = self.round.as_ref().filter(|round| round.consistent)?;
        let (view, last_trick) = over.whole(&mut self.rng)?;
        let scores = match last_trick {
            true => view.round().scores(),
            false => {
                let options = Options {
                    last_trick,
                    ..view.round().options()
                };
                over.under(options)?.round().scores()
            }
        };
        self.last_trick = last_trick;
        self.player.learn(&view);
        Some(scores)
    }

    fn play(&mut self) -> Response {
        let Some(round) = &mut self.round else {
            return Response {
                // No answer would be a fault; any place may be right.
                answer: Some(Reply::Play(0)),
                ..Response::warning("asked for a card before any round")
            };
        };
        let seat = round.view.seat();
        let is_asked = |view: &View<Round>| view.round().to_act() == Some(seat);
        if round.consistent && !is_asked(&round.view) {
            round.reread(is_asked);
        }
        let turn = is_asked(&round.view);
        let decision = (turn && round.consistent)
            .then(|| self.player.decide(&round.view, &mut self.rng))
            .flatten();
        let card = match &decision {
            Some(decision) => Some(decision.card),
            None => round.fallback(),
        };
        let place = round
            .hand
            .iter()
            .position(|held| card.is_some() && *held == card);
        let before = round.view.clone();
        if let Some(card) = card {
            round.apply(round.view.seat(), card);
        }
        Response {
            answer: Some(Reply::Play(place.unwrap_or(0))),
            warning: decision
                .is_none()
                .then(|| "the server's messages do not fit together".to_owned()),
            decision: decision.map(|decision| (before, decision)),
        }
    }
}

/// Whether a player may play a card now, as far as a viewer knows.
fn may_play(view: &View<Round>, player: usize, card: Card) -> bool {
    view.round().to_act() == Some(player) && view.seen().may_hold(player).contains(card)
}

impl Reports {
    /// Another player's card; returns what is wrong with it.
    fn report(&mut self, player: usize, card: Card) -> Option<String> {
        let was_consistent = self.consistent;
        if was_consistent && !may_play(&self.view, player, card) {
            self.consistent = self.reread(|view| may_play(view, player, card));
        }
        self.apply(player, card);
        (was_consistent && !self.consistent)
            .then(|| format!("player {player} cannot have played {card} now"))
    }

    /// Takes the server to play by other options, the first ones under which the reports so far are possible and lead to
    /// what is wanted; returns whether there are any. Points on the first trick come into question once it is over: until then the
    /// own cards are to be chosen by the strict rule, which every table allows.
    fn reread(&mut self, wanted: impl Fn(&View<Round>) -> bool) -> bool {
        let Options {
            clean_first_trick: clean,
            last_trick,
        } = self.view.round().options();
        let first = self.view.round().first();
        let others = [(clean, true), (false, last_trick), (false, true)];
        let views = others
            .into_iter()
            .filter(|&(other, _)| other == clean || !first)
            .filter_map(|(clean_first_trick, last_trick)| {
                self.under(Options {
                    clean_first_trick,
                    last_trick,
                })
            });
        let found = views.into_iter().find(wanted);
        if let Some(view) = &found {
            self.view = view.clone();
        }
        found.is_some()
    }

    /// The view that the reports lead to if the server plays by these options.
    fn under(&self, options: Options) -> Option<View<Round>> {
        let mut view = View::new(&self.dealt.under(options), self.view.seat());
        for &(player, card) in &self.played {
            if !may_play(&view, player, card) {
                return None;
            }
            view.act(card);
        }
        Some(view)
    }

    /// The round to its end, and whether its last trick was played; none if more than that is missing. A last trick that was
    /// left out is completed with the cards that are left: where it is not known who holds which, with any deal that fits.
    fn whole(&self, rng: &mut Random) -> Option<(View<Round>, bool)> {
        let mut view = self.under(Options {
            last_trick: true,
            ..self.view.round().options()
        })?;
        if view.round().to_act().is_none() {
            return Some((view, true));
        }
        if !view.round().trick().is_empty() || view.seen().own().len() != 1 {
            return None;
        }
        let mut world = view.worlds().ok()?(rng);
        while let Some(player) = world.to_act() {
            let card = world.hand(player).first()?;
            world.act(card);
            view.act(card);
        }
        Some((view, false))
    }

    fn apply(&mut self, player: usize, card: Card) {
        self.played.push((player, card));
        for held in &mut self.hand {
            if *held == Some(card) {
                *held = None;
            }
        }
        let players = self.view.round().players();
        // A player that plays again has begun another trick.
        if self.table.len() == players || self.table.iter().any(|&(seat, _)| seat == player) {
            self.table.clear();
        }
        self.table.push((player, card));
        if self.consistent {
            self.view.act(card);
        }
    }

    /// A card that is likely to be legal if the reports contradict each other: the lowest that follows.
    fn fallback(&self) -> Option<Card> {
        let hand: Cards = self.hand.iter().flatten().copied().collect();
        let own = self.view.seat();
        let full = self.table.len() == self.view.round().players();
        let played = self.table.iter().any(|&(seat, _)| seat == own);
        match self.table.first() {
            Some((_, led)) if !full && !played => hand.following(led.suit()).first(),
            _ => {
                let others = hand - Cards::suit(tricks::Suit::Hearts);
                others.first().or(hand.first())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::parse;
    use engine::budget::Limits;
    use proptest::prelude::*;
    use tricks::Method;

    fn quick(seed: u64) -> Client {
        let limits = Limits {
            time: None,
            nodes: Some(100),
        };
        Client::new(
            "Moon Bot",
            Agent::search(Baseline::Careful, Method::default(), limits),
            seed,
        )
    }

    fn receive(player: &mut Client, text: &str) -> Response {
        player.receive(parse(text).unwrap())
    }

    #[test]
    fn a_trick_is_worked_out_without_a_report() {
        let mut player = quick(1);
        let name = Some(Reply::Name("Moon Bot".into()));
        assert_eq!(receive(&mut player, "0").answer, name);
        receive(&mut player, "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
        assert_eq!(receive(&mut player, "20,29").warning, None);
        let response = receive(&mut player, "1");
        let clubs = [2, 6, 11].map(|place| Some(Reply::Play(place)));
        assert!(clubs.contains(&response.answer), "{response:?}");
        for report in ["22,41", "23,34", "22,46", "23,44", "20,54"] {
            assert_eq!(receive(&mut player, report).warning, None, "{report}");
        }
        let response = receive(&mut player, "1");
        let diamonds = [3, 8, 1].map(|place| Some(Reply::Play(place)));
        assert!(diamonds.contains(&response.answer), "{response:?}");
        let (view, decision) = response.decision.unwrap();
        assert_eq!(view.round().trick().leader(), 2);
        assert!(decision.card.suit() == tricks::Suit::Diamonds);
    }

    #[test]
    fn a_report_that_cannot_be_true_is_survived() {
        let mut player = quick(1);
        assert_eq!(receive(&mut player, "1").answer, Some(Reply::Play(0)));
        assert!(receive(&mut player, "21,29").warning.is_some());
        receive(&mut player, "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
        // The own queen of spades, out of turn.
        let warning = receive(&mut player, "23,67").warning.unwrap();
        assert_eq!(warning, "player 3 cannot have played ♠Q now");
        // Spades follow, the lowest first; then every other card once.
        let mut places = Vec::new();
        for _ in 0..12 {
            let Some(Reply::Play(place)) = receive(&mut player, "1").answer else {
                panic!("a place");
            };
            assert!(
                !places.contains(&place) && place > 0,
                "{place} after {places:?}"
            );
            places.push(place);
        }
        assert_eq!(places[0], 10);
    }

    proptest! {
        /// Any messages in any order: an answer when asked, never a panic.
        #[test]
        fn any_disorder_is_survived(
            messages in prop::collection::vec((0..12_u8, 0..6_usize, 15..69_usize), 1..80),
            seed: u64,
        ) {
            let mut player = quick(seed);
            for (kind, number, card) in messages {
                let text = match kind {
                    0 => "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19".to_owned(),
                    1 => "0".to_owned(),
                    2..=5 => "1".to_owned(),
                    _ => format!("2{number},{card}"),
                };
                let Ok(message) = parse(&text) else { continue };
                let asks = matches!(message, Message::Play | Message::Name);
                prop_assert_eq!(player.receive(message).answer.is_some(), asks);
            }
        }
    }
}
