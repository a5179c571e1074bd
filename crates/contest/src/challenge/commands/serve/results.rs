//! Results of the challenge contest as text, for the server's output: the bracket of the final, and the games that each
//! pair of teams has played.

use arena::plain_text::{counted, span};
use challenge_server::bracket::{Bracket, Match};
use challenge_server::snapshot::Meetings;

/// The most pairs that get a line each. With more, only the smallest and the greatest number of games are printed.
/// Twelve teams have 12 · 11 / 2 = 66 pairs.
const SHOWN: usize = 66;

/// A final with a line for each stage: its matches, and the team that has a bye.
pub(super) fn bracket<'a>(stages: &[Bracket], name: impl Fn(u64) -> &'a str) -> String {
    let one = |one: &Match| {
        let ([a, b], [won, lost]) = (one.teams.map(&name), one.games);
        match one.winner {
            // A match without a game shows no score.
            None if won + lost == 0 => format!("{a} – {b}"),
            _ => format!("{a} {won} : {lost} {b}"),
        }
    };
    let mut text = "the final".to_owned();
    // The last stage has one team, the champion, and nothing to play.
    for (i, stage) in stages.iter().filter(|stage| !stage.is_over()).enumerate() {
        let bye = stage.bye().map(|team| format!("{} goes on", name(team)));
        let matches = stage.matches().iter().map(one);
        let all: Vec<String> = matches.chain(bye).collect();
        text += &format!("\n  stage {}: {}", i + 1, all.join(", "));
    }
    text
}

/// The result of a final that is over, with a line for each team.
pub(super) fn placing<'a>(teams: &[u64], name: impl Fn(u64) -> &'a str) -> String {
    let places = teams.iter().enumerate();
    let lines = places.map(|(i, &team)| format!("\n{:>4}  {}", i + 1, name(team)));
    "the result of the final".to_owned() + &lines.collect::<String>()
}

/// A table of the games of each pair, with the wins of both teams; none if no pair has met.
pub(super) fn head_to_head<'a>(
    meetings: &[Meetings],
    name: impl Fn(u64) -> &'a str,
) -> Option<String> {
    let met = |one: &Meetings| one.wins.iter().sum::<u64>();
    let (least, most) = (
        meetings.iter().map(met).min()?,
        meetings.iter().map(met).max()?,
    );
    let pairs = meetings.len();
    let times = counted(span(&(least..=most)), "time");
    let have = if pairs == 1 { "has" } else { "have" };
    let mut text = format!("{} {have} met, {times} each", counted(pairs, "pair"));
    if pairs > SHOWN {
        return Some(text);
    }
    let names = |one: &Meetings| one.teams.map(|team| name(team).to_owned());
    // Each column of names is as wide as its longest name.
    let width = |seat: usize| {
        let lengths = meetings.iter().map(|one| names(one)[seat].chars().count());
        lengths.max().unwrap_or(0)
    };
    let (first, second) = (width(0), width(1));
    for one in meetings {
        let ([a, b], [won, lost]) = (names(one), one.wins);
        let games = won + lost;
        let share = 100.0 * won as f64 / games.max(1) as f64;
        text += &format!(
            "\n  {a:first$} – {b:second$}  {games:>6} games  {won:>6} : {lost:<6}  {share:5.1} %"
        );
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(team: u64) -> &'static str {
        ["", "ants", "bees", "cats", "dogs", "eels"][team as usize]
    }

    #[test]
    fn a_final_is_told_stage_by_stage() {
        let mut first = Bracket::new(vec![1, 2, 3, 4, 5]);
        first.score([2, 5], [5, 0], Some(2));
        first.score([3, 4], [2, 1], None);
        assert_eq!(
            bracket(&[first.clone()], name),
            "the final\n  stage 1: bees 5 : 0 eels, cats 2 : 1 dogs, ants goes on"
        );
        first.score([3, 4], [3, 8], Some(4));
        let mut second = Bracket::new(first.next().unwrap());
        second.score([2, 4], [0, 5], Some(4));
        let third = Bracket::new(second.next().unwrap());
        assert_eq!(
            bracket(&[first, second, third], name),
            "the final\n  stage 1: bees 5 : 0 eels, cats 3 : 8 dogs, ants goes on\n  \
             stage 2: bees 0 : 5 dogs, ants goes on\n  stage 3: ants – dogs"
        );
        assert_eq!(
            placing(&[4, 1, 2], name),
            "the result of the final\n   1  dogs\n   2  ants\n   3  bees"
        );
    }

    #[test]
    fn every_pair_has_a_line_unless_there_are_too_many() {
        assert_eq!(head_to_head(&[], name), None);
        let one = |teams, wins| Meetings { teams, wins };
        let two = [one([1, 2], [30, 10]), one([1, 3], [0, 7])];
        assert_eq!(
            head_to_head(&two, name).unwrap(),
            "2 pairs have met, 7 to 40 times each\n  \
             ants – bees      40 games      30 : 10       75.0 %\n  \
             ants – cats       7 games       0 : 7         0.0 %"
        );
        let many = vec![one([1, 2], [1, 1]); SHOWN + 1];
        let text = head_to_head(&many, name).unwrap();
        assert_eq!(text, "67 pairs have met, 2 times each");
    }
}
