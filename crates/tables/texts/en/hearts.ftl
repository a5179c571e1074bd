### Hearts.

hearts-level-1 = Newcomer
hearts-level-1-summary = follows suit and hopes
hearts-level-2 = Guest
hearts-level-2-summary = knows what to avoid but often forgets
hearts-level-3 = Regular
hearts-level-3-summary = plays carefully most of the time
hearts-level-4 = Bookkeeper
hearts-level-4-summary = counts the cards
hearts-level-5 = Host
hearts-level-5-summary = weighs how the cards may lie
hearts-level-6 = Shark
hearts-level-6-summary = reads the other hands from the cards played

hearts-opens = You can open a line of a record, from a match or a tournament; the file of a table, with a line for each round; or a position: everybody’s cards (? for one that chance chooses), the cards played since the deal, and the points before the round. Players count from 1.
hearts-about = A trick-taking game: hearts and the queen of spades are penalty points, so avoid them. 3 to 6 players.
hearts-rule-passing = Three cards are passed before each round: left, right, across, not at all

hearts-guide-1 = Your hand lies below the table; the cards that you may play are raised. Follow the suit that was led if you can.
hearts-guide-2 = Hearts are penalty points, and the queen of spades is 13. The fewest points win the game.
hearts-guide-3 = A hint shows how many points you can expect with every card.
hearts-guide-4 = Everything that happens is listed here. Choose a line to see the table as it was then. The rules with pictures are further down.
