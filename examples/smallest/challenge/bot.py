#!/usr/bin/env python3
"""The smallest player of the challenge card game: the lowest card that wins the trick, else the lowest one.

`bot.py HOST:PORT`. It never offers a challenge, and accepts one with high cards. The protocol is in
docs/rules/challenge.md.
"""

import json
import socket
import struct
import sys


def exactly(count):
    """So many bytes, however many reads they take."""
    data = b""
    while len(data) < count:
        part = server.recv(count - len(data))
        if not part:
            sys.exit(0)  # the server has gone; a client in a contest connects again after 5 s
        data += part
    return data


def response(request):
    state = request["state"]
    hand, on_table = state["hand"], state.get("card", 0)
    if request["request"] == "challenge_offered":
        is_good = sum(hand) > 8 * len(hand)
        return {"type": "accept_challenge" if is_good else "reject_challenge"}
    winners = [card for card in hand if card > on_table]
    return {"type": "play_card", "card": min(winners or hand)}


host, port = sys.argv[1].rsplit(":", 1)
server = socket.create_connection((host, int(port)))
while True:
    (length,) = struct.unpack(">I", exactly(4))
    message = json.loads(exactly(length))
    if message["type"] == "request":
        move = {"type": "move", "request_id": message["request_id"], "response": response(message)}
        data = json.dumps(move).encode()
        server.sendall(struct.pack(">I", len(data)) + data)
    elif message["type"] == "error":
        sys.exit(f"the server says: {message['message']}")
