// The controls of a replay: buttons, slider, keyboard and address. What a position looks like is the
// page's.

// A failure is written where tests, and people who look at the page's source, can see it.
addEventListener("error", event => { document.documentElement.dataset.error = event.message; });

// The page has buttons `first`, `before`, `after` and `last`, a button `play` or a checkbox `auto`, an
// input `slider` and an output `position`; around them an element `viewer`, if they are not all of the
// page. It says:
// - draw(number, forward): shows a position; `forward` if it follows the one shown before;
// - address(number): what stands in the address after the `#`;
// - follow(): shows what the address names;
// - pause: milliseconds for a position while it plays;
// - other(by), if there are several games: opens the one `by` places further on;
// - playsOn: whether a step forward does not end the playing.
function replayControls(page) {
  const byId = id => document.getElementById(id);
  const viewer = byId("viewer"), auto = byId("auto");
  let number = 0, last = -1, timer = 0;

  function go(to, linked = true) {
    const before = number;
    number = Math.max(0, Math.min(last, to));
    byId("slider").value = number;
    byId("position").textContent = `${number} / ${last}`;
    byId("first").disabled = byId("before").disabled = number === 0;
    byId("last").disabled = byId("after").disabled = number === last;
    page.draw(number, number === before + 1);
    // Browsers refuse this when it is done very often; then the address is late, and no more.
    if (linked) try { history.replaceState(null, "", `#${page.address(number)}`); } catch { /* see above */ }
  }

  // Begins another game, whose last position has this number.
  function open(length, at = 0, linked = true) {
    if (last < 0) listen();
    stop();
    last = length;
    byId("slider").max = last;
    number = -2;
    go(at, linked);
  }

  function shown(playing) {
    if (auto) auto.checked = playing;
    else byId("play").textContent = playing ? "pause" : "play";
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    shown(false);
  }

  function advance() {
    go(number + 1);
    if (number === last) stop();
    else timer = setTimeout(advance, page.pause);
  }

  function play() {
    if (timer) return stop();
    shown(true);
    if (number === last) go(0);
    timer = setTimeout(advance, page.pause / 3);
  }

  function jump(to) {
    stop();
    go(to);
  }

  function forward() {
    const goesOn = page.playsOn && timer;
    jump(number + 1);
    if (!goesOn || number === last) return;
    shown(true);
    timer = setTimeout(advance, page.pause);
  }

  const keys = {
    Home: () => jump(0), ArrowLeft: () => jump(number - 1), ArrowRight: forward, End: () => jump(last), " ": play,
  };
  if (page.other) Object.assign(keys, { ArrowUp: () => page.other(-1), ArrowDown: () => page.other(1) });

  function pressed(event) {
    const act = keys[event.key], on = event.target;
    if (!act || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // An element that has a use of its own for the key keeps it.
    if (on.matches("select, input:not(#slider, #auto)") || (event.key === " " && on.matches("button, summary, a, #auto"))) return;
    // Elsewhere in the page only what would not have scrolled it.
    const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (viewer && !viewer.contains(on) && !(sideways && on === document.body)) return;
    event.preventDefault();
    act();
  }

  function listen() {
    const clicks = { first: "Home", before: "ArrowLeft", after: "ArrowRight", last: "End" };
    for (const [id, key] of Object.entries(clicks)) byId(id).addEventListener("click", keys[key]);
    if (auto) auto.addEventListener("change", play);
    else byId("play").addEventListener("click", play);
    byId("slider").addEventListener("input", event => jump(Number(event.target.value)));
    addEventListener("keydown", pressed);
    addEventListener("hashchange", page.follow);
  }

  return { open, go, jump, stop, get number() { return number; } };
}

// The game and position that `#KIND=ID&STEP=N` names; none if there is no such game.
function addressed(games, kind, step) {
  const named = new URLSearchParams(location.hash.slice(1));
  const index = games.findIndex(game => game.id === named.get(kind));
  return index < 0 ? null : [index, Number(named.get(step)) || 0];
}
