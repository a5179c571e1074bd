// What the page says, in the reader's language: the catalogue comes with the page.

import { FluentBundle, FluentResource } from "./fluent.js";
import { dataIn } from "../../../arena/src/report/assets/dom.js";

/** @typedef {import("./types.d.ts").Text} Text */

/** The language's code, and its catalogues: what the first lacks is said by the second, which is in English. */
const { language, catalogues } = /** @type {{ language: string, catalogues: [string, string[]][] }} */ (dataIn("texts"));

const bundles = catalogues.map(([code, texts]) => {
  const bundle = new FluentBundle(code, { useIsolating: false });
  for (const text of texts) bundle.addResource(new FluentResource(text));
  return bundle;
});

/** A message of the catalogue.
 * @param {string} id
 * @param {Record<string, Text | number>} args
 * @returns {string} */
export function say(id, args = {}) {
  const plain = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, typeof value === "number" ? value : words(value)]));
  for (const bundle of bundles) {
    const message = bundle.getMessage(id);
    if (message && message.value) return bundle.formatPattern(message.value, plain);
  }
  throw new Error(`no text ${id}`);
}

/** A text from the server.
 * @param {Text} text
 * @returns {string} */
export const words = text => typeof text === "string" ? text : say(text.id, text.args);

/** A message with nodes in it, each where its name stands.
 * @param {string} id
 * @param {Record<string, Node | Node[]>} nodes
 * @param {Record<string, Text | number>} args
 * @returns {(Node | string)[]} */
export function sayWith(id, nodes, args = {}) {
  const names = Object.keys(nodes);
  // Characters that no text has stand for the nodes.
  const marks = names.map((_, i) => String.fromCharCode(0xe000 + i));
  const text = say(id, { ...args, ...Object.fromEntries(names.map((name, i) => [name, marks[i]])) });
  const parts = text.split(/([\ue000-\ue0ff])/).filter(part => part !== "");
  return parts.flatMap(part => {
    const node = nodes[names[marks.indexOf(part)]];
    return /** @type {(Node | string)[]} */ (node === undefined ? [part] : Array.isArray(node) ? node : [node]);
  });
}

/** A number with so many digits after the point, or the comma. One that is written as 0 has no sign.
 * @param {number} value
 * @param {number} digits */
export function figure(value, digits) {
  const text = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  return text.replace("-", /[1-9]/.test(text) ? "−" : "");
}
