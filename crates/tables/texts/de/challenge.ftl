### Das Kartenspiel Challenge.

challenge-title = Challenge
challenge-offer = Herausfordern
challenge-accept = Annehmen
challenge-reject = Ablehnen
challenge-play = spiel
challenge-do-play = { $card } spielen
challenge-do-offer = herausfordern
challenge-do-accept = annehmen: dieses Blatt entscheidet das Spiel
challenge-do-reject = ablehnen: das Blatt ist verloren
challenge-then = gewinnt das Blatt { $won }, teilt es { $tied }
challenge-then-rejected = abgelehnt { $share }
challenge-trick = Der Stich
challenge-hand = Blatt { $n }, bis { $goal } Punkte
challenge-points-of = { $points } von { $goal } Punkten
challenge-cards = Karten von { $name }
challenge-cards-left = { $n ->
    [one] eine Karte von { $name }
   *[other] { $n } Karten von { $name }
  }
challenge-no-cards = Du hast in diesem Blatt keine Karten mehr.
challenge-tag-offered = herausgefordert
challenge-tag-accepted = um das Spiel
challenge-tag-rejected = abgelehnt

challenge-did-deal = { $own ->
    [yes] Blatt { $n }: Du spielst aus
   *[no] Blatt { $n }: { $name } spielt aus
  }
challenge-did-play = { $own ->
    [yes] Du spielst { $card }
   *[no] { $name } spielt { $card }
  }
challenge-did-offer = { $own ->
    [yes] Du forderst heraus
   *[no] { $name } fordert heraus
  }
challenge-did-accept = { $own ->
    [yes] Du nimmst an: Dieses Blatt entscheidet das Spiel
   *[no] { $name } nimmt an: Dieses Blatt entscheidet das Spiel
  }
challenge-did-reject = { $own ->
    [yes] Du lehnst die Herausforderung ab
   *[no] { $name } lehnt die Herausforderung ab
  }
challenge-did-trick = { $own ->
    [yes] Du gewinnst den Stich
   *[no] { $name } gewinnt den Stich
  }
challenge-did-tie = Gleiche Karten: Der Stich gehört niemandem
challenge-did-hand = { $own ->
    [yes] Du hast den Punkt, { $points } zu { $other }
   *[no] { $name } hat den Punkt, { $points } zu { $other }
  }
challenge-did-tied-hand = Das Blatt ist unentschieden: kein Punkt
challenge-did-game = { $own ->
    [yes] Du gewinnst das Spiel
   *[no] { $name } gewinnt das Spiel
  }
challenge-due-answer = { $name } fordert dich heraus: Nimm an, oder lehn ab und verlier den Punkt
challenge-due-lead = { $may ->
    [yes] Du bist dran: Spiel eine Karte aus, oder fordere heraus
   *[no] Du bist dran: Spiel eine Karte aus
  }
challenge-due-follow = { $may ->
    [yes] Du bist dran: Antworte auf die { $card }, oder fordere heraus
   *[no] Du bist dran: Antworte auf die { $card }
  }

challenge-level-1 = Gast
challenge-level-1-summary = spielt irgendeine Karte und weicht jeder Herausforderung aus
challenge-level-2 = Neuling
challenge-level-2-summary = erkennt ab und zu eine gute Karte
challenge-level-3 = Stammgast
challenge-level-3-summary = spielt etwa zur Hälfte vernünftig
challenge-level-4 = Zocker
challenge-level-4-summary = macht wenige Fehler
challenge-level-5 = Duellant
challenge-level-5-summary = zählt, was du haben kannst, so gut er kann

challenge-opens = Ein Spiel aus einem Journal, einem Wettkampf oder von einem Tisch, das ist eine Zeile; eine Anfrage, wie der Wettbewerb sie schickt; oder eine Stellung: die Karten beider (? für eine, die der Zufall bestimmt), die Punkte, wer ausspielt, und was in dem Blatt entschieden wurde. Spieler zählen von 1 an.

editor-ranks = Karten
editor-ranks-hint = Karten mit ihren Werten von 1 bis 13, mit Leerzeichen dazwischen; ? für eine, die der Zufall bestimmt.
editor-lead = Wer das Blatt ausspielt
editor-decided = Was in dem Blatt entschieden wurde, mit Kommas dazwischen
challenge-about = Fünf Stiche mit fünf Karten, und eine Herausforderung, die den Punkt oder das Spiel kosten kann. Für 2.
