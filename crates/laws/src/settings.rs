//! Readers of files that an organizer writes by hand.

use challenge_server::teams::read_teams;
use contest::cartagena::tournament::{Rules, Schedule, Settings};

/// No text makes the readers of a tournament's settings and of a contest's teams panic. Settings that are read can
/// be used, and are read again as the same settings after they were written.
///
/// # Panics
/// If a law is broken.
pub fn settings(input: &[u8]) {
    if let Ok(text) = str::from_utf8(input)
        && let Err(error) = read_teams(text)
    {
        assert!(!error.to_string().is_empty());
    }
    let settings = match Settings::parse(input) {
        Ok(settings) => settings,
        Err(reason) => return assert!(!reason.is_empty()),
    };
    let (options, limits) = (Rules::options(&settings), settings.limits());
    assert_eq!(options.board.is_some(), settings.rules.board.is_some());
    assert!(limits.late <= limits.kill);
    let text = serde_json::to_vec(&settings).expect("settings can be written");
    let mut again = Settings::parse(&text).expect("what was written can be read");
    // Reading a fraction may miss its last bit.
    (again.seconds, again.patience) = (settings.seconds, settings.patience);
    assert_eq!(again, settings);
    assert_eq!(again.difference(&settings), None);
    // Line-ups grow with the power of the players.
    let most = settings.players.last().copied().unwrap_or(0);
    if settings.programs.len().pow(most.into()) <= 1000 {
        let schedule = Schedule::new(&settings);
        for (line_up, _) in schedule.line_ups().iter().enumerate() {
            assert!(schedule.games_of(line_up) >= settings.games);
        }
        let names = schedule.names();
        assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
    }
}
