// Written by `lawbook hook install opencode`; `lawbook hook uninstall opencode` takes it away.
// It asks lawbook about each call before opencode runs it, and stops the call unless lawbook lets
// it run. It fails closed: no answer is a no.
import { spawnSync } from "node:child_process"

const COMMAND = @COMMAND@
const TIMEOUT_MS = 10000

function tell(event) {
  const [program, ...words] = COMMAND
  const input = JSON.stringify(event)
  const done = spawnSync(program, words, { input, encoding: "utf8", timeout: TIMEOUT_MS })
  if (done.error || done.status !== 0) {
    const reason = (done.stderr || "").trim() || String(done.error || `exit code ${done.status}`)
    return { decision: "deny", reason: `lawbook could not answer: ${reason}` }
  }
  const text = (done.stdout || "").trim()
  if (text === "") return { decision: "none" }
  try {
    return JSON.parse(text)
  } catch {
    return { decision: "deny", reason: "lawbook's answer can't be read" }
  }
}

export const Lawbook = async ({ directory, worktree }) => {
  // Calls of a subagent count for the session that started it.
  const parents = new Map()
  const root = (id) => {
    let at = id
    for (let depth = 0; depth < 64 && parents.has(at); depth += 1) at = parents.get(at)
    return at
  }
  const about = (hook, id) => ({ hook, session: root(id), directory, worktree })
  return {
    event: async ({ event }) => {
      if (event.type === "session.created") {
        const { id, parentID } = event.properties.info
        if (parentID) parents.set(id, parentID)
        else tell(about("session.created", id))
      }
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      // What a subagent is told is not the user's word.
      if (parents.has(sessionID)) return
      const said = (parts || []).filter((it) => it.type === "text" && !it.synthetic)
      tell({ ...about("chat.message", sessionID), text: said.map((it) => it.text).join("\n") })
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      const asked = { ...about("tool.execute.before", sessionID), call: callID, tool, args }
      const answer = tell(asked)
      if (answer.decision === "deny") throw new Error(answer.reason)
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, result) => {
      const output = result && typeof result.output === "string" ? result.output : null
      tell({ ...about("tool.execute.after", sessionID), call: callID, tool, args, output })
    },
  }
}
