"""Generated policies and traces for the comparison with faultgate: every key, and every edge."""

import json

TOOLS = ["pay", "find", "note", "ask"]

# Texts of argument objects and of things that are none. `V` stands for a drawn value.
ARGUMENTS = [
    '{"k": V}', '{"k": V, "n": V}', '{"n": V}', '{"k": V, "n": V, "o": {"p": V}}', '{"o": {"p": V}}',
    '{"k": V, "k": V}', '{"n": V, "n": V}', "", "  ", "{}", "[]", "[V]", "V", "null", "nope", '{"k": ',
    '{"k": V} x', "{'k': 1}", '{"o": [V], "k": V}', '{"o.p": V}', '{"k": V, "path": "../../etc/passwd"}',
    '{"k": V, "q": "é 日本 🙂"}', '\ufeff{"k": V}', '{"k": V,}', '{"n" : V , "k":V}', "\u00a0", '{"K": V}',
    '{"o": {"p": {"q": V}}, "k": V}', '{"k": V, "url": "FILE:///ETC/PASSWD"}', '{"k": V, "b": "..\\\\/"}',
]

# JSON texts of values: the edges of numbers, of text, and of how the two meet.
VALUES = [
    "3", "7", "10", "-1", "0", "-0", "1.0", "-0.0", "1.5", "1.50", "1e2", "1E+2",
    "500.00000000000000001", "9007199254740993", "9007199254740992", "123456789012345678901234567890",
    "9" * 400, "1e22", "1e16", "1e-7", "123456.7", "1234567", "0.1", "0.30000000000000004", "1e308", "NaN",
    "Infinity", "-Infinity", "1e999", "-1e999", "true", "false", "null", "[]", "{}", "[1]", '["1"]',
    '{"a": 1}', '[true, null, 1.0, "x"]', '"1"', '" 1 "', '"1.0"', '"7"', '"OK"', '"None"',
    '"True"', '""', '" "', '"$1,250.75"', '"-$5"', '"$-5"', '"$$5"', '" $5"', '"5 EUR"', '"1_000"',
    '"1__0"', '"_1"', '"1e3"', '"0x10"', '"+5"', '"--5"', '"nan"', '"inf"', '"-Infinity"', '"1e999"',
    '"５"', '"٣"', '"1.250,75"', '",,5,"', '"5."', '".5"', '"."', '"1e"', '"\\u00a05\\u00a0"',
    '"\\u20285"', '"\\u001f7\\u001f"', '"\\u200b1"', '"it\'s"', '"say \\"x\\""', '"both \' and \\""',
    '"back\\\\slash"', '"tab\\t"', '"\\u0000"', '"\\u007f"', '"é"', '"e\\u0301"', '"\\ud83d\\ude42"',
    '"\\ud800"', '"\\u00ad"', '"\\ufeff"', '"ſ"', '"K"', '"a; step 2: b"', '"../x"', '"\\u002e\\u002e/"',
]

# Most values are drawn from these, so that calls meet each other on the same key.
NEAR = ["1", "1", "2", '"1"', '" 1 "', "1.0", '"ok"', "null", "5", "100"]

RESULTS = [
    "", " ", "ok", "OK", "done: ok", "null", "7", '"ok"', "{}", "[]", '{"s": "ok"}', '{"s": "x"}',
    '{"s": 1}', '{"s": 1.0}', '{"s": true}', '{"s": null}', '{"s": "1"}', '{"a": {"b": "ok"}}',
    '{"rows": [{"s": "x"}, {"s": "ok"}]}', '[{"s": "ok"}]', '{"s": [1, true]}', '{"s": {"a": 1}}',
    '{"s": NaN}', '{"s": "ok", "s": "x"}', '"{\\"s\\": \\"ok\\"}"', '"\\"{}\\""', ' {"s": "ok"} ',
    '{"error": "e"}', '{"error": ""}', '{"error": null}', '{"error": 0}', '{"error": []}', '{"error": {"a": 1}}',
    '{"exit_code": 0}', '{"exit_code": 1}', '{"exit_code": "1"}', '{"exit_code": " 2 "}', '{"exit_code": "1_0"}',
    '{"exit_code": 0.5}', '{"exit_code": -1.5}', '{"exit_code": true}', '{"exit_code": false}',
    '{"exit_code": null}', '{"exit_code": "x"}', '{"exit_code": NaN}', '{"exit_code": 1e999}',
    '{"return_code": 0, "exit_status": 3}', '{"exitcode": "٣"}', '{"returncode": []}',
    '[{"type": "text", "text": "{\\"error\\": \\"e\\"}"}]', '[{"text": "{\\"exit_code\\": 2}"}, 5]',
    '[{"text": "fine"}]', "<tool_use_error>no</tool_use_error>", "<tool_use_error>", "Error: no", " Error: no",
    "ERROR: no", "error: no", "Errors", "Error", "Traceback (most recent call last):\n  x", "Exception: no",
    "An error occurred while parsing tool arguments: x", '{"isError": true}', "{broken", "ok}", "[1, 2",
    "[" * 1200 + "]" * 1200, '{"s": "ok", "error": false}', "\u00a0Error: no", '{"s": 123456789012345678901234567890}', "é",
]

# Python patterns: what people write, and what other engines read differently.
PATTERNS = [
    r"\.\./", r"file://", r"/etc/(passwd|shadow)", r"~/\.ssh", r"/proc/", r"\bdrop\s+table\b", r"\d{3,}",
    r"\w+@\w+", r"^\s*\{", r"\}\s*$", r"\}$", r"\Z", r"\A\{", r"[^\x00-\x7f]", r"(?<!\d)7(?!\d)",
    r"(?<=k\": )\d", r"(\d)\1", r"(?P<q>\d)(?P=q)", r"(?s)k.*n", r"(?m)^x", r"(?x) \d \d # two", r"(?i:OK)",
    r"[[:alpha:]]", r"\u00e9", r"\xe9", r"é", r"ß", r"s{2}", r"ſ", r"k", r"K", r"\s", r"\S{12,}", r"\W\W\W",
    r"(?:)", r"", r"a{,3}", r"1{2", r"x|", r"[\w-]+", r"[^]]", r"[]]", r"(?>1+)0", r"1++", r"(1)?(?(1)0|5)",
    r"\N{DIGIT ONE}", r"\101", r"\07", r"[\b]", r"\b1\b", r"\B", r"(?#note)5", r"(?=.*1)(?=.*5)", r"\t", r"\\",
    r"\$", r"[0-9]{16}", r".", r"..{40}", r"😀", r"🙂", r"(?a:\w)é", r"(?a:\d)", r"\D{6}", r"[a-z]+_?[A-Z]", r"[à-ÿ]",
]

PATHS = ["k", "n", "o.p", "o", "q", "o.p.q", "k.x", "o.0", "", "K"]
RESULT_PATHS = ["s", "a.b", "rows.0.s", "rows.1.s", "rows.9.s", "0.s", "s.0", "a", "x", "rows.-1"]
WANTED = ["ok", "x", 1, 1.0, True, False, None, "1", [1], [1, True], {"a": 1}, {"a": 1.0}, 0, ""]
ALLOWED = ["1", "2", "ok", "None", "True", "1.0", "5", "", " 1 ", "it's", "[1]", "nan"]
BOUNDS = [0, 1, 2, 5, 5.5, 10, 100, 250, -1, 0.1, 1e22, 1234567, 500, 9007199254740992, 10**30, -0.0]
TERMINATIONS = ["", "done", "Max steps reached", "timeout", "time out", "ABORTED", "user stop", "max_steps", "it's error"]


def policy_text(draw):
    """A policy file; one in fifteen has something in it that is not what it should be."""
    policy = policy_keys(draw)
    if policy and draw.random() < 0.07:
        spoil(draw, policy)
    return json.dumps(policy)


def policy_keys(draw):
    policy = {}

    def maybe(chance, key, value):
        if draw.random() < chance:
            policy[key] = value()

    maybe(0.3, "allow", lambda: some(draw, TOOLS + ["unknown"]))
    maybe(0.3, "max_calls", lambda: draw.choice([0, 1, 2, 3, 5, 8, 2.5, None, -1, True]))
    maybe(0.3, "max_arg_chars", lambda: draw.choice([0, 5, 12, 20, 40, 10.5, None]))
    maybe(0.5, "deny_patterns", lambda: draw.sample(PATTERNS, draw.randint(0, 4)))
    maybe(0.6, "limits", lambda: many(draw, 3, limit))
    maybe(0.35, "identity", lambda: identity(draw))
    maybe(0.7, "requires", lambda: many(draw, 4, requirement))
    maybe(0.4, "max_calls_per_arg", lambda: many(draw, 2, cap))
    maybe(0.35, "values", lambda: many(draw, 2, values))
    maybe(0.35, "required_args", lambda: many(draw, 2, required))
    maybe(0.35, "confirmation", lambda: confirmation(draw))
    maybe(0.3, "require_complete", lambda: draw.random() < 0.8)
    items = list(policy.items())
    draw.shuffle(items)
    return dict(items)


def some(draw, pool):
    return draw.sample(pool, draw.randint(0, len(pool)))


def many(draw, most, make):
    return [make(draw) for _ in range(draw.randint(1, most))]


def limit(draw):
    out = {"tool": draw.choice(TOOLS), "arg": draw.choice(PATHS)}
    low, high = sorted([draw.choice(BOUNDS), draw.choice(BOUNDS)])
    which = draw.random()
    if which < 0.75:
        out["max"] = high
    if which > 0.5:
        out["min"] = low
    return out


def identity(draw):
    out = {"arg": draw.choice(PATHS)}
    if draw.random() < 0.3:
        out["session_attr"] = draw.choice(["app.user", "enduser.id", "gen_ai.agent.name"])
    if draw.random() < 0.5:
        out["tools"] = some(draw, TOOLS)
    return out


def requirement(draw):
    out = {"tool": draw.choice(TOOLS)}
    out["after"] = draw.choice([draw.choice(TOOLS), draw.sample(TOOLS, draw.randint(1, 3))])
    if draw.random() < 0.5:
        out["same_arg"] = draw.choice(["k", "k", "n", "o.p"])
    if draw.random() < 0.3:
        out["result_contains"] = draw.choice(["ok", "s", "", "é", "it's"])
    if draw.random() < 0.4:
        out["success"] = draw.random() < 0.8
    if draw.random() < 0.35:
        out["result"] = many(draw, 2, predicate)
    if draw.random() < 0.35:
        out["latest"] = draw.random() < 0.85
    if draw.random() < 0.35:
        out["invalidated_by"] = draw.sample(TOOLS, draw.randint(1, 2))
    return out


def predicate(draw):
    out = {"path": draw.choice(RESULT_PATHS)}
    which = draw.choice(["equals", "in", "not_in", "exists"])
    if which == "equals":
        out[which] = draw.choice(WANTED)
    elif which == "exists":
        out[which] = draw.random() < 0.6
    else:
        out[which] = draw.sample(WANTED, draw.randint(0, 3))
    return out


def cap(draw):
    return {"tools": draw.sample(TOOLS, draw.randint(0, 3)), "arg": draw.choice(["k", "k", "n", "o.p"]), "max": draw.randint(1, 3)}


def values(draw):
    return {"tool": draw.choice(TOOLS), "arg": draw.choice(PATHS), "allowed": draw.sample(ALLOWED, draw.randint(1, 4))}


def required(draw):
    paths = [it for it in PATHS if it]
    return {"tool": draw.choice(TOOLS), "args": draw.sample(paths, draw.randint(1, 3))}


def confirmation(draw):
    out = {"tools": draw.sample(TOOLS, draw.randint(0, 3)), "by": draw.choice(TOOLS)}
    if draw.random() < 0.5:
        out["same_arg"] = draw.choice(["k", "n", "o.p"])
    return out


def spoil(draw, policy):
    """Puts a wrong value, key or shape into a policy."""
    key = draw.choice(list(policy))
    wrong = draw.choice([None, 5, "x", [], {}, [5], [None], True, 1.5, [{}], {"tool": "pay"}])
    inner = policy[key]
    item = draw.choice(inner) if isinstance(inner, list) and inner and isinstance(inner[0], dict) else inner
    if isinstance(item, dict) and draw.random() < 0.7:
        item[draw.choice(list(item) + ["extra"])] = wrong
    elif draw.random() < 0.2:
        policy["extra"] = wrong
    else:
        policy[key] = wrong


def recording(draw):
    """An OTLP document with one trace."""
    return Recording(draw).document()


class Recording:
    """A trace under construction."""

    def __init__(self, draw):
        self.draw = draw
        self.clock = 1000
        self.ids = 0
        self.calls = 0
        self.spans = []
        self.asked = []
        # A plain recording has one past at each call; the others have every oddity.
        self.plain = draw.random() < 0.6

    def document(self):
        draw = self.draw
        style = draw.choice(["spans", "spans", "spans", "messages", "messages", "both"])
        self.root()
        for _ in range(draw.randint(0, 11)):
            if style == "spans" or (style == "both" and draw.random() < 0.5):
                self.tool_span()
            else:
                self.chat_span()
        if not self.plain:
            self.oddities()
        return {"resourceSpans": [{"scopeSpans": [{"spans": self.spans}]}]}

    def odd(self, chance):
        return not self.plain and self.draw.random() < chance

    def span(self, name, attributes, start=None, length=None):
        draw = self.draw
        if start is None:
            self.clock += draw.choice([1, 1, 2, 3]) if not self.odd(0.15) else 0
            start = self.clock
        if length is None:
            length = draw.choice([1, 1, 1, 2, 6, 20])
        self.ids += 1
        span = {
            "traceId": "t1",
            "spanId": f"s{self.ids}",
            "parentSpanId": "root",
            "name": name,
            "startTimeUnixNano": str(start) if draw.random() < 0.8 else start,
            "endTimeUnixNano": str(start + length) if draw.random() < 0.8 else start + length,
            "attributes": attributes,
        }
        self.spans.append(span)
        return span

    def root(self):
        draw = self.draw
        attributes = [text("gen_ai.operation.name", "invoke_agent"), text("gen_ai.prompt", "q")]
        if draw.random() < 0.85:
            attributes.append(text("gen_ai.completion", draw.choice(["done", "done", " ", "é"])))
        if draw.random() < 0.75:
            value = draw.choice(["1", "1", "2", "ok", "", " 1 ", "None", "True", "7.0"])
            attributes.append(text("enduser.id", value))
        elif draw.random() < 0.5:
            attributes.append({"key": "enduser.id", "value": draw.choice([{"intValue": "1"}, {"intValue": 7}, {"doubleValue": 1.0}, {"boolValue": True}])})
        if draw.random() < 0.4:
            attributes.append(text("app.user", draw.choice(["1", "2", "it's"])))
        if draw.random() < 0.3:
            attributes.append(text("faultgate.termination", draw.choice(TERMINATIONS)))
        span = self.span("invoke_agent", attributes, start=1000, length=500)
        span["spanId"] = "root"
        del span["parentSpanId"]
        if draw.random() < 0.1:
            span["status"] = draw.choice([{"code": 2}, {"code": "STATUS_CODE_ERROR", "message": "x"}, {"code": 1}, {}])
        if draw.random() < 0.05:
            attributes.append(text("error.type", draw.choice(["Timeout", ""])))
        if draw.random() < 0.08:
            span.pop("endTimeUnixNano")

    def tool_span(self):
        draw = self.draw
        tool = draw.choice(TOOLS)
        attributes = [text("gen_ai.operation.name", "execute_tool"), text("gen_ai.tool.name", tool)]
        name = f"execute_tool {tool}"
        if draw.random() < 0.1:
            attributes.pop(0)
        if self.odd(0.1):
            attributes = [it for it in attributes if it["key"] != "gen_ai.tool.name"]
            name = draw.choice(["execute_tool", name, tool])
        if draw.random() < 0.95:
            attributes.append({"key": "gen_ai.tool.call.arguments", "value": self.content(self.arguments())})
        if draw.random() < 0.9:
            attributes.append({"key": "gen_ai.tool.call.result", "value": self.content(draw.choice(RESULTS))})
        if draw.random() < 0.12:
            value = draw.choice([{"boolValue": True}, {"stringValue": "true"}, {"stringValue": "True"}, {"stringValue": "TRUE"}, {"boolValue": False}, {"intValue": "1"}, {"intValue": "0"}, {"doubleValue": 1.0}])
            attributes.append({"key": "faultgate.confirmed", "value": value})
        if draw.random() < 0.08:
            attributes.append(text("error.type", draw.choice(["Timeout", "Timeout", ""])))
        if self.asked and draw.random() < 0.5:
            attributes.append(text("gen_ai.tool.call.id", draw.choice(self.asked)))
        span = self.span(name, attributes)
        if draw.random() < 0.1:
            span["status"] = draw.choice([{"code": 2}, {"code": "2"}, {"code": "STATUS_CODE_ERROR"}, {"code": "STATUS_CODE_OK"}, {"code": "x"}, None])

    def chat_span(self):
        draw = self.draw
        attributes = []
        if draw.random() < 0.6:
            attributes.append(text("gen_ai.operation.name", "chat"))
        answered = [it for it in self.asked if draw.random() < 0.7]
        if answered:
            self.asked = [it for it in self.asked if it not in answered]
            messages = [{"role": "tool", "parts": [self.response(it)]} for it in answered]
            attributes.append(text("gen_ai.input.messages", json.dumps(messages)))
        parts = [self.call() for _ in range(draw.choice([0, 1, 1, 1, 2, 3]))]
        if draw.random() < 0.3:
            parts.insert(0, {"type": "text", "content": draw.choice(["hm", "", "é"])})
        messages = [{"role": "assistant", "parts": parts}]
        if len(parts) > 1 and draw.random() < 0.3:
            messages = [{"role": "assistant", "parts": [it]} for it in parts]
        attributes.append(text("gen_ai.output.messages", json.dumps(messages)))
        self.span("chat", attributes)

    def call(self):
        draw = self.draw
        self.calls += 1
        part = {"type": "tool_call", "id": f"c{self.calls}", "name": draw.choice(TOOLS)}
        raw = self.fill(self.arguments())
        part["arguments"] = draw.choice([raw, loose(raw)])
        if draw.random() < 0.05:
            part["arguments"] = draw.choice([None, 7, True, "", {"type": "text", "text": "x", "k": 1}, [{"text": "a"}, {"text": 5}], [1]])
        if self.odd(0.12):
            part["id"] = draw.choice(["c1", 5, None, ""])
        if self.odd(0.06):
            part.pop(draw.choice(["id", "name", "arguments"]))
        self.asked.append(str(part.get("id", "")))
        return part

    def response(self, call):
        draw = self.draw
        raw = self.fill(draw.choice(RESULTS))
        part = {"type": "tool_call_response", "id": call, "result": draw.choice([raw, loose(raw)])}
        if draw.random() < 0.08:
            part[draw.choice(["is_error", "error", "status"])] = draw.choice([True, "ERROR", "failed", False, "", 1])
        if self.odd(0.06):
            part["response"] = part.pop("result")
        return part

    def arguments(self):
        """The shape of an arguments text; mostly one that holds the keys which policies name."""
        return self.draw.choice(ARGUMENTS[:2] if self.draw.random() < 0.5 else ARGUMENTS)

    def content(self, shape):
        """The value of a content attribute: nearly always text."""
        draw = self.draw
        if self.odd(0.06):
            return draw.choice([
                {"intValue": "5"}, {"doubleValue": 1.5}, {"boolValue": True}, {"bytesValue": "AQI="},
                {"arrayValue": {"values": [{"stringValue": "a'b"}, {"intValue": 1}, {"boolValue": False}]}},
                {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": "1"}}]}},
            ])
        return {"stringValue": self.fill(shape)}

    def fill(self, shape):
        """A text with its values drawn, and now and then encoded as JSON once or twice more."""
        while "V" in shape:
            at = shape.index("V")
            value = self.draw.choice(NEAR if self.draw.random() < 0.6 else VALUES)
            shape = shape[:at] + value + shape[at + 1 :]
        if self.draw.random() < 0.06:
            shape = json.dumps(shape)
            if self.draw.random() < 0.2:
                shape = json.dumps(shape)
        return shape

    def oddities(self):
        """What exporters get wrong: the root, span ids, order, times."""
        draw = self.draw
        root = self.spans[0]
        if draw.random() < 0.12:
            root["parentSpanId"] = draw.choice(["", None, "gone"])
        if draw.random() < 0.08:
            self.spans.remove(root)
        if draw.random() < 0.15:
            sub = self.span("invoke_agent sub", [text("gen_ai.operation.name", "invoke_agent"), text("enduser.id", "2")])
            sub["startTimeUnixNano"] = draw.choice(["1", "1000", "1004"])
        for span in self.spans:
            if draw.random() < 0.04:
                span["spanId"] = draw.choice(self.spans)["spanId"]
            if draw.random() < 0.03:
                span["parentSpanId"] = draw.choice([None, "", "s1"])
            if draw.random() < 0.03:
                span.pop(draw.choice(["endTimeUnixNano", "startTimeUnixNano", "attributes", "name"]), None)
            if draw.random() < 0.03 and span.get("attributes"):
                span["attributes"].append(draw.choice(span["attributes"]))
        if draw.random() < 0.2:
            draw.shuffle(self.spans)
        if not self.spans:
            self.span("chat", [])


def text(key, value):
    return {"key": key, "value": {"stringValue": value}}


def loose(raw):
    """The value that a text encodes, where it encodes one that survives being written again."""
    try:
        value = json.loads(raw)
        json.dumps(value, allow_nan=False)
        return value
    except (ValueError, RecursionError):
        return raw
