"""Cartagena in plain Python: the rules to be read, and the oracle of the package's own.

A game is a board of symbols (``bdghks``), hands, and places from 0, the cell, to the boat. The caller
names the cards that are drawn: no player knows the order of the draw pile.
"""

SYMBOLS = "bdghks"
COPIES = 17
PIRATES = 6
ACTIONS_A_TURN = 3
PASS = PIRATES * (len(SYMBOLS) + 1)


class Cartagena:
    """A game that is played."""

    def __init__(self, board, players=2, deal=3, max_turns=500):
        self.board = board
        self.boat = len(board) + 1
        self.players = players
        self.deal = deal
        self.max_turns = max_turns
        self.hands = [dict.fromkeys(SYMBOLS, 0) for _ in range(players)]
        self.pirates = [[0] * PIRATES for _ in range(players)]
        self.discards = dict.fromkeys(SYMBOLS, 0)
        self.pile = dict.fromkeys(SYMBOLS, COPIES)
        self.to_move = 0
        self.taken = 0
        self.turns = 0
        # The players who draw the next cards, in order.
        self.drawing = [player for player in range(players) for _ in range(deal)]
        self.retreat = None

    def standing_on(self, place):
        """The number of pirates on a space, of all players."""
        return sum(pirates.count(place) for pirates in self.pirates)

    def winner(self):
        """The player whose pirates are all on the boat, or None."""
        for player, pirates in enumerate(self.pirates):
            if all(place == self.boat for place in pirates):
                return player
        return None

    def is_over(self):
        return not self.drawing and (
            self.winner() is not None or (self.taken == 0 and self.turns >= self.max_turns)
        )

    def advance(self, place, symbol):
        """The place to which a card takes a pirate: the first empty space ahead with that symbol, else the boat."""
        for space in range(place + 1, self.boat):
            if self.board[space - 1] == symbol and self.standing_on(space) == 0:
                return space
        return self.boat

    def back(self, place):
        """The place to which a pirate retreats: the nearest space behind that holds one or two pirates."""
        for space in range(min(place, self.boat) - 1, 0, -1):
            if 1 <= self.standing_on(space) <= 2:
                return space
        return None

    def legal(self):
        """The ids of the legal actions, ascending: seven for each pirate from the rear, and a pass."""
        if self.drawing or self.is_over():
            return []
        ids = []
        pirates = sorted(self.pirates[self.to_move])
        hand = self.hands[self.to_move]
        for slot, place in enumerate(pirates):
            if slot > 0 and pirates[slot - 1] == place:
                continue  # Pirates on one place are one choice.
            first = slot * (len(SYMBOLS) + 1)
            if place != self.boat:
                for number, symbol in enumerate(SYMBOLS):
                    if hand[symbol] > 0:
                        ids.append(first + number)
            if self.back(place) is not None:
                ids.append(first + len(SYMBOLS))
        return ids or [PASS]

    def outcomes(self):
        """The cards that may be drawn next, with the number of each."""
        if not self.drawing:
            return {}
        source = self.pile if any(self.pile.values()) else self.discards
        return {symbol: count for symbol, count in source.items() if count > 0}

    def draw(self, symbol):
        """Gives the next card to the player who is drawing."""
        if not any(self.pile.values()):
            self.pile, self.discards = self.discards, self.pile
        self.pile[symbol] -= 1
        self.hands[self.drawing.pop(0)][symbol] += 1
        if not self.drawing and self.retreat is not None:
            place, space = self.retreat
            self.retreat = None
            self.move(place, space)

    def act(self, action):
        """Takes an action by its id."""
        if action == PASS:
            self.end_turn()
            return
        slot, what = divmod(action, len(SYMBOLS) + 1)
        place = sorted(self.pirates[self.to_move])[slot]
        if what < len(SYMBOLS):
            symbol = SYMBOLS[what]
            self.hands[self.to_move][symbol] -= 1
            self.discards[symbol] += 1
            self.move(place, self.advance(place, symbol))
            return
        space = self.back(place)
        cards = sum(self.pile.values()) + sum(self.discards.values())
        self.drawing = [self.to_move] * min(self.standing_on(space), cards)
        self.retreat = (place, space)
        if not self.drawing:
            self.retreat = None
            self.move(place, space)

    def move(self, place, space):
        pirates = self.pirates[self.to_move]
        pirates[pirates.index(place)] = space
        self.taken += 1
        if self.winner() is None and self.taken == ACTIONS_A_TURN:
            self.end_turn()

    def end_turn(self):
        self.taken = 0
        self.turns += 1
        self.to_move = (self.to_move + 1) % self.players
