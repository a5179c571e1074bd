### The tables: the start page, what every game's table has, and the review.

language-name = English
you = You
needs-scripts = This page needs scripts; they come from the program that serves it.

## What goes wrong

no-answer = the server does not answer
odd-answer = the server answers { $status }
no-such-page = there is no such page, or the link is not complete
refused-stale = the game has gone on in the meantime
refused-turn = it is not your turn
refused-onlooker = onlookers do not play
refused-busy = others are thinking; ask again in a moment
refused-advice = the advice could not be worked out
refused-resigned = you have resigned
refused-unfinished = the game is not over yet
refused-back = nothing can be taken back
refused-branches = { $n } tables have been set up from this game already
table-gone = There is no such table any more.
table-lost = The connection is lost; trying again …

## The start page

start-title = Sit down and play
start-language = Language
start-game = Game
start-seats = Seats
table-tables = All tables
start-more = One more
start-fewer = One fewer
start-freely = Actions may be taken back, also after a card was drawn
start-play = Play
start-open = Open a game or a position
start-file = A file
start-text = Its text
start-open-it = Open
start-example = A position to change
start-tables = Tables
start-no-tables = None yet. A game that you leave waits here.
start-seat = Seat { $n }
start-name = Name at seat { $n }
start-me = Me
start-other = Somebody else at this screen
start-friend = A friend, by a link
start-levels = The player
start-programs = Programs
start-player-n = Player { $n }
start-friend-n = Friend { $n }
start-over = { $actions ->
    [one] over after one action
   *[other] over after { $actions } actions
  }
start-under-way = { $actions ->
    [one] one action so far
   *[other] { $actions } actions so far
  }
start-from = (from action { $action } of another table)
start-look-on = look on
start-links = Each name is a link to that seat: send your friends theirs, and take your own.

## At a table

table-end = End the turn
table-back = Take back
table-hint = Hint
table-retry = Let it try again
table-skip = Skip
table-pause = Pause
table-resign = Resign
table-resign-sure = Resign this game?
table-review = Review
table-again = Play again
table-next = On to the next game
table-record = The game as a file
table-page = as a page
table-type = Type an action
table-notation = An action, as the contest writes it
table-do = Do it
table-log = What happened
table-log-label = What happened, the latest first
table-rules = Rules
table-from = This game goes on from action { $action } of another one: who has seen its end knows cards of this one.

status-past = After { $n } of { $actions } actions
status-resigned = { $own ->
    [yes] You have resigned.
   *[no] { $name } resigned.
  }
status-stuck = { $name } has not decided: { $reason }
stuck-hidden = its program did not answer as it should; the page on which the table was set up says more
status-waiting = Waiting for { $name }
status-thinking = { $name } is thinking
own-seat = { $name } (you)
won-you = You have won!
won-other = { $name } has won.
over = The game is over.

cover-me = I am { $name }
cover-next = { $name } comes next. Hand over; nobody's cards are shown.
cover-status = { $name } comes next

advice-thinking = thinking …
advice-best = best
advice-action = Action
advice-chance = Chance to win
advice-points = Points expected
advice-loses = Loses
advice-then = Then

your-cards = Your cards
count-cards = { $n ->
    [one] { $n } card
   *[other] { $n } cards
  }
count-points = { $n ->
    [one] { $n } point
   *[other] { $n } points
  }
count-tricks = { $n ->
    [one] { $n } trick
   *[other] { $n } tricks
  }

## The review

grade-doubtful = doubtful
grade-mistake = mistake
grade-blunder = blunder
review-earlier = One action earlier
review-later = One action later
review-position = Position
review-leave = Back to the end
review-branch = Play on from here
review-end = The end of the game
review-action = { $name }: { $action }
review-better = better by { $loss }: { $action }
review-luck = luck { $luck }
review-decisions = Decisions
review-rate = Error rate
review-luck-head = Luck
review-progress = { $done } of { $total } actions looked at …
review-accounts = How everybody has played
review-curve-chance = Each player's chance to win, by its own knowledge, over the game
review-curve-points = Points each player expected, by its own knowledge, over the game
review-no-mistakes = No mistakes so far.
review-was-better = better: { $action }
review-step = action { $n } of { $actions }

## Changing a position

editor-player = Player { $n }
editor-unknown = unknown
editor-points = Points
editor-tricks = Tricks
