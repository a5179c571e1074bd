#!/usr/bin/env python3
"""The smallest player of Tricky Eights: the highest card of the pool, then the highest card that the rules allow.

The protocol is in docs/rules/eights.md.
"""

import sys

RANKS = "23456789tjqka"


def rank(card):
    return RANKS.index(card[1])


def before_me(words):
    """The cards of those who acted before the own seat, in order."""
    return words[1 : words.index(me) : 2]


me, hand, pool = "", [], []
for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "starthand":
        me, hand, pool = words[0], words[1:11], words[11:23]
    elif command == "take":
        free = [card for card in pool if card not in before_me(words)]
        card = max(free, key=rank)
        hand.append(card)
        print(card, flush=True)
    elif command == "aftertake":
        pool = [card for card in pool if card not in words]
    elif command == "play":
        played = before_me(words)
        suit = [card for card in hand if played and card[0] == played[0][0]]
        card = max(suit or hand, key=rank)
        hand.remove(card)
        print(card, flush=True)
