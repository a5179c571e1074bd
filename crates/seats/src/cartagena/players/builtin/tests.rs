use super::*;

fn error(text: &str) -> String {
    recipe_of(text).err().expect("an error").to_string()
}

#[test]
fn every_entry_can_be_made() {
    assert!(matches!(
        mind(&"cheat".parse().unwrap()),
        Ok(Mind::Cheat(_))
    ));
    for kind in ALL {
        assert!(recipe_of(kind.name).is_ok(), "{}", kind.name);
    }
}

#[test]
fn errors_say_what_is_expected() {
    assert_eq!(
        error("hoarder,card=x"),
        "card=x: expected a number from -1000 to 1000"
    );
    assert_eq!(
        error("runme,levels=99"),
        "levels=99: expected a whole number from 1 to 7"
    );
    assert!(error("nobody").starts_with("there is no built-in player \"nobody\"; there are runme"));
    assert_eq!(
        error("greedy,speed=2"),
        "greedy has no setting \"speed\"; it has none"
    );
    assert_eq!(
        error("cheat,nodes=20"),
        "cheat sees all hands, so it plays only in games of programs alone"
    );
    assert!(error("runme,network=nowhere").starts_with("network=nowhere: expected a folder"));
}
