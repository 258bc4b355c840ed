//! Recordings of `swe_agent` as events.

use crate::testing::told;

#[test]
fn steps_with_calls_of_the_history() {
    let all = told(
        "swe_agent",
        r#"{
  "instance_id": "task-1",
  "environment": "e",
  "history": [
    {"role": "system", "content": "s", "agent": "main"},
    {"role": "user", "content": "Demo.", "is_demo": true, "agent": "main"},
    {"role": "assistant", "content": "demo", "action": "ls", "is_demo": true, "agent": "main"},
    {"role": "user", "content": "Cancel my crossing on Friday.", "agent": "main"},
    {
      "role": "assistant",
      "content": "Look.",
      "action": "open x.py",
      "agent": "main",
      "tool_calls": [{"id": "a", "type": "function", "function": {"name": "open", "arguments": "{\"path\": \"x.py\"}"}}]
    },
    {"role": "tool", "content": "1:", "agent": "main", "tool_call_ids": ["a"]}
  ],
  "trajectory": [
    {"action": "open x.py", "observation": "1:", "response": "Look.", "thought": "Look.", "state": "{}"},
    {"action": "rm -rf build && make", "observation": "", "response": "Build.", "thought": "Build."},
    {"action": "", "observation": "Your command was empty.", "response": "?", "thought": "?"},
    {"action": "submit", "observation": "diff", "response": "Done.", "thought": "Done."}
  ],
  "info": {"exit_status": "submitted"}
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"environment":"e","instance_id":"task-1"}"#,
            "3 user m3 Cancel my crossing on Friday.",
            "6 agent s0 Look.",
            r#"6 call 1 s0 a open {"path": "x.py"} -> 1:"#,
            "6 answer 1 1:",
            "7 agent s1 Build.",
            r#"7 call 2 s1 - bash {"command":"rm -rf build && make"} -> "#,
            "7 answer 2 ",
            "8 agent s2 ?",
            "9 agent s3 Done.",
            r#"9 call 3 s3 - submit {"command":"submit"} -> diff"#,
            "9 answer 3 diff",
            "9 end  !submitted",
        ]
    );
}

#[test]
fn blocks_of_code_are_calls() {
    let all = told(
        "swe_agent",
        r#"{
  "id": "task-2",
  "messages": [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "Cancel my crossing on Friday."},
    {"role": "assistant", "content": "I look.\n\n```mswea_bash_command\nls -la\n```"},
    {"role": "user", "content": "<returncode>2</returncode>\n<output>\nno\n</output>"},
    {"role": "assistant", "content": "```mswea_bash_command\na\n```\n```mswea_bash_command\nb\n```"},
    {"role": "user", "content": "One action, please."},
    {"role": "assistant", "content": "```mswea_bash_command\nmake\n```"},
    {"role": "user", "content": "<returncode>0</returncode>\n<output>ok</output>"},
    {"role": "assistant", "content": "```mswea_bash_command\nsubmit\n```"},
    {"role": "user", "content": ""}
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 other",
            "1 user m1 Cancel my crossing on Friday.",
            r#"2 agent m2 I look.

```mswea_bash_command
ls -la
```"#,
            r#"2 call 1 m2.c0 - bash {"command":"ls -la"} -> <returncode>2</returncode>
<output>
no
</output> (error)"#,
            r#"3 answer 1 <returncode>2</returncode>
<output>
no
</output> (error)"#,
            r#"4 agent m4 ```mswea_bash_command
a
```
```mswea_bash_command
b
```"#,
            "5 other",
            r#"6 agent m6 ```mswea_bash_command
make
```"#,
            r#"6 call 2 m6.c0 - bash {"command":"make"} -> <returncode>0</returncode>
<output>ok</output> (no error)"#,
            r#"7 answer 2 <returncode>0</returncode>
<output>ok</output> (no error)"#,
            r#"8 agent m8 ```mswea_bash_command
submit
```"#,
            r#"8 call 3 m8.c0 - bash {"command":"submit"} -> "#,
            "9 answer 3 ",
            "9 end ",
        ]
    );
}

#[test]
fn actions_that_mini_swe_agent_keeps() {
    let all = told(
        "swe_agent",
        r#"{
  "instance_id": "task-3",
  "info": {"exit_status": "Submitted"},
  "trajectory_format": "mini-swe-agent-1.1",
  "messages": [
    {"role": "user", "content": "Cancel my crossing on Friday."},
    {
      "role": "assistant",
      "content": null,
      "tool_calls": [
        {"id": "a", "function": {"name": "bash", "arguments": "{\"command\": \"ls\"}"}},
        {"id": "b", "function": {"name": "bash", "arguments": "{\"command\": \"make\"}"}}
      ],
      "extra": {
        "timestamp": 1770000000.5,
        "actions": [{"command": "ls", "tool_call_id": "a"}, {"command": "make", "tool_call_id": "b"}]
      }
    },
    {"role": "tool", "tool_call_id": "a", "content": "x", "extra": {"returncode": 0}},
    {
      "role": "tool",
      "tool_call_id": "b",
      "content": "",
      "extra": {"returncode": -1, "exception_info": "action was not executed"}
    }
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 Cancel my crossing on Friday.",
            r#"1 call 1 m1.c0 a bash {"command":"ls"} -> x (no error)"#,
            r#"1 call 2 m1.c1 b bash {"command":"make"} ->  (error) (did not run)"#,
            "2 answer 1 x (no error)",
            "3 other",
            "3 end  !Submitted",
        ]
    );
}

#[test]
fn fences_without_end_take_linear_time() {
    for words in ["```bash".repeat(200_000), format!("{}\\n", "```bash ".repeat(200_000))] {
        let text = format!(
            r#"{{"trajectory_format":"mini-swe-agent-1","messages":[{{"role":"assistant","content":"{words}"}}]}}"#
        );
        assert_eq!(told("swe_agent", &text)[0].calls, 0);
    }
}

#[test]
fn an_action_may_stand_in_the_older_fence() {
    let text = r#"{"trajectory_format": "mini-swe-agent-1", "messages": [
        {"role": "assistant", "content": "```bash\n\nmake   \n```\nand\n```sh\nls\n```"}]}"#;
    let all = told("swe_agent", text);
    assert_eq!(all[0].of("call"), [r#"0 call 1 m0.c0 - bash {"command":"make"} -> nothing"#]);
}

#[test]
fn a_line_that_is_no_command_of_its_own_goes_to_bash() {
    use super::action::tool;
    for (line, wanted) in [
        ("open src/a.py 10", "open"),
        ("edit 1:3\nx && y\nend_of_edit", "edit"),
        ("search_dir \"foo\" src", "search_dir"),
        ("submit", "submit"),
        ("rm -rf /", "bash"),
        ("python reproduce.py", "bash"),
        ("open x.py && rm -rf /", "bash"),
        ("find_file $(cat x)", "bash"),
        ("submit 'flag{a|b<c>}'", "submit"),
        ("search_dir \"a && b\" src", "search_dir"),
        ("search_dir \"$(rm x)\" src", "bash"),
        ("open 'x' | sh", "bash"),
        ("opened x", "bash"),
    ] {
        assert_eq!(tool(line), wanted, "{line}");
    }
}
