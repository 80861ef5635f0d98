import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import { ImageBuilder } from '../../../server/sandbox/build/builder.ts'
import { it as base, greeting } from '../../fixtures/allowlist.ts'
import { listenEverywhere } from '../../parts/network/reach.ts'
import type { Parts } from '../parts.ts'

const test = base.extend('build', { scope: 'file' }, ({ parts }, { onCleanup }) => {
  const { connection, images, instanceId, sandboxes } = parts
  const builder = new ImageBuilder({
    connection,
    images,
    instanceId,
    hold: name => sandboxes.hold(name),
    allowedHosts: () => [],
    resourceFactor: async () => null,
  })
  const made: string[] = []
  onCleanup(async () => {
    for (const reference of made)
      await parts.outside
        .getImage(reference)
        .remove({ force: true })
        .catch(() => {})
  })
  return async (
    dockerfile: string,
    { onLine = (_line: string, _reference: string) => {}, signal = new AbortController().signal } = {},
  ) => {
    const reference = `atelier-test/built:${randomBytes(6).toString('hex')}`
    made.push(reference)
    const lines: string[] = []
    const listener = {
      onLine: (line: string) => {
        lines.push(line)
        onLine(line, reference)
      },
      onPull: () => {},
      onWait: () => {},
    }
    const labels = { 'dev.atelier.test-build': reference }
    await builder.build(reference, { dockerfile, labels }, { listener, signal }).catch(error => {
      throw Object.assign(error, { lines, reference })
    })
    return { reference, lines }
  }
})

/** All containers of the engine that run a step of this build. */
async function stepsOf({ outside }: Parts, reference: string): Promise<string[]> {
  const all = await outside.listContainers({ all: true, filters: { label: [`dev.atelier.test-build=${reference}`] } })
  return all.map(({ Id }) => Id)
}

/** As a step runs it; quotes and line ends do not matter. */
function python(script: string): string {
  return `RUN echo ${Buffer.from(script).toString('base64')} | base64 -d | python3 -`
}

test('a Dockerfile becomes an image, and its log is followed', async ({ parts, build }) => {
  const noise = String.raw`RUN printf 'one\033[31m two\007\rthree\n'; echo four > /five`
  const { reference, lines } = await build(`FROM ${parts.images.reference}\n${noise}`)
  expect(lines).toContain('three')
  expect(lines.some(line => line.startsWith('Step 1/'))).toBe(true)
  expect(lines.join('')).not.toMatch(/\p{Cc}/u)
  const spec = await parts.specs.create(sandboxSpecRequest.parse({ title: 'Built', image: reference }))
  const { id } = await parts.sandboxes.start(spec.id)
  const sandbox = await parts.sandboxes.open(id)
  expect((await sandbox.exec({ argv: ['cat', '/five'] })).stdout).toBe('four\n')
  await parts.sandboxes.delete(id)
})

test('a step has no more processes than a sandbox', async ({ parts, build }) => {
  const look = 'cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max 2>/dev/null'
  const { lines } = await build(`FROM ${parts.images.reference}\nRUN for n in 1 2 3 4 5; do ${look}; sleep 0.2; done`)
  expect(lines).toContain('1024')
})

test('a step that fails says so with its code, and leaves no container', async ({ parts, build }) => {
  const failed = await build(`FROM ${parts.images.reference}\nRUN echo before; exit 7`).catch(error => error)
  expect(failed).toMatchObject({ code: 'image_build_failed', message: expect.stringContaining('7') })
  expect(failed.lines).toContain('before')
  expect(await stepsOf(parts, failed.reference)).toEqual([])
})

test('a cancelled build ends in the engine, with the container of its step', async ({ parts, build }) => {
  const cancel = new AbortController()
  const events = await parts.outside.getEvents({ filters: { type: ['container'], event: ['destroy'] } })
  const isGone = (reference: string) =>
    new Promise<void>(resolve => {
      events.on('data', (event: Buffer) => event.includes(reference) && resolve())
    })
  let gone: Promise<void> | undefined
  const onLine = (line: string, reference: string) => {
    if (line !== 'begun') return
    gone = isGone(reference)
    cancel.abort(new Error('changed my mind'))
  }
  const dockerfile = `FROM ${parts.images.reference}\nRUN echo begun; sleep 1000`
  const failed = await build(dockerfile, { onLine, signal: cancel.signal }).catch(error => error)
  expect(failed.message).toBe('changed my mind')
  await gone
  expect(await stepsOf(parts, failed.reference)).toEqual([])
})

test('a step reaches the internet and nothing else, also with packets that it writes itself', async ({
  parts,
  build,
  internet,
}) => {
  const listener = await listenEverywhere()
  const { lines } = await build(`FROM ${parts.images.reference}
RUN curl -sS -m 20 http://${internet.address}:${internet.ports.http}/
${python(ATTACK.replaceAll('PORT', String(listener.port)))}`)
  await listener.close()
  expect(lines).toContain(greeting(internet.address, internet.ports.http))
  expect(lines).toContain('connect: refused')
  expect(lines).toContain('packets: sent')
  expect(listener.visits()).toBe(0)
})

/** Goes to the engine's machine: by a connection, and by frames that no rule for connections sees. */
const ATTACK = `
import socket, struct
route = next(line.split() for line in open('/proc/net/route') if line.split()[1] == '00000000')
gateway = socket.inet_ntoa(struct.pack('<I', int(route[2], 16)))
try:
    socket.create_connection((gateway, PORT), 5); print('connect: open')
except OSError as error:
    print('connect:', 'silent' if isinstance(error, socket.timeout) else 'refused')
neighbours = [line.split() for line in open('/proc/net/arp')][1:]
to = bytes.fromhex(next(n[3] for n in neighbours if n[0] == gateway).replace(':', ''))
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); s.bind((route[0], 0))
own = s.getsockname()[4]
probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); probe.connect(('8.8.8.8', 9)); address = probe.getsockname()[0]
def checksum(data):
    total = sum(struct.unpack('!10H', data)); total = (total >> 16) + (total & 65535)
    return ~(total + (total >> 16)) & 65535
def frame(source):
    udp = struct.pack('!4H', 5000, PORT, 13, 0) + b'hello'
    def ip(check): return struct.pack('!BBHHHBBH4s4s', 69, 0, 20 + len(udp), 1, 0, 64, 17, check, socket.inet_aton(source), socket.inet_aton(gateway))
    return to + own + b'\\x08\\x00' + ip(checksum(ip(0))) + udp
for direct in (0, 1):
    s.setsockopt(263, 20, direct)
    for source in (address, '8.8.8.8'):
        try: s.send(frame(source))
        except OSError: pass
print('packets: sent')
`

test('one that would have the engine fetch something is refused before anything is built', async ({ parts, build }) => {
  const failed = await build(`FROM ${parts.images.reference}\nADD http://127.0.0.1:1/ /x`).catch(error => error)
  expect(failed).toMatchObject({ code: 'bad_request', lines: [] })
})

test('a base image that would have the engine fetch something is refused', async ({ parts, build }) => {
  const { id } = await parts.outside.createContainer({ Image: parts.images.reference ?? '' })
  const container = parts.outside.getContainer(id)
  const trigger = { repo: 'atelier-test/trigger', tag: '1', changes: 'ONBUILD ADD http://127.0.0.1:1/ /x' }
  await container.commit(trigger)
  await container.remove()
  const failed = await build('FROM atelier-test/trigger:1').catch(error => error)
  await parts.outside.getImage('atelier-test/trigger:1').remove()
  expect(failed).toMatchObject({ code: 'bad_request', message: expect.stringContaining('atelier-test/trigger:1') })
})
