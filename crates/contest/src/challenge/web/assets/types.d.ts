// The challenge contest as its server tells of it; see `challenge/web/archive.rs` and `challenge/snapshot.rs`.

export type Pair = [number, number];
export type Names = Record<number, string>;

/** An event of a game, as the protocol names its fields; which there are depends on the type. */
export type GameEvent = { type: string } & Record<string, any>;

/** What a game's page shows: its events, or how it stands. */
export interface GameData {
  players: [string, string];
  entries?: GameEvent[];
  void?: boolean;
  live?: { points: Pair; tricks: Pair; hand: number; in_challenge: boolean };
}

/** What lies on the table after so many events. */
export interface Position {
  hand: number;
  cards: [number[], number[]];
  /** Where each card is: `hand`, `table`, `taken`, and what a penalty did, `cost` or `gain`. */
  states: [string[], string[]];
  table: [number | null, number | null];
  tricks: Pair;
  points: Pair;
  round: Pair | null;
  acts: number | null;
  challenge: string | null;
  kind: string;
  text: string;
  fault: boolean;
  winner: number | null;
}

export interface Team { id: number; online: boolean; won: number; lost: number; rating: number; margin: number; rounds_won: number; rounds_lost: number }

/** A game that is over. */
export interface Result {
  id: number;
  teams: Pair;
  names?: string[];
  winner: number;
  points: Pair;
  hands: number;
  round: Pair | null;
  is_final: boolean;
  by_challenge: boolean;
  faults: number;
}

/** A game under way. */
export interface Live { id: number; teams: Pair; names?: string[]; points: Pair; tricks: Pair; hand: number; round: Pair; is_final: boolean; in_challenge: boolean }

/** A match of the final. */
export interface Match { teams: Pair; games: Pair; winner: number | null }

/** How the contest stands. */
export interface State {
  phase: string;
  ends_in: number | null;
  games: number;
  teams: Team[];
  live: Live[];
  stages: { seeds: number[]; matches: Match[]; bye: number | null }[];
  champion: number | null;
  void: { id: number; teams: number[] }[];
}

/** What the page asks for again and again. */
export interface Shown { state: State | null; names: Names; recent: Result[]; total: number }

/** Two teams' games against each other. */
export interface Meeting { teams: Pair; wins: Pair }
