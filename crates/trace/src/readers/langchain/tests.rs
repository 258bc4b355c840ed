//! Messages of LangChain and states of LangGraph.

use crate::detect;
use crate::testing::{Told, told};
use lawbook_event::json::{Document, Grammar, Limits};

const HUMAN: &str = r#"{"type":"human","content":[{"type":"text","text":"refund it"}],"id":"h1"}"#;
const AI: &str = r#"{"type":"ai","content":"on it","id":"a1","tool_calls":[{"name":"find","args":{"n":1},"id":"c1","type":"tool_call"},{"name":"pay","args":{},"id":"c2","type":"tool_call"}],"invalid_tool_calls":[{"name":"pay","args":"{\"n\": ","id":"c3","error":"cut","type":"invalid_tool_call"}],"additional_kwargs":{"tool_calls":[{"id":"c1","function":{"name":"find","arguments":"{}"}}]}}"#;
const TOOL: &str = r#"{"type":"tool","content":"found","name":"find","tool_call_id":"c1","status":"success","id":"t1"}"#;
const FAILED: &str = r#"{"type":"tool","content":"no money","name":"pay","tool_call_id":"c2","status":"error","id":"t2"}"#;
const LAST: &str = r#"{"type":"ai","content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"sorry"}],"id":"a2","tool_calls":[]}"#;

const LINES: [&str; 9] = [
    "start",
    "0 user m0 refund it",
    "1 agent m1 on it",
    r#"1 call 1 m1.c0 c1 find {"n":1} -> found"#,
    "1 call 2 m1.c1 c2 pay {} -> no money (error)",
    r#"1 call 3 m1.c2 c3 pay {"n":  -> nothing"#,
    "2 answer 1 found",
    "3 answer 2 no money (error)",
    "4 agent m4 sorry",
];

fn all_of(list: &[&str]) -> String {
    format!("[{}]", list.join(","))
}

fn starts_as_expected(told: &[Told]) {
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].lines()[..LINES.len()], LINES);
    assert_eq!(told[0].calls, 3);
}

#[test]
fn three_spellings_say_the_same() {
    let flat = [HUMAN, AI, TOOL, FAILED, LAST];
    let wrapped = flat.map(|it| {
        let kind = it.split('"').nth(3).unwrap();
        format!(r#"{{"type":"{kind}","data":{it}}}"#)
    });
    let classes = ["HumanMessage", "AIMessage", "ToolMessage", "ToolMessage", "AIMessage"];
    let dumped: Vec<String> = flat.iter().zip(classes).map(|(it, class)| {
        format!(r#"{{"lc":1,"type":"constructor","id":["langchain","schema","messages","{class}"],"kwargs":{it}}}"#)
    }).collect();
    starts_as_expected(&told("", &all_of(&flat)));
    starts_as_expected(&told("", &format!(r#"{{"messages":{}}}"#, all_of(&flat))));
    starts_as_expected(&told("", &all_of(&wrapped.each_ref().map(String::as_str))));
    let dumped: Vec<&str> = dumped.iter().map(String::as_str).collect();
    starts_as_expected(&told("", &all_of(&dumped)));
}

#[test]
fn openai_spelling_among_the_others() {
    let text = r#"[{"type":"human","content":"hi"},{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"x"}]"#;
    assert_eq!(told("", text)[0].of("call"), ["1 call 1 m1.c0 c1 find {} -> x"]);
}

#[test]
fn older_places_of_calls() {
    for body in [
        r#""additional_kwargs":{"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}"#,
        r#""additional_kwargs":{"function_call":{"name":"f","arguments":"{}"}}"#,
        r#""tool_calls":[]"#,
    ] {
        let content = if body.starts_with("\"tool_calls") {
            r#"[{"type":"tool_use","id":"c","name":"f","input":{}}]"#
        } else {
            "\"\""
        };
        let text = format!(
            r#"[{{"type":"human","content":"x"}},{{"type":"ai","content":{content},{body}}}]"#
        );
        let all = told("", &text);
        assert_eq!(all[0].calls, 1, "{text}");
        assert!(all[0].of("call")[0].contains(" f {}"), "{text}");
    }
}

#[test]
fn states_repeat_what_was_said() {
    let state = |list: &[&str], step: u32| {
        format!(
            r#"{{"values":{{"messages":{}}},"config":{{"configurable":{{"thread_id":"th"}}}},"metadata":{{"step":{step}}}}}"#,
            all_of(list)
        )
    };
    let growing =
        [state(&[HUMAN], 0), state(&[HUMAN, AI], 1), state(&[HUMAN, AI, TOOL, FAILED, LAST], 2)];
    let mut newest_first = growing.clone();
    newest_first.reverse();
    for states in [growing, newest_first] {
        for text in [states.join("\n"), format!("[{}]", states.join(","))] {
            let all = told("", &text);
            assert_eq!((all.len(), all[0].id.as_str(), all[0].calls), (1, "th", 3), "{text}");
        }
    }
    // Without a thread, the first message shows that it is one conversation.
    let values = [all_of(&[HUMAN]), all_of(&[HUMAN, AI]), all_of(&[HUMAN, AI, TOOL, FAILED, LAST])];
    let text = values.map(|it| format!(r#"{{"messages":{it}}}"#)).join("\n");
    starts_as_expected(&told("", &text));
    // Without ids of messages, their places do.
    let bare = |text: &str| {
        ["h1", "a1", "t1", "t2", "a2"]
            .iter()
            .fold(text.to_owned(), |it, id| it.replace(&format!(r#""id":"{id}""#), r#""id":null"#))
    };
    let states = [state(&[HUMAN, AI], 1), state(&[HUMAN, AI, TOOL, FAILED, LAST], 2)];
    let all = told("", &bare(&states.join("\n")));
    assert_eq!((all.len(), all[0].calls), (1, 3));
}

#[test]
fn an_edited_call_is_the_one_that_counts() {
    let edited = AI.replace(r#""args":{"n":1}"#, r#""args":{"n":2}"#);
    let state = |list: &[&str]| {
        format!(r#"{{"thread_id":"th","channel_values":{{"messages":{}}}}}"#, all_of(list))
    };
    let states = [state(&[HUMAN, AI]), state(&[HUMAN, &edited, TOOL])];
    for text in [states.join("\n"), format!("{}\n{}", states[1], states[0])] {
        assert!(told("", &text)[0].of("call")[0].contains(r#"{"n":2}"#));
    }
}

#[test]
fn streams_of_steps() {
    let lines = [
        format!(r#"{{"agent":{{"messages":[{AI}]}}}}"#),
        format!(r#"{{"tools":{{"messages":[{TOOL},{FAILED}]}}}}"#),
        format!(r#"["updates",{{"agent":{{"messages":[{LAST}]}}}}]"#),
    ];
    let all = told("", &lines.join("\n"));
    assert_eq!((all.len(), all[0].calls), (1, 3));
    assert_eq!(all[0].of("answer").len(), 2);
    assert!(all[0].of("user").is_empty());
}

#[test]
fn pieces_of_a_message_are_put_together() {
    let chunk = |content: &str, calls: &str| {
        format!(
            r#"[{{"type":"AIMessageChunk","content":"{content}","id":"r1","tool_calls":[],"tool_call_chunks":[{calls}]}},{{"langgraph_node":"agent","thread_id":"th"}}]"#
        )
    };
    let lines = [
        chunk("on ", ""),
        chunk("it", r#"{"name":"find","args":"","id":"c1","index":0}"#),
        chunk("", r#"{"name":null,"args":"{\"n\":","id":null,"index":0}"#),
        chunk(
            "",
            r#"{"name":null,"args":" 1}","id":null,"index":0},{"name":"pay","args":"{}","id":"c2","index":1}"#,
        ),
        format!(r#"[{TOOL},{{"thread_id":"th"}}]"#),
    ];
    let all = told("", &lines.join("\n"));
    assert_eq!((all.len(), all[0].id.as_str()), (1, "th"));
    assert_eq!(
        all[0].of("call"),
        [r#"0 call 1 m0.c0 c1 find {"n": 1} -> found"#, "0 call 2 m0.c1 c2 pay {} -> nothing"]
    );
    assert_eq!(all[0].of("agent"), ["0 agent m0 on it"]);
}

#[test]
fn what_a_person_refused_did_not_run() {
    let no = r#"{"type":"tool","content":"User rejected the tool call for `pay` with id c2","tool_call_id":"c2","status":"error"}"#;
    let all = told("", &all_of(&[HUMAN, AI, no]));
    assert!(all[0].of("call")[1].ends_with("(error) (did not run)"));
}

#[test]
fn other_formats_are_not_taken() {
    for text in [
        r#"{"messages":[{"role":"user","content":"x"}]}"#,
        r#"{"messages":[]}"#,
        r#"[{"type":"message","role":"user","content":[]}]"#,
        r#"[{"type":"TextMessage","source":"user","content":"x"}]"#,
        r#"{"id":"u","timestamp":"t","type":"user","content":"x"}"#,
        r#"[{"run_type":"llm","inputs":{"messages":[{"type":"human","content":"x"}]}}]"#,
        r#"[{"type":"text","text":"x"}]"#,
        r#"{"a":{"b":{"messages":[{"role":"user","content":"x"}]}}}"#,
    ] {
        let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let found = detect(document.root()).map(crate::Reader::name);
        assert_ne!(found, Some("langchain"), "{text}");
    }
}
