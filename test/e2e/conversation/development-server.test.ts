import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { Atelier } from '../../../server/client/atelier.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { projectFolder } from '../../parts/project-folder.ts'
import { TestFolder } from '../../parts/test-folder.ts'
import { look } from '../../parts/window/look.ts'

const FILES = {
  'index.html': '<!doctype html><h1></h1><script type="module" src="/main.js"></script>',
  'main.js': `import { title } from './title.js'
const show = text => { document.querySelector('h1').textContent = text }
show(title)
import.meta.hot.accept('./title.js', next => show(next.title))
`,
  'title.js': "export const title = 'Shop'\n",
  // It would keep what it has bundled beside itself, where nothing can be written.
  'vite.config.js': "export default { cacheDir: '/tmp/vite', server: { port: 5173, strictPort: true } }\n",
}

/** Takes connections, and never says a word. */
const SILENT = `import socket, time
listener = socket.socket()
listener.bind(('127.0.0.1', 9000))
listener.listen()
time.sleep(600)
`

const test = base
  /** Node and Vite, as they are on this machine. */
  .extend('spec', { scope: 'file' }, async ({ desktop: { service } }, { onCleanup }) => {
    const folder = new TestFolder('bin')
    onCleanup(() => folder.remove())
    copyFileSync(process.execPath, join(folder.path, 'node'))
    const [usual] = (await service.client.call(searchSandboxSpecs, { query: {} })).items
    const mounts = [
      { host_path: folder.path, container_path: '/opt/bin' },
      { host_path: join(projectFolder, 'node_modules'), container_path: '/opt/node_modules' },
    ]
    return service.client.call(createSandboxSpec, { body: { title: 'With Vite', image: usual?.image ?? '', mounts } })
  })
  .extend('inside', { scope: 'file' }, async ({ desktop: { page, service }, model, spec }) => {
    model.setScript([{ text: 'See http://localhost:5173/' }])
    const options = { title: 'Shop', sandbox_spec_id: spec.id, initial_message: said('Serve it') }
    const { app_conversation_id, sandbox_id } = await startConversation(service, options)
    const atelier = new Atelier({ url: service.url, key: service.key, connect: openWebSocket })
    const sandbox = atelier.sandbox(sandbox_id ?? '')
    for (const [name, content] of Object.entries(FILES)) await sandbox.writeFile(`/workspace/project/${name}`, content)
    await sandbox.run(
      'cd /workspace/project && (setsid /opt/bin/node /opt/node_modules/vite/bin/vite.js >/tmp/vite.log 2>&1 &)',
    )
    await page.evaluate(address => location.assign(address), `#/conversations/${app_conversation_id}`)
    return sandbox
  })

test('a first page that never comes is stopped, and another is gone to', async ({ desktop, inside }) => {
  const { page } = desktop
  await inside.writeFile('/tmp/silent.py', SILENT)
  await inside.run('(setsid python3 /tmp/silent.py >/dev/null 2>&1 &)')
  await page.getByRole('tab', { name: /^Preview/ }).click()
  await page.getByRole('button', { name: 'Open port 9000 here' }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click()
  await page.getByText('Loading was stopped.').waitFor()
  await look(desktop, 'preview-stopped', { narrow: false })
  const address = page.getByRole('textbox', { name: 'Address' })
  await address.fill('5173')
  await address.press('Enter')
  await page.getByText('Loading was stopped.').waitFor({ state: 'detached' })
})

test('a change of a file comes into the page that a development server serves, without a reload', async ({
  desktop: { app },
  inside,
}) => {
  const guest = () => app.windows().find(each => each.url().startsWith('http://localhost:5173'))
  const shown = () =>
    guest()
      ?.locator('h1')
      .textContent({ timeout: 1_000 })
      .catch(() => null) ?? null
  await expect.poll(shown).toBe('Shop')
  await guest()?.evaluate(() => Object.assign(globalThis, { isSame: true }))
  await inside.writeFile('/workspace/project/title.js', "export const title = 'Bakery'\n")
  await expect.poll(shown).toBe('Bakery')
  expect(await guest()?.evaluate(() => Reflect.get(globalThis, 'isSame'))).toBe(true)
})
