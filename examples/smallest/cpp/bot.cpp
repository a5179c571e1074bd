// The smallest program for Cartagena that stays: it answers every question that its input holds.
//
// It advances the pirate farthest back by its first card; without cards it retreats the foremost that can.

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

const int PIRATES = 6;

Words words(const std::string &line) {
    std::istringstream in(line);
    Words found;
    for (std::string word; in >> word;) found.push_back(word);
    return found;
}

// The action for a game so far; an empty line ends the turn.
std::string answer(const std::vector<Words> &lines) {
    std::vector<std::vector<int>> pirates(std::stoi(lines[0][0]), std::vector<int>(PIRATES, 0));
    Words board;  // the symbol of every place, from the cell on
    std::size_t at = 1;
    do board.push_back(lines[at][0]);
    while (lines[at++][0] != "boat");
    const int boat = static_cast<int>(board.size()) - 1;
    for (; lines[at].size() > 1; ++at) {  // a move; its card is gone
        auto &places = pirates[std::stoi(lines[at][0]) - 1];
        *std::find(places.begin(), places.end(), std::stoi(lines[at][1])) = std::stoi(lines[at][2]);
    }
    const std::string player = lines[at][0];
    Words hand;
    while (++at < lines.size()) hand.push_back(lines[at][0]);

    std::vector<int> standing(board.size(), 0);
    for (const auto &places : pirates) {
        if (*std::min_element(places.begin(), places.end()) == boat) return "";  // the game is over
        for (int place : places) ++standing[place];
    }
    auto own = pirates[std::stoi(player) - 1];
    std::sort(own.begin(), own.end());
    std::ostringstream out;
    if (!hand.empty()) {
        // The first empty space ahead with the card's symbol, else the boat.
        int end = own[0] + 1;
        while (end < boat && (board[end] != hand[0] || standing[end] > 0)) ++end;
        out << player << ' ' << own[0] << ' ' << end << ' ' << hand[0];
        return out.str();
    }
    for (auto start = own.rbegin(); start != own.rend(); ++start) {
        // The nearest space behind with one or two pirates.
        for (int end = *start - 1; end > 0; --end) {
            if (standing[end] == 1 || standing[end] == 2) {
                out << player << ' ' << *start << ' ' << end;
                return out.str();
            }
        }
    }
    return "";
}

int main() {
    std::vector<Words> lines;
    std::string line;
    for (bool more = true; more;) {
        more = static_cast<bool>(std::getline(std::cin, line));
        const Words found = more ? words(line) : Words{};
        if (!found.empty()) {
            lines.push_back(found);
        } else if (!lines.empty()) {
            std::cout << answer(lines) << std::endl;  // it is sent at once
            lines.clear();
        }
    }
}
