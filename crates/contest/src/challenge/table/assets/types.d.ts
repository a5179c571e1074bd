// The challenge card game as the server of tables shows it.

import type { Entry, View } from "../../../../../tables/src/assets/types.d.ts";

/** An entry of the log. Its fields depend on `what`. */
export interface Done extends Entry {
  what: "deal" | "play" | "offer" | "accept" | "reject" | "trick" | "hand" | "game";
  player: number;
  /** In a deal: the number of the hand, its leader, and the cards of both players; `null` if they are hidden. */
  hand: number;
  lead: number;
  hands: (number[] | null)[];
  /** The rank of the card played. */
  card: number;
  /** The player who took the trick, has the point, or won the game; `null` if nobody did. */
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

/** An action of the advice for drawing: the card or the call. */
export interface Picture { card?: number; action?: string }

/** The position after some entries of the log. */
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
