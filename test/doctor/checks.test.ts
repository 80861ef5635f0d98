import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { EngineStatus } from '../../server/api/v1/system/system.ts'
import { crashReports, writeCrashReport } from '../../server/crash-reports.ts'
import { engineDetails } from '../../server/docker/details.ts'
import type { Engine } from '../../server/docker/engine.ts'
import type { EngineInfo } from '../../server/docker/engine-info.ts'
import type { EngineImage } from '../../server/docker/image/inspect.ts'
import type { Check } from '../../server/doctor/check.ts'
import { crashesCheck } from '../../server/doctor/crashes.ts'
import { diskCheck, engineDiskCheck } from '../../server/doctor/disk.ts'
import {
  clockCheck,
  type DiagnosedEngine,
  engineCheck,
  engineStorageCheck,
  isolationCheck,
  limitsCheck,
} from '../../server/doctor/engine.ts'
import { keychainCheck } from '../../server/doctor/keys.ts'
import { freePortsCheck, servedPortsCheck } from '../../server/doctor/ports.ts'
import { repairSteps, restrictFolder } from '../../server/doctor/repairs.ts'
import { imageCheck, sharesCheck } from '../../server/doctor/sandbox.ts'
import { AppError } from '../../server/domain/errors.ts'

const NOW = Date.parse('2026-03-04T05:06:07Z')
const signal = new AbortController().signal

const INFO: EngineInfo = {
  identity: 'one',
  name: 'Docker',
  version: '29.0.0',
  apiVersion: '1.52',
  operatingSystem: 'Debian GNU/Linux 12',
  architecture: 'x86_64',
  cpus: 8,
  memoryBytes: 16 * 1024 ** 3,
  folder: '/var/lib/docker',
  users: 'same',
  seccomp: 'own',
  userNamespace: 'none',
  runtimes: [{ name: 'runc', hasKernelNetwork: true }],
  logDriver: 'local',
  canLimitDisk: false,
  details: engineDetails({ Driver: 'overlay2', CgroupVersion: '2', SystemTime: new Date(NOW).toISOString() }),
}

const IMAGE: EngineImage = {
  id: 'sha256:1',
  user: '',
  env: {},
  labels: {},
  ports: [],
  triggers: [],
  bytes: 1,
  isFromRegistry: false,
}

const READY = { state: 'ready', endpoint: 'unix:///run/docker.sock' } as EngineStatus
const NONE: EngineStatus = {
  state: 'unavailable',
  reason: 'Nothing answers.',
  steps: [{ code: 'start_docker', text: 'Start Docker:', command: 'sudo systemctl start docker', url: null }],
}

interface Machine {
  status?: EngineStatus
  info?: Partial<EngineInfo>
  engine?: Partial<Engine>
}

function engineOf({ status = READY, info = {}, engine = {} }: Machine = {}): DiagnosedEngine {
  const fake = { info: async () => ({ ...INFO, ...info }), ...engine } as Engine
  return {
    look: async () => status,
    engine: async () => {
      if (status.state === 'ready') return fake
      throw new AppError('engine_unavailable', status.reason)
    },
  }
}

const details = (info: Parameters<typeof engineDetails>[0]) => ({ details: engineDetails(info) })

const CASES: Record<string, [Check, { state: string; finding: string; [more: string]: unknown }]> = {
  'no engine': [
    engineCheck(engineOf({ status: NONE })),
    { state: 'problem', finding: 'engine_unavailable', action: 'check_again', steps: NONE.steps },
  ],
  'an engine': [engineCheck(engineOf()), { state: 'ok', finding: 'engine_answers' }],
  'an old engine': [
    engineCheck(engineOf({ info: { apiVersion: '1.39' } })),
    { state: 'warning', finding: 'engine_old' },
  ],
  'Podman, with versions of its own': [
    engineCheck(engineOf({ info: { name: 'Podman', apiVersion: '1.40' } })),
    { state: 'ok', finding: 'engine_answers' },
  ],
  'every limit': [limitsCheck(engineOf()), { state: 'ok', finding: 'limits_held' }],
  'limits that a rootless engine lacks': [
    limitsCheck(engineOf({ info: details({ CpuCfsQuota: false, PidsLimit: false, CgroupVersion: '1' }) })),
    {
      state: 'warning',
      finding: 'limits_missing',
      facts: [
        { name: 'cgroup', value: 'v1' },
        { name: 'missing_limits', value: 'processors, processes' },
      ],
    },
  ],
  'root is root': [isolationCheck(engineOf()), { state: 'ok', finding: 'isolation_root' }],
  'root is a user': [
    isolationCheck(engineOf({ info: { userNamespace: 'rootless' } })),
    { state: 'ok', finding: 'isolation_user' },
  ],
  'no filter of system calls': [
    isolationCheck(engineOf({ info: { seccomp: 'none' } })),
    { state: 'warning', finding: 'isolation_no_filter' },
  ],
  'a good storage driver': [engineStorageCheck(engineOf()), { state: 'ok', finding: 'storage_driver_good' }],
  'a slow storage driver': [
    engineStorageCheck(engineOf({ info: details({ Driver: 'vfs' }) })),
    { state: 'warning', finding: 'storage_driver_slow' },
  ],
  'clocks that agree': [clockCheck(engineOf(), () => NOW), { state: 'ok', finding: 'clock_right' }],
  'a clock that is behind': [
    clockCheck(engineOf(), () => NOW + 90_000),
    { state: 'warning', finding: 'clock_differs', facts: [{ name: 'difference', value: -90 }] },
  ],
  'an engine without a clock': [
    clockCheck(engineOf({ info: details({}) }), () => NOW),
    { state: 'unknown', finding: 'clock_unknown' },
  ],
  'an engine of another machine': [
    shares(engineOf({ status: { ...READY, endpoint: 'ssh://box' } as EngineStatus })),
    { state: 'warning', finding: 'shares_remote' },
  ],
  'an engine without the image': [
    shares(engineOf({ engine: { image: async () => undefined } })),
    { state: 'skipped', finding: 'needs_image' },
  ],
  'a folder that the engine does not share': [
    shares(
      engineOf({
        engine: {
          image: async () => IMAGE,
          createContainer: async () => {
            throw new AppError('engine_failed', 'Mounts denied')
          },
        },
      }),
    ),
    {
      state: 'problem',
      finding: 'shares_refused',
      facts: [
        { name: 'folder', value: '/home/ada' },
        { name: 'reason', value: 'Mounts denied' },
      ],
    },
  ],
  'an image that could not be loaded': [
    imageCheck(() => ({ state: 'failed', reference: 'a:1', done_bytes: 0, total_bytes: 0, reason: 'no space' })),
    { state: 'problem', finding: 'image_failed' },
  ],
  'a locked keychain': [
    keychainCheck({ status: async () => ({ state: 'locked', storage: 'keychain', reason: 'It is locked.' }) }),
    { state: 'problem', finding: 'keychain_locked', action: 'unlock_keychain' },
  ],
  'no keychain': [
    keychainCheck({ status: async () => ({ state: 'missing', storage: 'session-only', reason: null }) }),
    { state: 'warning', finding: 'keychain_missing' },
  ],
  'a folder that is not there': [
    diskCheck({ folder: '/nowhere/at/all', openToOthers: () => [] }),
    { state: 'unknown', finding: 'disk_unknown' },
  ],
  'an engine with its files elsewhere': [
    engineDiskCheck(async () => null),
    { state: 'skipped', finding: 'disk_elsewhere' },
  ],
  'the ports that are set': [served('http://127.0.0.1:3737'), { state: 'ok', finding: 'ports_served' }],
  'a port that was taken': [served('http://127.0.0.1:40123'), { state: 'warning', finding: 'ports_moved' }],
}

test.for(Object.entries(CASES))('finds %s', async ([, [check, expected]]) => {
  const found = await check(signal)
  expect(found).toMatchObject(expected)
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const steps = found.steps ?? repairSteps(found.finding, platform)
    const isWell = found.state !== 'problem' && found.state !== 'warning'
    expect(isWell || found.action !== undefined || steps.length > 0, `${found.finding} on ${platform}`).toBe(true)
  }
})

test('what others can read is closed by a command that takes the folder for what it is', async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-'; touch pwned #"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'atelier.db'), '')
  chmodSync(folder, 0o755)
  const found = await diskCheck({ folder, openToOthers: () => [folder] })(signal)
  expect(found).toMatchObject({ state: 'warning', finding: 'data_folder_open' })
  execFileSync('sh', ['-c', found.steps?.[0]?.command ?? 'false'], { cwd: folder })
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder)).toEqual(['atelier.db'])
})

test('on Windows it is closed by a command that cmd.exe and PowerShell read alike', () => {
  const [{ command } = { command: null }] = restrictFolder('C:\\Users\\Jane Doe\\Atelier', 'win32')
  const grant = `${userInfo().username}:(OI)(CI)F`
  expect(command).toBe(`icacls "C:\\Users\\Jane Doe\\Atelier" /inheritance:r /grant:r "${grant}"`)
  // Variables of cmd.exe, and what PowerShell reads within double quotes.
  expect(command).not.toMatch(/[%$`]/)
})

test('a folder is mounted in a container that is never started, and removed', async () => {
  const acts: string[] = []
  const engine = engineOf({
    engine: {
      image: async () => IMAGE,
      createContainer: async ({ mounts, labels }) => {
        acts.push(`create ${mounts[0]?.hostPath} ${mounts[0]?.readOnly} ${labels['dev.atelier.instance']}`)
        return 'c1'
      },
      removeContainer: async id => void acts.push(`remove ${id}`),
    },
  })
  const hold = () => () => void acts.push('release')
  const check = sharesCheck({ engine, image: 'atelier:1', instanceId: 'i', hold, folder: '/home/ada' })
  expect(await check(signal)).toMatchObject({ state: 'ok', finding: 'shares_work' })
  expect(acts).toEqual(['create /home/ada true i', 'remove c1', 'release'])
})

describe('ports', () => {
  test('are free, or one is taken', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    expect(await freePortsCheck({ port, gatewayPort: 0 })(signal)).toMatchObject({ finding: 'ports_taken' })
    await new Promise(resolve => server.close(resolve))
    expect(await freePortsCheck({ port, gatewayPort: 0 })(signal)).toMatchObject({ finding: 'ports_free' })
  })
})

describe('crashes', () => {
  test('leave a report without secrets, of which the newest ten are kept, and which is news for a week', async ({
    onTestFinished,
  }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'atelier-crashes-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    expect(await crashesCheck(dataDir)(signal)).toMatchObject({ finding: 'crashes_none' })
    const log = { fatal: () => {} }
    const options = { log, version: '1.0.0', mask: (text: string) => text.replaceAll('sk-canary', '<hidden>') }
    const error = new Error('refused sk-canary', { cause: new Error('inside sk-canary') })
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    for (let count = 0; count < 12; count++) {
      vi.setSystemTime(NOW + count)
      expect(writeCrashReport(dataDir, error, options)).not.toBeNull()
    }
    const [last, ...others] = crashReports(dataDir)
    expect(last?.at).toEqual(new Date(NOW + 11))
    expect(others).toHaveLength(9)
    const text = readFileSync(last?.path ?? '', 'utf8')
    expect(text).toContain('Atelier 1.0.0')
    expect(text).toContain('Caused by: Error: inside <hidden>')
    expect(text).not.toContain('canary')
    expect(await crashesCheck(dataDir)(signal)).toMatchObject({ state: 'warning', finding: 'crashes_found' })
    const later = () => Date.now() + 8 * 24 * 3600 * 1000
    expect(await crashesCheck(dataDir, later)(signal)).toMatchObject({ finding: 'crashes_none' })
  })
})

function shares(engine: DiagnosedEngine): Check {
  return sharesCheck({ engine, image: 'atelier:1', instanceId: 'i', hold: () => () => {}, folder: '/home/ada' })
}

function served(api: string): Check {
  return servedPortsCheck({ port: 3737, gatewayPort: 3738 }, () => ({ api, gateway: 'http://127.0.0.1:3738' }))
}
