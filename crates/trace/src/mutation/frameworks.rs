//! Small documents of agent frameworks, benchmarks and span dumps.

/// Formats with a document of each.
pub const SAMPLES: [(&str, &str); 18] = [
    (
        "jaeger",
        r#####"{"data": [{"traceID": "t", "processes": {"p": {"tags": []}}, "spans": [{"traceID": "t", "spanID": "a", "operationName": "execute_tool x", "references": [{"refType": "CHILD_OF", "spanID": "b"}], "startTime": 1, "duration": 2, "processID": "p", "tags": [{"key": "gen_ai.tool.call.id", "value": "c"}, {"key": "error", "value": true}], "logs": [{"fields": [{"key": "event", "value": "e"}]}]}]}]}"#####,
    ),
    (
        "activegraph",
        r#####"{"event_id": "e", "event_type": "orchestrator_run_start", "run_id": "r", "payload": {"runtime_trace": {"simulation_id": "s", "message": {"raw": {"role": "user", "content": "u"}}}}}"#####,
    ),
    (
        "tau2",
        r#####"{"info": {"environment_info": {"domain_name": "d"}}, "simulations": [{"id": "s", "task_id": "t", "trial": 1, "termination_reason": "r", "messages": [{"role": "user", "content": "u ###STOP###"}, {"role": "assistant", "tool_calls": [{"id": "a", "name": "x", "arguments": {}, "requestor": "assistant"}]}, {"role": "tool", "tool_messages": [{"id": "a", "content": "c", "error": true, "requestor": "user"}]}]}, {"id": "v", "task_id": "t", "termination_reason": "r", "ticks": [{"timestamp": 5, "user_chunk": {"content": "u"}, "agent_chunk": {"content": "a"}, "agent_tool_calls": [{"id": "a", "name": "x"}], "agent_tool_results": [{"id": "a"}]}]}]}"#####,
    ),
    (
        "agentdojo",
        r#####"{"suite_name": "s", "pipeline_name": "p", "user_task_id": "u", "utility": true, "messages": [{"role": "user", "content": [{"type": "text", "content": "u"}]}, {"role": "assistant", "content": null, "tool_calls": [{"function": "x", "args": {}, "id": null}]}, {"role": "tool", "content": "c", "tool_call_id": null, "tool_call": {"function": "x"}, "error": "e"}]}"#####,
    ),
    (
        "inspect",
        r#####"{"status": "success", "eval": {"task": "t", "run_id": "r"}, "samples": [{"id": 1, "epoch": 1, "input": [{"role": "user", "content": "u"}], "target": "", "messages": [{"role": "user", "source": "input", "content": "u"}], "attachments": {"aa": "x"}, "message_pool": [{"role": "user", "source": "operator", "id": "i", "content": "p"}], "limit": {"type": "l"}, "events": [{"event": "span_begin", "id": "s", "parent_id": "q", "type": "tool"}, {"event": "approval", "call": {"id": "c"}, "decision": "modify", "modified": {"function": "x", "arguments": {"a": "attachment://aa"}}}, {"event": "model", "timestamp": "2026-03-01", "span_id": "s", "input_refs": [[0, 1]], "input": [], "output": {"choices": [{"message": {"content": [{"type": "text", "text": "t"}], "tool_calls": [{"id": "c", "function": "x", "arguments": {}}]}}]}}, {"event": "tool", "id": "c", "function": "x", "arguments": {}, "result": [{"type": "text", "text": "attachment://aa"}], "error": {"type": "approval", "message": "m"}, "failed": true, "events": [{"event": "step", "action": "begin", "type": "scorer"}]}]}, {"id": 2, "epoch": 1, "input": "u", "target": "", "messages": [{"role": "assistant", "tool_calls": [{"id": "c", "function": "x", "arguments": {}}]}, {"role": "tool", "tool_call_id": "c", "content": "r"}]}]}"#####,
    ),
    (
        "swe_agent",
        r#####"{"environment": "e", "trajectory": [{"action": "ls x", "observation": "o", "response": "r", "thought": "t"}], "history": [{"role": "user", "content": "u", "is_demo": false}, {"role": "assistant", "content": "r", "action": "ls x", "tool_calls": [{"id": "c", "function": {"name": "x", "arguments": "{}"}}]}], "info": {"exit_status": "s"}}"#####,
    ),
    (
        "swe_agent",
        r#####"{"trajectory_format": "mini-swe-agent-1", "info": {}, "messages": [{"role": "user", "content": "u"}, {"role": "assistant", "content": "```bash\nls\n```", "extra": {"timestamp": 5}}, {"role": "user", "content": "<returncode>1</returncode>", "extra": {"returncode": 0, "exception_info": "e"}}, {"role": "assistant", "extra": {"actions": [{"command": "a", "tool_call_id": "c"}]}}, {"role": "tool", "tool_call_id": "c", "content": "r"}]}"#####,
    ),
    (
        "adk",
        r#####"{"id": "s", "appName": "a", "userId": "u", "state": {"k": 1}, "events": [{"id": "e", "invocationId": "i", "author": "user", "timestamp": 1.5, "partial": false, "content": {"parts": [{"text": "u", "thought": false}]}}, {"id": "f", "invocationId": "i", "author": "a", "errorCode": "x", "content": {"parts": [{"functionCall": {"id": "c", "name": "n", "args": {}}}, {"functionResponse": {"id": "c", "name": "n", "response": {"result": 1}}}]}}]}"#####,
    ),
    (
        "adk",
        r#####"{"eval_set_id": "s", "eval_cases": [{"eval_id": "e", "session_input": {"user_id": "u", "state": {}}, "conversation": [{"user_content": {"parts": [{"text": "u"}]}, "final_response": {"parts": [{"text": "a"}]}, "intermediate_data": {"tool_uses": [{"name": "n", "args": {}, "id": "c"}], "tool_responses": [{"name": "n", "response": {}, "id": "c"}], "invocation_events": [{"author": "a", "content": {"parts": [{"text": "t"}]}}]}}]}]}"#####,
    ),
    (
        "autogen",
        r#####"{"messages": [{"id": "a", "source": "user", "type": "TextMessage", "content": "u"}, {"source": "b", "type": "ToolCallRequestEvent", "content": [{"id": "c", "name": "x", "arguments": "{}"}]}, {"source": "b", "type": "ToolCallExecutionEvent", "content": [{"call_id": "c", "name": "x", "content": "r", "is_error": true}]}, {"source": "b", "type": "HandoffMessage", "target": "user", "content": "h"}]}"#####,
    ),
    (
        "autogen",
        r#####"{"type": "TeamState", "agent_states": {"a": {"agent_state": {"llm_context": {"messages": [{"type": "AssistantMessage", "source": "a", "content": [{"id": "c", "name": "x", "arguments": "{}"}]}]}}}, "m": {"message_thread": [{"source": "user", "type": "TextMessage", "content": "u"}]}}}"#####,
    ),
    (
        "autogen",
        r#####"{"type": "LLMCall", "messages": [{"role": "user", "content": "u"}], "response": {"choices": [{"message": {"content": "a", "tool_calls": [{"id": "c", "function": {"name": "x", "arguments": "{}"}}]}}]}, "agent_id": "a"}"#####,
    ),
    (
        "pydantic_ai",
        r#####"[{"kind": "request", "timestamp": "2026-03-01", "run_id": "r", "metadata": {}, "parts": [{"part_kind": "user-prompt", "content": ["u"]}]}, {"kind": "response", "parts": [{"part_kind": "text", "content": "a"}, {"part_kind": "tool-call", "tool_name": "x", "args": "{}", "tool_call_id": "c"}]}, {"kind": "request", "parts": [{"part_kind": "tool-return", "tool_name": "x", "content": {}, "tool_call_id": "c", "outcome": "success"}, {"part_kind": "retry-prompt", "tool_name": "x", "content": [], "tool_call_id": "c"}]}]"#####,
    ),
    (
        "vercel",
        r#####"{"id": "i", "metadata": {}, "messages": [{"role": "user", "content": [{"type": "text", "text": "u"}]}, {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "x", "input": {}}, {"type": "tool-approval-request", "approvalId": "q", "toolCallId": "c"}]}, {"role": "tool", "content": [{"type": "tool-approval-response", "approvalId": "q", "approved": true}, {"type": "tool-result", "toolCallId": "c", "toolName": "x", "output": {"type": "error-json", "value": {}}}]}]}"#####,
    ),
    (
        "vercel",
        r#####"[{"role": "assistant", "createdAt": "2026-03-01", "parts": [{"type": "step-start"}, {"type": "text", "text": "a"}, {"type": "tool-x", "toolCallId": "c", "state": "output-available", "input": {}, "output": {}, "preliminary": true, "approval": {"approved": false}}, {"type": "tool-invocation", "toolInvocation": {"toolCallId": "d", "toolName": "y", "state": "result", "args": {}, "result": {}}}]}]"#####,
    ),
    (
        "vercel",
        r#####"{"prompt": "u", "steps": [{"finishReason": "stop", "response": {"messages": []}, "content": [{"type": "text", "text": "a"}, {"type": "tool-call", "toolCallId": "c", "toolName": "x", "input": {}}, {"type": "tool-error", "toolCallId": "c", "toolName": "x", "error": {}}]}]}"#####,
    ),
    (
        "strands",
        r#####"{"session_id": "s", "state": {}, "messages": [{"role": "user", "content": [{"text": "u"}]}, {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "x", "input": {}}}]}, {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "status": "error", "content": [{"json": {}}]}}]}], "output": {"message": {"role": "assistant", "content": [{"text": "a"}]}}}"#####,
    ),
    (
        "spans",
        r#####"{"spans": [{"name": "execute_tool x", "context": {"trace_id": "0xt", "span_id": "0xa"}, "parent_id": "b", "start_time": [1, 2], "end_time": "2026-03-01", "status": {"code": "ERROR", "message": "m"}, "attributes": {"gen_ai.tool.name": "x", "llm": {"input_messages": [{"message": {"role": "user", "content": "u"}}]}}, "events": [{"name": "e", "attributes": {}, "body": {"input": {"messages": [{"content": "[]"}]}}}], "resource": {"attributes": {}}}]}"#####,
    ),
];
