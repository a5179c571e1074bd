// The position after so many entries of the log. Nothing here knows the rules: what was done, and who
// won a trick, is in the log.

function positionAfter(game, seen) {
  const entries = game.log.slice(0, Math.max(1, seen - game.earlier));
  let start = entries.length - 1;
  while (entries[start].deal === undefined) start -= 1;
  const deal = entries[start];
  const none = () => Array(game.players).fill(0);
  const at = {
    round: deal.deal, hands: deal.hands.map(hand => hand === null ? null : wordsIn(hand)), sizes: Array(game.players).fill(game.dealt),
    // Cards that all have seen somebody take.
    known: deal.hands.map(() => []), pool: wordsIn(deal.pool), newest: null,
    trick: [], won: null, last: null, points: none(), tricks: none(), totals: [...game.before], results: game.rounds.slice(0, deal.deal - 1), end: null,
  };
  for (const entry of entries.slice(start + 1)) advance(at, entry);
  for (const points of at.results) points.forEach((n, player) => { at.totals[player] += n; });
  return at;
}

function advance(at, entry) {
  const { player, card } = entry;
  const without = cards => cards.filter(other => other !== card);
  if (entry.took) {
    at.pool = without(at.pool);
    at.sizes[player] += 1;
    at.known[player].push(card);
    if (at.hands[player]) at.hands[player].push(card);
    at.newest = entry;
  } else if (card !== undefined) {
    if (at.won) Object.assign(at, { trick: [], won: null });
    at.trick.push(entry);
    at.sizes[player] -= 1;
    at.known[player] = without(at.known[player]);
    if (at.hands[player]) at.hands[player] = without(at.hands[player]);
    at.newest = entry;
  } else if (entry.trick !== undefined) {
    at.won = entry;
    at.last = { cards: at.trick, ...entry };
    at.points[entry.winner] += entry.trick;
    at.tricks[entry.winner] += 1;
  } else if (entry.end !== undefined) {
    at.end = entry;
    at.results = [...at.results, entry.points];
  }
}
