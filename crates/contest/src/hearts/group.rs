//! A group of programs and its rounds: names, deals, turns, scores. It has no clock and no pipes:
//! [`Group::receive`] takes an answer in, and [`Group::events`] gives the messages to be sent. `server`
//! adds pipes and clock.

use engine::rng::{Random, shuffle, stream};
use hearts::deal;
use hearts::protocol::{MOST_NAME, Message, Reply, parse_reply};
use hearts::rules::{Options, Round};
use std::mem;
use tricks::{Card, Round as _};

/// A message to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The player's number in the group, from 0.
    pub player: usize,
    pub message: Message,
}

/// The standing of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Its name; empty until it has sent one.
    pub name: String,
    /// The sum of its scores.
    pub score: u64,
}

/// The answer that a group waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// For names; by player, whether it has sent one.
    Names(Vec<bool>),
    /// For the card of the player whose turn it is.
    Round,
    Over,
}

/// A group under way.
#[derive(Clone, Debug)]
pub struct Group {
    options: Options,
    rng: Random,
    /// The number of rounds to play, which the contest calls tests.
    tests: u64,
    /// Rounds played to their end.
    rounds: u64,
    round: Round,
    /// Hands as sent to the players. An answer is an index into one of them.
    hands: Vec<Vec<Card>>,
    standings: Vec<Standing>,
    stage: Stage,
    fault: Option<(usize, String)>,
    events: Vec<Event>,
}

impl Group {
    /// A group of 3 to 6 players, who are being asked for their names. The deals follow from
    /// the seed.
    pub fn new(players: usize, tests: u64, options: Options, seed: u64) -> Group {
        // Groups of different sizes get different deals from one seed.
        let mut rng = stream(seed, players as u64);
        let round = deal::deal(players, options, &mut rng);
        let events = (0..players).map(|player| Event {
            player,
            message: Message::Name,
        });
        Group {
            options,
            rng,
            tests,
            rounds: 0,
            round,
            hands: vec![Vec::new(); players],
            standings: vec![Standing::default(); players],
            stage: Stage::Names(vec![false; players]),
            fault: None,
            events: events.collect(),
        }
    }

    /// Takes the messages that must be sent.
    pub fn events(&mut self) -> Vec<Event> {
        mem::take(&mut self.events)
    }

    /// Whether the group waits for an answer of this player.
    pub fn waits_for(&self, player: usize) -> bool {
        match &self.stage {
            Stage::Names(known) => !known[player],
            Stage::Round => self.round.to_act() == Some(player),
            Stage::Over => false,
        }
    }

    /// Whether all rounds are played, or the group was ended.
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// Rounds played to their end.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The standings of the players.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// The player who broke the rules and the reason, if that ended the group.
    pub fn fault(&self) -> Option<(usize, &str)> {
        let (player, reason) = self.fault.as_ref()?;
        Some((*player, reason))
    }

    /// A departure from the protocol in a text that [`receive`](Group::receive) overlooks, in words.
    pub fn departure(&self, player: usize, text: &str) -> Option<&'static str> {
        let asks = |event: &Event| {
            event.player == player && matches!(event.message, Message::Name | Message::Play)
        };
        match self.stage {
            _ if self.events.iter().any(asks) => Some("answers before it is asked"),
            Stage::Names(_) if text.trim().len() > MOST_NAME => {
                Some("has a long name, which is cut")
            }
            _ => None,
        }
    }

    /// Receives a text of a player. An illegal card, a text without a request, and an unreadable text end the
    /// group.
    pub fn receive(&mut self, player: usize, text: &str) {
        if self.is_over() {
            return;
        }
        if !self.waits_for(player) {
            self.end_by_fault(
                player,
                &format!("said {:?} without being asked", excerpt(text)),
            );
            return;
        }
        match &mut self.stage {
            Stage::Names(known) => match parse_reply(&Message::Name, text) {
                Ok(Reply::Name(name)) => {
                    known[player] = true;
                    self.standings[player].name = name;
                    // The first round is dealt when everybody has a name.
                    if known.iter().all(|&known| known) {
                        self.start_round();
                    }
                }
                _ => {
                    let reason = format!(
                        "{:?} is no name, expected printable ASCII characters",
                        excerpt(text)
                    );
                    self.end_by_fault(player, &reason);
                }
            },
            Stage::Round => self.play(player, text),
            Stage::Over => {}
        }
    }

    /// Ends the group because of a player's fault.
    pub fn end_by_fault(&mut self, player: usize, reason: &str) {
        if !self.is_over() {
            self.fault = Some((player, reason.to_owned()));
            self.stop();
        }
    }

    /// Ends the group: a stop is sent to all players. The round under way does not count.
    pub fn stop(&mut self) {
        if !self.is_over() {
            self.stage = Stage::Over;
            self.send_all(&Message::Stop);
        }
    }

    /// Plays the card that a text asks for, or ends the group by a fault.
    fn play(&mut self, player: usize, text: &str) {
        let count = self.hands[player].len();
        let expected = format!("expected 0 to {}", count.saturating_sub(1));
        let place = match parse_reply(&Message::Play, text) {
            Ok(Reply::Play(place)) => place,
            _ => {
                let text = excerpt(text);
                let reason = format!("{text:?} is no place in the hand, {expected}");
                return self.end_by_fault(player, &reason);
            }
        };
        // The index refers to the hand as it was sent, so cards already played keep their places.
        let Some(&card) = self.hands[player].get(place) else {
            let reason = format!("place {place} in a hand of {count}, {expected}");
            return self.end_by_fault(player, &reason);
        };
        // Two mistakes with different messages: a card that is still held, and one that was played.
        let legal = self.round.legal();
        if !legal.contains(card) {
            let held = self.round.hand(player).contains(card);
            let reason = if held { "is not legal" } else { "is gone" };
            let places = self.hands[player].iter().enumerate();
            let places = places.filter(|&(_, &card)| legal.contains(card));
            let places: Vec<_> = places.map(|(at, card)| format!("{at} ({card})")).collect();
            let places = places.join(", ");
            let reason = format!("place {place}: {card} {reason} now; legal: {places}");
            return self.end_by_fault(player, &reason);
        }
        self.round.act(card);
        // The player itself gets no message: it knows its card.
        for other in (0..self.standings.len()).filter(|&other| other != player) {
            self.send(other, Message::Played { player, card });
        }
        self.go_on();
    }

    /// Asks the next player for a card. After the last card, scores the round and deals the next one or stops.
    fn go_on(&mut self) {
        if let Some(player) = self.round.to_act() {
            self.send(player, Message::Play);
            return;
        }
        let scores = self.round.scores();
        for (standing, score) in self.standings.iter_mut().zip(scores) {
            standing.score += u64::from(score);
        }
        self.rounds += 1;
        // The last round ends with a stop instead of a new deal.
        if self.rounds >= self.tests {
            self.stop();
            return;
        }
        let players = self.standings.len();
        self.round = deal::deal(players, self.options, &mut self.rng);
        self.start_round();
    }

    /// Sends every player its hand in random order, and asks the leader.
    fn start_round(&mut self) {
        self.stage = Stage::Round;
        let players = self.standings.len();
        let leader = self.round.trick().leader();
        for player in 0..players {
            let mut hand: Vec<Card> = self.round.hand(player).into_iter().collect();
            shuffle(&mut self.rng, &mut hand);
            // Kept in the order that the player gets: its answers are places in this order.
            self.hands[player].clone_from(&hand);
            let message = Message::Round {
                players,
                id: player,
                leader,
                hand,
            };
            self.send(player, message);
        }
        self.go_on();
    }

    fn send_all(&mut self, message: &Message) {
        (0..self.standings.len()).for_each(|player| self.send(player, message.clone()));
    }

    fn send(&mut self, player: usize, message: Message) {
        self.events.push(Event { player, message });
    }
}

/// The beginning of a text, for messages.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hearts::player::{Baseline, Client};
    use hearts::protocol::print_reply;
    use hearts::rules::FIRST_LEAD;
    use tricks::Agent;

    fn clients(players: usize) -> Vec<Client> {
        let names = ["Ann", "", "a name of more than fifteen", "Dan", "Ed", "Flo"];
        names[..players]
            .iter()
            .map(|name| Client::new(name, Agent::Policy(Baseline::Duck), 1))
            .collect()
    }

    /// Lets clients play until `until` is true or the group is over; returns the messages sent.
    fn play(group: &mut Group, until: impl Fn(&Group) -> bool) -> Vec<Event> {
        let mut players = clients(group.standings().len());
        let mut sent = Vec::new();
        loop {
            let mut answers = Vec::new();
            for event in group.events() {
                sent.push(event.clone());
                let response = players[event.player].receive(event.message);
                assert_eq!(response.warning, None);
                answers.extend(
                    response
                        .answer
                        .map(|reply| (event.player, print_reply(&reply))),
                );
            }
            if group.is_over() || until(group) {
                return sent;
            }
            assert!(!answers.is_empty());
            for (player, text) in answers {
                group.receive(player, &text);
            }
        }
    }

    #[test]
    fn groups_of_all_sizes_play_their_rounds() {
        for players in 3..=6 {
            let mut group = Group::new(players, 5, Options::default(), 7);
            let sent = play(&mut group, |_| false);
            assert_eq!((group.rounds(), group.fault()), (5, None));
            let sum: u64 = group.standings().iter().map(|s| s.score).sum();
            assert!(sum >= 5 * 26 && sum.is_multiple_of(26), "{sum}");
            let count = |message: &Message| sent.iter().filter(|e| e.message == *message).count();
            let size = 52 / players;
            assert_eq!(count(&Message::Name), players);
            assert_eq!(count(&Message::Stop), players);
            assert_eq!(count(&Message::Play), 5 * size * players);
            assert_eq!(group.standings()[2].name, "a name of more");
        }
    }

    #[test]
    fn a_card_is_reported_to_all_but_who_played_it() {
        let mut group = Group::new(3, 1, Options::default(), 1);
        let sent = play(&mut group, |_| false);
        for event in &sent {
            if let Message::Played { player, .. } = event.message {
                assert_ne!(player, event.player);
            }
        }
        let reports = sent
            .iter()
            .filter(|e| matches!(e.message, Message::Played { .. }));
        assert_eq!(reports.count(), 2 * 51);
    }

    /// A group whose first player has just been asked for a card, and that player.
    fn asked() -> (Group, usize) {
        let mut group = Group::new(4, 3, Options::default(), 3);
        play(&mut group, |group| group.stage == Stage::Round);
        let leader = group.round.to_act().unwrap();
        (group, leader)
    }

    /// The place of such a card in a player's hand.
    fn place(group: &Group, player: usize, is_such: impl Fn(Card) -> bool) -> usize {
        let mut hand = group.hands[player].iter();
        hand.position(|&card| is_such(card)).unwrap()
    }

    #[test]
    fn faults_end_the_group() {
        let (group, leader) = asked();
        let right = place(&group, leader, |card| card == FIRST_LEAD);
        let wrong = place(&group, leader, |card| card != FIRST_LEAD);
        let card = group.hands[leader][wrong];
        let illegal = format!("place {wrong}: {card} is not legal now; legal: {right} (♣2)");
        let no_place = |text: &str| format!("{text:?} is no place in the hand, expected 0 to 12");
        let beyond = "place 13 in a hand of 13, expected 0 to 12";
        for (player, text, reason) in [
            (leader, &*wrong.to_string(), &*illegal),
            (leader, "13", beyond),
            (leader, "♣2", &no_place("♣2")),
            (leader, "-1", &no_place("-1")),
            ((leader + 1) % 4, "0", "said \"0\" without being asked"),
        ] {
            let mut group = group.clone();
            group.receive(player, text);
            assert_eq!(group.fault(), Some((player, reason)));
            assert!(group.is_over());
            let stops = group.events();
            assert_eq!(stops.len(), 4);
            assert!(stops.iter().all(|event| event.message == Message::Stop));
            group.receive(leader, "0");
            assert_eq!(group.events(), []);
        }
        let mut group = group;
        group.receive(leader, &format!(" {right} "));
        assert_eq!(group.fault(), None);
    }

    #[test]
    fn a_card_is_played_once() {
        let (mut group, leader) = asked();
        let right = place(&group, leader, |card| card == FIRST_LEAD);
        group.receive(leader, &right.to_string());
        while group.round.to_act() != Some(leader) {
            let player = group.round.to_act().unwrap();
            let legal = group.round.legal().first();
            let place = place(&group, player, |card| Some(card) == legal);
            group.receive(player, &place.to_string());
        }
        group.receive(leader, &right.to_string());
        let (player, reason) = group.fault().unwrap();
        let gone = format!("place {right}: ♣2 is gone now; legal: ");
        assert!(player == leader && reason.starts_with(&gone), "{reason}");
    }

    #[test]
    fn what_is_overlooked_has_words() {
        let mut group = Group::new(3, 1, Options::default(), 1);
        assert_eq!(
            group.departure(0, "Ann"),
            Some("answers before it is asked")
        );
        group.events();
        assert_eq!(group.departure(0, "just fifteen ch "), None);
        let long = group.departure(0, "just sixteen cha");
        assert_eq!(long, Some("has a long name, which is cut"));
        group.receive(0, "   just fifteen ch \n");
        assert_eq!(group.standings()[0].name, "just fifteen ch");
    }

    #[test]
    fn stopping_keeps_the_scores() {
        let mut group = Group::new(3, 10, Options::default(), 1);
        play(&mut group, |group| group.rounds() == 2);
        let before = group.standings().to_vec();
        group.stop();
        assert_eq!(group.standings(), before);
        assert_eq!((group.rounds(), group.fault()), (2, None));
    }
}
