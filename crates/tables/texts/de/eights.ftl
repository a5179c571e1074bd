### Tricky Eights.

eights-level-1 = Neuling
eights-level-1-summary = bedient Farbe und hofft
eights-level-2 = Gast
eights-level-2-summary = weiß, was sticht, und vergisst es oft
eights-level-3 = Nachbar
eights-level-3-summary = nimmt Stiche, wenn sie billig sind
eights-level-4 = Stammgast
eights-level-4-summary = verliert hin und wieder eine Karte aus den Augen
eights-level-5 = Buchhalter
eights-level-5-summary = zählt die Karten
eights-level-6 = Wirt
eights-level-6-summary = wägt ab, wie die Karten liegen können
eights-level-7 = Fuchs
eights-level-7-summary = wägt länger ab, wie die Karten liegen können
eights-level-8 = Alter Hase
eights-level-8-summary = macht wenige Fehler
eights-level-9 = Kenner
eights-level-9-summary = macht kaum Fehler
eights-level-10 = Meister
eights-level-10-summary = spielt wie der Stärkste, mit weniger Zeit
eights-level-11 = Hai
eights-level-11-summary = schließt aus dem Spiel der anderen auf ihre Karten

eights-opens = Du kannst eine Zeile einer Aufzeichnung öffnen, von einem Wettkampf oder einem Turnier; die Datei eines Tisches mit einer Zeile für jede Runde; das Protokoll des Servers; die Zeilen, die einem Programm geschickt wurden; oder eine Stellung: die Karten aller Spieler (? für eine, die der Zufall bestimmt), die offenen Karten, die seit dem Geben genommenen und gespielten Karten und die Punkte vor der Runde. Spieler zählen von 1 an: Nord, Ost, Süd, West.
eights-about = Ein Stichspiel: Nimm erst offene Karten, dann mach Stiche, möglichst mit Achten darin. 4 Spieler.

eights-guide-1 = Zuerst nehmen alle reihum eine der offenen Karten, dreimal herum. Dann werden Stiche gespielt: Bediene die ausgespielte Farbe, wenn du kannst.
eights-guide-2 = Jeder Stich zählt, der erste und der letzte mehr als die anderen, und jede Acht darin zählt zwei. 300 Punkte gewinnen das Spiel.
eights-guide-3 = Ein Tipp zeigt, mit wie vielen Punkten du bei jeder Karte rechnen kannst.
eights-guide-4 = Hier steht alles, was geschieht. Wähle eine Zeile, um die Stellung von damals zu sehen. Weiter unten stehen die Regeln mit Bildern.
