import type { ScriptedCall, Turn } from '../fakes/model-server/turn.ts'
import type { ModelRequest } from '../fakes/model-server.ts'

/** Each step appends one line of its own to it: a line that stands there twice was carried out twice. */
export const LINES = 'lines.txt'

/** What a line looks like, in the file and in the command that writes it. */
export const LINE = /line-\d+/g

const STEPS = 12

/**
 * A model that wants a number of steps done and looks at what became of them, as models do. It never asks for the same
 * step twice; what failed is made up for by another one.
 */
export function workThrough(): (request: ModelRequest) => Turn {
  let made = 0
  const append = (): ScriptedCall => {
    const line = `line-${++made}`
    const command = `echo "begin $((${made}))"; sleep 0.0${made % 8}; echo ${line} >> ${LINES}; echo "end $((${made}))"`
    return { name: 'terminal', arguments: { command } }
  }
  return request => {
    if (!request.body.tools) return { text: 'Write lines' }
    if (stepsDone(request) >= STEPS) return { toolCalls: [{ name: 'finish', arguments: { message: 'All written.' } }] }
    const text = 'The next line has to be written, and then I look at what is there.'
    const reads: ScriptedCall[] = [
      { name: 'grep', arguments: { pattern: 'line', path: '.' } },
      { name: 'glob', arguments: { pattern: '*.txt' } },
    ]
    const together = [[append()], [append(), append()], [append(), ...reads], [...reads, append()]]
    return { text, toolCalls: together[made % together.length] ?? [] }
  }
}

function stepsDone({ body }: ModelRequest): number {
  const results: { role: string; content: unknown }[] = body.messages
  return results.filter(({ role, content }) => role === 'tool' && /end \d/.test(JSON.stringify(content))).length
}
