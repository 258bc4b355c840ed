"""Asks the real faultgate what it says of generated policies and traces.

    python ask_faultgate.py --pairs 3000 --seed 1 > answers.jsonl

One JSON line per pair: the policy and the trace as texts, and what faultgate made of them:

    {"seed": 7, "policy": "...", "trace": "...", "settled": ["step 1: ...", ...],
     "cuts": [{"step": 1, "trace": "...", "reasons": ["step 1: ...", ...]}, ...]}

`settled` is the list of reasons over the whole recording, before faultgate joins them. A cut is the
recording as it stood when one call was made: later calls are gone, a result is there only if its
span had ended, and the call's own result is unknown. Its reasons are those of that call alone. A
recording whose past can't be told apart from its future (repeated span ids, repeated call ids, spans
that start together or have no end) has no cuts: `"cuts": null`. Where faultgate refuses the policy the line holds
`refused`, and where it crashes `crash`, in place of `settled` and `cuts`.
"""

import argparse
import copy
import json
import random
import sys
import warnings

from faultgate import checks, trace as otlp

from pairs import policy_text, recording


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--pairs", type=int, default=3000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--cuts", type=int, default=6, help="cuts per pair at most")
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    for number in range(chosen.pairs):
        seed = chosen.seed * 1_000_000 + number
        print(json.dumps(answer(seed, chosen.cuts)))


def answer(seed, cuts_max):
    """What faultgate makes of one generated pair."""
    draw = random.Random(seed)
    policy, document = policy_text(draw), recording(draw)
    text = json.dumps(document)
    out = {"seed": seed, "policy": policy, "trace": text}
    try:
        rules = checks.Policy.from_dict(json.loads(policy))
    except ValueError as error:
        return out | {"refused": str(error)}
    except Exception as error:  # what it does with a policy that it can't read is what we ask
        return out | {"crash": f"policy: {type(error).__name__}: {error}"}
    try:
        session = load(text)
        settled = reasons(session, rules)
    except Exception as error:
        return out | {"crash": f"trace: {type(error).__name__}: {error}"}
    out["settled"] = settled
    out["cuts"] = cuts(draw, document, session, rules, cuts_max)
    return out


def load(text):
    """The one session of an OTLP document, read by faultgate's own reader."""
    path = Scratch.path
    path.write_text(text, encoding="utf-8")
    [session] = otlp.load_otlp(path)
    return session


def reasons(session, rules):
    """The list of reasons that the policy check collects before it joins them to one text."""
    found = []

    def watch(frame, event, _):
        if event == "return" and frame.f_code is checks.policy_rule.__code__:
            found.append(list(frame.f_locals["bad"]))

    sys.setprofile(watch)
    try:
        checks.policy_rule(session, rules)
    finally:
        sys.setprofile(None)
    return found[0]


def cuts(draw, document, session, rules, most):
    """The recording at some of its calls, and what faultgate says of each of those calls."""
    places = Places(document, session)
    if not places.has_a_past():
        return None
    steps = list(range(1, len(session.steps) + 1))
    draw.shuffle(steps)
    out = []
    for step in sorted(steps[:most]):
        text = json.dumps(places.cut(step))
        try:
            past = load(text)
            if [(s.tool, s.arguments) for s in past.steps] != [
                (s.tool, s.arguments) for s in session.steps[:step]
            ]:
                continue
            said = reasons(past, rules)
        except Exception:
            continue
        mine = [it for it in said if it.startswith(f"step {step}: ")]
        out.append({"step": step, "trace": text, "reasons": mine})
    return out


class Places:
    """Where the calls of a recording stand, so that it can be cut after one of them."""

    def __init__(self, document, session):
        self.document = document
        self.session = session
        self.spans = session.spans
        self.calls = self.find_calls()

    def find_calls(self):
        """For each step its span's id and, for a call inside a message, its number in the span."""
        tools = [(s.span_id, None, None) for s in self.spans if otlp.is_tool_span(s)]
        owned = {
            str(s.attrs["gen_ai.tool.call.id"])
            for s in self.spans
            if otlp.is_tool_span(s) and s.attrs.get("gen_ai.tool.call.id")
        }
        inside = []
        for span in self.spans:
            for number, part in enumerate(parts(span.attrs.get("gen_ai.output.messages"), "tool_call")):
                inside.append((span.span_id, number, str(part.get("id", ""))))
        if not tools:
            return inside
        both = tools + [it for it in inside if it[2] not in owned]
        start = {s.span_id: s.start_ns for s in self.spans}
        return sorted(both, key=lambda it: start[it[0]])

    def has_a_past(self):
        """Whether the recording at a call can be told from what came later."""
        ids = [s.span_id for s in self.spans]
        starts = {s.start_ns for s in self.spans}
        if len(set(ids)) < len(ids) or any(s.end_ns < s.start_ns for s in self.spans):
            return False
        if len(starts) < len(ids):
            return False
        call_ids = [it[2] for it in self.calls if it[1] is not None]
        if len(set(call_ids)) < len(call_ids) or "" in call_ids or "None" in call_ids:
            return False
        order = {span_id: place for place, span_id in enumerate(ids)}
        asked = {it[2]: order[it[0]] for it in self.calls if it[1] is not None}
        answered = []
        for span in self.spans:
            for part in parts(span.attrs.get("gen_ai.input.messages"), "tool_call_response"):
                name = str(part.get("id"))
                if name in asked and order[span.span_id] <= asked[name]:
                    return False
                answered.append(name)
        root = self.session.root
        later = root is not None and (
            otlp.is_tool_span(root) or "gen_ai.input.messages" in root.attrs
            or "gen_ai.output.messages" in root.attrs
        )
        return not later and len(set(answered)) == len(answered)

    def cut(self, step):
        """The document as it stood when the call of a step was made."""
        here = self.calls[step - 1]
        kept = self.calls[:step]
        now = next(s.start_ns for s in self.spans if s.span_id == here[0])
        order = {s.span_id: place for place, s in enumerate(self.spans)}
        root = self.session.root
        document = copy.deepcopy(self.document)
        scope = document["resourceSpans"][0]["scopeSpans"][0]
        scope["spans"] = [
            cut_span(span, here, kept, now)
            for span in scope["spans"]
            if (root is not None and span["spanId"] == root.span_id)
            or keeps(self.spans[order[span["spanId"]]], kept, now, order, here)
        ]
        return document


def keeps(span, kept, now, order, here):
    if otlp.is_tool_span(span):
        return any(span_id == span.span_id for span_id, number, _ in kept if number is None)
    return span.start_ns < now or (span.start_ns == now and order[span.span_id] <= order[here[0]])


def cut_span(span, here, kept, now):
    """One span without what was not known yet."""
    attributes = span.get("attributes", [])
    ended = int(span.get("endTimeUnixNano", 0)) <= now and span["spanId"] != here[0]
    if not ended:
        unknown = ("gen_ai.tool.call.result", "error.type")
        attributes = [it for it in attributes if it["key"] not in unknown]
        span.pop("status", None)
    for attribute in attributes:
        if attribute["key"] == "gen_ai.output.messages":
            numbers = {number for span_id, number, _ in kept if span_id == span["spanId"]}
            text = attribute["value"]["stringValue"]
            attribute["value"] = {"stringValue": without_calls(text, numbers)}
    if "attributes" in span:
        span["attributes"] = attributes
    return span


def parts(messages, kind):
    """The parts of one type in a messages attribute, as faultgate finds them."""
    for message in otlp._messages(messages):
        for part in message.get("parts", []):
            if isinstance(part, dict) and part.get("type") == kind:
                yield part


def without_calls(text, numbers):
    """A messages text that keeps the tool calls with these numbers only."""
    messages = json.loads(text)
    count = 0
    for message in messages:
        left = []
        for part in message.get("parts", []):
            if isinstance(part, dict) and part.get("type") == "tool_call":
                count += 1
                if count - 1 not in numbers:
                    continue
            left.append(part)
        if "parts" in message:
            message["parts"] = left
    return json.dumps(messages)


class Scratch:
    """A file for faultgate's reader, which reads files only."""

    path = None


if __name__ == "__main__":
    import pathlib
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        Scratch.path = pathlib.Path(folder) / "trace.json"
        main()
