//! mkfs, and the program of each file system that it stands for.

use super::Program;

/// The program.
pub(super) static PROGRAM: Mkfs = Mkfs;

/// It makes a file system where another one may be.
pub(super) struct Mkfs;

impl Program for Mkfs {
    fn names(&self) -> &'static [&'static str] {
        &[
            "mkfs",
            "mke2fs",
            "mkdosfs",
            "mkexfatfs",
            "mkntfs",
            "mkreiserfs",
            "mkswap",
            "mkudffs",
            "mkfs.bcachefs",
            "mkfs.bfs",
            "mkfs.btrfs",
            "mkfs.cramfs",
            "mkfs.erofs",
            "mkfs.exfat",
            "mkfs.ext2",
            "mkfs.ext3",
            "mkfs.ext4",
            "mkfs.f2fs",
            "mkfs.fat",
            "mkfs.gfs2",
            "mkfs.hfs",
            "mkfs.hfsplus",
            "mkfs.jfs",
            "mkfs.jffs2",
            "mkfs.minix",
            "mkfs.msdos",
            "mkfs.nilfs2",
            "mkfs.ntfs",
            "mkfs.ocfs2",
            "mkfs.reiserfs",
            "mkfs.ubifs",
            "mkfs.udf",
            "mkfs.vfat",
            "mkfs.xfs",
            "newfs",
            "newfs_apfs",
            "newfs_exfat",
            "newfs_hfs",
            "newfs_msdos",
        ]
    }

    fn kin(&self) -> Option<&'static str> {
        Some("mkfs")
    }
}
