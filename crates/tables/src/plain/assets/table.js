// Any game at a table: the picture that the server draws, and a button for every action.

import { byId, element, refill } from "../../../../arena/src/report/assets/dom.js";
import { fullName, isCaughtUp } from "../../assets/state.js";
import { act, open } from "../../assets/table.js";
import { figure, say } from "../../assets/texts.js";

/** @typedef {import("../../assets/types.d.ts").Entry & { words: string }} Done */
/** @typedef {Omit<import("../../assets/types.d.ts").View, "legal"> & { picture: string, legal: { action: string }[], returns: number[], log: Done[] }} Game */
/** @typedef {import("../../assets/types.d.ts").Now<Game>} Now */

/** @param {Now} now @param {number} _seen @param {import("../../assets/types.d.ts").Drawing} drawing */
function drawTable(now, _seen, { open: mayAct }) {
  // An earlier picture is not known: the last one comes when everything has been played out.
  if (isCaughtUp() || !byId("board").firstChild) {
    const picture = new DOMParser().parseFromString(now.game.picture, "image/svg+xml").documentElement;
    byId("board").replaceChildren(document.importNode(picture, true));
  }
  refill("players", ...now.names.map((_, seat) => element("div", { class: "score" }, element("b", {}, fullName(now, seat)))));
  byId("ask").replaceChildren(...now.game.legal.map(({ action }) => {
    const button = element("button", { type: "button", "data-action": action }, action);
    button.disabled = !mayAct;
    button.addEventListener("click", () => act(action));
    return button;
  }));
}

/** @param {Now} now @param {Done} done */
const said = (now, done) => [say("plain-did", { name: done.player === null ? "" : now.names[done.player], words: done.words })];

const dueText = () => say("plain-due");

/** @param {Now} now */
const overText = now => now.names.map((name, seat) => `${name} ${figure(now.game.returns[seat], 2)}`).join(", ");

open({ drawTable, said, begins: () => false, dueText, overText });
