//! What a round that is over, when all hands are known, says of the others.

use super::evidence::Evidence;
use super::player_belief::PlayerBelief;
use crate::network::Network;
use crate::{Cards, Hands, MAX_PLAYERS, PolicySet, Round as _, View};
use engine::rng::stream;

/// Parts of a round after which hands are foretold.
const MOMENTS: [f64; 2] = [0.45, 0.65];
/// Worlds by which a hand's likelihood is compared.
const WORLDS: usize = 64;

/// Learns from a round that is over how each other player chooses, by which type, and how far its hands could be foretold.
pub(crate) fn learn<P: PolicySet>(
    view: &View<P::Round>,
    beliefs: &mut [PlayerBelief; MAX_PLAYERS],
    network: &Network,
) {
    let others = (0..view.round().players()).filter(|&player| player != view.seat());
    let others: Vec<usize> = others.collect();
    // What was believed before the round says how well it foretold the round.
    let before = beliefs.clone();
    learn_trust::<P>(view, &others, (&before, beliefs), network);
    let evidence = Evidence::new(view, &before, network);
    for player in others {
        let belief = &mut beliefs[player];
        belief
            .types
            .learn(&evidence.likelihoods::<P>(player, Cards::EMPTY));
        let examples = evidence.examples::<P>(player, Cards::EMPTY);
        belief.habit.learn(&examples);
    }
}

/// Learns how far each other player's hands could be foretold by what was believed before.
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
        beliefs[player].trust.forget();
    }
    for (number, part) in MOMENTS.into_iter().enumerate() {
        let moment = (part * history.len() as f64) as usize;
        let mut then = View::new(&first.round, view.seat());
        for past in &history[..moment] {
            then.act(past.card);
        }
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
        // A round that was cut short leaves hands unknown.
        let (true, Ok(deals)) = (held == then.seen().unseen(), then.seen().deals()) else {
            continue;
        };
        let evidence = Evidence::new(&then, before, network);
        let total = |player: usize, hands: &Hands| {
            let likelihoods = evidence.likelihoods::<P>(player, hands[player]);
            evidence.total(player, &likelihoods)
        };
        let mut rng = stream(history.len() as u64, number as u64);
        let worlds: Vec<Hands> = (0..WORLDS)
            .map(|_| then.seen().hands(&deals.sample(&mut rng)))
            .collect();
        for &player in others {
            let could: Vec<f64> = worlds.iter().map(|hands| total(player, hands)).collect();
            beliefs[player].trust.learn(total(player, &hands), &could);
        }
    }
}
