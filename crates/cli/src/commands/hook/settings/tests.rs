use super::{Commands, has, take_out};

fn commands(host: &str) -> Commands {
    let words = ["/opt/lawbook", "hook", host, "--policy", "/etc/the policy.yaml"];
    let setup = lawbook_bridge::named(host).unwrap().setup();
    Commands { words: words.map(str::to_owned).to_vec(), setup }
}

const FULL: &str = r#"{
  // mine
  "model": "x",
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]}, // keep
    ],
    "disabled": false
  },
  "zeta": [1, 2]
}
"#;

#[test]
fn what_is_put_in_can_be_taken_out_and_the_rest_stays() {
    for text in ["{\n  \"model\": \"x\"\n}\n", FULL, "{\"hooks\":{\"Stop\":[]},\"a\":1}"] {
        let with = commands("claude-code").put_in("s", text, "claude-code").unwrap();
        assert!(has(&with, "claude-code") && !has(&with, "codex"), "{with}");
        let out = take_out("s", &with, "claude-code").unwrap();
        assert!(!has(&out, "claude-code"), "{out}");
        for kept in ["// mine", "\"lint\"", "// keep", "\"zeta\": [1, 2]", "\"a\":1"] {
            assert_eq!(out.contains(kept), text.contains(kept), "{kept} in {out}");
        }
    }
}

#[test]
fn putting_in_twice_changes_nothing() {
    for host in ["claude-code", "codex", "gemini-cli", "cursor", "opencode"] {
        let once = commands(host).put_in("s", "", host).unwrap();
        assert_eq!(commands(host).put_in("s", &once, host).unwrap(), once, "{host}");
        assert!(has(&once, host), "{once}");
    }
}

#[test]
fn only_the_events_that_wait_block_when_the_command_fails() {
    let text = commands("claude-code").put_in("s", "", "claude-code").unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let command = |event: &str| value["hooks"][event][0]["hooks"][0].clone();
    assert_eq!(command("PreToolUse")["onFailure"], "block");
    let line = command("PreToolUse")["command"].as_str().unwrap().to_owned();
    assert!(line.starts_with("/opt/lawbook hook claude-code --policy '/etc/the policy.yaml' || "));
    assert!(line.ends_with("exit 2; }"), "{line}");
    assert!(command("Stop")["command"].as_str().unwrap().ends_with("|| exit 0"));
    assert!(command("Stop").get("onFailure").is_none());
}

#[test]
fn settings_that_are_none_are_left_alone() {
    for text in ["[]", "{\"hooks\": []}", "{\"hooks\": {\"Stop\": {}}}", "{", "{\"a\":1,\"a\":2}"] {
        assert!(commands("claude-code").put_in("s", text, "claude-code").is_err(), "{text}");
    }
    assert!(commands("opencode").put_in("s", "export const X = 1", "opencode").is_err());
}
