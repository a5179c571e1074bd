### Any game.

plain-level-1 = Random
plain-level-1-summary = chooses any action
plain-level-2 = Quick
plain-level-2-summary = plays 20 games out before every action
plain-level-3 = Patient
plain-level-3-summary = plays 300 games out before every action
plain-did = { $name }: { $words }
plain-due = Choose an action
