// Types of the data in the pages of reports and tables.

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
  /** The symbols drawn; a `?` for each card that may not be seen. */
  drawn: string;
  /** The number of the turn, from 1. */
  turn?: number;
  /** Its number within the turn, from 1. */
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
  /** For each player, whether it has forfeited. */
  left: boolean[];
}

/** A participant's mistake. */
export interface Fault { p: number; a: number; forfeit?: boolean; kind: string; detail: string }

/** An action with a grade: its number, the loss in thousandths, the grade, and the better action. */
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
  /** The actions as words with blanks between them. */
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

/** The middle of something on the picture, in pixels. */
export interface Spot { x: number; y: number }
/** The spot of a pirate, and its radius. */
export interface Stand extends Spot { r: number }
/** The layout of a board: its places and the slots of its track. `w` and `h` are the size of a slot, all in pixels. */
export interface Layout {
  places: (Spot & { wide?: boolean; row: number })[];
  slots: (Spot & { row: number })[];
  w: number;
  h: number;
  width: number;
  height: number;
}
/** The spot of a player's pirates on a place: `spots[place][player]`. */
export type Spots = Record<number, Record<number, Stand>>;
/** A picture of the board, and the pirate that has just moved on it. */
export interface Picture { root: SVGSVGElement; moved: { dx: number; dy: number; at: Spot } | null }
