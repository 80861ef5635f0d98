import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelContent } from '../../../server/event/model-text.ts'
import { createTerminal } from '../../../server/tools/terminal.ts'
import type { ToolHost } from '../../../server/tools/tool.ts'
import { canBe, type Inside, startTestSandbox, type TestSandbox } from '../../parts/engine/sandbox.ts'
import { WITH_BASH } from './bash-cases.ts'
import { PORTABLE } from './cases.ts'
import { outputOf, runSteps, TIMING } from './steps.ts'

const SHELLS: { shell: string; inside: Inside; cases: typeof PORTABLE }[] = [
  { shell: 'bash', inside: 'default', cases: [...PORTABLE, ...WITH_BASH] },
  { shell: 'dash', inside: 'dash', cases: PORTABLE },
  { shell: 'busybox ash', inside: 'busybox', cases: PORTABLE },
]

describe.each(SHELLS.filter(canBe))('the terminal with $shell', ({ inside, cases }) => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox(inside)
  })
  afterAll(() => sandbox?.close())

  test.concurrent.each(cases)('$name', async ({ steps }) => {
    await runSteps(hostOf(sandbox), steps)
  })
})

function hostOf(sandbox: TestSandbox, mask = (value: string) => value): ToolHost {
  return { sandbox: async () => sandbox.handle, mask }
}

describe('the terminal', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox?.close())

  test('shows beginning and end of a large output and saves the whole', async () => {
    const [observation] = await runSteps(hostOf(sandbox), [{ run: 'seq 1 20000', exit: 0 }])
    if (!observation) throw new Error('There is no observation.')
    const output = outputOf(observation)
    expect(output).toHaveLength(30_000)
    expect(output).toMatch(/^1\n2\n3\n/)
    expect(output).toMatch(/\n19999\n20000$/)
    const notice = /<response clipped><NOTE>.* (\/\S+\.txt); .* line (\d+)\./.exec(output)
    const [, path = '', line = ''] = notice ?? []
    expect(path.startsWith(`${observation.full_output_save_dir}/`)).toBe(true)
    const saved = await sandbox.handle.readFile(path)
    expect(saved.toString().trim().split('\n')).toHaveLength(20_000)
    expect(output.slice(0, output.indexOf('<response')).trim().split('\n')).toHaveLength(Number(line))
  })

  test('bears 100 MB of output with bounded memory', async () => {
    const before = process.memoryUsage.rss()
    const [observation] = await runSteps(hostOf(sandbox), [
      { run: 'yes 0123456789012345678901234567890123456789 | head -c 100000000; echo; echo end', timeout: 60, exit: 0 },
      { run: 'echo next', output: 'next' },
    ])
    if (!observation) throw new Error('There is no observation.')
    expect(outputOf(observation)).toHaveLength(30_000)
    expect(outputOf(observation)).toMatch(/\nend$/)
    expect(outputOf(observation)).toContain(
      'Its first 8 MB and its end (more than that is not kept) is in /tmp/.atelier/',
    )
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024)
  })

  test('rejects with the reason when aborted, and the next command finds a free shell', async () => {
    const terminal = createTerminal(hostOf(sandbox), TIMING)
    try {
      await run('X=kept')
      const controller = new AbortController()
      const reason = new Error('stop now')
      const running = run('echo begun; sleep 60', controller.signal, () => controller.abort(reason))
      await expect(running).rejects.toBe(reason)
      expect((await run('echo "$X"')).content).toEqual([{ type: 'text', text: 'kept' }])
    } finally {
      await terminal.close()
    }

    function run(command: string, signal = AbortSignal.timeout(20_000), onOutput: (tail: string) => void = () => {}) {
      return terminal.run(terminal.toAction({ command }), { signal, onOutput })
    }
  })

  test('kills a program that ignores the interruption when aborted', async () => {
    const terminal = createTerminal(hostOf(sandbox), TIMING)
    const controller = new AbortController()
    const action = terminal.toAction({ command: `trap '' INT; echo begun; sleep 4321` })
    const onOutput = () => controller.abort(new Error('stop now'))
    await expect(terminal.run(action, { signal: controller.signal, onOutput })).rejects.toThrow('stop now')
    await terminal.close()
    const { stdout } = await sandbox.handle.exec({ argv: ['ps', '-eo', 'args'] })
    expect(stdout).not.toContain('sleep 4321')
  })

  test('tells the end of the previous command, which nobody asked for, before the next', async () => {
    const terminal = createTerminal(hostOf(sandbox), TIMING)
    const context = { signal: AbortSignal.timeout(20_000), onOutput: () => {} }
    const slow = 'echo a; while [ ! -e /tmp/go ]; do sleep 0.05; done; echo b; rm /tmp/go; (exit 3)'
    await terminal.run(terminal.toAction({ command: slow, timeout: 2 }), context)
    // Nothing outside of the shell shows that it has read the exit code.
    const wait = 'touch /tmp/go; while [ -e /tmp/go ]; do sleep 0.05; done; sleep 3'
    await sandbox.handle.exec({ argv: ['/bin/sh', '-c', wait] })
    const observation = await terminal.run(terminal.toAction({ command: 'echo c' }), context)
    await terminal.close()
    const [told] = modelContent(observation)
    expect(told?.type === 'text' && told.text).toMatch(
      /^\[The previous command has completed with exit code 3 meanwhile.\]\n.*\nb\n\[.*\]\nc\n\[The command completed/,
    )
  })

  test('tells of a running command what it shows, at most five times a second', async () => {
    const terminal = createTerminal(hostOf(sandbox), TIMING)
    const tails: string[] = []
    const action = terminal.toAction({ command: 'for i in $(seq 1 40); do echo "step $i"; sleep 0.03; done' })
    const started = performance.now()
    await terminal.run(action, { signal: AbortSignal.timeout(20_000), onOutput: tail => tails.push(tail) })
    await terminal.close()
    expect(tails.length).toBeGreaterThan(1)
    expect(tails.length).toBeLessThanOrEqual((performance.now() - started) / 200)
    expect(tails.at(-1)).toMatch(/step \d+$/)
  })

  test('hides secret values in the output, the running output and the saved file', async () => {
    const secret = 'sk-very-secret-value'
    const mask = (value: string) => value.replaceAll(secret, '<secret-hidden>')
    const terminal = createTerminal(hostOf(sandbox, mask), TIMING)
    const tails: string[] = []
    const command = `s=sk-very-; s="$s"secret-value; seq 1 9000; echo "$s"; seq 1 9000; sleep 0.5; echo "$s"`
    const action = terminal.toAction({ command })
    const observation = await terminal.run(action, {
      signal: AbortSignal.timeout(20_000),
      onOutput: tail => tails.push(tail),
    })
    await terminal.close()
    expect(JSON.stringify([observation, tails])).not.toContain(secret)
    expect(JSON.stringify(observation)).toContain('<secret-hidden>')
    const { exitCode } = await sandbox.handle.exec({ argv: ['grep', '-rq', secret, '/tmp/.atelier'] })
    expect(exitCode).toBe(1)
  })

  test('leaves background jobs running and ends its shell when it is closed', async () => {
    const terminal = createTerminal(hostOf(sandbox), TIMING)
    const action = terminal.toAction({ command: 'sleep 3456 & nohup sleep 4567 > /dev/null 2>&1 &' })
    const observation = await terminal.run(action, { signal: AbortSignal.timeout(20_000), onOutput: () => {} })
    const pid = observation.kind === 'TerminalObservation' ? observation.metadata.pid : -1
    await terminal.close()
    const { stdout } = await sandbox.handle.exec({ argv: ['ps', '-eo', 'pid,args'] })
    expect(stdout).toContain('sleep 3456')
    expect(stdout).toContain('sleep 4567')
    expect(stdout).not.toMatch(new RegExp(`^ *${pid} `, 'm'))
  })

  test('knows where its shell stands, unless a command may be taking it elsewhere', async () => {
    const terminal = createTerminal(hostOf(sandbox), TIMING)
    const context = { signal: AbortSignal.timeout(20_000), onOutput: () => {} }
    const run = (given: Record<string, unknown>) => terminal.run(terminal.toAction(given), context)
    expect(terminal.cwd?.()).toBeUndefined()
    await run({ command: 'cd /var && true' })
    expect(terminal.cwd?.()).toBe('/var')
    await run({ command: 'read go; cd /etc', timeout: 0 })
    expect(terminal.cwd?.()).toBeNull()
    await run({ command: 'now', is_input: true })
    expect(terminal.cwd?.()).toBe('/etc')
    await run({ command: '', reset: true })
    expect(terminal.cwd?.()).toBe(sandbox.handle.workingDir)
    await terminal.close()
    expect(terminal.cwd?.()).toBeUndefined()
  })

  test('works although the start file of the shell replaces it', async () => {
    const own = await startTestSandbox()
    try {
      await own.handle.writeFile('/root/.bashrc', Buffer.from('exit 9\n'))
      await runSteps(hostOf(own), [{ run: 'echo works', output: 'works', exit: 0 }])
    } finally {
      await own.close()
    }
  })

  test('reads the start file of the shell, and keeps its own prompt', async () => {
    const own = await startTestSandbox()
    try {
      const startFile = `export FROM_FILE=1\nPROMPT_COMMAND='PS1="$ "'\nalias hi='echo hello'\n`
      await own.handle.writeFile('/root/.bashrc', Buffer.from(startFile))
      await runSteps(hostOf(own), [
        { run: 'echo "$FROM_FILE"', output: '1' },
        { run: 'hi', output: 'hello' },
      ])
    } finally {
      await own.close()
    }
  })

  test('says that the connection broke when the sandbox is removed under it', async () => {
    const own = await startTestSandbox()
    const terminal = createTerminal(hostOf(own), TIMING)
    const context = { signal: AbortSignal.timeout(20_000), onOutput: () => {} }
    await terminal.run(terminal.toAction({ command: 'true' }), context)
    const running = terminal.run(terminal.toAction({ command: 'sleep 60', timeout: 15 }), context)
    await own.close()
    const observation = await running
    expect(observation.kind === 'TerminalObservation' && observation.metadata.suffix).toMatch(/broke|ended/)
    await expect(terminal.run(terminal.toAction({ command: 'true' }), context)).rejects.toMatchObject({
      name: 'AppError',
    })
    await terminal.close()
  })
})
