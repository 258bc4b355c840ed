//! The target `shell` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lawbook_fuzz::targets::shell::run(data));
