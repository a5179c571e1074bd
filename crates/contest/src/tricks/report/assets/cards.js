// Playing cards: a code such as `st` is the ten of spades.

import { element, shape } from "../../../../../arena/src/report/assets/dom.js";

const RANKS = "23456789tjqka";

/** What cards are called; a page in another language says it in its own. */
export const called = {
  /** @type {(card: string) => string} */
  card: card => `${COURT[card[1]] || card[1]} of ${SUITS[card[0]]}`,
};
/** @type {Record<string, string>} */
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
/** @type {Record<string, string>} */
const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
/** @type {Record<string, string>} */
const COURT = { t: "ten", j: "jack", q: "queen", k: "king", a: "ace" };

/** The cards of a text. @param {string | undefined} text */
export const cardsIn = text => text ? text.split(" ") : [];
/** @param {string} card */
const rankOf = card => card[1] === "t" ? "10" : card[1].toUpperCase();
/** Suits in alternating colours, so that neighbours are told apart. @param {string} card */
const orderOf = card => "cdsh".indexOf(card[0]) * 16 + RANKS.indexOf(card[1]);
/** @param {string[]} cards */
export const sorted = cards => [...cards].sort((a, b) => orderOf(a) - orderOf(b));

/** @param {string} suit @param {Record<string, number>} attributes */
const suitMark = (suit, attributes) => shape("use", { href: `#suit-${suit}`, ...attributes });

/** A card as its suit's sign and its rank. @param {string} card */
export const symbolOf = card => SIGNS[card[0]] + rankOf(card);

/** A card as a picture. @param {string} card */
export function cardFace(card) {
  const rank = shape("text", { x: 10.5, y: 21, "text-anchor": "middle", class: rankOf(card) === "10" ? "rank wide" : "rank" }, rankOf(card));
  return shape("svg", { viewBox: "0 0 60 84", class: `face ${card[0]}`, role: "img", "aria-label": called.card(card) },
    shape("rect", { x: 1, y: 1, width: 58, height: 82, rx: 6 }), rank,
    suitMark(card[0], { x: 3.5, y: 26, width: 14, height: 14 }), suitMark(card[0], { x: 20, y: 38, width: 34, height: 34 }));
}

export const cardBack = () => shape("svg", { viewBox: "0 0 60 84", class: "back", "aria-hidden": "true" },
  shape("rect", { x: 1, y: 1, width: 58, height: 82, rx: 6, class: "edge" }), shape("rect", { x: 7, y: 7, width: 46, height: 70, rx: 3, class: "inside" }),
  shape("path", { d: "M7 30 30 7 53 30M7 54 30 77 53 54M7 42 30 19 53 42 30 65z", class: "lines" }));

/** A card in a line of text. @param {string} card */
export const cardInline = card => element("span", { class: `inline ${card[0]}`, role: "img", "aria-label": called.card(card) },
  rankOf(card), shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, suitMark(card[0], {})));
