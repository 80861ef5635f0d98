import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { it as base } from '../../fixtures/service.ts'
import { startGatewaySandbox } from '../../parts/client/gateway.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('gateway', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)
  .extend(
    'run',
    { scope: 'file' },
    ({ gateway }) =>
      async (command: string): Promise<{ exit_code: number; stdout: string | null; stderr: string | null }> => {
        const { body } = await gateway.call('POST', '/api/bash/execute_bash_command', { command, timeout: 30 })
        return body
      },
  )

/** Calls the kernel itself, so that no program's own check is in the way. @returns the name of what it refused with */
const kernelCall = (numbers: { x86_64: number; aarch64: number }, args: string) => `python3 -c '
import ctypes, errno, platform
libc = ctypes.CDLL(None, use_errno=True)
number = ${JSON.stringify(numbers).replaceAll("'", '"')}[platform.machine()]
done = libc.syscall(number, ${args})
print("done" if done >= 0 else errno.errorcode[ctypes.get_errno()])
'`

const CLONE_NEWUSER = 0x10000000
const CLONE_NEWNS = 0x00020000

describe('from inside a sandbox', () => {
  it.for<[string, { x86_64: number; aarch64: number }, string]>([
    ['mount', { x86_64: 165, aarch64: 40 }, 'b"none", b"/mnt", b"tmpfs", 0, 0'],
    ['unshare of users', { x86_64: 272, aarch64: 97 }, String(CLONE_NEWUSER)],
    ['unshare of mounts', { x86_64: 272, aarch64: 97 }, String(CLONE_NEWNS)],
    ['chroot', { x86_64: 161, aarch64: 51 }, 'b"/proc/1/root"'],
    ['bpf', { x86_64: 321, aarch64: 280 }, '0, 0, 0'],
    ['keyctl', { x86_64: 250, aarch64: 219 }, '0, -4, 0'],
    ['add_key', { x86_64: 248, aarch64: 217 }, 'b"user", b"name", b"value", 5, -4'],
    ['loading a module', { x86_64: 313, aarch64: 273 }, '0, b"", 0'],
    ['opening a file of the host by its handle', { x86_64: 304, aarch64: 265 }, '-100, 0, 0'],
    ['a performance counter', { x86_64: 298, aarch64: 241 }, '0, 0, -1, -1, 0'],
  ])('the kernel refuses %s', async ([_name, numbers, args], { run }) => {
    const { stdout, stderr } = await run(kernelCall(numbers, args))
    expect(stderr).toBeNull()
    expect(['EPERM', 'ENOSYS', 'EACCES']).toContain(stdout?.trim())
  })

  it('no device node is made that could be opened', async ({ run }) => {
    expect((await run('mknod /tmp/disk b 8 0 && head -c 1 /tmp/disk')).exit_code).not.toBe(0)
  })

  it('the socket of the engine is nowhere', async ({ run }) => {
    const { stdout } = await run(
      'find / -xdev -name "docker*.sock" -o -xdev -name "containerd*.sock" -o -xdev -name "podman*.sock" 2>/dev/null; echo looked',
    )
    expect(stdout).toBe('looked\n')
    const host = process.env.DOCKER_HOST ?? ''
    const path = host.replace('unix://', '')
    expect(existsSync(path)).toBe(true)
    expect((await run(`test -e ${path}`)).exit_code).not.toBe(0)
  })

  it('neither port of Atelier is reached, by any name of the machine', async ({ service, run }) => {
    const ports = [service.url, service.service.gatewayUrl].map(url => new URL(url).port)
    const names = [
      '127.0.0.1',
      'localhost',
      'host.docker.internal',
      '$(ip route 2>/dev/null | sed -n "s/^default via \\([^ ]*\\).*/\\1/p")',
    ]
    for (const port of ports) {
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
      for (const name of names) {
        const { stdout } = await run(`curl -s -m 5 -o /dev/null -w '%{http_code}' "http://${name}:${port}/health"`)
        expect([name, stdout]).toEqual([name, '000'])
      }
    }
  })
})
