### Trick-taking games: Hearts and Tricky Eights.

tricks-card = { $rank ->
    [2] two of { tricks-suit }
    [3] three of { tricks-suit }
    [4] four of { tricks-suit }
    [5] five of { tricks-suit }
    [6] six of { tricks-suit }
    [7] seven of { tricks-suit }
    [8] eight of { tricks-suit }
    [9] nine of { tricks-suit }
    [t] ten of { tricks-suit }
    [j] jack of { tricks-suit }
    [q] queen of { tricks-suit }
    [k] king of { tricks-suit }
   *[a] ace of { tricks-suit }
  }
tricks-suit = { $suit ->
    [c] clubs
    [d] diamonds
    [h] hearts
   *[s] spades
  }
tricks-do-take = take { $card }
tricks-do-play = play { $card }
tricks-do-pass = pass { $card }
tricks-pass = pass the
tricks-did-pass = { $own ->
    [yes] You pass { $card }
   *[no] { $name } passes { $card }
  }
tricks-did-get = You get { $cards } from { $name }
tricks-passed = Three cards of each hand are passed
tricks-due-pass = Your turn: choose { $n ->
    [one] one more card
   *[other] { $n } cards
  } to pass to { $name }.
tricks-take = take the
tricks-play = play the
tricks-own-hand = { $n ->
    [one] Your hand: one card
   *[other] Your hand: { $n } cards
  }
tricks-pool = Open cards
tricks-round = Round
tricks-all = Total
tricks-tricks = Tricks
tricks-points = Points
tricks-all-rounds = All rounds
tricks-round-over = Round { $n } is over
tricks-dealt = Round { $n } is dealt
tricks-goal = { $low ->
    [yes] Round { $n }; the game ends at { $goal } penalty points, and the fewest win
   *[no] Round { $n }; { $goal } points win the game
  }
tricks-moon = { $own ->
    [yes] You have shot the moon!
   *[no] { $name } has shot the moon!
  }
tricks-none = No trick yet
tricks-last = Last trick
tricks-won-by = { $own ->
    [yes] won by you: { count-points }
   *[no] won by { $name }: { count-points }
  }
tricks-did-win = { $own ->
    [yes] You win the trick: { count-points }
   *[no] { $name } wins the trick: { count-points }
  }
tricks-did-take = { $own ->
    [yes] You take { $card }
   *[no] { $name } takes { $card }
  }
tricks-did-play = { $own ->
    [yes] You play { $card }
   *[no] { $name } plays { $card }
  }
tricks-due-take = Your turn: take one of the open cards.
tricks-due-lead = Your turn: lead a card.
tricks-due-follow = Your turn: follow suit with one of your { tricks-suit }.
tricks-due-any = Your turn: you have no { tricks-suit }, so play any of the raised cards.
tricks-shared = The game is over, and several players share first place.

editor-cards-hint = Choose who gets cards, then click the cards. Click a card again to take it back. A card that you give replaces one that chance chooses.
editor-unknown-cards = Cards that chance chooses
editor-done = Cards taken and played since the deal, in order
editor-first = Player who acted first
editor-totals = Points before this round
