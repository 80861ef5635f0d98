import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { createSecretV1 } from '../../../server/api/v1/settings/secrets.ts'
import { createClient } from '../../../server/docker/client.ts'
import { codesOf, formsOf } from '../../../server/secret/mask/encoded-forms.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'
import { filesIn } from '../../parts/secret/kept-secrets.ts'

const it = base.extend('serviceOptions', { scope: 'file' }, async ({ model }) => {
  const [llm_api_key = ''] = CANARIES
  return {
    settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key },
  }
})

const CANARIES = ['canary-model-key-7d1f', 'canary-user-secret-90ac', 'canary-conversation-51be']

it('canary secrets that a command prints are in no file of the data folder and nowhere in docker inspect', async ({
  service,
  model,
}) => {
  const [, user = '', own = ''] = CANARIES
  await service.client.call(createSecretV1, { body: { name: 'CANARY_USER', value: user } })
  const command =
    'echo $CANARY_USER $CANARY_OWN; echo $CANARY_OWN | base64; echo $CANARY_USER | od -An -tx1 | tr -d " \\n"'
  model.setScript([{ toolCalls: [{ name: 'terminal', arguments: { command } }] }, { text: `It printed ${own}.` }])
  const { app_conversation_id: id, sandbox_id } = await startConversation(service, {
    initial_message: said('Print them'),
    secrets: { CANARY_OWN: own },
  })
  const seen = await watch(service, id ?? '')
  await seen.untilStatus('finished')
  expect(JSON.stringify(seen.frames)).toContain('secret-hidden')
  await seen.close()
  const texts = filesIn(service.dataDir).map(file => [file, readFileSync(file).toString('latin1')] as const)
  expect(texts.length).toBeGreaterThan(1)
  const places = [...texts, ['docker inspect', await inspected(sandbox_id ?? '')] as const]
  for (const [place, text] of places) {
    for (const canary of [...CANARIES, service.key]) {
      for (const form of [...formsOf(canary), ...codesOf(canary)]) {
        if (form.length >= 12) expect(text.includes(form), `${place} has a form of ${canary}`).toBe(false)
      }
    }
  }
})

/** What the engine tells whoever may ask it. */
async function inspected(sandboxId: string): Promise<string> {
  const { docker, close } = createClient({ host: process.env.DOCKER_HOST ?? '', certificates: undefined })
  const containers = await docker.listContainers({ all: true })
  const found = containers.filter(container => JSON.stringify(container).includes(sandboxId))
  expect(found).toHaveLength(1)
  const texts = await Promise.all(found.map(({ Id }) => docker.getContainer(Id).inspect()))
  close()
  return JSON.stringify(texts)
}
