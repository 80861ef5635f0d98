import { hostname, release } from 'node:os'
import type Docker from 'dockerode'
import { expect, test } from 'vitest'
import { engineInfo, type SystemInfo } from '../../server/docker/info.ts'

const HERE: SystemInfo = {
  OperatingSystem: 'Debian GNU/Linux 12 (bookworm)',
  Architecture: 'x86_64',
  NCPU: 8,
  MemTotal: 16 * 1024 ** 3,
  Name: hostname(),
  KernelVersion: release(),
  SecurityOptions: ['name=apparmor', 'name=seccomp,profile=builtin', 'name=cgroupns'],
}

const info = (changed: Partial<SystemInfo> = {}, component = 'Engine') =>
  engineInfo({ ...HERE, ...changed }, {
    Version: '29.0.0',
    ApiVersion: '1.52',
    Components: [{ Name: component }],
  } as Docker.DockerVersion)

test('an engine that filters calls to the kernel takes our profile', () => {
  expect(info().seccomp).toBe('own')
  expect(info({ SecurityOptions: ['name=seccomp,profile=unconfined'] }).seccomp).toBe('own')
})

test('an engine that takes no profile, or has another processor, keeps its own', () => {
  expect(info({}, 'Podman Engine').seccomp).toBe('engine')
  expect(info({ Architecture: 'riscv64' }).seccomp).toBe('engine')
})

test('an engine without a filter is asked for none', () => {
  expect(info({ SecurityOptions: [] }).seccomp).toBe('none')
  expect(info({ SecurityOptions: null }).seccomp).toBe('none')
})

test('it is known whether root in a sandbox is root of the machine', () => {
  expect(info()).toMatchObject({ userNamespace: 'none', users: 'same' })
  const remapped = info({ SecurityOptions: ['name=seccomp,profile=default', 'name=userns'] })
  expect(remapped).toMatchObject({ userNamespace: 'remapped', users: 'mapped' })
  const rootless = info({ SecurityOptions: ['name=seccomp,profile=default', 'name=rootless', 'name=cgroupns'] })
  expect(rootless).toMatchObject({ userNamespace: 'rootless', users: 'engine' })
  const podman = info({ SecurityOptions: ['name=seccomp,profile=default'], Rootless: true })
  expect(podman).toMatchObject({ userNamespace: 'rootless', users: 'engine' })
})

test('runtimes are listed with the default first, and without other names for it', () => {
  const Runtimes = {
    'io.containerd.runc.v2': { path: 'runc' },
    runc: { path: 'runc' },
    runsc: { path: '/usr/local/bin/runsc' },
    kata: { runtimeType: 'io.containerd.kata.v2' },
    nvidia: { path: 'nvidia-container-runtime' },
    'sysbox-runc': { path: '/usr/bin/sysbox-runc' },
    unheard: { path: '/opt/unheard' },
  }
  const names = (all: { name: string }[]) => all.map(({ name }) => name)
  const { runtimes } = info({ Runtimes, DefaultRuntime: 'runc' })
  expect(names(runtimes)).toEqual(['runc', 'kata', 'nvidia', 'runsc', 'sysbox-runc', 'unheard'])
  expect(names(runtimes.filter(each => each.hasKernelNetwork))).toEqual(['runc', 'nvidia', 'sysbox-runc'])
  expect(info({ Runtimes, DefaultRuntime: 'runsc' }).runtimes[0]).toEqual({ name: 'runsc', hasKernelNetwork: false })
})

test('Podman offers its default alone, as it lists runtimes that are not installed', () => {
  const Runtimes = { crun: { path: '/usr/bin/crun' }, kata: { path: '/usr/bin/kata-runtime' } }
  const podman = info({ Runtimes, DefaultRuntime: 'crun' }, 'Podman Engine')
  expect(podman.runtimes).toEqual([{ name: 'crun', hasKernelNetwork: true }])
})

test('a limit for a disk is worth a try on xfs and zfs alone', () => {
  const backing = (value: string): [string, string][] => [['Backing Filesystem', value]]
  expect(info({ Driver: 'overlay2', DriverStatus: backing('xfs') }).canLimitDisk).toBe(true)
  expect(info({ Driver: 'zfs' }).canLimitDisk).toBe(true)
  expect(info({ Driver: 'overlay2', DriverStatus: backing('extfs') }).canLimitDisk).toBe(false)
  expect(
    info({ Driver: 'overlayfs', DriverStatus: [['driver-type', 'io.containerd.snapshotter.v1']] }).canLimitDisk,
  ).toBe(false)
})
