// What the server of tables says, as its pages use it.

/** A text to be said in the reader's language: its name in the catalogue and what stands in it; or the text itself. */
export type Text = string | { id: string; args: Record<string, Text | number> };

/** The address and the number of a seat at this screen, and how much of the log whoever sits there has seen. */
export interface SeatHere { address: string; number: number; seen: number | null }

/** Something that was done: a line of the log. */
export interface Entry {
  /** The seat that did it; none for what nobody does. */
  player: number | null;
  /** Milliseconds that it is to be looked at, if longer than usual. */
  pause?: number;
}

/** A game as a seat sees it; the rest is the game's own. */
export interface View {
  log: Entry[];
  /** Entries before those in the log, if it is not whole. */
  earlier?: number;
  /** Whether the turn may be ended early. */
  may_end?: boolean;
  /** The actions that whoever looks may take. */
  legal: (string | { action: string })[];
}

/** Seconds for each action, or for the whole game. */
export type TimeLimit = { action: number } | { game: number };

/** What values are: of `penalty`, fewer points are better, and they are sent as negative numbers. */
export type Unit = "chance" | "points" | "penalty";

/** What a table says to a seat or an onlooker. */
export interface Now<Game extends View = View> {
  version: number;
  seat: number | null;
  names: string[];
  people: boolean[];
  to_move: number | null;
  over: boolean;
  /** The seats of people who have resigned. */
  resigned: number[];
  /** Events of the table, each with how many entries the log had before. */
  remarks: { what: "resigned" | "time_up"; seat: number; after: number }[];
  /** It changes when somebody comes or writes. */
  news: number;
  /** Whose page has been opened. */
  came: boolean[];
  /** Milliseconds that each seat has left, and whose clock runs. */
  clocks: { limit: TimeLimit; left: number[]; running: number | null } | null;
  /** What people have written, the latest last; none if they cannot write here. */
  chat: { seat: number; text: string }[] | null;
  /** The seat that alone has won, once the game is over. */
  winner: number | null;
  can_resign: boolean;
  has_record: boolean;
  has_page: boolean;
  actions: number;
  unit: Unit;
  stuck: Text | null;
  from: number | null;
  /** The rules in addition to the contest's. */
  rules: Text[];
  next: string | null;
  can_take_back: boolean;
  /** Whether the table gives hints to those who play. */
  hints: boolean;
  can_ask: boolean;
  game: Game;
}

/** The same as it is sent: names are yet to be said. */
export type Sent = Omit<Now, "names"> & { names: Text[] };

export interface Choice { action: string; words: Text }

export interface Candidate<Picture = unknown> extends Choice {
  value: number;
  behind: number;
  then: Text[];
  picture: Picture;
}

export interface Advice<Picture = unknown> { candidates: { picture: Picture }[] }

/** Advice that was asked for. */
export interface FullAdvice extends Advice { candidates: Candidate[] }

export type Grade = "doubtful" | "mistake" | "blunder";

/** An action and what it was worth. */
export interface Judged {
  number: number;
  seat: number;
  taken: Choice;
  value: number | null;
  best: Choice | null;
  picture: unknown;
  loss: number;
  grade: Grade | null;
  is_decision: boolean;
  luck: number | null;
}

/** How a seat has played. */
export interface Account {
  decisions: number;
  rate: number;
  doubtful: number;
  mistakes: number;
  blunders: number;
  luck: number | null;
}

export interface Review { actions: Judged[]; total: number; accounts: Account[]; unit: Unit }

/** A question of a lesson: the number of one's own mistake among all of them, from 0, the last answer, and whether a good
 * one was found or shown. */
export interface Lesson { at: number; isSolved: boolean; tried: Judged | null }

/** Actions that a review marks on the board: the entry of the one that was taken, and a picture of a better one. */
export interface Marked<Picture = unknown> { taken: any; better: Picture | null }

/** How a game's part is to draw it. */
export interface Drawing<Picture = unknown> {
  /** Whether the last entry has just happened. */
  isNew: boolean;
  /** Whether it is to be acted on. */
  open: boolean;
  advice: Advice<Picture> | null;
  marked: Marked<Picture> | null;
}

/** What a game's part does for its table. */
export interface GamePart<Game extends View = View> {
  /** Draws the game after `seen` entries of its log. */
  drawTable(now: Now<Game>, seen: number, drawing: Drawing<any>): void;
  /** An entry of the log in words. */
  said(now: Now<Game>, entry: any): (Node | string)[];
  /** Whether the numbers of turns start again with this entry, as with a deal. */
  begins(entry: any): boolean;
  /** Whether a player may end its turn early. */
  endsTurns?: boolean;
  /** The ids of the places that the hints of a first visit are about; the texts are `GAME-guide-1` and so on. */
  guide?: string[];
  /** Draws a picture of the rules from the data in the page. */
  drawExample?(example: any): Node;
  /** What is due from whoever looks. */
  dueText(now: Now<Game>): string;
  /** How the game has ended if nobody alone has won, and what else is to be said of its end. */
  overText(now: Now<Game>): string;
}

/** A game on the start page. */
export interface GameOffered {
  name: string;
  title: Text;
  /** What it is, in a sentence. */
  about: Text;
  least: number;
  most: number;
  programs: string[];
  opens: Text;
  example: string;
  /** The address of the module that lets people change a position; empty if there is none. */
  editor: string;
  levels: { name: Text; summary: Text }[];
  /** Rules that a table can have in addition. */
  rules: { name: string; words: Text }[];
}

/** Lets people change a position: draws it in a node, and says what it has become. */
export type Edit = (node: HTMLElement, position: unknown, changed: (position: unknown) => void) => void;

/** A game of the host that is over. */
export interface OwnGame {
  table: string;
  title: Text;
  /** Seconds from 1970. */
  at: number;
  names: Text[];
  own: number;
  places: number[];
  rated: boolean;
}

/** The host's rating in a game, with the levels' ratings. */
export interface Rated { title: Text; value: number; margin: number; games: number; levels: { name: Text; value: number }[] }

/** A table with its links, for whoever set it up. */
export interface TableListed {
  id: string;
  game: Text;
  names: Text[];
  links: (string | null)[];
  onlookers: string;
  actions: number;
  /** Seconds from 1970 at which its file was last written. */
  at: number;
  over: boolean;
  from: [string, number] | null;
  /** Why the player that is due has not decided. */
  stuck: string | null;
}
