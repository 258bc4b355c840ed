use super::{Anchor, FileGlob, GlobStyle, Standing};

const KNOWN: Standing<'static> =
    Standing { cwd: Some("/ws/app"), workspace: Some("/ws"), home: Some("/homes/u") };
const UNKNOWN: Standing<'static> = Standing { cwd: None, workspace: None, home: None };

fn glob(text: &str, anchor: Anchor) -> FileGlob {
    FileGlob::new(text, anchor, GlobStyle::Ignore).unwrap()
}

#[test]
fn patterns_reach_as_far_as_their_folder() {
    for (text, anchor, path, meant) in [
        (".env", Anchor::Here, ".env", true),
        (".env", Anchor::Here, "deep/down/.env", true),
        (".env", Anchor::Here, "/ws/app/x/../.env", true),
        (".env", Anchor::Here, "../.env", false),
        (".env", Anchor::Here, ".envrc", false),
        ("src/**", Anchor::Here, "src/a/b.rs", true),
        ("src/**", Anchor::Here, "src/../Cargo.toml", false),
        ("src/*.rs", Anchor::Here, "src/a/b.rs", false),
        ("docs/**", Anchor::Workspace, "../docs/a.md", true),
        ("**/secret[s_]/*", Anchor::Root, "/x/secrets/key", true),
        ("**/secret[!s]/*", Anchor::Root, "/x/secrets/key", false),
        ("Documents/*.pdf", Anchor::Home, "~/Documents/a.pdf", true),
        ("Documents/*.pdf", Anchor::Home, "/homes/u/Documents/a.pdf", true),
        ("Documents/*.pdf", Anchor::Home, "/homes/v/Documents/a.pdf", false),
        (".ssh", Anchor::Home, "~/.ssh/id", true),
        (r"a\[b", Anchor::Here, "a[b", true),
        (r"a\*b", Anchor::Here, "axb", false),
    ] {
        let glob = glob(text, anchor);
        assert_eq!(glob.permits(path, KNOWN), meant, "{text} permits {path}");
        assert_eq!(glob.forbids(path, KNOWN), meant, "{text} forbids {path}");
    }
}

#[test]
fn what_is_not_known_is_forbidden_and_not_permitted() {
    for (text, anchor, path) in [
        (".env", Anchor::Here, "/somewhere/.env"),
        ("src/**", Anchor::Here, "/somewhere/src/a"),
        ("src/**", Anchor::Workspace, "../src/a"),
        (".ssh/**", Anchor::Home, "/root/.ssh/id"),
        ("**/.env", Anchor::Root, ".env"),
        ("src/**", Anchor::Here, "~other/src/a"),
    ] {
        let glob = glob(text, anchor);
        assert!(glob.forbids(path, UNKNOWN), "{text} forbids {path}");
        assert!(!glob.permits(path, UNKNOWN), "{text} permits {path}");
    }
    assert!(glob("src/**", Anchor::Here).permits("src/a", UNKNOWN));
    assert!(!glob("src/**", Anchor::Here).forbids("lib/a", UNKNOWN));
}

#[test]
fn what_forbids_sees_through_case() {
    let glob = glob(".env", Anchor::Here);
    assert!(glob.forbids("x/.ENV", KNOWN));
    assert!(glob.forbids("x/%2eenv", KNOWN) && !glob.permits("x/%2eenv", KNOWN));
    assert!(!glob.permits("x/.ENV", KNOWN));
}
