//! The games of a tournament that are under way, for people who watch.

use arena::report::html::{self, Escaped};
use arena::report::page::{Page, Section};
use engine::sync::lock;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

/// The name of the page with the standings in a tournament's folder.
pub(super) const PAGE: &str = "live.html";

/// The name of the page beside it that has the games under way.
pub(super) const GAMES_PAGE: &str = "live-games.html";

/// The games under way, by their ids. Copies share them.
#[derive(Clone, Debug, Default)]
pub struct LiveGames(Arc<Mutex<GamesUnderWay>>);

#[derive(Debug, Default)]
struct GamesUnderWay {
    games: BTreeMap<String, FollowedGame>,
    /// Grows with every change.
    version: u64,
}

/// A game under way.
#[derive(Clone, Debug)]
struct FollowedGame {
    /// The labels by seat.
    players: Vec<String>,
    /// What the players have done, with the seat.
    decisions: Vec<(usize, String)>,
}

/// A game under way, from which the watchers hear. It is taken away when this is dropped.
pub struct WatchedGame {
    watch: LiveGames,
    id: String,
}

impl LiveGames {
    /// Notes that a game begins.
    pub(super) fn begin(&self, id: String, players: Vec<String>) -> WatchedGame {
        let game = FollowedGame {
            players,
            decisions: Vec::new(),
        };
        let mut state = lock(&self.0);
        state.games.insert(id.clone(), game);
        state.version += 1;
        drop(state);
        let watch = self.clone();
        WatchedGame { watch, id }
    }

    /// A number that grows with every change.
    pub(super) fn version(&self) -> u64 {
        lock(&self.0).version
    }

    /// The page with all games under way. `refresh` are the seconds after which a browser loads it again, if it does.
    pub(super) fn page(
        &self,
        title: &'static str,
        styles: &'static [&'static str],
        refresh: Option<u32>,
    ) -> Page<'static> {
        let games = lock(&self.0).games.clone();
        let mut body = String::new();
        for (id, game) in &games {
            game.write(&mut body, id);
        }
        Page {
            title,
            lead: format!(
                "<p class=\"note\">{} under way. <a href=\"{}\">Standings</a></p>",
                html::plural(games.len() as u64, "game"),
                PAGE
            ),
            sections: vec![Section {
                id: "games",
                title: "Games under way",
                body,
            }],
            styles,
            refresh,
            ..Page::default()
        }
    }
}

impl WatchedGame {
    /// Notes a decision of the player on this seat.
    pub fn decided(&self, seat: usize, text: String) {
        let mut state = lock(&self.watch.0);
        if let Some(game) = state.games.get_mut(&self.id) {
            game.decisions.push((seat, text));
            state.version += 1;
        }
    }
}

impl Drop for WatchedGame {
    fn drop(&mut self) {
        let mut state = lock(&self.watch.0);
        state.games.remove(&self.id);
        state.version += 1;
    }
}

impl FollowedGame {
    /// Writes the game in HTML, the latest decision first.
    fn write(&self, text: &mut String, id: &str) {
        let players = self.players.join(", ");
        let _ = write!(
            text,
            "<details open id=\"{0}\"><summary>{0}: {1}; {2}</summary>\n<ol reversed>",
            Escaped(id),
            Escaped(&players),
            html::plural(self.decisions.len() as u64, "decision")
        );
        for (seat, decision) in self.decisions.iter().rev() {
            let label = self.players.get(*seat).map_or("", String::as_str);
            let _ = write!(
                text,
                "<li>{} {}: {}</li>",
                seat + 1,
                Escaped(label),
                Escaped(decision)
            );
        }
        text.push_str("</ol></details>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_and_go() {
        let watch = LiveGames::default();
        let page = || {
            let mut out = Vec::new();
            let page = watch.page("Cup", &[], Some(2));
            page.write(&mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(page().contains("0 games under way"));
        let before = watch.version();
        let one = watch.begin(
            "2p1.2-1-1".to_owned(),
            vec!["a".to_owned(), "<b>".to_owned()],
        );
        one.decided(1, "4 7 hat".to_owned());
        one.decided(0, "7 4".to_owned());
        assert!(watch.version() > before);
        let text = page();
        assert!(
            text.contains("2p1.2-1-1: a, &lt;b&gt;; 2 decisions"),
            "{text}"
        );
        assert!(
            text.contains("<li>1 a: 7 4</li><li>2 &lt;b&gt;: 4 7 hat</li>"),
            "{text}"
        );
        drop(one);
        assert!(page().contains("0 games under way"));
    }
}
