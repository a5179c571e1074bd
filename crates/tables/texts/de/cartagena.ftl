### Cartagena.

cartagena-title = Cartagena
cartagena-symbol = { $symbol ->
    [b] Flasche
    [d] Dolch
    [g] Pistole
    [h] Hut
    [k] Schlüssel
   *[s] Totenkopf
  }
cartagena-cell = Kerker
cartagena-boat = Schaluppe
cartagena-board = Spielplan
cartagena-the-cell = Kerker
cartagena-the-boat = Schaluppe

cartagena-advance = { cartagena-symbol }: von { $from } nach { $to }
cartagena-retreat = zurück von { $from } nach { $to }, { $n ->
    [one] eine Karte ziehen
   *[other] { $n } Karten ziehen
  }
cartagena-back = zurück von { $from } nach { $to }
cartagena-pass = Zug beenden
cartagena-or = { ", oder " }
cartagena-own-pirate = dein Pirat auf { $place }
cartagena-actions = Züge
cartagena-no-cards = Du hast keine Karten: Geh zurück, um welche zu ziehen.
cartagena-undecided = Das Spiel ist ohne Sieger zu Ende: Niemand kann noch etwas tun, oder es hat zu lange gedauert.
cartagena-winner = gewinnt
cartagena-action = Aktion { $n } von 3
cartagena-home = { $n } von { $of } an Bord
cartagena-discards = Ablage
cartagena-pile = Stapel { $n }

cartagena-did-pass = { $own ->
    [yes] Du beendest den Zug
   *[no] { $name } beendet den Zug
  }
cartagena-did-advance = { $own ->
    [yes] Du spielst { $card } { $way }
   *[no] { $name } spielt { $card } { $way }
  }
cartagena-did-retreat = { $own ->
    [yes] Du gehst zurück { $way } und ziehst { $cards }
   *[no] { $name } geht zurück { $way } und zieht { $cards }
  }
cartagena-did-retreat-unseen = { $own ->
    [yes] Du gehst zurück { $way } und ziehst { cartagena-drawn }
   *[no] { $name } geht zurück { $way } und zieht { cartagena-drawn }
  }
cartagena-drawn = { $n ->
    [0] nichts: Es ist keine Karte mehr da
    [one] eine Karte
   *[other] { $n } Karten
  }
cartagena-due = { $left ->
    [one] Du bist dran: noch eine Aktion. Wähl einen Piraten oder eine Karte.
   *[other] Du bist dran: noch { $left } Aktionen. Wähl einen Piraten oder eine Karte.
  }

cartagena-level-1 = Schiffsjunge
cartagena-level-1-summary = hat einmal eine Karte gesehen
cartagena-level-2 = Decksmann
cartagena-level-2-summary = kennt den Weg, und vergisst die anderen
cartagena-level-3 = Matrose
cartagena-level-3-summary = sieht, was nahe liegt
cartagena-level-4 = Bootsmann
cartagena-level-4-summary = spielt meistens vernünftig
cartagena-level-5 = Steuermann
cartagena-level-5-summary = macht wenige Fehler
cartagena-level-6 = Schiffer
cartagena-level-6-summary = macht kaum welche
cartagena-level-7 = Kapitän
cartagena-level-7-summary = denkt seinen Zug zu Ende
cartagena-level-8 = Korsar
cartagena-level-8-summary = spielt die Karten durch, die kommen können, so gut er kann

cartagena-opens = Eine Zeile einer Aufzeichnung, von einem Turnier oder einem Tisch; die Eingabe eines Programms, wie der Wettbewerb sie schreibt; oder eine Stellung: Symbole mit ihren Anfangsbuchstaben (b Flasche, d Dolch, g Pistole, h Hut, k Schlüssel, s Totenkopf), Piraten mit ihren Feldern (0 ist der Kerker), ? für eine Karte, die der Zufall bestimmt.

editor-hint = Wähl unten einen Piraten und dann sein Feld. Ein Klick auf ein Feld ändert dessen Symbol.
editor-put-hint = Wähl jetzt das Feld.
editor-put = auf { $place } stellen
editor-place = { $place }: ein anderes Symbol
editor-to-move = Am Zug
editor-taken = Getane Aktionen
cartagena-about = Je sechs Piraten fliehen aus dem Kerker zur Schaluppe; Karten bringen sie voran, und nur wer zurückgeht, bekommt neue. Für 2 bis 6.
