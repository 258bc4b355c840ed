//! The target `notes` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lawbook_fuzz::targets::notes::run(data));
