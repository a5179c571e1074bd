//! The page's shell: head, navigation, sections, data and scripts in one file.

use super::html::Escaped;
use super::script::{Script, joined};
use std::fmt::Write as _;
use std::io::{self, Write};

/// The style sheet of every page.
pub const PAGE_STYLE: &str = include_str!("assets/page.css");

/// The parts of a page; [`Page::write`] puts them together.
#[derive(Clone, Debug, Default)]
pub struct Page<'a> {
    pub title: &'a str,
    /// HTML below the title.
    pub lead: String,
    /// The sections in order.
    pub sections: Vec<Section>,
    /// Style sheets beside the page's own.
    pub styles: &'a [&'a str],
    /// HTML for scripts to refer to, such as icons; not shown where it stands.
    pub definitions: &'a str,
    /// JSON made by [`html::json`](super::html::json), found by the element's id.
    pub data: Vec<(&'a str, String)>,
    /// The modules of its script, each after those it imports from.
    pub scripts: &'a [Script],
    /// Whether the scripts may ask the server that the page came from.
    pub asks: bool,
    /// Seconds after which a browser loads the page anew; never if there are none.
    pub refresh: Option<u32>,
}

/// A section of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Links refer to the section by this name.
    pub id: &'static str,
    pub title: &'static str,
    pub body: String,
}

/// The page's Content Security Policy. A page loads nothing: everything that it needs is inside it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
/// Added where scripts ask the page's own server for data.
const ASKS: &str = "; connect-src 'self'";

impl Page<'_> {
    /// Writes the page.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let title = Escaped(self.title);
        let asks = if self.asks { ASKS } else { "" };
        let refresh = self.refresh.map_or(String::new(), |seconds| {
            format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">\n")
        });
        // The policy stands before all that it governs: style, script and data.
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}{asks}\">\n\
             <title>{title}</title>\n{refresh}<style>\n{PAGE_STYLE}"
        )?;
        for style in self.styles {
            out.write_all(style.as_bytes())?;
        }
        write!(
            out,
            "</style>\n</head>\n<body>\n{}\n<header class=\"top\"><div class=\"wide\">\n\
             <h1>{title}</h1>\n{}\n</div></header>\n<nav class=\"bar\" aria-label=\"Sections\"><div class=\"wide\">",
            self.definitions, self.lead
        )?;
        // The navigation has a link for each section below.
        for section in &self.sections {
            write!(out, "<a href=\"#{}\">{}</a>", section.id, section.title)?;
        }
        out.write_all(b"</div></nav>\n<main>\n")?;
        for Section { id, title, body } in &self.sections {
            write!(
                out,
                "<section id=\"{id}\" aria-labelledby=\"{id}-title\"><div class=\"wide\">\n\
                 <h2 id=\"{id}-title\">{title}</h2>\n{body}\n</div></section>\n"
            )?;
        }
        out.write_all(b"</main>\n")?;
        // Data is JSON in elements that browsers do not run; the scripts, which come last, find it by id.
        for (id, json) in &self.data {
            write!(out, "<script type=\"application/json\" id=\"{id}\">")?;
            out.write_all(json.as_bytes())?;
            out.write_all(b"</script>\n")?;
        }
        let script = joined(self.scripts);
        write!(out, "<script>\n{script}</script>\n</body>\n</html>\n")
    }
}

/// Several views, shown one at a time and chosen by radio buttons, for which the style sheet has rules for
/// six at most. A single view is returned as it is. `name` distinguishes the groups of views of a page.
pub fn tabs(name: &str, views: &[(String, String)]) -> String {
    if let [(_, only)] = views {
        return only.clone();
    }
    let mut text = "<div class=\"tabs\">\n".to_owned();
    for (i, (title, _)) in views.iter().enumerate() {
        let checked = if i == 0 { " checked" } else { "" };
        let _ = writeln!(
            text,
            "<input type=\"radio\" name=\"{name}\" id=\"{name}-{i}\"{checked}>\
             <label for=\"{name}-{i}\">{}</label>",
            Escaped(title)
        );
    }
    for (_, view) in views {
        let _ = writeln!(text, "<div class=\"view\">\n{view}</div>");
    }
    text.push_str("</div>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_holds_its_parts_in_order() {
        let page = Page {
            title: "A <b> & C",
            lead: "<p>lead</p>".to_owned(),
            sections: vec![Section {
                id: "one",
                title: "One",
                body: "<p>body</p>".to_owned(),
            }],
            styles: &[".x{}"],
            data: vec![("d", "[1]".to_owned())],
            scripts: &[Script {
                path: "f.js",
                text: "f();",
            }],
            ..Page::default()
        };
        let mut out = Vec::new();
        page.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let parts = [
            "<title>A &lt;b&gt; &amp; C</title>",
            ".x{}",
            "<p>lead</p>",
            "<a href=\"#one\">One</a>",
            "<section id=\"one\"",
            "<p>body</p>",
            "id=\"d\">[1]</script>",
            "f();",
            "</html>",
        ];
        let found: Vec<Option<usize>> = parts.iter().map(|part| text.find(part)).collect();
        assert!(found.iter().all(Option::is_some), "{found:?}");
        assert!(found.is_sorted(), "{found:?}");
    }

    #[test]
    fn one_view_needs_no_buttons() {
        let view = |title: &str| (title.to_owned(), format!("<p>{title}</p>"));
        assert_eq!(tabs("t", &[view("a")]), "<p>a</p>");
        let two = tabs("t", &[view("a"), view("<")]);
        assert_eq!(two.matches("type=\"radio\"").count(), 2);
        assert_eq!(two.matches(" checked").count(), 1);
        assert!(two.contains("<label for=\"t-1\">&lt;</label>"), "{two}");
    }
}
