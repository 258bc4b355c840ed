//! Archives: what is taken out, and what is refused.

use std::io::Write;

use super::*;
use crate::container::open;

const HEADER: &str = "{\"eval\": {\"task\": \"t\"},\n \"status\": \"success\"}";
const SAMPLE: &str =
    "{\"id\": 1, \"epoch\": 1,\r\n\"input\": \"u\", \"target\": \"\", \"messages\": []}";

/// A file in an archive: name, method, bytes.
type File<'f> = (&'f str, u16, &'f [u8]);

fn packed(method: u16, bytes: &[u8]) -> Vec<u8> {
    match method {
        8 => {
            let level = flate2::Compression::best();
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        93 => {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            ruzstd::encoding::compress_to_vec(bytes, level)
        }
        _ => bytes.to_vec(),
    }
}

fn archive(files: &[File<'_>]) -> Vec<u8> {
    let (mut out, mut list) = (Vec::new(), Vec::new());
    for (name, method, bytes) in files {
        let data = packed(*method, bytes);
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let sizes = [data.len() as u32, bytes.len() as u32];
        let offset = out.len() as u32;
        let both = |head: &mut Vec<u8>| {
            head.extend([20, 0, 0, 0]);
            head.extend(method.to_le_bytes());
            head.extend([0; 4]);
            head.extend(crc.sum().to_le_bytes());
            sizes.iter().for_each(|it| head.extend(it.to_le_bytes()));
            head.extend((name.len() as u16).to_le_bytes());
            head.extend([0, 0]);
        };
        out.extend(MAGIC);
        both(&mut out);
        out.extend(name.as_bytes());
        out.extend(&data);
        list.extend(ENTRY);
        list.extend([20, 0]);
        both(&mut list);
        list.extend([0; 10]);
        list.extend(offset.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let (start, count) = (out.len() as u32, files.len() as u16);
    out.extend(&list);
    out.extend(END);
    out.extend([0; 4]);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((list.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

fn code(bytes: &[u8], limits: &Limits) -> &'static str {
    open(bytes, &Source::new("t.eval"), limits).unwrap_err().code
}

#[test]
fn logs_are_lines_whatever_packs_them() {
    for method in [0, 8, 93] {
        let newer = SAMPLE.replace("\"u\"", "\"v\"");
        let bytes = archive(&[
            ("_journal/start.json", 0, b"{}"),
            ("samples/1_epoch_1.json", method, SAMPLE.as_bytes()),
            ("summaries.json", method, b"[]"),
            ("samples/1_epoch_1.json", method, newer.as_bytes()),
            ("header.json", method, HEADER.as_bytes()),
        ]);
        let limits = Limits::default();
        let contents = open(&bytes, &Source::new("t.eval"), &limits).unwrap();
        let lines: Vec<&str> = contents.text().lines().collect();
        let spaced = |text: &str| text.replace(['\n', '\r'], " ");
        assert_eq!(lines, [spaced(HEADER), spaced(&newer)], "{method}");
        let (all, problems) = crate::testing::told_as("", &bytes, crate::Reading::Full);
        assert_eq!((all[0].id.as_str(), all[0].source.as_str()), ("1_epoch_1", "t:2"));
        assert!(problems.is_empty());
    }
}

#[test]
fn an_eval_that_was_broken_off_is_read() {
    let bytes = archive(&[
        ("_journal/start.json", 8, HEADER.as_bytes()),
        ("samples/1_epoch_1.json", 8, SAMPLE.as_bytes()),
    ]);
    let (all, problems) = crate::testing::told_as("", &bytes, crate::Reading::Full);
    assert_eq!((all.len(), problems.len()), (1, 0));
    let alone = archive(&[("header.json", 0, HEADER.as_bytes())]);
    let (all, problems) = crate::testing::told_as("", &alone, crate::Reading::Full);
    assert_eq!((all.len(), problems), (0, vec!["no_session"]));
}

#[test]
fn archives_unpack_within_bounds() {
    let spaces = vec![b' '; 8 << 20];
    for method in [8, 93] {
        let bomb = archive(&[("header.json", method, &spaces)]);
        assert_eq!(code(&bomb, &Limits::default()), "zip_too_large");
    }
    let many = [("samples/a.json", 0, &b"[1]"[..]), ("samples/b.json", 0, &b"[2]"[..])];
    let limits = Limits { gzip_bytes_max: 5, ..Limits::default() };
    assert_eq!(code(&archive(&many), &limits), "zip_too_large");
}

#[test]
fn what_does_not_unpack_is_said() {
    let limits = Limits::default();
    let good = archive(&[("header.json", 8, HEADER.as_bytes())]);
    assert_eq!(code(&archive(&[("readme.txt", 0, b"x")]), &limits), "zip_unknown");
    assert_eq!(code(&archive(&[("header.json", 12, b"x")]), &limits), "zip_broken");
    assert_eq!(code(&good[..good.len() - 30], &limits), "zip_broken");
    let mut encrypted = good.clone();
    let entry = memchr::memmem::find(&encrypted, ENTRY).unwrap();
    encrypted[entry + 8] = 1;
    assert_eq!(code(&encrypted, &limits), "zip_broken");
    // No byte of an archive makes reading it fail in another way.
    for at in 4..good.len() {
        for wrong in [0, 1, 0x7F, 0xFF] {
            let mut bytes = good.clone();
            bytes[at] = wrong;
            if let Err(problem) = open(&bytes, &Source::new("t.eval"), &limits) {
                assert!(problem.code.starts_with("zip_") || problem.code == "not_utf8", "{at}");
            }
        }
    }
}
