import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { openPage } from '../../bench/process/launch.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/window.ts'
import { startCompositor } from '../../parts/desktop/compositor.ts'
import { freePort } from '../../parts/network/port.ts'
import { desktopEnv, desktopProgram, newDataDir, removeDataDir } from '../../parts/window/desktop-app.ts'

const WAYLAND = '--ozone-platform=wayland'

const test = base
  .extend('model', { scope: 'file' }, async ({}, { onCleanup }) => {
    const model = await startModelServer({
      script: [{ toolCalls: [{ name: 'terminal', arguments: { command: 'echo shown' } }] }, { text: 'It is shown.' }],
    })
    onCleanup(() => model.close())
    return model
  })
  .extend('compositor', { scope: 'file' }, async ({ keyring }, { onCleanup }) => {
    const compositor = await startCompositor(keyring.env)
    onCleanup(() => compositor.close())
    return compositor
  })
  .extend('desktopOptions', { scope: 'file' }, ({ compositor }) => {
    const { path, args } = desktopProgram()
    return { env: compositor.env, program: { path, args: [...args, WAYLAND] } }
  })

test('a task is written, carried out and shown', async ({ desktop }) => {
  const { page } = desktop
  await page.getByRole('textbox', { name: 'What should the agent do' }).fill('Show it.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('It is shown.').waitFor()
})

test('text is copied and pasted', async ({ desktop }) => {
  const { page, app } = desktop
  await page.evaluate(() => location.assign('#/'))
  const task = page.getByRole('textbox', { name: 'What should the agent do' })
  await task.fill('Copied.')
  await task.press('Control+a')
  await task.press('Control+c')
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe('Copied.')
  await task.press('Control+v')
  await task.press('Control+v')
  expect(await task.inputValue()).toBe('Copied.Copied.')
})

test('without X11 the app starts itself anew on Wayland, with the words that it was given', async ({ compositor }) => {
  const dataDir = newDataDir()
  const { path, args } = desktopProgram()
  const port = await freePort()
  const debugged = `--remote-debugging-port=${port}`
  const words = [...args, debugged, '--folder=/srv']
  const first = spawn(path, words, { env: desktopEnv(compositor.env, dataDir), stdio: 'ignore' })
  try {
    expect(await once(first, 'exit')).toEqual([0, null])
    await expect.poll(() => framesOf(port)).toBe('#/first-run')
    const commands = appsWith(debugged)
    expect(commands).toHaveLength(1)
    expect(commands[0]?.words).toEqual([path, WAYLAND, ...words])
  } finally {
    const pids = appsWith(debugged).map(({ pid }) => pid)
    for (const pid of pids) process.kill(pid, 'SIGTERM')
    await expect.poll(() => pids.some(isAlive)).toBe(false)
    await removeDataDir(dataDir)
  }
})

/** @returns the page, once it draws; undefined where it does not */
async function framesOf(port: number): Promise<unknown> {
  const drawn = `Promise.race([
    new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve(location.hash)))),
    new Promise(resolve => setTimeout(resolve, 1000)),
  ])`
  try {
    const window = await openPage(`http://127.0.0.1:${port}`)
    try {
      return await window.evaluate(drawn)
    } finally {
      window.close()
    }
  } catch {
    return undefined
  }
}

/** Until its files are closed. It is nobody's child here, so somebody else forgets it. */
function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  return existsSync(file) && !readFileSync(file, 'utf8').includes(') Z ')
}

/** The main processes that have this word. What they were started with may stand there as one text. */
function appsWith(word: string): { pid: number; words: string[] }[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .map(name => ({ pid: Number(name), words: readFileSync(`/proc/${name}/cmdline`, 'utf8').split(/[\0 ]+/) }))
    .map(({ pid, words }) => ({ pid, words: words.filter(each => each !== '') }))
    .filter(({ words }) => words.includes(word) && !words.some(each => each.startsWith('--type=')))
}
