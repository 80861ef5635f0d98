import { expect, test } from 'vitest'
import { hasProfileFor, seccompProfile } from '../../server/docker/container/seccomp.ts'

const { defaultAction, syscalls } = seccompProfile()
const allowed = syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW')
const everywhere = allowed.filter(({ args, includes }) => !args && !includes?.caps).flatMap(({ names }) => names)

test('what is not named is refused, and each call is named once', () => {
  expect(defaultAction).toBe('SCMP_ACT_ERRNO')
  const named = syscalls.filter(({ args }) => !args).flatMap(({ names }) => names)
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([])
  for (const name of named) expect(name).toMatch(/^_?[a-z][a-z0-9_]*$/)
})

test.for([
  ['io_uring_setup', 'io_uring_enter', 'io_uring_register'],
  ['userfaultfd', 'bpf', 'perf_event_open', 'kexec_load', 'init_module', 'reboot', 'swapon', 'acct', 'iopl'],
  ['add_key', 'keyctl', 'request_key', 'open_by_handle_at', 'name_to_handle_at', 'fanotify_init', 'syslog'],
  ['mount', 'umount2', 'fsopen', 'fsmount', 'move_mount', 'open_tree', 'pivot_root', 'chroot', 'unshare', 'setns'],
  ['clone', 'clone3', 'socket', 'socketpair', 'socketcall', 'personality'],
])('no container may call %s as it likes', names => {
  for (const name of names) expect(everywhere).not.toContain(name)
})

test('only a container that may administer the system enters namespaces', () => {
  const capable = allowed.filter(({ includes }) => includes?.caps)
  expect(capable).toEqual([{ names: ['setns'], action: 'SCMP_ACT_ALLOW', includes: { caps: ['CAP_SYS_ADMIN'] } }])
})

test('a family of sockets is judged by the bits that the kernel reads', () => {
  const families = allowed.filter(({ names }) => names.includes('socket')).map(({ args }) => args?.[0])
  expect(families.map(each => each?.valueTwo)).toEqual([1, 2, 10, 16])
  for (const each of families) expect(each).toMatchObject({ op: 'SCMP_CMP_MASKED_EQ', value: 0xffffffff })
})

test('it is for the architectures that it names', () => {
  expect(['x86_64', 'aarch64', 'armv7l', 's390x', 'riscv64'].map(hasProfileFor)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
