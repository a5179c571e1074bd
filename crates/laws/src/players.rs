//! Players do not panic at any input, and they answer every request.

use cartagena::belief::ReplayOptions;
use cartagena::evaluation::handmade::Handmade;
use cartagena::player::call::{Call, Choice, Decision, SearchOptions};
use cartagena::player::searcher::TurnCache;
use cartagena::search::Settings;
use engine::budget::{Clock, Limits};
use hearts::protocol::{Frames, Message, frame, parse, print};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tricks::Agent;

/// Reads and replays a history of Cartagena, and decides. The action must be legal, the search must not
/// report trouble, and the same input must get the same action again.
///
/// # Panics
/// If a law is broken.
pub fn call(input: &[u8]) {
    let Ok(call) = Call::read(input, &ReplayOptions::default()) else {
        return;
    };
    let Choice::Open(legal) = call.choice(false) else {
        return;
    };
    let decide = |cache: TurnCache| -> Decision {
        let options = SearchOptions {
            evaluator: Arc::new(Handmade::default()),
            clock: Clock::system(),
            limits: Limits::nodes(1),
            // Longer than anybody waits.
            hard_stop: Instant::now() + Duration::from_secs(1 << 30),
            threads: 1,
            settings: Settings::default(),
            before_waiting: || {},
        };
        call.decide(&legal, &options, cache)
    };
    // Only open choices are decided: a forced action and the end of a game need no search.
    let decision = decide(TurnCache::default());
    assert_eq!(decision.trouble, None);
    assert!(legal.contains(&decision.action), "{}", decision.action);
    let again = decide(TurnCache::default());
    assert_eq!(again.action, decision.action, "asked twice");
}

/// The round that the player of Tricky Eights has been dealt.
const DEAL: &str = "starthand s h9 h2 s8 ca h4 hj c7 sq st dk s2 ct ha c6 sa d5 ck c9 s5 cq h5 hk";

/// Lines for the player of Tricky Eights: after a deal, every `take` gets a card. The player uses a fixed
/// policy: the law is about how it reads lines, and a search would take a hundred times as long.
///
/// # Panics
/// If a law is broken.
pub fn eights(input: &[u8]) {
    let agent = Agent::Policy(::eights::player::Baseline::Counter);
    let mut player = ::eights::player::Client::new(agent, 1);
    player.receive(DEAL);
    for line in String::from_utf8_lossy(input).lines() {
        let response = player.receive(line);
        let command = line.split_ascii_whitespace().next().unwrap_or("");
        assert!(response.answer.is_some() || !command.eq_ignore_ascii_case("take"));
    }
}

/// Frames for the player of Hearts: messages that ask get an answer, and no others do.
///
/// # Panics
/// If a law is broken.
pub fn hearts(input: &[u8]) {
    let agent = Agent::Policy(::hearts::player::Baseline::Careful);
    let mut player = ::hearts::player::Client::new("fuzz", agent, 1);
    let mut frames = Frames::default();
    frames.push(&frame("34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19"));
    frames.push(input);
    while let Ok(Some(text)) = frames.next_text() {
        let Ok(message) = parse(&text) else { continue };
        assert_eq!(parse(&print(&message)).as_ref(), Ok(&message));
        let asks = matches!(message, Message::Name | Message::Play);
        assert_eq!(player.receive(message).answer.is_some(), asks);
    }
}
