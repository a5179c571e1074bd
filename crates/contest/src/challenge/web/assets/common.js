// What both pages share.

// A failure is written where tests, and whoever looks at the page's source, can see it.
addEventListener("error", event => { document.documentElement.dataset.error = event.message; });
addEventListener("unhandledrejection", event => { document.documentElement.dataset.error = String(event.reason); });

const byId = id => document.getElementById(id);

// An element. Texts become text nodes: nothing that a team is called can be markup.
function html(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter(child => child !== null && child !== undefined).map(child => child instanceof Node ? child : String(child)));
  return node;
}

// Asks the server; none if it does not answer.
async function ask(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    return { status: answer.status, data: await answer.json() };
  } catch {
    return null;
  }
}

const PHASES = {
  open: "open play", last_hour: "the last hour: all teams play", closing: "games under way are finished",
  final: "the final", over: "the contest is over",
};

// The name of a game's player: its own, or the contest's, or its number.
function nameOf(names, game, seat) {
  return (game.names && game.names[seat]) || names[game.teams[seat]] || `team ${game.teams[seat]}`;
}
