//! A part of a tournament's games, to be played on one of several machines (`--shard 3/16`). `merge` joins the parts.

use engine::rng;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Part `index` of `of` parts of a tournament's blocks. The text form is `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// The part, from 1.
    pub index: u32,
    /// The number of parts.
    pub of: u32,
}

/// Why a text is no shard.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("expected a part and the number of parts, such as 3/16, not {0:?}")]
pub struct ShardError(String);

impl Shard {
    /// The only part: all blocks.
    pub const WHOLE: Shard = Shard { index: 1, of: 1 };

    /// Whether this is the whole tournament.
    pub fn is_whole(&self) -> bool {
        *self == Shard::WHOLE
    }

    /// Whether a block of this line-up belongs to this part. Every block belongs to exactly one part, and
    /// stays there when programs are added.
    pub fn has(&self, line_up: &str, block: u64) -> bool {
        // Block b goes to part (b + s) mod `of`, counted from 0, where s is a hash of the line-up's name. So the parts
        // get equally many blocks of each line-up, up to one. Line-ups start on different parts, so that the
        // surplus blocks are spread. If the hash changed, shards begun before would lose
        // or repeat blocks.
        let name = line_up.bytes();
        let start = name.fold(0x5AA5, |hash, byte| rng::mix(hash ^ u64::from(byte)));
        let start = start % u64::from(self.of);
        (block + start) % u64::from(self.of) == u64::from(self.index - 1)
    }
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::WHOLE
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let parse = || {
            let (index, of) = text.split_once('/')?;
            let (index, of) = (index.trim().parse().ok()?, of.trim().parse().ok()?);
            (1..=of).contains(&index).then_some(Shard { index, of })
        };
        parse().ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Shard, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read() {
        assert_eq!("3/16".parse(), Ok(Shard { index: 3, of: 16 }));
        for wrong in ["", "3", "0/4", "5/4", "x/4", "-1/4"] {
            assert_eq!(wrong.parse::<Shard>(), Err(ShardError(wrong.to_owned())));
        }
    }
}
