// The start page: which game, who sits where, and the tables there are.

import { buttonById, byId, dataIn, element, inputById, selectById } from "../../../arena/src/report/assets/dom.js";
import { ask, reason } from "./ask.js";
import { keepInvitations } from "./company.js";
import { figure, say, words } from "./texts.js";

/** @typedef {import("./types.d.ts").GameOffered} GameOffered */
/** @typedef {import("./types.d.ts").TableListed} TableListed */

/** Who is to sit at a seat: a person at this screen or at another one, a level of the player, or a program.
 * @typedef {{ who: "me" | "friend", name: string } | { who: number } | { who: "program", label: string }} SeatWish */

const games = /** @type {GameOffered[]} */ (dataIn("games"));
const here = location.pathname.replace(/\/$/, "");
/** `isChosen`: the terms have been chosen, and no longer follow from who plays. */
const wish = { game: games[0], seats: /** @type {SeatWish[]} */ ([]), rules: /** @type {string[]} */ ([]), isChosen: false };

/** A weaker opponent than the strongest, so that a first game can be won.
 * @param {GameOffered} game */
const usual = game => Math.min(2, game.levels.length - 1);

function remembered() {
  try { return localStorage.getItem("name") || say("you"); } catch { return say("you"); }
}

/** Keeps a name for the next table. "You" is none: a page in another language has another word for it.
 * @param {string} name */
function remember(name) {
  try {
    if (name.trim() === say("you")) localStorage.removeItem("name");
    else localStorage.setItem("name", name);
  } catch { /* a private window */ }
}

/** @returns {SeatWish} */
const me = () => ({ who: "me", name: remembered() });

/** @param {GameOffered} game */
function begin(game) {
  wish.game = game;
  wish.rules = [];
  byId("open-editor").replaceChildren();
  wish.seats = [me()];
  // What more than two can play is best with four.
  const seats = game.least > 2 ? Math.min(4, game.most) : 2;
  while (wish.seats.length < seats) wish.seats.push({ who: usual(game) });
}

/** The wish that a choice stands for.
 * @param {string} value
 * @param {number} i
 * @returns {SeatWish} */
function chosen(value, i) {
  if (value === "me") return wish.seats.some((other, j) => j !== i && other.who === "me") ? { who: "me", name: say("start-player-n", { n: i + 1 }) } : me();
  if (value === "friend") return { who: "friend", name: say("start-friend-n", { n: i + 1 }) };
  return value.startsWith("program ") ? { who: "program", label: value.slice("program ".length) } : { who: Number(value) };
}

/** @param {SeatWish} seat
 * @param {number} i */
function seatLine(seat, i) {
  const { game } = wish;
  const isFirst = !wish.seats.some((other, j) => j < i && other.who === "me");
  const who = element("select", { "aria-label": say("start-seat", { n: i + 1 }) },
    element("option", { value: "me" }, say(isFirst ? "start-me" : "start-other")), element("option", { value: "friend" }, say("start-friend")),
    element("optgroup", { label: say("start-levels") }, ...game.levels.map((level, n) =>
      element("option", { value: n }, `${n + 1} ${words(level.name)}: ${words(level.summary)}`))),
    ...(game.programs.length ? [element("optgroup", { label: say("start-programs") }, ...game.programs.map(label => element("option", { value: `program ${label}` }, label)))] : []));
  who.value = seat.who === "program" ? `program ${seat.label}` : String(seat.who);
  who.addEventListener("change", () => { wish.seats[i] = chosen(who.value, i); show(); });
  const line = element("div", { class: "seat" }, element("b", { class: "n" }, String(i + 1)), who);
  if (seat.who === "me" || seat.who === "friend") {
    const name = element("input", { value: seat.name, maxlength: 40, required: true, pattern: ".*\\S.*", "aria-label": say("start-name", { n: i + 1 }), autocomplete: "off" });
    name.addEventListener("input", () => { seat.name = name.value; });
    line.append(name);
  }
  return line;
}

function show() {
  const { game, seats } = wish;
  const legend = byId("which").firstElementChild;
  byId("which").replaceChildren(...(legend ? [legend] : []), ...games.map(other => {
    const choice = element("input", { type: "radio", name: "game", value: other.name, checked: other === game });
    choice.addEventListener("change", () => { begin(other); show(); });
    return element("label", {}, choice, ` ${words(other.title)}`);
  }));
  byId("about").textContent = words(game.about);
  byId("seats").replaceChildren(...seats.map(seatLine));
  byId("rules").replaceChildren(...game.rules.map(rule => {
    const choice = element("input", { type: "checkbox", name: rule.name, checked: wish.rules.includes(rule.name) });
    choice.addEventListener("change", () => {
      wish.rules = wish.rules.filter(other => other !== rule.name).concat(choice.checked ? [rule.name] : []);
    });
    return element("p", {}, element("label", {}, choice, ` ${words(rule.words)}`));
  }));
  byId("open-panel").hidden = !game.example;
  byId("open-what").textContent = words(game.opens);
  // Alone one may undo and ask; between people both are off at first.
  if (!wish.isChosen) for (const id of ["hints", "freely"]) inputById(id).checked = seats.filter(seat => typeof seat.who === "string" && seat.who !== "program").length < 2;
  showClock();
  buttonById("more").disabled = seats.length >= game.most;
  buttonById("fewer").disabled = seats.length <= game.least;
}

/** What a clock does, and in which unit its time is given. */
function showClock() {
  const { value } = selectById("clock");
  byId("time-field").hidden = !value;
  // A field that nobody sees must not keep the form from being sent.
  inputById("time").required = !!value;
  byId("clock-note").textContent = value ? say(`start-clock-${value}-note`) : "";
}

/** The limit on the time of people. */
function timeLimit() {
  const { value } = selectById("clock"), time = inputById("time");
  return value ? { [value]: Math.round(60 * time.valueAsNumber) } : null;
}

/** "You" is the name for whoever looks at their own seat; everybody else reads the name that is kept.
 * @param {SeatWish} seat
 * @param {number} i */
function asked(seat, i) {
  if (seat.who === "me" || seat.who === "friend") {
    return { person: seat.name.trim() === say("you") ? say("start-player-n", { n: i + 1 }) : seat.name };
  }
  return seat.who === "program" ? { program: seat.label } : { player: seat.who };
}

/** @param {Event} event */
async function setUp(event) {
  event.preventDefault();
  buttonById("go").disabled = true;
  byId("trouble").textContent = "";
  const mine = wish.seats.findIndex(seat => seat.who === "me"), me = wish.seats[mine];
  const others = wish.seats.flatMap((seat, i) => seat.who === "me" && i !== mine ? [i] : []);
  try {
    if (me && me.who === "me") remember(me.name);
    const table = /** @type {TableListed} */ (await ask(`${here}/tables`, {
      shared: others.length ? [mine, ...others] : [],
      host: mine < 0 ? null : mine,
      game: wish.game.name, freely: inputById("freely").checked, seats: wish.seats.map(asked), rules: wish.rules,
      hints: inputById("hints").checked, limit: timeLimit(), chat: inputById("chat").checked,
    }));
    if (mine >= 0) {
      const friends = wish.seats.flatMap((seat, i) => seat.who === "friend" ? [/** @type {[number, string]} */ ([i, table.links[i] || ""])] : []);
      const own = table.links[mine] || "";
      if (friends.length) keepInvitations(own, friends);
      // The server's link has the seats of the others at this screen in it.
      location.href = own;
    }
    else if (table.links.every(link => !link)) location.href = table.onlookers;
    else await showTables(table.id);
  } catch (error) {
    byId("trouble").textContent = reason(error);
  } finally {
    buttonById("go").disabled = false;
  }
}

/** The day of a time in seconds from 1970.
 * @param {number} at */
const dayOf = at => new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" }).format(1000 * at);

/** @param {TableListed} table
 * @param {boolean} isNew */
function tableLine(table, isNew) {
  const names = table.names.map(words);
  const links = names.map((name, i) => [table.links[i] ? element("a", { href: table.links[i] }, name) : element("span", {}, name), " "]);
  const { actions } = table;
  const remove = element("button", { type: "button", class: "remove", "aria-label": say("start-remove-table", { game: table.game }) }, say("start-remove"));
  remove.addEventListener("click", async () => {
    // Nothing is lost with a game that is over, since its result is kept.
    if (!table.over && !confirm(say("start-remove-sure"))) return;
    try {
      await ask(`${here}/tables/${encodeURIComponent(table.id)}/remove`, {});
      await showTables();
    } catch (error) {
      byId("trouble").textContent = reason(error);
    }
  });
  return element("li", { class: isNew ? "new" : null },
    element("b", {}, words(table.game)), " ", element("span", { class: "note" }, dayOf(table.at)), " ",
    element("span", { class: "note" }, say(table.over ? "start-over" : "start-under-way", { actions })),
    ...(table.from ? [" ", element("span", { class: "note" }, say("start-from", { action: table.from[1] }))] : []),
    element("div", { class: "links" }, ...links.flat(), element("a", { href: table.onlookers, class: "note" }, say("start-look-on")), remove),
    ...(table.stuck ? [element("p", { class: "trouble" }, table.stuck)] : []),
    ...(isNew ? [element("p", { class: "note" }, say("start-links"))] : []));
}

/** @param {import("./types.d.ts").OwnGame} game */
function ownGameLine({ title, at, names, own, places, rated }) {
  const others = names.flatMap((name, seat) => seat === own ? [] : [words(name)]).join(", ");
  const best = places[own] === Math.min(...places);
  const result = say(!best ? "own-lost" : places[own] === 1 ? "own-won" : "own-shared", { place: figure(places[own], places[own] % 1 ? 1 : 0) });
  return element("li", {}, element("b", {}, words(title)), " ", element("span", { class: "note" }, dayOf(at)), " ",
    say("own-against", { others }), ": ", element("b", {}, result), ...(rated ? [] : [" ", element("span", { class: "note" }, say("own-unrated"))]));
}

/** A rating, and those of the two nearest levels.
 * @param {import("./types.d.ts").Rated} rated */
function ratingLine({ title, value, margin, games: count, levels }) {
  /** @param {{ value: number }} level */
  const distance = level => Math.abs(level.value - value);
  const near = [...levels].sort((a, b) => distance(a) - distance(b)).slice(0, 2).sort((a, b) => a.value - b.value);
  return element("p", {}, element("b", {}, words(title)), " ",
    say("own-rating", { value: figure(value, 0), margin: figure(margin, 0), games: count }), " ",
    element("span", { class: "note" }, near.map(level => `${words(level.name)} ${figure(level.value, 0)}`).join(", ")));
}

/** The host's own games that are over, and the ratings from them. */
async function showOwnGames() {
  const { games: list, ratings } = /** @type {{ games: import("./types.d.ts").OwnGame[], ratings: import("./types.d.ts").Rated[] }} */ (await ask(`${here}/games`));
  byId("own-panel").hidden = list.length === 0;
  byId("own-note").hidden = ratings.length === 0;
  byId("ratings").replaceChildren(...ratings.map(ratingLine));
  byId("own-games").replaceChildren(...list.map(ownGameLine));
}

/** @param {string} [newest] */
async function showTables(newest) {
  const tables = /** @type {TableListed[]} */ (await ask(`${here}/tables`));
  tables.sort((a, b) => Number(b.id === newest) - Number(a.id === newest) || Number(a.over) - Number(b.over) || b.at - a.at);
  byId("no-tables").hidden = tables.length > 0;
  byId("tables").replaceChildren(...tables.map(table => tableLine(table, table.id === newest)));
}

/** A file of a tournament or a match holds many games: the first is taken, and the others can be pasted. A table's
 * file is one game, which may have a line for each round.
 * @param {string} text */
const onlyOne = text => /^[^\n]*"id":\s*"(practice|table)-/.test(text) ? text : text.replace(/^(\{.*\})\r?\n[^]*$/, "$1");

/** @param {Event} event */
async function openText(event) {
  event.preventDefault();
  byId("open-trouble").textContent = "";
  try {
    const table = /** @type {TableListed} */ (await ask(`${here}/open`, { game: wish.game.name, text: text.value }));
    location.href = table.links.find(link => link) || table.onlookers;
  } catch (error) {
    byId("open-trouble").textContent = reason(error);
  }
}

const text = /** @type {HTMLTextAreaElement} */ (byId("open-text"));

/** The games' editors, as far as they have been asked for. @type {Map<string, import("./types.d.ts").Edit>} */
const editors = new Map();

/** Asks for the editor of the game that is chosen, and draws with it. */
async function loadEditor() {
  const { name, editor } = wish.game;
  document.head.append(element("link", { rel: "stylesheet", href: `/assets/${name}.css` }));
  const { edit } = /** @type {{ edit: import("./types.d.ts").Edit }} */ (await import(editor));
  editors.set(editor, edit);
  drawEditor();
}

/** Draws the position in the text, to be changed there as well; nothing if the text is none.
 * @returns {void} */
function drawEditor() {
  const { editor } = wish.game, node = byId("open-editor"), edit = editors.get(editor);
  let position;
  try { position = JSON.parse(text.value); } catch { position = null; }
  if (!editor || !position || position.contest) return node.replaceChildren();
  if (!edit) {
    loadEditor().catch(error => { byId("open-trouble").textContent = reason(error); });
    return undefined;
  }
  const parts = () => [...node.querySelectorAll("button, input, g")];
  edit(node, position, changed => {
    const focus = parts().findIndex(part => part === document.activeElement);
    text.value = JSON.stringify(changed);
    drawEditor();
    const same = parts()[focus];
    if (same instanceof HTMLElement || same instanceof SVGElement) same.focus({ preventScroll: true });
  });
  return undefined;
}

byId("open").addEventListener("submit", openText);
inputById("open-file").addEventListener("change", async () => {
  const [file] = inputById("open-file").files || [];
  if (file) text.value = onlyOne(await file.text());
  drawEditor();
});
byId("open-example").addEventListener("click", () => { text.value = wish.game.example; drawEditor(); });
text.addEventListener("input", drawEditor);
byId("more").addEventListener("click", () => { wish.seats.push({ who: usual(wish.game) }); show(); });
byId("fewer").addEventListener("click", () => {
  wish.seats.pop();
  if (!wish.seats.some(seat => typeof seat.who === "string")) wish.seats.splice(0, 1, me());
  show();
});
byId("wish").addEventListener("submit", setUp);
selectById("language").addEventListener("change", () => {
  document.cookie = `language=${selectById("language").value}; path=/; SameSite=Strict; max-age=31536000`;
  location.reload();
});
// Whoever sets up tables finds the way back here from them.
try { localStorage.setItem("tables", location.pathname); } catch { /* a private window */ }
begin(games.find(game => `#${game.name}` === location.hash) || games[0]);
show();
for (const id of ["hints", "freely"]) byId(id).addEventListener("change", () => { wish.isChosen = true; });
byId("clock").addEventListener("change", () => {
  // A usual time of each kind, in minutes.
  inputById("time").value = selectById("clock").value === "game" ? "15" : "1";
  showClock();
});
Promise.all([showTables(), showOwnGames()]).catch(error => { byId("trouble").textContent = reason(error); });
