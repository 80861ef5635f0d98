import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect } from 'vitest'
import { it as base } from '../fixtures/sandbox.ts'
import { isOnCluster } from '../parts/kubernetes/on-cluster.ts'
import { TestFolder } from '../parts/test-folder.ts'

const test = base
  .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))
  .extend('run', { scope: 'file' }, ({ sandbox }) => async (script: string): Promise<string> => {
    const result = await sandbox.exec({ argv: ['/bin/sh', '-c', script] })
    if (result.exitCode !== 0) throw new Error(result.stderr)
    return result.stdout
  })

describe('a file', () => {
  test.for<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('zwei\nZeilen ü\n')],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['5 MB', randomBytes(5_000_000)],
  ])('with %s comes back as it was written', async ([_name, content], { sandbox }) => {
    await sandbox.writeFile('/workspace/project/round/trip', content)
    expect((await sandbox.readFile('/workspace/project/round/trip')).equals(content)).toBe(true)
  })

  test.skipIf(isOnCluster)('belongs to the owner of the folder that is mounted there', async ({ parts }) => {
    const folder = new TestFolder().write({ 'a.txt': 'one\n' }).giveTo({ uid: 1234, gid: 1235 })
    const mount = { host_path: folder.path, container_path: '/workspace/project/shop', mode: 'rw' } as const
    const mounted = {
      mounts: [mount],
      user: '1234:1235',
      env: {},
      path: mount.container_path,
      sees: 'a.txt',
      files: new Map(),
    }
    const { id } = await parts.sandboxes.start(null, { folder: mounted })
    const own = await parts.sandboxes.open(id, mounted.path)
    await own.writeFiles(mounted.path, [{ path: 'new/b.txt', content: Buffer.from('two') }])
    await own.writeFile(`${mounted.path}/new/c.txt`, Buffer.from('three'))
    const { stdout } = await own.exec({ argv: ['stat', '-c', '%u %g %n', 'new', 'new/b.txt', 'new/c.txt'] })
    expect(stdout).toBe('1234 1235 new\n1234 1235 new/b.txt\n1234 1235 new/c.txt\n')
    const { stdout: who } = await own.exec({ argv: ['/bin/sh', '-c', 'whoami; cd; pwd; touch here && echo written'] })
    expect(who).toBe('atelier\n/home/atelier\nwritten\n')
    folder.remove()
  })

  test.skipIf(isOnCluster)('in a folder that the engine sees as another one is never written', async ({ parts }) => {
    const folder = new TestFolder().write({ 'a.txt': 'one\n' })
    const mount = { host_path: folder.path, container_path: '/workspace/project/shop', mode: 'rw' } as const
    const mounted = {
      mounts: [mount],
      user: null,
      env: {},
      path: mount.container_path,
      sees: 'another.txt',
      files: new Map(),
    }
    const start = (changes: Partial<typeof mounted>) =>
      parts.sandboxes.start(null, { folder: { ...mounted, ...changes } })
    await expect(start({})).rejects.toThrow(
      'The folder cannot be worked on where it is: the engine sees another folder',
    )
    const replaced = { sees: 'a.txt', files: new Map([[mount.container_path, '1:1']]) }
    await expect(start(replaced)).rejects.toThrow('/workspace/project/shop was replaced meanwhile. Start with a copy')
    const missing = { ...mount, host_path: folder.beside('nowhere') }
    await expect(start({ mounts: [missing] })).rejects.toThrow(/where it is: .*Start with a copy of it instead\.$/)
    folder.remove()
  })

  test.for([
    '/tmp/with space',
    '/tmp/$(touch pwned)',
    "/tmp/it's",
    '/tmp/-rf',
    '/tmp/new\nline',
    '/tmp/trailing\n',
    '/tmp/ünï/c\\o*d?e[]',
    `/tmp/${'x'.repeat(255)}`,
  ])('may be called %j', async (path, { sandbox }) => {
    const content = Buffer.from(path)
    await sandbox.writeFile(path, content)
    expect((await sandbox.readFile(path)).toString()).toBe(path)
    expect(await sandbox.stat(path)).toMatchObject({ kind: 'file', sizeBytes: content.length })
  })

  test('keeps its mode and owner when it is written again, and nothing is left beside it', async ({ run, sandbox }) => {
    await run(
      'mkdir -p /tmp/keep; echo a >/tmp/keep/script; chmod 4751 /tmp/keep/script; chown 1234:567 /tmp/keep/script',
    )
    await run('chmod 0751 /tmp/keep/script')
    await sandbox.writeFile('/tmp/keep/script', Buffer.from('longer than before'))
    expect(await run('stat -c "%a %u %g %s" /tmp/keep/script; ls -A /tmp/keep')).toBe('751 1234 567 18\nscript\n')
  })

  test('that is new is readable by all and belongs to root', async ({ sandbox, run }) => {
    await sandbox.writeFile('/tmp/new/file', Buffer.from('x'))
    expect(await run('stat -c "%a %u" /tmp/new/file /tmp/new')).toBe('644 0\n755 0\n')
  })

  test('is replaced as a whole: a reader has the old or the new one', async ({ sandbox, run }) => {
    await sandbox.writeFile('/tmp/atomic', Buffer.from('old'))
    await run('ln /tmp/atomic /tmp/atomic-before')
    await sandbox.writeFile('/tmp/atomic', Buffer.from('new'))
    expect(await run('cat /tmp/atomic-before /tmp/atomic')).toBe('oldnew')
  })

  test('is not touched when there is no room for the new one', async ({ sandbox, run }) => {
    await sandbox.writeFile('/dev/shm/full/file', Buffer.from('old')).catch(() => {})
    await run('mkdir -p /dev/shm/full; echo -n old >/dev/shm/full/file')
    const large = sandbox.writeFile('/dev/shm/full/file', Buffer.alloc(80_000_000))
    await expect(large).rejects.toMatchObject({ code: 'command_failed', message: expect.stringContaining('No space') })
    expect(await run('cat /dev/shm/full/file; ls -A /dev/shm/full')).toBe('oldfile\n')
  })

  test.for(['/dev/shm/plain', '/dev/shm/new folder/a.txt', "/dev/shm/it's"])(
    'on a tmpfs mount comes back as it was written: %s',
    async (path, { sandbox }) => {
      const content = randomBytes(300_000)
      expect(await sandbox.stat(path)).toBeUndefined()
      await sandbox.writeFile(path, content)
      expect((await sandbox.readFile(path)).equals(content)).toBe(true)
      expect(await sandbox.stat(path)).toMatchObject({ kind: 'file', sizeBytes: content.length, mode: 0o644 })
      const sent = await sandbox.sendFile(path)
      expect(sent.sizeBytes).toBe(content.length)
      expect((await buffer(sent.content)).equals(content)).toBe(true)
      await expect(sandbox.readFile(path, { maxBytes: 1000 })).rejects.toMatchObject({ code: 'file_too_large' })
    },
  )

  test('on a tmpfs mount keeps its mode, and a link to it stays', async ({ run, sandbox }) => {
    await run('mkdir -p /dev/shm/l; echo a >/dev/shm/l/real; chmod 755 /dev/shm/l/real; ln -s real /dev/shm/l/link')
    await run('ln -sf /dev/shm/l/real /tmp/to-mount')
    for (const path of ['/dev/shm/l/link', '/tmp/to-mount']) {
      await sandbox.writeFile(path, Buffer.from(path))
      expect((await sandbox.readFile(path)).toString()).toBe(path)
      expect(await run('cat /dev/shm/l/real')).toBe(path)
    }
    expect(await run('stat -c %a /dev/shm/l/real; readlink /dev/shm/l/link /tmp/to-mount')).toBe(
      '755\nreal\n/dev/shm/l/real\n',
    )
    await expect(sandbox.writeFile('/dev/shm/l', Buffer.from('x'))).rejects.toMatchObject({ code: 'bad_request' })
    await expect(sandbox.readFile('/dev/shm/l')).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('of the kernel is read, and a device is no file', async ({ sandbox }) => {
    expect((await sandbox.readFile('/proc/self/mountinfo')).toString()).toContain('/dev/shm')
    expect(await sandbox.stat('/dev/zero')).toMatchObject({ kind: 'other' })
    await expect(sandbox.readFile('/dev/zero')).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('through a link is the file that it leads to, and the link stays', async ({ run, sandbox }) => {
    await run('mkdir -p /tmp/l/real; echo a >/tmp/l/real/file; ln -s real/file /tmp/l/one; ln -s one /tmp/l/two')
    await sandbox.writeFile('/tmp/l/two', Buffer.from('b'))
    expect((await sandbox.readFile('/tmp/l/two')).toString()).toBe('b')
    expect(await run('cat /tmp/l/real/file; readlink /tmp/l/two')).toBe('bone\n')
  })

  test('behind a link to nowhere is made where it leads', async ({ run, sandbox }) => {
    await run('ln -s /tmp/dangling-target /tmp/dangling')
    expect(await sandbox.stat('/tmp/dangling')).toBeUndefined()
    await sandbox.writeFile('/tmp/dangling', Buffer.from('x'))
    expect(await run('cat /tmp/dangling-target')).toBe('x')
  })

  test('behind a link that leads out of the sandbox is the sandbox’s own', async ({ run, sandbox }) => {
    await run('ln -s ../../../../../../../../etc/hostname /tmp/escape')
    const inside = await run('cat /etc/hostname')
    expect((await sandbox.readFile('/tmp/escape')).toString()).toBe(inside)
  })

  test('that links to itself is an error, not a hang', async ({ run, sandbox }) => {
    await run('ln -s loop /tmp/loop')
    await expect(sandbox.readFile('/tmp/loop')).rejects.toMatchObject({ code: expect.any(String) })
  })
})

describe('refused', () => {
  test('a file that is not there', async ({ sandbox }) => {
    await expect(sandbox.readFile('/no/such')).rejects.toMatchObject({ code: 'file_not_found' })
    expect(await sandbox.stat('/no/such')).toBeUndefined()
  })

  test('a folder as a file', async ({ sandbox }) => {
    await expect(sandbox.readFile('/tmp')).rejects.toMatchObject({ code: 'bad_request' })
    await expect(sandbox.writeFile('/tmp', Buffer.from('x'))).rejects.toMatchObject({ code: 'bad_request' })
    await expect(sandbox.writeFile('/', Buffer.from('x'))).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('a file as a folder', async ({ sandbox }) => {
    await sandbox.writeFile('/tmp/plain', Buffer.from('x'))
    await expect(sandbox.writeFile('/tmp/plain/below', Buffer.from('x'))).rejects.toMatchObject({
      code: 'command_failed',
    })
    expect(await sandbox.stat('/tmp/plain/below')).toBeUndefined()
  })

  test('a device', async ({ sandbox }) => {
    await expect(sandbox.readFile('/dev/zero')).rejects.toMatchObject({
      code: expect.stringMatching(/bad_request|file_not_found/),
    })
  })

  test.for(['relative', '', '/a\0b'])('the path %j', async (path, { sandbox }) => {
    await expect(sandbox.readFile(path)).rejects.toMatchObject({ code: 'bad_request' })
    await expect(sandbox.writeFile(path, Buffer.from('x'))).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('a file over the limit, before it is read', async ({ run, sandbox }) => {
    await run('truncate -s 20G /tmp/sparse')
    await expect(sandbox.readFile('/tmp/sparse')).rejects.toMatchObject({ code: 'file_too_large' })
    await sandbox.writeFile('/tmp/four', Buffer.from('1234'))
    await expect(sandbox.readFile('/tmp/four', { maxBytes: 3 })).rejects.toMatchObject({ code: 'file_too_large' })
    expect((await sandbox.readFile('/tmp/four', { maxBytes: 4 })).length).toBe(4)
  })
})

describe('many files', () => {
  test('arrive with their folders and modes, in a folder that is made', async ({ sandbox, run }) => {
    await sandbox.writeFiles('/workspace/project/demo', [
      { path: 'README.md', content: Buffer.from('# hi') },
      { path: 'src/deep/main.py', content: Buffer.from('print()'), mode: 0o755 },
    ])
    const modes = await run('cd /workspace/project/demo && stat -c "%n %a" README.md src src/deep src/deep/main.py')
    expect(modes).toBe('README.md 644\nsrc 755\nsrc/deep 755\nsrc/deep/main.py 755\n')
  })

  test('leave folders that are there as they are', async ({ run, sandbox }) => {
    await run('mkdir -p /tmp/there/sub; chmod 1777 /tmp/there; chmod 700 /tmp/there/sub')
    await sandbox.writeFiles('/tmp/there', [{ path: 'sub/new/file', content: Buffer.from('x') }])
    expect(await run('stat -c %a /tmp /tmp/there /tmp/there/sub /tmp/there/sub/new')).toBe('1777\n1777\n700\n755\n')
  })

  test('go through a folder that is a link', async ({ run, sandbox }) => {
    await run('mkdir -p /tmp/target; ln -s /tmp/target /tmp/alias')
    await sandbox.writeFiles('/tmp/alias', [{ path: 'a/b', content: Buffer.from('x') }])
    expect(await run('cat /tmp/target/a/b; readlink /tmp/alias')).toBe('x/tmp/target\n')
  })

  test.for(['../up', '/etc/passwd', 'a/../../up', '', '.', 'a/', 'a\0b'])(
    'cannot leave the folder by %j',
    async (path, { sandbox }) => {
      const writing = sandbox.writeFiles('/tmp/cage', [{ path, content: Buffer.from('x') }])
      await expect(writing).rejects.toMatchObject({ code: 'bad_request' })
    },
  )
})

test('a folder is known as one', async ({ sandbox }) => {
  expect(await sandbox.stat('/tmp')).toMatchObject({ kind: 'directory', mode: 0o1777 })
  expect(await sandbox.stat('/bin')).toMatchObject({ kind: 'directory' })
  expect(await sandbox.stat('/')).toMatchObject({ kind: 'directory' })
})
