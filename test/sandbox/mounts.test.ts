import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MountPolicyContext, mountSource, whyNotMounted } from '../../server/sandbox/files/mounts.ts'

const linux = {
  platform: 'linux',
  home: '/home/ada',
  dataDir: '/home/ada/.local/share/Atelier',
  engineSockets: ['/home/ada/engine/docker.sock', '/home/ada/other/engine'],
} as const

describe('by its name alone', () => {
  it.each([
    ['/', 'whole disk'],
    ['/etc', 'system folder'],
    ['/etc/ssh', 'system folder'],
    ['/var', 'system folder'],
    ['/var/run/docker.sock', "engine's socket"],
    ['/run/user/1000', 'system folder'],
    ['/proc/1/root', 'system folder'],
    ['/home', 'data'],
    ['/home/ada', 'data'],
    ['/home/ada/.local', 'data'],
    ['/home/ada/.local/share/Atelier/atelier.db', 'data'],
    ['/home/ada/engine', "engine's socket"],
    ['/home/ada/other', "engine's socket"],
    ['/home/ada/other/engine', "engine's socket"],
    ['/srv/podman/podman.sock', "engine's socket"],
    ['/home/ada/.ssh/id_ed25519', 'keys'],
    ['/home/ada/.aws', 'keys'],
    ['/tmp', 'choose one in it'],
  ])('%s is refused', (path, reason) => {
    expect(whyNotMounted(path, linux)).toContain(reason)
  })

  it.each(['/home/ada/projects/shop', '/tmp/shop', '/srv/data', '/run/media/ada/STICK', '/home/ada/.sshish'])(
    '%s may be mounted',
    path => {
      expect(whyNotMounted(path, linux)).toBeUndefined()
    },
  )

  it('cases count as the same where the file system does not tell them apart', () => {
    const mac = { ...linux, platform: 'darwin', home: '/Users/ada', dataDir: '/Users/ada/Library/Atelier' } as const
    expect(whyNotMounted('/ETC', mac)).toContain('system folder')
    expect(whyNotMounted('/Users/ADA/.SSH', mac)).toContain('keys')
  })
})

describe('on this disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-mounts-'))
  const ground: MountPolicyContext = {
    platform: process.platform,
    home: join(folder, 'home'),
    dataDir: join(folder, 'home/data'),
    engineSockets: [join(folder, 'link-to-engine/engine')],
    engineIsHere: true,
    users: 'same',
  }
  const socket = createServer()

  beforeAll(async () => {
    mkdirSync(ground.dataDir, { recursive: true })
    mkdirSync(join(folder, 'work'))
    writeFileSync(join(folder, 'work/file'), '')
    symlinkSync('/etc', join(folder, 'work/innocent'))
    symlinkSync(ground.dataDir, join(folder, 'work/link-to-data'))
    symlinkSync(join(folder, 'work'), join(folder, 'link-to-work'))
    mkdirSync(join(folder, 'engine'))
    writeFileSync(join(folder, 'engine/engine'), '')
    symlinkSync(join(folder, 'engine'), join(folder, 'link-to-engine'))
    await new Promise<void>(resolve => socket.listen(join(folder, 'work/sock'), resolve))
  })
  afterAll(() => {
    socket.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const source = (path: string) => mountSource(path, ground)

  it('a folder with the socket of an engine is refused under each of its names', async () => {
    for (const name of ['engine', 'link-to-engine', 'engine/engine']) {
      await expect(source(join(folder, name))).rejects.toThrow("engine's socket")
    }
  })

  it('a folder and a file are mounted as they are, a link as what it leads to', async () => {
    expect(await source(join(folder, 'work/'))).toBe(join(folder, 'work'))
    expect(await source(join(folder, 'work/file'))).toBe(join(folder, 'work/file'))
    expect(await source(join(folder, 'link-to-work'))).toBe(join(folder, 'work'))
  })

  it('a link to a forbidden place is that place', async () => {
    await expect(source(join(folder, 'work/innocent'))).rejects.toThrow('system folder')
    await expect(source(join(folder, 'work/link-to-data'))).rejects.toThrow("Atelier's own data")
  })

  it('dots lead nowhere else', async () => {
    await expect(source(`${folder}/work/../../../../../../etc`)).rejects.toThrow('system folder')
  })

  it('what is not there, not absolute, or a socket is refused', async () => {
    await expect(source(join(folder, 'nothing'))).rejects.toThrow('nothing there')
    await expect(source('work')).rejects.toThrow('not an absolute path')
    await expect(source(join(folder, 'work/sock'))).rejects.toThrow('neither a folder nor a file')
  })

  it('the disk of another machine is judged by names', async () => {
    const remote = { ...ground, engineIsHere: false }
    expect(await mountSource('/data/on-the-server', remote)).toBe('/data/on-the-server')
    await expect(mountSource('/etc', remote)).rejects.toThrow('system folder')
  })
})
