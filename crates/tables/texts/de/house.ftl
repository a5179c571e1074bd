### Die Tische: die Startseite, was der Tisch jedes Spiels hat, und die Analyse.

language-name = Deutsch
you = Du
needs-scripts = Diese Seite braucht JavaScript. Sie lädt Skripte nur von diesem Server.

## Was schiefgeht

no-answer = Der Server antwortet nicht.
odd-answer = Der Server antwortet mit Fehler { $status }.
no-such-page = Diese Seite gibt es nicht, oder der Link ist unvollständig.
gone-friend = Wenn du den Link bekommen hast, lass ihn dir noch einmal schicken und öffne ihn ganz. Vielleicht wurde der Tisch inzwischen entfernt.
gone-host = Wenn du den Server selbst betreibst, öffne die Adresse, die „contest play“ zuletzt ausgegeben hat. Bei jedem Start ist sie eine andere; die Links der Tische bleiben gleich.
gone-return = Zurück
refused-stale = Das Spiel ist inzwischen weitergegangen.
refused-turn = Du bist nicht dran.
refused-onlooker = Du schaust zu und kannst nicht mitspielen.
refused-hints = An diesem Tisch gibt es keine Tipps.
refused-chat = An diesem Tisch kann niemand schreiben.
refused-advice = Die Berechnung ist fehlgeschlagen.
refused-resigned = Du hast aufgegeben.
refused-unfinished = Das Spiel ist noch nicht zu Ende.
refused-record = Von dieser Partie gibt es keine Datei, da sie nicht beim ersten Austeilen begann.
refused-back = Es gibt nichts, was du zurücknehmen kannst.
refused-branches = Von diesem Spiel gehen schon { $n } Tische aus. Mehr sind nicht möglich.
refused-full = Hier gibt es zu viele Tische. Der Gastgeber muss erst alte entfernen.
refused-other-game = Das ist ein Spiel oder eine Stellung von { $game }. Wähl oben auf der Seite { $game } und öffne es dann.
table-gone = Diesen Tisch gibt es nicht mehr.
table-lost = Verbindung unterbrochen. Neuer Versuch …

## Die Startseite

start-title = Setz dich und spiel mit
start-language = Sprache
start-game = Spiel
start-seats = Plätze
table-tables = Alle Tische
start-more = Spieler hinzufügen
start-hints = Tipps erlauben
start-fewer = Spieler entfernen
start-freely = Zurücknehmen erlauben, auch nachdem etwas Neues zu sehen war
start-terms = Uhr und Chat
start-clock = Uhr
start-clock-none = keine
start-clock-action = für jede Aktion
start-clock-game = für das ganze Spiel
start-clock-action-note = Wenn die Zeit um ist, führt der Computer diese eine Aktion aus.
start-clock-game-note = Alle haben ihre eigene Zeit. Wessen Zeit um ist, der hat aufgegeben.
start-minutes = Minuten
start-chat = Chat am Tisch
start-remove = Entfernen
start-remove-table = Diesen Tisch entfernen: { $game }
start-remove-sure = Dieses Spiel ist noch nicht zu Ende. Trotzdem entfernen?
start-play = Spielen
start-open = Ein Spiel oder eine Stellung öffnen
start-file = Datei auswählen
start-text = Text des Spiels oder der Stellung
start-open-it = Öffnen
start-example = Beispielstellung einfügen
start-tables = Tische
start-no-tables = Noch keine Tische. Wenn du ein Spiel verlässt, findest du es hier wieder.
start-seat = Platz { $n }
start-name = Name an Platz { $n }
start-me = Ich
start-other = Noch jemand an diesem Gerät
start-friend = Ein Freund (Link schicken)
start-levels = Der Computer
start-programs = Programme
start-player-n = Spieler { $n }
start-friend-n = Freund { $n }
start-over = { $actions ->
    [one] zu Ende nach einer Aktion
   *[other] zu Ende nach { $actions } Aktionen
  }
start-under-way = { $actions ->
    [one] bisher eine Aktion
   *[other] bisher { $actions } Aktionen
  }
start-from = (setzt ein anderes Spiel ab Aktion { $action } fort)
start-look-on = Zuschauen
start-links = Jeder Name ist der Link zu diesem Platz. Schick deinen Freunden ihre Links und öffne deinen eigenen.

## Die eigenen Spiele des Gastgebers

own-games = Meine Spiele
own-against = gegen { $others }
own-won = gewonnen
own-shared = erster Platz geteilt
own-lost = Platz { $place }
own-unrated = zählt nicht für die Wertung
own-rating = Wertung { $value } ± { $margin } nach { $games ->
    [one] einem Spiel
   *[other] { $games } Spielen
  }
own-note = Die Wertung folgt Glicko, gegen feste Wertungen der Spielstärken, die in Spielen gegeneinander gemessen wurden. Spiele mit Tipps, oder in denen etwas zurückgenommen wurde, nachdem Neues zu sehen war, zählen nicht.

## Am Tisch

table-end = Zug beenden
table-back = Zurücknehmen
table-hint = Tipp
table-retry = Noch einmal versuchen lassen
table-skip = Überspringen
table-pause = Pause
table-resign = Aufgeben
table-resign-sure = Dieses Spiel aufgeben?
table-review = Analyse
table-again = Noch einmal spielen
table-next = Zum nächsten Spiel
table-record = Spiel als Datei herunterladen
table-page = als Webseite
table-type = Aktion eintippen
table-notation = Aktion in der Schreibweise des Wettbewerbs
table-do = Ausführen
table-example = Zum Beispiel: { $action }
table-impossible = Das geht nicht: { $reason }
table-forced = Eine Aktion für mich ausführen, wenn sie die einzige ist
table-log = Verlauf
table-log-label = Verlauf, das Neueste zuletzt
moves-player = Wessen Aktionen gezeigt werden
moves-everybody = alle Spieler
moves-mistakes = nur Fehler
table-rules = Regeln
table-sound = Ton, wenn ich dran bin
chat-title = Chat
chat-line = Nachricht an die anderen
chat-send = Senden
invite-send = Schick { $name } diesen Link:
invite-link = Link für { $name }
invite-copy = Kopieren
invite-copied = Kopiert
invite-share = Teilen
invite-code = QR-Code des Links
invite-local = Dieser Link funktioniert nur auf diesem Rechner. Damit andere aus deinem Netz mitspielen können, beende den Server und starte ihn mit „contest play --bind 0.0.0.0“.
invite-unknown = Die Adresse dieses Rechners in seinem Netz ließ sich nicht ermitteln. Ersetze damit im Link „localhost“.
clock-waits = Die Uhr läuft, sobald alle da sind.
table-from = Dieses Spiel setzt ein anderes ab Aktion { $action } fort. Wer dessen Ende gesehen hat, kennt einige Karten.

status-lesson = Finde eine bessere Aktion
status-only-end = Keine Aktion ist möglich: Beende deinen Zug.
status-only-one = Nur eine Aktion ist möglich.
status-past = Nach { $n } von { $actions } Aktionen
status-resigned = { $own ->
    [yes] Du hast aufgegeben.
   *[no] { $name } hat aufgegeben.
  }
status-time-up = { $own ->
    [yes] Deine Zeit war um.
   *[no] Die Zeit von { $name } war um.
  }
status-stuck = Keine Aktion von { $name }: { $reason }
stuck-hidden = Das Programm hat keine gültige Antwort gegeben; mehr dazu steht auf der Seite des Gastgebers
status-waiting = Warten auf { $name }
status-thinking = { $name } denkt nach
name-numbered = { $name } { $n }
own-seat = { $name } (du)
won-you = Du hast gewonnen!
won-other = Gewonnen hat { $name }.
won-substitute = Gewonnen hat { $name }; der Computer hat dort weitergespielt.
over = Das Spiel ist zu Ende.

cover-me = Ich bin { $name }
cover-next = Als Nächstes: { $name }. Gib das Gerät weiter; jetzt sind keine Karten zu sehen.
cover-status = Als Nächstes: { $name }

advice-thinking = denkt nach …
advice-tie = gleich gut
advice-more = Alle { $n } Aktionen zeigen
advice-best = am besten
advice-action = Aktion
advice-chance = Chance auf den Spielgewinn
advice-points = Erwartete Punkte
advice-penalty = Erwartete Strafpunkte
advice-loses = Rückstand
advice-then = Was folgt

your-cards = Deine Karten
count-cards = { $n ->
    [one] { $n } Karte
   *[other] { $n } Karten
  }
count-points = { $n ->
    [one] { $n } Punkt
   *[other] { $n } Punkte
  }
count-tricks = { $n ->
    [one] { $n } Stich
   *[other] { $n } Stiche
  }

## Die Analyse

grade-doubtful = zweifelhaft: kostet ein wenig
grade-mistake = Fehler: kostet mehr
grade-blunder = grober Fehler: kostet viel
review-earlier = Eine Aktion zurück
review-later = Eine Aktion vor
review-position = Stellung
review-leave = Analyse schließen
review-branch = Von hier weiterspielen
review-end = Das Ende des Spiels
review-action = { $name }: { $action }
review-better = um { $loss } besser: { $action }
review-luck = Glück { $luck }
# Soft hyphens let narrow columns break the words.
review-decisions = Entschei{ "\u00AD" }dungen
review-rate = Fehler{ "\u00AD" }rate
review-luck-head = Glück
review-about-marks = { $unit ->
    [chance] ?! kennzeichnet eine Aktion, die gegenüber der besten mindestens 2 % Gewinnchance kostet, ? eine ab 5 %, ?? eine ab 10 %.
   *[points] ?! kennzeichnet eine Aktion, die gegenüber der besten mindestens einen halben Punkt kostet, ? eine ab einem Punkt, ?? eine ab zwei Punkten.
  }
review-about-rate = Die Fehlerrate ist der mittlere Verlust je Entscheidung: je kleiner, desto besser. Eine Aktion ohne Alternative ist keine Entscheidung.
review-about-luck = Glück ist der Wert der Karten, die kamen, abzüglich des Durchschnitts aller, die hätten kommen können: 0 ist durchschnittliches Glück.
review-progress = { $done } von { $total } Aktionen analysiert …
review-accounts = Wie gut alle gespielt haben
review-curve-chance = Die Gewinnchance jedes Spielers im Lauf des Spiels, nach dem, was er wissen konnte
review-curve-points = Die Punkte, die jeder Spieler im Lauf des Spiels erwarten konnte, nach dem, was er wissen konnte
review-curve-penalty = Die Strafpunkte, die jeder Spieler im Lauf des Spiels erwarten konnte (weniger steht höher), nach dem, was er wissen konnte
review-was-better = besser: { $action }
review-step = Aktion { $n } von { $actions }

lesson-begin = Aus Fehlern lernen
lesson-question = Fehler { $n } von { $total }: Deine Wahl war „{ $action }“; das kostet { $loss }. Wähle etwas Besseres.
lesson-right = Richtig: { $action }
lesson-wrong = { $action }: kostet { $loss }. Versuch es noch einmal.
lesson-show = Antwort zeigen
lesson-next = Nächster Fehler
lesson-end = Lektion beenden

## Eine Stellung ändern

editor-player = Spieler { $n }
editor-unknown = unbekannt
editor-points = Punkte
editor-tricks = Stiche

## Ein erster Besuch

guide-next = Weiter ({ $n } von { $total })
guide-close = Einführung schließen
guide-done = Verstanden
