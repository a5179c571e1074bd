### The tables: the start page, what every game's table has, and the review.

language-name = English
you = You
needs-scripts = This page needs JavaScript. It loads scripts from this server only.

## What goes wrong

no-answer = The server does not answer.
odd-answer = The server answers with error { $status }.
no-such-page = This page does not exist, or the link is incomplete.
gone-friend = If somebody sent you the link, ask for it again and open all of it. The table may have been removed in the meantime.
gone-host = If you run the server yourself, open the address that “contest play” printed last. Each start prints another one; the links of tables stay the same.
gone-return = Go back
refused-stale = The game has gone on in the meantime.
refused-turn = It is not your turn.
refused-onlooker = You are watching, and cannot play.
refused-hints = This table is played without hints.
refused-chat = Nobody can write at this table.
refused-advice = The calculation failed.
refused-resigned = You have resigned.
refused-unfinished = The game is not over yet.
refused-record = There is no file of this game, as it did not begin with its first deal.
refused-back = There is nothing that you can undo.
refused-branches = { $n } tables already go on from this game. That is the limit.
refused-full = There are too many tables here. The host has to remove old ones first.
refused-other-game = This is a game or a position of { $game }. Choose { $game } at the top of the page, and open it then.
table-gone = This table no longer exists.
table-lost = Connection lost. Trying again …

## The start page

start-title = Sit down and play
start-language = Language
start-game = Game
start-seats = Seats
table-tables = All tables
start-more = Add a player
start-hints = Allow hints
start-fewer = Remove a player
start-freely = Allow undo, even after something new was shown
start-terms = Clock and chat
start-clock = Clock
start-clock-none = none
start-clock-action = for each action
start-clock-game = for the whole game
start-clock-action-note = If the time is up, the computer takes this one action.
start-clock-game-note = Each player’s own time counts. If it is up, the player resigns.
start-minutes = minutes
start-chat = Chat at the table
start-remove = Remove
start-remove-table = Remove this table of { $game }
start-remove-sure = This game is not over. Remove it?
start-play = Play
start-open = Open a game or a position
start-file = Choose a file
start-text = Text of the game or position
start-open-it = Open
start-example = Insert an example position
start-tables = Tables
start-no-tables = No tables yet. If you leave a game, you find it here again.
start-seat = Seat { $n }
start-name = Name at seat { $n }
start-me = Me
start-other = Another player on this device
start-friend = A friend (send a link)
start-levels = Computer
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
start-from = (continues another game from action { $action })
start-look-on = Watch
start-links = Each name is the link to that seat. Send each friend their link, and open your own.

## The host’s own games

own-games = My games
own-against = against { $others }
own-won = won
own-shared = first place shared
own-lost = place { $place }
own-unrated = not rated
own-rating = rating { $value } ± { $margin } after { $games ->
    [one] one game
   *[other] { $games } games
  }
own-note = The rating is Glicko’s, against fixed ratings of the levels, which were measured in matches between them. Games with hints, or with undo after something new was seen, do not count.

## At a table

table-end = End the turn
table-back = Undo
table-hint = Hint
table-retry = Let it try again
table-skip = Skip
table-pause = Pause
table-resign = Resign
table-resign-sure = Resign this game?
table-review = Review
table-again = Play again
table-next = Go to the next game
table-record = Download the game as a file
table-page = as a web page
table-type = Type an action
table-notation = Action in the contest’s notation
table-do = Do it
table-example = For example: { $action }
table-impossible = That does not work: { $reason }
table-forced = Play an action for me if it is the only one
table-log = What happened
table-log-label = What happened, latest last
moves-player = Whose actions are listed
moves-everybody = all players
moves-mistakes = only mistakes
table-rules = Rules
table-sound = Sound when it is my turn
chat-title = Chat
chat-line = A line to the others
chat-send = Send
invite-send = Send { $name } this link:
invite-link = Link for { $name }
invite-copy = Copy
invite-copied = Copied
invite-share = Share
invite-code = QR code of the link
invite-local = This link works on this machine only. To let others on your network in, stop the server and start it with “contest play --bind 0.0.0.0”.
invite-unknown = The address of this machine in its network could not be found out. In the link, put it in the place of localhost.
clock-waits = The clock starts when everybody has come.
table-from = This game continues another from action { $action }. Anyone who saw how that one ended knows some cards.

status-lesson = Find a better action
status-only-end = Nothing can move: end your turn.
status-only-one = Only one action is possible.
status-past = After { $n } of { $actions } actions
status-resigned = { $own ->
    [yes] You have resigned.
   *[no] { $name } resigned.
  }
status-time-up = { $own ->
    [yes] Your time was up.
   *[no] The time of { $name } was up.
  }
status-stuck = No action from { $name }: { $reason }
stuck-hidden = its program gave no valid answer; see the host’s page
status-waiting = Waiting for { $name }
status-thinking = { $name } is thinking
name-numbered = { $name } { $n }
own-seat = { $name } (you)
won-you = You have won!
won-other = The winner is { $name }.
won-substitute = The winner is { $name }, for whom the computer played on.
over = The game is over.

cover-me = I am { $name }
cover-next = Next: { $name }. Pass the device on; no cards are shown now.
cover-status = Next: { $name }

advice-thinking = thinking …
advice-tie = as good
advice-more = Show all { $n } actions
advice-best = best
advice-action = Action
advice-chance = Chance to win the game
advice-points = Expected points
advice-penalty = Expected penalty points
advice-loses = Behind best
advice-then = What follows

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

grade-doubtful = doubtful: loses a little
grade-mistake = mistake: loses more
grade-blunder = blunder: loses a lot
review-earlier = One action earlier
review-later = One action later
review-position = Position
review-leave = Close the review
review-branch = Play on from here
review-end = The end of the game
review-action = { $name }: { $action }
review-better = better by { $loss }: { $action }
review-luck = luck { $luck }
review-decisions = Decisions
review-rate = Error rate
review-luck-head = Luck
review-about-marks = { $unit ->
    [chance] ?! marks an action that loses at least 2 % of a win against the best one, ? one that loses 5 %, ?? one that loses 10 %.
   *[points] ?! marks an action that loses at least half a point against the best one, ? one that loses a point, ?? one that loses two.
  }
review-about-rate = The error rate is the average loss of a decision: the lower, the better. An action without an alternative is no decision.
review-about-luck = Luck is the value of the cards that came, minus the average of all that could have come: 0 is average luck.
review-progress = Reviewed { $done } of { $total } actions …
review-accounts = How well each player has played
review-curve-chance = Each player’s chance to win in the course of the game, judged by what that player could know
review-curve-points = The points that each player could expect in the course of the game, judged by what that player could know
review-curve-penalty = The penalty points that each player could expect in the course of the game, fewer being higher up, judged by what that player could know
review-was-better = better: { $action }
review-step = action { $n } of { $actions }

lesson-begin = Learn from mistakes
lesson-question = Mistake { $n } of { $total }: you chose “{ $action }”, which loses { $loss }. Choose something better.
lesson-right = Right: { $action }
lesson-wrong = { $action }: loses { $loss }. Try again.
lesson-show = Show the answer
lesson-next = Next mistake
lesson-end = End the lesson

## Changing a position

editor-player = Player { $n }
editor-unknown = unknown
editor-points = Points
editor-tricks = Tricks

## A first visit

guide-next = Next ({ $n } of { $total })
guide-close = Close the guide
guide-done = Understood
