// Cartagena as its pages know it.

/** Cards by symbol. */
export type Cards = Record<string, number>;

/** An action of a record, or of a table's log. Places are counted from the cell, 0, to the boat. */
export interface Action {
  /** From 0. */
  player: number;
  pass?: boolean;
  from: number;
  to: number;
  /** The symbol played; empty for a retreat. */
  card: string;
  /** The symbols drawn; `?` for what is not seen. */
  drawn: string;
  /** The number of the turn, from 1. */
  turn?: number;
  /** Which of the turn's actions it is, from 1. */
  nth?: number;
}

/** A position. */
export interface State {
  /** The places of each player's pirates. */
  places: number[][];
  hands: Cards[];
  discards: Cards;
  pile: number;
  toMove: number;
  /** Actions taken in the turn. */
  taken: number;
  /** Who has left the game. */
  left: boolean[];
}

/** A participant's mistake. */
export interface Fault { p: number; a: number; forfeit?: boolean; kind: string; detail: string }

/** An action that was bad: its number, what it loses in thousandths, its grade, and what was better. */
export type Bad = [number, number, "doubtful" | "mistake" | "blunder", string];

/** A game of a report; see `report/replay.rs`. */
export interface Game {
  id: string;
  board: string;
  /** Pirates of each player. */
  n: number;
  hands: string[];
  /** The programs by seat. */
  p: number[];
  /** The actions. */
  a: string;
  ms: number[];
  turns: number;
  /** The winner, from 1; 0 if the game was stopped. */
  w: number;
  f?: Fault[];
  x?: { c: number[]; bad: Bad[] };
}

/** All games of a report. */
export interface Games { programs: string[]; games: Game[]; grades: [string, number][] }

/** A game with the position after each action. */
export interface Unrolled { actions: Action[]; positions: State[]; boat: number }

/** Where something is on the picture, in pixels. */
export interface Spot { x: number; y: number }
/** Where pirates stand on a picture, and how large they are. */
export interface Stand extends Spot { r: number }
/** Where everything lies on a board: lengths in pixels. */
export interface Layout {
  places: (Spot & { wide?: boolean; row: number })[];
  slots: (Spot & { row: number })[];
  w: number;
  h: number;
  width: number;
  height: number;
}
/** `spots[place][player]`. */
export type Spots = Record<number, Record<number, Stand>>;
/** A picture of the board, and the pirate that has just moved on it. */
export interface Picture { root: SVGSVGElement; moved: { dx: number; dy: number; at: Spot } | null }
