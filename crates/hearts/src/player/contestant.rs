//! The contestant: hears messages, answers them.

use super::policy::Baseline;
use crate::protocol::{Message, Reply};
use crate::rules::Options;
use crate::view::View;
use engine::rng::{Random, stream};
use tricks::{Agent, Card, Cards, Decision, Player, Round as _, View as _};

/// What a message comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// The answer to send.
    pub answer: Option<Reply>,
    /// The decision behind it, with the view it was made for; none where the server's messages do
    /// not fit together and the answer is a makeshift.
    pub decision: Option<(View, Decision)>,
    /// What was odd about the message.
    pub trouble: Option<String>,
}

/// A player of any number of rounds.
#[derive(Clone, Debug)]
pub struct Contestant {
    name: String,
    player: Player<Baseline>,
    random: Random,
    round: Option<Told>,
}

/// A round as told.
#[derive(Clone, Debug)]
struct Told {
    view: View,
    /// As dealt; what has been played is none.
    hand: Vec<Option<Card>>,
    /// Whether all reports could be true so far.
    sound: bool,
    /// The suit led and the cards of the trick, for makeshifts.
    table: Vec<(usize, Card)>,
    /// The view after the deal, and all cards since, in case the table's rules are others.
    dealt: View,
    played: Vec<(usize, Card)>,
}

impl Contestant {
    /// A contestant that draws its worlds from a seed. Of the name 15 ASCII characters are sent.
    pub fn new(name: &str, agent: Agent<Baseline>, seed: u64) -> Contestant {
        let ascii = name.chars().filter(|c| matches!(c, ' '..='~'));
        Contestant {
            name: ascii.take(15).collect(),
            player: Player::new(agent),
            random: stream(seed, 0),
            round: None,
        }
    }

    /// Takes in a message of the server.
    pub fn hear(&mut self, message: Message) -> Heard {
        match message {
            Message::Name => Heard {
                answer: Some(Reply::Name(self.name.clone())),
                ..Heard::default()
            },
            Message::Round {
                players,
                id,
                leader,
                hand,
            } => {
                self.learn();
                let cards: Cards = hand.iter().copied().collect();
                let view = View::new(id, players, leader, cards, Options::default());
                self.round = Some(Told {
                    dealt: view.clone(),
                    played: vec![],
                    view,
                    hand: hand.into_iter().map(Some).collect(),
                    sound: true,
                    table: vec![],
                });
                Heard::default()
            }
            Message::Played { player, card } => {
                let trouble = match &mut self.round {
                    Some(told) => told.report(player, card),
                    None => Some("a card before any round".to_owned()),
                };
                Heard {
                    trouble,
                    ..Heard::default()
                }
            }
            Message::Play => self.play(),
            Message::Stop => Heard::default(),
        }
    }

    /// Takes in what the others did in the round that is over.
    fn learn(&mut self) {
        let over = |told: &&Told| told.sound && told.view.round().to_act().is_none();
        if let Some(told) = self.round.as_ref().filter(over) {
            self.player.learn(&told.view);
        }
    }

    /// What is believed of each seat's way to play.
    pub fn player(&self) -> &Player<Baseline> {
        &self.player
    }

    fn play(&mut self) -> Heard {
        let Some(told) = &mut self.round else {
            return Heard {
                // Silence would be a violation; any index may be right.
                answer: Some(Reply::Play(0)),
                decision: None,
                trouble: Some("asked for a card before any round".to_owned()),
            };
        };
        let turn = told.view.round().to_act() == Some(told.view.seat());
        let decision = (turn && told.sound)
            .then(|| self.player.decide(&told.view, &mut self.random))
            .flatten();
        let card = match &decision {
            Some(decision) => Some(decision.card),
            None => told.makeshift(),
        };
        let place = told
            .hand
            .iter()
            .position(|held| card.is_some() && *held == card);
        let before = told.view.clone();
        if let Some(card) = card {
            told.apply(told.view.seat(), card);
        }
        Heard {
            answer: Some(Reply::Play(place.unwrap_or(0))),
            trouble: decision
                .is_none()
                .then(|| "the server's messages do not fit together".to_owned()),
            decision: decision.map(|decision| (before, decision)),
        }
    }
}

impl Told {
    /// Another player's card; says what is wrong with it.
    fn report(&mut self, player: usize, card: Card) -> Option<String> {
        let may_play = |view: &View| {
            view.round().to_act() == Some(player) && view.seen().may_hold(player).contains(card)
        };
        if self.sound
            && !may_play(&self.view)
            && let Some(view) = self.lenient().filter(may_play)
        {
            self.view = view;
        }
        let sound = self.sound && may_play(&self.view);
        if self.sound && !sound {
            self.sound = false;
            self.apply(player, card);
            return Some(format!("player {player} cannot have played {card} now"));
        }
        self.apply(player, card);
        None
    }

    /// The view at a table that allows points on the first trick, once that is over: until then the
    /// own cards are to be chosen by the strict rule, which every table allows.
    fn lenient(&self) -> Option<View> {
        if self.view.round().first() {
            return None;
        }
        let round = self.dealt.round();
        let options = Options {
            clean_first_trick: false,
        };
        let (seat, players) = (self.dealt.seat(), round.players());
        let leader = round.trick().leader();
        let mut view = View::new(seat, players, leader, round.hand(seat), options);
        for &(player, card) in &self.played {
            let fits = view.round().to_act() == Some(player);
            if !fits || !view.seen().may_hold(player).contains(card) {
                return None;
            }
            view.act(card);
        }
        Some(view)
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
        if self.sound {
            self.view.act(card);
        }
    }

    /// A card that should be legal, whatever was reported: the lowest that follows.
    fn makeshift(&self) -> Option<Card> {
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

    fn quick(seed: u64) -> Contestant {
        let limits = Limits {
            time: None,
            nodes: Some(100),
        };
        Contestant::new(
            "Moon Bot",
            Agent::Search(Baseline::Careful, Method::default(), limits),
            seed,
        )
    }

    fn hear(player: &mut Contestant, text: &str) -> Heard {
        player.hear(parse(text).unwrap())
    }

    #[test]
    fn a_trick_is_worked_out_without_being_told() {
        let mut player = quick(1);
        let name = Some(Reply::Name("Moon Bot".into()));
        assert_eq!(hear(&mut player, "0").answer, name);
        hear(&mut player, "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
        assert_eq!(hear(&mut player, "20,29").trouble, None);
        let heard = hear(&mut player, "1");
        let clubs = [2, 6, 11].map(|place| Some(Reply::Play(place)));
        assert!(clubs.contains(&heard.answer), "{heard:?}");
        for report in ["22,41", "23,34", "22,46", "23,44", "20,54"] {
            assert_eq!(hear(&mut player, report).trouble, None, "{report}");
        }
        let heard = hear(&mut player, "1");
        let diamonds = [3, 8, 1].map(|place| Some(Reply::Play(place)));
        assert!(diamonds.contains(&heard.answer), "{heard:?}");
        let (view, decision) = heard.decision.unwrap();
        assert_eq!(view.round().trick().leader(), 2);
        assert!(decision.card.suit() == tricks::Suit::Diamonds);
    }

    #[test]
    fn a_report_that_cannot_be_true_is_survived() {
        let mut player = quick(1);
        assert_eq!(hear(&mut player, "1").answer, Some(Reply::Play(0)));
        assert!(hear(&mut player, "21,29").trouble.is_some());
        hear(&mut player, "34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19");
        // The own queen of spades, out of turn.
        let told = hear(&mut player, "23,67").trouble.unwrap();
        assert_eq!(told, "player 3 cannot have played ♠Q now");
        // Spades follow, the lowest first; then every other card once.
        let mut places = Vec::new();
        for _ in 0..12 {
            let Some(Reply::Play(place)) = hear(&mut player, "1").answer else {
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
                prop_assert_eq!(player.hear(message).answer.is_some(), asks);
            }
        }
    }
}
