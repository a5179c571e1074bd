/* The smallest player of Hearts Server: the lowest card that the rules allow.

   `bot IN OUT`: the pipe to read and the pipe to write, which must be there. The protocol is in
   docs/rules/hearts.md. Build it: cc -O2 -o bot bot.c */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEARTS = 1, TWO_OF_CLUBS = 29, QUEEN_OF_SPADES = 67 };

static int hand[64], cards, players;   /* by index as dealt; 0 for a card that is gone */
static int on_table, led, broken, first;

static int is_point(int card) { return card / 14 == HEARTS || card == QUEEN_OF_SPADES; }

/* The next message; 0 at the end. A length, seven bits a byte and the lowest first, then a text that
   ends with a NUL. */
static int receive(FILE *in, char *text, size_t room) {
    size_t length = 0;
    int byte, shift = 0;
    do {
        if ((byte = getc(in)) == EOF || shift > 14) return 0;
        length |= (size_t)(byte & 127) << shift;
        shift += 7;
    } while (byte > 127);
    text[room - 1] = 0;
    return length < room && fread(text, 1, length, in) == length;
}

static void send(FILE *out, const char *text) { /* shorter than 127 characters */
    putc((int)strlen(text) + 1, out);
    fwrite(text, 1, strlen(text) + 1, out);
    fflush(out);
}

/* How good a card is to play, by the rules alone: those of the highest value are legal. */
static int allowed(int card) {
    if (card == TWO_OF_CLUBS) return 3;
    if (on_table == 0) return card / 14 != HEARTS || broken ? 2 : 1;
    if (card / 14 == led / 14) return 2;
    return first && is_point(card) ? 0 : 1;
}

/* A card is on the table, also an own one. */
static void see(int card) {
    if (on_table++ == 0) led = card;
    broken |= is_point(card);
    if (on_table == players) on_table = first = 0;
}

int main(int count, char **names) {
    char text[1024], *at;
    FILE *in = count > 2 ? fopen(names[1], "rb") : NULL, *out = in ? fopen(names[2], "wb") : NULL;
    if (!out) return fputs("bot IN OUT: two pipes are expected\n", stderr), 2;
    while (receive(in, text, sizeof text) && text[0] != '4') {
        if (text[0] == '0') {
            send(out, "smallest");
        } else if (text[0] == '2') {
            see(atoi(strchr(text, ',') + 1));
        } else if (text[0] == '3') {
            players = text[1] - '0';
            at = strchr(strchr(text, ',') + 1, ','); /* the own number; then who leads */
            for (cards = 0; (at = strchr(at + 1, ',')) && at[1] && cards < 64;) hand[cards++] = atoi(at + 1);
            on_table = broken = 0, first = 1;
        } else if (text[0] == '1') {
            int best = -1, value = -14;
            for (int i = 0; i < cards; i++) {
                int own = allowed(hand[i]) * 14 - hand[i] % 14;
                if (hand[i] && own > value) best = i, value = own;
            }
            if (best < 0) return 1;
            see(hand[best]);
            hand[best] = 0;
            snprintf(text, sizeof text, "%d", best);
            send(out, text);
        }
    }
    return 0;
}
