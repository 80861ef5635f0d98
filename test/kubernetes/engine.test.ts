import { randomBytes } from 'node:crypto'
import { buffer, text } from 'node:stream/consumers'
import { extract, pack } from 'tar-stream'
import { expect } from 'vitest'
import type { ContainerRequest, ExecRequest } from '../../server/docker/engine.ts'
import type { ClusterEngine } from '../../server/kubernetes/engine.ts'
import { it as base } from '../fixtures/base.ts'
import { IMAGE, openEngine } from '../parts/kubernetes/cluster.ts'

const INSTANCE = `test-${randomBytes(6).toString('hex')}`
const LABELS = { 'dev.atelier.instance': INSTANCE }

const it = base
  .extend('engine', { scope: 'file' }, async ({}, { onCleanup }) => {
    const engine = await openEngine()
    onCleanup(async () => {
      for (const object of await engine.listObjects(LABELS)) await engine.removeObject(object)
      await engine.close()
    })
    return engine
  })
  .extend('container', { scope: 'file' }, async ({ engine }) => {
    const id = await engine.createContainer(request())
    await engine.startContainer(id)
    return id
  })

function request(more: Partial<ContainerRequest> = {}): ContainerRequest {
  return {
    name: `atelier-${randomBytes(6).toString('base64url')}`,
    image: IMAGE,
    entrypoint: ['/bin/sh', '-c', 'exec sleep 2147483647'],
    command: [],
    workingDir: '/workspace',
    env: { GREETING: 'hello $(HOME)' },
    labels: LABELS,
    ports: [],
    user: '0:0',
    openStdin: true,
    memoryBytes: 512 * 2 ** 20,
    cpus: 1,
    pids: 1000,
    capabilities: { drop: ['ALL'], add: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETUID', 'SETGID', 'KILL'] },
    network: 'bridge',
    extraHosts: [],
    mounts: [],
    ...more,
  }
}

async function run(engine: ClusterEngine, id: string, asked: ExecRequest, input?: Buffer) {
  const stream = await engine.exec(id, { ...asked, ...(input && { stdin: true }) })
  const outputs = Promise.all([text(stream.stdout), text(stream.stderr), stream.exitCode])
  if (input) {
    await stream.write(input)
    stream.endInput()
  }
  const [stdout, stderr, exitCode] = await outputs
  return { stdout, stderr, exitCode }
}

const sh = (engine: ClusterEngine, id: string, script: string, input?: Buffer) =>
  run(engine, id, { argv: ['/bin/sh', '-c', script] }, input)

it('says what the cluster has', async ({ engine }) => {
  await engine.ping(AbortSignal.timeout(5000))
  const info = await engine.info()
  expect(info).toMatchObject({ name: 'Kubernetes', canConnectLater: false, folder: null })
  expect(info.cpus).toBeGreaterThan(0)
  expect(info.memoryBytes).toBeGreaterThan(2 ** 30)
})

it('runs commands with variables, a folder, both outputs and an exit code', async ({ engine, container }) => {
  const env = { SECRET: `a'b\n"$HOME" \`x\` ${'long'.repeat(500)}`, n: '1', 'dotted.name': 'x' }
  const script = 'printf %s "$SECRET"; echo "$n $GREETING" >&2; pwd >&2; exit 7'
  const outcome = await run(engine, container, { argv: ['/bin/sh', '-c', script], env, cwd: '/tmp' })
  expect(outcome).toEqual({ stdout: env.SECRET, stderr: '1 hello $(HOME)\n/tmp\n', exitCode: 7 })
  expect((await run(engine, container, { argv: ['env'], env })).stdout).toContain('\ndotted.name=x\n')
})

it('carries input to its end, and what a program does not read', async ({ engine, container }) => {
  const bytes = randomBytes(5_000_000)
  const counted = await sh(engine, container, 'md5sum; wc -c </dev/null', bytes)
  const { createHash } = await import('node:crypto')
  expect(counted.stdout).toBe(`${createHash('md5').update(bytes).digest('hex')}  -\n0\n`)
  expect((await sh(engine, container, 'exit 4', bytes)).exitCode).toBe(4)
  expect((await sh(engine, container, 'kill -9 $$', Buffer.from('x'))).exitCode).toBe(137)
  expect((await sh(engine, container, 'cat')).stdout).toBe('')
})

it('says the session of a program that has input, so that it can be stopped', async ({ engine, container }) => {
  const stream = await engine.exec(container, { argv: ['/bin/sh', '-c', 'echo $$; ps -o sid= $$; cat'], stdin: true })
  await stream.begun
  stream.endInput()
  const [pid, session] = (await text(stream.stdout)).split('\n')
  expect(session?.trim()).toBe(pid)
  expect(await stream.exitCode).toBe(0)
})

it('gives a terminal its size, its input and nothing of what started it', async ({ engine, container }) => {
  const asked = { argv: ['/bin/sh', '-c', 'stty size; read -r line; echo "got $line $TOKEN"; stty size; exit 3'] }
  const stream = await engine.exec(container, { ...asked, env: { TOKEN: 'hidden' }, tty: { cols: 90, rows: 30 } })
  const shown: string[] = []
  stream.stdout.on('data', chunk => shown.push(String(chunk).replaceAll('\r', '')))
  const screen = () => shown.join('')
  await expect.poll(screen).toBe('30 90\n')
  await stream.resize(100, 40)
  await stream.write('typed\n')
  await expect.poll(screen).toBe('30 90\ntyped\ngot typed hidden\n40 100\n')
  expect(await stream.exitCode).toBe(3)
})

it('holds back a program whose output nobody reads, and ends with its signal', async ({ engine, container }) => {
  const giveUp = new AbortController()
  const stream = await engine.exec(container, { argv: ['/bin/sh', '-c', 'yes; exit 1'], signal: giveUp.signal })
  await stream.begun
  const before = engine.receivedBytes()
  let last = before
  const hasStopped = () => {
    const now = engine.receivedBytes()
    const isSame = now === last && now > before
    last = now
    return isSame
  }
  await expect.poll(hasStopped, { interval: 300 }).toBe(true)
  expect(last - before).toBeLessThan(8 * 2 ** 20)
  giveUp.abort()
  stream.stdout.resume()
  expect(await stream.exitCode).toBe(-1)
})

it('carries files in both directions, and knows what is where', async ({ engine, container }) => {
  const content = randomBytes(3_000_000)
  const archive = pack()
  archive.entry({ name: 'a [b] ?.bin', mode: 0o640 }, content)
  archive.finalize()
  await engine.putArchive(container, '/workspace', await buffer(archive))
  const found = await engine.statPath(container, '/workspace/a [b] ?.bin')
  expect(found).toMatchObject({ kind: 'file', sizeBytes: content.length, mode: 0o640, target: undefined })
  const files = extract()
  ;(await engine.getArchive(container, '/workspace/a [b] ?.bin')).pipe(files)
  for await (const entry of files) expect((await buffer(entry)).equals(content)).toBe(true)
  await sh(engine, container, 'ln -s nowhere /workspace/link')
  expect(await engine.statPath(container, '/workspace/link')).toMatchObject({
    kind: 'link',
    target: '/workspace/nowhere',
  })
  expect(await engine.statPath(container, '/workspace/none')).toBeUndefined()
  await expect(engine.getArchive(container, '/none')).rejects.toMatchObject({ code: 'file_not_found' })
  await expect(engine.putArchive(container, '/none', Buffer.alloc(1024))).rejects.toMatchObject({
    code: 'file_not_found',
  })
})

it('keeps the folder of a paused sandbox, and nothing that ran', async ({ engine }) => {
  const id = await engine.createContainer(request({ user: '1000:1000' }))
  expect((await engine.inspectContainer(id))?.status).toBe('created')
  await engine.startContainer(id)
  const before = await engine.inspectContainer(id)
  expect(before).toMatchObject({ status: 'running', networks: ['bridge'], name: id, labels: LABELS })
  expect((await sh(engine, id, 'id -u; echo kept >note')).stdout).toBe('1000\n')
  await engine.pauseContainer(id)
  expect(await engine.inspectContainer(id)).toMatchObject({
    status: 'paused',
    networks: [],
    startedAt: before?.startedAt,
  })
  await expect(engine.exec(id, { argv: ['true'] })).rejects.toMatchObject({ code: 'sandbox_not_running' })
  await engine.unpauseContainer(id)
  const after = await engine.inspectContainer(id)
  expect(after?.status).toBe('running')
  expect(after?.startedAt).not.toBe(before?.startedAt)
  expect((await sh(engine, id, 'cat note')).stdout).toBe('kept\n')
  await engine.removeContainer(id)
  await expect.poll(() => engine.inspectContainer(id)).toBeUndefined()
  await expect.poll(async () => (await engine.listObjects(LABELS)).filter(({ name }) => name === id)).toEqual([])
})

it('is started once by two at once, and ended by a pause while it starts', async ({ engine }) => {
  const id = await engine.createContainer(request())
  await Promise.all([engine.startContainer(id), engine.startContainer(id)])
  const first = await engine.inspectContainer(id)
  expect(first?.status).toBe('running')
  expect((await sh(engine, id, 'echo up')).stdout).toBe('up\n')
  await engine.pauseContainer(id)
  const resumed = engine.unpauseContainer(id).catch(() => {})
  await engine.pauseContainer(id)
  await resumed
  const paused = await engine.inspectContainer(id)
  expect(paused?.status).toBe('paused')
  expect(paused?.error).toBeUndefined()
  await engine.removeContainer(id)
})

it('waits for no program that a command with input has left behind', async ({ engine, container }) => {
  const script = 'cat; (while :; do echo more; echo worse >&2; done) & echo $! >/tmp/behind; exit 3'
  expect((await sh(engine, container, script, Buffer.from('given'))).exitCode).toBe(3)
  await sh(engine, container, 'kill -9 $(cat /tmp/behind)')
})

it('gives up on a measurement that a sandbox does not let end', async ({ engine }) => {
  const id = await engine.createContainer(request())
  await engine.startContainer(id)
  // What reads the figures starts a shell.
  await sh(engine, id, 'mv /bin/sh /bin/real; printf "#!/bin/real\\nexec sleep 1000\\n" >/bin/sh; chmod +x /bin/sh')
  await expect(engine.containerStats(id)).rejects.toThrow('did not end within 5 s')
  await engine.removeContainer(id)
})

it('measures what it takes', async ({ engine, container }) => {
  const stats = await engine.containerStats(container)
  expect(stats.memoryBytes).toBeGreaterThan(10_000)
  expect(stats.memoryLimitBytes).toBe(512 * 2 ** 20)
  expect((await engine.containerWork(container)).cpuMilliseconds).toBeGreaterThan(1)
})
