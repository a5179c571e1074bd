//! The section of a tournament's page about faults: a table of counts by program and kind, then a list with details.

use super::Program;
use crate::cartagena::record::{FaultRecord, Record};
use crate::cartagena::seat::FaultKind;
use arena::report::durations::duration;
use arena::report::html::{self, Escaped};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most faults of each program and kind that are listed one by one.
const LISTED: u64 = 25;

/// The faults of all games that were added.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    counts: BTreeMap<(Program, FaultKind), u64>,
    /// Actions taken by each program.
    actions: BTreeMap<Program, u64>,
    /// Forfeited games, by program.
    forfeits: BTreeMap<Program, u64>,
    /// The faults with details, in the order of the records.
    listed: Vec<Listed>,
}

/// A fault that is listed with its details.
#[derive(Clone, Debug)]
struct Listed {
    /// The id of the game.
    game: String,
    program: Program,
    fault: FaultRecord,
}

impl Faults {
    /// Adds the faults of a game. `seats` has the program of each seat.
    pub(super) fn push(&mut self, record: &Record, seats: &[Program]) {
        for step in &record.actions {
            *self.actions.entry(seats[step.player - 1]).or_default() += 1;
        }
        for fault in &record.faults {
            // A damaged record may name a player that has no seat. Such a fault is left out.
            let Some(&program) = seats.get(fault.player.wrapping_sub(1)) else {
                continue;
            };
            let count = self.counts.entry((program, fault.kind)).or_default();
            *count += 1;
            *self.forfeits.entry(program).or_default() += u64::from(fault.forfeit);
            // Every fault is counted. Details are listed up to a limit, as one broken program must not fill the page.
            if *count <= LISTED {
                self.listed.push(Listed {
                    game: record.id.clone(),
                    program,
                    fault: fault.clone(),
                });
            }
        }
    }

    /// The number of all faults, listed or not.
    pub(super) fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The section in HTML. `in_page` says whether the page holds the game with this id, so that a link can open it.
    pub(super) fn section(&self, labels: &[String], in_page: impl Fn(&str) -> bool) -> String {
        if self.counts.is_empty() {
            return "<p class=\"good\">No program did anything wrong.</p>\n".to_owned();
        }
        let mut text = String::new();
        self.table(&mut text, labels);
        self.list(&mut text, labels, in_page);
        text
    }

    /// Writes the table: a row for each program, a column for each kind of fault.
    fn table(&self, text: &mut String, labels: &[String]) {
        text.push_str("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">program</th>");
        for kind in FaultKind::ALL {
            let _ = write!(text, "<th scope=\"col\" class=\"n\">{kind}</th>");
        }
        text.push_str(
            "<th scope=\"col\" class=\"n\">all</th><th scope=\"col\" class=\"n\">games lost</th>\
             <th scope=\"col\" class=\"n\">actions</th></tr></thead><tbody>\n",
        );
        for (program, label) in labels.iter().enumerate() {
            let of = |kind| self.counts.get(&(program, kind)).copied().unwrap_or(0);
            let all: u64 = FaultKind::ALL.into_iter().map(of).sum();
            let _ = write!(text, "<tr><th scope=\"row\">{}</th>", Escaped(label));
            // Zeros are dimmed, so that faults stand out in a mostly empty table.
            for number in FaultKind::ALL.into_iter().map(of).chain([all]) {
                let class = if number > 0 { "n bad" } else { "n none" };
                let _ = write!(text, "<td class=\"{class}\">{}</td>", html::count(number));
            }
            let known = |of: &BTreeMap<Program, u64>| of.get(&program).copied().unwrap_or(0);
            let _ = writeln!(
                text,
                "<td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                html::count(known(&self.forfeits)),
                html::count(known(&self.actions))
            );
        }
        text.push_str("</tbody></table></div>\n");
    }

    /// Writes the list of faults with their details.
    fn list(&self, text: &mut String, labels: &[String], in_page: impl Fn(&str) -> bool) {
        let (listed, all) = (self.listed.len() as u64, self.count());
        if listed < all {
            let _ = writeln!(
                text,
                "<p class=\"note\">{} of {} are listed: the first {LISTED} of each program and kind.</p>",
                html::count(listed),
                html::plural(all, "fault")
            );
        }
        text.push_str("<ol class=\"faults\">\n");
        for entry in &self.listed {
            entry.write(text, &labels[entry.program], in_page(&entry.game));
        }
        text.push_str("</ol>\n");
    }
}

impl Listed {
    /// Writes the entry. If `linked`, its game and action are a link into the replays.
    fn write(&self, text: &mut String, label: &str, linked: bool) {
        let Listed { game, fault, .. } = self;
        let id = Escaped(game);
        let place = format!("game {id}, action {}", fault.action);
        let place = match linked {
            // The link opens a position by the number of the action before it. A forfeit has no action of its own, so
            // its link opens the position in which it happened; otherwise the one after the random action.
            true => format!(
                "<a href=\"#game={id}&amp;action={}\">{place}</a>",
                if fault.forfeit {
                    fault.action.saturating_sub(1)
                } else {
                    fault.action
                }
            ),
            false => place,
        };
        let price = if fault.forfeit {
            "lost the game"
        } else {
            "a random action stood in"
        };
        let _ = writeln!(
            text,
            "<li><p><b>{}</b> <span class=\"tag\">{}</span> {place}; player {}, after {}; {price}</p>\
             <p class=\"detail\">{}</p>",
            Escaped(label),
            fault.kind,
            fault.player,
            duration(fault.ms),
            Escaped(&fault.detail)
        );
        folded(text, "standard output, its beginning", &fault.output);
        folded(text, "standard error, its end", &fault.errors);
        text.push_str("</li>\n");
    }
}

/// Writes a program's output as a part of the page that can be unfolded, if there is any.
fn folded(text: &mut String, name: &str, content: &str) {
    if !content.is_empty() {
        let _ = writeln!(
            text,
            "<details><summary>{name}</summary><pre>{}</pre></details>",
            Escaped(content)
        );
    }
}
