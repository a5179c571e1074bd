// Elements of pages and of pictures, for the scripts of all pages: finding them, and making them.

// A failure is written into the page, where tests and readers of its source can see it.
// Browsers also report it as an error when a ResizeObserver goes on in the next frame; that is no failure.
addEventListener("error", event => { if (!event.message.startsWith("ResizeObserver")) document.documentElement.dataset.error = event.message; });
addEventListener("unhandledrejection", event => { document.documentElement.dataset.error = String(event.reason); });

/** The value of an attribute. `true` sets it without a value; `false`, `null` and `undefined` leave it out.
 * @typedef {string | number | boolean | null | undefined} Attribute */
/** A child of an element. Texts become text nodes, so that no name can be markup.
 * @typedef {Node | string | number | null | undefined} Child */

/** The element with this id, which the page has.
 * @param {string} id
 * @returns {HTMLElement} */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no ${id}`);
  return node;
}

/** The button with this id.
 * @param {string} id
 * @returns {HTMLButtonElement} */
export const buttonById = id => /** @type {HTMLButtonElement} */ (byId(id));

/** The field with this id.
 * @param {string} id
 * @returns {HTMLInputElement} */
export const inputById = id => /** @type {HTMLInputElement} */ (byId(id));

/** The choice with this id.
 * @param {string} id
 * @returns {HTMLSelectElement} */
export const selectById = id => /** @type {HTMLSelectElement} */ (byId(id));

/** Sets attributes of a node and puts children into it.
 * @template {Element} T
 * @param {T} node
 * @param {Record<string, Attribute>} attributes
 * @param {Child[]} children
 * @returns {T} */
function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(typeof child === "number" ? String(child) : child);
  return node;
}

/** An element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, Attribute>} attributes
 * @param {...Child} children */
export const element = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);

/** Puts children into the element with this id, unless it has such children already: to lay them out again takes long.
 * They must not listen to anything.
 * @param {string} id
 * @param {...Node} children */
export function refill(id, ...children) {
  const node = byId(id), next = /** @type {Element} */ (node.cloneNode(false));
  next.append(...children);
  if (!next.isEqualNode(node)) node.replaceChildren(...next.childNodes);
}

/** An element of a picture.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, Attribute>} attributes
 * @param {...Child} children */
export const shape = (name, attributes = {}, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/** The data that the page holds for its script in the element with this id.
 * @param {string} id */
export const dataIn = id => JSON.parse(byId(id).textContent || "null");

/** Matches if the person at the screen prefers pages without movement. */
export const still = matchMedia("(prefers-reduced-motion: reduce)");
