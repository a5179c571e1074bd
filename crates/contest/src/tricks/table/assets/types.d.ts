// Trick-taking games as the server of tables shows them. A card is a suit and a rank: `st` is the ten of spades.

import type { Entry, View } from "../../../../../tables/src/assets/types.d.ts";

/** A line of the log: a deal, a card taken, passed or played, a trick won, or a round's end. */
export interface Done extends Entry {
  /** The round that is dealt, from 1, with its hands (none for those that are not seen) and open cards. */
  deal?: number;
  hands?: (string | null)[];
  pool?: string;
  card?: string;
  /** Whether the card was taken from the open ones. */
  took?: boolean;
  /** A card chosen to be passed; null if somebody else has chosen it. */
  pass?: string | null;
  /** The passed cards by giver, as far as they are seen, after they have changed hands. */
  exchange?: (string | null)[];
  /** How many seats further they went. */
  by?: number;
  /** The points of a trick. */
  trick?: number;
  winner?: number;
  /** The round that is over. */
  end?: number;
  /** What each gets for the round. */
  points?: number[];
  /** What each has taken in it. */
  taken?: number[];
}

/** A card that was played or taken. */
export interface Played extends Done { player: number; card: string }
/** Cards that have changed hands. */
export interface Exchanged extends Done { exchange: (string | null)[]; by: number }
/** A trick that was won. */
export interface Won extends Done { winner: number; trick: number }
/** A round that is over. */
export interface Ended extends Done { end: number; points: number[]; taken: number[] }

export interface Game extends View {
  log: Done[];
  earlier: number;
  players: number;
  /** Cards dealt to each. */
  dealt: number;
  /** The results of rounds that are over. */
  rounds: number[][];
  /** The points of each before the first of these rounds. */
  before: number[];
  /** Whether open cards are being taken. */
  taking: boolean;
  /** Who gets the own cards while cards are passed; null otherwise. */
  passing: number | null;
  legal: string[];
  /** The points at which the game ends. */
  goal: number;
  /** Whether the fewest points win. */
  low: boolean;
  winner: number | null;
}

/** What lies on the table after so many entries of the log. */
export interface Position {
  round: number;
  hands: (string[] | null)[];
  sizes: number[];
  /** Cards that all have seen somebody take. */
  known: string[][];
  pool: string[];
  /** The cards that the own seat has chosen to pass, and those that it has got for them. */
  passed: string[];
  received: string[];
  newest: Played | null;
  trick: Played[];
  won: Won | null;
  last: { cards: Played[]; winner: number; trick: number } | null;
  points: number[];
  tricks: number[];
  totals: number[];
  results: number[][];
  end: Ended | null;
}
