// A game's page: its replay, or how it stands while it is under way.

const PAUSE = 1100;
const id = Number(location.pathname.split("/").pop());
const view = { names: ["", ""], positions: [], number: 0, timer: 0 };

const card = (rank, state) => html("span", { class: `card ${state}` }, rank);

function drawPlayer(position, player) {
  const count = (title, value) => html("span", {}, `${title} `, html("b", {}, value));
  const counts = html("div", { class: "counts" }, count("tricks", position.tricks[player]), count("points", position.points[player]));
  if (position.round) counts.append(count("games of the round", position.round[player]));
  const who = html("div", { class: "who" }, html("b", { title: view.names[player] }, view.names[player]),
    html("small", {}, player === 0 ? "player 0, led the first hand" : "player 1"), counts);
  const cards = position.cards[player].map((rank, i) => card(rank, position.states[player][i]));
  const node = byId(`player-${player}`);
  node.className = position.acts === player ? "player acts" : "player";
  node.replaceChildren(who, html("div", { class: "cards" }, ...cards));
}

function drawCaption(position) {
  const caption = byId("caption");
  caption.className = position.fault ? "caption fault" : position.kind === "final_game_result" ? "caption won" : "caption";
  caption.replaceChildren(position.text);
  if (position.challenge) caption.append(html("span", { class: "tag challenge" }, `challenge ${position.challenge}`));
}

// The position as text, for tests.
function described(position) {
  const held = player => position.cards[player].filter((_, i) => position.states[player][i] === "hand");
  const { hand, table, tricks, points, round, challenge, winner, fault } = position;
  return JSON.stringify({ hand, held: [held(0), held(1)], table, tricks, points, round, challenge, winner, fault });
}

function draw() {
  const position = view.positions[view.number];
  const last = view.positions.length - 1;
  for (const player of [0, 1]) drawPlayer(position, player);
  byId("table").replaceChildren(...position.table.map(rank => rank === null ? html("span", { class: "slot" }) : card(rank, "")));
  drawCaption(position);
  byId("slider").value = view.number;
  byId("position").textContent = `${view.number} / ${last}`;
  byId("first").disabled = byId("before").disabled = view.number === 0;
  byId("last").disabled = byId("after").disabled = view.number === last;
  for (const button of byId("hands").querySelectorAll("button")) {
    button.setAttribute("aria-current", String(Number(button.dataset.hand) === position.hand));
  }
  byId("stage").dataset.state = described(position);
}

function go(number) {
  view.number = Math.max(0, Math.min(view.positions.length - 1, number));
  draw();
  // Browsers refuse this when it is done very often; then the address is late, and no more.
  try { history.replaceState(null, "", `#${view.number}`); } catch { /* see above */ }
}

function stop() {
  clearTimeout(view.timer);
  view.timer = 0;
  byId("auto").checked = false;
}

function advance() {
  go(view.number + 1);
  if (view.number === view.positions.length - 1) stop();
  else view.timer = setTimeout(advance, PAUSE);
}

function autoAdvance() {
  clearTimeout(view.timer);
  view.timer = 0;
  if (!byId("auto").checked) return;
  if (view.number === view.positions.length - 1) go(0);
  view.timer = setTimeout(advance, PAUSE);
}

const ACTS = {
  Home: () => { stop(); go(0); },
  ArrowLeft: () => { stop(); go(view.number - 1); },
  // As on the contest's own page, a step forward does not end the advance, one back does.
  ArrowRight: () => {
    go(view.number + 1);
    if (view.number === view.positions.length - 1) stop();
    else autoAdvance();
  },
  End: () => { stop(); go(view.positions.length - 1); },
  " ": () => { byId("auto").checked = !byId("auto").checked; autoAdvance(); },
};

function pressed(event) {
  const act = ACTS[event.key];
  if (!act || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // Whatever has a use of its own for the key keeps it.
  if (event.key === " " && event.target.matches("button, input, a")) return;
  event.preventDefault();
  act();
}

function replay({ entries, players }) {
  view.names = players;
  view.positions = positionsOf(entries, players);
  if (!view.positions.length) return;
  byId("live").hidden = true;
  byId("stage").hidden = false;
  byId("slider").max = view.positions.length - 1;
  const firsts = view.positions.flatMap((position, i) => position.kind === "new_hand" ? [[position.hand, i]] : []);
  byId("hands").replaceChildren(...firsts.map(([hand, at]) => {
    const button = html("button", { type: "button", "data-hand": hand }, `hand ${hand}`);
    button.addEventListener("click", () => { stop(); go(at); });
    return html("li", {}, button);
  }));
  go(Number(location.hash.slice(1)) || 0);
  byId("stage").focus({ preventScroll: true });
  document.documentElement.dataset.ready = "yes";
}

function underWay({ live, players }) {
  byId("live").hidden = false;
  const [a, b] = players;
  byId("live-text").textContent = `Under way: ${a} ${live.points[0]} : ${live.points[1]} ${b}, hand ${live.hand}, `
    + `tricks ${live.tricks[0]} : ${live.tricks[1]}${live.in_challenge ? ", for the game" : ""}`;
}

async function follow() {
  const answer = await ask(`/api/games/${id}`);
  if (answer && answer.status === 200 && answer.data.entries) return replay(answer.data);
  if (answer && answer.status === 200) underWay(answer.data);
  setTimeout(follow, 1500);
}

const CLICKS = { first: "Home", before: "ArrowLeft", after: "ArrowRight", last: "End" };
for (const [button, key] of Object.entries(CLICKS)) byId(button).addEventListener("click", ACTS[key]);
byId("auto").addEventListener("change", autoAdvance);
byId("slider").addEventListener("input", event => { stop(); go(Number(event.target.value)); });
addEventListener("keydown", pressed);
addEventListener("hashchange", () => { if (view.positions.length) go(Number(location.hash.slice(1)) || 0); });
const given = JSON.parse(byId("game-data").textContent);
if (given.entries) replay(given);
else { underWay(given); follow(); }
