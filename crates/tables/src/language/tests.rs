//! Tests of the languages of pages: which language a reader gets, texts inserted in texts, and
//! catalogues of messages.

use super::*;

fn ids(source: &str) -> Vec<&str> {
    let lines = source.lines().filter_map(|line| line.split_once(" = "));
    let named = lines.map(|(id, _)| id);
    let mut ids: Vec<&str> = named.filter(|id| !id.starts_with([' ', '#'])).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn readers_are_spoken_to_in_a_language_they_read() {
    for (chosen, accepted, expected) in [
        (None, "", Language::English),
        (None, "fr-FR,fr;q=0.9", Language::English),
        (None, "de-CH,de;q=0.9,en;q=0.8", Language::German),
        (None, "en;q=0.3, DE;q=0.4", Language::German),
        (None, "de;q=0, en;q=0.1", Language::English),
        (Some("de"), "en", Language::German),
        (Some("en"), "de", Language::English),
        (Some("../x"), "de", Language::German),
        (None, "de;q=nonsense", Language::English),
    ] {
        assert_eq!(
            Language::of(chosen, accepted),
            expected,
            "{chosen:?} {accepted}"
        );
    }
}

/// A text can have another text as its argument.
#[test]
fn texts_stand_in_texts() {
    let game = "card = { $rank ->\n    [7] seven\n   *[q] queen\n  } of { $suit }\nplay = play { $card }\n\
                drawn = { $n ->\n    [one] one card\n   *[other] { $n } cards\n  }\n";
    let catalogue = Catalogue::new(Language::English, &[game]).unwrap();
    let card = Text::of("card").with("rank", 7_u32).with("suit", "hearts");
    let play = Text::of("play").with("card", card);
    assert_eq!(catalogue.say(&play), "play seven of hearts");
    let drawn = |n: usize| catalogue.say(&Text::of("drawn").with("n", n));
    assert_eq!(
        (drawn(1), drawn(3)),
        ("one card".to_owned(), "3 cards".to_owned())
    );
    assert_eq!(catalogue.say(&Text::plain("Ann")), "Ann");
    assert_eq!(
        serde_json::to_value(&play).unwrap(),
        json!({ "id": "play", "args": { "card": { "id": "card", "args": { "rank": 7, "suit": "hearts" } } } })
    );
}

/// A friend who reads German sits beside "Spieler 1", although the host's page has stored "Player 1".
#[test]
fn neutral_names_are_said_in_every_language() {
    let german = Catalogue::new(Language::German, &[]).unwrap();
    let said = |name: &str| neutral_name(name).map(|text| german.say(&text));
    assert_eq!(said("Player 1"), Some("Spieler 1".to_owned()));
    assert_eq!(said("Spieler 12"), Some("Spieler 12".to_owned()));
    assert_eq!(said("Friend 2"), Some("Freund 2".to_owned()));
    for chosen in [
        "Ann",
        "Player",
        "player 1",
        "Player 01",
        "Player 1 ",
        "Louis 14",
        "",
    ] {
        assert_eq!(said(chosen), None, "{chosen:?}");
    }
}

#[test]
fn a_catalogue_that_cannot_be_read_is_told_of() {
    for wrong in ["a = { $", "you = Sie"] {
        let error = Catalogue::new(Language::German, &[wrong]).unwrap_err();
        assert_eq!(error.language, "de", "{error}");
    }
}

#[test]
fn the_house_says_the_same_in_every_language() {
    let english = ids(HOUSE.in_language(Language::English));
    assert!(english.len() > 80, "{}", english.len());
    for language in Language::ALL {
        assert_eq!(ids(HOUSE.in_language(language)), english, "{language:?}");
    }
}
