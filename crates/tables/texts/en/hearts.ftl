### Hearts.

hearts-level-1 = Newcomer
hearts-level-1-summary = follows suit, and hopes
hearts-level-2 = Guest
hearts-level-2-summary = knows what to avoid, and forgets it
hearts-level-3 = Regular
hearts-level-3-summary = ducks, most of the time
hearts-level-4 = Bookkeeper
hearts-level-4-summary = counts the cards
hearts-level-5 = Host
hearts-level-5-summary = weighs how the cards may lie
hearts-level-6 = Shark
hearts-level-6-summary = reads the others' hands from their play

hearts-opens = A line of a match's record, the file of a table with a line for each round, or a position: what everybody holds (? for a card that chance chooses), the cards played since the deal, the points before the round. Players count from 1.
hearts-about = A trick-taking game in which hearts and the queen of spades are to be avoided. For 3 to 6.
