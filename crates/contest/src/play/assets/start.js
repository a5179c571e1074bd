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
    element("option", { value: ME }, wish.seats.some((other, j) => j < i && other.who === ME) ? "Somebody else at this screen" : "Me"), element("option", { value: FRIEND }, "A friend, by a link"),
    element("optgroup", { label: "The player" }, ...game.levels.map((level, n) =>
      element("option", { value: n }, `${n + 1} ${level.name}: ${level.summary}`))),
    ...(game.programs.length ? [element("optgroup", { label: "Programs" }, ...game.programs.map(label => element("option", { value: `program ${label}` }, label)))] : []));
  who.value = String(seat.who);
  who.addEventListener("change", () => {
    seat.who = /^\d+$/.test(who.value) ? Number(who.value) : who.value;
    if (seat.who === ME) seat.name = wish.seats.find(other => other.who === ME) === seat ? remembered() : `Player ${i + 1}`;
    else if (seat.who === FRIEND) seat.name = `Friend ${i + 1}`;
    show();
  });
  const line = element("div", { class: "seat" }, element("b", { class: "n" }, String(i + 1)), who);
  if ([ME, FRIEND].includes(seat.who)) {
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
  byId("open-panel").hidden = !game.example;
  byId("open-what").textContent = game.opens;
  byId("more").disabled = seats.length >= game.most;
  byId("fewer").disabled = seats.length <= game.least;
}

// A seat's address, with those of the others at this screen.
const seatAddress = (table, mine, others) =>
  table.links[mine] + (others.length ? `#${others.map(i => table.links[i].split("/").pop()).join(",")}` : "");

async function setUp(event) {
  event.preventDefault();
  byId("go").disabled = true;
  byId("trouble").textContent = "";
  const mine = wish.seats.findIndex(seat => seat.who === ME);
  const others = wish.seats.map((seat, i) => seat.who === ME && i !== mine ? i : -1).filter(i => i >= 0);
  try {
    if (mine >= 0) try { localStorage.setItem("name", wish.seats[mine].name); } catch { /* a private window */ }
    const table = await ask(`${here}/tables`, {
      shared: others.length ? [mine, ...others] : [],
      game: wish.game.name, freely: byId("freely").checked,
      seats: wish.seats.map(seat => [ME, FRIEND].includes(seat.who) ? { person: seat.name } :
        typeof seat.who === "string" ? { program: seat.who.slice("program ".length) } : { player: seat.who }),
    });
    if (mine >= 0 && !wish.seats.some(seat => seat.who === FRIEND)) location.href = seatAddress(table, mine, others);
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
    ...(table.from ? [" ", element("span", { class: "note" }, `(from action ${table.from[1]} of another table)`)] : []),
    element("div", { class: "links" }, ...links.flat(), element("a", { href: table.onlookers, class: "note" }, "look on")),
    ...(isNew ? [element("p", { class: "note" }, "Each name is a link to that seat: send your friends theirs, and take your own.")] : []));
}

async function showTables(newest) {
  const tables = await ask(`${here}/tables`);
  tables.sort((a, b) => (b.id === newest) - (a.id === newest) || a.over - b.over);
  byId("no-tables").hidden = tables.length > 0;
  byId("tables").replaceChildren(...tables.map(table => tableLine(table, table.id === newest)));
}

async function openText(event) {
  event.preventDefault();
  byId("open-trouble").textContent = "";
  try {
    const table = await ask(`${here}/open`, { game: wish.game.name, text: byId("open-text").value });
    location.href = table.links.find(link => link) || table.onlookers;
  } catch (error) {
    byId("open-trouble").textContent = error.message;
  }
}

byId("open").addEventListener("submit", openText);
byId("open-file").addEventListener("change", async event => {
  const [file] = event.target.files;
  // A file of a tournament holds many games: the first is taken, and the others can be pasted.
  if (file) byId("open-text").value = (await file.text()).replace(/^(\{.*\})\n[^]*$/, "$1");
});
byId("open-example").addEventListener("click", () => { byId("open-text").value = wish.game.example; });
byId("more").addEventListener("click", () => { wish.seats.push({ who: usual(wish.game) }); show(); });
byId("fewer").addEventListener("click", () => { wish.seats.pop(); if (!wish.seats.some(seat => seat.who === ME) && wish.seats.every(seat => typeof seat.who === "number")) wish.seats[0] = { who: ME, name: remembered() }; show(); });
byId("wish").addEventListener("submit", setUp);
begin(games[0]);
show();
showTables().catch(error => { byId("trouble").textContent = error.message; });
