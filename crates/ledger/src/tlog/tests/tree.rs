//! Roots and proofs against the vectors that implementations of RFC 6962 share, and the rest of
//! the sizes against the definition.

use crate::tlog::{
    EMPTY_ROOT, Frontier, Hash, Mismatch, Tree, check_consistency, check_inclusion, leaf_hash,
    node_hash,
};

const LEAVES: [&[u8]; 8] = [
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    b"\x50\x51\x52\x53\x54\x55\x56\x57",
    b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
];

const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/// Index, size, path.
const INCLUSION: [(u64, u64, &[&str]); 4] = [
    (0, 1, &[]),
    (
        0,
        8,
        &[
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        5,
        8,
        &[
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (2, 3, &["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
];

/// Old size, new size, proof.
const CONSISTENCY: [(u64, u64, &[&str]); 5] = [
    (1, 1, &[]),
    (
        1,
        8,
        &[
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        6,
        8,
        &[
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (
        2,
        5,
        &[
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
    (
        6,
        7,
        &[
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
];

fn hashes(texts: &[&str]) -> Vec<Hash> {
    texts.iter().map(|it| Hash::from_hex(it).unwrap()).collect()
}

fn known() -> Tree {
    LEAVES.iter().map(|it| leaf_hash(it)).collect()
}

/// Leaves that differ.
pub fn leaves(count: u64) -> Vec<Hash> {
    (0..count).map(|it| leaf_hash(&it.to_be_bytes())).collect()
}

/// The root as RFC 6962 defines it.
fn defined(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => EMPTY_ROOT,
        [leaf] => *leaf,
        _ => {
            let half = leaves.len().next_power_of_two() / 2;
            let (left, right) = leaves.split_at(half);
            node_hash(defined(left), defined(right))
        }
    }
}

#[test]
fn known_roots_come_out() {
    let tree = known();
    let mut edge = Frontier::new();
    for (size, root) in ROOTS.iter().enumerate() {
        let root = Hash::from_hex(root).unwrap();
        assert_eq!(tree.root_at(size as u64), Some(root));
        assert_eq!(edge.root(), root);
        LEAVES.get(size).into_iter().for_each(|it| edge.push(leaf_hash(it)));
    }
}

#[test]
fn known_proofs_come_out_and_hold() {
    let tree = known();
    let root = |size: u64| Hash::from_hex(ROOTS[size as usize]).unwrap();
    for (index, size, path) in INCLUSION {
        let path = hashes(path);
        assert_eq!(tree.inclusion(index, size).unwrap(), path);
        let leaf = leaf_hash(LEAVES[index as usize]);
        assert_eq!(check_inclusion(leaf, index, size, &path, root(size)), Ok(()));
    }
    for (old, new, proof) in CONSISTENCY {
        let proof = hashes(proof);
        assert_eq!(tree.consistency(old, new).unwrap(), proof);
        assert_eq!(check_consistency(old, new, &proof, root(old), root(new)), Ok(()));
    }
}

#[test]
fn every_small_tree_is_the_defined_one_and_every_proof_of_it_holds() {
    const SIZE: u64 = 70;
    let leaves = leaves(SIZE);
    let tree: Tree = leaves.iter().copied().collect();
    let mut edge = Frontier::new();
    for size in 0..=SIZE {
        let root = defined(&leaves[..size as usize]);
        assert_eq!((tree.root_at(size), edge.root(), edge.size()), (Some(root), root, size));
        for index in 0..size {
            let proof = tree.inclusion(index, size).unwrap();
            assert_eq!(check_inclusion(leaves[index as usize], index, size, &proof, root), Ok(()));
        }
        for old in 0..=size {
            let proof = tree.consistency(old, size).unwrap();
            let before = defined(&leaves[..old as usize]);
            assert_eq!(check_consistency(old, size, &proof, before, root), Ok(()), "{old} {size}");
        }
        leaves.get(size as usize).into_iter().for_each(|it| edge.push(*it));
    }
    assert_eq!(tree.root_at(SIZE + 1), None);
    assert_eq!((tree.inclusion(3, 3), tree.inclusion(0, SIZE + 1)), (None, None));
    assert_eq!((tree.consistency(4, 3), tree.consistency(0, SIZE + 1)), (None, None));
}

#[test]
fn a_proof_with_one_thing_changed_does_not_hold() {
    let leaves = leaves(23);
    let tree: Tree = leaves.iter().copied().collect();
    let root = tree.root_at(23).unwrap();
    for index in 0..23 {
        let leaf = leaves[index as usize];
        let proof = tree.inclusion(index, 23).unwrap();
        for place in 0..proof.len() {
            let mut other = proof.clone();
            other[place].0[7] ^= 1;
            let told = check_inclusion(leaf, index, 23, &other, root);
            assert_eq!(told, Err(Mismatch::Root));
            other.remove(place);
            assert!(check_inclusion(leaf, index, 23, &other, root).is_err());
        }
        let longer = [proof.clone(), vec![root]].concat();
        assert_eq!(check_inclusion(leaf, index, 23, &longer, root), Err(Mismatch::Length));
        for other in (0..24).filter(|it| *it != index) {
            assert!(check_inclusion(leaf, other, 23, &proof, root).is_err(), "{index} {other}");
        }
    }
    for old in 1..23 {
        let proof = tree.consistency(old, 23).unwrap();
        let before = tree.root_at(old).unwrap();
        for place in 0..proof.len() {
            let mut other = proof.clone();
            other[place].0[0] ^= 0x80;
            let told = check_consistency(old, 23, &other, before, root);
            assert_eq!(told, Err(Mismatch::Root), "{old} {place}");
        }
        let longer = [proof.clone(), vec![root]].concat();
        assert_eq!(check_consistency(old, 23, &longer, before, root), Err(Mismatch::Length));
        assert!(check_consistency(old, 23, &proof[1..], before, root).is_err());
        assert!(check_consistency(old, 23, &proof, root, before).is_err());
        assert!(check_consistency(24, 23, &proof, before, root).is_err());
    }
    assert_eq!(check_consistency(0, 23, &[root], EMPTY_ROOT, root), Err(Mismatch::Length));
    assert_eq!(check_consistency(23, 23, &[], leaves[0], root), Err(Mismatch::Root));
}

#[test]
fn the_largest_sizes_end() {
    let hash = leaf_hash(b"x");
    let many = vec![hash; 70];
    for (index, size) in [(0, u64::MAX), (u64::MAX - 1, u64::MAX), (u64::MAX, u64::MAX)] {
        assert!(check_inclusion(hash, index, size, &many, hash).is_err());
        assert!(check_consistency(index, size, &many, hash, hash).is_err());
    }
}
