import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import { it as base } from '../fixtures/window.ts'
import { type CommandOptions, command, jsonLines, startCommand } from '../parts/command-line.ts'
import { BESIDE_OTHERS } from '../parts/service/environment.ts'
import { desktopProgram } from '../parts/window/desktop-app.ts'

const test = base
  .extend('settings', { scope: 'file' }, null)
  /** The command line of the package, where there is no display. */
  .extend(
    'options',
    { scope: 'file' },
    ({ keyring }) =>
      (dataDir: string, more: CommandOptions = {}): CommandOptions => {
        const { DISPLAY: _x, WAYLAND_DISPLAY: _w, ...env } = keyring.env
        return {
          ...more,
          program: [join(dirname(desktopProgram().path), 'bin', 'atelier')],
          env: {
            ...env,
            DISPLAY: '',
            SESSION_API_KEY: '',
            ATELIER_DATA_DIR: dataDir,
            ...BESIDE_OTHERS,
          },
        }
      },
  )

test.beforeAll(async ({ model, desktop }) => {
  const body = { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-test' }
  await desktop.service.client.call(storeSettings, { body })
})

test('the package has a command line, which works beside the open window and without a display', async ({
  options,
  desktop,
  model,
}) => {
  const run = (words: string[], more?: CommandOptions) => command(words, options(desktop.dataDir, more))
  const version = await run(['--version'])
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
  expect(await run(['list'])).toMatchObject({ code: 4, stderr: expect.stringContaining('atelier login') })
  expect(await run(['login', '--yes'])).toMatchObject({ code: 0 })

  model.setScript([
    { toolCalls: [{ name: 'terminal', arguments: { command: 'echo plums > jar.txt' } }] },
    { text: 'It is in the jar.' },
  ])
  const task = await run(['run', '-', '--follow', '--json'], { input: 'Fill the jar.' })
  expect(task).toMatchObject({ code: 0 })
  const lines = jsonLines(task.stdout)
  expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'finished', response: 'It is in the jar.' })
  expect((await run(['diff', lines[0].conversation_id])).stdout).toContain('+plums')

  model.setScript([{ toolCalls: [{ name: 'terminal', arguments: { command: 'sleep 60' } }] }])
  const running = startCommand(
    ['send', lines[0].conversation_id, 'Sleep.', '--follow', '--on-interrupt', 'stop'],
    options(desktop.dataDir),
  )
  await running.until(/● \$ sleep 60/)
  running.process.kill('SIGINT')
  expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Stopped.') })
})

test('the package serves without a window, and ends that', async ({ options }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-package-'))
  const run = (...words: string[]) => command(words, options(dataDir))
  try {
    expect((await run('list')).code).toBe(3)
    expect(await run('list', '--start')).toMatchObject({ code: 4, stderr: expect.stringContaining('The service runs') })
    expect((await run('login', '--yes')).code).toBe(0)
    expect(await run('list')).toMatchObject({ code: 0, stdout: '' })
    expect((await run('serve', '--stop')).code).toBe(0)
    expect(existsSync(join(dataDir, 'server.json'))).toBe(false)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
