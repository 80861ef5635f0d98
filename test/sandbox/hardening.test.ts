import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect } from 'vitest'
import { it as base } from '../fixtures/sandbox.ts'

const test = base
  .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))
  .extend('sh', { scope: 'file' }, ({ sandbox }) => (script: string) => {
    return sandbox.exec({ argv: ['/bin/sh', '-c', script] })
  })

test('the engine was told every limit', async ({ parts, sandbox }) => {
  const {
    HostConfig: host,
    Config: config,
    NetworkSettings: network,
  } = await parts.outside.getContainer(sandbox.id).inspect()
  expect(host).toMatchObject({
    Init: true,
    Privileged: false,
    PidsLimit: 1024,
    CapDrop: ['ALL'],
  })
  expect(host.SecurityOpt).toContain('no-new-privileges:true')
  expect(host.SecurityOpt).toContainEqual(expect.stringMatching(/^seccomp=\{"defaultAction":"SCMP_ACT_ERRNO"/))
  expect(host).toMatchObject({ IpcMode: 'private', CgroupnsMode: 'private', LogConfig: { Type: 'none' } })
  expect(host.Memory).toBeGreaterThan(2 ** 28)
  expect(host.MemorySwap).toBe(host.Memory)
  expect(host.NanoCpus).toBeGreaterThan(0)
  expect(Object.keys(network.Networks)).toEqual(['bridge'])
  expect(host.ExtraHosts).toEqual(['host.docker.internal:host-gateway'])
  expect(host.Binds ?? []).toEqual([])
  expect(JSON.stringify({ host, config })).not.toContain('docker.sock')
})

test('the session key is nowhere to be inspected', async ({ parts, sandbox, sh }) => {
  const { session_api_key: key } = await parts.sandboxes.get(sandbox.id)
  if (key === null) throw new Error('no key')
  expect(JSON.stringify(await parts.outside.getContainer(sandbox.id).inspect())).not.toContain(key)
  expect((await sh('env; cat /proc/1/environ')).stdout).not.toContain(key)
})

test('a process has the short list of capabilities and cannot gain any', async ({ sh }) => {
  const { stdout } = await sh('cat /proc/self/status')
  // CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, NET_BIND_SERVICE: bits 0, 1, 3, 4, 5, 6, 7, 10.
  const mask = '00000000000004fb'
  for (const set of ['CapPrm', 'CapEff', 'CapBnd']) expect(stdout).toMatch(new RegExp(`${set}:\\s*${mask}`))
  expect(stdout).toMatch(/NoNewPrivs:\s*1/)
  expect(stdout).toMatch(/Seccomp:\s*2/)
})

test('it sees control groups and shared memory of its own', async ({ sh }) => {
  const { stdout } = await sh('cut -d: -f3 /proc/1/cgroup | sort -u; ls /dev/shm | wc -l; wc -l </proc/sysvipc/shm')
  // The root of each hierarchy, nothing in /dev/shm, and the heading of the list of segments.
  expect(stdout).toBe('/\n0\n1\n')
  for (const kind of ['cgroup', 'ipc']) {
    const inside = (await sh(`readlink /proc/self/ns/${kind}`)).stdout.trim()
    expect(inside).toMatch(new RegExp(`^${kind}:\\[\\d+\\]$`))
    expect(inside).not.toBe(readlinkSync(`/proc/self/ns/${kind}`))
  }
})

test('a set-uid program gives an unprivileged user nothing', async ({ sh }) => {
  const script = `cp /bin/cat /tmp/cat-as-root && chmod 4755 /tmp/cat-as-root && echo secret >/tmp/only-root && chmod 600 /tmp/only-root
python3 -c 'import os; os.setgid(1000); os.setuid(1000); os.execv("/tmp/cat-as-root", ["cat", "/tmp/only-root"])'`
  const result = await sh(script)
  expect(result.exitCode).not.toBe(0)
  expect(result.stdout).not.toContain('secret')
})

test.for<[string, string]>([
  ['mounting', 'mount -t tmpfs none /mnt'],
  ['loading a module or a device node', 'mknod /tmp/sda b 8 0'],
  ['changing the clock', 'date -s 2001-01-01'],
  ['changing the network', 'python3 -c "import socket; s=socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"'],
  ['tracing the host', 'chroot /proc/1/root true'],
  ['writing kernel settings', 'echo 1 >/proc/sys/kernel/panic'],
])('%s is refused', async ([_name, script], { sh }) => {
  expect((await sh(script)).exitCode).not.toBe(0)
})

test('what installing packages needs works', async ({ sh }) => {
  const script =
    'touch /tmp/f && chown 33:33 /tmp/f && chmod 2770 /tmp/f && python3 -c "import os; os.setgroups([]); os.setgid(65534); os.setuid(65534)"'
  expect(await sh(script)).toMatchObject({ exitCode: 0, stderr: '' })
})

test('a fork bomb meets the limit, and the sandbox lives on', async ({ sh }) => {
  const bomb = `python3 -c '
import os, sys, time
made = []
try:
    for _ in range(3000):
        pid = os.fork()
        if pid == 0:
            time.sleep(60); os._exit(0)
        made.append(pid)
except BlockingIOError:
    pass
for pid in made: os.kill(pid, 9)
for pid in made: os.waitpid(pid, 0)
print(len(made))
'`
  const result = await sh(bomb)
  expect(Number(result.stdout)).toBeGreaterThan(500)
  expect(Number(result.stdout)).toBeLessThan(1024)
  expect((await sh('echo alive')).stdout).toBe('alive\n')
})

test('published ports are reached on 127.0.0.1 and on no other address of this machine', async ({ parts, sandbox }) => {
  const worker = (await parts.sandboxes.get(sandbox.id)).exposed_urls?.find(each => each.name === 'WORKER_1')
  if (!worker) throw new Error('no WORKER_1')
  const { HostConfig: host, NetworkSettings: network } = await parts.outside.getContainer(sandbox.id).inspect()
  const bindings = Object.values(network.Ports).flat()
  expect(bindings.length).toBeGreaterThanOrEqual(2)
  expect(bindings.every(binding => binding.HostIp === '127.0.0.1')).toBe(true)
  expect(JSON.stringify(host.PortBindings)).not.toContain('0.0.0.0')
  const stop = new AbortController()
  const served = new Promise<void>(resolve => {
    const script =
      'import http.server,sys; s=http.server.HTTPServer(("0.0.0.0",8011),http.server.SimpleHTTPRequestHandler); print("up",flush=True); s.serve_forever()'
    void sandbox
      .exec({ argv: ['python3', '-c', script], cwd: '/etc/apt', signal: stop.signal, onOutput: () => resolve() })
      .catch(() => {})
  })
  await served
  const answer = await fetch(worker.url)
  expect(answer.status).toBe(200)
  for (const address of otherAddresses()) expect(await reachable(address, worker.port)).toBe(false)
  stop.abort()
})

test('the machine is known by name inside, for servers that the user runs', async ({ sh }) => {
  expect((await sh('grep host.docker.internal /etc/hosts')).stdout).toMatch(/^\d+\.\d+\.\d+\.\d+/)
})

function otherAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return all.filter(each => !each.internal && each.family === 'IPv4').map(each => each.address)
}

async function reachable(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: 2000 })
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'timeout').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return outcome
}
