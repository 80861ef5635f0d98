import { describe, expect } from 'vitest'
import { getSettingsV1 } from '../../server/api/v1/settings/settings.ts'
import { Atelier } from '../../server/client/atelier.ts'
import { openWebSocket } from '../../server/client/node/connect.ts'
import { it as base } from '../fixtures/service.ts'
import { type CommandOptions, command, jsonLines, startCommand } from '../parts/command-line.ts'

const test = base
  .extend(
    'atelier',
    { scope: 'file' },
    ({ service }) => new Atelier({ url: service.url, key: service.key, connect: openWebSocket }),
  )
  .extend('options', { scope: 'file' }, ({ service }) => (more: CommandOptions = {}): CommandOptions => {
    return {
      ...more,
      env: { ATELIER_DATA_DIR: service.dataDir, SESSION_API_KEY: service.key, ...more.env },
    }
  })
  .extend('run', { scope: 'file' }, ({ options }) => (words: string[], more?: CommandOptions) => {
    return command(words, options(more))
  })

const terminal = (line: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command: line } }] })

describe('a task', () => {
  test('is followed to its end: results on stdout, progress on stderr, 0', async ({ model, run }) => {
    model.setScript([terminal('echo plums > jar.txt; cat jar.txt'), { text: 'It is in the jar.' }])
    const { code, stdout, stderr } = await run(['run', 'Fill the jar.', '--follow', '--title', 'Jam'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '› Fill the jar.\n● $ echo plums > jar.txt; cat jar.txt\n  plums\nIt is in the jar.\n',
    })
    expect(stderr).toContain('Starting the sandbox')
    expect(stderr).toContain('Ctrl-C detaches')
  })

  test('is started, listed, shown, sent to, read and stopped by its id or the beginning of it', async ({
    model,
    run,
  }) => {
    model.setScript([terminal('echo 1 > one'), { text: 'One.' }])
    const { code, stdout, stderr } = await run(['run', '-', '--title', 'Count'], { input: 'Write one.\n' })
    expect(code).toBe(0)
    const id = stdout.trim()
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(stderr).toContain(`atelier attach ${id}`)
    const attached = await run(['attach', id.slice(0, 12), '--all'])
    expect(attached).toMatchObject({ code: 0, stdout: expect.stringContaining('› Write one.') })
    expect((await run(['list', '-n', '1'])).stdout).toBe(`${id}  finished                  Count\n`)
    const shown = (await run(['show', id])).stdout
    expect(shown).toContain('title: Count\nstatus: finished\n')
    expect(shown).toMatch(/\n\nOne\.\n$/)
    expect((await run(['diff', id])).stdout).toContain('+++ b/one\n')

    model.setScript([{ text: 'Two.' }])
    expect(await run(['send', id, 'And two.', '--follow'])).toMatchObject({
      code: 0,
      stdout: '› And two.\nTwo.\n',
    })
    model.setScript([terminal('sleep 60')])
    expect((await run(['send', id, 'Sleep.'])).code).toBe(0)
    expect((await run(['stop', id])).code).toBe(0)
    expect(await run(['attach', id])).toMatchObject({ code: 5, stderr: expect.stringContaining('paused') })
  })

  test('is lines of JSON for scripts, and no line has the key of a sandbox', async ({ model, run, atelier }) => {
    model.setScript([terminal('true'), { text: 'Done.' }])
    const { code, stdout } = await run(['run', 'Go.', '--follow', '--json'])
    const lines = jsonLines(stdout)
    expect(code).toBe(0)
    expect(lines[0]).toEqual({ type: 'conversation', conversation_id: expect.any(String) })
    expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'finished', response: 'Done.', error: null })
    const seqs = lines.filter(({ type }) => type === 'event').map(({ event }) => event.seq)
    expect(seqs).toEqual(seqs.map((_, index) => index))
    const id = lines[0].conversation_id
    const info = await atelier.conversation(id).info()
    expect(info.session_api_key).toBeTruthy()
    for (const words of [['list'], ['show', id], ['sandboxes']]) {
      const { stdout: shown } = await run([...words, '--json'])
      expect(jsonLines(shown).length).toBeGreaterThan(0)
      expect(shown).not.toContain(info.session_api_key)
    }
  })

  test('that fails is 1, that waits for a person is 5', async ({ model, run }) => {
    model.setScript([{ fault: 'authentication' }])
    const failed = await run(['run', 'Go.', '-f'])
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('The task failed.') })
    expect(failed.stdout).toContain('✗ ')
    model.setScript([terminal('touch made'), { text: 'Made.' }])
    const waiting = await run(['run', 'Go.', '-f', '--confirm-each', '--json'])
    expect(waiting).toMatchObject({ code: 5 })
    const id = jsonLines(waiting.stdout)[0].conversation_id
    expect((await run(['attach', id, '--confirm', 'accept'])).code).toBe(0)
    expect((await run(['diff', id, '--json'])).stdout).toBe('{"status":"ADDED","path":"made"}\n')
  })
})

describe('Ctrl-C', () => {
  test('detaches and says so; the agent goes on', async ({ model, options, atelier }) => {
    model.setScript([terminal('echo started; sleep 60')])
    const running = startCommand(['run', 'Sleep.', '-f', '--json'], options())
    await running.until(/ActionEvent/)
    running.process.kill('SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(130)
    const conversation = atelier.conversation(jsonLines(stdout)[0].conversation_id)
    expect(stderr).toContain(`Detached; the agent goes on. \`atelier attach ${conversation.id}\``)
    expect((await conversation.info()).execution_status).toBe('running')

    const again = startCommand(['attach', conversation.id, '--on-interrupt', 'stop'], options())
    await again.until(/● \$ echo started/)
    again.process.kill('SIGINT')
    expect(await again.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Stopped.') })
    expect((await conversation.wait()).status).toBe('paused')
  })

  test('while the sandbox starts cancels the start', async ({ options, run }) => {
    const running = startCommand(['run', 'Go.', '--title', 'Never'], options())
    await running.until(/Starting the sandbox/)
    running.process.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect({ code, cancelled: stderr.includes('cancelled') }).toEqual({ code: 130, cancelled: true })
    expect((await run(['list', '-n', '1'])).stdout).not.toContain('Never')
  })
})

describe('sandboxes and settings', () => {
  test('a sandbox is used without an agent', async ({ run }) => {
    const id = (await run(['sandboxes', 'start'])).stdout.trim()
    expect(await run(['sandboxes', 'exec', id, 'echo out; echo err >&2; exit 7'])).toEqual({
      code: 7,
      stdout: 'out\n',
      stderr: 'err\n',
    })
    expect((await run(['sandboxes', 'exec', id, '--', 'printf', '%s|', 'a b', "c'd"])).stdout).toBe("a b|c'd|\n")
    expect((await run(['sandboxes', 'pause', id])).code).toBe(0)
    expect((await run(['sandboxes'])).stdout).toContain(`${id}  PAUSED`)
    expect((await run(['sandboxes', 'exec', id, 'true'])).code).toBe(4)
    expect((await run(['sandboxes', 'delete', id])).code).toBe(0)
  })

  test('a setting is read and changed by its type, and a key only through stdin', async ({ run, service }) => {
    expect((await run(['settings', 'set', 'max_iterations', '77'])).code).toBe(0)
    expect((await run(['settings', 'set', 'git_user_name', '12'])).code).toBe(0)
    expect((await run(['settings', 'get', 'max_iterations'])).stdout).toBe('77\n')
    expect((await run(['settings', 'get', 'git_user_name', '--json'])).stdout).toBe('{"git_user_name":"12"}\n')
    expect((await run(['settings', 'set', 'max_iterations', 'null'])).code).toBe(0)
    expect(await run(['settings', 'set', 'max_iterations', 'many'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/max_iterations cannot have this value\. Invalid input: expected/),
    })
    expect((await run(['settings', 'set', 'nothing', '1'])).code).toBe(2)
    const refused = await run(['settings', 'set', 'search_api_key', 'tvly-secret'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('stdin') })
    expect(refused.stderr).not.toContain('tvly-secret')
    expect((await run(['settings', 'set', 'search_api_key', '-'], { input: 'tvly-secret\n' })).code).toBe(0)
    expect(await service.client.call(getSettingsV1)).toMatchObject({ search_api_key_set: true, max_iterations: null })
    expect((await run(['settings', 'get'])).stdout).not.toMatch(/tvly|^search_api_key=/m)
  })
})

test('what goes wrong has its exit code and a next step', async ({ run }) => {
  const wrong = { env: { SESSION_API_KEY: 'wrong' } }
  expect(await run(['list'], wrong)).toMatchObject({ code: 4, stderr: expect.stringContaining('refused the key') })
  expect(await run(['show', '0'.repeat(32)])).toMatchObject({ code: 4 })
  expect(await run(['show', 'nothing'])).toMatchObject({ code: 2, stderr: expect.stringContaining('atelier list') })
  expect((await run(['run'])).code).toBe(2)
  expect((await run(['run', ''])).code).toBe(2)
  expect((await run(['run', 'a', '--confirm', 'maybe'])).code).toBe(2)
  expect(await run(['list'], { env: { ATELIER_DATA_DIR: '/nowhere' } })).toMatchObject({ code: 3 })
  expect(await run(['list', '--url', 'http://127.0.0.1:1'])).toMatchObject({ code: 3 })
  const error = jsonLines((await run(['list', '--json'], wrong)).stdout)
  expect(error).toEqual([expect.objectContaining({ type: 'error', exit_code: 4 })])
})
