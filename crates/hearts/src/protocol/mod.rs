//! The data on the pipes: frames, and the messages in them. Players and referees share it.

mod frame;
mod message;

pub use frame::{Frames, MAX_FRAME, TooLong, frame};
pub use message::{
    MOST_NAME, Malformed, Message, Reply, card_number, parse, parse_reply, print, print_reply,
    print_signed, read_card,
};
