// The page of a table of Cartagena: the board to click on, hands and piles, past actions, and the actions to choose
// from. An action is chosen in two steps: a card and then a pirate, or a pirate and then its target.

import { byId, element, refill, shape } from "../../../../../arena/src/report/assets/dom.js";
import { fullName, isCaughtUp, page, room, ui } from "../../../../../tables/src/assets/state.js";
import { act, open } from "../../../../../tables/src/assets/table.js";
import { say, sayWith } from "../../../../../tables/src/assets/texts.js";
import { arrow, CELL, drawBoard, ENDS, icon, layoutOf, pirates, slide } from "../../report/assets/board.js";
import { NAMES, SYMBOLS } from "../../report/assets/rules.js";

/** @typedef {import("../../../../../tables/src/assets/types.d.ts").Now<import("./types.d.ts").Game>} Now */
/** @typedef {import("./types.d.ts").Game} Game */
/** @typedef {import("./types.d.ts").Legal} Legal */
/** @typedef {import("./types.d.ts").Done} Done */
/** @typedef {import("../../report/assets/types.d.ts").Layout} Layout */

for (const symbol of SYMBOLS) NAMES[symbol] = say("cartagena-symbol", { symbol });
Object.assign(ENDS, { cell: say("cartagena-cell"), boat: say("cartagena-boat"), board: say("cartagena-board") });

/** The width at which ten spaces in a row are as wide as they are high. */
const SQUARE = 725;

/** @param {Game} game */
const boatOf = game => game.board.length + 1;
/** A place in a sentence.
 * @param {number} place @param {number} boat */
const placeName = (place, boat) => place === CELL ? say("cartagena-the-cell") : place === boat ? say("cartagena-the-boat") : String(place);
/** @param {string} letter */
const glyph = letter => element("span", { class: "glyph", title: NAMES[letter] },
  shape("svg", { viewBox: "0 0 24 24", role: "img", "aria-label": NAMES[letter] }, icon(letter)));
/** @param {number} player */
const chipOf = player => element("span", { class: `chip p${player + 1}` }, String(player + 1));

/** The part of an action that has been chosen so far.
 * @returns {import("./types.d.ts").Chosen | null} */
const choice = () => ui.choice;

/** The places of all pirates after `actions` actions. Later actions are undone from the current position, as a game
 * need not start with all pirates in the cell.
 * @param {Game} game @param {number} actions */
function placesAfter(game, actions) {
  const places = game.places.map(of => [...of]);
  for (const done of game.log.slice(actions).reverse()) {
    if (done.pass) continue;
    const own = places[done.player];
    own[own.indexOf(done.to)] = done.from;
  }
  return places;
}

/** @param {Legal} legal @param {number} boat */
function choiceName(legal, boat) {
  const way = { from: placeName(legal.from, boat), to: placeName(legal.to, boat) };
  return legal.card ? say("cartagena-advance", { symbol: legal.card, ...way }) : say("cartagena-retreat", { ...way, n: legal.draws });
}

/** Makes buttons of the places with pirates that may move, and of the places that the chosen pirate may reach.
 * @param {SVGElement} root @param {Now} now @param {Layout} layout */
function light(root, now, layout) {
  const { game } = now, boat = boatOf(game);
  /** @param {number} place @param {string} name @param {string} label @param {() => unknown} go */
  const spot = (place, name, label, go) => {
    const { x, y, wide } = layout.places[place];
    const w = layout.w * (wide ? 2 : 1) - 6;
    const node = shape("g", { class: name, role: "button", tabindex: 0, "aria-label": label, "data-place": place },
      shape("rect", { x: x - w / 2, y: y - layout.h / 2, width: w, height: layout.h, rx: 9 }));
    node.addEventListener("click", go);
    if (name.startsWith("own")) node.addEventListener("pointerdown", event => { drag = { place, x: event.clientX, y: event.clientY, moved: false }; });
    node.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); go(); } });
    root.append(node);
  };
  const fits = chosen(game);
  const part = choice();
  const origins = new Set((part && part.card ? fits : game.legal).map(legal => legal.from));
  /** @type {Map<number, Legal[]>} */
  const targets = new Map();
  if (part && part.from !== undefined) for (const legal of fits) targets.set(legal.to, [...(targets.get(legal.to) || []), legal]);
  for (const place of origins) {
    if (targets.has(place)) continue;
    const isChosen = part !== null && part.from === place;
    spot(place, `own ${isChosen ? "chosen" : ""}`, say("cartagena-own-pirate", { place: placeName(place, boat) }), () => {
      ui.choice = isChosen ? null : { ...(part || {}), from: place };
      // A card and a pirate together determine the action.
      const found = chosen(game);
      if (choice()?.card && found.length === 1) {
        act(found[0].action);
        return;
      }
      page.draw(false);
      focusOn("board", ".target", `.own[data-place="${place}"]`);
    });
  }
  for (const [place, choices] of targets) {
    spot(place, "target", choices.map(legal => choiceName(legal, boat)).join(say("cartagena-or")), () => {
      if (choices.length === 1) {
        act(choices[0].action);
        return;
      }
      // Several cards lead to this place, which is the boat. The player chooses one of them.
      ui.choice = { from: choices[0].from, to: place };
      page.draw(false);
      focusOn("ask", ".choices button");
    });
  }
}

/** Moves the keyboard's focus to the first element of the next step: one that the first selector finds, or else the next.
 * @param {string} id @param {...string} selectors */
function focusOn(id, ...selectors) {
  const first = selectors.map(selector => byId(id).querySelector(selector)).find(node => node !== null);
  if (first instanceof HTMLElement || first instanceof SVGElement) first.focus({ preventScroll: true });
}

/** The pirate that is being dragged; `moved` once it has left its place by some pixels.
 * @type {{ place: number, x: number, y: number, moved: boolean } | null} */
let drag = null;
addEventListener("pointermove", event => {
  if (!drag || drag.moved || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 12) return;
  drag.moved = true;
  const card = choice()?.card;
  ui.choice = { ...(card ? { card } : {}), from: drag.place };
  page.draw(false);
});
addEventListener("pointerup", event => {
  const dropped = drag && drag.moved && document.elementFromPoint(event.clientX, event.clientY);
  drag = null;
  const target = dropped && dropped.closest(".target");
  if (target) target.dispatchEvent(new MouseEvent("click"));
});
addEventListener("pointercancel", () => { drag = null; });

/** The legal actions that agree with the part chosen so far.
 * @param {Game} game */
function chosen(game) {
  const part = choice();
  return game.legal.filter(legal => !part ||
    (part.from === undefined || legal.from === part.from) &&
    (part.to === undefined || legal.to === part.to) &&
    (part.card === undefined || legal.card === part.card));
}

/** @param {Now} now @param {boolean} isOpen */
function cardButtons(now, isOpen) {
  const { game } = now;
  const hand = now.seat === null ? "" : game.hands[now.seat] || "";
  const row = element("div", { class: "cards", role: "group", "aria-label": say("your-cards") });
  for (const letter of SYMBOLS) {
    const count = hand.split(letter).length - 1;
    if (!count) continue;
    const isChosen = choice()?.card === letter;
    const button = element("button", { type: "button", class: `card ${isChosen ? "chosen" : ""}`, "aria-pressed": isChosen ? "true" : "false", "data-card": letter },
      glyph(letter), ` ${NAMES[letter]} `, element("b", {}, `×${count}`));
    button.disabled = !isOpen || !game.legal.some(legal => legal.card === letter);
    button.addEventListener("click", () => {
      ui.choice = isChosen ? null : { card: letter };
      page.draw(false);
      if (!isChosen) focusOn("board", ".own");
    });
    row.append(button);
  }
  if (!hand) row.append(element("span", { class: "note" }, say(now.to_move === now.seat ? "cartagena-no-cards" : "cartagena-no-cards-now")));
  return row;
}

/** The actions that agree with the part chosen so far, as buttons in words: for keyboards and screen readers.
 * @param {Now} now */
function choiceButtons(now) {
  const { game } = now, boat = boatOf(game);
  const row = element("div", { class: "choices", role: "group", "aria-label": say("cartagena-actions") });
  if (!choice()) return row;
  for (const legal of chosen(game)) {
    const button = element("button", { type: "button", "data-action": legal.action });
    if (legal.card) button.append(glyph(legal.card));
    button.append(choiceName(legal, boat));
    button.addEventListener("click", () => act(legal.action));
    row.append(button);
  }
  return row;
}

/** @param {Now} now @param {number} player @param {number[][]} places */
function playerPanel(now, player, places) {
  const { game } = now, boat = boatOf(game);
  const home = places[player].filter(place => place === boat).length;
  const active = isCaughtUp() && !now.over && now.to_move === player;
  const known = game.hands[player];
  const cards = known === null ? element("div", { class: "backs", "aria-hidden": "true" }, "▮".repeat(Math.min(24, game.hand_sizes[player]))) :
    element("div", {}, ...[...known].map(glyph));
  const size = game.hand_sizes[player];
  // While the page still shows earlier actions one by one, the status would give later ones away.
  const status = !isCaughtUp() ? "" : game.winner === player ? say("cartagena-winner") : active ? say("cartagena-action", { n: game.taken + 1 }) : "";
  return element("div", { class: `hand ${active ? "active" : ""}` },
    element("div", { class: "who" }, chipOf(player), element("b", {}, fullName(now, player)), element("span", { class: "status" }, status)),
    cards, element("div", { class: "facts" }, `${say("count-cards", { n: size })} · ${say("cartagena-home", { n: home, of: game.pirates })}`));
}

/** By how much the board is enlarged: as far as its spaces stay as wide as they are high and all of it is in view. A
 * review may also make it smaller, and so may a phone on its side, as long as fingers can choose a space.
 * @param {number} spaces @param {number} width */
function scaleOf(spaces, width) {
  const least = ui.past ? 0.4 : innerHeight < 560 ? 0.7 : 1;
  let scale = Math.max(1, width / SQUARE);
  while (scale > least && layoutOf(spaces, width / scale).height * scale > room()) scale -= 0.05;
  return Math.max(scale, least);
}

/** The arrow of an action that could be taken, or was taken next.
 * @param {Layout} layout @param {number[][]} places @param {number} boat @param {{ from: number, to: number, card: string, draws: number }} move
 * @param {number} player @param {string} name */
function arrowOf(layout, places, boat, { from, to, card, draws }, player, name) {
  const start = pirates(layout, { places }, boat, null).spots[from][player], { x, y } = layout.places[to];
  const node = arrow(layout, start, { x, y: y + layout.h / 2 - start.r - 5, r: start.r }, { player, card, drawn: "?".repeat(draws) });
  node.classList.add(name);
  return node;
}

/** @param {Now} now @param {number} seen @param {import("../../../../../tables/src/assets/types.d.ts").Drawing<import("./types.d.ts").Picture>} drawing */
function drawTable(now, seen, { isNew, open: isOpen, advice, marked }) {
  const { game } = now, boat = boatOf(game);
  const places = placesAfter(game, seen);
  const done = seen > 0 ? game.log[seen - 1] : null;
  const advised = advice && advice.candidates.map(candidate => candidate.picture).find(move => !move.pass);
  const wide = Math.max(300, byId("board").clientWidth), scale = scaleOf(game.board.length, wide), width = wide / scale;
  const picture = drawBoard(game, boat, { places }, advised || marked ? null : done, width), { root } = picture;
  for (const side of ["width", "height"]) root.setAttribute(side, String(Number(root.getAttribute(side)) * scale));
  const layout = layoutOf(game.board.length, width), player = now.to_move;
  if (player !== null) {
    /** @param {import("./types.d.ts").Picture | null | undefined} move @param {string} name */
    const draw = (move, name) => { if (move && !move.pass) root.append(arrowOf(layout, places, boat, move, player, name)); };
    draw(advised, "advised");
    draw(marked && marked.taken && { ...marked.taken, draws: marked.taken.drawn.length }, "taken");
    draw(marked && marked.better, "better");
  }
  // To screen readers the role `img` hides the parts of a picture. This one has buttons in it.
  root.setAttribute("role", "group");
  if (isOpen) light(root, now, layout);
  byId("board").replaceChildren(root);
  if (isNew) slide(picture);
  refill("players", ...now.names.map((_, player) => playerPanel(now, player, places)));
  const discards = element("span", { class: "discards" }, `${say("cartagena-discards")} `, ...[...game.discards].map(glyph));
  refill("piles", element("span", {}, ...sayWith("cartagena-pile", { n: element("b", {}, String(game.pile)) })), discards);
  // The cards keep their place while others act, so that the buttons below do not jump.
  const plays = now.seat !== null && !now.over && (!ui.past || isOpen);
  byId("ask").replaceChildren(...(plays ? [cardButtons(now, isOpen), choiceButtons(now)] : []));
}

/** @param {Now} now @param {Done} done */
function said(now, done) {
  const boat = boatOf(now.game);
  const own = done.player === now.seat ? "yes" : "no", name = now.names[done.player];
  const chip = [chipOf(done.player), " "];
  if (done.pass) return [...chip, say("cartagena-did-pass", { own, name })];
  const way = `${placeName(done.from, boat)} → ${placeName(done.to, boat)}`;
  if (done.card) return [...chip, ...sayWith("cartagena-did-advance", { card: glyph(done.card) }, { own, name, way })];
  const cards = [...done.drawn];
  if (cards.length === 0 || cards[0] === "?") return [...chip, say("cartagena-did-retreat-unseen", { own, name, way, n: cards.length })];
  return [...chip, ...sayWith("cartagena-did-retreat", { cards: cards.map(glyph) }, { own, name, way })];
}

/** @param {Now} now */
const dueText = now => say("cartagena-due", { left: 3 - now.game.taken });

/** A picture of the rules: a short board with the arrow of an action.
 * @param {import("./types.d.ts").Example} example */
function drawExample({ board, places, player, move }) {
  const boat = board.length + 1, width = 300, { root } = drawBoard({ board }, boat, { places }, null, width);
  root.append(arrowOf(layoutOf(board.length, width), places, boat, move, player, "shown"));
  return element("div", { class: "board" }, root);
}

// Nothing is dealt during a game, so turns are numbered to its end.
const begins = () => false;

/** @param {Now} now */
const overText = now => now.winner === null ? say("cartagena-undecided") : "";

open({ drawTable, said, begins, dueText, overText, drawExample, endsTurns: true, guide: ["board", "ask", "buttons", "log"] });
