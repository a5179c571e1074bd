### Stichspiele: Hearts und Tricky Eights.

tricks-card = { $rank ->
    [2] { tricks-suit } zwei
    [3] { tricks-suit } drei
    [4] { tricks-suit } vier
    [5] { tricks-suit } fünf
    [6] { tricks-suit } sechs
    [7] { tricks-suit } sieben
    [8] { tricks-suit } acht
    [9] { tricks-suit } neun
    [t] { tricks-suit } zehn
    [j] { tricks-suit } Bube
    [q] { tricks-suit } Dame
    [k] { tricks-suit } König
   *[a] { tricks-suit } Ass
  }
tricks-suit = { $suit ->
    [c] Kreuz
    [d] Karo
    [h] Herz
   *[s] Pik
  }
tricks-do-take = { $card } nehmen
tricks-do-play = { $card } spielen
tricks-take = nimm
tricks-play = spiel
tricks-own-hand = { $n ->
    [one] Deine Hand: eine Karte
   *[other] Deine Hand: { $n } Karten
  }
tricks-pool = Offene Karten
tricks-round = Runde
tricks-all = Alle
tricks-tricks = Stiche
tricks-points = Punkte
tricks-all-rounds = Alle Runden
tricks-round-over = Runde { $n } ist zu Ende
tricks-dealt = Runde { $n } wird gegeben
tricks-goal = { $low ->
    [yes] Runde { $n }, bis { $goal }; die wenigsten Punkte gewinnen
   *[no] Runde { $n }, bis { $goal } Punkte
  }
tricks-moon = { $own ->
    [yes] Du hast alle Punkte genommen: Durchmarsch!
   *[no] { $name } hat alle Punkte genommen: Durchmarsch!
  }
tricks-none = Noch kein Stich
tricks-last = Letzter Stich
tricks-won-by = { $own ->
    [yes] deiner: { count-points }
   *[no] an { $name }: { count-points }
  }
tricks-did-win = { $own ->
    [yes] Du gewinnst den Stich: { count-points }
   *[no] { $name } gewinnt den Stich: { count-points }
  }
tricks-did-take = { $own ->
    [yes] Du nimmst { $card }
   *[no] { $name } nimmt { $card }
  }
tricks-did-play = { $own ->
    [yes] Du spielst { $card }
   *[no] { $name } spielt { $card }
  }
tricks-due-take = Du bist dran: Nimm eine der offenen Karten.
tricks-due-lead = Du bist dran: Spiel eine Karte aus.
tricks-due-follow = Du bist dran: Bediene { tricks-suit }.
tricks-due-any = Du bist dran: { tricks-suit } hast du nicht, spiel eine der hervorgehobenen Karten.
tricks-shared = Es ist zu Ende, und mehrere waren gleich gut.

editor-cards-hint = Wähl, wer Karten bekommt, und dann die Karten; ein zweiter Klick nimmt eine zurück. Eine Karte, die der Zufall bestimmt, macht Platz.
editor-unknown-cards = Karten, die der Zufall bestimmt
editor-done = Seit dem Geben genommen und gespielt, der Reihe nach
editor-first = Wer begonnen hat
editor-totals = Punkte vor der Runde
