import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TerminalFrame } from '../../server/api/v1/sandbox/terminal-frames.ts'
import { createMask } from '../../server/secret/mask/mask.ts'
import { AgentShell } from '../../server/terminal/agent-shell.ts'
import { AgentShells } from '../../server/terminal/agent-shells.ts'

const SIZE = { cols: 256, rows: 50 }
const SECRET = 'sk-very-secret-value'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] }))
afterEach(() => void vi.useRealTimers())

/** One who reads everything at once. */
function look(shell: Pick<AgentShell, 'attach'>) {
  const frames: TerminalFrame[] = []
  let bytes = ''
  const viewer = shell.attach({
    tell: frame => frames.push(frame),
    show: piece => {
      bytes += piece.toString()
      queueMicrotask(() => viewer.acknowledge(piece.length))
    },
  })
  return {
    frames,
    viewer,
    /** What stands on the screen, without colours and modes. */
    text: async () => {
      await vi.advanceTimersByTimeAsync(2_000)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one
      return bytes.replace(/\x1b(?:\[[?!\d;]*[a-z]|[78>])/gi, '')
    },
  }
}

const newShell = (secrets: string[] = []) => new AgentShell({ mask: createMask(secrets), size: SIZE })

describe('the shell of an agent', () => {
  it('shows each command after a prompt, its output, and how it ended', async () => {
    const shell = newShell()
    const seen = look(shell)
    shell.began('ls', '/workspace/project')
    shell.showed(Buffer.from('a.txt\r\n'))
    shell.ended(0, 'command')
    shell.began('printf no-newline; false', '/workspace')
    shell.showed(Buffer.from('no-newline'))
    shell.ended(1, 'command')
    expect(await seen.text()).toBe(
      '/workspace/project $ ls\r\na.txt\r\n/workspace $ printf no-newline; false\r\nno-newline\r\n[Exit code 1]\r\n',
    )
    expect(seen.frames).toEqual([
      { type: 'owner', owner: 'agent' },
      { type: 'screen', ...SIZE, bytes: 0 },
    ])
  })

  it('shows a command with its lines, and nothing of it that a terminal would act on', async () => {
    const shell = newShell()
    shell.began('cat <<E\nx\x1b]52;c;aGk=\x07\u202ey\nE', '/w')
    expect(await look(shell).text()).toBe('/w $ cat <<E\r\n  x]52;c;aGk=y\r\n  E\r\n')
  })

  it('hides secrets in commands and in output, also where they come in pieces', async () => {
    const shell = newShell([SECRET])
    const seen = look(shell)
    shell.began(`echo ${SECRET}`, '/w')
    shell.showed(Buffer.from(`one ${SECRET.slice(0, 7)}`))
    shell.showed(Buffer.from(`${SECRET.slice(7)} two ${SECRET.slice(0, 9)}`))
    shell.ended(0, 'command')
    const text = await seen.text()
    expect(text).toMatch(/^\/w \$ echo <secret-hidden>\r\none <secret-hidden> two sk-very-s\r\n$/)
  })

  it('shows the end of output that waits, which looked like the beginning of a secret', async () => {
    const shell = newShell([SECRET])
    const seen = look(shell)
    shell.began('ask', '/w')
    shell.showed(Buffer.from('Which key? sk-very'))
    expect(await seen.text()).toMatch(/Which key\? sk-very$/)
  })

  it('keeps characters whole that come in pieces', async () => {
    const shell = newShell()
    const seen = look(shell)
    const bytes = Buffer.from('é→😀')
    for (const byte of bytes) shell.showed(Buffer.from([byte]))
    expect(await seen.text()).toBe('é→😀')
  })

  it('is there for who comes later, up to a bound', async () => {
    const shell = newShell()
    shell.began('seq', '/w')
    shell.showed(Buffer.from('here before\r\n'))
    expect(await look(shell).text()).toContain('here before')
  })

  it('leaves out the oldest of what comes faster than it is shown, says so, and never holds the agent up', async () => {
    const shell = newShell([SECRET])
    const seen = look(shell)
    shell.began('yes', '/w')
    for (let at = 0; at < 1_000; at++) shell.showed(Buffer.from(`${String(at).padStart(1_022, '.')}\r\n`))
    shell.ended(130, 'command')
    const text = await seen.text()
    expect(text).toMatch(/^\[\d+ KB are left out here\.\]\r\n/)
    expect(text).toContain('.999\r\n[Exit code 130]\r\n')
    expect(text.length).toBeLessThan(300_000)
  })

  it('refuses what is typed', () => {
    const { viewer } = look(newShell())
    expect(() => viewer.type(Buffer.from('x'))).toThrow('This is the shell of the agent.')
  })

  it('says that it has ended', async () => {
    const shell = newShell()
    shell.began('exit', '/w')
    shell.ended(0, 'shell')
    expect(await look(shell).text()).toContain('[The shell has ended.]')
  })
})

describe('the shells of agents', () => {
  it('are there for who looks before the agent has one, and for the agent when nobody looks', async () => {
    const shells = new AgentShells({ mask: createMask([]), size: SIZE })
    const early = look({ attach: sink => shells.attach('one', sink) })
    shells.watcherOf('one').showed(Buffer.from('seen'))
    expect(await early.text()).toBe('seen')
    early.viewer.detach()
    expect(await look({ attach: sink => shells.attach('one', sink) }).text()).toBe('seen')
  })

  it('are forgotten when the agent has none and nobody looks', async () => {
    const shells = new AgentShells({ mask: createMask([]), size: SIZE })
    shells.watcherOf('one').showed(Buffer.from('old'))
    shells.release('one')
    expect(await look({ attach: sink => shells.attach('one', sink) }).text()).toBe('')
  })
})
