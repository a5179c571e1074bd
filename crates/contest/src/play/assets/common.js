// What all pages of the house share.

// A failure is written where tests, and whoever looks at the page's source, can see it.
// That an observer of sizes has more to do in the next frame is no failure.
addEventListener("error", event => { if (!event.message.startsWith("ResizeObserver")) document.documentElement.dataset.error = event.message; });
addEventListener("unhandledrejection", event => { document.documentElement.dataset.error = String(event.reason); });

const byId = id => document.getElementById(id);

// An element. Texts become text nodes: no name can be markup.
function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

// An element of a picture.
function shape(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// Asks the server. What it refuses is thrown with its own words, and so is that it does not answer.
async function ask(address, body) {
  const request = body === undefined ? {} :
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(address, { cache: "no-store", ...request });
  } catch {
    throw new Error("the server does not answer");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(data.error || `the server answers ${answer.status}`), { status: answer.status });
  return data;
}
