import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { agentCondenser, agentSource } from '../../server/api/agent-server/agent.ts'
import { agentContext, clientSkill } from '../../server/api/agent-server/agent-context.ts'
import { gatewayLlm } from '../../server/api/agent-server/llm.ts'
import { startConversationRequest } from '../../server/api/agent-server/start-request.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/agent-server-fields.md')

const INTRODUCTION = `# Fields of agent servers

What each field of a request that starts a conversation on the gateway's port does. A field is carried out, or a request that
gives it a value which cannot be is refused: 422 with the field's path in \`loc\`, unless another status stands here. Nothing is
taken and ignored: a field that is not in this table is refused too. null is as good as absent everywhere.

The fields of \`agent.llm\` are also those of \`PATCH /api/settings\` (\`agent_settings_diff.llm\`), of saved models
(\`/api/profiles\`) and of \`switch_llm\`. Settings and saved models take no \`extra_headers\`: headers may carry keys, which are
kept in memory for one conversation alone. The settings' options hold for conversations that name no model of their own.

The table is made from the schemas of the requests.

| Field | What it does |
|---|---|
`

const PLACES: readonly (readonly [path: string, shape: Record<string, z.ZodType>])[] = [
  ['', startConversationRequest.shape],
  ['agent.', agentSource.shape],
  ['agent.llm.', gatewayLlm.shape],
  ['agent.agent_context.', agentContext.shape],
  ['agent.agent_context.skills[].', clientSkill.shape],
  ['agent.condenser.', agentCondenser.shape],
]

test('the table of the fields of agent servers says what their schemas say', async () => {
  const rows = PLACES.flatMap(([path, shape]) =>
    Object.entries(shape).map(([name, field]) => `| \`${path}${name}\` | ${cell(field.description ?? '')} |`),
  )
  await expect(`${INTRODUCTION}${rows.join('\n')}\n`).toMatchFileSnapshot(DOCUMENT)
})

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
