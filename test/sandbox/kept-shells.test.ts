import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, vi } from 'vitest'
import type { Engine } from '../../server/docker/engine.ts'
import type { CommandRequest } from '../../server/domain/sandbox-handle.ts'
import { runCommand } from '../../server/sandbox/command/command.ts'
import { KeptShells } from '../../server/sandbox/command/kept-shells.ts'
import { it as base } from '../fixtures/sandbox.ts'

const test = base
  .extend('id', { scope: 'file' }, async ({ parts: { sandboxes } }) => {
    const { id } = await sandboxes.start()
    // The shell that was prepared for it ends with that.
    await sandboxes.pause(id)
    await sandboxes.resume(id)
    return id
  })
  .extend(
    'containerId',
    { scope: 'file' },
    async ({ parts, id }) => (await parts.outside.getContainer(id).inspect()).Id,
  )
  .extend('processes', { scope: 'file' }, ({ parts, id }) => async (): Promise<number> => {
    return (await parts.outside.getContainer(id).top()).Processes.length
  })
  .extend('atFirst', { scope: 'file' }, ({ processes }) => processes())
  .extend(
    'run',
    { scope: 'file' },
    ({ parts, containerId }) =>
      (argv: string[], options: Partial<CommandRequest> = {}) => {
        const engine = new Proxy<Engine>(parts.connection.engine(), {
          get: (target, name) => {
            if (name === 'exec') execs++
            const value = Reflect.get(target, name)
            return typeof value === 'function' ? value.bind(target) : value
          },
        })
        return runCommand({ engine, containerId, shells }, { argv, cwd: '/tmp', ...options })
      },
  )

let shells: KeptShells
let execs: number
beforeEach(() => {
  shells = new KeptShells()
  execs = 0
  return () => shells.close()
})

const sh = (script: string) => ['/bin/sh', '-c', script]

test('short commands share a shell, and see nothing of each other', async ({ run }) => {
  const numbers = Array.from({ length: 20 }, (_, index) => String(index))
  for (const number of numbers) {
    const result = await run(sh(`echo "$A"; A=${number}; export A; cd /; printf ${number}; exit ${number}`))
    expect(result).toEqual({ exitCode: Number(number), stdout: `\n${number}`, stderr: '', timedOut: false })
  }
  expect((await run(['pwd'])).stdout).toBe('/tmp\n')
  expect(execs).toBe(1)
})

test('short commands at the same time share one too, in turn', async ({ run }) => {
  // However slow the machine is, nobody has waited for long.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const results = await Promise.all(['a', 'b', 'c', 'd'].map(letter => run(['echo', letter])))
    expect(results.map(({ stdout }) => stdout)).toEqual(['a\n', 'b\n', 'c\n', 'd\n'])
    expect(execs).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

test('of many who come at once, most get a shell that another has given back', async ({ run }) => {
  await Promise.all(Array.from({ length: 40 }, () => run(sh('i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done'))))
  expect(execs).toBeLessThan(10)
})

test('a command that has a shell of its own is stopped by one that waits', async ({ run }) => {
  await run(['true'])
  const foreign = run(sh('sleep 3333'), { isForeign: true, timeoutMs: 500 })
  expect((await foreign).timedOut).toBe(true)
  expect((await run(sh('grep -lz "^3333" /proc/[0-9]*/cmdline 2>/dev/null | wc -l'))).stdout.trim()).toBe('0')
  expect(execs).toBe(2)
})

test('a long command does not hold up others', async ({ run }) => {
  const isLongOver = vi.fn()
  const long = run(sh('until [ -e /tmp/end-of-long ]; do sleep 0.02; done')).then(isLongOver)
  await run(['true'])
  expect(isLongOver).not.toHaveBeenCalled()
  await run(['touch', '/tmp/end-of-long'])
  await long
  expect(execs).toBe(2)
})

test('lines of text are an input as they are, whatever is in them', async ({ run }) => {
  const lines = '$(id) `id` \\ \'a\' "b"\n\n  EOF\t\nümläut 💡\n'
  expect((await run(['cat'], { stdin: lines })).stdout).toBe(lines)
  expect((await run(['cat'], { stdin: Buffer.from(lines) })).stdout).toBe(lines)
  const many = `${'x'.repeat(999)}\n`.repeat(60)
  expect((await run(['cat'], { stdin: many })).stdout).toBe(many)
  expect((await run(['cat'])).stdout).toBe('')
  expect((await run(['true'], { stdin: many })).exitCode).toBe(0)
  expect(execs).toBe(1)
})

test.for<[string, string | Buffer]>([
  ['no end', 'a\nb'],
  ['NUL', 'a\0b\n'],
  ['other bytes', Buffer.from([0xff, 0x0a])],
  ['much', `${'x'.repeat(70_000)}\n`],
])('an input with %s comes through as well', async ([_, stdin], { run }) => {
  const { stdout } = await run(['od', '-An', '-v', '-tx1'], { stdin })
  expect(stdout.replace(/\s/g, '')).toBe(Buffer.from(stdin).toString('hex'))
})

test('what is foreign or has a secret gets an exec of its own', async ({ run }) => {
  await run(['true'])
  await run(['true'], { isForeign: true })
  await run(['true'], { env: { TOKEN: 'secret' } })
  expect(execs).toBe(3)
})

test('bytes of every kind come through, however many', async ({ run }) => {
  const { stdout, stderr } = await run(sh("head -c 900000 /dev/zero; printf end; printf '\\001' >&2"))
  expect(stdout).toBe(`${'\0'.repeat(900_000)}end`)
  expect(stderr).toBe('\x01')
})

test('a shell that the agent killed is replaced', async ({ run }) => {
  await run(['true'])
  const killed = await run(sh('kill -9 $PPID; sleep 0.1; echo late'))
  expect(killed.exitCode).toBe(137)
  expect((await run(['echo', 'again'])).stdout).toBe('again\n')
})

test('a command that was stopped takes its shell with it, and leaves nothing behind', async ({ run }) => {
  await run(['true'])
  const stopped = await run(sh("trap '' TERM; sleep 2222 & wait; sleep 2222"), { timeoutMs: 200 })
  expect(stopped.timedOut).toBe(true)
  expect((await run(sh('grep -lz "^2222" /proc/[0-9]*/cmdline 2>/dev/null | wc -l'))).stdout.trim()).toBe('0')
})

describe('a sandbox that somebody else has paused', () => {
  test('refuses a command, and does not carry it out later', async ({ run, parts, id }) => {
    await run(['true'])
    await parts.outside.getContainer(id).pause()
    await expect(run(['touch', '/tmp/late'])).rejects.toMatchObject({ code: 'sandbox_not_running' })
    await parts.outside.getContainer(id).unpause()
    await delay(200)
    expect((await run(['ls', '/tmp'])).stdout).not.toContain('late')
  })
})

test('of many shells at once three are kept, and none when the service closes', async ({ processes, atFirst, run }) => {
  await expect.poll(processes).toBe(atFirst)
  const held = [1, 2, 3].map(number => run(sh(`touch /tmp/held-${number}; until [ -e /tmp/go ]; do sleep 0.02; done`)))
  while ((await run(['ls', '/tmp'])).stdout.match(/held-/g)?.length !== 3) await delay(20)
  await run(['touch', '/tmp/go'])
  await Promise.all(held)
  await expect.poll(processes).toBe(atFirst + 3)
  shells.close()
  await expect.poll(processes).toBe(atFirst)
})
