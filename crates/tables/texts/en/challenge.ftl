### The challenge card game.

challenge-title = Challenge
challenge-offer = Challenge
challenge-accept = Accept
challenge-reject = Reject
challenge-play = play
challenge-do-play = play { $card }
challenge-do-offer = challenge
challenge-do-accept = accept: this hand decides the game
challenge-do-reject = reject: the hand is lost
challenge-then = wins the hand { $won }, ties it { $tied }
challenge-then-rejected = rejected { $share }
challenge-trick = The trick
challenge-hand = Hand { $n }, to { $goal } points
challenge-points-of = { $points } of { $goal } points
challenge-cards = cards of { $name }
challenge-cards-left = { $n ->
    [one] one card of { $name }
   *[other] { $n } cards of { $name }
  }
challenge-no-cards = You have no cards left in this hand.
challenge-tag-offered = challenge offered
challenge-tag-accepted = for the game
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
    [yes] You have the point, { $points } to { $other }
   *[no] { $name } has the point, { $points } to { $other }
  }
challenge-did-tied-hand = The hand is tied: no point
challenge-did-game = { $own ->
    [yes] You win the game
   *[no] { $name } wins the game
  }
challenge-due-answer = { $name } challenges you: accept, or reject and lose the point
challenge-due-lead = { $may ->
    [yes] Your turn: lead a card, or challenge
   *[no] Your turn: lead a card
  }
challenge-due-follow = { $may ->
    [yes] Your turn: follow the { $card }, or challenge
   *[no] Your turn: follow the { $card }
  }

challenge-level-1 = Guest
challenge-level-1-summary = plays any card, and shrinks from every challenge
challenge-level-2 = Novice
challenge-level-2-summary = knows a good card, now and then
challenge-level-3 = Regular
challenge-level-3-summary = plays sensibly about half of the time
challenge-level-4 = Card sharp
challenge-level-4-summary = makes few mistakes
challenge-level-5 = Duellist
challenge-level-5-summary = counts what you may hold, as well as it can

challenge-opens = A game of a journal, a match or a table, which is a line; a request as the contest sends it; or a position: the cards that both hold (? for one that chance chooses), points, who leads, and what was decided in the hand. Players count from 1.

editor-ranks = Cards
editor-ranks-hint = Cards by their ranks, from 1 to 13, with blanks between them; ? for one that chance chooses.
editor-lead = Who leads the hand
editor-decided = What was decided in the hand, with commas between
challenge-about = Five tricks with five cards, and a challenge that may cost the point or the game. For 2.
