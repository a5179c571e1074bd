// Several people at one screen: the address of the first is the page's, those of the others follow a `#`. Between
// two of them the table is covered, so that nobody sees what is not theirs.

const seats = { here: [], resumed: false, covered: false };

// Who of those at this screen is to sit down now: whoever is to move, if it is not who sits there already; and when
// the page is new, somebody has to say who sits there.
function nextHere() {
  if (!ui.now || ui.past || !isCaughtUp()) return undefined;
  const due = seats.here.find(seat => seat.number === ui.now.to_move && !ui.now.resigned.includes(seat.number));
  if (due && (seats.covered || due.address !== ui.here)) return due;
  return seats.covered && !ui.now.over ? seats.here.find(seat => seat.address === ui.here) : undefined;
}
const isCovered = () => Boolean(nextHere());

async function sitDown() {
  const others = location.hash.slice(1).split(",").filter(secret => /^[0-9a-f]{32}$/.test(secret));
  if (!others.length) return;
  const addresses = [ui.here, ...others.map(secret => ui.here.replace(/[^/]*$/, secret))];
  for (const address of addresses) {
    try {
      const { seat, to_move } = await ask(`${address}/state`);
      if (seat === null) continue;
      seats.here.push({ address, number: seat, seen: null });
      if (seat === to_move) ui.here = address;
    } catch (error) {
      byId("trouble").textContent = error.message;
      await pause(1500);
      return sitDown(seats.here.length = 0);
    }
  }
  seats.covered = seats.here.length > 1;
}

function drawCover() {
  const next = nextHere(), name = ui.now.names[next.number];
  const current = seats.here.find(seat => seat.address === ui.here);
  if (current) current.seen = ui.seen;
  const button = element("button", { type: "button", class: "main", id: "uncover" }, `I am ${name}`);
  button.addEventListener("click", () => {
    Object.assign(ui, { here: next.address, now: null, advice: null, choice: null, seen: next.seen || 0 });
    Object.assign(seats, { resumed: next.seen !== null, covered: false });
    byId("status").textContent = "…";
    byId("board").replaceChildren();
    ask(`${ui.here}/state`).then(take, error => { byId("trouble").textContent = error.message; });
  });
  byId("board").replaceChildren(element("div", { class: "cover" }, element("p", {}, `${name} comes next. Hand over; nobody's cards are shown.`), button));
  for (const id of ["ask", "players", "piles", "log"]) byId(id).replaceChildren();
  for (const id of ["end", "back", "hint", "skip", "pause", "again", "record", "page", "resign", "review", "typing", "advice"]) byId(id).hidden = true;
  byId("status").textContent = `${name} comes next`;
  button.focus();
  byId("table").dataset.turn = "covered";
}
