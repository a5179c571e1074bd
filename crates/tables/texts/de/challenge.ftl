### Das Kartenspiel Challenge.

challenge-title = Challenge
challenge-offer = Herausfordern
challenge-accept = Annehmen
challenge-reject = Ablehnen
challenge-play = spiel
challenge-do-play = { $card } spielen
challenge-do-offer = herausfordern
challenge-do-accept = annehmen: dieses Blatt entscheidet das Spiel
challenge-do-reject = ablehnen: dein Gegner bekommt den Punkt
challenge-then = dieses Blatt: gewonnen { $won }, unentschieden { $tied }
challenge-then-rejected = Gegner lehnt ab: { $share }
challenge-trick = Der Stich
challenge-hand = Blatt { $n }; { $goal } Punkte gewinnen das Spiel
challenge-points-of = { $points } von { $goal } Punkten
challenge-cards = Karten von { $name }
challenge-cards-left = { $n ->
    [one] eine Karte von { $name }
   *[other] { $n } Karten von { $name }
  }
challenge-no-cards = Du hast in diesem Blatt keine Karten mehr.
challenge-tag-offered = herausgefordert
challenge-tag-accepted = entscheidet das Spiel
challenge-tag-rejected = Herausforderung abgelehnt

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
    [yes] Du gewinnst das Blatt und einen Punkt: { $points } zu { $other }
   *[no] { $name } gewinnt das Blatt und einen Punkt: { $points } zu { $other }
  }
challenge-did-tied-hand = Das Blatt endet unentschieden: keine Punkte
challenge-did-game = { $own ->
    [yes] Du gewinnst das Spiel
   *[no] { $name } gewinnt das Spiel
  }
challenge-due-answer = { $name } fordert dich heraus: Nimm an und spiel um das ganze Spiel, oder lehn ab und gib den Punkt ab
challenge-due-lead = { $may ->
    [yes] Du bist dran: Spiel eine Karte aus oder fordere heraus
   *[no] Du bist dran: Spiel eine Karte aus
  }
challenge-due-follow = { $may ->
    [yes] Du bist dran: Spiel irgendeine Karte auf die { $card } oder fordere heraus
   *[no] Du bist dran: Spiel irgendeine Karte auf die { $card }
  }

challenge-level-1 = Gast
challenge-level-1-summary = spielt irgendeine Karte und lehnt jede Herausforderung ab
challenge-level-2 = Neuling
challenge-level-2-summary = spielt ab und zu eine gute Karte
challenge-level-3 = Stammgast
challenge-level-3-summary = spielt etwa jedes zweite Mal vernünftig
challenge-level-4 = Zocker
challenge-level-4-summary = macht wenige Fehler
challenge-level-5 = Duellant
challenge-level-5-summary = überlegt, was du haben kannst, und spielt, so gut er kann

challenge-opens = Du kannst eine Zeile mit einem Spiel öffnen, aus einem Journal, einem Wettkampf oder von einem Tisch; eine Anfrage, wie der Wettbewerb sie schickt; oder eine Stellung: die Karten beider Spieler (? für eine, die der Zufall bestimmt), die Punkte, wer ausspielt, und die Entscheidungen in diesem Blatt. Spieler zählen von 1 an.

editor-ranks = Karten
editor-ranks-hint = Schreib Karten mit ihren Werten, 1 bis 13, mit Leerzeichen dazwischen; ? ist eine Karte, die der Zufall bestimmt.
editor-lead = Spieler, der das Blatt eröffnet
editor-decided = Entscheidungen in diesem Blatt, durch Kommas getrennt
challenge-about = Fünf Karten, fünf Stiche und eine Herausforderung, die den Punkt kosten oder das Spiel entscheiden kann. 2 Spieler.

challenge-guide-1 = Ein Blatt hat fünf Stiche: Die höhere Karte gewinnt den Stich, und wer mehr Stiche hat, bekommt den Punkt.
challenge-guide-2 = Das sind deine Karten: Wähle eine, um sie zu spielen. Einmal im Blatt darfst du stattdessen herausfordern: Wer annimmt, setzt das ganze Spiel ein, wer ablehnt, gibt den Punkt ab.
challenge-guide-3 = Ein Tipp zeigt deine Gewinnchance bei jeder Entscheidung.
challenge-guide-4 = Hier steht alles, was geschieht. Wähle eine Zeile, um die Stellung von damals zu sehen. Weiter unten stehen die Regeln mit Bildern.
