### Die Tische: die erste Seite, was der Tisch jedes Spiels hat, und die Nachbetrachtung.

language-name = Deutsch
you = Du
needs-scripts = Diese Seite braucht Skripte; sie kommen von dem Programm, das sie ausliefert.

## Was schiefgeht

no-answer = der Server antwortet nicht
odd-answer = der Server antwortet mit { $status }
no-such-page = diese Seite gibt es nicht, oder der Link ist unvollständig
refused-stale = das Spiel ist inzwischen weitergegangen
refused-turn = du bist nicht dran
refused-onlooker = wer zuschaut, spielt nicht
refused-busy = andere denken gerade; frag gleich noch einmal
refused-advice = der Rat konnte nicht ausgearbeitet werden
refused-resigned = du hast aufgegeben
refused-unfinished = das Spiel ist noch nicht zu Ende
refused-back = nichts kann zurückgenommen werden
refused-branches = von diesem Spiel aus sind schon { $n } Tische aufgestellt
table-gone = Diesen Tisch gibt es nicht mehr.
table-lost = Die Verbindung ist unterbrochen; es wird wieder versucht …

## Die erste Seite

start-title = Setz dich und spiel
start-language = Sprache
start-game = Spiel
start-seats = Plätze
table-tables = Alle Tische
start-more = Einer mehr
start-fewer = Einer weniger
start-freely = Züge dürfen zurückgenommen werden, auch nachdem eine Karte gezogen wurde
start-play = Spielen
start-open = Ein Spiel oder eine Stellung öffnen
start-file = Eine Datei
start-text = Ihr Text
start-open-it = Öffnen
start-example = Eine Stellung zum Ändern
start-tables = Tische
start-no-tables = Noch keine. Ein Spiel, das du verlässt, wartet hier.
start-seat = Platz { $n }
start-name = Name an Platz { $n }
start-me = Ich
start-other = Jemand anderes an diesem Bildschirm
start-friend = Ein Freund, über einen Link
start-levels = Der Computer
start-programs = Programme
start-player-n = Spieler { $n }
start-friend-n = Freund { $n }
start-over = { $actions ->
    [one] zu Ende nach einem Zug
   *[other] zu Ende nach { $actions } Zügen
  }
start-under-way = { $actions ->
    [one] bisher ein Zug
   *[other] bisher { $actions } Züge
  }
start-from = (ab Zug { $action } eines anderen Tisches)
start-look-on = zuschauen
start-links = Jeder Name ist ein Link zu diesem Platz: Schick deinen Freunden ihren, und nimm deinen.

## Am Tisch

table-end = Zug beenden
table-back = Zurücknehmen
table-hint = Tipp
table-retry = Noch einmal versuchen lassen
table-skip = Überspringen
table-pause = Pause
table-resign = Aufgeben
table-resign-sure = Dieses Spiel aufgeben?
table-review = Nachbetrachtung
table-again = Noch einmal
table-next = Weiter zum nächsten Spiel
table-record = Das Spiel als Datei
table-page = als Seite
table-type = Einen Zug eintippen
table-notation = Ein Zug, wie der Wettbewerb ihn schreibt
table-do = Ausführen
table-log = Was geschah
table-log-label = Was geschah, das Letzte zuerst
table-rules = Regeln
table-from = Dieses Spiel geht ab Zug { $action } eines anderen weiter: Wer dessen Ende gesehen hat, kennt Karten von diesem.

status-past = Nach { $n } von { $actions } Zügen
status-resigned = { $own ->
    [yes] Du hast aufgegeben.
   *[no] { $name } gibt auf.
  }
status-stuck = { $name } hat sich nicht entschieden: { $reason }
stuck-hidden = das Programm hat nicht geantwortet, wie es soll; die Seite, auf der der Tisch aufgestellt wurde, sagt mehr
status-waiting = Warten auf { $name }
status-thinking = { $name } denkt nach
own-seat = { $name } (du)
won-you = Du hast gewonnen!
won-other = { $name } hat gewonnen.
over = Das Spiel ist zu Ende.

cover-me = Ich bin { $name }
cover-next = Jetzt kommt { $name }. Gib den Platz frei; niemandes Karten sind zu sehen.
cover-status = Jetzt kommt { $name }

advice-thinking = denkt nach …
advice-best = am besten
advice-action = Zug
advice-chance = Gewinnchance
advice-points = Erwartete Punkte
advice-loses = Verliert
advice-then = Danach

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

## Die Nachbetrachtung

grade-doubtful = zweifelhaft
grade-mistake = Fehler
grade-blunder = grober Fehler
review-earlier = Einen Zug zurück
review-later = Einen Zug vor
review-position = Stellung
review-leave = Zurück ans Ende
review-branch = Von hier weiterspielen
review-end = Das Ende des Spiels
review-action = { $name }: { $action }
review-better = um { $loss } besser: { $action }
review-luck = Glück { $luck }
review-decisions = Entscheidungen
review-rate = Fehlerrate
review-luck-head = Glück
review-progress = { $done } von { $total } Zügen betrachtet …
review-accounts = Wie alle gespielt haben
review-curve-chance = Die Gewinnchance jedes Spielers, nach eigenem Wissen, über das Spiel
review-curve-points = Die Punkte, die jeder Spieler erwartete, nach eigenem Wissen, über das Spiel
review-no-mistakes = Bisher keine Fehler.
review-was-better = besser: { $action }
review-step = Zug { $n } von { $actions }

## Eine Stellung ändern

editor-player = Spieler { $n }
editor-unknown = unbekannt
editor-points = Punkte
editor-tricks = Stiche
