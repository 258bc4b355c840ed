// Reads JSON lines as a Node program would that checks messages: parses each line, walks its
// messages and its log of steps, pairs results with calls, and counts the calls that were answered.
//
// node check_messages.mjs FILE

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const KINDS = new Set(['retrieval', 'llm', 'tool', 'handoff', 'guardrail', 'note']);
const ROLES = {
  assistant: 'assistant', agent: 'assistant', bot: 'assistant', ai: 'assistant', model: 'assistant',
  user: 'user', caller: 'user', customer: 'user', human: 'user',
  system: 'system', developer: 'system',
  tool: 'tool', function: 'tool', ipython: 'tool',
};
const ITEMS = new Set(['function_call', 'function_call_output', 'reasoning']);
const isObject = (it) => typeof it === 'object' && it !== null && !Array.isArray(it);
const json = (it) => (it == null ? '' : typeof it === 'string' ? it : JSON.stringify(it));

const parsed = (text) => {
  if (typeof text !== 'string') return text;
  const trimmed = text.trim();
  if (trimmed[0] !== '{' && trimmed[0] !== '[') return text;
  try {
    return JSON.parse(trimmed);
  } catch {
    return text;
  }
};

const textOf = (content) => {
  if (content == null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return typeof content.text === 'string' ? content.text : json(content);
  const part = (it) => {
    if (typeof it === 'string') return it;
    if (typeof it?.text === 'string') return it.text;
    return it?.type === 'image' ? '[image]' : json(it);
  };
  return content.map(part).join('\n');
};

// A step has the same fields whatever its kind.
const step = (id, kind, fields) => ({
  id, kind, role: null, name: null, text: '', data: null, status: null, time: null, endTime: null,
  callId: null, stage: null, customerVisible: false, isOutput: false, ...fields,
});

const call = (id, name, args, callId) => step(id, 'tool_call', {
  role: 'assistant', name: name ?? null, callId: callId ?? null, data: parsed(args) ?? null,
  text: typeof args === 'string' ? args : json(args ?? {}),
});

const result = (id, callId, name, content, failed) => {
  const text = textOf(content);
  const data = typeof content === 'string' ? parsed(content) : content;
  return step(id, 'tool_result', {
    role: 'tool', name: name ?? null, callId: callId ?? null, text,
    data: data === text ? null : data ?? null, status: failed ? 'error' : null,
  });
};

const roleOf = (word) => {
  const role = typeof word === 'string' ? word.trim().toLowerCase() : '';
  return ROLES[role] ?? (role === '' ? 'user' : role);
};

/** The steps of a list of messages. */
export function walk(messages) {
  const steps = [];
  const names = new Map();
  messages.forEach((message, at) => {
    const id = `m${at}`;
    if (typeof message === 'string') {
      steps.push(step(id, 'user', { role: 'user', text: message, customerVisible: true }));
    } else if (isObject(message)) {
      messageSteps(message, id, names, steps);
    }
  });
  return steps;
}

function messageSteps(it, id, names, steps) {
  if (it.type === 'function_call') {
    const callId = it.call_id ?? it.id;
    names.set(callId, it.name);
    steps.push(call(`${id}.c0`, it.name, it.arguments, callId));
    return;
  }
  if (it.type === 'function_call_output') {
    steps.push(result(id, it.call_id, it.name ?? names.get(it.call_id), it.output));
    return;
  }
  if (it.type === 'reasoning') {
    steps.push(step(id, 'note', { role: 'assistant' }));
    return;
  }
  const role = roleOf(it.role ?? it.speaker ?? it.author);
  const content = [it.content, it.text, it.message, it.transcript].find((one) => one != null);
  if (role === 'tool') {
    const callId = it.tool_call_id ?? it.call_id ?? null;
    steps.push(result(id, callId, it.name ?? names.get(callId), content));
    return;
  }
  const kind = role === 'user' || role === 'system' ? role : 'assistant';
  const found = [];
  const texts = [];
  let place = -1;
  let calls = 0;
  let results = 0;
  const text = (one) => {
    if (place < 0) place = found.push(null) - 1;
    texts.push(one);
  };
  for (const block of Array.isArray(content) ? content : []) {
    if (typeof block === 'string') text(block);
    else if (!isObject(block)) continue;
    else if (block.type === 'tool_use') {
      names.set(block.id, block.name);
      found.push(call(`${id}.c${calls++}`, block.name, block.input, block.id));
    } else if (block.type === 'tool_result') {
      const name = names.get(block.tool_use_id);
      found.push(result(`${id}.r${results++}`, block.tool_use_id, name, block.content, block.is_error));
    } else if (block.type === 'thinking' || block.type === 'redacted_thinking') {
      found.push(step(`${id}.t`, 'note', { role: 'assistant' }));
    } else if (['image', 'image_url', 'input_image'].includes(block.type)) text('[image]');
    else if (typeof block.text === 'string') text(block.text);
  }
  if (content != null && !Array.isArray(content)) text(textOf(content));
  for (const one of Array.isArray(it.tool_calls) ? it.tool_calls : []) {
    const name = one?.function?.name ?? one?.name ?? null;
    names.set(one?.id, name);
    const args = one?.function?.arguments ?? one?.arguments ?? one?.input;
    found.push(call(`${id}.c${calls++}`, name, args, one?.id));
  }
  if (isObject(it.function_call)) {
    const { name, arguments: args } = it.function_call;
    found.push(call(`${id}.c${calls++}`, name, args, null));
  }
  if (place >= 0) {
    const whole = texts.join('\n\n');
    const said = { role, text: whole, customerVisible: kind !== 'system' };
    found[place] = whole.trim() ? step(id, kind, said) : null;
  }
  for (const one of found) if (one) steps.push(one);
}

/** The lists of messages of a trace, as one, and whether they are Responses items. */
export function messagesOf(trace) {
  const lists = [trace.items, trace.messages, trace.input, trace.output].filter(Array.isArray);
  const isItem = (it) => isObject(it) && (ITEMS.has(it.type) || (it.type === 'message' && it.role));
  if (lists.some((list) => list.some(isItem))) return [lists.flat(), true];
  return [Array.isArray(trace.messages) ? trace.messages : [], false];
}

/** The calls of a trace, each with the step of its result. */
export function callsOf(trace) {
  const steps = walk(messagesOf(trace)[0]);
  const used = new Set();
  const calls = [];
  steps.forEach((asked, at) => {
    if (asked.kind !== 'tool_call') return;
    const free = (it, place) => place > at && it.kind === 'tool_result' && !used.has(place);
    let found = -1;
    if (asked.callId != null) {
      found = steps.findIndex((it, place) => it.callId === asked.callId && free(it, place));
    }
    if (found < 0) {
      found = steps.findIndex((it, place) => free(it, place)
        && (it.callId == null || asked.callId == null)
        && (it.name == null || it.name === asked.name));
    }
    if (found >= 0) used.add(found);
    calls.push({ step: asked, result: steps[found] ?? null });
  });
  (Array.isArray(trace.steps) ? trace.steps : []).forEach((it, at) => {
    if (!isObject(it)) return;
    const kind = KINDS.has(it.type) ? it.type : 'tool';
    if (kind !== 'tool' && kind !== 'handoff') return;
    const args = it.input ?? it.arguments ?? it.args ?? null;
    const asked = call(`s${at}`, it.name ?? it.type, args, it.id);
    const out = it.output ?? it.result;
    const status = it.status ?? (it.error ? 'error' : null);
    const has = out != null || (status != null && status !== '');
    calls.push({ step: asked, result: has ? { id: asked.id, text: json(out), data: parsed(out), status } : null });
  });
  return calls;
}

function main(file) {
  let [sessions, calls, answered] = [0, 0, 0];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.trim() === '') continue;
    const found = callsOf(JSON.parse(line));
    sessions += 1;
    calls += found.length;
    answered += found.filter((it) => it.result !== null).length;
  }
  console.log(`${sessions} sessions, ${calls} calls, ${answered} answered`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv[2]);
