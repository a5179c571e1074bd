// The challenge card game as the server of tables shows it.

import type { Entry, View } from "../../../../../tables/src/assets/types.d.ts";

/** A line of the log; what it has depends on what happened. */
export interface Done extends Entry {
  what: "deal" | "play" | "offer" | "accept" | "reject" | "trick" | "hand" | "game";
  player: number;
  /** The number of the hand that is dealt, who leads, and the cards, none for those that are not seen. */
  hand: number;
  lead: number;
  hands: (number[] | null)[];
  /** The rank of the card played. */
  card: number;
  /** Who took a trick, had the point, or won the game; none if nobody did. */
  by: number | null;
  tricks: [number, number];
  points: [number, number];
  /** Cards left of each when the hand is dealt or set up. */
  left: [number, number];
  /** Whether the hand begins with a challenge accepted. */
  accepted: boolean;
}

export interface Game extends View {
  log: Done[];
  /** Points that win. */
  goal: number;
  /** Whether a challenge is to be answered. */
  must_answer: boolean;
  winner: number | null;
  legal: { action: string }[];
}

/** What is drawn of an action in advice. */
export interface Picture { card?: number; action?: string }

/** What lies on the table after so many entries of the log. */
export interface Position {
  hand: number;
  held: (number[] | null)[];
  /** Cards left of each. */
  left: [number, number];
  table: [number | null, number | null];
  taken: number | null;
  /** Whether the trick is over. */
  done: boolean;
  tricks: [number, number];
  points: [number, number];
  challenge: "offered" | "accepted" | "rejected" | null;
  acts: number | null;
}
