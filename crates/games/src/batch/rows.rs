//! The arrays that a batch writes to, cut into the rows of its games.

use super::BatchError;

/// The slices that a batch writes to, a row for each game; [`Sizes`] has the lengths of rows.
#[derive(Debug)]
pub struct Rows<'a> {
    /// The observation of the player to move.
    pub observations: &'a mut [u8],
    /// For each id, whether it is legal.
    pub masks: &'a mut [bool],
    /// The player to move.
    pub seats: &'a mut [i8],
    /// Each player's return, if the game ended in this step; else 0.
    pub rewards: &'a mut [f32],
    /// Whether the game ended by its rules.
    pub terminated: &'a mut [bool],
    /// Whether the game ended undecided, at the limit of its length.
    pub truncated: &'a mut [bool],
    /// For a game that ended in this step, the last observation of each seat, in order; other rows stay as they
    /// are. Empty if the batch was made without them.
    pub finals: &'a mut [u8],
}

/// The lengths of one game's row in each slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of an observation.
    pub observation: usize,
    pub actions: usize,
    pub players: usize,
    /// Bytes of the last observations of all seats; 0 if the batch is made without them.
    pub finals: usize,
}

/// One game's row in each slice of [`Rows`].
#[derive(Debug)]
pub struct Row<'a> {
    pub observation: &'a mut [u8],
    pub mask: &'a mut [bool],
    pub seat: &'a mut i8,
    pub rewards: &'a mut [f32],
    pub terminated: &'a mut bool,
    pub truncated: &'a mut bool,
    pub finals: &'a mut [u8],
}

impl Rows<'_> {
    /// Splits the rows into parts of `chunk` games; the last part has the rest.
    pub fn chunks(&mut self, sizes: Sizes, games: usize, chunk: usize) -> Vec<Rows<'_>> {
        let mut rest = Rows {
            observations: self.observations,
            masks: self.masks,
            seats: self.seats,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            finals: self.finals,
        };
        let parts = (0..games).step_by(chunk).map(|from| {
            let games = chunk.min(games - from);
            Rows {
                observations: cut(&mut rest.observations, games * sizes.observation),
                masks: cut(&mut rest.masks, games * sizes.actions),
                seats: cut(&mut rest.seats, games),
                rewards: cut(&mut rest.rewards, games * sizes.players),
                terminated: cut(&mut rest.terminated, games),
                truncated: cut(&mut rest.truncated, games),
                finals: cut(&mut rest.finals, games * sizes.finals),
            }
        });
        parts.collect()
    }

    /// Checks the length of every slice: callers can resize their arrays between two calls.
    ///
    /// # Errors
    /// The first slice whose length is wrong.
    pub fn check(&self, sizes: Sizes, games: usize) -> Result<(), BatchError> {
        let lengths = [
            ("observations", self.observations.len(), sizes.observation),
            ("masks", self.masks.len(), sizes.actions),
            ("seats", self.seats.len(), 1),
            ("rewards", self.rewards.len(), sizes.players),
            ("terminated", self.terminated.len(), 1),
            ("truncated", self.truncated.len(), 1),
            ("final_observations", self.finals.len(), sizes.finals),
        ];
        for (array, found, row) in lengths {
            let expected = games * row;
            if found != expected {
                return Err(BatchError::Resized {
                    array,
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }

    /// Calls a function with every game's row.
    #[inline]
    pub fn each<'a>(&'a mut self, sizes: Sizes, mut call: impl FnMut(usize, Row<'a>)) {
        let mut observations = &mut *self.observations;
        let mut finals = &mut *self.finals;
        let masks = self.masks.chunks_exact_mut(sizes.actions);
        let rewards = self.rewards.chunks_exact_mut(sizes.players);
        let flags = self.terminated.iter_mut().zip(self.truncated.iter_mut());
        let rows = masks.zip(rewards).zip(self.seats.iter_mut()).zip(flags);
        for (game, (((mask, rewards), seat), (terminated, truncated))) in rows.enumerate() {
            let row = Row {
                observation: cut(&mut observations, sizes.observation),
                mask,
                seat,
                rewards,
                terminated,
                truncated,
                finals: cut(&mut finals, sizes.finals),
            };
            call(game, row);
        }
    }
}

/// Cuts off the beginning of a slice: for rows that may have no bytes, on which `chunks_mut` panics.
pub(super) fn cut<'a, T>(slice: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    let (part, rest) = std::mem::take(slice).split_at_mut(length);
    *slice = rest;
    part
}

/// Writes the bits of a set as bools, eight at a time.
///
/// The product has the eight bits in every byte, and the mask leaves bit k in byte k alone. Adding 127 carries any bit
/// that is left to the top of its byte. For the bits 0b101: bytes 1, 0, 4, then 0x80, 0x7F, 0x83, and so 1, 0, 1.
#[inline]
pub(super) fn spread(set: u64, mask: &mut [bool]) {
    for (part, flags) in mask.chunks_mut(8).enumerate() {
        let bits = set >> (8 * part) & 0xFF;
        let apart = bits.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        let carried = (apart + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101;
        let bools = carried.to_le_bytes().map(|byte| byte == 1);
        flags.copy_from_slice(&bools[..flags.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread_in_order() {
        let mut set: u64 = 0x9E37_79B9_7F4A_7C15;
        for length in 1..=64 {
            set = set.rotate_left(7) ^ length;
            let mut mask = vec![true; length as usize];
            spread(set, &mut mask);
            let expected = (0..length).map(|id| set >> id & 1 == 1);
            assert!(expected.eq(mask.iter().copied()), "{length}");
        }
    }
}
