import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TerminalFrame } from '../../server/api/v1/sandbox/terminal-frames.ts'
import type { SharedShell } from '../../server/domain/shared-shell.ts'
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
  const sink = {
    tell: (frame: TerminalFrame) => void frames.push(frame),
    show: (piece: Buffer) => {
      bytes += piece.toString()
      queueMicrotask(() => viewer.acknowledge(piece.length))
    },
  }
  const refusals: unknown[] = []
  const viewer = shell.attach(sink, error => refusals.push(error))
  return {
    frames,
    refusals,
    viewer,
    /** What stands on the screen, without colours and modes. */
    text: async () => {
      await vi.advanceTimersByTimeAsync(2_000)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one
      return bytes.replace(/\x1b(?:\[[?!\d;]*[a-z]|[78>])/gi, '')
    },
  }
}

/** Nobody uses it. */
const UNUSED: SharedShell = { start: async () => {}, type: async () => {} }

const newShell = (secrets: string[] = [], shared = UNUSED) =>
  new AgentShell({ mask: createMask(secrets), size: SIZE, owner: 'agent', shared })
const newShells = (ownerOf: () => 'agent' | 'person' = () => 'person') =>
  new AgentShells({ mask: createMask([]), size: SIZE, sharedShells: () => ({ ownerOf, of: () => UNUSED }) })

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
    const running = (is: boolean) => ({ type: 'program', running: is })
    expect(seen.frames).toEqual([
      { type: 'owner', owner: 'agent' },
      running(false),
      { type: 'screen', ...SIZE, bytes: 0 },
      ...[true, false, true, false].map(running),
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

  it('hands on what is typed in its order, confirms it, and says what did not arrive', async () => {
    const typed: string[] = []
    const shell = newShell([], {
      ...UNUSED,
      type: async bytes => {
        if (bytes.length > 1) throw new Error('No program runs.')
        typed.push(bytes.toString())
      },
    })
    const { viewer, frames, refusals, text } = look(shell)
    for (const key of ['a', 'bc', 'd']) viewer.type(Buffer.from(key))
    await text()
    expect(typed).toEqual(['a', 'd'])
    expect(refusals).toEqual([new Error('No program runs.')])
    expect(frames.filter(({ type }) => type === 'typed').map(frame => 'bytes' in frame && frame.bytes)).toEqual([
      1, 2, 1,
    ])
  })

  it('takes no more typed bytes than its bound while the program reads none', () => {
    const { viewer } = look(newShell([], { ...UNUSED, type: () => new Promise(() => {}) }))
    const type = () => viewer.type(Buffer.alloc(300_000))
    expect(() => Array.from({ length: 10 }, type)).toThrow('More was typed than the program has read.')
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
    const shells = newShells()
    const early = look({ attach: (...given) => shells.attach('one', ...given) })
    shells.watcherOf('one').showed(Buffer.from('seen'))
    expect(await early.text()).toBe('seen')
    early.viewer.detach()
    expect(await look({ attach: (...given) => shells.attach('one', ...given) }).text()).toBe('seen')
  })

  it('say who gives them commands, and when that changes', async () => {
    let owner: 'agent' | 'person' = 'agent'
    const shells = newShells(() => owner)
    const { frames, text } = look({ attach: (...given) => shells.attach('one', ...given) })
    shells.notice('one')
    owner = 'person'
    shells.notice('one')
    shells.notice('two')
    await text()
    expect(frames.filter(({ type }) => type === 'owner')).toEqual([
      { type: 'owner', owner: 'agent' },
      { type: 'owner', owner: 'person' },
    ])
  })

  it('are forgotten when the agent has none and nobody looks', async () => {
    const shells = newShells()
    shells.watcherOf('one').showed(Buffer.from('old'))
    shells.release('one')
    expect(await look({ attach: (...given) => shells.attach('one', ...given) }).text()).toBe('')
  })
})
