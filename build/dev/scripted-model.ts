import type { Turn } from '../../test/fakes/model-server/turn.ts'
import { type ModelRequest, startModelServer } from '../../test/fakes/model-server.ts'

const HELP =
  'I am the scripted model of `npm run dev`: no key, no network. Write a command in backticks, as in `git log`, and I run it; for anything else I list the files.'

/**
 * A model for developers: the first answer to a message runs one command in the sandbox, the second says how to go on.
 * @returns the base URL of its Chat Completions API
 */
export async function startScriptedModel(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = await startModelServer({ script: answer, models: ['scripted'] })
  return { url: server.url.openai, close: server.close }
}

function answer({ body }: ModelRequest): Turn {
  const messages: { role: string; content: unknown }[] = body.messages ?? []
  const last = messages.at(-1)
  if (last?.role !== 'user') return { text: `The command has ended; its output is above. ${HELP}` }
  const command = /`([^`]+)`/.exec(textOf(last.content))?.[1] ?? 'ls -la'
  return { text: `I run \`${command}\`.`, toolCalls: [{ name: 'terminal', arguments: { command } }] }
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}
