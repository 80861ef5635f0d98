import { expect } from 'vitest'
import { storeSettingsV1 } from '../../server/api/v1/settings/settings.ts'
import { getSystem } from '../../server/api/v1/system/system.ts'
import { startsAtOnce } from '../../server/sandbox/starts.ts'
import { EngineProxy } from '../docker/proxy.ts'
import { it as base } from '../fixtures/window.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { look } from '../parts/window/look.ts'

const test = base
  .extend('engine', { scope: 'file' }, ({}, { onCleanup }) => {
    const engine = new EngineProxy(process.env.DOCKER_HOST ?? '')
    onCleanup(() => engine.down())
    return engine
  })
  .extend('settings', { scope: 'file' }, null)
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, engine }) => ({
    env: { ...keyring.env, DOCKER_HOST: engine.host },
  }))

test('without an engine the app opens and says what to do', async ({ desktop }) => {
  const { page } = desktop
  const row = page.getByRole('region', { name: 'Engine' })
  await row.getByText('not available').waitFor({ state: 'attached' })
  await row.getByRole('button', { name: 'Check again' }).waitFor()
  await row.getByRole('listitem').first().waitFor()
  await look(desktop, 'engine-away-first-run')
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await page.getByText('Sandboxes cannot start until an engine answers. Atelier keeps looking.').waitFor()
  await look(desktop, 'engine-away-launcher')
  await page.getByRole('link', { name: 'What to do' }).click()
  await page.getByRole('heading', { name: 'About and system' }).waitFor()
  await look(desktop, 'engine-away-about')
})

test('it notices by itself that an engine came', async ({ engine, desktop }) => {
  await engine.up()
  await desktop.page.getByText('Atelier keeps looking.').first().waitFor({ state: 'hidden' })
  await desktop.page.getByRole('link', { name: /^Docker .* running/ }).waitFor()
})

test('and that it went, and came back', async ({ desktop, engine }) => {
  const { page } = desktop
  await engine.down()
  await page.getByText('Sandboxes cannot start until an engine answers. Atelier keeps looking.').waitFor()
  await engine.up()
  await page.getByRole('link', { name: /^Docker .* running/ }).waitFor()
})

test('an agent at work waits for it and goes on, and the window says so', async ({ desktop, model, engine }) => {
  const { page, service } = desktop
  const body = { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-e2e' }
  await service.client.call(storeSettingsV1, { body })
  const run = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })
  model.setScript([run("echo be''gun; sleep 300"), run('echo again'), { text: 'All is done.' }])
  await startConversation(service, { title: 'Tidy up the shop', initial_message: said('Tidy up.') })
  await page.getByRole('link', { name: /working Tidy up the shop/ }).click()
  await page.getByText('begun').first().waitFor()
  await engine.down()
  await page.getByText('The agent waits for it and goes on by itself').waitFor()
  await page.getByText('Waiting for the Docker engine').waitFor()
  await page.getByText(/^cut off/).waitFor()
  await page.getByRole('button', { name: 'Sandbox: running, engine away' }).waitFor()
  await look(desktop, 'engine-away-conversation')
  await page.getByRole('link', { name: 'Sandboxes' }).click()
  await page.getByText('engine away', { exact: true }).waitFor()
  await look(desktop, 'engine-away-sandboxes')
  await engine.up()
  await page
    .getByRole('link', { name: /Tidy up the shop/ })
    .first()
    .click()
  await page.getByText('All is done.').waitFor()
  await page.getByText('The engine is back. The agent goes on.').waitFor()
  await look(desktop, 'engine-back-conversation')
})

test('a start that waits for others says for how many', async ({ desktop, model, engine, onTestFinished }) => {
  const { page, service } = desktop
  model.setScript(() => ({ text: 'Hello.' }))
  const { engine: status } = await service.client.call(getSystem)
  const count = startsAtOnce(status.state === 'ready' ? status.cpus : 0)
  const creations = () => engine.asked.filter(path => path === '/containers/create').length
  const before = creations()
  const release = engine.hold('/containers/create')
  onTestFinished(release)
  const others = Array.from({ length: count }, () => startConversation(service, { initial_message: said('Hello') }))
  await expect.poll(() => creations() - before).toBe(count)
  await page.getByRole('link', { name: 'New conversation' }).first().click()
  await page.getByRole('textbox', { name: 'What should the agent do' }).fill('Tidy up once more.')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText(/Waiting for \d other start/).waitFor()
  await look(desktop, 'start-waiting')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Cancelled.').waitFor()
  release()
  await Promise.all(others)
})
