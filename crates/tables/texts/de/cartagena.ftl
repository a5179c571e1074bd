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

cartagena-advance = { cartagena-symbol }: { $from } → { $to }
cartagena-retreat = zurück: { $from } → { $to }, { $n ->
    [one] eine Karte ziehen
   *[other] { $n } Karten ziehen
  }
cartagena-back = zurück: { $from } → { $to }
cartagena-pass = Zug beenden
cartagena-or = { ", oder " }
cartagena-own-pirate = dein Pirat: { $place }
cartagena-actions = Aktionen
cartagena-no-cards = Du hast keine Karten. Geh zurück, um welche zu ziehen; wenn kein Pirat gehen kann, beende deinen Zug.
cartagena-no-cards-now = Du hast keine Karten.
cartagena-undecided = Das Spiel endet ohne Sieger: Niemand kann mehr etwas tun, oder es hat zu lange gedauert.
cartagena-winner = gewinnt
cartagena-action = Aktion { $n } von 3
cartagena-home = { $n } von { $of } an Bord
cartagena-discards = Ablage
cartagena-pile = Nachziehstapel { $n }

cartagena-did-pass = { $own ->
    [yes] Du beendest den Zug
   *[no] { $name } beendet den Zug
  }
cartagena-did-advance = { $own ->
    [yes] Du spielst { $card }: { $way }
   *[no] { $name } spielt { $card }: { $way }
  }
cartagena-did-retreat = { $own ->
    [yes] Du gehst zurück ({ $way }) und ziehst { $cards }
   *[no] { $name } geht zurück ({ $way }) und zieht { $cards }
  }
cartagena-did-retreat-unseen = { $own ->
    [yes] Du gehst zurück ({ $way }) und ziehst { cartagena-drawn }
   *[no] { $name } geht zurück ({ $way }) und zieht { cartagena-drawn }
  }
cartagena-drawn = { $n ->
    [0] nichts: Es ist keine Karte mehr da
    [one] eine Karte
   *[other] { $n } Karten
  }
cartagena-due = { $left ->
    [one] Du bist dran: noch eine Aktion. Wähle einen Piraten oder eine Karte.
   *[other] Du bist dran: noch { $left } Aktionen. Wähle einen Piraten oder eine Karte.
  }

cartagena-level-1 = Schiffsjunge
cartagena-level-1-summary = hat einmal eine Seekarte gesehen
cartagena-level-2 = Decksmann
cartagena-level-2-summary = kennt den Weg, aber vergisst die anderen
cartagena-level-3 = Matrose
cartagena-level-3-summary = sieht, was nahe liegt
cartagena-level-4 = Bootsmann
cartagena-level-4-summary = spielt meistens vernünftig
cartagena-level-5 = Steuermann
cartagena-level-5-summary = macht wenige Fehler
cartagena-level-6 = Schiffer
cartagena-level-6-summary = macht kaum Fehler
cartagena-level-7 = Kapitän
cartagena-level-7-summary = denkt seinen Zug zu Ende
cartagena-level-8 = Korsar
cartagena-level-8-summary = bedenkt auch, welche Karten kommen können, so gut er kann

cartagena-opens = Du kannst eine Zeile einer Aufzeichnung öffnen, von einem Turnier oder einem Tisch; die Eingabe, die der Wettbewerb einem Programm schickt; oder eine Stellung. Eine Stellung nennt Symbole mit ihren englischen Anfangsbuchstaben (b Flasche, d Dolch, g Pistole, h Hut, k Schlüssel, s Totenkopf), Piraten mit ihren Feldern (0 ist der Kerker) und ? für eine Karte, die der Zufall bestimmt.

editor-hint = Wähle unten einen Piraten und dann, wo er stehen soll. Ein Klick auf ein Feld ändert sein Symbol.
editor-put-hint = Wähle jetzt, wo der Pirat stehen soll.
editor-put = den Piraten hierher stellen: { $place }
editor-place = das Symbol ändern: { $place }
editor-to-move = Spieler am Zug
editor-taken = Aktionen in diesem Zug
cartagena-about = Bring sechs Piraten aus dem Kerker zur Schaluppe. Karten bringen sie voran; wer zurückgeht, zieht neue Karten. 2 bis 6 Spieler.
cartagena-rule-open-hands = Alle Handkarten liegen offen
cartagena-rule-four-pirates = Nur vier Piraten für jeden: eine kürzere Partie

cartagena-guide-1 = Bring deine sechs Piraten in die Schaluppe. Wähle einen davon auf dem Spielplan, und die Felder leuchten auf, auf die er ziehen kann.
cartagena-guide-2 = Das sind deine Karten. Mit einer Karte zieht ein Pirat vor auf das nächste leere Feld mit ihrem Symbol. Ohne Karte geht ein Pirat zurück zu den nächsten Piraten, und du ziehst neue Karten.
cartagena-guide-3 = Ein Zug hat bis zu drei Aktionen; nach der ersten darfst du ihn beenden. Ein Tipp zeigt, was ein starker Spieler täte.
cartagena-guide-4 = Hier steht alles, was geschieht. Wähle eine Zeile, um den Spielplan von damals zu sehen. Weiter unten stehen die Regeln mit Bildern.
