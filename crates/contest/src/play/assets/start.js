// The start page: which game, who sits where, and the tables there are.

const games = JSON.parse(byId("games").textContent);
const here = location.pathname.replace(/\/$/, "");
const wish = { game: games[0], seats: [] };

const ME = "me", FRIEND = "friend";

// A weaker opponent than the strongest, so that a first game can be won.
const usual = game => Math.min(2, game.levels.length - 1);

function remembered() {
  try { return localStorage.getItem("name") || "You"; } catch { return "You"; }
}

function begin(game) {
  wish.game = game;
  wish.seats = [{ who: ME, name: remembered() }];
  // What more than two can play is best with four.
  const seats = game.least > 2 ? Math.min(4, game.most) : 2;
  while (wish.seats.length < seats) wish.seats.push({ who: usual(game) });
}

function seatLine(seat, i) {
  const { game } = wish;
  const who = element("select", { "aria-label": `Seat ${i + 1}` },
    element("option", { value: ME }, "Me"), element("option", { value: FRIEND }, "A friend, by a link"),
    element("optgroup", { label: "The player" }, ...game.levels.map((level, n) =>
      element("option", { value: n }, `${n + 1} ${level.name}: ${level.summary}`))));
  who.value = String(seat.who);
  who.addEventListener("change", () => {
    seat.who = [ME, FRIEND].includes(who.value) ? who.value : Number(who.value);
    if (seat.who === ME) {
      for (const other of wish.seats) if (other !== seat && other.who === ME) { other.who = usual(game); delete other.name; }
      seat.name = remembered();
    } else if (seat.who === FRIEND) seat.name = `Friend ${i + 1}`;
    show();
  });
  const line = element("div", { class: "seat" }, element("b", { class: "n" }, String(i + 1)), who);
  if (typeof seat.who === "string") {
    const name = element("input", { value: seat.name, maxlength: 40, "aria-label": `Name at seat ${i + 1}`, autocomplete: "off" });
    name.addEventListener("input", () => { seat.name = name.value; });
    line.append(name);
  }
  return line;
}

function show() {
  const { game, seats } = wish;
  byId("which").replaceChildren(byId("which").firstElementChild, ...games.map(other => {
    const choice = element("input", { type: "radio", name: "game", value: other.name, checked: other === game });
    choice.addEventListener("change", () => { begin(other); show(); });
    return element("label", {}, choice, ` ${other.title}`);
  }));
  byId("seats").replaceChildren(...seats.map(seatLine));
  byId("more").disabled = seats.length >= game.most;
  byId("fewer").disabled = seats.length <= game.least;
}

async function setUp(event) {
  event.preventDefault();
  byId("go").disabled = true;
  byId("trouble").textContent = "";
  const mine = wish.seats.findIndex(seat => seat.who === ME);
  try {
    if (mine >= 0) try { localStorage.setItem("name", wish.seats[mine].name); } catch { /* a private window */ }
    const table = await ask(`${here}/tables`, {
      game: wish.game.name, freely: byId("freely").checked,
      seats: wish.seats.map(seat => typeof seat.who === "string" ? { person: seat.name } : { player: seat.who }),
    });
    if (mine >= 0 && !wish.seats.some(seat => seat.who === FRIEND)) location.href = table.links[mine];
    else if (mine < 0 && table.links.every(link => !link)) location.href = table.onlookers;
    else await showTables(table.id);
  } catch (error) {
    byId("trouble").textContent = error.message;
  } finally {
    byId("go").disabled = false;
  }
}

function tableLine(table, isNew) {
  const links = table.names.map((name, i) => table.links[i] ? [element("a", { href: table.links[i] }, name), " "] : [element("span", {}, name), " "]);
  return element("li", { class: isNew ? "new" : null },
    element("b", {}, table.game), " ", element("span", { class: "note" }, table.over ? `over after ${table.actions} actions` : `${table.actions} actions so far`),
    element("div", { class: "links" }, ...links.flat(), element("a", { href: table.onlookers, class: "note" }, "look on")),
    ...(isNew ? [element("p", { class: "note" }, "Each name is a link to that seat: send your friends theirs, and take your own.")] : []));
}

async function showTables(newest) {
  const tables = await ask(`${here}/tables`);
  tables.sort((a, b) => (b.id === newest) - (a.id === newest) || a.over - b.over);
  byId("no-tables").hidden = tables.length > 0;
  byId("tables").replaceChildren(...tables.map(table => tableLine(table, table.id === newest)));
}

byId("more").addEventListener("click", () => { wish.seats.push({ who: usual(wish.game) }); show(); });
byId("fewer").addEventListener("click", () => { if (wish.seats.pop().who === ME) wish.seats[0] = { who: ME, name: remembered() }; show(); });
byId("wish").addEventListener("submit", setUp);
begin(games[0]);
show();
showTables().catch(error => { byId("trouble").textContent = error.message; });
