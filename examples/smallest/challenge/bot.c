/* The smallest player of the challenge card game: the lowest card that wins the trick, else the lowest one.

   `bot HOST:PORT`. It never offers a challenge, and accepts one with high cards. The protocol is in
   docs/rules/challenge.md. Build it: cc -O2 -o bot bot.c */

#define _POSIX_C_SOURCE 200112L
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Reads so many bytes, however many reads they take; 0 if the server has gone. */
static int exactly(int server, char *data, size_t count) {
    while (count > 0) {
        ssize_t part = read(server, data, count);
        if (part <= 0) return 0;
        data += part, count -= (size_t)part;
    }
    return 1;
}

/* What follows a key of a JSON object; NULL without it. It does for numbers and lists of them. */
static char *value(char *text, const char *key) {
    char *at = strstr(text, key);
    return at ? at + strlen(key) + strspn(at + strlen(key), ": [") : NULL;
}

static int connected(char *address) {
    char *port = strrchr(address, ':');
    struct addrinfo hints = {0}, *found;
    int server;
    if (!port) return -1;
    *port = 0;
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(address, port + 1, &hints, &found)) return -1;
    server = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    return connect(server, found->ai_addr, found->ai_addrlen) ? -1 : server;
}

int main(int count, char **arguments) {
    static char text[1 << 16], answer[4 + 256];
    int server = count > 1 ? connected(arguments[1]) : -1;
    unsigned char head[4];
    if (server < 0) return fputs("bot HOST:PORT: cannot connect\n", stderr), 2;
    while (exactly(server, (char *)head, 4)) {
        size_t length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        if (length >= sizeof text || !exactly(server, text, length)) return 1;
        text[length] = 0;
        char *id = value(text, "\"request_id\""), *at = value(text, "\"hand\""), *card = value(text, "\"card\"");
        if (!id || !at) continue; /* no request */
        long on_table = card ? atol(card) : 0, winner = 0, lowest = 0, sum = 0, cards = 0;
        for (char *end; *at != ']'; at = end + strspn(end, ", ")) {
            long own = (long)strtod(at, &end);
            if (end == at) return 1;
            if (!lowest || own < lowest) lowest = own;
            if (own > on_table && (!winner || own < winner)) winner = own;
            sum += own, cards++;
        }
        char response[64];
        if (strstr(text, "\"challenge_offered\""))
            sprintf(response, "\"%s_challenge\"", sum > 8 * cards ? "accept" : "reject");
        else
            sprintf(response, "\"play_card\",\"card\":%ld", winner ? winner : lowest);
        int size = snprintf(answer + 4, 256, "{\"type\":\"move\",\"request_id\":%.*s,\"response\":{\"type\":%s}}",
                            (int)strcspn(id, ",} "), id, response);
        answer[0] = answer[1] = 0, answer[2] = (char)(size >> 8), answer[3] = (char)size;
        if (write(server, answer, (size_t)size + 4) != size + 4) return 1; /* one write a frame */
    }
    return 0;
}
