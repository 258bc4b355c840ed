"""Asks the real faultgate what its checks say of generated recordings.

    python ask_faultgate_checks.py --runs 3000 --seed 1 > answers.jsonl

One JSON line per recording: its text, the golden answers and outcomes, what each check said, the
scenario and what was measured; `crash` stands in the place of a check's answer where it crashed.
"""

import argparse
import json
import os
import random
import tempfile
import warnings

from faultgate import checks, runner, trace as otlp

WORDS = (
    "couldn't could not cannot unable to find locate the quickly record is available no matching data "
    "don't have enough information know not found Birch Birch-204 birch-204 done max tokens reached "
    "token limit exceeded prompt is too long maximum context length error é x_1 , ."
).split(" ")
RESULTS = [
    "", " ", "[]", "{}", "null", "ok", "ok ", "o  k", '{"items": []}', '{"count": 0}', '{"count": 2, "items": []}',
    '{"error": "bad"}', '{"error": false}', '{"exit_code": 1}', '{"exit_code": "0"}', '{"exit_code": true}',
    "Error: x", "Error: prompt is too long", "error: y", "Traceback (most recent call last)\n x",
    '[{"type": "text", "text": "{\\"error\\": 1}"}]', "<tool_use_error>no</tool_use_error>",
    '{"error": {"code": 5, "text": "too many tokens"}}', '[{"text": "a"}, 5]', '{"returncode": -1}',
]
ARGS = ["", "{}", '{"a": 1, "b": 2}', '{"b":2,"a":1}', '{"a": 1.0}', "x  y", "x y", "[1, 2]", '{"a": "é"}', "{bad}"]
REASONS = ["stop", "LENGTH", "max_tokens", "model_length", "tool_calls", "content_filter"]
ENDS = ["", "done", "Max Steps", "hit the step cap", "iteration limit", "token limit reached"]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--runs", type=int, default=3000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    for number in range(chosen.runs):
        print(json.dumps(answer(chosen.seed * 1_000_000 + number)))


def answer(seed):
    draw = random.Random(seed)
    text = json.dumps(recording(draw))
    golden = {"s-1": "Birch-204", "q": draw.choice(["", "data/2", "done"])}
    outcomes = {"s-1": draw.random() < 0.5}
    out = {"seed": seed, "trace": text, "golden": golden, "outcomes": outcomes, "told": {}}
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        file.write(text)
    run = otlp.load_otlp(file.name)[0]
    os.unlink(file.name)
    out["scenario"] = run.key
    out["measures"] = next(iter(runner.run([run], []).measures.values()))
    for check in ["search_loop", "abstention", "repeated_call", "unrecovered_tool_error", "context_overflow"]:
        out["told"][check] = told(getattr(checks, check + "_rule"), run)
    for check in ["wrong_answer", "truncation"]:
        out["told"][check] = told(getattr(checks, check + "_rule"), run, checks.Golden(golden))
    out["told"]["outcome"] = told(checks.outcome_rule, run, checks.Outcomes(outcomes))
    return out


def told(rule, *given):
    try:
        said = rule(*given)
    except Exception as error:  # what it crashes on is part of what is asked
        return {"crash": f"{type(error).__name__}: {error}"}
    return {"detected": said.detected, "confidence": said.confidence, "reason": said.reason}


def recording(draw):
    root = {"gen_ai.operation.name": "invoke_agent", "gen_ai.prompt": draw.choice(["q", "", "p é"])}
    if draw.random() < 0.6:
        root["gen_ai.completion"] = words(draw)
    if draw.random() < 0.5:
        root["faultgate.scenario"] = draw.choice(["s-1", "s-2", ""])
    if draw.random() < 0.4:
        root["faultgate.termination"] = draw.choice(ENDS)
    spans = [span(draw, 0, "invoke_agent", root, None)]
    few = draw.random() < 0.5
    for number in range(1, draw.choice([1, 3, 6, 14])):
        tool = draw.choice("ab")
        attrs = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": tool,
            "gen_ai.tool.call.arguments": draw.choice(ARGS[:3] if few else ARGS),
            "gen_ai.tool.call.result": draw.choice(RESULTS[:7] if few else RESULTS),
        }
        name = "execute_tool " + tool
        if draw.random() < 0.2:
            attrs, name = {"gen_ai.operation.name": "chat"}, "chat"
        if draw.random() < 0.1:
            attrs["error.type"] = draw.choice(["timeout", "context_length_exceeded", ""])
        if draw.random() < 0.15:
            attrs["gen_ai.response.finish_reasons"] = draw.choice(REASONS)
        if draw.random() < 0.3:
            attrs["gen_ai.usage.input_tokens"] = draw.randint(0, 50)
        spans.append(span(draw, number, name, attrs, "s0"))
    return {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}


def span(draw, number, name, attrs, parent):
    start = 1000 + number * draw.choice([0, 1, 10, 10, 10])
    made = {"traceId": "t", "spanId": f"s{number}", "name": name, "startTimeUnixNano": str(start)}
    made["endTimeUnixNano"] = str(start + draw.randint(0, 40))
    if parent:
        made["parentSpanId"] = parent
    if draw.random() < 0.1:
        made["status"] = {"code": draw.choice([1, 2]), "message": words(draw)}
    value = lambda it: {"intValue": str(it)} if isinstance(it, int) else {"stringValue": it}
    made["attributes"] = [{"key": key, "value": value(it)} for key, it in attrs.items()]
    return made


def words(draw):
    return " ".join(draw.choice(WORDS) for _ in range(draw.randint(1, 9)))


if __name__ == "__main__":
    main()
