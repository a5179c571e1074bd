### Stichspiele: Hearts und Tricky Eights.

tricks-card = { $rank ->
    [2] { tricks-suit }-Zwei
    [3] { tricks-suit }-Drei
    [4] { tricks-suit }-Vier
    [5] { tricks-suit }-Fünf
    [6] { tricks-suit }-Sechs
    [7] { tricks-suit }-Sieben
    [8] { tricks-suit }-Acht
    [9] { tricks-suit }-Neun
    [t] { tricks-suit }-Zehn
    [j] { tricks-suit }-Bube
    [q] { tricks-suit }-Dame
    [k] { tricks-suit }-König
   *[a] { tricks-suit }-Ass
  }
tricks-suit = { $suit ->
    [c] Kreuz
    [d] Karo
    [h] Herz
   *[s] Pik
  }
tricks-do-take = { $card } nehmen
tricks-do-play = { $card } spielen
tricks-do-pass = { $card } weitergeben
tricks-pass = weitergeben:
tricks-did-pass = { $own ->
    [yes] Du gibst { $card } weiter
   *[no] { $name } gibt { $card } weiter
  }
tricks-did-get = Du bekommst { $cards } von { $name }
tricks-passed = Alle geben drei Karten weiter
tricks-due-pass = Du bist dran: Wähle { $n ->
    [one] noch eine Karte
   *[other] { $n } Karten
  }, die { $name } bekommt.
tricks-take = nimm
tricks-play = spiel
tricks-own-hand = { $n ->
    [one] Deine Hand: eine Karte
   *[other] Deine Hand: { $n } Karten
  }
tricks-pool = Offene Karten
tricks-round = Runde
tricks-all = Gesamt
tricks-tricks = Stiche
tricks-points = Punkte
tricks-all-rounds = Alle Runden
tricks-round-over = Runde { $n } ist zu Ende
tricks-dealt = Runde { $n }: Die Karten sind gegeben
tricks-goal = { $low ->
    [yes] Runde { $n }; das Spiel endet bei { $goal } Strafpunkten, und wer die wenigsten hat, gewinnt
   *[no] Runde { $n }; { $goal } Punkte gewinnen das Spiel
  }
tricks-moon = { $own ->
    [yes] Du hast alle Punkte genommen: Durchmarsch!
   *[no] { $name } hat alle Punkte genommen: Durchmarsch!
  }
tricks-none = Noch kein Stich
tricks-last = Letzter Stich
tricks-won-by = { $own ->
    [yes] geht an dich: { count-points }
   *[no] geht an { $name }: { count-points }
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
tricks-due-any = Du bist dran: Du hast kein { tricks-suit }, also spiel eine der hervorgehobenen Karten.
tricks-shared = Das Spiel ist zu Ende, und mehrere teilen sich den ersten Platz.

editor-cards-hint = Wähle, wer Karten bekommt, und klick dann auf die Karten. Ein zweiter Klick nimmt eine Karte zurück. Jede Karte, die du gibst, ersetzt eine, die der Zufall bestimmt.
editor-unknown-cards = Karten, die der Zufall bestimmt
editor-done = Seit dem Geben genommene und gespielte Karten, der Reihe nach
editor-first = Spieler, der begonnen hat
editor-totals = Punkte vor dieser Runde
