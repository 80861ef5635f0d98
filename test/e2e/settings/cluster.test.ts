import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { listEngines } from '../../../server/api/v1/system/engines.ts'
import { it as base } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'

/** A context whose cluster nobody serves. */
const KUBECONFIG = `apiVersion: v1
kind: Config
clusters:
- {name: team, cluster: {server: "https://127.0.0.1:9"}}
users:
- {name: me, user: {token: none}}
contexts:
- {name: team-cluster, context: {cluster: team, user: me, namespace: agents}}
`

const test = base
  .extend('settings', { scope: 'file' }, {})
  .extend('kubeconfig', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-kubeconfig-'))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'config')
    writeFileSync(file, KUBECONFIG)
    return file
  })
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, kubeconfig }) => ({
    env: { ...keyring.env, KUBECONFIG: kubeconfig },
  }))

test.beforeAll(async ({ desktop }) => {
  await desktop.page.getByRole('link', { name: 'Settings' }).click()
  await desktop.page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Sandbox', exact: true })
    .click()
})

test('a cluster is added with its namespace, image and secrets, and says why it is not there', async ({ desktop }) => {
  const { page, service } = desktop
  await page.getByRole('button', { name: 'Add an engine' }).click()
  const form = page.getByRole('dialog', { name: 'Add an engine' })
  await form.getByRole('combobox', { name: 'Engine' }).click()
  await page.getByRole('option', { name: /team-cluster/ }).click()
  await form.getByLabel('Namespace').fill('My Agents')
  await form.getByLabel('Image pull secrets').fill('registry-login')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText(/^Give a name as Kubernetes has it/).waitFor()
  await look(desktop, 'settings-cluster-new')
  await form.getByLabel('Namespace').fill('my-agents')
  await form.getByLabel('Image of Atelier').fill('registry.example.org/atelier/sandbox:1')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  const row = page.getByRole('list', { name: 'Engines', exact: true }).getByRole('listitem').filter({ hasText: 'team' })
  await row.getByText('Not available').waitFor()
  await row.getByText(/my-agents/).waitFor()
  await look(desktop, 'settings-cluster')
  const { items } = await service.client.call(listEngines)
  expect(items.find(({ kind }) => kind === 'kubernetes')?.address).toContain('my-agents')
})

test('a spec says where on the cluster its sandboxes run', async ({ desktop }) => {
  const { page, service } = desktop
  await page.getByRole('button', { name: 'Add a spec' }).click()
  const form = page.getByRole('dialog', { name: 'Add a sandbox spec' })
  await form.getByLabel('Name').fill('On the team')
  expect(await form.getByLabel('Labels of nodes').count()).toBe(0)
  await form.getByRole('combobox', { name: 'Engine' }).click()
  await page.getByRole('option', { name: /team-cluster/ }).click()
  await form.getByLabel('Labels of nodes').fill('disktype=fast and large')
  await form.getByLabel('Image', { exact: true }).fill('registry.example.org/tools:1')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText(/^Write key=value, such as disktype/).waitFor()
  await look(desktop, 'settings-cluster-spec')
  await form.getByLabel('Labels of nodes').fill('disktype=ssd')
  await form.getByLabel('Ends after (hours)').fill('0.001')
  await form.getByRole('checkbox', { name: 'Pause the sandbox when nothing has used it for a while' }).click()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText('Enter hours, from 0.02 to 8784.').waitFor()
  await look(desktop, 'settings-cluster-spec-times', { narrow: false })
  await form.getByLabel('Ends after (hours)').fill('1.5')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  const { items } = await service.client.call(searchSandboxSpecs, { query: {} })
  expect(items.find(({ title }) => title === 'On the team')?.cluster).toMatchObject({
    node_selector: { disktype: 'ssd' },
    active_deadline_seconds: 5400,
    pause_when_idle: true,
  })
})
