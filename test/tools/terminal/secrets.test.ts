import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTerminal } from '../../../server/tools/terminal.ts'
import type { ToolHost } from '../../../server/tools/tool.ts'
import { canBe, type Inside, startTestSandbox, type TestSandbox } from '../../parts/engine/sandbox.ts'
import { outputOf, TIMING } from './steps.ts'

const VALUE = `a "quoted" $HOME \`id\` %s \\n 'value'; with ${'x'.repeat(5000)}\nand a second line é`
const SHELLS: { shell: string; inside: Inside }[] = [
  { shell: 'bash', inside: 'default' },
  { shell: 'dash', inside: 'dash' },
  { shell: 'busybox ash', inside: 'busybox' },
]

describe.each(SHELLS.filter(canBe))('a secret that a command names, with $shell', ({ inside }) => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox(inside)
  })
  afterAll(() => sandbox?.close())

  test('is in the environment of that command, to the last character', async () => {
    const [, shown] = await run(['printf "%s" "$API_KEY" >/tmp/seen', 'echo $?'], { API_KEY: VALUE })
    expect(shown).toBe('0')
    expect((await sandbox.handle.readFile('/tmp/seen')).toString()).toBe(VALUE)
    await sandbox.handle.exec({ argv: ['rm', '/tmp/seen'] })
  })

  test('reaches the programs that the command starts, also several secrets at once', async () => {
    const [shown] = await run([`sh -c 'echo "$FIRST_KEY $SECOND_KEY"'`], { FIRST_KEY: 'one', SECOND_KEY: 'two' })
    expect(shown).toBe('one two')
  })

  test('is gone for the next command, and leaves the exit code and the functions as they were', async () => {
    const shown = await run(['(echo "$API_KEY" | wc -c; exit 3)', 'echo "$?"; set'], { API_KEY: 'the-value' })
    expect(shown[0]?.trim()).toBe('10')
    expect(shown[1]).toMatch(/^3\n/)
    expect(shown[1]).not.toContain('the-value')
  })

  test('is gone after a command that was interrupted or is no command at all', async () => {
    const shown = await run(['echo "$API_KEY', 'set', 'echo $((1/0)) $API_KEY', 'set'], { API_KEY: 'the-value' })
    expect(shown[1]).not.toContain('the-value')
    expect(shown[3]).not.toContain('the-value')
  })

  test('does not replace what the shell itself has set, nor take that away', async () => {
    const shown = await run(
      [
        'API_KEY=mine; export API_KEY',
        'echo "$API_KEY"',
        'sh -c \'echo "$API_KEY"\'',
        'unset API_KEY; echo "[$API_KEY]"',
      ],
      { API_KEY: 'the-value' },
    )
    expect(shown.slice(1)).toEqual(['mine', 'mine', '[]'])
  })

  test('works when the shell stops at errors, names unset variables or traces its commands', async () => {
    const shown = await run(['set -u', 'echo "$API_KEY"', 'unset API_KEY; echo kept', 'echo still here'], {
      API_KEY: 'the-value',
    })
    expect(shown.slice(1)).toEqual(['the-value', 'kept', 'still here'])
    const traced = await run(['set -x', 'test -n "$API_KEY"'], { API_KEY: 'traced-value' })
    expect(traced[1]?.match(/traced-value/g)).toHaveLength(1) // the trace of the command itself
  })

  test('is in no history and no file of the sandbox', async () => {
    await run(['echo "$API_KEY" >/dev/null', 'history 2>/dev/null; fc -l 2>/dev/null; true'], {
      API_KEY: 'never-on-disk',
    })
    for (const path of ['/root/.ash_history', '/root/.bash_history', '/.ash_history', '/.bash_history']) {
      const stat = await sandbox.handle.stat(path)
      if (stat) expect((await sandbox.handle.readFile(path)).toString()).not.toContain('never-on-disk')
    }
  })

  async function run(commands: string[], secrets: Record<string, string>): Promise<string[]> {
    const host: ToolHost = {
      sandbox: async () => sandbox.handle,
      mask: text => text,
      environmentFor: async command =>
        Object.fromEntries(Object.entries(secrets).filter(([name]) => command.includes(name))),
    }
    const terminal = createTerminal(host, TIMING)
    const shown: string[] = []
    try {
      for (const command of commands) {
        const context = { signal: AbortSignal.timeout(20_000), onOutput: () => {} }
        const observation = await terminal.run(terminal.toAction({ command }), context)
        if (observation.kind !== 'TerminalObservation') throw new Error('The terminal answered as another tool.')
        shown.push(outputOf(observation))
      }
    } finally {
      await terminal.close()
    }
    return shown
  }
})
