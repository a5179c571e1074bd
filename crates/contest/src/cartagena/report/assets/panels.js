// What stands around the board: what was done, the hands, the piles, the curve of an analysis.

const chipOf = player => html("span", { class: `chip p${player + 1}` }, String(player + 1));
const percent = thousandths => `${(thousandths / 10).toFixed(1)} %`;

function card(letter, count, extra = "") {
  const node = html("span", { class: `card ${extra}`, title: `${count} ${NAMES[letter]}` },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, icon(letter)));
  node.append(html("span", {}, String(count)));
  return node;
}

const lone = letter => html("span", { class: "glyph", title: NAMES[letter] },
  svg("svg", { viewBox: "0 0 24 24", role: "img", "aria-label": NAMES[letter] }, icon(letter)));

function time(ms) {
  if (ms < 0.001) return "< 1 µs";
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  return ms < 1000 ? `${+ms.toPrecision(3)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

const placeName = (place, boat) => place === CELL ? "cell" : place === boat ? "boat" : String(place);
const way = (action, boat) => `${placeName(action.from, boat)} → ${placeName(action.to, boat)}`;

// What an action did, as nodes.
function told(action, boat) {
  if (action.pass) return ["ends its turn"];
  if (action.card) return ["plays ", lone(action.card), ` ${NAMES[action.card]}: ${way(action, boat)}`];
  const drawn = [...action.drawn].map(lone);
  return [`retreats ${way(action, boat)}, draws `, ...(drawn.length ? drawn : ["nothing"])];
}

const faultsAt = (game, number) => (game.f || []).filter(f =>
  f.forfeit ? f.a === number + 1 : f.a === number);

function faultLine(data, game, fault) {
  const cost = fault.forfeit ? "loses the game" : "a random action stands in";
  return html("span", { class: "fault" }, "⚠ ", chipOf(fault.p - 1),
    ` ${data.programs[game.p[fault.p - 1]]} ${cost}. ${fault.kind}: ${fault.detail}`);
}

function caption(data, game, unrolled, number) {
  const nodes = [];
  const action = unrolled.actions[number - 1];
  const line = html("span", { class: "did" });
  if (action) {
    line.append(chipOf(action.player), " ", html("b", {}, data.programs[game.p[action.player]]), " ", ...told(action, unrolled.boat),
      html("small", {}, ` turn ${action.turn}, action ${action.nth} of 3; ${time(game.ms[number - 1])}`));
  } else {
    line.append("The deal.");
  }
  nodes.push(line);
  const bad = judgedBad(game, number);
  if (bad) nodes.push(html("span", { class: `grade ${bad.grade}` }, `${bad.grade}: loses ${percent(bad.loss)}; better: ${bad.better}`));
  for (const fault of faultsAt(game, number)) nodes.push(faultLine(data, game, fault));
  if (number === unrolled.actions.length) nodes.push(html("span", { class: "over" }, ...ending(data, game)));
  return nodes;
}

function ending(data, game) {
  if (!game.w) return ["Stopped and drawn."];
  return [chipOf(game.w - 1), " ", html("b", {}, data.programs[game.p[game.w - 1]]), " has won."];
}

function hand(data, game, unrolled, number, player) {
  const state = unrolled.positions[number];
  const action = unrolled.actions[number - 1];
  const own = action && action.player === player;
  const over = number === unrolled.actions.length;
  const active = !over && state.toMove === player;
  const home = state.places[player].filter(p => p === unrolled.boat).length;
  const away = state.places[player].reduce((sum, p) => sum + unrolled.boat - p, 0);
  const status = state.left[player] ? "out" : active ? `action ${state.taken + 1} of 3` :
    over && game.w === player + 1 ? "winner" : "";
  const head = html("div", { class: "who" }, chipOf(player), html("b", { title: data.programs[game.p[player]] }, data.programs[game.p[player]]),
    html("span", { class: "status" }, status));
  const row = html("div", { class: "cards" });
  for (const s of SYMBOLS) {
    const count = state.hands[player][s];
    const drew = own && action.drawn.includes(s);
    const played = own && action.card === s;
    row.append(card(s, count, `${count ? "" : "zero"} ${drew ? "drew" : ""} ${played ? "played" : ""}`));
  }
  const cards = total(state.hands[player]);
  const facts = html("div", { class: "facts" },
    `${cards} card${cards === 1 ? "" : "s"} · ${home} of ${game.n} on the boat · ${away} places to go`);
  return html("div", { class: `hand ${active ? "active" : ""} ${state.left[player] ? "left" : ""}` }, head, row, facts);
}

function piles(state) {
  const discards = html("span", { class: "cards" });
  for (const s of SYMBOLS) discards.append(card(s, state.discards[s], state.discards[s] ? "" : "zero"));
  return [html("span", {}, "Draw pile ", html("b", {}, String(state.pile))),
    html("span", { class: "discards" }, "Discards ", html("b", {}, String(total(state.discards))), discards)];
}

function judgedBad(game, number) {
  const found = game.x && game.x.bad.find(([action]) => action === number);
  return found && { loss: found[1], grade: found[2], better: found[3] };
}

// The players' own chances to win after their actions, with what was doubtful or worse marked.
function curve(game, unrolled, number, width) {
  const height = 132, left = 46, right = 8, top = 8, bottom = 8;
  const count = Math.max(1, unrolled.actions.length);
  const x = i => left + (width - left - right) * i / count;
  const y = c => top + (height - top - bottom) * (1 - c / 1000);
  const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Chances to win by action" });
  for (const c of [0, 500, 1000]) {
    root.append(svg("line", { class: "rule", x1: left, x2: width - right, y1: y(c), y2: y(c) }),
      svg("text", { x: left - 6, y: y(c), dy: ".36em", "text-anchor": "end" }, `${c / 10} %`));
  }
  game.p.forEach((_, player) => {
    const own = unrolled.actions.map((a, i) => a.player === player ? `${x(i + 1).toFixed(1)} ${y(game.x.c[i]).toFixed(1)}` : null);
    const d = own.filter(p => p).join("L");
    if (d) root.append(svg("path", { class: `chance a${player + 1}`, d: "M" + d }));
  });
  for (const [action, loss, grade, better] of game.x.bad) {
    const at = svg("g", { class: `mistake ${grade} p${unrolled.actions[action - 1].player + 1}`, transform: `translate(${x(action).toFixed(1)} ${y(game.x.c[action - 1]).toFixed(1)})` },
      svg("circle", { r: { doubtful: 3.5, mistake: 5, blunder: 7 }[grade] }),
      svg("title", {}, `action ${action}, ${grade}: loses ${percent(loss)}; better: ${better}`));
    root.append(at);
  }
  root.append(svg("line", { class: "now", x1: x(number), x2: x(number), y1: 2, y2: height - 2 }));
  root.actionAt = px => Math.round((px - left) / (width - left - right) * count);
  return root;
}
