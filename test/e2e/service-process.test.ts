import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { getSystem } from '../../server/api/v1/system/system.ts'
import { isRunning } from '../../server/discovery-file.ts'
import { it as base, openApp } from '../fixtures/window.ts'
import type { DesktopApp } from '../parts/window/desktop-app.ts'
import { look } from '../parts/window/look.ts'
import { processesOf, serviceOf, throwIn } from '../parts/window/processes.ts'

const test = base.extend('startApp', ({ desktopOptions, settings }, { onCleanup }) => {
  const opened: DesktopApp[] = []
  onCleanup(async () => {
    for (const app of opened) await app.close()
  })
  return async (): Promise<DesktopApp> => {
    const app = await openApp(desktopOptions, settings)
    opened.push(app)
    return app
  }
})

const CRASHED = 'The service crashed and was restarted.'

test('while the service stands still the window works, and shows the rest when it goes on', async ({ desktop }) => {
  const { app, page } = desktop
  const settings = page.getByRole('link', { name: 'Settings' })
  await settings.waitFor()
  const service = await serviceOf(app)
  process.kill(service, 'SIGSTOP')
  try {
    await settings.click()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: /About/ }).waitFor()
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  } finally {
    process.kill(service, 'SIGCONT')
  }
  await page.getByRole('link', { name: /About/ }).click()
  await page.getByRole('button', { name: 'Diagnose' }).waitFor()
})

test('a service that is killed is started anew at the same address, once; the second time the app ends', async ({
  desktop,
}) => {
  const { app, page, dataDir, service } = desktop
  const first = await serviceOf(app)
  process.kill(first, 'SIGKILL')
  await page.getByText(CRASHED).waitFor()
  await look({ app, page }, 'crashed')
  expect(reportsIn(dataDir)).toEqual([expect.stringContaining('The process of the service ended with code 9.')])
  const system = await service.client.call(getSystem)
  expect(system).toMatchObject({ keychain: { state: 'ready', storage: 'keychain' } })
  const [second = 0, ...more] = await processesOf(app, 'Atelier service')
  expect(second).not.toBe(first)
  expect(more).toEqual([])
  // The keychain's process ended with the service that had asked for it.
  expect(await processesOf(app, 'Atelier keychain')).toHaveLength(1)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText(CRASHED).waitFor({ state: 'hidden' })

  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false })
  })
  const ended = app.waitForEvent('close')
  process.kill(second, 'SIGKILL')
  await ended
  expect(reportsIn(dataDir)).toHaveLength(2)
})

test('an error that nobody caught in the service is reported without secrets, and starts it anew', async ({
  startApp,
}) => {
  const desktop = await startApp()
  const first = await serviceOf(desktop.app)
  await throwIn(first, 'a canary sk-e2e')
  await expectReported(desktop, first)
})

test('an error that nobody caught in the app is reported without secrets, and starts its service anew', async ({
  startApp,
}) => {
  const desktop = await startApp()
  const first = await serviceOf(desktop.app)
  await desktop.app.evaluate(() => {
    setTimeout(() => {
      throw new Error('a canary sk-e2e')
    })
  })
  await expectReported(desktop, first)
})

test('a page that is loaded beside a service that hangs says so, and opens when it goes on', async ({ startApp }) => {
  const { app, page } = await startApp()
  await page.getByRole('link', { name: 'Settings' }).waitFor()
  const service = await serviceOf(app)
  process.kill(service, 'SIGSTOP')
  try {
    await page.reload()
    await page.getByText('The service does not answer.', { exact: false }).waitFor()
    await look({ app, page }, 'service-silent')
  } finally {
    process.kill(service, 'SIGCONT')
  }
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Settings' }).waitFor()
})

test('a service that hangs is offered to be started anew until it answers, and is when a person chooses that', async ({
  startApp,
}) => {
  const { app, page, dataDir, service } = await startApp()
  await page.getByRole('link', { name: 'Settings' }).waitFor()
  const first = await serviceOf(app)
  const questions = await watchQuestions(app)
  process.kill(first, 'SIGSTOP')
  await expect.poll(questions.open, WITHIN).toEqual(['Atelier does not answer.'])
  process.kill(first, 'SIGCONT')
  await expect.poll(questions.open, WITHIN).toEqual([])
  expect(await serviceOf(app)).toBe(first)

  // As often as it hangs: what a person asks for is not the one start after a crash.
  let hung = first
  for (let count = 1; count <= 2; count++) {
    process.kill(hung, 'SIGSTOP')
    await expect.poll(questions.open, WITHIN).toHaveLength(1)
    await questions.choose('Start it again')
    await expect.poll(() => isRunning(hung), WITHIN).toBe(false)
    await expect
      .poll(() => service.client.call(getSystem), WITHIN)
      .toMatchObject({ keychain: { state: 'ready', storage: 'keychain' } })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: /About/ }).click()
    await page.getByRole('button', { name: 'Diagnose' }).waitFor()
    expect(await processesOf(app, 'Atelier service')).toHaveLength(1)
    expect(await processesOf(app, 'Atelier keychain')).toHaveLength(1)
    expect(reportsIn(dataDir)).toHaveLength(count)
    hung = await serviceOf(app)
  }
  expect(reportsIn(dataDir)[0]).toContain('The service did not answer')
  process.kill(hung, 'SIGKILL')
  await expect.poll(() => processesOf(app, 'Atelier service'), WITHIN).not.toContain(hung)
  await expect.poll(async () => (await processesOf(app, 'Atelier service')).length, WITHIN).toBe(1)
})

test('whoever tells the process of the discovery file to end, as `serve --stop` does, ends the app', async ({
  startApp,
}) => {
  const { app, dataDir, endedBy } = await startApp()
  const service = await serviceOf(app)
  expect(JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'))).toMatchObject({ pid: service })
  const [code] = await endedBy(async () => process.kill(service, 'SIGTERM'))
  expect(code).toBe(0)
  expect(existsSync(join(dataDir, 'server.json'))).toBe(false)
})

test('at the end of a session, which tells every process, the app closes its service before it ends', async ({
  startApp,
}) => {
  const { app, dataDir, endedBy } = await startApp()
  const service = await serviceOf(app)
  const main = app.process()
  expect(existsSync(join(dataDir, 'atelier.db-wal'))).toBe(true)
  const [code] = await endedBy(async () => {
    process.kill(service, 'SIGTERM')
    main.kill('SIGTERM')
  })
  expect(code).toBe(0)
  expect(isRunning(service)).toBe(false)
  // A database that was closed has nothing beside it.
  expect(existsSync(join(dataDir, 'atelier.db-wal'))).toBe(false)
})

test('an app that is killed, or quits beside a service that hangs, leaves no process behind', async ({ startApp }) => {
  const killed = await startApp()
  const ofKilled = await serviceOf(killed.app)
  await killed.kill()
  await expect.poll(() => isRunning(ofKilled)).toBe(false)

  const quitting = await startApp()
  const hung = await serviceOf(quitting.app)
  process.kill(hung, 'SIGSTOP')
  const [code] = await quitting.endedBy(() => quitting.app.evaluate(({ app }) => app.quit()))
  expect(code).toBe(1)
  await expect.poll(() => isRunning(hung)).toBe(false)
})

/** The dialogs of the desktop are out of a test's reach: their questions are kept, and answered by their buttons. Looks at the service are made twenty times as often. */
async function watchQuestions(app: DesktopApp['app']) {
  await app.evaluate(({ dialog }) => {
    const open: Question[] = []
    Object.assign(globalThis, { open })
    dialog.showMessageBox = (...parts: unknown[]) =>
      new Promise(resolve => {
        const { message, buttons, signal } = parts.at(-1) as Electron.MessageBoxOptions
        const choose = (response: number): void => {
          open.splice(open.indexOf(question), 1)
          resolve({ response, checkboxChecked: false })
        }
        const question = { message, buttons: buttons ?? [], choose }
        open.push(question)
        signal?.addEventListener('abort', () => choose(1))
      })
    const later = globalThis.setTimeout
    const sooner = (act: () => void, ms?: number) => later(act, ms === 5_000 ? 250 : ms)
    globalThis.setTimeout = Object.assign(sooner, later)
  })
  return {
    open: () => app.evaluate(() => (globalThis as unknown as Kept).open.map(({ message }) => message)),
    choose: (button: string) =>
      app.evaluate((_, chosen) => {
        const [question] = (globalThis as unknown as Kept).open
        question?.choose(question.buttons.indexOf(chosen))
      }, button),
  }
}

interface Question {
  message: string
  buttons: string[]
  choose: (response: number) => void
}

interface Kept {
  open: Question[]
}

const WITHIN = { timeout: 30_000 }

/** The error `a canary sk-e2e`, whose last word is a key. */
async function expectReported({ page, dataDir }: DesktopApp, first: number): Promise<void> {
  await page.getByText(CRASHED).waitFor()
  expect(isRunning(first)).toBe(false)
  const [report = ''] = reportsIn(dataDir)
  expect(report).toContain('Error: a canary')
  expect(report).not.toContain('sk-e2e')
}

function reportsIn(dataDir: string): string[] {
  const folder = join(dataDir, 'crashes')
  return readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'))
}
