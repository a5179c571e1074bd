//! Checks that the searches of Hearts and Tricky Eights, at fixed numbers of nodes, decide the same and find
//! the same values on every machine, whatever instructions its processor has. A change to the search, the
//! beliefs, a policy or a network shows up here.
//!
//! The files are in `tests/data/decisions`. This command makes them again:
//!
//! ```text
//! GOLDEN=write cargo test -p contest --test it tricks_decisions
//! ```

use crate::golden;
use eights::player::Baseline as Eights;
use engine::budget::Limits;
use engine::rng::{Random, stream};
use hearts::player::Baseline as Hearts;
use hearts::rules::Options;
use std::fmt::Write as _;
use tricks::{Agent, Method, Player, PolicySet, Round as _, View};

/// How many rounds are played in a row; players learn about each other from one to the next.
const ROUNDS: u64 = 2;

/// The decisions of a table, one line for each card: who acted and, if it was found by search, the values of
/// the best two cards.
fn text<P: PolicySet>(
    agents: [Agent<P>; 4],
    deal: impl Fn(u64, &mut Random) -> P::Round,
) -> String {
    let mut text = String::new();
    let mut players = agents.map(Player::new);
    for number in 0..ROUNDS {
        let mut rng = stream(7, number);
        let mut round = deal(number, &mut rng);
        let mut views: Vec<_> = (0..4).map(|seat| View::new(&round, seat)).collect();
        writeln!(text, "round {}", number + 1).unwrap();
        while let Some(seat) = round.to_act() {
            let decision = players[seat].decide(&views[seat], &mut rng).unwrap();
            write!(text, "{} {}", seat + 1, decision.card).unwrap();
            for found in decision.candidates.iter().take(2) {
                let (value, error) = (found.value, found.error);
                write!(text, "  {} {value:.6} ± {error:.6}", found.card).unwrap();
            }
            text.push('\n');
            round.act(decision.card);
            for view in &mut views {
                view.act(decision.card);
            }
        }
        for (player, view) in players.iter_mut().zip(&views) {
            player.learn(view);
        }
        writeln!(text, "points: {:?}", &round.scores()[..4]).unwrap();
    }
    for (seat, belief) in players[0].beliefs().iter().enumerate().take(4).skip(1) {
        let trust = belief.trust();
        writeln!(text, "player 1 trusts player {} by {trust:.6}", seat + 1).unwrap();
    }
    text
}

fn search<P: PolicySet>(method: Method, nodes: u64) -> Agent<P> {
    let limits = Limits::nodes(nodes);
    Agent::search(P::PLAYOUT, method, limits)
}

#[test]
fn searches_of_hearts_decide_as_ever() {
    let agents = [
        search(Method::Inference, 3000),
        search(Method::Blind, 500),
        search(Method::Inference, 3000),
        Agent::Policy(Hearts::Careful),
    ];
    // By the strictest rules the fewest cards are legal.
    let deal = |_, rng: &mut Random| hearts::deal::deal(4, Options::STRICT, rng);
    golden::check("decisions/hearts.txt", &text(agents, deal));
}

#[test]
fn searches_of_eights_decide_as_ever() {
    let agents = [
        search(Method::Inference, 3000),
        search(Method::Blind, 500),
        // From this number of nodes on, worlds are weighed by the cards that the others have played.
        search(Method::Inference, 10_000),
        Agent::Policy(Eights::Counter),
    ];
    let deal = |number, rng: &mut Random| eights::deal::deal(number as usize % 4, rng);
    golden::check("decisions/eights.txt", &text(agents, deal));
}
