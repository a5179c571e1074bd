//! How long programs took, as HTML: [`section`] draws the distributions of their times on a logarithmic axis, above a
//! table of quantiles.

use super::html::{self, Escaped};
use crate::stats::Times;
use std::fmt::Write;

/// The number of classes in a decade.
const CLASSES: usize = 8;
/// The decades of milliseconds that have classes: 10^-3 to 10^6 ms, from 1 µs to 1000 s.
const DECADES: (i32, i32) = (-3, 6);
/// Height of a histogram in pixels.
const HEIGHT: f64 = 56.0;

/// Durations, counted in classes that are equally wide on a logarithmic axis: eight a decade, each 10^(1/8) =
/// 1.33 times as long as the one before.
#[derive(Clone, Debug)]
pub struct Durations {
    classes: Vec<u64>,
    times: Times,
}

impl Default for Durations {
    fn default() -> Durations {
        let decades = (DECADES.1 - DECADES.0) as usize;
        Durations {
            classes: vec![0; decades * CLASSES],
            times: Times::default(),
        }
    }
}

impl Durations {
    /// Adds a duration in milliseconds. Those beyond the classes count in the first or last.
    pub fn push(&mut self, ms: f64) {
        // class = (log10(ms) - first decade) × 8. 1 ms has the class (0 + 3) × 8 = 24.
        let class = (ms.max(0.0).log10() - f64::from(DECADES.0)) * CLASSES as f64;
        let last = self.classes.len() - 1;
        // A cast saturates: negative numbers become 0, also the logarithm of 0, which is minus infinity.
        self.classes[(class.floor() as usize).min(last)] += 1;
        self.times.push((ms.max(0.0) * 1e6).round() as u64);
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.times.count()
    }

    /// The duration that the given share does not exceed, in milliseconds, known to about 6 %.
    pub fn quantile(&self, share: f64) -> f64 {
        self.times.quantile(share) as f64 / 1e6
    }

    /// The longest, in milliseconds.
    pub fn longest(&self) -> f64 {
        self.times.longest() as f64 / 1e6
    }

    fn mean(&self) -> f64 {
        self.times.mean() / 1e6
    }
}

/// The time and memory that a program took.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// The name under which the program is shown.
    pub label: String,
    /// Wall-clock time of its actions.
    pub wall: Durations,
    /// Processor time of these, where it is known.
    pub processor: Durations,
    /// The most memory it held at a time, in KiB, where it is known.
    pub peak_kb: Option<u64>,
}

/// A duration in milliseconds, as HTML, in the unit that suits it, with two or three digits. Records have
/// microseconds, so shorter durations are only called that.
pub fn duration(ms: f64) -> String {
    if ms < 0.0005 {
        return "&lt; 1 µs".to_owned();
    }
    let (value, unit) = match ms {
        _ if ms < 0.9995 => (ms * 1e3, "µs"),
        _ if ms < 999.5 => (ms, "ms"),
        _ => (ms / 1e3, "s"),
    };
    let digits = match value {
        _ if unit == "µs" || value >= 99.95 => 0,
        _ if value >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.digits$} {unit}")
}

/// An amount of memory in words, in the unit that suits it.
fn memory(kb: u64) -> String {
    match kb {
        0..1024 => format!("{kb} KiB"),
        _ => format!("{:.1} MiB", kb as f64 / 1024.0),
    }
}

/// The part of the axis that is shown, in decades of milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    from: i32,
    to: i32,
}

impl Axis {
    /// An axis for the times of all programs that shows the time allowed as well.
    fn of(programs: &[Taken], limit_ms: Option<f64>) -> Axis {
        let filled = |taken: &Taken| {
            let classes = &taken.wall.classes;
            let first = classes.iter().position(|&n| n > 0)?;
            let last = classes.iter().rposition(|&n| n > 0)?;
            Some((first / CLASSES, last / CLASSES + 1))
        };
        // Whole decades that hold every program's durations; without any, 1 to 10 ms.
        let ranges = || programs.iter().filter_map(filled);
        let from = ranges().map(|r| r.0).min().unwrap_or(3) as i32 + DECADES.0;
        let to = ranges().map(|r| r.1).max().unwrap_or(4) as i32 + DECADES.0;
        // The small addition keeps a limit of a whole decade off the edge: 1000 ms gives 4 and not 3.
        let limit = limit_ms.map_or(to, |ms| (ms.log10() + 1e-9).ceil() as i32);
        Axis {
            from,
            to: to.max(limit.min(DECADES.1)),
        }
    }

    /// Where a decade's logarithm lies, in per cent of the width.
    fn at(self, decade: f64) -> f64 {
        100.0 * (decade - f64::from(self.from)) / f64::from(self.to - self.from)
    }

    /// Where a duration lies, in per cent of the width; one beyond the axis lies at its end.
    fn at_ms(self, ms: f64) -> f64 {
        self.at(ms.max(1e-9).log10()).clamp(0.0, 100.0)
    }
}

/// The distributions of all programs under one axis, and a table of their quantiles. `limit_ms` is
/// the time allowed, if there is one. None if nothing was timed, as at tables.
pub fn section(programs: &[Taken], limit_ms: Option<f64>) -> Option<String> {
    if programs.iter().all(|taken| taken.wall.count() == 0) {
        return None;
    }
    let axis = Axis::of(programs, limit_ms);
    let mut text = "<div class=\"plot\">\n".to_owned();
    for taken in programs.iter().filter(|t| t.wall.count() > 0) {
        row(&mut text, taken, axis, limit_ms);
    }
    ticks(&mut text, axis);
    text.push_str("</div>\n<p class=\"note\">");
    text.push_str("Wall-clock time of an action on a logarithmic axis; the height is the share of the program's actions. ");
    text.push_str("<span class=\"key median\"></span>median, <span class=\"key tail\"></span>95 and 99 %, <span class=\"key longest\"></span>longest");
    if let Some(ms) = limit_ms {
        let _ = write!(
            text,
            ", <span class=\"key limit\"></span>time allowed: {}",
            duration(ms)
        );
    }
    text.push_str(".</p>\n");
    table(&mut text, programs);
    Some(text)
}

/// Writes one program's line: its name, its median, and its histogram with marks.
fn row(text: &mut String, taken: &Taken, axis: Axis, limit_ms: Option<f64>) {
    let wall = &taken.wall;
    let _ = writeln!(
        text,
        "<div class=\"line\"><span class=\"name\" title=\"{0}\">{0}</span>\
         <span class=\"value\">median {1}</span>\
         <svg class=\"tall\" height=\"{HEIGHT}\" role=\"img\" aria-label=\"Time per action of {0}\">",
        Escaped(&taken.label),
        duration(wall.quantile(0.5))
    );
    // First the grid, then the bars, then the marks: SVG paints in this order.
    grid(text, axis);
    let most = wall.classes.iter().copied().max().unwrap_or(0).max(1);
    let width = axis.at(f64::from(axis.from) + 1.0 / CLASSES as f64);
    for (class, &n) in wall.classes.iter().enumerate().filter(|(_, n)| **n > 0) {
        let decade = f64::from(DECADES.0) + class as f64 / CLASSES as f64;
        // The highest bar fills the plot but for 6 pixels; a single action is still one pixel high.
        let height = ((HEIGHT - 6.0) * n as f64 / most as f64).max(1.0);
        let _ = writeln!(
            text,
            "<rect class=\"hist\" x=\"{:.2}%\" width=\"{:.2}%\" y=\"{:.1}\" height=\"{height:.1}\">\
             <title>{}: {}</title></rect>",
            axis.at(decade),
            width * 0.94,
            HEIGHT - height,
            range(decade),
            html::plural(n, "action"),
        );
    }
    let mut mark = |class: &str, ms: f64| {
        let x = axis.at_ms(ms);
        let _ = writeln!(
            text,
            "<line class=\"{class}\" x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"2\" y2=\"{HEIGHT}\"/>"
        );
    };
    mark("median", wall.quantile(0.5));
    mark("tail", wall.quantile(0.95));
    mark("tail", wall.quantile(0.99));
    mark("longest", wall.longest());
    if let Some(ms) = limit_ms {
        mark("limit", ms);
    }
    text.push_str("</svg></div>\n");
}

/// The class that begins at `10^decade` ms in words. Of the shortest ones both ends may be the same microsecond.
fn range(decade: f64) -> String {
    let (from, to) = (decade, decade + 1.0 / CLASSES as f64);
    match (duration(10f64.powf(from)), duration(10f64.powf(to))) {
        (from, to) if from == to => from,
        (from, to) => format!("{from} to {to}"),
    }
}

/// Draws a vertical line at each decade.
fn grid(text: &mut String, axis: Axis) {
    for decade in axis.from..=axis.to {
        let x = axis.at(f64::from(decade));
        let _ = write!(
            text,
            "<line class=\"grid\" x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"0\" y2=\"100%\"/>"
        );
    }
}

/// Writes the durations below the decades' lines.
fn ticks(text: &mut String, axis: Axis) {
    text.push_str("<div class=\"line axis\" aria-hidden=\"true\"><svg height=\"20\">");
    for decade in axis.from..=axis.to {
        // Exact powers of ten need no digits after the point.
        let name = match decade {
            ..0 => format!("{} µs", 10i64.pow((decade + 3).max(0) as u32)),
            0..3 => format!("{} ms", 10i64.pow(decade as u32)),
            _ => format!("{} s", 10i64.pow(decade as u32 - 3)),
        };
        let x = axis.at(f64::from(decade));
        let _ = write!(
            text,
            "<text x=\"{x:.2}%\" y=\"14\" text-anchor=\"middle\">{name}</text>"
        );
    }
    text.push_str("</svg></div>\n");
}

/// Writes the table of quantiles, processor times and memory.
fn table(text: &mut String, programs: &[Taken]) {
    let processor = programs.iter().any(|t| t.processor.count() > 0);
    let memory_known = programs.iter().any(|t| t.peak_kb.is_some());
    text.push_str("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">program</th>");
    // Columns that no program has values for are left out.
    let mut names = vec!["actions", "median", "95 %", "99 %", "longest", "mean"];
    if processor {
        names.extend(["CPU median", "CPU mean"]);
    }
    if memory_known {
        names.push("peak memory");
    }
    for name in names {
        let _ = write!(text, "<th scope=\"col\" class=\"n\">{name}</th>");
    }
    text.push_str("</tr></thead><tbody>\n");
    for taken in programs.iter().filter(|t| t.wall.count() > 0) {
        let wall = &taken.wall;
        let _ = write!(text, "<tr><th scope=\"row\">{}</th>", Escaped(&taken.label));
        let mut cell = |value: &str| {
            let _ = write!(text, "<td class=\"n\">{value}</td>");
        };
        cell(&html::count(wall.count()));
        for share in [0.5, 0.95, 0.99] {
            cell(&duration(wall.quantile(share)));
        }
        cell(&duration(wall.longest()));
        cell(&duration(wall.mean()));
        if processor {
            let known = taken.processor.count() > 0;
            let shown = |ms| {
                if known {
                    duration(ms)
                } else {
                    "–".to_owned()
                }
            };
            cell(&shown(taken.processor.quantile(0.5)));
            cell(&shown(taken.processor.mean()));
        }
        if memory_known {
            cell(&taken.peak_kb.map_or_else(|| "–".to_owned(), memory));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(label: &str, milliseconds: &[f64]) -> Taken {
        let mut taken = Taken {
            label: label.to_owned(),
            ..Taken::default()
        };
        for &ms in milliseconds {
            taken.wall.push(ms);
        }
        taken
    }

    #[test]
    fn durations_in_their_units() {
        let shown = [0.0, 0.0123, 0.9996, 12.34, 999.7, 15_000.0, 123_456.0].map(duration);
        let expected = [
            "&lt; 1 µs",
            "12 µs",
            "1.00 ms",
            "12.3 ms",
            "1.00 s",
            "15.0 s",
            "123 s",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn every_duration_is_in_a_class() {
        let taken = taken("a", &[0.0, -1.0, 0.001, 1.0, 5.0, 1e12]);
        assert_eq!(taken.wall.classes.iter().sum::<u64>(), 6);
        assert_eq!(taken.wall.classes[0], 3);
        assert_eq!(taken.wall.classes[3 * CLASSES], 1);
        assert_eq!(*taken.wall.classes.last().unwrap(), 1);
    }

    #[test]
    fn the_axis_holds_all_durations_and_the_limit() {
        let programs = [taken("a", &[0.5, 20.0]), taken("b", &[3.0])];
        assert_eq!(Axis::of(&programs, None), Axis { from: -1, to: 2 });
        assert_eq!(Axis::of(&programs, Some(15_000.0)).to, 5);
        assert_eq!(Axis::of(&[], None), Axis { from: 0, to: 1 });
        let axis = Axis { from: -1, to: 3 };
        assert_eq!(axis.at_ms(10.0), 50.0);
        assert_eq!(axis.at_ms(0.0), 0.0);
    }

    #[test]
    fn the_section_has_bars_quantiles_and_what_is_known() {
        let mut programs = [taken("<a>", &[1.0, 2.0, 2.0, 1000.0]), taken("b", &[5.0])];
        let plain = section(&programs, None).unwrap();
        assert!(
            plain.contains("&lt;a&gt;") && !plain.contains("<a>"),
            "{plain}"
        );
        assert_eq!(plain.matches("class=\"hist\"").count(), 4);
        assert_eq!(section(&[taken("not timed", &[])], None), None);
        assert!(!plain.contains("CPU") && !plain.contains("memory"));
        programs[0].processor.push(3.0);
        programs[0].peak_kb = Some(2048);
        let full = section(&programs, Some(15_000.0)).unwrap();
        for part in ["CPU median", "2.0 MiB", "time allowed: 15.0 s", "1.00 s"] {
            assert!(full.contains(part), "{part}: {full}");
        }
    }
}
