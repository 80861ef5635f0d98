import type { ScriptedCall, Turn } from '../fakes/model-server/turn.ts'
import { type ModelRequest, type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { between, pick } from '../parts/value/random.ts'
import { HOSTILE_COMMANDS } from './hostile-output.ts'
import type { Fault } from './plan.ts'

/** Every command appends a line of its own to it: a line that stands there twice was carried out twice. */
export const LINES = 'lines.txt'
/** What a line looks like, in the file and in the command that writes it. */
export const LINE = /line-\d+/g

/** What a user asks for: so many steps, the answer of which ends in the token. */
export function taskText(token: string, steps: number): string {
  return `Do ${steps} steps, and say ${token} at the end. [${token} ${steps}]`
}

/** More than are asked at once. */
const USED = 50

const TASK = /\[([a-z]+\d+)-(\d+) (\d+)\]/g

export interface ChaosModel {
  url: string
  /** The next answer to this user goes wrong in this way. */
  misbehave(user: string, fault: Fault): void
  close(): Promise<void>
}

/** A model that does the steps of the last task that it was given, and never asks for the same line twice. */
export async function startChaosModel(random: () => number): Promise<ChaosModel> {
  let made = 0
  const waiting = new Map<string, Turn[]>()
  const server: ModelServer = await startModelServer()
  const line = (command: string, timeout?: number): ScriptedCall => ({
    name: 'terminal',
    arguments: { command: `echo line-${++made} >> ${LINES}; ${command}`, ...(timeout && { timeout }) },
  })
  server.setScript(request => {
    // Histories are long, and only the newest is of use.
    const answered = server.requests.at(-USED)
    if (answered) answered.body = null
    if (!request.body.tools) return { text: 'A summary of what was done.' }
    const { user, token, steps, done } = taskOf(request)
    const turn = waiting.get(user)?.shift()
    if (turn) return turn
    if (done >= steps) return { toolCalls: [{ name: 'finish', arguments: { message: `Done: ${token}.` } }] }
    return { text: 'The next step has to be done.', toolCalls: calls(line, random) }
  })
  return {
    url: server.url.openai,
    misbehave: (user, fault) => {
      const turns = waiting.get(user) ?? []
      waiting.set(user, [...turns, misbehaviour(fault, line)])
    },
    close: () => server.close(),
  }
}

type Line = (command: string, timeout?: number) => ScriptedCall

function calls(line: Line, random: () => number): ScriptedCall[] {
  const short = () => line(`sleep 0.0${between(random, 0, 9)}; echo done`)
  const file = `/tmp/edited-${between(random, 1, 9)}.txt`
  const edit = (fields: object): ScriptedCall => ({ name: 'file_editor', arguments: { path: file, ...fields } })
  return pick(random, [
    () => [short()],
    () => [short(), short()],
    () => [line('for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done')],
    () => [edit({ command: 'create', file_text: 'one\ntwo\n' }), short()],
    () => [short(), edit({ command: 'str_replace', old_str: 'one', new_str: 'three' })],
    () => [{ name: 'grep', arguments: { pattern: 'line', path: '.' } }, short()],
  ])()
}

/** The task that the last message of the user names, and how many of its steps have a result. */
function taskOf({ body }: ModelRequest): { user: string; token: string; steps: number; done: number } {
  const messages: { role: string; content: unknown }[] = body.messages
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    const [found] = message?.role === 'user' ? [...JSON.stringify(message.content).matchAll(TASK)].slice(-1) : []
    if (!found) continue
    const done = messages.slice(index).filter(({ role }) => role === 'tool').length
    return { user: found[1] ?? '', token: `${found[1]}-${found[2]}`, steps: Number(found[3]), done }
  }
  return { user: '', token: 'nothing', steps: 0, done: 0 }
}

const LONG_TEXT = 'A long answer that comes in very many small pieces. '.repeat(3)
const HUGE = 3_000_000

function misbehaviour({ kind, form }: Fault, line: Line): Turn {
  const one = <T>(forms: readonly T[]): T => pick(() => form, forms)
  switch (kind) {
    case 'hostile output':
      return { toolCalls: [line(one(HOSTILE_COMMANDS), 10)] }
    case 'model stream broken':
      return {
        text: LONG_TEXT,
        toolCalls: [line('echo broken')],
        fault: one(['disconnected', 'malformed', 'half-closed', 'error-frame', 'refused', 'empty'] as const),
      }
    case 'model refuses':
      return one<Turn>([
        { fault: 'rate-limit', retryAfter: 1 },
        { fault: 'server-error', retryAfter: 1 },
        { fault: 'overloaded', retryAfter: 1 },
        { fault: 'html', retryAfter: 1 },
        { fault: 'bad-request' },
        { fault: 'authentication' },
        { fault: 'content-policy' },
        { toolCalls: [{ name: 'terminal', arguments: '{"command": "echo' }] },
        { toolCalls: [{ name: 'no_such_tool', arguments: {} }] },
        { toolCalls: [{ name: 'terminal', arguments: { command: 17 } as never }] },
      ])
    case 'model silent':
      return { text: LONG_TEXT, fault: one(['hang', 'hang-in-stream'] as const) }
    case 'model slow':
      return { text: LONG_TEXT, toolCalls: [line('echo slow')], chunkDelayMs: 100 }
    case 'huge arguments':
      return one<Turn>([
        { toolCalls: [line(`: ${'x'.repeat(HUGE)}`)] },
        { toolCalls: [{ name: 'terminal', arguments: 'x'.repeat(HUGE) }] },
        { toolCalls: [{ name: 'terminal', arguments: `${'['.repeat(20_000)}${']'.repeat(20_000)}` }] },
        { toolCalls: Array.from({ length: 60 }, () => line('true')) },
      ])
    default:
      throw new Error(`The model has no part in "${kind}".`)
  }
}
