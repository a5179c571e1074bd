// Asking the server.

import { say, words } from "./texts.js";

/** What the server refuses, in its own words, or that it does not answer. */
export class Refusal extends Error {
  /** @param {string} message @param {number} status of HTTP; 0 if there was no answer */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** What went wrong, in words.
 * @param {unknown} error */
export const reason = error => error instanceof Error ? error.message : String(error);

/** Asks the server; with a body it is asked to do something.
 * @param {string} address
 * @param {unknown} [body]
 * @throws {Refusal} */
export async function ask(address, body) {
  const request = body === undefined ? {} :
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(address, { cache: "no-store", ...request });
  } catch {
    throw new Refusal(say("no-answer"), 0);
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(data.error ? words(data.error) : say("odd-answer", { status: answer.status }), answer.status);
  return data;
}

/** Makes a link of the page on which tables were set up in this browser. It stays hidden if there is none, or if a
 * later start of the server has given that page another address.
 * @param {HTMLElement} link */
export async function linkToTables(link) {
  let tables = null;
  try { tables = localStorage.getItem("tables"); } catch { /* a private window */ }
  if (!tables) return;
  const answer = await fetch(tables, { method: "HEAD" }).catch(() => null);
  if (!answer || !answer.ok) return;
  link.setAttribute("href", tables);
  link.hidden = false;
}

/** @param {number} ms
 * @returns {Promise<void>} */
export const pause = ms => new Promise(wake => { setTimeout(wake, ms); });
