//! The client: receives the server's messages, and answers those that ask.

use super::policy::Baseline;
use crate::protocol::{Message, Reply, print};
use crate::rules::{FIRST_LEAD, Options, Round};
use engine::rng::{Random, stream};
use tricks::{Agent, Card, Cards, Ends, Hands, MAX_PLAYERS, Player, Round as _, View};

/// The reaction to a message.
pub type Response = tricks::program::Response<Reply, Round>;

/// A player of any number of rounds.
#[derive(Clone, Debug)]
pub struct Client {
    name: String,
    player: Player<Baseline>,
    rng: Random,
    round: Option<Reports>,
    /// How many cards were asked for without a round.
    unknown: usize,
    /// Whether the server plays the last trick. The round before has shown it; at first it is assumed.
    last_trick: bool,
    /// The end of a game, if it is known; the server never says it.
    ends: Option<Ends>,
    /// The rounds of the current game; none if their points are not known.
    game: Option<Game>,
}

/// The rounds of a game that are over: their number, and the points so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Game {
    rounds: u16,
    totals: [u32; MAX_PLAYERS],
}

impl Game {
    /// The game after one more round; a new game if that round ended it.
    fn and(self, scores: &[u8], ends: Option<Ends>) -> Game {
        let mut totals = self.totals;
        for (total, &score) in totals.iter_mut().zip(scores) {
            *total += u32::from(score);
        }
        let rounds = self.rounds.saturating_add(1);
        let is_over = match ends {
            Some(Ends::AfterRounds(all)) => rounds >= all,
            Some(Ends::AtPoints(goal)) => {
                // A player has reached the number of points, and one player alone has the fewest.
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

    /// The end of the game, as seen from the next round.
    fn ends(&self, ends: Ends) -> Ends {
        match ends {
            // A standing counts the rounds to come, the next one included.
            Ends::AfterRounds(all) => Ends::AfterRounds(all.saturating_sub(self.rounds)),
            ends => ends,
        }
    }
}

/// The reports of a round.
#[derive(Clone, Debug)]
struct Reports {
    /// The view that the reports lead to, while they are consistent.
    view: View<Round>,
    /// The hand in the order dealt, which answers refer to; none in place of a card that has been played.
    hand: Vec<Option<Card>>,
    /// Whether all reports so far are possible.
    consistent: bool,
    /// The seats and cards of the trick on the table, for the fallback.
    table: Vec<(usize, Card)>,
    /// The round after the deal, and all cards since: they are replayed if the server turns out to play by
    /// other options.
    dealt: Round,
    played: Vec<(usize, Card)>,
}

impl Client {
    /// A client whose random numbers come from a seed. It sends up to 15 ASCII characters of the name.
    pub fn new(name: &str, agent: Agent<Baseline>, seed: u64) -> Client {
        let ascii = name.chars().filter(|c| matches!(c, ' '..='~'));
        Client {
            name: ascii.take(15).collect(),
            player: Player::new(agent),
            rng: stream(seed, 0),
            round: None,
            unknown: 0,
            last_trick: true,
            ends: None,
            game: Some(Game::default()),
        }
    }

    /// The same client with a known end of the game, for which it then plays. The server does not report the end, and
    /// a client that does not know it plays for points.
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

    /// Receives a message of the server and reacts to it.
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
                // A new deal is the first sign that the round before is over.
                self.count(players, id);
                let mut hands = Hands::default();
                hands[id] = hand.iter().copied().collect();
                // Others may throw points on the first trick, as servers allow that by default.
                let options = Options {
                    last_trick: self.last_trick,
                    any_leader: leader == id && !hands[id].contains(FIRST_LEAD),
                    ..Options::default()
                };
                let mut dealt = Round::new(players, leader, hands, options);
                // Only with a known end does a round belong to a game, and the search play for it.
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
                // A server that reports a player's own card to it as well says nothing new.
                Some(round)
                    if player == round.view.seat() && round.played.contains(&(player, card)) =>
                {
                    Response::default()
                }
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

    /// A message could not be read. If it was a deal, the hand and the game's points are not known.
    pub fn unread(&mut self, text: &str) {
        // Later versions of the public server write a sign in place of the digit.
        if text.trim_start().starts_with(['3', ']']) {
            self.learn();
            (self.round, self.unknown, self.game) = (None, 0, None);
        }
    }

    /// Learns from the round that is over, and adds its points to the game's. With another number of players,
    /// or on another seat, a new game begins.
    fn count(&mut self, players: usize, id: usize) {
        let Some(before) = self.round.as_ref().map(|round| &round.view) else {
            return;
        };
        let is_same = before.round().players() == players && before.seat() == id;
        let scores = self.learn();
        // A round whose points are not known leaves the game's totals unknown as well.
        self.game = match is_same {
            true => self
                .game
                .zip(scores)
                .map(|(game, scores)| game.and(&scores[..players], self.ends)),
            false => {
                // Any player may sit anywhere now.
                self.player = self.player.fresh();
                Some(Game::default())
            }
        };
    }

    /// Learns from the round that is over, even if its last trick was left out. Returns its scores, if they are known.
    fn learn(&mut self) -> Option<[u8; MAX_PLAYERS]> {
        let over = self.round.as_ref().filter(|round| round.consistent)?;
        let (view, last_trick) = over.whole(&mut self.rng)?;
        // Beliefs learn from the completed round, since all hands are known there. Scores are those of the
        // tricks that the server played.
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

    /// Answers a request for a card, with a decision or with a likely card if the reports do not fit together.
    fn play(&mut self) -> Response {
        let Some(round) = &mut self.round else {
            // No answer would be a fault, and any place may be right that was not played yet.
            let place = self.unknown;
            self.unknown += 1;
            return Response {
                answer: Some(Reply::Play(place)),
                ..Response::warning("asked for a card of a hand that was not dealt")
            };
        };
        let seat = round.view.seat();
        let is_asked = |view: &View<Round>| view.round().to_act() == Some(seat);
        // If it seems to be another player's turn, other options may explain the request.
        if round.consistent && !is_asked(&round.view) {
            round.reread(is_asked);
        }
        let turn = is_asked(&round.view);
        // The strict rule for the first trick: a card that it allows is legal on every server.
        let among = round.view.round().legal_under(Options {
            last_trick: self.last_trick,
            ..Options::STRICT
        });
        let decision = (turn && round.consistent)
            .then(|| self.player.decide_among(&round.view, among, &mut self.rng))
            .flatten();
        let card = match &decision {
            Some(decision) => Some(decision.card),
            None => round.fallback(),
        };
        // The answer is the card's place in the hand as dealt.
        let place = round
            .hand
            .iter()
            .position(|held| card.is_some() && *held == card);
        let warning = decision.is_none().then(|| round.misfit());
        // The card is applied at once: the server does not report a player's own card to it.
        let before = round.view.clone();
        if let Some(card) = card {
            round.apply(round.view.seat(), card);
        }
        Response {
            answer: Some(Reply::Play(place.unwrap_or(0))),
            warning,
            decision: decision.map(|decision| (before, decision)),
        }
    }
}

/// Whether a player may play this card now, as far as a viewer knows.
fn may_play(view: &View<Round>, player: usize, card: Card) -> bool {
    let round = view.round();
    let leads = round.first() && round.trick().is_empty() && !round.options().any_leader;
    round.to_act() == Some(player)
        && view.seen().may_hold(player).contains(card)
        && (card == FIRST_LEAD || !leads)
}

impl Reports {
    /// Records another player's card; returns a description of the fault if it is not possible.
    fn report(&mut self, player: usize, card: Card) -> Option<String> {
        let was_consistent = self.consistent;
        // Other options may allow the card.
        if was_consistent && !may_play(&self.view, player, card) {
            self.consistent = self.reread(|view| may_play(view, player, card));
        }
        // One warning a round is enough.
        let warning = (was_consistent && !self.consistent).then(|| {
            let expected = match self.view.round().to_act() {
                Some(next) if next == player => "one that it may hold".to_owned(),
                _ => self.expected(),
            };
            let text = print(&Message::Played { player, card });
            format!("{text:?}: player {player} cannot have played {card} now, expected {expected}")
        });
        self.apply(player, card);
        warning
    }

    /// The message that is expected next by the view, in words.
    fn expected(&self) -> String {
        match self.view.round().to_act() {
            Some(player) if player == self.view.seat() => "a request for a card: 1".to_owned(),
            Some(player) => format!("a card of player {player}: 2{player},…"),
            None => "a new round or the end: 3… or 4".to_owned(),
        }
    }

    /// The reason why a request for a card is not decided by the player.
    fn misfit(&self) -> String {
        let turn = self.view.round().to_act() == Some(self.view.seat());
        match (self.consistent, turn) {
            (true, true) => "no deal fits the server's messages of this round".to_owned(),
            (true, false) => format!("\"1\" asks for a card, expected {}", self.expected()),
            (false, _) => {
                "asked for a card in a round whose messages do not fit together".to_owned()
            }
        }
    }

    /// Reads the reports again under other options: the server plays the last trick, or lets any player lead the first
    /// one. Adopts the first options under which the reports are possible and lead to a view that is `wanted`. Returns
    /// whether there are such options.
    fn reread(&mut self, wanted: impl Fn(&View<Round>) -> bool) -> bool {
        let known = self.view.round().options();
        let last = Options {
            last_trick: true,
            ..known
        };
        let others = [known, last].map(|options| Options {
            any_leader: true,
            ..options
        });
        let all = [last].into_iter().chain(others);
        let found = all.filter_map(|options| self.under(options)).find(wanted);
        if let Some(view) = &found {
            self.view = view.clone();
        }
        found.is_some()
    }

    /// The view that the reports lead to under these options; none if they are not possible.
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

    /// The view of the whole round, and whether the server played its last trick; none if more than that trick is
    /// missing. If the last trick was left out, each player plays the card that it has left. If it is not known which
    /// player holds which card, any deal that fits will do.
    fn whole(&self, rng: &mut Random) -> Option<(View<Round>, bool)> {
        let mut view = self.under(Options {
            last_trick: true,
            ..self.view.round().options()
        })?;
        if view.round().to_act().is_none() {
            return Some((view, true));
        }
        // Only a whole trick may be missing: one card in every hand, and none on the table.
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

    /// Records a card in everything that follows the round.
    fn apply(&mut self, player: usize, card: Card) {
        self.played.push((player, card));
        for held in &mut self.hand {
            if *held == Some(card) {
                *held = None;
            }
        }
        let players = self.view.round().players();
        // A seat that plays again has begun another trick.
        if self.table.len() == players || self.table.iter().any(|&(seat, _)| seat == player) {
            self.table.clear();
        }
        self.table.push((player, card));
        // An inconsistent view is followed no further; the fallback reads the table.
        if self.consistent {
            self.view.act(card);
        }
    }

    /// A card that is likely to be legal although the reports contradict each other: the lowest that follows
    /// suit.
    fn fallback(&self) -> Option<Card> {
        let hand: Cards = self.hand.iter().flatten().copied().collect();
        let own = self.view.seat();
        let full = self.table.len() == self.view.round().players();
        let played = self.table.iter().any(|&(seat, _)| seat == own);
        match self.table.first() {
            Some((_, led)) if !full && !played => hand.following(led.suit()).first(),
            // This seat seems to lead: hearts may not be broken yet, so another suit is safer.
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
        let limits = Limits::nodes(100);
        Client::new(
            "Moon Bot",
            Agent::search(Baseline::Careful, Method::default(), limits),
            seed,
        )
    }

    fn receive(player: &mut Client, text: &str) -> Response {
        player.receive(parse(text).unwrap())
    }

    /// A server may name a leader that lacks the two of clubs, this program or another one. The round is searched all the
    /// same, whoever plays that card later.
    #[test]
    fn a_leader_may_lack_the_two_of_clubs() {
        let mut own = quick(3);
        receive(&mut own, "34,1,1,67,43,30,51,17,22,33,61,48,27,57,36,19");
        assert!(receive(&mut own, "1").decision.is_some());
        let mut other = quick(3);
        receive(&mut other, "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
        // Player 0 leads the four of clubs, so that the two of clubs may be anybody's but player 0's.
        let lead = receive(&mut other, "20,31");
        assert_eq!(lead.warning, None, "{lead:?}");
        let seen = other.round.as_ref().unwrap().view.seen();
        let may_hold = |seat| seen.may_hold(seat).contains(FIRST_LEAD);
        assert_eq!([0, 2, 3].map(may_hold), [false, true, true]);
        assert!(receive(&mut other, "1").decision.is_some());
    }

    /// On another seat the habits of the players around it are forgotten, since any player may sit anywhere.
    #[test]
    fn another_seat_is_another_game() {
        let mut client = quick(5);
        receive(&mut client, "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
        let unlearnt = client.player.clone();
        let mut learnt = unlearnt.clone();
        let mut rng = engine::rng::stream(5, 0);
        let mut round = crate::deal::deal(4, Options::default(), &mut rng);
        let mut view = View::new(&round, 1);
        while round.to_act().is_some() {
            let card = tricks::random_card(round.legal(), &mut rng);
            round.act(card);
            view.follow(card, &round);
        }
        learnt.learn(&view);
        assert_ne!(learnt.beliefs(), unlearnt.beliefs());
        client.player = learnt.clone();
        receive(&mut client, "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
        assert_eq!(client.player.beliefs(), learnt.beliefs());
        receive(&mut client, "34,2,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
        assert_eq!(client.player.beliefs(), unlearnt.beliefs());
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
    fn a_report_of_an_own_card_is_no_news() {
        let hand = [67, 43, 30, 51, 17, 22, 33, 61, 48, 27, 57, 36, 19];
        let mut player = quick(1);
        receive(&mut player, "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
        receive(&mut player, "20,29");
        let Some(Reply::Play(place)) = receive(&mut player, "1").answer else {
            panic!("no card");
        };
        let own = format!("21,{}", hand[place]);
        for report in [&own, "22,41", &own, "23,34", "22,46"] {
            assert_eq!(receive(&mut player, report).warning, None, "{report}");
        }
    }

    #[test]
    fn a_hand_that_cannot_be_read_is_played_from_its_first_place() {
        for unreadable in ["34,1,0,67,43", "]4,1,0,67,43"] {
            let mut player = quick(1);
            receive(&mut player, "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
            player.unread(unreadable);
            for place in 0..3 {
                assert_eq!(receive(&mut player, "1").answer, Some(Reply::Play(place)));
            }
        }
    }

    #[test]
    fn a_report_that_cannot_be_true_is_survived() {
        let mut player = quick(1);
        assert_eq!(receive(&mut player, "1").answer, Some(Reply::Play(0)));
        assert!(receive(&mut player, "21,29").warning.is_some());
        receive(&mut player, "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
        // The player's own queen of spades, out of turn.
        let warning = receive(&mut player, "23,67").warning.unwrap();
        assert_eq!(
            warning,
            "\"23,67\": player 3 cannot have played ♠Q now, expected a card of player 0: 20,…"
        );
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
