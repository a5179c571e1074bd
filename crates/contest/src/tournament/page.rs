//! The page with the standings of a tournament under way, which reloads itself, and the settings as pages show them.
//! The page has no games to step through: `tournament --live` writes it anew after every few games, from the standings
//! alone.

use super::settings::an;
use super::watch::GAMES_PAGE;
use super::{Format, Penalty, Settings, Standings, TournamentGame};
use arena::participant::ParticipantRecord;
use arena::report::html::{self, Escaped};
use arena::report::page::{Page, Section};
use arena::report::ratings;
use std::fmt::Write as _;

/// Seconds after which a browser loads the page again.
const REFRESH: u32 = 10;

/// The digits of a fingerprint that are shown: enough to distinguish versions.
const FINGERPRINT: usize = 12;

/// The page: Swiss points, ratings and faults, as far as there are any. The page of a complete tournament does not
/// reload itself.
pub(super) fn page<C: TournamentGame>(
    settings: &Settings<C>,
    standings: &Standings,
) -> Page<'static> {
    let mut sections = Vec::new();
    let mut add = |id, title, body| sections.push(Section { id, title, body });
    if let Some(points) = standings.points() {
        add("points", "Points", points);
    }
    add("ratings", "Ratings", standings.section());
    if !standings.faults.is_empty() {
        add("faults", "Faults", faults(standings));
    }
    Page {
        title: C::TITLE,
        lead: lead(settings, standings),
        sections,
        styles: C::STYLES,
        // Only an unfinished tournament can have a newer page.
        refresh: (standings.games < standings.of).then_some(REFRESH),
        ..Page::default()
    }
}

impl Standings {
    /// The points of a Swiss tournament in HTML; none for other formats.
    pub fn points(&self) -> Option<String> {
        (!self.swiss.is_empty()).then(|| points(self))
    }

    /// The ratings in HTML: over all games, and for each number of players.
    pub fn section(&self) -> String {
        ratings::tables(std::iter::once(&self.overall).chain(&self.by_players))
    }
}

/// The head of the page in HTML: numbers of programs and games, and the settings.
fn lead<C: TournamentGame>(settings: &Settings<C>, standings: &Standings) -> String {
    let mut text = "<ul class=\"figures\">".to_owned();
    let programs = html::plural(settings.programs.len() as u64, "program");
    let (class, played) = match standings.games < standings.of {
        true => ("unfinished", html::count(standings.games)),
        false => ("complete", "all".to_owned()),
    };
    let games = html::plural(standings.of, "game");
    let _ = write!(text, "<li>{programs}</li>");
    let _ = write!(text, "<li class=\"{class}\">{played} of {games}</li>");
    text.push_str("</ul><dl class=\"settings\">");
    // The seed determines the cards of later games, so it stays secret until all games are played.
    let is_secret = |name: &str| name == "seed" && standings.games < standings.of;
    for (name, value) in told(settings) {
        if is_secret(&name) {
            continue;
        }
        let (name, value) = (Escaped(&name), Escaped(&value));
        let _ = write!(text, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    text.push_str("</dl>");
    // Only an unfinished tournament has games under way.
    if standings.games < standings.of {
        let page = GAMES_PAGE;
        let _ = write!(
            text,
            "<p class=\"note\"><a href=\"{page}\">Games under way</a></p>"
        );
    }
    text
}

/// The table of Swiss points, in HTML.
fn points(standings: &Standings) -> String {
    let mut text = "<div class=\"scroll\"><table><thead><tr>".to_owned();
    for heading in ["place", "program", "points", "games won", "byes"] {
        let class = if heading == "program" {
            ""
        } else {
            " class=\"n\""
        };
        let _ = write!(text, "<th scope=\"col\"{class}>{heading}</th>");
    }
    text.push_str("</tr></thead><tbody>");
    for row in &standings.swiss {
        let _ = write!(
            text,
            "<tr><td class=\"n\">{}</td><th scope=\"row\">{}</th><td class=\"n\">{:.1}</td>\
             <td class=\"n\">{:.1}</td><td class=\"n\">{}</td></tr>",
            row.place,
            Escaped(&row.label),
            row.points,
            row.won,
            row.byes
        );
    }
    text.push_str("</tbody></table></div>");
    text
}

/// The list of faults by program and kind, in HTML.
fn faults(standings: &Standings) -> String {
    let mut text = "<ul>".to_owned();
    for (label, kinds) in &standings.faults {
        let kinds: Vec<String> = kinds
            .iter()
            .map(|(kind, n)| format!("{n} {kind}"))
            .collect();
        let _ = write!(
            text,
            "<li>{}: {}</li>",
            Escaped(label),
            Escaped(&kinds.join(", "))
        );
    }
    text.push_str("</ul>");
    text
}

/// The settings as names and values, without those that the games themselves show.
pub fn told<C: TournamentGame>(settings: &Settings<C>) -> Vec<(String, String)> {
    let mut told = Vec::new();
    let mut add = |name: &str, value: String| told.push((name.to_owned(), value));
    let programs: Vec<String> = settings.programs.iter().map(program).collect();
    add("programs", programs.join(", "));
    add("games a line-up", settings.games.to_string());
    if settings.format != Format::RoundRobin {
        add("format", settings.format.to_string());
    }
    add("seed", settings.seed.to_string());
    // Limits of time and memory concern only external programs.
    if settings.programs.iter().any(|p| !p.is_builtin()) {
        add(
            &format!("time {}", an(C::DECISION)),
            format!("{} s", settings.seconds),
        );
        let memory = settings.memory_mb.map(|mb| format!("{mb} MiB"));
        add("memory", memory.unwrap_or_else(|| "no limit".to_owned()));
    }
    add(
        "a fault costs",
        match settings.penalty {
            Penalty::Forfeit => "the game",
            Penalty::RandomAction => C::STAND_IN,
        }
        .to_owned(),
    );
    told.extend(settings.rules.told());
    if !settings.shard.is_whole() {
        told.push(("shard".to_owned(), settings.shard.to_string()));
    }
    told
}

/// A program's label, with its built-in player or the beginning of its fingerprint. Paths stay private.
fn program(participant: &ParticipantRecord) -> String {
    let what = if participant.is_builtin() {
        participant.program.as_str()
    } else {
        let digits = participant.fingerprint.char_indices().nth(FINGERPRINT);
        &participant.fingerprint[..digits.map_or(participant.fingerprint.len(), |(at, _)| at)]
    };
    let label = &participant.label;
    // A built-in player under its own name is shown once, not as `greedy (builtin:greedy)`.
    match what.strip_prefix("builtin:") {
        Some(name) if name == label => what.to_owned(),
        _ if what == label || what.is_empty() => label.clone(),
        _ => {
            let mut text = format!("{label} ({what}");
            if participant.stays {
                text += ", stays";
            }
            if let Some(seconds) = participant.seconds {
                text += &format!(", {seconds} s");
            }
            text + ")"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_without_their_places() {
        for (label, path, fingerprint, told) in [
            ("a", "/home/me/a", "0123456789abcdef", "a (0123456789ab)"),
            ("hoarder", "builtin:hoarder", "", "builtin:hoarder"),
            ("builtin:hoarder", "builtin:hoarder", "", "builtin:hoarder"),
            ("x", "builtin:random", "", "x (builtin:random)"),
        ] {
            let mut participant: ParticipantRecord = "x=builtin:random".parse().unwrap();
            (participant.label, participant.program) = (label.to_owned(), path.to_owned());
            participant.fingerprint = fingerprint.to_owned();
            assert_eq!(program(&participant), told);
        }
        let mut stays: ParticipantRecord = "a=/home/me/a".parse().unwrap();
        (stays.fingerprint, stays.stays) = ("0123".to_owned(), true);
        assert_eq!(program(&stays), "a (0123, stays)");
    }
}
