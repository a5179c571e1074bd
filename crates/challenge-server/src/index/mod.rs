//! An index of a journal's games: a file of entries of equal size, in the order of the journal. Memory
//! holds only a few bytes for every thousand games.
//!
//! The contest's server writes the index together with the journal; the web page reads it through
//! [`Index::reader`]. A page for recorded games makes its own index.

mod entry;
mod id_set;

pub use entry::IndexEntry;
pub use id_set::IdSet;

use super::record::GameLine;
use super::summary::Summary;
use engine::disk::{Disk, System};
use engine::rng::mix;
use entry::SIZE;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

/// Entries of a block, which are read together.
const BLOCK: u64 = 1024;

/// A summary of a block, which shows whether a game can be in it at all. A block without that game is not read.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The lowest and the highest number of its games.
    least: u64,
    most: u64,
    /// Bit n is set if a team with number ≡ n (mod 64) plays in the block. A clear bit is certain: the team
    /// does not play here. A set bit may come from another team.
    teams: u64,
}

impl Block {
    const EMPTY: Block = Block {
        least: u64::MAX,
        most: 0,
        teams: 0,
    };

    fn add(&mut self, summary: &Summary) {
        self.least = self.least.min(summary.id);
        self.most = self.most.max(summary.id);
        self.teams |= summary.teams.iter().fold(0, |all, &team| all | bit(team));
    }
}

/// A team's bit in `Block::teams`.
fn bit(team: u64) -> u64 {
    1 << (team % 64)
}

/// Writes to a file from a position on, without the file's own cursor, which readers share.
struct At<'a> {
    file: &'a File,
    place: u64,
}

impl Write for At<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write_at(bytes, self.place)?;
        self.place += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An index and its file.
#[derive(Debug)]
pub struct Index<D: Disk = System> {
    disk: D,
    file: File,
    count: u64,
    checksum: u64,
    blocks: Vec<Block>,
    /// Entries that could not be written yet.
    unwritten: Vec<u8>,
}

impl Index {
    /// An empty index in a file.
    ///
    /// # Errors
    /// If the file cannot be emptied.
    pub fn new(file: File) -> io::Result<Index> {
        Index::on(System, file)
    }
}

impl<D: Disk> Index<D> {
    /// As [`new`](Index::new), on any disk.
    ///
    /// # Errors
    /// As there.
    pub fn on(disk: D, file: File) -> io::Result<Index<D>> {
        disk.call(|| file.set_len(0))?;
        Ok(Index::empty(disk, file))
    }

    fn empty(disk: D, file: File) -> Index<D> {
        Index {
            disk,
            file,
            count: 0,
            checksum: 0,
            blocks: Vec::new(),
            unwritten: Vec::new(),
        }
    }

    /// The index of the first `count` entries in a file; `checksum` is theirs. Later entries are cut off.
    ///
    /// # Errors
    /// If the file has fewer entries, or the checksum is another one.
    pub fn open(disk: D, file: File, count: u64, checksum: u64) -> io::Result<Index<D>> {
        let damaged = |text: String| io::Error::new(io::ErrorKind::InvalidData, text);
        let found = disk.call(|| file.metadata())?.len() / SIZE as u64;
        if found < count {
            return Err(damaged(format!("it has {found} games, expected {count}")));
        }
        let mut index = Index::empty(disk, file);
        // Every entry is read once: that checks them, and builds the blocks' summaries.
        while index.count < count {
            let most = (count - index.count).min(BLOCK);
            for entry in index.read(index.count, most)? {
                index.take(&entry);
            }
        }
        if index.checksum != checksum {
            return Err(damaged("it is that of another journal".to_owned()));
        }
        // Entries beyond the checkpoint are pushed again while the journal's rest is read.
        let length = count * SIZE as u64;
        index.disk.call(|| index.file.set_len(length))?;
        Ok(index)
    }

    /// The same index for another thread, which only reads; [`refresh`](Index::refresh) brings it up to date.
    ///
    /// # Errors
    /// If the system has no more files.
    pub fn reader(&self) -> io::Result<Index<D>> {
        Ok(Index {
            disk: self.disk.clone(),
            file: self.disk.call(|| self.file.try_clone())?,
            // The other thread can read only what is in the file.
            count: self.count - (self.unwritten.len() / SIZE) as u64,
            checksum: 0,
            blocks: self.blocks.clone(),
            unwritten: Vec::new(),
        })
    }

    /// How many games it has.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A checksum of all entries. It is meaningful only for the index that they were added to, not for a
    /// reader.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Whether all entries are in the file.
    pub fn is_written(&self) -> bool {
        self.unwritten.is_empty()
    }

    /// Adds an entry to the count, the checksum and the block's summary, but not to the file.
    fn take(&mut self, entry: &IndexEntry) {
        let block = (self.count / BLOCK) as usize;
        if block == self.blocks.len() {
            self.blocks.push(Block::EMPTY);
        }
        self.blocks[block].add(&entry.summary);
        // Chained, so it depends on the order of the entries too.
        self.checksum = mix(self.checksum ^ entry.checksum());
        self.count += 1;
    }

    /// Adds a game whose line begins at this byte and has this length. An entry that cannot be written is kept,
    /// and written with the next one.
    pub fn push(&mut self, game: &GameLine, start: u64, length: usize) {
        let entry = IndexEntry {
            summary: Summary::of(game),
            has_names: game.names.is_some(),
            start,
            length: u32::try_from(length).unwrap_or(u32::MAX),
        };
        // The position of the first entry that is not in the file: `count` counts unwritten ones too.
        let at = self.count * SIZE as u64 - self.unwritten.len() as u64;
        self.unwritten.extend(entry.encode());
        self.take(&entry);
        let mut place = At {
            file: &self.file,
            place: at,
        };
        // After a failed write all of it is written again from the same position, over any part that was written.
        if self.disk.write_all(&mut place, &self.unwritten).is_ok() {
            self.unwritten.clear();
        }
    }

    /// Adds the entries that another thread has appended to the file since the last call.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn refresh(&mut self) -> io::Result<()> {
        let found = self.disk.call(|| self.file.metadata())?.len() / SIZE as u64;
        while self.count < found {
            let most = (found - self.count).min(BLOCK);
            for entry in self.read(self.count, most)? {
                self.take(&entry);
            }
        }
        Ok(())
    }

    /// Reads entries that are in the file.
    fn read(&self, first: u64, count: u64) -> io::Result<Vec<IndexEntry>> {
        let mut bytes = vec![0; count as usize * SIZE];
        let start = first * SIZE as u64;
        self.disk
            .call(|| self.file.read_exact_at(&mut bytes, start))?;
        let (entries, _) = bytes.as_chunks::<SIZE>();
        // `zip` numbers the entries for the message.
        let read = entries.iter().zip(first..).map(|(bytes, i)| {
            IndexEntry::decode(bytes).ok_or_else(|| {
                let text = format!("entry {} of the index is damaged", i + 1);
                io::Error::new(io::ErrorKind::InvalidData, text)
            })
        });
        read.collect()
    }

    /// The entries of a block, each with its place: its position in the whole index, from 0.
    fn block(
        &self,
        block: usize,
    ) -> io::Result<impl DoubleEndedIterator<Item = (u64, IndexEntry)>> {
        let first = block as u64 * BLOCK;
        // Only what is in the file: unwritten entries of the last block are left out.
        let written = self.count - (self.unwritten.len() / SIZE) as u64;
        let count = written.saturating_sub(first).min(BLOCK);
        let entries = self.read(first, count)?;
        Ok(entries
            .into_iter()
            .enumerate()
            .map(move |(i, entry)| (first + i as u64, entry)))
    }

    /// A game and its place, from 0; none if there is no such game.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn find(&self, id: u64) -> io::Result<Option<(u64, IndexEntry)>> {
        // From the end: games that people look for are mostly recent. Numbers may overlap between blocks, so
        // a block that does not have the game does not end the search.
        for (i, block) in self.blocks.iter().enumerate().rev() {
            if (block.least..=block.most).contains(&id)
                && let Some(found) = self.block(i)?.find(|(_, entry)| entry.summary.id == id)
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The last games whose place is below `before`, the latest first, at most `limit`; only those of `team` if one
    /// is given.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn latest(
        &self,
        team: Option<u64>,
        before: u64,
        limit: usize,
    ) -> io::Result<Vec<IndexEntry>> {
        let mut found = Vec::new();
        let blocks = before.min(self.count).div_ceil(BLOCK) as usize;
        for i in (0..blocks).rev() {
            // A clear bit: the team has no game in this block.
            if team.is_some_and(|team| self.blocks[i].teams & bit(team) == 0) {
                continue;
            }
            // The bit was only a hint, so every entry is checked.
            let is_one =
                |entry: &IndexEntry| team.is_none_or(|team| entry.summary.teams.contains(&team));
            let entries = self.block(i)?.rev();
            let fitting = entries.filter(|(place, entry)| *place < before && is_one(entry));
            found.extend(fitting.map(|(_, entry)| entry).take(limit - found.len()));
            if found.len() == limit {
                break;
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests;
