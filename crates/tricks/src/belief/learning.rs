//! What a round that is over says of how far the types explain everybody.

use super::evidence::Evidence;
use super::opponent_types::TypeWeights;
use crate::network::Network;
use crate::{Cards, Hands, MAX_PLAYERS, PolicySet, Round as _, View};
use engine::rng::stream;

/// Parts of a round after which hands are foretold.
const MOMENTS: [f64; 2] = [0.45, 0.65];
/// Worlds by which a hand's likelihood is compared.
const WORLDS: usize = 64;

/// Learns how far each other player's hands could be foretold in a round that is over.
pub(crate) fn learn<P: PolicySet>(
    view: &View<P::Round>,
    beliefs: &mut [TypeWeights; MAX_PLAYERS],
    network: &'static Network,
) {
    let history = view.history();
    let Some(first) = history.first() else { return };
    let others = (0..view.round().players()).filter(|&player| player != view.seat());
    let others: Vec<usize> = others.collect();
    for &player in &others {
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
        let evidence = Evidence::new(&then, beliefs, network);
        let total = |player: usize, hands: &Hands| {
            let likelihoods = evidence.likelihoods::<P>(player, hands[player]);
            evidence.total(player, &likelihoods)
        };
        let mut rng = stream(history.len() as u64, number as u64);
        let worlds: Vec<Hands> = (0..WORLDS)
            .map(|_| then.seen().hands(&deals.sample(&mut rng)))
            .collect();
        for &player in &others {
            let could: Vec<f64> = worlds.iter().map(|hands| total(player, hands)).collect();
            beliefs[player].trust.learn(total(player, &hands), &could);
        }
    }
}
