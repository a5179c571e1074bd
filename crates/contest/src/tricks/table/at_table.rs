//! A trick-taking game as the tables see it: each question of [`TableGame`] is answered from [`Game`], and decisions
//! come from `strength`, `advice` and `programs`.

use super::WholeGame;
use super::advice::{advise, choice, judge};
use super::game::Game;
use super::log::{count, told};
use super::luck;
use super::programs::{self, Programs};
use crate::practice::Practice;
use crate::tricks::record::Record;
use crate::tricks::report::Report;
use arena::plain_text::counted;
use arena::ranking::places;
use arena::records::line_of;
use engine::rng::{Random, mix, stream};
use serde_json::{Value, json};
use tables::{Advice, Choice, Eyes, TableGame, Told, distinct};
use tricks::{Card, Cards, Round as _};

/// Rounds whose log is sent during a game: the current one and the one before, whose end may still be on the screen.
const SHOWN: usize = 2;

/// A game as a table plays it, and the programs that sit at this table.
#[derive(Clone)]
pub(super) struct AtTable<G: WholeGame>(pub Game<G>, pub Programs<G>);

impl<G: WholeGame> AtTable<G> {
    /// Random numbers for a decision or advice. They follow from the seed and the position, so the same question
    /// gets the same answer; `part` gives different questions different numbers.
    fn rng(&self, part: u64) -> Random {
        let game = &self.0;
        stream(mix(game.seed() ^ mix(game.actions() as u64 + 1)), part)
    }

    /// The records of all rounds.
    fn recorded(&self, names: &[String], practice: &Practice) -> impl Iterator<Item = Record> {
        let game = &self.0;
        game.deals.iter().enumerate().map(move |(number, deal)| {
            // A whole game has the same stem in all ids, so its rounds can be put together again.
            let (start, played) = deal.played();
            let mut record = Record::dealt::<G>(&start);
            let stem = practice.stem();
            record.id = format!("{stem}-{:016x}-{}", game.seed(), number + 1);
            record.practice = practice.clone();
            record.seed = game.seed();
            record.players = distinct(names);
            record.cards = played.iter().map(|&(_, card)| card.code()).collect();
            record.points = deal.round.scores()[..game.players()].to_vec();
            record
        })
    }

    /// While cards are passed, the seat that gets those of the observer; for an onlooker its neighbour's.
    fn receiver(&self, eyes: Eyes) -> Option<usize> {
        let round = &self.0.current().round;
        let giver = eyes.seat().unwrap_or(0);
        round.passing().then(|| round.receiver(giver))
    }

    /// The hand of a seat, if these eyes may see it.
    fn hand(&self, seat: usize, eyes: Eyes) -> Option<Cards> {
        let sees = eyes == Eyes::All || eyes == Eyes::Seat(seat) || self.to_move().is_none();
        sees.then(|| self.0.current().round.hand(seat))
    }
}

impl<G: WholeGame> TableGame for AtTable<G> {
    fn boxed(&self) -> Box<dyn TableGame> {
        Box::new(self.clone())
    }

    fn to_move(&self) -> Option<usize> {
        self.0.to_act()
    }

    fn view(&self, eyes: Eyes) -> Value {
        let game = &self.0;
        let own_turn = self.to_move().is_some_and(|seat| eyes == Eyes::Seat(seat));
        let legal = match own_turn {
            true => game.current().round.legal(),
            false => Cards::EMPTY,
        };
        // Older rounds are finished, and the page has them. The review of a game that is over lists all of them.
        let from = match self.to_move() {
            Some(_) => game.deals.len().saturating_sub(SHOWN),
            None => 0,
        };
        // Earlier rounds are only counted.
        let earlier: usize = game.deals[..from].iter().map(count).sum();
        let log = (from..game.deals.len()).flat_map(|number| told(game, number, eyes));
        json!({
            "players": game.players(),
            "goal": G::GOAL,
            "low": G::LOW_IS_GOOD,
            "dealt": game.current().start.hand(0).len(),
            "before": game.totals_before(),
            "rounds": game.results(),
            "winner": game.winner(),
            "taking": game.current().round.taking(),
            "passing": self.receiver(eyes),
            "legal": legal.into_iter().map(Card::code).collect::<Vec<_>>(),
            "may_end": false,
            "earlier": earlier,
            "log": log.map(|told| told.entry).collect::<Vec<_>>(),
        })
    }

    fn act(&mut self, action: &str) -> Result<String, String> {
        // Programs of the contest may write `10` for ten and use capitals.
        let code = action.trim().to_lowercase().replace("10", "t");
        let card = Card::from_code(&code)
            .ok_or_else(|| format!("{action:?} is no card: expected a code such as d9 or st"))?;
        self.0.act(card)?;
        Ok(card.code())
    }

    fn places(&self) -> Option<Vec<f64>> {
        let totals = self.0.totals().into_iter().map(i64::from);
        let standings = totals.map(|total| if G::LOW_IS_GOOD { -total } else { total });
        let standings: Vec<i64> = standings.collect();
        self.to_move().is_none().then(|| places(&standings))
    }

    fn has_shown(&self) -> bool {
        // The last card of a round reveals the next deal, and the last one to be passed shows what is got for it.
        let deal = self.0.current();
        deal.cards.is_empty() || !deal.round.passing() && deal.cards.len() == deal.passed()
    }

    fn think(&self, level: usize) -> Result<String, String> {
        let card = G::STRENGTHS[level].decide(&self.0, &mut self.rng(0));
        Ok(card.ok_or("it found no card")?.code())
    }

    fn consult(&self, program: &str) -> Result<String, String> {
        programs::ask(&self.1, program, &self.0)
    }

    fn close(&self) {
        programs::leave(&self.1, &self.0);
    }

    fn advise(&self) -> Advice {
        advise(&self.0, &mut self.rng(1))
    }

    fn judge(&self, taken: &str, _actions: usize) -> Advice {
        // `judge` adds `taken` to the candidates if it is legal and the search has left it out.
        judge(&self.0, taken, &mut self.rng(2))
    }

    fn luck(&self) -> Option<f64> {
        let game = &self.0;
        let (number, deal) = game
            .deals
            .iter()
            .enumerate()
            .rfind(|(_, deal)| !deal.cards.is_empty())?;
        // Each seat's luck is reported once, with its first card. A position that was set up has no deal.
        let &(seat, _) = deal.cards.last()?;
        let cards = deal
            .cards
            .iter()
            .filter(|&&(other, _)| other == seat)
            .count();
        let is_dealt = number > 0 || game.before() == 0;
        match is_dealt && cards == 1 {
            true => luck::of_deal(&game.contest, &deal.start, seat),
            false => None,
        }
    }

    fn choices(&self) -> Vec<Choice> {
        if self.to_move().is_none() {
            return Vec::new();
        }
        let round = &self.0.current().round;
        let cards = round.legal().into_iter();
        cards.map(|card| choice(card, round)).collect()
    }

    fn screen(&self, eyes: Eyes, names: &[String]) -> Vec<String> {
        let game = &self.0;
        let round = &game.current().round;
        let totals = game.totals();
        let number = game.deals.len();
        let mut lines = vec![format!("round {number} of a game to {} points", G::GOAL)];
        for (seat, name) in names.iter().enumerate() {
            let turn = if self.to_move() == Some(seat) {
                '>'
            } else {
                ' '
            };
            let (total, points, cards) = (totals[seat], round.points(seat), round.hand(seat).len());
            lines.push(format!(
                "{turn}{} {name}: {}, {points} in this round, {}",
                seat + 1,
                counted(total, "point"),
                counted(cards, "card")
            ));
            if let Some(hand) = self.hand(seat, eyes).filter(|hand| !hand.is_empty()) {
                lines.push(format!("   {hand}"));
            }
        }
        if round.taking() {
            lines.push(format!("to be taken: {}", round.pool()));
        } else if let Some(to) = self.receiver(eyes) {
            let chosen = eyes.seat().map(|seat| round.passed(seat));
            let chosen = chosen.filter(|cards| !cards.is_empty());
            let chosen = chosen.map_or(String::new(), |cards| format!(", chosen: {cards}"));
            lines.push(format!("three cards are passed to {}{chosen}", names[to]));
        } else {
            let cards = round.trick().in_order().enumerate();
            let cards = cards.map(|(place, card)| {
                let seat = (round.trick().leader() + place) % game.players();
                format!("{} {card}", seat + 1)
            });
            lines.push(format!("trick: {}", cards.collect::<Vec<_>>().join(", ")));
        }
        lines
    }

    fn told(&self, eyes: Eyes) -> Vec<Told> {
        let rounds = 0..self.0.deals.len();
        rounds
            .flat_map(|number| told(&self.0, number, eyes))
            .collect()
    }

    fn has_record(&self) -> bool {
        self.0.is_from_deal()
    }

    fn record(&self, names: &[String], practice: &Practice) -> Option<Vec<u8>> {
        let mut lines = Vec::new();
        for record in self.recorded(names, practice) {
            lines.extend(line_of(&record).ok()?);
        }
        Some(lines)
    }

    fn page(&self, names: &[String], practice: &Practice) -> Option<Vec<u8>> {
        let mut report = Report::new(&self.0.contest, None);
        for record in self.recorded(names, practice) {
            report.push(&record).ok()?;
        }
        let labels = distinct(names).join(", ");
        let title = format!("{}: {labels}{}", G::TITLE, practice.of_title());
        let mut page = Vec::new();
        report.write(&mut page, &title).ok()?;
        Some(page)
    }
}
