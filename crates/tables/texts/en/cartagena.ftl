### Cartagena.

cartagena-title = Cartagena
cartagena-symbol = { $symbol ->
    [b] bottle
    [d] dagger
    [g] gun
    [h] hat
    [k] keys
   *[s] skull
  }
cartagena-cell = cell
cartagena-boat = boat
cartagena-board = Board
cartagena-the-cell = the cell
cartagena-the-boat = the boat

cartagena-advance = { cartagena-symbol }: from { $from } to { $to }
cartagena-retreat = back from { $from } to { $to }, draw { $n }
cartagena-back = back from { $from } to { $to }
cartagena-pass = end the turn
cartagena-or = { ", or " }
cartagena-own-pirate = your pirate: { $place }
cartagena-actions = Actions
cartagena-no-cards = You have no cards. Go back to draw some; if no pirate can move, end your turn.
cartagena-no-cards-now = You have no cards.
cartagena-undecided = The game ends without a winner: nobody can move any more, or it has lasted too long.
cartagena-winner = winner
cartagena-action = action { $n } of 3
cartagena-home = { $n } of { $of } on the boat
cartagena-discards = Discards
cartagena-pile = Draw pile { $n }

cartagena-did-pass = { $own ->
    [yes] You end the turn
   *[no] { $name } ends the turn
  }
cartagena-did-advance = { $own ->
    [yes] You play { $card } { $way }
   *[no] { $name } plays { $card } { $way }
  }
cartagena-did-retreat = { $own ->
    [yes] You go back ({ $way }) and draw { $cards }
   *[no] { $name } goes back ({ $way }) and draws { $cards }
  }
cartagena-did-retreat-unseen = { $own ->
    [yes] You go back ({ $way }) and draw { cartagena-drawn }
   *[no] { $name } goes back ({ $way }) and draws { cartagena-drawn }
  }
cartagena-drawn = { $n ->
    [0] nothing: no card is left
    [one] one card
   *[other] { $n } cards
  }
cartagena-due = { $left ->
    [one] Your turn: one action left. Choose a pirate or a card.
   *[other] Your turn: { $left } actions left. Choose a pirate or a card.
  }

cartagena-level-1 = Cabin boy
cartagena-level-1-summary = has seen a map once
cartagena-level-2 = Deckhand
cartagena-level-2-summary = knows the way but forgets the others
cartagena-level-3 = Sailor
cartagena-level-3-summary = sees what is near
cartagena-level-4 = Boatswain
cartagena-level-4-summary = plays sensibly, most of the time
cartagena-level-5 = Mate
cartagena-level-5-summary = makes few mistakes
cartagena-level-6 = Master
cartagena-level-6-summary = makes hardly any mistakes
cartagena-level-7 = Captain
cartagena-level-7-summary = thinks its turn through to the end
cartagena-level-8 = Corsair
cartagena-level-8-summary = also considers which cards may come, as well as it can

cartagena-opens = You can open a line of a record, from a tournament or a table; the input that the contest sends to a program; or a position. A position has symbols by their first letters, pirates by their spaces (0 is the cell), and ? for a card that chance chooses.

editor-hint = Choose a pirate below, then choose where it stands. Click a space to change its symbol.
editor-put-hint = Now choose where the pirate stands.
editor-put = put the pirate here: { $place }
editor-place = change the symbol: { $place }
editor-to-move = Player to act
editor-taken = Actions taken this turn
cartagena-about = Bring six pirates from the cell to the boat. Cards move them forward; going back draws new cards. 2 to 6 players.
cartagena-rule-open-hands = All hands lie open
cartagena-rule-four-pirates = Four pirates each, for a shorter game

cartagena-guide-1 = Bring your six pirates to the boat. Choose one of them on the board, and the places that it can go to light up.
cartagena-guide-2 = These are your cards. A card takes a pirate forward to the next empty space with its symbol. Without a card a pirate goes back to the next pirates, and you draw new cards.
cartagena-guide-3 = A turn has up to three actions; you may end it after the first. A hint shows what a strong player would do.
cartagena-guide-4 = Everything that happens is listed here. Choose a line to see the board as it was then. The rules with pictures are further down.
