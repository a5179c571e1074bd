//! The contestant: hears lines, names cards.

use super::policy::Baseline;
use crate::protocol::{Act, Message, parse};
use crate::rules::{SEATS, winner};
use crate::view::View;
use engine::rng::{Random, stream};
use tricks::{Agent, Card, Cards, Decision, Player, Round as _, View as _};

/// What a line comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// The card to answer with.
    pub answer: Option<Card>,
    /// The decision behind it, with the view it was made for; none where the server's lines do not
    /// fit together and the answer is a makeshift.
    pub decision: Option<(View, Decision)>,
    /// What was odd about the line.
    pub trouble: Option<String>,
}

/// A player of one game after another.
///
/// It keeps what the server reported of the round, nothing else, and works everything out afresh
/// from that when it is asked: what the server says always counts.
#[derive(Clone, Debug)]
pub struct Contestant {
    player: Player<Baseline>,
    random: Random,
    /// Of the game, before this round.
    scores: [u32; SEATS],
    round: Option<Told>,
}

/// A round as told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    seat: usize,
    hand: Cards,
    pool: Cards,
    takes: Vec<Vec<Act>>,
    tricks: Vec<Vec<Act>>,
    /// Whether its points have been added up.
    finished: bool,
}

impl Contestant {
    /// A contestant that draws its worlds from a seed.
    pub fn new(agent: Agent<Baseline>, seed: u64) -> Contestant {
        Contestant {
            player: Player::new(agent),
            random: stream(seed, 0),
            scores: [0; SEATS],
            round: None,
        }
    }

    /// Takes in a line of the server.
    pub fn hear(&mut self, line: &str) -> Heard {
        let own = self.round.as_ref().map(|told| told.seat);
        let message = match parse(line, own) {
            Ok(Some(message)) => message,
            Ok(None) => return Heard::default(),
            Err(error) => return self.garbled(line, &error.to_string()),
        };
        if let Message::StartHand { seat, hand, pool } = message {
            self.finish();
            self.round = Some(Told {
                seat,
                hand,
                pool,
                takes: vec![],
                tricks: vec![],
                finished: false,
            });
            return Heard::default();
        }
        let Some(told) = &mut self.round else {
            return Heard {
                trouble: Some(format!("{:?} before any starthand", line.trim())),
                ..Heard::default()
            };
        };
        match message {
            Message::AfterTake(acts) => told.takes.push(acts),
            Message::Result(acts) => told.tricks.push(acts),
            Message::Take(before) => return self.answer(&before, true),
            Message::Play(before) => return self.answer(&before, false),
            Message::EndRound => self.finish(),
            Message::StartHand { .. } => {}
        }
        Heard::default()
    }

    /// What is believed of each seat's way to play.
    pub fn player(&self) -> &Player<Baseline> {
        &self.player
    }

    /// Takes in what the others did in a round that is over, and adds its points up.
    fn finish(&mut self) {
        let Some(told) = self.round.as_mut().filter(|told| !told.finished) else {
            return;
        };
        let Some(view) = told.course(&[], self.scores) else {
            return;
        };
        if view.round().to_act().is_some() {
            return;
        }
        told.finished = true;
        self.player.learn(&view);
        for (seat, score) in self.scores.iter_mut().enumerate() {
            *score += u32::from(view.round().points(seat));
        }
        if winner(&self.scores).is_some() {
            self.scores = [0; SEATS];
        }
    }

    /// A line that cannot be read: when it asks for a card it gets one all the same.
    fn garbled(&mut self, line: &str, error: &str) -> Heard {
        let command = line.split_ascii_whitespace().next().unwrap_or("");
        let mut heard = match command.to_ascii_lowercase().as_str() {
            "take" => self.answer(&[], true),
            "play" => self.answer(&[], false),
            _ => Heard::default(),
        };
        heard.trouble = Some(format!("{:?}: {error}", line.trim()));
        heard
    }

    fn answer(&mut self, before: &[Act], taking: bool) -> Heard {
        let Some(told) = &self.round else {
            return Heard::default();
        };
        let view = told
            .view(before, self.scores)
            .filter(|view| view.round().taking() == taking);
        let decision = view.and_then(|view| {
            let decision = self.player.decide(&view, &mut self.random)?;
            Some((view, decision))
        });
        match decision {
            Some((view, decision)) => Heard {
                answer: Some(decision.card),
                decision: Some((view, decision)),
                trouble: None,
            },
            None => Heard {
                answer: told.makeshift(before, taking),
                decision: None,
                trouble: Some("the server's lines do not fit together".to_owned()),
            },
        }
    }
}

impl Told {
    /// The view that all reports lead to if it is the player's turn then.
    fn view(&self, before: &[Act], scores: [u32; SEATS]) -> Option<View> {
        let view = self.course(before, scores)?;
        (view.round().to_act()? == self.seat).then_some(view)
    }

    /// The view that all reports lead to; none if they contradict the rules' order of turns.
    fn course(&self, before: &[Act], scores: [u32; SEATS]) -> Option<View> {
        let first = self.takes.first().map_or(before, Vec::as_slice);
        let dealer = first.first().map_or(self.seat, |&(seat, _)| seat);
        let mut view = View::new(self.seat, dealer, self.hand, self.pool).after(scores);
        let rounds = self.takes.iter().chain(&self.tricks);
        if !rounds.clone().all(|acts| acts.len() == SEATS) {
            return None;
        }
        for &(seat, card) in rounds.flatten().chain(before) {
            let expected = view.round().to_act()? == seat;
            let possible = if view.round().taking() {
                view.round().pool().contains(card)
            } else {
                view.seen().may_hold(seat).contains(card)
            };
            if !(expected && possible) {
                return None;
            }
            view.act(card);
        }
        Some(view)
    }

    /// A card that should be legal, whatever the reports say.
    fn makeshift(&self, before: &[Act], taking: bool) -> Option<Card> {
        let of = |rounds: &[Vec<Act>], all: bool| -> Cards {
            let acts = rounds.iter().flatten();
            let mine = acts.filter(|&&(seat, _)| all || seat == self.seat);
            mine.map(|&(_, card)| card).collect()
        };
        if taking {
            let gone: Cards = before.iter().map(|&(_, card)| card).collect();
            let left = self.pool - of(&self.takes, true) - gone;
            return left.last().or(self.pool.last());
        }
        let table: Cards = before.iter().map(|&(_, card)| card).collect();
        let hand = (self.hand | of(&self.takes, false)) - of(&self.tricks, false) - table;
        match before.first() {
            Some((_, led)) => hand.following(led.suit()).first(),
            None => hand.first(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::print_card;
    use engine::budget::Limits;
    use proptest::prelude::*;
    use tricks::Method;

    const EXAMPLE: &str = include_str!("../../../../tests/data/eights/example.txt");

    fn quick() -> Contestant {
        let limits = Limits {
            time: None,
            nodes: Some(200),
        };
        Contestant::new(
            Agent::Search(Baseline::Counter, Method::default(), limits),
            1,
        )
    }

    #[test]
    fn the_example_is_answered_line_by_line() {
        let mut south = quick();
        let mut asked = 0;
        for line in EXAMPLE.lines() {
            let heard = south.hear(line);
            assert_eq!(heard.trouble, None, "{line}");
            let asks = line.starts_with("take") || line.starts_with("play");
            assert_eq!(heard.answer.is_some(), asks, "{line}");
            if let Some((view, decision)) = heard.decision {
                assert!(view.round().legal().contains(decision.card));
                asked += 1;
            }
        }
        assert_eq!(asked, 16);
    }

    /// A round that is over is added up once, and what the others did in it is remembered.
    #[test]
    fn the_contestant_learns_and_counts() {
        let mut south = quick();
        let beliefs = south.player.beliefs().to_owned();
        EXAMPLE.lines().for_each(|line| drop(south.hear(line)));
        assert_eq!(south.scores, [6, 3, 11, 5]);
        assert!(
            (0..SEATS)
                .all(|seat| { (south.player.beliefs()[seat] == beliefs[seat]) == (seat == 2) })
        );
        south.hear("endround");
        assert_eq!(south.scores, [6, 3, 11, 5]);
    }

    #[test]
    fn contradictions_are_survived() {
        let mut south = quick();
        for line in [
            "play n c2 s",
            "starthand s h9 h2 s8 ca h4 hj c7 sq st dk s2 ct ha c6 sa d5 ck c9 s5 cq h5 hk",
            "aftertake e h9 n h9",
        ] {
            assert_eq!(south.hear(line).answer, None, "{line}");
        }
        let heard = south.hear("play n h3 s");
        assert!(heard.trouble.is_some() && heard.decision.is_none());
        assert_eq!(heard.answer.map(print_card).as_deref(), Some("h2"));
        assert_eq!(
            south.hear("take n zz s").answer.map(print_card).as_deref(),
            Some("sa")
        );
    }

    proptest! {
        /// Lines left out, repeated, cut and mixed: always a card when asked, never a panic.
        #[test]
        fn any_disorder_is_survived(
            order in prop::collection::vec((0..60_usize, 0..40_usize), 1..60),
        ) {
            let lines: Vec<&str> = EXAMPLE.lines().collect();
            let mut south = quick();
            south.hear(lines[0]);
            for (number, (line, cut)) in order.into_iter().enumerate() {
                let line = lines[if cut < 20 { number } else { line } % lines.len()];
                let line = if cut < 5 { &line[..line.len().min(6 + cut)] } else { line };
                let heard = south.hear(line);
                if line.starts_with("take") {
                    prop_assert!(heard.answer.is_some(), "{}", line);
                }
            }
        }
    }
}
