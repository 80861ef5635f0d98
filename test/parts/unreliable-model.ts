import type { Turn } from '../fakes/model-server/turn.ts'
import { type ModelRequest, type ModelServer, startModelServer } from '../fakes/model-server.ts'

/** What the model does about the next requests; where it would be asked again, it says to wait for too long. */
export const MODEL_FAULTS = {
  'refuses the key': { fault: 'authentication' },
  'knows no such model': { fault: 'unknown-model' },
  'has no credit left': { fault: 'no-credit' },
  'is asked too often': { fault: 'rate-limit', retryAfter: 10_000 },
  'reads no more': { fault: 'context-overflow' },
  'withholds its answer': { fault: 'content-policy' },
  'refuses the history': {
    refusal: { status: 400, message: "An assistant message with 'tool_calls' must be followed by tool messages" },
  },
  'refuses the request': { fault: 'bad-request' },
  'is broken': { fault: 'overloaded', retryAfter: 10_000 },
  'answers in another form': { text: 'No tags here.' },
  'answers in the form asked for': { text: '<update_prompt>Run the tests with make.</update_prompt>' },
} as const satisfies Record<string, Turn>

export interface UnreliableModel {
  model: ModelServer
  mood(mood: keyof typeof MODEL_FAULTS | null): void
}

/** A model that does what it is told last, unless it is in a mood. */
export async function startUnreliableModel(): Promise<UnreliableModel> {
  const model = await startModelServer()
  let now: Turn | null = null
  model.setScript(request => now ?? turnFor(request))
  return {
    model,
    mood: mood => {
      now = mood && MODEL_FAULTS[mood]
    },
  }
}

/** To hang, to call a tool, to answer, otherwise to finish. */
function turnFor(request: ModelRequest): Turn {
  const last = JSON.stringify(request.body.messages.at(-1))
  if (last.includes('Hang')) return { fault: 'hang' }
  if (last.includes('Overload')) return { fault: 'overloaded', retryAfter: 100 }
  if (last.includes('side question')) return { text: 'An answer.' }
  if (last.includes('<patch>')) return { text: 'Say it twice\n\nOnce is not enough.' }
  if (last.includes('Ask')) return { toolCalls: [{ name: 'ask_client', arguments: {} }] }
  if (last.includes('Call')) return { toolCalls: [{ name: 'terminal', arguments: { command: 'true' } }] }
  return { toolCalls: [{ name: 'finish', arguments: { message: 'Done.' } }] }
}
