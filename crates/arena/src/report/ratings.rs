//! Ratings with their intervals as HTML: [`section`] makes a plot and a table of a [`Table`].

use super::html::{self, Escaped};
use super::page::tabs;
use crate::rating::{Row, Table};
use std::fmt::Write;

/// The part of the scale that is shown, in Elo points. Both ends are multiples of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    from: f64,
    to: f64,
    step: f64,
}

impl Axis {
    /// An axis in round steps that holds all intervals; none without ratings.
    fn of(rows: &[Row]) -> Option<Axis> {
        let ends = || {
            let ends = rows.iter().flat_map(|r| [r.low, r.rating, r.high]);
            ends.flatten().filter(|elo| elo.is_finite())
        };
        let low = ends().reduce(f64::min)?;
        let high = ends().reduce(f64::max)?;
        let span = (high - low).max(20.0);
        let steps = [5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
        // The smallest round step with at most six parts. Beyond 6000 points a power of ten does the same.
        let step = steps.into_iter().find(|step| span / step <= 6.0);
        let step = step.unwrap_or(10f64.powf((span / 6.0).log10().ceil()));
        // At least 20 points are shown, so that a single rating has a scale around it.
        let middle = (low + high) / 2.0;
        let (low, high) = (low.min(middle - 10.0), high.max(middle + 10.0));
        Some(Axis {
            from: (low / step - 0.1).floor() * step,
            to: (high / step + 0.1).ceil() * step,
            step,
        })
    }

    /// Where a rating lies, in per cent of the width.
    fn at(self, elo: f64) -> f64 {
        (100.0 * (elo - self.from) / (self.to - self.from)).clamp(0.0, 100.0)
    }

    /// The ratings that have a mark, from end to end.
    fn ticks(self) -> impl Iterator<Item = f64> {
        let count = ((self.to - self.from) / self.step).round() as usize;
        (0..=count).map(move |i| self.from + i as f64 * self.step)
    }
}

/// A rating with its sign: `+12`, `−7`, `0`.
fn signed(elo: f64) -> String {
    let rounded = elo.round();
    match rounded {
        _ if rounded > 0.0 => format!("+{rounded}"),
        _ if rounded < 0.0 => format!("−{}", -rounded),
        _ => "0".to_owned(),
    }
}

/// The rating in words, such as `+12 ± 8`.
fn value(row: &Row) -> String {
    match (row.rating, row.margin()) {
        (Some(elo), Some(margin)) => format!("{} ± {margin:.0}", signed(elo)),
        (Some(elo), None) => signed(elo),
        (None, _) => "not rated".to_owned(),
    }
}

/// Tables with their plots, a tab for each number of players.
pub fn tables<'a>(tables: impl IntoIterator<Item = &'a Table>) -> String {
    let heading = |table: &Table| match table.players[..] {
        [players] => format!("{players} players"),
        _ => "all games".to_owned(),
    };
    let tables = tables.into_iter();
    let views: Vec<_> = tables.map(|t| (heading(t), section(t))).collect();
    tabs("rating", &views)
}

/// The plot and the table.
pub fn section(ratings: &Table) -> String {
    let mut text = String::new();
    if let Some(axis) = Axis::of(&ratings.rows) {
        plot(&mut text, ratings, axis);
    }
    table(&mut text, &ratings.rows);
    for row in &ratings.rows {
        if let Some(note) = row.note {
            let _ = writeln!(
                text,
                "<p class=\"note\">{} {}.</p>",
                Escaped(&row.label),
                note.text()
            );
        }
    }
    text
}

/// Writes a line for each program with a rating, and the axis below them.
fn plot(text: &mut String, ratings: &Table, axis: Axis) {
    text.push_str("<div class=\"plot\">\n");
    for row in ratings.rows.iter().filter(|row| row.rating.is_some()) {
        interval(text, row, axis);
    }
    text.push_str("<div class=\"line axis\" aria-hidden=\"true\"><svg height=\"36\">");
    for elo in axis.ticks() {
        let _ = write!(
            text,
            "<text x=\"{:.2}%\" y=\"14\" text-anchor=\"middle\">{}</text>",
            axis.at(elo),
            signed(elo)
        );
    }
    text.push_str(
        "<text class=\"unit\" x=\"50%\" y=\"31\" text-anchor=\"middle\">Elo points, 95 % intervals</text>\
         </svg></div>\n</div>\n",
    );
}

/// Writes the line of one program: its name, its rating, and the interval as a picture.
fn interval(text: &mut String, row: &Row, axis: Axis) {
    // The height at which the interval is drawn, in pixels: half of the line's 34.
    const MIDDLE: f64 = 17.0;
    let Some(elo) = row.rating else { return };
    let _ = writeln!(
        text,
        "<div class=\"line\"><span class=\"name\" title=\"{0}\">{0}</span>\
         <span class=\"value\">{1}</span>\
         <svg height=\"34\" role=\"img\" aria-label=\"{0}: {1} Elo\">",
        Escaped(&row.label),
        value(row)
    );
    for tick in axis.ticks() {
        let class = if tick == 0.0 { "grid zero" } else { "grid" };
        let x = axis.at(tick);
        let _ = write!(
            text,
            "<line class=\"{class}\" x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"0\" y2=\"100%\"/>"
        );
    }
    // An interval without a bound on one side goes to the edge of the plot.
    let low = row.low.map_or(0.0, |low| axis.at(low));
    let high = row.high.map_or(100.0, |high| axis.at(high));
    let _ = write!(
        text,
        "<line class=\"error\" x1=\"{low:.2}%\" x2=\"{high:.2}%\" y1=\"{MIDDLE}\" y2=\"{MIDDLE}\"/>"
    );
    // A short bar marks each limit. On a side without a limit there is none.
    for (x, closed) in [(low, row.low.is_some()), (high, row.high.is_some())] {
        if closed {
            let _ = write!(
                text,
                "<line class=\"error\" x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"{}\" y2=\"{}\"/>",
                MIDDLE - 6.0,
                MIDDLE + 6.0
            );
        }
    }
    let _ = writeln!(
        text,
        "<circle class=\"dot\" cx=\"{:.2}%\" cy=\"{MIDDLE}\" r=\"6\"/></svg></div>",
        axis.at(elo)
    );
}

/// Writes the table of all programs.
fn table(text: &mut String, rows: &[Row]) {
    text.push_str(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\" class=\"n\">place</th>\
         <th scope=\"col\">program</th><th scope=\"col\" class=\"n\">Elo</th>\
         <th scope=\"col\" class=\"n\">± 95 %</th><th scope=\"col\" class=\"n\">games</th>\
         <th scope=\"col\" class=\"n\">wins %</th><th scope=\"col\" class=\"n\">fair %</th>\
         <th scope=\"col\" class=\"n\" title=\"The chance that the program is stronger than the next in the table\">better than next %</th>\
         </tr></thead><tbody>\n",
    );
    for row in rows {
        let dash = || "–".to_owned();
        let _ = writeln!(
            text,
            "<tr><td class=\"n\">{}</td><th scope=\"row\">{}</th><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            row.place.map_or_else(dash, |place| place.to_string()),
            Escaped(&row.label),
            row.rating.map_or_else(dash, signed),
            row.margin()
                .map_or_else(dash, |margin| format!("{margin:.0}")),
            html::count(row.games),
            html::percent(row.share),
            html::percent(row.fair),
            html::percent(row.superiority),
        );
    }
    text.push_str("</tbody></table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::Note;

    fn rating(label: &str, elo: f64, low: Option<f64>, high: Option<f64>) -> Row {
        Row {
            place: Some(1),
            label: label.to_owned(),
            rating: Some(elo),
            low,
            high,
            games: 1200,
            blocks: 600,
            share: Some(0.625),
            fair: Some(0.5),
            superiority: Some(0.99),
            group: 1,
            note: None,
        }
    }

    fn unrated(label: &str) -> Row {
        Row {
            place: None,
            rating: None,
            superiority: None,
            note: Some(Note::NotCompared),
            ..rating(label, 0.0, None, None)
        }
    }

    #[test]
    fn the_axis_holds_all_intervals_in_round_steps() {
        let rows = [
            rating("a", 120.0, Some(100.0), Some(141.0)),
            rating("b", -130.0, Some(-150.0), Some(-110.0)),
        ];
        let axis = Axis::of(&rows).unwrap();
        assert_eq!(axis.step, 50.0);
        assert!(axis.from <= -150.0 && axis.to >= 141.0, "{axis:?}");
        assert_eq!(axis.ticks().last(), Some(axis.to));
        assert_eq!(Axis::of(&[unrated("a")]), None);
        let lone = Axis::of(&[rating("a", 3.0, None, None)]).unwrap();
        assert!(lone.from < 3.0 && lone.to > 3.0 && lone.ticks().count() >= 3);
        let far = rating("a", 0.0, Some(-1e5), Some(1e5));
        assert!(Axis::of(&[far]).unwrap().ticks().count() < 12);
    }

    #[test]
    fn plot_and_table_tell_the_same() {
        let open = Row {
            note: Some(Note::NeverAhead),
            ..rating("open", -12.4, None, Some(-2.0))
        };
        let table = Table {
            players: vec![2],
            games: 1200,
            blocks: 600,
            groups: 2,
            rows: vec![
                rating("<best>", 12.4, Some(4.4), Some(20.4)),
                open,
                unrated("alone"),
            ],
        };
        let text = section(&table);
        assert!(text.contains("&lt;best&gt;: +12 ± 8 Elo"), "{text}");
        assert!(!text.contains("<best>"));
        assert_eq!(text.matches("class=\"dot\"").count(), 2);
        // An interval has a line and two ends, which are three marks. One that is open at one side has a line
        // and a single end.
        assert_eq!(text.matches("class=\"error\"").count(), 5);
        assert_eq!(text.matches("<tr>").count(), 4);
        for part in ["1,200", "62.5", "99.0", "open was never ahead", "−12"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
