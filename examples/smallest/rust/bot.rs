//! The smallest program for Cartagena that stays: it answers every question that its input holds.
//!
//! It advances the pirate farthest back by its first card; without cards it retreats the foremost that can.

use std::error::Error;
use std::io::{self, Write};

const PIRATES: usize = 6;

/// The action for a game so far; an empty line ends the turn.
fn answer(lines: &[String]) -> Result<String, Box<dyn Error>> {
    let mut lines = lines.iter().map(String::as_str);
    let players: usize = lines.next().unwrap_or_default().parse()?;
    let mut board = Vec::new(); // the symbol of every place, from the cell on
    for symbol in lines.by_ref() {
        board.push(symbol);
        if symbol == "boat" {
            break;
        }
    }
    let boat = board.len() - 1;
    let mut pirates = vec![[0; PIRATES]; players];
    let mut player = 0;
    for line in lines.by_ref() {
        let words: Vec<&str> = line.split_whitespace().collect();
        player = words[0].parse()?;
        let [_, start, end, ..] = words[..] else {
            break; // no move: who is to act
        };
        let (start, end): (usize, usize) = (start.parse()?, end.parse()?);
        let pirate = pirates[player - 1].iter_mut().find(|place| **place == start);
        *pirate.ok_or("a move of nobody")? = end;
    }
    let hand: Vec<&str> = lines.collect();

    if pirates.iter().any(|places| places == &[boat; PIRATES]) {
        return Ok(String::new()); // the game is over
    }
    let mut standing = vec![0; board.len()];
    for &place in pirates.iter().flatten() {
        standing[place] += 1;
    }
    let mut own = pirates[player - 1];
    own.sort_unstable();
    if let Some(card) = hand.first() {
        // The first empty space ahead with the card's symbol, else the boat.
        let start = own[0];
        let free = (start + 1..boat).find(|&place| board[place] == *card && standing[place] == 0);
        return Ok(format!("{player} {start} {} {card}", free.unwrap_or(boat)));
    }
    for &start in own.iter().rev() {
        // The nearest space behind with one or two pirates.
        if let Some(end) = (1..start).rev().find(|&place| matches!(standing[place], 1 | 2)) {
            return Ok(format!("{player} {start} {end}"));
        }
    }
    Ok(String::new())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        let more = io::stdin().read_line(&mut line)? > 0;
        if !line.trim().is_empty() {
            lines.push(line.trim().to_owned());
        } else if !lines.is_empty() {
            println!("{}", answer(&lines)?);
            io::stdout().flush()?;
            lines.clear();
        }
        if !more {
            return Ok(());
        }
    }
}
