// The smallest program for Cartagena that stays: it answers every question that its input holds.
//
// It advances the pirate farthest back by its first card; without cards it retreats the foremost that can.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public final class Bot {
    private static final int PIRATES = 6;

    /** The action for a game so far; an empty line ends the turn. */
    static String answer(List<String> lines) {
        List<String> board = lines.subList(1, lines.indexOf("boat") + 1); // a symbol a place, from the cell on
        int boat = board.size() - 1;
        int[][] pirates = new int[Integer.parseInt(lines.get(0))][PIRATES];
        int at = 1 + board.size();
        for (String[] move; (move = lines.get(at).split("\\s+")).length > 1; at++) { // its card is gone
            int[] places = pirates[Integer.parseInt(move[0]) - 1];
            int pirate = 0;
            while (places[pirate] != Integer.parseInt(move[1])) {
                pirate++;
            }
            places[pirate] = Integer.parseInt(move[2]);
        }
        String player = lines.get(at);
        List<String> hand = lines.subList(at + 1, lines.size());

        int[] standing = new int[boat + 1];
        for (int[] places : pirates) {
            if (Arrays.stream(places).allMatch(place -> place == boat)) {
                return ""; // the game is over
            }
            for (int place : places) {
                standing[place]++;
            }
        }
        int[] own = pirates[Integer.parseInt(player) - 1];
        Arrays.sort(own);
        if (!hand.isEmpty()) {
            // The first empty space ahead with the card's symbol, else the boat.
            int end = own[0] + 1;
            while (end < boat && !(board.get(end).equals(hand.get(0)) && standing[end] == 0)) {
                end++;
            }
            return player + " " + own[0] + " " + end + " " + hand.get(0);
        }
        for (int pirate = PIRATES - 1; pirate >= 0; pirate--) {
            // The nearest space behind with one or two pirates.
            for (int end = own[pirate] - 1; end > 0; end--) {
                if (standing[end] == 1 || standing[end] == 2) {
                    return player + " " + own[pirate] + " " + end;
                }
            }
        }
        return "";
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        List<String> lines = new ArrayList<>();
        String line;
        do {
            line = in.readLine();
            if (line != null && !line.isBlank()) {
                lines.add(line.trim());
            } else if (!lines.isEmpty()) {
                System.out.println(answer(lines)); // it is sent at once
                lines.clear();
            }
        } while (line != null);
    }
}
