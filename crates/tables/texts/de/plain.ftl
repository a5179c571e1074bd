### Jedes Spiel.

plain-level-1 = Zufall
plain-level-1-summary = wählt irgendeine Aktion
plain-level-2 = Schnell
plain-level-2-summary = spielt vor jeder Aktion 20 Spiele zu Ende
plain-level-3 = Geduldig
plain-level-3-summary = spielt vor jeder Aktion 300 Spiele zu Ende
plain-did = { $name }: { $words }
plain-due = Wähle eine Aktion
