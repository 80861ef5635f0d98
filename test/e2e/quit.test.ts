import { expect } from 'vitest'
import { listAppConversations } from '../../server/api/v1/conversation/conversations.ts'
import { createTerminal } from '../../server/api/v1/sandbox/terminals.ts'
import { Atelier } from '../../server/client/atelier.ts'
import { openWebSocket } from '../../server/client/node/connect.ts'
import { startModelServer } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/window.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { showTerminal } from '../parts/client/terminal.ts'
import type { DesktopApp } from '../parts/window/desktop-app.ts'

const test = base
  .extend('thought', { scope: 'file' }, () => {
    let end = () => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    return { end, ended }
  })
  .extend('model', { scope: 'file' }, async ({ thought }, { onCleanup }) => {
    const model = await startModelServer({
      script: [
        // Longer than the app waits for what may follow.
        { toolCalls: [{ name: 'terminal', arguments: { command: 'sleep 5' } }], halfway: thought.ended },
        { text: 'That was long.' },
      ],
    })
    onCleanup(() => model.close())
    return model
  })

/** The dialog is the desktop's own, out of the test's reach: what it says is kept, and "Keep working" is its answer unless another is given. */
function questionOf({ app }: DesktopApp, response = 1): Promise<string> {
  return app.evaluate(
    ({ app: electron, dialog }, answer) =>
      new Promise<string>(resolve => {
        dialog.showMessageBox = async (...parts: unknown[]) => {
          resolve(JSON.stringify(parts.at(-1)))
          return { response: answer, checkboxChecked: false }
        }
        electron.quit()
      }),
    response,
  )
}

/** What the menu bar shows without being opened. */
function menuBar({ app }: DesktopApp): Promise<string[]> {
  return app.evaluate(({ BrowserWindow, Menu }) =>
    BrowserWindow.getAllWindows()[0]?.isMenuBarVisible()
      ? (Menu.getApplicationMenu()?.items ?? []).map(({ label }) => label)
      : [],
  )
}

test('quitting while a program runs in a terminal asks first, and the program goes on when the answer is no', async ({
  desktop,
}) => {
  const { service } = desktop
  const atelier = new Atelier({ url: service.url, key: service.key, connect: openWebSocket })
  const sandbox = await atelier.startSandbox()
  const open = async () => {
    const { id } = await service.client.call(createTerminal, { params: { sandbox_id: sandbox.id }, body: {} })
    return showTerminal(service.url, service.key, id)
  }
  // The shell of the second one waits for a command.
  const [busy, idle] = await Promise.all([open(), open()])
  idle.type('echo rea""dy\r')
  await idle.shows('ready')
  busy.type('sh -c "echo be""gun; read line; echo went on"\r')
  await busy.shows('begun')
  const asked = await questionOf(desktop)
  expect(asked).toContain('A program is running in a terminal.')
  expect(asked).not.toContain('agent')
  expect(asked).not.toContain('when they have finished')
  busy.type('\r')
  await busy.shows('went on')
  // For the next test.
  busy.type('echo slee""ps; sleep 3005\r')
  await busy.shows('sleeps')
  busy.close()
  idle.close()
})

test('quitting while an agent works asks first, and the agent goes on when the answer is no', async ({
  desktop,
  model,
}) => {
  const { page, service } = desktop
  const { app_conversation_id: id } = await startConversation(service, { initial_message: said('Think long.') })
  await model.request(0)
  const asked = await questionOf(desktop)
  expect(asked).toMatch(/An agent is working\.\\nA program is running in a terminal\./)
  await page.getByRole('link', { name: 'Settings' }).waitFor()
  const now = await service.client.call(listAppConversations, { query: { ids: [id ?? ''] } })
  expect(now).toMatchObject([{ execution_status: 'running' }])
})

test('a quit for when the agents have finished is shown, can be taken back, and waits for all that they do', async ({
  desktop,
  model,
  thought,
}) => {
  const { app, page, endedBy } = desktop
  const sign = 'Quits When Agents Have Finished'
  expect(JSON.parse(await questionOf(desktop, 2)).buttons[2]).toBe('Quit when they have finished')
  await expect.poll(() => menuBar(desktop)).toContain(sign)
  await page.getByRole('link', { name: 'Settings' }).click()
  await app.evaluate(({ Menu }, label) => {
    const menu = Menu.getApplicationMenu()?.items.find(item => item.label === label)
    menu?.submenu?.items.find(item => item.label === 'Do Not Quit')?.click()
  }, sign)
  await expect.poll(() => menuBar(desktop)).toEqual([])
  await questionOf(desktop, 2)
  await expect.poll(() => menuBar(desktop)).toContain(sign)
  const ended = await endedBy(async () => {
    thought.end()
    await model.request(1)
  })
  expect(ended).toEqual([0, null])
})
