//! Fault injection: however a referee writes within the rules, the players answer with legal cards.
//!
//! The programs' clients run inside this process. The referee splits, delays, pads and garbles what it
//! writes. The long form:
//!
//! ```text
//! FAULT_ROUNDS=100000 cargo test --test it -- --ignored --nocapture many_rounds_with_faults
//! ```

use ::eights::player as eights_player;
use ::eights::protocol::{Message, parse_card, print};
use ::eights::round_messages::RoundMessages;
use ::eights::rules::{self as eights, SEATS};
use ::hearts::player as hearts_player;
use ::hearts::protocol::{self as hearts_protocol, Frames, Reply};
use ::hearts::rules::{self as hearts, Options};
use engine::budget::Limits;
use engine::rng::{Random, below, shuffle, stream};
use std::cell::RefCell;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::rc::Rc;
use tricks::{Agent, Card, Method, Round as _, View, random_card};

/// The fastest search: one world for every decision.
const QUICK: Limits = Limits::nodes(1);

/// A referee that serves as the player's input. When the player reads on, the referee checks what the player
/// has written, and sends more.
trait Referee {
    /// The next bytes for the player, after it wrote `written`; nothing at the end.
    fn go_on(&mut self, written: Vec<u8>) -> Vec<u8>;
    fn rng(&mut self) -> &mut Random;
}

struct Input<R> {
    referee: R,
    written: Rc<RefCell<Vec<u8>>>,
    waiting: Vec<u8>,
}

impl<R: Referee> Read for Input<R> {
    /// Gives pieces of any size, and sometimes an interruption.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.waiting.is_empty() {
            let written = self.written.take();
            self.waiting = self.referee.go_on(written);
        }
        let rng = self.referee.rng();
        if below(rng, 50) == 0 {
            return Err(ErrorKind::Interrupted.into());
        }
        let most = self.waiting.len().min(buffer.len());
        let count = match below(rng, 3) {
            0 => most,
            1 => most.min(1),
            _ => most.min(1 + below(rng, 40)),
        };
        buffer[..count].copy_from_slice(&self.waiting[..count]);
        self.waiting.drain(..count);
        Ok(count)
    }
}

struct Output(Rc<RefCell<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A write also takes at most three bytes at a time.
        let count = bytes.len().min(3);
        self.0.borrow_mut().extend(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A referee of Tricky Eights. One seat is the player's; the others play any legal card.
struct EightsReferee {
    rng: Random,
    own: usize,
    left: u64,
    number: u64,
    round: Option<eights::Round>,
    messages: RoundMessages,
    asked: bool,
    answers: u64,
}

impl EightsReferee {
    /// A line with the meaning of the message, written in one of many ways.
    fn line(&mut self, message: &Message) -> String {
        let mut line = print(message, self.own);
        let rng = &mut self.rng;
        match message {
            Message::StartHand { .. } if below(rng, 2) == 0 => line += " sa c6",
            Message::Take(_) | Message::Play(_) if below(rng, 2) == 0 => {
                line += [" h5", " h5 w cq", " x", " e"][below(rng, 4)];
            }
            Message::Result(_) if below(rng, 3) == 0 => {
                line = line.replacen("result", "resultoftrick", 1);
            }
            Message::EndRound if below(rng, 2) == 0 => line = "end 6 3 11 5".to_owned(),
            _ => {}
        }
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        for word in &mut words {
            if let Some(suit) = word.strip_suffix('t').filter(|suit| suit.len() == 1)
                && below(rng, 2) == 0
            {
                *word = format!("{suit}10");
            }
            if below(rng, 3) == 0 {
                *word = word.to_uppercase();
            }
        }
        let blanks = [" ", "  ", "\t", " \t "];
        let mut text = blanks[below(rng, 4)].repeat(below(rng, 2));
        for word in words {
            text += &word;
            text += blanks[below(rng, 4)];
        }
        text += ["\n", "\r\n", " \r\n", "\n\n"][below(rng, 4)];
        text
    }

    /// Lines without a meaning, which a player must skip.
    fn noise(&mut self) -> Vec<u8> {
        match below(&mut self.rng, 12) {
            0 => b"score 1 2 3 4\n".to_vec(),
            1 => b"# take n\n".to_vec(),
            2 => b"\xff\xfe\x00 \xc3\x28\n".to_vec(),
            3 => vec![b'x'; below(&mut self.rng, 40_000)]
                .into_iter()
                .chain(*b"\n")
                .collect(),
            4 => b"\n\r\n \t\n".to_vec(),
            5 => b"startgame\nendtakes\n".to_vec(),
            _ => Vec::new(),
        }
    }

    fn say(&mut self, out: &mut Vec<u8>, message: &Message) {
        out.extend(self.noise());
        out.extend(self.line(message).into_bytes());
    }

    fn act(&mut self, out: &mut Vec<u8>, round: &mut eights::Round, card: Card) {
        let message = self.messages.act(round, card);
        round.act(card);
        if let Some(message) = message {
            self.say(out, &message);
        }
    }
}

impl Referee for EightsReferee {
    fn rng(&mut self) -> &mut Random {
        &mut self.rng
    }

    fn go_on(&mut self, written: Vec<u8>) -> Vec<u8> {
        let mut out = Vec::new();
        let mut round = match self.round.take() {
            Some(round) => round,
            None => {
                if self.left == 0 {
                    assert_eq!(written, b"");
                    return out;
                }
                self.left -= 1;
                self.number += 1;
                self.own = below(&mut self.rng, SEATS);
                let dealer = (self.number % SEATS as u64) as usize;
                let round = ::eights::deal::deal(dealer, &mut self.rng);
                let message = self.messages.deal(&View::new(&round, self.own));
                self.say(&mut out, &message);
                round
            }
        };
        let text = String::from_utf8(written).unwrap();
        if self.asked {
            let line = text
                .strip_suffix('\n')
                .unwrap_or_else(|| panic!("{text:?}"));
            let card = parse_card(line).unwrap();
            assert!(round.legal().contains(card), "{card} of {}", round.legal());
            self.answers += 1;
            self.asked = false;
            self.act(&mut out, &mut round, card);
        } else {
            assert_eq!(text, "", "nothing was asked");
        }
        while let Some(seat) = round.to_act() {
            if seat == self.own {
                let message = self.messages.request(&round);
                self.say(&mut out, &message);
                self.asked = true;
                self.round = Some(round);
                return out;
            }
            let card = random_card(round.legal(), &mut self.rng);
            self.act(&mut out, &mut round, card);
        }
        self.say(&mut out, &Message::EndRound);
        out
    }
}

/// Plays rounds with injected faults; returns how many cards the player was asked for.
fn faulty_eights(rounds: u64, seed: u64, method: Method) -> u64 {
    let written = Rc::new(RefCell::new(Vec::new()));
    let referee = EightsReferee {
        rng: stream(seed, 0),
        own: 0,
        left: rounds,
        number: 0,
        round: None,
        messages: RoundMessages::default(),
        asked: false,
        answers: 0,
    };
    let mut input = Input {
        referee,
        written: Rc::clone(&written),
        waiting: Vec::new(),
    };
    let agent = Agent::search(eights_player::Baseline::Counter, method, QUICK);
    let mut player = eights_player::Client::new(agent, seed);
    eights_player::play(
        &mut player,
        BufReader::with_capacity(64, &mut input),
        Output(written),
        |_, response| {
            assert!(
                response.answer.is_none() || response.decision.is_some(),
                "{response:?}"
            )
        },
    )
    .unwrap();
    input.referee.answers
}

/// A server of Hearts. One program is the player; the others play any legal card.
struct HeartsReferee {
    rng: Random,
    left: u64,
    own: usize,
    hand: Vec<Card>,
    round: Option<hearts::Round>,
    asked: Option<hearts_protocol::Message>,
    answers: u64,
}

impl HeartsReferee {
    /// A frame with the meaning of the message, written in one of many ways.
    fn say(&mut self, out: &mut Vec<u8>, message: &hearts_protocol::Message) {
        let rng = &mut self.rng;
        let mut text = hearts_protocol::print(message).into_bytes();
        if matches!(
            message,
            hearts_protocol::Message::Played { .. } | hearts_protocol::Message::Round { .. }
        ) && below(rng, 2) == 0
        {
            text.push(b',');
        }
        text.push(0);
        // Anything may follow the text's end, since a server may send its whole buffer.
        let rest = [0, 0, 1, 20, 126, 300][below(rng, 6)];
        text.extend((0..rest).map(|_| below(rng, 256) as u8));
        let mut length = text.len();
        while length > 0x7f {
            out.push(length as u8 | 0x80);
            length >>= 7;
        }
        // A length may be written with more octets than it needs.
        if below(rng, 4) == 0 && text.len() <= 0x7f {
            out.push(length as u8 | 0x80);
            length = 0;
        }
        out.push(length as u8);
        out.extend(text);
    }

    fn act(&mut self, out: &mut Vec<u8>, round: &mut hearts::Round, card: Card) {
        let player = round.to_act().unwrap();
        round.act(card);
        if player != self.own {
            self.say(out, &hearts_protocol::Message::Played { player, card });
        }
    }

    fn deal(&mut self, out: &mut Vec<u8>) -> hearts::Round {
        let players = 3 + below(&mut self.rng, 4);
        let options = Options {
            clean_first_trick: below(&mut self.rng, 2) == 0,
            ..Options::default()
        };
        let round = ::hearts::deal::deal(players, options, &mut self.rng);
        self.own = below(&mut self.rng, players);
        self.hand = round.hand(self.own).into_iter().collect();
        shuffle(&mut self.rng, &mut self.hand);
        let message = hearts_protocol::Message::Round {
            players,
            id: self.own,
            leader: round.trick().leader(),
            hand: self.hand.clone(),
        };
        self.say(out, &message);
        round
    }

    fn reply(&mut self, written: Vec<u8>) -> Option<Reply> {
        let mut frames = Frames::default();
        frames.push(&written);
        let Some(asked) = self.asked.take() else {
            assert_eq!(written, b"", "nothing was asked");
            return None;
        };
        let text = frames.next_text().unwrap().expect("an answer");
        assert!(frames.is_empty(), "one answer");
        assert_eq!(written, hearts_protocol::frame(&text), "an exact length");
        Some(hearts_protocol::parse_reply(&asked, &text).unwrap())
    }
}

impl Referee for HeartsReferee {
    fn rng(&mut self) -> &mut Random {
        &mut self.rng
    }

    fn go_on(&mut self, written: Vec<u8>) -> Vec<u8> {
        let mut out = Vec::new();
        let reply = self.reply(written);
        let mut round = match self.round.take() {
            Some(round) => round,
            None if self.left == 0 => {
                self.say(&mut out, &hearts_protocol::Message::Stop);
                return out;
            }
            None if reply.is_none() && below(&mut self.rng, 3) == 0 => {
                self.say(&mut out, &hearts_protocol::Message::Name);
                self.asked = Some(hearts_protocol::Message::Name);
                return out;
            }
            None => {
                self.left -= 1;
                self.deal(&mut out)
            }
        };
        if let Some(Reply::Play(place)) = reply {
            let card = self.hand[place];
            assert!(round.legal().contains(card), "{card} of {}", round.legal());
            self.answers += 1;
            self.act(&mut out, &mut round, card);
        }
        while let Some(seat) = round.to_act() {
            if seat == self.own {
                self.say(&mut out, &hearts_protocol::Message::Play);
                self.asked = Some(hearts_protocol::Message::Play);
                self.round = Some(round);
                return out;
            }
            let card = random_card(round.legal(), &mut self.rng);
            self.act(&mut out, &mut round, card);
        }
        // An empty read would mean the end of the input.
        if out.is_empty() {
            return self.go_on(Vec::new());
        }
        out
    }
}

/// Plays rounds with injected faults; returns how many cards the player was asked for.
fn faulty_hearts(rounds: u64, seed: u64, method: Method) -> u64 {
    let written = Rc::new(RefCell::new(Vec::new()));
    let mut input = Input {
        referee: HeartsReferee {
            rng: stream(seed, 1),
            left: rounds,
            own: 0,
            hand: Vec::new(),
            round: None,
            asked: None,
            answers: 0,
        },
        written: Rc::clone(&written),
        waiting: Vec::new(),
    };
    let agent = Agent::search(hearts_player::Baseline::Careful, method, QUICK);
    let mut player = hearts_player::Client::new("Faults", agent, seed);
    hearts_player::play(&mut player, &mut input, Output(written), |_, response| {
        assert_eq!(response.warning, None);
    })
    .unwrap();
    input.referee.answers
}

/// The search that the programs use, and a faster one that gets through more rounds.
const METHODS: [Method; 2] = [Method::Inference, Method::Flat];

#[test]
fn eights_is_played_through_injected_faults() {
    for method in METHODS {
        assert_eq!(faulty_eights(100, 1, method), 100 * 16);
    }
}

#[test]
fn hearts_is_played_through_injected_faults() {
    for method in METHODS {
        let cards = faulty_hearts(100, 1, method);
        assert!((100 * 8..=100 * 17).contains(&cards), "{cards}");
    }
}

/// Plays `FAULT_ROUNDS` rounds of each game, 100,000 if that is not set. A tenth of them use the programs'
/// own search.
#[test]
#[ignore = "takes minutes; see the head of this file"]
fn many_rounds_with_faults() {
    let rounds: u64 = std::env::var("FAULT_ROUNDS").map_or(100_000, |text| text.parse().unwrap());
    for (method, rounds) in METHODS.into_iter().zip([rounds / 10, rounds - rounds / 10]) {
        let eights = faulty_eights(rounds, 7, method);
        let hearts = faulty_hearts(rounds, 7, method);
        println!("{method:?}: {rounds} rounds of each, {eights} and {hearts} cards asked for");
    }
}
