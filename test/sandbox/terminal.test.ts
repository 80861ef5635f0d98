import { expect } from 'vitest'
import type { TerminalStream } from '../../server/domain/sandbox-handle.ts'
import { it as base } from '../fixtures/sandbox.ts'

const test = base.extend('sandbox', { scope: 'file' }, async ({ parts }) =>
  parts.sandboxes.open((await parts.sandboxes.start()).id),
)

test('a terminal has the size that it was opened with, and follows a change', async ({ sandbox }) => {
  const terminal = await sandbox.openTerminal({ argv: ['/bin/sh'], cols: 91, rows: 33 })
  const screen = watch(terminal)
  await terminal.write('stty size; echo fir""st\n')
  await screen.shows('33 91\r\nfirst')
  await terminal.resize(120, 40)
  await terminal.write('stty size; echo sec""ond\n')
  await screen.shows('40 120\r\nsecond')
  terminal.close()
  await terminal.ended
})

test('nothing from before the first listener is lost, and nothing of ours is shown', async ({ sandbox }) => {
  const terminal = await sandbox.openTerminal({ argv: ['/bin/sh', '-c', 'echo hello; echo bye'], cols: 80, rows: 24 })
  const screen = watch(terminal)
  expect(await terminal.ended).toBe(0)
  expect(screen.text()).toBe('hello\r\nbye\r\n')
})

test('a terminal ends with the exit code of its process', async ({ sandbox }) => {
  const terminal = await sandbox.openTerminal({ argv: ['bash'], cols: 80, rows: 24 })
  watch(terminal)
  await terminal.write('exit 42\n')
  expect(await terminal.ended).toBe(42)
})

test('C-c reaches the running command, and the shell goes on', async ({ sandbox }) => {
  const env = { PS1: '<ask> ', TERM: 'dumb' }
  const terminal = await sandbox.openTerminal({ argv: ['bash', '--norc'], cols: 80, rows: 24, env })
  const screen = watch(terminal)
  // One job for both: before it, the shell itself has the terminal, and the key would be the shell's.
  await terminal.write('(echo be""gun; exec sleep 2001)\n')
  await screen.shows('begun')
  await terminal.write('\x03')
  // What is typed before the shell asks again is thrown away, as in any terminal.
  await screen.shows('^C\r\n<ask> ')
  await terminal.write('echo "code $?"\n')
  await screen.shows('code 130')
  terminal.close()
  await terminal.ended
})

test('closing a terminal ends what runs in it, in the background too', async ({ sandbox }) => {
  const terminal = await sandbox.openTerminal({ argv: ['bash'], cols: 80, rows: 24 })
  const screen = watch(terminal)
  await terminal.write('sleep 2002 & sleep 2002 & echo be""gun; sleep 2002\n')
  await screen.shows('begun')
  terminal.close()
  await terminal.ended
  const { stdout } = await sandbox.exec({ argv: ['ps', '-eo', 'args'] })
  expect(stdout).not.toContain('sleep 2002')
})

test('an abort closes the terminal', async ({ sandbox }) => {
  const stop = new AbortController()
  const terminal = await sandbox.openTerminal({ argv: ['cat'], cols: 80, rows: 24, signal: stop.signal })
  watch(terminal)
  stop.abort()
  expect(await terminal.ended).not.toBe(0)
})

test('megabytes of output arrive whole', async ({ sandbox }) => {
  const terminal = await sandbox.openTerminal({
    argv: ['sh', '-c', 'yes 0123456789 | head -n 300000'],
    cols: 80,
    rows: 24,
  })
  let bytes = 0
  terminal.onData(chunk => {
    bytes += chunk.length
  })
  await terminal.ended
  expect(bytes).toBe(300_000 * 12)
})

function watch(terminal: TerminalStream): { text: () => string; shows: (text: string) => Promise<void> } {
  let seen = ''
  let wake = () => {}
  terminal.onData(chunk => {
    seen += chunk.toString()
    wake()
  })
  const shows = async (text: string): Promise<void> => {
    while (!seen.includes(text)) {
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  return { text: () => seen, shows }
}
