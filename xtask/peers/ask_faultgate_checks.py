"""Asks the real faultgate what its checks say of generated recordings.

    python ask_faultgate_checks.py --runs 3000 --seed 1 > answers.jsonl

One JSON line per recording: its text, the golden answers and outcomes, what each check said, the
scenario and what was measured; `crash` stands in the place of a check's answer where it crashed. Every
third recording is written in the format of a vendor.
"""

import argparse
import json
import os
import random
import tempfile
import warnings

from faultgate import checks, formats, runner

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
    shape = recording(draw)
    if seed % 3 == 0:
        shape = vendor(random.Random(seed + 1), shape)
    text = json.dumps(shape)
    golden = {"s-1": "Birch-204", "q": draw.choice(["", "data/2", "done"])}
    outcomes = {"s-1": draw.random() < 0.5}
    out = {"seed": seed, "trace": text, "golden": golden, "outcomes": outcomes, "told": {}}
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        file.write(text)
    run = formats.load(file.name)[0]
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


def vendor(draw, shape):
    """The same run as a tracing product exports it, with what it says of tokens and cost."""
    spans = shape["resourceSpans"][0]["scopeSpans"][0]["spans"]
    rows = [Row(draw, span) for span in spans]
    return draw.choice([openinference, langfuse, langsmith, braintrust])(draw, rows)


class Row:
    """What a span says, and what vendors add to it."""

    def __init__(self, draw, span):
        values = {it["key"]: list(it["value"].values())[0] for it in span["attributes"]}
        get = values.get
        self.id, self.parent, self.name = span["spanId"], span.get("parentSpanId"), span["name"]
        self.start, self.end = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
        self.is_tool = get("gen_ai.operation.name") == "execute_tool"
        self.is_model = get("gen_ai.operation.name") == "chat"
        self.tool, self.args = get("gen_ai.tool.name"), get("gen_ai.tool.call.arguments")
        self.result, self.prompt = get("gen_ai.tool.call.result"), get("gen_ai.prompt")
        self.answer, self.scenario = get("gen_ai.completion"), get("faultgate.scenario")
        self.finish = get("gen_ai.response.finish_reasons")
        status = span.get("status", {})
        self.failed, self.message = status.get("code") == 2, status.get("message", "")
        self.tokens = [draw.choice([None, 0, 7, 12.5, True, "3", draw.randint(0, 99)]) for _ in range(2)]
        self.cost = draw.choice([None, None, 0, 0.25, True, "1"])

    def metadata(self):
        return {"scenario": self.scenario} if self.scenario is not None else {}

    def times(self):
        return [f"1970-01-01T00:00:00.{it:06}Z" for it in (self.start, self.end)]


def known(values):
    return {key: value for key, value in values.items() if value is not None}


def openinference(draw, rows):
    spans = []
    for row in rows:
        kind = "AGENT" if row.parent is None else "TOOL" if row.is_tool else "LLM"
        attributes = known({
            "openinference.span.kind": kind,
            "tool.name": row.tool,
            "input.value": row.args if row.is_tool else row.prompt,
            "output.value": row.result if row.is_tool else row.answer,
            "metadata": json.dumps(row.metadata()) if row.parent is None else None,
            "llm.token_count.prompt": row.tokens[0],
            "llm.token_count.completion": row.tokens[1],
            "llm.finish_reason": row.finish,
        })
        made = {"traceId": "t", "spanId": row.id, "name": row.name, "startTimeUnixNano": str(row.start)}
        made["endTimeUnixNano"] = str(row.end)
        if row.parent:
            made["parentSpanId"] = row.parent
        if row.failed:
            made["status"] = {"code": 2, "message": row.message}
        made["attributes"] = [{"key": key, "value": any_value(it)} for key, it in attributes.items()]
        spans.append(made)
    return {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}


def any_value(it):
    if isinstance(it, bool):
        return {"boolValue": it}
    if isinstance(it, int):
        return {"intValue": str(it)}
    return {"doubleValue": it} if isinstance(it, float) else {"stringValue": it}


def langfuse(draw, rows):
    whole, observations = rows[0], []
    for row in rows[1:]:
        start, end = row.times()
        observations.append(known({
            "id": row.id,
            "type": "TOOL" if row.is_tool else "GENERATION",
            "name": row.tool or row.name,
            "startTime": start,
            "endTime": end,
            "input": row.args,
            "output": row.result,
            "level": "ERROR" if row.failed else draw.choice(["DEFAULT", None]),
            "statusMessage": row.message or None,
            draw.choice(["usageDetails", "usage"]): {
                draw.choice(["input", "promptTokens", "input_tokens"]): row.tokens[0],
                draw.choice(["output", "completionTokens", "output_tokens"]): row.tokens[1],
            },
            "costDetails": {"total": row.cost},
            "metadata": known({"finish_reason": row.finish}),
        }))
    return [known({
        "id": "t",
        "name": draw.choice(["agent", None]),
        "timestamp": whole.times()[0],
        "latency": draw.choice([None, 2, 0.5]),
        "input": whole.prompt,
        "output": whole.answer,
        "metadata": whole.metadata(),
        "observations": observations,
    })]


def langsmith(draw, rows):
    runs = []
    for row in rows:
        start, end = row.times()
        outputs = {"output": row.result} if row.is_tool else {"output": row.answer}
        if row.is_model:
            where = draw.choice(["generation_info", "message"])
            inner = {"finish_reason": row.finish}
            info = inner if where == "generation_info" else {"kwargs": {"response_metadata": inner}}
            outputs = {"generations": [[{where: info}]]}
        runs.append(known({
            "id": row.id,
            "trace_id": "t",
            "parent_run_id": row.parent,
            "run_type": "chain" if row.parent is None else "tool" if row.is_tool else "llm",
            "name": row.tool or row.name,
            "start_time": start,
            "end_time": end,
            "inputs": {"input": row.args if row.is_tool else row.prompt},
            "outputs": outputs,
            "error": (row.message or "failed") if row.failed else None,
            "prompt_tokens": row.tokens[0],
            "completion_tokens": row.tokens[1],
            "total_cost": row.cost,
            "extra": {"metadata": row.metadata()},
        }))
    return runs


def braintrust(draw, rows):
    spans = []
    for row in rows:
        metadata = row.metadata() if row.parent is None else known({"finish_reason": row.finish})
        spans.append(known({
            "id": row.id,
            "span_id": row.id,
            "root_span_id": rows[0].id,
            "span_parents": [row.parent] if row.parent else [],
            "span_attributes": {"name": row.tool or row.name, "type": "tool" if row.is_tool else "llm"},
            "input": row.args if row.is_tool else row.prompt,
            "output": row.result if row.is_tool else row.answer,
            "error": (row.message or "failed") if row.failed else None,
            "metadata": metadata,
            "metrics": known({
                "start": row.start / 1e9,
                "end": row.end / 1e9,
                "prompt_tokens": row.tokens[0],
                "completion_tokens": row.tokens[1],
            }),
        }))
    return spans


def words(draw):
    return " ".join(draw.choice(WORDS) for _ in range(draw.randint(1, 9)))


if __name__ == "__main__":
    main()
