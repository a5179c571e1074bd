// The replay of rounds: which round and card is shown.

const byId = id => document.getElementById(id);
const data = JSON.parse(byId("rounds-data").textContent);
const view = { round: -1, list: [] };
const PAUSE = 700;
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const RANKS = "23456789tjqka";

function node(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const words = text => text ? text.split(" ") : [];
const order = card => "cdhs".indexOf(card[0]) * 16 + RANKS.indexOf(card[1]);
const nameOf = card => SUITS[card[0]] + (card[1] === "t" ? "10" : card[1].toUpperCase());
const cardOf = (card, kind = "") => node("span", { class: `card ${card[0]} ${kind}` }, nameOf(card));
const current = () => data.rounds[view.round];
const lengthOf = round => words(round.c).length;

// The position before a card: what everybody holds, what is on the table, who acts.
function position(round, number) {
  const cards = words(round.c), players = round.p.length;
  const hands = round.hands.map(words);
  let pool = words(round.pool), table = round.p.map(() => null), taking = pool.length > 0;
  for (let i = 0; i < number; i += 1) {
    const seat = +round.s[i], card = cards[i];
    if (i % players === 0) { table = round.p.map(() => null); taking = pool.length > 0; }
    if (taking) { pool = pool.filter(c => c !== card); hands[seat].push(card); } else hands[seat] = hands[seat].filter(c => c !== card);
    table[seat] = card;
  }
  const rows = Math.floor(number / players);
  const points = rows > 0 ? round.t[rows - 1] : round.p.map(() => 0);
  const over = number === cards.length;
  hands.forEach(hand => hand.sort((a, b) => order(a) - order(b)));
  return { hands, pool, table, points: over ? round.w : points, taking, turn: over ? -1 : +round.s[number], over };
}

function captionOf(round, number, state) {
  if (number === 0) return `Round ${round.id}: the deal`;
  const card = words(round.c)[number - 1], seat = +round.s[number - 1], ms = round.ms[number - 1];
  const verb = state.taking ? "takes" : "plays";
  if (ms === undefined) return `Round ${round.id}: ${data.seats[seat]} (${data.players[round.p[seat]]}) ${verb} ${nameOf(card)}`;
  const time = ms === null ? "a random card stands in" : `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
  return `Round ${round.id}: ${data.seats[seat]} (${data.players[round.p[seat]]}) ${verb} ${nameOf(card)}, ${time}`;
}

function draw(number) {
  const round = current(), state = position(round, number);
  byId("caption").textContent = captionOf(round, number, state);
  const last = number > 0 ? words(round.c)[number - 1] : "";
  byId("table").replaceChildren(...round.p.map((player, seat) => {
    const hand = state.hands[seat].map(card => cardOf(card, state.taking && card === last ? "new" : ""));
    const table = state.table[seat] ? [cardOf(state.table[seat], state.table[seat] === last ? "new" : "")] : [];
    return node("tr", { class: state.turn === seat ? "turn" : "" },
      node("th", { scope: "row" }, data.seats[seat]), node("td", {}, data.players[player]),
      node("td", { class: "n" }, String(state.points[seat])), node("td", {}, ...table), node("td", {}, ...hand));
  }));
  byId("pool").hidden = !state.pool.length;
  byId("pool").replaceChildren("pool ", ...state.pool.map(card => cardOf(card)));
  document.querySelectorAll("#tricks button").forEach((button, row) => {
    const at = row * round.p.length;
    button.setAttribute("aria-current", number > at && number <= at + round.p.length ? "step" : "false");
  });
  byId("stage").dataset.state = JSON.stringify({
    hands: state.hands.map(hand => hand.join(" ")), pool: state.pool.join(" "), points: state.points, turn: state.turn,
  });
}

function rowsOf(round) {
  const cards = words(round.c), players = round.p.length;
  const rows = [];
  for (let at = 0; at < cards.length; at += players) {
    const button = node("button", { type: "button" }, `${data.seats[+round.s[at]]}: `,
      ...cards.slice(at, at + players).map(card => cardOf(card)));
    button.addEventListener("click", () => controls.jump(at + players));
    const item = node("li", {}, button);
    for (const fault of (round.f || []).filter(f => f.a > at && f.a <= at + players)) {
      item.append(node("div", { class: "fault" }, `⚠ ${data.seats[fault.p]}: ${fault.kind}: ${fault.detail}`));
    }
    rows.push(item);
  }
  return rows;
}

const controls = replayControls({
  pause: PAUSE,
  draw,
  address: number => `round=${encodeURIComponent(current().id)}&card=${number}`,
  follow,
  other,
});

function open(index, number = 0, linked = true) {
  view.round = index;
  byId("round").value = index;
  byId("tricks").replaceChildren(...rowsOf(current()));
  controls.open(lengthOf(current()), number, linked);
}

function list() {
  const player = byId("by-player").value, faults = byId("by-faults").checked;
  view.list = data.rounds.flatMap((round, i) =>
    (player === "" || round.p.includes(+player)) && (!faults || round.f) ? [i] : []);
  byId("round").replaceChildren(...view.list.map(i => {
    const round = data.rounds[i];
    return node("option", { value: i }, `${round.id}: ${round.w.join(" ")}${round.f ? " ⚠" : ""}`);
  }));
  byId("round").value = view.round;
  byId("count").textContent = `${view.list.length} of ${data.all} rounds`;
}

function other(by) {
  const to = view.list[view.list.indexOf(view.round) + by];
  if (to !== undefined) open(to);
}

// `#round=ID&card=N`; says whether the address named a round.
function follow() {
  const named = addressed(data.rounds, "round", "card");
  if (!named) return false;
  open(...named, false);
  byId("stage").scrollIntoView({ block: "start" });
  return true;
}

function begin() {
  data.players.forEach((label, i) => byId("by-player").append(node("option", { value: i }, label)));
  list();
  if (!data.rounds.length) return;
  byId("round").addEventListener("change", event => open(+event.target.value));
  for (const id of ["by-player", "by-faults"]) byId(id).addEventListener("change", list);
  if (!follow()) open(0, 0, false);
  byId("viewer").dataset.ready = "yes";
}

begin();
