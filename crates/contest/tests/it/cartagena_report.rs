//! Tests of the report on Cartagena games: it contains what the records say, strange labels do no harm, and
//! its page, run in a browser, replays games as the rules do.

use super::browser::{browser, loads_nothing, logged, opened};
use super::programs::{contest_in, says};
use arena::rating;
use cartagena::boards;
use cartagena::evaluation::handmade::Handmade;
use cartagena::rules::{Action, Cards, Game, State};
use cartagena::world::World;
use contest::cartagena::analysis::{self, Options};
use contest::cartagena::game::{self, Conduct, NoObserver, Penalty};
use contest::cartagena::record::{Opening, Record};
use contest::cartagena::report::{Facts, Keep, Progress, Report};
use contest::cartagena::seat::{Answer, Fault, FaultKind, Seat, Usage, inside};
use engine::budget::Limits;
use engine::rng;
use seats::cartagena::players::builtin::recipe_of;
use serde_json::{Value, json};
use std::fs;

/// A label that would end the page's script, or start a script, if it were not escaped.
const HOSTILE: &str = "</script><script>alert(1)</script>&\"'";

/// A player that passes at every second question where it may, and fails from question `fails` on.
fn shaky(mut inner: Seat, fails: usize) -> Seat {
    let mut asked = 0;
    Box::new(move |question, hands| {
        asked += 1;
        let answer = Answer {
            reply: Ok(Action::Pass),
            usage: Usage {
                nanos: 1_000_000 * asked as u64,
                processor_nanos: Some(2_000_000),
                peak_bytes: Some(3 << 20),
            },
            output: String::new(),
            errors: String::new(),
        };
        if asked >= fails {
            return Ok(Answer {
                reply: Err(Fault::new(FaultKind::Malformed, format!("found {HOSTILE}"))),
                output: HOSTILE.to_owned(),
                errors: "\u{1b}[1mpanic</pre>".to_owned(),
                ..answer
            });
        }
        match question.view.taken > 0 && asked.is_multiple_of(2) {
            true => Ok(answer),
            false => inner(question, hands),
        }
    })
}

fn seat(program: &str, seed: u64) -> Seat {
    let made = |name: &str| inside(recipe_of(name).unwrap()(seed));
    match program.strip_prefix("shaky-") {
        Some(fails) => shaky(made("rearmost"), fails.parse().unwrap()),
        None => made(program),
    }
}

/// Plays a game. The program `shaky-N` fails at its N-th question. With `deal` 6 the pile runs out sooner
/// than with 3.
fn play(id: &str, programs: &[&str], deal: usize, penalty: Penalty, max_turns: u32) -> Record {
    let seed = 7;
    let game = Game::new(boards::standard(&mut rng::stream(seed, 0)), programs.len());
    let mut world = World::deal(&game, deal, rng::stream(seed, 1));
    let opening = Opening::of(&world);
    let mut seats: Vec<_> = programs.iter().map(|name| seat(name, seed)).collect();
    let conduct = Conduct { max_turns, penalty };
    let stand_ins = rng::stream(seed, 2);
    let watch = &mut NoObserver;
    let finished = game::play(&game, &mut world, &mut seats, &conduct, stand_ins, watch).unwrap();
    let labels = programs.iter().map(|name| match *name {
        "shaky-9" => HOSTILE.to_owned(),
        name => name.to_owned(),
    });
    finished.record(id.to_owned(), seed, labels.collect(), &game, opening)
}

/// Games in which everything that can happen happens: forfeits, random replacements, passes, reshuffles,
/// draws, 2 to 6 players.
fn games() -> Vec<Record> {
    use Penalty::{Forfeit, RandomAction};
    vec![
        play("a-1", &["hoarder", "greedy"], 3, Forfeit, 500),
        play("a-2", &["greedy", "shaky-9"], 3, Forfeit, 500),
        play("a-3", &["shaky-9", "greedy", "hoarder"], 3, Forfeit, 500),
        play(
            "a-4",
            &["shaky-1", "random", "shaky-9", "random"],
            6,
            Forfeit,
            500,
        ),
        play(
            "a-5",
            &["random", "shaky-20", "random"],
            3,
            RandomAction,
            500,
        ),
        play("a-6", &["random"; 6], 6, Forfeit, 40),
        play(
            "a-7",
            &["random", "shaky-500", "random", "random", "random"],
            6,
            Forfeit,
            9,
        ),
    ]
}

fn page(records: &[Record], keep: Keep) -> String {
    let mut report = Report::new(keep, &[]);
    for record in records {
        report.push(record, None).unwrap();
    }
    let facts = Facts {
        title: format!("Title {HOSTILE}"),
        settings: vec![("limit".to_owned(), HOSTILE.to_owned())],
        progress: Progress::Unfinished { planned: 1000 },
        limit_ms: Some(15_000.0),
        points: None,
        ratings: report.ratings(&rating::Options::default()).unwrap(),
    };
    written(&report, &facts)
}

fn written(report: &Report, facts: &Facts) -> String {
    let mut out = Vec::new();
    report.write(&mut out, facts).unwrap();
    String::from_utf8(out).unwrap()
}

/// The JSON in the page that its script reads.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"games-data\">").unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

#[test]
fn hostile_text_stays_text() {
    let page = page(&games(), Keep::All);
    assert!(!page.contains("alert(1)</script>"), "markup got through");
    // Two script elements: the data, and the page's own script.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(
        page.matches("</pre>").count(),
        page.matches("<pre>").count()
    );
    let shown = "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;";
    assert!(page.contains(&format!("<h1>Title {shown}</h1>")));
    assert!(page.contains(&format!("<dd>{shown}</dd>")));
    assert!(page.contains("\u{241b}[1mpanic&lt;/pre&gt;"));
    let programs = data(&page)["programs"].clone();
    assert!(programs.as_array().unwrap().contains(&json!(HOSTILE)));
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    loads_nothing(&page(&games(), Keep::All));
}

#[test]
fn all_games_faults_and_ratings_are_in() {
    let records = games();
    let page = page(&records, Keep::All);
    let data = data(&page);
    let ids: Vec<&str> = records.iter().map(|r| r.id.as_str()).collect();
    let kept = data["games"].as_array().unwrap();
    let found: Vec<&str> = kept.iter().map(|g| g["id"].as_str().unwrap()).collect();
    assert_eq!(found, ids);
    for part in [
        "<b>7</b> games",
        "<b>2, 3, 4, 5, 6</b> players",
        "unfinished: 7 of 1,000 games",
        "time allowed: 15.0 s",
        "peak memory",
        "3.0 MiB",
        "id=\"rating-5\"",
        "5 players</label>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let faults: usize = records.iter().map(|r| r.faults.len()).sum();
    assert!(
        page.contains(&format!("<b>{faults}</b> faults")),
        "{faults}"
    );
    // A forfeit links to the position in which it happened, a replaced action to the action that replaced it.
    let forfeit = &records[1].faults[0];
    let before = forfeit.action - 1;
    assert!(page.contains(&format!("href=\"#game=a-2&amp;action={before}\"")));
    let stand_in = &records[4].faults[0];
    assert!(page.contains(&format!(
        "href=\"#game=a-5&amp;action={}\"",
        stand_in.action
    )));
    assert!(page.contains("a random action stood in"));
}

#[test]
fn a_page_keeps_the_first_games_of_each_line_up_and_those_with_faults() {
    let mut records = games();
    for (number, seats) in (10..).zip([["greedy", "hoarder"], ["hoarder", "greedy"]]) {
        records.push(play(
            &format!("a-{number}"),
            &seats,
            3,
            Penalty::Forfeit,
            500,
        ));
    }
    let page = page(&records, Keep::First(1));
    let data = data(&page);
    let kept = data["games"].as_array().unwrap();
    let ids: Vec<&str> = kept.iter().map(|g| g["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a-1", "a-2", "a-3", "a-4", "a-5", "a-6", "a-7"]);
    assert!(page.contains("7 of 9 games are in this file"));
    // The results cover all games, also those left out.
    assert!(page.contains("<b>9</b> games"));
    let faulty: Vec<Record> = records[1..2].iter().cycle().take(3).cloned().collect();
    let page = self::page(&faulty, Keep::First(0));
    assert_eq!(self::data(&page)["games"].as_array().unwrap().len(), 3);
}

#[test]
fn a_page_stays_below_its_size() {
    let record = play("a-1", &["random"; 6], 6, Penalty::Forfeit, 500);
    let mut report = Report::new(Keep::Fitting, &[]);
    for _ in 0..8000 {
        report.push(&record, None).unwrap();
    }
    let page = written(&report, &Facts::default());
    let kept = data(&page)["games"].as_array().unwrap().len();
    assert!(page.len() < 21_000_000, "{} bytes", page.len());
    assert!((1000..8000).contains(&kept), "{kept} games");
}

#[test]
fn a_record_that_breaks_the_rules_is_refused() {
    let mut record = play("a-1", &["hoarder", "greedy"], 3, Penalty::Forfeit, 500);
    record.actions[4].player = 1;
    let error = Report::new(Keep::All, &[]).push(&record, None).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("game a-1: action 5: "), "{text}");
}

#[test]
fn an_analysis_is_in_the_page() {
    let record = play("a-1", &["random", "greedy"], 3, Penalty::Forfeit, 30);
    let options = Options {
        limits: Limits::nodes(200),
        seed: 1,
        allow_pass: false,
    };
    let analysis = analysis::analyse(&record, &Handmade::default(), &options, || ()).unwrap();
    let mut report = Report::new(Keep::All, &[]);
    report.push(&record, Some(&analysis)).unwrap();
    let data = data(&written(&report, &Facts::default()));
    let judged = &data["games"][0]["x"];
    let chances = judged["c"].as_array().unwrap();
    assert_eq!(chances.len(), record.actions.len());
    let first = (1000.0 * analysis.actions[0].chance).round();
    assert_eq!(chances[0].as_f64(), Some(first));
    let graded = analysis
        .actions
        .iter()
        .filter(|a| a.grade.is_some())
        .count();
    assert!(graded > 0);
    assert_eq!(judged["bad"].as_array().unwrap().len(), graded);
}

#[test]
fn the_command_reports_a_folder_and_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let records = games();
    let mut lines: Vec<u8> = records.iter().flat_map(Record::to_line).collect();
    // The file may end in the middle of a line, as when a running tournament is just writing.
    lines.extend_from_slice(b"{\"contest\":\"cart");
    fs::write(folder.path().join("games.jsonl"), &lines).unwrap();
    let report = |words: &str| contest_in(folder.path(), &format!("cartagena report {words}"));
    let page = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    report(".").printed();
    report("games.jsonl").printed();
    let (by_folder, by_file) = (page("report.html"), page("games.html"));
    assert_eq!(by_folder, by_file);
    assert_eq!(data(&by_folder)["games"].as_array().unwrap().len(), 7);
    fs::remove_file(folder.path().join("report.html")).unwrap();
    report("-").write_stdin(&*lines).printed();
    assert_eq!(by_folder, page("report.html"));
    report(". --games all --out all.html").printed();
    assert!(folder.path().join("all.html").exists());
    report(". --games some").told(2);
    report("nothing.jsonl").told(2);
    fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    report("empty.jsonl").told(2);
    // A report does not replace the records that it is made from.
    for out in ["games.jsonl", "./games.jsonl"] {
        let told = report(&format!(". --out {out}")).told(2);
        says(&told, "this command reads the file");
    }
    assert_eq!(fs::read(folder.path().join("games.jsonl")).unwrap(), lines);
}

#[test]
fn a_tournament_is_reported_with_its_settings_and_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let call = |words: &str| contest_in(folder.path(), &format!("cartagena {words}")).printed();
    let programs = "builtin:greedy mine=builtin:hoarder builtin:random";
    let settings = "--players 2,3 --games 6 --seed 5 --out here";
    call(&format!("tournament {programs} {settings}"));
    call("report here");
    let path = folder.path().join("here/report.html");
    let page = fs::read_to_string(&path).unwrap();
    for part in [
        "<li class=\"complete\">",
        "<dt>seed</dt><dd>5</dd>",
        "<dt>a fault costs</dt><dd>the game</dd>",
        "mine (builtin:hoarder)",
        "2 players</label>",
        "No program did anything wrong.",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(
        !page.contains("<dt>time an action"),
        "built-in players keep their own time"
    );
    // The report's ratings equal those of the command `rate`.
    let rated: Value = serde_json::from_str(&call("rate here --json")).unwrap();
    let best = &rated["overall"]["rows"][0];
    let (low, high) = (best["low"].as_f64(), best["high"].as_f64());
    let rating = best["rating"].as_f64().unwrap().round();
    let label = best["label"].as_str().unwrap();
    if let (Some(low), Some(high)) = (low, high) {
        let shown = format!("{label}: +{rating} ± {:.0} Elo", (high - low) / 2.0);
        assert!(page.contains(&shown), "{shown}");
    } else {
        assert!(page.contains(&format!("{label}: +{rating} Elo")));
    }
    let file = fs::read_to_string(folder.path().join("here/games.jsonl")).unwrap();
    let half = file.lines().take(10).collect::<Vec<_>>().join("\n") + "\n";
    fs::write(folder.path().join("here/games.jsonl"), half).unwrap();
    call("report here");
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.contains("unfinished: 10 of "));
}

/// A position in the form in which the page's script describes it.
fn described(record: &Record, state: &State, out: &[bool], over: bool) -> Value {
    let word = |cards: Cards| -> String {
        cards
            .iter()
            .map(|s| s.name().chars().next().unwrap())
            .collect()
    };
    let players = 0..record.players.len();
    json!({
        "places": players.clone().map(|p| state.track.pirates(p)).collect::<Vec<_>>(),
        "hands": players.map(|p| word(state.hands[p])).collect::<Vec<_>>(),
        "discards": word(state.discards),
        "pile": state.pile,
        "to_move": state.to_move + 1,
        "taken": state.taken,
        "out": out,
        "winner": if over { record.result.winner.unwrap_or(0) } else { 0 },
    })
}

/// Every position of a game, computed by the rules.
fn positions(record: &Record) -> Vec<Value> {
    let history = record.positions().unwrap();
    let states = history.steps.iter().map(|step| &step.state);
    states
        .chain([&history.last])
        .enumerate()
        .map(|(number, state)| {
            let mut out = vec![false; record.players.len()];
            for fault in record.faults.iter().filter(|f| f.forfeit) {
                out[fault.player - 1] |= fault.action <= number + 1;
            }
            described(record, state, &out, number == history.steps.len())
        })
        .collect()
}

/// A script that steps through all games by the keyboard and notes every position.
const DRIVER: &str = "<script>
const stage = document.getElementById('stage'), log = [];
const press = key => stage.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
const able = id => !document.getElementById(id).disabled;
for (;;) {
    press('End');
    press('Home');
    const game = [stage.dataset.state];
    while (able('after')) { press('ArrowRight'); game.push(stage.dataset.state); }
    log.push(game.map(text => JSON.parse(text)));
    if (!able('game-after')) break;
    press('ArrowDown');
}
const pre = document.createElement('pre');
pre.id = 'log';
pre.textContent = JSON.stringify(log);
document.body.append(pre);
</script>";

#[test]
fn the_page_replays_as_the_rules_do() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let records = games();
    let page = page(&records, Keep::All);
    fs::write(folder.path().join("driven.html"), page + DRIVER).unwrap();
    let dom = opened(browser, folder.path(), "driven.html");
    let log: Vec<Vec<Value>> = serde_json::from_str(logged(&dom)).unwrap();
    assert_eq!(log.len(), records.len());
    for (record, shown) in records.iter().zip(&log) {
        let expected = positions(record);
        assert_eq!(shown.len(), expected.len(), "game {}", record.id);
        for (number, (shown, expected)) in shown.iter().zip(&expected).enumerate() {
            assert_eq!(shown, expected, "game {}, after action {number}", record.id);
        }
    }
}

#[test]
fn a_link_opens_a_position() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let records = games();
    fs::write(folder.path().join("report.html"), page(&records, Keep::All)).unwrap();
    let dom = opened(browser, folder.path(), "report.html#game=a-6&action=31");
    let (_, state) = dom.split_once("data-state=\"").unwrap();
    let (state, _) = state.split_once('"').unwrap();
    let state: Value = serde_json::from_str(&state.replace("&quot;", "\"")).unwrap();
    assert_eq!(state, positions(&records[5])[31]);
}
