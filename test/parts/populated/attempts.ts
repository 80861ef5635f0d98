import { beginAttempts, listAttempts } from '../../../server/api/v1/conversation/attempts.ts'
import { compareConversations } from '../../../server/api/v1/conversation/comparisons.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { until } from '../../../server/client/until.ts'
import { startConversation } from '../client/conversation.ts'
import { startGatewaySandbox } from '../client/gateway.ts'
import { once } from './folders.ts'
import type { Around } from './things.ts'

/** Conversations from which attempts were begun. */
export function attemptThings(around: () => Around): Record<string, () => Promise<string>> {
  const kept = once(() => begin(around()))
  const deleted = once(() => begin(around()))
  const compared = once(() => differing(around()))
  return {
    tried: async () => (await kept()).conversation,
    attempts: async () => (await kept()).attempts,
    attempt: async () => (await kept()).attempt,
    triedInVain: async () => (await deleted()).conversation,
    attemptsInVain: async () => (await deleted()).attempts,
    comparable: async () => (await compared()).conversation,
    counterpart: async () => (await compared()).other,
    unkeepable: async () => (await start(around(), 'mv /workspace/project /workspace/away')).conversation,
    comparedVersion: async () => (await compared()).version,
    comparedFile: async () => (await compared()).files['a.txt'] ?? '',
    comparedLarge: async () => (await compared()).files['large.txt'] ?? '',
  }
}

async function begin({ service, sandboxId }: Around) {
  const task = await startConversation(service, { sandbox_id: sandboxId })
  const params = { conversation_id: task.app_conversation_id ?? '' }
  const body = { task: 'Finish', models: [null], check: 'true' }
  const { id, attempts } = await service.client.call(beginAttempts, { params, body })
  await until(
    { ...service, connect: openWebSocket },
    {
      concerns: ({ resource }) => resource === 'conversation',
      read: async () => {
        const { items } = await service.client.call(listAttempts, { params })
        return items[0]?.attempts.every(({ state }) => state === 'done') || undefined
      },
    },
  )
  return { conversation: params.conversation_id, attempts: id, attempt: attempts[0]?.conversation_id ?? '' }
}

/** Two conversations that differ in one file, which is large in the one and small in the other. */
async function differing(around: Around) {
  const one = await start(around, 'echo one >a.txt; echo small >large.txt')
  const other = await start(around, 'echo two >a.txt; seq 1000000 >large.txt')
  const params = { conversation_id: one.conversation, other_conversation_id: other.conversation }
  const { version, files } = await around.service.client.call(compareConversations, { params })
  const versions = Object.fromEntries(files.map(file => [file.path, file.version]))
  return { ...one, other: other.conversation, version, files: versions }
}

async function start({ service }: Around, command: string) {
  const { id, caller } = await startGatewaySandbox(service)
  const task = await startConversation(service, { sandbox_id: id })
  await caller.call('POST', '/api/bash/execute_bash_command', { command: `cd /workspace/project; ${command}` })
  return { conversation: task.app_conversation_id ?? '' }
}
