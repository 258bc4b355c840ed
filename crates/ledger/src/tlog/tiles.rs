//! Tiles: the tree and the entries as files that never change (C2SP tlog-tiles).

use super::hash::Hash;
use super::tree::Tree;

/// How many hashes or entries a full tile holds.
pub const TILE_WIDTH: u64 = 256;

/// The longest entry that a bundle can carry, in bytes: its length has 16 bits.
pub const BUNDLE_ENTRY_BYTES_MAX: usize = 0xFFFF;

/// The highest level that a tile can have.
const LEVEL_MAX: u8 = 63;

/// What a tile holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TileKind {
    /// Hashes, each over 256 to the power of the level leaves.
    Hashes(u8),
    /// The entries themselves.
    Entries,
}

/// Which tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    /// What it holds.
    pub kind: TileKind,
    /// Its place in its level, from 0.
    pub index: u64,
    /// How much it holds, from 1 to 256; 256 is a full one.
    pub width: u16,
}

impl Tile {
    /// Where it is served, below the address of the log.
    ///
    /// ```
    /// use lawbook_ledger::tlog::{Tile, TileKind};
    ///
    /// let tile = Tile { kind: TileKind::Hashes(0), index: 1_234_067, width: 256 };
    /// assert_eq!(tile.path(), "tile/0/x001/x234/067");
    /// assert_eq!(Tile::read("tile/0/x001/x234/067"), Some(tile));
    /// let part = Tile { kind: TileKind::Entries, index: 1, width: 7 };
    /// assert_eq!(part.path(), "tile/entries/001.p/7");
    /// ```
    #[must_use]
    pub fn path(&self) -> String {
        let level = match self.kind {
            TileKind::Hashes(level) => level.to_string(),
            TileKind::Entries => "entries".to_string(),
        };
        let mut parts = Vec::new();
        let mut rest = self.index;
        loop {
            let mark = if parts.is_empty() { "" } else { "x" };
            parts.push(format!("{mark}{:03}", rest % 1000));
            rest /= 1000;
            if rest == 0 {
                break;
            }
        }
        parts.reverse();
        let part = match self.width {
            256 => String::new(),
            width => format!(".p/{width}"),
        };
        format!("tile/{level}/{}{part}", parts.join("/"))
    }

    /// Reads a path; only the one way of writing it is read.
    #[must_use]
    pub fn read(path: &str) -> Option<Self> {
        let (level, rest) = path.strip_prefix("tile/")?.split_once('/')?;
        let kind = match level {
            "entries" => TileKind::Entries,
            _ => TileKind::Hashes(level.parse().ok().filter(|it| *it <= LEVEL_MAX)?),
        };
        let (places, width) = match rest.split_once(".p/") {
            Some((places, width)) => (places, width.parse().ok()?),
            None => (rest, 256),
        };
        let mut index = 0_u64;
        for place in places.split('/') {
            let digits = place.strip_prefix('x').unwrap_or(place);
            let digits: u64 = digits.parse().ok()?;
            index = index.checked_mul(1000)?.checked_add(digits)?;
        }
        let tile = Tile { kind, index, width };
        let is_width = (1..=256).contains(&width);
        (is_width && tile.path() == path).then_some(tile)
    }

    /// All tiles of a tree: those of hashes from the lowest level on, then the bundles.
    ///
    /// For the tree of `new` leaves the ones are left out that the tree of `old` leaves has too.
    pub fn all(old: u64, new: u64) -> impl Iterator<Item = Tile> {
        let levels = (0..=LEVEL_MAX / 8).map(TileKind::Hashes).chain([TileKind::Entries]);
        levels.flat_map(move |kind| {
            let shift = match kind {
                TileKind::Hashes(level) => u32::from(level).saturating_mul(8),
                TileKind::Entries => 0,
            };
            let count = |size: u64| size.checked_shr(shift).unwrap_or(0);
            let (before, now) = (count(old), count(new));
            let first = before / TILE_WIDTH;
            let last = now / TILE_WIDTH;
            let full = (first..last).map(move |index| Tile { kind, index, width: 256 });
            let width = u16::try_from(now % TILE_WIDTH).unwrap_or(0);
            let part = (width > 0 && now != before).then_some(Tile { kind, index: last, width });
            full.chain(part)
        })
    }

    /// The hashes of a tile of this tree, one after the other; none if the tree has no such tile,
    /// or it holds entries.
    #[must_use]
    pub fn hashes(&self, tree: &Tree) -> Option<Vec<u8>> {
        let TileKind::Hashes(level) = self.kind else { return None };
        let level = level.checked_mul(8)?;
        let first = self.index.checked_mul(TILE_WIDTH)?;
        let mut out = Vec::with_capacity(usize::from(self.width).saturating_mul(32));
        for place in 0..u64::from(self.width) {
            out.extend_from_slice(&tree.complete(level, first.checked_add(place)?)?.0);
        }
        Some(out)
    }
}

/// Reads the hashes of a tile.
#[must_use]
pub fn tile_hashes(bytes: &[u8]) -> Option<Vec<Hash>> {
    let (hashes, rest) = bytes.as_chunks::<32>();
    let count = hashes.len();
    (rest.is_empty() && (1..=256).contains(&count))
        .then(|| hashes.iter().map(|it| Hash(*it)).collect())
}

/// Adds an entry to a bundle: its length in two bytes, and itself. False if it is too long.
#[must_use]
pub fn add_to_bundle(bundle: &mut Vec<u8>, entry: &[u8]) -> bool {
    let Ok(length) = u16::try_from(entry.len()) else { return false };
    bundle.extend_from_slice(&length.to_be_bytes());
    bundle.extend_from_slice(entry);
    true
}

/// The entries of a bundle; none if it is cut or holds more than 256.
#[must_use]
pub fn bundle_entries(bundle: &[u8]) -> Option<Vec<&[u8]>> {
    let mut out = Vec::new();
    let mut rest = bundle;
    while !rest.is_empty() {
        let (length, more) = rest.split_first_chunk::<2>()?;
        let (entry, more) = more.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        if out.len() == 256 {
            return None;
        }
        out.push(entry);
        rest = more;
    }
    Some(out)
}
