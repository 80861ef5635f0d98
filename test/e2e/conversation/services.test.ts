import { expect } from 'vitest'
import { listSandboxServices } from '../../../server/api/v1/sandbox/services.ts'
import { readBundledImage } from '../../../server/sandbox/image.ts'
import { it as base } from '../../fixtures/window.ts'
import { startInFolder } from '../../parts/client/folder-conversation.ts'
import { TestFolder } from '../../parts/test-folder.ts'
import { look } from '../../parts/window/look.ts'
import { resourcesDir } from '../../sandbox/parts.ts'

const composeFile = (image: string) => `
include: [ops/queue.yaml, "https://example.com/shop.git"]
services:
  web: {build: .}
  db:
    image: ${image}
    command: sh -c "echo ready to accept connections; exec python3 -m http.server 5432"
    expose: [5432]
`
const queueFile = (image: string) => `
services:
  queue: {image: "${image}", command: sh -c "echo no license; exit 3"}
`

const test = base
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const image = (await readBundledImage(resourcesDir))?.reference ?? ''
    const files = { 'compose.yaml': composeFile(image), 'ops/queue.yaml': queueFile(image) }
    const folder = new TestFolder().write(files).commit()
    onCleanup(() => folder.remove())
    return folder
  })
  .extend('sandboxId', { scope: 'file' }, async ({ desktop, folder }) => {
    const { params, sandboxId } = await startInFolder(desktop.service, folder, 'A shop with services')
    await desktop.page.evaluate(address => location.assign(address), `#/conversations/${params.conversation_id}`)
    await desktop.page.getByRole('tab', { name: 'Details' }).click()
    return sandboxId
  })
  .extend('part', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('tabpanel').getByRole('region', { name: 'Services' })
  })
  .extend('row', { scope: 'file' }, ({ part }) => (name: string) => {
    return part()
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`^${name}`) })
  })
  .extend('states', { scope: 'file' }, ({ desktop, sandboxId }) => async () => {
    const { services } = await desktop.service.client.call(listSandboxServices, { params: { sandbox_id: sandboxId } })
    return Object.fromEntries(services.map(({ name, state }) => [name, state]))
  })

test('services that nobody trusts wait for a person, who sees what is left out', async ({ desktop, part, states }) => {
  expect(await states()).toEqual({ db: 'not_started', queue: 'not_started' })
  await part().getByText('From compose.yaml.').waitFor()
  await part().getByText('web is left out. It is built from this repository').waitFor()
  await part().getByText('https://example.com/shop.git is left out. It lies somewhere else.').waitFor()
  await part().scrollIntoViewIfNeeded()
  await look(desktop, 'services-not-started')
})

test('they are started with a button, and each says how it is and what it wrote', async ({ desktop, part, row }) => {
  await part().getByRole('button', { name: 'Start all' }).click()
  await row('db').getByText('running', { exact: true }).waitFor()
  await row('queue').getByText('Exit code 3. It said: no license').waitFor()
  await row('db').getByRole('button', { expanded: false }).click()
  await row('db').getByText('ready to accept connections').waitFor()
  await part().scrollIntoViewIfNeeded()
  await look(desktop, 'services-running')
})

test('one is stopped and started again with the keyboard, and all of them are thrown away once that is confirmed', async ({
  desktop,
  part,
  row,
  states,
}) => {
  const { page } = desktop
  await part().getByRole('button', { name: 'Stop db' }).focus()
  await page.keyboard.press('Enter')
  await row('db').getByText('stopped', { exact: true }).waitFor()
  await part().getByRole('button', { name: 'Start db' }).focus()
  await page.keyboard.press('Enter')
  await row('db').getByText('running', { exact: true }).waitFor()
  await part().getByRole('button', { name: 'Start over' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Throw away' }).click()
  await row('db').getByText('not started', { exact: true }).waitFor()
  await expect.poll(states).toEqual({ db: 'not_started', queue: 'not_started' })
})
