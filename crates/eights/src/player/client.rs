//! The client: receives the server's lines, and answers those that ask for a card.

use super::policy::Baseline;
use crate::protocol::{Act, Message, parse, print, print_card, print_seat};
use crate::rules::{GAME, Round, SEATS, winner};
use engine::rng::{Random, stream};
use tricks::{Agent, Card, Cards, Ends, Player, Round as _, View};

/// The reaction to a line; the answer is a card.
pub type Response = tricks::program::Response<Card, Round>;

/// A player of one game after another.
///
/// It keeps the server's reports of the round, and replays them whenever it is asked for a card. So the server's
/// reports decide what has happened, not the client's earlier conclusions.
#[derive(Clone, Debug)]
pub struct Client {
    player: Player<Baseline>,
    rng: Random,
    /// The scores of the game before this round. No line contains them, so the client adds up the points it sees.
    scores: [u32; SEATS],
    /// Seats with enough points to win, after which the game went on: they must have been disqualified.
    out: [bool; SEATS],
    round: Option<Reports>,
}

/// The server's reports of a round so far.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reports {
    seat: usize,
    hand: Cards,
    pool: Cards,
    takes: Vec<Vec<Act>>,
    tricks: Vec<Vec<Act>>,
    /// Whether the round's points have been added to the scores.
    finished: bool,
}

impl Client {
    /// A client whose random numbers come from a seed.
    pub fn new(agent: Agent<Baseline>, seed: u64) -> Client {
        Client {
            player: Player::new(agent),
            rng: stream(seed, 0),
            scores: [0; SEATS],
            out: [false; SEATS],
            round: None,
        }
    }

    /// The player that decides.
    pub fn player(&self) -> &Player<Baseline> {
        &self.player
    }

    /// Receives a line of the server and reacts to it.
    pub fn receive(&mut self, line: &str) -> Response {
        let own = self.round.as_ref().map(|round| round.seat);
        let message = match parse(line, own) {
            Ok(Some(message)) => message,
            Ok(None) => return Response::default(),
            Err(error) => return self.malformed(line, &error.to_string()),
        };
        // A deal ends the round before it, whether or not the server said so.
        if let Message::StartHand { seat, hand, pool } = message {
            self.finish();
            // On another seat a new game begins, in which any player may sit anywhere.
            if own.is_some_and(|own| own != seat) {
                self.player = self.player.fresh();
                self.begin_game();
            }
            self.round = Some(Reports {
                seat,
                hand,
                pool,
                takes: vec![],
                tricks: vec![],
                finished: false,
            });
            return Response::default();
        }
        let Some(round) = &mut self.round else {
            return Response::warning(format!("{:?} before any starthand", line.trim()));
        };
        match message {
            Message::AfterTake(acts) => {
                round.takes.push(acts);
                self.recognise(&[]);
            }
            Message::Result(acts) => round.tricks.push(acts),
            Message::Take(before) => {
                self.recognise(&before);
                return self.answer(&before, true);
            }
            Message::Play(before) => return self.answer(&before, false),
            Message::EndRound => self.finish(),
            Message::StartHand { .. } => {}
        }
        Response::default()
    }

    /// Learns from a round that is over, and adds its points to the scores. A second call for the same round does
    /// nothing.
    fn finish(&mut self) {
        let scores = self.counted();
        let Some(round) = self.round.as_mut().filter(|round| !round.finished) else {
            return;
        };
        // A round whose reports contradict each other is neither learnt from nor counted.
        let Ok(view) = round.replay(&[], false, scores) else {
            return;
        };
        // A round that was cut short is not learnt from and not counted either.
        if view.round().to_act().is_some() {
            return;
        }
        round.finished = true;
        self.player.learn(&view);
        for (seat, score) in self.scores.iter_mut().enumerate() {
            *score += u32::from(view.round().points(seat));
        }
    }

    fn begin_game(&mut self) {
        self.scores = [0; SEATS];
        self.out = [false; SEATS];
    }

    /// Finds out which game a round belongs to whose cards are being taken, which shows the dealer. Once somebody has
    /// enough points to win, it is a new game if north deals. If another seat deals, the game goes on without the seat
    /// with these points, which must have been disqualified: no line says so. The own seat is not: it is still asked.
    fn recognise(&mut self, before: &[Act]) {
        const NORTH: usize = 0;
        while let (Some(round), Some(first)) = (&self.round, winner(&self.counted())) {
            match round.dealer(before) == NORTH || round.seat == first {
                true => self.begin_game(),
                false => self.out[first] = true,
            }
        }
    }

    /// The scores as they count for the end of the game. A seat that is out counts as much as the worst other.
    fn counted(&self) -> [u32; SEATS] {
        let left = (0..SEATS).filter(|&seat| !self.out[seat]);
        let worst = left.map(|seat| self.scores[seat]).min().unwrap_or(0);
        std::array::from_fn(|seat| match self.out[seat] {
            true => worst,
            false => self.scores[seat],
        })
    }

    /// Reacts to a line that cannot be read. If it asks for a card, the answer is one.
    fn malformed(&mut self, line: &str, error: &str) -> Response {
        let command = line.split_ascii_whitespace().next().unwrap_or("");
        let response = match command.to_ascii_lowercase().as_str() {
            "take" => self.answer(&[], true),
            "play" => self.answer(&[], false),
            _ => Response::default(),
        };
        Response {
            warning: Some(format!("{:?}: {error}", line.trim())),
            ..response
        }
    }

    /// Answers a request with a decision, or with a likely card if the reports do not fit together.
    fn answer(&mut self, before: &[Act], taking: bool) -> Response {
        let scores = self.counted();
        let Some(round) = &self.round else {
            return Response::default();
        };
        let decision = round.view(before, taking, scores).and_then(|view| {
            let decision = self.player.decide(&view, &mut self.rng);
            let decision = decision.ok_or_else(|| "no deal explains them".to_owned())?;
            Ok((view, decision))
        });
        match decision {
            Ok((view, decision)) => Response {
                answer: Some(decision.card),
                decision: Some((view, decision)),
                warning: None,
            },
            Err(reason) => Response {
                answer: round.fallback(before, taking),
                decision: None,
                warning: Some(format!("the server's lines do not fit together: {reason}")),
            },
        }
    }
}

/// The request for a card after the actions `before`.
fn request(before: &[Act], taking: bool) -> Message {
    match taking {
        true => Message::Take(before.to_vec()),
        false => Message::Play(before.to_vec()),
    }
}

impl Reports {
    /// The view after all reports and the actions `before`, for a request to take a card or to play one.
    ///
    /// # Errors
    /// The first line that contradicts the rules, and what was expected. A request for a take while tricks are played,
    /// or for a play while cards are taken, does so too.
    fn view(
        &self,
        before: &[Act],
        taking: bool,
        scores: [u32; SEATS],
    ) -> Result<View<Round>, String> {
        let view = self.replay(before, taking, scores)?;
        let round = view.round();
        match round.to_act() {
            Some(seat) if seat == self.seat && round.taking() == taking => Ok(view),
            next => Err(self.misfit(&request(before, taking), &expected(next, round.taking()))),
        }
    }

    /// The dealer acts first, but no message names it. So it is the player that took first, or this seat if nobody has
    /// taken yet.
    fn dealer(&self, before: &[Act]) -> usize {
        let first = self.takes.first().map_or(before, Vec::as_slice);
        first.first().map_or(self.seat, |&(seat, _)| seat)
    }

    /// A line that contradicts the rules, in words.
    fn misfit(&self, line: &Message, expected: &str) -> String {
        format!("{:?}, expected {expected}", print(line, self.seat))
    }

    /// The view after all reports and the actions `before` of a request to take a card or to play one.
    ///
    /// # Errors
    /// The first line that contradicts the rules, and what was expected.
    fn replay(
        &self,
        before: &[Act],
        taking: bool,
        scores: [u32; SEATS],
    ) -> Result<View<Round>, String> {
        let dealer = self.dealer(before);
        let mut hands = [Cards::EMPTY; SEATS];
        hands[self.seat] = self.hand;
        let ends = Ends::AtPoints(GAME as u16);
        let round = Round::new(dealer, hands, self.pool).after(ends, scores);
        let mut view = View::new(&round, self.seat);
        let takes = self.takes.iter().cloned().map(Message::AfterTake);
        let tricks = self.tricks.iter().cloned().map(Message::Result);
        for line in takes.chain(tricks) {
            let (Message::AfterTake(acts) | Message::Result(acts)) = &line else {
                continue;
            };
            // An incomplete trick would shift everybody's turn.
            if acts.len() != SEATS {
                return Err(self.misfit(&line, &format!("{SEATS} cards")));
            }
            follow(&mut view, acts).map_err(|expected| self.misfit(&line, &expected))?;
        }
        follow(&mut view, before)
            .map_err(|expected| self.misfit(&request(before, taking), &expected))?;
        Ok(view)
    }

    /// A card that is likely to be legal although the reports contradict each other.
    fn fallback(&self, before: &[Act], taking: bool) -> Option<Card> {
        let of = |rounds: &[Vec<Act>], all: bool| -> Cards {
            let acts = rounds.iter().flatten();
            let mine = acts.filter(|&&(seat, _)| all || seat == self.seat);
            mine.map(|&(_, card)| card).collect()
        };
        if taking {
            // A take: the last card of the pool that no report has taken.
            let gone: Cards = before.iter().map(|&(_, card)| card).collect();
            let left = self.pool - of(&self.takes, true) - gone;
            return left.last().or(self.pool.last());
        }
        // A play: the first card left in the hand, of the suit led if there is one.
        let table: Cards = before.iter().map(|&(_, card)| card).collect();
        let hand = (self.hand | of(&self.takes, false)) - of(&self.tricks, false) - table;
        match before.first() {
            Some((_, led)) => hand.following(led.suit()).first(),
            None => hand.first(),
        }
    }
}

/// Plays actions in a view. Each must be by the player to act, with a card of the pool or one that it may hold.
///
/// # Errors
/// The action that was expected in place of the first impossible one.
fn follow(view: &mut View<Round>, acts: &[Act]) -> Result<(), String> {
    for &(seat, card) in acts {
        let next = view.round().to_act();
        let taking = view.round().taking();
        if next != Some(seat) {
            let found = format!("{} {}", print_seat(seat), print_card(card));
            return Err(format!("{} and not {found}", expected(next, taking)));
        }
        let possible = match taking {
            true => view.round().pool().contains(card),
            false => view.seen().may_hold(seat).contains(card),
        };
        if !possible {
            let cards = if taking {
                "of the pool"
            } else {
                "that it may hold"
            };
            let (seat, card) = (print_seat(seat), print_card(card));
            return Err(format!("a card of {seat} {cards} and not {card}"));
        }
        view.act(card);
    }
    Ok(())
}

/// The action that is expected of the player to act, or the line after a round that is over.
fn expected(next: Option<usize>, taking: bool) -> String {
    match next {
        Some(seat) => {
            let act = if taking { "take" } else { "play" };
            format!("a {act} of {}", print_seat(seat))
        }
        None => "endround or starthand".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::read_seat;
    use engine::budget::Limits;
    use proptest::prelude::*;
    use tricks::Method;

    const EXAMPLE: &str = include_str!("../../../../tests/data/eights/example.txt");

    fn quick() -> Client {
        let limits = Limits::nodes(200);
        Client::new(
            Agent::search(Baseline::Counter, Method::default(), limits),
            1,
        )
    }

    #[test]
    fn the_example_is_answered_line_by_line() {
        let mut south = quick();
        let mut asked = 0;
        for line in EXAMPLE.lines() {
            let response = south.receive(line);
            assert_eq!(response.warning, None, "{line}");
            let asks = line.starts_with("take") || line.starts_with("play");
            assert_eq!(response.answer.is_some(), asks, "{line}");
            if let Some((view, decision)) = response.decision {
                assert!(view.round().legal().contains(decision.card));
                asked += 1;
            }
        }
        assert_eq!(asked, 16);
    }

    /// A finished round is scored once and learnt from once.
    #[test]
    fn the_client_learns_and_counts() {
        let mut south = quick();
        let beliefs = south.player.beliefs().to_owned();
        EXAMPLE.lines().for_each(|line| drop(south.receive(line)));
        assert_eq!(south.scores, [6, 3, 11, 5]);
        assert!(
            (0..SEATS)
                .all(|seat| { (south.player.beliefs()[seat] == beliefs[seat]) == (seat == 2) })
        );
        south.receive("endround");
        assert_eq!(south.scores, [6, 3, 11, 5]);
    }

    /// Receives the example, with all seats `old` places further, so that this seat deals. `first` has more than 300
    /// points then, before a `take` of the next round that follows the takes from seat `new` on, and `unreadable` words.
    fn after_300(old: usize, first: usize, new: usize, unreadable: &str) -> (Client, [u32; SEATS]) {
        let turn = |word: &str| match read_seat(word) {
            Some(seat) => print_seat((seat + old) % SEATS).to_string(),
            None => word.to_owned(),
        };
        let turn = |line: &str| line.split(' ').map(turn).collect::<Vec<_>>().join(" ");
        let mut client = Client::new(Agent::Policy(Baseline::Counter), 1);
        client.scores[first] = 299;
        let lines: Vec<String> = EXAMPLE.lines().map(turn).collect();
        lines.iter().for_each(|line| drop(client.receive(line)));
        let scores = client.scores;
        client.receive(&lines[0]);
        let own = client.round.as_ref().unwrap().seat;
        let before = (new..)
            .map(|seat| seat % SEATS)
            .take_while(|&seat| seat != own);
        let acts = before.zip(["s2", "ct", "ha"]);
        let line = acts.fold("take".to_owned(), |line, (seat, card)| {
            format!("{line} {} {card}", print_seat(seat))
        });
        let response = client.receive(&format!("{line} {unreadable}{}", print_seat(own)));
        assert_eq!(response.warning.is_none(), unreadable.is_empty());
        (client, scores)
    }

    /// A game begins with north. If another seat begins after somebody has 300 points, that one was disqualified, unless
    /// it is the own seat, which is still asked.
    #[test]
    fn a_game_that_goes_on_has_lost_its_leader() {
        for case in 0..SEATS.pow(3) {
            let [old, new, first] = [case / 16, case / 4 % 4, case % 4];
            let own = (2 + old) % SEATS;
            let (client, before) = after_300(old, first, new, "");
            let goes_on = new != 0 && first != own;
            let expected = match goes_on {
                true => before,
                false => [0; SEATS],
            };
            let out = std::array::from_fn(|seat| goes_on && seat == first);
            assert_eq!((client.scores, client.out), (expected, out), "{case}");
        }
    }

    /// Only takes show who deals. A request that cannot be read says nothing of the game.
    #[test]
    fn an_unreadable_take_ends_no_game() {
        let (mut south, before) = after_300(0, 1, 0, "zz ");
        assert_eq!((south.scores, south.out), (before, [false; SEATS]));
        south.receive("take n s2 e hk s");
        assert_eq!(south.scores, [0; SEATS]);
    }

    /// If two have enough points and the game goes on, both are out.
    #[test]
    fn two_leaders_are_out_at_once() {
        let mut south = quick();
        south.receive(EXAMPLE.lines().next().unwrap());
        south.scores = [299, 310, 120, 305];
        south.receive("take e hk s");
        assert_eq!(south.counted(), [299, 120, 120, 120]);
    }

    /// South's answers to the example's requests, in a game with these scores before it.
    fn answers(scores: [u32; SEATS]) -> Vec<Card> {
        let limits = Limits::nodes(4_000);
        let search = Agent::search(Baseline::Counter, Method::Blind, limits);
        let mut south = Client::new(search, 1);
        south.scores = scores;
        let responses = EXAMPLE.lines().map(|line| south.receive(line));
        responses.filter_map(|response| response.answer).collect()
    }

    /// South leads to its seventh trick. At the start of a game a heart wins the most points. With 297 points
    /// against 300 and 302, the ten of spades wins the game most often.
    #[test]
    fn the_scores_decide_what_is_played() {
        let tenth = |scores| print_card(answers(scores)[9]);
        assert!(tenth([0; SEATS]).starts_with('h'));
        assert_eq!(tenth([291, 299, 290, 299]), "st");
    }

    #[test]
    fn contradictions_are_survived() {
        let mut south = quick();
        for line in [
            "play n c2 s",
            "starthand s h9 h2 s8 ca h4 hj c7 sq st dk s2 ct ha c6 sa d5 ck c9 s5 cq h5 hk",
            "aftertake e h9 n h9",
        ] {
            assert_eq!(south.receive(line).answer, None, "{line}");
        }
        let response = south.receive("play n h3 s");
        let warning =
            "the server's lines do not fit together: \"aftertake e h9 n h9\", expected 4 cards";
        assert_eq!(response.warning.as_deref(), Some(warning));
        assert!(response.decision.is_none());
        assert_eq!(response.answer.map(print_card).as_deref(), Some("h2"));
        assert_eq!(
            south
                .receive("take n zz s")
                .answer
                .map(print_card)
                .as_deref(),
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
            south.receive(lines[0]);
            for (number, (line, cut)) in order.into_iter().enumerate() {
                let line = lines[if cut < 20 { number } else { line } % lines.len()];
                let line = if cut < 5 { &line[..line.len().min(6 + cut)] } else { line };
                let response = south.receive(line);
                if line.starts_with("take") {
                    prop_assert!(response.answer.is_some(), "{}", line);
                }
            }
        }
    }
}
