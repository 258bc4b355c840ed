//! Trees, proofs and tiles against two other implementations.

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use sha2::Sha256;

use super::tree::leaves;
use crate::tlog::{
    BUNDLE_ENTRY_BYTES_MAX, Hash, Tile, TileKind, Tree, add_to_bundle, bundle_entries,
    check_consistency, check_inclusion, leaf_hash, tile_hashes,
};

const SIZES: [u64; 9] = [1, 2, 3, 7, 8, 100, 255, 256, 700];

#[test]
fn proofs_are_those_of_another_implementation() {
    let mut theirs: MemoryBackedTree<Sha256, Vec<u8>> = MemoryBackedTree::new();
    let all = leaves(700);
    let mut ours = Tree::new();
    for (at, leaf) in all.iter().enumerate() {
        theirs.push((at as u64).to_be_bytes().to_vec());
        ours.push(*leaf);
        let size = at as u64 + 1;
        if !SIZES.contains(&size) {
            continue;
        }
        let root = ours.root_at(size).unwrap();
        assert_eq!(root.0[..], theirs.root().as_bytes()[..]);
        for index in (0..size).step_by(1 + at / 20) {
            let path = ours.inclusion(index, size).unwrap();
            let flat: Vec<u8> = path.iter().flat_map(|it| it.0).collect();
            assert_eq!(flat, theirs.prove_inclusion(index as usize).as_bytes(), "{index} {size}");
            assert!(check_inclusion(all[index as usize], index, size, &path, root).is_ok());
        }
        for old in (1..size).step_by(1 + at / 20) {
            let proof = ours.consistency(old, size).unwrap();
            let flat: Vec<u8> = proof.iter().flat_map(|it| it.0).collect();
            let added = (size - old) as usize;
            assert_eq!(flat, theirs.prove_consistency(added).as_bytes(), "{old} {size}");
            let before = ours.root_at(old).unwrap();
            assert!(check_consistency(old, size, &proof, before, root).is_ok());
        }
    }
}

/// The path that the other implementation gives, which names the height and calls entries data.
fn theirs(level: u8, index: u64, width: u16, entries: bool) -> String {
    let tile = tlog_tiles::Tile::new(8, level, index, width.into(), entries);
    tile.path().replacen("tile/8/", "tile/", 1).replacen("/data/", "/entries/", 1)
}

#[test]
fn a_tree_grows_by_the_tiles_that_another_implementation_counts() {
    for (old, new) in [(0, 1), (0, 255), (0, 256), (255, 257), (256, 512), (300, 70_000)] {
        let hashes = Tile::all(old, new).filter(|it| it.kind != TileKind::Entries);
        let mut ours: Vec<String> = hashes.map(|it| it.path()).collect();
        let all = tlog_tiles::Tile::new_tiles(8, old, new);
        let path = |it: &tlog_tiles::Tile| it.path().replacen("tile/8/", "tile/", 1);
        let mut theirs: Vec<String> = all.iter().map(path).collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{old} {new}");
    }
}

#[test]
fn tiles_are_where_another_implementation_puts_them() {
    for index in [0, 1, 255, 999, 1000, 1_234_067, 999_999_999, 1_000_000_000] {
        for width in [1, 7, 255, 256] {
            for level in [0, 1, 7, 63] {
                let ours = Tile { kind: TileKind::Hashes(level), index, width };
                assert_eq!(ours.path(), theirs(level, index, width, false));
                assert_eq!(Tile::read(&ours.path()), Some(ours));
            }
            let ours = Tile { kind: TileKind::Entries, index, width };
            assert_eq!(ours.path(), theirs(0, index, width, true));
            assert_eq!(Tile::read(&ours.path()), Some(ours));
        }
    }
    for path in [
        "tile/0/1",
        "tile/00/001",
        "tile/64/001",
        "tile/0/x000/001",
        "tile/0/001/001",
        "tile/0/001.p/0",
        "tile/0/001.p/256",
        "tile/0/001.p/07",
        "tile/0/x001",
        "tile/entry/001",
        "tile/0/99999999999999999999",
        "tile/0/+01",
    ] {
        assert_eq!(Tile::read(path), None, "{path}");
    }
}

#[test]
fn the_tiles_of_a_tree_are_the_ones_that_the_specification_counts() {
    let count = |old: u64, new: u64, kind: TileKind, full: bool| {
        Tile::all(old, new).filter(|it| it.kind == kind && (it.width == 256) == full).count()
    };
    // The example of the specification: a tree of 70,000.
    assert_eq!(count(0, 70_000, TileKind::Hashes(0), true), 273);
    assert_eq!(count(0, 70_000, TileKind::Entries, true), 273);
    assert_eq!(count(0, 70_000, TileKind::Hashes(1), true), 1);
    let parts: Vec<_> = Tile::all(0, 70_000).filter(|it| it.width < 256).collect();
    let part = |kind, index, width| Tile { kind, index, width };
    assert_eq!(
        parts,
        [
            part(TileKind::Hashes(0), 273, 112),
            part(TileKind::Hashes(1), 1, 17),
            part(TileKind::Hashes(2), 0, 1),
            part(TileKind::Entries, 273, 112),
        ]
    );
    assert_eq!(Tile::all(0, 256).map(|it| it.width).collect::<Vec<_>>(), [256, 1, 256]);
    assert_eq!(Tile::all(70_000, 70_000).count(), 0);
    assert_eq!(Tile::all(70_000, 70_001).count(), 2);
    assert_eq!(Tile::all(0, 0).count(), 0);
}

#[test]
fn a_tile_holds_the_hashes_of_its_place() {
    let tree: Tree = leaves(600).into_iter().collect();
    let tile = Tile { kind: TileKind::Hashes(0), index: 2, width: 88 };
    let bytes = tile.hashes(&tree).unwrap();
    assert_eq!(tile_hashes(&bytes).unwrap(), leaves(600)[512..]);
    let tile = Tile { kind: TileKind::Hashes(1), index: 0, width: 2 };
    let hashes: Vec<Hash> = tile_hashes(&tile.hashes(&tree).unwrap()).unwrap();
    let first: Tree = leaves(256).into_iter().collect();
    assert_eq!((hashes.len(), Some(hashes[0])), (2, first.root_at(256)));
    for (kind, index, width) in [
        (TileKind::Hashes(0), 2, 89),
        (TileKind::Hashes(1), 0, 3),
        (TileKind::Hashes(63), u64::MAX, 1),
        (TileKind::Entries, 0, 1),
    ] {
        assert_eq!(Tile { kind, index, width }.hashes(&tree), None);
    }
    assert_eq!((tile_hashes(&bytes[1..]), tile_hashes(&[])), (None, None));
}

#[test]
fn bundles_carry_entries_of_up_to_sixteen_bits() {
    let mut bundle = Vec::new();
    let long = vec![b'x'; BUNDLE_ENTRY_BYTES_MAX];
    for entry in [&b""[..], b"one", &long] {
        assert!(add_to_bundle(&mut bundle, entry));
    }
    assert!(!add_to_bundle(&mut bundle, &[&long[..], b"x"].concat()));
    assert_eq!(bundle_entries(&bundle).unwrap(), [&b""[..], b"one", &long]);
    assert_eq!(bundle_entries(&bundle[..bundle.len() - 1]), None);
    assert_eq!(bundle_entries(&[0, 0].repeat(257)), None);
    assert_eq!(bundle_entries(&[0, 0].repeat(256)).unwrap().len(), 256);
    assert_eq!(leaf_hash(b"one"), leaf_hash(bundle_entries(&bundle).unwrap()[1]));
}
