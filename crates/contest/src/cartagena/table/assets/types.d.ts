// Types of the data that the server of tables sends to the page of a table of Cartagena.

import type { Entry, View } from "../../../../../tables/src/assets/types.d.ts";

/** An action that was taken. */
export interface Done extends Entry {
  player: number;
  pass?: boolean;
  from: number;
  to: number;
  card: string;
  drawn: string;
}

/** An action that may be taken. */
export interface Legal { action: string; from: number; to: number; card: string; draws: number }

export interface Game extends View {
  log: Done[];
  board: string;
  pirates: number;
  places: number[][];
  hands: (string | null)[];
  hand_sizes: number[];
  discards: string;
  pile: number;
  taken: number;
  winner: number | null;
  legal: Legal[];
}

/** The part of an advised action that the page draws. */
export interface Picture { pass?: boolean; from: number; to: number; card: string; draws: number }

/** The part of an action that the player has chosen so far. */
export interface Chosen { card?: string; from?: number; to?: number }

/** A picture of the rules: a board and an action of a player, from 0. */
export interface Example { board: string; places: number[][]; player: number; move: { from: number; to: number; card: string; draws: number } }
