// Where paths lead.

use super::{Footing, Location};

const HERE: Footing<'_> = Footing { cwd: Some("/w/app"), home: Some("/srv/u") };

fn inside(text: &str, root: &str, footing: Footing<'_>) -> bool {
    let root = Location::plain(root, footing).unwrap();
    Location::readings(text, footing).is_ok_and(|it| it.iter().all(|it| it.is_within(&root)))
}

#[test]
fn paths_in_the_workspace_are_inside() {
    for text in [
        "src/main.rs",
        "./src//main.rs",
        "/w/app",
        "/w/app/",
        "/w/app/a/../b",
        "//w/app/x",
        "a/../../app/x",
        "file:///w/app/x",
        "FILE://localhost/w/app/x",
        "a%20b.txt",
        "100%",
        "routes/$id.tsx",
        "$id.tsx",
        "naïve.txt",
        "a:b.txt/../x/y:z",
        "...",
        "**/*.{rs,toml}",
    ] {
        let odd = text.starts_with("a:");
        assert_eq!(inside(text, "/w/app", HERE), !odd, "{text}");
    }
}

#[test]
fn paths_that_lead_out_are_not() {
    for text in [
        "",
        " ",
        "..",
        "../x",
        "a/../../x",
        "/w/apple",
        "/w",
        "/",
        "/etc/passwd",
        "~",
        "~/x",
        "~root/x",
        "..\\x",
        "a\\..\\..\\x",
        "%2e%2e/x",
        "..%2fx",
        "%252e%252e%252fx",
        "%c0%ae%c0%ae/x",
        "．．／x",
        "file:///etc/passwd",
        "file://other/w/app/x",
        "file:/etc/passwd",
        "file:%2fetc",
        "https://w/app/x",
        "C:\\w\\app",
        "C:x",
        "\\\\server\\share\\x",
        "\\\\?\\C:\\x",
        "//?/C:/x",
        "/w/app/x\0",
        "/w/app/x\n",
        "$HOME/x",
        "${HOME}/x",
        "$(pwd)/x",
        "%USERPROFILE%\\x",
        "{..,a}/x",
    ] {
        assert!(!inside(text, "/w/app", HERE), "{text}");
    }
}

#[test]
fn windows_paths_are_compared_as_windows_does() {
    let footing = Footing { cwd: Some("C:\\Work\\App"), home: None };
    for (text, is) in [
        ("src\\main.rs", true),
        ("c:/WORK/APP/x", true),
        ("C:\\Work\\App. \\x", true),
        ("C:\\Work\\App\\..\\x", false),
        ("D:\\Work\\App\\x", false),
        ("x.txt:stream", false),
        ("/etc", false),
    ] {
        assert_eq!(inside(text, "C:\\Work\\App", footing), is, "{text}");
    }
}

#[test]
fn an_unknown_folder_is_the_same_for_root_and_path() {
    let nowhere = Footing::default();
    assert!(inside("src/x", ".", nowhere));
    assert!(!inside("../x", ".", nowhere));
    assert!(inside("~/code/x", "~/code", nowhere));
    assert!(!inside("/srv/u/code/x", "~/code", nowhere));
    assert!(inside("/srv/u/code/x", "~/code", HERE));
}
