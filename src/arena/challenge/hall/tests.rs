use super::*;
use crate::arena::challenge::table::Conduct;
use crate::challenge::protocol::{Incoming, Response};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const OPEN: Duration = Duration::from_secs(100);
const END: Duration = Duration::from_secs(200);

/// A hall and the clients in it, which play by [`View::safe`](crate::challenge::View::safe).
struct Scene {
    hall: Hall,
    clients: BTreeMap<u64, (UnboundedSender<Message>, UnboundedReceiver<Message>)>,
    news: Vec<String>,
    now: Duration,
    _folder: tempfile::TempDir,
}

impl Scene {
    fn new(teams: &[u64]) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let mut contest = Contest::new(teams.iter().copied());
        let journal = Journal::open(&folder.path().join("games.jsonl"), &mut contest).unwrap();
        let settings = Settings {
            conduct: Conduct::default(),
            wait: Duration::ZERO,
            seed: 1,
            open_play: Some(OPEN),
            last_hour: END - OPEN,
            report: Duration::from_secs(3600),
        };
        Scene {
            hall: Hall::new(settings, teams.iter().copied(), contest, journal),
            clients: BTreeMap::new(),
            news: Vec::new(),
            now: Duration::ZERO,
            _folder: folder,
        }
    }

    fn join(&mut self, team: u64) {
        let (outbox, inbox) = unbounded_channel();
        self.clients.insert(team, (outbox.clone(), inbox));
        self.handle(Event::Joined { team, outbox });
    }

    fn leave(&mut self, team: u64) {
        let (outbox, _inbox) = self.clients.remove(&team).unwrap();
        let link = outbox.downgrade();
        self.handle(Event::Left { team, link });
    }

    fn handle(&mut self, event: Event) {
        let news = &mut self.news;
        self.hall
            .handle(event, self.now, &mut |text| news.push(format!("{text:?}")))
            .unwrap();
    }

    /// Starts what can start and lets every client answer once; whether anybody was asked.
    fn step(&mut self) -> bool {
        let news = &mut self.news;
        self.hall
            .match_up(self.now, &mut |text| news.push(format!("{text:?}")))
            .unwrap();
        let mut answers = Vec::new();
        for (&team, (outbox, inbox)) in &mut self.clients {
            while let Ok(message) = inbox.try_recv() {
                if let Message::Request(request) = message {
                    answers.push((team, outbox.downgrade(), request));
                }
            }
        }
        let asked = !answers.is_empty();
        for (team, link, request) in answers {
            let response: Response = request.view().unwrap().safe().unwrap().into();
            let said = Ok(Incoming::Move {
                request_id: request.request_id,
                response: serde_json::to_value(response).unwrap(),
            });
            self.handle(Event::Said { team, link, said });
        }
        asked
    }

    /// Lets time pass to this moment.
    fn tick(&mut self, now: Duration) {
        self.now = now;
        let news = &mut self.news;
        self.hall
            .tick(now, &mut |text| news.push(format!("{text:?}")))
            .unwrap();
    }

    /// Whether there was news that begins like this.
    fn heard(&self, start: &str) -> bool {
        self.news.iter().any(|news| news.starts_with(start))
    }

    fn play_until(&mut self, start: &str) {
        while !self.heard(start) {
            if !self.step() {
                let wake = self.hall.wake();
                self.tick(wake);
            }
        }
    }
}

#[test]
fn connected_teams_play_and_others_do_not() {
    let mut scene = Scene::new(&[1, 2, 3]);
    scene.join(1);
    assert!(!scene.step(), "nobody to play with");
    scene.join(3);
    scene.play_until("Round");
    assert!(scene.heard("Round { teams: [1, 3]"));
    assert_eq!(scene.hall.contest.met([1, 2]), 0);
}

#[test]
fn in_the_last_hour_the_absent_lose() {
    let mut scene = Scene::new(&[1, 2]);
    scene.join(1);
    scene.tick(OPEN);
    scene.play_until("Round");
    assert!(scene.heard("Round { teams: [1, 2], winner: 1, is_final: false }"));
}

#[test]
fn the_final_is_played_by_those_who_are_there() {
    let mut scene = Scene::new(&[1, 2, 3, 4, 5]);
    for team in [1, 2, 3, 5] {
        scene.join(team);
    }
    scene.play_until("Round");
    scene.leave(2);
    scene.tick(OPEN);
    scene.tick(END);
    scene.play_until("Champion");
    assert!(scene.hall.is_over());
    let finals: Vec<&String> = scene
        .news
        .iter()
        .filter(|news| news.starts_with("Final"))
        .collect();
    assert_eq!(
        finals.len(),
        2,
        "three teams: a bye and a match, then the last match"
    );
    assert!(
        !finals[0].contains('2') && !finals[0].contains('4'),
        "{}",
        finals[0]
    );
}

#[test]
fn who_leaves_in_the_final_loses() {
    let mut scene = Scene::new(&[1, 2]);
    scene.join(1);
    scene.join(2);
    scene.tick(OPEN);
    scene.tick(END);
    scene.play_until("Final");
    scene.leave(1);
    scene.play_until("Champion");
    assert!(
        scene.heard("Champion { team: 2 }"),
        "{:?}",
        scene.news.last()
    );
}

#[test]
fn an_old_connection_is_not_listened_to() {
    let mut scene = Scene::new(&[1, 2]);
    scene.join(1);
    let (old, _inbox) = scene.clients.remove(&1).unwrap();
    scene.join(1);
    let link = old.downgrade();
    scene.handle(Event::Left { team: 1, link });
    assert!(scene.hall.online.contains_key(&1));
}
