//! Recordings of `activegraph` as events.

use crate::testing::told;

#[test]
fn one_call_told_three_times_and_a_scoring() {
    let all = told(
        "activegraph",
        r#"{"event_id": "rt-0", "event_type": "batch_start", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:00Z", "payload": {"runtime_trace": {}}}
{"event_id": "rt-1", "event_type": "orchestrator_run_start", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:01Z", "payload": {"runtime_trace": {"simulation_id": "sim-1"}}}
{"event_id": "rt-2", "event_type": "turn_start", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:02Z", "payload": {"runtime_trace": {"message": {"raw": {"role": "assistant", "content": "Hello!", "tool_calls": null, "timestamp": "2026-03-01T10:00:00Z"}}}}}
{"event_id": "rt-3", "event_type": "user_response", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:03Z", "payload": {"runtime_trace": {"message": {"raw": {"role": "user", "content": "Cancel my crossing on Friday.", "tool_calls": null, "timestamp": "2026-03-01T10:00:00Z"}}}}}
{"event_id": "rt-4", "event_type": "turn_start", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:04Z", "payload": {"runtime_trace": {"message": {"raw": {"role": "user", "content": "Cancel my crossing on Friday.", "tool_calls": null, "timestamp": "2026-03-01T10:00:00Z"}}}}}
{"event_id": "rt-5", "event_type": "agent_response", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:05Z", "payload": {"runtime_trace": {"message": {"raw": {"role": "assistant", "content": null, "tool_calls": [{"id": "a", "name": "find_booking", "arguments": {"day": 1}, "requestor": "assistant"}, {"id": "b", "name": "find_rules", "arguments": {}, "requestor": "assistant"}], "timestamp": "2026-03-01T10:00:00Z"}}}}}
{"event_id": "rt-6", "event_type": "tool_call_requested", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:06Z", "payload": {"runtime_trace": {"tool_call": {"id": "a", "name": "find_booking", "arguments": {"day": 1}, "requestor": "assistant"}}}}
{"event_id": "rt-7", "event_type": "tool_dispatch_start", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:07Z", "payload": {"runtime_trace": {"arguments": {}}}}
{"event_id": "rt-8", "event_type": "message_observed", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:08Z", "payload": {"runtime_trace": {"message": {"raw": {"role": "tool", "id": "a", "content": "B-1", "error": false, "requestor": "assistant"}}}}}
{"event_id": "rt-9", "event_type": "message_observed", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:09Z", "payload": {"runtime_trace": {"message": {"raw": {"role": "tool", "id": "b", "content": "gone", "error": true, "requestor": "assistant"}}}}}
{"event_id": "rt-10", "event_type": "tool_call_requested", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:10Z", "payload": {"runtime_trace": {"tool_call": {"id": "c", "name": "cancel_booking", "arguments": {}, "requestor": "assistant"}}}}
{"event_id": "rt-11", "event_type": "user_response", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:11Z", "payload": {"runtime_trace": {"message": {"raw": {"role": "user", "content": "Bye ###STOP###", "tool_calls": null, "timestamp": "2026-03-01T10:00:00Z"}}}}}
{"event_id": "rt-12", "event_type": "orchestrator_run_end", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:12Z", "payload": {"runtime_trace": {"status": "ok"}}}
{"event_id": "rt-13", "event_type": "tool_call_requested", "run_id": "run-1", "task_id": "0", "phase": "p", "component": "tau2", "timestamp": "2026-03-01T10:00:13Z", "payload": {"runtime_trace": {"tool_call": {"id": "c", "name": "cancel_booking", "arguments": {}, "requestor": "assistant"}}}}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"run_id":"run-1","task_id":"0","phase":"p"}"#,
            "0 agent m0 Hello!",
            "1 user m1 Cancel my crossing on Friday.",
            r#"2 call 1 m2.c0 a find_booking {"day": 1} -> B-1 (no error)"#,
            "2 call 2 m2.c1 b find_rules {} -> gone (error)",
            "3 answer 1 B-1 (no error)",
            "4 answer 2 gone (error)",
            "5 call 3 m5.c0 c cancel_booking {} -> nothing",
            "6 user m6 Bye",
            "6 end  !ok",
        ]
    );
}
