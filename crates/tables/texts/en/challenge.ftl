### The challenge card game.

challenge-title = Challenge
challenge-offer = Challenge
challenge-accept = Accept
challenge-reject = Reject
challenge-play = play
challenge-do-play = play { $card }
challenge-do-offer = challenge
challenge-do-accept = accept: this hand decides the game
challenge-do-reject = reject: your opponent gets the point
challenge-then = this hand: won { $won }, tied { $tied }
challenge-then-rejected = opponent rejects { $share }
challenge-trick = The trick
challenge-hand = Hand { $n }; { $goal } points win the game
challenge-points-of = { $points } of { $goal } points
challenge-cards = cards of { $name }
challenge-cards-left = { $n ->
    [one] one card of { $name }
   *[other] { $n } cards of { $name }
  }
challenge-no-cards = You have no cards left in this hand.
challenge-tag-offered = challenge offered
challenge-tag-accepted = decides the game
challenge-tag-rejected = challenge rejected

challenge-did-deal = { $own ->
    [yes] Hand { $n }: You lead
   *[no] Hand { $n }: { $name } leads
  }
challenge-did-play = { $own ->
    [yes] You play { $card }
   *[no] { $name } plays { $card }
  }
challenge-did-offer = { $own ->
    [yes] You challenge
   *[no] { $name } challenges
  }
challenge-did-accept = { $own ->
    [yes] You accept: this hand decides the game
   *[no] { $name } accepts: this hand decides the game
  }
challenge-did-reject = { $own ->
    [yes] You reject the challenge
   *[no] { $name } rejects the challenge
  }
challenge-did-trick = { $own ->
    [yes] You take the trick
   *[no] { $name } takes the trick
  }
challenge-did-tie = Equal cards: nobody takes the trick
challenge-did-hand = { $own ->
    [yes] You win the hand and a point: { $points } to { $other }
   *[no] { $name } wins the hand and a point: { $points } to { $other }
  }
challenge-did-tied-hand = The hand is tied: no points
challenge-did-game = { $own ->
    [yes] You win the game
   *[no] { $name } wins the game
  }
challenge-due-answer = { $name } challenges you: accept and play for the game, or reject and give up the point
challenge-due-lead = { $may ->
    [yes] Your turn: lead a card, or challenge
   *[no] Your turn: lead a card
  }
challenge-due-follow = { $may ->
    [yes] Your turn: play any card to the { $card }, or challenge
   *[no] Your turn: play any card to the { $card }
  }

challenge-level-1 = Guest
challenge-level-1-summary = plays any card and rejects every challenge
challenge-level-2 = Novice
challenge-level-2-summary = plays a good card now and then
challenge-level-3 = Regular
challenge-level-3-summary = plays sensibly about half of the time
challenge-level-4 = Card sharp
challenge-level-4-summary = makes few mistakes
challenge-level-5 = Duellist
challenge-level-5-summary = works out what you may hold, and plays as well as it can

challenge-opens = You can open a line with a game, from a journal, a match or a table; a request as the contest sends it; or a position: both players’ cards (? for one that chance chooses), the points, who leads, and the decisions of the hand. Players count from 1.

editor-ranks = Cards
editor-ranks-hint = Write cards by rank, 1 to 13, with blanks between them; ? is a card that chance chooses.
editor-lead = Player who leads the hand
editor-decided = Decisions in this hand, with commas between them
challenge-about = Five cards, five tricks, and a challenge that can cost the point or decide the game. 2 players.

challenge-guide-1 = Each hand has five tricks: the higher card takes a trick, and more tricks win the point.
challenge-guide-2 = These are your cards: choose one to play it. Once in a hand you may challenge instead: accepting it puts the whole game at stake, rejecting it costs the point.
challenge-guide-3 = A hint shows your chance to win with every decision.
challenge-guide-4 = Everything that happens is listed here. Choose a line to see the table as it was then. The rules with pictures are further down.
