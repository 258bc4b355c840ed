//! The files of `examples/ci` do what they say under a stand-in for the CI's environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::room::{CAP, Room, line};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ci").join(name)
}

/// A room in which an agent paid too much.
fn room() -> Room {
    let room = Room::new(&[("lawbook.yaml", CAP)]);
    room.write("fresh.jsonl", line("a", "pay", r#"{"amount": 99}"#).as_bytes());
    room
}

/// Runs a script as a CI system would. Gives the code and what was said.
fn script(room: &Room, name: &str, variables: &[(&str, &str)]) -> (i32, String) {
    let mut command = Command::new("bash");
    command.arg(example(name));
    ends(room, command, variables)
}

/// Runs the script of the job for GitLab as a runner does: in one shell that stops at the first
/// fault, with `lawbook` on the path.
fn job(room: &Room, variables: &[(&str, &str)]) -> (i32, String) {
    let text = std::fs::read_to_string(example("gitlab/lawbook.yml")).unwrap();
    let (_, script) = text.split_once("  script:\n    - |\n").unwrap();
    let mut lines = vec!["set -eo pipefail"];
    lines.extend(script.lines().map_while(|it| it.strip_prefix("      ")));
    let bin = Path::new(env!("CARGO_BIN_EXE_lawbook")).parent().unwrap().to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&path)));
    let mut command = Command::new("bash");
    command.args(["-c", &lines.join("\n")]).env("PATH", path.unwrap());
    let given = [("TRACES", "fresh.jsonl"), ("POLICY", "lawbook.yaml"), ("BAND", "band.json")];
    ends(room, command.envs(given), variables)
}

fn ends(
    room: &Room,
    mut command: impl std::borrow::BorrowMut<Command>,
    variables: &[(&str, &str)],
) -> (i32, String) {
    let command = command.borrow_mut();
    command.current_dir(&room.folder);
    for (key, _) in std::env::vars().filter(|it| it.0.starts_with("LAWBOOK_")) {
        command.env_remove(key);
    }
    command.env("LAWBOOK", env!("CARGO_BIN_EXE_lawbook"));
    for (key, file) in
        [("GITHUB_OUTPUT", "outputs"), ("GITHUB_STEP_SUMMARY", "step.md"), ("RUNNER_TEMP", "")]
    {
        command.env(key, room.folder.join(file));
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8(said).unwrap())
}

#[test]
fn no_input_of_the_action_becomes_a_part_of_a_command() {
    let text = std::fs::read_to_string(example("github/action.yml")).unwrap();
    let runs: Vec<&str> = text.lines().filter(|it| it.trim_start().starts_with("run:")).collect();
    assert_eq!(runs.len(), 3);
    assert!(runs.iter().all(|it| !it.contains("${{")), "{runs:?}");
    // Everything that a script reads is handed to it.
    for name in ["gate", "comment", "end"] {
        let script = std::fs::read_to_string(example(&format!("github/{name}.sh"))).unwrap();
        assert!(!script.contains("${{"), "{name}");
        assert!(!script.contains("eval "), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn the_action_ends_with_the_code_of_the_gate_and_says_it_everywhere() {
    let room = room();
    let (code, said) =
        script(&room, "github/gate.sh", &[("TRACES", "fresh.jsonl"), ("POLICY", "lawbook.yaml")]);
    assert_eq!(code, 0, "{said}");
    assert!(said.lines().any(|it| it.starts_with("::error")), "{said}");
    let outputs = room.read("outputs");
    assert!(outputs.contains("code=1\nverdict=FAIL\n"), "{outputs}");
    assert!(room.read("step.md").starts_with("<!-- lawbook -->"));
    assert!(room.read("lawbook-report.json").contains("lawbook.report/1"));
    assert!(Path::new(&audit(&room)).join("audit.json").is_file(), "{outputs}");
    assert_eq!(script(&room, "github/end.sh", &[("CODE", "1")]).0, 1);
    assert_eq!(script(&room, "github/end.sh", &[("CODE", "3")]).0, 3);
    assert_eq!(script(&room, "github/end.sh", &[("CODE", "")]).0, 2);
    assert_eq!(script(&room, "github/end.sh", &[("CODE", "0; exit 0")]).0, 2);
}

/// The folder of the evidence, as the last run named it to the steps after it.
fn audit(room: &Room) -> String {
    let outputs = room.read("outputs");
    let mut named = outputs.lines().filter_map(|it| it.strip_prefix("audit="));
    named.next_back().unwrap_or_default().to_owned()
}

#[cfg(unix)]
#[test]
fn a_workspace_is_used_twice_and_each_run_keeps_its_evidence() {
    let room = room();
    let run = |more: &[(&str, &str)]| {
        let mut variables = vec![("TRACES", "fresh.jsonl"), ("POLICY", "lawbook.yaml")];
        variables.extend_from_slice(more);
        script(&room, "github/gate.sh", &variables);
        (room.read("outputs").matches("code=1\n").count(), audit(&room))
    };
    let (first, second) = (run(&[]), run(&[]));
    assert_eq!((first.0, second.0), (1, 2), "{}", room.read("outputs"));
    assert_ne!(first.1, second.1);
    // A folder that was asked for is the one that is kept.
    assert_eq!(run(&[("AUDIT", "mine")]), (3, "mine".to_owned()));
    let before = room.read("outputs").len();
    run(&[("AUDIT", "a\ncode=0")]);
    assert_eq!(&room.read("outputs")[before..], "code=2\nverdict=ERROR\n");
    // The action keeps what the script named.
    let action = std::fs::read_to_string(example("github/action.yml")).unwrap();
    assert!(action.contains("          ${{ steps.gate.outputs.audit }}\n"), "{action}");
    assert!(action.contains("        name: ${{ inputs.artifact }}\n"), "{action}");
}

#[cfg(unix)]
#[test]
fn what_was_not_masked_is_not_masked_when_it_is_done_again() {
    for redact in ["off", "builtin"] {
        let room = room();
        let variables = [("TRACES", "fresh.jsonl"), ("AUDIT", "mine"), ("REDACT", redact)];
        script(&room, "github/gate.sh", &variables);
        let again = room.read("mine/reproduce.sh");
        assert!(again.contains(&format!(" --redact {redact} ")), "{again}");
    }
}

#[cfg(unix)]
#[test]
fn masked_names_are_the_same_on_two_machines_with_one_key() {
    let name = |key: &str| {
        let room = room();
        let bad = line("jo.doe@mail.example", "pay", r#"{"amount": 99}"#);
        room.write("fresh.jsonl", bad.as_bytes());
        let state = room.folder.join("state").display().to_string();
        let variables =
            [("TRACES", "fresh.jsonl"), ("REDACT_KEY", key), ("XDG_STATE_HOME", &state)];
        script(&room, "github/gate.sh", &variables);
        let report: serde_json::Value =
            serde_json::from_str(&room.read("lawbook-report.json")).unwrap();
        report["sessions"][0]["id"].as_str().unwrap().to_owned()
    };
    assert!(name("one").starts_with("<EMAIL"), "{}", name("one"));
    assert_eq!(name("one"), name("one"));
    assert_ne!(name("one"), name("two"));
    // Without a key each machine has its own.
    assert_ne!(name(""), name(""));
    for file in ["github/gate.yml", "github/daily.yml"] {
        let text = std::fs::read_to_string(example(file)).unwrap();
        assert!(text.contains("${{ secrets.LAWBOOK_REDACT_KEY }}"), "{file}");
    }
}

#[test]
fn a_pull_request_is_held_against_files_of_its_base() {
    let text = std::fs::read_to_string(example("github/gate.yml")).unwrap();
    let base = "ref: ${{ github.event.pull_request.base.sha }}\n          path: base\n";
    assert!(text.contains(base), "{text}");
    for own in ["uses: ./base/", "policy: base/", "band: base/"] {
        assert!(text.contains(own), "{own}");
    }
    assert!(!text.contains("uses: ./examples"), "{text}");
}

#[cfg(unix)]
#[test]
fn inputs_with_commands_in_them_are_names() {
    for hostile in ["$(touch pwned)", "`touch pwned`", "a;touch pwned", "--output=pwned"] {
        let room = room();
        for (traces, policy) in [(hostile, "lawbook.yaml"), ("fresh.jsonl", hostile)] {
            script(&room, "github/gate.sh", &[("TRACES", traces), ("POLICY", policy)]);
            let outputs = room.read("outputs");
            assert!(outputs.contains("code=2\nverdict=ERROR\n"), "{hostile}: {outputs}");
        }
        assert!(!room.names().iter().any(|it| it == "pwned"), "{hostile}");
    }
    let room = room();
    script(&room, "github/gate.sh", &[("TRACES", "  \n ")]);
    assert!(room.read("outputs").contains("code=2"));
}

/// A stand-in for GitHub's program: it knows three comments, checks that it is asked for those of
/// the account that asks, and writes down what it is told to write.
const GH: &str = r#"#!/usr/bin/env bash
case "$*" in
  "api user"*) echo "${WHO:?}" ;;
  *--paginate*)
    [ -z "${BROKEN:-}" ] || exit 1
    case "$*" in
      *'select(.user.login == env.ME)'*'startswith("<!-- lawbook -->")'*) ;;
      *) echo "not asked for its own comments" >&2; exit 1 ;;
    esac
    while read -r id login first; do
      if [ "$login" = "$ME" ] && [ "$first" = "<!-- lawbook -->" ]; then echo "$id"; fi
    done <<'END'
11 mallory <!-- lawbook -->
12 builder something else
13 builder <!-- lawbook -->
END
    ;;
  *) echo "$*" >>"$GH_LOG" ;;
esac
"#;

#[cfg(unix)]
fn comment(room: &Room, more: &[(&str, &str)]) -> (i32, String, String) {
    use std::os::unix::fs::PermissionsExt as _;
    room.write("bin/gh", GH.as_bytes());
    room.write("log", b"");
    let gh = room.folder.join("bin/gh");
    std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", room.folder.join("bin").display(), std::env::var("PATH").unwrap());
    let log = room.folder.join("log").display().to_string();
    let mut variables = vec![
        ("PATH", path.as_str()),
        ("GH_LOG", &log),
        ("WHO", "builder"),
        ("PR", "7"),
        ("REPO", "acme/agent"),
        ("SUMMARY", "summary.md"),
    ];
    variables.extend_from_slice(more);
    let (code, said) = script(room, "github/comment.sh", &variables);
    (code, said, room.read("log"))
}

#[cfg(unix)]
#[test]
fn the_comment_that_is_replaced_has_the_mark_and_the_author() {
    let room = room();
    room.write("summary.md", b"<!-- lawbook -->\nfine\n");
    let (code, said, log) = comment(&room, &[]);
    assert_eq!((code, said.as_str()), (0, ""));
    assert!(log.contains("--method PATCH repos/acme/agent/issues/comments/13 "), "{log}");
    // Whoever has written none yet writes a new one, whatever others have forged.
    let (_, _, log) = comment(&room, &[("WHO", "newcomer")]);
    assert!(log.contains("--method POST repos/acme/agent/issues/7/comments "), "{log}");
    for broken in [("BROKEN", "1"), ("PR", "7; true"), ("REPO", "a/b/c"), ("SUMMARY", "none.md")] {
        let (code, said, log) = comment(&room, &[broken]);
        assert_eq!(code, 0, "{broken:?}");
        assert!(said.starts_with("::warning::"), "{broken:?}: {said}");
        assert_eq!(log, "", "{broken:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_day_stops_for_what_is_new_alone() {
    let room = room();
    let run = |sort: &[(&str, &str)]| {
        let mut variables = vec![("TRACES", "fresh.jsonl"), ("POLICY", "lawbook.yaml")];
        variables.extend_from_slice(sort);
        script(&room, "daily.sh", &variables)
    };
    assert_eq!(run(&[("KNOWN", "known")]).0, 1);
    let (code, said) = run(&[("KNOWN", "known")]);
    assert_eq!(code, 0, "{said}");
    let more = line("a", "pay", r#"{"amount": 99}"#) + &line("b", "pay", r#"{"amount": 98}"#);
    room.write("fresh.jsonl", more.as_bytes());
    assert_eq!(run(&[("KNOWN", "known")]).0, 1);
    assert!(room.read("report.html").contains("<!doctype html>"));
    // What can't be read is told again the next day.
    room.write("fresh.jsonl", b"{");
    assert_eq!(run(&[("KNOWN", "other")]).0, 2);
    assert_eq!(std::fs::read_dir(room.folder.join("other")).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_faulty_policy_is_not_committed() {
    let room = Room::new(&[("lawbook.yaml", CAP)]);
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(words);
        let output = command.current_dir(&room.folder).output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
    };
    git(&["init", "--quiet"]);
    assert_eq!(script(&room, "pre_commit/pre-commit", &[]).0, 0, "nothing is committed");
    git(&["add", "lawbook.yaml"]);
    assert_eq!(script(&room, "pre_commit/pre-commit", &[]).0, 0);
    // What is committed counts, not what stands in the folder.
    room.write("lawbook.yaml", CAP.replace("default: allow", "defualt: allow").as_bytes());
    assert_eq!(script(&room, "pre_commit/pre-commit", &[]).0, 0);
    git(&["add", "lawbook.yaml"]);
    let (code, said) = script(&room, "pre_commit/pre-commit", &[]);
    assert_ne!(code, 0, "{said}");
    assert!(said.contains("defualt"), "{said}");
}

#[cfg(unix)]
#[test]
fn tests_of_a_policy_are_those_that_are_committed() {
    let test = |amount: u32, verdict: &str| {
        format!(
            "about: a cap\npolicy: ../lawbook.yaml\nevents:\n  \
             - {{call: pay, args: {{amount: {amount}}}, expect: {{verdict: {verdict}}}}}\n"
        )
    };
    let room = Room::new(&[("lawbook.yaml", CAP)]);
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).current_dir(&room.folder).output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
    };
    git(&["init", "--quiet"]);
    room.write("tests/cap.yaml", test(99, "deny").as_bytes());
    git(&["add", "lawbook.yaml", "tests"]);
    let (code, said) = script(&room, "pre_commit/pre-commit", &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("1 passed"), "{said}");
    // Neither a test nor a policy of the folder speaks for what is committed.
    room.write("tests/cap.yaml", test(99, "allow").as_bytes());
    assert_eq!(script(&room, "pre_commit/pre-commit", &[]).0, 0);
    git(&["add", "tests"]);
    room.write("tests/cap.yaml", test(99, "deny").as_bytes());
    let (code, said) = script(&room, "pre_commit/pre-commit", &[]);
    assert_ne!(code, 0, "{said}");
    assert!(said.contains("expected allow, got deny"), "{said}");
}

/// Forty sessions that break nothing.
fn good() -> String {
    (0..40).map(|it| line(&format!("s{it}"), "pay", r#"{"amount": 9}"#)).collect()
}

/// A room with a band, and a release that is as good.
fn banded() -> Room {
    let room = Room::new(&[("lawbook.yaml", CAP)]);
    for name in ["one.jsonl", "two.jsonl", "fresh.jsonl"] {
        room.write(name, good().as_bytes());
    }
    let made = room.run("baseline one.jsonl two.jsonl --policy lawbook.yaml --out band.json");
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    room
}

#[cfg(unix)]
#[test]
fn a_merge_request_is_held_against_files_of_its_base() {
    let room = banded();
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(words);
        let output = command.current_dir(&room.folder).output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "--quiet"]);
    git(&["remote", "add", "origin", "."]);
    git(&["add", "lawbook.yaml", "band.json"]);
    git(&["commit", "--quiet", "--message", "base"]);
    let base = git(&["rev-parse", "HEAD"]);
    let (code, said) = job(&room, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(room.read("lawbook.xml").contains("<testsuite"));
    assert!(room.read("gl-code-quality.json").starts_with('['));
    assert!(room.folder.join("lawbook-audit/audit.json").is_file());
    // The branch loosens the policy that it breaks, and makes itself a band with it.
    room.write("lawbook.yaml", CAP.replace("max: 10", "max: 100").as_bytes());
    room.write("fresh.jsonl", (good() + &line("s0", "pay", r#"{"amount": 99}"#)).as_bytes());
    let made = room.run("baseline one.jsonl two.jsonl --policy lawbook.yaml --out band.json");
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    std::fs::remove_dir_all(room.folder.join("lawbook-audit")).unwrap();
    assert_ne!(job(&room, &[]).0, 1, "the branch alone lets it through");
    for _ in 0..2 {
        std::fs::remove_dir_all(room.folder.join("lawbook-audit")).unwrap();
        let (code, said) = job(&room, &[("CI_MERGE_REQUEST_DIFF_BASE_SHA", &base)]);
        assert_eq!(code, 1, "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_build_is_held_against_the_band_of_the_main_branch() {
    let room = banded();
    let (code, said) = script(&room, "gate.sh", &[]);
    assert_eq!(code, 0, "{said}");
    assert!(room.read("lawbook.xml").contains("<testsuite"));
    assert!(room.read("lawbook.html").contains("PASS"));
    let bad = good() + &line("s0", "pay", r#"{"amount": 99}"#);
    room.write("fresh.jsonl", bad.as_bytes());
    assert_eq!(script(&room, "gate.sh", &[]).0, 1);
    let variables = [("TRACES", "fresh.jsonl"), ("POLICY", "lawbook.yaml"), ("BAND", "band.json")];
    script(&room, "github/gate.sh", &variables);
    let outputs = room.read("outputs");
    assert!(outputs.contains("code=1\nverdict=FAIL\n"), "{outputs}");
}
