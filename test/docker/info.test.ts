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
})
