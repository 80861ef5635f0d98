import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { EngineProxy } from '../docker/proxy.ts'
import { type DesktopApp, startDesktopApp } from '../parts/desktop-app.ts'
import { keepFailure, look } from '../parts/look.ts'
import { type SecretService, startSecretService } from '../parts/secret-service.ts'

let keyring: SecretService
let engine: EngineProxy
let desktop: DesktopApp

beforeAll(async () => {
  keyring = await startSecretService()
  engine = new EngineProxy(process.env.DOCKER_HOST ?? '')
  desktop = await startDesktopApp({ env: { ...keyring.env, DOCKER_HOST: engine.host } })
})
afterEach(({ task }) => keepFailure(desktop, task))
afterAll(async () => {
  await desktop?.close()
  await engine?.down()
  await keyring?.close()
})

test('without an engine the app opens and says what to do', async () => {
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

test('it notices by itself that an engine came', async () => {
  await engine.up()
  await desktop.page.getByText('Atelier keeps looking.').first().waitFor({ state: 'hidden' })
  await desktop.page.getByRole('link', { name: /^Docker .* running/ }).waitFor()
})

test('and that it went, and came back', async () => {
  const { page } = desktop
  await engine.down()
  await page.getByText('Sandboxes cannot start until an engine answers. Atelier keeps looking.').waitFor()
  await engine.up()
  await page.getByRole('link', { name: /^Docker .* running/ }).waitFor()
})
