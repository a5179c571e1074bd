### Tricky Eights.

eights-level-1 = Newcomer
eights-level-1-summary = follows suit, and hopes
eights-level-2 = Guest
eights-level-2-summary = knows what wins, and forgets it
eights-level-3 = Neighbour
eights-level-3-summary = takes tricks when they are cheap
eights-level-4 = Regular
eights-level-4-summary = loses sight of a card now and then
eights-level-5 = Bookkeeper
eights-level-5-summary = counts the cards
eights-level-6 = Host
eights-level-6-summary = weighs how the cards may lie
eights-level-7 = Fox
eights-level-7-summary = weighs it longer
eights-level-8 = Old hand
eights-level-8-summary = makes few mistakes
eights-level-9 = Expert
eights-level-9-summary = makes hardly any
eights-level-10 = Master
eights-level-10-summary = plays as the strongest, in a hurry
eights-level-11 = Shark
eights-level-11-summary = reads the others' hands from their play

eights-opens = A line of a match's record, the file of a table with a line for each round, the server's log, the lines that a program was sent, or a position: what everybody holds (? for a card that chance chooses), the open cards, the cards taken and played since the deal, the points before the round. Players count from 1: north, east, south, west.
eights-about = A trick-taking game in which open cards are taken first, and eights count. For 4.
