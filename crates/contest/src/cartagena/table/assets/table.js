// Cartagena at a table: the board to click on, hands and piles, what was done and what may be done.

const boatOf = game => game.board.length + 1;
const placeName = (place, boat) => place === CELL ? "the cell" : place === boat ? "the boat" : String(place);
const glyph = letter => html("span", { class: "glyph", title: NAMES[letter] },
  svg("svg", { viewBox: "0 0 24 24", role: "img", "aria-label": NAMES[letter] }, icon(letter)));
const chipOf = player => html("span", { class: `chip p${player + 1}` }, String(player + 1));

// Where everybody stood after so many actions: what came after them is undone. A game need not start in the cell.
function placesAfter(game, actions) {
  const places = game.places.map(of => [...of]);
  for (const done of game.log.slice(actions).reverse()) {
    if (done.pass) continue;
    const own = places[done.player];
    own[own.indexOf(done.to)] = done.from;
  }
  return places;
}

function choiceName(choice, boat) {
  const way = `${placeName(choice.from, boat)} to ${placeName(choice.to, boat)}`;
  return choice.card ? `${NAMES[choice.card]}: from ${way}` : `back from ${way}, draw ${choice.draws}`;
}

// Lights up the places from which, or to which, something leads. `ui.choice` is the place or card chosen.
function light(root, now, layout) {
  const { game } = now, boat = boatOf(game);
  const spot = (place, name, label, go) => {
    const { x, y, wide } = layout.places[place];
    const w = layout.w * (wide ? 2 : 1) - 6;
    const node = svg("g", { class: name, role: "button", tabindex: 0, "aria-label": label, "data-place": place },
      svg("rect", { x: x - w / 2, y: y - layout.h / 2, width: w, height: layout.h, rx: 9 }));
    node.addEventListener("click", go);
    if (name.startsWith("own")) node.addEventListener("pointerdown", event => { drag = { place, x: event.clientX, y: event.clientY, moved: false }; });
    node.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); go(); } });
    root.append(node);
  };
  const fits = chosen(game);
  const origins = new Set((ui.choice && ui.choice.card ? fits : game.legal).map(choice => choice.from));
  const targets = new Map();
  if (ui.choice && ui.choice.from !== undefined) for (const choice of fits) targets.set(choice.to, [...(targets.get(choice.to) || []), choice]);
  for (const place of origins) {
    if (targets.has(place)) continue;
    const isChosen = ui.choice && ui.choice.from === place;
    spot(place, `own ${isChosen ? "chosen" : ""}`, `your pirate on ${placeName(place, boat)}`, () => {
      ui.choice = isChosen ? null : { ...(ui.choice || {}), from: place };
      // A card and a pirate are an action.
      const found = chosen(game);
      if (ui.choice && ui.choice.card && found.length === 1) return act(found[0].action);
      draw(false);
      const first = byId("board").querySelector(".target, .chosen");
      if (first) first.focus({ preventScroll: true });
    });
  }
  for (const [place, choices] of targets) {
    spot(place, "target", choices.map(choice => choiceName(choice, boat)).join(", or "), () => {
      if (choices.length === 1) return act(choices[0].action);
      // Several cards lead there: the boat.
      ui.choice = { from: choices[0].from, to: place };
      draw(false);
      const first = byId("ask").querySelector(".choices button");
      if (first) first.focus();
    });
  }
}

// A pirate that is being dragged.
let drag = null;
addEventListener("pointermove", event => {
  if (!drag || drag.moved || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 12) return;
  drag.moved = true;
  ui.choice = { ...(ui.choice && ui.choice.card ? { card: ui.choice.card } : {}), from: drag.place };
  draw(false);
});
addEventListener("pointerup", event => {
  const dropped = drag && drag.moved && document.elementFromPoint(event.clientX, event.clientY);
  drag = null;
  const target = dropped && dropped.closest(".target");
  if (target) target.dispatchEvent(new MouseEvent("click"));
});
addEventListener("pointercancel", () => { drag = null; });

const chosen = game => game.legal.filter(choice => !ui.choice ||
  (ui.choice.from === undefined || choice.from === ui.choice.from) &&
  (ui.choice.to === undefined || choice.to === ui.choice.to) &&
  (ui.choice.card === undefined || choice.card === ui.choice.card));

function cardButtons(now) {
  const { game } = now;
  const hand = game.hands[now.seat] || "";
  const row = html("div", { class: "cards", role: "group", "aria-label": "Your cards" });
  for (const letter of SYMBOLS) {
    const count = hand.split(letter).length - 1;
    if (!count) continue;
    const isChosen = ui.choice && ui.choice.card === letter;
    const button = html("button", { type: "button", class: `card ${isChosen ? "chosen" : ""}`, "aria-pressed": isChosen ? "true" : "false", "data-card": letter },
      glyph(letter), ` ${NAMES[letter]} `, html("b", {}, `×${count}`));
    button.disabled = !game.legal.some(choice => choice.card === letter);
    button.addEventListener("click", () => { ui.choice = isChosen ? null : { card: letter }; draw(false); });
    row.append(button);
  }
  if (!hand) row.append(html("span", { class: "note" }, "You have no cards: go back to draw some."));
  return row;
}

// What may be done, as far as it has been narrowed down, in words: for keys, and for those who cannot see.
function choiceButtons(now) {
  const { game } = now, boat = boatOf(game);
  const row = html("div", { class: "choices", role: "group", "aria-label": "Actions" });
  if (!ui.choice) return row;
  for (const choice of chosen(game)) {
    const button = html("button", { type: "button", "data-action": choice.action });
    if (choice.card) button.append(glyph(choice.card));
    button.append(choiceName(choice, boat));
    button.addEventListener("click", () => act(choice.action));
    row.append(button);
  }
  return row;
}

function playerPanel(now, player, places) {
  const { game } = now, boat = boatOf(game);
  const home = places[player].filter(place => place === boat).length;
  const active = isCaughtUp() && !now.over && now.to_move === player;
  const known = game.hands[player];
  const cards = known === null ? html("div", { class: "backs", "aria-hidden": "true" }, "▮".repeat(Math.min(24, game.hand_sizes[player]))) :
    html("div", {}, ...[...known].map(glyph));
  const size = game.hand_sizes[player];
  // What has not been played out yet is not given away.
  const status = !isCaughtUp() ? "" : game.winner === player ? "winner" : active ? `action ${game.taken + 1} of 3` : "";
  return html("div", { class: `hand ${active ? "active" : ""}` },
    html("div", { class: "who" }, chipOf(player), html("b", {}, player === now.seat && now.names[player] !== "You" ? `${now.names[player]} (you)` : now.names[player]), html("span", { class: "status" }, status)),
    cards, html("div", { class: "facts" }, `${size} card${size === 1 ? "" : "s"} · ${home} of ${game.pirates} on the boat`));
}

function drawTable(now, seen, { isNew, open, advice }) {
  const { game } = now, boat = boatOf(game);
  const places = placesAfter(game, seen);
  const done = seen > 0 ? game.log[seen - 1] : null;
  const width = Math.max(300, byId("board").clientWidth);
  const moves = advice ? advice.candidates.map(candidate => candidate.picture).filter(move => !move.pass) : [];
  const best = moves[0];
  const root = drawBoard(game, boat, { places }, best ? null : done, width);
  if (best) {
    const layout = layoutOf(game.board.length, width);
    const { spots } = pirates(layout, { places }, boat, null);
    const from = spots[best.from][now.to_move];
    const { x, y } = layout.places[best.to];
    root.append(arrow(layout, from, { x, y: y + layout.h / 2 - from.r - 5, r: from.r }, { player: now.to_move, card: best.card, drawn: "?".repeat(best.draws) }));
  }
  // A picture has no parts for who cannot see it; this one is to be acted in.
  root.setAttribute("role", "group");
  if (open) light(root, now, layoutOf(game.board.length, width));
  byId("board").replaceChildren(root);
  if (isNew) slide(root);
  byId("players").replaceChildren(...now.names.map((_, player) => playerPanel(now, player, places)));
  const discards = html("span", { class: "discards" }, "Discards ", ...[...game.discards].map(glyph));
  byId("piles").replaceChildren(html("span", {}, "Draw pile ", html("b", {}, String(game.pile))), discards);
  byId("ask").replaceChildren(...(open ? [cardButtons(now), choiceButtons(now)] : []));
}

function said(now, done) {
  const boat = boatOf(now.game);
  const own = done.player === now.seat;
  const who = [chipOf(done.player), ` ${own ? "You" : now.names[done.player]} `];
  if (done.pass) return [...who, own ? "end the turn" : "ends the turn"];
  const way = `${placeName(done.from, boat)} → ${placeName(done.to, boat)}`;
  if (done.card) return [...who, own ? "play " : "plays ", glyph(done.card), ` ${way}`];
  const cards = [...done.drawn];
  const drew = cards.length === 0 ? ["nothing: no card is left"] : cards[0] === "?" ? [`${cards.length} card${cards.length === 1 ? "" : "s"}`] : cards.map(glyph);
  return [...who, own ? `go back ${way} and draw ` : `goes back ${way} and draws `, ...drew];
}

function dueText(now) {
  const left = 3 - now.game.taken;
  return `Your turn: ${left} action${left === 1 ? "" : "s"} left. Choose a pirate, or a card.`;
}

function overText(now) {
  if (now.game.winner === null) return "The game is over.";
  return now.game.winner === now.seat ? "You have won!" : `${now.names[now.game.winner]} has won.`;
}
