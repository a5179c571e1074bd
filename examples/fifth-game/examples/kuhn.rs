//! `cargo run -p fifth-game --example kuhn -- match|playthrough|table`

use arena::{LineUp, Plan};
use fifth_game::Kuhn;
use games::any::erased;
use games::{laws, playthrough};
use seats::matches::Match;
use std::error::Error;
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::sync::Arc;
use tables::{House, plain, serve};

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let game = erased(Kuhn);
    match std::env::args().nth(1).as_deref() {
        Some("match") => {
            let named = |name: &str| Ok((name.to_owned(), seats::maker(&name.parse()?)?));
            let participants = ["rollouts", "random"].map(named);
            let participants: Result<Vec<_>, Box<dyn Error + Send + Sync>> =
                participants.into_iter().collect();
            let line_ups = vec![LineUp(vec![0, 1])];
            let plan = Plan {
                line_ups,
                games: 2_000,
                jobs: 2,
            };
            let played =
                Match::new(game, participants?, 1).play(&plan, |_| ControlFlow::Continue(()))?;
            println!("{:#}", played.line_ups[0]);
        }
        Some("playthrough") => {
            let mut rng = engine::rng::stream(1, 1);
            print!(
                "{}",
                playthrough::text(&game, 1, |history| laws::random(history, &mut rng))
            );
        }
        Some("table") => {
            let table = plain(game, "Kuhn poker", "Three cards, one bet.");
            let folder = std::env::temp_dir().join("fifth-game");
            let house = House::open(vec![Arc::new(table)], &folder, 2, |line| {
                eprintln!("{line}")
            })?;
            let door = serve(TcpListener::bind("127.0.0.1:0")?, house, Vec::new())?;
            println!("http://{}{}", door.address, door.path);
            door.run()?;
        }
        _ => return Err("expected match, playthrough or table".into()),
    }
    Ok(())
}
