// The challenge card game at a table: the cards to click on, the trick, the score and what may be done.

const CALLS = [
  { action: "offer_challenge", name: "Challenge", key: "c" },
  { action: "accept_challenge", name: "Accept", key: "a" },
  { action: "reject_challenge", name: "Reject", key: "r" },
];

const nameOf = (now, seat) => seat === now.seat ? "You" : now.names[seat];
const fullName = (now, seat) => seat === now.seat && now.names[seat] !== "You" ? `${now.names[seat]} (you)` : now.names[seat];
// "You play", "Ann plays".
const does = (now, seat, own, others) => `${nameOf(now, seat)} ${seat === now.seat ? own : others}`;
const counted = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;

function wordsOf(now, done) {
  const { player, by } = done;
  switch (done.what) {
    case "deal": return `Hand ${done.hand}: ${does(now, done.lead, "lead", "leads")}`;
    case "play": return `${does(now, player, "play", "plays")} ${done.card}`;
    case "offer": return does(now, player, "challenge", "challenges");
    case "accept": return `${does(now, player, "accept", "accepts")}: this hand decides the game`;
    case "reject": return `${does(now, player, "reject", "rejects")} the challenge`;
    case "trick": return by === null ? "Equal cards: nobody takes the trick" : `${does(now, by, "take", "takes")} the trick`;
    case "hand": return by === null ? "The hand is tied: no point" : `${does(now, by, "have", "has")} the point, ${done.points[by]} to ${done.points[1 - by]}`;
    default: return `${does(now, by, "win", "wins")} the game`;
  }
}

function said(now, done) {
  const words = wordsOf(now, done);
  return done.what === "deal" || done.what === "hand" ? [element("b", {}, words)] : [words];
}

const cardBack = () => element("span", { class: "card back", "aria-hidden": "true" });
const face = (rank, name) => element("span", { class: `card ${name}` }, String(rank));

// A player's tricks and points, in words and as a row of dots.
function counts(position, seat, goal) {
  const points = position.points[seat];
  const dots = element("span", { class: "points", "aria-hidden": "true" }, ...Array.from({ length: goal }, (_, i) => element("i", { class: i < points ? "won" : null })));
  return element("div", { class: "counts" }, element("span", {}, element("b", {}, String(points)), ` of ${goal} points `), dots,
    element("span", {}, element("b", {}, String(position.tricks[seat])), position.tricks[seat] === 1 ? " trick" : " tricks"));
}

function playerRow(now, position, seat, isOpen) {
  const acts = !now.over && (isCaughtUp() ? now.to_move : position.acts) === seat;
  const held = isOpen && position.held[seat];
  const cards = held ? held.map(rank => face(rank, "")) : Array.from({ length: position.left[seat] }, cardBack);
  const label = held ? `cards of ${now.names[seat]}` : `${counted(position.left[seat], "card")} of ${now.names[seat]}`;
  const row = element("div", { class: `player ${acts ? "acts" : ""}` }, element("div", { class: "who" }, element("b", {}, fullName(now, seat)), counts(position, seat, now.game.goal)));
  // One's own are the buttons below.
  if (seat !== now.seat) row.append(element("div", { class: "cards", role: "group", "aria-label": label }, ...cards));
  return row;
}

function slot(now, position, seat) {
  const rank = position.table[seat];
  const words = element("small", {}, nameOf(now, seat));
  if (rank === null) return element("div", { class: "on-table" }, element("span", { class: "slot" }), words);
  const state = !position.done ? "" : position.taken === seat ? "wins" : "loses";
  return element("div", { class: "on-table" }, face(rank, state), words);
}

function felt(now, position, seen, far, near) {
  const done = seen > 0 ? now.game.log[seen - 1] : null;
  const caption = element("p", { class: `caption ${done && done.what === "game" ? "won" : ""}` }, done ? wordsOf(now, done) : "");
  if (position.challenge) caption.append(element("span", { class: "tag challenge" }, position.challenge === "accepted" ? "for the game" : `challenge ${position.challenge}`));
  return element("div", { class: "felt" }, element("div", { class: "slots", role: "group", "aria-label": "The trick" }, slot(now, position, far), slot(now, position, near)), caption);
}

const isLegal = (now, action) => now.game.legal.some(choice => choice.action === action);

function cardButtons(now, position, open, best) {
  const held = position.held[now.seat] || [];
  const row = element("div", { class: "cards own", role: "group", "aria-label": "Your cards" });
  held.forEach((rank, i) => {
    const action = `play_card ${rank}`;
    const button = element("button", { type: "button", class: `card ${best && best.card === rank ? "best" : ""}`, "data-action": action, "data-place": i, "aria-keyshortcuts": String(i + 1) },
      element("span", { class: "for-readers" }, "play "), String(rank), element("kbd", { "aria-hidden": "true" }, String(i + 1)));
    button.disabled = !(open && isLegal(now, action));
    button.addEventListener("click", () => act(action));
    row.append(button);
  });
  if (!held.length) row.append(element("span", { class: "note" }, "You have no cards left in this hand."));
  return row;
}

function callButtons(now, open, best) {
  const row = element("div", { class: "calls", role: "group", "aria-label": "Challenge" });
  for (const { action, name, key } of CALLS) {
    const button = element("button", { type: "button", class: `call ${best && best.action === action ? "best" : ""}`, "data-action": action, "aria-keyshortcuts": key }, name, " ", element("kbd", { "aria-hidden": "true" }, key));
    button.disabled = !(open && isLegal(now, action));
    button.addEventListener("click", () => act(action));
    row.append(button);
  }
  return row;
}

// Draws anew, and leaves the focus where it was.
function replaceAsk(...nodes) {
  const ask = byId("ask"), focus = ask.contains(document.activeElement) ? document.activeElement.dataset : null;
  ask.replaceChildren(...nodes);
  if (!focus) return;
  const same = ask.querySelector(focus.place === undefined ? `[data-action="${focus.action}"]` : `[data-place="${focus.place}"]`) || ask.querySelector("button:enabled");
  if (same) same.focus({ preventScroll: true });
}

function panel(now, position, seat) {
  const points = position.points[seat];
  return element("div", { class: "score" }, element("b", {}, fullName(now, seat)),
    element("span", {}, `${counted(points, "point")}, ${counted(position.tricks[seat], "trick")}, ${counted(position.left[seat], "card")}`));
}

function drawTable(now, seen, { open, advice }) {
  const position = positionAfter(now.game.log, seen);
  const near = now.seat === null ? 0 : now.seat, far = 1 - near;
  const best = advice && advice.candidates.length ? advice.candidates[0].picture : null;
  // What has not been played out yet is not given away.
  const isOpen = (ui.past !== null || !now.over || isCaughtUp());
  byId("board").replaceChildren(playerRow(now, position, far, isOpen), felt(now, position, seen, far, near), playerRow(now, position, near, isOpen));
  byId("players").replaceChildren(panel(now, position, far), panel(now, position, near));
  byId("piles").replaceChildren(element("span", {}, "Hand ", element("b", {}, String(position.hand)), `, to ${now.game.goal} points`));
  replaceAsk(...(now.seat === null ? [] : [cardButtons(now, position, open, best), callButtons(now, open, best)]));
}

function dueText(now) {
  const them = now.names[1 - now.seat];
  if (now.game.must_answer) return `${them} challenges you: accept, or reject and lose the point`;
  const position = positionAfter(now.game.log, now.game.log.length);
  const led = position.done ? null : position.table[1 - now.seat];
  return `Your turn: ${led === null ? "lead a card" : `follow the ${led}`}${isLegal(now, "offer_challenge") ? ", or challenge" : ""}`;
}

function overText(now) {
  return now.game.winner === now.seat ? "You have won!" : `${now.names[now.game.winner]} has won.`;
}

addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const call = CALLS.find(({ key }) => key === event.key);
  const button = byId("ask").querySelector(call ? `.call[data-action="${call.action}"]` : /^[1-5]$/.test(event.key) ? `[data-place="${event.key - 1}"]` : "none");
  if (button && !button.disabled) { button.click(); event.preventDefault(); }
});
