// The data of the contest's pages, as `web/mod.rs`, `summary.rs` and `snapshot.rs` of this crate write it.

export type Pair = [number, number];
export type Names = Record<number, string>;

/** An entry of a game's record, see `crates/games/src/challenge/record`. Its fields depend on the type. */
export type GameEvent = { type: string } & Record<string, any>;

/** The data of a game's page: the record of a finished game, the score of one under way, or that it is void. */
export interface GameData {
  players: [string, string];
  entries?: GameEvent[];
  void?: { id: number; teams: Pair };
  live?: { points: Pair; tricks: Pair; hand: number; in_challenge: boolean };
}

/** The position after some of the events. */
export interface Position {
  hand: number;
  cards: [number[], number[]];
  /** The state of each card: `hand`, `table` or `taken`. A card lost by a fault is `cost` for the offender and `gain`
   * for the other player. */
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

/** The state of the contest, a `Snapshot` of its server. */
export interface State {
  phase: string;
  ends_in: number | null;
  games: number;
  teams: Team[];
  live: Live[];
  stages: { seeds: number[]; matches: Match[]; bye: number | null }[];
  champion: number | null;
  placing: number[];
  void: { id: number; teams: number[] }[];
}

/** The data of `/api/state`, which the page asks for again and again. */
export interface Shown { state: State | null; names: Names; recent: Result[]; total: number }

/** Two teams' games against each other. */
export interface Meeting { teams: Pair; wins: Pair }
