//! Tests of `match` for the trick-taking games with external programs, and of the records, replays and report
//! pages of its rounds.

use super::browser::{browser, loads_nothing, logged, opened};
use super::programs::{Command, command, contest, contest_in, program, records, says, script};

use contest::eights::matches::Eights;
use contest::hearts::matches::Hearts;
use contest::tricks::Contest;
use contest::tricks::record::Record;
use contest::tricks::report::Report;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tricks::{Card, Round as _};

static EIGHTS: LazyLock<String> =
    LazyLock::new(|| format!("me={}", command("eights", "--nodes 1")));
static HEARTS: LazyLock<String> =
    LazyLock::new(|| format!("me={}", command("hearts", "--nodes 1")));

/// Plays and records a match, and replays each record; returns the output and the records.
fn played<C: Contest>(
    contest_of: &C,
    folder: &Path,
    players: &[&str],
    options: &str,
) -> (Value, Vec<Record>) {
    let words = format!("{} match --record rounds.jsonl --json {options}", C::NAME);
    let printed = contest_in(folder, &words).args(players).printed();
    let records: Vec<Record> = records(&folder.join("rounds.jsonl"));
    for record in &records {
        record.replay(contest_of, |_, _, _| ()).unwrap();
    }
    (serde_json::from_str(&printed).unwrap(), records)
}

fn faults(result: &Value) -> Vec<u64> {
    let rows = result["players"].as_array().unwrap();
    rows.iter()
        .map(|row| row["faults"].as_u64().unwrap())
        .collect()
}

#[test]
fn a_level_or_a_number_of_seats_that_is_not_there_is_told() {
    for (words, expected) in [
        ("12 1", "level=12: expected 1 to 11"),
        ("1 2 --seats 3", "--seats 3: expected 4"),
        ("1 2 --jobs 0", "0 is not in 1..=65535"),
        (
            "high counter,noise=1",
            "counter has no setting \"noise\"; it has slips",
        ),
    ] {
        let error = contest(&format!("eights games {words}")).told(2);
        assert!(
            error.contains(expected) && !error.contains("4 to 4"),
            "{error}"
        );
    }
}

#[test]
fn programs_play_eights() {
    let folder = tempfile::tempdir().unwrap();
    let players = [&*EIGHTS, "counter", "you=builtin:high", &*EIGHTS];
    let options = "--rounds 9 --sitting 2";
    let (result, records) = played(&Eights, folder.path(), &players, options);
    assert_eq!(
        (result["deals"].as_u64(), faults(&result)),
        (Some(3), vec![0; 4])
    );
    assert_eq!(records.len(), 12);
    assert_eq!(records[0].players, ["me", "counter", "you", "me"]);
    assert_eq!(
        records[1].players,
        ["me", "counter", "you", "me"],
        "the same rotation's next deal"
    );
    assert_eq!(records[2].players, ["counter", "you", "me", "me"]);
}

#[test]
fn programs_play_hearts() {
    for players in [3, 6] {
        let folder = tempfile::tempdir().unwrap();
        let line_up = [&*HEARTS, "duck", &*HEARTS, &*HEARTS, "careful", "random"];
        let line_up = &line_up[..players];
        let (result, records) = played(&Hearts::default(), folder.path(), line_up, "--rounds 3");
        assert_eq!(faults(&result), vec![0; players]);
        assert_eq!(records.len(), players);
    }
}

/// A match of Hearts has the default rules of the server: all tricks count, and points on the first trick are
/// no fault.
#[test]
fn hearts_is_played_by_the_servers_rules() {
    let folder = tempfile::tempdir().unwrap();
    let players = ["random"; 6];
    let (result, records) = played(&Hearts::default(), folder.path(), &players, "--rounds 60");
    assert_eq!(faults(&result), [0; 6]);
    let is_penalty = |code: &String| code.starts_with('h') || code == "sq";
    let first = records
        .iter()
        .filter(|record| record.cards[..6].iter().any(is_penalty));
    assert!(
        first.count() > 0,
        "points on the first trick in none of {}",
        records.len()
    );
    for record in &records {
        assert_eq!(record.cards.len(), 48);
        let sum: u32 = record.points.iter().map(|&points| u32::from(points)).sum();
        assert!([26, 5 * 26].contains(&sum), "{:?}", record.points);
    }
    let said = contest("hearts match random random random random --rounds 1").printed();
    let rules = "every trick is played and scored; points may be played on the first trick";
    says(&said, format!("\nrules: {rules}\n"));
}

#[test]
fn a_fault_is_counted_and_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    script(folder.path(), "dead", "echo 'went wrong' >&2; exit 1");
    script(
        folder.path(),
        "wrong",
        "while read x; do case $x in take*|play*) echo c2;; esac; done",
    );
    let players = ["./dead", "./wrong", "high", &*EIGHTS];
    let options = "--rounds 16 --sitting 2 --jobs 2";
    let (result, records) = played(&Eights, folder.path(), &players, options);
    // There is one fault in every sitting and rotation.
    assert_eq!(faults(&result), [8, 8, 0, 0]);
    let all: Vec<_> = records.iter().flat_map(|record| &record.faults).collect();
    let of = |kind: &str| all.iter().filter(|fault| fault.kind.name() == kind).count();
    assert_eq!((all.len(), of("crash"), of("illegal")), (16, 8, 8));
    let first = |kind: &str| all.iter().find(|fault| fault.kind.name() == kind).unwrap();
    let dead = first("crash");
    assert_eq!(dead.detail, "ended with exit status: 1");
    assert_eq!(dead.errors, "went wrong\n");
    let wrong = first("illegal");
    assert!(wrong.detail.starts_with("♣2, but legal are: "), "{wrong:?}");

    let printed = contest_in(folder.path(), "eights replay rounds.jsonl 1").printed();
    says(
        &printed,
        " crash: ended with exit status: 1: went wrong; random cards from here on\n",
    );
    // The match itself says the first fault of each, and one label is one player.
    let match_of = |players| {
        contest_in(
            folder.path(),
            &format!("eights match {players} high high --rounds 4"),
        )
    };
    let told = match_of("./dead high").printed();
    says(
        &told,
        "dead, first fault: crash: ended with exit status: 1; it wrote: went wrong\n",
    );
    let told = match_of("a=random a=counter").told(2);
    says(&told, "two different players have the label a");
    script(folder.path(), "blank", "while read x; do echo; done");
    let told = match_of("--limit 1 ./blank high").printed();
    // That it wrote an empty line is said if the machine let it write within this second.
    says(&told, "blank, first fault: timeout: no answer within 1 s");
}

#[test]
fn a_hearts_program_that_fails_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    script(folder.path(), "dead", "echo 'went wrong' >&2; exit 1");
    script(
        folder.path(),
        "mute",
        "echo 'is mute' >&2; cat \"$2\" > /dev/null; exec 3> \"$4\"",
    );
    let players = ["./dead", "duck", "./mute"];
    let options = "--rounds 3 --limit 1";
    let (result, records) = played(&Hearts::default(), folder.path(), &players, options);
    assert_eq!(faults(&result), [3, 0, 3]);
    let faults = records.iter().flat_map(|record| &record.faults);
    let told: Vec<[&str; 2]> = faults
        .map(|fault| [&*fault.detail, &*fault.errors])
        .collect();
    let of = |text: [&str; 2]| told.iter().filter(|&&one| one == text).count();
    let dead = "ended with exit status: 1 and did not open its pipes; if it takes them as two arguments, \
                write {in} {out} after its name";
    assert_eq!(of([dead, "went wrong\n"]), 3, "{told:?}");
    let mute = "did not send its name in time";
    assert_eq!(of([mute, "is mute\n"]), 3, "{told:?}");
}

#[test]
fn what_cannot_play_is_told() {
    let told = |words: &str| contest(words).told(2);
    assert_eq!(
        told("hearts match duck high duck"),
        "contest: there is no built-in player \"high\"; there are search, random, duck, careful, shooter, \
         low-first, void-first, suit-counting, stay-low, keep-exits, count-voids, try-moon, weigh-risks, uct or cheat, \
         or a program: a path, or LABEL=PATH\n"
    );
    // A stranger plays one game.
    assert_eq!(
        told("eights match high high high stay-low"),
        "contest: there is no built-in player \"stay-low\"; there are search, random, high, counter, low-first, \
         void-first, suit-counting, cash-masters, save-masters, hunt-eights, run-suit, weigh-chances, uct or cheat, \
         or a program: a path, or LABEL=PATH\n"
    );
    assert!(told("eights match high high high ./no-such").starts_with("contest: no program at "));
    assert_eq!(
        told("eights match high high high"),
        "contest: expected 4 players, not 3\n"
    );
}

#[test]
fn a_recorded_round_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let players = ["counter", "high", "random", "high"];
    let (_, records) = played(&Eights, folder.path(), &players, "--rounds 8");
    let replay = |words: &str| contest_in(folder.path(), words);
    let print = |which: &str| replay(&format!("eights replay rounds.jsonl {which}")).printed();
    let text = print("6");
    assert_eq!(text, print(&records[5].id));
    assert!(
        text.starts_with("Tricky Eights round 2-3, seed 1\nnorth  random "),
        "{text}"
    );
    let points: Vec<String> = records[5].points.iter().map(u8::to_string).collect();
    assert!(
        text.ends_with(&format!("\nthe round comes to {}\n", points.join(" "))),
        "{text}"
    );
    assert_eq!(
        text.matches("\ntake ").count() + text.matches("\ntrick ").count(),
        16
    );
    replay("eights replay rounds.jsonl 9").told(2);
    replay("hearts replay rounds.jsonl 1").told(2);
}

/// The positions of a round that the page must show, computed by the rules.
fn positions<C: Contest>(contest: &C, record: &Record) -> Vec<Value> {
    let players = record.players.len();
    let codes = |cards: tricks::Cards| -> String {
        let mut codes: Vec<String> = cards.into_iter().map(Card::code).collect();
        // Suits in alternating colours; a stable sort keeps the ranks in order.
        codes.sort_by_key(|code| "cdsh".find(&code[..1]));
        codes.join(" ")
    };
    let mut shown = Vec::new();
    let mut row = vec![0; players];
    let mut note = |number: usize, round: &C::Round| {
        if number.is_multiple_of(players) {
            row = (0..players).map(|seat| round.points(seat)).collect();
        }
        let hands: Vec<String> = (0..players).map(|seat| codes(round.hand(seat))).collect();
        let turn = round.to_act().map_or(-1, |seat| seat as i64);
        let points = if turn < 0 { &record.points } else { &row };
        shown.push(json!({
            "hands": hands, "pool": codes(round.pool()), "points": points, "turn": turn,
        }));
    };
    let end = record
        .replay(contest, |number, round, _| note(number, round))
        .unwrap();
    note(record.cards.len(), &end);
    shown
}

/// A script that steps through all rounds by the keyboard and notes every position.
const DRIVER: &str = "<script>
const stage = document.getElementById('stage'), log = [];
const press = key => stage.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
const count = document.getElementById('round').options.length;
for (let n = 0; n < count; n += 1) {
    press('End');
    press('Home');
    const round = [stage.dataset.state];
    while (!document.getElementById('after').disabled) { press('ArrowRight'); round.push(stage.dataset.state); }
    log.push(round.map(text => JSON.parse(text)));
    press('ArrowDown');
}
const pre = document.createElement('pre');
pre.id = 'log';
pre.textContent = JSON.stringify(log);
document.body.append(pre);
</script>";

/// Every round as the page's script shows it in a browser; `None` without one.
fn shown(page: &str) -> Option<Value> {
    let browser = browser()?;
    let folder = tempfile::tempdir().unwrap();
    let page = page.replace("</body>", &format!("{DRIVER}</body>"));
    fs::write(folder.path().join("page.html"), page).unwrap();
    // The driver is of the same kind as the page's script, so the page's security policy lets it run.
    let dom = opened(browser, folder.path(), "page.html");
    let log = logged(&dom).replace("&amp;", "&");
    let log = log.replace("&lt;", "<").replace("&gt;", ">");
    Some(serde_json::from_str(&log).unwrap())
}

fn page<C: Contest>(contest: &C, records: &[Record]) -> String {
    let mut report = Report::new(contest, None);
    records
        .iter()
        .for_each(|record| report.push(record).unwrap());
    let mut out = Vec::new();
    report.write(&mut out, "Title </script>&").unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_report_replays_rounds_as_the_rules_do() {
    let folder = tempfile::tempdir().unwrap();
    let players = ["counter", "high", "random", "random"];
    let (_, eights) = played(&Eights, folder.path(), &players, "--rounds 8");
    fs::remove_file(folder.path().join("rounds.jsonl")).unwrap();
    let players = ["careful", "duck", "random", "random", "duck"];
    let (_, hearts) = played(&Hearts::default(), folder.path(), &players, "--rounds 5");
    replays(&Eights, &eights);
    replays(&Hearts::default(), &hearts);
}

/// Compares the positions that the report of some rounds shows with those of the rules.
fn replays<C: Contest>(contest: &C, records: &[Record]) {
    if let Some(shown) = shown(&page(contest, records)) {
        let expected = records.iter().map(|record| positions(contest, record));
        assert_eq!(shown, json!(expected.collect::<Vec<_>>()));
    }
}

#[test]
fn the_report_has_standings_and_faults_and_hostile_text_stays_text() {
    const HOSTILE: &str = "</script><b>&\"'";
    let folder = tempfile::tempdir().unwrap();
    script(
        folder.path(),
        "bad",
        "echo '</pre><b>' >&2; read x; echo '</script><b>'",
    );
    let players = ["bad=./bad", "high", "random", "counter"];
    // A program's label cannot contain a slash, so the hostile label is written into the records.
    let (_, mut records) = played(&Eights, folder.path(), &players, "--rounds 8");
    for record in &mut records {
        record
            .players
            .iter_mut()
            .for_each(|label| *label = label.replace("bad", HOSTILE));
    }
    let page = page(&Eights, &records);
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains(HOSTILE));
    assert_eq!(
        page.matches("<pre>").count(),
        page.matches("</pre>").count()
    );
    assert!(
        page.contains("<span class=\"tag\">malformed</span>"),
        "a fault is told"
    );
    assert!(page.contains("<caption>8 rounds, 2 deals</caption>"));
    loads_nothing(&page);
    contest_in(folder.path(), "eights report rounds.jsonl --rounds 1").printed();
    let written = fs::read_to_string(folder.path().join("rounds.html")).unwrap();
    // The page keeps the first round, and rounds with faults: one in every rotation.
    assert_eq!(written.matches("\"hands\":").count(), 4);
}

/// The beliefs infer hidden cards of players that play as a model does, and are no worse than chance for
/// random players.
#[test]
fn inference_is_measured_on_recorded_rounds() {
    let gained = |players: [&str; 4]| {
        let folder = tempfile::tempdir().unwrap();
        played(&Hearts::default(), folder.path(), &players, "--rounds 4");
        let text = Command::new(program("lab"))
            .current_dir(folder.path())
            .words("hearts inference rounds.jsonl --worlds 64")
            .printed();
        let all = text.lines().last().unwrap();
        let figures: Vec<&str> = all.split_whitespace().collect();
        assert_eq!(figures[..2], ["all", "1"], "{text}");
        figures[3].parse::<f64>().unwrap()
    };
    let careful = gained(["careful"; 4]);
    let random = gained(["random"; 4]);
    assert!(careful < -0.02, "{careful}");
    assert!(random < 0.02, "{random}");
}

/// With `--totals`, games begin with random totals in a range, so that they are short.
#[test]
fn games_may_begin_near_their_end() {
    let near = "eights games search,nodes=20 search,points,nodes=20 --games 6 --totals";
    let said = contest(near).arg("270-299").printed();
    let rounds = said.strip_prefix("6 games of ").expect("what was played");
    let rounds: f64 = rounds.split(' ').next().unwrap().parse().unwrap();
    assert!(rounds < 8.0, "{said}");
    says(&said, "\nsearch,points,nodes=20: ");
    for range in ["299-270", "270", "0-300"] {
        contest(near).arg(range).told(2);
    }
}

/// Cards are passed in a direction that alternates from deal to deal; records say which, and every command reads them.
#[test]
fn cards_are_passed_in_a_match_that_asks_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let players = ["search,nodes=40", "careful", "uct,simulations=20", "duck"];
    let options = "--rounds 16 --passing";
    let (result, records) = played(&Hearts::default(), folder.path(), &players, options);
    assert_eq!(faults(&result), [0; 4]);
    assert_eq!(records.len(), 16);
    for record in &records {
        let deal: usize = record.id.split('-').next().unwrap().parse().unwrap();
        assert_eq!(record.passing, [1, 3, 2, 0][deal - 1], "{}", record.id);
        assert_eq!(record.passed.len(), if record.passing == 0 { 0 } else { 4 });
        // A receiver that does not hold the cards shows that the record is wrong.
        if record.passing > 0 {
            let mut wrong = record.clone();
            let hands = record.hands.iter();
            wrong.passed = hands.map(|hand| hand[..8].to_owned()).collect();
            let error = wrong.replay(&Hearts::default(), |_, _, _| ()).unwrap_err();
            assert!(error.to_string().contains("do not hold"), "{error}");
        }
    }
    contest_in(folder.path(), "hearts replay rounds.jsonl 2-1").printed();
    contest_in(folder.path(), "hearts report rounds.jsonl").printed();
    // No message of the protocol passes cards.
    let mut refused = contest("hearts match --passing duck duck duck");
    let errors = refused.arg(&*HEARTS).told(2);
    says(&errors, "me is a program, and Hearts has no message");
}
