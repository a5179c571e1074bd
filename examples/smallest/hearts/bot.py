#!/usr/bin/env python3
"""The smallest player of Hearts Server: the lowest card that the rules allow.

`bot.py IN OUT`: the pipe to read and the pipe to write, which must be there. The protocol is in docs/rules/hearts.md.
"""

import sys

HEARTS, TWO_OF_CLUBS, QUEEN_OF_SPADES = 1, 29, 67


def receive():
    """The next message: a length, seven bits a byte and the lowest first, then a text that ends with a NUL."""
    length = shift = 0
    more = True
    while more:
        byte = reads.read(1)
        if not byte:
            sys.exit("the server has closed its pipe")
        length |= (byte[0] & 127) << shift
        shift += 7
        more = byte[0] > 127
    return reads.read(length).split(b"\0")[0].decode()


def send(text):
    data = text.encode() + b"\0"  # shorter than 128 bytes
    writes.write(bytes([len(data)]) + data)
    writes.flush()


def is_point(card):
    return card // 14 == HEARTS or card == QUEEN_OF_SPADES


def legal():
    cards = [card for card in hand if card]
    if TWO_OF_CLUBS in cards:
        return [TWO_OF_CLUBS]  # it leads the first trick
    if not trick:
        return [card for card in cards if broken or card // 14 != HEARTS] or cards
    suit = [card for card in cards if card // 14 == trick[0] // 14]
    return suit or [card for card in cards if not (first and is_point(card))] or cards


def see(card):
    """A card is on the table, also an own one."""
    global trick, broken, first
    trick.append(card)
    broken = broken or is_point(card)
    if len(trick) == players:
        trick, first = [], False


reads = open(sys.argv[1], "rb")
writes = open(sys.argv[2], "wb")
while (text := receive()) != "4":
    if text == "0":
        send("smallest")
    elif text == "1":
        card = min(legal(), key=lambda card: card % 14)
        index = hand.index(card)
        hand[index] = 0  # the others keep their index
        see(card)
        send(str(index))
    elif text[0] == "2":
        see(int(text.split(",")[1]))
    elif text[0] == "3":
        players, _me, _turn, *hand = [int(number) for number in text[1:].split(",") if number]
        trick, broken, first = [], False, True
