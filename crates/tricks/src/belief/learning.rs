//! Learning about the others from a round that is over, when all hands are known.

use super::evidence::Evidence;
use super::player_belief::PlayerBelief;
use crate::network::Network;
use crate::{Cards, Hands, MAX_PLAYERS, PolicySet, Round as _, View};
use engine::rng::stream;

/// After these parts of a round, hands are guessed and compared with the true ones: by then there are choices to infer
/// from, and hands are still hidden.
const MOMENTS: [f64; 2] = [0.45, 0.65];
/// Worlds with which the likelihood of the true hand is compared.
const WORLDS: usize = 64;

/// Learns three things about each other player from a round that is over: which type explains its choices, its habits,
/// and how well its hands could be guessed.
pub(crate) fn learn<P: PolicySet>(
    view: &View<P::Round>,
    beliefs: &mut [PlayerBelief; MAX_PLAYERS],
    network: &Network,
) {
    let others = (0..view.round().players()).filter(|&player| player != view.seat());
    let others: Vec<usize> = others.collect();
    // Likelihoods use the beliefs before the round: a habit that has already learnt the round's choices would seem to
    // have predicted them.
    let before = beliefs.clone();
    learn_trust::<P>(view, &others, (&before, beliefs), network);
    let evidence = Evidence::new(view, &before, network);
    // After the round every hand is empty, and walking backwards from there gives each player's true hand at
    // every choice.
    for player in others {
        let belief = &mut beliefs[player];
        belief
            .types
            .learn(&evidence.likelihoods::<P>(player, Cards::EMPTY));
        let examples = evidence.examples::<P>(player, Cards::EMPTY);
        belief.habit.learn(&examples);
    }
}

/// Learns how well each other player's hands could be guessed by what was believed before.
fn learn_trust<P: PolicySet>(
    view: &View<P::Round>,
    others: &[usize],
    (before, beliefs): (
        &[PlayerBelief; MAX_PLAYERS],
        &mut [PlayerBelief; MAX_PLAYERS],
    ),
    network: &Network,
) {
    let history = view.history();
    let Some(first) = history.first() else { return };
    for &player in others {
        // Once a round, not once a moment: the round is the unit of forgetting.
        beliefs[player].trust.forget();
    }
    for (number, part) in MOMENTS.into_iter().enumerate() {
        let moment = (part * history.len() as f64) as usize;
        // The viewer's knowledge at that moment.
        let mut then = View::new(&first.round, view.seat());
        for past in &history[..moment] {
            then.act(past.card);
        }
        // The true hands at that moment: those of the end, which are empty, with every later action undone.
        let mut hands = Hands::default();
        for later in history[moment..].iter().rev() {
            if later.took {
                hands[later.seat].remove(later.card);
            } else {
                hands[later.seat].insert(later.card);
            }
        }
        let held = others
            .iter()
            .fold(Cards::EMPTY, |all, &player| all | hands[player]);
        // If the round was cut short, cards are missing from these hands, and there is nothing to compare.
        let (true, Ok(deals)) = (held == then.seen().unseen(), then.seen().deals()) else {
            continue;
        };
        let evidence = Evidence::new(&then, before, network);
        let total = |player: usize, hands: &Hands| {
            let likelihoods = evidence.likelihoods::<P>(player, hands[player]);
            evidence.total(player, &likelihoods)
        };
        // A fixed seed: the same round teaches the same thing on every machine.
        let mut rng = stream(history.len() as u64, number as u64);
        let worlds: Vec<Hands> = (0..WORLDS)
            .map(|_| then.seen().hands(&deals.sample(&mut rng)))
            .collect();
        for &player in others {
            // Each player's true hand is compared with its hands in equally likely worlds.
            let could: Vec<f64> = worlds.iter().map(|hands| total(player, hands)).collect();
            beliefs[player].trust.learn(total(player, &hands), &could);
        }
    }
}
