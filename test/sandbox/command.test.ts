import { describe, expect } from 'vitest'
import type { ExecRequest } from '../../server/docker/engine.ts'
import { startProcess } from '../../server/sandbox/command/process.ts'
import { it as base } from '../fixtures/sandbox.ts'
import { isOnCluster } from '../parts/kubernetes/on-cluster.ts'

const test = base
  .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))
  /** How many processes have this command line. */
  .extend('processes', { scope: 'file' }, ({ sandbox }) => async (commandLine: string): Promise<number> => {
    const { stdout } = await sandbox.exec({ argv: ['ps', '-eo', 'args'] })
    return stdout.split('\n').filter(line => line.trim() === commandLine).length
  })

const sh = (script: string) => ['/bin/sh', '-c', script]

describe('a command', () => {
  test('gives its outputs apart, and its exit code', async ({ sandbox }) => {
    const result = await sandbox.exec({ argv: sh('echo out; echo err >&2; exit 7') })
    expect(result).toEqual({ exitCode: 7, stdout: 'out\n', stderr: 'err\n', timedOut: false })
  })

  test('gets its arguments as they are', async ({ sandbox }) => {
    const hostile = ['a b', '$(touch /tmp/pwned)', '"; exit 9 #', "it's", '', '-n', 'ümläut\n2']
    const result = await sandbox.exec({ argv: ['printf', '%s|', ...hostile] })
    expect(result.stdout).toBe(hostile.map(each => `${each}|`).join(''))
    expect(await sandbox.stat('/tmp/pwned')).toBeUndefined()
  })

  test('runs in the working folder unless told otherwise, with the given environment', async ({ sandbox }) => {
    const result = await sandbox.exec({ argv: sh('pwd; echo "$A"'), cwd: '/tmp', env: { A: 'x=y z' } })
    expect(result.stdout).toBe('/tmp\nx=y z\n')
    expect((await sandbox.exec({ argv: ['pwd'] })).stdout).toBe('/workspace/project\n')
  })

  test('in a folder that is not there is refused', async ({ sandbox }) => {
    await expect(sandbox.exec({ argv: ['pwd'], cwd: '/no/such' })).rejects.toMatchObject({ code: 'file_not_found' })
  })

  test('that does not exist ends with 127, as in a shell', async ({ sandbox }) => {
    const result = await sandbox.exec({ argv: ['no-such-command'] })
    expect(result.exitCode).toBe(127)
    expect(result.stderr).toContain('not found')
  })

  test('reads its input to the end', async ({ sandbox }) => {
    const bytes = Buffer.alloc(5_000_000, 'x')
    expect((await sandbox.exec({ argv: ['wc', '-c'], stdin: bytes })).stdout.trim()).toBe('5000000')
    expect((await sandbox.exec({ argv: ['cat'], stdin: '' })).stdout).toBe('')
    expect((await sandbox.exec({ argv: ['cat'] })).stdout).toBe('')
  })

  test('that does not read its input is no error', async ({ sandbox }) => {
    expect((await sandbox.exec({ argv: ['true'], stdin: Buffer.alloc(1_000_000) })).exitCode).toBe(0)
  })

  test('with too much output is cut between characters and goes on', async ({ sandbox }) => {
    const result = await sandbox.exec({
      argv: sh('i=0; while [ $i -lt 3000 ]; do printf äöü; i=$((i+1)); done; exit 3'),
      maxBytes: 1001,
    })
    expect(result.exitCode).toBe(3)
    expect(result.stdout).toBe(`${'äöü'.repeat(166)}äö`)
  })

  test('tells its output while it runs, characters whole', async ({ sandbox }) => {
    let seen = ''
    await sandbox.exec({
      argv: sh("printf '\\303'; sleep 0.05; printf '\\244\\n'; sleep 0.05; echo end"),
      onOutput: text => {
        seen += text
      },
    })
    expect(seen).toBe('ä\nend\n')
  })

  test('killed by a signal has the shell’s exit code for it', async ({ sandbox }) => {
    expect((await sandbox.exec({ argv: sh('kill -9 $$') })).exitCode).toBe(137)
  })

  test('twenty at a time do not mix', async ({ sandbox }) => {
    const numbers = Array.from({ length: 20 }, (_, index) => String(index))
    const results = await Promise.all(numbers.map(each => sandbox.exec({ argv: ['echo', each] })))
    expect(results.map(result => result.stdout.trim())).toEqual(numbers)
  })
})

describe('a command that takes too long', () => {
  test('is killed in the sandbox, with everything that it started', async ({ sandbox, processes }) => {
    const result = await sandbox.exec({
      argv: sh('sleep 1111 & setsid true; (sleep 1111; true) & echo begun; wait'),
      timeoutMs: 3000,
    })
    expect(result).toMatchObject({ exitCode: -1, timedOut: true, stdout: 'begun\n' })
    expect(await processes('sleep 1111')).toBe(0)
  })

  test('is killed even when it ignores being asked', async ({ sandbox, processes }) => {
    const began = Date.now()
    const result = await sandbox.exec({ argv: sh("trap '' TERM; while :; do sleep 1112; done"), timeoutMs: 200 })
    expect(result.timedOut).toBe(true)
    expect(Date.now() - began).toBeLessThan(6000)
    expect(await processes('sleep 1112')).toBe(0)
  })

  test('is killed by an abort, which is what the caller gets', async ({ sandbox, processes }) => {
    const stop = new AbortController()
    const running = sandbox.exec({
      argv: sh('echo ready; sleep 1113'),
      signal: stop.signal,
      onOutput: () => stop.abort(new Error('user stopped it')),
    })
    await expect(running).rejects.toThrow('user stopped it')
    expect(await processes('sleep 1113')).toBe(0)
  })

  test('is not even started after an abort', async ({ sandbox }) => {
    const aborted = sandbox.exec({ argv: sh('touch /tmp/never'), signal: AbortSignal.abort(new Error('no')) })
    await expect(aborted).rejects.toThrow('no')
    expect(await sandbox.stat('/tmp/never')).toBeUndefined()
  })

  test('is killed when the abort comes while it is being started', async ({ sandbox, processes }) => {
    const stop = new AbortController()
    const running = sandbox.exec({ argv: ['sleep', '1114'], signal: stop.signal })
    setImmediate(() => stop.abort(new Error('at once')))
    await expect(running).rejects.toThrow('at once')
    expect(await processes('sleep 1114')).toBe(0)
  })
})

test.skipIf(isOnCluster)('a time-out ends the wait also while the sandbox is paused', async ({ parts }) => {
  const { id } = await parts.sandboxes.start()
  const pausing = await parts.sandboxes.open(id)
  const container = parts.outside.getContainer(id)
  // The time that the first one needs for its shell is not the command's.
  await pausing.exec({ argv: ['true'] })
  const result = await pausing.exec({
    argv: sh('echo ready; sleep 1116'),
    timeoutMs: 3000,
    onOutput: () => void container.pause(),
  })
  expect(result).toMatchObject({ timedOut: true, stdout: 'ready\n' })
  await parts.sandboxes.delete(id)
})

test('a command whose sandbox is paused before it has begun is refused as one of a sandbox that does not run', async ({
  parts,
}) => {
  const { id } = await parts.sandboxes.start()
  const engine = parts.connection.engine()
  const pausing = new Proxy(engine, {
    get: (target, name) => {
      if (name !== 'exec') return Reflect.get(target, name).bind(target)
      // What the engine answers then, as if it came from the command.
      return async (container: string, request: ExecRequest) => {
        const stream = await engine.exec(container, {
          ...request,
          argv: sh('echo cannot exec in a paused state; exit 126'),
        })
        await stream.exitCode
        await engine.pauseContainer(container)
        return stream
      }
    },
  })
  const request = { argv: ['true'], cwd: '/', env: {}, stdin: false }
  await expect(startProcess({ engine: pausing, containerId: id }, request)).rejects.toMatchObject({
    code: 'sandbox_not_running',
  })
  await parts.sandboxes.delete(id)
})

test.skipIf(isOnCluster)(
  'a command whose sandbox was killed before the engine has heard of it is refused as one of a sandbox that does not run',
  async ({ parts }) => {
    const { id } = await parts.sandboxes.start()
    const engine = parts.connection.engine()
    let looks = 0
    const late = new Proxy(engine, {
      get: (target, name) => {
        if (name === 'exec') {
          const argv = sh('echo OCI runtime exec failed: setns process; exit 128')
          return (container: string, request: ExecRequest) => engine.exec(container, { ...request, argv })
        }
        if (name !== 'inspectContainer') return Reflect.get(target, name).bind(target)
        return async (container: string) => {
          if (++looks === 3) await parts.outside.getContainer(id).kill()
          return engine.inspectContainer(container)
        }
      },
    })
    const request = { argv: ['true'], cwd: '/', env: {}, stdin: false }
    await expect(startProcess({ engine: late, containerId: id }, request)).rejects.toMatchObject({
      code: 'sandbox_not_running',
    })
    await parts.sandboxes.delete(id)
  },
)

test.skipIf(isOnCluster)(
  'a command whose sandbox is removed under it ends, and the next one is refused in words',
  async ({ parts }) => {
    const { id } = await parts.sandboxes.start()
    const doomed = await parts.sandboxes.open(id)
    const running = doomed.exec({
      argv: sh('echo ready; sleep 1115'),
      onOutput: () => void parts.outside.getContainer(id).remove({ force: true }),
    })
    // Either the engine still knew that it was killed, or it knew nothing any more.
    const end = await running.then(
      result => result.exitCode,
      error => error.code,
    )
    expect([137, 'sandbox_not_running', 'sandbox_not_found']).toContain(end)
    await expect(doomed.exec({ argv: ['true'] })).rejects.toMatchObject({
      code: expect.stringMatching(/^sandbox_not_(running|found)$/),
    })
  },
)
