import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { storeSettingsV1 } from '../../server/api/v1/settings/settings.ts'
import type { ModelServer } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/keyring.ts'
import { startGate } from '../parts/gate.ts'
import { filesWith, keyringValues } from '../parts/secret/kept-secrets.ts'
import { newDataDir, removeDataDir, startDesktopApp } from '../parts/window/desktop-app.ts'
import { keepFailure, look } from '../parts/window/look.ts'
import { shownConversation } from '../parts/window/shown-conversation.ts'

const test = base
  .extend('gate', { scope: 'file' }, async ({}, { onCleanup }) => {
    const gate = await startGate()
    onCleanup(() => gate.close())
    return gate
  })
  .extend('dataDir', { scope: 'file' }, ({}, { onCleanup }) => {
    const dataDir = newDataDir()
    onCleanup(() => removeDataDir(dataDir))
    return dataDir
  })
  // One test kills the app and starts it again.
  .extend('running', { scope: 'file' }, async ({ keyring, dataDir }, { onCleanup }) => {
    // As a person has it.
    const env = { ...keyring.env, ATELIER_PREPARED_SANDBOXES: '3' }
    const running = { desktop: await startDesktopApp({ env, dataDir }) }
    onCleanup(() => running.desktop.close())
    return running
  })
  .extend('desktop', ({ running }) => running.desktop)
  .extend('conversation', { scope: 'file' }, ({ running }) => shownConversation(running))

const KEY = 'sk-e2e-7f3a9c51d2b84e06'
const REPOSITORY = join(import.meta.dirname, '../../build/resources/demonstration/repository')

test.beforeAll(async ({ git, gate }) => {
  const names = readdirSync(REPOSITORY)
  const files = Object.fromEntries(names.map(name => [name, readFileSync(join(REPOSITORY, name), 'utf8')]))
  await git.add('basket', { ...files, '.openhands/setup.sh': `#!/bin/sh\necho Waiting\ncurl -s ${gate.url}\n` })
})

test.afterEach(({ running, task }) => keepFailure(running.desktop, task))

const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args })
const terminal = (command: string) => ({ toolCalls: [call('terminal', { command })] })
const finish = (message: string) => ({ toolCalls: [call('finish', { message })] })

test('the first run finds the engine, tests the model and keeps its key in the keyring only', async ({
  desktop,
  model,
  keyring,
  dataDir,
}) => {
  const { page } = desktop
  const engine = page.getByRole('region', { name: 'Engine' })
  await engine.getByText(/Docker .*, \d+ processors?, .* memory/).waitFor()
  await look(desktop, 'first-run')

  const form = page.getByRole('form', { name: 'Model provider' })
  await form.getByRole('combobox', { name: 'Provider' }).click()
  await page.getByRole('option', { name: 'OpenAI-compatible server' }).click()
  await form.getByLabel('Model').fill('scripted')
  await form.getByLabel('Address').fill(model.url.openai)
  await form.getByLabel('Key').fill(KEY)

  model.setScript([{ fault: 'authentication' }, { text: 'Yes.' }])
  await form.getByRole('button', { name: 'Test' }).click()
  await form.getByText('The test failed.').waitFor()
  await look(desktop, 'first-run-refused')
  await form.getByRole('button', { name: 'Test' }).click()
  await form.getByText(/scripted answered in/).waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'Model' }).getByText('scripted', { exact: true }).waitFor()
  await look(desktop, 'first-run-ready')

  expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(await keyringValues(keyring.env)).toContain(KEY)
  expect(filesWith(dataDir, KEY)).toEqual([])
})

test('a task in a repository is started, worked on and finished, seen live', async ({ desktop, model, git, gate }) => {
  const { page } = desktop
  model.setScript([
    { text: 'I will run the tests first.', ...terminal('python3 -m unittest') },
    {
      text: 'A cent is lost in the rounding.',
      toolCalls: [
        call('file_editor', {
          command: 'str_replace',
          path: '/workspace/project/basket/basket.py',
          old_str: '    return int(cents * (100 - percent) / 100)',
          new_str: '    return (cents * (100 - percent) + 50) // 100',
        }),
      ],
    },
    terminal('python3 -m unittest'),
    { ...finish('The discount is **rounded** now, and all tests pass.'), usage: { input: 2000, output: 90 } },
  ])
  await page.getByRole('link', { name: 'Start a conversation' }).click()
  await look(desktop, 'launcher')
  await page.getByRole('textbox', { name: 'What should the agent do' }).fill('The tests fail. Fix the cause.')
  await page.getByRole('button', { name: /^Repository:/ }).click()
  // The repository, and what its set-up script asks, are on this machine.
  await desktop.service.client.call(storeSettingsV1, { body: { allowed_hosts: ['host.docker.internal'] } })
  await page.getByRole('combobox', { name: 'Repository' }).fill(git.url('basket'))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Repository: basket' }).waitFor()
  await page.getByRole('combobox', { name: 'Repository' }).waitFor({ state: 'hidden' })
  await look(desktop, 'launcher-filled')
  await page.getByRole('textbox', { name: 'What should the agent do' }).press('Control+Enter')

  await gate.reached
  const steps = page.getByRole('list', { name: 'Steps' })
  await steps.getByText('Repository, done').waitFor()
  await steps.getByText('Setup script, in progress').waitFor()
  await steps.getByText('Waiting', { exact: true }).waitFor()
  await look(desktop, 'starting')
  gate.open()

  await page.getByRole('status').getByText('done', { exact: true }).waitFor()
  await page.getByText('I will run the tests first.').waitFor()
  await page.getByText('The discount is rounded now, and all tests pass.').waitFor()
  await look(desktop, 'conversation-done')

  const [failing, passing] = [page.getByText(/exit 1 · /), page.getByText(/exit 0 · /)]
  await failing.waitFor()
  await passing.click()
  await page
    .getByText(/Ran 6 tests in/)
    .last()
    .waitFor()
  await page.getByText('+1 −1').first().click()
  await page.getByText('return (cents * (100 - percent) + 50) // 100').first().waitFor()
  await page.getByText('return int(cents * (100 - percent) / 100)').first().waitFor()
  await look(desktop, 'conversation-unfolded')
})

test('the changes and the details stand beside it', async ({ desktop }) => {
  const { page } = desktop
  const changes = page.getByRole('tabpanel', { name: /^Changes/ })
  if (!(await changes.isVisible())) await page.getByRole('button', { name: 'Show changes and details' }).click()
  await changes.getByRole('button', { name: /basket\.py/ }).click()
  await changes.getByText('return (cents * (100 - percent) + 50) // 100').waitFor()
  await look(desktop, 'conversation-changes')
  await page.getByRole('tab', { name: 'Details' }).click()
  await look(desktop, 'conversation-details')
  await page.getByRole('button', { name: 'Fold the panel' }).first().click()
})

test('what is written while the agent works is taken up by the same run', async ({ desktop, model, conversation }) => {
  const { page } = desktop
  const { reached, release } = holdModel(model, [{ text: 'First answer.' }, finish('Second answer.')])
  await conversation.say('Begin')
  await reached
  await page.getByRole('status').getByText('working', { exact: true }).waitFor()
  await conversation.say('And this too')
  await page.getByText('And this too').waitFor()
  release()
  await page.getByText('Second answer.').waitFor()
  await conversation.untilState('done')
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('And this too')
})

test('pause stops before the next step; continue goes on from there', async ({ desktop, model, conversation }) => {
  const { page } = desktop
  const { reached, release } = holdModel(model, [terminal('echo stepped'), finish('Resumed and finished.')])
  await conversation.say('Work slowly')
  await reached
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Pausing' }).waitFor()
  release()
  await conversation.untilState('paused')
  await look(desktop, 'conversation-paused')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Resumed and finished.').waitFor()
  await conversation.untilState('done')
})

test('stop now ends the running command', async ({ desktop, model, conversation }) => {
  const { page } = desktop
  model.setScript([terminal('echo begun; sleep 600'), finish('Never said.')])
  await conversation.say('Take long')
  await page.getByText('begun', { exact: true }).waitFor()
  await look(desktop, 'conversation-working')
  await page.getByRole('button', { name: /^Stop now/ }).click()
  await conversation.untilState('paused')
  expect(await conversation.openCalls()).toEqual([])
  model.setScript([terminal('pgrep -f "sleep 60[0]" || echo none left'), finish('Looked.')])
  await conversation.say('Is it gone?')
  await conversation.untilState('done')
  await conversation.clickLast(/exit 0/)
  await page.getByText('none left', { exact: true }).waitFor()
})

test('an error of the model says what to do, and its conversation goes on', async ({
  desktop,
  model,
  conversation,
}) => {
  const { page } = desktop
  model.setScript([{ fault: 'no-credit' }, finish('Paid.')])
  await conversation.say('Spend')
  await conversation.untilState('failed')
  await page.getByRole('alert').waitFor()
  await look(desktop, 'conversation-failed')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Paid.').waitFor()
  await conversation.untilState('done')
})

test('killed in the middle of a command, it opens again with everything and goes on', async ({
  model,
  conversation,
  running,
  keyring,
  dataDir,
}) => {
  model.setScript([terminal('echo started; sleep 600'), finish('Never said.')])
  await conversation.say('Take long again')
  await running.desktop.page.getByText('started', { exact: true }).waitFor()
  await running.desktop.kill()

  running.desktop = await startDesktopApp({ env: keyring.env, dataDir })
  const { page } = running.desktop
  await page.getByRole('link', { name: /The tests fail\. Fix the cause\./ }).click()
  await page.getByText('Take long again').waitFor()
  expect(await conversation.openCalls()).toEqual([])
  await page
    .getByText(/failed/)
    .last()
    .waitFor()
  await look(running.desktop, 'conversation-reopened')

  model.setScript([terminal('git status --short'), finish('I went on.')])
  await conversation.say('Go on')
  await page.getByText('I went on.').waitFor()
  await conversation.untilState('done')
  expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
  await conversation.clickLast(/exit 0/)
  await page.getByText('M basket.py').waitFor()
})

test('a start that fails says why and offers to try again', async ({ desktop, git }) => {
  const { page } = desktop
  await page.getByRole('link', { name: 'New conversation' }).first().click()
  await page.getByRole('textbox', { name: 'What should the agent do' }).fill('Do something')
  await page.getByRole('button', { name: /^Repository:/ }).click()
  await page.getByRole('combobox', { name: 'Repository' }).fill(git.url('missing'))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page
    .getByText(/fatal: repository .* not found/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await look(desktop, 'start-failed')
})

test('the key is in no file, event or container after all of this', async ({ dataDir }) => {
  expect(filesWith(dataDir, KEY)).toEqual([])
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', 'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"'],
    // Of every process of the machine.
    { maxBuffer: 2 ** 28 },
  )
  expect(stdout).not.toContain(KEY)
})

/** The model's first answer waits until it is released. */
function holdModel(model: ModelServer, turns: object[]): { reached: Promise<unknown>; release: () => void } {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const reached = model.request(model.requests.length)
  model.setScript(async (_request, index) => {
    if (index === 0) await released
    return turns[index] ?? { text: `There is no turn ${index}.` }
  })
  return { reached, release }
}
