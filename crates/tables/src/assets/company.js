// The people at a table: inviting friends, the clocks, the chat, and a sound when it is the reader's turn.

import { byId, element, inputById, shape } from "../../../arena/src/report/assets/dom.js";
import { ask, reason } from "./ask.js";
import { fullName, isMyTurn, known, ui } from "./state.js";
import { say, words } from "./texts.js";

/** `invited`: the friends' links that this browser has from the start page. `heard`: whose turn it was and the
 * lines of the chat when the page was last drawn. `received`: the time at which the server's clocks were read. */
const company = {
  invited: /** @type {[number, string][]} */ ([]),
  shown: "",
  heard: /** @type {{ isDue: boolean, lines: string } | null} */ (null),
  received: 0,
};

/** The name under which a seat's invitations are kept in this browser.
 * @param {string} address */
const inviteKey = address => `invite ${address}`;

/** Keeps the links of friends for the page of a seat.
 * @param {string} address which may name other seats at the same screen after a `#`
 * @param {[number, string][]} links by seat */
export function keepInvitations(address, links) {
  try { localStorage.setItem(inviteKey(address.replace(/#.*/, "")), JSON.stringify(links)); } catch { /* a private window */ }
}

/** Copies a text; where the browser does not allow it, selects it to be copied by hand.
 * @param {HTMLInputElement} field
 * @param {HTMLButtonElement} button */
async function copy(field, button) {
  field.select();
  try {
    // Only secure pages have a clipboard, and a page from another machine without HTTPS is none.
    await navigator.clipboard.writeText(field.value);
  } catch {
    // The text stays selected if it cannot be copied in the older way either.
    if (!document.execCommand("copy")) return;
  }
  button.textContent = say("invite-copied");
}

/** The invitation of one friend.
 * @param {number} seat
 * @param {string} path */
async function invitation(seat, path) {
  const { link, warning, code } = await ask(`${path}/invitation?origin=${encodeURIComponent(location.origin)}`);
  const field = element("input", { value: link, readonly: true, "aria-label": say("invite-link", { name: known().names[seat] }) });
  const button = element("button", { type: "button", class: "copy" }, say("invite-copy"));
  button.addEventListener("click", () => copy(field, button));
  const share = element("button", { type: "button", class: "share" }, say("invite-share"));
  share.hidden = !navigator.share;
  share.addEventListener("click", () => navigator.share({ url: link }).catch(() => { /* it was called off */ }));
  const picture = code ? [element("details", {}, element("summary", {}, say("invite-code")),
    shape("svg", { class: "code", viewBox: `-4 -4 ${code.size + 8} ${code.size + 8}`, role: "img", "aria-label": say("invite-code") },
      shape("rect", { x: -4, y: -4, width: code.size + 8, height: code.size + 8 }), shape("path", { d: code.path })))] : [];
  return element("div", { class: "invitation", "data-seat": seat }, element("p", {}, say("invite-send", { name: known().names[seat] })),
    element("p", { class: "row" }, field, button, share), ...(warning ? [element("p", { class: "trouble" }, words(warning))] : []), ...picture);
}

/** Shows the links of friends who have not come yet. */
async function drawInvitations() {
  const now = known();
  const open = now.over ? [] : company.invited.filter(([seat]) => !now.came[seat]);
  byId("invite").hidden = open.length === 0;
  const seats = open.map(([seat]) => seat).join(" ");
  // A link that is being copied stays where it is.
  if (seats === company.shown) return;
  company.shown = seats;
  try {
    const parts = await Promise.all(open.map(([seat, path]) => invitation(seat, path)));
    if (company.shown === seats) byId("invite").replaceChildren(...parts);
  } catch (error) {
    byId("trouble").textContent = reason(error);
    // The next drawing tries again.
    company.shown = "";
  }
}

/** Milliseconds as minutes and seconds, or hours too.
 * @param {number} ms */
function clockTime(ms) {
  const seconds = Math.ceil(ms / 1000), two = /** @param {number} n */ n => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

function drawClocks() {
  const { now } = ui;
  byId("clocks").hidden = !now || !now.clocks || now.over;
  if (!now || !now.clocks || now.over) return;
  const { left, running, limit } = now.clocks, gone = performance.now() - company.received;
  // A limit for each action is of interest only while somebody acts.
  const shown = now.people.flatMap((isPerson, seat) => isPerson && ("game" in limit || seat === running) ? [seat] : []);
  byId("clocks").replaceChildren(...shown.map(seat => element("span", { class: seat === running ? "runs" : null }, fullName(now, seat), " ",
    element("b", {}, clockTime(Math.max(0, left[seat] - (seat === running ? gone : 0)))))));
  if (now.people.some((isPerson, seat) => isPerson && !now.came[seat])) byId("clocks").append(say("clock-waits"));
}

function drawChat() {
  const { chat, seat, names } = known();
  byId("chat").hidden = !chat;
  byId("chat-form").hidden = seat === null;
  if (!chat) return;
  byId("chat-lines").replaceChildren(...chat.map(line => element("li", {}, element("b", {}, names[line.seat]), ` ${line.text}`)).reverse());
}

/** A short tone. */
function ring() {
  const audio = new AudioContext(), tone = audio.createOscillator(), loud = audio.createGain();
  tone.frequency.value = 660;
  loud.gain.setValueAtTime(0.15, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
  tone.onended = () => audio.close();
}

/** Sounds when the reader's turn begins, and when somebody else has written. */
function listen() {
  const { chat, seat } = known();
  const before = company.heard, heard = { isDue: isMyTurn(), lines: JSON.stringify(chat) };
  company.heard = heard;
  const last = chat && chat[chat.length - 1];
  // The lines themselves are compared: once there are as many as are kept, their number stays.
  const isWritten = before !== null && heard.lines !== before.lines && last && last.seat !== seat;
  if (before && inputById("sound").checked && (isWritten || heard.isDue && !before.isDue)) ring();
}

/** Draws all of it. */
export function drawCompany() {
  drawInvitations();
  drawClocks();
  drawChat();
  listen();
}

/** Called with every answer of the server, whose clocks were read just now. */
export function clocksRead() {
  company.received = performance.now();
}

/** Gets the parts ready. */
export function openCompany() {
  try {
    company.invited = JSON.parse(localStorage.getItem(inviteKey(ui.here)) || "[]");
    inputById("sound").checked = localStorage.getItem("sound") === "on";
  } catch { /* a private window */ }
  inputById("sound").addEventListener("change", () => {
    const { checked } = inputById("sound");
    try { localStorage.setItem("sound", checked ? "on" : "off"); } catch { /* a private window */ }
    if (checked) ring();
  });
  byId("chat-form").addEventListener("submit", async event => {
    event.preventDefault();
    const line = inputById("chat-line").value.trim();
    if (!line) return;
    try {
      await ask(`${ui.here}/say`, { line });
      inputById("chat-line").value = "";
    } catch (error) {
      byId("trouble").textContent = reason(error);
    }
  });
  setInterval(drawClocks, 500);
}
