import { join } from 'node:path'
import { expect } from 'vitest'
import { getSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { Database } from '../../../server/store/database/database.ts'
import { SandboxIdlePauses } from '../../../server/store/sandbox/idle-pauses.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { testEngine } from '../../parts/engine/containers.ts'
import { newDataDir, removeDataDir, startDesktopApp } from '../../parts/window/desktop-app.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('dataDir', { scope: 'file' }, ({}, { onCleanup }) => {
    const dataDir = newDataDir()
    onCleanup(() => removeDataDir(dataDir))
    return dataDir
  })
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, dataDir }) => ({ env: keyring.env, dataDir }))

/** As the service does it, whose shortest time without use is too long for a test. */
async function rest(dataDir: string, sandboxId: string): Promise<void> {
  const database = Database.open(join(dataDir, 'atelier.db'))
  new SandboxIdlePauses(database).save(sandboxId, 60)
  database.close()
  const engine = testEngine()
  await engine.pauseContainer(sandboxId)
  await engine.close()
}

test('the time after which idle sandboxes are paused is chosen in the settings', async ({ desktop }) => {
  const { page, service } = desktop
  await page.evaluate(() => location.assign('#/settings/sandbox'))
  const choice = page.getByRole('combobox', { name: 'Pause idle sandboxes' })
  await choice.scrollIntoViewIfNeeded()
  await look(desktop, 'idle-setting')
  await choice.click()
  await page.getByRole('option', { name: 'After 30 minutes without use' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  const stored = async () => (await service.client.call(getSettingsV1, {})).pause_idle_after
  await expect.poll(stored).toBe(30)
})

test('a conversation whose sandbox rests says so, takes a message, and goes on', async ({
  desktop,
  desktopOptions,
  dataDir,
  model,
}) => {
  const run = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })
  model.setScript([
    run('echo kept > /tmp/kept'),
    { text: 'It is kept.' },
    run('cat /tmp/kept'),
    { text: 'There it is.' },
  ])
  const { app_conversation_id, sandbox_id } = await startConversation(desktop.service, {
    title: 'A long pause',
    initial_message: said('Keep something.'),
  })
  const address = `#/conversations/${app_conversation_id}`
  await desktop.page.evaluate(to => location.assign(to), address)
  await desktop.page.getByText('It is kept.').first().waitFor()
  // What it shows would ask the sandbox now and then.
  await desktop.page.getByRole('button', { name: 'Fold the panel' }).first().click()
  await desktop.close()
  await rest(dataDir, sandbox_id ?? '')

  const again = await startDesktopApp(desktopOptions)
  try {
    const { page } = again
    await page.getByRole('link', { name: 'Sandboxes' }).click()
    const row = page.getByRole('row').filter({ hasText: 'A long pause' })
    await row.getByText('Paused after 60 minutes without use.').waitFor()
    await row.getByText('paused', { exact: true }).waitFor()
    await look(again, 'idle-sandboxes')
    await page.evaluate(to => location.assign(to), address)
    await page.getByRole('button', { name: 'Sandbox: paused' }).waitFor()
    await look(again, 'idle-conversation')
    const composer = page.getByRole('textbox', { name: 'Message' })
    await composer.fill('Where is it?')
    await composer.press('Enter')
    await page.getByText('There it is.').first().waitFor()
    await page.getByRole('button', { name: 'Sandbox: running' }).waitFor()
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('kept')
  } finally {
    await again.close()
  }
})
