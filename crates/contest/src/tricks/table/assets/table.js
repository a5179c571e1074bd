// A trick-taking game at a table: hands around it, the trick in the middle, the own cards to click on.

// A name that several have is told apart by the seat's number.
const nameOf = (now, player) => now.names.indexOf(now.names[player]) === now.names.lastIndexOf(now.names[player]) ? now.names[player] : `${now.names[player]} (${player + 1})`;
const called = (now, player) => player === now.seat ? "You" : nameOf(now, player);
const verb = (now, player, own, other) => player === now.seat ? own : other;
const counted = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

// Where a seat is drawn: the own one, or for onlookers the first, is at the bottom, and play goes clockwise.
function angleOf(now, player) {
  const n = now.game.players;
  return Math.PI / 2 + 2 * Math.PI * ((player - (now.seat ?? 0) + n) % n) / n;
}

// Puts a node into this direction from the middle, so far out; by its middle, or by its outer edge.
function placed(node, angle, [x, y], byEdge) {
  // What stands at the edge fills the corners too.
  const cos = byEdge ? Math.max(-1, Math.min(1, 1.2 * Math.cos(angle))) : Math.cos(angle);
  const sin = Math.sin(angle), edge = byEdge ? 50 : 0;
  node.style.left = `${(50 + x * cos).toFixed(1)}%`;
  node.style.top = `${(50 + y * sin).toFixed(1)}%`;
  node.style.translate = `${(-50 - edge * cos).toFixed(1)}% ${(-50 - edge * sin).toFixed(1)}%`;
  return node;
}

// A card that can be chosen: a button with its name in words.
function cardButton(now, card, { isLegal, isOpen, isBest }) {
  const word = now.game.taking ? "take" : "play";
  const button = element("button", {
    type: "button", class: `pick ${isOpen ? isLegal ? "legal" : "dim" : ""} ${isBest ? "best" : ""}`, "data-card": card,
    disabled: !(isOpen && isLegal),
  }, element("span", { class: "for-readers" }, isOpen && isLegal ? `${word} the ` : ""), cardFace(card));
  button.addEventListener("click", () => act(card));
  return button;
}

// Rows of a hand: two where one would be too narrow to touch.
function rowsOf(cards, width, card) {
  const step = (width - card) / Math.max(1, cards.length - 1);
  if (step >= 30 || cards.length < 8) return [cards];
  const half = Math.ceil(cards.length / 2);
  return [cards.slice(0, half), cards.slice(half)];
}

function ownHand(now, at, options) {
  const cards = sorted(at.hands[now.seat] || []);
  const group = element("div", { class: "own-hand", role: "group", "aria-label": `Your hand: ${counted(cards.length, "card")}` });
  const width = byId("board").clientWidth - 8, card = width < 480 ? 58 : 74;
  for (const row of rowsOf(cards, width, card)) {
    const line = element("div", { class: "row-of-cards" });
    line.style.setProperty("--card", `${card}px`);
    line.style.setProperty("--step", `${Math.min(card + 6, (width - card) / Math.max(1, row.length - 1)).toFixed(1)}px`);
    const isOpen = options.open && !now.game.taking;
    line.append(...row.map(card => cardButton(now, card, { isLegal: now.game.legal.includes(card), isOpen, isBest: card === options.best })));
    group.append(line);
  }
  return group;
}

function seatPlate(now, at, player) {
  const turn = isCaughtUp() && !now.over && now.to_move === player;
  const known = at.hands[player] && player !== now.seat ? at.hands[player] : at.known[player];
  const backs = element("span", { class: "backs", "aria-hidden": "true" },
    ...Array.from({ length: player === now.seat ? 0 : Math.max(0, at.sizes[player] - known.length) }, cardBack));
  const open = player === now.seat ? [] : sorted(known).map(cardInline);
  const name = player === now.seat && now.names[player] !== "You" ? `${now.names[player]} (you)` : nameOf(now, player);
  return element("div", { class: `plate ${turn ? "turn" : ""}`, "data-seat": player },
    element("b", {}, name), element("span", { class: "note" }, `${counted(at.sizes[player], "card")}, ${counted(at.points[player], "point")}`),
    ...(player === now.seat ? [] : [backs, element("span", { class: "open" }, ...open)]));
}

function trickCards(now, at, isNew) {
  return at.trick.map(({ player, card }) => {
    const isBest = at.won && at.won.winner === player;
    const node = element("div", { class: `played ${at.won ? isBest ? "wins" : "gone" : ""} ${isNew && at.newest.card === card && !at.won ? "new" : ""}` }, cardFace(card));
    return placed(node, angleOf(now, player), now.game.players > 4 ? [15, 16] : [12, 14], false);
  });
}

// The open cards that are taken one after another.
function openPool(now, at, options) {
  const pool = element("div", { class: "pool", role: "group", "aria-label": "Open cards" });
  const isOpen = options.open && now.game.taking;
  pool.append(...sorted(at.pool).map(card => cardButton(now, card, { isLegal: now.game.legal.includes(card), isOpen, isBest: card === options.best })));
  return pool;
}

function roundOver(now, at) {
  const points = now.names.map((_, player) => element("tr", {}, element("th", { scope: "row" }, called(now, player)),
    element("td", { class: "n" }, `+${at.end.points[player]}`), element("td", { class: "n" }, String(at.totals[player]))));
  return element("div", { class: "round-over" }, element("b", {}, `Round ${at.round} is over`), moonText(now, at.end),
    element("table", {}, element("thead", {}, element("tr", {}, ...["", "Round", "All"].map(name => element("th", { scope: "col" }, name)))), element("tbody", {}, ...points)));
}

// Where all points of a round turn around.
function moonText(now, end) {
  const moon = end.taken.findIndex((taken, player) => taken !== end.points[player] && end.points[player] === 0);
  return moon < 0 ? "" : ` ${called(now, moon)} ${verb(now, moon, "have", "has")} shot the moon!`;
}

function drawTable(now, seen, { isNew, open, advice }) {
  const { game } = now, at = positionAfter(game, seen);
  const best = advice && advice.candidates.length ? advice.candidates[0].picture : null;
  const felt = element("div", { class: `felt of${game.players}` });
  for (const player of now.names.keys()) {
    felt.append(placed(seatPlate(now, at, player), angleOf(now, player), [49, 48.5], true));
  }
  if (at.pool.length) felt.append(openPool(now, at, { open, best }));
  else if (at.end) felt.append(roundOver(now, at));
  else felt.append(...trickCards(now, at, isNew));
  const hand = now.seat === null ? [] : [ownHand(now, at, { open, best })];
  byId("board").replaceChildren(felt, ...hand);
  byId("players").replaceChildren(scoreTable(now, at));
  byId("piles").replaceChildren(...lastTrick(now, at), ...allRounds(now, at));
  byId("ask").replaceChildren();
}

function scoreTable(now, at) {
  const rows = now.names.map((_, player) => element("tr", { class: isCaughtUp() && now.to_move === player ? "turn" : null },
    element("th", { scope: "row" }, called(now, player)), ...[at.tricks[player], at.points[player], at.totals[player]].map(n => element("td", { class: "n" }, String(n)))));
  const goal = now.game.low ? `to ${now.game.goal}; the fewest points win` : `to ${now.game.goal} points`;
  return element("div", {}, element("table", { class: "scores" }, element("caption", {}, `Round ${at.round}, ${goal}`),
    element("thead", {}, element("tr", {}, ...["", "Tricks", "Points", "All"].map(name => element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows)));
}

function lastTrick(now, at) {
  if (!at.last) return [element("div", { class: "note" }, "No trick yet")];
  const cards = at.last.cards.map(({ player, card }) => element("span", { class: player === at.last.winner ? "wins" : null, title: called(now, player) }, cardInline(card)));
  return [element("div", { class: "last-trick" }, element("b", {}, "Last trick "), ...cards, `won by ${at.last.winner === now.seat ? "you" : nameOf(now, at.last.winner)}: ${counted(at.last.trick, "point")}`)];
}

function allRounds(now, at) {
  if (!at.results.length) return [];
  const open = byId("piles").querySelector("details[open]") !== null;
  const rows = at.results.map((points, n) => element("tr", {}, element("th", { scope: "row" }, String(n + 1)), ...points.map(n => element("td", { class: "n" }, String(n)))));
  return [element("details", { open }, element("summary", {}, "All rounds"), element("div", { class: "scroll" }, element("table", { class: "scores" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Round"), ...now.names.map((_, player) => element("th", { scope: "col" }, called(now, player))))), element("tbody", {}, ...rows))))];
}

function said(now, done) {
  if (done.deal !== undefined) return [element("b", {}, `Round ${done.deal} is dealt`)];
  if (done.trick !== undefined) return [`${called(now, done.winner)} ${verb(now, done.winner, "win", "wins")} the trick: ${counted(done.trick, "point")}`];
  if (done.end !== undefined) return [`Round ${done.end} is over: `, now.names.map((_, player) => `${called(now, player)} ${done.points[player]}`).join(", "), moonText(now, done)];
  const does = done.took ? verb(now, done.player, "take", "takes") : verb(now, done.player, "play", "plays");
  return [`${called(now, done.player)} ${does} `, cardInline(done.card)];
}

function dueText(now) {
  const { game } = now;
  if (game.taking) return "Your turn: take one of the open cards.";
  const at = positionAfter(game, ui.seen);
  if (!at.trick.length || at.won) return "Your turn: lead a card.";
  const led = at.trick[0].card[0];
  return game.legal.every(card => card[0] === led) ? `Your turn: follow with one of the ${SUITS[led]}.` : `Your turn: you have none of the ${SUITS[led]}, play any card that is lit.`;
}

function overText(now) {
  if (now.game.winner === null) return "It is over, and several have done equally well.";
  return now.game.winner === now.seat ? "You have won!" : `${nameOf(now, now.game.winner)} has won.`;
}

// The arrows go from card to card; Enter, or a space, plays the one in focus.
addEventListener("keydown", event => {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const cards = [...byId("board").querySelectorAll("button.legal")];
  if (!cards.length) return;
  const at = cards.indexOf(document.activeElement);
  cards[at < 0 ? 0 : (at + by + cards.length) % cards.length].focus();
  event.preventDefault();
});
