// Shared by the page of the contest and the page of a game: requests to the server, phases in words, names.

/** Asks the server for JSON; `null` if it does not answer.
 * @param {string} address
 * @returns {Promise<{ status: number, data: any } | null>} */
export async function ask(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    return { status: answer.status, data: await answer.json() };
  } catch {
    return null;
  }
}

/** The phases of a contest, in words.
 * @type {Record<string, string>} */
export const PHASES = {
  open: "open play", last_hour: "the last hour: all teams play", closing: "games under way are finished",
  final: "the final", over: "the contest is over",
};

/** The name of a game's player: its own, or the contest's, or its number.
 * @param {Record<number, string>} names @param {{ names?: string[], teams: number[] }} game @param {number} seat */
export function nameOf(names, game, seat) {
  return (game.names && game.names[seat]) || names[game.teams[seat]] || `team ${game.teams[seat]}`;
}
