import { expect } from 'vitest'
import { deleteSandbox, pauseSandbox, startSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { createClient } from '../../../server/docker/client.ts'
import { it as test } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'

const COUNTS =
  'echo "Serving on 8000"; echo "GET /index 200"; i=0; while :; do test -e /tmp/go && i=$((i+1)) && echo "tick $i"; sleep 0.5; done'

test('a person reads what the command of a sandbox prints: live, filtered, held still, saved', async ({ desktop }) => {
  const { page, service } = desktop
  const { client } = service
  const [builtIn] = (await client.call(searchSandboxSpecs, { query: {} })).items
  const body = { title: 'Server', image: builtIn?.image ?? '', command: ['/bin/sh', '-c', COUNTS] }
  const spec = await client.call(createSandboxSpec, { body })
  const { id } = await client.call(startSandbox, { body: { sandbox_spec_id: spec.id } })
  await page.getByRole('link', { name: 'Sandboxes' }).click()
  const row = page.getByRole('row').nth(1)
  await row.getByText('running', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Show the log' }).click()
  const log = page.getByRole('log', { name: 'Log' })
  await log.getByText('Serving on 8000').waitFor()
  await look(desktop, 'sandbox-log')
  await page.getByRole('searchbox', { name: 'Filter the log' }).fill('get')
  await expect.poll(() => log.textContent()).toBe('GET /index 200')
  await page.getByRole('searchbox', { name: 'Filter the log' }).fill('nowhere')
  await page.getByText('No line matches.').waitFor()
  await page.getByRole('searchbox', { name: 'Filter the log' }).fill('')
  await run(id, ['touch', '/tmp/go'])
  await log.getByText('tick 1', { exact: true }).waitFor()
  await page.getByRole('switch', { name: 'Follow' }).click()
  const held = await log.textContent()
  await run(id, ['rm', '/tmp/go'])
  await page.getByRole('button', { name: 'Copy the lines shown' }).click()
  const copied = () => desktop.app.evaluate(({ clipboard }) => clipboard.readText())
  await expect.poll(copied).toContain('GET /index 200\n')
  expect(await log.textContent()).toBe(held)
  await page.getByRole('button', { name: 'Close' }).click()

  await client.call(pauseSandbox, { params: { sandbox_id: id } })
  await row.getByText('paused', { exact: true }).waitFor()
  await row.getByText('paused', { exact: true }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Show the log' }).click()
  await page.getByText('The sandbox is paused. It prints nothing until it is resumed.').waitFor()
  await log.getByText('Serving on 8000').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await client.call(deleteSandbox, { params: { sandbox_id: id } })
})

test('where there is no log the window says why, and where to look', async ({ desktop }) => {
  const { page, service } = desktop
  await service.client.call(startSandbox, {})
  await page.getByRole('link', { name: 'Sandboxes' }).click()
  const row = page.getByRole('row').nth(1)
  await row.getByText('running', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Show the log' }).click()
  await page.getByText('No log is kept of this sandbox.', { exact: false }).waitFor()
  await page.getByText('What the agent runs is shown in the steps', { exact: false }).waitFor()
  await look(desktop, 'sandbox-log-none')
  await page.getByRole('button', { name: 'Close' }).click()
})

async function run(name: string, Cmd: string[]): Promise<void> {
  const { docker } = createClient({ host: process.env.DOCKER_HOST ?? '', certificates: undefined })
  await (await docker.getContainer(name).exec({ Cmd })).start({ Detach: true })
}
