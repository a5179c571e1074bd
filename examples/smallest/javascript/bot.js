// The smallest program for Cartagena that stays: it answers every question that its input holds.
//
// It advances the pirate farthest back by its first card; without cards it retreats the foremost that can.
'use strict';

const PIRATES = 6;

/** The action for a game so far; an empty line ends the turn. */
function answer(lines) {
  const board = lines.slice(1, lines.indexOf('boat') + 1); // the symbol of every place, from the cell on
  const boat = board.length - 1;
  const pirates = Array.from({ length: Number(lines[0]) + 1 }, () => Array(PIRATES).fill(0));
  pirates.shift();
  const rest = lines.slice(1 + board.length).map((line) => line.split(/\s+/));
  while (rest[0].length > 1) { // a move; its card is gone
    const [player, start, end] = rest.shift().slice(0, 3).map(Number);
    pirates[player - 1].splice(pirates[player - 1].indexOf(start), 1, end);
  }
  const player = Number(rest[0][0]);
  const hand = rest.slice(1).map(([card]) => card);
  if (pirates.some((places) => Math.min(...places) === boat)) return ''; // the game is over
  const standing = Array(boat + 1).fill(0);
  for (const place of pirates.flat()) standing[place] += 1;
  const own = [...pirates[player - 1]].sort((a, b) => a - b);
  if (hand.length > 0) {
    // The first empty space ahead with the card's symbol, else the boat.
    let end = own[0] + 1;
    while (end < boat && !(board[end] === hand[0] && standing[end] === 0)) end += 1;
    return `${player} ${own[0]} ${end} ${hand[0]}`;
  }
  for (const start of own.reverse()) {
    // The nearest space behind with one or two pirates.
    for (let end = start - 1; end > 0; end -= 1) {
      if (standing[end] === 1 || standing[end] === 2) return `${player} ${start} ${end}`;
    }
  }
  return '';
}

let lines = [];
function hear(line) {
  if (line.trim()) {
    lines.push(line.trim());
  } else if (lines.length > 0) {
    process.stdout.write(answer(lines) + '\n');
    lines = [];
  }
}

const reader = require('readline').createInterface({ input: process.stdin });
reader.on('line', hear);
reader.on('close', () => hear(''));
