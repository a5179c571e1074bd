### Hearts.

hearts-level-1 = Neuling
hearts-level-1-summary = bedient Farbe und hofft
hearts-level-2 = Gast
hearts-level-2-summary = weiß, was zu meiden ist, und vergisst es oft
hearts-level-3 = Stammgast
hearts-level-3-summary = spielt meistens vorsichtig
hearts-level-4 = Buchhalter
hearts-level-4-summary = zählt die Karten
hearts-level-5 = Wirt
hearts-level-5-summary = wägt ab, wie die Karten liegen können
hearts-level-6 = Hai
hearts-level-6-summary = schließt aus dem Spiel der anderen auf ihre Karten

hearts-opens = Du kannst eine Zeile einer Aufzeichnung öffnen, von einem Wettkampf oder einem Turnier; die Datei eines Tisches mit einer Zeile für jede Runde; oder eine Stellung: die Karten aller Spieler (? für eine, die der Zufall bestimmt), die seit dem Geben gespielten Karten und die Punkte vor der Runde. Spieler zählen von 1 an.
hearts-about = Ein Stichspiel: Herzkarten und die Pik-Dame sind Strafpunkte, also meide sie. 3 bis 6 Spieler.
hearts-rule-passing = Vor jeder Runde werden drei Karten weitergegeben: nach links, rechts, gegenüber, gar nicht

hearts-guide-1 = Deine Karten siehst du ganz unten; die du spielen darfst, stehen etwas höher. Bediene die ausgespielte Farbe, wenn du kannst.
hearts-guide-2 = Jede Herzkarte ist ein Strafpunkt, und die Pik-Dame zählt 13. Wer die wenigsten Punkte hat, gewinnt das Spiel.
hearts-guide-3 = Ein Tipp zeigt, mit wie vielen Punkten du bei jeder Karte rechnen kannst.
hearts-guide-4 = Hier steht alles, was geschieht. Wähle eine Zeile, um die Stellung von damals zu sehen. Weiter unten stehen die Regeln mit Bildern.
