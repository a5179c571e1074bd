// The board as a winding track. Lengths are pixels: the picture is made for the width it has.

const SVG = "http://www.w3.org/2000/svg";
const CELL = 0;

function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function html(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const icon = (name, attributes = {}) => svg("use", { href: `#icon-${name}`, ...attributes });

// Where everything lies on a board of so many spaces. The cell and the boat are two slots wide.
function layoutOf(spaces, width) {
  const most = spaces > 60 ? 16 : 10;
  const columns = Math.max(5, Math.min(most, Math.floor(width / 54)));
  const w = width / columns;
  const h = Math.min(74, Math.max(54, w * 1.02));
  const pitch = h + (w < 60 ? 8 : 14);
  const top = 8;
  const slot = i => {
    const row = Math.floor(i / columns);
    const column = row % 2 ? columns - 1 - (i % columns) : i % columns;
    return { x: (column + 0.5) * w, y: top + row * pitch + h / 2, row };
  };
  const wide = (i, j) => ({ ...slot(i), x: (slot(i).x + slot(j).x) / 2, wide: true });
  // A boat that would be torn apart by the end of a row begins the next one.
  const boat = spaces + 2 + ((spaces + 2) % columns === columns - 1 ? 1 : 0);
  const places = [wide(0, 1)];
  for (let p = 1; p <= spaces; p += 1) places.push(slot(p + 1));
  places.push(wide(boat, boat + 1));
  const slots = Array.from({ length: boat + 2 }, (_, i) => slot(i));
  return { places, slots, w, h, width, height: slot(boat + 1).y + h / 2 + top };
}

function trackPath(layout) {
  return "M" + layout.slots.map(s => `${s.x.toFixed(1)} ${s.y.toFixed(1)}`).join("L");
}

function chip(player, x, y, r, extra = "") {
  return svg("g", { class: `pirate p${player + 1} ${extra}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    svg("g", { class: "move" }, svg("circle", { r }),
      svg("text", { "font-size": (r * 1.35).toFixed(1), dy: ".36em" }, String(player + 1))));
}

function tile(layout, place, boat, letter) {
  const { x, y, wide } = layout.places[place];
  const w = layout.w * (wide ? 2 : 1) - 6;
  const kind = place === CELL ? "cell" : place === boat ? "boat" : "space";
  const group = svg("g", { class: `tile ${kind}` },
    svg("rect", { x: x - w / 2, y: y - layout.h / 2, width: w, height: layout.h, rx: 9 }));
  if (kind === "space") {
    const size = layout.h * 0.42;
    group.append(icon(letter, { x: x - size / 2 + (layout.w < 60 ? 5 : 0), y: y - layout.h / 2 + 5, width: size, height: size }),
      svg("text", { class: "number", x: x - w / 2 + 5, y: y - layout.h / 2 + 12 }, String(place)),
      svg("title", {}, `${place}: ${NAMES[letter]}`));
  } else {
    const size = layout.h * 0.74;
    group.append(icon(kind, { class: "mark", x: x - size / 2, y: y - size / 2, width: size, height: size }),
      svg("title", {}, kind));
  }
  return group;
}

// Where the pirates of a player stand on the cell or the boat: `nth` of so many players there.
function corner(layout, place, nth, players) {
  const { x, y } = layout.places[place];
  const columns = players > 4 ? 3 : Math.min(2, players);
  const rows = Math.ceil(players / columns);
  const w = (layout.w * 2 - 10) / Math.max(2, columns);
  const h = (layout.h - 6) / Math.max(2, rows);
  const column = nth % columns, row = Math.floor(nth / columns);
  return { x: x + (column - (columns - 1) / 2) * w - (columns > 2 ? 0.11 : 0.16) * layout.w, y: y + (row - (rows - 1) / 2) * h };
}

// The pirates of a position, and where each place's are: `spots[place][player]`.
function pirates(layout, state, boat, ghost) {
  const group = svg("g");
  const spots = {};
  const r = Math.min(11, (layout.w - 8) / 6.4);
  const spot = (place, player, at) => { (spots[place] ||= {})[player] = { ...at, r }; };
  for (const place of [CELL, boat]) {
    const counts = state.places.map(of => of.filter(p => p === place).length);
    const gone = player => ghost && ghost.place === place && ghost.player === player;
    const here = counts.flatMap((count, player) => count || gone(player) ? [player] : []);
    const times = here.length > 4 && layout.w < 60 ? "" : "×";
    here.forEach((player, i) => {
      const at = corner(layout, place, i, here.length);
      spot(place, player, at);
      group.append(chip(player, at.x, at.y, r, counts[player] ? "" : "ghost"));
      if (counts[player]) group.append(svg("text", { class: "count", x: at.x + r + 2, y: at.y, dy: ".36em" }, `${times}${counts[player]}`));
    });
  }
  for (let place = 1; place < boat; place += 1) {
    const here = [];
    state.places.forEach((of, player) => of.forEach(p => { if (p === place) here.push({ player }); }));
    if (ghost && ghost.place === place) here.push({ player: ghost.player, ghost: true });
    const { x, y } = layout.places[place];
    here.forEach(({ player, ghost: gone }, i) => {
      const at = { x: x + (i - (here.length - 1) / 2) * Math.min(2 * r + 1, (layout.w - 8 - 2 * r) / Math.max(1, here.length - 1)), y: y + layout.h / 2 - r - 5 };
      const node = chip(player, at.x, at.y, r, gone ? "ghost" : "");
      if (!gone || !(spots[place] || {})[player]) spot(place, player, at);
      node.dataset.place = place;
      group.append(node);
    });
  }
  return { group, spots };
}

// A curve between two spots with the card played, or the number of cards drawn, at its middle.
function arrow(layout, from, to, action) {
  const dx = to.x - from.x, dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(64, 14 + length * 0.2);
  let nx = -dy / length, ny = dx / length;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  // Towards the middle of the board, so that it stays inside.
  if (nx * (layout.width / 2 - middle.x) + ny * (layout.height / 2 - middle.y) < 0) { nx = -nx; ny = -ny; }
  const c = { x: middle.x + nx * bend * 1.6, y: middle.y + ny * bend * 1.6 };
  const towards = (a, b, distance) => {
    const d = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    return { x: a.x + (b.x - a.x) / d * distance, y: a.y + (b.y - a.y) / d * distance };
  };
  const tip = towards(to, c, to.r + 2), neck = towards(to, c, to.r + 12), start = towards(from, c, from.r);
  const side = towards({ x: 0, y: 0 }, { x: -(neck.y - tip.y), y: neck.x - tip.x }, 7);
  const point = p => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
  const d = `M${point(start)}Q${point(c)} ${point(neck)}`;
  const head = `M${point(tip)}L${point({ x: neck.x + side.x, y: neck.y + side.y })}L${point({ x: neck.x - side.x, y: neck.y - side.y })}z`;
  const apex = { x: middle.x / 2 + c.x / 2, y: middle.y / 2 + c.y / 2 };
  const badge = svg("g", { class: "badge", transform: `translate(${point(apex)})` }, svg("circle", { r: 13 }));
  if (action.card) badge.append(icon(action.card, { x: -8.5, y: -8.5, width: 17, height: 17 }));
  else badge.append(svg("text", { dy: ".36em" }, `+${action.drawn.length}`));
  return svg("g", { class: `arrow a${action.player + 1}` },
    svg("path", { class: "halo", d }), svg("path", { class: "halo", d: head }),
    svg("path", { class: "shaft", d }), svg("path", { class: "tip", d: head }), badge);
}

// The position after `action`, which may be none, on a board of a width.
function drawBoard(game, boat, state, action, width) {
  const layout = layoutOf(game.board.length, width);
  const moved = action && !action.pass;
  const root = svg("svg", { width, height: layout.height, viewBox: `0 0 ${width} ${layout.height}`, role: "img", "aria-label": "Board" });
  const path = trackPath(layout);
  root.append(svg("path", { class: "bank", d: path, "stroke-width": layout.h * 0.62 + 6 }),
    svg("path", { class: "track", d: path, "stroke-width": layout.h * 0.62 }));
  for (let place = 0; place <= boat; place += 1) root.append(tile(layout, place, boat, game.board[place - 1]));
  const ghost = moved ? { place: action.from, player: action.player } : null;
  const { group, spots } = pirates(layout, state, boat, ghost);
  root.append(group);
  if (moved) {
    const from = spots[action.from][action.player], to = spots[action.to][action.player];
    root.append(arrow(layout, from, to, action));
    root.moved = { dx: from.x - to.x, dy: from.y - to.y, at: to };
  }
  return root;
}

// Lets the pirate that has just moved slide from where it stood.
function slide(root) {
  if (!root.moved || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { dx, dy, at } = root.moved;
  const place = `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`;
  const node = [...root.querySelectorAll(".pirate:not(.ghost)")].find(n => n.getAttribute("transform") === place);
  if (!node || !node.animate) return;
  node.parentNode.append(node);
  node.firstChild.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }],
    { duration: 260, easing: "ease-out" });
}
