//! The page with the standings of a tournament under way, which reloads itself. It has no games to step through:
//! `contest cartagena tournament --live` writes it anew after every few games, from the standings alone.

use super::tournament::told;
use crate::cartagena::tournament::{Settings, Standings};
use arena::rating::Table;
use arena::report::html::{self, Escaped};
use arena::report::page::{Page, Section, tabs};
use arena::report::ratings;
use std::fmt::Write as _;
use std::fs::Permissions;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::NamedTempFile;

/// Seconds after which a browser loads the page again.
const REFRESH: u32 = 10;

/// Writes the page to `path`, all at once: a browser that reads it meanwhile gets the old page. The page of a complete
/// tournament does not reload itself.
///
/// # Errors
/// If it cannot be written.
pub fn write_live(
    path: &Path,
    title: &str,
    settings: &Settings,
    standings: &Standings,
) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // The temporary file is in the folder of the page, since a file can be renamed only within a file system.
    let mut out = BufWriter::new(NamedTempFile::new_in(folder)?);
    page(title, settings, standings).write(&mut out)?;
    out.flush()?;
    let file = out.into_inner()?;
    // Temporary files are readable by their owner only; the page is for everybody.
    file.as_file()
        .set_permissions(Permissions::from_mode(0o644))?;
    file.persist(path)?;
    Ok(())
}

/// The page: Swiss points, ratings and faults, as far as there are any.
fn page<'a>(title: &'a str, settings: &Settings, standings: &Standings) -> Page<'a> {
    let mut sections = Vec::new();
    let mut add = |id, title, body| sections.push(Section { id, title, body });
    if !standings.swiss.is_empty() {
        add("points", "Points", points(standings));
    }
    let heading = |table: &Table| match table.players[..] {
        [players] => format!("{players} players"),
        _ => "all games".to_owned(),
    };
    let tables = std::iter::once(&standings.overall).chain(&standings.by_players);
    let views: Vec<_> = tables.map(|t| (heading(t), ratings::section(t))).collect();
    add("ratings", "Ratings", tabs("rating", &views));
    if !standings.faults.is_empty() {
        add("faults", "Faults", faults(standings));
    }
    Page {
        title,
        lead: lead(settings, standings),
        sections,
        styles: &super::STYLES,
        definitions: "",
        data: Vec::new(),
        scripts: &[],
        asks: false,
        // Only an unfinished tournament can have a newer page.
        refresh: (standings.games < standings.of).then_some(REFRESH),
    }
}

/// The head of the page in HTML: numbers of programs and games, and the settings.
fn lead(settings: &Settings, standings: &Standings) -> String {
    let mut text = "<ul class=\"figures\">".to_owned();
    let programs = html::plural(settings.programs.len() as u64, "program");
    let games = html::count(standings.games);
    let _ = write!(text, "<li>{programs}</li>");
    let _ = match standings.games < standings.of {
        true => write!(
            text,
            "<li class=\"unfinished\">{games} of {}</li>",
            html::plural(standings.of, "game")
        ),
        false => write!(text, "<li class=\"complete\">all of {games} games</li>"),
    };
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
