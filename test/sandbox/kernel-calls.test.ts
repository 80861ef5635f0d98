import { expect } from 'vitest'
import { it as base } from '../fixtures/sandbox.ts'

const test = base
  .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))
  .extend('python', { scope: 'file' }, ({ sandbox }) => async (script: string) => {
    const { stdout, stderr } = await sandbox.exec({ argv: ['python3', '-c', PRELUDE + script] })
    return stdout + stderr
  })

/** `call` asks the kernel itself and returns what it refuses with; `call32` does so as a 32-bit program of x86. */
const PRELUDE = `
import ctypes, errno, mmap, os, platform, socket, subprocess, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {"x86_64": 0, "aarch64": 1}
def call(x86_64, aarch64, *arguments):
    number = (x86_64, aarch64)[NUMBERS[platform.machine()]]
    done = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(each) if isinstance(each, int) else each for each in arguments])
    return "done" if done >= 0 else errno.errorcode[ctypes.get_errno()]
def call32(number, first, second=0, third=0):
    libc.mmap.restype = ctypes.c_void_p
    page = libc.mmap(None, ctypes.c_size_t(4096), 7, 0x62, -1, 0)
    le = lambda value: value.to_bytes(4, "little")
    code = b"\\x53\\xb8" + le(number) + b"\\xbb" + le(first) + b"\\xb9" + le(second) + b"\\xba" + le(third) + b"\\xcd\\x80\\x5b\\xc3"
    ctypes.memmove(page, code, len(code))
    done = ctypes.CFUNCTYPE(ctypes.c_int)(page)()
    return "done" if done >= 0 else errno.errorcode[-done]
`

test.for<[string, string, string]>([
  ['io_uring', 'call(425, 425, 8, ctypes.create_string_buffer(120))', 'ENOSYS'],
  ['clone3, whose flags cannot be judged', 'call(435, 435, 0, 0)', 'ENOSYS'],
  ['a new namespace of users', 'call(56, 220, 0x10000000 | 17, 0, 0, 0, 0)', 'EPERM'],
  ['userfaultfd', 'call(323, 282, 1)', 'EPERM'],
  ['a key of the kernel', 'call(248, 217, b"user", b"name", b"value", 5, -4)', 'EPERM'],
  ['a handle of a file', 'call(303, 264, -100, b"/", ctypes.create_string_buffer(160), 0, 0)', 'ENOSYS'],
  ['the kernel’s own log', 'call(103, 116, 3, 0, 0)', 'EPERM'],
  ['a personality without random addresses', 'call(135, 92, 0x0040000)', 'EPERM'],
  ['sockets of the kernel’s cryptography', 'call(41, 198, 38, 5, 0)', 'EPERM'],
  ['sockets to the machine around a virtual one', 'call(41, 198, 40, 1, 0)', 'EPERM'],
  ['sockets of a family whose module would be loaded', 'call(41, 198, 30, 1, 0)', 'EPERM'],
  ['a family that is hidden behind bits which the kernel ignores', 'call(41, 198, 38 | 1 << 32, 5, 0)', 'EPERM'],
  ['pairs of sockets of such a family', 'call(53, 199, 30, 1, 0, ctypes.create_string_buffer(8))', 'EPERM'],
])('a program is refused %s', async ([_name, script, refusal], { python }) => {
  expect(await python(`print(${script})`)).toBe(`${refusal}\n`)
})

test('a 32-bit program of x86 is refused the same', async ({ python }) => {
  const script = `
if platform.machine() != "x86_64": print("EPERM ENOSYS ENOSYS done")
else: print(call32(359, 38, 5), call32(102, 1), call32(425, 8), call32(20, 0))`
  expect(await python(script)).toBe('EPERM ENOSYS ENOSYS done\n')
})

test('threads, processes, and sockets of the usual families work', async ({ python }) => {
  const script = `
made = []
threads = [threading.Thread(target=lambda: made.append(os.getpid())) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
    socket.socket(family, socket.SOCK_RAW if family == socket.AF_NETLINK else socket.SOCK_STREAM).close()
socket.socketpair()
subprocess.run(["git", "--version"], check=True, stdout=subprocess.DEVNULL)
print(len(made))`
  expect(await python(script)).toBe('8\n')
})

test('a debugger traces a program and reads its memory', async ({ python }) => {
  const script = `
TRACEME, PEEKTEXT, CONT = 0, 1, 7
secret = ctypes.create_string_buffer(b"traced!!")
child = os.fork()
if child == 0:
    libc.ptrace(TRACEME, 0, 0, 0)
    os.kill(os.getpid(), 19)
    os._exit(7)
os.waitpid(child, 0)
libc.ptrace.restype = ctypes.c_long
word = libc.ptrace(ctypes.c_long(PEEKTEXT), ctypes.c_long(child), ctypes.c_void_p(ctypes.addressof(secret)), None)
class Part(ctypes.Structure): _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t)]
into = ctypes.create_string_buffer(8)
read = libc.process_vm_readv(child, ctypes.byref(Part(ctypes.addressof(into), 8)), 1, ctypes.byref(Part(ctypes.addressof(secret), 8)), 1, 0)
libc.ptrace(CONT, child, 0, 0)
_, status = os.waitpid(child, 0)
print(word.to_bytes(8, "little"), read, into.raw, os.waitstatus_to_exitcode(status))`
  expect(await python(script)).toBe("b'traced!!' 8 b'traced!!' 7\n")
})

test('packages are unpacked and installed', async ({ sandbox }) => {
  const script = `set -e
mkdir -p /tmp/package/DEBIAN /tmp/package/opt && cd /tmp
printf 'Package: tried\\nVersion: 1\\nArchitecture: all\\nMaintainer: nobody\\nDescription: tried\\n' >package/DEBIAN/control
echo installed >package/opt/tried
dpkg-deb --build package tried.deb >/dev/null && dpkg -i tried.deb >/dev/null
apt-get --version >/dev/null && apt-cache policy tried >/dev/null && cat /opt/tried`
  expect(await sandbox.exec({ argv: ['/bin/sh', '-c', script] })).toMatchObject({ exitCode: 0, stdout: 'installed\n' })
})
