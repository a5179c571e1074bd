### Hearts.

hearts-level-1 = Neuling
hearts-level-1-summary = bedient Farbe, und hofft
hearts-level-2 = Gast
hearts-level-2-summary = weiß, was zu meiden ist, und vergisst es
hearts-level-3 = Stammgast
hearts-level-3-summary = duckt sich meistens
hearts-level-4 = Buchhalter
hearts-level-4-summary = zählt die Karten
hearts-level-5 = Wirt
hearts-level-5-summary = wägt ab, wie die Karten liegen können
hearts-level-6 = Hai
hearts-level-6-summary = liest die Hände der anderen aus ihrem Spiel

hearts-opens = Eine Zeile aus der Aufzeichnung eines Wettkampfs, die Datei eines Tisches mit einer Zeile für jede Runde, oder eine Stellung: was jeder hält (? für eine Karte, die der Zufall bestimmt), die seit dem Geben gespielten Karten, die Punkte vor der Runde. Spieler zählen von 1 an.
hearts-about = Ein Stichspiel, in dem Herz und die Pikdame zu meiden sind. Für 3 bis 6.
