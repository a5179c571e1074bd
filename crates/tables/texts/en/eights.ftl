### Tricky Eights.

eights-level-1 = Newcomer
eights-level-1-summary = follows suit and hopes
eights-level-2 = Guest
eights-level-2-summary = knows what wins but often forgets
eights-level-3 = Neighbour
eights-level-3-summary = takes tricks when they are cheap
eights-level-4 = Regular
eights-level-4-summary = loses sight of a card now and then
eights-level-5 = Bookkeeper
eights-level-5-summary = counts the cards
eights-level-6 = Host
eights-level-6-summary = weighs how the cards may lie
eights-level-7 = Fox
eights-level-7-summary = weighs for longer how the cards may lie
eights-level-8 = Old hand
eights-level-8-summary = makes few mistakes
eights-level-9 = Expert
eights-level-9-summary = makes hardly any mistakes
eights-level-10 = Master
eights-level-10-summary = plays like the strongest, with less time
eights-level-11 = Shark
eights-level-11-summary = reads the other hands from the cards played

eights-opens = You can open a line of a record, from a match or a tournament; the file of a table, with a line for each round; the server’s log; the lines that a program was sent; or a position: everybody’s cards (? for one that chance chooses), the open cards, the cards taken and played since the deal, and the points before the round. Players count from 1: north, east, south, west.
eights-about = A trick-taking game: first take open cards, then win tricks, best with eights in them. 4 players.

eights-guide-1 = First everybody in turn takes one of the open cards, three times around. Then tricks are played from the hands: follow the suit that was led if you can.
eights-guide-2 = Each trick counts, the first and the last more than the others, and each eight in it counts two. 300 points win the game.
eights-guide-3 = A hint shows how many points you can expect with every card.
eights-guide-4 = Everything that happens is listed here. Choose a line to see the table as it was then. The rules with pictures are further down.
